//! One position: the verdict for people, and the proof tree as a file.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{SolveArgs, read_position, solve, tables};
use crate::record::notation::{Rows, format_point};
use crate::rules::winner;
use crate::solver::{Kind, Step, Verdict};
use crate::types::{BoardSize, Point};

/// Solves the position of the arguments.
///
/// # Errors
/// One line: what is wrong with the arguments, or that nothing was proven.
pub fn run(args: &SolveArgs, stop: &Arc<AtomicBool>, out: &mut dyn Write) -> Result<(), String> {
    let position = read_position(args)?;
    if winner(args.rule, &position).is_some() {
        return Err("the game is over: a winning row is on the board".to_string());
    }
    let solved = solve(args, &tables(args.rule), &position, stop);
    let (side, size) = (position.to_move, args.size);
    let mut text = match &solved.verdict {
        Verdict::Win(step) => win_text(step, args.kind, size, &format!("{side} wins")),
        Verdict::NoWin => format!("{side} has no win by {}\n", args.kind.means()),
        Verdict::Unknown => format!("unknown: no answer within the limits for {side}\n"),
    };
    let millis = solved.time.as_millis();
    writeln!(text, "{} nodes, {millis} ms", solved.nodes).expect("a string takes text");
    let written = out.write_all(text.as_bytes());
    written.map_err(|error| format!("standard output: {error}"))?;
    if !solved.is_sound {
        return Err("the referee refutes this win: please report it".to_string());
    }
    match (&solved.verdict, &args.tree) {
        (Verdict::Unknown, _) => Err("nothing was proven".to_string()),
        (Verdict::Win(step), Some(path)) => std::fs::write(path, tree_text(step, size))
            .map_err(|error| format!("{}: {error}", path.display())),
        _ => Ok(()),
    }
}

fn name(point: Point, size: BoardSize) -> String {
    format_point(point, size, Rows::FromBottom)
}

/// A line of moves, blanks between.
pub fn line_text(step: &Step, size: BoardSize) -> String {
    let names: Vec<String> = step.line().iter().map(|point| name(*point, size)).collect();
    names.join(" ")
}

fn win_text(step: &Step, kind: Kind, size: BoardSize, begin: &str) -> String {
    let length = match (kind, step.fours()) {
        (Kind::Fours, 1) => "1 four, ".to_string(),
        (Kind::Fours, fours) => format!("{fours} fours, "),
        _ => String::new(),
    };
    let (plies, line) = (step.plies(), line_text(step, size));
    format!(
        "{begin} by {}: {length}{plies} plies\nline {line}\n",
        kind.means()
    )
}

/// The proof tree, a line to each move of the attacker: the reply and the answer to it, `*` for
/// every other reply; what follows a move is indented below it.
fn tree_text(step: &Step, size: BoardSize) -> String {
    let mut text = format!("{}\n", name(step.point, size));
    append_below(&mut text, step, 1, size);
    text
}

fn append_below(text: &mut String, step: &Step, depth: usize, size: BoardSize) {
    let replies = step
        .replies
        .iter()
        .map(|(reply, next)| (name(*reply, size), next));
    let otherwise = step.otherwise.iter().map(|next| ("*".to_string(), &**next));
    for (reply, next) in replies.chain(otherwise) {
        let indent = " ".repeat(depth);
        writeln!(text, "{indent}{reply} {}", name(next.point, size)).expect("a string takes text");
        append_below(text, next, depth + 1, size);
    }
}
