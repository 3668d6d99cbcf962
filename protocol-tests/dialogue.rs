//! Scripted dialogues: `> text` is sent, `< pattern` is the next line expected, `#` says why.
//!
//! Lines sent without an expectation between them go out in one write. Patterns: `MOVE` is one
//! legal-looking move, `MOVES n` that many on one line, `(silence)` nothing for a while, a `*`
//! at the end any rest. Messages are skipped unless the pattern begins with MESSAGE, and so are
//! the groups of INFO lines. `{folder}` is a folder of the script's own.

use crate::harness::{Folder, PATIENCE, Talk, ms};

/// Plays the script, which has that name.
fn play(name: &str, script: &str) {
    let folder = Folder::new(name);
    let script = &script.replace("{folder}", &folder.path(""));
    let mut talk = Talk::fresh();
    let mut unsent = Vec::new();
    for line in script.lines() {
        if let Some(text) = line.strip_prefix("> ") {
            unsent.push(text);
            if let [verb, side] = text.split_whitespace().collect::<Vec<_>>().as_slice()
                && verb.eq_ignore_ascii_case("START")
                && let Ok(side) = side.parse()
            {
                talk.size = (side, side);
            }
        } else if let Some(pattern) = line.strip_prefix("< ") {
            talk.send_all(&std::mem::take(&mut unsent));
            expect(&mut talk, pattern);
        } else {
            assert!(
                line.is_empty() || line.starts_with('#'),
                "bad script line {line:?}"
            );
        }
    }
    talk.send_all(&unsent);
    talk.finish();
}

fn expect(talk: &mut Talk, pattern: &str) {
    if pattern == "(silence)" {
        return talk.silence(ms(150));
    }
    let line = if pattern.starts_with("MESSAGE") {
        talk.line(PATIENCE)
    } else {
        reply(talk)
    };
    let fits = match (pattern.strip_suffix('*'), pattern.strip_prefix("MOVES ")) {
        (Some(start), _) => line.starts_with(start),
        (_, Some(count)) => talk.moves_of(&line).len().to_string() == count,
        _ if pattern == "MOVE" => talk.moves_of(&line).len() == 1,
        _ => line == pattern,
    };
    if !fits {
        talk.fail(&format!("expected {pattern:?}, got {line:?}"));
    }
}

/// The next line that is neither a MESSAGE nor part of a group.
fn reply(talk: &mut Talk) -> String {
    loop {
        let line = talk.reply();
        if !line.starts_with("INFO ") {
            return line;
        }
    }
}

/// One test for each script.
macro_rules! scripts {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            play(stringify!($name), include_str!(concat!("dialogues/", stringify!($name), ".txt")));
        })*
    };
}

scripts! {
    calculator
    calculator_session
    judge
    match_runner
    piskvork
    piskvork_match
    qpiskvork
    qpiskvork_swap2
    yixin_analysis
    yixin_board
    yixin_database
    yixin_during_search
    yixin_session
    yixin_soosorv
    yixin_steps
    yixin_waiting
}
