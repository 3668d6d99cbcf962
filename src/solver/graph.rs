//! Proof-number search: df-pn (Nagai 2002) over a graph that is kept in memory.
//!
//! Making the moves of a node is dear here, for it means looking for wins by fours, so nodes are
//! kept with their moves and met again by their keys. Stones are only added, so the graph has no
//! cycles. Where it joins, sums of numbers would count a proof several times; the largest number
//! and one for each further move ("weak" proof numbers, Ueda et al. 2008) stand in for them.

use std::collections::HashMap;

use super::Solver;
use super::tree::Step;
use crate::pattern::CellClass;
use crate::types::Point;

/// A number that stands for "impossible".
const NEVER: u32 = u32::MAX / 2;
/// First proof number of a position after the reply to a quiet move beside the root.
const REPLY_PROOF: u32 = 2;
/// What each move of the attacker adds to the first proof number of a position.
const DEPTH_PROOF: u32 = 2;
/// Bytes that a node and its place in the index take without its moves.
const NODE_BYTES: usize = 112;
/// Bytes of one move of a proof tree, for the count of memory.
const STEP_BYTES: usize = 96;

/// A move and the node it leads to.
#[derive(Clone, Copy)]
pub(super) struct Edge {
    /// [`Point::NONE`] is a pass.
    pub point: Point,
    /// None until it is first looked at.
    pub node: Option<u32>,
    /// Proof number until then.
    hope: u32,
}

impl Edge {
    /// A move that has not been looked at.
    pub fn new(point: Point, hope: u32) -> Edge {
        Edge {
            point,
            node: None,
            hope,
        }
    }
}

/// A position. Whether it is the attacker's or the defender's turn is not said here.
#[derive(Default)]
pub(super) struct Node {
    /// Positions that must be won to prove the win, and to disprove it.
    pub proof: u32,
    pub disproof: u32,
    pub is_expanded: bool,
    /// Replies to a quiet move that have had a first look.
    pub screened: usize,
    pub edges: Box<[Edge]>,
    /// Defender's turn: what the attacker plays after every move that is not in `edges`.
    pub threat: Option<Box<Step>>,
}

impl Node {
    fn unexpanded() -> Node {
        Node {
            proof: 1,
            disproof: 1,
            ..Node::default()
        }
    }

    /// The attacker wins here.
    pub fn won() -> Node {
        Node {
            proof: 0,
            disproof: NEVER,
            is_expanded: true,
            ..Node::default()
        }
    }

    /// The attacker does not win here.
    pub fn lost() -> Node {
        Node {
            proof: NEVER,
            disproof: 0,
            is_expanded: true,
            ..Node::default()
        }
    }

    /// A node with moves that have not been looked at, each with the proof number `hope`.
    pub fn with_edges(
        points: impl IntoIterator<Item = Point>,
        hope: u32,
        threat: Option<Box<Step>>,
    ) -> Node {
        let edges = points.into_iter().map(|point| Edge::new(point, hope));
        Node {
            proof: 1,
            disproof: 1,
            is_expanded: true,
            screened: 0,
            edges: edges.collect(),
            threat,
        }
    }

    pub fn is_won(&self) -> bool {
        self.proof == 0
    }

    pub fn is_lost(&self) -> bool {
        self.disproof == 0
    }

    fn bytes(&self) -> usize {
        let threat = self.threat.as_deref().map_or(0, Step::size);
        NODE_BYTES + self.edges.len() * size_of::<Edge>() + threat * STEP_BYTES
    }
}

/// All nodes of a proof.
#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    by_key: HashMap<u64, u32, ahash::RandomState>,
    pub bytes: usize,
}

impl Graph {
    pub fn find(&self, key: u64) -> Option<u32> {
        self.by_key.get(&key).copied()
    }

    pub fn node(&self, id: u32) -> &Node {
        &self.nodes[id as usize]
    }

    pub fn add(&mut self, key: u64, node: Node) -> u32 {
        self.bytes += node.bytes();
        let id = self.nodes.len() as u32;
        self.nodes.push(node);
        self.by_key.insert(key, id);
        id
    }

    pub fn replace(&mut self, id: u32, node: Node) {
        self.bytes += node.bytes();
        self.nodes[id as usize] = node;
    }

    /// Proof and disproof number of where a move leads.
    fn numbers(&self, edge: &Edge) -> (u32, u32) {
        edge.node.map_or((edge.hope, 1), |id| {
            let node = self.node(id);
            (node.proof, node.disproof)
        })
    }

    /// The numbers of a node as its moves have them now, and which of those to look into.
    /// `mine`: the side whose turn it is wants to prove, else to disprove; `one` is the number
    /// it needs from one move only, `all` the one it needs from every move.
    fn weigh(&self, id: u32, mine: bool) -> Weighed {
        let mut weighed = Weighed {
            one: NEVER,
            second: NEVER,
            all: 0,
            open: 0,
            best: 0,
        };
        for (index, edge) in self.node(id).edges.iter().enumerate() {
            let (proof, disproof) = self.numbers(edge);
            let (one, all) = if mine {
                (proof, disproof)
            } else {
                (disproof, proof)
            };
            if all > 0 {
                weighed.open += 1;
                weighed.all = weighed.all.max(all);
            }
            if one < weighed.one {
                weighed.second = weighed.one;
                weighed.one = one;
                weighed.best = index;
            } else {
                weighed.second = weighed.second.min(one);
            }
        }
        if weighed.one == 0 {
            weighed.all = NEVER;
        } else if weighed.open > 0 {
            weighed.all = (weighed.all + weighed.open - 1).min(NEVER);
        }
        weighed
    }
}

struct Weighed {
    one: u32,
    /// The next best of them.
    second: u32,
    all: u32,
    /// Moves that `all` counts.
    open: u32,
    /// Index of the move with `one`.
    best: usize,
}

impl Solver {
    /// The node of the position on the board.
    pub(super) fn node_here(&mut self) -> u32 {
        let key = self.board.key();
        self.graph
            .find(key)
            .unwrap_or_else(|| self.graph.add(key, Node::unexpanded()))
    }

    /// Plays a move of the graph; a pass only changes the side to move.
    pub(super) fn play(&mut self, point: Point) {
        match point.is_none() {
            true => self.board.set_side(self.board.side().opponent()),
            false => self.board.make(point),
        }
    }

    pub(super) fn take_back(&mut self, point: Point) {
        match point.is_none() {
            true => self.board.set_side(self.board.side().opponent()),
            false => self.board.undo(),
        }
    }

    /// Works on the position on the board, node `id`, until it is decided or the budget ends.
    pub(super) fn decide(&mut self, id: u32) {
        self.descend(id, NEVER, NEVER);
    }

    /// Works on a node until one of its numbers reaches its limit.
    fn descend(&mut self, id: u32, proof_limit: u32, disproof_limit: u32) {
        if !self.graph.node(id).is_expanded {
            let node = self.expand();
            self.graph.replace(id, node);
        }
        let mine = self.board.side() == self.attacker;
        let node = self.graph.node(id);
        if !mine && node.threat.is_some() && node.screened < node.edges.len() {
            if node.proof >= proof_limit {
                return;
            }
            self.screen(id, proof_limit);
        }
        loop {
            let node = self.graph.node(id);
            if node.edges.is_empty() {
                return;
            }
            let weighed = self.graph.weigh(id, mine);
            let node = &mut self.graph.nodes[id as usize];
            let (one_limit, all_limit) = if mine {
                (node.proof, node.disproof) = (weighed.one, weighed.all);
                (proof_limit, disproof_limit)
            } else {
                (node.disproof, node.proof) = (weighed.one, weighed.all);
                (disproof_limit, proof_limit)
            };
            let point = node.edges[weighed.best].point;
            let is_done = weighed.one >= one_limit || weighed.all >= all_limit;
            if is_done || self.is_over() {
                return;
            }
            let one_limit = one_limit.min(weighed.second.saturating_add(1));
            let all_limit = all_limit - (weighed.open - 1);
            self.play(point);
            let child = self.node_here();
            self.graph.nodes[id as usize].edges[weighed.best].node = Some(child);
            if mine {
                self.descend(child, one_limit, all_limit);
            } else {
                self.descend(child, all_limit, one_limit);
            }
            self.take_back(point);
        }
    }

    /// Takes a first look at the replies to a quiet move, so that its proof number counts those
    /// after which no win by fours is at hand; at no more of them than make it too large.
    fn screen(&mut self, id: u32, proof_limit: u32) {
        let hope = self.hope(REPLY_PROOF);
        let (mut open, count) = (0, self.graph.node(id).edges.len());
        for index in 0..count {
            if open > 0 && hope + open > proof_limit {
                break;
            }
            let Edge { point, node, .. } = self.graph.node(id).edges[index];
            if index < self.graph.node(id).screened {
                open += u32::from(node.is_some_and(|id| !self.graph.node(id).is_won()));
                continue;
            }
            self.play(point);
            let child = self.node_here();
            if !self.graph.node(child).is_expanded {
                match self.wins_at_hand() {
                    true => self.graph.replace(child, Node::won()),
                    false => self.graph.nodes[child as usize].proof = self.hope(REPLY_PROOF),
                }
            }
            self.take_back(point);
            open += u32::from(!self.graph.node(child).is_won());
            let node = &mut self.graph.nodes[id as usize];
            node.edges[index].node = Some(child);
            node.screened = index + 1;
        }
    }

    /// First proof number of a position the attacker has no win by fours in: `near` for one
    /// beside the root, more the deeper it lies.
    pub(super) fn hope(&self, near: u32) -> u32 {
        if self
            .board
            .count_of(self.attacker.opponent(), CellClass::Five)
            > 0
        {
            return 1;
        }
        let plies = self.board.stones().saturating_sub(self.root_stones) as u32;
        near + DEPTH_PROOF * (plies / 2)
    }

    /// Has the work to end without an answer?
    fn is_over(&self) -> bool {
        self.budget.is_over() || self.graph.bytes > self.settings.memory / 2
    }
}
