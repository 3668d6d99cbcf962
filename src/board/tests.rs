//! Incremental state against recomputation, fast against slow.

use super::*;
use crate::pattern::LinearWeights;
use crate::rules::PRESETS;
use crate::types::rng::SplitMix64;

fn sizes() -> [BoardSize; 4] {
    [(15, 15), (5, 5), (22, 22), (9, 16)].map(|(w, h)| BoardSize::new(w, h).expect("a size"))
}

/// Weights that differ everywhere, so that a missed update shows.
fn odd_weights() -> LinearWeights {
    let mut weights = LinearWeights::zero();
    for (pair, value) in weights.value.iter_mut().enumerate() {
        *value = (pair as i16 * 37) % 101 - 50;
    }
    for (code, value) in weights.code_value[Color::White].iter_mut().enumerate() {
        *value = (code % 97) as i16 - 48;
    }
    weights
}

/// Everything that `make` and `undo` keep up to date, compared with a board built from scratch.
fn check(board: &Board) {
    let mut value = 0;
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
        let record = board.record_from_lines(point);
        assert_eq!(record, board.records[point.index()], "{point:?}");
        value += i32::from(record.value);
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
