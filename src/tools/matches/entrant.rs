//! An engine as the command line describes it: `name=A,cmd="./pbrain-a --x",turn=500`.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::process::{Launch, parse_command};

/// Limits announced to an engine and kept by the judge. A missing one does not exist.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineLimits {
    /// Milliseconds for a move.
    pub turn: Option<u32>,
    /// Milliseconds for a game.
    #[serde(rename = "match")]
    pub game: Option<u32>,
    /// Milliseconds added to the game clock after each move.
    pub increment: u32,
    /// Nodes for a move.
    pub nodes: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
    /// Search threads.
    pub threads: u32,
    /// Bytes; 0 is announced as such and means no limit.
    pub memory: u64,
}

/// One engine of the match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entrant {
    /// Name in every report, unique in the match.
    pub name: String,
    /// The command as given.
    pub command: String,
    /// How it is started.
    pub launch: Launch,
    /// What it may use.
    pub limits: EngineLimits,
    /// Milliseconds of rest between its move and the next command for it.
    pub delay: u32,
    /// Further lines sent after the usual `INFO` lines.
    pub init: Vec<String>,
}

/// Keys of the description, for messages.
const KEYS: &str =
    "name, cmd, turn, match, increment, nodes, depth, threads, memory, cwd, delay, init";

impl Entrant {
    /// Reads a description; what it does not say is taken from `common`.
    ///
    /// # Errors
    /// One line that names the faulty part.
    pub fn parse(text: &str, common: EngineLimits) -> Result<Entrant, String> {
        let fault = |e: String| format!("--engine {text}: {e}");
        let mut limits = common;
        let (mut name, mut command, mut cwd) = (None, None, None);
        let (mut delay, mut init) = (0, Vec::new());
        for (key, value) in split_pairs(text).map_err(fault)? {
            match key.as_str() {
                "name" => name = Some(value),
                "cmd" => command = Some(value),
                "cwd" => cwd = Some(value),
                "init" => init.push(value),
                "delay" => delay = number(&key, &value).map_err(fault)?,
                _ => set_limit(&mut limits, &key, &value).map_err(fault)?,
            }
        }
        let command = command.ok_or_else(|| fault("cmd= is missing".to_owned()))?;
        let launch = parse_command(&command, cwd.as_deref().map(Path::new)).map_err(fault)?;
        let stem = || launch.program.file_stem()?.to_str().map(str::to_owned);
        let name = name.or_else(stem).unwrap_or_default();
        check_name(&name).map_err(fault)?;
        if limits.turn.or(limits.game).is_none() && limits.nodes.is_none() && limits.depth.is_none()
        {
            let none = "no limit: give --turn, --match, --nodes or --depth";
            return Err(fault(none.to_owned()));
        }
        Ok(Entrant {
            name,
            command,
            launch,
            limits,
            delay,
            init,
        })
    }
}

fn set_limit(limits: &mut EngineLimits, key: &str, value: &str) -> Result<(), String> {
    match key {
        "turn" => limits.turn = Some(number(key, value)?),
        "match" => limits.game = Some(number(key, value)?).filter(|n| *n > 0),
        "increment" => limits.increment = number(key, value)?,
        "nodes" => limits.nodes = Some(number(key, value)?).filter(|n| *n > 0),
        "depth" => limits.depth = Some(number(key, value)?).filter(|n| *n > 0),
        "threads" => limits.threads = number(key, value)?,
        "memory" => limits.memory = number(key, value)?,
        _ => return Err(format!("unknown key '{key}': use {KEYS}")),
    }
    Ok(())
}

fn number<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, String> {
    let wrong = |_| format!("{key}={value} is not a number in range");
    value.trim().parse().map_err(wrong)
}

/// A name becomes part of file names and of PGN, so it is kept plain.
fn check_name(name: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    if name.is_empty() || name.len() > 60 || !name.chars().all(plain) || name.starts_with('.') {
        return Err(format!(
            "the name '{name}' must be 1 to 60 letters, digits or -_.+ (give name=)"
        ));
    }
    Ok(())
}

/// Splits `a=b,c="d,e"` at the commas outside double quotes. A quoted value loses its quotes.
fn split_pairs(text: &str) -> Result<Vec<(String, String)>, String> {
    let mut parts = vec![String::new()];
    let mut quoted = false;
    for c in text.chars() {
        quoted ^= c == '"';
        match parts.last_mut() {
            Some(part) if c != ',' || quoted => part.push(c),
            _ => parts.push(String::new()),
        }
    }
    if quoted {
        return Err("a quote is not closed".to_owned());
    }
    let pair = |part: String| {
        let Some((key, value)) = part.split_once('=') else {
            return Err(format!("'{part}' is not of the form key=value"));
        };
        let value = value.trim();
        let inner = value.strip_prefix('"').and_then(|v| v.strip_suffix('"'));
        let value = inner.unwrap_or(value).to_owned();
        Ok((key.trim().to_ascii_lowercase(), value))
    };
    parts.into_iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const COMMON: EngineLimits = EngineLimits {
        turn: Some(1000),
        game: None,
        increment: 0,
        nodes: None,
        depth: None,
        threads: 1,
        memory: 1 << 28,
    };

    #[test]
    fn a_description_overrides_the_common_limits() {
        let text = r#"name=A-1,cmd="sh -c 'a, b'",turn=500,nodes=1000,init=INFO x 1,init="INFO y""#;
        let entrant = Entrant::parse(text, COMMON).unwrap();
        assert_eq!(entrant.name, "A-1");
        assert_eq!(entrant.launch.arguments, ["-c", "a, b"]);
        assert_eq!(entrant.limits.turn, Some(500));
        assert_eq!(entrant.limits.nodes, Some(1000));
        assert_eq!(entrant.limits.memory, 1 << 28);
        assert_eq!(entrant.init, ["INFO x 1", "INFO y"]);
        assert_eq!(Entrant::parse("cmd=sh", COMMON).unwrap().name, "sh");
    }

    #[test]
    fn faults_are_named() {
        let fault = |text: &str| Entrant::parse(text, COMMON).unwrap_err();
        assert!(fault("name=A").ends_with("cmd= is missing"));
        assert!(fault("sh").contains("key=value"));
        assert!(fault("cmd=sh,turn=x").contains("turn=x"));
        assert!(fault("cmd=sh,tourn=1").contains("unknown key 'tourn'"));
        assert!(fault("cmd=sh,name=a b").contains("the name"));
        assert!(fault("cmd=\"sh").contains("quote"));
        assert!(fault("cmd=/no/such").contains("does not exist"));
        let unlimited = EngineLimits {
            turn: None,
            ..COMMON
        };
        assert!(Entrant::parse("cmd=sh", unlimited).is_err());
    }
}
