//! L7: any step of any opening rule by search.
//!
//! What an action is worth follows from what everybody after it would do: `outlook` looks ahead
//! through swaps, offers and picks to the game proper and searches there. `candidates` proposes
//! actions of each kind. Here they are compared in rounds: all of them by very short searches
//! first, then the better half by searches four times as long, and so on while there is time.
//! Among those that are as good as equal chance decides, so that openings vary.

mod candidates;
mod outlook;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;

use crate::opening_rules::{Action, Choice, Player, Slot, State};
use crate::pattern::RuleTables;
use crate::pool::Crew;
use crate::time::{Budget, Limits};
use crate::types::{Color, Point, Score};
use outlook::Found;

/// Time for a decision when no limit is given.
const DEFAULT_TIME: Duration = Duration::from_secs(2);
/// Time that no decision goes beyond, however much there is: a board without limits gives half an
/// hour a move, and somebody sits before it.
const LONGEST_TIME: Duration = Duration::from_secs(10);
/// Time for an answer that is wanted at once.
const INSTANT: Duration = Duration::from_millis(5);
/// Nodes of a search in the first round.
const FIRST_NODES: u64 = 100;
/// How many times as long the searches of the next round are.
const GROWTH: u64 = 4;
/// Rounds at most; the searches of the last are longer than any clock allows.
const ROUNDS: u32 = 10;
/// Candidates that stay in to the end.
const FINALISTS: usize = 3;
/// Scores this near to the best are as good.
const EQUAL: Score = 6;
/// Part of the time that goes to the points of an offer one by one.
const POINTS_SHARE: f64 = 0.6;

/// What was decided.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// One after another, the first legal in the state that was asked about.
    pub actions: Vec<Action>,
    /// The first move of the game, where the opening is over and the same player goes on.
    pub reply: Option<Point>,
    /// Nodes searched.
    pub nodes: u64,
}

/// Chooses what the player whose turn it is does: `most` actions, fewer when the turn passes
/// before, none when the opening is over. `tables` are those of the game that the opening is for.
pub fn decide(
    crew: &mut Crew,
    tables: Arc<RuleTables>,
    state: &State,
    limits: &Limits,
    most: usize,
    seed: u64,
) -> Step {
    let mut adviser = Adviser::new(crew, tables, state, limits, seed);
    let (actions, after) = adviser.actions(state, most);
    Step {
        reply: adviser.reply(&after, state.actor()),
        actions,
        nodes: adviser.nodes,
    }
}

/// From the beginning of the turn, when a decision must be there.
fn decision_time(limits: &Limits, stones: usize) -> Duration {
    match limits.budget(stones) {
        Budget::Instant => INSTANT,
        Budget::Unlimited if limits.nodes.is_some() => Duration::MAX,
        Budget::Unlimited => DEFAULT_TIME,
        Budget::Timed { soft, hard } => soft.map_or(hard, |s| s.min(hard)).min(LONGEST_TIME),
    }
}

/// What a search was about: stones, side to move and effort.
type Searched = (Vec<(Point, Color)>, Color, u64);

/// Searches on behalf of a decision.
struct Adviser<'a, 'b> {
    crew: &'a mut Crew<'b>,
    tables: Arc<RuleTables>,
    start: Instant,
    /// From `start`, when the decision must be there.
    time: Duration,
    node_limit: u64,
    nodes: u64,
    depth: i32,
    /// Nodes of one search.
    effort: u64,
    /// What the searches of this round have found.
    found: HashMap<Searched, Found>,
    rng: SmallRng,
}

impl<'a, 'b> Adviser<'a, 'b> {
    fn new(
        crew: &'a mut Crew<'b>,
        tables: Arc<RuleTables>,
        state: &State,
        limits: &Limits,
        seed: u64,
    ) -> Self {
        crew.shared().begin();
        Adviser {
            crew,
            tables,
            start: limits.start,
            time: decision_time(limits, state.position().stones().len()),
            node_limit: limits.nodes.unwrap_or(u64::MAX),
            nodes: 0,
            depth: limits.deepest().unwrap_or(i32::MAX),
            effort: FIRST_NODES,
            found: HashMap::new(),
            rng: SmallRng::seed_from_u64(seed),
        }
    }
}

impl Adviser<'_, '_> {
    fn is_over(&self) -> bool {
        self.start.elapsed() >= self.time
            || self.nodes >= self.node_limit
            || self.crew.shared().stop.load(Relaxed)
    }

    /// The next actions of the player whose turn it is, and the state after them. What is left of
    /// time and nodes is shared evenly among those still to come.
    fn actions(&mut self, state: &State, most: usize) -> (Vec<Action>, State) {
        let (time, nodes) = (self.time, self.node_limit);
        let (mut actions, mut state) = (Vec::new(), state.clone());
        let actor = state.actor();
        for left in (1..=most as u32).rev() {
            let spent = self.start.elapsed();
            self.time = spent.saturating_add(time.saturating_sub(spent) / left);
            self.node_limit = self.nodes + nodes.saturating_sub(self.nodes) / u64::from(left);
            let action = self.decide(&state);
            let Some(action) = action.filter(|action| state.apply(action).is_ok()) else {
                break;
            };
            actions.push(action);
            if state.actor() != actor {
                break;
            }
        }
        (self.time, self.node_limit) = (time, nodes);
        (actions, state)
    }

    /// The first move of the game, if it is that player's.
    fn reply(&mut self, state: &State, player: Option<Player>) -> Option<Point> {
        let settled = state.result()?;
        (Some(settled.mover()) == player).then(|| self.best_move(state))
    }

    /// The next action; none when the opening is over.
    fn decide(&mut self, state: &State) -> Option<Action> {
        let actor = state.actor()?;
        let mut actions = Vec::new();
        for choice in &state.legal()?.choices {
            match choice {
                Choice::Offer { slot, least, most } => {
                    actions.extend(self.offers(state, slot, *least..=*most));
                }
                _ => actions.extend(self.candidates(state, choice)),
            }
        }
        actions.retain(|action| state.check(action).is_ok());
        let rated = match actions.len() {
            // Not one of a kind was thought of: any will do.
            0 => return state.random(&mut self.rng),
            1 => return actions.pop(),
            _ => self.rated(actions, FINALISTS, |adviser, action| {
                adviser.after(state, action, actor)
            }),
        };
        let best = rated.first()?.1;
        let equal = rated.iter().take_while(|(_, value)| *value >= best - EQUAL);
        let equal: Vec<&Action> = equal.map(|(action, _)| action).collect();
        equal.choose(&mut self.rng).map(|action| (*action).clone())
    }

    /// Values `items` in rounds of growing effort, always the better half of them further, but
    /// `finalists` at least; best first.
    fn rated<T: Clone>(
        &mut self,
        mut items: Vec<T>,
        finalists: usize,
        mut value: impl FnMut(&mut Self, &T) -> Score,
    ) -> Vec<(T, Score)> {
        let mut rated: Vec<(T, Score)> = Vec::new();
        self.effort = FIRST_NODES;
        for _ in 0..ROUNDS {
            self.found.clear();
            let mut round = Vec::new();
            for item in &items {
                let value = value(self, item);
                // A value that was cut short is none.
                if self.is_over() {
                    break;
                }
                round.push((item.clone(), value));
            }
            // What the round has not come to keeps its value of the round before.
            let reached = round.len();
            round.extend(rated.into_iter().take(items.len()).skip(reached));
            round.sort_by_key(|(_, value)| -value);
            rated = round;
            if self.is_over() {
                break;
            }
            items = rated.iter().map(|(item, _)| item.clone()).collect();
            items.truncate((items.len() / 2).max(finalists));
            self.effort *= GROWTH;
        }
        if rated.is_empty() {
            rated.extend(items.into_iter().take(1).map(|item| (item, 0)));
        }
        rated
    }

    /// Sets of points to offer, the best points first: those that are worth most to their colour,
    /// and, for rules in which the others choose a side after the offer, sets of lesser ones.
    fn offers(
        &mut self,
        state: &State,
        slot: &Slot,
        counts: std::ops::RangeInclusive<usize>,
    ) -> Vec<Action> {
        let points = self.likely(state, slot, 2 * counts.end() + 12);
        let (time, nodes) = (self.time, self.node_limit);
        self.time = time.mul_f64(POINTS_SHARE);
        self.node_limit = (nodes as f64 * POINTS_SHARE) as u64;
        let most = *counts.end();
        let rated = self.rated(points.clone(), most + FINALISTS, |adviser, point| {
            adviser.with_stone(state, slot.color, *point)
        });
        (self.time, self.node_limit) = (time, nodes);
        let mut order: Vec<Point> = rated.into_iter().map(|(point, _)| point).collect();
        let rest = points.into_iter().filter(|point| !order.contains(point));
        order.extend(rest.collect::<Vec<_>>());
        candidates::windows(&order, counts)
    }
}
