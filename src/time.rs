//! L4: what the outside allows a search to use, and how much of it a move takes.
//!
//! Pure arithmetic on durations; nobody here looks at a clock.

use std::time::{Duration, Instant};

/// Limits of one search. A missing limit does not bind; all present ones do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// When the turn began: the arrival of the command that asks for a move.
    pub start: Instant,
    /// Time for this move. Zero means "answer at once".
    pub turn: Option<Duration>,
    /// Time left for the rest of the game. Zero means "answer at once".
    pub clock: Option<Duration>,
    /// Time added to the clock after each move.
    pub increment: Duration,
    /// Deepest iteration, in plies.
    pub depth: Option<u32>,
    /// Nodes, summed over all threads.
    pub nodes: Option<u64>,
}

impl Limits {
    /// No limit at all, starting now: search until stopped.
    pub fn unlimited() -> Limits {
        Limits {
            start: Instant::now(),
            turn: None,
            clock: None,
            increment: Duration::ZERO,
            depth: None,
            nodes: None,
        }
    }
}

/// What a search makes of its [`Limits`], counted from the start of the turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// Answer with next to no thought.
    Instant,
    /// Search until something other than time ends it.
    Unlimited,
    /// Begin no new iteration after `soft`; end at `hard`.
    Timed {
        /// When an iteration that has not begun would hardly end in time.
        soft: Duration,
        /// The last moment.
        hard: Duration,
    },
}

/// Turns up to this long are answered at once: waking threads and writing the answer take a
/// good part of them on a loaded machine.
const INSTANT_TURN: Duration = Duration::from_millis(20);
/// A clock with less than this left is as good as empty.
const INSTANT_CLOCK: Duration = Duration::from_millis(300);
/// Share of the clock that one move may plan for: a game has some 25 moves left at any time.
const CLOCK_SHARE: u32 = 24;
/// Share of the clock that a move may use at most, when it turns out to be difficult.
const CLOCK_HARD_SHARE: u32 = 8;

impl Limits {
    /// How to spend time on this move.
    pub fn budget(&self) -> Budget {
        let turn = self.turn.map(spendable);
        if turn == Some(Duration::ZERO) || self.clock.is_some_and(|clock| clock < INSTANT_CLOCK) {
            return Budget::Instant;
        }
        let planned = self.clock.map(|clock| {
            let gain = self.increment * 3 / 4;
            let hard = (clock / CLOCK_HARD_SHARE + gain).min(clock - INSTANT_CLOCK / 3);
            (clock / CLOCK_SHARE + gain, hard)
        });
        match (turn, planned) {
            (None, None) => Budget::Unlimited,
            (Some(turn), None) => Budget::Timed {
                soft: turn,
                hard: turn,
            },
            (None, Some((soft, hard))) => Budget::Timed {
                soft: soft.min(hard),
                hard,
            },
            (Some(turn), Some((soft, hard))) => {
                let hard = hard.min(turn);
                Budget::Timed {
                    soft: soft.min(hard),
                    hard,
                }
            }
        }
    }
}

/// The part of a turn that can be spent thinking; the rest is for delivering the move.
fn spendable(turn: Duration) -> Duration {
    if turn <= INSTANT_TURN {
        return Duration::ZERO;
    }
    let reserve = (turn / 10).clamp(Duration::from_millis(8), Duration::from_millis(30));
    turn - reserve - turn / 200
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn budget(turn: Option<u64>, clock: Option<u64>, increment: u64) -> Budget {
        let (turn, clock) = (turn.map(ms), clock.map(ms));
        Limits {
            turn,
            clock,
            increment: ms(increment),
            ..Limits::unlimited()
        }
        .budget()
    }

    #[test]
    fn tiny_turns_and_empty_clocks_are_answered_at_once() {
        for turn in [0, 1, 5, 20] {
            assert_eq!(budget(Some(turn), None, 0), Budget::Instant);
        }
        for clock in [0, 100, 299] {
            assert_eq!(budget(Some(30_000), Some(clock), 0), Budget::Instant);
        }
    }

    #[test]
    fn no_limit_is_exceeded_whatever_the_combination() {
        for turn in [21, 50, 100, 999, 5_000, 300_000, 100_000_000] {
            for clock in [300, 1_000, 60_000, 1_000_000_000] {
                for increment in [0, 100, 10_000] {
                    match budget(Some(turn), Some(clock), increment) {
                        Budget::Timed { soft, hard } => {
                            assert!(soft <= hard && hard < ms(turn) && hard < ms(clock));
                        }
                        other => panic!("{other:?}"),
                    }
                }
            }
        }
    }

    #[test]
    fn a_turn_without_clock_is_used_almost_whole() {
        assert_eq!(budget(None, None, 0), Budget::Unlimited);
        let spent = Budget::Timed {
            soft: ms(965),
            hard: ms(965),
        };
        assert_eq!(budget(Some(1000), None, 0), spent);
    }
}
