//! The graph of a book that is being built: positions, their values, and which leaf is expanded next.
//!
//! Drop-out expansion (T. R. Lincke, "Strategies for the automatic construction of opening books", 2000). The cost of a
//! leaf is 0; that of another position is the least, over its moves, of 1 ply and what the move loses against the best
//! one, counted in plies, and the cost of the position after it. From the start one descends along the least cost to the
//! leaf that is expanded next: its moves are all added, searched and backed up. So a line is followed the deeper, the less
//! either side gives away on the way, and moves that lose something get their answers later. Both sides are treated
//! alike. A forced move costs nothing.
//!
//! Where the first plies are drawn by lot (ballots), nobody chooses their moves: they cost nothing, unless one loses most of a man,
//! and the book grows from every ballot alike.
//!
//! Positions are nodes of a graph: another order of moves leads to the same node. Values depend on the position alone, so
//! the graph has no circles: a move that would close one, which takes king moves of both sides, stands for a draw by
//! repetition.

use super::entry::earlier;
use super::{Entry, Games, key::canonical, key::key};
use crate::board::Position;
use crate::rules::{VariantId, legal_moves, play_in};
use crate::score::Score;
use std::collections::{HashMap, VecDeque};
use std::io;

/// What a ply costs.
const PLY: u32 = 100;
/// The cost of what is never expanded.
const NEVER: u32 = u32::MAX / 2;
/// A move that loses more, in centi-men, costs no more.
const MOST_LOSS: i32 = 1000;
/// A move that loses more costs its loss also in a ballot, in centi-men: ballots that lose a man are not played.
const MOST_BALLOT_LOSS: i32 = 75;

/// A node's number.
pub type NodeId = u32;

/// Where a move leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Edge {
    To(NodeId),
    /// Back to a position from which this one was reached.
    Repetition,
}

#[derive(Clone, Debug)]
struct Node {
    key: u64,
    position: Position,
    value: Score,
    depth: u8,
    /// The least number of plies from the start.
    ply: u8,
    cost: u32,
    /// Whether it was chosen and is being searched.
    busy: bool,
    /// One for each legal move; empty: a leaf.
    moves: Vec<Edge>,
    parents: Vec<NodeId>,
}

/// The positions of a book in the making.
#[derive(Clone, Debug)]
pub struct Graph {
    variant: VariantId,
    /// The loss that weighs as much as a ply, in centi-men.
    breadth: u32,
    /// Plies that are drawn by lot.
    ballots: u8,
    nodes: Vec<Node>,
    by_key: HashMap<u64, NodeId>,
    expanded: usize,
}

impl Graph {
    /// A graph of the initial position alone. `breadth` is the loss, in centi-men, that weighs as much as a ply of depth.
    pub fn new(variant: VariantId, start: &Position, breadth: u32) -> Graph {
        let mut graph = Graph {
            variant,
            breadth: breadth.max(1),
            ballots: 0,
            nodes: Vec::new(),
            by_key: HashMap::new(),
            expanded: 0,
        };
        let start = canonical(variant, start);
        graph.add(key(variant, &start), start, Score::DRAW, 0);
        graph
    }

    /// The same graph, in which the first `plies` are drawn by lot.
    pub fn with_ballots(self, plies: u8) -> Graph {
        Graph { ballots: plies, ..self }
    }

    /// Positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: the initial position is in it.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Positions whose moves are in it.
    pub fn expanded(&self) -> usize {
        self.expanded
    }

    /// The value of the start, for its side to move.
    pub fn value(&self) -> Score {
        self.nodes[0].value
    }

    /// Plies of the best line from the start.
    pub fn depth(&self) -> u32 {
        self.nodes[0].depth.into()
    }

    /// Whether there is a leaf left to expand.
    pub fn is_complete(&self) -> bool {
        self.nodes[0].cost >= NEVER
    }

    /// The key of a node.
    pub fn key_of(&self, node: NodeId) -> u64 {
        self.nodes[node as usize].key
    }

    /// The node with a key.
    pub fn find(&self, key: u64) -> Option<NodeId> {
        self.by_key.get(&key).copied()
    }

    /// Chooses up to `most` leaves to expand, in the order of their costs. They are busy until they are expanded or
    /// [`Graph::release`]d.
    pub fn choose(&mut self, most: usize) -> Vec<NodeId> {
        let mut chosen = Vec::new();
        while chosen.len() < most && !self.is_complete() {
            let leaf = self.descend();
            self.set_busy(leaf, true);
            chosen.push(leaf);
        }
        chosen
    }

    /// Makes these leaves free again.
    pub fn release(&mut self, leaves: &[NodeId]) {
        for &leaf in leaves {
            self.set_busy(leaf, false);
        }
    }

    /// The positions after a node's moves that are not in the graph yet, with their keys; White is to move in all of them.
    pub fn successors(&self, node: NodeId) -> Vec<(u64, Position)> {
        let mut new = self.all_successors(node);
        new.retain(|(key, _)| !self.by_key.contains_key(key));
        new
    }

    fn all_successors(&self, node: NodeId) -> Vec<(u64, Position)> {
        let position = &self.nodes[node as usize].position;
        let after = |&mv: &_| canonical(self.variant, &play_in(self.variant, position, mv));
        let positions = legal_moves(self.variant, position).iter().map(after).collect::<Vec<_>>();
        positions.into_iter().map(|after| (key(self.variant, &after), after)).collect()
    }

    /// Adds all moves of a leaf, with the values of the positions after them from `value`, and backs them up. Returns
    /// false, and changes nothing, where a value is missing or the node is no leaf.
    pub fn expand(&mut self, leaf: NodeId, value: impl Fn(u64) -> Option<Score>) -> bool {
        let known = |key: &u64| self.by_key.contains_key(key) || value(*key).is_some();
        let after = self.all_successors(leaf);
        if !self.nodes[leaf as usize].moves.is_empty() || after.is_empty() {
            return false;
        }
        if !after.iter().all(|(key, _)| known(key)) {
            return false;
        }
        let mut moves = Vec::with_capacity(after.len());
        for (key, position) in after {
            let edge = match self.by_key.get(&key).copied() {
                Some(node) if self.leads_to(node, leaf) => Edge::Repetition,
                Some(node) => Edge::To(node),
                None => Edge::To(self.add(key, position, value(key).unwrap_or(Score::DRAW), u8::MAX)),
            };
            if let Edge::To(node) = edge
                && !moves.contains(&edge)
            {
                self.nodes[node as usize].parents.push(leaf);
                self.bring_nearer(node, self.nodes[leaf as usize].ply.saturating_add(1));
            }
            moves.push(edge);
        }
        let node = &mut self.nodes[leaf as usize];
        node.moves = moves;
        node.busy = false;
        self.expanded += 1;
        self.update(leaf);
        true
    }

    /// The entries of the book, by key.
    pub fn entries(&self) -> impl Iterator<Item = io::Result<Entry>> + '_ {
        let mut nodes: Vec<&Node> = self.nodes.iter().collect();
        nodes.sort_unstable_by_key(|node| node.key);
        nodes.into_iter().map(|node| {
            let games = Games::default();
            Ok(Entry { key: node.key, value: Some(node.value), depth: node.depth, games })
        })
    }

    fn add(&mut self, key: u64, position: Position, value: Score, ply: u8) -> NodeId {
        let id = self.nodes.len() as NodeId;
        let is_over = value.is_certain_win() || legal_moves(self.variant, &position).is_empty();
        let cost = if is_over { NEVER } else { 0 };
        let (moves, parents) = (Vec::new(), Vec::new());
        self.nodes.push(Node { key, position, value, depth: 0, ply, cost, busy: false, moves, parents });
        self.by_key.insert(key, id);
        id
    }

    /// A way of so many plies leads to a node: what lies behind it is no further from the start.
    fn bring_nearer(&mut self, node: NodeId, ply: u8) {
        let mut open = vec![(node, ply)];
        while let Some((id, ply)) = open.pop() {
            let node = &mut self.nodes[id as usize];
            if node.ply <= ply {
                continue;
            }
            node.ply = ply;
            let after = ply.saturating_add(1);
            open.extend(node.moves.iter().filter_map(|edge| match *edge {
                Edge::To(next) => Some((next, after)),
                Edge::Repetition => None,
            }));
            if ply < self.ballots && !self.nodes[id as usize].moves.is_empty() {
                self.update(id);
            }
        }
    }

    /// Whether moves lead from a node to another one that may lead to it. Only quiet moves of kings lead back to where
    /// they came from, so only positions with as many pieces are looked at.
    fn leads_to(&self, from: NodeId, to: NodeId) -> bool {
        let count = |id: NodeId| self.nodes[id as usize].position.occupied().len();
        let pieces = count(to);
        if !self.nodes[to as usize].position.kings().any() {
            return from == to;
        }
        let mut open = vec![from];
        let mut seen = std::collections::HashSet::from([from]);
        while let Some(node) = open.pop() {
            if node == to {
                return true;
            }
            for edge in &self.nodes[node as usize].moves {
                if let Edge::To(next) = *edge
                    && count(next) == pieces
                    && seen.insert(next)
                {
                    open.push(next);
                }
            }
        }
        false
    }

    /// From the start along the least cost.
    fn descend(&self) -> NodeId {
        let mut at = 0;
        while !self.nodes[at as usize].moves.is_empty() {
            let next = self.cheapest(at).1;
            let Some(next) = next else { break };
            at = next;
        }
        at
    }

    /// The least cost of a node's moves, and where that move leads.
    fn cheapest(&self, id: NodeId) -> (u32, Option<NodeId>) {
        let node = &self.nodes[id as usize];
        let is_drawn_by_lot = node.ply < self.ballots;
        let step = if node.moves.len() > 1 && !is_drawn_by_lot { PLY } else { 0 };
        let mut least = (NEVER, None);
        for edge in &node.moves {
            let Edge::To(next) = *edge else { continue };
            let after = &self.nodes[next as usize];
            let loss = (node.value.centi() - earlier(after.value).centi()).clamp(0, MOST_LOSS);
            let loss = if is_drawn_by_lot && loss <= MOST_BALLOT_LOSS { 0 } else { loss as u32 };
            let cost = (after.cost + step + loss * PLY / self.breadth).min(NEVER);
            if cost < least.0 {
                least = (cost, Some(next));
            }
        }
        least
    }

    fn set_busy(&mut self, leaf: NodeId, busy: bool) {
        let node = &mut self.nodes[leaf as usize];
        if node.moves.is_empty() {
            node.busy = busy;
            node.cost = if busy { NEVER } else { 0 };
            self.update_parents(leaf);
        }
    }

    /// Computes a node anew from its moves, and then whatever depends on it.
    fn update(&mut self, id: NodeId) {
        self.recompute(id);
        self.update_parents(id);
    }

    fn update_parents(&mut self, id: NodeId) {
        let mut open: VecDeque<NodeId> = self.nodes[id as usize].parents.iter().copied().collect();
        while let Some(id) = open.pop_front() {
            if self.recompute(id) {
                open.extend(self.nodes[id as usize].parents.iter().copied());
            }
        }
    }

    /// Value, depth and cost from the moves; whether anything changed.
    fn recompute(&mut self, id: NodeId) -> bool {
        let node = &self.nodes[id as usize];
        let of = |edge: &Edge| match *edge {
            Edge::Repetition => (Score::DRAW, 0),
            Edge::To(next) => {
                let next = &self.nodes[next as usize];
                (earlier(next.value), next.depth)
            }
        };
        // Of moves with the same value the one with the longest line.
        let Some((value, depth)) = node.moves.iter().map(of).max() else { return false };
        let before = (node.value, node.depth, node.cost);
        let node = &mut self.nodes[id as usize];
        (node.value, node.depth) = (value, depth.saturating_add(1));
        let cost = self.cheapest(id).0;
        let node = &mut self.nodes[id as usize];
        node.cost = cost;
        before != (node.value, node.depth, node.cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::notation::fen::game_from_fen;

    /// Values that depend on the key alone, small.
    fn value(key: u64) -> Option<Score> {
        Some(Score::from_centi((key % 41) as i32 - 20))
    }

    fn grown(variant: VariantId, breadth: u32, expansions: usize) -> Graph {
        let mut graph = Graph::new(variant, Game::new(variant).position(), breadth);
        for _ in 0..expansions {
            let leaf = graph.choose(1)[0];
            assert!(graph.expand(leaf, value));
        }
        graph
    }

    /// The value of a node by plain recursion over the expanded positions.
    fn minimax(graph: &Graph, id: NodeId) -> Score {
        let node = &graph.nodes[id as usize];
        let of = |edge: &Edge| match *edge {
            Edge::To(next) => earlier(minimax(graph, next)),
            Edge::Repetition => Score::DRAW,
        };
        node.moves.iter().map(of).max().unwrap_or_else(|| value(node.key).unwrap())
    }

    #[test]
    fn values_are_the_minimax_of_the_leaves() {
        let graph = grown(VariantId::English, 5, 60);
        assert_eq!(graph.expanded(), 60);
        for id in 0..graph.len() as NodeId {
            assert_eq!(graph.nodes[id as usize].value, minimax(&graph, id));
        }
        assert!(graph.len() < 60 * 8, "other orders of moves lead to the same nodes");
    }

    #[test]
    fn decided_leaves_are_left_alone() {
        let mut graph = Graph::new(VariantId::English, Game::new(VariantId::English).position(), 5);
        let leaf = graph.choose(1)[0];
        assert!(graph.expand(leaf, |_| Some(Score::win_in(3))));
        assert!(graph.choose(1).is_empty());
    }

    /// The cost of a node by plain recursion.
    fn cost(graph: &Graph, id: NodeId) -> u32 {
        let node = &graph.nodes[id as usize];
        if node.moves.is_empty() {
            return if legal_moves(graph.variant, &node.position).is_empty() { NEVER } else { 0 };
        }
        let in_ballot = node.ply < graph.ballots;
        let step = if node.moves.len() == 1 || in_ballot { 0 } else { PLY };
        let of = |edge: &Edge| match *edge {
            Edge::Repetition => NEVER,
            Edge::To(next) => {
                let after = graph.nodes[next as usize].value;
                let loss = node.value.centi() + after.centi();
                let loss = if in_ballot && loss <= 75 { 0 } else { loss };
                cost(graph, next) + step + loss as u32 * PLY / graph.breadth
            }
        };
        node.moves.iter().map(of).min().unwrap().min(NEVER)
    }

    #[test]
    fn the_next_leaf_has_the_least_cost() {
        let mut graph = grown(VariantId::Russian, 7, 40);
        for id in 0..graph.len() as NodeId {
            assert_eq!(graph.nodes[id as usize].cost, cost(&graph, id));
        }
        let before = graph.nodes[0].cost;
        let several = graph.choose(5);
        assert_eq!(several.iter().collect::<std::collections::HashSet<_>>().len(), 5, "all different");
        assert!(graph.nodes[0].cost >= before);
        graph.release(&several);
        assert_eq!(graph.nodes[0].cost, before);
    }

    #[test]
    fn a_small_breadth_digs_and_a_large_one_spreads() {
        assert!(grown(VariantId::English, 1, 80).depth() > grown(VariantId::English, 200, 80).depth());
    }

    #[test]
    fn ballots_grow_alike_and_values_stay_the_minimax() {
        let variant = VariantId::English;
        // Values near together, so that no move loses much.
        let mut graph = Graph::new(variant, Game::new(variant).position(), 5).with_ballots(3);
        let mut expansions = 0;
        while graph.nodes[0].cost < PLY {
            let leaf = graph.choose(1)[0];
            assert!(graph.expand(leaf, value));
            expansions += 1;
        }
        // All positions of three plies or fewer, and they alone, where the first ply after a ballot is not forced.
        let near = |ply: u8| graph.nodes.iter().filter(|node| node.ply == ply).count();
        assert_eq!((0..3).map(near).collect::<Vec<_>>(), [1, 7, 49]);
        let deep = graph.nodes.iter().filter(|node| node.ply > 3 && !node.moves.is_empty());
        let moves = |id: NodeId| graph.nodes[id as usize].moves.len();
        let is_forced = |node: &Node| node.parents.iter().any(|&parent| moves(parent) == 1);
        assert!(deep.clone().all(is_forced), "{}", deep.count());
        assert!(graph.nodes.iter().filter(|node| node.ply <= 3).all(|node| !node.moves.is_empty()));
        assert!(expansions >= near(3) + 57);
        for id in 0..graph.len() as NodeId {
            let node = &graph.nodes[id as usize];
            assert_eq!(node.value, minimax(&graph, id));
            let nearest = node.parents.iter().map(|&parent| graph.nodes[parent as usize].ply + 1).min();
            assert_eq!(node.ply, nearest.unwrap_or(0));
            assert_eq!(node.cost, cost(&graph, id));
        }
    }

    #[test]
    fn a_shorter_way_makes_a_move_part_of_a_ballot() {
        let variant = VariantId::English;
        let mut graph = Graph::new(variant, Game::new(variant).position(), 5).with_ballots(3);
        for _ in 0..40 {
            let leaf = graph.choose(1)[0];
            graph.expand(leaf, |key| Some(Score::from_centi((key % 301) as i32 - 150)));
        }
        // As if all had been reached by longer ways.
        let nearer = graph.clone();
        graph.nodes.iter_mut().for_each(|node| node.ply = 9);
        while (0..graph.len() as NodeId).filter(|&id| graph.recompute(id)).count() > 0 {}
        assert!(graph.nodes[0].cost > nearer.nodes[0].cost);
        graph.bring_nearer(0, 0);
        for id in 0..graph.len() as NodeId {
            let (node, same) = (&graph.nodes[id as usize], &nearer.nodes[id as usize]);
            assert_eq!((node.ply, node.cost), (same.ply, same.cost));
            assert_eq!(node.cost, cost(&graph, id));
        }
        let loses = |node: &Node| {
            let after = |edge: &Edge| matches!(*edge, Edge::To(next) if node.value.centi() + graph.nodes[next as usize].value.centi() > 75);
            node.ply < 3 && node.moves.iter().any(after)
        };
        assert!(graph.nodes.iter().any(loses), "a move of the ballots that loses most of a man");
    }

    #[test]
    fn kings_that_go_to_and_fro_are_drawn() {
        let game = game_from_fen(VariantId::International, "W:WK47:BK5").unwrap();
        let mut graph = Graph::new(VariantId::International, game.position(), 10);
        // Whoever has just moved is behind, so that a draw is the best there is.
        let value = |key: u64| Some(Score::from_centi(1 + (key % 20) as i32));
        for _ in 0..200 {
            let Some(&leaf) = graph.choose(1).first() else { break };
            graph.expand(leaf, value);
        }
        let mut values = vec![Found::No; graph.len()];
        let mut saved = 0;
        for id in 0..graph.len() as NodeId {
            assert_eq!(graph.nodes[id as usize].value, without_circles(&graph, id, &mut values));
            let moves = &graph.nodes[id as usize].moves;
            let others = moves.iter().filter_map(|edge| match *edge {
                Edge::To(next) => Some(earlier(graph.nodes[next as usize].value)),
                Edge::Repetition => None,
            });
            let is_behind = others.max().is_some_and(|best| best < Score::DRAW);
            saved += usize::from(is_behind && moves.contains(&Edge::Repetition));
        }
        assert!(saved > 0, "some position is a draw because of a repetition");
    }

    #[derive(Clone, Copy)]
    enum Found {
        No,
        OnTheWay,
        Yes(Score),
    }

    /// The value of a node from those after it; fails where a node is met on the way to itself.
    fn without_circles(graph: &Graph, id: NodeId, found: &mut [Found]) -> Score {
        match found[id as usize] {
            Found::Yes(score) => return score,
            Found::OnTheWay => panic!("a circle"),
            Found::No => found[id as usize] = Found::OnTheWay,
        }
        let node = &graph.nodes[id as usize];
        let mut of = |edge: &Edge| match *edge {
            Edge::To(next) => earlier(without_circles(graph, next, found)),
            Edge::Repetition => Score::DRAW,
        };
        let score = node.moves.iter().map(&mut of).max().unwrap_or(node.value);
        found[id as usize] = Found::Yes(score);
        score
    }
}
