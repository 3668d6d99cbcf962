//! `bench`: fixed positions to a fixed depth on fresh tables. With one thread the node count is
//! the same on every machine: it is the signature of the engine's play.

use std::collections::BTreeMap;
use std::time::Instant;

use clap::Args;

use super::bench_positions::{BenchPosition, positions};
use super::searcher::Searcher;
use crate::engine::{Answer, Reply};
use crate::record::notation::{self, Rows};
use crate::time::Limits;
use crate::types::rng::split_mix;

/// Options of `bench`.
#[derive(Args, Debug)]
pub struct BenchArgs {
    /// Depth of each search in plies
    #[arg(default_value_t = 9)]
    depth: u32,
    /// Search threads; only one gives the same node count every time
    #[arg(default_value_t = 1)]
    threads: usize,
    /// Transposition table in MiB
    #[arg(default_value_t = 16)]
    hash: u64,
}

/// Totals of a bench or a part of it.
#[derive(Default)]
struct Sum {
    nodes: u64,
    micros: u64,
}

impl Sum {
    fn add(&mut self, nodes: u64, micros: u64) {
        self.nodes += nodes;
        self.micros += micros;
    }

    fn nps(&self) -> u64 {
        self.nodes * 1_000_000 / self.micros.max(1)
    }
}

/// Runs the bench and prints a row per position, sums per rule, a hash over moves and scores,
/// and last the line `N nodes M nps`.
///
/// # Errors
/// A line when a position cannot be read.
#[allow(clippy::print_stdout)]
pub fn run(args: &BenchArgs) -> Result<(), String> {
    let (mut total, mut rules) = (Sum::default(), BTreeMap::<&str, Sum>::new());
    let mut hash = 0;
    for (number, entry) in positions()?.iter().enumerate() {
        let (size, start) = (entry.position.size(), Instant::now());
        let answer = search(entry, args)?;
        let micros = start.elapsed().as_micros() as u64;
        let score = answer.lines.first().map_or(0, |line| line.score);
        let best = match &answer.reply {
            Reply::Move(point) => notation::format_point(*point, size, Rows::FromBottom),
            _ => String::new(),
        };
        println!(
            "{:2} {:10} {:>5} {:3} stones {best:>4} score {score:6} nodes {:9} ms {:6}",
            number + 1,
            entry.rule.name,
            size.to_string(),
            entry.position.stones().len(),
            answer.nodes,
            micros / 1000,
        );
        hash = best.bytes().fold(split_mix(hash ^ score as u64), |h, b| {
            split_mix(h ^ u64::from(b))
        });
        total.add(answer.nodes, micros);
        rules
            .entry(entry.rule.name)
            .or_default()
            .add(answer.nodes, micros);
    }
    for (rule, sum) in &rules {
        println!("{rule:10} {:10} n {:8} n/s", sum.nodes, sum.nps());
    }
    println!("moves and scores {hash:016x}");
    println!("{} nodes {} nps", total.nodes, total.nps());
    Ok(())
}

fn search(entry: &BenchPosition, args: &BenchArgs) -> Result<Answer, String> {
    let limits = Limits {
        depth: Some(args.depth),
        ..Limits::unlimited()
    };
    Searcher::new(args.threads, args.hash << 20).search(&entry.position, entry.rule, limits)
}
