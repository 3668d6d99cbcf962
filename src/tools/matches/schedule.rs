//! Who plays whom, with which opening, in which order: everything about the run that is known
//! before it starts, so that a game's number says all of it.

use crate::types::rng::SplitMix64;

/// How openings are taken from their list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Order {
    /// One after the other.
    Seq,
    /// In an order drawn from the seed.
    Random,
}

/// Which openings are taken, in which order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pick {
    /// Length of the list.
    pub count: usize,
    /// Number of the first one taken, after ordering.
    pub start: usize,
    /// The order.
    pub order: Order,
    /// Draws the random order.
    pub seed: u64,
}

/// A game of the schedule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Number of the game.
    pub game: usize,
    /// Which two engines meet (index into [`Schedule::pairings`]).
    pub pairing: usize,
    /// Number of the pair of games within the pairing.
    pub pair: usize,
    /// Index of the engine with the first stone.
    pub black: usize,
    /// Index of its opponent.
    pub white: usize,
    /// Number of the opening in its list.
    pub opening: usize,
}

/// The games of a match, in order: pair after pair, all pairings in turn within each.
#[derive(Clone, Debug)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    openings: Vec<usize>,
    pairs: usize,
}

impl Schedule {
    /// `games` (an even number) between each two of `engines`, or between the first and each
    /// other when `gauntlet`. A list of openings that is used up is taken from its beginning.
    pub fn new(engines: usize, gauntlet: bool, games: usize, pick: Pick) -> Schedule {
        let firsts = if gauntlet { 1 } else { engines };
        let pairings = (0..firsts)
            .flat_map(|a| (a + 1..engines).map(move |b| (a, b)))
            .collect();
        let mut list: Vec<usize> = (0..pick.count.max(1)).collect();
        if pick.order == Order::Random {
            let mut rng = SplitMix64::new(pick.seed);
            for i in (1..list.len()).rev() {
                list.swap(i, rng.below(i + 1));
            }
        }
        let pairs = games / 2;
        let openings = list.iter().cycle().skip(pick.start % list.len());
        Schedule {
            pairings,
            openings: openings.take(pairs).copied().collect(),
            pairs,
        }
    }

    /// Which engines meet, by index, the earlier named first.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// Number of games.
    pub fn games(&self) -> usize {
        self.pairs * self.pairings.len() * 2
    }

    /// Game number `game`, if it exists.
    pub fn slot(&self, game: usize) -> Option<Slot> {
        let width = self.pairings.len().max(1) * 2;
        let (pair, rest) = (game / width, game % width);
        let opening = *self.openings.get(pair)?;
        let &(a, b) = self.pairings.get(rest / 2)?;
        let (black, white) = if rest.is_multiple_of(2) {
            (a, b)
        } else {
            (b, a)
        };
        Some(Slot {
            game,
            pairing: rest / 2,
            pair,
            black,
            white,
            opening,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pick(count: usize, start: usize, order: Order, seed: u64) -> Pick {
        Pick {
            count,
            start,
            order,
            seed,
        }
    }

    #[test]
    fn every_opening_is_played_from_both_sides() {
        let schedule = Schedule::new(3, false, 8, pick(3, 2, Order::Seq, 0));
        assert_eq!(schedule.pairings(), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(schedule.games(), 24);
        let slots: Vec<Slot> = (0..24).filter_map(|g| schedule.slot(g)).collect();
        assert_eq!(slots.len(), 24);
        assert!(schedule.slot(24).is_none());
        for two in slots.chunks(2) {
            assert_eq!(two[0].opening, two[1].opening);
            assert_eq!((two[0].black, two[0].white), (two[1].white, two[1].black));
            assert_eq!((two[0].pair, two[0].pairing), (two[1].pair, two[1].pairing));
        }
        let openings: Vec<usize> = slots.iter().step_by(6).map(|s| s.opening).collect();
        assert_eq!(openings, [2, 0, 1, 2]);
        assert_eq!(
            Schedule::new(3, true, 2, pick(1, 0, Order::Seq, 0)).pairings(),
            [(0, 1), (0, 2)]
        );
    }

    #[test]
    fn random_order_is_a_permutation_fixed_by_the_seed() {
        let order = |seed| Schedule::new(2, false, 200, pick(100, 0, Order::Random, seed)).openings;
        assert_eq!(order(1), order(1));
        assert_ne!(order(1), order(2));
        let mut sorted = order(1);
        sorted.sort_unstable();
        assert_eq!(sorted, (0..100).collect::<Vec<_>>());
    }
}
