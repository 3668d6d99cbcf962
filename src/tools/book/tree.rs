//! The positions searched so far: what they are worth with all that follows them, how far they
//! are from best play, and which are to be searched next.
//!
//! Best first by what is given away on the way, after drop-out expansion (Lincke, "Strategies for
//! the automatic construction of opening books", 2000): a move of a searched position is as far
//! as its position, plus what it gives away there, plus the price of a ply, and the nearest moves
//! not yet searched come next. Since values are backed up, a move that turns out worse than it
//! looked moves away with all that follows it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::log::Found;
use super::{canonical, permille};
use crate::book::{BookMove, Entry, Key, MAX_MOVES};
use crate::rules::{Grid, RuleSpec, stone_outcome};
use crate::types::{BoardSize, Point, Position, score};

/// Farther than anything can be.
const FAR: i32 = i32::MAX;
/// What a further move of a book may give away, in thousandths.
const MAX_DEFICIT: i32 = 100;
/// A move not searched yet may look better than the best by so much, in thousandths, before the
/// position is left out of the book as unsettled.
const UNSETTLED: i32 = 10;

/// What distance is made of, in thousandths of win rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prices {
    /// Of a ply.
    pub ply: i32,
    /// What a move may give away at most to be looked at.
    pub margin: i32,
    /// How uneven a root may be without being farther away for it.
    pub level: i32,
}

/// A move of a position.
#[derive(Debug)]
struct Edge {
    point: Point,
    /// The position after it.
    key: u64,
    /// What the search of this position says, for its side to move.
    score: i32,
    child: Option<usize>,
}

/// A searched position.
#[derive(Debug)]
struct Node {
    stones: Vec<Point>,
    key: u64,
    depth: u8,
    nodes: u64,
    edges: Vec<Edge>,
    is_root: bool,
    /// For the side to move, with everything below backed up.
    value: i32,
    /// Distance from best play.
    cost: i32,
    /// The position before it from which it is nearest, and its distance on that way.
    parent: Option<usize>,
    way: i32,
    /// Nodes spent here and on what is nearest from here.
    effort: u64,
}

/// A position to be searched.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Candidate {
    cost: i32,
    key: u64,
    /// Its stones in turn.
    pub stones: Vec<Point>,
}

/// All positions of a build.
#[derive(Debug)]
pub struct Tree {
    rule: &'static RuleSpec,
    size: BoardSize,
    prices: Prices,
    nodes: Vec<Node>,
    index: HashMap<u64, usize, ahash::RandomState>,
    /// Positions by the number of their stones: a move always leads to the next layer.
    layers: Vec<Vec<usize>>,
    roots: Vec<(u64, Vec<Point>)>,
    root_keys: BTreeSet<u64>,
}

impl Tree {
    /// A tree that begins with these positions, each once, given by stones in turn. The game goes
    /// on in all of them.
    pub fn new(
        rule: &'static RuleSpec,
        size: BoardSize,
        prices: Prices,
        roots: &[Vec<Point>],
    ) -> Tree {
        let mut tree = Tree {
            rule,
            size,
            prices,
            nodes: Vec::new(),
            index: HashMap::with_hasher(ahash::RandomState::with_seeds(5, 6, 7, 8)),
            layers: Vec::new(),
            roots: Vec::new(),
            root_keys: BTreeSet::new(),
        };
        for root in roots {
            let position = Position::after(size, root.iter().copied());
            let key = Key::of(&position).hash;
            if let Some(stones) = canonical(&position)
                && tree.root_keys.insert(key)
            {
                tree.roots.push((key, stones));
            }
        }
        tree
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Number of positions it begins with.
    pub fn roots(&self) -> usize {
        self.roots.len()
    }

    /// Adds what was found in a position that [`Tree::next`] has named.
    pub fn add(&mut self, stones: Vec<Point>, found: &Found) {
        let position = Position::after(self.size, stones.iter().copied());
        let key = Key::of(&position).hash;
        let mut edges: Vec<Edge> = Vec::new();
        for (point, score) in &found.moves {
            let mut after = position.clone();
            let is_move = after.play(*point);
            let child = Key::of(&after).hash;
            if is_move && edges.iter().all(|edge| edge.key != child) {
                edges.push(Edge {
                    point: *point,
                    key: child,
                    score: (*score).into(),
                    child: None,
                });
            }
        }
        let number = self.nodes.len();
        let layer = stones.len();
        if self.layers.len() <= layer {
            self.layers.resize_with(layer + 1, Vec::new);
        }
        self.layers[layer].push(number);
        self.index.insert(key, number);
        self.nodes.push(Node {
            is_root: self.root_keys.contains(&key),
            stones,
            key,
            depth: found.depth,
            nodes: found.nodes,
            edges,
            value: 0,
            cost: FAR,
            parent: None,
            way: FAR,
            effort: 0,
        });
    }

    /// Works out values and distances anew. To be called after positions were added.
    pub fn update(&mut self) {
        for layer in (0..self.layers.len()).rev() {
            for at in 0..self.layers[layer].len() {
                self.back_up(self.layers[layer][at]);
            }
        }
        for node in &mut self.nodes {
            (node.cost, node.way, node.parent) = (FAR, FAR, None);
            if node.is_root {
                let uneven = (permille(node.value) - 500).abs();
                node.cost = (uneven - self.prices.level).max(0);
            }
        }
        for layer in 0..self.layers.len() {
            for at in 0..self.layers[layer].len() {
                self.hand_down(self.layers[layer][at]);
            }
        }
        for node in &mut self.nodes {
            node.effort = node.nodes;
        }
        for number in self.layers.iter().rev().flatten() {
            let node = &self.nodes[*number];
            if let (Some(parent), effort) = (node.parent, node.effort) {
                self.nodes[parent].effort += effort;
            }
        }
    }

    /// The value of a position from those of the layer after it.
    fn back_up(&mut self, number: usize) {
        let mut edges = std::mem::take(&mut self.nodes[number].edges);
        for edge in &mut edges {
            edge.child = edge.child.or_else(|| self.index.get(&edge.key).copied());
        }
        let values = edges.iter().map(|edge| self.worth(edge));
        self.nodes[number].value = values.max().unwrap_or(0);
        self.nodes[number].edges = edges;
    }

    /// What a move is worth to the side that makes it.
    fn worth(&self, edge: &Edge) -> i32 {
        let value = edge.child.map(|child| -self.nodes[child].value);
        match value {
            // The win is a ply farther away from here.
            Some(value) if score::is_win(value) => value - 1,
            Some(value) if score::is_loss(value) => value + 1,
            Some(value) => value,
            None => edge.score,
        }
    }

    /// What a move gives away against the best of its position, in thousandths.
    fn deficit(&self, node: &Node, edge: &Edge) -> i32 {
        permille(node.value) - permille(self.worth(edge))
    }

    /// Tells the positions after one how far they are. Those beyond the margin are not reached
    /// from here, but what was spent on them was spent on this one.
    fn hand_down(&mut self, number: usize) {
        let node = &self.nodes[number];
        if node.cost == FAR {
            return;
        }
        let known = node
            .edges
            .iter()
            .filter_map(|edge| Some((edge.child?, edge)));
        let step = |(child, edge)| (child, self.deficit(node, edge));
        let steps: Vec<(usize, i32)> = known.map(step).collect();
        let start = node.cost + self.prices.ply;
        for (child, deficit) in steps {
            let (child, way) = (&mut self.nodes[child], start + deficit);
            if way < child.way {
                (child.way, child.parent) = (way, Some(number));
            }
            if deficit <= self.prices.margin {
                child.cost = child.cost.min(way);
            }
        }
    }

    /// Up to `most` positions to be searched next, the nearest first. Roots come before all.
    pub fn next(&self, most: usize) -> Vec<Candidate> {
        let missing = self
            .roots
            .iter()
            .filter(|(key, _)| !self.index.contains_key(key));
        let roots = missing.map(|(key, stones)| Candidate {
            cost: 0,
            key: *key,
            stones: stones.clone(),
        });
        let mut next: Vec<Candidate> = roots.take(most).collect();
        if next.is_empty() {
            next = self.nearest();
            next.truncate(most);
        }
        next
    }

    fn nearest(&self) -> Vec<Candidate> {
        let mut nearest: BTreeMap<u64, (i32, usize, Point)> = BTreeMap::new();
        for (number, node) in self.nodes.iter().enumerate() {
            if node.cost == FAR || score::is_decided(node.value) {
                continue;
            }
            for edge in node.edges.iter().filter(|edge| edge.child.is_none()) {
                let deficit = self.deficit(node, edge);
                if deficit > self.prices.margin || score::is_decided(edge.score) {
                    continue;
                }
                let cost = node.cost + self.prices.ply + deficit;
                let known = nearest.entry(edge.key).or_insert((FAR, number, edge.point));
                if cost < known.0 {
                    *known = (cost, number, edge.point);
                }
            }
        }
        let mut order: Vec<(i32, u64, usize, Point)> = nearest
            .into_iter()
            .map(|(key, (cost, number, point))| (cost, key, number, point))
            .collect();
        order.sort_unstable_by_key(|(cost, key, ..)| (*cost, *key));
        let open = order.into_iter().filter_map(|(cost, key, number, point)| {
            let stones = self.after(number, point)?;
            Some(Candidate { cost, key, stones })
        });
        open.collect()
    }

    /// The position after a move, unless the game ends there.
    fn after(&self, number: usize, point: Point) -> Option<Vec<Point>> {
        let stones = self.nodes[number].stones.iter().copied();
        let mut position = Position::after(self.size, stones);
        let grid = Grid::from_position(&position);
        let ends = stone_outcome(self.rule, &grid, point, position.to_move).is_some();
        let goes_on = !ends && position.play(point) && !position.is_full();
        canonical(&position).filter(|_| goes_on)
    }

    /// What a book says about the positions that are settled: the best move has been searched
    /// itself, and nothing is proven, for what is proven the engine finds by itself.
    pub fn entries(&self) -> Vec<(u64, Entry)> {
        let settled = |node: &Node| Some((node.key, self.entry(node)?));
        self.nodes.iter().filter_map(settled).collect()
    }

    fn entry(&self, node: &Node) -> Option<Entry> {
        if node.cost == FAR || score::is_decided(node.value) {
            return None;
        }
        let searched = node.edges.iter().filter(|edge| edge.child.is_some());
        let mut moves: Vec<(i32, &Edge)> = searched.map(|edge| (self.worth(edge), edge)).collect();
        moves.sort_by_key(|(worth, _)| -worth);
        let best = moves.first()?.0;
        if permille(node.value) - permille(best) > UNSETTLED {
            return None;
        }
        let moves = moves
            .iter()
            .map(|(worth, edge)| (permille(best) - permille(*worth), edge));
        let moves = moves.filter(|(deficit, _)| *deficit <= MAX_DEFICIT);
        let moves = moves.map(|(deficit, edge)| BookMove {
            point: edge.point,
            deficit: (deficit / 5) as u8,
        });
        Some(Entry {
            stones: u8::try_from(node.stones.len()).unwrap_or(u8::MAX),
            depth: node.depth,
            effort: Entry::effort_of(node.effort),
            cost: u8::try_from(node.cost / 10).unwrap_or(u8::MAX),
            score: i16::try_from(best).unwrap_or(0),
            moves: moves.take(MAX_MOVES).collect(),
        })
    }
}
