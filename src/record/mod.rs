//! L3: text formats of points, games, openings and boards.
//!
//! Pure functions between text and the words of `types` and `rules`: nothing here opens a file,
//! prints, or knows the search. The protocol, the tools and the tests read and write through it.
//! Whatever is read may be wrong: every parser returns an error that is one line for people.

pub mod diagram;
pub mod notation;
pub mod openings;
pub mod pgn;
pub mod problem;
pub mod psq;
pub mod renlib;

#[cfg(test)]
mod tests {
    use super::notation::{Rows, parse_moves, parse_point, parse_size, parse_xy};
    use super::openings::Format;
    use super::{diagram, openings, psq};
    use crate::types::BoardSize;
    use crate::types::rng::SplitMix64;

    /// Whatever the text: an answer or one line of reason, never a panic.
    #[test]
    fn parsers_survive_garbage() {
        const ALPHABET: [&str; 24] = [
            "0",
            "1",
            "7",
            "9",
            "65536",
            "-",
            "+",
            ",",
            ":",
            " ",
            "\t",
            "\n",
            "\r",
            "#",
            "a",
            "H",
            "o",
            "v",
            "X",
            "O",
            ".",
            "ä",
            "\u{0}",
            "Piskvorky 15x15, 11:11, 0\n",
        ];
        let size = BoardSize::STANDARD;
        let mut rng = SplitMix64::new(1);
        for round in 0..20_000 {
            let parts = 1 + rng.below(12);
            let text: String = (0..parts).map(|_| ALPHABET[rng.below(24)]).collect();
            let moves = Format::Moves(Rows::FromTop);
            let errors = [
                parse_point(&text, size, Rows::FromTop)
                    .err()
                    .map(|e| e.to_string()),
                parse_xy(&text, size).err().map(|e| e.to_string()),
                parse_moves(&text, size, Rows::FromBottom)
                    .err()
                    .map(|e| e.to_string()),
                parse_size(&text).err().map(|e| e.to_string()),
                openings::read(&text, size, Format::Offsets)
                    .err()
                    .map(|e| e.1.to_string()),
                openings::read(&text, size, moves)
                    .err()
                    .map(|e| e.1.to_string()),
                psq::Record::parse(&text).err().map(|e| e.to_string()),
                diagram::parse(&text).err().map(|e| e.to_string()),
            ];
            for error in errors.into_iter().flatten() {
                assert!(
                    !error.contains(char::is_control),
                    "{round} {text:?}: {error}"
                );
                assert!(error.len() < 120, "{round} {text:?}: {error}");
            }
        }
    }
}
