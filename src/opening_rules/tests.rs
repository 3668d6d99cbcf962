//! The table as a whole, and random openings through the interpreter.

use std::collections::HashSet;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Color, Point, Symmetries};

fn setups() -> Vec<Setup> {
    let with_games = |rule: &'static Rule| {
        rule.games.iter().map(move |game| Setup {
            game,
            seed: Some(7),
            ..Setup::of(rule)
        })
    };
    Rule::all().iter().flat_map(with_games).collect()
}

#[test]
fn every_rule_has_names_of_its_own() {
    let mut seen = HashSet::new();
    for rule in Rule::all() {
        let own: HashSet<String> = rule.names().map(table::plain).collect();
        for name in own {
            assert!(!name.is_empty() && seen.insert(name), "{}", rule.name);
        }
        for name in rule.names() {
            assert_eq!(Rule::parse(&name.to_uppercase()).unwrap(), rule);
        }
    }
    let numbers: HashSet<u8> = Rule::all().iter().filter_map(|rule| rule.number).collect();
    assert_eq!(numbers, (1..=30).collect());
    for name in [
        "Soosyrv-8",
        "Shanghai committee II",
        "CC Tsai (II)",
        "LONG_PRO",
        "soosõrv",
    ] {
        assert!(Rule::parse(name).is_ok(), "{name}");
    }
    let near = Rule::parse("soosorv-9").unwrap_err();
    assert_eq!(
        near,
        "no opening rule 'soosorv-9': is it soosorv-8, soosorv?"
    );
    let far = Rule::parse("\nxyz").unwrap_err();
    assert_eq!(far, "no opening rule 'xyz': `opening list` names them all");
}

#[test]
fn rules_are_played_before_their_games_and_on_their_boards() {
    let setup = |name| Setup::of(Rule::parse(name).unwrap());
    assert_eq!(setup("yunhe-xia").size, BoardSize::square(17).unwrap());
    for caro in ["caro", "caro-exact", "caro-edge"] {
        for name in ["swap", "swap2"] {
            let game = RuleSpec::by_name(caro).unwrap();
            assert!(
                State::new(Setup {
                    game,
                    ..setup(name)
                })
                .is_ok()
            );
        }
    }
    let game = RuleSpec::by_name("caro").unwrap();
    let refused = State::new(Setup {
        game,
        ..setup("soosorv-8")
    })
    .unwrap_err();
    assert_eq!(refused, "soosorv-8 is not played before caro: use renju");
    let size = BoardSize::square(19).unwrap();
    let refused = State::new(Setup {
        size,
        ..setup("rif")
    })
    .unwrap_err();
    assert_eq!(refused, "rif is not played on 19x19: use 15x15");
    assert!(
        State::new(Setup {
            size,
            ..setup("pro")
        })
        .is_ok()
    );
}

/// Random legal actions lead every opening to its end, whatever illegal ones are tried between.
fn random_openings(rounds: usize, seed: u64) {
    let setups = setups();
    let mut rng = SmallRng::seed_from_u64(seed);
    for round in 0..rounds {
        let mut setup = setups[round % setups.len()];
        setup.seed = rng.random_bool(0.5).then(|| rng.random());
        let mut state = State::new(setup).unwrap();
        loop {
            let wild = wild_action(&state, &mut rng);
            try_action(&mut state, &wild, seed);
            let Some(action) = state.random(&mut rng) else {
                break;
            };
            assert!(state.check(&action).is_ok(), "{seed} {round} {action:?}");
            try_action(&mut state, &action, seed);
        }
        let settled = state.result().unwrap();
        let stones = settled.position.stones().len();
        assert_eq!(settled.moves().len(), stones, "{seed} {round}");
        assert_eq!(Color::of_ply(stones), settled.position.to_move);
        assert!(state.offered().next().is_none());
        let again: Vec<String> = (state.history().iter())
            .map(|(player, action)| format!("{player}: {}", action.format(setup.size)))
            .collect();
        assert_eq!(State::replay(setup, &again.join("\n")), Ok(state));
    }
}

/// An action is taken exactly if it is legal, and a refusal is one line that changes nothing.
fn try_action(state: &mut State, action: &Action, seed: u64) {
    let before = state.clone();
    let checked = state.check(action);
    assert_eq!(state.apply(action), checked, "{seed} {before:?}");
    match checked {
        Ok(()) => assert_ne!(*state, before, "{seed} {action:?}"),
        Err(reason) => {
            assert_eq!(*state, before, "{seed} {action:?}");
            assert!(!reason.contains('\n') && reason.len() < 2000, "{reason}");
        }
    }
}

fn wild_action(state: &State, rng: &mut SmallRng) -> Action {
    let size = state.setup().size;
    let all: Vec<Point> = size.points().collect();
    let mut points = |count: usize| -> Vec<Point> {
        let near = |rng: &mut SmallRng| {
            let spread = rng.random_range(1..=i64::from(size.width()) / 2);
            let mut along = || rng.random_range(-spread..=spread);
            let center = size.center();
            let (x, y) = (
                i64::from(center.x()) + along(),
                i64::from(center.y()) + along(),
            );
            size.point(x, y).unwrap_or(all[0])
        };
        (0..count).map(|_| near(rng)).collect()
    };
    let (few, pair) = (points(5), points(2));
    let few = few[..rng.random_range(0..5)].to_vec();
    match rng.random_range(0..9) {
        0 => Action::Place(few),
        1 => Action::Swap,
        2 => Action::Stay,
        3 => Action::Declare(rng.random_range(0..130)),
        4 => Action::Offer(few),
        5 => Action::Pick(pair[0]),
        6 => Action::Refuse,
        7 => Action::Move(pair[0], pair[1]),
        _ => Action::Roll(rng.random_range(0..20)),
    }
}

#[test]
fn random_openings_come_to_an_end() {
    random_openings(6_000, 1);
}

#[test]
#[ignore = "the long form of random_openings_come_to_an_end"]
fn many_random_openings_come_to_an_end() {
    random_openings(60_000, 2);
}

/// The list of legal actions holds exactly what the check accepts.
#[test]
fn legal_actions_are_listed() {
    let mut rng = SmallRng::seed_from_u64(3);
    for setup in setups() {
        let mut state = State::new(setup).unwrap();
        while let Some(action) = state.random(&mut rng) {
            if let Some(listed) = state.actions(3000) {
                let unlike: HashSet<&Action> = listed.iter().collect();
                assert_eq!(unlike.len(), listed.len());
                assert!(listed.iter().all(|action| state.check(action).is_ok()));
                let found = match &action {
                    Action::Offer(points) => {
                        let mut points = points.clone();
                        points.sort();
                        unlike.contains(&Action::Offer(points))
                    }
                    other => unlike.contains(other),
                };
                assert!(found, "{} {action:?}", setup.rule.name);
            }
            state.apply(&action).unwrap();
        }
        assert_eq!(state.actions(0), Some(vec![]));
    }
    let soosorv = Setup::of(Rule::parse("soosorv-8").unwrap());
    // Eight whites around the centre, and any other point of the 5x5 for the third stone.
    let count = |state: &State| state.actions(100_000).unwrap().len();
    let state = State::new(soosorv).unwrap();
    assert_eq!(count(&state), 8 * 23);
    assert_eq!(state.actions(8 * 23 - 1), None);
    let state = State::replay(soosorv, "place h8 h9 h10; stay; place h7; declare 2; stay");
    // All stones stand on the middle column, so each point beside it has a twin; a pair of
    // twins may give one of its two points.
    let (twins, on_axis) = (7 * 15, 15 - 4);
    let pairs = |count: usize| count * (count - 1) / 2;
    let expected = pairs(twins) * 4 + twins * 2 * on_axis + pairs(on_axis);
    assert_eq!(count(&state.unwrap()), expected);
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Transcripts {
    /// A whole opening, and what it leads to.
    legal: Vec<(String, String)>,
    /// An opening whose last action is the first illegal one, and a part of the reason.
    illegal: Vec<(String, String)>,
}

/// Who holds Black, how many stones lie, and the game where it is not the rule's usual one.
fn outcome(setup: Setup, settled: &Settled) -> String {
    let stones = settled.position.stones().len();
    let game = match settled.game == setup.game && setup.rule.bound.is_none() {
        true => String::new(),
        false => format!(", {}", settled.game.name),
    };
    format!("{} black, {stones} stones{game}", settled.black)
}

#[test]
fn transcripts_are_judged_as_the_texts_say() {
    let text = include_str!("transcripts.toml");
    let table: std::collections::BTreeMap<String, Transcripts> = toml::from_str(text).unwrap();
    assert_eq!(table.len(), Rule::all().len());
    let mut faults = Vec::new();
    for rule in Rule::all() {
        let setup = Setup::of(rule);
        let Transcripts { legal, illegal } = &table[&rule.name];
        assert!(legal.len() >= 3 && illegal.len() >= 3, "{}", rule.name);
        for (transcript, expected) in legal {
            let found = match State::replay(setup, transcript) {
                Ok(state) => match state.result() {
                    Some(settled) => outcome(setup, &settled),
                    None => format!("not over: {}", state.legal().unwrap()),
                },
                Err(fault) => fault.to_string(),
            };
            if found != *expected {
                faults.push(format!("{}: {transcript}\n  {found}", rule.name));
            }
        }
        for (transcript, reason) in illegal {
            let last = split_transcript(transcript).count();
            let found = match State::replay(setup, transcript) {
                Ok(_) => "accepted".to_owned(),
                Err(fault) if fault.number != last => fault.to_string(),
                Err(fault) if !fault.reason.contains(reason) => fault.reason,
                Err(_) => continue,
            };
            faults.push(format!("{}: {transcript}\n  {found}", rule.name));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A seeded die shows the same numbers again, and all of them in time.
#[test]
fn dice_follow_from_the_seed() {
    let rule = Rule::parse("yuelee00").unwrap();
    let mut openings = HashSet::new();
    for seed in 0..400 {
        let setup = Setup {
            seed: Some(seed),
            ..Setup::of(rule)
        };
        let mut state = State::replay(setup, "place h8").unwrap();
        for _ in 0..2 {
            let actions = state.actions(10).unwrap();
            let [roll] = &actions[..] else {
                panic!("{actions:?}");
            };
            let Action::Roll(face) = roll else {
                panic!("{roll:?}");
            };
            let other = state
                .check(&Action::Roll(face % 2 + 1 + face / 2 * 2))
                .unwrap_err();
            assert_eq!(other, format!("the die shows {face}"));
            state.apply(roll).unwrap();
        }
        let stones = state.position().stones().to_vec();
        let named = NamedOpening::of(&stones, setup.size).unwrap();
        assert!(named.is_classical());
        openings.insert(named.code.clone());
    }
    assert_eq!(openings.len(), 26);
}

/// The text of rule 27 counts the openings of its stages.
#[test]
fn longzeng_has_the_openings_it_claims() {
    let center = BoardSize::STANDARD.center();
    let third = |second: Point| {
        let marks = [(center, 0), (second, 1)];
        let free = BoardSize::STANDARD
            .points()
            .filter(|p| *p != center && *p != second);
        Symmetries::of(BoardSize::STANDARD, &marks)
            .different(&free.collect::<Vec<_>>())
            .len()
    };
    assert_eq!(third(Point::new(7, 6)) + third(Point::new(8, 6)), 236);
    let free = BoardSize::STANDARD.points().filter(|p| *p != center);
    let seconds =
        Symmetries::of(BoardSize::STANDARD, &[(center, 0)]).different(&free.collect::<Vec<_>>());
    let all: usize = seconds.into_iter().map(third).sum();
    assert_eq!(all, 21 * 223 + 14 * 118);
}

#[test]
fn rules_are_explained_in_words() {
    for rule in Rule::all() {
        let text = rule.explain();
        assert_eq!(text.matches("\n  Read: ").count(), rule.readings.len());
        for (index, step) in rule.steps.iter().enumerate() {
            assert!(text.contains(&format!("\n{:>3}. ", index + 1)), "{text}");
            assert!(!step.ways.is_empty());
        }
    }
    let text = Rule::parse("lijing").unwrap().explain();
    for line in [
        "lijing: Lijing\n",
        "  1. A: place black 1 on the centre, white 2 in the central 3x3, black 3 in the central 5x5\n",
        "  2. B: either swap colours or stay\n",
        "  3. White: offer 2 points for white 4 in the central 9x9\n",
        "  4. Black: offer 2 points for black 5 in the central 9x9\n",
        "  5. White: pick one of the points offered\n",
        "Then renju on 15x15, either side may pass.\n",
        "Number 16 of the thirty renju opening rules.\n",
    ] {
        assert!(text.contains(line), "{line}{text}");
    }
    let text = Rule::parse("taraguchi-10").unwrap().explain();
    let branch = "  8. Black: either swap colours, stay or offer 10 points for black 5 anywhere (go on with 11)\n";
    assert!(text.contains(branch), "{text}");
    let last = " 10. White: either swap colours or stay; the opening is over\n";
    assert!(text.contains(last), "{text}");
}
