//! Tuning as a whole, with made-up and with real games.

use std::path::Path;

use super::spsa::Trial;
use super::state::Tally;
use super::*;

/// Games decided by which side is nearer to 100 in its first number; `left` of them may be
/// played before the run is stopped.
struct Nearer {
    left: u32,
}

impl Contest for Nearer {
    fn play(&mut self, k: u32, trial: &Trial) -> Result<Option<Tally>, String> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let far = |values: &[i32]| (values[0] - 100).abs();
        let wins = 1 + u64::from(far(&trial.plus) < far(&trial.minus)) + u64::from(k % 3);
        let (draws, losses) = (0, 5 - wins);
        Ok(Some(Tally {
            wins,
            draws,
            losses,
        }))
    }
}

fn file(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("tengen-tune-{name}-{}", std::process::id()))
}

fn args(name: &str) -> TuneArgs {
    let openings = Path::new(env!("CARGO_MANIFEST_DIR")).join("openings/freestyle15.tuning.txt");
    TuneArgs {
        params: vec!["lmr_factor".to_owned(), "futility_step:4".to_owned()],
        rule: "freestyle".to_owned(),
        size: "15".to_owned(),
        openings,
        iterations: 40,
        pairs: 2,
        nodes: 300,
        turn: None,
        rate: 0.2,
        seed: 5,
        concurrency: 2,
        out: file(name),
    }
}

/// Iterates with made-up games in runs of `each`, through the file; the state at the end.
fn advanced(name: &str, each: u32) -> State {
    let args = args(name);
    let (_, spsa, plan) = prepare(&args).unwrap();
    let _ = std::fs::remove_file(&args.out);
    for _ in 0..=40 / each {
        let known = State::read(&args.out, &plan).unwrap();
        let mut state = known.unwrap_or_else(|| State::new(plan.clone(), &spsa));
        let stop = AtomicBool::new(false);
        let mut tell = |state: &State, _: &str| state.write(&args.out);
        let mut contest = Nearer { left: each };
        advance(&spsa, &mut state, &mut contest, &stop, &mut tell).unwrap();
    }
    let state = State::read(&args.out, &plan).unwrap().unwrap();
    let _ = std::fs::remove_file(&args.out);
    state
}

#[test]
fn a_run_taken_up_again_equals_an_uninterrupted_one() {
    let whole = advanced("whole", 40);
    assert_eq!(whole.iteration, 40);
    assert_eq!(whole.games.wins + whole.games.losses, 200);
    assert_ne!(whole.values["lmr_factor"], 420.0);
    assert_eq!(advanced("parts", 7), whole);
}

#[test]
fn another_plan_is_another_file() {
    let mut args = args("plan");
    let (_, spsa, plan) = prepare(&args).unwrap();
    State::new(plan, &spsa).write(&args.out).unwrap();
    args.seed = 6;
    let (_, _, plan) = prepare(&args).unwrap();
    let error = State::read(&args.out, &plan).unwrap_err();
    assert!(
        error.contains("seed was 5 and is 6; use another --out"),
        "{error}"
    );
    std::fs::write(&args.out, "{").unwrap();
    assert!(
        State::read(&args.out, &plan)
            .unwrap_err()
            .contains("damaged")
    );
    let _ = std::fs::remove_file(&args.out);
}

#[test]
fn games_at_fixed_nodes_do_not_depend_on_the_threads() {
    let (terms, spsa, _) = prepare(&args("games")).unwrap();
    let trial = spsa.trial(&spsa.start(), 0);
    let never = AtomicBool::new(false);
    let tally = |concurrency| {
        let mut games = Games::new(&terms, concurrency, &never);
        games.play(3, &trial).unwrap().unwrap()
    };
    let alone = tally(1);
    assert_eq!(alone.wins + alone.draws + alone.losses, 4);
    assert_eq!(tally(3), alone);
    let stopped = Games::new(&terms, 2, &AtomicBool::new(true)).play(0, &trial);
    assert_eq!(stopped, Ok(None));
}

#[test]
fn a_setting_is_the_rule_s_but_for_the_tuned_numbers() {
    let (terms, ..) = prepare(&args("setting")).unwrap();
    let mut expected = Params::for_rule(terms.rule);
    (expected.lmr_factor, expected.futility_step) = (333, 44);
    assert_eq!(terms.setting(&[333, 44]), expected);
}

#[test]
fn numbers_are_named_with_their_steps() {
    let rule = RuleSpec::parse("freestyle").unwrap();
    let named = |texts: &[&str]| {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        knobs(&texts, rule)
    };
    let found = named(&["razor_base:12.5", "razor_depth"]).unwrap();
    let start = Params::for_rule(rule).razor_base;
    assert_eq!((found[0].start, found[0].step), (start, 12.5));
    assert_eq!(found[1].step, 1.0);
    for (texts, fault) in [
        (&["razor"][..], "no number 'razor' in the search, but "),
        (
            &["razor_base", "razor_base:3"],
            "'razor_base' is named twice",
        ),
        (&["razor_base:0"], "razor_base:0: the step must be above 0"),
        (&["razor_base:x"], "razor_base:x: the step must be above 0"),
        (
            &["razor_base:1e9"],
            "razor_base:1e9: the step must be above 0",
        ),
    ] {
        let error = named(texts).unwrap_err();
        assert!(error.starts_with(fault), "{error}");
    }
}
