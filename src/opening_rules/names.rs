//! The classical renju openings by name: three stones around the centre, the same in each of the
//! eight orientations. Data in `openings/names.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::table::plain;
use crate::record::notation::{Rows, parse_moves};
use crate::types::{BoardSize, Color, Point};

/// A named opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedOpening {
    /// Its code: `D1` to `D13` (direct), `I1` to `I13` (indirect), with an `X` before it when
    /// the third stone is outside the central 5x5.
    pub code: String,
    /// Its Japanese name in Latin letters; the further openings have none.
    pub name: Option<String>,
    /// The same in kanji.
    pub kanji: Option<String>,
    /// Black, white, black, as columns to the right of and rows below the centre.
    offsets: [(i8, i8); 3],
}

impl NamedOpening {
    /// The 26 classical openings and the 26 further ones.
    pub fn all() -> &'static [NamedOpening] {
        &OPENINGS
    }

    /// The opening with that code, name or kanji, in any letter case.
    pub fn parse(name: &str) -> Option<&'static NamedOpening> {
        let wanted = plain(name);
        let mut openings = OPENINGS.iter();
        openings.find(|opening| opening.names().any(|name| plain(name) == wanted))
    }

    /// The opening that these stones are, in whatever orientation and whichever of the black
    /// stones came first.
    pub fn of(stones: &[(Point, Color)], size: BoardSize) -> Option<&'static NamedOpening> {
        let (mut black, mut white) = (Vec::new(), Vec::new());
        for &(point, color) in stones {
            match color {
                Color::Black => black.push(point),
                Color::White => white.push(point),
            }
        }
        let (&[first, third], &[second]) = (black.as_slice(), white.as_slice()) else {
            return None;
        };
        let (first, third) = match third == size.center() {
            true => (third, first),
            false => (first, third),
        };
        let same = |opening: &&NamedOpening| {
            (0..8).any(|symmetry| opening.moves(size, symmetry) == Some([first, second, third]))
        };
        OPENINGS.iter().find(same)
    }

    /// Is it one of the 26 with the third stone in the central 5x5?
    pub fn is_classical(&self) -> bool {
        let (x, y) = self.offsets[2];
        x.abs() <= 2 && y.abs() <= 2
    }

    /// Its stones in order, in one of eight orientations: bit 0 of `symmetry` mirrors the
    /// columns, bit 1 the rows, bit 2 exchanges them. None on a board too small for it.
    pub fn moves(&self, size: BoardSize, symmetry: u8) -> Option<[Point; 3]> {
        let center = size.center();
        let point = |(x, y): (i8, i8)| {
            let (x, y) = if symmetry & 4 != 0 { (y, x) } else { (x, y) };
            let x = if symmetry & 1 != 0 { -x } else { x };
            let y = if symmetry & 2 != 0 { -y } else { y };
            let along = |center: u8, offset: i8| i64::from(center) + i64::from(offset);
            size.point(along(center.x(), x), along(center.y(), y))
        };
        let [first, second, third] = self.offsets.map(point);
        Some([first?, second?, third?])
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        let named = self.name.iter().chain(&self.kanji);
        std::iter::once(&self.code).chain(named).map(String::as_str)
    }
}

impl std::fmt::Display for NamedOpening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.code)?;
        for name in self.names().skip(1) {
            write!(f, " {name}")?;
        }
        Ok(())
    }
}

static OPENINGS: LazyLock<Vec<NamedOpening>> = LazyLock::new(|| {
    read(include_str!("../../openings/names.toml")).expect("the embedded table is right")
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    openings: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    code: String,
    name: Option<String>,
    kanji: Option<String>,
    moves: String,
}

fn read(text: &str) -> Result<Vec<NamedOpening>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let size = BoardSize::STANDARD;
    let offset = |point: &Point| {
        let away = |at: u8, center: u8| at as i8 - center as i8;
        (
            away(point.x(), size.center().x()),
            away(point.y(), size.center().y()),
        )
    };
    let opening = |row: Row| {
        let moves = parse_moves(&row.moves, size, Rows::FromBottom);
        let moves = moves.map_err(|error| format!("{}: {error}", row.code))?;
        let offsets: Vec<(i8, i8)> = moves.iter().map(offset).collect();
        let three = offsets
            .try_into()
            .map_err(|_| format!("{}: not three stones", row.code))?;
        Ok(NamedOpening {
            code: row.code,
            name: row.name,
            kanji: row.kanji,
            offsets: three,
        })
    };
    file.openings.into_iter().map(opening).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::notation::format_moves;

    fn stones(moves: &[Point]) -> Vec<(Point, Color)> {
        let stone = |(ply, &point)| (point, Color::of_ply(ply));
        moves.iter().enumerate().map(stone).collect()
    }

    /// The shared list of names and moves says the same as ours.
    #[test]
    fn the_names_agree_with_the_cases() {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../shared/cases/renju-openings.json"
        );
        let text = std::fs::read_to_string(path).unwrap();
        let cases: serde_json::Value = serde_json::from_str(&text).unwrap();
        let cases = cases["openings"].as_array().unwrap();
        assert_eq!(cases.len(), 52);
        for case in cases {
            let field = |name: &str| case[name].as_str();
            let opening = NamedOpening::parse(field("code").unwrap()).unwrap();
            assert_eq!(opening.name.as_deref(), field("romaji"));
            assert_eq!(opening.kanji.as_deref(), field("japanese"));
            assert_eq!(opening.is_classical(), case["in5x5"].as_bool().unwrap());
            let moves = case["moves"].as_array().unwrap().iter();
            let moves: String = moves.map(|name| name.as_str().unwrap()).collect();
            let own = opening.moves(BoardSize::STANDARD, 0).unwrap();
            assert_eq!(
                format_moves(&own, BoardSize::STANDARD, Rows::FromBottom),
                moves
            );
            for name in ["romaji", "japanese"].into_iter().filter_map(field) {
                assert_eq!(NamedOpening::parse(&name.to_uppercase()), Some(opening));
            }
        }
    }

    #[test]
    fn openings_are_recognised_from_any_orientation() {
        for side in [7, 15, 17, 20] {
            let size = BoardSize::square(side).unwrap();
            for (opening, symmetry) in NamedOpening::all()
                .iter()
                .flat_map(|o| (0..8).map(move |s| (o, s)))
            {
                let Some(moves) = opening.moves(size, symmetry) else {
                    assert!(side == 7 && !opening.is_classical());
                    continue;
                };
                assert_eq!(NamedOpening::of(&stones(&moves), size), Some(opening));
                let [first, second, third] = moves;
                let turned = stones(&[third, second, first]);
                assert_eq!(NamedOpening::of(&turned, size), Some(opening));
            }
        }
    }

    /// Every third stone of the central 7x7 makes one of the 52, and each of them is made.
    #[test]
    fn all_third_stones_have_a_name() {
        let size = BoardSize::STANDARD;
        let center = size.center();
        let mut found = std::collections::HashMap::new();
        for second in [Point::new(7, 6), Point::new(8, 6)] {
            for third in size.points().filter(|p| p.distance(center) <= 3) {
                if third != center && third != second {
                    let named = NamedOpening::of(&stones(&[center, second, third]), size);
                    *found.entry(named.unwrap().code.clone()).or_insert(0) += 1;
                }
            }
        }
        assert_eq!(found.len(), 52);
        assert!(found.values().all(|&count| count <= 2));
        let far = stones(&[center, Point::new(7, 6), Point::new(7, 2)]);
        assert_eq!(NamedOpening::of(&far, size), None);
        assert_eq!(NamedOpening::of(&far[..2], size), None);
    }
}
