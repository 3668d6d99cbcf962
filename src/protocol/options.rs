//! What `INFO` has told us: clocks and limits, rule, memory and threads, what to show. Turns
//! these into [`Limits`] and [`Settings`]; never answers anything itself, since a reply to an
//! INFO is taken for a bad move by some managers.

use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use super::command::saturating;
use crate::engine::{BookUse, Settings};
use crate::rules::RuleSpec;
use crate::time::Limits;

/// What managers send for "no limit"; also what larger values are cut to by some of them.
const UNLIMITED_MS: i64 = i32::MAX as i64;
/// Time for a move when the manager has set no limit of any kind.
const DEFAULT_TURN_MS: i64 = 30_000;
/// Largest table offered to boards and taken from managers, as the exponent of KiB: 16 GiB.
pub const MAX_HASH_EXPONENT: u32 = 24;
/// Characters kept of the name of a folder.
const MAX_FOLDER: usize = 4000;
/// Characters kept of a rule's name.
const MAX_RULE_NAME: usize = 40;
/// What a changed option means for a search that is running.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing; it counts from the next search on, if at all.
    Later,
    /// The limits of the move are new, its clock is not.
    MoveLimits,
    /// The limits and the clock are new.
    Clock,
}

/// The values received so far.
#[derive(Clone, Debug, Default)]
pub struct Options {
    timeout_turn: Option<i64>,
    timeout_match: Option<i64>,
    time_left: Option<i64>,
    /// Milliseconds spent since `time_left` was received, or since the game began.
    spent: i64,
    /// `time_left` has come since the last move was begun.
    clock_is_fresh: bool,
    increment: i64,
    max_depth: i64,
    max_node: i64,
    max_memory: Option<u64>,
    hash: Option<u64>,
    threads: usize,
    rule: Option<String>,
    has_game_type: bool,
    show_detail: i64,
    transpose: Option<bool>,
    json: bool,
    pondering: bool,
    fold: bool,
    use_database: bool,
    database_is_fixed: bool,
    seed: Option<u64>,
    /// How much is held back of the full strength of 100.
    weakness: u32,
    has_no_book: bool,
    book: BookUse,
}

impl Options {
    /// Takes one `INFO`; the key in lower case. Unknown keys and values that cannot be read
    /// change nothing.
    pub fn set(&mut self, key: &str, value: &str) -> Effect {
        match key {
            "rule" => {
                // It is quoted in errors, so it must be fit to print.
                let shown = value.chars().filter(char::is_ascii_graphic);
                self.rule = Some(shown.take(MAX_RULE_NAME).collect());
            }
            "game_type" => self.has_game_type = true,
            "folder" => {
                let folder: String = value.trim().chars().take(MAX_FOLDER).collect();
                self.book.folder = (!folder.is_empty()).then(|| folder.into());
            }
            _ => {
                let word = value.split_whitespace().next().unwrap_or_default();
                if let Some(number) = saturating(word) {
                    return self.set_number(key, number);
                }
            }
        }
        Effect::Later
    }

    fn set_number(&mut self, key: &str, number: i64) -> Effect {
        match key {
            "timeout_turn" => self.timeout_turn = Some(number),
            "max_depth" => self.max_depth = number,
            "max_node" => self.max_node = number,
            "timeout_match" => {
                self.timeout_match = Some(number);
                return Effect::Clock;
            }
            "time_left" => {
                self.time_left = Some(number);
                self.spent = 0;
                self.clock_is_fresh = true;
                return Effect::Later;
            }
            _ => {
                self.set_rare(key, number);
                return Effect::Later;
            }
        }
        Effect::MoveLimits
    }

    fn set_rare(&mut self, key: &str, number: i64) {
        let unsigned = u64::try_from(number).ok();
        match key {
            "time_increment" => self.increment = number.max(0),
            "max_memory" => {
                if let Some(bytes) = unsigned {
                    self.max_memory = (bytes > 0).then_some(bytes.min(max_hash()));
                }
            }
            "hash_size" => {
                if let Some(kib) = unsigned {
                    self.hash = (kib > 0).then_some(kib.saturating_mul(1024).min(max_hash()));
                }
            }
            "thread_num" => self.threads = usize::try_from(number).unwrap_or(1),
            "show_detail" => self.show_detail = number,
            // Ours: does the sender mean row,column? So that labels like H8 read as it shows them.
            "transpose" => self.transpose = Some(number != 0),
            // Ours: analysis as one JSON object a line.
            "json" => self.json = number != 0,
            "pondering" => self.pondering = number != 0,
            // Ours: makes the choices of an opening repeatable.
            "seed" => self.seed = unsigned,
            "nbestsym" => self.fold = number != 0,
            "usedatabase" => self.use_database = number != 0,
            "database_readonly" => self.database_is_fixed = number != 0,
            "strength" => self.weakness = 100 - number.clamp(0, 100) as u32,
            "book" => self.has_no_book = number == 0,
            "book_variety" => self.book.variety = number.clamp(0, 100) as u8,
            "book_seed" => self.book.seed = unsigned,
            // `caution_factor`, `checkmate` and `vcthread` ask for a wider or another kind of
            // search than some engines have by default; ours looks at all that can matter.
            _ => {}
        }
    }

    /// A new game begins on the manager's side. A clock that the manager keeps goes on.
    pub fn new_game(&mut self) {
        if self.time_left.is_none() {
            self.spent = 0;
        }
    }

    /// A search begins.
    pub fn begin_move(&mut self) {
        self.clock_is_fresh = false;
    }

    /// A search took that long. A `time_left` that came meanwhile already knows.
    pub fn end_move(&mut self, elapsed: Duration) {
        if !self.clock_is_fresh {
            let elapsed = i64::try_from(elapsed.as_millis()).unwrap_or(i64::MAX);
            self.spent = self
                .spent
                .saturating_add(elapsed)
                .saturating_sub(self.increment);
        }
    }

    /// The limits of a move whose turn began at `start`.
    pub fn limits(&self, start: Instant) -> Limits {
        let depth = (self.max_depth > 0).then(|| u32::try_from(self.max_depth).unwrap_or(u32::MAX));
        // The largest value is how an unsigned "no limit" arrives.
        let nodes = (self.max_node > 0 && self.max_node < i64::MAX).then_some(self.max_node as u64);
        // A search that is bound by depth or nodes alone was meant to have no time limit.
        let default = (depth.is_none() && nodes.is_none()).then_some(DEFAULT_TURN_MS);
        let turn = self.timeout_turn.or(default).filter(|turn| *turn >= 0);
        let nodes = match self.weakness {
            0 => nodes,
            weakness => Some(nodes.unwrap_or(u64::MAX).min(weak_nodes(weakness))),
        };
        Limits {
            start,
            turn: turn.map(milliseconds),
            clock: self.clock().map(milliseconds),
            increment: milliseconds(self.increment),
            depth,
            nodes,
        }
    }

    /// Milliseconds left for the game, if it has a clock. A match time of no limit that was
    /// sent explicitly makes `time_left` meaningless: one web board sends 1 with it.
    fn clock(&self) -> Option<i64> {
        let is_bound = |ms: &i64| *ms < UNLIMITED_MS;
        match self.timeout_match {
            Some(ms) if ms <= 0 => return None,
            _ => {}
        }
        let left = match self.time_left {
            Some(ms) => Some(ms).filter(is_bound),
            None => self.timeout_match.filter(is_bound),
        };
        left.map(|ms| ms.saturating_sub(self.spent))
    }

    /// What the engine is to be configured with.
    pub fn settings(&self) -> Settings {
        let default = Settings::default();
        // A table asked for without any bound of memory must find room in the bound we choose.
        let bound = default.memory + self.hash.unwrap_or(0) / 4 * 5;
        Settings {
            threads: self.threads.clamp(1, machine_threads()),
            memory: self.max_memory.unwrap_or(bound),
            hash: self.hash,
        }
    }

    /// The rule of the next search.
    ///
    /// # Errors
    /// A line that lists what is accepted, when the manager asked for something else.
    pub fn rule(&self) -> Result<&'static RuleSpec, String> {
        let Some(text) = &self.rule else {
            return Ok(RuleSpec::FREESTYLE);
        };
        let number = match text.as_str() {
            // Managers that send a game type mean the bit of continuous games, which we decline;
            // boards mean renju.
            "2" if self.has_game_type => "0",
            "2" => "4",
            "3" => "1",
            // A board means freestyle with a swap after the first move or three, a manager a sum
            // with the renju bit.
            "5" | "6" if !self.has_game_type => "0",
            "5" | "6" | "7" => "4",
            // Caro and the bit of continuous games.
            "10" => "8",
            "11" => "9",
            other => other,
        };
        if number == "44" || number == RuleSpec::RENJU_REVERSED.name {
            return Ok(RuleSpec::RENJU_REVERSED);
        }
        RuleSpec::parse(number)
    }

    /// How books are used, if they are.
    pub fn book(&self) -> Option<&BookUse> {
        (!self.has_no_book).then_some(&self.book)
    }

    /// What chance in openings is drawn from, if it is given.
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// Print `MESSAGE REALTIME` lines?
    pub fn shows_realtime(&self) -> bool {
        self.show_detail & 1 != 0
    }

    /// Print `INFO` groups?
    pub fn shows_info(&self) -> bool {
        self.show_detail & 2 != 0
    }

    /// Print the analysis as JSON?
    pub fn shows_json(&self) -> bool {
        self.json
    }

    /// Think on the opponent's time?
    pub fn ponders(&self) -> bool {
        self.pondering
    }

    /// Of several best moves, leave out those that mirror another?
    pub fn folds_mirrored(&self) -> bool {
        self.fold
    }

    /// Is the database to be used, and filled from analysis?
    pub fn uses_database(&self) -> bool {
        self.use_database
    }

    /// May the database not be changed?
    pub fn database_is_fixed(&self) -> bool {
        self.database_is_fixed
    }

    /// Where the database is when no file has been named: in a folder of our own below the one
    /// for data, or beside the program.
    pub fn default_database(&self) -> PathBuf {
        let folder = match &self.book.folder {
            Some(folder) => folder.join("tengen"),
            None => std::env::current_exe()
                .ok()
                .and_then(|program| Some(program.parent()?.to_owned()))
                .unwrap_or_default(),
        };
        folder.join("tengen.db")
    }

    /// Do the coordinates of the protocol mean row,column? None unless told.
    pub fn transposes(&self) -> Option<bool> {
        self.transpose
    }
}

/// Threads that this machine can run at once.
pub fn machine_threads() -> usize {
    available_parallelism().map_or(1, usize::from)
}

/// Nodes of a search that is `weakness` below full strength: 200 at 100, a tenth more with every
/// step up, some 2.5 million at 1.
fn weak_nodes(weakness: u32) -> u64 {
    (weakness..100).fold(200, |nodes, _| nodes * 11 / 10)
}

const fn max_hash() -> u64 {
    1024 << MAX_HASH_EXPONENT
}

fn milliseconds(value: i64) -> Duration {
    Duration::from_millis(u64::try_from(value).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(lines: &[&str]) -> Options {
        let mut options = Options::default();
        for line in lines {
            let (key, value) = line.split_once(' ').unwrap();
            options.set(key, value);
        }
        options
    }

    /// Turn and clock in milliseconds, depth and nodes.
    type Shown = (Option<u128>, Option<u128>, Option<u32>, Option<u64>);

    fn limits(lines: &[&str]) -> Shown {
        shown(&options(lines))
    }

    fn shown(options: &Options) -> Shown {
        let limits = options.limits(Instant::now());
        let ms = |d: Duration| d.as_millis();
        (
            limits.turn.map(ms),
            limits.clock.map(ms),
            limits.depth,
            limits.nodes,
        )
    }

    #[test]
    fn half_a_minute_is_the_default() {
        assert_eq!(limits(&[]), (Some(30_000), None, None, None));
        assert_eq!(limits(&["max_node -1"]), (Some(30_000), None, None, None));
    }

    #[test]
    fn depth_or_nodes_alone_bind_no_time() {
        let fixed_nodes = ["timeout_match 0", "time_left 2147483647", "max_node 20000"];
        assert_eq!(limits(&fixed_nodes), (None, None, None, Some(20_000)));
        assert_eq!(limits(&["max_depth 5"]), (None, None, Some(5), None));
        let largest = ["timeout_turn 5", "max_node 18446744073709551615"];
        assert_eq!(limits(&largest), (Some(5), None, None, None));
    }

    #[test]
    fn strength_is_a_limit_of_nodes_that_leaves_the_clock_alone() {
        let nodes = |strength: &str| limits(&[strength, "timeout_turn 5000"]).3;
        assert_eq!(nodes("strength 100"), None);
        assert_eq!(nodes("strength 1000"), None);
        assert_eq!(nodes("strength 0"), Some(200));
        assert_eq!(nodes("strength -5"), Some(200));
        let strengths: Vec<u64> = (0..100)
            .filter_map(|strength| nodes(&format!("strength {strength}")))
            .collect();
        assert!(strengths.len() == 100 && strengths.is_sorted_by(|a, b| a < b));
        assert!((2_000_000..3_000_000).contains(&strengths[99]));
        assert_eq!(limits(&["strength 50"]).0, Some(30_000));
        assert_eq!(limits(&["strength 50", "max_node 100"]).3, Some(100));
    }

    #[test]
    fn zero_and_negative_turns_differ() {
        assert_eq!(limits(&["timeout_turn 0"]).0, Some(0));
        assert_eq!(limits(&["timeout_turn -1"]).0, None);
        assert_eq!(
            limits(&["timeout_turn -1", "max_depth 3"]),
            (None, None, Some(3), None)
        );
    }

    #[test]
    fn the_match_clock_exists_when_somebody_bounds_it() {
        let clock = |lines: &[&str]| limits(lines).1;
        assert_eq!(clock(&["time_left 100"]), Some(100));
        assert_eq!(clock(&["time_left -500"]), Some(0));
        assert_eq!(clock(&["time_left 2147483647"]), None);
        assert_eq!(clock(&["timeout_match 5000"]), Some(5000));
        assert_eq!(clock(&["timeout_match 5000", "time_left 700"]), Some(700));
        assert_eq!(clock(&["timeout_match 5000", "time_left 2147483647"]), None);
        assert_eq!(clock(&["timeout_match 2147483647"]), None);
        assert_eq!(clock(&["timeout_match -1", "time_left 1"]), None);
        assert_eq!(clock(&["time_left 1", "timeout_match 0"]), None);
        assert_eq!(clock(&["time_left -99999999999999999999"]), Some(0));
    }

    #[test]
    fn without_time_left_we_count_ourselves() {
        let mut options = options(&["timeout_match 5000", "time_increment 100"]);
        options.begin_move();
        options.end_move(Duration::from_millis(1100));
        assert_eq!(shown(&options).1, Some(4000));
        options.new_game();
        assert_eq!(shown(&options).1, Some(5000));
        options.set("time_left", "3000");
        options.begin_move();
        options.end_move(Duration::from_millis(600));
        options.new_game();
        assert_eq!(shown(&options).1, Some(2500));
        options.begin_move();
        options.set("time_left", "1000");
        options.end_move(Duration::from_millis(600));
        assert_eq!(shown(&options).1, Some(1000));
    }

    #[test]
    fn rules_are_read_by_number_name_and_sender() {
        let name = |lines: &[&str]| options(lines).rule().map(|rule| rule.name);
        assert_eq!(name(&[]), Ok("freestyle"));
        assert_eq!(name(&["rule 2"]), Ok("renju"));
        assert_eq!(name(&["game_type 1", "rule 2"]), Ok("freestyle"));
        assert_eq!(name(&["game_type 1", "rule 5"]), Ok("renju"));
        assert_eq!(name(&["rule 6", "game_type 1"]), Ok("renju"));
        for (text, expected) in [
            ("0", "freestyle"),
            ("1", "standard"),
            ("3", "standard"),
            ("4", "renju"),
            ("5", "freestyle"),
            ("6", "freestyle"),
            ("7", "renju"),
            ("8", "caro"),
            ("9", "caro-exact"),
            ("10", "caro"),
            ("17", "omok"),
            ("41", "caro-edge"),
            ("Omok", "omok"),
            ("RENJU", "renju"),
        ] {
            assert_eq!(name(&[&format!("rule {text}")]), Ok(expected), "{text}");
        }
        for text in ["12", "-1", "chess", "99999999999999999999"] {
            assert!(
                name(&[&format!("rule {text}")])
                    .unwrap_err()
                    .contains("omok (17)")
            );
        }
    }

    #[test]
    fn memory_hash_and_threads_are_bounded() {
        let of = |lines: &[&str]| options(lines).settings();
        let default = Settings::default();
        assert_eq!(of(&[]), default);
        assert_eq!(of(&["max_memory 0"]).memory, default.memory);
        assert_eq!(of(&["max_memory -1"]).memory, default.memory);
        assert_eq!(of(&["max_memory 1048576"]).memory, 1 << 20);
        assert_eq!(of(&["max_memory 999999999999999999999"]).memory, 16 << 30);
        assert_eq!(of(&["hash_size 65536"]).hash, Some(64 << 20));
        assert_eq!(of(&["hash_size 65536", "hash_size 0"]).hash, None);
        assert!(of(&["hash_size 1048576"]).memory > 1 << 30);
        for count in ["0", "-3", "1"] {
            assert_eq!(of(&[&format!("thread_num {count}")]).threads, 1);
        }
        assert_eq!(of(&["thread_num 100000"]).threads, machine_threads());
    }

    #[test]
    fn nonsense_changes_nothing() {
        let known = shown(&options(&["timeout_turn 50"]));
        for line in [
            "timeout_turn x",
            "timeout_turn 1.5",
            "evaluate 3,3",
            "folder C:\\x y",
            "no 1",
        ] {
            assert_eq!(shown(&options(&["timeout_turn 50", line])), known, "{line}");
        }
    }
}
