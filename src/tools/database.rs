//! `database`: looks into a database of positions, fills it from files and empties it into them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use crate::database::{Database, Fault, Key, Lookup, Record};
use crate::record::notation::{Rows, format_point, parse_moves, parse_size};
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Bound, Position};

/// Arguments of `database`.
#[derive(Args, Debug)]
pub struct DatabaseArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand, Debug)]
enum Action {
    /// Count the records of each rule and board
    Info {
        /// The database
        file: PathBuf,
    },
    /// Show what is known about a position and its moves
    Query {
        /// The database
        file: PathBuf,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Add the records of a table (.csv), a RenLib library (.lib) or another database
    Import {
        /// The database; a new one if there is none
        file: PathBuf,
        /// What to add
        source: PathBuf,
        /// The rule of a library, by name or number
        #[arg(long, default_value = "renju", value_parser = RuleSpec::parse)]
        rule: &'static RuleSpec,
    },
    /// Write all records as a table (.csv), or what is behind a position as a RenLib library
    /// (.lib) or another database
    Export {
        /// The database
        file: PathBuf,
        /// Where to
        target: PathBuf,
        #[command(flatten)]
        place: PlaceArgs,
    },
    /// Read everything and say whether it is whole
    Check {
        /// The database
        file: PathBuf,
        /// Leave out what cannot be read, and make the file as small as it can be
        #[arg(long)]
        mend: bool,
    },
}

#[derive(Args, Debug)]
struct PlaceArgs {
    /// Moves from the empty board, as in h8h9i9; blanks between them are free
    moves: Vec<String>,
    /// Rule, by name or number
    #[arg(long, default_value = "freestyle", value_parser = RuleSpec::parse)]
    rule: &'static RuleSpec,
    /// Board size: 15, or 20x12 for columns x rows
    #[arg(long, default_value = "15", value_parser = parse_size)]
    size: BoardSize,
}

impl PlaceArgs {
    fn position(&self) -> Result<Position, String> {
        let moves = parse_moves(&self.moves.concat(), self.size, Rows::FromBottom);
        let moves = moves.map_err(|error| error.to_string())?;
        Ok(Position::after(self.size, moves))
    }
}

/// Does what is asked and prints what came of it.
///
/// # Errors
/// One line: what was wrong with a file or a position.
#[allow(clippy::print_stdout)]
pub fn run(args: &DatabaseArgs) -> Result<(), String> {
    print!("{}", act(&args.action)?);
    Ok(())
}

fn act(action: &Action) -> Result<String, String> {
    match action {
        Action::Info { file } => on(file, info(file)),
        Action::Query { file, place } => on(file, query(file, place, &place.position()?)),
        Action::Import { file, source, rule } => {
            let database = on(file, Database::create(file))?;
            let count = match extension(source).as_str() {
                "csv" | "txt" => database.import_table(source),
                "lib" => database.import_library(source, rule),
                _ => database.import_database(source),
            };
            Ok(format!("{} records added\n", on(source, count)?))
        }
        Action::Export {
            file,
            target,
            place,
        } => {
            let position = place.position()?;
            let database = on(file, Database::open(file))?;
            let count = match extension(target).as_str() {
                "csv" | "txt" => database.export_table(target, None),
                "lib" => database.export_library(target, place.rule, &position),
                _ => database.export_branch(target, place.rule, &position),
            };
            Ok(format!("{} records written\n", on(target, count)?))
        }
        Action::Check { file, mend } => {
            let mut database = on(file, Database::open(file))?;
            let check = on(file, database.check(*mend))?;
            let text = format!("{} records good, {} wrong\n", check.records, check.wrong);
            match check.wrong == 0 || *mend {
                true => Ok(text),
                false => Err(format!("{}; --mend leaves them out", text.trim_end())),
            }
        }
    }
}

/// Names the file that something went wrong with.
fn on<T>(file: &Path, result: Result<T, Fault>) -> Result<T, String> {
    result.map_err(|fault| format!("{}: {fault}", file.display()))
}

fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

fn info(file: &Path) -> Result<String, Fault> {
    let database = Database::open(file)?;
    let counts = database.read()?.counts()?;
    let mut text = format!(
        "{:<11} {:>7} {:>9} {:>9} {:>9} {:>9}\n",
        "rule", "board", "records", "scored", "results", "texts"
    );
    for ((rule, width, height), count) in counts {
        let _ = writeln!(
            text,
            "{rule:<11} {:>7} {:>9} {:>9} {:>9} {:>9}",
            format!("{width}x{height}"),
            count.records,
            count.scored,
            count.results,
            count.texts
        );
    }
    Ok(text)
}

fn query(file: &Path, place: &PlaceArgs, position: &Position) -> Result<String, Fault> {
    let database = Database::open(file)?;
    let reader = database.read()?;
    let mut text = match reader.get(&Key::of(place.rule, position))? {
        Some(record) => format!("position {}\n", shown(&record)),
        None => "position not there\n".to_owned(),
    };
    for (point, record) in reader.children(place.rule, position)? {
        let name = format_point(point, place.size, Rows::FromBottom);
        let _ = writeln!(text, "{name:<8} {}", shown(&record));
    }
    Ok(text)
}

fn shown(record: &Record) -> String {
    let mut words = vec![match record.display().as_str() {
        "" => "-".to_owned(),
        mark => mark.to_owned(),
    }];
    let bound = match record.bound {
        Bound::None => None,
        Bound::Upper => Some("at most "),
        Bound::Lower => Some("at least "),
        Bound::Exact => Some(""),
    };
    if let Some(bound) = bound {
        words.push(format!(
            "score {bound}{} depth {}",
            record.value, record.depth
        ));
    }
    for (name, text) in [("label", record.label()), ("comment", record.comment())] {
        if !text.is_empty() {
            words.push(format!("{name} {text:?}"));
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: DatabaseArgs,
    }

    fn tool(words: &[&str]) -> Result<String, String> {
        let words = std::iter::once("database").chain(words.iter().copied());
        act(&Line::try_parse_from(words)
            .map_err(|e| e.to_string())?
            .args
            .action)
    }

    #[test]
    fn tables_and_libraries_go_in_and_out() {
        let folder = std::env::temp_dir().join(format!("tengen-tool-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let (a, b, csv, lib) = (file("a.db"), file("b.db"), file("a.csv"), file("a.lib"));
        let table = "rule,size,black,white,side,tag,value,depth,bound,label,comment\n\
                     renju,15,h8,,white,,20,9,exact,,\n\
                     renju,15,h8,i9,black,!,-20,8,exact,A,good\n";
        std::fs::write(&csv, table).unwrap();
        assert!(
            tool(&["query", &a, "h8"])
                .unwrap_err()
                .contains("no such file")
        );
        assert_eq!(tool(&["import", &a, &csv]).unwrap(), "2 records added\n");
        let info = tool(&["info", &a]).unwrap();
        assert!(info.contains("renju         15x15         2         2         0         1"));
        let found = tool(&["query", &a, "--rule", "renju", "h8"]).unwrap();
        assert!(
            found.starts_with("position 47% score 20 depth 9\n"),
            "{found}"
        );
        let move_line = "i9       ! score -20 depth 8 label \"A\" comment \"good\"\n";
        assert!(found.contains(move_line), "{found}");
        let export = ["export", &a, &lib, "--rule", "renju"];
        assert_eq!(tool(&export).unwrap(), "2 records written\n");
        assert_eq!(tool(&["import", &b, &lib]).unwrap(), "2 records added\n");
        assert_eq!(tool(&["import", &b, &a]).unwrap(), "2 records added\n");
        assert_eq!(tool(&["export", &b, &csv]).unwrap(), "2 records written\n");
        assert_eq!(tool(&["check", &b]).unwrap(), "2 records good, 0 wrong\n");
        let error = tool(&["import", &a, &file("none.lib")]).unwrap_err();
        assert!(error.contains("none.lib: there is no such file"), "{error}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
