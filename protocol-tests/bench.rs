//! What OpenBench, and anybody who compares two builds, relies on.

use crate::harness::{engine, source};

#[test]
fn bench_ends_with_its_node_count_and_speed_on_every_system() {
    let output = engine().arg("bench").output().expect("the program starts");
    assert!(output.status.success() && output.stderr.is_empty());
    let text = String::from_utf8(output.stdout).expect("text");
    let last = text.lines().last().expect("a line");
    let words: Vec<&str> = last.split(' ').collect();
    let [nodes, "nodes", speed, "nps"] = words[..] else {
        panic!("the last line is {last:?}");
    };
    assert!(speed.parse::<u64>().is_ok_and(|speed| speed > 0), "{last}");
    // OpenBench reads from the end and takes the first number it finds beside each word.
    assert_eq!(nodes, source(".ci/bench-signature").trim());
}

#[test]
fn the_line_that_builds_for_openbench_is_documented() {
    // `.ci/run` takes the line from there and runs it.
    let line = "cargo rustc --release --bin pbrain-tengen -- --emit link=NAME";
    assert!(source("README.md").contains(line));
}
