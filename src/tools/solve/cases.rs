//! Many positions with known answers: a JSON line each, and a table of what was right and when.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Deserialize;
use serde_json::json;

use super::print::line_text;
use super::{SolveArgs, Solved, solve, tables};
use crate::record::notation::{Rows, format_point};
use crate::record::problem::Problem;
use crate::rules::{RuleSpec, winner};
use crate::solver::{Kind, Verdict};
use crate::types::BoardSize;

/// A position of the file. What is not named here is not read.
#[derive(Deserialize)]
struct Case {
    #[serde(flatten)]
    problem: Problem,
    #[serde(default)]
    kind: String,
    proof: Option<Proof>,
    has_vcf: Option<bool>,
    win: Option<bool>,
    shortest: Option<u8>,
}

#[derive(Deserialize)]
struct Proof {
    #[serde(rename = "type")]
    of: String,
    shortest: Option<u8>,
    quiet: Option<i8>,
}

/// What the file says about a case.
struct Expected {
    /// Row of the table of results.
    group: String,
    wins: bool,
    fours: Option<u8>,
}

impl Case {
    /// What the file says about wins of that kind; `None`: nothing.
    fn expected(&self, kind: Kind) -> Option<Expected> {
        let by_fours = match &self.proof {
            Some(proof) if proof.of == "vcf" => Some((true, proof.shortest)),
            _ => match (self.win, self.has_vcf) {
                (Some(wins), _) => Some((wins, self.shortest)),
                (None, Some(false)) => Some((false, None)),
                _ => None,
            },
        };
        match kind {
            Kind::Fours => by_fours.map(|(wins, fours)| Expected {
                group: format!("{} {}", self.problem.rule, fours_group(wins, fours)),
                wins,
                fours,
            }),
            Kind::Threes | Kind::Full => {
                let proof = self.proof.as_ref().filter(|proof| proof.of == "vct")?;
                let quiet = proof.quiet.filter(|quiet| *quiet > 0);
                let quiet = quiet.map_or("?".to_string(), |quiet| quiet.to_string());
                Some(Expected {
                    group: format!("{} {}, quiet moves {quiet}", self.problem.rule, self.kind),
                    wins: true,
                    fours: None,
                })
            }
        }
    }
}

fn fours_group(wins: bool, fours: Option<u8>) -> &'static str {
    match (wins, fours) {
        (false, _) => "no win by fours",
        (true, None) => "fours, number unknown",
        (true, Some(0..10)) => "fours below 10",
        (true, Some(10..20)) => "fours 10 to 19",
        (true, Some(20..)) => "fours 20 and more",
    }
}

/// Results of a group of cases.
#[derive(Default)]
struct Row {
    cases: usize,
    wrong: usize,
    unknown: usize,
    /// Right within 1 s, 10 s and 60 s.
    right: [usize; 3],
    slowest_ms: u128,
    nodes: u64,
}

impl Row {
    fn add(&mut self, solved: &Solved, is_right: bool) {
        self.cases += 1;
        self.nodes += solved.nodes;
        self.slowest_ms = self.slowest_ms.max(solved.time.as_millis());
        if solved.verdict == Verdict::Unknown {
            self.unknown += 1;
        } else if !is_right {
            self.wrong += 1;
        } else {
            for (count, seconds) in self.right.iter_mut().zip([1, 10, 60]) {
                *count += usize::from(solved.time.as_millis() <= seconds * 1000);
            }
        }
    }
}

/// Is the answer what the file says, and a win that holds?
fn is_right(solved: &Solved, expected: &Expected, shortest: bool) -> bool {
    let Verdict::Win(step) = &solved.verdict else {
        return solved.verdict == Verdict::NoWin && !expected.wins;
    };
    let as_short = expected.fours.is_none_or(|fours| match shortest {
        true => usize::from(fours) == step.fours(),
        false => usize::from(fours) <= step.fours(),
    });
    solved.is_sound && expected.wins && as_short
}

/// Solves the cases of the file that say something about the kind of win asked for.
///
/// # Errors
/// One line: what could not be read or written, or how many answers were wrong or missing.
pub fn run(
    args: &SolveArgs,
    path: &Path,
    stop: &Arc<AtomicBool>,
    out: &mut dyn Write,
) -> Result<(), String> {
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
    let mut rules = BTreeMap::new();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.contains(&args.only));
    for (number, line) in lines.step_by(args.every.max(1)) {
        let at = |error: String| format!("{}: line {}: {error}", path.display(), number + 1);
        let case: Case = serde_json::from_str(line).map_err(|error| at(error.to_string()))?;
        let Some(expected) = case.expected(args.kind) else {
            continue;
        };
        let rule = RuleSpec::parse(&case.problem.rule).map_err(at)?;
        let position = case.problem.position(args.size).map_err(at)?;
        if winner(rule, &position).is_some() {
            continue;
        }
        let tables = rules.entry(rule.code).or_insert_with(|| tables(rule));
        let solved = solve(args, tables, &position, stop);
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let right = is_right(&solved, &expected, args.shortest);
        rows.entry(expected.group).or_default().add(&solved, right);
        let result = result_line(&case.problem.id, &solved, right, args.size);
        writeln!(out, "{result}").map_err(|error| format!("standard output: {error}"))?;
    }
    let written = out.write_all(table(&rows).as_bytes());
    written.map_err(|error| format!("standard output: {error}"))?;
    let sum = |count: fn(&Row) -> usize| rows.values().map(count).sum::<usize>();
    match (sum(|row| row.wrong), sum(|row| row.unknown)) {
        (0, 0) => Ok(()),
        (wrong, unknown) => Err(format!("{wrong} answers wrong, {unknown} unknown")),
    }
}

fn result_line(id: &str, solved: &Solved, right: bool, size: BoardSize) -> String {
    let mut result = json!({
        "id": id,
        "verdict": match solved.verdict {
            Verdict::Win(_) => "win",
            Verdict::NoWin => "no win",
            Verdict::Unknown => "unknown",
        },
        "right": right,
        "nodes": solved.nodes,
        "ms": solved.time.as_millis() as u64,
    });
    if let Verdict::Win(step) = &solved.verdict {
        result["first"] = format_point(step.point, size, Rows::FromBottom).into();
        result["plies"] = step.plies().into();
        result["line"] = line_text(step, size).into();
        result["sound"] = solved.is_sound.into();
    }
    result.to_string()
}

fn table(rows: &BTreeMap<String, Row>) -> String {
    let mut text = format!(
        "{:<34} {:>5} {:>6} {:>6} {:>6} {:>7} {:>5} {:>10} {:>12}\n",
        "group", "cases", "in 1s", "in 10s", "in 60s", "unknown", "wrong", "slowest ms", "nodes"
    );
    for (group, row) in rows {
        let [one, ten, sixty] = row.right;
        text += &format!(
            "{group:<34} {:>5} {one:>6} {ten:>6} {sixty:>6} {:>7} {:>5} {:>10} {:>12}\n",
            row.cases, row.unknown, row.wrong, row.slowest_ms, row.nodes
        );
    }
    text
}
