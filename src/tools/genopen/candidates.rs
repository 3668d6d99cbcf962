//! Random positions: candidate number `k` of a seed is always the same.

use std::ops::RangeInclusive;

use crate::rules::{Game, Profile, RuleSpec};
use crate::types::rng::{SplitMix64, split_mix};
use crate::types::{BoardSize, Color, Point};

/// Where candidates come from.
#[derive(Clone, Debug)]
pub struct Source {
    /// The rule, which forbids some positions.
    pub rule: &'static RuleSpec,
    /// The board.
    pub size: BoardSize,
    /// Side of the square around the centre that holds the stones.
    pub area: u8,
    /// How many stones.
    pub stones: RangeInclusive<usize>,
    /// Decides everything.
    pub seed: u64,
}

/// Stones in order of play, alternating from Black.
pub type Stones = Vec<Point>;

/// A position as a set of stones, the same for all its mirror images.
pub type Key = Vec<(Point, Color)>;

impl Source {
    /// The square the stones are drawn from, cut off at the edge of the board.
    pub fn square(&self) -> Vec<Point> {
        let center = self.size.center();
        let low = i32::from(self.area / 2);
        let high = i32::from(self.area) - 1 - low;
        let inside = |v: u8, c: u8| {
            let offset = i32::from(v) - i32::from(c);
            (-low..=high).contains(&offset)
        };
        let near = |p: &Point| inside(p.x(), center.x()) && inside(p.y(), center.y());
        self.size.points().filter(near).collect()
    }

    /// Candidate number `k`; `None` when these stones end the game or one is forbidden.
    pub fn candidate(&self, k: u64) -> Option<Stones> {
        // Seeds of neighbouring candidates share nothing after two rounds of mixing.
        let mut rng = SplitMix64::new(split_mix(split_mix(self.seed) ^ split_mix(k)));
        let mut free = self.square();
        let span = self.stones.end() - self.stones.start() + 1;
        let count = (self.stones.start() + rng.below(span)).min(free.len());
        let mut game = Game::new(self.rule, self.size, Profile::Casual);
        for _ in 0..count {
            let point = free.swap_remove(rng.below(free.len()));
            game.play(point).ok()?;
        }
        game.outcome().is_none().then(|| game.moves().to_vec())
    }

    /// The name of a position among its mirror images: the smallest of their stone lists.
    pub fn key(&self, stones: &[Point]) -> Key {
        let image = |symmetry: u8| {
            let turn =
                |(ply, &p): (usize, &Point)| (self.size.transform(p, symmetry), Color::of_ply(ply));
            let mut key: Key = stones.iter().enumerate().map(turn).collect();
            key.sort_unstable();
            key
        };
        (0..self.size.symmetries())
            .map(image)
            .min()
            .unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(rule: &str, width: i64, height: i64) -> Source {
        Source {
            rule: RuleSpec::by_name(rule).unwrap(),
            size: BoardSize::new(width, height).unwrap(),
            area: 7,
            stones: 3..=6,
            seed: 5,
        }
    }

    #[test]
    fn candidates_are_reproducible_and_in_the_square() {
        let source = source("renju", 15, 15);
        assert_eq!(source.square().len(), 49);
        let mut counts = [0; 8];
        for k in 0..500 {
            let stones = source.candidate(k);
            assert_eq!(stones, source.candidate(k));
            let Some(stones) = stones else { continue };
            counts[stones.len()] += 1;
            let center = source.size.center();
            assert!(stones.iter().all(|p| p.distance(center) <= 3));
        }
        assert!((3..=6).all(|n| counts[n] > 50), "{counts:?}");
        let other = Source { seed: 6, ..source };
        assert_ne!(
            other.candidate(1),
            self::source("renju", 15, 15).candidate(1)
        );
    }

    #[test]
    fn mirror_images_have_one_key() {
        for source in [source("freestyle", 15, 15), source("freestyle", 20, 15)] {
            let stones = source.candidate(0).or_else(|| source.candidate(1)).unwrap();
            let key = source.key(&stones);
            for symmetry in 0..source.size.symmetries() {
                let turn = |&p: &Point| source.size.transform(p, symmetry);
                let mut image: Vec<Point> = stones.iter().map(turn).collect();
                // Other order of the same stones: swap Black's first two.
                image.swap(0, 2);
                assert_eq!(source.key(&image), key);
            }
            let mut other = stones.clone();
            other.swap(0, 1);
            assert_ne!(source.key(&other), key);
        }
    }
}
