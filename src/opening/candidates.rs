//! Actions worth a look.

use std::ops::RangeInclusive;

use rand::RngExt;
use rand::seq::{IndexedRandom, SliceRandom};

use super::Adviser;
use crate::eval;
use crate::opening_rules::{Action, Choice, Region, Slot, State};
use crate::types::{BoardSize, Point};

/// Random placements that are looked at where level ones are wanted.
const PLACEMENTS: usize = 24;
/// Single stones that are looked at where good ones are wanted.
const MOVES: usize = 16;
/// Numbers from the least on that are thought of when one is to be declared.
const NUMBERS: usize = 12;
/// Ways to move a stone that are looked at.
const SHIFTS: usize = 24;
/// Sets that are made of a list of points, about.
const WINDOWS: usize = 6;
/// How far from a stone the next one is put, in rows and columns.
const NEAR: u8 = 3;
/// One placement in so many is anywhere.
const WILD: u32 = 6;

/// The actions of a kind of which there are but a few, whatever is on the board; of numbers the
/// `most` lowest.
pub(super) fn few(choice: &Choice, most: usize) -> Vec<Action> {
    match choice {
        Choice::Swap => vec![Action::Swap],
        Choice::Stay => vec![Action::Stay],
        Choice::Refuse => vec![Action::Refuse],
        Choice::Declare { from, to } => {
            let to = (*to).min(from + most - 1);
            (*from..=to).map(Action::Declare).collect()
        }
        _ => Vec::new(),
    }
}

impl Adviser<'_, '_> {
    /// Actions of a kind, legal or nearly so. An offer takes searching: see `offers`.
    pub(super) fn candidates(&mut self, state: &State, choice: &Choice) -> Vec<Action> {
        match choice {
            Choice::Swap | Choice::Stay | Choice::Refuse | Choice::Declare { .. } => {
                few(choice, NUMBERS)
            }
            Choice::Pick(slot) => slot.points.iter().copied().map(Action::Pick).collect(),
            Choice::Roll { slot, face } => {
                let any = || self.rng.random_range(1..=slot.points.len().max(1));
                vec![Action::Roll(face.unwrap_or_else(any))]
            }
            Choice::Move { from, to, .. } => {
                let shifts = from.iter().flat_map(|&a| to.iter().map(move |&b| (a, b)));
                let mut shifts: Vec<(Point, Point)> = shifts.collect();
                shifts.shuffle(&mut self.rng);
                let shifts = shifts.into_iter().take(SHIFTS);
                shifts.map(|(a, b)| Action::Move(a, b)).collect()
            }
            Choice::Place(slots) => self.placements(state, choice, slots),
            Choice::Offer { .. } => Vec::new(),
        }
    }

    fn placements(&mut self, state: &State, choice: &Choice, slots: &[Slot]) -> Vec<Action> {
        let mut found: Vec<Vec<Point>> = Vec::new();
        let levels = self.is_leveller(state, choice);
        if let [slot] = slots {
            let likely = if levels { MOVES / 3 } else { MOVES };
            let points = self.likely(state, slot, likely);
            found.extend(points.into_iter().map(|point| vec![point]));
        }
        if levels || found.is_empty() {
            for _ in 0..PLACEMENTS {
                let placement = self.any_placement(state, slots);
                found.extend(placement.filter(|points| !found.contains(points)));
            }
            // The likeliest are seldom level, and there may be no time for all.
            found.shuffle(&mut self.rng);
        }
        found.into_iter().map(Action::Place).collect()
    }

    /// A stone for each slot, as a rule near the others; none where they cannot all be placed.
    pub(super) fn any_placement(&mut self, state: &State, slots: &[Slot]) -> Option<Vec<Point>> {
        let stones = state.position();
        let mut there: Vec<Point> = stones.stones().iter().map(|stone| stone.0).collect();
        let mut points: Vec<Point> = Vec::new();
        let anywhere = self.rng.random_range(0..WILD) == 0;
        for slot in slots {
            let free = |point: &Point| !points.contains(point);
            let free: Vec<Point> = slot.points.iter().copied().filter(free).collect();
            let near = |point: &Point| there.iter().any(|stone| stone.distance(*point) <= NEAR);
            let close: Vec<Point> = free.iter().copied().filter(near).collect();
            let point = match (there.is_empty(), slot.region) {
                (true, Region::Any) => self.edgeward(state.setup().size),
                _ if anywhere || close.is_empty() => *free.choose(&mut self.rng)?,
                _ => *close.choose(&mut self.rng)?,
            };
            points.push(point);
            there.push(point);
        }
        Some(points)
    }

    /// A point in the rows towards an edge: there the first stone is worth less, which is what
    /// makes openings level.
    fn edgeward(&mut self, size: BoardSize) -> Point {
        let x = self.rng.random_range(0..size.width());
        let y = self.rng.random_range(0..=size.height() / 4);
        let symmetry = self.rng.random_range(0..size.symmetries());
        size.transform(Point::new(x, y), symmetry)
    }

    /// At most `count` points for the stone of `slot`, no two of them the same by symmetry, those
    /// that the policy likes best first.
    pub(super) fn likely(&mut self, state: &State, slot: &Slot, count: usize) -> Vec<Point> {
        let board = self.board(state, slot.color);
        let mut points = slot.points.clone();
        points.sort_by_cached_key(|point| -eval::policy(&board, *point));
        let mut points = state.different(&points);
        points.truncate(count);
        points
    }
}

/// Sets of neighbours in a list of points, from the first ones on, for each number of them.
pub(super) fn windows(order: &[Point], counts: RangeInclusive<usize>) -> Vec<Action> {
    let sets = counts.flat_map(|count| {
        let windows = order.windows(count.max(1));
        let step = (windows.len() / WINDOWS).max(1);
        windows.step_by(step)
    });
    sets.map(|set| Action::Offer(set.to_vec())).collect()
}
