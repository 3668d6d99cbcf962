//! Results of games as PGN headers without moves, which rating programs such as BayesElo read.
//!
//! The names stand under the colours played: White is the second player here, so BayesElo's
//! `advantage`, which it gives to White, must be set to 0 or estimated (`mm 1`).

use crate::types::Color;

/// What a rating program wants to know of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameResult<'a> {
    /// Name of the match.
    pub event: &'a str,
    /// Number of the game in it.
    pub round: usize,
    /// Player of the black stones, who began.
    pub black: &'a str,
    /// Player of the white stones.
    pub white: &'a str,
    /// None for a draw.
    pub winner: Option<Color>,
    /// How the game ended, for people.
    pub termination: &'a str,
}

impl std::fmt::Display for GameResult<'_> {
    /// The headers, a game without moves, and the blank line before the next game.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let result = match self.winner {
            Some(Color::White) => "1-0",
            Some(Color::Black) => "0-1",
            None => "1/2-1/2",
        };
        writeln!(f, "[Event \"{}\"]", quoted(self.event))?;
        writeln!(f, "[Round \"{}\"]", self.round)?;
        writeln!(f, "[White \"{}\"]", quoted(self.white))?;
        writeln!(f, "[Black \"{}\"]", quoted(self.black))?;
        writeln!(f, "[Result \"{result}\"]")?;
        writeln!(f, "[Termination \"{}\"]", quoted(self.termination))?;
        writeln!(f, "\n{result}\n")
    }
}

/// A value for a header: BayesElo knows no escapes, so quotes and line ends are replaced.
fn quoted(text: &str) -> String {
    text.replace('"', "'")
        .replace(|c: char| c.is_control(), " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_its_headers_and_its_result() {
        let mut game = GameResult {
            event: "r15",
            round: 7,
            black: "tengen",
            white: "the \"other\"\none",
            winner: Some(Color::Black),
            termination: "forbidden move",
        };
        let text = "[Event \"r15\"]\n[Round \"7\"]\n[White \"the 'other' one\"]\n\
                    [Black \"tengen\"]\n[Result \"0-1\"]\n[Termination \"forbidden move\"]\n\n0-1\n\n";
        assert_eq!(game.to_string(), text);
        game.winner = Some(Color::White);
        assert!(game.to_string().ends_with("\n1-0\n\n"));
        game.winner = None;
        assert!(game.to_string().contains("[Result \"1/2-1/2\"]"));
    }
}
