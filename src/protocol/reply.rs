//! Everything the protocol prints, as text without its line end. Pure.
//!
//! Words are upper case and no line begins with a blank: managers compare bytes. After
//! `MESSAGE`, `ERROR` and `UNKNOWN` there is always a blank and text.

use crate::engine::{Line, Step};
use crate::opening_rules::Action;
use crate::types::{BoardSize, Point, Score, score};

/// Moves shown of a line, so that no reply comes near the 2000 bytes that a board reserves.
const MAX_PV: usize = 100;
/// Characters kept of text that came from outside.
const MAX_QUOTE: usize = 60;

/// The reply to START, RESTART and TAKEBACK.
pub const OK: &str = "OK";
/// The reply of Swap2 by which Black is chosen, or kept.
pub const SWAP: &str = "SWAP";

/// The line of `ABOUT`; `name` comes first because one manager knows the line by its first
/// letter.
pub fn about() -> String {
    format!(
        "name=\"Tengen\", version=\"{}\", author=\"the Tengen authors\", country=\"World\", \
         www=\"none\", email=\"none\"",
        env!("CARGO_PKG_VERSION")
    )
}

/// `x,y`.
pub fn point(point: Point) -> String {
    format!("{},{}", point.x(), point.y())
}

/// Points parted by single blanks.
pub fn points(list: &[Point]) -> String {
    joined(list.iter().map(|p| point(*p)))
}

/// A line that only people read.
pub fn message(text: &str) -> String {
    format!("MESSAGE {text}")
}

/// The answer to OPENING.
pub fn action(action: &str) -> String {
    format!("ACTION {action}")
}

/// The answer to SWAP2BOARD: stones, or the move of White by who keeps or takes it, or the word by
/// who has Black then.
pub fn swap2_board(step: &Step) -> String {
    match (&step.actions[..], step.reply) {
        ([Action::Place(stones)], _) => points(stones),
        (_, Some(reply)) => point(reply),
        (_, None) => SWAP.to_owned(),
    }
}

/// The answer to a step of Swap2 as Yixin's board takes it; there too, yes means Black.
pub fn swap2_step(number: u8, step: &Step) -> Vec<String> {
    let first = if number == 1 { 1 } else { 4 };
    match (&step.actions[..], step.reply) {
        ([Action::Place(stones)], _) => told("SWAP2", moves(first, stones)),
        (_, reply) => {
            let word = if reply.is_none() { "YES" } else { "NO" };
            told("SWAP2", [format!("SWAP{} {word}", number.max(2) - 1)])
        }
    }
}

/// The answer to a step of Soosõrv's rule as Yixin's board takes it.
pub fn soosorv_step(number: u8, step: &Step) -> Vec<String> {
    let swap = |word: &str| told("SOOSORV", [format!("SWAP{} {word}", number / 2)]);
    match &step.actions[..] {
        [Action::Swap] => swap("YES"),
        [Action::Stay] => swap("NO"),
        [Action::Place(stones), Action::Declare(fifths)] => {
            let fourth = moves(4, stones);
            told("SOOSORV", fourth.map(|text| format!("{text} {fifths}")))
        }
        [Action::Place(stones)] => told("SOOSORV", moves(1, stones)),
        [Action::Offer(points)] => {
            let offered = points.iter().map(|at| format!("MOVE5 {}", place(*at)));
            let begin = std::iter::once("MOVE5 REFRESH".to_owned());
            let end = std::iter::once("MOVE5 DONE".to_owned());
            told("SOOSORV", begin.chain(offered).chain(end))
        }
        [Action::Pick(point)] => told("SOOSORV", [format!("MOVE5C {}", place(*point))]),
        _ => Vec::new(),
    }
}

/// Stones of an opening by their numbers.
fn moves(first: usize, stones: &[Point]) -> impl Iterator<Item = String> {
    let numbered = (first..).zip(stones);
    numbered.map(|(number, at)| format!("MOVE{number} {}", place(*at)))
}

/// Messages about an opening for Yixin's board.
fn told(rule: &str, words: impl IntoIterator<Item = String>) -> Vec<String> {
    let lines = words.into_iter();
    lines
        .map(|text| message(&format!("{rule} {text}")))
        .collect()
}

/// Coordinates parted by a blank: a comma would make a message a move.
fn place(at: Point) -> String {
    format!("{} {}", at.x(), at.y())
}

/// What was wrong with a command and what is accepted.
pub fn error(text: &str) -> String {
    format!("ERROR {text}")
}

/// A command that does not exist. A board that keeps adding verbs is told in a way that it only
/// logs.
pub fn unknown(line: &str, to_board: bool) -> String {
    let word = if to_board { "MESSAGE" } else { "UNKNOWN" };
    format!("{word} command not known: {}", quote(line))
}

/// Text of ours that holds some from outside, made fit to print: of printable ASCII only.
pub fn plain(text: &str) -> String {
    let clean = |c: char| {
        if c.is_ascii_graphic() || c == ' ' {
            c
        } else {
            '?'
        }
    };
    text.chars().map(clean).collect()
}

/// Outside text made fit to print: short, and of printable ASCII only.
pub fn quote(text: &str) -> String {
    let mut shown = plain(&text.chars().take(MAX_QUOTE).collect::<String>());
    if text.chars().nth(MAX_QUOTE).is_some() {
        shown.push_str("...");
    }
    format!("'{shown}'")
}

/// The records of a position when there are none: a board takes away the marks it shows, those
/// of the last search too, and draws itself again.
pub fn no_records() -> [String; 2] {
    ["REFRESH", "DONE"].map(|word| message(&format!("DATABASE {word}")))
}

/// The forbidden points: two digits a coordinate, run together, and a dot, which a board scans
/// for without a bound.
pub fn forbid(list: &[Point]) -> String {
    let digits: String = list
        .iter()
        .map(|p| format!("{:02}{:02}", p.x(), p.y()))
        .collect();
    format!("FORBID {digits}.")
}

/// How points are written for people: a column letter and a row number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Labels {
    /// The board.
    pub size: BoardSize,
    /// Do the coordinates of the protocol mean row,column, rows from the top?
    pub transposed: bool,
}

impl Labels {
    /// A label such as `H8`: row 1 is the lowest, and the protocol counts rows from the top.
    pub fn label(self, point: Point) -> String {
        let (column, row) = if self.transposed {
            (point.y(), self.size.width() - point.x())
        } else {
            (point.x(), self.size.height() - point.y())
        };
        format!("{}{row}", char::from(b'A' + column))
    }

    fn list(self, pv: &[Point]) -> String {
        joined(pv.iter().take(MAX_PV).map(|p| self.label(*p)))
    }
}

/// A number, or `+M7` / `-M8` for a forced end that many plies away.
pub fn score_text(value: Score) -> String {
    let plies = score::plies_to_end(value);
    if score::is_win(value) {
        format!("+M{plies}")
    } else if score::is_loss(value) {
        format!("-M{plies}")
    } else {
        value.to_string()
    }
}

/// A finished line in words.
pub fn depth_message(line: &Line, labels: Labels) -> String {
    let number = if line.count > 1 {
        format!("multipv {} ", line.index + 1)
    } else {
        String::new()
    };
    message(&format!(
        "depth {}-{} {number}score {} nodes {} time {} pv {}",
        line.depth,
        line.seldepth,
        score_text(line.score),
        line.total_nodes,
        line.elapsed.as_millis(),
        labels.list(&line.pv)
    ))
}

/// `MESSAGE REALTIME WORD x,y`.
pub fn realtime_point(word: &str, at: Point) -> String {
    format!("MESSAGE REALTIME {word} {}", point(at))
}

/// A new iteration has begun.
pub fn realtime_refresh() -> String {
    "MESSAGE REALTIME REFRESH".to_owned()
}

/// The evaluation and moves of the best line.
pub fn realtime_line(line: &Line, labels: Labels) -> [String; 2] {
    [
        format!("MESSAGE REALTIME VAL {}", line.score),
        format!("MESSAGE REALTIME PV {}", labels.list(&line.pv)),
    ]
}

/// One group of `INFO` lines.
pub fn info_group(line: &Line) -> Vec<String> {
    let micros = line.elapsed.as_micros().max(1);
    let speed = u128::from(line.total_nodes) * 1_000_000 / micros;
    let pv = line.pv.get(..MAX_PV).unwrap_or(&line.pv);
    vec![
        format!("INFO PV {}", line.index),
        format!("INFO NUMPV {}", line.count),
        format!("INFO DEPTH {}", line.depth),
        format!("INFO SELDEPTH {}", line.seldepth),
        format!("INFO NODES {}", line.nodes),
        format!("INFO TOTALNODES {}", line.total_nodes),
        format!("INFO TOTALTIME {}", line.elapsed.as_millis()),
        format!("INFO SPEED {speed}"),
        format!("INFO EVAL {}", score_text(line.score)),
        format!("INFO WINRATE {:.4}", line.win_rate.clamp(0.0, 1.0)),
        format!("INFO BESTLINE {}", points(pv)),
        "INFO PV DONE".to_owned(),
    ]
}

fn joined(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn line() -> Line {
        Line {
            index: 0,
            count: 1,
            depth: 11,
            seldepth: 17,
            score: 54,
            win_rate: 0.56314,
            nodes: 20_000,
            total_nodes: 20_114,
            elapsed: Duration::from_millis(312),
            pv: vec![Point::new(9, 6), Point::new(8, 8), Point::new(10, 5)],
        }
    }

    const LABELS: Labels = Labels {
        size: BoardSize::STANDARD,
        transposed: false,
    };

    #[test]
    fn moves_are_bare_numbers() {
        assert_eq!(point(Point::new(7, 10)), "7,10");
        assert_eq!(points(&[Point::new(0, 1), Point::new(14, 2)]), "0,1 14,2");
        assert_eq!(points(&[]), "");
    }

    #[test]
    fn a_line_in_words() {
        let expected = "MESSAGE depth 11-17 score 54 nodes 20114 time 312 pv J9 I7 K10";
        assert_eq!(depth_message(&line(), LABELS), expected);
    }

    #[test]
    fn labels_are_those_of_the_board_that_shows_them() {
        assert_eq!(LABELS.label(Point::new(7, 7)), "H8");
        assert_eq!(LABELS.label(Point::new(0, 14)), "A1");
        let transposed = Labels {
            transposed: true,
            ..LABELS
        };
        assert_eq!(transposed.label(Point::new(14, 0)), "A1");
    }

    #[test]
    fn steps_of_swap2_are_messages_without_a_comma() {
        let told = |number, action, reply: Option<Point>| {
            let actions = vec![action];
            let step = Step {
                actions,
                reply,
                nodes: 0,
            };
            swap2_step(number, &step).join("|")
        };
        let stones = |count: u8| Action::Place((0..count).map(|n| Point::new(n, 7)).collect());
        assert_eq!(
            told(1, stones(3), None),
            "MESSAGE SWAP2 MOVE1 0 7|MESSAGE SWAP2 MOVE2 1 7|MESSAGE SWAP2 MOVE3 2 7"
        );
        assert_eq!(
            told(2, stones(2), None),
            "MESSAGE SWAP2 MOVE4 0 7|MESSAGE SWAP2 MOVE5 1 7"
        );
        let reply = Some(Point::new(1, 1));
        for (number, action, reply, text) in [
            (2, Action::Swap, None, "SWAP1 YES"),
            (2, Action::Stay, reply, "SWAP1 NO"),
            (3, Action::Stay, None, "SWAP2 YES"),
            (3, Action::Swap, reply, "SWAP2 NO"),
        ] {
            assert_eq!(told(number, action, reply), format!("MESSAGE SWAP2 {text}"));
        }
    }

    #[test]
    fn decided_scores_count_plies() {
        assert_eq!(score_text(score::win_in(7)), "+M7");
        assert_eq!(score_text(score::loss_in(8)), "-M8");
        assert_eq!(score_text(-3), "-3");
    }

    #[test]
    fn an_info_group_opens_and_closes() {
        let group = info_group(&line());
        assert_eq!(group.first().unwrap(), "INFO PV 0");
        assert_eq!(group.last().unwrap(), "INFO PV DONE");
        assert!(group.contains(&"INFO EVAL 54".to_owned()));
        assert!(group.contains(&"INFO WINRATE 0.5631".to_owned()));
        assert!(group.contains(&"INFO BESTLINE 9,6 8,8 10,5".to_owned()));
        assert!(group.contains(&"INFO SPEED 64467".to_owned()));
    }

    #[test]
    fn forbidden_points_end_with_a_dot() {
        assert_eq!(forbid(&[]), "FORBID .");
        assert_eq!(
            forbid(&[Point::new(7, 10), Point::new(0, 3)]),
            "FORBID 07100003."
        );
    }

    #[test]
    fn outside_text_is_cut_and_cleaned() {
        assert_eq!(
            unknown("foo\u{7}é 1", false),
            "UNKNOWN command not known: 'foo?? 1'"
        );
        assert!(unknown(&"x".repeat(10_000), true).len() < 120);
        assert!(unknown("yxnew", true).starts_with("MESSAGE "));
    }

    #[test]
    fn the_longest_line_stays_short() {
        let mut long = line();
        long.pv = vec![Point::new(21, 21); 484];
        let labels = Labels {
            size: BoardSize::square(22).unwrap(),
            transposed: false,
        };
        let lines = info_group(&long)
            .into_iter()
            .chain(realtime_line(&long, labels));
        assert!(lines.map(|line| line.len()).max().unwrap() < 2000);
    }
}
