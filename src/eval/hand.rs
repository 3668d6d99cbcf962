//! Hand-set weights: one number per line class, the same for every rule (the classes already
//! say what the rule makes of a line).

use crate::pattern::{LineClass, MoverWeights};

/// Value of a line class on an empty cell for the side that could play there.
const fn line_value(class: LineClass) -> i16 {
    match class {
        LineClass::Dead | LineClass::Overline => 0,
        LineClass::One => 1,
        LineClass::OpenOne => 3,
        LineClass::Two => 4,
        LineClass::OpenTwo => 8,
        LineClass::OpenTwoDouble => 10,
        LineClass::OpenTwoWide => 12,
        LineClass::Three => 10,
        LineClass::OpenThree => 24,
        LineClass::OpenThreeDouble => 30,
        LineClass::Four => 24,
        LineClass::DoubleFour | LineClass::OpenFour => 60,
        LineClass::Five => 80,
    }
}

/// Urge to play where that line class arises, for the side itself; half of it for the opponent
/// who would spoil it.
const fn line_policy(class: LineClass) -> i16 {
    match class {
        LineClass::Dead | LineClass::Overline => 0,
        LineClass::One => 4,
        LineClass::OpenOne => 10,
        LineClass::Two => 12,
        LineClass::OpenTwo => 30,
        LineClass::OpenTwoDouble => 36,
        LineClass::OpenTwoWide => 42,
        LineClass::Three => 32,
        LineClass::OpenThree => 70,
        LineClass::OpenThreeDouble => 80,
        LineClass::Four => 75,
        LineClass::DoubleFour | LineClass::OpenFour => 250,
        LineClass::Five => 1000,
    }
}

/// Value of a threat mask bit for the side to move, by class from weak to strong.
const MOVER_THREATS: [i16; 6] = [20, 90, 10, 30, 250, 400];
/// Value of a threat mask bit for the side that waits; taken off.
const WAITER_THREATS: [i16; 6] = [5, 30, 5, 15, 60, 90];
/// Value of being the one to move.
const TEMPO: i16 = 15;

/// The weights of either side to move, under any rule.
pub fn weights() -> MoverWeights {
    let mut weights = MoverWeights::zero();
    for pair in 0..256 {
        let own = LineClass::from_bits(pair as u8 & 15);
        let other = LineClass::from_bits(pair as u8 >> 4);
        weights.value[pair] = line_value(own) - line_value(other);
        weights.policy[pair] = line_policy(own) + line_policy(other) / 2;
    }
    for (mask, value) in weights.threat.iter_mut().enumerate() {
        let sum = |shift: usize, values: &[i16; 6]| -> i16 {
            (0..6)
                .filter(|bit| mask >> (shift + bit) & 1 != 0)
                .map(|bit| values[bit])
                .sum()
        };
        *value = TEMPO + sum(0, &MOVER_THREATS) - sum(6, &WAITER_THREATS);
    }
    weights
}
