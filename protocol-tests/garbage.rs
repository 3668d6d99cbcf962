//! Nonsense of every kind: no crash, no hang, no thinking command without its answer.

use std::path::PathBuf;

use tengen::types::rng::SplitMix64;

use crate::harness::{PATIENCE, Talk, engine, ms};

#[test]
fn item_53_unknown_commands() {
    let mut talk = Talk::on15(&[]);
    for line in [
        "FOO",
        "7,7",
        "DONE",
        "INFOX 1",
        "yxnosuchverb 3",
        "SUGGEST 7,7",
        "\u{1}\u{2}",
    ] {
        talk.send(line);
        let reply = talk.reply();
        assert!(
            reply.starts_with("UNKNOWN ") && reply.len() > 12,
            "{line}: {reply}"
        );
    }
    talk.finish();
}

#[test]
fn item_54_blank_and_long_lines() {
    let mut talk = Talk::on15(&["", "   ", "\t \t", "\r"]);
    talk.silence(ms(100));
    for length in [10_000, 70_000, 1_000_000] {
        talk.send(&"x".repeat(length));
        assert!(talk.reply().starts_with("UNKNOWN "));
        talk.silence(ms(20));
    }
    talk.send_bytes(b"\xff\xfe\x00\x01 \xc3\x28\n");
    assert!(talk.reply().starts_with("UNKNOWN "));
    talk.send_all(&["INFO timeout_turn 30", "TURN 7,7"]);
    talk.mv();
    talk.finish();
}

#[test]
fn bug_unknown_command_foo() {
    let mut talk = Talk::fresh();
    talk.send("FOO 1 2");
    assert!(talk.reply().contains("FOO 1 2"));
    talk.finish();
}

/// Random lines: noise, commands with good and bad arguments, blocks cut anywhere.
struct Nonsense(SplitMix64);

impl Nonsense {
    fn pick<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.0.below(words.len())]
    }

    fn number(&mut self) -> String {
        match self.0.below(8) {
            0 => self
                .pick(&["", "x", "-", "99999999999999999999", "1.5", "0x7", "+3"])
                .to_owned(),
            1 => format!("-{}", self.0.below(30)),
            2 => self.0.below(500).to_string(),
            _ => self.0.below(15).to_string(),
        }
    }

    fn record(&mut self) -> String {
        let comma = self.pick(&[",", ",", ",", " , ", ",,", " ", ";"]);
        let (x, y) = (self.number(), self.number());
        match self.0.below(3) {
            0 => format!("{x}{comma}{y}"),
            _ => format!(
                "{x}{comma}{y},{}",
                self.pick(&["1", "2", "1", "2", "3", "4", "-1", "z"])
            ),
        }
    }

    fn noise(&mut self) -> String {
        let length = self.0.below(60);
        let any = (0..length).map(|_| char::from(self.0.below(256) as u8));
        any.filter(|c| *c != '\n').collect()
    }

    /// An INFO line that keeps searches short and memory small.
    fn info(&mut self) -> String {
        let key = self.pick(&[
            "rule",
            "time_left",
            "timeout_match",
            "game_type",
            "evaluate",
            "folder",
            "show_detail",
            "pondering",
            "thread_num",
            "nonsense",
            "max_node",
            "max_depth",
            "transpose",
            "",
        ]);
        let value = match key {
            "rule" => self
                .pick(&["0", "1", "2", "4", "8", "9", "omok", "x", "77"])
                .to_owned(),
            "time_left" | "timeout_match" => self.pick(&["0", "-5", "3", "y"]).to_owned(),
            _ => self.number(),
        };
        format!("INFO {key} {value}")
    }

    fn line(&mut self) -> String {
        match self.0.below(20) {
            0..=2 => self.noise(),
            3..=5 => self.record(),
            6..=7 => self.info(),
            8..=10 => self.pick(&["DONE", "done", "Done ", "", "  "]).to_owned(),
            11..=13 => {
                let verb = self.pick(&["TURN", "turn", "TAKEBACK", "PLAY", "START", "RECTSTART"]);
                let argument = if self.0.below(2) == 0 {
                    self.record()
                } else {
                    self.number()
                };
                format!("{verb} {argument}")
            }
            14 => {
                let verb = self.pick(&["BOARD", "YXBOARD", "SWAP2BOARD", "yxblock", "YXBLOCKUNDO"]);
                let rest = if self.0.below(2) == 0 {
                    self.record()
                } else {
                    String::new()
                };
                format!("{verb} {rest}")
            }
            15 => {
                let stones: Vec<String> = (0..self.0.below(30)).map(|_| self.record()).collect();
                let verb = self.pick(&["BOARD", "YXBOARD", "SWAP2BOARD"]);
                format!("{verb} {} DONE", stones.join(" "))
            }
            16 => format!("YXNBEST {}", self.number()),
            _ => self
                .pick(&[
                    "BEGIN",
                    "RESTART",
                    "START 15",
                    "START 5",
                    "START 22",
                    "ABOUT",
                    "YXSTOP",
                    "STOP",
                    "YXSHOWFORBID",
                    "YXHASHCLEAR",
                    "yxshowinfo",
                    "yxsetdatabase",
                    "yxhashdump",
                    "yxquerydatabaseall",
                    "yxedittextdatabase \"a",
                    "yxbalanceone 0",
                    "yxdraw",
                    "YXBLOCKRESET",
                    "INFO",
                    "END2",
                    "yxsoosorvstep2",
                ])
                .to_owned(),
        }
    }
}

/// A folder to run in: where a line is a path to write to, nothing of ours may lie.
fn scratch_folder(kind: &str, seed: u64) -> PathBuf {
    let name = format!("tengen-{kind}-{}-{seed}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Sends so many lines of nonsense. After each batch a marker shows that everything before it
/// has been dealt with, and a game can be played.
fn flood(lines: usize, seed: u64) {
    let mut nonsense = Nonsense(SplitMix64::new(seed));
    let folder = scratch_folder("flood", seed);
    let mut command = engine();
    command.current_dir(&folder);
    let mut talk = Talk::spawn(command);
    let batch = 50;
    for number in 0..lines.div_ceil(batch) {
        let mut text = String::from("INFO timeout_turn 0\n");
        for _ in 0..batch {
            text += &nonsense.line();
            text.push('\n');
        }
        // These close whatever is open: a path, a text and its block.
        let marker = format!("marker-{seed}-{number}");
        text += &format!("x\n\"\nDONE\nDONE\n{marker}\n");
        talk.send_bytes(text.as_bytes());
        while !talk.line(PATIENCE).contains(&marker) {}
        talk.send_all(&[
            "INFO rule 0",
            "INFO timeout_turn 0",
            "INFO show_detail 0",
            "YXBLOCKRESET",
        ]);
        talk.start(15);
        talk.send("TURN 7,7");
        assert_ne!(talk.mv(), (7, 7), "seed {seed}, batch {number}");
    }
    talk.finish();
    std::fs::remove_dir_all(folder).expect("the folder");
}

#[test]
fn item_55_and_ten_thousand_lines_of_garbage() {
    // `Talk` checks the form of every line that comes back.
    flood(10_000, 1);
}

#[test]
#[ignore = "ten times the run of item_55_and_ten_thousand_lines_of_garbage"]
fn a_hundred_thousand_lines_of_garbage() {
    for seed in 2..12 {
        flood(10_000, seed);
    }
}

/// Sends nonsense line by line into searches of a minute. Whatever it does to them, each is over
/// once the limit is taken back, and the process leaves at END as always.
fn disturb(searches: usize, seed: u64) {
    let mut nonsense = Nonsense(SplitMix64::new(seed));
    let folder = scratch_folder("disturb", seed);
    let mut command = engine();
    command.current_dir(&folder);
    let mut talk = Talk::spawn(command);
    for number in 0..searches {
        talk.send_all(&["YXBLOCKRESET", "INFO rule 0", "INFO show_detail 0"]);
        talk.start(15);
        talk.send_all(&["INFO timeout_turn 60000", "BOARD 7,7,1 8,9,2 DONE"]);
        for _ in 0..20 {
            std::thread::sleep(ms(nonsense.0.below(4) as u64));
            talk.send(&nonsense.line());
        }
        let marker = format!("marker-{seed}-{number}");
        // A block or a text that is open would swallow the limit.
        talk.send_all(&["DONE", "\"", "DONE", "INFO timeout_turn 0", &marker]);
        while !talk.line(PATIENCE).contains(&marker) {}
    }
    talk.finish();
    std::fs::remove_dir_all(folder).expect("the folder");
}

#[test]
fn garbage_while_thinking() {
    disturb(50, 1);
}

#[test]
#[ignore = "ten times the run of garbage_while_thinking"]
fn garbage_while_thinking_whole() {
    disturb(500, 2);
}

#[test]
fn every_thinking_command_among_garbage_is_answered_once() {
    let mut nonsense = Nonsense(SplitMix64::new(99));
    let mut talk = Talk::on15(&["INFO timeout_turn 0"]);
    let mut text = String::new();
    let rounds = 300;
    for _ in 0..rounds {
        for _ in 0..10 {
            // No verb, so that nothing but BEGIN thinks and no block swallows it.
            text += &format!("# {}\n", nonsense.noise());
        }
        text += "BEGIN\n";
    }
    text += "marker\n";
    talk.send_bytes(text.as_bytes());
    let mut moves = 0;
    loop {
        let line = talk.reply();
        if line.contains("'marker'") {
            break;
        }
        if !line.starts_with("UNKNOWN ") {
            assert_eq!(talk.moves_of(&line).len(), 1);
            moves += 1;
        }
    }
    assert_eq!(moves, rounds);
    talk.finish();
}
