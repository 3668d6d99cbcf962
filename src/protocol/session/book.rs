//! Moves out of a book: looked up before a turn of ours is thought about, and only then. What
//! boards ask to be analysed is always searched.

use std::time::Instant;

use super::{Purpose, Session, Thinker};
use crate::engine::{Answer, BookMove, Reply, Task};
use crate::protocol::reply;
use crate::rules::RuleSpec;
use crate::types::Position;

impl<T: Thinker> Session<T> {
    /// It is our turn in `position`: a move out of the book, or else a search.
    pub(super) fn our_turn(&mut self, position: Position, arrival: Instant) -> Result<(), String> {
        let task = Task::Move { lines: 1 };
        let rule = self.options.rule()?;
        let is_open = !position.is_full() && self.engine.winner(rule, &position).is_none();
        // A search that has gone ahead of the turn knows more.
        let found = match is_open && self.pondering.is_none() {
            true => self.book_move(&position, rule, arrival),
            false => None,
        };
        let Some(found) = found else {
            return self.think(position, task, arrival);
        };
        let label = self.labels(&position).label(found.point);
        let (book, percent) = (reply::quote(&found.book), 100.0 * found.win_rate);
        let text = format!(
            "book {book}: {label}, {percent:.1} %, depth {}",
            found.depth
        );
        self.out.push(reply::message(&text));
        let limits = self.options.limits(arrival);
        self.search = Some(self.search_of(&position, rule, limits, Purpose::Answer(task)));
        self.position = Some(position);
        self.options.begin_move();
        let now = Instant::now();
        let answer = Answer {
            reply: Reply::Move(found.point),
            lines: Vec::new(),
            nodes: 0,
            elapsed: now.saturating_duration_since(arrival),
        };
        self.conclude(&answer, now);
        Ok(())
    }

    /// The move of a book for a turn that begins at `start`, if one is wanted and knows it. What
    /// was wrong with a book's file is told, once.
    pub(super) fn book_move(
        &mut self,
        position: &Position,
        rule: &'static RuleSpec,
        start: Instant,
    ) -> Option<BookMove> {
        let limits = self.options.limits(start);
        let wish = self.options.book()?;
        let found = self.engine.book_move(rule, position, &limits, wish);
        let faults = self.engine.take_book_faults();
        let lines = faults.iter().map(|(path, reason)| {
            let (path, reason) = (reply::quote(&path.to_string_lossy()), reply::quote(reason));
            reply::message(&format!("book {path} is not used: {reason}"))
        });
        self.out.extend(lines);
        let blocked = self.blocked_points(position, Task::Move { lines: 1 });
        found.filter(|found| !blocked.contains(&found.point))
    }
}
