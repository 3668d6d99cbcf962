//! The table of opening rules: `openings/rules.toml`, read once and checked while it is read.

use std::str::FromStr;
use std::sync::LazyLock;

use serde::Deserialize;

use super::Player;
use crate::rules::{Profile, RuleSpec};
use crate::types::{BoardSize, Color, Point};

/// Whose step it is: a player, or whoever holds a colour when the step comes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
pub enum Actor {
    /// The first player, who begins as Black.
    A,
    /// The other player.
    B,
    /// The player who holds Black.
    #[serde(rename = "black")]
    Black,
    /// The player who holds White.
    #[serde(rename = "white")]
    White,
}

/// Part of the board that a stone must be in. In the table `"centre"`, `"5x5"`, `"outside 5x5"`
/// and `"any"`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub enum Region {
    /// [`BoardSize::center`].
    Centre,
    /// The square of that side (odd) around the centre.
    Central(u8),
    /// Outside the square of that side (odd) around the centre.
    Outside(u8),
    /// Anywhere.
    Any,
}

impl Region {
    /// Is `point` in it? The board is of that size and `point` on it.
    pub fn contains(self, point: Point, size: BoardSize) -> bool {
        let within = |side: u8| point.distance(size.center()) <= side / 2;
        match self {
            Region::Centre => point == size.center(),
            Region::Central(side) => within(side),
            Region::Outside(side) => !within(side),
            Region::Any => true,
        }
    }
}

impl FromStr for Region {
    type Err = String;

    fn from_str(text: &str) -> Result<Region, String> {
        let square = |text: &str| {
            let (width, height) = text.split_once('x')?;
            let side: u8 = width.parse().ok()?;
            (width == height && side % 2 == 1).then_some(side)
        };
        let region = match (text, text.strip_prefix("outside ")) {
            ("centre", _) => Some(Region::Centre),
            ("any", _) => Some(Region::Any),
            (_, Some(inner)) => square(inner).map(Region::Outside),
            (_, None) => square(text).map(Region::Central),
        };
        region.ok_or_else(|| format!("'{text}' is no region"))
    }
}

impl TryFrom<String> for Region {
    type Error = String;

    fn try_from(text: String) -> Result<Region, String> {
        text.parse()
    }
}

/// A stone to be placed. In the table `"black 5x5"`: a colour and a region.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Stone {
    /// Its colour, whoever places it.
    pub color: Color,
    /// Where it may go.
    pub region: Region,
}

impl TryFrom<String> for Stone {
    type Error = String;

    fn try_from(text: String) -> Result<Stone, String> {
        let (color, region) = text.split_once(' ').unwrap_or((&text, ""));
        Ok(Stone {
            color: color.parse()?,
            region: region.parse()?,
        })
    }
}

/// How many moves an offer has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Deserialize)]
#[serde(from = "CountRow")]
pub enum Count {
    /// From the first to the second number.
    Between(usize, usize),
    /// The number that was declared.
    Declared,
}

/// What a player may do in a step.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Deed {
    /// Place these stones, all in one action.
    Place(Vec<Stone>),
    /// Exchange colours.
    Swap,
    /// Leave the colours as they are.
    Stay,
    /// Declare how many moves will be offered. Without an upper limit it is half the empty
    /// points: that many moves without a twin are there under every symmetry.
    Declare {
        /// The least number.
        from: usize,
        /// The greatest number, if the rule has one.
        to: Option<usize>,
    },
    /// Offer several points for one stone.
    Offer {
        /// The stone.
        stone: Stone,
        /// How many points.
        count: Count,
    },
    /// Keep one of the points of the oldest offer that is open.
    Pick,
    /// Clear the board; who refuses holds Black from then on.
    Refuse,
    /// Move a placed stone, and exchange colours.
    Move {
        /// The stones that may be moved, by their number from 1, each once.
        stones: Vec<usize>,
        /// Where it may go.
        region: Region,
    },
    /// Let a die place a stone: one face for each point of the region that no symmetry of the
    /// position makes equal to another.
    Roll(Stone),
}

/// One way to do a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// What is done.
    pub deed: Deed,
    /// The step that follows, by index; the number of steps when the opening is over.
    pub next: usize,
}

/// A step: who acts, and what he can choose from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// Who acts.
    pub by: Actor,
    /// At least one way.
    pub ways: Vec<Way>,
}

/// A place where the text of a rule is unclear or wrong, and how it is read here.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// What the text says or leaves out.
    pub text: String,
    /// The reading chosen, and why.
    pub reading: String,
}

/// An opening rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rule {
    /// Its name on the command line, in records and in the protocol.
    pub name: String,
    /// Other names with the same meaning.
    pub aliases: Vec<String>,
    /// Its name for people.
    pub title: String,
    /// Its number among the thirty of the list of renju opening rules.
    pub number: Option<u8>,
    /// The game rules it may come before, the usual one first.
    pub games: Vec<&'static RuleSpec>,
    /// The usual board.
    pub board: BoardSize,
    /// The shortest and the longest side of a board it can be played on.
    pub sides: (u8, u8),
    /// [`Profile::Pass`] when either side may pass after the opening.
    pub profile: Profile,
    /// The player that forbidden moves bind, where they are tied to a player and not to Black.
    pub bound: Option<Player>,
    /// The steps; the first comes first.
    pub steps: Vec<Step>,
    /// Where the text is unclear.
    pub readings: Vec<Reading>,
}

impl Rule {
    /// All rules, in the order of the table.
    pub fn all() -> &'static [Rule] {
        &RULES
    }

    /// The rule with that name, title or alias, in any letter case; blanks, dashes, underscores
    /// and parentheses are alike.
    ///
    /// # Errors
    /// A line that names the nearest rules, or says how to list them all.
    pub fn parse(name: &str) -> Result<&'static Rule, String> {
        let wanted = plain(name);
        let found = RULES.iter().find(|rule| {
            let mut names = rule.names();
            names.any(|name| plain(name) == wanted)
        });
        found.ok_or_else(|| {
            let shown: String = name.chars().filter(|c| !c.is_control()).take(40).collect();
            let start: String = wanted.chars().take(3).collect();
            let near = |rule: &&Rule| start.len() == 3 && plain(&rule.name).contains(&start);
            let near: Vec<&str> = RULES.iter().filter(near).map(|r| r.name.as_str()).collect();
            match near.is_empty() {
                true => format!("no opening rule '{shown}': `opening list` names them all"),
                false => format!("no opening rule '{shown}': is it {}?", near.join(", ")),
            }
        })
    }

    /// Name, title and aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let first = [self.name.as_str(), self.title.as_str()];
        first
            .into_iter()
            .chain(self.aliases.iter().map(String::as_str))
    }
}

/// A name without what people write differently.
pub(super) fn plain(name: &str) -> String {
    let kept = name.chars().filter(|c| c.is_alphanumeric());
    kept.flat_map(char::to_lowercase).collect()
}

static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
    read(include_str!("../../openings/rules.toml")).expect("the embedded table is right")
});

/// Reads a table of rules.
fn read(text: &str) -> Result<Vec<Rule>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let named = |row: RuleRow| {
        let name = row.name.clone();
        row.into_rule().map_err(|error| format!("{name}: {error}"))
    };
    file.rule.into_iter().map(named).collect()
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    rule: Vec<RuleRow>,
}

/// A rule as the file has it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleRow {
    name: String,
    title: String,
    #[serde(default)]
    aliases: Vec<String>,
    number: Option<u8>,
    games: Vec<String>,
    sides: [u8; 2],
    pass: bool,
    bound: Option<Player>,
    steps: Vec<StepRow>,
    #[serde(default)]
    readings: Vec<Reading>,
}

/// A step as the file has it: what can be done, or several such with steps of their own after.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepRow {
    by: Actor,
    label: Option<String>,
    r#do: Option<Deeds>,
    goto: Option<String>,
    #[serde(default)]
    either: Vec<WayRow>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WayRow {
    r#do: Deeds,
    goto: Option<String>,
}

/// One deed, or a list of them.
#[derive(Deserialize)]
#[serde(untagged)]
enum Deeds {
    One(Deed),
    Several(Vec<Deed>),
}

/// A number, a range, or `"declared"`.
#[derive(Deserialize)]
#[serde(untagged)]
enum CountRow {
    Number(usize),
    Range([usize; 2]),
    Word(CountWord),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum CountWord {
    Declared,
}

impl From<CountRow> for Count {
    fn from(row: CountRow) -> Count {
        match row {
            CountRow::Number(number) => Count::Between(number, number),
            CountRow::Range([least, most]) => Count::Between(least, most),
            CountRow::Word(CountWord::Declared) => Count::Declared,
        }
    }
}

impl RuleRow {
    fn into_rule(self) -> Result<Rule, String> {
        let game = |name: &String| RuleSpec::by_name(name).ok_or(format!("no game {name}"));
        let [least, most] = self.sides;
        let side = BoardSize::STANDARD.width().clamp(least, most.max(least));
        Ok(Rule {
            games: self.games.iter().map(game).collect::<Result<_, _>>()?,
            board: BoardSize::square(side.into()).map_err(|error| error.to_string())?,
            sides: (least, most),
            profile: match self.pass {
                true => Profile::Pass,
                false => Profile::Judge,
            },
            steps: into_steps(self.steps)?,
            name: self.name,
            aliases: self.aliases,
            title: self.title,
            number: self.number,
            bound: self.bound,
            readings: self.readings,
        })
    }
}

/// Resolves the labels. Steps only lead forward, so every opening ends.
fn into_steps(rows: Vec<StepRow>) -> Result<Vec<Step>, String> {
    let labels: Vec<Option<String>> = rows.iter().map(|row| row.label.clone()).collect();
    let index_of = |label: &str| match label {
        "end" => Some(labels.len()),
        _ => labels.iter().position(|l| l.as_deref() == Some(label)),
    };
    let into_step = |(index, row): (usize, StepRow)| {
        let mut ways = Vec::new();
        let plain = row.r#do.map(|deeds| (deeds, row.goto));
        let branches = row.either.into_iter().map(|way| (way.r#do, way.goto));
        for (deeds, goto) in plain.into_iter().chain(branches) {
            let next = match &goto {
                None => index + 1,
                Some(label) => index_of(label).ok_or(format!("no label {label}"))?,
            };
            let deeds = match deeds {
                Deeds::One(deed) => vec![deed],
                Deeds::Several(deeds) => deeds,
            };
            ways.extend(deeds.into_iter().map(|deed| Way { deed, next }));
        }
        let forward = !ways.is_empty() && ways.iter().all(|way| way.next > index);
        let step = Step { by: row.by, ways };
        forward
            .then_some(step)
            .ok_or(format!("step {} leads nowhere", index + 1))
    };
    rows.into_iter().enumerate().map(into_step).collect()
}
