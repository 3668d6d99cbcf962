//! Every line of an analysis is true: it can be replayed, its proof is as long as it says and
//! fits on the board, no line promises what another disproves.

use crate::cases;
use crate::harness::{Spot, Talk};
use crate::yixin::{groups, search, value};

/// Does the stone at `spot` complete five or more in a row of stones of its parity?
fn has_five(moves: &[Spot]) -> bool {
    let Some(last) = moves.last() else {
        return false;
    };
    let parity = moves.len() % 2;
    let own: Vec<&Spot> = moves
        .iter()
        .enumerate()
        .filter(|(index, _)| (index + 1) % 2 == parity)
        .map(|(_, spot)| spot)
        .collect();
    let run = |dx: i64, dy: i64| {
        let steps = (1..).take_while(|n| own.contains(&&(last.0 + n * dx, last.1 + n * dy)));
        steps.count()
    };
    let lines = [(1, 0), (0, 1), (1, 1), (1, -1)];
    lines
        .iter()
        .any(|(dx, dy)| run(*dx, *dy) + run(-dx, -dy) >= 4)
}

/// Analyses the position after `stones` and checks all that was printed.
fn check(stones: &[Spot], rule: &str, lines: usize, limit: &str) {
    let options = [
        limit,
        "INFO show_detail 2",
        rule,
        &format!("YXBOARD {}", cases::block(stones)),
    ];
    let mut talk = Talk::on15(&options);
    let (printed, ours) = search(&mut talk, &format!("yxnbest {lines}"));
    let groups = groups(&talk, &printed);
    let mut round: Vec<Spot> = Vec::new();
    let mut above = (0, f64::INFINITY);
    let mut newest = None;
    for group in &groups {
        let index: usize = value(group, "PV").parse().expect("a number");
        let count: usize = value(group, "NUMPV").parse().expect("a number");
        assert!(index < count && count <= lines, "{index} of {count}");
        if index == 0 {
            (round, above) = (Vec::new(), (0, f64::INFINITY));
        }
        let line = talk.moves_of(value(group, "BESTLINE"));
        // All moves on empty points, and no game goes on after a five.
        let mut played = stones.to_vec();
        for spot in &line {
            if played.contains(spot) || has_five(&played[stones.len()..]) && rule.ends_with('0') {
                talk.fail(&format!("no sequence of moves: {line:?}"));
            }
            played.push(*spot);
        }
        if round.contains(&line[0]) {
            talk.fail(&format!("{:?} leads two lines", line[0]));
        }
        round.push(line[0]);
        // The lines of a depth are in order; a search that is cut short adds shallower ones.
        let depth: u64 = value(group, "DEPTH").parse().expect("a number");
        let eval = value(group, "EVAL");
        let proven = eval.strip_prefix("+M").or(eval.strip_prefix("-M"));
        let worth = match proven.map(|plies| plies.parse::<usize>().expect("a number")) {
            Some(plies) => {
                let wins = eval.starts_with('+');
                assert_eq!(
                    plies % 2 == 1,
                    wins,
                    "{eval}: the last stone is the winner's"
                );
                assert!(
                    plies <= 225 - stones.len(),
                    "{eval} is longer than the board"
                );
                assert!(line.len() <= plies, "{eval} by {line:?}");
                if line.len() == plies && rule.ends_with('0') && !has_five(&played) {
                    talk.fail(&format!("{eval} without a five: {line:?}"));
                }
                let rate: f64 = value(group, "WINRATE").parse().expect("a rate");
                assert_eq!(rate, if wins { 1.0 } else { 0.0 });
                let distance = 1e6 - plies as f64;
                if wins { distance } else { -distance }
            }
            None => eval.parse::<f64>().expect("a number"),
        };
        if above.0 == depth && worth > above.1 {
            talk.fail(&format!("line {index} is better than the one before"));
        }
        above = (depth, worth);
        if index == 0 {
            newest = Some(line[0]);
        }
    }
    assert_eq!(newest, Some(ours), "the move is that of the best line");
    talk.finish();
}

/// Positions of all kinds: quiet, won, lost, forced.
fn positions() -> Vec<Vec<Spot>> {
    let names = [
        "vcf-smoke",
        "blocked-candidates",
        "four-block",
        "corner-fours",
    ];
    let mut positions: Vec<Vec<Spot>> = names
        .iter()
        .map(|name| cases::spots(cases::bug(name)["moves"].as_str().expect("moves")))
        .collect();
    for text in [
        "h8",
        "h8h9",
        "h8h9i9",
        // Black's open three, White to move; a closed four; an open four.
        "h8a1i8a3j8",
        "h8g8i8a1j8a3k8",
        "h8a1i8a3j8a5k8",
        // Two threes of Black's, Black to move.
        "h8a1i8a3j8a5h9a7h10a9",
    ] {
        positions.push(cases::spots(text));
    }
    positions
}

#[test]
fn several_lines_are_true_at_a_fixed_depth() {
    for stones in positions() {
        // Among the loose fours of the edge many lines take long.
        let most = if stones.len() < 60 { 30 } else { 6 };
        for lines in [1, 4, most] {
            check(&stones, "INFO rule 0", lines, "INFO max_depth 6");
        }
    }
}

#[test]
fn several_lines_are_true_under_every_rule() {
    for rule in ["1", "4", "8", "9", "17", "41"] {
        for stones in positions().iter().filter(|stones| stones.len() < 20) {
            check(stones, &format!("INFO rule {rule}"), 5, "INFO max_depth 5");
        }
    }
}

#[test]
fn several_lines_are_true_when_the_search_is_cut_short() {
    for stones in positions() {
        for limit in [
            "max_node 300",
            "max_node 5000",
            "max_node 40000",
            "timeout_turn 60",
        ] {
            check(&stones, "INFO rule 0", 6, &format!("INFO {limit}"));
        }
    }
}

#[test]
fn a_move_that_does_not_stop_the_five_is_a_proven_loss() {
    // Black has a closed four: every line but the block loses in two plies.
    let stones = cases::spots("h8g8i8a1j8a3k8");
    let board = format!("YXBOARD {}", cases::block(&stones));
    let mut talk = Talk::on15(&["INFO max_depth 4", "INFO show_detail 2", &board]);
    let (printed, ours) = search(&mut talk, "yxnbest 3");
    assert_eq!(ours, cases::spot("l8"));
    let groups = groups(&talk, &printed);
    let evals: Vec<&str> = groups
        .iter()
        .rev()
        .take(3)
        .map(|g| value(g, "EVAL"))
        .collect();
    assert_eq!(evals[..2], ["-M2", "-M2"]);
    assert!(!evals[2].starts_with("-M"), "{evals:?}");
    talk.finish();
}

#[test]
fn bug_four_block() {
    let stones = cases::spots(cases::bug("four-block")["moves"].as_str().expect("moves"));
    let mut reversed = stones.clone();
    // The same stones of each colour in another order.
    reversed.reverse();
    if reversed.len().is_multiple_of(2) {
        reversed
            .chunks_exact_mut(2)
            .for_each(|pair| pair.swap(0, 1));
    }
    for order in [stones, reversed] {
        let mut talk = Talk::on15(&["INFO timeout_turn 300"]);
        talk.send(&format!("BOARD {}", cases::block(&order)));
        assert_eq!(talk.mv(), cases::spot("e7"));
        talk.finish();
    }
}

#[test]
fn bug_vcf_smoke() {
    let stones = cases::spots(cases::bug("vcf-smoke")["moves"].as_str().expect("moves"));
    let board = format!("BOARD {}", cases::block(&stones));
    for _ in 0..20 {
        let mut talk = Talk::on15(&["INFO timeout_turn 300", "INFO show_detail 2"]);
        let (printed, ours) = search(&mut talk, &board);
        assert_eq!(ours, cases::spot("h5"));
        let groups = groups(&talk, &printed);
        assert_eq!(value(groups.last().expect("a group"), "EVAL"), "+M5");
        talk.finish();
    }
}

#[test]
fn bug_unset_static_eval() {
    // White has an open three, Black nothing: that can be stopped under every rule.
    let board = format!("YXBOARD {}", cases::block(&cases::spots("a1h8e3h9o15h10")));
    for rule in ["0", "1", "4", "8", "9"] {
        for depth in 2..=6 {
            let limits = [
                format!("INFO rule {rule}"),
                format!("INFO max_depth {depth}"),
            ];
            let mut talk = Talk::on15(&[&limits[0], &limits[1], &board]);
            talk.send("INFO show_detail 2");
            let (printed, _) = search(&mut talk, "yxnbest 1");
            for group in groups(&talk, &printed) {
                let eval = value(&group, "EVAL");
                if eval.starts_with("-M") {
                    talk.fail(&format!("rule {rule}, depth {depth}: {eval}"));
                }
            }
            talk.finish();
        }
    }
}
