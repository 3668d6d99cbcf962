//! Compact files of self-play games: what `datagen` writes and `train` reads.
//!
//! One record a game, little endian: length of the record, game number, rule number (16 bit),
//! width, height, stones of the opening, result (0 draw, 1 Black, 2 White), then per stone the
//! column, the row and the score (16 bit, side to move; [`NO_SCORE`] in the opening). A record
//! that was cut short by a kill ends the file as far as reading goes, and is overwritten by the
//! next.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use crate::types::{BoardSize, Color, Point};

/// Score of a move that was not searched.
pub const NO_SCORE: i16 = i16::MIN;

/// One game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// Number of the game in its run: with the seed it determines the game.
    pub number: u32,
    /// Number of the rule.
    pub rule: u16,
    /// Board size.
    pub size: BoardSize,
    /// Stones of the opening; they count as not searched.
    pub opening: usize,
    /// Who won.
    pub winner: Option<Color>,
    /// Stones in order from Black, with the score of the search that chose them, seen from the
    /// side that played.
    pub moves: Vec<(Point, i16)>,
}

const HEADER: usize = 10;

impl GameRecord {
    fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(4 + HEADER + 4 * self.moves.len());
        bytes.extend_from_slice(&((HEADER + 4 * self.moves.len()) as u32).to_le_bytes());
        bytes.extend_from_slice(&self.number.to_le_bytes());
        bytes.extend_from_slice(&self.rule.to_le_bytes());
        bytes.extend_from_slice(&[self.size.width(), self.size.height(), self.opening as u8]);
        bytes.push(self.winner.map_or(0, |color| color as u8 + 1));
        for (point, score) in &self.moves {
            bytes.extend_from_slice(&[point.x(), point.y()]);
            bytes.extend_from_slice(&score.to_le_bytes());
        }
        bytes
    }

    fn read(bytes: &[u8]) -> Option<GameRecord> {
        let (header, moves) = bytes.split_at_checked(HEADER)?;
        let size = BoardSize::new(header[6].into(), header[7].into()).ok()?;
        let moves = moves
            .chunks_exact(4)
            .map(|m| {
                let point = size.point(m[0].into(), m[1].into())?;
                Some((point, i16::from_le_bytes([m[2], m[3]])))
            })
            .collect::<Option<_>>()?;
        Some(GameRecord {
            number: u32::from_le_bytes(header[0..4].try_into().ok()?),
            rule: u16::from_le_bytes(header[4..6].try_into().ok()?),
            size,
            opening: header[8].into(),
            winner: [None, Some(Color::Black), Some(Color::White)]
                .get(usize::from(header[9]))?
                .to_owned(),
            moves,
        })
    }
}

/// Splits the bytes of a file into whole records; returns them and the length they take.
fn split(bytes: &[u8]) -> (Vec<GameRecord>, usize) {
    let (mut records, mut at) = (Vec::new(), 0);
    while let Some(length) = bytes.get(at..at + 4) {
        let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]) as usize;
        let Some(record) = bytes
            .get(at + 4..at + 4 + length)
            .and_then(GameRecord::read)
        else {
            break;
        };
        records.push(record);
        at += 4 + length;
    }
    (records, at)
}

/// All whole games of a file.
///
/// # Errors
/// When the file cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<GameRecord>> {
    let mut bytes = Vec::new();
    File::open(path)?.read_to_end(&mut bytes)?;
    Ok(split(&bytes).0)
}

/// A file that games are added to.
pub struct GameWriter {
    file: File,
}

impl GameWriter {
    /// Opens or creates the file, cuts off a broken end, and returns it with the games it holds.
    ///
    /// # Errors
    /// When the file cannot be opened or read.
    pub fn open(path: &Path) -> io::Result<(GameWriter, Vec<GameRecord>)> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (records, length) = split(&bytes);
        file.set_len(length as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok((GameWriter { file }, records))
    }

    /// Adds a game with one write.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn add(&mut self, record: &GameRecord) -> io::Result<()> {
        self.file.write_all(&record.write())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u32) -> GameRecord {
        GameRecord {
            number,
            rule: 41,
            size: BoardSize::new(9, 20).expect("a size"),
            opening: 1,
            winner: Some(Color::White),
            moves: vec![(Point::new(8, 19), NO_SCORE), (Point::new(0, 3), -31_990)],
        }
    }

    #[test]
    fn games_survive_a_file_and_a_cut_end_is_overwritten() {
        let path = std::env::temp_dir().join(format!("tengen-games-{}", std::process::id()));
        let _ = std::fs::remove_file(&path);
        let (mut writer, games) = GameWriter::open(&path).expect("a new file");
        assert!(games.is_empty());
        writer.add(&record(0)).expect("written");
        writer.add(&record(1)).expect("written");
        let length = std::fs::metadata(&path).expect("a file").len();
        OpenOptions::new()
            .write(true)
            .open(&path)
            .and_then(|f| f.set_len(length - 3))
            .expect("cut");
        let (mut writer, games) = GameWriter::open(&path).expect("the file");
        assert_eq!(games, [record(0)]);
        writer.add(&record(2)).expect("written");
        assert_eq!(read(&path).expect("the file"), [record(0), record(2)]);
        let _ = std::fs::remove_file(&path);
    }
}
