//! The database and RenLib libraries (see [`crate::record::renlib`]).
//!
//! A library has texts only. On the board we write a record's label or, when it has none, what a
//! board would show (`w7`, `56%`); read back, `w7`, `L12` or `w*` become a result again and
//! anything else a label. A marked move is one to be played ([`Tag::Best`]).

use std::collections::HashSet;

use super::tree::{after, children, path_to};
use super::{Fault, Key, Lookup, Reader, Record, Result, Tag, Writer};
use crate::record::renlib::{Library, Node};
use crate::rules::RuleSpec;
use crate::types::{Bound, Color, Point, Position, score};

impl Reader<'_> {
    /// The moves to `position` and all records behind it as a tree. Each position of the
    /// database is written once, wherever other moves lead to it or to an image of it.
    ///
    /// # Errors
    /// When the board is not 15x15, the stones are no game of Black and White in turn, or the
    /// file cannot be read.
    pub fn to_library(&self, rule: &RuleSpec, position: &Position) -> Result<Library> {
        if position.size() != Library::SIZE {
            let text = format!(
                "a RenLib library has a 15x15 board, not {}",
                position.size()
            );
            return Err(Fault::Input(text));
        }
        let moves = || position.stones().iter().enumerate();
        let is_game = moves().all(|(ply, (_, color))| *color == Color::of_ply(ply))
            && position.to_move == Color::of_ply(position.stones().len());
        if !is_game {
            let text = "a RenLib library needs moves of Black and White in turn";
            return Err(Fault::Input(text.to_owned()));
        }
        let mut library = Library::default();
        let mut place = Library::ROOT;
        let mut seen = HashSet::new();
        for before in path_to(position) {
            let key = Key::of(rule, &before);
            let record = self.get(&key)?.unwrap_or_default();
            match before.last() {
                Some((point, _)) => place = library.add(place, node(Some(point), &record)),
                None => {
                    if let Some(root) = library.node_mut(Library::ROOT) {
                        *root = node(None, &record);
                    }
                }
            }
            seen.insert(key);
        }
        let mut waiting = vec![(place, position.clone())];
        while let Some((place, position)) = waiting.pop() {
            for (point, key, record) in children(self, rule, &position)? {
                if seen.insert(key) {
                    let child = library.add(place, node(Some(point), &record));
                    waiting.push((child, after(&position, point)));
                }
            }
        }
        Ok(library)
    }
}

impl Writer<'_> {
    /// Adds a record for every position of a library. How many positions were there?
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn add_library(&mut self, rule: &RuleSpec, library: &Library) -> Result<u64> {
        let mut count = 0;
        let mut waiting = vec![(Library::ROOT, Position::new(Library::SIZE))];
        while let Some((index, position)) = waiting.pop() {
            let node = &library.nodes()[index];
            let record = record(node);
            let is_root = index == Library::ROOT;
            if !(is_root && record.is_empty()) {
                self.improve(&Key::of(rule, &position), &record)?;
                count += 1;
            }
            for child in &node.children {
                if let Some(next) = played(&position, library.nodes()[*child].point) {
                    waiting.push((*child, next));
                }
            }
        }
        Ok(count)
    }
}

/// The position after a move or a pass; none after a move to a taken point.
fn played(position: &Position, point: Option<Point>) -> Option<Position> {
    let mut next = position.clone();
    let is_legal = match point {
        Some(point) => next.play(point),
        None => {
            next.to_move = next.to_move.opponent();
            true
        }
    };
    is_legal.then_some(next)
}

fn node(point: Option<Point>, record: &Record) -> Node {
    let text = match record.label() {
        "" if record.tag == Tag::Best => String::new(),
        "" => record.display(),
        label => label.to_owned(),
    };
    Node {
        point,
        comment: record.comment().to_owned(),
        text,
        marked: record.tag == Tag::Best,
        ..Node::default()
    }
}

fn record(node: &Node) -> Record {
    let mut record = Record::default();
    match result(&node.text) {
        Some((tag, distance)) => {
            record.tag = tag;
            if let Some(plies) = distance {
                // The side to move at the end of a winning move loses.
                let value = match tag {
                    Tag::Win => score::loss_in(plies - 1),
                    _ => score::win_in(plies - 1),
                };
                record.bound = Bound::Exact;
                record.set_value(value.into());
            }
        }
        None if is_chance(&node.text) => {}
        None => record.set_label(&node.text),
    }
    if node.marked && record.tag == Tag::None {
        record.tag = Tag::Best;
    }
    record.set_comment(&node.comment);
    record
}

/// Reads `w7`, `L12` or `w*`: the result and its distance in plies from before the move.
fn result(text: &str) -> Option<(Tag, Option<i32>)> {
    let tag = match text.chars().next()? {
        'w' | 'W' => Tag::Win,
        'l' | 'L' => Tag::Loss,
        _ => return None,
    };
    let rest = text.get(1..)?;
    if rest == "*" {
        return Some((tag, None));
    }
    let longest = score::WIN - score::WIN_BOUND;
    let plies = rest.parse().ok().filter(|n| (1..longest).contains(n))?;
    Some((tag, Some(plies)))
}

/// Is it a percentage, as we write it where there is no result?
fn is_chance(text: &str) -> bool {
    let number = text.strip_suffix('%').and_then(|n| n.parse::<u8>().ok());
    number.is_some_and(|percent| percent < 100)
}
