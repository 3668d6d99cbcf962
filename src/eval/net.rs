//! The small net: its features are brought up to date with the board only when they are asked
//! for, from the lines that differ between then and now.

use multiversion::multiversion;

use crate::board::Board;
use crate::pattern::net::{
    ACTIVATION_UNIT, FEATURE_SHIFT, HIDDEN, HIDDEN_UNIT, LANES, Net, OUTPUT_UNIT, Row, TOP,
};
use crate::types::score::{self, Score};
use crate::types::{Direction, GRID_CELLS, Point};

/// Taken off hidden units before the output.
const UNIT_SHIFT: u32 = 8;
/// What is left of a sum's unit, `HIDDEN_UNIT * ACTIVATION_UNIT << FEATURE_SHIFT`.
const DIRECT_SHIFT: u32 = (HIDDEN_UNIT * ACTIVATION_UNIT).ilog2() + FEATURE_SHIFT;
/// The same less [`UNIT_SHIFT`], and the unit of the output's weights.
const OUTPUT_SHIFT: u32 = DIRECT_SHIFT - UNIT_SHIFT + OUTPUT_UNIT.ilog2();

/// The features of one board.
pub struct Accumulator {
    /// Channels of each cell before they are clipped, stones included.
    cells: Box<[Row]>,
    /// The line index that each cell's channels hold, by direction in the board's own order.
    seen: [Box<[u32]>; 4],
    /// Does the cell count in `sum`?
    counted: Box<[bool]>,
    /// Sum of the clipped channels of the empty cells. Up to 484 times 127: unsigned.
    sum: Row,
    /// The stones this is up to date with: the board's key with them, and the point.
    plies: Vec<(u64, Point)>,
}

impl Accumulator {
    /// For a board of this shape.
    pub fn new(net: &Net, board: &Board) -> Accumulator {
        let mut this = Accumulator {
            cells: vec![Row::ZERO; GRID_CELLS].into(),
            seen: Direction::ALL.map(|direction| board.lines_of(direction).into()),
            counted: vec![false; GRID_CELLS].into(),
            sum: Row::ZERO,
            plies: Vec::new(),
        };
        for point in board.size().points() {
            let cell = &mut this.cells[point.index()];
            *cell = net.bias;
            for index in board.line_indices(point) {
                add(cell, &net.rows[index as usize]);
            }
            if board.is_empty(point) {
                this.counted[point.index()] = true;
                add_clipped(&mut this.sum, cell, &Row::ZERO);
            }
        }
        this.plies.extend(board.history());
        this
    }

    /// The net's share of the evaluation for the side to move.
    pub fn evaluate(&mut self, net: &Net, board: &Board) -> Score {
        evaluate(self, net, board)
    }
}

/// Compiled for several kinds of processor; which one is found out when the program runs. The
/// numbers are whole, so all of them say the same.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2"))]
fn evaluate(features: &mut Accumulator, net: &Net, board: &Board) -> Score {
    catch_up(features, net, board);
    let empty = board.empty_points() as i32;
    let mut input = [0i16; LANES];
    for ((feature, sum), idle) in input.iter_mut().zip(&features.sum.0).zip(&net.idle.0) {
        let value = i32::from(*sum as u16) - empty * i32::from(*idle);
        *feature = value.clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    }
    let head = &net.heads[board.side()];
    let mut output = 0i64;
    for unit in 0..HIDDEN {
        let sum = head.hidden_bias[unit] + dot(&head.hidden[unit].0, &input);
        output += i64::from(sum.max(0) >> UNIT_SHIFT) * i64::from(head.output[unit]);
    }
    let direct = i64::from(dot(&head.direct.0, &input)) * i64::from(score::LOG_ODDS);
    let limit = i64::from(score::EVAL_LIMIT);
    ((output >> OUTPUT_SHIFT) + (direct >> DIRECT_SHIFT)).clamp(-limit, limit) as Score
}

/// Brings the features up to date with the board.
#[inline(always)]
fn catch_up(this: &mut Accumulator, net: &Net, board: &Board) {
    let mut common = this.plies.len().min(board.stones());
    while common > 0 && this.plies[common - 1].0 != board.key_with(common) {
        common -= 1;
    }
    for at in common..this.plies.len() {
        refresh(this, net, board, this.plies[at].1);
    }
    this.plies.truncate(common);
    for at in common..board.stones() {
        let point = board.move_back(board.stones() - at);
        this.plies.push((board.key_with(at + 1), point));
        refresh(this, net, board, point);
    }
}

/// Brings everything around a stone that came or went up to date.
#[inline(always)]
fn refresh(this: &mut Accumulator, net: &Net, board: &Board, point: Point) {
    let at = point.index();
    let empty = board.is_empty(point);
    let mut sum = this.sum;
    if this.counted[at] != empty {
        this.counted[at] = empty;
        match empty {
            true => add_clipped(&mut sum, &this.cells[at], &Row::ZERO),
            false => add_clipped(&mut sum, &Row::ZERO, &this.cells[at]),
        }
    }
    for direction in Direction::ALL {
        let (from, now) = board.lines_around(point, direction);
        let seen = &mut this.seen[direction.index()][from..from + now.len()];
        for (step, (seen, now)) in seen.iter_mut().zip(now).enumerate() {
            if seen == now {
                continue;
            }
            let cell = point.offset(direction.stride(), step as i32 - 5).index();
            let (new, old) = (&net.rows[*now as usize], &net.rows[*seen as usize]);
            *seen = *now;
            let before = this.cells[cell];
            let mut after = before;
            for lane in 0..LANES {
                after.0[lane] = before.0[lane]
                    .wrapping_add(new.0[lane])
                    .wrapping_sub(old.0[lane]);
            }
            this.cells[cell] = after;
            if this.counted[cell] {
                add_clipped(&mut sum, &after, &before);
            }
        }
    }
    this.sum = sum;
}

#[inline]
fn add(sum: &mut Row, row: &Row) {
    for lane in 0..LANES {
        sum.0[lane] = sum.0[lane].wrapping_add(row.0[lane]);
    }
}

/// Adds the clipped channels of a cell as it is now and takes those away that it had.
#[inline(always)]
fn add_clipped(sum: &mut Row, now: &Row, before: &Row) {
    for lane in 0..LANES {
        let (now, before) = (now.0[lane].clamp(0, TOP), before.0[lane].clamp(0, TOP));
        sum.0[lane] = sum.0[lane].wrapping_add(now.wrapping_sub(before));
    }
}

#[inline(always)]
fn dot(weights: &[i16; LANES], features: &[i16; LANES]) -> i32 {
    weights
        .iter()
        .zip(features)
        .map(|(weight, feature)| i32::from(*weight) * i32::from(*feature))
        .sum()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::pattern::net::{CHANNELS, NetWeights};
    use crate::pattern::{LinearWeights, MoverWeights, RuleTables};
    use crate::rules::RuleSpec;
    use crate::types::rng::SplitMix64;
    use crate::types::{BoardSize, Color, PerColor};

    /// Random numbers of the size that trained ones have.
    fn random_net(rng: &mut SplitMix64) -> NetWeights {
        let mut number = |limit: i32| rng.below(2 * limit as usize + 1) as i32 - limit;
        let lines = (0..crate::pattern::line::LINE_COUNT as u32).filter(|line| {
            let mirror = crate::pattern::line::mirrored(*line as usize);
            *line as usize <= mirror && line.is_multiple_of(3)
        });
        NetWeights {
            lines: lines
                .map(|line| (line, [0; CHANNELS].map(|_: i8| number(40) as i8)))
                .collect(),
            pairs: (0..256)
                .map(|_| [0; CHANNELS].map(|_: i16| number(60) as i16))
                .collect(),
            bias: [0; CHANNELS].map(|_: i16| number(60) as i16),
            hidden: (0..HIDDEN)
                .map(|_| [0; LANES].map(|_: i16| number(400) as i16))
                .collect(),
            hidden_bias: [0; HIDDEN].map(|_: i32| number(100_000)),
            output: [0; HIDDEN].map(|_: i32| number(3_000)),
            direct: [0; LANES].map(|_: i16| number(300) as i16),
        }
    }

    fn tables(sets: [NetWeights; 2]) -> Arc<RuleTables> {
        let movers = sets.map(|net| MoverWeights {
            net: Some(Arc::new(net)),
            ..MoverWeights::zero()
        });
        let weights = LinearWeights::new(PerColor([&movers[0], &movers[1]]));
        Arc::new(RuleTables::new(RuleSpec::FREESTYLE, weights))
    }

    /// The definition: every line of every empty cell from the line indices of the board.
    fn features_by_definition(net: &Net, board: &Board) -> Vec<i32> {
        let mut sums = vec![0; LANES];
        for point in board.empties().iter() {
            let rows = board
                .line_indices(point)
                .map(|line| net.rows[line as usize]);
            for (lane, sum) in sums.iter_mut().enumerate() {
                let lines: i16 = rows.iter().map(|row| row.0[lane]).sum();
                *sum += i32::from((net.bias.0[lane] + lines).clamp(0, TOP));
            }
        }
        sums
    }

    #[test]
    fn features_follow_the_board_through_any_makes_and_undos() {
        let mut rng = SplitMix64::new(7);
        let tables = tables([random_net(&mut rng), random_net(&mut rng)]);
        let net = tables.net.as_ref().expect("a net");
        for (width, height) in [(15, 15), (5, 5), (22, 22), (9, 16)] {
            let size = BoardSize::new(width, height).expect("a size");
            let mut board = Board::new(Arc::clone(&tables), size);
            let mut kept = Accumulator::new(net, &board);
            for _ in 0..400 {
                for _ in 0..rng.below(6) {
                    let points: Vec<Point> = board.empties().iter().collect();
                    if points.len() < 3 || rng.below(5) < 2 {
                        board.undo();
                    } else {
                        board.make(points[rng.below(points.len())]);
                    }
                }
                let fresh = Accumulator::new(net, &board).evaluate(net, &board);
                assert_eq!(kept.evaluate(net, &board), fresh);
                let sums: Vec<i32> = kept
                    .sum
                    .0
                    .iter()
                    .map(|sum| i32::from(*sum as u16))
                    .collect();
                assert_eq!(sums, features_by_definition(net, &board));
            }
        }
    }

    #[test]
    fn both_sides_see_the_same_of_a_position_with_colours_exchanged() {
        let mut rng = SplitMix64::new(8);
        let one = random_net(&mut rng);
        let tables = tables([one.clone(), one]);
        let net = tables.net.as_ref().expect("a net");
        let mut board = Board::new(Arc::clone(&tables), BoardSize::STANDARD);
        let mut exchanged = board.clone();
        for ply in 0..60 {
            let points: Vec<Point> = board.empties().iter().collect();
            let point = points[rng.below(points.len())];
            let color = Color::of_ply(ply);
            board.set_side(color);
            exchanged.set_side(color.opponent());
            board.make(point);
            exchanged.make(point);
            let value = Accumulator::new(net, &board).evaluate(net, &board);
            let other = Accumulator::new(net, &exchanged).evaluate(net, &exchanged);
            assert_eq!(value, other);
            assert_ne!(value, 0);
        }
    }
}
