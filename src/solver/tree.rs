//! Proof trees: what the attacker plays, and how it answers every reply.

use crate::types::Point;

/// A move of the attacker and what follows it.
///
/// It wins with its own stone when there is no more to it. Otherwise every move of the defender
/// has an answer: its own one if it is among `replies`, `otherwise` if not. After a four
/// `otherwise` is the row of five, after a quiet move the threat it makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Where the attacker plays.
    pub point: Point,
    /// The replies that need an answer of their own, with it.
    pub replies: Vec<(Point, Step)>,
    /// The answer to every other move of the defender, a pass included.
    pub otherwise: Option<Box<Step>>,
}

impl Step {
    /// The stone that completes a winning row.
    pub(super) fn five(point: Point) -> Step {
        Step {
            point,
            replies: Vec::new(),
            otherwise: None,
        }
    }

    /// Plies to the last stone, the attacker's, against the replies that hold out longest.
    pub fn plies(&self) -> usize {
        let longest = self.continuations().map(Step::plies).max();
        longest.map_or(1, |plies| plies + 2)
    }

    /// Fours before the winning row against the replies that hold out longest; every move of a
    /// win by fours but its last is one.
    pub fn fours(&self) -> usize {
        self.plies() / 2
    }

    fn continuations(&self) -> impl Iterator<Item = &Step> {
        let replies = self.replies.iter().map(|(_, step)| step);
        replies.chain(self.otherwise.as_deref())
    }

    /// The moves of both sides when the defender holds out longest, from this move to the one
    /// after which no reply helps.
    pub fn line(&self) -> Vec<Point> {
        let mut line = vec![self.point];
        let mut step = self;
        // The first of the longest, so that the line is always the same.
        while let Some((reply, next)) = step.replies.iter().rev().max_by_key(|(_, s)| s.plies())
            && next.plies() > 1
        {
            line.extend([*reply, next.point]);
            step = next;
        }
        line
    }

    /// Number of moves of the attacker in the tree.
    pub fn size(&self) -> usize {
        1 + self.continuations().map(Step::size).sum::<usize>()
    }
}
