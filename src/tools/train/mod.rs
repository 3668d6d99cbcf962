//! `train`: fits the linear value and policy tables of a rule to self-play games.
//!
//! Value: logistic regression on what the next searches and the game's result say. Policy:
//! softmax regression on the move played. Both are sums over cells of what the board already
//! keeps (line class pairs, cell codes) plus a threat mask, so one pass over a position serves
//! both; the value has a small net on top. Adam over all weights, seeded, with the validation
//! games kept apart.

mod model;
mod net;
mod sample;

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::games::{self, GameRecord};
use crate::eval::{self, tuned::WeightFile};
use crate::pattern::{LinearWeights, RuleTables};
use crate::rules::RuleSpec;
use crate::types::Color;
use crate::types::rng::SplitMix64;
use model::{Adam, Gradient, Model, Rates};
use net::{NetAdam, NetGradient, Nets};
use sample::{Losses, Trainee};

/// Options of `train`.
#[derive(Args, Debug)]
pub struct TrainArgs {
    /// Game files of one rule, as `datagen` writes them
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Passes over the games
    #[arg(long, default_value_t = 4)]
    epochs: usize,
    /// How the value's target looks ahead: a ply's target is this share of the next ply's and the
    /// rest the search's score; 0 is the score alone, 1 the game's result alone
    #[arg(long, default_value_t = 0.8)]
    lambda: f32,
    /// Moves played between two steps; fewer for few games, since some thousand steps are needed
    #[arg(long, default_value_t = 256)]
    batch: usize,
    /// First step size of the policy; steps shrink evenly to nothing
    #[arg(long, default_value_t = 0.01)]
    rate: f32,
    /// First step size of the value
    #[arg(long, default_value_t = 0.001)]
    value_rate: f32,
    /// First step size of the small net
    #[arg(long, default_value_t = 0.01)]
    net_rate: f32,
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
            net: self.net_rate * left,
        }
    }
}

/// Every how manyth game is kept for validation.
const VALIDATION_EVERY: u32 = 20;

/// Runs `train`; the last two lines of its output compare the losses on the games kept apart with
/// those of guessing, and the value's with that of the file in the engine's whole numbers.
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
    let mut learner = Learner::new(rule, &trainee, args.threads);
    let mut rng = SplitMix64::new(args.seed);
    let (mut positions, mut checked) = (0, Losses::default());
    for epoch in 0..args.epochs {
        shuffle(&mut training, &mut rng);
        let losses = learner.train_epoch(args, &trainee, (&training, epoch));
        positions = losses.positions;
        checked = learner.accumulate(&trainee, &held).1;
        eprintln!("epoch {:2}  {losses}\n   held out {checked}", epoch + 1);
    }
    let file = WeightFile {
        rule: rule.code,
        positions,
        command: format!(
            "train --epochs {} --lambda {} --batch {} --rate {} --value-rate {} --net-rate {} --seed {}",
            args.epochs,
            args.lambda,
            args.batch,
            args.rate,
            args.value_rate,
            args.net_rate,
            args.seed
        ),
        sets: learner.model.quantised(learner.nets.quantised()),
    };
    std::fs::write(&args.out, file.write())
        .map_err(|error| format!("{}: {error}", args.out.display()))?;
    let tables = Arc::new(RuleTables::new(rule, eval::weights_from(Some(&file), rule)));
    println!("{}", checked.summary());
    let written = sample::check_value(&tables, args.lambda, &held);
    println!("as the engine computes it: value {:.4}", written.value());
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

/// Share of the work after which the nets are seen rounded.
const ROUND_FROM: f32 = 0.7;

/// All weights on their way.
struct Learner {
    model: Model,
    adam: Adam,
    nets: Nets,
    net_adam: NetAdam,
    /// One for each thread.
    net_gradients: Vec<NetGradient>,
}

impl Learner {
    fn new(rule: &RuleSpec, trainee: &Trainee, threads: usize) -> Learner {
        let symmetric = rule.sides[Color::Black] == rule.sides[Color::White];
        let sets = if symmetric { 1 } else { 2 };
        let model = Model::new(sets);
        let nets = Nets::new(sets, &trainee.tables.lines);
        Learner {
            adam: Adam::new(&model),
            net_adam: NetAdam::new(&nets),
            net_gradients: (0..threads.max(1))
                .map(|_| NetGradient::new(&nets))
                .collect(),
            model,
            nets,
        }
    }

    /// Pass number `epoch` over the games with a step after each batch of them.
    fn train_epoch(
        &mut self,
        args: &TrainArgs,
        trainee: &Trainee,
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
            let (gradient, losses) = self.accumulate(trainee, &games[from..to]);
            let progress = (epoch as f32 + to as f32 / games.len() as f32) / args.epochs as f32;
            let rates = args.rates(1.0 - progress);
            if progress > ROUND_FROM {
                self.nets.round(&self.net_adam);
            }
            let positions = losses.positions;
            self.adam
                .step(&mut self.model, &gradient, positions, &rates);
            if let Some((gradient, others)) = self.net_gradients.split_first_mut() {
                others.iter().for_each(|other| gradient.take_in(other));
                self.net_adam
                    .step(&mut self.nets, gradient, positions, rates.net);
            }
            sum.add(&losses);
            from = to;
        }
        sum
    }

    /// Gradient and losses over some games, the games split among the threads in a fixed way;
    /// the gradients of the nets are left in their places.
    fn accumulate(&mut self, trainee: &Trainee, games: &[GameRecord]) -> (Gradient, Losses) {
        let share = games.len().div_ceil(self.net_gradients.len()).max(1);
        let (model, nets) = (&self.model, &self.nets);
        let parts: Vec<(Gradient, Losses)> = std::thread::scope(|scope| {
            self.net_gradients.iter_mut().for_each(NetGradient::clear);
            let threads: Vec<_> = games
                .chunks(share)
                .zip(&mut self.net_gradients)
                .map(|(part, net_gradient)| {
                    scope.spawn(move || {
                        let mut losses = Losses::default();
                        let mut gradients = (Gradient::new(model), net_gradient);
                        for game in part {
                            trainee.learn((model, nets), game, &mut gradients, &mut losses);
                        }
                        (gradients.0, losses)
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
}
