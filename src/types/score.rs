//! Scores of positions, seen from the side to move.
//!
//! A score is an `i32` so that search arithmetic stays readable; it always fits an `i16`.
//! Won and lost scores count plies from the root: `win_in(1)` is "the next stone wins".

/// Score from the side to move: positive is good. Unit of unproven scores: about 1/200 of the
/// log-odds of winning.
pub type Score = i32;

/// Score units per unit of log-odds of winning.
pub const LOG_ODDS: Score = 200;
/// Above every score that occurs.
pub const INFINITE: Score = 32_001;
/// A win at the root itself; proven wins are this minus their length in plies.
pub const WIN: Score = 32_000;
/// Proven wins are at least this, proven losses at most minus this.
pub const WIN_BOUND: Score = 31_000;
/// Evaluations stay strictly inside plus and minus this.
pub const EVAL_LIMIT: Score = 20_000;
/// The score of a draw.
pub const DRAW: Score = 0;

/// The side to move wins with the last stone `ply` plies after the root.
#[inline]
pub const fn win_in(ply: i32) -> Score {
    WIN - ply
}

/// The side to move loses, the opponent's last stone coming `ply` plies after the root.
#[inline]
pub const fn loss_in(ply: i32) -> Score {
    ply - WIN
}

/// Is this a proven win?
#[inline]
pub const fn is_win(score: Score) -> bool {
    score >= WIN_BOUND
}

/// Is this a proven loss?
#[inline]
pub const fn is_loss(score: Score) -> bool {
    score <= -WIN_BOUND
}

/// Is this proven either way?
#[inline]
pub const fn is_decided(score: Score) -> bool {
    is_win(score) || is_loss(score)
}

/// Plies from the root to the last stone of a decided score.
#[inline]
pub const fn plies_to_end(score: Score) -> i32 {
    WIN - score.abs()
}

/// A score counted from the root, turned into one counted from the node at `ply`, for storing.
#[inline]
pub const fn to_node(score: Score, ply: i32) -> Score {
    if is_win(score) {
        score + ply
    } else if is_loss(score) {
        score - ply
    } else {
        score
    }
}

/// The inverse of [`to_node`].
#[inline]
pub const fn from_node(score: Score, ply: i32) -> Score {
    if is_win(score) {
        score - ply
    } else if is_loss(score) {
        score + ply
    } else {
        score
    }
}

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Bound {
    /// Nothing.
    None = 0,
    /// The true score is at most this.
    Upper = 1,
    /// The true score is at least this.
    Lower = 2,
    /// The true score.
    Exact = 3,
}

impl Bound {
    /// The bound with that number (only the low two bits count).
    #[inline]
    pub const fn from_bits(bits: u64) -> Bound {
        match bits & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => Bound::None,
        }
    }

    /// Is the true score at least the stored one?
    #[inline]
    pub const fn is_lower(self) -> bool {
        self as u8 & 2 != 0
    }

    /// Is the true score at most the stored one?
    #[inline]
    pub const fn is_upper(self) -> bool {
        self as u8 & 1 != 0
    }
}
