//! Positions and what follows from them: the records one move away, and whole branches.

use std::collections::HashSet;

use super::{Fault, Key, Lookup, Reader, Record, Result, Tag, Writer};
use crate::rules::RuleSpec;
use crate::types::{Bound, Point, Position, score};

/// Which records of a branch are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// All.
    All,
    /// Wins.
    Wins,
    /// Losses.
    Losses,
    /// Wins and losses.
    WinsAndLosses,
    /// Wins, losses and draws.
    Results,
    /// All but wins and losses.
    NoWinsAndLosses,
    /// All but wins, losses and draws.
    NoResults,
    /// Wins and losses whose distance is not known.
    WithoutDistance,
    /// Wins and losses at most that many plies away, counted from before the move.
    Within(i64),
}

/// A choice of records, and whether to look behind those that are not chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Filter {
    /// Which.
    pub choice: Choice,
    /// Look behind others?
    pub recursive: bool,
}

impl Choice {
    /// Is this record meant?
    pub fn takes(self, record: &Record) -> bool {
        let tag = record.tag;
        let is_won_or_lost = matches!(tag, Tag::Win | Tag::Loss);
        let is_known = record.bound != Bound::None && score::is_decided(record.value);
        let distance = i64::from(score::plies_to_end(record.value)) + 1;
        match self {
            Choice::All => true,
            Choice::Wins => tag == Tag::Win,
            Choice::Losses => tag == Tag::Loss,
            Choice::WinsAndLosses => is_won_or_lost,
            Choice::Results => tag.is_result(),
            Choice::NoWinsAndLosses => !is_won_or_lost,
            Choice::NoResults => !tag.is_result(),
            Choice::WithoutDistance => is_won_or_lost && !is_known,
            Choice::Within(most) => is_won_or_lost && is_known && distance <= most,
        }
    }
}

/// The moves from `position` that lead to a position with a record, row by row, and the records.
///
/// # Errors
/// When the file cannot be read.
pub fn children(
    records: &impl Lookup,
    rule: &RuleSpec,
    position: &Position,
) -> Result<Vec<(Point, Key, Record)>> {
    let mut found = Vec::new();
    let mut next = position.clone();
    for point in position.size().points() {
        if !next.play(point) {
            continue;
        }
        let key = Key::of(rule, &next);
        if let Some(record) = records.get(&key)? {
            found.push((point, key, record));
        }
        next.remove(point);
    }
    Ok(found)
}

impl Reader<'_> {
    /// The moves from `position` that lead to a position with a record, and the records.
    ///
    /// # Errors
    /// When the file cannot be read.
    pub fn children(&self, rule: &RuleSpec, position: &Position) -> Result<Vec<(Point, Record)>> {
        let found = children(self, rule, position)?;
        Ok(found
            .into_iter()
            .map(|(p, _, record)| (p, record))
            .collect())
    }
}

impl Writer<'_> {
    /// Forgets the records behind `position` that are chosen. The way goes on behind those that
    /// are forgotten, and behind others only when the filter says so. How many are gone?
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn remove_branches(
        &mut self,
        rule: &RuleSpec,
        position: &Position,
        filter: Filter,
    ) -> Result<u64> {
        let mut removed = 0;
        let mut waiting = vec![position.clone()];
        let mut seen = HashSet::new();
        while let Some(position) = waiting.pop() {
            for (point, key, record) in children(self, rule, &position)? {
                let goes = filter.choice.takes(&record);
                if goes {
                    removed += u64::from(self.remove(&key)?);
                }
                if goes || filter.recursive && seen.insert(key) {
                    waiting.push(after(&position, point));
                }
            }
        }
        Ok(removed)
    }

    /// Copies the records of `position`, of all behind it and of those that led to it. How many
    /// were they?
    ///
    /// # Errors
    /// When a file cannot be read or written.
    pub fn copy_branch(
        &mut self,
        source: &Reader,
        rule: &RuleSpec,
        position: &Position,
    ) -> Result<u64> {
        let mut seen = HashSet::new();
        let mut copied = 0;
        for before in path_to(position) {
            let key = Key::of(rule, &before);
            if let Some(record) = source.get(&key)?
                && seen.insert(key.clone())
            {
                copied += 1;
                self.keep(&key, &record)?;
            }
        }
        let mut waiting = vec![position.clone()];
        while let Some(position) = waiting.pop() {
            for (point, key, record) in children(source, rule, &position)? {
                if seen.insert(key.clone()) {
                    copied += 1;
                    self.keep(&key, &record)?;
                    waiting.push(after(&position, point));
                }
            }
        }
        Ok(copied)
    }

    /// Makes the last move of `position` the best one before it, and no other.
    ///
    /// # Errors
    /// When there is no last move, or the file cannot be read or written.
    pub fn set_best(&mut self, rule: &RuleSpec, position: &Position) -> Result<Record> {
        let mut before = position.clone();
        let Some((last, _)) = position.last() else {
            return Err(Fault::Input("no move leads to the empty board".to_owned()));
        };
        before.remove(last);
        for (_, key, _) in children(self, rule, &before)? {
            self.edit(&key, |record| {
                if record.tag == Tag::Best {
                    record.tag = Tag::None;
                }
            })?;
        }
        self.edit(&Key::of(rule, position), |record| record.tag = Tag::Best)
    }
}

/// The position after a move to an empty point.
pub fn after(position: &Position, point: Point) -> Position {
    let mut next = position.clone();
    next.play(point);
    next
}

/// The positions on the way to this one, it included, as its stones were played.
pub fn path_to(position: &Position) -> Vec<Position> {
    let mut path = vec![position.clone()];
    let mut before = position.clone();
    while let Some((last, _)) = before.last() {
        before.remove(last);
        path.push(before.clone());
    }
    path.reverse();
    path
}
