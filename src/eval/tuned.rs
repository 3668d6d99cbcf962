//! Tuned weights: small versioned files, embedded in the program and checked when they are read.
//!
//! Layout, little endian: the magic `TENGEN-W`, version, form (the number of weight classes of
//! this program), rule number, sets (1: both sides to move share one set; 2: Black's and
//! White's), positions trained on (64 bit), length and text of the command that made it; then
//! each table of each set as a count and as many pairs of index and value; then the table by
//! line, of which one of two mirror images is kept and indices are written as differences, and
//! the small net; last a checksum over everything before it.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use crate::pattern::line::{self, LINE_COUNT};
use crate::pattern::{CELL_PAIRS, CellTables, LineClass, MoverWeights, THREAT_MASKS};
use crate::rules::{PRESETS, RuleSpec};
use crate::types::rng::split_mix;

const MAGIC: &[u8; 8] = b"TENGEN-W";
const VERSION: u16 = 4;
/// Changes with the meaning of an index: a file of another form is refused.
const FORM: u16 = LineClass::ALL.len() as u16;

/// Freestyle's file: it serves every rule that has none of its own, for the classes already say
/// what a rule makes of a line.
const COMMON: &[u8] = include_bytes!("tables/freestyle.bin");

/// The files that ship with the engine, by name of the rule.
const EMBEDDED: &[(&str, &[u8])] = &[
    ("freestyle", COMMON),
    ("standard", include_bytes!("tables/standard.bin")),
    ("renju", include_bytes!("tables/renju.bin")),
    ("caro", include_bytes!("tables/caro.bin")),
    ("caro-exact", include_bytes!("tables/caro-exact.bin")),
    ("caro-edge", include_bytes!("tables/caro-edge.bin")),
    ("omok", include_bytes!("tables/omok.bin")),
];

/// A file of weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeightFile {
    /// Number of the rule.
    pub rule: u32,
    /// Positions they were trained on.
    pub positions: u64,
    /// The command that made them.
    pub command: String,
    /// One set for both sides to move, or Black's and White's.
    pub sets: Vec<MoverWeights>,
}

/// Why bytes are no weight file for this program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WeightError(pub(super) &'static str);

impl fmt::Display for WeightError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a usable weight file: {}", self.0)
    }
}

impl std::error::Error for WeightError {}

/// The weights for Black and for White to move under `spec`.
pub fn for_rule(spec: &RuleSpec) -> [MoverWeights; 2] {
    if let Some(rule) = PRESETS.iter().find(|rule| is_reversed(rule, spec)) {
        let [black, white] = for_rule(rule);
        return [white, black];
    }
    let own = EMBEDDED.iter().find(|(name, _)| *name == spec.name);
    let bytes = own.map_or(COMMON, |(_, bytes)| bytes);
    // A test reads all of them.
    WeightFile::read(bytes).map_or_else(
        |_| [MoverWeights::zero(), MoverWeights::zero()],
        |file| file.movers(),
    )
}

/// Is `spec` the same rule with the two sides exchanged?
fn is_reversed(rule: &RuleSpec, spec: &RuleSpec) -> bool {
    let [black, white] = rule.sides.0;
    black != white && spec.sides.0 == [white, black]
}

impl WeightFile {
    /// Reads the file at `path`, which must be for a rule this program knows.
    ///
    /// # Errors
    /// One line that says what is wrong with the file.
    pub fn open(path: &Path) -> Result<WeightFile, String> {
        let name = path.display();
        let bytes = std::fs::read(path).map_err(|error| format!("{name}: {error}"))?;
        let file = WeightFile::read(&bytes).map_err(|error| format!("{name}: {error}"))?;
        match RuleSpec::by_code(file.rule) {
            Some(_) => Ok(file),
            None => Err(format!("{name}: no rule has the number {}", file.rule)),
        }
    }

    /// The weights for Black and for White to move.
    pub fn movers(&self) -> [MoverWeights; 2] {
        let black = self.sets.first().cloned();
        let black = black.unwrap_or_else(MoverWeights::zero);
        let white = self.sets.get(1).unwrap_or(&black).clone();
        [black, white]
    }

    /// Reads a file.
    ///
    /// # Errors
    /// When the bytes are damaged or of another version or form.
    pub fn read(bytes: &[u8]) -> Result<WeightFile, WeightError> {
        let end = bytes.len().checked_sub(8).ok_or(WeightError("too short"))?;
        let (body, sum) = bytes.split_at(end);
        if checksum(body).to_le_bytes() != sum {
            return Err(WeightError("the checksum does not fit"));
        }
        let mut reader = Reader(body);
        if reader.take(8)? != MAGIC {
            return Err(WeightError("wrong magic"));
        }
        let (version, form) = (reader.u16()?, reader.u16()?);
        if (version, form) != (VERSION, FORM) {
            return Err(WeightError("another version or form"));
        }
        let rule = reader.u32()?;
        let sets = reader.u16()?;
        if !(1..=2).contains(&sets) {
            return Err(WeightError("neither one set nor two"));
        }
        let positions = reader.u64()?;
        let length = reader.u16()?;
        let command = String::from_utf8_lossy(reader.take(length.into())?).into_owned();
        let sets = (0..sets)
            .map(|_| reader.weights())
            .collect::<Result<_, _>>()?;
        Ok(WeightFile {
            rule,
            positions,
            command,
            sets,
        })
    }

    /// The bytes of the file.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend_from_slice(MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&FORM.to_le_bytes());
        bytes.extend_from_slice(&self.rule.to_le_bytes());
        bytes.extend_from_slice(&(self.sets.len() as u16).to_le_bytes());
        bytes.extend_from_slice(&self.positions.to_le_bytes());
        let command = &self.command.as_bytes()[..self.command.len().min(1000)];
        bytes.extend_from_slice(&(command.len() as u16).to_le_bytes());
        bytes.extend_from_slice(command);
        for set in &self.sets {
            for table in tables(set) {
                let entries = table.iter().enumerate().filter(|(_, value)| **value != 0);
                bytes.extend_from_slice(&(entries.clone().count() as u16).to_le_bytes());
                for (index, value) in entries {
                    bytes.extend_from_slice(&(index as u16).to_le_bytes());
                    bytes.extend_from_slice(&value.to_le_bytes());
                }
            }
            write_lines(&set.line_policy, &mut bytes);
            super::net_file::write(set.net.as_deref(), &mut bytes);
        }
        let sum = checksum(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }
}

fn tables(set: &MoverWeights) -> [&Vec<i16>; 9] {
    [
        &set.value,
        &set.own_code_value,
        &set.other_code_value,
        &set.threat,
        &set.policy,
        &set.own_code_policy,
        &set.other_code_policy,
        &set.cell_value,
        &set.cell_policy,
    ]
}

/// Writes a table by line: the number of entries, then each one's distance from the one before
/// and its value. Distances too long for 16 bits are split by entries of value zero.
fn write_lines(table: &[i16], bytes: &mut Vec<u8>) {
    let mut entries: Vec<(u16, i16)> = Vec::new();
    let mut last = 0;
    for (index, value) in table.iter().enumerate() {
        let far = index - last == usize::from(u16::MAX);
        if far || *value != 0 && index <= line::mirrored(index) {
            let value = if index <= line::mirrored(index) {
                *value
            } else {
                0
            };
            entries.push(((index - last) as u16, value));
            last = index;
        }
    }
    bytes.extend_from_slice(&(entries.len() as u32).to_le_bytes());
    for (gap, value) in entries {
        bytes.extend_from_slice(&gap.to_le_bytes());
        bytes.extend_from_slice(&value.to_le_bytes());
    }
}

/// Eight bytes at a time, for it is part of the first move's time.
fn checksum(bytes: &[u8]) -> u64 {
    let words = bytes.chunks(8).map(|chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word)
    });
    words.fold(bytes.len() as u64, |sum, word| split_mix(sum ^ word))
}

pub(super) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], WeightError> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(WeightError("too short"))?;
        self.0 = rest;
        Ok(taken)
    }

    pub(super) fn array<const N: usize>(&mut self) -> Result<[u8; N], WeightError> {
        self.take(N)?
            .try_into()
            .map_err(|_| WeightError("too short"))
    }

    pub(super) fn u16(&mut self) -> Result<u16, WeightError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, WeightError> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, WeightError> {
        self.array().map(u64::from_le_bytes)
    }

    fn table(&mut self, length: usize) -> Result<Vec<i16>, WeightError> {
        let mut table = vec![0; length];
        for _ in 0..self.u16()? {
            let index = usize::from(self.u16()?);
            let value = self.array().map(i16::from_le_bytes)?;
            *table
                .get_mut(index)
                .ok_or(WeightError("an index is out of range"))? = value;
        }
        Ok(table)
    }

    fn lines(&mut self) -> Result<Vec<i16>, WeightError> {
        let mut table = vec![0; LINE_COUNT];
        let mut index = 0;
        for _ in 0..self.u32()? {
            index += usize::from(self.u16()?);
            let value = self.array().map(i16::from_le_bytes)?;
            if index >= LINE_COUNT {
                return Err(WeightError("a line is out of range"));
            }
            table[line::mirrored(index)] = value;
            table[index] = value;
        }
        Ok(table)
    }

    fn weights(&mut self) -> Result<MoverWeights, WeightError> {
        Ok(MoverWeights {
            value: self.table(256)?,
            own_code_value: self.table(CellTables::CODES)?,
            other_code_value: self.table(CellTables::CODES)?,
            threat: self.table(THREAT_MASKS)?,
            policy: self.table(256)?,
            own_code_policy: self.table(CellTables::CODES)?,
            other_code_policy: self.table(CellTables::CODES)?,
            cell_value: self.table(CELL_PAIRS)?,
            cell_policy: self.table(CELL_PAIRS)?,
            line_policy: self.lines()?,
            net: super::net_file::read(self)?.map(Arc::new),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pattern::net::{CHANNELS, HIDDEN, LANES, NetWeights};

    #[test]
    fn every_embedded_file_is_readable_and_for_its_rule() {
        for (name, bytes) in EMBEDDED {
            let file = WeightFile::read(bytes).expect("a good file");
            assert_eq!(
                PRESETS.iter().find(|s| s.name == *name).map(|s| s.code),
                Some(file.rule)
            );
        }
    }

    #[test]
    fn a_rule_with_its_sides_exchanged_has_its_weights_exchanged() {
        let renju = RuleSpec::by_name("renju").expect("a preset");
        let [black, white] = for_rule(renju);
        assert_ne!(black, white);
        assert_eq!(for_rule(RuleSpec::RENJU_REVERSED), [white, black]);
    }

    #[test]
    fn files_come_back_as_written_and_damage_is_refused() {
        let mut set = MoverWeights::zero();
        set.value[17] = -5;
        set.own_code_policy[CellTables::CODES - 1] = 30_000;
        set.threat[4095] = 1;
        set.cell_value[0x78] = 9;
        set.cell_policy[CELL_PAIRS - 1] = -9;
        for index in [0, 5, LINE_COUNT - 1] {
            set.line_policy[index] = 7 - index as i16 % 5;
            set.line_policy[line::mirrored(index)] = set.line_policy[index];
        }
        let lines = [0, 7, 70_000, LINE_COUNT as u32 - 1];
        set.net = Some(Arc::new(NetWeights {
            pairs: (0..256).map(|pair| [pair - 128; CHANNELS]).collect(),
            lines: lines.map(|line| (line, [-3; CHANNELS])).to_vec(),
            bias: [5; CHANNELS],
            hidden: (0..HIDDEN as i16).map(|unit| [unit; LANES]).collect(),
            hidden_bias: std::array::from_fn(|unit| unit as i32 - 70_000),
            output: [1 << 20; HIDDEN],
            direct: [-1; LANES],
        }));
        let command = "train".to_string();
        let file = WeightFile {
            rule: 4,
            positions: 1 << 40,
            command,
            sets: vec![set; 2],
        };
        let bytes = file.write();
        assert_eq!(WeightFile::read(&bytes), Ok(file));
        for at in (0..bytes.len()).step_by(3) {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            assert!(WeightFile::read(&damaged).is_err());
            assert!(WeightFile::read(&bytes[..at]).is_err());
        }
    }
}
