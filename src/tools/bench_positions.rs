//! The positions of `bench`: all rules, several sizes, openings to nearly full boards.

/// One position: rule, board size, moves in letters with rows from the bottom.
pub struct BenchPosition {
    /// Name of the rule.
    pub rule: &'static str,
    /// Size as `15` or `20x12`.
    pub size: &'static str,
    /// Moves in order of play from Black.
    pub moves: &'static str,
}

const fn position(rule: &'static str, size: &'static str, moves: &'static str) -> BenchPosition {
    BenchPosition { rule, size, moves }
}

/// The positions, in the order in which they are searched.
pub const POSITIONS: &[BenchPosition] = &[
    position("freestyle", "15", ""),
    position("freestyle", "15", "h8i9g7i7i8"),
    position("freestyle", "15", "c3d4e3c5d2e5"),
    position("freestyle", "20", "j10k11l10k9k10i10l12"),
    position("freestyle", "20", "c17d16e17d18"),
    position("standard", "15", "h8h9i8g8i10i9g9"),
    position("standard", "15", "h8j9i7g7i9i8g8"),
    position("renju", "15", "h8h9i10"),
    position("renju", "15", "h8i9g6f7h6g8i7"),
    position("renju", "15", "h8h7j8i9g7i7f6e5"),
    position("caro", "15", "h8i8h9h7i9g9g8"),
    position("caro", "20", "j10k10j11j9k11"),
    position("caro-exact", "15", "h8i9i8g8h7h9"),
    position("caro-edge", "15", "h8g8h9h7g9i9"),
    position("omok", "15", "h8h9i9g7j8"),
    position("omok", "19", "j10k10j11i9k12"),
    position("freestyle", "9x16", "e8f9e9e7d8f10"),
];
