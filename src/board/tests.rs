//! Incremental state against recomputation, fast against slow.

use super::*;
use crate::pattern::{LinearWeights, MoverWeights};
use crate::rules::{self, Grid, PRESETS};
use crate::types::PerColor;
use crate::types::rng::SplitMix64;

fn sizes() -> [BoardSize; 4] {
    [(15, 15), (5, 5), (22, 22), (9, 16)].map(|(w, h)| BoardSize::new(w, h).expect("a size"))
}

/// Weights that differ everywhere, so that a missed update shows.
fn odd_weights() -> LinearWeights {
    let fill = |values: &mut Vec<i16>, factor: usize| {
        for (at, value) in values.iter_mut().enumerate() {
            *value = ((at * factor) % 101) as i16 - 50;
        }
    };
    let mut weights = MoverWeights::zero();
    fill(&mut weights.value, 37);
    fill(&mut weights.own_code_value, 11);
    fill(&mut weights.other_code_value, 17);
    fill(&mut weights.cell_value, 29);
    LinearWeights::new(PerColor([&weights; 2]))
}

/// Everything that `make` and `undo` keep up to date, compared with a board built from scratch.
fn check(board: &Board) {
    let mut value = [0; 2];
    let mut sets = [[Bitboard::EMPTY; CellClass::COUNT]; 2];
    let mut key = zobrist::empty(board.spec().code, board.size);
    if board.side == Color::White {
        key ^= zobrist::WHITE_TO_MOVE;
    }
    for point in board.size.points() {
        for direction in Direction::ALL {
            let mut index = board.empty_line(point, direction);
            for step in (-5..=5).filter(|s| *s != 0) {
                if let Some(color) = board.stone(point.offset(direction.stride(), step)) {
                    index += line::stone_weight(color, step);
                }
            }
            assert_eq!(
                index,
                board.lines[direction.index()][lane(point, direction)]
            );
        }
        assert_eq!(board.is_empty(point), board.empty.contains(point));
        if let Some(color) = board.stone(point) {
            key ^= zobrist::stone(color, point);
            continue;
        }
        let record = board.record_from_classes(board.classes_from_lines(point));
        assert_eq!(record, board.records[point.index()], "{point:?}");
        let (black, white) = record.value.both();
        value = [value[0] + black, value[1] + white];
        for color in Color::ALL {
            sets[color.index()][(record.cell[color.index()] & 15) as usize].insert(point);
        }
        let near = board
            .size
            .points()
            .filter(|p| board.stone(*p).is_some())
            .any(|stone| {
                let (dx, dy) = (point.x().abs_diff(stone.x()), point.y().abs_diff(stone.y()));
                dx.max(dy) <= 2 || dx.max(dy) <= 4 && (dx == dy || dx == 0 || dy == 0)
            });
        assert_eq!(near, board.candidates().contains(point), "{point:?}");
    }
    assert_eq!(value, board.value);
    assert_eq!(key, board.key);
    assert_eq!(sets, board.sets);
    for color in Color::ALL {
        for (set, count) in sets[color.index()].iter().zip(&board.counts[color.index()]) {
            assert_eq!(set.len(), usize::from(*count));
        }
    }
}

/// A random empty point, near the others for most stones so that shapes arise.
fn random_point(board: &Board, rng: &mut SplitMix64) -> Point {
    let near: Vec<Point> = board.candidates().iter().collect();
    let empty: Vec<Point> = board.empties().iter().collect();
    let from = if near.is_empty() || rng.below(8) == 0 {
        &empty
    } else {
        &near
    };
    from[rng.below(from.len())]
}

#[test]
fn incremental_state_is_the_recomputed_one_after_every_make_and_undo() {
    for spec in &PRESETS {
        let tables = Arc::new(RuleTables::new(spec, odd_weights()));
        for size in sizes() {
            let mut rng = SplitMix64::new(u64::from(spec.code) * 1000 + size.area() as u64);
            let mut board = Board::new(Arc::clone(&tables), size);
            check(&board);
            for _ in 0..120 {
                if rng.below(4) == 0 && board.stones() > 0 || board.empty_points() == 0 {
                    board.undo();
                } else {
                    let point = random_point(&board, &mut rng);
                    board.make(point);
                }
                check(&board);
            }
            while board.stones() > 0 {
                board.undo();
            }
            check(&board);
        }
    }
}

#[test]
fn the_eight_symmetries_agree() {
    for spec in &PRESETS {
        let tables = Arc::new(RuleTables::new(spec, odd_weights()));
        for size in sizes() {
            let mut rng = SplitMix64::new(99 + size.area() as u64);
            let mut board = Board::new(Arc::clone(&tables), size);
            let mut moves = Vec::new();
            for _ in 0..size.area().min(70) {
                let point = random_point(&board, &mut rng);
                board.make(point);
                moves.push(point);
            }
            for symmetry in 0..size.symmetries() {
                let mut image = Board::new(Arc::clone(&tables), size);
                for point in &moves {
                    image.make(size.transform(*point, symmetry));
                }
                assert_eq!(image.value(), board.value());
                for point in board.empties().iter() {
                    for color in Color::ALL {
                        let there = size.transform(point, symmetry);
                        assert_eq!(image.class(there, color), board.class(point, color));
                        assert_eq!(
                            image.is_forbidden(there, color),
                            board.clone().is_forbidden(point, color)
                        );
                    }
                }
            }
        }
    }
}

/// A board with shapes: random stones near each other, side to move and counts as they come.
fn busy_board(tables: &Arc<RuleTables>, size: BoardSize, rng: &mut SplitMix64) -> Board {
    let mut board = Board::new(Arc::clone(tables), size);
    let stones = 6 + rng.below(size.area() / 3);
    for _ in 0..stones {
        let point = random_point(&board, rng);
        board.make(point);
        if rng.below(4) == 0 {
            board.set_side(board.side().opponent());
        }
    }
    board
}

/// Compares winning and forbidden points of busy boards with the referee's. Returns the number
/// of points compared.
fn compare_with_referee(spec: &RuleSpec, points: usize, seed: u64) -> usize {
    let tables = Arc::new(RuleTables::new(spec, LinearWeights::zero()));
    let mut rng = SplitMix64::new(seed);
    let mut compared = 0;
    while compared < points {
        let size = sizes()[rng.below(4)];
        let mut board = busy_board(&tables, size, &mut rng);
        let mut grid = Grid::new(size);
        for point in size.points() {
            grid.set(point, board.stone(point));
        }
        for point in board.empties().iter().collect::<Vec<_>>() {
            for color in Color::ALL {
                let slow = (
                    rules::wins(spec, &grid, point, color),
                    rules::forbidden(spec, &grid, point, color).is_some(),
                );
                let wins = board.class(point, color) == CellClass::Five;
                let fast = (wins, board.is_forbidden(point, color));
                assert_eq!(fast, slow, "{} {color} {point:?}\n{board:?}", spec.name);
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn wins_and_forbidden_points_are_the_referees_on_a_million_points_per_rule() {
    for spec in &PRESETS {
        assert!(compare_with_referee(spec, 1_000_000, 11) >= 1_000_000);
    }
}
