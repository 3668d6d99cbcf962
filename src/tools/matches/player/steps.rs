//! The steps of an opening: our block `OPENING`, and `SWAP2BOARD`, which Gomocup engines know.

use std::fmt::Write as _;
use std::time::Duration;

use super::{Player, Read, Thought, Trouble, is_chatter, is_message, read_move, shorten};
use crate::opening_rules::{Action, State};
use crate::rules::RuleSpec;
use crate::tools::matches::record::Reason;
use crate::types::Point;

/// What an engine does in an opening.
#[derive(Debug)]
pub struct Steps {
    /// Its action, unjudged.
    pub action: Action,
    /// The first move of the game, where `SWAP2BOARD` says it together with the colour.
    pub reply: Option<Point>,
}

impl Thought {
    /// A move that was known before it was asked for.
    pub fn at_once(point: Point) -> Thought {
        Thought {
            point,
            elapsed: Duration::ZERO,
            message: None,
            win_rate: None,
        }
    }
}

impl Player<'_> {
    /// Tells the player that the game begins under this rule, from stones that it may not know.
    pub fn settle(&mut self, rule: &'static RuleSpec) {
        self.settled = Some(rule).filter(|rule| *rule != self.terms.rule);
        self.is_stale = true;
    }

    /// Asks for the next action of an opening that is not over.
    pub fn step(&mut self, state: &State) -> Result<Steps, Trouble> {
        match state.setup().rule.name.as_str() {
            "swap2" => self.swap2_step(state),
            _ => self.opening_step(state),
        }
    }

    fn opening_step(&mut self, state: &State) -> Result<Steps, Trouble> {
        let size = state.setup().size;
        let question = |player: &Player, first| {
            let mut text = player.preface(first);
            let (rule, game) = (&state.setup().rule.name, state.setup().game.name);
            let _ = writeln!(text, "OPENING {rule} {game}");
            for (_, action) in state.history() {
                let _ = writeln!(text, "{}", action.format(size));
            }
            text + "DONE\n"
        };
        let (answer, ..) = self.ask(question, read_action)?;
        let action = Action::parse(&answer, size).map_err(|error| {
            let text = format!("answered '{}': {error}", shorten(&answer));
            Trouble::Failed(Reason::Illegal, text)
        })?;
        Ok(Steps {
            action,
            reply: None,
        })
    }

    fn swap2_step(&mut self, state: &State) -> Result<Steps, Trouble> {
        let position = state.position();
        let question = |player: &Player, first| {
            let mut text = player.preface(first) + "SWAP2BOARD\n";
            for (stone, _) in position.stones() {
                let _ = writeln!(text, "{},{}", stone.x(), stone.y());
            }
            text + "DONE\n"
        };
        let (answer, ..) = self.ask(question, read_swap2)?;
        let illegal = |text: String| Trouble::Failed(Reason::Illegal, text);
        let points: Option<Vec<Point>> = answer
            .iter()
            .map(|&(x, y)| position.size().point(x, y))
            .collect();
        let points = points.ok_or_else(|| illegal("answered a point off the board".to_owned()))?;
        let (action, reply) = match (position.stones().len(), &points[..]) {
            (0, [_, _, _]) | (3, [_, _]) => (Action::Place(points), None),
            // The word is said for Black and a move for White, whoever has them.
            (3, []) => (Action::Swap, None),
            (3, [reply]) => (Action::Stay, Some(*reply)),
            (5, []) => (Action::Stay, None),
            (5, [reply]) => (Action::Swap, Some(*reply)),
            (stones, points) => {
                let text = format!("answered {} points to {stones} stones", points.len());
                return Err(illegal(text));
            }
        };
        Ok(Steps { action, reply })
    }

    /// What goes before every question.
    fn preface(&self, first: bool) -> String {
        let mut text = String::new();
        if first {
            self.write_info(&mut text);
        }
        self.write_clock(&mut text);
        text
    }
}

/// `ACTION place h8 h9 i10`; who does not know the block says so.
fn read_action(line: &str) -> Read<String> {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let is = |other: &str| word.eq_ignore_ascii_case(other);
    if is("ACTION") {
        Read::Answer(rest.trim().to_owned())
    } else if is("ERROR") || is("UNKNOWN") {
        Read::Refusal
    } else {
        read_other(line)
    }
}

/// `SWAP`, which is no point at all, or one, two or three points.
fn read_swap2(line: &str) -> Read<Vec<(i64, i64)>> {
    if line.eq_ignore_ascii_case("SWAP") {
        return Read::Answer(Vec::new());
    }
    let point = |word: &str| match read_move(word) {
        Read::Answer(pair) => Some(pair),
        _ => None,
    };
    let points: Option<Vec<(i64, i64)>> = line.split_whitespace().map(point).collect();
    match points {
        Some(points) if !points.is_empty() => Read::Answer(points),
        _ => read_other(line),
    }
}

fn read_other<T>(line: &str) -> Read<T> {
    if is_message(line) {
        Read::Message
    } else if is_chatter(line) {
        Read::Chatter
    } else {
        Read::Stray
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_from_talk() {
        let action = |line: &str| match read_action(line) {
            Read::Answer(text) => text,
            Read::Refusal => "refused".to_owned(),
            Read::Message | Read::Chatter => "talk".to_owned(),
            Read::Stray => "stray".to_owned(),
        };
        assert_eq!(action("ACTION place h8 h9"), "place h8 h9");
        assert_eq!(action("UNKNOWN command"), "refused");
        assert_eq!(action("MESSAGE ACTION swap"), "talk");
        assert_eq!(action("7,7"), "stray");
        let swap2 = |line: &str| match read_swap2(line) {
            Read::Answer(points) => Some(points),
            _ => None,
        };
        assert_eq!(swap2("swap"), Some(Vec::new()));
        assert_eq!(swap2("7,7 8,8  9,9"), Some(vec![(7, 7), (8, 8), (9, 9)]));
        assert_eq!(swap2("3,4"), Some(vec![(3, 4)]));
        for line in ["", "SWAPPED", "MESSAGE 3,4", "7,7 x", "ERROR 7,7"] {
            assert_eq!(swap2(line), None, "{line}");
        }
    }
}
