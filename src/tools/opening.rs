//! `opening`: the opening rules for people. Lists and explains them, checks transcripts, names
//! the classical openings of renju, and draws what it talks about.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use clap::{Args, ColorChoice, Subcommand};

use super::show::{Drawing, draw};
use crate::opening_rules::{Fault, NamedOpening, Rule, Setup, State};
use crate::record::notation::{Rows, format_moves, parse_moves, parse_size};
use crate::rules::RuleSpec;
use crate::types::{BoardSize, Color, Point, Position};

/// Arguments of `opening`.
#[derive(Args, Debug)]
pub struct OpeningArgs {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand, Debug)]
enum Task {
    /// List the opening rules, or the named openings of renju
    List {
        /// The 26 classical openings and the 26 further ones instead
        #[arg(long)]
        named: bool,
    },
    /// Say in words how an opening rule goes
    Explain {
        /// Its name, or that of a classical opening
        name: String,
    },
    /// Check the actions of an opening: where it is illegal and why, or what comes next
    Check(TranscriptArgs),
    /// Name the opening that three moves make
    Name {
        /// Moves as in h8h9i10; those after the third are left out
        #[arg(required = true)]
        moves: Vec<String>,
        /// Board size: 15, or 20x12 for columns x rows
        #[arg(long, default_value = "15", value_parser = parse_size)]
        size: BoardSize,
    },
    /// Draw a classical opening, or where a transcript leads to
    Draw {
        #[command(flatten)]
        transcript: TranscriptArgs,
        /// Which of its eight orientations a classical opening has
        #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..8))]
        orientation: u8,
        /// Colours in the terminal
        #[arg(long, value_name = "WHEN", default_value = "auto")]
        color: ColorChoice,
        /// Also write a picture
        #[arg(long, value_name = "SVG")]
        svg: Option<PathBuf>,
    },
}

/// An opening rule and what was done under it.
#[derive(Args, Debug)]
struct TranscriptArgs {
    /// The opening rule
    rule: String,
    /// A file of actions, `-` for the standard input, or the actions themselves, separated by
    /// semicolons
    #[arg(default_value = "")]
    transcript: String,
    /// The game that follows, where the rule leaves it open
    #[arg(long, value_parser = RuleSpec::parse)]
    game: Option<&'static RuleSpec>,
    /// The board, where the rule leaves it open
    #[arg(long, value_parser = parse_size)]
    size: Option<BoardSize>,
    /// Seed of the die; without one its numbers are taken as reported
    #[arg(long)]
    seed: Option<u64>,
}

impl TranscriptArgs {
    fn setup(&self) -> Result<Setup, String> {
        let usual = Setup::of(Rule::parse(&self.rule)?);
        Ok(Setup {
            rule: usual.rule,
            game: self.game.unwrap_or(usual.game),
            size: self.size.unwrap_or(usual.size),
            seed: self.seed,
        })
    }

    fn text(&self) -> Result<String, String> {
        let path = Path::new(&self.transcript);
        let mut text = String::new();
        if self.transcript == "-" {
            let read = std::io::stdin().read_to_string(&mut text);
            read.map_err(|error| format!("standard input: {error}"))?;
        } else if path.is_file() {
            let read = std::fs::read_to_string(path);
            text = read.map_err(|error| format!("{}: {error}", self.transcript))?;
        } else {
            text.clone_from(&self.transcript);
        }
        Ok(text)
    }

    fn replay(&self) -> Result<State, String> {
        let state = State::replay(self.setup()?, &self.text()?);
        state.map_err(|fault| match fault {
            // Nothing was done yet: the rule itself does not fit.
            Fault {
                number: 0, reason, ..
            } => reason,
            fault => fault.to_string(),
        })
    }
}

/// Does the task.
///
/// # Errors
/// One line: what is unknown or illegal.
pub fn run(args: &OpeningArgs) -> Result<(), String> {
    carry_out(&args.task, &mut std::io::stdout().lock())
}

fn carry_out(task: &Task, out: &mut dyn Write) -> Result<(), String> {
    let text = match task {
        Task::List { named: false } => Rule::all().iter().map(rule_line).collect(),
        Task::List { named: true } => NamedOpening::all().iter().map(named_line).collect(),
        Task::Explain { name } => explain(name)?,
        Task::Check(args) => report(&args.replay()?),
        Task::Name { moves, size } => name(&moves.join(" "), *size)?,
        Task::Draw {
            transcript,
            orientation,
            color,
            svg,
        } => {
            let drawing = Drawing {
                color: *color,
                svg: svg.as_deref(),
            };
            let only_name = transcript.transcript.is_empty();
            let named = NamedOpening::parse(&transcript.rule).filter(|_| only_name);
            return match named {
                Some(opening) => draw_named(opening, *orientation, transcript.size, drawing, out),
                None => draw_state(&transcript.replay()?, drawing, out),
            };
        }
    };
    let written = out.write_all(text.as_bytes());
    written.map_err(|error| format!("standard output: {error}"))
}

/// The rule and the classical opening of that name; there is one that names both.
fn explain(name: &str) -> Result<String, String> {
    let named = NamedOpening::parse(name).map(named_line);
    match (Rule::parse(name), named) {
        (Ok(rule), named) => Ok(rule.explain() + &named.unwrap_or_default()),
        (Err(_), Some(named)) => Ok(named),
        (Err(error), None) => Err(error),
    }
}

fn rule_line(rule: &Rule) -> String {
    let number = rule
        .number
        .map_or(String::new(), |number| number.to_string());
    let games: Vec<&str> = rule.games.iter().map(|game| game.name).collect();
    let (name, title, size) = (&rule.name, &rule.title, rule.board);
    format!(
        "{name:<20} {number:>2}  {title:<38} {size}  {}\n",
        games.join(", ")
    )
}

fn named_line(opening: &NamedOpening) -> String {
    let kind = if opening.is_classical() {
        "classical"
    } else {
        "further"
    };
    let size = BoardSize::STANDARD;
    let moves = opening.moves(size, 0).unwrap_or([size.center(); 3]);
    let moves = format_moves(&moves, size, Rows::FromBottom);
    format!("{moves:<9} {kind:<9}  {opening}\n")
}

/// Where an opening stands: what was done, the stones, and what comes next.
fn report(state: &State) -> String {
    let size = state.setup().size;
    let mut text = String::new();
    for (number, (player, action)) in (1..).zip(state.history()) {
        text.push_str(&format!("{number:>3}. {player}: {}\n", action.format(size)));
    }
    if let Some(opening) = named(state) {
        text.push_str(&format!("Opening: {opening}\n"));
    }
    if let Some(declared) = state.declared() {
        text.push_str(&format!("Declared: {declared}\n"));
    }
    match (state.legal(), state.result()) {
        (Some(turn), _) => text.push_str(&format!("Next: {turn}\n")),
        (None, Some(settled)) => {
            let (black, white) = (settled.black, settled.black.other());
            let (game, side) = (settled.game.name, settled.position.to_move);
            let (mover, profile) = (settled.mover(), settled.profile);
            text.push_str(&format!(
                "Over: {black} is Black, {white} is White; {game} ({profile} profile), {mover} \
                 moves as {side}\n"
            ));
        }
        (None, None) => {}
    }
    text
}

/// The classical opening of the first three stones, in renju.
fn named(state: &State) -> Option<&'static NamedOpening> {
    let Setup { game, size, .. } = state.setup();
    let position = state.position();
    let stones = position.stones().get(..3)?;
    game.forbids(Color::Black)
        .then(|| NamedOpening::of(stones, size))?
}

fn name(moves: &str, size: BoardSize) -> Result<String, String> {
    let points = parse_moves(moves, size, Rows::FromBottom).map_err(|error| error.to_string())?;
    let stones = points.iter().take(3).enumerate();
    let stones: Vec<(Point, Color)> = stones.map(|(ply, &p)| (p, Color::of_ply(ply))).collect();
    match NamedOpening::of(&stones, size) {
        Some(opening) => Ok(named_line(opening)),
        None => Err(format!(
            "{} is no named opening: black on the centre, white beside it, black in the central 7x7",
            format_moves(&points[..stones.len()], size, Rows::FromBottom)
        )),
    }
}

fn draw_named(
    opening: &NamedOpening,
    orientation: u8,
    size: Option<BoardSize>,
    drawing: Drawing<'_>,
    out: &mut dyn Write,
) -> Result<(), String> {
    let size = size.unwrap_or(BoardSize::STANDARD);
    let moves = opening.moves(size, orientation);
    let moves = moves.ok_or_else(|| format!("{opening} does not fit on {size}"))?;
    let renju = Setup::of(Rule::parse("rif")?).game;
    draw(renju, &Position::after(size, moves), &[], drawing, out)
}

fn draw_state(state: &State, drawing: Drawing<'_>, out: &mut dyn Write) -> Result<(), String> {
    let offered: Vec<Point> = state
        .offered()
        .flat_map(|(_, points)| points.to_vec())
        .collect();
    draw(
        state.setup().game,
        &state.position(),
        &offered,
        drawing,
        out,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        args: OpeningArgs,
    }

    fn try_run(words: &[&str]) -> Result<String, String> {
        let words = std::iter::once(&"opening").chain(words);
        let cli = Cli::try_parse_from(words).map_err(|error| error.to_string())?;
        let mut out = Vec::new();
        carry_out(&cli.args.task, &mut out)?;
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn rules_and_openings_are_listed() {
        let rules = try_run(&["list"]).unwrap();
        assert_eq!(rules.lines().count(), Rule::all().len());
        let soosorv = rules
            .lines()
            .find(|line| line.starts_with("soosorv "))
            .unwrap();
        assert_eq!(
            soosorv.split_whitespace().collect::<Vec<_>>(),
            ["soosorv", "29", "Soosõrv", "15x15", "renju"]
        );
        let named = try_run(&["list", "--named"]).unwrap();
        assert_eq!(named.lines().count(), 52);
        assert_eq!(
            named.lines().next(),
            Some("h8h9h10   classical  D1 Kansei 寒星")
        );
    }

    #[test]
    fn rules_and_openings_are_explained() {
        assert_eq!(
            try_run(&["explain", "Kagetsu"]).unwrap(),
            "h8h9i9    classical  D4 Kagetsu 花月\n"
        );
        assert!(
            try_run(&["explain", "shanghai committee (i)"])
                .unwrap()
                .contains("white 4 in the central 5x5")
        );
        assert!(
            try_run(&["explain", "swap3"])
                .unwrap_err()
                .contains("is it swap, swap2")
        );
    }

    #[test]
    fn transcripts_are_checked() {
        let check = |transcript| try_run(&["check", "soosorv-8", transcript]);
        let going = "  1. A: place h8 h9 i10\n  2. B: swap\nOpening: D2 Keigetsu 溪月\nNext: A may place white 4 anywhere\n";
        assert_eq!(check("place h8 h9 i10; swap").unwrap(), going);
        let over = check("place h8 h9 i10; swap; place a1; declare 1; stay; offer b1").unwrap();
        assert!(
            over.ends_with(
                "Over: B is Black, A is White; renju (pass profile), A moves as white\n"
            ),
            "{over}"
        );
        let illegal = check("place h8 h9 i10; swap; place h9").unwrap_err();
        assert_eq!(illegal, "action 3, 'place h9': white 4: h9 is taken");
        let game = try_run(&["check", "swap", "--game", "renju"]).unwrap_err();
        assert!(
            game.starts_with("swap is not played before renju"),
            "{game}"
        );
        assert!(
            try_run(&["check", "swap2", "--game", "caro", "place a1 b2 c3; swap"])
                .unwrap()
                .contains("caro (judge")
        );
        assert_eq!(
            try_run(&["check", "yuelee00", "--seed", "5", "place h8"]).unwrap(),
            try_run(&["check", "yuelee00", "--seed", "5", "place h8"]).unwrap()
        );
    }

    #[test]
    fn files_are_read() {
        let path = std::env::temp_dir().join(format!("tengen-opening-{}.txt", std::process::id()));
        std::fs::write(&path, "# a game\nA: place h8 h9 h10\nB: stay\n").unwrap();
        let checked = try_run(&["check", "karepa", path.to_str().unwrap()]);
        std::fs::remove_file(&path).unwrap();
        assert!(checked.unwrap().contains("Over: A is Black"));
    }

    #[test]
    fn openings_are_named() {
        assert_eq!(
            try_run(&["name", "h8g8", "f9"]).unwrap(),
            "h8h9i10   classical  D2 Keigetsu 溪月\n"
        );
        assert_eq!(
            try_run(&["name", "--size", "19", "j10j11j12a1"]).unwrap(),
            "h8h9h10   classical  D1 Kansei 寒星\n"
        );
        let error = try_run(&["name", "h8h9a1"]).unwrap_err();
        assert!(error.starts_with("h8h9a1 is no named opening"), "{error}");
        assert_eq!(
            try_run(&["name", "h8h99"]).unwrap_err(),
            "h99 is not on the 15x15 board"
        );
    }

    #[test]
    fn openings_are_drawn() {
        let named = try_run(&["draw", "D4", "--orientation", "2", "--color", "never"]).unwrap();
        // The cells of a row that are not empty; the first two columns hold its number.
        let row = |text: &str, number: &str| -> String {
            let mut rows = text.lines().filter_map(|line| line.split_at_checked(2));
            let (_, cells) = rows.find(|(label, _)| label.trim() == number).unwrap();
            cells
                .split_whitespace()
                .filter(|cell| *cell != ".")
                .collect()
        };
        assert_eq!(
            (row(&named, "8").as_str(), row(&named, "7").as_str()),
            ("1", "2(3)")
        );
        let transcript = "place h8 h9 i10; stay; place a1; offer b1 c1";
        let offered = try_run(&["draw", "rif", transcript, "--color", "never"]).unwrap();
        assert_eq!(row(&offered, "1"), "(4)??");
        assert!(
            offered.ends_with("renju 15x15, 4 stones, black to move\n? offered: b1 c1\n"),
            "{offered}"
        );
        let small = try_run(&["draw", "XD13", "--size", "5"]).unwrap_err();
        assert_eq!(small, "XD13 does not fit on 5x5");
    }
}
