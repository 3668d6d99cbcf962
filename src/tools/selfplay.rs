//! Games of the engine against itself, inside this process.

use crate::engine::{Answer, Reply};
use crate::rules::{Game, Outcome};
use crate::types::{Color, Point, Position, Score, score};

/// A game this long without a result is a draw.
const LONGEST_GAME: usize = 200;

/// A move and the score of the search that chose it, seen from the side that plays it.
pub type Scored = (Point, Score);

/// A game from some position to its end.
pub struct Played {
    /// The moves. The last one is not on the board when its score decided the game.
    pub moves: Vec<Scored>,
    /// Who won.
    pub winner: Option<Color>,
}

/// Plays on from `game` and `position`, which are the same, until the game has a result, a
/// search proves one, or it is too long. `think` chooses a move and tells
/// its score, or nothing when it was told to stop, and then so does this.
///
/// # Errors
/// Those of `think`, and a line for a move that is none.
pub fn play_out(
    game: &mut Game,
    position: &mut Position,
    think: &mut dyn FnMut(&Position) -> Result<Option<Scored>, String>,
) -> Result<Option<Played>, String> {
    let mut moves = Vec::new();
    let winner = loop {
        match game.outcome() {
            Some(Outcome::Win { winner, .. }) => break Some(winner),
            Some(Outcome::Draw(_)) => break None,
            None if game.moves().len() >= LONGEST_GAME => break None,
            None => {}
        }
        let Some((point, score)) = think(position)? else {
            return Ok(None);
        };
        moves.push((point, score));
        if score::is_decided(score) {
            let mover = position.to_move;
            break Some(if score > 0 { mover } else { mover.opponent() });
        }
        game.play(point)
            .map_err(|error| format!("the engine played {point:?}: {error}"))?;
        position.play(point);
    };
    Ok(Some(Played { moves, winner }))
}

/// The move of an answer and its score.
///
/// # Errors
/// A line when it is no move.
pub fn move_of(answer: &Answer) -> Result<Scored, String> {
    let score = answer.lines.first().map_or(0, |line| line.score);
    match answer.reply {
        Reply::Move(point) => Ok((point, score)),
        ref other => Err(format!("{other:?} is no move")),
    }
}
