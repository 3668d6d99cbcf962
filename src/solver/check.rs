//! The checker of proofs: plays a proof tree through against every legal defence, by the
//! definitions of the rules alone. Slow, and independent of everything that found the proof.

use super::tree::Step;
use crate::rules::{Grid, Profile, RuleSpec, forbidden, only_forbidden_left, wins};
use crate::types::{Color, Point};

/// A checker of wins of one side under a rule.
pub struct Checker<'a> {
    spec: &'a RuleSpec,
    profile: Profile,
    grid: Grid,
    attacker: Color,
    draw_margin: usize,
}

impl Checker<'_> {
    /// A checker of wins of `attacker`, who is to move on `grid`. As in the search, a judge who
    /// draws games with few points left does so only if there are more of them now.
    pub fn new(spec: &RuleSpec, profile: Profile, grid: Grid, attacker: Color) -> Checker<'_> {
        let draw_margin = profile.draw_margin(spec, grid.empty_points().count());
        Checker {
            spec,
            profile,
            grid,
            attacker,
            draw_margin,
        }
    }

    /// Checks that `step` and its answers win against every defence.
    ///
    /// # Errors
    /// The moves of a game, both sides', that the attacker does not win by it.
    pub fn check(&mut self, step: &Step) -> Result<(), Vec<Point>> {
        let mut line = Vec::new();
        match self.holds(step, &mut line) {
            true => Ok(()),
            false => Err(line),
        }
    }

    /// Does the attacker win by `step`? If not, `line` is left at the refutation.
    fn holds(&mut self, step: &Step, line: &mut Vec<Point>) -> bool {
        let (point, attacker) = (step.point, self.attacker);
        line.push(point);
        let is_five = wins(self.spec, &self.grid, point, attacker);
        let legal = self.grid.empty_points().any(|empty| empty == point)
            && forbidden(self.spec, &self.grid, point, attacker).is_none();
        if is_five || !legal {
            line.truncate(line.len() - usize::from(is_five));
            return is_five;
        }
        self.grid.set(point, Some(attacker));
        let holds = !self.is_drawn() && self.survives(step, line);
        self.grid.set(point, None);
        if holds {
            line.pop();
        }
        holds
    }

    /// Has the attacker's last stone drawn the game?
    fn is_drawn(&self) -> bool {
        let few = self.grid.empty_points().count() <= self.draw_margin;
        let defender = self.attacker.opponent();
        few || self.profile == Profile::Casual
            && only_forbidden_left(self.spec, &self.grid, defender)
    }

    /// Does every move of the defender have a winning answer?
    fn survives(&mut self, step: &Step, line: &mut Vec<Point>) -> bool {
        let defender = self.attacker.opponent();
        let moves: Vec<Point> = self.grid.empty_points().collect();
        let after_pass = step.otherwise.as_deref();
        if self.profile == Profile::Pass && !after_pass.is_some_and(|next| self.holds(next, line)) {
            return false;
        }
        moves.into_iter().all(|reply| {
            if forbidden(self.spec, &self.grid, reply, defender).is_some() {
                return true;
            }
            line.push(reply);
            if wins(self.spec, &self.grid, reply, defender) {
                return false;
            }
            let own = step.replies.iter().find(|(point, _)| *point == reply);
            let next = own.map(|(_, next)| next).or(step.otherwise.as_deref());
            self.grid.set(reply, Some(defender));
            let goes_on = self.grid.empty_points().count() > self.draw_margin;
            let holds = goes_on && next.is_some_and(|next| self.holds(next, line));
            self.grid.set(reply, None);
            if holds {
                line.pop();
            }
            holds
        })
    }
}
