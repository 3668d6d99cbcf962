//! RenLib libraries (`.lib`): trees of moves with comments, texts on the board and marks.
//!
//! ```text
//! header   20 bytes   FF "RenLib" FF, major, minor, then FF
//! node     2 bytes    move, flags; then what the flags announce, then its children
//! ```
//! The move is `16 * row + column`, the row from 0 at the top, the column from 1; 0 is no point:
//! the root of the tree, or a pass. Flags: `80` a sibling follows behind the children, `40` no
//! children, `20` a comment of the old form, `10` marked, `08` a comment, `04` start position,
//! `02` no move of the library (only a way to one), `01` two more bytes of flags, of which the
//! last has `01` for a text on the board. Texts are padded with zeros to an even length and end
//! with one; in a comment, `08` parts the first line from the rest. Files before version 3.4
//! have no root node and begin with their first move; files without a header begin with the
//! move to the middle.
//!
//! The board is always 15x15. Texts are in whatever character set the writer used: we take what
//! is no UTF-8 for Latin-1 and write UTF-8.
//!
//! Read from the source of RenLib 3.6; no code is taken over.

use crate::types::{BoardSize, Point};

const MAGIC: [u8; 8] = *b"\xffRenLib\xff";
const HEADER: usize = 20;
const VERSION: (u8, u8) = (3, 4);
/// First byte of a file without a header: the move to the middle.
const MIDDLE: u8 = 0x78;

const SIBLING: u8 = 0x80;
const LEAF: u8 = 0x40;
const OLD_COMMENT: u8 = 0x20;
const MARK: u8 = 0x10;
const COMMENT: u8 = 0x08;
const START: u8 = 0x04;
const NO_MOVE: u8 = 0x02;
const EXTENDED: u8 = 0x01;
/// In the last byte of the further flags.
const BOARD_TEXT: u8 = 0x01;
/// Parts the first line of a comment from the others.
const PART: u8 = 8;

/// A node of the tree: a move and what is said about the position after it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Node {
    /// The move; none for the root and for a pass.
    pub point: Option<Point>,
    /// What is said about the position; lines are parted by `\n`.
    pub comment: String,
    /// What stands on the board at the move.
    pub text: String,
    /// Is the move marked?
    pub marked: bool,
    /// Is it where a reader begins?
    pub start: bool,
    /// Is it only a way to a move of the library?
    pub no_move: bool,
    /// Indices of the next moves, in the order of the file.
    pub children: Vec<usize>,
}

/// A tree of moves. Node 0 is the root: the empty board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Library {
    nodes: Vec<Node>,
}

/// Why bytes are no library.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LibraryError {
    /// They do not begin like one.
    NotALibrary,
    /// A version that is not known.
    Version(u8, u8),
    /// They end inside a node; at this byte.
    CutOff(usize),
    /// A move that is on no 15x15 board; at this byte.
    OffBoard(usize),
    /// More nodes than promised; at this byte.
    Surplus(usize),
}

impl std::fmt::Display for LibraryError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LibraryError::NotALibrary => f.write_str("not a RenLib library"),
            LibraryError::Version(major, minor) => write!(
                f,
                "RenLib version {major}.{minor} is not known: versions up to 3.4 are"
            ),
            LibraryError::CutOff(at) => write!(f, "the library ends inside a node (byte {at})"),
            LibraryError::OffBoard(at) => {
                write!(f, "a move is on no 15x15 board (byte {at})")
            }
            LibraryError::Surplus(at) => write!(f, "the tree ends before the file (byte {at})"),
        }
    }
}

impl std::error::Error for LibraryError {}

impl Default for Library {
    fn default() -> Self {
        Library {
            nodes: vec![Node::default()],
        }
    }
}

impl Library {
    /// The board of every library.
    pub const SIZE: BoardSize = BoardSize::STANDARD;
    /// The root.
    pub const ROOT: usize = 0;

    /// All nodes, the root first; children come after their parents.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The node with that index, to be changed. None when there is no such node.
    pub fn node_mut(&mut self, index: usize) -> Option<&mut Node> {
        self.nodes.get_mut(index)
    }

    /// Adds a node below `parent` and returns its index. `parent` is the index of a node.
    pub fn add(&mut self, parent: usize, node: Node) -> usize {
        let index = self.nodes.len();
        self.nodes.push(Node {
            children: Vec::new(),
            ..node
        });
        self.nodes[parent].children.push(index);
        index
    }

    /// The child of `parent` with that move.
    pub fn child(&self, parent: usize, point: Option<Point>) -> Option<usize> {
        let children = &self.nodes.get(parent)?.children;
        let found = children.iter().find(|i| self.nodes[**i].point == point);
        found.copied()
    }

    /// Every way from the empty board to an end of the tree, as moves of Black and White in turn:
    /// cut after `plies` of them, and before a pass.
    pub fn games(&self, plies: usize) -> Vec<Vec<Point>> {
        let mut games = Vec::new();
        let mut waiting = vec![(Library::ROOT, Vec::new())];
        while let Some((index, game)) = waiting.pop() {
            let next: Vec<(usize, Point)> = self.nodes[index]
                .children
                .iter()
                .filter_map(|child| Some((*child, self.nodes[*child].point?)))
                .collect();
            if next.is_empty() || game.len() >= plies {
                games.push(game);
                continue;
            }
            waiting.extend(next.into_iter().rev().map(|(child, point)| {
                let mut game = game.clone();
                game.push(point);
                (child, game)
            }));
        }
        games
    }

    /// Reads a library.
    ///
    /// # Errors
    /// When it is none, or is damaged.
    pub fn parse(bytes: &[u8]) -> Result<Library, LibraryError> {
        let mut input = Input {
            bytes,
            at: header(bytes)?,
        };
        let mut library = Library::default();
        // The parent of the next node, and the parents of siblings still to come.
        let mut parent = Some(Library::ROOT);
        let mut waiting: Vec<usize> = Vec::new();
        let mut is_first = true;
        while input.at < bytes.len() {
            let begin = input.at;
            let (node, flags) = input.node()?;
            if std::mem::take(&mut is_first) && node.point.is_none() {
                library.nodes[Library::ROOT] = node;
                continue;
            }
            let Some(place) = parent else {
                return Err(LibraryError::Surplus(begin));
            };
            let index = library.add(place, node);
            if flags & SIBLING != 0 {
                waiting.push(place);
            }
            parent = match flags & LEAF {
                0 => Some(index),
                _ => waiting.pop(),
            };
        }
        Ok(library)
    }

    /// The bytes of the file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend([VERSION.0, VERSION.1]);
        out.resize(HEADER, 0xff);
        // Nodes to be written, each with whether a sibling follows.
        let mut waiting = vec![(Library::ROOT, false)];
        while let Some((index, has_sibling)) = waiting.pop() {
            let node = &self.nodes[index];
            write_node(node, has_sibling, &mut out);
            let last = node.children.last();
            let children = node.children.iter().rev();
            waiting.extend(children.map(|child| (*child, Some(child) != last)));
        }
        out
    }
}

/// Where the nodes begin.
fn header(bytes: &[u8]) -> Result<usize, LibraryError> {
    match bytes {
        [MIDDLE, ..] => Ok(0),
        _ if !bytes.starts_with(&MAGIC) || bytes.len() < HEADER => Err(LibraryError::NotALibrary),
        _ if (bytes[8], bytes[9]) > VERSION => Err(LibraryError::Version(bytes[8], bytes[9])),
        _ => Ok(HEADER),
    }
}

struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Input<'_> {
    fn pair(&mut self) -> Result<[u8; 2], LibraryError> {
        let pair = self.bytes.get(self.at..self.at + 2);
        let pair = pair.ok_or(LibraryError::CutOff(self.at))?;
        self.at += 2;
        Ok([pair[0], pair[1]])
    }

    /// A node and its flags.
    fn node(&mut self) -> Result<(Node, u8), LibraryError> {
        let begin = self.at;
        let [place, flags] = self.pair()?;
        let further = match flags & EXTENDED {
            0 => [0, 0],
            _ => self.pair()?,
        };
        let mut node = Node {
            point: point(place).ok_or(LibraryError::OffBoard(begin))?,
            marked: flags & MARK != 0,
            start: flags & START != 0,
            no_move: flags & NO_MOVE != 0,
            ..Node::default()
        };
        if flags & OLD_COMMENT != 0 {
            node.comment = comment(&self.old_text()?);
        } else if flags & COMMENT != 0 {
            node.comment = comment(&self.text()?);
        }
        if further[1] & BOARD_TEXT != 0 {
            node.text = decoded(&self.text()?);
        }
        Ok((node, flags))
    }

    /// Pairs up to one with a zero.
    fn text(&mut self) -> Result<Vec<u8>, LibraryError> {
        let mut text = Vec::new();
        loop {
            let pair = self.pair()?;
            for byte in pair {
                if byte == 0 {
                    return Ok(text);
                }
                text.push(byte);
            }
        }
    }

    /// Seven bits a letter; the eighth ends it.
    fn old_text(&mut self) -> Result<Vec<u8>, LibraryError> {
        let mut text = Vec::new();
        loop {
            let pair = self.pair()?;
            for byte in pair {
                text.push(byte & 0x7f);
                if byte & 0x80 != 0 {
                    return Ok(text);
                }
            }
        }
    }
}

/// The point of a move byte; `Some(None)` for no point.
fn point(place: u8) -> Option<Option<Point>> {
    if place == 0 {
        return Some(None);
    }
    let (x, y) = (i64::from(place & 15) - 1, i64::from(place >> 4));
    Library::SIZE.point(x, y).map(Some)
}

/// The first line and the rest become lines of one text.
fn comment(bytes: &[u8]) -> String {
    let text = match bytes.iter().position(|byte| *byte == PART) {
        Some(at) => {
            let (first, rest) = (decoded(&bytes[..at]), decoded(&bytes[at + 1..]));
            match first.is_empty() {
                true => rest,
                false => format!("{first}\n{rest}"),
            }
        }
        None => decoded(bytes),
    };
    text.replace("\r\n", "\n")
}

fn decoded(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

fn write_node(node: &Node, has_sibling: bool, out: &mut Vec<u8>) {
    let place = node.point.map_or(0, |p| 16 * p.y() + p.x() + 1);
    let flag = |set: bool, bit: u8| if set { bit } else { 0 };
    let flags = flag(has_sibling, SIBLING)
        | flag(node.children.is_empty(), LEAF)
        | flag(node.marked, MARK)
        | flag(!node.comment.is_empty(), COMMENT)
        | flag(node.start, START)
        | flag(node.no_move, NO_MOVE)
        | flag(!node.text.is_empty(), EXTENDED);
    out.extend([place, flags]);
    if !node.text.is_empty() {
        out.extend([0, BOARD_TEXT]);
    }
    if !node.comment.is_empty() {
        // A short comment is all first line; RenLib shows the rest in a window of its own.
        let (first, rest) = node.comment.split_once('\n').unwrap_or((&node.comment, ""));
        write_text(first.as_bytes(), rest.replace('\n', "\r\n").as_bytes(), out);
    }
    if !node.text.is_empty() {
        write_text(node.text.as_bytes(), &[], out);
    }
}

/// A text, or the two parts of one, without the bytes that mean something else in it.
fn write_text(first: &[u8], rest: &[u8], out: &mut Vec<u8>) {
    let is_text = |byte: &&u8| **byte != 0 && **byte != PART;
    let begin = out.len();
    out.extend(first.iter().filter(is_text));
    if !rest.is_empty() {
        out.push(PART);
        out.extend(rest.iter().filter(is_text));
    }
    out.push(0);
    if (out.len() - begin) % 2 == 1 {
        out.push(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::rng::SplitMix64;

    fn file(nodes: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([3, 4]);
        bytes.resize(HEADER, 0xff);
        bytes.extend(nodes);
        bytes
    }

    fn node(x: u8, y: u8) -> Node {
        Node {
            point: Some(Point::new(x, y)),
            ..Node::default()
        }
    }

    /// Written by hand after the description above: H8; then I9 with a comment and a text, and
    /// its sibling G8, marked.
    #[test]
    fn a_small_library_is_read() {
        let library = Library::parse(&file(&[
            0x00, 0x00, // the root
            0x78, 0x00, // H8
            0x69, 0xc9, 0x00, 0x01, // I9, leaf, sibling, comment, text
            b'o', b'n', b'e', PART, b't', b'w', b'o', 0, // comment
            b'A', 0, // text
            0x77, 0x50, // G8, leaf, marked
        ]))
        .unwrap();
        let [root, middle, ninth, side] = library.nodes() else {
            panic!("{library:?}");
        };
        assert_eq!((root.point, &root.children), (None, &vec![1]));
        assert_eq!(middle.point, Some(Point::new(7, 7)));
        assert_eq!(middle.children, [2, 3]);
        assert_eq!(ninth.point, Some(Point::new(8, 6)));
        assert_eq!(
            (ninth.comment.as_str(), ninth.text.as_str()),
            ("one\ntwo", "A")
        );
        assert_eq!((side.point, side.marked), (Some(Point::new(6, 7)), true));
        assert_eq!(library.child(1, Some(Point::new(6, 7))), Some(3));
    }

    #[test]
    fn every_end_of_the_tree_is_a_game() {
        let mut library = Library::default();
        let middle = library.add(Library::ROOT, node(7, 7));
        let ninth = library.add(middle, node(8, 6));
        library.add(middle, node(6, 7));
        library.add(ninth, node(9, 9));
        let pass = library.add(ninth, Node::default());
        library.add(pass, node(1, 1));
        let [h8, i9, g8, j6] = [(7, 7), (8, 6), (6, 7), (9, 9)].map(|(x, y)| Point::new(x, y));
        assert_eq!(library.games(9), [vec![h8, i9, j6], vec![h8, g8]]);
        assert_eq!(library.games(2), [vec![h8, i9], vec![h8, g8]]);
        assert_eq!(Library::default().games(9), [vec![]; 1]);
    }

    #[test]
    fn old_files_have_no_root_or_no_header() {
        let nodes = [0x78, 0x20, b'h', b'i', b'!' | 0x80, 0, 0x69, 0x40];
        let mut old = file(&nodes);
        old[9] = 0;
        for bytes in [old, nodes.to_vec()] {
            let library = Library::parse(&bytes).unwrap();
            assert_eq!(library.nodes().len(), 3);
            assert_eq!(library.nodes()[1].comment, "hi!");
            assert_eq!(library.nodes()[2].point, Some(Point::new(8, 6)));
        }
    }

    #[test]
    fn latin_and_utf8_texts_are_read() {
        for (bytes, text) in [(&b"\xe9\0"[..], "é"), (b"\xc3\xa9\0\0", "é")] {
            let mut nodes = vec![0x78, 0x48];
            nodes.extend(bytes);
            let library = Library::parse(&file(&nodes)).unwrap();
            assert_eq!(library.nodes()[1].comment, text);
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        for (bytes, error) in [
            (vec![], LibraryError::NotALibrary),
            (b"RenLib".to_vec(), LibraryError::NotALibrary),
            (file(&[])[..12].to_vec(), LibraryError::NotALibrary),
            (file(&[0x78]), LibraryError::CutOff(20)),
            (file(&[0x78, 0x48, b'a', b'b']), LibraryError::CutOff(24)),
            (file(&[0x70, 0x40]), LibraryError::OffBoard(20)),
            (file(&[0xf8, 0x40]), LibraryError::OffBoard(20)),
            (file(&[0x78, 0x40, 0x69, 0x40]), LibraryError::Surplus(22)),
        ] {
            assert_eq!(Library::parse(&bytes), Err(error), "{bytes:x?}");
        }
        let mut newer = file(&[]);
        newer[8] = 4;
        assert_eq!(Library::parse(&newer), Err(LibraryError::Version(4, 4)));
        assert_eq!(Library::parse(&file(&[])), Ok(Library::default()));
    }

    /// A tree of seeded moves and texts.
    fn random_library(rng: &mut SplitMix64) -> Library {
        const TEXTS: [&str; 5] = ["", "A", "two words", "fünf", "a\nb\n\nc"];
        let mut library = Library::default();
        for _ in 0..rng.below(60) {
            let parent = rng.below(library.nodes().len());
            let mut child = node(rng.below(15) as u8, rng.below(15) as u8);
            if rng.below(20) == 0 {
                child.point = None;
            }
            if library.child(parent, child.point).is_some() {
                continue;
            }
            child.comment = TEXTS[rng.below(5)].to_owned();
            child.text = TEXTS[rng.below(4)].to_owned();
            (child.marked, child.start) = (rng.below(4) == 0, rng.below(9) == 0);
            child.no_move = rng.below(9) == 0;
            library.add(parent, child);
        }
        library
    }

    /// Node by node along the tree, whatever the order in memory.
    fn same(a: &Library, x: usize, b: &Library, y: usize) -> bool {
        let (left, right) = (&a.nodes()[x], &b.nodes()[y]);
        let bare = |node: &Node| Node {
            children: Vec::new(),
            ..node.clone()
        };
        bare(left) == bare(right)
            && left.children.len() == right.children.len()
            && left
                .children
                .iter()
                .zip(&right.children)
                .all(|(x, y)| same(a, *x, b, *y))
    }

    #[test]
    fn libraries_go_both_ways() {
        let mut rng = SplitMix64::new(9);
        for round in 0..500 {
            let library = random_library(&mut rng);
            let bytes = library.to_bytes();
            let read = Library::parse(&bytes).unwrap();
            assert!(same(&library, 0, &read, 0), "round {round}");
            assert_eq!(read.to_bytes(), bytes, "round {round}");
        }
    }

    #[test]
    fn no_bytes_make_it_panic() {
        let mut rng = SplitMix64::new(3);
        for _ in 0..20_000 {
            let mut bytes = random_library(&mut rng).to_bytes();
            for _ in 0..1 + rng.below(4) {
                let at = rng.below(bytes.len());
                bytes[at] = rng.below(256) as u8;
            }
            bytes.truncate(rng.below(bytes.len() + 1));
            if let Ok(library) = Library::parse(&bytes) {
                library.to_bytes();
            }
        }
    }
}
