//! One game between two players: the judge's seat.

use super::export;
use super::player::{Player, Terms, Trouble};
use super::record::{GameRecord, Reason, Winner};
use crate::rules::{DrawReason, Game, Outcome, Profile, WinReason};
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
/// becomes a result.
pub fn play(
    task: &Task,
    terms: &Terms,
    profile: Profile,
    keep_messages: bool,
    players: &mut PerColor<&mut Player<'_>>,
) -> Option<GameRecord> {
    let mut game = Game::new(terms.rule, terms.size, profile);
    let mut times = Vec::new();
    for &stone in &task.opening {
        // Openings were checked when they were read; a bad stone would only end the game.
        let _ = game.play(stone);
        times.push(0);
    }
    for color in Color::ALL {
        players[color].sit_down();
    }
    let mut messages = Vec::new();
    let end = loop {
        if let Some(outcome) = game.outcome() {
            break end_of(outcome, &game, terms);
        }
        let color = game.to_move();
        match players[color].think(game.moves()) {
            Err(Trouble::Stopped) => return None,
            Err(Trouble::Failed(reason, detail)) => break End::lost_by(color, reason, detail),
            Ok(thought) => {
                if let Err(illegal) = game.play(thought.point) {
                    break End::lost_by(color, Reason::Illegal, illegal.to_string());
                }
                times.push(u32::try_from(thought.elapsed.as_millis()).unwrap_or(u32::MAX));
                if let Some(message) = thought.message.filter(|_| keep_messages) {
                    messages.push((game.moves().len(), message));
                }
            }
        }
    };
    let loser = end.reason.is_failure().then_some(end.result);
    let mut notes = Vec::new();
    for color in Color::ALL {
        let failed = loser == Some(Winner::side(color.opponent()));
        if !players[color].stand_up(failed) {
            notes.push(format!("{} ignored END", players[color].name()));
        }
    }
    Some(GameRecord {
        game: task.game,
        black: players[Color::Black].name().to_owned(),
        white: players[Color::White].name().to_owned(),
        rule: terms.rule.name.to_owned(),
        size: terms.size.to_string(),
        opening_number: task.opening_number,
        opening: export::offsets(&task.opening, terms.size),
        moves: moves_text(game.moves()),
        times,
        result: end.result,
        reason: end.reason,
        detail: end.detail,
        notes,
        messages,
    })
}

fn end_of(outcome: Outcome, game: &Game, terms: &Terms) -> End {
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
            let detail = format!("{last:?} is forbidden under {}", terms.rule.name);
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
