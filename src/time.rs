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
    /// Search about as long as is planned, and end at `hard`.
    Timed {
        /// What a position of usual difficulty deserves of a clock that later moves need too; it
        /// may lie beyond `hard`. Without a clock nothing is gained by moving early.
        soft: Option<Duration>,
        /// The last moment.
        hard: Duration,
    },
}

/// Turns up to this long are answered at once: waking threads and writing the answer take a
/// good part of them on a loaded machine.
const INSTANT_TURN: Duration = Duration::from_millis(20);
/// A clock with less than this left is as good as empty.
const INSTANT_CLOCK: Duration = Duration::from_millis(300);
/// Moves among which the clock is shared while a game is young: a game still open between equals
/// has some twelve more to come that need thought, whatever their number so far. What gains most
/// on average is then always the same part of what is left, and a little more since the first
/// moves decide most.
const CLOCK_MOVES: u32 = 10;
/// Stones from which on a game is not young: those that are still open tend to be long.
const YOUNG_STONES: u32 = 30;
/// Stones beyond that for one more move.
const STONES_A_MOVE: u32 = 4;
/// The multiple of the planned time that a move may use when it turns out to be difficult.
const HARD_MULTIPLE: u32 = 3;
/// A share of the clock this many times as long as the turn does not bind: a search would have to
/// be clearer than any to end early.
const AMPLE: u32 = 4;

impl Limits {
    /// Deepest iteration in plies, if one is given; at least 1, whatever was asked for.
    pub fn deepest(&self) -> Option<i32> {
        self.depth.map(|depth| depth.clamp(1, 1000) as i32)
    }

    /// Is the clock so low that even answers given at once use it up in a long game?
    pub fn is_spent(&self) -> bool {
        self.clock.is_some_and(|clock| clock < INSTANT_CLOCK / 3)
    }

    /// How to spend time on this move with so many stones on the board.
    pub fn budget(&self, stones: usize) -> Budget {
        let turn = self.turn.map(spendable);
        if turn == Some(Duration::ZERO) || self.clock.is_some_and(|clock| clock < INSTANT_CLOCK) {
            return Budget::Instant;
        }
        let Some(clock) = self.clock else {
            return turn.map_or(Budget::Unlimited, |hard| Budget::Timed { soft: None, hard });
        };
        // The last of the clock is for delivering moves, and for a machine that is late.
        let free = clock - INSTANT_CLOCK / 3;
        let gain = self.increment * 3 / 4;
        let beyond = u32::try_from(stones)
            .unwrap_or(u32::MAX)
            .saturating_sub(YOUNG_STONES);
        let soft = free / (CLOCK_MOVES + beyond / STONES_A_MOVE) + gain;
        let hard = (soft * HARD_MULTIPLE).min(free / 2 + gain).min(free);
        let hard = turn.map_or(hard, |turn| turn.min(hard));
        Budget::Timed {
            soft: (soft / AMPLE < hard).then_some(soft),
            hard,
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
        .budget(8)
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
                        Budget::Timed { hard, .. } => {
                            assert!(hard < ms(turn) && hard < ms(clock));
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
            soft: None,
            hard: ms(965),
        };
        assert_eq!(budget(Some(1000), None, 0), spent);
    }

    #[test]
    fn a_clock_binds_when_it_is_not_ample() {
        let planned = |turn, clock| match budget(turn, Some(clock), 0) {
            Budget::Timed { soft, hard } => (soft.map(|soft| soft.as_millis()), hard.as_millis()),
            other => panic!("{other:?}"),
        };
        assert_eq!(planned(Some(500), 1_000_000), (None, 467));
        assert_eq!(planned(Some(5_000), 120_000), (Some(11_990), 4_945));
        assert_eq!(planned(Some(30_000), 180_000), (Some(17_990), 29_820));
        assert_eq!(planned(Some(300_000), 1_000_000), (Some(99_990), 298_470));
        assert_eq!(planned(None, 1_000), (Some(90), 270));
    }

    /// However difficult every move is, some of the clock is left at the end of a long game.
    #[test]
    fn a_clock_never_runs_out() {
        for mut clock in [1_000, 6_000, 180_000, 1_000_000].map(ms) {
            for stones in (0..225).step_by(2) {
                let limits = Limits {
                    clock: Some(clock),
                    ..Limits::unlimited()
                };
                if let Budget::Timed { hard, .. } = limits.budget(stones) {
                    clock -= hard;
                }
            }
            assert!(clock > ms(200));
        }
    }

    #[test]
    fn long_games_keep_a_part_of_the_clock_for_later() {
        let mut clock = ms(180_000);
        let mut left = Vec::new();
        for stones in (5..205).step_by(2) {
            let limits = Limits {
                clock: Some(clock),
                ..Limits::unlimited()
            };
            if let Budget::Timed { soft, .. } = limits.budget(stones) {
                clock -= soft.expect("the clock binds");
            }
            left.push(clock.as_millis());
        }
        let after = |moves: usize| left[moves - 1];
        assert!((60_000..70_000).contains(&after(10)), "{}", after(10));
        assert!((20_000..35_000).contains(&after(20)), "{}", after(20));
        assert!((10_000..18_000).contains(&after(30)), "{}", after(30));
        assert!((1_000..4_000).contains(&after(100)), "{}", after(100));
    }
}
