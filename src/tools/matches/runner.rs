//! Plays the games of a match with a few workers, keeps the results and shows them.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, bounded};

use super::config::Config;
use super::game::{self, Task};
use super::player::{Player, Trouble};
use super::progress::Progress;
use super::record::{GameRecord, Winner};
use super::schedule::Slot;
use super::standings::Standings;
use super::stats::Verdict;
use super::store::Store;
use crate::opening_rules::Setup;
use crate::types::PerColor;

/// Plays what is left of the match. Setting `stop` ends it at once: the games in progress are
/// lost, finished ones are kept.
///
/// # Errors
/// One line when results cannot be kept; `stop` is set then.
pub fn run(config: &Config, stop: &AtomicBool) -> Result<Standings, String> {
    let names = config.entrants.iter().map(|e| e.name.clone()).collect();
    let mut standings = Standings::new(names, config.schedule.clone());
    let mut done = BTreeSet::new();
    let mut store = None;
    if let Some(folder) = &config.out {
        let (opened, records) = Store::open(folder, &config.plan)?;
        for record in &records {
            standings.add(record);
            done.insert(record.game);
        }
        store = Some(opened);
    }
    if standings.games() < config.schedule.games() {
        rehearse(config, stop)?;
    }
    let progress = Progress::new("games", config.schedule.games(), standings.games());
    if !done.is_empty() {
        progress.note(&format!("{} games were there already", done.len()));
    }
    let hall = Hall {
        config,
        stop,
        done,
        next: AtomicUsize::new(0),
        enough: AtomicBool::new(decided(config, &standings)),
    };
    let mut desk = Desk {
        store,
        standings,
        progress,
    };
    let kept = thread::scope(|scope| {
        let (sender, results) = bounded(config.concurrency);
        for _ in 0..config.concurrency {
            let (hall, sender) = (&hall, sender.clone());
            scope.spawn(move || hall.work(&sender));
        }
        drop(sender);
        desk.collect(&hall, &results)
    });
    desk.progress.finish();
    kept.map(|()| desk.standings)
}

/// Lets every engine start once: a wrong path or a missing library is the user's mistake and
/// shall not become a thousand lost games.
fn rehearse(config: &Config, stop: &AtomicBool) -> Result<(), String> {
    for entrant in &config.entrants {
        let result = Player::new(entrant, config.terms, stop).rehearse();
        if let Err(Trouble::Failed(reason, detail)) = result {
            let name = &entrant.name;
            return Err(format!("{name} does not accept START: {reason}: {detail}"));
        }
    }
    Ok(())
}

/// Has the sequential test, if there is one, come to its end?
fn decided(config: &Config, standings: &Standings) -> bool {
    config
        .sprt
        .is_some_and(|sprt| sprt.verdict(&standings.counted_pairs()) != Verdict::Undecided)
}

/// What the workers share.
struct Hall<'a> {
    config: &'a Config,
    stop: &'a AtomicBool,
    /// Games of an earlier run.
    done: BTreeSet<usize>,
    /// The next game to hand out.
    next: AtomicUsize,
    /// No new games, but those in progress are played to their end.
    enough: AtomicBool,
}

impl Hall<'_> {
    /// Plays games until there are none.
    fn work(&self, results: &Sender<GameRecord>) {
        let config = self.config;
        let player = |entrant| Player::new(entrant, config.terms, self.stop);
        let mut players: Vec<Player> = config.entrants.iter().map(player).collect();
        while let Some(slot) = self.next_slot() {
            let Ok([black, white]) = players.get_disjoint_mut([slot.black, slot.white]) else {
                return;
            };
            let task = Task {
                game: slot.game,
                opening_number: slot.opening,
                opening: config
                    .openings
                    .get(slot.opening)
                    .cloned()
                    .unwrap_or_default(),
                opening_rule: config.opening_rule.map(|setup| Setup {
                    seed: setup.seed.map(|seed| seed.wrapping_add(slot.game as u64)),
                    ..setup
                }),
            };
            let mut players = PerColor([black, white]);
            let (terms, messages) = (&config.terms, config.messages);
            let record = game::play(&task, terms, config.profile, messages, &mut players);
            if record.is_none_or(|record| results.send(record).is_err()) {
                return;
            }
        }
        for player in &mut players {
            player.leave();
        }
    }

    fn next_slot(&self) -> Option<Slot> {
        loop {
            if self.stop.load(Ordering::Relaxed) || self.enough.load(Ordering::Relaxed) {
                return None;
            }
            let game = self.next.fetch_add(1, Ordering::Relaxed);
            let slot = self.config.schedule.slot(game)?;
            if !self.done.contains(&game) {
                return Some(slot);
            }
        }
    }
}

/// Where results arrive.
struct Desk {
    store: Option<Store>,
    standings: Standings,
    progress: Progress,
}

impl Desk {
    fn collect(&mut self, hall: &Hall, results: &Receiver<GameRecord>) -> Result<(), String> {
        let config = hall.config;
        let mut kept = Ok(());
        for record in results {
            if kept.is_err() {
                continue;
            }
            if let Some(store) = &mut self.store {
                kept = store.add(&record);
                if kept.is_err() {
                    // Nothing more can be kept: end the games in progress and leave.
                    hall.stop.store(true, Ordering::Relaxed);
                    continue;
                }
            }
            self.standings.add(&record);
            let notable = record.reason.is_failure() || !record.notes.is_empty();
            let state = self.standings.short(config.sprt.as_ref());
            self.progress.step(&line(&record), notable, &state);
            if decided(config, &self.standings) {
                hall.enough.store(true, Ordering::Relaxed);
            }
        }
        kept
    }
}

/// A finished game in one line.
fn line(record: &GameRecord) -> String {
    let score = match record.result {
        Winner::Black => "1-0",
        Winner::White => "0-1",
        Winner::Draw => "1/2",
    };
    let (game, black, white) = (record.game, &record.black, &record.white);
    let (stones, seconds) = (record.times.len(), total_seconds(record));
    let mut text = format!("game {game}: {black} - {white}  {score}  {stones} stones");
    text.push_str(&format!(", {seconds:.1} s, {}", record.reason));
    if record.detail != record.reason.to_string() {
        text.push_str(&format!(" ({})", record.detail));
    }
    for note in &record.notes {
        text.push_str(&format!("; {note}"));
    }
    text
}

fn total_seconds(record: &GameRecord) -> f64 {
    record.times.iter().map(|&t| u64::from(t)).sum::<u64>() as f64 / 1000.0
}
