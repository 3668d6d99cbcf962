//! What a decision made of many searches must keep to.

use std::sync::Arc;

use crossbeam_channel::bounded;

use super::*;
use crate::pattern::{LinearWeights, RuleTables};
use crate::pool::Pool;
use crate::rules::RuleSpec;

/// A decision is made of many searches, and none of them may forget that all of them were
/// told to stop: whenever that happened, it holds to the end.
#[test]
fn no_search_of_a_decision_forgets_the_stop() {
    let tables = RuleTables::new(RuleSpec::FREESTYLE, LinearWeights::zero());
    let tables = Arc::new(tables);
    let stones = [(7, 7), (8, 7), (9, 9), (6, 8), (8, 6)];
    for count in [0, 3, 5] {
        let mut board = Board::new(Arc::clone(&tables), BoardSize::STANDARD);
        let points = stones.map(|(x, y)| Point::new(x, y));
        points[..count].iter().for_each(|point| board.make(*point));
        let pool = Pool::new(1, 1 << 20, &board, None);
        pool.shared().stop.store(true, Relaxed);
        let limits = Limits {
            turn: Some(Duration::from_secs(4)),
            depth: Some(30),
            ..Limits::unlimited()
        };
        let (sender, receiver) = bounded(1);
        pool.run(move |crew| {
            let decision = swap2(crew, &board, &limits, 1);
            let stopped = crew.shared().stop.load(Relaxed);
            let _ = sender.send((decision, stopped, limits.start.elapsed()));
        });
        let (decision, stopped, took) = receiver.recv().expect("a decision");
        assert!(stopped, "{count} stones: the stop was forgotten");
        assert!(took < Duration::from_secs(1), "{count} stones: {took:?}");
        assert!(decision != Decision::Stones(Vec::new()));
    }
}

/// Yixin-Board without limits sends these and sits waiting for the opening.
#[test]
fn a_board_without_limits_gets_its_opening_soon() {
    let turn = |seconds| Limits {
        turn: Some(Duration::from_secs(seconds)),
        clock: Some(Duration::from_secs(100_000)),
        ..Limits::unlimited()
    };
    assert_eq!(decision_time(&turn(2000), 0), LONGEST_TIME);
    let short = decision_time(&turn(5), 3);
    assert!(short > Duration::from_secs(4) && short <= Duration::from_secs(5));
    assert_eq!(decision_time(&Limits::unlimited(), 5), DEFAULT_TIME);
}
