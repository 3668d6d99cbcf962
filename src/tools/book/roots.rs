//! Where a book begins.

use std::path::PathBuf;

use clap::Args;

use crate::rules::{Game, Profile, RuleSpec};
use crate::tools::matches::config::read_openings;
use crate::tools::matches::export::OpeningFormat;
use crate::types::{BoardSize, Point};

/// Options that name the first positions.
#[derive(Args, Clone, Debug)]
pub struct RootArgs {
    /// A list of openings to begin with, as `match` takes it; may be repeated
    #[arg(long, value_name = "FILE")]
    openings: Vec<PathBuf>,
    /// Begin with all positions of up to so many stones in the middle as well
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(..=4))]
    stones: u8,
    /// Side of the square in the middle that holds them
    #[arg(long, value_name = "POINTS", default_value_t = 5)]
    area: u8,
    /// Leave out the empty board
    #[arg(long)]
    no_empty: bool,
}

impl RootArgs {
    /// The first positions by their stones in turn; a position may be there more than once.
    ///
    /// # Errors
    /// One line about a list that cannot be used.
    pub fn roots(
        &self,
        rule: &'static RuleSpec,
        size: BoardSize,
    ) -> Result<Vec<Vec<Point>>, String> {
        let mut roots = Vec::new();
        if !self.no_empty {
            roots.push(Vec::new());
        }
        for path in &self.openings {
            let (format, profile) = (OpeningFormat::Auto, Profile::Casual);
            roots.extend(read_openings(Some(path), format, rule, size, profile)?);
        }
        roots.extend(self.first_stones(rule, size));
        Ok(roots)
    }

    /// All positions of a few stones in the middle, each once whatever the order of its stones.
    fn first_stones(&self, rule: &'static RuleSpec, size: BoardSize) -> Vec<Vec<Point>> {
        let (center, area) = (size.center(), i32::from(self.area));
        let (low, high) = (-(area / 2), area - 1 - area / 2);
        let near = |point: &Point| {
            let dx = i32::from(point.x()) - i32::from(center.x());
            let dy = i32::from(point.y()) - i32::from(center.y());
            (low..=high).contains(&dx) && (low..=high).contains(&dy)
        };
        let points: Vec<Point> = size.points().filter(near).collect();
        let mut layer: Vec<Vec<Point>> = vec![Vec::new()];
        let mut all = Vec::new();
        for _ in 0..self.stones {
            let mut next = Vec::new();
            for stones in &layer {
                for &point in &points {
                    if !stones.contains(&point) {
                        let mut stones = stones.clone();
                        stones.push(point);
                        next.push(stones);
                    }
                }
            }
            layer = unmirrored(next, size);
            all.extend(
                layer
                    .iter()
                    .filter(|stones| goes_on(stones, rule, size))
                    .cloned(),
            );
        }
        all
    }

    /// The options as they would be typed.
    pub fn options(&self) -> String {
        let mut text = String::new();
        for path in &self.openings {
            text.push_str(&format!(" --openings {}", path.display()));
        }
        if self.stones > 0 {
            text.push_str(&format!(" --stones {} --area {}", self.stones, self.area));
        }
        if self.no_empty {
            text.push_str(" --no-empty");
        }
        text
    }
}

/// One of each set of mirror images.
fn unmirrored(list: Vec<Vec<Point>>, size: BoardSize) -> Vec<Vec<Point>> {
    let mut seen = std::collections::BTreeSet::new();
    list.into_iter()
        .filter(|stones| seen.insert(super::key_after(stones, size)))
        .collect()
}

/// Do these stones make a game that goes on?
pub fn goes_on(stones: &[Point], rule: &'static RuleSpec, size: BoardSize) -> bool {
    let mut game = Game::new(rule, size, Profile::Casual);
    let all = stones.iter().all(|stone| game.play(*stone).is_ok());
    all && game.outcome().is_none()
}
