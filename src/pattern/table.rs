//! The line table: the class of every line index for both sides, filled in a few milliseconds
//! from the rule value.
//!
//! An own stone always raises the index, so a pass from the highest index down meets every
//! successor before the line that needs it.

use super::classify::{LineClass, from_successors, row_wins};
use super::line::{self, Cell, LINE_COUNT, REACH, SIDE_STATES};
use crate::rules::RuleSpec;
use crate::types::Color;

/// Entries of the table: the next power of two, so that a mask proves an index in range.
const TABLE_SIZE: usize = 1 << 18;

/// Classes of both sides by line index.
pub struct LineTable {
    classes: Box<[u8; TABLE_SIZE]>,
}

impl LineTable {
    /// Builds the table of `spec`.
    pub fn new(spec: &RuleSpec) -> LineTable {
        let mut classes = boxed_zeros();
        for color in Color::ALL {
            let builder = Builder::new(spec, color);
            let shift = 4 * color.index();
            for (entry, class) in classes.iter_mut().zip(builder.build()) {
                *entry |= (class as u8) << shift;
            }
        }
        LineTable { classes }
    }

    /// Both classes of a line: Black's in the low four bits, White's in the high four.
    #[inline]
    pub fn pair(&self, index: u32) -> u8 {
        self.classes[index as usize & (TABLE_SIZE - 1)]
    }

    /// The class of a line for `color`.
    #[inline]
    pub fn class(&self, index: u32, color: Color) -> LineClass {
        LineClass::of_pair(self.pair(index), color)
    }
}

fn boxed_zeros() -> Box<[u8; TABLE_SIZE]> {
    let zeros: Box<[u8]> = vec![0; TABLE_SIZE].into_boxed_slice();
    zeros.try_into().expect("the length is the array's")
}

/// What one side state means for the row through the point.
#[derive(Clone, Copy)]
struct Arm {
    /// Own stones next to the point without a gap.
    run: u8,
    /// What follows them; `Empty` when the run fills all five cells.
    end: Cell,
    /// Bit `k` set: cell `k + 1` is empty.
    empties: u8,
}

struct Builder<'a> {
    spec: &'a RuleSpec,
    color: Color,
    arms: Vec<Arm>,
    classes: Vec<LineClass>,
}

impl<'a> Builder<'a> {
    fn new(spec: &'a RuleSpec, color: Color) -> Self {
        let arms = (0..SIDE_STATES)
            .map(|state| {
                let window = line::decode(state, color);
                let cells = &window[REACH + 1..];
                let run = cells.iter().take_while(|cell| **cell == Cell::Own).count();
                let mut empties = 0;
                for (k, cell) in cells.iter().enumerate() {
                    empties |= u8::from(*cell == Cell::Empty) << k;
                }
                let end = cells.get(run).copied().unwrap_or(Cell::Empty);
                Arm {
                    run: run as u8,
                    end,
                    empties,
                }
            })
            .collect();
        Builder {
            spec,
            color,
            arms,
            classes: vec![LineClass::Dead; LINE_COUNT],
        }
    }

    fn build(mut self) -> Vec<LineClass> {
        for index in (0..LINE_COUNT).rev() {
            self.classes[index] = self.class(index);
        }
        self.classes
    }

    /// Length of the row through the point.
    fn length(&self, index: usize) -> usize {
        let run = |state: usize| self.arms[state].run as usize;
        run(index / SIDE_STATES) + 1 + run(index % SIDE_STATES)
    }

    fn wins(&self, index: usize) -> bool {
        let ends = [
            self.arms[index / SIDE_STATES].end,
            self.arms[index % SIDE_STATES].end,
        ];
        row_wins(self.spec, self.color, self.length(index), ends)
    }

    /// Steps (-5..=5) to the empty cells, as index differences for a stone of `color`.
    fn empty_steps(&self, index: usize) -> impl Iterator<Item = i32> + use<> {
        let left = self.arms[index / SIDE_STATES].empties;
        let right = self.arms[index % SIDE_STATES].empties;
        (1..=REACH as i32).flat_map(move |step| {
            let bit = 1u8 << (step - 1);
            let left = (left & bit != 0).then_some(-step);
            let right = (right & bit != 0).then_some(step);
            left.into_iter().chain(right)
        })
    }

    fn plus(&self, index: usize, color: Color, step: i32) -> usize {
        index + line::stone_weight(color, step) as usize
    }

    fn class(&self, index: usize) -> LineClass {
        let forbidden = &self.spec.sides[self.color].forbidden;
        if self.wins(index) {
            return LineClass::Five;
        }
        if forbidden.overline && self.length(index) > self.spec.length as usize {
            return LineClass::Overline;
        }
        let mut completions = [0i32; 2 * REACH];
        let mut count = 0;
        for step in self.empty_steps(index) {
            if self.classes[self.plus(index, self.color, step)] == LineClass::Five {
                completions[count] = step;
                count += 1;
            }
        }
        if count > 0 {
            return self.four(index, &completions[..count], forbidden.double_four);
        }
        let successors = self
            .empty_steps(index)
            .map(|step| self.classes[self.plus(index, self.color, step)]);
        from_successors(successors, !forbidden.double_three)
    }

    /// The kind of four that `completions` make.
    fn four(&self, index: usize, completions: &[i32], counts_both: bool) -> LineClass {
        if completions.len() == 1 {
            return LineClass::Four;
        }
        let stoppable = self.empty_steps(index).any(|reply| {
            let answered = self.plus(index, self.color.opponent(), reply);
            completions.iter().all(|completion| {
                *completion == reply || !self.wins(self.plus(answered, self.color, *completion))
            })
        });
        if stoppable && !counts_both {
            return LineClass::Four;
        }
        let mut sets = completions.iter().map(|step| self.four_set(index, *step));
        let first = sets.next();
        let two_fours = sets.any(|set| Some(set) != first);
        match (stoppable, two_fours) {
            (_, true) => LineClass::DoubleFour,
            (true, false) => LineClass::Four,
            (false, false) => LineClass::OpenFour,
        }
    }

    /// The stones of the row that a stone at `step` completes, without that stone, as bits.
    fn four_set(&self, index: usize, step: i32) -> u16 {
        let full = self.plus(index, self.color, step);
        let (left, right) = (
            i32::from(self.arms[full / SIDE_STATES].run),
            i32::from(self.arms[full % SIDE_STATES].run),
        );
        let row = (-left..=right).fold(0u16, |bits, cell| bits | 1 << (cell + REACH as i32));
        row & !(1 << (step + REACH as i32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::classify::{classify, classify_with};
    use crate::pattern::line::Window;
    use crate::rules::PRESETS;

    /// The definition for every line, each class computed once: a stone raises the index, so
    /// from the highest index down the lines with one more stone are always there already.
    fn definition(spec: &RuleSpec, color: Color) -> Vec<LineClass> {
        let mut classes = vec![None; LINE_COUNT];
        for index in (0..LINE_COUNT).rev() {
            let known = |next: &Window| {
                let class: Option<LineClass> = classes[line::encode(next, color) as usize];
                class.expect("a higher index")
            };
            let window = line::decode(index, color);
            classes[index] = Some(classify_with(spec, color, &window, &known));
        }
        classes.into_iter().flatten().collect()
    }

    #[test]
    fn table_is_the_definition_on_every_line_of_every_rule() {
        for spec in &PRESETS {
            let table = LineTable::new(spec);
            for color in Color::ALL {
                let slow = definition(spec, color);
                assert_eq!(slow.len(), LINE_COUNT);
                for (index, slow) in slow.iter().enumerate() {
                    let fast = table.class(index as u32, color);
                    let window = || line::decode(index, color);
                    assert_eq!(fast, *slow, "{} {color} {:?}", spec.name, window());
                }
                // Remembering classes changes none: here the recursion runs to its end.
                for index in (color.index()..LINE_COUNT).step_by(89) {
                    let window = line::decode(index, color);
                    assert_eq!(classify(spec, color, &window), slow[index]);
                }
            }
        }
    }

    /// The class of a drawn line: `X` own, `O` opponent, `_` empty, `|` edge, `*` the point.
    fn drawn(spec: &str, color: Color, picture: &str) -> LineClass {
        let cells: Vec<char> = picture.chars().filter(|c| !c.is_whitespace()).collect();
        let center = cells.iter().position(|c| *c == '*').expect("a point");
        let mut window = [Cell::Edge; 2 * REACH + 1];
        for (at, cell) in window.iter_mut().enumerate() {
            let inside = (center + at).checked_sub(REACH).and_then(|i| cells.get(i));
            *cell = match inside {
                Some('X' | '*') => Cell::Own,
                Some('O') => Cell::Opponent,
                Some('_') => Cell::Empty,
                _ => Cell::Edge,
            };
        }
        classify(RuleSpec::by_name(spec).expect("a preset"), color, &window)
    }

    #[test]
    fn drawn_lines_have_the_classes_a_player_expects() {
        use LineClass::*;
        for (rule, picture, expected) in [
            ("freestyle", "_ _ X X * X _ _", OpenFour),
            ("freestyle", "O X X * X _ _ _", Four),
            ("freestyle", "X _ X * X _ X _", DoubleFour),
            ("freestyle", "_ _ X * X _ _ _", OpenThreeDouble),
            ("freestyle", "O _ X * X _ O _", Three),
            ("freestyle", "X X * _ X X _ _", Four),
            ("standard", "_ X X * _ X X _", Dead),
            ("standard", "X _ X * X X _ X", Dead),
            ("standard", "X _ X * X X _ _", Four),
            // One stone closes both completions: caro's reply sets, not counts, decide.
            ("caro", "O _ X X * X _ O", Four),
            ("caro-exact", "O X _ X * X _ X O", Four),
            ("caro", "_ _ X X * X _ _", OpenFour),
            ("caro", "O X X * X X O", Dead),
            ("caro-edge", "| X X * X X O", Dead),
            ("caro", "| X X * X X O", Five),
            ("renju", "X X X * X X", Overline),
            ("renju", "X _ X * X _ X _ _", DoubleFour),
            ("omok", "X _ X * X _ X _ _", DoubleFour),
        ] {
            assert_eq!(
                drawn(rule, Color::Black, picture),
                expected,
                "{rule} {picture}"
            );
        }
    }
}
