use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use super::judges::{Judge, NoOpinion};
use super::list::List;
use super::{Job, Source};
use crate::record::openings::{self, Format};
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Point};

/// Decides by the coordinates alone; asks to stop after so many positions in all.
struct Toy<'a> {
    asked: &'a AtomicUsize,
    stop_at: usize,
    stop: &'a AtomicBool,
    weight: usize,
}

impl Judge for Toy<'_> {
    fn win_rate(&mut self, stones: &[Point]) -> Result<f64, NoOpinion> {
        if self.asked.fetch_add(1, Ordering::Relaxed) >= self.stop_at {
            self.stop.store(true, Ordering::Relaxed);
            return Err(NoOpinion::Stopped);
        }
        let sum: usize = stones.iter().map(|p| p.index() * self.weight).sum();
        Ok((sum % 101) as f64 / 100.0)
    }
}

fn source() -> Source {
    Source {
        rule: RuleSpec::by_name("renju").unwrap(),
        size: BoardSize::STANDARD,
        area: 5,
        stones: 2..=5,
        seed: 3,
    }
}

struct Path(PathBuf);

impl Path {
    fn new(name: &str) -> Path {
        let name = format!("tengen-genopen-{name}-{}", std::process::id());
        let path = Path(std::env::temp_dir().join(name));
        path.remove();
        path
    }

    fn state(&self) -> PathBuf {
        PathBuf::from(format!("{}.state", self.0.display()))
    }

    fn remove(&self) {
        let _ = std::fs::remove_file(&self.0);
        let _ = std::fs::remove_file(self.state());
    }

    fn read(&self) -> String {
        std::fs::read_to_string(&self.0).unwrap()
    }
}

impl Drop for Path {
    fn drop(&mut self) {
        self.remove();
    }
}

const HEADER: &str = "# a list\n# made so\n";

fn generate(path: &Path, count: usize, threads: usize, stop_at: usize) -> Result<(), String> {
    let (source, stop, asked) = (source(), AtomicBool::new(false), AtomicUsize::new(0));
    let Some(list) = List::open(&path.0, HEADER, count)? else {
        return Err("complete".to_owned());
    };
    let toy = |weight| Toy {
        asked: &asked,
        stop_at,
        stop: &stop,
        weight,
    };
    let judges = || -> Vec<Box<dyn Judge + '_>> { vec![Box::new(toy(7)), Box::new(toy(31))] };
    let job = Job {
        source: &source,
        count,
        bound: 0.2,
        threads,
        stop: &stop,
    };
    job.run(list, &judges)
}

#[test]
fn the_list_does_not_depend_on_threads_or_stops() {
    let (one, many) = (Path::new("one"), Path::new("many"));
    generate(&one, 40, 1, usize::MAX).unwrap();
    let text = one.read();
    assert!(!one.state().exists());
    let openings = openings::read(&text, BoardSize::STANDARD, Format::Offsets).unwrap();
    assert_eq!(openings.len(), 40);
    let keys: std::collections::BTreeSet<_> = openings.iter().map(|o| source().key(o)).collect();
    assert_eq!(keys.len(), 40);

    for stop_at in [0, 1, 50, 60, 100] {
        let stopped = generate(&many, 40, 3, stop_at).unwrap_err();
        assert!(stopped.starts_with("stopped after"), "{stopped}");
        // What a kill can leave behind: half a line, or an opening the state does not know.
        let mut text = many.read();
        text.push_str(if stop_at == 50 {
            "0,0, 1,1\n"
        } else {
            "0,0, 1,"
        });
        std::fs::write(&many.0, text).unwrap();
        let mut state = std::fs::read_to_string(many.state()).unwrap();
        state.push_str("un");
        std::fs::write(many.state(), state).unwrap();
    }
    generate(&many, 40, 2, usize::MAX).unwrap();
    assert_eq!(many.read(), text);
    assert_eq!(
        generate(&many, 40, 2, usize::MAX),
        Err("complete".to_owned())
    );
}

#[test]
fn other_parameters_and_used_up_squares_are_refused() {
    let path = Path::new("refused");
    std::fs::write(&path.0, "# another list\n0,0\n").unwrap();
    let error = generate(&path, 5, 1, usize::MAX).unwrap_err();
    assert!(error.contains("other parameters"), "{error}");
    assert_eq!(path.read(), "# another list\n0,0\n");
    path.remove();
    let (source, stop) = (
        Source {
            area: 2,
            stones: 1..=2,
            ..source()
        },
        AtomicBool::new(false),
    );
    let list = List::open(&path.0, HEADER, 100).unwrap().unwrap();
    let asked = AtomicUsize::new(0);
    let judges = || -> Vec<Box<dyn Judge + '_>> {
        vec![Box::new(Toy {
            asked: &asked,
            stop_at: 100,
            stop: &stop,
            weight: 0,
        })]
    };
    let job = Job {
        source: &source,
        count: 100,
        bound: 0.5,
        threads: 2,
        stop: &stop,
    };
    let error = job.run(list, &judges).unwrap_err();
    assert!(error.contains("no new positions"), "{error}");
    // Side 2 holds four points: all single stones are mirror images on an odd board only as far
    // as the square is symmetric, so there are few, and all of them are in the list.
    assert!(path.read().lines().count() > 3);
}

#[cfg(unix)]
mod second {
    use super::super::judges::External;
    use super::super::second_engine;
    use super::*;
    use crate::tools::matches::fakes;
    use crate::tools::matches::player::{Reuse, Terms};
    use std::time::Duration;

    fn ask(behaviour: &str) -> Result<f64, NoOpinion> {
        let command = fakes::command(behaviour, 9, 0);
        let entrant = second_engine(&format!("name=Two,nodes=10,cmd=\"{command}\"")).unwrap();
        let stop = AtomicBool::new(false);
        let terms = Terms {
            rule: RuleSpec::FREESTYLE,
            size: BoardSize::STANDARD,
            tolerance: Duration::from_millis(500),
            patience: Duration::from_secs(2),
            reuse: Reuse::Never,
        };
        External::new(&entrant, terms, &stop).win_rate(&[Point::new(7, 7)])
    }

    #[test]
    fn win_rates_are_read_and_faults_are_told() {
        assert!(matches!(ask("level"), Ok(rate) if rate == 0.52));
        for (behaviour, text) in [("good", "no 'INFO WINRATE'"), ("crash", "failed: crash")] {
            let Err(NoOpinion::Fault(fault)) = ask(behaviour) else {
                panic!("{behaviour} has an opinion");
            };
            assert!(fault.contains(text), "{fault}");
        }
    }
}
