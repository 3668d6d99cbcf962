//! One game between two players: the judge's seat.

use super::export;
use super::opening;
use super::player::{Player, Terms, Thought, Trouble};
use super::record::{GameRecord, OpeningRecord, Reason, Winner};
use crate::opening_rules::Setup;
use crate::rules::{DrawReason, Game, Outcome, Profile, RuleSpec, WinReason};
use crate::types::{Color, PerColor, Point};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Task {
    /// Number in the schedule.
    pub game: usize,
    /// Number of the opening in its file.
    pub opening_number: usize,
    /// Stones already there.
    pub opening: Vec<Point>,
    /// How the opening is played instead.
    pub opening_rule: Option<Setup>,
}

/// How a game ended.
struct End {
    result: Winner,
    reason: Reason,
    detail: String,
}

impl End {
    fn lost_by(color: Color, reason: Reason, detail: String) -> End {
        End {
            result: Winner::side(color.opponent()),
            reason,
            detail,
        }
    }
}

/// Plays a game to its end; `None` when the run was stopped meanwhile. Whatever the engines do
/// becomes a result. Afterwards each player stands at the colour he had in the end.
pub fn play(
    task: &Task,
    terms: &Terms,
    profile: Profile,
    keep_messages: bool,
    players: &mut PerColor<&mut Player<'_>>,
) -> Option<GameRecord> {
    for color in Color::ALL {
        players[color].sit_down();
    }
    let mut start = Start {
        rule: terms.rule,
        stones: task.opening.clone(),
        reply: None,
        play: None,
        lost: None,
    };
    if let Some(setup) = task.opening_rule {
        start = open(setup, players)?;
    }
    let mut game = Game::new(start.rule, terms.size, profile);
    for &stone in &start.stones {
        // Openings were checked when they were read or played; a bad stone would only end the
        // game.
        let _ = game.play(stone);
    }
    let opening = game.moves().to_vec();
    let mut log = Log {
        times: vec![0; opening.len()],
        messages: Vec::new(),
    };
    let end = match start.lost {
        Some(end) => end,
        None => play_on(&mut game, start.rule, start.reply, players, &mut log)?,
    };
    let notes = stand_up(players, &end);
    Some(GameRecord {
        game: task.game,
        black: players[Color::Black].name().to_owned(),
        white: players[Color::White].name().to_owned(),
        rule: start.rule.name.to_owned(),
        size: terms.size.to_string(),
        opening_number: task.opening_number,
        opening: export::offsets(&opening, terms.size),
        opening_play: start.play,
        moves: moves_text(game.moves()),
        times: log.times,
        result: end.result,
        reason: end.reason,
        detail: end.detail,
        notes,
        messages: match keep_messages {
            true => log.messages,
            false => Vec::new(),
        },
    })
}

/// What the players did besides moving.
struct Log {
    /// Milliseconds of each move.
    times: Vec<u32>,
    /// The last message with a move, by its number from 1.
    messages: Vec<(usize, String)>,
}

/// Plays a game to its end, `reply` first if that is known; none when the run was stopped.
fn play_on(
    game: &mut Game,
    rule: &RuleSpec,
    mut reply: Option<Point>,
    players: &mut PerColor<&mut Player<'_>>,
    log: &mut Log,
) -> Option<End> {
    loop {
        if let Some(outcome) = game.outcome() {
            return Some(end_of(outcome, game, rule));
        }
        let color = game.to_move();
        let thought = match reply.take() {
            Some(point) => Ok(Thought::at_once(point)),
            None => players[color].think(game.moves()),
        };
        let thought = match thought {
            Ok(thought) => thought,
            Err(Trouble::Stopped) => return None,
            Err(Trouble::Failed(reason, detail)) => {
                return Some(End::lost_by(color, reason, detail));
            }
        };
        if let Err(illegal) = game.play(thought.point) {
            return Some(End::lost_by(color, Reason::Illegal, illegal.to_string()));
        }
        let millis = u32::try_from(thought.elapsed.as_millis());
        log.times.push(millis.unwrap_or(u32::MAX));
        if let Some(message) = thought.message {
            log.messages.push((game.moves().len(), message));
        }
    }
}

/// Ends both players' game; says what they did wrong in it.
fn stand_up(players: &mut PerColor<&mut Player<'_>>, end: &End) -> Vec<String> {
    let winner_of_fault = end.reason.is_failure().then_some(end.result);
    let mut notes = Vec::new();
    for color in Color::ALL {
        let failed = winner_of_fault == Some(Winner::side(color.opponent()));
        if !players[color].stand_up(failed) {
            notes.push(format!("{} ignored END", players[color].name()));
        }
    }
    notes
}

/// From where a game is played.
struct Start {
    rule: &'static RuleSpec,
    stones: Vec<Point>,
    /// The first move after them, if it is known.
    reply: Option<Point>,
    play: Option<OpeningRecord>,
    /// The game is over already.
    lost: Option<End>,
}

/// Plays the opening; none when the run was stopped.
fn open(setup: Setup, players: &mut PerColor<&mut Player<'_>>) -> Option<Start> {
    // The command line was refused if the rule does not go with the game.
    let (end, play) = opening::play(setup, players).ok()?;
    let (rule, stones, reply, lost) = match end {
        opening::End::Stopped => return None,
        opening::End::Settled { settled, reply } => (settled.game, settled.moves(), reply, None),
        opening::End::Lost {
            stones,
            color,
            reason,
            detail,
        } => {
            let end = End::lost_by(color, reason, detail);
            (setup.game, stones, None, Some(end))
        }
    };
    for color in Color::ALL {
        players[color].settle(rule);
    }
    Some(Start {
        rule,
        stones,
        reply,
        play: Some(play),
        lost,
    })
}

fn end_of(outcome: Outcome, game: &Game, rule: &RuleSpec) -> End {
    match outcome {
        Outcome::Win {
            winner,
            reason: WinReason::Five,
        } => End {
            result: Winner::side(winner),
            reason: Reason::Row,
            detail: "a winning row".to_owned(),
        },
        Outcome::Win { winner, .. } => {
            let last = game.moves().last().copied().unwrap_or(Point::NONE);
            let detail = format!("{last:?} is forbidden under {}", rule.name);
            End::lost_by(winner.opponent(), Reason::Forbidden, detail)
        }
        Outcome::Draw(reason) => End {
            result: Winner::Draw,
            reason: Reason::Draw,
            detail: match reason {
                DrawReason::FewPointsLeft => {
                    format!("{} stones on the board", game.moves().len())
                }
                other => other.to_string(),
            },
        },
    }
}

/// Points as `7,7 8,8`.
fn moves_text(moves: &[Point]) -> String {
    let texts: Vec<String> = moves.iter().map(|p| format!("{p:?}")).collect();
    texts.join(" ")
}
