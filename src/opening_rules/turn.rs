//! What the player whose turn it is may do, as values that a program can read and words for
//! people.

use std::fmt::{self, Display, Formatter};

use super::Player;
use super::table::Region;
use crate::record::notation::{Rows, format_point};
use crate::types::{BoardSize, Color, Point};

/// A turn: who acts and all that he may do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Whose it is.
    pub actor: Player,
    /// What he may do; never empty.
    pub choices: Vec<Choice>,
    pub(super) size: BoardSize,
}

/// One kind of action that is legal now, with all that may fill it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// Place one stone on each of these, all on different points.
    Place(Vec<Slot>),
    /// Exchange colours.
    Swap,
    /// Keep the colours.
    Stay,
    /// Declare a number from the first to the last.
    Declare {
        /// The least.
        from: usize,
        /// The greatest.
        to: usize,
    },
    /// Offer points for one stone, no two of them the same by symmetry.
    Offer {
        /// The stone.
        slot: Slot,
        /// The least number of points.
        least: usize,
        /// The greatest.
        most: usize,
    },
    /// Keep one of these points.
    Pick(Slot),
    /// Clear the board and begin again as Black.
    Refuse,
    /// Move one of the stones on the first points to one of the second points.
    Move {
        /// Where the stones are.
        from: Vec<Point>,
        /// Free points for them.
        to: Vec<Point>,
        /// The region of those.
        region: Region,
    },
    /// Throw a die.
    Roll {
        /// The stone that it places: face 1 on the first of the points, and so on.
        slot: Slot,
        /// The face that comes, if the die is seeded; else any may be reported.
        face: Option<usize>,
    },
}

/// A stone to come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    /// Its number, from 1.
    pub number: usize,
    /// Its colour.
    pub color: Color,
    /// Where it must go.
    pub region: Region,
    /// The free points of the region, row by row from the top.
    pub points: Vec<Point>,
}

impl Turn {
    /// What the choices are, without the player's name.
    pub fn choices_in_words(&self) -> String {
        let words = |choice: &Choice| choice.in_words(self.size);
        self.choices
            .iter()
            .map(words)
            .collect::<Vec<_>>()
            .join(", or ")
    }
}

impl Display for Turn {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} may {}", self.actor, self.choices_in_words())
    }
}

impl Choice {
    /// The choice for people, as in "place black 3 in the central 5x5".
    pub fn in_words(&self, size: BoardSize) -> String {
        let name = |point: &Point| format_point(*point, size, Rows::FromBottom);
        let names = |points: &[Point]| points.iter().map(name).collect::<Vec<_>>().join(" ");
        match self {
            Choice::Place(slots) => {
                let slots: Vec<String> = slots.iter().map(Slot::to_string).collect();
                format!("place {}", slots.join(", "))
            }
            Choice::Swap => "swap".to_owned(),
            Choice::Stay => "stay".to_owned(),
            Choice::Declare { from, to } => format!("declare a number from {from} to {to}"),
            Choice::Offer { slot, least, most } => {
                let points = points_in_words(*least, *most);
                format!("offer {points} for {slot}")
            }
            Choice::Pick(slot) => format!(
                "pick one of {} for {} {}",
                names(&slot.points),
                slot.color,
                slot.number
            ),
            Choice::Refuse => "refuse".to_owned(),
            Choice::Move { from, region, .. } => {
                format!("move one of {} to a free point {region}", names(from))
            }
            Choice::Roll { slot, face } => match face {
                Some(face) => format!("roll {face} for {slot}"),
                None => format!("roll a number from 1 to {} for {slot}", slot.points.len()),
            },
        }
    }
}

/// "2 points", "1 or 2 points", "1 to 3 points".
pub(super) fn points_in_words(least: usize, most: usize) -> String {
    match (least, most) {
        (1, 1) => "1 point".to_owned(),
        _ if least == most => format!("{most} points"),
        _ if least + 1 == most => format!("{least} or {most} points"),
        _ => format!("{least} to {most} points"),
    }
}

impl Display for Slot {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.color, self.number, self.region)
    }
}

impl Display for Region {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Region::Centre => f.write_str("on the centre"),
            Region::Central(side) => write!(f, "in the central {side}x{side}"),
            Region::Outside(side) => write!(f, "outside the central {side}x{side}"),
            Region::Any => f.write_str("anywhere"),
        }
    }
}
