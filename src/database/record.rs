//! What is kept of a position.

use crate::types::{Bound, Score, score};

/// A result, or another mark, that somebody or a proof has given a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Tag {
    /// None.
    #[default]
    None,
    /// The side that has just moved wins.
    Win,
    /// The side that has just moved loses.
    Loss,
    /// The game is drawn.
    Draw,
    /// The move to this position is the one to play.
    Best,
    /// The move to this position is not to be played.
    Blocked,
    /// Any other sign: a graphic ASCII character.
    Other(u8),
}

impl Tag {
    /// The tag of that character, in either case; none for what is no graphic ASCII character.
    pub fn from_char(c: char) -> Tag {
        match c {
            'w' | 'W' => Tag::Win,
            'l' | 'L' => Tag::Loss,
            'd' | 'D' => Tag::Draw,
            '!' => Tag::Best,
            'x' | 'X' => Tag::Blocked,
            _ if c.is_ascii_graphic() => Tag::Other(c as u8),
            _ => Tag::None,
        }
    }

    /// Its character.
    pub fn to_char(self) -> Option<char> {
        match self {
            Tag::None => None,
            Tag::Win => Some('w'),
            Tag::Loss => Some('l'),
            Tag::Draw => Some('d'),
            Tag::Best => Some('!'),
            Tag::Blocked => Some('x'),
            Tag::Other(byte) => Some(char::from(byte)),
        }
    }

    /// The tag that a proven score deserves; the score is that of the side to move.
    pub fn of_score(value: Score) -> Tag {
        if score::is_win(value) {
            Tag::Loss
        } else if score::is_loss(value) {
            Tag::Win
        } else {
            Tag::None
        }
    }

    /// Does it say how the game ends?
    pub fn is_result(self) -> bool {
        matches!(self, Tag::Win | Tag::Loss | Tag::Draw)
    }
}

/// Deepest depth that is kept.
const MAX_DEPTH: i64 = 1000;
/// Most bytes of a label.
pub const MAX_LABEL: usize = 60;
/// Most bytes of a comment; Yixin's board sends less.
pub const MAX_COMMENT: usize = 60_000;

/// The record of a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// A result or a mark.
    pub tag: Tag,
    /// The score, for the side to move.
    pub value: Score,
    /// Depth of the search behind it, in plies.
    pub depth: i32,
    /// What the score says; `None` when there is no score.
    pub bound: Bound,
    label: String,
    comment: String,
}

impl Default for Record {
    fn default() -> Self {
        Record {
            tag: Tag::None,
            value: 0,
            depth: 0,
            bound: Bound::None,
            label: String::new(),
            comment: String::new(),
        }
    }
}

impl Record {
    /// What a search has found: an exact score for the side to move and its depth.
    pub fn searched(value: Score, depth: u32) -> Record {
        let mut record = Record {
            tag: Tag::of_score(value),
            bound: Bound::Exact,
            ..Record::default()
        };
        record.set_value(value.into());
        record.set_depth(depth.into());
        record
    }

    /// Sets the score, cut to what a score can be.
    pub fn set_value(&mut self, value: i64) {
        let most = i64::from(score::WIN);
        self.value = value.clamp(-most, most) as Score;
    }

    /// Sets the depth, cut to what a depth can be.
    pub fn set_depth(&mut self, depth: i64) {
        self.depth = depth.clamp(0, MAX_DEPTH) as i32;
    }

    /// The text shown on the board at the move that leads here.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// What is said about the position; lines are parted by `\n`.
    pub fn comment(&self) -> &str {
        &self.comment
    }

    /// Sets the label: one word; blanks are left out.
    pub fn set_label(&mut self, text: &str) {
        let word = text
            .chars()
            .filter(|c| !c.is_whitespace() && !c.is_control());
        self.label = cut(word, MAX_LABEL);
    }

    /// Sets the comment. Line ends become `\n`, other control characters blanks.
    pub fn set_comment(&mut self, text: &str) {
        let text = text.replace("\r\n", "\n");
        let text = text.replace(|c: char| c != '\n' && c.is_control(), " ");
        let kept = cut(text.trim().chars(), MAX_COMMENT);
        self.comment = kept.trim_end().to_owned();
    }

    /// Is nothing said about the position?
    pub fn is_empty(&self) -> bool {
        *self == Record::default()
    }

    /// Takes over what `newer` knows better: a score unless a proof or a deeper one is there, a
    /// tag unless somebody has set one, texts where there are none.
    pub fn improve(&mut self, newer: &Record) {
        if self.yields_to(newer) {
            (self.value, self.depth, self.bound) = (newer.value, newer.depth, newer.bound);
        }
        if self.tag == Tag::None || newer.tag.is_result() {
            self.tag = match newer.tag {
                Tag::None => self.tag,
                tag => tag,
            };
        }
        if self.label.is_empty() {
            self.label.clone_from(&newer.label);
        }
        if self.comment.is_empty() {
            self.comment.clone_from(&newer.comment);
        }
    }

    /// Is the score of `newer` to be preferred?
    fn yields_to(&self, newer: &Record) -> bool {
        let (old, new) = (self.value, newer.value);
        let is_proven = |record: &Record| match record.bound {
            Bound::None => false,
            Bound::Exact => score::is_decided(record.value),
            Bound::Lower => score::is_win(record.value),
            Bound::Upper => score::is_loss(record.value),
        };
        match (newer.bound, self.bound) {
            (Bound::None, _) => false,
            (_, Bound::None) => true,
            _ => match (is_proven(self), is_proven(newer)) {
                // The shorter of two proofs; when they contradict each other, the newer.
                (true, true) => (old > 0) != (new > 0) || new.abs() >= old.abs(),
                (true, false) => false,
                (false, true) => true,
                (false, false) => {
                    let better = |record: &Record| (record.bound == Bound::Exact, record.depth);
                    better(newer) >= better(self)
                }
            },
        }
    }

    /// What a board shows at the move that leads here, at most four characters: a result with
    /// its distance in plies from before the move (`*` when that is not known), another tag, or
    /// the chance to win of the side that moves there.
    pub fn display(&self) -> String {
        let is_known = self.bound != Bound::None && score::is_decided(self.value);
        let tag = match self.tag {
            Tag::None if is_known => Tag::of_score(self.value),
            tag => tag,
        };
        match (tag, tag.to_char()) {
            (Tag::Win | Tag::Loss, Some(letter))
                if is_known && Tag::of_score(self.value) == tag =>
            {
                format!("{letter}{}", score::plies_to_end(self.value) + 1)
            }
            (Tag::Win | Tag::Loss, Some(letter)) => format!("{letter}*"),
            (_, Some(letter)) => letter.to_string(),
            _ if self.bound == Bound::Exact => {
                let odds = (f64::from(self.value) / f64::from(score::LOG_ODDS)).exp();
                format!("{}%", ((100.0 / (1.0 + odds)) as u32).min(99))
            }
            _ => String::new(),
        }
    }

    /// The bytes it is stored as.
    ///
    /// ```text
    /// tag, bound            one byte each; the tag's character, 0 for none
    /// value, depth          two bytes each, low one first
    /// length of the label   one byte
    /// label, comment        UTF-8
    /// ```
    pub fn to_bytes(&self) -> Vec<u8> {
        let tag = self.tag.to_char().map_or(0, |c| c as u8);
        let mut bytes = vec![tag, self.bound as u8];
        bytes.extend((self.value as i16).to_le_bytes());
        bytes.extend((self.depth as i16).to_le_bytes());
        bytes.push(self.label.len() as u8);
        bytes.extend(self.label.as_bytes());
        bytes.extend(self.comment.as_bytes());
        bytes
    }

    /// The record stored as these bytes; none when they are no record.
    pub fn from_bytes(bytes: &[u8]) -> Option<Record> {
        let (header, texts) = bytes.split_at_checked(7)?;
        let &[tag, bound, v0, v1, d0, d1, length] = header else {
            return None;
        };
        let (label, comment) = texts.split_at_checked(length.into())?;
        let mut record = Record {
            tag: Tag::from_char(char::from(tag)),
            bound: match bound {
                0..4 => Bound::from_bits(bound.into()),
                _ => return None,
            },
            ..Record::default()
        };
        record.set_value(i16::from_le_bytes([v0, v1]).into());
        record.set_depth(i16::from_le_bytes([d0, d1]).into());
        record.set_label(std::str::from_utf8(label).ok()?);
        record.set_comment(std::str::from_utf8(comment).ok()?);
        Some(record)
    }
}

/// As many of the characters as fit into that many bytes.
fn cut(text: impl Iterator<Item = char>, bytes: usize) -> String {
    let mut kept = String::new();
    for c in text {
        if kept.len() + c.len_utf8() > bytes {
            break;
        }
        kept.push(c);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn searched(value: Score, depth: u32) -> Record {
        Record::searched(value, depth)
    }

    #[test]
    fn records_go_both_ways() {
        let mut record = searched(-123, 14);
        for tag in ['w', 'L', 'd', '!', 'X', 'a'] {
            record.tag = Tag::from_char(tag);
            record.set_label("Ä 1");
            record.set_comment(" first\r\nsecond\tword\u{7}\n ");
            assert_eq!(record.label(), "Ä1");
            assert_eq!(record.comment(), "first\nsecond word");
            assert_eq!(Record::from_bytes(&record.to_bytes()), Some(record.clone()));
        }
        record.set_label(&"ü".repeat(100));
        record.set_comment(&"ü".repeat(100_000));
        assert_eq!(record.label().len(), MAX_LABEL);
        assert_eq!(Record::from_bytes(&record.to_bytes()), Some(record));
        assert_eq!(Record::from_bytes(&[0; 6]), None);
        assert_eq!(Record::from_bytes(&[0, 4, 0, 0, 0, 0, 0]), None);
        assert_eq!(Record::from_bytes(&[0, 0, 0, 0, 0, 0, 3, 65]), None);
        assert_eq!(Record::from_bytes(&[0, 0, 0, 0, 0, 0, 1, 255]), None);
        assert!(Record::from_bytes(&[0; 7]).unwrap().is_empty());
    }

    #[test]
    fn numbers_are_cut_to_their_range() {
        let mut record = Record::default();
        record.set_value(i64::MAX);
        record.set_depth(-5);
        assert_eq!((record.value, record.depth), (score::WIN, 0));
        record.set_value(-40_000);
        record.set_depth(1 << 40);
        assert_eq!((record.value, record.depth), (-score::WIN, 1000));
    }

    #[test]
    fn better_scores_replace_worse_ones() {
        let (win9, win5, loss4) = (score::win_in(9), score::win_in(5), score::loss_in(4));
        let after = |old: &Record, new: &Record| {
            let mut record = old.clone();
            record.improve(new);
            (record.value, record.depth)
        };
        for (old, new, expected) in [
            (searched(10, 8), searched(20, 8), (20, 8)),
            (searched(10, 8), searched(20, 7), (10, 8)),
            (searched(win9, 8), searched(20, 30), (win9, 8)),
            (searched(20, 30), searched(win9, 8), (win9, 8)),
            (searched(win9, 8), searched(win5, 4), (win5, 4)),
            (searched(win5, 8), searched(win9, 4), (win5, 8)),
            (searched(win5, 8), searched(loss4, 4), (loss4, 4)),
            (Record::default(), searched(7, 1), (7, 1)),
            (searched(7, 1), Record::default(), (7, 1)),
        ] {
            assert_eq!(after(&old, &new), expected, "{old:?} {new:?}");
        }
    }

    #[test]
    fn what_people_have_written_stays() {
        let mut record = searched(10, 8);
        record.tag = Tag::Best;
        record.set_comment("mine");
        let mut other = searched(20, 9);
        other.set_comment("other");
        other.set_label("A");
        record.improve(&other);
        assert_eq!((record.tag, record.value), (Tag::Best, 20));
        assert_eq!((record.comment(), record.label()), ("mine", "A"));
        record.improve(&searched(score::win_in(3), 9));
        assert_eq!(record.tag, Tag::Loss);
    }

    #[test]
    fn boards_show_four_characters() {
        let shown = |record: Record| record.display();
        assert_eq!(shown(searched(score::loss_in(6), 3)), "w7");
        assert_eq!(shown(searched(score::win_in(11), 3)), "l12");
        assert_eq!(shown(searched(0, 3)), "50%");
        assert_eq!(shown(searched(-200, 3)), "73%");
        assert_eq!(shown(searched(-9000, 3)), "99%");
        assert_eq!(shown(searched(9000, 3)), "0%");
        assert_eq!(shown(Record::default()), "");
        let tagged = |tag| Record {
            tag,
            ..searched(30, 5)
        };
        assert_eq!(shown(tagged(Tag::Win)), "w*");
        assert_eq!(shown(tagged(Tag::Best)), "!");
        let wrong = Record {
            tag: Tag::Win,
            ..searched(score::win_in(5), 5)
        };
        assert_eq!(shown(wrong), "w*");
        let bare = Record {
            tag: Tag::None,
            ..searched(score::loss_in(2), 5)
        };
        assert_eq!(shown(bare), "w3");
    }
}
