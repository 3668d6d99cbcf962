//! The solver against the definitions: a plain search by the referee, and the checker.

use std::sync::Arc;

use super::*;
use crate::pattern::{LinearWeights, RuleTables};
use crate::rules::{Grid, PRESETS, RuleSpec, forbidden, wins};
use crate::types::rng::SplitMix64;
use crate::types::{BoardSize, Color, Position};

fn tables(spec: &RuleSpec) -> Arc<RuleTables> {
    Arc::new(RuleTables::new(spec, LinearWeights::zero()))
}

fn settings(profile: Profile) -> Settings {
    Settings {
        profile,
        memory: 1 << 20,
        shortest: true,
    }
}

/// Fewest fours with which the side to move wins, by the definitions: `None` when it does not
/// within `most`.
fn plain_fours(spec: &RuleSpec, grid: &mut Grid, side: Color, most: usize) -> Option<usize> {
    let empties: Vec<Point> = grid.empty_points().collect();
    if empties.iter().any(|p| wins(spec, grid, *p, side)) {
        return Some(0);
    }
    let mut best: Option<usize> = None;
    for four in empties {
        let most = best.map_or(most, |best| best - 1);
        if most == 0 || forbidden(spec, grid, four, side).is_some() {
            continue;
        }
        grid.set(four, Some(side));
        let fours = plain_defence(spec, grid, side, most);
        grid.set(four, None);
        best = fours.or(best);
    }
    best
}

/// The same after a stone of `attacker` that may or may not be a four.
fn plain_defence(spec: &RuleSpec, grid: &mut Grid, attacker: Color, most: usize) -> Option<usize> {
    let defender = attacker.opponent();
    let empties: Vec<Point> = grid.empty_points().collect();
    let threatens = |grid: &Grid| empties.iter().any(|p| wins(spec, grid, *p, attacker));
    if !threatens(grid) || empties.iter().any(|p| wins(spec, grid, *p, defender)) {
        return None;
    }
    let mut longest = 1;
    for reply in &empties {
        if forbidden(spec, grid, *reply, defender).is_some() {
            continue;
        }
        grid.set(*reply, Some(defender));
        let fours = match threatens(grid) {
            true => Some(0),
            false => plain_fours(spec, grid, attacker, most - 1),
        };
        grid.set(*reply, None);
        longest = longest.max(1 + fours?);
    }
    Some(longest)
}

/// A position of `stones` stones thrown at random, three of five those of `side`, without a
/// winning row.
fn random_position(spec: &RuleSpec, side: Color, stones: usize, rng: &mut SplitMix64) -> Grid {
    let size = BoardSize::square(7).expect("a size");
    let mut grid = Grid::new(size);
    let points: Vec<Point> = size.points().collect();
    let mut placed = 0;
    while placed < stones {
        let color = if rng.below(5) < 3 {
            side
        } else {
            side.opponent()
        };
        let point = points[rng.below(points.len())];
        let is_free = grid.get(point).is_none();
        if is_free && !wins(spec, &grid, point, color) {
            grid.set(point, Some(color));
            placed += 1;
        }
    }
    grid
}

fn board(tables: &Arc<RuleTables>, grid: &Grid, side: Color) -> Board {
    let mut position = Position::new(grid.size());
    for point in grid.size().points() {
        if let Some(color) = grid.get(point) {
            position.add(point, color);
        }
    }
    position.to_move = side;
    Board::from_position(Arc::clone(tables), &position)
}

#[test]
fn wins_by_fours_are_those_of_the_definition() {
    const MOST: usize = 3;
    for spec in &PRESETS {
        let tables = tables(spec);
        let mut rng = SplitMix64::new(u64::from(spec.code) + 77);
        let mut seen = [0; MOST + 2];
        for round in 0..400 {
            let side = Color::of_ply(round);
            let stones = 12 + rng.below(12);
            let mut grid = random_position(spec, side, stones, &mut rng);
            let plain = plain_fours(spec, &mut grid, side, MOST);
            let mut solver = Solver::new(board(&tables, &grid, side), settings(Profile::Casual));
            let found = match solver.solve(Kind::Fours, &Limits::default()) {
                Verdict::Win(step) => {
                    let mut checker = Checker::new(spec, Profile::Casual, grid.clone(), side);
                    assert_eq!(checker.check(&step), Ok(()), "{} {round}", spec.name);
                    Some(step.fours())
                }
                Verdict::NoWin => None,
                Verdict::Unknown => panic!("{} {round}: without limits", spec.name),
            };
            let short = found.filter(|fours| *fours <= MOST);
            assert_eq!(short, plain, "{} {round}", spec.name);
            seen[plain.unwrap_or(MOST + 1)] += 1;
        }
        assert!(
            seen.iter().all(|count| *count > 0),
            "{} {seen:?}",
            spec.name
        );
    }
}
