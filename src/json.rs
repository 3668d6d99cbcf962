//! L9: analysis as JSON, one object a line, for programs that read it.
//!
//! ```json
//! {"event":"iteration","rule":"renju","size":"15x15","position":"h8h9","side":"black",
//!  "forbidden":[],"depth":9,"nodes":51234,"time_ms":40,
//!  "lines":[{"moves":["i9","g7"],"depth":9,"seldepth":14,"score":35,"win_rate":0.5436,
//!            "proven":null,"plies":null,"nodes":48211}]}
//! ```
//! (one line in truth). `event` is `iteration` or, once and last, `end`, which also has `answer`:
//! the moves chosen, or `swap`. Points are written as in all our records, the letter for the
//! column and the number for the row from the bottom. A line that is proven says `win` or `loss`
//! for the side to move, and in how many plies; its score is then that distance below 32000.
//! Where the stones are no game of alternating moves, `position` is null and `black` and `white`
//! list them.

use serde::Serialize;

use crate::engine::{Answer, Line, Reply};
use crate::record::notation::{Rows, format_moves, format_point};
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Color, Point, Position, score};

/// What is the same for all objects of a search.
#[derive(Clone, Debug)]
pub struct Frame {
    grid: Grid,
    header: Header,
}

/// How points are named.
#[derive(Clone, Copy, Debug)]
struct Grid {
    size: BoardSize,
    transposed: bool,
}

#[derive(Clone, Debug, Serialize)]
struct Header {
    rule: &'static str,
    size: String,
    position: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<Vec<String>>,
    side: String,
    forbidden: Vec<String>,
}

#[derive(Serialize)]
struct Object<'a> {
    event: &'static str,
    #[serde(flatten)]
    header: &'a Header,
    depth: u32,
    nodes: u64,
    time_ms: u64,
    lines: Vec<LineObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Vec<String>>,
}

#[derive(Serialize)]
struct LineObject {
    moves: Vec<String>,
    depth: u32,
    seldepth: u32,
    score: i32,
    win_rate: f64,
    proven: Option<&'static str>,
    plies: Option<i32>,
    nodes: u64,
}

impl Frame {
    /// For a search of `position`, where the `forbidden` points are those of the side to move.
    /// `transposed`: the engine's x means the row, as some boards send it.
    pub fn new(
        rule: &'static RuleSpec,
        position: &Position,
        forbidden: &[Point],
        transposed: bool,
    ) -> Frame {
        let size = position.size();
        let grid = Grid { size, transposed };
        let points: Vec<Point> = position.stones().iter().map(|(point, _)| *point).collect();
        let in_turn = position.stones().iter().enumerate();
        let alternates = in_turn
            .clone()
            .all(|(ply, (_, color))| *color == Color::of_ply(ply))
            && position.to_move == Color::of_ply(points.len());
        let of = |side: Color| -> Option<Vec<String>> {
            let stones = position.stones().iter().filter(|(_, color)| *color == side);
            (!alternates).then(|| stones.map(|(point, _)| grid.name(*point)).collect())
        };
        let header = Header {
            rule: rule.name,
            size: grid.shown_size().to_string(),
            position: alternates.then(|| grid.moves(&points)),
            black: of(Color::Black),
            white: of(Color::White),
            side: position.to_move.to_string(),
            forbidden: grid.list(forbidden),
        };
        Frame { grid, header }
    }

    /// The lines of an iteration, best first.
    pub fn iteration(&self, lines: &[Line]) -> String {
        let first = lines.first();
        let object = Object {
            event: "iteration",
            header: &self.header,
            depth: first.map_or(0, |line| line.depth),
            nodes: lines.iter().map(|line| line.total_nodes).max().unwrap_or(0),
            time_ms: first.map_or(0, |line| milliseconds(line.elapsed)),
            lines: self.lines(lines),
            answer: None,
        };
        object.text()
    }

    /// The end of the search.
    pub fn end(&self, answer: &Answer) -> String {
        let moves = match &answer.reply {
            Reply::Move(point) => vec![self.grid.name(*point)],
            Reply::Moves(points) => self.grid.list(points),
            Reply::Step(step) => {
                let actions = step.actions.iter();
                let actions = actions.map(|action| action.format(self.grid.size));
                let reply = step.reply.map(|point| self.grid.name(point));
                actions.chain(reply).collect()
            }
        };
        let object = Object {
            event: "end",
            header: &self.header,
            depth: answer.lines.first().map_or(0, |line| line.depth),
            nodes: answer.nodes,
            time_ms: milliseconds(answer.elapsed),
            lines: self.lines(&answer.lines),
            answer: Some(moves),
        };
        object.text()
    }

    fn lines(&self, lines: &[Line]) -> Vec<LineObject> {
        let one = |line: &Line| LineObject {
            moves: self.grid.list(&line.pv),
            depth: line.depth,
            seldepth: line.seldepth,
            score: line.score,
            win_rate: (line.win_rate.clamp(0.0, 1.0) * 10_000.0).round() / 10_000.0,
            proven: match line.score {
                score if score::is_win(score) => Some("win"),
                score if score::is_loss(score) => Some("loss"),
                _ => None,
            },
            plies: score::is_decided(line.score).then(|| score::plies_to_end(line.score)),
            nodes: line.nodes,
        };
        lines.iter().map(one).collect()
    }
}

impl Object<'_> {
    fn text(&self) -> String {
        // Strings, numbers and lists of them always have a form in JSON.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Grid {
    /// The point as the reader's board has it.
    fn shown(self, point: Point) -> Point {
        match self.transposed {
            true => Point::new(point.y(), point.x()),
            false => point,
        }
    }

    fn shown_size(self) -> BoardSize {
        let (width, height) = (self.size.width(), self.size.height());
        let turned = || BoardSize::new(height.into(), width.into());
        match self.transposed {
            true => turned().unwrap_or(self.size),
            false => self.size,
        }
    }

    fn name(self, point: Point) -> String {
        format_point(self.shown(point), self.shown_size(), Rows::FromBottom)
    }

    fn list(self, points: &[Point]) -> Vec<String> {
        points.iter().map(|point| self.name(*point)).collect()
    }

    fn moves(self, points: &[Point]) -> String {
        let shown: Vec<Point> = points.iter().map(|point| self.shown(*point)).collect();
        format_moves(&shown, self.shown_size(), Rows::FromBottom)
    }
}

fn milliseconds(time: std::time::Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use std::time::Duration;

    fn position(points: &[(u8, u8)]) -> Position {
        let mut position = Position::new(BoardSize::STANDARD);
        for (x, y) in points {
            position.play(Point::new(*x, *y));
        }
        position
    }

    fn line(score: i32) -> Line {
        Line {
            index: 0,
            count: 1,
            depth: 9,
            seldepth: 14,
            score,
            win_rate: 0.543_62,
            nodes: 40,
            total_nodes: 50,
            elapsed: Duration::from_millis(7),
            pv: vec![Point::new(8, 6), Point::new(0, 14)],
        }
    }

    fn read(text: &str) -> Value {
        assert!(!text.contains('\n'));
        serde_json::from_str(text).expect("JSON")
    }

    #[test]
    fn an_iteration_in_full() {
        let forbidden = [Point::new(3, 3)];
        let position = position(&[(7, 7), (7, 6)]);
        let frame = Frame::new(
            RuleSpec::parse("renju").unwrap(),
            &position,
            &forbidden,
            false,
        );
        let expected = json!({
            "event": "iteration", "rule": "renju", "size": "15x15", "position": "h8h9",
            "side": "black", "forbidden": ["d12"], "depth": 9, "nodes": 50, "time_ms": 7,
            "lines": [{
                "moves": ["i9", "a1"], "depth": 9, "seldepth": 14, "score": 35,
                "win_rate": 0.5436, "proven": null, "plies": null, "nodes": 40,
            }],
        });
        assert_eq!(read(&frame.iteration(&[line(35)])), expected);
    }

    #[test]
    fn the_end_tells_the_answer_and_proofs_their_length() {
        let frame = Frame::new(RuleSpec::FREESTYLE, &position(&[]), &[], false);
        let answer = Answer {
            reply: Reply::Move(Point::new(8, 6)),
            lines: vec![line(score::win_in(7)), line(score::loss_in(8))],
            nodes: 60,
            elapsed: Duration::from_millis(8),
        };
        let end = read(&frame.end(&answer));
        assert_eq!(
            (&end["event"], &end["answer"]),
            (&json!("end"), &json!(["i9"]))
        );
        assert_eq!((&end["nodes"], &end["position"]), (&json!(60), &json!("")));
        let proofs = [0, 1].map(|i| (&end["lines"][i]["proven"], &end["lines"][i]["plies"]));
        let expected = [(&json!("win"), &json!(7)), (&json!("loss"), &json!(8))];
        assert_eq!(proofs, expected);
    }

    #[test]
    fn stones_that_are_no_game_are_listed_by_colour() {
        let mut position = Position::new(BoardSize::STANDARD);
        position.add(Point::new(7, 7), Color::White);
        position.add(Point::new(0, 0), Color::White);
        let object = read(&Frame::new(RuleSpec::FREESTYLE, &position, &[], false).iteration(&[]));
        assert_eq!(object["position"], Value::Null);
        assert_eq!(
            (&object["black"], &object["white"]),
            (&json!([]), &json!(["h8", "a15"]))
        );
    }

    #[test]
    fn rows_and_columns_change_places_for_boards_that_send_them_so() {
        let mut position = Position::new(BoardSize::new(12, 20).unwrap());
        // Row 2 from the top, column 19.
        position.play(Point::new(2, 19));
        let object = read(&Frame::new(RuleSpec::FREESTYLE, &position, &[], true).iteration(&[]));
        assert_eq!(
            (&object["size"], &object["position"]),
            (&json!("20x12"), &json!("t10"))
        );
    }
}
