//! OPENING: which state the engine is asked about, and what its answer looks like.

use super::*;

fn header_means(lines: &[&str], header: &str) -> (String, &'static str) {
    let mut stage = Stage::after(lines);
    stage.send(&[header, "done"]);
    let asked = stage.asked.borrow();
    let setup = asked.openings.last().expect("a question").0.setup();
    (setup.rule.name.clone(), setup.game.name)
}

#[test]
fn the_engine_is_asked_about_the_state_and_its_action_is_printed() {
    let mut stage = Stage::after(&["START 15", "TURN 3,3"]);
    stage.moves(4, 4);
    let told = stage.send(&["opening Soosorv8", "place 7,7 h9 i10", "B: swap", "DONE"]);
    assert_eq!(told, [""; 0]);
    assert_eq!(stage.last_opening(), "place h8 h9 i10; swap");
    assert_eq!(stage.asked.borrow().openings[0].1, 1);
    let place = placed(&[(6, 8)]);
    assert_eq!(stage.decides(&[place], None), ["ACTION place g7"]);
    // The game on the board is as it was.
    stage.send(&["TURN 5,5"]);
    assert_eq!(stage.last_stones(), "3,3 -4,4 5,5");
}

#[test]
fn the_game_is_the_one_named_else_the_present_else_the_usual() {
    let means = |lines: &[&str], header| header_means(lines, header).1;
    assert_eq!(means(&["START 15"], "OPENING swap2"), "freestyle");
    assert_eq!(means(&["START 15"], "OPENING rif"), "renju");
    let caro = ["START 15", "INFO rule 8"];
    assert_eq!(means(&caro, "OPENING swap2"), "caro");
    assert_eq!(means(&caro, "OPENING swap2 standard"), "standard");
    assert_eq!(header_means(&caro, "OPENING old-RIF").0, "rif");
}

#[test]
fn commands_that_set_a_position_end_the_decision() {
    let mut stage = Stage::after(&["START 15", "OPENING swap2 DONE"]);
    assert_eq!((stage.stops(), stage.searches()), (0, 0));
    assert_eq!(stage.send(&["ABOUT", "BEGIN"]).len(), 1);
    assert_eq!(stage.stops(), 1);
    assert_eq!(stage.decides(&[Action::Swap], None), ["ACTION swap"]);
    assert_eq!(stage.searches(), 1);
}
