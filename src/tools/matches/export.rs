//! Games and openings in the formats of other programs, by way of `record`.

use super::record::{GameRecord, Reason, Winner};
use crate::record::notation::{self, Rows};
use crate::record::openings::{self, Format};
use crate::record::pgn::GameResult;
use crate::record::psq;
use crate::types::{BoardSize, Color, Point};

/// How an opening file is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum OpeningFormat {
    /// `offset` or `pos`, by the first opening
    Auto,
    /// `0,0, 1,-2`: columns to the right of and rows below the centre
    Offset,
    /// `h8i9`, rows counted from the top as by c-gomoku-cli and the Gomocup judge
    Pos,
    /// `h8i9`, rows counted from the bottom as in printed diagrams
    PosBottom,
}

/// The openings of a file.
///
/// # Errors
/// The line and the fault.
pub fn openings(
    text: &str,
    size: BoardSize,
    format: OpeningFormat,
) -> Result<Vec<Vec<Point>>, String> {
    let format = match format {
        OpeningFormat::Offset => Format::Offsets,
        OpeningFormat::Pos => Format::Moves(Rows::FromTop),
        OpeningFormat::PosBottom => Format::Moves(Rows::FromBottom),
        OpeningFormat::Auto => {
            let mut lines = text.lines().map(str::trim_start);
            let first = lines.find(|l| !l.is_empty() && !l.starts_with('#'));
            if first.is_some_and(|l| l.starts_with(|c: char| c.is_ascii_alphabetic())) {
                Format::Moves(Rows::FromTop)
            } else {
                Format::Offsets
            }
        }
    };
    openings::read(text, size, format).map_err(|(line, error)| format!("line {line}: {error}"))
}

/// Stones as offsets from the centre.
pub fn offsets(stones: &[Point], size: BoardSize) -> String {
    openings::format_offsets(stones, size)
}

/// A Piskvork record, the player of the black stones first.
pub fn psq(record: &GameRecord) -> String {
    let size = notation::parse_size(&record.size).unwrap_or(BoardSize::STANDARD);
    let points = record.moves.split_whitespace();
    let points = points.filter_map(|text| notation::parse_xy(text, size).ok());
    let timed = points
        .zip(&record.times)
        .map(|(point, &ms)| psq::TimedMove {
            point,
            milliseconds: u64::from(ms),
        });
    let mut game = psq::Record::new(size, timed.collect());
    game.levels = [11; 2];
    game.players = Some([record.black.clone(), record.white.clone()]);
    game.code = Some(match record.reason {
        Reason::Row | Reason::Draw | Reason::Forbidden => 0,
        Reason::Time | Reason::Silence => 15,
        Reason::Illegal | Reason::Crash | Reason::Garbage => -2,
    });
    game.to_string()
}

/// A game for rating programs.
pub fn pgn(record: &GameRecord) -> String {
    let game = GameResult {
        event: &format!("{} {}", record.rule, record.size),
        round: record.game + 1,
        black: &record.black,
        white: &record.white,
        winner: match record.result {
            Winner::Black => Some(Color::Black),
            Winner::White => Some(Color::White),
            Winner::Draw => None,
        },
        termination: &record.reason.to_string(),
    };
    game.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opening_formats_are_told_apart() {
        let size = BoardSize::STANDARD;
        let read = |text, format| openings(text, size, format);
        let two = vec![vec![Point::new(7, 7), Point::new(8, 8)]];
        assert_eq!(
            read("# x\n 0,0, 1,1\n", OpeningFormat::Auto),
            Ok(two.clone())
        );
        assert_eq!(read("h8i9\n", OpeningFormat::Auto), Ok(two));
        let bottom = read("h8i9\n", OpeningFormat::PosBottom).unwrap();
        assert_eq!(bottom, [[Point::new(7, 7), Point::new(8, 6)]]);
        let error = read("0,0\nh8\n", OpeningFormat::Auto).unwrap_err();
        assert!(error.starts_with("line 2: "), "{error}");
    }

    #[test]
    fn games_are_written_for_others() {
        let record = GameRecord {
            game: 4,
            black: "A".to_owned(),
            white: "B".to_owned(),
            rule: "renju".to_owned(),
            size: "15x15".to_owned(),
            opening_number: 0,
            opening: "0,0".to_owned(),
            opening_play: None,
            moves: "7,7 8,8".to_owned(),
            times: vec![0, 1200],
            result: Winner::White,
            reason: Reason::Time,
            detail: String::new(),
            notes: Vec::new(),
            messages: Vec::new(),
        };
        let text = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,1200\nA\nB\n15\n";
        assert_eq!(psq(&record), text);
        assert!(pgn(&record).contains("[White \"B\"]\n[Black \"A\"]\n[Result \"1-0\"]"));
    }
}
