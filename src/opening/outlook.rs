//! What a state of an opening is worth, on the assumption that everybody does what is best for
//! him.
//!
//! Steps lead only forward, so looking ahead ends. Two shortcuts keep it short. A stone that is a
//! plain move of the game is played as a search of the position plays it. Where a player places
//! stones and the other one chooses a side after it, he can make things level unless the best of
//! moves does not save his colour.

use std::sync::Arc;
use std::time::Duration;

use super::candidates::{few, windows};
use super::{Adviser, GROWTH};
use crate::board::Board;
use crate::opening_rules::{Action, Choice, Player, Slot, State};
use crate::search::{Allowance, Question, Silent};
use crate::types::{Color, Point, Position, Score, score};

/// Numbers that are thought of when one is to be declared later on.
const NUMBERS: usize = 8;
/// Points of an offer that are looked at: those that were named last, the worst for who offered.
const PICKS: usize = 8;
/// Points that are looked at beyond those offered.
const SPARE: usize = 6;
/// Points of an offer that are searched.
const MOST_POINTS: usize = 20;

/// What a search has found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// For the side to move.
    score: Score,
    best: Point,
}

impl Adviser<'_, '_> {
    /// What the state after a legal action is worth for a player.
    pub(super) fn after(&mut self, state: &State, action: &Action, player: Player) -> Score {
        let mut next = state.clone();
        match next.apply(action) {
            Ok(()) => self.value(&next, player),
            Err(_) => -score::EVAL_LIMIT,
        }
    }

    /// What a stone of `color` on the empty `point` is worth for that colour.
    pub(super) fn with_stone(&mut self, state: &State, color: Color, point: Point) -> Score {
        let mut position = base(state);
        position.add(point, color);
        position.to_move = color.opponent();
        -self.search(&as_seen(state, position)).score
    }

    /// What a state is worth for a player; anything once time is out.
    fn value(&mut self, state: &State, player: Player) -> Score {
        if self.is_over() {
            return 0;
        }
        let Some(turn) = state.legal() else {
            return self.score(state, player);
        };
        let mut best = None;
        for choice in &turn.choices {
            best = best.max(self.choice(state, turn.actor, choice));
        }
        match best {
            Some(best) if turn.actor == player => best,
            Some(best) => -best,
            None => self.score(state, player),
        }
    }

    /// What the best action of a kind is worth for the one who takes it; none when it is not
    /// looked into.
    fn choice(&mut self, state: &State, actor: Player, choice: &Choice) -> Option<Score> {
        let actions = match choice {
            Choice::Swap | Choice::Stay | Choice::Refuse | Choice::Declare { .. } => {
                few(choice, NUMBERS)
            }
            Choice::Pick(slot) => {
                let named = slot.points.iter().rev().take(PICKS);
                named.copied().map(Action::Pick).collect()
            }
            Choice::Offer { slot, least, .. } => {
                if self.is_leveller(state, choice) {
                    return Some(self.levelled(state, slot.color));
                }
                let order = self.best_points(state, slot, *least);
                windows(&order, *least..=*least)
                    .into_iter()
                    .take(1)
                    .collect()
            }
            Choice::Place(slots) => return self.placement(state, actor, choice, slots),
            Choice::Move { .. } | Choice::Roll { .. } => return None,
        };
        let mut best = None;
        for action in &actions {
            best = best.max(Some(self.after(state, action, actor)));
        }
        best
    }

    fn placement(
        &mut self,
        state: &State,
        actor: Player,
        choice: &Choice,
        slots: &[Slot],
    ) -> Option<Score> {
        let [slot] = slots else {
            return self.is_leveller(state, choice).then_some(0);
        };
        if let [only] = slot.points[..] {
            return Some(self.after(state, &Action::Place(vec![only]), actor));
        }
        let mut position = base(state);
        position.to_move = slot.color;
        let found = self.search(&as_seen(state, position));
        let levels = self.is_leveller(state, choice);
        if levels && found.score >= 0 {
            return Some(0);
        }
        let point = match slot.points.contains(&found.best) {
            true => found.best,
            false => *self.likely(state, slot, 1).first()?,
        };
        let mut next = state.clone();
        next.apply(&Action::Place(vec![point])).ok()?;
        if next.actor().is_none() && point == found.best {
            let own = state.color_of(actor) == slot.color;
            return Some(if own { found.score } else { -found.score });
        }
        let value = self.value(&next, actor);
        Some(if levels { value.min(0) } else { value })
    }

    /// What a state is worth for the one who offers stones of `color` before the other chooses:
    /// nothing, unless even the best move leaves his colour behind.
    fn levelled(&mut self, state: &State, color: Color) -> Score {
        let mut position = base(state);
        position.to_move = color;
        self.search(&as_seen(state, position)).score.min(0)
    }

    /// The points that are worth most to the colour of `slot`, best first, at least `count` if
    /// there are as many. Who picks one of them has fewer to look at and sees more than who offers
    /// them, so they are looked at with less effort than the pick will be: at the same effort the
    /// pick would find nothing that the offer had not seen, and numbers to declare come out high.
    fn best_points(&mut self, state: &State, slot: &Slot, count: usize) -> Vec<Point> {
        let wide = (count + SPARE).min(MOST_POINTS);
        let points = self.likely(state, slot, wide.max(count));
        let (searched, rest) = points.split_at(wide.min(points.len()));
        let effort = self.effort;
        self.effort = effort.div_ceil(GROWTH);
        let mut rated = Vec::new();
        for &point in searched {
            rated.push((self.with_stone(state, slot.color, point), point));
        }
        self.effort = effort;
        rated.sort_by_key(|(value, _)| -value);
        let searched = rated.into_iter().map(|(_, point)| point);
        searched.chain(rest.iter().copied()).collect()
    }

    /// May the other player choose a side right after an action of this kind?
    pub(super) fn is_leveller(&mut self, state: &State, choice: &Choice) -> bool {
        let mut next = state.clone();
        let actor = state.actor();
        let mut sample = self.sample(state, choice);
        while let Some(action) = sample.take() {
            if next.apply(&action).is_err() {
                return false;
            }
            let Some(turn) = next.legal() else {
                return false;
            };
            let is_own = Some(turn.actor) == actor;
            if turn.choices.contains(&Choice::Swap) {
                return !is_own;
            }
            // A number is declared after the stone and before the choice.
            if let (true, [Choice::Declare { from, .. }]) = (is_own, &turn.choices[..]) {
                sample = Some(Action::Declare(*from));
            }
        }
        false
    }

    /// Any action of a kind that places or offers stones.
    fn sample(&mut self, state: &State, choice: &Choice) -> Option<Action> {
        match choice {
            Choice::Place(slots) => self.any_placement(state, slots).map(Action::Place),
            Choice::Offer { slot, least, .. } => {
                let mut points = state.different(&slot.points);
                points.truncate(*least);
                Some(Action::Offer(points))
            }
            _ => None,
        }
    }

    /// The score of the position as it stands.
    fn score(&mut self, state: &State, player: Player) -> Score {
        let position = base(state);
        let own = state.color_of(player) == position.to_move;
        let score = self.search(&as_seen(state, position)).score;
        if own { score } else { -score }
    }

    /// The best move in a state whose opening is over.
    pub(super) fn best_move(&mut self, state: &State) -> Point {
        self.search(&as_seen(state, base(state))).best
    }

    fn search(&mut self, position: &Position) -> Found {
        let mut stones = position.stones().to_vec();
        stones.sort_unstable_by_key(|(point, _)| *point);
        let key = (stones, position.to_move, self.effort);
        if let Some(found) = self.found.get(&key) {
            return *found;
        }
        let left = self.node_limit.saturating_sub(self.nodes).max(1);
        let until = (self.time < Duration::MAX).then_some(self.time);
        let shared = self.crew.shared();
        shared.set_allowance(Allowance {
            hard: until,
            nodes: Some(self.effort.min(left)),
            ..Allowance::default()
        });
        shared.proceed();
        let question = Question {
            timed: true,
            ..Question::plain(self.start, self.depth)
        };
        let board = Board::from_position(Arc::clone(&self.tables), position);
        let outcome = self.crew.think(&board, &question, &mut Silent);
        self.nodes += self.crew.shared().total_nodes().max(1);
        let found = Found {
            score: outcome.lines.first().map_or(0, |line| line.score),
            best: outcome.best,
        };
        self.found.insert(key, found);
        found
    }

    /// The board of a state with `color` to move, as the tables see it.
    pub(super) fn board(&self, state: &State, color: Color) -> Board {
        let mut position = base(state);
        position.to_move = color;
        Board::from_position(Arc::clone(&self.tables), &as_seen(state, position))
    }
}

/// The stones of a state, and of each open offer the point that was named first.
fn base(state: &State) -> Position {
    let mut position = state.position();
    for (color, points) in state.offered() {
        if let Some(&point) = points.first() {
            position.add(point, color);
            position.to_move = color.opponent();
        }
    }
    position
}

/// Where forbidden moves are tied to a player who holds White now, the game is renju with the
/// colours exchanged, and so are the stones here.
fn as_seen(state: &State, position: Position) -> Position {
    let bound = state.setup().rule.bound;
    match bound.is_some_and(|bound| bound != state.black()) {
        true => position.with_colors_exchanged(),
        false => position,
    }
}
