//! L8: `genopen`, lists of level openings.
//!
//! Random stones near the centre are kept when our engine calls the position level and, if
//! there is a second engine, when that one agrees. Candidates are numbered; which of them end up
//! in the list follows from the parameters alone, not from the number of threads or from stops
//! in between (as long as the second engine is deterministic).
//!
//! * `candidates`: the random positions; `judges`: the engines; `list`: the file.

mod candidates;
mod judges;
mod list;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};

use self::candidates::{Key, Source, Stones};
use self::judges::{External, Judge, NoOpinion, Own};
use self::list::{Fate, List};
use super::matches;
use super::matches::entrant::{EngineLimits, Entrant};
use super::matches::player::{Reuse, Terms};
use super::matches::progress::{Progress, say};
use crate::record::{notation, openings};
use crate::rules::RuleSpec;

/// So many candidates in a row without a new position mean that there are no more.
const USED_UP: usize = 20_000;

/// Make a list of level openings.
#[derive(clap::Args, Clone, Debug)]
pub struct GenOpenArgs {
    /// The rule, by name or Gomocup number
    #[arg(long, default_value = "freestyle")]
    pub rule: String,
    /// The board: 15, 20 or 20x15
    #[arg(long, default_value = "15")]
    pub size: String,
    /// Openings wanted
    #[arg(long, default_value_t = 100)]
    pub count: usize,
    /// Fewest stones of an opening
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub min_stones: usize,
    /// Most stones of an opening
    #[arg(long, value_name = "N", default_value_t = 7)]
    pub max_stones: usize,
    /// Side of the square around the centre that holds them
    #[arg(long, value_name = "POINTS", default_value_t = 7)]
    pub area: u8,
    /// Draws the candidates
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Nodes our engine gives a candidate
    #[arg(long, default_value_t = 100_000)]
    pub nodes: u64,
    /// Greatest distance of a win rate from one half
    #[arg(long, default_value_t = 0.1)]
    pub bound: f64,
    /// Megabytes of hash table of each search of ours
    #[arg(long, value_name = "MB", default_value_t = 64)]
    pub hash: u64,
    /// A second engine that has to agree, described as for `match`; it must print
    /// `INFO WINRATE` after `INFO show_detail 2`
    #[arg(long, value_name = "DESCRIPTION")]
    pub second: Option<String>,
    /// Candidates judged at a time; one for each processor when missing
    #[arg(long, value_name = "N")]
    pub concurrency: Option<usize>,
    /// The list; a run that was stopped is taken up there
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Runs the subcommand.
///
/// # Errors
/// One line for the user.
pub fn run(args: &GenOpenArgs) -> Result<(), String> {
    let source = source(args)?;
    let second = args.second.as_deref().map(second_engine).transpose()?;
    let header = header(args, &source, second.as_ref());
    let Some(list) = List::open(&args.out, &header, args.count)? else {
        say(&format!("{} is complete already", args.out.display()));
        return Ok(());
    };
    let stop = matches::stop_flag()?;
    let terms = Terms {
        rule: source.rule,
        size: source.size,
        tolerance: Duration::from_secs(5),
        patience: Duration::from_secs(60),
        reuse: Reuse::Never,
    };
    let hash = args.hash.clamp(1, 1 << 20) << 20;
    let judges = || -> Vec<Box<dyn Judge + '_>> {
        let own = Own::new(&source, args.nodes, hash, &stop);
        let mut judges: Vec<Box<dyn Judge>> = vec![Box::new(own)];
        if let Some(second) = &second {
            judges.push(Box::new(External::new(second, terms, &stop)));
        }
        judges
    };
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let job = Job {
        source: &source,
        count: args.count,
        bound: args.bound,
        threads: args.concurrency.unwrap_or_else(cores).clamp(1, 256),
        stop: &stop,
    };
    job.run(list, &judges)
}

/// Checks the arguments that say where candidates come from.
fn source(args: &GenOpenArgs) -> Result<Source, String> {
    let rule = RuleSpec::parse(&args.rule)?;
    let size = notation::parse_size(&args.size).map_err(|e| e.to_string())?;
    let (min, max) = (args.min_stones, args.max_stones);
    let source = Source {
        rule,
        size,
        area: args.area,
        stones: min..=max,
        seed: args.seed,
    };
    let room = source.square().len();
    if min > max || min == 0 || max > room.min(100) {
        return Err(format!(
            "--min-stones {min} --max-stones {max}: need 1 or more, at most the {room} points \
             of --area {} and at most 100",
            args.area
        ));
    }
    if args.count == 0 || args.nodes == 0 {
        return Err("--count and --nodes must be 1 or more".to_owned());
    }
    if !(0.0..=0.5).contains(&args.bound) {
        return Err(format!("--bound {} is not between 0 and 0.5", args.bound));
    }
    Ok(source)
}

/// The second engine. One thread, and details switched on.
fn second_engine(description: &str) -> Result<Entrant, String> {
    let common = EngineLimits {
        threads: 1,
        memory: 367_001_600,
        ..EngineLimits::default()
    };
    let mut entrant = Entrant::parse(description, common)?;
    entrant.init.insert(0, "INFO show_detail 2".to_owned());
    Ok(entrant)
}

/// The first lines of the list: what it is and how to make it again.
fn header(args: &GenOpenArgs, source: &Source, second: Option<&Entrant>) -> String {
    let (rule, size) = (source.rule.name, source.size);
    let (count, area, seed) = (args.count, args.area, args.seed);
    let (min, max) = (args.min_stones, args.max_stones);
    let (nodes, bound, hash) = (args.nodes, args.bound, args.hash);
    let mut text = format!(
        "# Level openings for {rule} on {size}: offsets from the centre, Black first.\n\
         # pbrain-tengen genopen --rule {rule} --size {size} --count {count} \
         --min-stones {min} --max-stones {max} --area {area} --seed {seed} \
         --nodes {nodes} --bound {bound} --hash {hash}\n"
    );
    if let Some(second) = second {
        let limits = second.limits;
        let known = [
            ("nodes", limits.nodes),
            ("depth", limits.depth.map(u64::from)),
            ("turn", limits.turn.map(u64::from)),
        ];
        let known = known
            .into_iter()
            .filter_map(|(key, value)| Some((key, value?)));
        let known: Vec<String> = known.map(|(key, value)| format!("{key} {value}")).collect();
        let known = known.join(", ");
        text.push_str(&format!(
            "# {} ({known}) agrees within the same bound.\n",
            second.name
        ));
    }
    text
}

/// A verdict about a candidate, on its way to the list.
struct Judged {
    number: u64,
    fate: Fate,
    stones: Stones,
    rates: Vec<f64>,
}

/// What a run has to do.
struct Job<'a> {
    source: &'a Source,
    count: usize,
    bound: f64,
    threads: usize,
    stop: &'a AtomicBool,
}

/// Makes the judges of one worker, our engine first.
type MakeJudges<'a> = dyn Fn() -> Vec<Box<dyn Judge + 'a>> + Sync + 'a;

impl Job<'_> {
    /// Judges candidates until the list is complete.
    fn run(&self, mut list: List, judges: &MakeJudges<'_>) -> Result<(), String> {
        let mut progress = Progress::new("openings", self.count, list.taken());
        let seen = Mutex::new(self.known(&list.fates));
        let next = AtomicU64::new(list.fates.len() as u64);
        let ended = thread::scope(|scope| {
            let (sender, results) = bounded(self.threads);
            for _ in 0..self.threads {
                let (seen, next, sender) = (&seen, &next, sender.clone());
                scope.spawn(move || self.work(judges(), seen, next, &sender));
            }
            drop(sender);
            let ended = self.collect(&mut list, &seen, &results, &mut progress);
            // Whatever is still being judged is not needed any more.
            self.stop.store(true, Ordering::Relaxed);
            for _ in results {}
            ended
        });
        progress.finish();
        ended?;
        say(&summary(&list));
        list.complete()
    }

    /// Keys of the candidates of an earlier run.
    fn known(&self, fates: &[Fate]) -> BTreeSet<Key> {
        let judged = fates
            .iter()
            .zip(0..)
            .filter(|(fate, _)| !matches!(fate, Fate::Repeated));
        judged
            .filter_map(|(_, k)| Some(self.source.key(&self.source.candidate(k)?)))
            .collect()
    }

    /// Judges one candidate after the other.
    fn work(
        &self,
        mut judges: Vec<Box<dyn Judge + '_>>,
        seen: &Mutex<BTreeSet<Key>>,
        next: &AtomicU64,
        results: &Sender<Result<Judged, NoOpinion>>,
    ) {
        while !self.stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let stones = self.source.candidate(number);
            let verdict = match &stones {
                None => Ok((Fate::Illegal, Vec::new())),
                Some(stones) if contains(seen, &self.source.key(stones)) => {
                    Ok((Fate::Repeated, Vec::new()))
                }
                Some(stones) => self.judge(&mut judges, stones),
            };
            let failed = verdict.is_err();
            let result = verdict.map(|(fate, rates)| Judged {
                number,
                fate,
                stones: stones.unwrap_or_default(),
                rates,
            });
            if results.send(result).is_err() || failed {
                return;
            }
        }
    }

    /// Asks the judges in turn, until one objects.
    fn judge(
        &self,
        judges: &mut [Box<dyn Judge + '_>],
        stones: &[crate::types::Point],
    ) -> Result<(Fate, Vec<f64>), NoOpinion> {
        let mut rates = Vec::new();
        for judge in judges {
            let rate = judge.win_rate(stones)?;
            rates.push(rate);
            // A rate that is not a number is not level either.
            let level = (rate - 0.5).abs() <= self.bound;
            if !level {
                let first = rates.len() == 1;
                return Ok((if first { Fate::Uneven } else { Fate::Disputed }, rates));
            }
        }
        Ok((Fate::Taken, rates))
    }

    /// Puts verdicts into the list in the order of their candidates.
    fn collect(
        &self,
        list: &mut List,
        seen: &Mutex<BTreeSet<Key>>,
        results: &Receiver<Result<Judged, NoOpinion>>,
        progress: &mut Progress,
    ) -> Result<(), String> {
        let mut waiting = BTreeMap::new();
        let mut barren = 0;
        while list.taken() < self.count {
            let Some(judged) = waiting.remove(&(list.fates.len() as u64)) else {
                let Ok(result) = results.recv() else {
                    let (taken, count) = (list.taken(), self.count);
                    return Err(format!(
                        "stopped after {taken} of {count} openings: the same command goes on"
                    ));
                };
                match result {
                    Ok(judged) => drop(waiting.insert(judged.number, judged)),
                    Err(NoOpinion::Fault(text)) => return Err(text),
                    Err(NoOpinion::Stopped) => {}
                }
                continue;
            };
            let mut fate = judged.fate;
            if fate != Fate::Illegal && !insert(seen, self.source.key(&judged.stones)) {
                fate = Fate::Repeated;
            }
            let line = openings::format_offsets(&judged.stones, self.source.size);
            list.add(fate, &line)?;
            barren = match fate {
                Fate::Illegal | Fate::Repeated => barren + 1,
                _ => 0,
            };
            if barren >= USED_UP {
                return Err("no new positions are left: widen --area or the stones".to_owned());
            }
            if fate == Fate::Taken {
                let rates: Vec<String> = judged.rates.iter().map(|r| format!("{r:.3}")).collect();
                let text = format!("{line}  ({})", rates.join(", "));
                progress.step(&text, false, &summary(list));
            } else {
                progress.show(&summary(list));
            }
        }
        Ok(())
    }
}

fn contains(seen: &Mutex<BTreeSet<Key>>, key: &Key) -> bool {
    seen.lock().is_ok_and(|seen| seen.contains(key))
}

/// False when the key was there.
fn insert(seen: &Mutex<BTreeSet<Key>>, key: Key) -> bool {
    seen.lock().is_ok_and(|mut seen| seen.insert(key))
}

/// `1234 candidates: 100 taken, 1000 uneven, 100 disputed, 30 repeated, 4 illegal`.
fn summary(list: &List) -> String {
    let count = |fate| list.count(fate);
    format!(
        "{} candidates: {} taken, {} uneven, {} disputed, {} repeated, {} illegal",
        list.fates.len(),
        count(Fate::Taken),
        count(Fate::Uneven),
        count(Fate::Disputed),
        count(Fate::Repeated),
        count(Fate::Illegal)
    )
}
