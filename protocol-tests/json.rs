//! Analysis as JSON: `INFO json 1` and the subcommand `analyze`.

use serde_json::Value;

use crate::cases;
use crate::harness::{PATIENCE, Talk, engine, ms};

/// The objects among the lines.
fn objects(lines: &[String]) -> Vec<Value> {
    let objects = lines.iter().filter(|line| line.starts_with('{'));
    objects
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// What every object says; `position` is what was asked about.
fn check(objects: &[Value], rule: &str, position: &str, lines: usize) {
    let (end, iterations) = objects.split_last().expect("an end");
    assert_eq!(end["event"], "end");
    assert!(
        iterations
            .iter()
            .all(|object| object["event"] == "iteration")
    );
    let mut depth = 0;
    for object in objects {
        assert_eq!(
            (&object["rule"], &object["position"]),
            (&rule.into(), &position.into())
        );
        assert!(object["depth"].as_u64().expect("a depth") >= depth);
        depth = object["depth"].as_u64().expect("a depth");
        assert!(object["nodes"].is_u64() && object["time_ms"].is_u64());
        let shown = object["lines"].as_array().expect("lines");
        assert_eq!(shown.len(), lines);
        for line in shown {
            let rate = line["win_rate"].as_f64().expect("a rate");
            assert!((0.0..=1.0).contains(&rate) && line["score"].is_i64());
            assert!(!line["moves"].as_array().expect("moves").is_empty());
            assert_eq!(line["proven"].is_null(), line["plies"].is_null());
        }
    }
    assert_eq!(end["answer"][0], end["lines"][0]["moves"][0]);
}

/// Everything up to the move.
fn search(talk: &mut Talk, command: &str) -> Vec<String> {
    talk.send(command);
    let mut lines = Vec::new();
    loop {
        let line = talk.line(PATIENCE);
        if line.as_bytes()[0].is_ascii_digit() {
            return lines;
        }
        lines.push(line);
    }
}

#[test]
fn the_protocol_prints_objects_when_asked_to() {
    let board = "YXBOARD 7,7,1 7,6,2 DONE";
    let mut talk = Talk::on15(&["INFO rule 4", "INFO timeout_turn 600", board]);
    assert!(objects(&search(&mut talk, "YXNBEST 3")).is_empty());
    talk.send_all(&["INFO json 1", board]);
    let lines = search(&mut talk, "YXNBEST 3");
    let objects = objects(&lines);
    check(&objects, "renju", "h8h9", 3);
    assert!(objects.len() >= 2, "no live object");
    talk.finish();
}

#[test]
fn forbidden_points_and_proofs_are_in_the_objects() {
    let mut talk = Talk::on15(&["INFO rule 4", "INFO json 1", "INFO max_depth 6"]);
    let lines = search(
        &mut talk,
        "BOARD 5,7,1 0,0,2 8,7,1 2,0,2 7,5,1 4,0,2 7,6,1 10,0,2 DONE",
    );
    let last = objects(&lines).pop().expect("an object");
    assert_eq!(last["forbidden"], serde_json::json!(["h8"]));
    // Objects that are asked for while the search runs say the same.
    talk.send_all(&["INFO json 0", "INFO max_depth 0", "INFO timeout_turn 60000"]);
    talk.send("BOARD 1,7,1 0,7,2 2,7,1 7,7,2 3,7,1 3,9,2 5,7,1 10,10,2 6,7,1 5,4,2 DONE");
    std::thread::sleep(ms(100));
    talk.send("INFO json 1");
    let lines = search(&mut talk, "STOP");
    let last = objects(&lines).pop().expect("an object");
    assert_eq!(last["forbidden"], serde_json::json!(["e8"]));
    talk.send("INFO max_depth 6");
    // A four of Black's, Black to move.
    let lines = search(
        &mut talk,
        "BOARD 5,7,1 0,0,2 6,7,1 2,0,2 7,7,1 4,0,2 8,7,1 10,0,2 DONE",
    );
    let last = objects(&lines).pop().expect("an object");
    let best = &last["lines"][0];
    assert_eq!(
        (&best["proven"], &best["plies"]),
        (&"win".into(), &1.into())
    );
    talk.finish();
}

#[test]
fn a_stop_ends_the_stream_with_its_end() {
    let mut talk = Talk::on15(&["INFO json 1", "INFO timeout_turn -1", "YXBOARD 7,7,2 DONE"]);
    talk.send("yxnbest 2");
    talk.poll(ms(300));
    talk.send("yxstop");
    let lines = search(&mut talk, "yxstop");
    assert_eq!(objects(&lines).last().expect("an end")["event"], "end");
    talk.silence(ms(100));
    talk.finish();
}

/// Runs `analyze` with these arguments: what it printed, or what it complained of.
fn analyze(arguments: &[&str]) -> Result<Vec<String>, String> {
    let output = engine().arg("analyze").args(arguments).output();
    let output = output.expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    match output.status.success() {
        true => Ok(text(output.stdout).lines().map(str::to_owned).collect()),
        false => Err(text(output.stderr)),
    }
}

#[test]
fn analyze_streams_one_object_an_iteration() {
    let lines = analyze(&[
        "--rule", "standard", "--lines", "2", "--depth", "7", "h8h9i9",
    ]);
    let lines = lines.expect("an analysis");
    let objects = objects(&lines);
    assert_eq!(objects.len(), lines.len(), "nothing else is printed");
    assert_eq!(objects.len(), 7 + 1);
    check(&objects, "standard", "h8h9i9", 2);
}

#[test]
fn analyze_finds_what_is_known() {
    let moves = cases::bug("vcf-smoke")["moves"]
        .as_str()
        .expect("moves")
        .to_owned();
    // The cases count rows from the other end than this board does; mirrored it is the same.
    let found = analyze(&["--time", "500", "--rule", "0", &moves]).expect("an analysis");
    let last = objects(&found).pop().expect("an end");
    let best = &last["lines"][0];
    assert_eq!(
        (&last["answer"][0], &best["plies"]),
        (&"h5".into(), &5.into())
    );
    assert_eq!(best["proven"], "win");
}

#[test]
fn analyze_looks_at_every_move_for_those_that_lose() {
    let found = analyze(&["--each", "--depth", "4", "h8a1i8a3j8"]).expect("an analysis");
    let last = objects(&found).pop().expect("an end");
    let lines = last["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 220);
    let losing = lines.iter().filter(|line| line["proven"] == "loss");
    assert!(losing.count() >= 210);
}

#[test]
fn analyze_says_what_is_wrong() {
    for (arguments, word) in [
        (&["--depth", "3", "h8h8"][..], "h8"),
        (&["--depth", "3", "z99"], "z99"),
        (&["--depth", "3", "--rule", "chess", "h8"], "chess"),
        (&["--depth", "3", "--size", "99"], "99"),
        (&["--depth", "0", "h8"], "0"),
        (&["--depth", "3", "h8a1i8a2j8a3k8a4l8"], "over"),
    ] {
        let error = analyze(arguments).expect_err("an error");
        assert!(error.contains(word), "{arguments:?}: {error}");
    }
}
