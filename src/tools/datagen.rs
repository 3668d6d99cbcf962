//! `datagen`: self-play at fixed nodes from level random openings, for `train`.
//!
//! Each game follows from the seed and its number. Games go to the file one by one, so that a
//! stopped run loses at most the games under way and continues where it was.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::games::{GameRecord, GameWriter, NO_SCORE};
use super::searcher::Searcher;
use super::selfplay;
use crate::record::notation;
use crate::rules::{Game, Profile, RuleSpec};
use crate::time::Limits;
use crate::types::rng::{SplitMix64, split_mix};
use crate::types::{BoardSize, Point, Position, Score};

/// Options of `datagen`.
#[derive(Args, Debug)]
pub struct DataGenArgs {
    /// The rule, by name or number
    #[arg(long, default_value = "freestyle")]
    rule: String,
    /// The board: 15 or 20x15
    #[arg(long, default_value = "15")]
    size: String,
    /// Games in the file at the end
    #[arg(long, default_value_t = 1000)]
    games: u32,
    /// Nodes for a move
    #[arg(long, default_value_t = 2000)]
    nodes: u64,
    /// Largest score of an opening, in score units
    #[arg(long, default_value_t = 180)]
    level: Score,
    /// Seed of all games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time
    #[arg(long, default_value_t = 2)]
    concurrency: usize,
    /// A weight file of the rule to play with, as `train` writes it, instead of the program's own
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// The file; an existing one is continued
    #[arg(long)]
    out: PathBuf,
}

/// Stones of an opening.
const OPENING_STONES: std::ops::RangeInclusive<usize> = 2..=8;
/// Half side of the square an opening is drawn from.
const OPENING_REACH: i64 = 3;
/// Transposition table of one game, in bytes.
const TABLE_BYTES: u64 = 4 << 20;

/// What all games of a run share.
struct Plan<'a> {
    rule: &'static RuleSpec,
    weights: Option<&'a Path>,
    size: BoardSize,
    nodes: u64,
    level: Score,
    seed: u64,
}

/// Runs `datagen`.
///
/// # Errors
/// A line when an option or the file is not usable.
pub fn run(args: &DataGenArgs) -> Result<(), String> {
    let size = notation::parse_size(&args.size).map_err(|error| error.to_string())?;
    let rule = RuleSpec::parse(&args.rule)?;
    let plan = Plan {
        rule,
        weights: args.weights.as_deref(),
        size,
        nodes: args.nodes.max(1),
        level: args.level,
        seed: args.seed,
    };
    let failed = |error: std::io::Error| format!("{}: {error}", args.out.display());
    let (writer, games) = GameWriter::open(&args.out).map_err(failed)?;
    let first = games.iter().map(|game| game.number + 1).max().unwrap_or(0);
    let have = games.len() as u32;
    let bar = progress_bar(args.games.into(), have.into());
    let next = AtomicU32::new(0);
    let writer = Mutex::new(writer);
    let wanted = args.games.saturating_sub(have);
    let work = || -> Result<(), String> {
        let mut player = Player::new(&plan)?;
        loop {
            let offset = next.fetch_add(1, Relaxed);
            if offset >= wanted {
                return Ok(());
            }
            let record = player.play(first + offset)?;
            let mut writer = writer
                .lock()
                .map_err(|_| "another game failed".to_string())?;
            writer.add(&record).map_err(failed)?;
            bar.inc(1);
            report(&bar);
        }
    };
    let result = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..args.concurrency.max(1))
            .map(|_| scope.spawn(work))
            .collect();
        threads
            .into_iter()
            .map(std::thread::ScopedJoinHandle::join)
            .collect::<Vec<_>>()
    });
    bar.finish();
    for outcome in result {
        outcome.map_err(|_| "a game ended in a panic".to_string())??;
    }
    Ok(())
}

fn progress_bar(total: u64, done: u64) -> ProgressBar {
    let bar = ProgressBar::new(total).with_position(done);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} games {per_sec}, {eta} left");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar.reset_eta();
    bar
}

/// Without a terminal: a plain line now and then.
fn report(bar: &ProgressBar) {
    if bar.is_hidden() && bar.position().is_multiple_of(100) {
        let left = bar.eta().as_secs();
        eprintln!(
            "{} games, {:.1} a second, {left} s left",
            bar.position(),
            bar.per_sec()
        );
    }
}

/// Plays one game after another; none learns from those before.
struct Player<'a> {
    plan: &'a Plan<'a>,
    rng: SplitMix64,
    searcher: Searcher,
}

impl<'a> Player<'a> {
    fn new(plan: &'a Plan<'a>) -> Result<Self, String> {
        let mut searcher = Searcher::new(1, TABLE_BYTES);
        searcher.use_weights(plan.weights, plan.rule)?;
        Ok(Player {
            plan,
            rng: SplitMix64::new(plan.seed),
            searcher,
        })
    }

    /// Plays game number `number`, which follows from it and the seed.
    fn play(&mut self, number: u32) -> Result<GameRecord, String> {
        self.rng = SplitMix64::new(split_mix(self.plan.seed ^ u64::from(number) << 32));
        self.searcher.forget();
        let (mut game, mut position) = self.opening()?;
        let opening = game.moves().len();
        let mut moves: Vec<(Point, i16)> = game.moves().iter().map(|p| (*p, NO_SCORE)).collect();
        let mut think = |position: &Position| self.think(position).map(Some);
        let played = selfplay::play_out(&mut game, &mut position, &mut think)?;
        let played = played.ok_or("a game was not played to its end")?;
        let scored = played.moves.into_iter();
        moves.extend(scored.map(|(point, score)| (point, score.clamp(-32_000, 32_000) as i16)));
        let winner = played.winner;
        let (rule, size) = (self.plan.rule.code as u16, self.plan.size);
        Ok(GameRecord {
            number,
            rule,
            size,
            opening,
            winner,
            moves,
        })
    }

    /// A random opening that the engine calls level.
    fn opening(&mut self) -> Result<(Game, Position), String> {
        loop {
            let stones = OPENING_STONES.start()
                + self
                    .rng
                    .below(OPENING_STONES.end() - OPENING_STONES.start() + 1);
            let Some((game, position)) = self.random_stones(stones) else {
                continue;
            };
            let (_, score) = self.think(&position)?;
            if score.abs() <= self.plan.level {
                return Ok((game, position));
            }
        }
    }

    fn random_stones(&mut self, stones: usize) -> Option<(Game, Position)> {
        let size = self.plan.size;
        let mut game = Game::new(self.plan.rule, size, Profile::Judge);
        let mut position = Position::new(size);
        let mut near = |side: u8| {
            let span = i64::from(side) - 2 * OPENING_REACH;
            // The middle of the opening is anywhere that leaves it room, mostly inside.
            OPENING_REACH + (self.rng.below(span.max(1) as usize) as i64 + span / 2) / 2
        };
        let middle = (near(size.width()), near(size.height()));
        let side = 2 * OPENING_REACH as usize + 1;
        while game.moves().len() < stones {
            let x = middle.0 + self.rng.below(side) as i64 - OPENING_REACH;
            let y = middle.1 + self.rng.below(side) as i64 - OPENING_REACH;
            let Some(point) = size.point(x, y) else {
                continue;
            };
            if position.at(point).is_none() {
                game.play(point).ok()?;
                position.play(point);
            }
        }
        game.outcome().is_none().then_some((game, position))
    }

    fn think(&mut self, position: &Position) -> Result<(Point, Score), String> {
        let limits = Limits {
            nodes: Some(self.plan.nodes),
            ..Limits::unlimited()
        };
        let answer = self.searcher.search(position, self.plan.rule, limits)?;
        selfplay::move_of(&answer)
    }
}
