//! The definition of line classes: slow, recursive, literal.
//!
//! A class says what a stone on the point makes of one line, looking only at rows that contain
//! that stone. It follows from one question, whatever the rule: *which single stones of the
//! opponent stop all completions?* (`shared/README.md`, "Classes and proofs come from reply
//! sets".) Five cells to each side are enough for every class under every rule.

use super::line::{Cell, REACH, Window};
use crate::rules::{Closing, LongRow, RuleSpec};
use crate::types::Color;

/// What a stone on a point makes of one line, from nothing to a win.
///
/// Pictures show the line after the stone; `X` own stones, `_` empty.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum LineClass {
    /// No row of five through the stone can come about.
    Dead = 0,
    /// One more stone makes a `Two`.
    One,
    /// One more stone makes an open two.
    OpenOne,
    /// One more stone makes a `Three`.
    Two,
    /// One stone in one place makes it an open three.
    OpenTwo,
    /// Two places make it an open three.
    OpenTwoDouble,
    /// Three or more places make it an open three: `_ _ X X _ _`.
    OpenTwoWide,
    /// One more stone makes a four, none an open four: `O X X X _ _`.
    Three,
    /// One place makes it a four that no single reply stops: `_ X _ X X _`.
    OpenThree,
    /// Two or more places do: `_ _ X X X _ _`.
    OpenThreeDouble,
    /// One more stone wins, and one reply can stop that: `O X X X X _`.
    Four,
    /// Two fours at once in one line that no single reply stops: `X _ X X X _ X`.
    DoubleFour,
    /// A four that no single reply stops: `_ X X X X _`.
    OpenFour,
    /// A winning row.
    Five,
    /// A row that is too long and forbidden to this side.
    Overline,
}

impl LineClass {
    /// All classes by number.
    pub const ALL: [LineClass; 15] = [
        LineClass::Dead,
        LineClass::One,
        LineClass::OpenOne,
        LineClass::Two,
        LineClass::OpenTwo,
        LineClass::OpenTwoDouble,
        LineClass::OpenTwoWide,
        LineClass::Three,
        LineClass::OpenThree,
        LineClass::OpenThreeDouble,
        LineClass::Four,
        LineClass::DoubleFour,
        LineClass::OpenFour,
        LineClass::Five,
        LineClass::Overline,
    ];

    /// The class with that number; numbers above the last are `Dead`.
    pub const fn from_bits(bits: u8) -> LineClass {
        if bits < 15 {
            LineClass::ALL[bits as usize]
        } else {
            LineClass::Dead
        }
    }

    /// The class of `color` in a pair: Black's in the low four bits, White's in the high.
    #[inline]
    pub const fn of_pair(pair: u8, color: Color) -> LineClass {
        LineClass::from_bits(pair >> (4 * color.index()) & 15)
    }

    /// One of the two open threes.
    pub const fn is_open_three(self) -> bool {
        matches!(self, LineClass::OpenThree | LineClass::OpenThreeDouble)
    }

    /// One of the three open twos.
    pub const fn is_open_two(self) -> bool {
        matches!(
            self,
            LineClass::OpenTwo | LineClass::OpenTwoDouble | LineClass::OpenTwoWide
        )
    }

    /// A four of any kind: one more stone wins.
    pub const fn is_four(self) -> bool {
        matches!(
            self,
            LineClass::Four | LineClass::DoubleFour | LineClass::OpenFour
        )
    }
}

/// Length of the unbroken own row through the stone, and what stands at its two ends.
fn row(window: &Window) -> (usize, [Cell; 2]) {
    let arm = |step: i32| {
        let cells = (1..=REACH as i32).map(|k| window[(REACH as i32 + k * step) as usize]);
        let length = cells.clone().take_while(|cell| *cell == Cell::Own).count();
        // A run that fills all five cells is an overline; nothing asks for its end.
        (length, cells.clone().nth(length).unwrap_or(Cell::Empty))
    };
    let ((left, left_end), (right, right_end)) = (arm(-1), arm(1));
    (left + 1 + right, [left_end, right_end])
}

/// Does a row of `length` with those ends win?
pub(super) fn row_wins(spec: &RuleSpec, color: Color, length: usize, ends: [Cell; 2]) -> bool {
    let closed = |end: Cell| match spec.closing {
        Closing::Nothing => false,
        Closing::Stones => end == Cell::Opponent,
        Closing::StonesAndEdge => end == Cell::Opponent || end == Cell::Edge,
    };
    let open_enough = spec.wins_when_closed || !ends.into_iter().all(closed);
    let needed = spec.length as usize;
    match spec.sides[color].long_row {
        _ if length < needed => false,
        _ if length == needed => open_enough,
        LongRow::WinsAlways => true,
        LongRow::LikeFive => open_enough,
        LongRow::Never => false,
    }
}

fn wins(spec: &RuleSpec, color: Color, window: &Window) -> bool {
    let (length, ends) = row(window);
    row_wins(spec, color, length, ends)
}

fn with(window: &Window, at: usize, cell: Cell) -> Window {
    let mut changed = *window;
    changed[at] = cell;
    changed
}

fn empties(window: &Window) -> impl Iterator<Item = usize> + '_ {
    (0..window.len()).filter(|at| window[*at] == Cell::Empty)
}

/// Cells where one more own stone wins with a row through the centre stone.
pub fn completions(spec: &RuleSpec, color: Color, window: &Window) -> Vec<usize> {
    empties(window)
        .filter(|at| wins(spec, color, &with(window, *at, Cell::Own)))
        .collect()
}

/// Cells where a single opponent stone stops every completion.
pub fn common_replies(spec: &RuleSpec, color: Color, window: &Window) -> Vec<usize> {
    let stops_all = |reply: &usize| {
        let answered = with(window, *reply, Cell::Opponent);
        completions(spec, color, &answered).is_empty()
    };
    empties(window).filter(stops_all).collect()
}

/// The sets of stones (as bits of the window) that one more stone turns into a winning row.
fn four_sets(spec: &RuleSpec, color: Color, window: &Window) -> Vec<u16> {
    let mut sets: Vec<u16> = completions(spec, color, window)
        .into_iter()
        .map(|at| {
            let full = with(window, at, Cell::Own);
            let mut bits = 1 << REACH;
            for step in [-1i32, 1] {
                let mut cell = REACH as i32 + step;
                while full.get(cell as usize) == Some(&Cell::Own) {
                    bits |= 1 << cell;
                    cell += step;
                }
            }
            bits & !(1 << at)
        })
        .collect();
    sets.sort_unstable();
    sets.dedup();
    sets
}

/// The class of `window`, whose centre holds a stone of `color`.
pub fn classify(spec: &RuleSpec, color: Color, window: &Window) -> LineClass {
    classify_with(spec, color, window, &|next| classify(spec, color, next))
}

/// One step of [`classify`]: `class_of` knows the classes of the windows with one more own stone.
pub(super) fn classify_with(
    spec: &RuleSpec,
    color: Color,
    window: &Window,
    class_of: &dyn Fn(&Window) -> LineClass,
) -> LineClass {
    let side = &spec.sides[color];
    if wins(spec, color, window) {
        return LineClass::Five;
    }
    if side.forbidden.overline && row(window).0 > spec.length as usize {
        return LineClass::Overline;
    }
    if !completions(spec, color, window).is_empty() {
        let stoppable = !common_replies(spec, color, window).is_empty();
        let two_fours = four_sets(spec, color, window).len() >= 2;
        return match (stoppable, two_fours) {
            // A rule that forbids two fours counts them whether or not one reply stops both.
            (true, true) if side.forbidden.double_four => LineClass::DoubleFour,
            (true, _) => LineClass::Four,
            (false, true) => LineClass::DoubleFour,
            (false, false) => LineClass::OpenFour,
        };
    }
    let next: Vec<LineClass> = empties(window)
        .map(|at| class_of(&with(window, at, Cell::Own)))
        .collect();
    from_successors(next.into_iter(), !side.forbidden.double_three)
}

/// The class of a line that cannot win with the next stone, from the classes that one more own
/// stone in each empty cell gives.
///
/// Where double threes are forbidden a three must lead to a straight four, as the rule texts
/// have it; elsewhere two unstoppable fours in one line serve as well (`double_four_counts`).
pub(super) fn from_successors(
    successors: impl Iterator<Item = LineClass>,
    double_four_counts: bool,
) -> LineClass {
    let (mut to_open_four, mut to_open_three, mut to_open_two) = (0, 0, 0);
    let mut best = LineClass::Dead;
    for class in successors {
        match class {
            LineClass::OpenFour => to_open_four += 1,
            LineClass::DoubleFour if double_four_counts => to_open_four += 1,
            class if class.is_open_three() => to_open_three += 1,
            class if class.is_open_two() => to_open_two += 1,
            _ => {}
        }
        if class != LineClass::Overline {
            best = best.max(class);
        }
    }
    match best {
        _ if to_open_four >= 2 => LineClass::OpenThreeDouble,
        _ if to_open_four == 1 => LineClass::OpenThree,
        class if class >= LineClass::Four => LineClass::Three,
        _ if to_open_three >= 3 => LineClass::OpenTwoWide,
        _ if to_open_three == 2 => LineClass::OpenTwoDouble,
        _ if to_open_three == 1 => LineClass::OpenTwo,
        class if class >= LineClass::Three => LineClass::Two,
        _ if to_open_two >= 1 => LineClass::OpenOne,
        class if class >= LineClass::Two => LineClass::One,
        _ => LineClass::Dead,
    }
}
