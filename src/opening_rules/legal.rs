//! What is legal: the deeds of the table filled with the points of the position, and why an
//! action is not one of them.

use super::action::Action;
use super::state::State;
use super::table::{Count, Deed, Region, Stone};
use super::turn::{Choice, Slot, points_in_words};
use crate::record::notation::{Rows, format_point};
use crate::types::rng::SplitMix64;
use crate::types::{Color, Point, Symmetries};

impl State {
    /// The deed in the present position.
    pub(super) fn choice(&self, deed: &Deed) -> Choice {
        let next = self.stones.len() + 1;
        match deed {
            Deed::Place(stones) => {
                let slots = (next..).zip(stones);
                Choice::Place(
                    slots
                        .map(|(number, stone)| self.slot(number, *stone))
                        .collect(),
                )
            }
            Deed::Swap => Choice::Swap,
            Deed::Stay => Choice::Stay,
            Deed::Declare { from, to } => Choice::Declare {
                from: *from,
                to: to.unwrap_or(self.free(Region::Any).len() / 2),
            },
            Deed::Offer { stone, count } => {
                let declared = self.declared.unwrap_or(1);
                let (least, most) = match count {
                    Count::Between(least, most) => (*least, *most),
                    Count::Declared => (declared, declared),
                };
                let slot = self.slot(next + self.offers.len(), *stone);
                Choice::Offer { slot, least, most }
            }
            Deed::Pick => {
                let offer = self.offers.first();
                Choice::Pick(Slot {
                    number: next,
                    color: offer.map_or(Color::Black, |offer| offer.color),
                    region: offer.map_or(Region::Any, |offer| offer.region),
                    points: offer.map_or(Vec::new(), |offer| offer.points.clone()),
                })
            }
            Deed::Refuse => Choice::Refuse,
            Deed::Move { stones, region } => {
                let placed = self.stones.iter().zip(1..);
                let may_move = placed.filter(|(s, number)| !s.moved && stones.contains(number));
                Choice::Move {
                    from: may_move.map(|(stone, _)| stone.point).collect(),
                    to: self.free(*region),
                    region: *region,
                }
            }
            Deed::Roll(stone) => {
                let mut slot = self.slot(next, *stone);
                slot.points = self.symmetries().different(&slot.points);
                let face = self
                    .setup
                    .seed
                    .map(|seed| self.throw(seed, slot.points.len()));
                Choice::Roll { slot, face }
            }
        }
    }

    fn slot(&self, number: usize, stone: Stone) -> Slot {
        Slot {
            number,
            color: stone.color,
            region: stone.region,
            points: self.free(stone.region),
        }
    }

    /// The points of the region without a stone and without an offered one.
    fn free(&self, region: Region) -> Vec<Point> {
        let size = self.setup.size;
        let free = |point: &Point| region.contains(*point, size) && !self.is_taken(*point);
        size.points().filter(free).collect()
    }

    fn is_taken(&self, point: Point) -> bool {
        let placed = self.stones.iter().any(|stone| stone.point == point);
        placed
            || self
                .offers
                .iter()
                .any(|offer| offer.points.contains(&point))
    }

    /// The points of which no earlier one in the list is the same by a symmetry of the stones and
    /// of the open offers.
    pub fn different(&self, points: &[Point]) -> Vec<Point> {
        self.symmetries().different(points)
    }

    /// The symmetries of the stones and of the open offers.
    pub(super) fn symmetries(&self) -> Symmetries {
        let stones = self
            .stones
            .iter()
            .map(|stone| (stone.point, stone.color.index()));
        let offers = self.offers.iter().zip(Color::ALL.len()..);
        let offered = offers.flat_map(|(offer, mark)| offer.points.iter().map(move |&p| (p, mark)));
        let marks: Vec<(Point, usize)> = stones.chain(offered).collect();
        Symmetries::of(self.setup.size, &marks)
    }

    /// The number from 1 to `faces` that the seeded die shows next.
    fn throw(&self, seed: u64, faces: usize) -> usize {
        let is_roll = |action: &&Action| matches!(action, Action::Roll(_));
        let rolls = self
            .history
            .iter()
            .map(|(_, action)| action)
            .filter(is_roll)
            .count();
        let mut die = SplitMix64::new(seed);
        for _ in 0..rolls {
            die.next_u64();
        }
        die.below(faces) + 1
    }

    /// Is `action` what `choice` allows? None when it is of another kind.
    pub(super) fn judge(&self, choice: &Choice, action: &Action) -> Option<Result<(), String>> {
        Some(match (choice, action) {
            (Choice::Place(slots), Action::Place(points)) => self.judge_stones(slots, points),
            (Choice::Offer { slot, least, most }, Action::Offer(points)) => {
                self.judge_offer(slot, *least..=*most, points)
            }
            (Choice::Declare { from, to }, Action::Declare(number)) => {
                let in_range = (from..=to).contains(&number);
                let reason = || format!("the number must be from {from} to {to}, not {number}");
                in_range.then_some(()).ok_or_else(reason)
            }
            (Choice::Pick(slot), Action::Pick(point)) => {
                let reason = || {
                    let offered = self.names(&slot.points);
                    format!("{} was not offered, {offered} were", self.name(*point))
                };
                slot.points.contains(point).then_some(()).ok_or_else(reason)
            }
            (Choice::Move { from, to, region }, Action::Move(stone, point)) => {
                if from.contains(stone) {
                    self.judge_point(*point, *region, to)
                } else {
                    let movable = self.names(from);
                    Err(format!(
                        "{} may not be moved, only {movable}",
                        self.name(*stone)
                    ))
                }
            }
            (Choice::Roll { slot, face }, Action::Roll(number)) => {
                let faces = slot.points.len();
                match face {
                    Some(face) if face != number => Err(format!("the die shows {face}")),
                    None if !(1..=faces).contains(number) => {
                        Err(format!("the die has the numbers 1 to {faces}"))
                    }
                    _ => Ok(()),
                }
            }
            (Choice::Swap, Action::Swap)
            | (Choice::Stay, Action::Stay)
            | (Choice::Refuse, Action::Refuse) => Ok(()),
            _ => return None,
        })
    }

    fn judge_stones(&self, slots: &[Slot], points: &[Point]) -> Result<(), String> {
        if slots.len() != points.len() {
            let due: Vec<String> = slots.iter().map(Slot::to_string).collect();
            let stones = if slots.len() == 1 {
                "stone is"
            } else {
                "stones are"
            };
            let (count, due, given) = (slots.len(), due.join(", "), points.len());
            return Err(format!("{count} {stones} due ({due}), not {given}"));
        }
        self.judge_repeats(points)?;
        for (slot, &point) in slots.iter().zip(points) {
            let placed = self.judge_point(point, slot.region, &slot.points);
            placed.map_err(|reason| format!("{} {}: {reason}", slot.color, slot.number))?;
        }
        Ok(())
    }

    fn judge_offer(
        &self,
        slot: &Slot,
        count: std::ops::RangeInclusive<usize>,
        points: &[Point],
    ) -> Result<(), String> {
        if !count.contains(&points.len()) {
            let due = points_in_words(*count.start(), *count.end());
            return Err(format!("{due} must be offered, not {}", points.len()));
        }
        self.judge_repeats(points)?;
        let symmetries = self.symmetries();
        for (index, &point) in points.iter().enumerate() {
            self.judge_point(point, slot.region, &slot.points)?;
            let twin = points[..index]
                .iter()
                .find(|&&other| symmetries.equal(other, point));
            if let Some(&twin) = twin {
                let (twin, point) = (self.name(twin), self.name(point));
                return Err(format!("{twin} and {point} are the same by symmetry"));
            }
        }
        Ok(())
    }

    fn judge_repeats(&self, points: &[Point]) -> Result<(), String> {
        let repeats = |(index, point): &(usize, &Point)| points[..*index].contains(point);
        match points.iter().enumerate().find(repeats) {
            Some((_, &point)) => Err(format!("{} is named twice", self.name(point))),
            None => Ok(()),
        }
    }

    /// Is `point` one of the free points of the region?
    fn judge_point(&self, point: Point, region: Region, free: &[Point]) -> Result<(), String> {
        if free.contains(&point) {
            return Ok(());
        }
        let name = self.name(point);
        Err(match self.is_taken(point) {
            true => format!("{name} is taken"),
            false => format!("{name} is not {region}"),
        })
    }

    fn name(&self, point: Point) -> String {
        format_point(point, self.setup.size, Rows::FromBottom)
    }

    fn names(&self, points: &[Point]) -> String {
        let names: Vec<String> = points.iter().map(|&point| self.name(point)).collect();
        names.join(" ")
    }
}
