//! Legal actions as a list, and one of them at random.

use rand::RngExt;
use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};

use super::action::Action;
use super::state::State;
use super::turn::Choice;
use crate::types::Point;

impl State {
    /// All legal actions, if there are at most `limit`; none when the opening is over. The
    /// points of an offer come in ascending order only: another order is the same offer.
    pub fn actions(&self, limit: usize) -> Option<Vec<Action>> {
        let turn = self.legal();
        let mut found = Vec::new();
        for choice in turn.iter().flat_map(|turn| &turn.choices) {
            let room = limit.checked_sub(found.len())?;
            match choice {
                Choice::Place(slots) => {
                    let lists: Vec<&[Point]> = slots.iter().map(|s| s.points.as_slice()).collect();
                    let different = |points: &[Point], point| !points.contains(&point);
                    let sets = Sets::find(&lists, lists.len(), room, &different)?;
                    found.extend(sets.into_iter().map(Action::Place));
                }
                Choice::Offer { slot, least, most } => {
                    let symmetries = self.symmetries();
                    let different = |points: &[Point], point| {
                        points.last().is_none_or(|&last| last < point)
                            && !points.iter().any(|&other| symmetries.equal(other, point))
                    };
                    let lists = vec![slot.points.as_slice(); *most];
                    let sets = Sets::find(&lists, *least, room, &different)?;
                    found.extend(sets.into_iter().map(Action::Offer));
                }
                Choice::Swap => found.push(Action::Swap),
                Choice::Stay => found.push(Action::Stay),
                Choice::Refuse => found.push(Action::Refuse),
                Choice::Declare { from, to } => found.extend((*from..=*to).map(Action::Declare)),
                Choice::Pick(slot) => found.extend(slot.points.iter().map(|&p| Action::Pick(p))),
                Choice::Move { from, to, .. } => {
                    let moves = |&stone| to.iter().map(move |&point| Action::Move(stone, point));
                    found.extend(from.iter().flat_map(moves));
                }
                Choice::Roll { slot, face: None } => {
                    found.extend((1..=slot.points.len()).map(Action::Roll));
                }
                Choice::Roll {
                    face: Some(face), ..
                } => found.push(Action::Roll(*face)),
            }
        }
        (found.len() <= limit).then_some(found)
    }

    /// A legal action at random, each kind of choice equally often; none when the opening is
    /// over.
    pub fn random(&self, rng: &mut SmallRng) -> Option<Action> {
        let turn = self.legal()?;
        Some(match turn.choices.choose(rng)? {
            Choice::Place(slots) => {
                let mut points: Vec<Point> = Vec::new();
                for slot in slots {
                    let free = |point: &&Point| !points.contains(point);
                    let free: Vec<&Point> = slot.points.iter().filter(free).collect();
                    points.push(**free.choose(rng)?);
                }
                Action::Place(points)
            }
            Choice::Swap => Action::Swap,
            Choice::Stay => Action::Stay,
            Choice::Declare { from, to } => Action::Declare(rng.random_range(*from..=*to)),
            Choice::Offer { slot, least, most } => {
                let mut points = slot.points.clone();
                points.shuffle(rng);
                let mut points = self.symmetries().different(&points);
                points.truncate(rng.random_range(*least..=*most));
                Action::Offer(points)
            }
            Choice::Pick(slot) => Action::Pick(*slot.points.choose(rng)?),
            Choice::Refuse => Action::Refuse,
            Choice::Move { from, to, .. } => Action::Move(*from.choose(rng)?, *to.choose(rng)?),
            Choice::Roll { slot, face } => {
                let thrown = rng.random_range(1..=slot.points.len());
                Action::Roll(face.unwrap_or(thrown))
            }
        })
    }
}

/// The ways to take a point from each of some lists.
struct Sets<'a> {
    lists: &'a [&'a [Point]],
    /// Shorter ways are none.
    least: usize,
    limit: usize,
    /// May the point follow these?
    may_follow: &'a dyn Fn(&[Point], Point) -> bool,
    points: Vec<Point>,
    found: Vec<Vec<Point>>,
}

impl<'a> Sets<'a> {
    /// All of them; none when there are more than `limit`.
    fn find(
        lists: &'a [&'a [Point]],
        least: usize,
        limit: usize,
        may_follow: &'a dyn Fn(&[Point], Point) -> bool,
    ) -> Option<Vec<Vec<Point>>> {
        let mut sets = Sets {
            lists,
            least,
            limit,
            may_follow,
            points: Vec::new(),
            found: Vec::new(),
        };
        sets.extend()?;
        Some(sets.found)
    }

    fn extend(&mut self) -> Option<()> {
        if self.points.len() >= self.least {
            self.found.push(self.points.clone());
        }
        if self.found.len() > self.limit {
            return None;
        }
        let list = self
            .lists
            .get(self.points.len())
            .copied()
            .unwrap_or_default();
        for &point in list {
            if (self.may_follow)(&self.points, point) {
                self.points.push(point);
                self.extend()?;
                self.points.pop();
            }
        }
        Some(())
    }
}
