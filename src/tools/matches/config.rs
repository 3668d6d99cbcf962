//! The command line of `match`, and what is made of it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Value, json};

use super::entrant::{EngineLimits, Entrant};
use super::export::{self, OpeningFormat};
use super::player::{Reuse, Terms};
use super::schedule::{Order, Pick, Schedule};
use super::stats::Sprt;
use crate::opening_rules::{Rule, Setup, State};
use crate::record::notation;
use crate::rules::{Game, Profile, RuleSpec};
use crate::types::{BoardSize, Point};

/// Let Gomocup engines play each other.
#[derive(clap::Args, Clone, Debug)]
pub struct MatchArgs {
    /// An engine: name=A,cmd="./engine --option"[,turn=,match=,increment=,nodes=,depth=,
    /// threads=,memory=,cwd=,delay=,init="INFO key value"]; give it twice or more. The first is
    /// the one under test. Its working directory is the program's folder unless cwd= says else
    #[arg(long = "engine", required = true, value_name = "DESCRIPTION")]
    pub engines: Vec<String>,
    /// The first engine plays all others, instead of all playing all
    #[arg(long)]
    pub gauntlet: bool,
    /// The rule, by name or Gomocup number
    #[arg(long, default_value = "freestyle")]
    pub rule: String,
    /// The board: 15, 20 or 20x15
    #[arg(long, default_value = "15")]
    pub size: String,
    /// Openings, one a line: offsets from the centre, or positions such as h8i9
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Play each opening by this opening rule (`opening list` names them): swap2 between any
    /// engines that know SWAP2BOARD, the others between engines that know OPENING
    #[arg(long, value_name = "NAME", conflicts_with = "openings")]
    pub opening_rule: Option<String>,
    /// How the openings are written
    #[arg(long, value_enum, default_value_t = OpeningFormat::Auto)]
    pub opening_format: OpeningFormat,
    /// Number of the first opening used, from 0, after ordering
    #[arg(long, default_value_t = 0)]
    pub start: usize,
    /// Order of the openings
    #[arg(long, value_enum, default_value_t = Order::Seq)]
    pub order: Order,
    /// Draws the random order
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Games between each two engines; even, because each opening is played from both sides
    #[arg(long, default_value_t = 2)]
    pub games: usize,
    /// Milliseconds for a move
    #[arg(long, value_name = "MS")]
    pub turn: Option<u32>,
    /// Milliseconds for a game
    #[arg(long = "match", value_name = "MS")]
    pub game: Option<u32>,
    /// Milliseconds added to the game clock after each move
    #[arg(long, value_name = "MS", default_value_t = 0)]
    pub increment: u32,
    /// Nodes for a move
    #[arg(long)]
    pub nodes: Option<u64>,
    /// Plies of depth
    #[arg(long)]
    pub depth: Option<u32>,
    /// Search threads of each engine
    #[arg(long, default_value_t = 1)]
    pub threads: u32,
    /// Memory announced to each engine, in bytes
    #[arg(long, value_name = "BYTES", default_value_t = 367_001_600)]
    pub memory: u64,
    /// Games played at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub concurrency: usize,
    /// Milliseconds over a limit that are forgiven
    #[arg(long, value_name = "MS", default_value_t = 1000)]
    pub tolerance: u32,
    /// Milliseconds for a move when no time limit exists
    #[arg(long, value_name = "MS", default_value_t = 60_000)]
    pub patience: u32,
    /// Customs of play: judge (renju is drawn when 25 points are left), casual (drawn when only
    /// forbidden points are left) or pass
    #[arg(long, default_value = "judge")]
    pub profile: String,
    /// Use each process for many games, told so by START or RESTART
    #[arg(long, value_name = "COMMAND", num_args = 0..=1, require_equals = true,
          default_missing_value = "start", value_parser = ["start", "restart"])]
    pub keep: Option<String>,
    /// Folder for the games; a run that was stopped is taken up there
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Keep the last MESSAGE before each move in the results
    #[arg(long)]
    pub messages: bool,
    /// Stop by a sequential test: the Elo difference of its null hypothesis
    #[arg(long, requires = "elo1", allow_negative_numbers = true)]
    pub elo0: Option<f64>,
    /// The Elo difference of the alternative
    #[arg(long, requires = "elo0", allow_negative_numbers = true)]
    pub elo1: Option<f64>,
    /// Chance of the test to accept elo1 wrongly
    #[arg(long, default_value_t = 0.05)]
    pub alpha: f64,
    /// Chance of the test to accept elo0 wrongly
    #[arg(long, default_value_t = 0.05)]
    pub beta: f64,
}

/// A checked match.
pub struct Config {
    /// The engines, the one under test first.
    pub entrants: Vec<Entrant>,
    /// What holds for all games.
    pub terms: Terms,
    /// Customs of play.
    pub profile: Profile,
    /// The openings; at least one, perhaps the empty board.
    pub openings: Vec<Vec<Point>>,
    /// The rule by which openings are played, if there is one, with the seed of its dice.
    pub opening_rule: Option<Setup>,
    /// The games.
    pub schedule: Schedule,
    /// Games at a time.
    pub concurrency: usize,
    /// The sequential test, if one was asked for.
    pub sprt: Option<Sprt>,
    /// Where games go.
    pub out: Option<PathBuf>,
    /// Are messages kept?
    pub messages: bool,
    /// Everything above that decides the games, for comparison with an earlier run.
    pub plan: Value,
}

impl Config {
    /// Checks the arguments and reads the openings.
    ///
    /// # Errors
    /// One line that says what is wrong.
    pub fn new(args: &MatchArgs) -> Result<Config, String> {
        let rule = RuleSpec::parse(&args.rule)?;
        let size = notation::parse_size(&args.size).map_err(|e| e.to_string())?;
        let profile: Profile = args.profile.parse()?;
        let entrants = parse_entrants(args)?;
        if args.games == 0 || !args.games.is_multiple_of(2) || args.games > 1_000_000 {
            let what = "each opening is played from both sides";
            return Err(format!("--games must be even and at least 2: {what}"));
        }
        if !(1..=256).contains(&args.concurrency) {
            return Err("--concurrency must be 1 to 256".to_owned());
        }
        let sprt = match (args.elo0, args.elo1) {
            (Some(elo0), Some(elo1)) => Some(Sprt::new(elo0, elo1, args.alpha, args.beta)?),
            _ => None,
        };
        if sprt.is_some() && entrants.len() > 2 {
            return Err("a sequential test needs exactly two engines".to_owned());
        }
        let (path, format) = (args.openings.as_deref(), args.opening_format);
        let openings = read_openings(path, format, rule, size, profile)?;
        let opening_rule = opening_rule(args, rule, size)?;
        let pick = Pick {
            count: openings.len(),
            start: args.start,
            order: args.order,
            seed: args.seed,
        };
        let millis = |ms: u32| Duration::from_millis(u64::from(ms));
        Ok(Config {
            schedule: Schedule::new(entrants.len(), args.gauntlet, args.games, pick),
            plan: plan(args, &entrants, rule, size, &openings),
            terms: Terms {
                rule,
                size,
                tolerance: millis(args.tolerance),
                patience: millis(args.patience),
                reuse: match args.keep.as_deref() {
                    None => Reuse::Never,
                    Some("restart") => Reuse::Restart,
                    Some(_) => Reuse::Start,
                },
            },
            entrants,
            profile,
            openings,
            opening_rule,
            concurrency: args.concurrency,
            sprt,
            out: args.out.clone(),
            messages: args.messages,
        })
    }

    /// A remark when games are bound to repeat each other.
    pub fn warning(&self) -> Option<String> {
        let pairs = self.schedule.games() / self.schedule.pairings().len().max(1) / 2;
        let openings = self.openings.len();
        (pairs > openings && self.opening_rule.is_none()).then(|| {
            let what = "engines without chance in them will repeat games";
            format!("note: {pairs} pairs of games from {openings} openings: {what}")
        })
    }

    /// The conditions in one line.
    pub fn headline(&self) -> String {
        let names: Vec<&str> = self.entrants.iter().map(|e| e.name.as_str()).collect();
        let (rule, size) = (self.terms.rule.name, self.terms.size);
        let (profile, games) = (self.profile, self.schedule.games());
        let at_a_time = self.concurrency;
        let names = names.join(" - ");
        let opening = self
            .opening_rule
            .map(|setup| format!(" after {}", setup.rule.name));
        let opening = opening.unwrap_or_default();
        format!(
            "{names}: {rule} {size}{opening}, {profile} profile, {games} games, {at_a_time} at a time"
        )
    }
}

/// The opening rule asked for, found to go with game and board.
fn opening_rule(
    args: &MatchArgs,
    game: &'static RuleSpec,
    size: BoardSize,
) -> Result<Option<Setup>, String> {
    let Some(name) = &args.opening_rule else {
        return Ok(None);
    };
    let setup = Setup {
        rule: Rule::parse(name)?,
        game,
        size,
        seed: Some(args.seed),
    };
    State::new(setup).map(|_| Some(setup))
}

fn parse_entrants(args: &MatchArgs) -> Result<Vec<Entrant>, String> {
    let common = EngineLimits {
        turn: args.turn,
        game: args.game.filter(|n| *n > 0),
        increment: args.increment,
        nodes: args.nodes.filter(|n| *n > 0),
        depth: args.depth.filter(|n| *n > 0),
        threads: args.threads,
        memory: args.memory,
    };
    let parse = |text: &String| Entrant::parse(text, common);
    let entrants: Vec<Entrant> = args.engines.iter().map(parse).collect::<Result<_, _>>()?;
    if entrants.len() < 2 {
        return Err("a match needs two engines: give --engine twice or more".to_owned());
    }
    for (index, entrant) in entrants.iter().enumerate() {
        let name = &entrant.name;
        if entrants[..index].iter().any(|e| e.name == *name) {
            return Err(format!("two engines are named '{name}': give name="));
        }
    }
    Ok(entrants)
}

/// The openings of a file, each checked by playing it; without a file the empty board.
///
/// # Errors
/// One line that says what is wrong.
pub fn read_openings(
    path: Option<&Path>,
    format: OpeningFormat,
    rule: &'static RuleSpec,
    size: BoardSize,
    profile: Profile,
) -> Result<Vec<Vec<Point>>, String> {
    let Some(path) = path else {
        return Ok(vec![Vec::new()]);
    };
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let list =
        export::openings(&text, size, format).map_err(|e| format!("{}: {e}", path.display()))?;
    if list.is_empty() {
        return Err(format!("{}: no opening in it", path.display()));
    }
    for (index, opening) in list.iter().enumerate() {
        let fault = |why: String| {
            let line = export::offsets(opening, size);
            format!("{}: opening {index} ({line}): {why}", path.display())
        };
        let mut game = Game::new(rule, size, profile);
        for &stone in opening {
            game.play(stone).map_err(|e| fault(e.to_string()))?;
        }
        if let Some(outcome) = game.outcome() {
            return Err(fault(format!("the game is over already ({outcome})")));
        }
    }
    Ok(list)
}

/// What must be the same for a run to be taken up.
fn plan(
    args: &MatchArgs,
    entrants: &[Entrant],
    rule: &RuleSpec,
    size: BoardSize,
    openings: &[Vec<Point>],
) -> Value {
    let engine = |e: &Entrant| {
        json!({
            "name": e.name,
            "cmd": e.command,
            "cwd": e.launch.directory,
            "limits": e.limits,
            "delay": e.delay,
            "init": e.init,
        })
    };
    json!({
        "version": 1,
        "engines": entrants.iter().map(engine).collect::<Vec<_>>(),
        "gauntlet": args.gauntlet,
        "rule": rule.name,
        "size": size.to_string(),
        "openings_file": args.openings,
        "openings": openings.len(),
        "opening_rule": args.opening_rule,
        "openings_checksum": openings_checksum(openings, size),
        "start": args.start,
        "order": format!("{:?}", args.order).to_lowercase(),
        "seed": args.seed,
        "games": args.games,
        "concurrency": args.concurrency,
        "tolerance": args.tolerance,
        "patience": args.patience,
        "profile": args.profile.to_lowercase(),
        "keep": args.keep,
        "messages": args.messages,
        "sprt": args.elo0.zip(args.elo1).map(|(a, b)| json!([a, b, args.alpha, args.beta])),
    })
}

/// Tells two opening lists apart: FNV-1a, 64 bit, of their lines.
pub fn openings_checksum(openings: &[Vec<Point>], size: BoardSize) -> String {
    let lines: Vec<String> = openings.iter().map(|o| export::offsets(o, size)).collect();
    let text = lines.join("\n");
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
