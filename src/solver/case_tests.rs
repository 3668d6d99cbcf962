//! The solver on the shared puzzles: a sample on every run, all of them when asked for.

use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;

use super::*;
use crate::pattern::{LinearWeights, RuleTables};
use crate::record::problem::Problem;
use crate::rules::{Grid, RuleSpec};
use crate::types::BoardSize;

#[derive(Deserialize)]
struct Case {
    #[serde(flatten)]
    problem: Problem,
    proof: Option<Proof>,
    has_vcf: Option<bool>,
    win: Option<bool>,
    shortest: Option<usize>,
}

#[derive(Deserialize)]
struct Proof {
    #[serde(rename = "type")]
    kind: String,
    shortest: Option<usize>,
}

impl Case {
    fn is(&self, kind: &str) -> bool {
        self.proof.as_ref().is_some_and(|proof| proof.kind == kind)
    }

    /// Whether there is a win by fours, when the file says so, and its least number of fours.
    fn fours(&self) -> Option<(bool, Option<usize>)> {
        let proof = self.proof.as_ref().filter(|proof| proof.kind == "vcf");
        let of_proof = proof.map(|proof| (true, proof.shortest));
        let of_rule = self.win.map(|win| (win, self.shortest));
        of_proof
            .or(of_rule)
            .or((self.has_vcf == Some(false)).then_some((false, None)))
    }

    /// Solves the case and checks the win that is claimed. The puzzles know no judge who draws
    /// games with points left.
    fn solve(&self, kind: Kind, limits: &Limits, shortest: bool) -> Verdict {
        let spec = RuleSpec::by_name(&self.problem.rule).expect("a rule");
        let tables = Arc::new(RuleTables::new(spec, LinearWeights::zero()));
        let position = self.problem.position(BoardSize::STANDARD);
        let position = position.expect("a position");
        let settings = Settings {
            profile: Profile::Casual,
            memory: 128 << 20,
            shortest,
        };
        let board = Board::from_position(tables, &position);
        let verdict = Solver::new(board, settings).solve(kind, limits);
        if let Verdict::Win(step) = &verdict {
            let grid = Grid::from_position(&position);
            let mut checker = Checker::new(spec, Profile::Casual, grid, position.to_move);
            assert_eq!(checker.check(step), Ok(()), "{}", self.problem.id);
        }
        verdict
    }
}

fn cases(file: &str) -> Vec<Case> {
    let path = format!("{}/../shared/cases/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).expect("a case"))
        .collect()
}

fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// One case in `every` of those that say something about wins by fours.
fn check_fours(every: usize, limits: &Limits) {
    let mut all = cases("puzzles.jsonl");
    all.extend(cases("vcf-crossrule.jsonl"));
    let known = all.iter().filter_map(|case| Some((case, case.fours()?)));
    let (mut yes, mut no) = (0, 0);
    for (case, (wins, shortest)) in known.step_by(every) {
        match case.solve(Kind::Fours, limits, true) {
            Verdict::Win(step) => {
                assert!(wins, "{}: a false win", case.problem.id);
                let fours = step.fours();
                assert_eq!(fours, shortest.unwrap_or(fours), "{}", case.problem.id);
                yes += 1;
            }
            Verdict::NoWin => {
                assert!(!wins, "{}: a win denied", case.problem.id);
                no += 1;
            }
            // Only where nobody has counted the fours is the search so large.
            Verdict::Unknown => assert!(wins && shortest.is_none(), "{}: unknown", case.problem.id),
        }
    }
    assert!(yes > 900 / every && no > 900 / every, "{yes} {no}");
}

/// One in `every` of the proven wins with quiet moves: how many of how many are found.
fn check_threes(every: usize, limits: &Limits) -> (usize, usize) {
    let all = cases("puzzles.jsonl");
    let (mut found, mut asked) = (0, 0);
    for case in all.iter().filter(|case| case.is("vct")).step_by(every) {
        asked += 1;
        match case.solve(Kind::Threes, limits, false) {
            Verdict::Win(_) => found += 1,
            Verdict::NoWin => panic!("{}: a win denied", case.problem.id),
            Verdict::Unknown => {}
        }
    }
    (found, asked)
}

#[test]
fn a_sample_of_the_puzzles_is_solved() {
    check_fours(40, &nodes(300_000));
    let (found, asked) = check_threes(70, &nodes(50_000));
    assert!(asked >= 20 && found == asked, "{found} of {asked}");
}

/// The bars: release build, machine otherwise idle.
#[test]
#[ignore = "minutes of work"]
fn all_puzzles_are_solved_in_time() {
    let within = |seconds| Limits {
        time: Some(Duration::from_secs(seconds)),
        ..Limits::default()
    };
    check_fours(1, &within(10));
    let (found, asked) = check_threes(1, &within(1));
    assert!(found * 100 >= asked * 99, "{found} of {asked}");
}
