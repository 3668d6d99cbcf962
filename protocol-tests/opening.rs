//! OPENING … DONE, and matches by opening rules.

use serde_json::Value;
use tengen::opening_rules::{Player, Rule, Setup, State};

use crate::harness::{SLACK, Talk, engine_words, ms, referee};

/// The action that the engine answers to an opening so far.
fn next_action(talk: &mut Talk, state: &State) -> String {
    let setup = state.setup();
    talk.send(&format!("OPENING {} {}", setup.rule.name, setup.game.name));
    for (_, action) in state.history() {
        talk.send(&action.format(setup.size));
    }
    talk.send("DONE");
    let (line, _) = talk.reply_after_messages(ms(20_000) + SLACK);
    match line.strip_prefix("ACTION ") {
        Some(action) => action.to_owned(),
        None => talk.fail(&format!("expected an action, got {line}")),
    }
}

/// Two processes play openings of a rule; the interpreter agrees with every step, and with the
/// board on which the game goes on.
fn play_openings(rule: &'static Rule, seeds: std::ops::Range<u64>) {
    let setup = Setup::of(rule);
    let mut talks = [Player::A, Player::B].map(|_| {
        let mut talk = Talk::fresh();
        talk.start(setup.size.width().into());
        talk.send_all(&["INFO max_node 300", "INFO timeout_turn 20000"]);
        talk
    });
    for seed in seeds {
        let mut state = State::new(setup).unwrap();
        while let Some(actor) = state.actor() {
            let talk = &mut talks[usize::from(actor == Player::B)];
            talk.send(&format!("INFO seed {seed}"));
            let action = next_action(talk, &state);
            if let Err(error) = state.apply_text(&action) {
                talk.fail(&format!("{}: {action}: {error}", rule.name));
            }
        }
        let settled = state.result().unwrap();
        let mover = &mut talks[usize::from(settled.mover() == Player::B)];
        mover.send(&format!("INFO rule {}", settled.game.code));
        mover.send("BOARD");
        for (point, color) in settled.position.stones() {
            let field = if *color == settled.position.to_move {
                1
            } else {
                2
            };
            mover.send(&format!("{},{},{field}", point.x(), point.y()));
        }
        mover.send("DONE");
        mover.mv_within(ms(20_000));
    }
    talks.into_iter().for_each(Talk::finish);
}

#[test]
fn two_processes_play_an_opening_of_every_rule() {
    for rule in Rule::all() {
        play_openings(rule, 1..2);
    }
}

#[test]
#[ignore = "twenty openings of each rule take minutes"]
fn two_processes_play_twenty_openings_of_every_rule() {
    for rule in Rule::all() {
        play_openings(rule, 100..120);
    }
}

#[test]
fn an_opening_that_is_not_legal_is_told_and_changes_nothing() {
    let mut talk = Talk::fresh();
    talk.send_all(&["OPENING swap2", "DONE"]);
    assert_eq!(
        talk.error(),
        "no board yet: send START first, as in START 15"
    );
    talk.start(15);
    talk.send_all(&["INFO timeout_turn 0", "INFO rule 4"]);
    for (lines, error) in [
        (&["OPENING", "DONE"][..], "which rule? as in OPENING swap2"),
        (
            &["OPENING nothing-like-it done"],
            "no opening rule 'nothing-like-it': `opening list` names them all",
        ),
        (
            &[
                "OPENING soosorv-8",
                "place h8 h9 i10",
                "stay",
                "place h8",
                "DONE",
            ],
            "action 3, 'place h8': white 4: h8 is taken",
        ),
        (
            &["OPENING soosorv-8 freestyle", "DONE"],
            "soosorv-8 is not played before freestyle: use renju",
        ),
        (
            &["OPENING yunhe-xia", "DONE"],
            "yunhe-xia is not played on 15x15: use 17x17",
        ),
        (
            &["OPENING swap2 standard", "place h8 h9 i10", "stay", "DONE"],
            "it is over: ask for the next move with BOARD",
        ),
    ] {
        talk.send_all(lines);
        assert_eq!(talk.error(), format!("OPENING: {error}"));
    }
    talk.send_all(&["OPENING taraguchi-10", "place h8", "stay", "DONE"]);
    let (line, _) = talk.reply_after_messages(ms(20_000) + SLACK);
    assert!(line.starts_with("ACTION place "), "{line}");
    talk.send("BEGIN");
    talk.mv();
    talk.finish();
}

#[test]
fn the_same_seed_gives_the_same_opening() {
    let rule = Rule::parse("swap2").unwrap();
    let propose = |seed: u64| {
        let mut talk = Talk::on15(&["INFO max_node 2000", &format!("INFO seed {seed}")]);
        let action = next_action(&mut talk, &State::new(Setup::of(rule)).unwrap());
        talk.finish();
        action
    };
    assert_eq!(propose(7), propose(7));
    assert!((8..12).any(|seed| propose(seed) != propose(7)));
}

/// Plays a match between these two commands and returns its records.
fn play_match(name: &str, engines: [&str; 2], more: &str) -> Vec<Value> {
    let folder = std::env::temp_dir().join(format!("tengen-{name}-{}", std::process::id()));
    let mut command = referee();
    command.arg("match").arg("--out").arg(&folder);
    for (name, engine) in ["one", "two"].iter().zip(engines) {
        command
            .arg("--engine")
            .arg(format!("name={name},cmd=\"{engine}\""));
    }
    command.args(["--turn", "10000", "--nodes", "200", "--games", "2"]);
    let output = command.args(more.split_whitespace()).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{told}");
    let text = std::fs::read_to_string(folder.join("games.jsonl")).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let mut records: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    records.sort_by_key(|record| record["game"].as_u64());
    records
}

#[test]
fn a_match_is_played_by_an_opening_rule() {
    let ours = engine_words();
    for (rule, more) in [
        ("soosorv-8", "--rule renju"),
        ("swap2", "--rule standard"),
        ("yuelee00", "--rule renju"),
        ("yunhe-xia", "--rule renju --size 17"),
    ] {
        let more = format!("{more} --opening-rule {rule}");
        let records = play_match(rule, [&ours, &ours], &more);
        assert_eq!(records.len(), 2);
        for (record, first) in records.iter().zip(["one", "two"]) {
            let play = &record["opening_play"];
            assert_eq!(play["rule"], rule);
            assert_eq!(play["first"], first);
            assert!(
                play["actions"][0]
                    .as_str()
                    .unwrap()
                    .starts_with("A: place ")
            );
            let fair = ["row", "draw", "forbidden"].map(Value::from);
            assert!(fair.contains(&record["reason"]), "{record}");
        }
    }
}

/// An engine that answers every block in the same way.
fn parrot(answer: &str) -> String {
    format!(
        "sh -c 'while read line; do case $line in START*) echo OK;; DONE) echo {answer};; \
         END) exit;; esac; done'"
    )
}

/// Two engines that propose, add two stones and choose White, always the same: who put the first
/// stone and answers five stones with a move plays White from there.
#[test]
fn a_move_after_five_stones_of_swap2_takes_white() {
    let fixed = "sh -c 'n=0; while read line; do case $line in START*) echo OK;; \
                 SWAP2BOARD) n=0;; DONE) case $n in 0) echo 7,7 8,7 9,9;; 3) echo 1,1 2,2;; \
                 5) echo 3,3;; *) echo 10,10;; esac;; [0-9]*) n=$((n+1));; END) exit;; \
                 esac; done'";
    let more = "--rule standard --opening-rule swap2";
    let records = play_match("colours", [fixed, fixed], more);
    for (record, [black, white]) in records.iter().zip([["two", "one"], ["one", "two"]]) {
        let actions = &record["opening_play"]["actions"];
        assert_eq!(actions[2], "A: swap", "{record}");
        assert_eq!(record["black"], black, "{record}");
        assert_eq!(record["white"], white, "{record}");
        let moves = record["moves"].as_str().unwrap();
        assert_eq!(moves, "7,7 8,7 9,9 1,1 2,2 3,3 10,10", "{record}");
    }
}

#[test]
fn an_illegal_action_loses() {
    let ours = engine_words();
    for (rule, answer, reason) in [
        ("rif", "ACTION swap", "illegal"),
        ("rif", "ACTION jump", "illegal"),
        ("rif", "ERROR what", "garbage"),
        ("swap2", "7,7 8,8", "illegal"),
    ] {
        let game = if rule == "rif" { "renju" } else { "standard" };
        let more = format!("--rule {game} --opening-rule {rule}");
        let records = play_match("illegal", [&parrot(answer), &ours], &more);
        let record = &records[0];
        assert_eq!(record["reason"], reason, "{record}");
        assert_eq!(record["result"], "white", "{record}");
    }
}
