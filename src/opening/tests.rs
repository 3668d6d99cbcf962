//! Every step of every rule is decided, and decided legally.

use std::sync::Arc;

use crossbeam_channel::bounded;

use super::*;
use crate::board::Board;
use crate::eval;
use crate::opening_rules::{Player, Rule, Setup};
use crate::pool::Pool;
use crate::search::{Allowance, Question, Silent};
use crate::types::Position;

/// The tables of the game, and who searches.
fn searchers(setup: Setup) -> (Arc<RuleTables>, Pool) {
    let tables = Arc::new(RuleTables::new(setup.game, eval::weights(setup.game)));
    let board = Board::new(Arc::clone(&tables), setup.size);
    let pool = Pool::new(1, 1 << 20, &board, None);
    (tables, pool)
}

/// Decides one action with so many nodes, or as fast as it can.
fn ask(pool: &Pool, tables: &Arc<RuleTables>, state: &State, nodes: u64, seed: u64) -> Action {
    let mut step = ask_for(pool, tables, state, (1, nodes), seed);
    step.actions.pop().expect("the opening goes on")
}

/// Decides so many actions with so many nodes.
fn ask_for(
    pool: &Pool,
    tables: &Arc<RuleTables>,
    state: &State,
    (most, nodes): (usize, u64),
    seed: u64,
) -> Step {
    let (sender, receiver) = bounded(1);
    let (tables, state) = (Arc::clone(tables), state.clone());
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::unlimited()
    };
    pool.run(move |crew| {
        let step = decide(crew, tables, &state, &limits, most, seed);
        let _ = sender.send(step);
    });
    receiver.recv().expect("a decision")
}

/// Decides all steps of openings of a rule and returns the last state of each.
fn openings(setup: Setup, seeds: std::ops::Range<u64>, nodes: u64) -> Vec<State> {
    let (tables, pool) = searchers(setup);
    let one = |seed: u64| {
        let setup = Setup {
            seed: Some(seed),
            ..setup
        };
        let mut state = State::new(setup).unwrap();
        while state.actor().is_some() {
            let action = ask(&pool, &tables, &state, nodes, seed);
            let applied = state.apply(&action);
            assert_eq!(
                applied,
                Ok(()),
                "{}: {:?}",
                setup.rule.name,
                state.history()
            );
        }
        state
    };
    seeds.map(one).collect()
}

#[test]
fn every_step_of_every_rule_is_legal_and_seeds_vary_openings() {
    for rule in Rule::all() {
        let states = openings(Setup::of(rule), 0..3, 400);
        let first = states[0].history();
        // Moves that nobody can answer by choosing a side are simply the best ones.
        let plain = ["none", "pro", "long-pro", "nokhrin"];
        if !plain.contains(&rule.name.as_str()) {
            let same = states.iter().all(|state| state.history() == first);
            assert!(!same, "{}: {first:?}", rule.name);
        }
        let again = openings(Setup::of(rule), 0..1, 400);
        assert_eq!(again[0].history(), first, "{}", rule.name);
    }
}

#[test]
#[ignore = "twenty openings of each rule take minutes"]
fn twenty_openings_of_every_rule_are_legal() {
    for rule in Rule::all() {
        assert_eq!(openings(Setup::of(rule), 100..120, 2000).len(), 20);
    }
}

/// Three stones that win for Black are swapped by B, three that lose are not.
#[test]
fn the_better_side_is_chosen() {
    let setup = Setup::of(Rule::parse("swap").unwrap());
    let (tables, pool) = searchers(setup);
    for (stones, expected) in [
        ("place h8 a1 i9", Action::Swap),
        ("place a1 h8 o15", Action::Stay),
    ] {
        let state = State::replay(setup, stones).unwrap();
        assert_eq!(ask(&pool, &tables, &state, 20_000, 1), expected, "{stones}");
    }
}

/// Of two points the holder of White picks the one that is worse for Black, and Black does not
/// offer a point that is no good.
#[test]
fn picks_and_offers_are_made_for_the_own_side() {
    let setup = Setup::of(Rule::parse("rif").unwrap());
    let (tables, pool) = searchers(setup);
    let before = State::replay(setup, "place h8 h9 i9; stay; place g7").unwrap();
    let mut state = before.clone();
    state.apply_text("offer i8 a15").unwrap();
    assert_eq!(state.actor(), Some(Player::B));
    let worse = Action::parse("pick a15", setup.size).unwrap();
    assert_eq!(ask(&pool, &tables, &state, 20_000, 1), worse);
    let Action::Offer(points) = ask(&pool, &tables, &before, 20_000, 1) else {
        panic!("no offer");
    };
    let centre = setup.size.center();
    assert!(
        points.iter().all(|point| point.distance(centre) < 5),
        "{points:?}"
    );
}

/// What a search says of a position.
fn judge(pool: &Pool, tables: &Arc<RuleTables>, position: &Position) -> Score {
    let (sender, receiver) = bounded(1);
    let board = Board::from_position(Arc::clone(tables), position);
    pool.run(move |crew| {
        crew.shared().set_allowance(Allowance {
            nodes: Some(100_000),
            ..Allowance::default()
        });
        crew.shared().begin();
        let question = Question::plain(Instant::now(), 60);
        let outcome = crew.think(&board, &question, &mut Silent);
        let _ = sender.send(outcome.lines[0].score);
    });
    receiver.recv().expect("a score")
}

/// Where the other may choose a side, what is proposed is not far from level.
#[test]
fn proposals_are_level() {
    let setup = Setup::of(Rule::parse("swap").unwrap());
    let (tables, pool) = searchers(setup);
    for state in openings(setup, 1..4, 30_000) {
        let settled = state.result().unwrap();
        let rate = eval::win_rate(judge(&pool, &tables, &settled.position));
        assert!((0.3..=0.7).contains(&rate), "{rate} {:?}", state.history());
    }
}

/// Colours chosen together with the first move of the game, and two actions of one player: all
/// of them within the nodes of one decision.
#[test]
fn actions_that_belong_together_are_decided_together() {
    for (rule, before, most) in [
        ("swap2", "place a1 h8 o15; place g7 b2", 1),
        ("soosorv-8", "place h8 h9 i10; stay", 2),
    ] {
        let setup = Setup::of(Rule::parse(rule).unwrap());
        let (tables, pool) = searchers(setup);
        let mut state = State::replay(setup, before).unwrap();
        let actor = state.actor();
        let step = ask_for(&pool, &tables, &state, (most, 20_000), 1);
        assert_eq!(step.actions.len(), most, "{step:?}");
        assert!(step.nodes < 30_000, "{step:?}");
        for action in &step.actions {
            state.apply(action).unwrap();
        }
        let mover = state.result().map(|settled| settled.mover());
        assert_eq!(step.reply.is_some(), mover == actor, "{step:?}");
        if let Some(reply) = step.reply {
            assert!(state.position().play(reply), "{step:?}");
        }
    }
}

/// A decision is made of many searches, and none of them may forget that all of them were told
/// to stop: whenever that happened, it holds to the end.
#[test]
fn no_search_of_a_decision_forgets_the_stop() {
    for (rule, before) in [
        ("swap2", ""),
        ("swap2", "place h8 i8 j6"),
        ("swap2", "place h8 i8 j6; place g7 i7"),
        (
            "soosorv-8",
            "place h8 h9 i10; stay; place g7; declare 3; stay",
        ),
    ] {
        let setup = Setup::of(Rule::parse(rule).unwrap());
        let (tables, pool) = searchers(setup);
        pool.shared().stop.store(true, Relaxed);
        let state = State::replay(setup, before).unwrap();
        let limits = Limits {
            turn: Some(Duration::from_secs(4)),
            depth: Some(30),
            ..Limits::unlimited()
        };
        let (sender, receiver) = bounded(1);
        pool.run(move |crew| {
            let step = decide(crew, tables, &state, &limits, 1, 1);
            let stopped = crew.shared().stop.load(Relaxed);
            let _ = sender.send((step, stopped, limits.start.elapsed()));
        });
        let (step, stopped, took) = receiver.recv().expect("a decision");
        assert!(stopped, "{rule} {before}: the stop was forgotten");
        assert!(took < Duration::from_secs(1), "{rule} {before}: {took:?}");
        assert_eq!(step.actions.len(), 1);
    }
}

/// Yixin-Board without limits sends these and sits waiting for the opening.
#[test]
fn a_board_without_limits_gets_its_opening_soon() {
    let turn = |seconds| Limits {
        turn: Some(Duration::from_secs(seconds)),
        clock: Some(Duration::from_secs(100_000)),
        ..Limits::unlimited()
    };
    assert_eq!(decision_time(&turn(2000), 0), LONGEST_TIME);
    let short = decision_time(&turn(5), 3);
    assert!(short > Duration::from_secs(2) && short <= Duration::from_secs(5));
    assert_eq!(decision_time(&Limits::unlimited(), 5), DEFAULT_TIME);
}

#[test]
fn a_round_cut_short_does_not_hide_what_the_one_before_has_found() {
    let setup = Setup::of(Rule::parse("swap2").unwrap());
    let (tables, pool) = searchers(setup);
    let state = State::new(setup).unwrap();
    let limits = Limits {
        nodes: Some(45),
        ..Limits::unlimited()
    };
    let (sender, receiver) = bounded(1);
    pool.run(move |crew| {
        let mut adviser = Adviser::new(crew, tables, &state, &limits, 1);
        let rated = adviser.rated(vec!["first", "second", "third"], 3, |adviser, item| {
            adviser.nodes += 10;
            match (*item, adviser.effort) {
                ("first", FIRST_NODES) => 10,
                ("second", FIRST_NODES) => 8,
                ("first", _) => -80,
                _ => 1,
            }
        });
        let _ = sender.send(rated);
    });
    let rated = receiver.recv().expect("values");
    assert_eq!(rated, [("second", 8), ("third", 1), ("first", -80)]);
}
