//! The state of a match: every finished game, the tallies of each pairing, the reports made of
//! them.
//!
//! Each pairing is seen from the engine named first on the command line, the one under test.
//! Beside the score of all games stands the *counted* score: games that its opponent lost by
//! crash, time, silence or garbage are left out, its own failures count as lost. Pairs count
//! when both their games do. Elo and the sequential test rest on the counted games.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::record::{GameRecord, Reason, Winner};
use super::schedule::Schedule;
use super::stats::{Sprt, Tally, Verdict};
use crate::types::Color;

/// Results of one pairing from the view of its first engine.
#[derive(Clone, Debug, Default)]
struct Pairing {
    all: Tally,
    counted: Tally,
    /// Half points and whether the game counts, of pairs with one game finished.
    open: BTreeMap<usize, (u8, bool)>,
    reasons: BTreeMap<Reason, u64>,
}

/// All results so far.
pub struct Standings {
    names: Vec<String>,
    schedule: Schedule,
    pairings: Vec<Pairing>,
    /// Failures and forfeits of each engine by reason.
    faults: Vec<BTreeMap<Reason, u64>>,
    /// Engines that had to be killed after `END`.
    ignored_end: Vec<u64>,
    games: usize,
}

impl Standings {
    /// No results yet.
    pub fn new(names: Vec<String>, schedule: Schedule) -> Standings {
        Standings {
            pairings: vec![Pairing::default(); schedule.pairings().len()],
            faults: vec![BTreeMap::new(); names.len()],
            ignored_end: vec![0; names.len()],
            names,
            schedule,
            games: 0,
        }
    }

    /// Number of finished games.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Adds a game. A game the schedule does not know is ignored.
    pub fn add(&mut self, record: &GameRecord) {
        let Some(slot) = self.schedule.slot(record.game) else {
            return;
        };
        self.games += 1;
        let (first, _) = self.schedule.pairings()[slot.pairing];
        // Openings exchange colours, so the schedule does not know who had which.
        let color = if record.black == self.names[first] {
            Color::Black
        } else {
            Color::White
        };
        let half_points = record.result.half_points(color);
        let counts = !(record.reason.is_failure() && half_points == 2);
        let pairing = &mut self.pairings[slot.pairing];
        pairing.add(slot.pair, half_points, counts);
        *pairing.reasons.entry(record.reason).or_default() += 1;
        if record.reason >= Reason::Illegal {
            let loser = match record.result {
                Winner::Black => &record.white,
                _ => &record.black,
            };
            let one = [slot.black, slot.white]
                .into_iter()
                .find(|&index| self.names[index] == *loser);
            *self.faults[one.unwrap_or(slot.black)]
                .entry(record.reason)
                .or_default() += 1;
        }
        for (index, name) in self.names.iter().enumerate() {
            let note = format!("{name} ignored END");
            self.ignored_end[index] += record.notes.iter().filter(|n| **n == note).count() as u64;
        }
    }

    /// The counted pairs of the first pairing, on which the sequential test rests.
    pub fn counted_pairs(&self) -> [u64; 5] {
        self.pairings.first().map_or([0; 5], |p| p.counted.pairs)
    }

    /// One line for the progress display.
    pub fn short(&self, sprt: Option<&Sprt>) -> String {
        let mut text = match &self.pairings[..] {
            [only] => only.counted.to_string(),
            _ => self.ranking_line(),
        };
        if let Some(sprt) = sprt {
            let (low, high) = sprt.bounds();
            let llr = sprt.llr(&self.counted_pairs());
            let _ = write!(text, "  LLR {llr:+.2} ({low:.2}, {high:.2})");
        }
        text
    }

    /// The whole report.
    pub fn report(&self, sprt: Option<&Sprt>) -> String {
        let mut text = String::new();
        for (pairing, &(a, b)) in self.pairings.iter().zip(self.schedule.pairings()) {
            let _ = writeln!(text, "{} - {}", self.names[a], self.names[b]);
            let _ = writeln!(text, "  all      {}", pairing.all);
            let _ = writeln!(text, "  counted  {}", pairing.counted);
            let left_out = pairing.all.games() - pairing.counted.games();
            if left_out > 0 {
                let why = "lost by crash, time, silence or garbage";
                let name = &self.names[b];
                let _ = writeln!(text, "  left out: {left_out} games that {name} {why}");
            }
            let _ = writeln!(text, "  ends: {}", list(&pairing.reasons));
        }
        if self.names.len() > 2 {
            let _ = writeln!(text, "points: {}", self.ranking_line());
        }
        for (name, (faults, &ends)) in self
            .names
            .iter()
            .zip(self.faults.iter().zip(&self.ignored_end))
        {
            if !faults.is_empty() {
                let _ = writeln!(text, "{name} lost by: {}", list(faults));
            }
            if ends > 0 {
                let _ = writeln!(text, "{name} ignored END: {ends} times");
            }
        }
        if let Some(sprt) = sprt {
            text.push_str(&sprt_line(sprt, &self.counted_pairs()));
        }
        text
    }

    /// Points per engine, best first.
    fn ranking_line(&self) -> String {
        let mut points = vec![(0u64, 0u64); self.names.len()];
        for (pairing, &(a, b)) in self.pairings.iter().zip(self.schedule.pairings()) {
            let Tally {
                wins,
                draws,
                losses,
                ..
            } = pairing.all;
            points[a].0 += 2 * wins + draws;
            points[b].0 += 2 * losses + draws;
            points[a].1 += pairing.all.games();
            points[b].1 += pairing.all.games();
        }
        let mut order: Vec<usize> = (0..points.len()).collect();
        order.sort_by(|&a, &b| {
            // Points per game, compared without division.
            let (x, y) = (points[a], points[b]);
            (y.0 * x.1.max(1)).cmp(&(x.0 * y.1.max(1))).then(a.cmp(&b))
        });
        let entry = |i: usize| {
            let (half, games) = points[i];
            format!("{} {}/{games}", self.names[i], half as f64 / 2.0)
        };
        let entries: Vec<String> = order.into_iter().map(entry).collect();
        entries.join(", ")
    }
}

impl Pairing {
    fn add(&mut self, pair: usize, half_points: u8, counts: bool) {
        self.all.add_game(half_points);
        if counts {
            self.counted.add_game(half_points);
        }
        match self.open.remove(&pair) {
            None => {
                self.open.insert(pair, (half_points, counts));
            }
            Some((other, other_counts)) => {
                self.all.add_pair(half_points + other);
                if counts && other_counts {
                    self.counted.add_pair(half_points + other);
                }
            }
        }
    }
}

fn list(reasons: &BTreeMap<Reason, u64>) -> String {
    let entry = |(reason, n): (&Reason, &u64)| format!("{reason} {n}");
    let entries: Vec<String> = reasons.iter().map(entry).collect();
    entries.join(", ")
}

fn sprt_line(sprt: &Sprt, pairs: &[u64; 5]) -> String {
    let verdict = match sprt.verdict(pairs) {
        Verdict::Undecided => "undecided".to_owned(),
        Verdict::Null => format!("elo {} accepted", sprt.elo0),
        Verdict::Alternative => format!("elo {} accepted", sprt.elo1),
    };
    let (low, high) = sprt.bounds();
    format!(
        "SPRT [{}, {}] alpha {} beta {}: LLR {:+.2} ({low:.2}, {high:.2}), {verdict}\n",
        sprt.elo0,
        sprt.elo1,
        sprt.alpha,
        sprt.beta,
        sprt.llr(pairs)
    )
}
