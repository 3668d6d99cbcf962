//! Every step, with and without time.

use super::*;
use std::sync::Arc;

use crossbeam_channel::bounded;

use crate::eval;
use crate::pattern::RuleTables;
use crate::pool::Pool;
use crate::rules::RuleSpec;

/// What is decided on a renju board with these stones, within that many milliseconds.
fn decided(stones: &[(u8, u8)], step: Step, time: u64) -> Choice {
    let rule = RuleSpec::parse("renju").unwrap();
    let tables = RuleTables::new(rule, eval::weights_from(None, rule));
    let mut board = Board::new(Arc::new(tables), BoardSize::STANDARD);
    for (x, y) in stones {
        board.make(Point::new(*x, *y));
    }
    let pool = Pool::new(1, 1 << 20, &board, None);
    let limits = Limits {
        turn: Some(Duration::from_millis(time)),
        depth: Some(4),
        ..Limits::unlimited()
    };
    let (sender, receiver) = bounded(1);
    pool.run(move |crew| {
        let _ = sender.send(decide(crew, &board, step, &limits, 3));
    });
    receiver.recv().expect("a decision")
}

const THREE: [(u8, u8); 3] = [(7, 7), (7, 6), (8, 5)];
const FOUR: [(u8, u8); 4] = [(7, 7), (7, 6), (7, 5), (7, 8)];

#[test]
fn an_opening_is_one_of_the_26() {
    let mut rng = SmallRng::seed_from_u64(1);
    for _ in 0..500 {
        let [first, second, third] = random_opening(BoardSize::STANDARD, &mut rng)[..] else {
            panic!("three stones");
        };
        assert_eq!(first, BoardSize::STANDARD.center());
        assert_eq!(second.distance(first), 1);
        assert!(third.distance(first) <= 2 && third != second && third != first);
    }
    let Choice::Stones(stones) = decided(&[], Step::Propose, 300) else {
        panic!("no stones");
    };
    assert_eq!(stones.len(), 3);
}

/// Even without time every answer is of the form asked for.
#[test]
fn every_step_is_answered_with_and_without_time() {
    for time in [0, 600] {
        assert!(matches!(decided(&THREE, Step::Swap, time), Choice::Swap(_)));
        let Choice::Fourth(fourth, fifths) = decided(&THREE, Step::Fourth, time) else {
            panic!("no fourth stone");
        };
        assert!((1..=MAX_FIFTHS).contains(&fifths));
        assert!(!THREE.contains(&(fourth.x(), fourth.y())));
        let again = Step::SwapAgain { fifths: 3 };
        assert!(matches!(decided(&FOUR, again, time), Choice::Swap(_)));
    }
}

/// The four stones lie on one line, so the board mirrors itself in it.
#[test]
fn offered_moves_are_no_images_of_each_other() {
    for time in [0, 600] {
        let Choice::Stones(offer) = decided(&FOUR, Step::Offer { fifths: 8 }, time) else {
            panic!("no offer");
        };
        assert_eq!(offer.len(), 8);
        for (index, point) in offer.iter().enumerate() {
            let image = Point::new(14 - point.x(), point.y());
            let others = &offer[index + 1..];
            assert!(
                !others.contains(&image) && !others.contains(point),
                "{offer:?}"
            );
        }
    }
}

/// A stone that makes a three, and one that is no help: White keeps the other away.
#[test]
fn the_move_that_is_worst_for_black_stays() {
    let stones = [(7, 7), (1, 13), (8, 7), (13, 1), (9, 7), (0, 14)];
    let picked = decided(&stones, Step::Pick, 1000);
    assert_eq!(picked, Choice::Stones(vec![Point::new(0, 14)]));
}
