//! Engines that misbehave, for tests. The test program plays them itself: started again with
//! the name of the one test below and with [`VARIABLE`] set, it is an engine. (The lines that
//! the test harness prints around it are passed over like any stray line before an answer.)

use std::io::{BufRead, Write};
use std::time::Duration;

use crate::types::BoardSize;

/// Names the behaviour.
const VARIABLE: &str = "TENGEN_FAKE_ENGINE";

/// The command line of an engine that behaves like that from its `after`-th answer on, and
/// before that plays the first free points row by row from row `row`.
pub fn command(behaviour: &str, row: usize, after: usize) -> String {
    let program = std::env::current_exe().unwrap();
    let test = "tools::matches::fakes::fake_engine";
    format!(
        "env {VARIABLE}={behaviour}/{row}/{after} '{}' --exact {test} --test-threads=1",
        program.display()
    )
}

#[test]
fn fake_engine() {
    let Ok(text) = std::env::var(VARIABLE) else {
        return;
    };
    let parts: Vec<&str> = text.split('/').collect();
    let number = |i: usize| parts[i].parse().unwrap();
    Fake {
        behaviour: parts[0].to_owned(),
        row: number(1),
        after: number(2),
        taken: Vec::new(),
        size: BoardSize::STANDARD,
        answers: 0,
    }
    .run();
    std::process::exit(0);
}

struct Fake {
    behaviour: String,
    row: usize,
    after: usize,
    taken: Vec<(i64, i64)>,
    size: BoardSize,
    answers: usize,
}

fn say(text: &str) {
    // Not print!, which the test harness catches. A broken pipe ends the fake.
    let mut out = std::io::stdout();
    if out
        .write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .is_err()
    {
        std::process::exit(1);
    }
}

fn sleep(ms: u64) {
    std::thread::sleep(Duration::from_millis(ms));
}

impl Fake {
    fn run(&mut self) {
        // Ends the line that the harness has begun.
        say("\n");
        let mut in_board = false;
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            let mut words = line.split([' ', ',']);
            let word = words.next().unwrap_or("");
            let numbers: Vec<i64> = words.filter_map(|w| w.parse().ok()).collect();
            match word {
                "START" | "RECTSTART" => {
                    let (w, h) = (numbers[0], *numbers.get(1).unwrap_or(&numbers[0]));
                    self.size = BoardSize::new(w, h).unwrap();
                    self.taken.clear();
                    say("OK\n");
                }
                "RESTART" => {
                    self.taken.clear();
                    say("OK\n");
                }
                "BEGIN" => self.answer(),
                "TURN" => {
                    self.taken.push((numbers[0], numbers[1]));
                    self.answer();
                }
                "BOARD" => {
                    in_board = true;
                    self.taken.clear();
                }
                "DONE" => {
                    in_board = false;
                    self.answer();
                }
                "END" if self.behaviour == "stay" => loop {
                    sleep(1000);
                },
                "END" => return,
                first if in_board => self.taken.push((first.parse().unwrap(), numbers[0])),
                _ => {}
            }
        }
    }

    fn answer(&mut self) {
        self.answers += 1;
        if self.answers > self.after && self.misbehave() {
            return;
        }
        let (w, h) = (i64::from(self.size.width()), i64::from(self.size.height()));
        let start = self.row as i64 * w;
        let place = |i: i64| ((start + i) % (w * h) % w, (start + i) % (w * h) / w);
        let free = (0..w * h).map(place).find(|p| !self.taken.contains(p));
        let (x, y) = free.unwrap_or((0, 0));
        self.taken.push((x, y));
        say(&format!("MESSAGE {} stones\n{x},{y}\n", self.taken.len()));
    }

    /// False when a proper answer is to follow.
    fn misbehave(&self) -> bool {
        match self.behaviour.as_str() {
            "hang" => loop {
                sleep(1000);
            },
            "crash" => {
                let _ = std::io::stderr().write_all(b"the fake engine breaks\n");
                std::process::exit(3);
            }
            "garbage" => say("ERROR what?\nseven,eight\n"),
            "flood" => loop {
                say("MESSAGE still thinking about it, and about something else as well\n");
            },
            "stream" => loop {
                say("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
            },
            "occupied" => {
                let (x, y) = self.taken[0];
                say(&format!("{x},{y}\n"));
            }
            "outside" => say("15,3\n"),
            "late" => {
                sleep(700);
                return false;
            }
            "talk" => {
                say("MESSAGE a\n");
                sleep(5000);
            }
            "closed" => {
                // Answers, then is gone before the next question.
                say("14,14\n");
                std::process::exit(0);
            }
            "level" => {
                say("INFO PV 0\nINFO WINRATE 0.9\nINFO WINRATE 0.52\n");
                return false;
            }
            _ => return false,
        }
        true
    }
}
