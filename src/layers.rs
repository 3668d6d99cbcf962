//! Keeps the layer diagram of the crate's documentation true: reads the sources and compares
//! every import with the table below.

use std::fs;
use std::path::{Path, PathBuf};

/// A module of the crate, its layer, and the modules it may import besides itself. Layers say
/// what *can* be imported, the list what *is meant to be*: the protocol lies above the search
/// and still must not reach into it.
struct Module {
    name: &'static str,
    layer: u8,
    sees: &'static str,
}

const fn module(name: &'static str, layer: u8, sees: &'static str) -> Module {
    Module { name, layer, sees }
}

const MODULES: [Module; 22] = [
    module("types", 0, ""),
    module("rules", 1, "types"),
    module("pattern", 2, "types rules"),
    module("board", 3, "types rules pattern"),
    module("record", 3, "types rules"),
    module("database", 4, "types rules record"),
    module("eval", 4, "types rules pattern board"),
    module("book", 4, "types rules"),
    module("tt", 4, "types"),
    module("time", 4, "types"),
    module("solver", 4, "types rules pattern board"),
    module("opening_rules", 4, "types rules record"),
    module("search", 5, "types rules pattern board eval tt time solver"),
    module("pool", 6, "types board search"),
    module(
        "opening",
        7,
        "types rules pattern board eval time opening_rules search pool",
    ),
    module("survey", 7, "types pattern board eval time search pool"),
    module(
        "engine",
        8,
        "types rules pattern board book eval time opening_rules search pool opening survey",
    ),
    module("json", 9, "types rules record engine"),
    module(
        "protocol",
        10,
        "types rules record time database opening_rules engine json",
    ),
    module(
        "tools",
        10,
        "types rules pattern board book record eval time solver database opening_rules engine json",
    ),
    module("cli", 11, "protocol tools"),
    module("main", 12, "cli"),
];

fn find(name: &str) -> Option<&'static Module> {
    MODULES.iter().find(|module| module.name == name)
}

/// All `.rs` files under `folder`, in the order of their paths.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the sources are there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let files = paths.into_iter().flat_map(|path| match path.is_dir() {
        true => sources(&path),
        false => vec![path],
    });
    files
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect()
}

/// The module of this crate that a file belongs to: `src/board/play.rs` is part of `board`.
fn owner(file: &Path, root: &Path) -> String {
    let inside = file.strip_prefix(root).expect("a file under src");
    let first = inside.iter().next().expect("a name").to_string_lossy();
    first.trim_end_matches(".rs").to_string()
}

/// The names that follow `crate::` (or `tengen::` in the program) in a line of code. Comments
/// may name anything.
fn imports(line: &str) -> impl Iterator<Item = &str> {
    let code = line.split("//").next().unwrap_or("");
    let after = ["crate::", "tengen::"].map(|prefix| code.split(prefix).skip(1));
    after.into_iter().flatten().map(|rest| {
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
        &rest[..end.unwrap_or(rest.len())]
    })
}

/// Files of tests may import whatever lies below.
fn is_test(file: &Path) -> bool {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    stem == "tests" || stem.ends_with("_tests")
}

/// What is wrong with module `from` importing `name`.
fn fault(from: &Module, name: &str, test: bool) -> Option<String> {
    let to = find(name);
    let listed = from.sees.split(' ').any(|seen| seen == name);
    let below = to.is_some_and(|to| to.layer < from.layer);
    if name == from.name || listed || test && below {
        return None;
    }
    Some(match to {
        None => format!("`crate::{name}` is no module of the layer table: name one after crate::"),
        Some(to) => format!(
            "`{}` (layer {}) must not import `{name}` (layer {})",
            from.name, from.layer, to.layer
        ),
    })
}

#[test]
fn no_import_climbs_a_layer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    let mut lines = 0;
    for file in sources(&root) {
        let owner = owner(&file, &root);
        if owner == "lib" || owner == "layers" {
            continue;
        }
        let path = file.display();
        let Some(from) = find(&owner) else {
            faults.push(format!("{path}: `{owner}` is not in the layer table"));
            continue;
        };
        let text = fs::read_to_string(&file).expect("a readable source");
        for (index, line) in text.lines().enumerate() {
            lines += 1;
            let found = imports(line).filter_map(|name| fault(from, name, is_test(&file)));
            faults.extend(found.map(|fault| format!("{path}:{}: {fault}", index + 1)));
        }
    }
    assert!(lines > 5000, "only {lines} lines of source were found");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

#[test]
fn the_table_only_points_downwards() {
    for module in &MODULES {
        for name in module.sees.split_whitespace() {
            let seen = find(name).unwrap_or_else(|| panic!("{name} is not in the table"));
            assert!(seen.layer < module.layer, "{} sees {name}", module.name);
        }
    }
}

#[test]
fn imports_are_found_in_code_and_not_in_comments() {
    let found = |line| imports(line).collect::<Vec<_>>();
    assert_eq!(found("use crate::types::{Color, Point};"), ["types"]);
    assert_eq!(
        found("    let a = crate::eval::b(crate::tt::C);"),
        ["eval", "tt"]
    );
    assert_eq!(found("match tengen::cli::run(&arguments) {"), ["cli"]);
    assert_eq!(found("//! [`RuleSpec`](crate::rules::RuleSpec)"), [""; 0]);
    assert_eq!(found("use crate::{board, eval};"), [""]);
    let search = find("search").unwrap();
    assert!(fault(search, "board", false).is_none());
    assert!(fault(search, "", true).is_some());
    assert!(fault(search, "record", false).is_some() && fault(search, "record", true).is_none());
    let climbs = fault(search, "engine", true).unwrap();
    assert_eq!(
        climbs,
        "`search` (layer 5) must not import `engine` (layer 8)"
    );
}
