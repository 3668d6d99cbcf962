//! The solver against the definitions: a plain search by the referee, and the checker.

use std::sync::Arc;

use super::*;
use crate::pattern::{CellClass, LinearWeights, RuleTables};
use crate::rules::{Closing, Grid, PRESETS, RuleSpec, forbidden, wins};
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
fn random_position(
    spec: &RuleSpec,
    size: i64,
    side: Color,
    stones: usize,
    rng: &mut SplitMix64,
) -> Grid {
    let size = BoardSize::square(size).expect("a size");
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
            let mut grid = random_position(spec, 7, side, stones, &mut rng);
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

#[test]
fn moves_off_the_lines_of_a_threat_do_not_refute_it() {
    for spec in &PRESETS {
        let tables = tables(spec);
        let mut rng = SplitMix64::new(u64::from(spec.code) + 78);
        let mut threats = 0;
        for round in 0..300 {
            let side = Color::of_ply(round);
            let grid = random_position(spec, 9, side, 10 + rng.below(16), &mut rng);
            let mut board = board(&tables, &grid, side);
            let opponent = side.opponent();
            if board.has_four(opponent) && rng.below(2) == 0 {
                continue;
            }
            board.set_side(side);
            let mut solver = Solver::new(board, settings(Profile::Casual));
            solver.budget = Budget::new(&Limits::default());
            let Some(threat) = solver.threat_here() else {
                continue;
            };
            threats += 1;
            solver.board.set_side(opponent);
            if solver.board.count_of(opponent, CellClass::Five) > 0 {
                continue;
            }
            let refutations = solver.refutations(&threat);
            for reply in solver.legal_moves() {
                solver.board.make(reply);
                let holds = solver.still_wins(&threat);
                solver.board.undo();
                let refutes = refutations.contains(&reply);
                assert_eq!(holds, !refutes, "{} {round} {reply:?}", spec.name);
            }
        }
        assert!(threats > 20, "{} {threats}", spec.name);
    }
}

#[test]
fn wins_by_threats_hold_against_every_defence() {
    for spec in &PRESETS {
        let tables = tables(spec);
        let mut rng = SplitMix64::new(u64::from(spec.code) + 79);
        let mut quiet = 0;
        for round in 0..80 {
            let side = Color::of_ply(round);
            let grid = random_position(spec, 9, side, 10 + rng.below(12), &mut rng);
            let profile = [Profile::Casual, Profile::Pass, Profile::Judge][round % 3];
            let mut solver = Solver::new(board(&tables, &grid, side), settings(profile));
            if solver.solve(Kind::Fours, &Limits::default()) != Verdict::NoWin {
                continue;
            }
            let limits = Limits {
                nodes: Some(4_000),
                ..Limits::default()
            };
            if let Verdict::Win(step) = solver.solve(Kind::Threes, &limits) {
                let mut checker = Checker::new(spec, profile, grid, side);
                assert_eq!(checker.check(&step), Ok(()), "{} {round}", spec.name);
                quiet += 1;
            }
        }
        assert!(quiet > 0, "{}: no win with a quiet move", spec.name);
    }
}

/// Does `side` win with `left` points empty, by trying everything?
fn plain_win(spec: &RuleSpec, grid: &mut Grid, side: Color, attacker: Color) -> bool {
    let empties: Vec<Point> = grid.empty_points().collect();
    let mine = side == attacker;
    if empties.iter().any(|p| wins(spec, grid, *p, side)) {
        return mine;
    }
    let legal = |grid: &Grid, p: Point| forbidden(spec, grid, p, side).is_none();
    let moves: Vec<Point> = empties.into_iter().filter(|p| legal(grid, *p)).collect();
    // A full board is drawn, and so is a casual game with nothing but forbidden points.
    if moves.is_empty() {
        return false;
    }
    let mut outcomes = moves.into_iter().map(|point| {
        grid.set(point, Some(side));
        let won = plain_win(spec, grid, side.opponent(), attacker);
        grid.set(point, None);
        won
    });
    match mine {
        true => outcomes.any(|won| won),
        false => outcomes.all(|won| won),
    }
}

#[test]
fn full_proofs_are_what_trying_everything_finds() {
    for spec in &PRESETS {
        let tables = tables(spec);
        let mut rng = SplitMix64::new(u64::from(spec.code) + 80);
        let mut won = 0;
        for round in 0..60 {
            let side = Color::of_ply(round);
            let mut grid = random_position(spec, 5, side, 18 + rng.below(4), &mut rng);
            let plain = plain_win(spec, &mut grid, side, side);
            let mut solver = Solver::new(board(&tables, &grid, side), settings(Profile::Casual));
            match solver.solve(Kind::Full, &Limits::default()) {
                Verdict::Win(step) => {
                    assert!(plain, "{} {round}", spec.name);
                    let mut checker = Checker::new(spec, Profile::Casual, grid, side);
                    assert_eq!(checker.check(&step), Ok(()), "{} {round}", spec.name);
                    won += 1;
                }
                Verdict::NoWin => assert!(!plain, "{} {round}", spec.name),
                Verdict::Unknown => panic!("{} {round}: without limits", spec.name),
            }
        }
        // On five points a row has the edge at both ends.
        let can_win = spec.closing != Closing::StonesAndEdge;
        assert_eq!(won > 0, can_win, "{}", spec.name);
    }
}
