//! The rule value and the table of presets. A new variant is one row of [`PRESETS`].

use crate::types::{Color, PerColor};

/// What becomes of a row longer than the winning length.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LongRow {
    /// It wins, however its ends are closed.
    WinsAlways,
    /// It counts like a row of the winning length: its ends matter in the same way.
    LikeFive,
    /// It never wins.
    Never,
}

/// What closes the end of a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Closing {
    /// Nothing: a row wins whatever stands at its ends.
    Nothing,
    /// A stone of the opponent; the edge leaves the end open.
    Stones,
    /// A stone of the opponent or the edge of the board.
    StonesAndEdge,
}

/// Shapes a side may not make, unless the same stone makes a winning row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Forbidden {
    /// Two or more threes at once, each of which could really become a straight four.
    pub double_three: bool,
    /// Two or more fours at once, on one line too.
    pub double_four: bool,
    /// A row longer than the winning length.
    pub overline: bool,
}

impl Forbidden {
    /// Everything is allowed.
    pub const NOTHING: Forbidden = Forbidden {
        double_three: false,
        double_four: false,
        overline: false,
    };
    /// The three shapes renju forbids to Black.
    pub const RENJU: Forbidden = Forbidden {
        double_three: true,
        double_four: true,
        overline: true,
    };

    /// Is any shape forbidden?
    #[inline]
    pub const fn any(self) -> bool {
        self.double_three || self.double_four || self.overline
    }
}

/// What holds for one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SideRule {
    /// What a row longer than [`RuleSpec::length`] is worth to this side.
    pub long_row: LongRow,
    /// What this side may not make.
    pub forbidden: Forbidden,
}

/// A rule of the game, as data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleSpec {
    /// Name used on the command line, in files and by `INFO rule`.
    pub name: &'static str,
    /// Number used by `INFO rule` (a Gomocup code where there is one, else our own).
    pub code: u32,
    /// One line for people.
    pub summary: &'static str,
    /// Stones in an unbroken row that win: 4 or 5.
    pub length: u8,
    /// What closes the end of a row.
    pub closing: Closing,
    /// Does a row of exactly `length` win when both its ends are closed?
    pub wins_when_closed: bool,
    /// Per side: long rows and forbidden shapes.
    pub sides: PerColor<SideRule>,
    /// Under the tournament judge the game is drawn once no more than this many points are
    /// empty (Gomocup: 25 in renju); 0 plays until the board is full.
    pub draw_margin: u16,
}

const fn both(long_row: LongRow, forbidden: Forbidden) -> PerColor<SideRule> {
    PerColor(
        [SideRule {
            long_row,
            forbidden,
        }; 2],
    )
}

/// Every rule that ships with the engine.
pub const PRESETS: [RuleSpec; 7] = [
    RuleSpec {
        name: "freestyle",
        code: 0,
        summary: "five or more in a row win",
        length: 5,
        closing: Closing::Nothing,
        wins_when_closed: true,
        sides: both(LongRow::LikeFive, Forbidden::NOTHING),
        draw_margin: 0,
    },
    RuleSpec {
        name: "standard",
        code: 1,
        summary: "exactly five in a row win",
        length: 5,
        closing: Closing::Nothing,
        wins_when_closed: true,
        sides: both(LongRow::Never, Forbidden::NOTHING),
        draw_margin: 0,
    },
    RuleSpec {
        name: "renju",
        code: 4,
        summary: "Black wins with exactly five and may not make double threes, double fours or \
                  overlines; White wins with five or more",
        length: 5,
        closing: Closing::Nothing,
        wins_when_closed: true,
        sides: PerColor([
            SideRule {
                long_row: LongRow::Never,
                forbidden: Forbidden::RENJU,
            },
            SideRule {
                long_row: LongRow::LikeFive,
                forbidden: Forbidden::NOTHING,
            },
        ]),
        draw_margin: 25,
    },
    RuleSpec {
        name: "caro",
        code: 8,
        summary: "five win unless opponent stones close both ends; six or more always win",
        length: 5,
        closing: Closing::Stones,
        wins_when_closed: false,
        sides: both(LongRow::WinsAlways, Forbidden::NOTHING),
        draw_margin: 0,
    },
    RuleSpec {
        name: "caro-exact",
        code: 9,
        summary: "exactly five win unless opponent stones close both ends",
        length: 5,
        closing: Closing::Stones,
        wins_when_closed: false,
        sides: both(LongRow::Never, Forbidden::NOTHING),
        draw_margin: 0,
    },
    RuleSpec {
        name: "omok",
        code: 17,
        summary: "exactly five win; double threes are forbidden to both sides",
        length: 5,
        closing: Closing::Nothing,
        wins_when_closed: true,
        sides: both(
            LongRow::Never,
            Forbidden {
                double_three: true,
                double_four: false,
                overline: false,
            },
        ),
        draw_margin: 0,
    },
    RuleSpec {
        name: "caro-edge",
        code: 41,
        summary: "exactly five win with an end that neither a stone nor the edge closes",
        length: 5,
        closing: Closing::StonesAndEdge,
        wins_when_closed: false,
        sides: both(LongRow::Never, Forbidden::NOTHING),
        draw_margin: 0,
    },
];

impl RuleSpec {
    /// Freestyle, the rule in force until another is asked for.
    pub const FREESTYLE: &'static RuleSpec = &PRESETS[0];

    /// Renju with the two sides exchanged: White has the forbidden points. No preset; only an
    /// opening rule that ties forbidden moves to a player leads to it.
    pub const RENJU_REVERSED: &'static RuleSpec = &RuleSpec {
        name: "renju-reversed",
        code: 44,
        summary: "White wins with exactly five and may not make double threes, double fours or \
                  overlines; Black wins with five or more",
        sides: PerColor([PRESETS[2].sides.0[1], PRESETS[2].sides.0[0]]),
        ..PRESETS[2]
    };

    /// The preset with that name, in any letter case.
    pub fn by_name(name: &str) -> Option<&'static RuleSpec> {
        PRESETS
            .iter()
            .find(|spec| spec.name.eq_ignore_ascii_case(name))
    }

    /// The preset with that number.
    pub fn by_code(code: u32) -> Option<&'static RuleSpec> {
        PRESETS.iter().find(|spec| spec.code == code)
    }

    /// The preset with that name or number.
    ///
    /// # Errors
    /// A line that lists what is accepted.
    pub fn parse(text: &str) -> Result<&'static RuleSpec, String> {
        let by_code = || text.parse().ok().and_then(RuleSpec::by_code);
        RuleSpec::by_name(text).or_else(by_code).ok_or_else(|| {
            let known: Vec<String> = PRESETS
                .iter()
                .map(|spec| format!("{} ({})", spec.name, spec.code))
                .collect();
            format!("unknown rule '{text}': use one of {}", known.join(", "))
        })
    }

    /// May `color` not play everywhere?
    #[inline]
    pub const fn forbids(&self, color: Color) -> bool {
        self.sides.0[color.index()].forbidden.any()
    }

    /// Does any side have forbidden points?
    #[inline]
    pub const fn forbids_any(&self) -> bool {
        self.forbids(Color::Black) || self.forbids(Color::White)
    }

    /// Can a stone beside a finished or unfinished row take its worth away? Then a four may
    /// have more replies than its own gaps.
    #[inline]
    pub const fn rows_can_be_closed(&self) -> bool {
        !self.wins_when_closed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reversed_renju_binds_white() {
        let (renju, reversed) = (
            RuleSpec::by_name("renju").unwrap(),
            RuleSpec::RENJU_REVERSED,
        );
        assert_eq!(reversed.sides[Color::White], renju.sides[Color::Black]);
        assert_eq!(reversed.sides[Color::Black], renju.sides[Color::White]);
        let taken = |spec: &RuleSpec| spec.code == reversed.code || spec.name == reversed.name;
        assert!(!PRESETS.iter().any(taken));
    }

    #[test]
    fn presets_are_found_by_name_and_number() {
        for spec in &PRESETS {
            assert_eq!(RuleSpec::parse(spec.name).unwrap(), spec);
            assert_eq!(RuleSpec::parse(&spec.name.to_uppercase()).unwrap(), spec);
            assert_eq!(RuleSpec::parse(&spec.code.to_string()).unwrap(), spec);
        }
        assert!(
            RuleSpec::parse("chess")
                .unwrap_err()
                .contains("caro-edge (41)")
        );
    }
}
