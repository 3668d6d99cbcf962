//! Which rule is played: seen from outside, by the points an engine calls forbidden and by the
//! wins it takes or leaves.

use serde_json::Value;

use crate::cases;
use crate::harness::{PATIENCE, Spot, Talk, ms};

/// An engine under that rule.
fn under(rule: &str) -> Talk {
    Talk::on15(&["INFO timeout_turn 1000", &format!("INFO rule {rule}")])
}

/// The answer to that block.
fn answer(talk: &mut Talk, block: &str) -> Spot {
    talk.send(&format!("BOARD {block}"));
    talk.mv()
}

/// The points the engine calls forbidden after that YXBOARD, sorted.
fn forbidden(talk: &mut Talk, block: &str) -> Vec<Spot> {
    talk.send_all(&[&format!("YXBOARD {block}"), "YXSHOWFORBID"]);
    let line = talk.reply();
    let digits = line
        .strip_prefix("FORBID ")
        .and_then(|rest| rest.strip_suffix('.'));
    let digits = digits.unwrap_or_else(|| talk.fail("no FORBID line"));
    assert_eq!(digits.len() % 4, 0, "{line}");
    let number = |at: usize| digits[at..at + 2].parse::<i64>().expect("two digits");
    let mut spots: Vec<Spot> = (0..digits.len())
        .step_by(4)
        .map(|at| (number(at), number(at + 2)))
        .collect();
    spots.sort_unstable();
    spots
}

/// Both sides of a case that lists its stones by colour.
fn sides(case: &Value) -> (Vec<Spot>, Vec<Spot>) {
    let side = |key: &str| match &case[key] {
        Value::String(names) => cases::spots(names),
        list => cases::listed(list),
    };
    (side("black"), side("white"))
}

#[test]
fn item_23_rule_2_is_renju_to_boards_and_freestyle_to_managers() {
    // Three and three for Black at 7,7.
    let block = "5,7,1 0,0,2 8,7,1 2,0,2 7,5,1 4,0,2 7,6,1 10,0,2 DONE";
    let mut talk = Talk::on15(&["INFO rule 2"]);
    let as_renju = forbidden(&mut talk, block);
    if as_renju != [(7, 7)] {
        talk.fail(&format!("expected 7,7 to be forbidden, got {as_renju:?}"));
    }
    talk.finish();
    let mut talk = Talk::on15(&["INFO game_type 1", "INFO rule 2"]);
    assert_eq!(forbidden(&mut talk, block), []);
    talk.finish();
    for rule in ["4", "renju", "RENJU"] {
        let mut talk = under(rule);
        assert_eq!(forbidden(&mut talk, block), [(7, 7)], "{rule}");
        talk.finish();
    }
    for rule in ["0", "1", "3", "5", "6", "8", "9", "caro-edge"] {
        let mut talk = under(rule);
        assert_eq!(forbidden(&mut talk, block), [], "{rule}");
        talk.finish();
    }
}

#[test]
fn omok_forbids_double_threes_to_both() {
    let stones = "5,7,1 0,0,2 8,7,1 2,0,2 7,5,1 4,0,2 7,6,1 10,0,2";
    for rule in ["omok", "17"] {
        let mut talk = under(rule);
        assert_eq!(forbidden(&mut talk, &format!("{stones} DONE")), [(7, 7)]);
        // The same for White: the colours change with one stone more.
        let white = "5,7,1 0,0,2 8,7,1 2,0,2 7,5,1 4,0,2 7,6,1 10,0,2 12,0,2 DONE";
        assert_eq!(forbidden(&mut talk, white), [(7, 7)]);
        talk.finish();
    }
}

/// Ours are four in a row twice: in one the five would lie between two stones of the opponent,
/// in the other it would be free.
const CLOSED_AND_FREE: &str = "3,3,1 2,3,2 4,3,1 8,3,2 5,3,1 6,9,2 6,3,1 0,0,2 \
     7,9,1 14,0,2 8,9,1 0,14,2 9,9,1 14,14,2 10,9,1 12,6,2 DONE";

#[test]
fn item_24_a_five_closed_at_both_ends_is_no_win_under_caro() {
    for rule in ["8", "9", "caro", "caro-exact", "caro-edge"] {
        let mut talk = under(rule);
        let ours = answer(&mut talk, CLOSED_AND_FREE);
        if ours != (11, 9) {
            talk.fail(&format!("the free five is 11,9, played was {ours:?}"));
        }
        talk.finish();
    }
    for rule in ["0", "1", "4"] {
        let mut talk = under(rule);
        let ours = answer(&mut talk, CLOSED_AND_FREE);
        assert!(
            [(7, 3), (11, 9)].contains(&ours),
            "{ours:?} is no five under {rule}"
        );
        talk.finish();
    }
}

#[test]
fn bug_caro_8_9() {
    // Rows of the opponent (x), with our stones (o) at their ends and the edge (|).
    let six = "4,3,2 5,3,2 6,3,2 7,3,2 8,3,2 9,3,2 1,9,1";
    let closed_five = "3,3,1 4,3,2 5,3,2 6,3,2 7,3,2 8,3,2 9,3,1";
    let edge_five = "0,3,2 1,3,2 2,3,2 3,3,2 4,3,2 5,3,1";
    let closed_six = "3,3,1 4,3,2 5,3,2 6,3,2 7,3,2 8,3,2 9,3,2 10,3,1";
    for (rule, wins) in [
        ("8", [true, false, true, true]),
        ("9", [false, false, true, false]),
        ("caro-edge", [false, false, false, false]),
        ("0", [true, true, true, true]),
        ("1", [false, true, true, false]),
    ] {
        let mut talk = Talk::on15(&["INFO timeout_turn 0", &format!("INFO rule {rule}")]);
        for (stones, wins) in [six, closed_five, edge_five, closed_six]
            .into_iter()
            .zip(wins)
        {
            talk.send(&format!("BOARD {stones} DONE"));
            let (_, messages) = talk.reply_after_messages(PATIENCE);
            if messages.iter().any(|text| text.contains("game is over")) != wins {
                talk.fail(&format!("rule {rule}: expected a win: {wins}"));
            }
        }
        talk.finish();
    }
}

#[test]
fn item_35_black_never_plays_a_forbidden_point() {
    let items = cases::items("renju-fuzz.jsonl");
    let interesting = items.iter().filter(|item| {
        let (black, white) = sides(item);
        let count = item["forbidden"]
            .as_object()
            .map_or(0, serde_json::Map::len);
        black.len() == white.len() && count >= 2 && cases::listed(&item["five"]).is_empty()
    });
    let mut talk = Talk::on15(&["INFO rule 4", "INFO timeout_turn 60"]);
    for item in interesting.step_by(40).take(40) {
        let (black, white) = sides(item);
        let ours = answer(&mut talk, &cases::block_for_black(&black, &white));
        let names = item["forbidden"].as_object().expect("a map").keys();
        let forbidden: Vec<Spot> = names.map(|name| cases::spot(name)).collect();
        if forbidden.contains(&ours) {
            talk.fail(&format!("{} is forbidden in {}", ours.0, item["id"]));
        }
    }
    talk.finish();
}

#[test]
fn item_71_forbidden_lists_agree_with_the_reference() {
    let items = cases::items("renju-fuzz.jsonl");
    let mut talk = under("4");
    for item in items.iter().step_by(60) {
        let (black, white) = sides(item);
        if black.len() < white.len() {
            continue;
        }
        let names = item["forbidden"].as_object().expect("a map").keys();
        let mut expected: Vec<Spot> = names.map(|name| cases::spot(name)).collect();
        expected.sort_unstable();
        let found = forbidden(&mut talk, &cases::block_for_black(&black, &white));
        if found != expected {
            talk.fail(&format!(
                "{}: expected {expected:?}, got {found:?}",
                item["id"]
            ));
        }
    }
    talk.finish();
}

#[test]
fn item_71_five_and_overline_at_once_is_allowed() {
    let black = [
        (7, 3),
        (7, 4),
        (7, 5),
        (7, 6),
        (4, 7),
        (5, 7),
        (6, 7),
        (8, 7),
        (9, 7),
    ];
    let white = [
        (7, 2),
        (0, 0),
        (2, 0),
        (4, 0),
        (11, 0),
        (13, 0),
        (0, 14),
        (2, 14),
        (12, 14),
    ];
    let mut talk = under("4");
    let block = cases::block_for_black(&black, &white);
    let found = forbidden(&mut talk, &block);
    assert!(!found.contains(&(7, 7)), "{found:?}");
    assert_eq!(answer(&mut talk, &block), (7, 7), "the only winning move");
    talk.finish();
}

#[test]
fn item_71_known_vectors() {
    for id in ["same-line-fours", "pseudo-double-four", "many-forbidden"] {
        let case = cases::bug(id);
        let (black, white) = sides(&case);
        let mut expected = cases::spots(case["forbidden"].as_str().expect("names"));
        expected.sort_unstable();
        // White may have more stones here; fillers far from everything make Black the mover.
        let mut black = black;
        let mut free = (0..15).flat_map(|x| [(x, 0), (x, 14)]);
        while black.len() < white.len() {
            let filler = free.next().expect("a free point");
            if !black.contains(&filler) && !white.contains(&filler) && filler.0 % 4 == 0 {
                black.push(filler);
            }
        }
        let mut talk = under("4");
        let found = forbidden(&mut talk, &cases::block_for_black(&black, &white));
        if found != expected {
            talk.fail(&format!("{id}: expected {expected:?}, got {found:?}"));
        }
        talk.finish();
    }
}

#[test]
fn item_71_a_three_whose_straight_four_makes_five_does_not_count() {
    let moves = cases::bug("three-with-five")["moves"]
        .as_str()
        .expect("moves")
        .to_owned();
    let mut talk = under("4");
    let h8 = cases::spot("h8");
    let found = forbidden(&mut talk, &cases::block(&cases::spots(&moves)));
    assert!(!found.contains(&h8), "{found:?}");
    let control = forbidden(&mut talk, &cases::block(&cases::spots("f8a1i8c1h6e1h7k1")));
    assert!(control.contains(&h8), "{control:?}");
    talk.finish();
}

#[test]
fn bug_judge_probes() {
    for rule in ["0", "1", "4", "8", "9"] {
        let stones = cases::spots(
            cases::bug("judge-first-probe")["moves"]
                .as_str()
                .expect("moves"),
        );
        let mut talk = under(rule);
        let ours = answer(&mut talk, &cases::block(&stones));
        let expected = cases::spots("g8l8");
        if !expected.contains(&ours) {
            talk.fail(&format!(
                "judge-first-probe: {ours:?}, expected one of {expected:?}"
            ));
        }
        talk.finish();
    }
}

#[test]
fn bug_rule_probes() {
    for (id, rule, names, is_wanted) in [
        ("standard-probe", "1", "f8j8", true),
        ("renju-probe", "4", "g9", false),
        ("caro-probe", "8", "f5f6f10f11", true),
        ("caro-probe", "9", "f5f6f10f11", true),
    ] {
        let stones = cases::spots(cases::bug(id)["moves"].as_str().expect("moves"));
        let mut talk = under(rule);
        let ours = answer(&mut talk, &cases::block(&stones));
        if cases::spots(names).contains(&ours) != is_wanted {
            talk.fail(&format!(
                "{id} under {rule}: {ours:?}; {names} wanted: {is_wanted}"
            ));
        }
        talk.finish();
    }
}

#[test]
fn bug_overline_by_rule() {
    // Black's 5,8 would make six.
    let stones = "1,9,1 4,9,2 5,10,1 6,8,2 5,9,1 7,7,2 5,7,1 6,6,2 5,6,1 8,9,2 5,11,1 16,4,2 DONE";
    for (rule, wins) in [("0", true), ("1", false), ("4", false)] {
        let mut talk = Talk::fresh();
        talk.start(20);
        talk.send_all(&["INFO timeout_turn 500", &format!("INFO rule {rule}")]);
        let ours = answer(&mut talk, stones);
        if (ours == (5, 8)) != wins {
            talk.fail(&format!("rule {rule}: {ours:?}"));
        }
        if rule == "4" {
            assert!(forbidden(&mut talk, stones).contains(&(5, 8)));
        }
        talk.finish();
    }
}

#[test]
fn bug_only_defence_forbidden() {
    let stones = cases::spots(
        cases::bug("only-defence-forbidden")["moves"]
            .as_str()
            .expect("moves"),
    );
    let block = cases::block(&stones);
    let mut talk = under("4");
    talk.send(&format!("BOARD {block}"));
    assert!(!stones.contains(&talk.mv_within(ms(1400))));
    talk.send_all(&[
        "INFO timeout_turn 60000",
        &format!("YXBOARD {block}"),
        "YXNBEST 3",
    ]);
    std::thread::sleep(ms(50));
    talk.send("YXSTOP");
    assert!(!stones.contains(&talk.mv_within(ms(600))));
    talk.finish();
}
