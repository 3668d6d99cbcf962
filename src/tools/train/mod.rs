//! `train`: fits the linear value and policy tables of a rule to self-play games.
//!
//! Value: logistic regression on a mix of the game's result and the search's score. Policy:
//! softmax regression on the move played. Both are sums over cells of what the board already
//! keeps (line class pairs, cell codes) plus a threat mask, so one pass over a position serves
//! both. Adam over all weights, seeded, with the validation games kept apart.

mod model;
mod sample;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::games::{self, GameRecord};
use crate::eval::tuned::WeightFile;
use crate::pattern::{LinearWeights, RuleTables};
use crate::rules::RuleSpec;
use crate::types::Color;
use crate::types::rng::SplitMix64;
use model::{Adam, Gradient, Model, Rates};
use sample::{Losses, Trainee};

/// Options of `train`.
#[derive(Args, Debug)]
pub struct TrainArgs {
    /// Game files of one rule, as `datagen` writes them
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Passes over the games
    #[arg(long, default_value_t = 8)]
    epochs: usize,
    /// How the value's target looks ahead: a ply's target is this share of the next ply's and the
    /// rest the search's score; 0 is the score alone, 1 the game's result alone
    #[arg(long, default_value_t = 0.8)]
    lambda: f32,
    /// Moves played between two steps; fewer for few games, since some thousand steps are needed
    #[arg(long, default_value_t = 1024)]
    batch: usize,
    /// First step size of the policy; steps shrink evenly to nothing
    #[arg(long, default_value_t = 0.01)]
    rate: f32,
    /// First step size of the value
    #[arg(long, default_value_t = 0.001)]
    value_rate: f32,
    /// Seed of the order of games
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// The weight file
    #[arg(long)]
    out: PathBuf,
}

impl TrainArgs {
    /// Step sizes when that share of the work is left.
    fn rates(&self, left: f32) -> Rates {
        Rates {
            value: self.value_rate * left,
            policy: self.rate * left,
        }
    }
}

/// Every how manyth game is kept for validation.
const VALIDATION_EVERY: u32 = 20;

/// Runs `train`; the last line of its output compares the losses on the games kept apart with
/// those of guessing.
///
/// # Errors
/// A line when a file is not usable.
#[allow(clippy::print_stdout)]
pub fn run(args: &TrainArgs) -> Result<(), String> {
    let (rule, games) = load(&args.games)?;
    let (held, mut training): (Vec<_>, Vec<_>) = games
        .into_iter()
        .partition(|game| game.number.is_multiple_of(VALIDATION_EVERY));
    eprintln!(
        "{}: {} training games, {} for validation",
        rule.name,
        training.len(),
        held.len()
    );
    let tables = Arc::new(RuleTables::new(rule, LinearWeights::zero()));
    let trainee = Trainee {
        tables,
        lambda: args.lambda,
    };
    let symmetric = rule.sides[Color::Black] == rule.sides[Color::White];
    let mut model = Model::new(if symmetric { 1 } else { 2 });
    let mut adam = Adam::new(&model);
    let mut rng = SplitMix64::new(args.seed);
    let (mut positions, mut checked) = (0, Losses::default());
    for epoch in 0..args.epochs {
        shuffle(&mut training, &mut rng);
        let losses = train_epoch(args, &trainee, &mut model, &mut adam, (&training, epoch));
        positions = losses.positions;
        checked = accumulate(args, &trainee, &model, &held).1;
        eprintln!("epoch {:2}  {losses}\n   held out {checked}", epoch + 1);
    }
    let file = WeightFile {
        rule: rule.code,
        positions,
        command: format!(
            "train --epochs {} --lambda {} --batch {} --rate {} --value-rate {} --seed {}",
            args.epochs, args.lambda, args.batch, args.rate, args.value_rate, args.seed
        ),
        sets: model.quantised(),
    };
    std::fs::write(&args.out, file.write())
        .map_err(|error| format!("{}: {error}", args.out.display()))?;
    println!("{}", checked.summary());
    Ok(())
}

/// Reads all files; they must be of one rule.
fn load(paths: &[PathBuf]) -> Result<(&'static RuleSpec, Vec<GameRecord>), String> {
    let mut all: Vec<GameRecord> = Vec::new();
    for path in paths {
        let games = games::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        all.extend(games);
    }
    let code = all
        .first()
        .map(|game| game.rule)
        .ok_or("there are no games in these files")?;
    if all.iter().any(|game| game.rule != code) {
        return Err("the games are of several rules: train one rule at a time".to_string());
    }
    let rule = RuleSpec::by_code(code.into()).ok_or(format!("no rule has the number {code}"))?;
    Ok((rule, all))
}

fn shuffle<T>(items: &mut [T], rng: &mut SplitMix64) {
    for last in (1..items.len()).rev() {
        items.swap(last, rng.below(last + 1));
    }
}

/// Pass number `epoch` over the games with a step after each batch of them.
fn train_epoch(
    args: &TrainArgs,
    trainee: &Trainee,
    model: &mut Model,
    adam: &mut Adam,
    (games, epoch): (&[GameRecord], usize),
) -> Losses {
    let mut sum = Losses::default();
    let mut from = 0;
    while from < games.len() {
        let (mut to, mut moves) = (from, 0);
        while to < games.len() && moves < args.batch {
            moves += games[to].moves.len() - games[to].opening;
            to += 1;
        }
        let (gradient, losses) = accumulate(args, trainee, model, &games[from..to]);
        let progress = (epoch as f32 + to as f32 / games.len() as f32) / args.epochs as f32;
        let rates = args.rates(1.0 - progress);
        adam.step(model, &gradient, losses.positions, &rates);
        sum.add(&losses);
        from = to;
    }
    sum
}

/// Gradient and losses over some games, the games split among the threads in a fixed way.
fn accumulate(
    args: &TrainArgs,
    trainee: &Trainee,
    model: &Model,
    games: &[GameRecord],
) -> (Gradient, Losses) {
    let share = games.len().div_ceil(args.threads.max(1)).max(1);
    let parts: Vec<(Gradient, Losses)> = std::thread::scope(|scope| {
        let threads: Vec<_> = games
            .chunks(share)
            .map(|part| {
                scope.spawn(move || {
                    let (mut gradient, mut losses) = (Gradient::new(model), Losses::default());
                    for game in part {
                        trainee.learn(model, game, &mut gradient, &mut losses);
                    }
                    (gradient, losses)
                })
            })
            .collect();
        threads
            .into_iter()
            .filter_map(|thread| thread.join().ok())
            .collect()
    });
    let (mut gradient, mut losses) = (Gradient::new(model), Losses::default());
    for (part, part_losses) in &parts {
        gradient.add(part);
        losses.add(part_losses);
    }
    (gradient, losses)
}
