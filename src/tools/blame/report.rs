//! What is kept and shown of a game: one JSON object a line, one line of text, a table at the
//! end.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::cause::{Cause, is_decisive};
use super::lost::LostGame;
use super::trace::{Levels, Searched, Trace, Turn};
use crate::record::notation::{self, Rows};
use crate::tools::line_file;
use crate::tools::matches::record::Reason;
use crate::types::{Point, Score};

/// What decides the outcome beside the games; results under other terms are not mixed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Terms {
    /// The engine under blame.
    pub engine: String,
    /// Nodes of each search.
    pub nodes: u64,
    /// Win rate below which a position is lost.
    pub lost: f64,
    /// Least cost of a move that turns a game.
    pub drop: f64,
}

impl Terms {
    /// The win rates among them.
    pub fn levels(&self) -> Levels {
        Levels {
            lost: self.lost,
            drop: self.drop,
        }
    }
}

/// A searched move. Points are `x,y` from the top left corner, scores and win rates those of the
/// side under blame.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Move {
    /// Number of the stone in the game, from 1.
    pub ply: usize,
    /// What was played.
    pub played: String,
    /// What the deeper search plays.
    pub preferred: Option<String>,
    /// Win rate before it, 0 to 1.
    pub before: f64,
    /// Win rate after it, when it was looked at.
    pub after: Option<f64>,
    /// Score before it.
    pub score_before: Score,
    /// Score after it.
    pub score_after: Option<Score>,
    /// What the engine itself said with the move.
    pub announced: Option<String>,
}

/// The outcome for one lost game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Blame {
    /// Under what terms it was found.
    pub terms: Terms,
    /// Number of the game in its match.
    pub game: usize,
    /// The rule's name.
    pub rule: String,
    /// `15x15`.
    pub size: String,
    /// Who won.
    pub opponent: String,
    /// The side of the engine under blame: `black` or `white`.
    pub color: String,
    /// How the game ended.
    pub reason: Reason,
    /// All stones of the game.
    pub moves: String,
    /// Why it was lost.
    pub cause: Cause,
    /// The move to blame.
    pub turn: Option<Move>,
    /// The board before that move, as `show` reads it.
    pub position: Option<String>,
    /// The overlooked line: before the move for an own win, else after it.
    pub line: Option<String>,
    /// All moves searched, from the end of the game backwards.
    pub searched: Vec<Move>,
}

impl Blame {
    /// The outcome of a game that needed no search or, with a trace, of a searched one.
    pub fn new(terms: &Terms, game: &LostGame, cause: Cause, trace: Option<&Trace>) -> Blame {
        let blamed = trace.and_then(|trace| {
            let (Turn::Sudden(index) | Turn::Slow(index) | Turn::BeforePlay(index)) = trace.turn
            else {
                return None;
            };
            trace.searched.get(index)
        });
        let position = |mv: &Searched| {
            notation::format_moves(&game.stones[..mv.stones], game.size, Rows::FromBottom)
        };
        let searched = trace.map_or(&[][..], |trace| &trace.searched);
        Blame {
            terms: terms.clone(),
            game: game.record.game,
            rule: game.record.rule.clone(),
            size: game.record.size.clone(),
            opponent: game.opponent().to_owned(),
            color: game.color.to_string(),
            reason: game.record.reason,
            moves: game.record.moves.clone(),
            cause,
            turn: blamed.map(|mv| Move::new(game, mv)),
            position: blamed.map(position),
            line: blamed.map(|mv| points(overlooked(mv))),
            searched: searched.iter().map(|mv| Move::new(game, mv)).collect(),
        }
    }

    /// Is this what the same terms would find for this game?
    pub fn is_of(&self, terms: &Terms, game: &LostGame) -> bool {
        self.terms == *terms && self.game == game.record.game && self.moves == game.record.moves
    }

    /// Would the deeper search have played the same?
    pub fn is_shared(&self) -> bool {
        self.turn
            .as_ref()
            .is_some_and(|mv| mv.preferred.as_ref() == Some(&mv.played))
    }

    /// The outcome in one line.
    pub fn line(&self) -> String {
        let (game, rule, opponent, color) = (self.game, &self.rule, &self.opponent, &self.color);
        let mut text = format!("game {game}: {rule}, {color} against {opponent}: ");
        let Some(mv) = &self.turn else {
            text.push_str(&format!("{} ({})", self.cause, self.reason));
            return text;
        };
        let (ply, played, before) = (mv.ply, &mv.played, percent(mv.before));
        let Some(after) = mv.after else {
            text.push_str(&format!("{before} before move {ply}  {}", self.cause));
            return text;
        };
        text.push_str(&format!("move {ply} at {played}"));
        match &mv.preferred {
            Some(better) if better != played => text.push_str(&format!(", better {better}")),
            Some(_) => text.push_str(", which the deeper search plays too"),
            None => {}
        }
        text.push_str(&format!(": {before} -> {}  {}", percent(after), self.cause));
        if let Some(announced) = &mv.announced {
            text.push_str(&format!("  [{announced}]"));
        }
        text
    }
}

impl Move {
    fn new(game: &LostGame, mv: &Searched) -> Move {
        let after = mv.after.as_ref();
        Move {
            ply: mv.stones + 1,
            played: notation::format_xy(mv.played),
            preferred: mv.before.line.first().map(|p| notation::format_xy(*p)),
            before: rounded(mv.before.win_rate()),
            after: after.map(|after| rounded(after.win_rate())),
            score_before: mv.before.score,
            score_after: after.map(|after| after.score),
            announced: game.announced(mv.stones).map(str::to_owned),
        }
    }
}

/// The line that the played move misses.
fn overlooked(mv: &Searched) -> &[Point] {
    match &mv.after {
        Some(after) if !is_decisive(mv.before.score) => &after.line,
        _ => &mv.before.line,
    }
}

fn points(line: &[Point]) -> String {
    let texts: Vec<String> = line.iter().map(|p| notation::format_xy(*p)).collect();
    texts.join(" ")
}

/// Four digits are more than a win rate is worth.
fn rounded(rate: f64) -> f64 {
    (rate * 1e4).round() / 1e4
}

fn percent(rate: f64) -> String {
    format!("{:.0} %", 100.0 * rate)
}

/// How often each cause was found, the commonest first; with it the games in which the deeper
/// search would have played the same.
pub fn table<'a>(found: impl IntoIterator<Item = &'a Blame>) -> String {
    let mut counts: BTreeMap<Cause, (usize, usize)> = BTreeMap::new();
    for blame in found {
        let (games, shared) = counts.entry(blame.cause).or_default();
        *games += 1;
        *shared += usize::from(blame.is_shared());
    }
    let total: usize = counts.values().map(|(games, _)| games).sum();
    let mut rows: Vec<_> = counts.into_iter().collect();
    rows.sort_by_key(|(cause, (games, _))| (std::cmp::Reverse(*games), *cause));
    let mut text = format!("{:<45} games  share  same move deeper\n", "cause");
    for (cause, (games, shared)) in rows {
        let (name, share) = (cause.to_string(), percent(games as f64 / total as f64));
        text.push_str(&format!(
            "{name:<45} {games:>5}  {share:>5}  {shared:>16}\n"
        ));
    }
    text
}

/// The file of outcomes, taken up where an earlier run left it.
pub struct Results(File);

impl Results {
    /// Opens or makes the file; returns it with what it holds already.
    ///
    /// # Errors
    /// One line: a damaged file, or what the system says.
    pub fn open(path: &Path) -> Result<(Results, Vec<Blame>), String> {
        let fault = |e: std::io::Error| format!("{}: {e}", path.display());
        let mut file = line_file::open(path).map_err(fault)?;
        let text = line_file::read_whole_lines(&mut file).map_err(fault)?;
        let mut found = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let damaged = |e| format!("{}, line {}: damaged: {e}", path.display(), index + 1);
            found.push(serde_json::from_str(line).map_err(damaged)?);
        }
        Ok((Results(file), found))
    }

    /// Adds an outcome with one write.
    ///
    /// # Errors
    /// What the system says.
    pub fn add(&mut self, blame: &Blame) -> Result<(), String> {
        let mut line = serde_json::to_string(blame).map_err(|e| e.to_string())?;
        line.push('\n');
        let written = self.0.write_all(line.as_bytes());
        written.map_err(|e| format!("the results cannot be kept: {e}"))
    }
}
