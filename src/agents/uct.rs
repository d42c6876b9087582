//! Monte-Carlo tree search in its textbook form, with nothing added.

use super::{Agent, Choice, Deadline, ValueUnit};
use crate::board::{Color, Move, Position};
use crate::game::Game;
use crate::rules::draws::Counters;
use crate::rules::{Objective, Rules, VariantId, legal_moves, play_in};
use crate::search::{Control, Limits};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// UCT as "AI for Draught" and a report on a NoGo program describe it: a new tree for each move; selection by
/// `Q / N + c sqrt(2 ln N(parent) / N)` (L. Kocsis, C. Szepesvari, 2006), children without a visit first, at random;
/// expansion of all successors; one game of random moves from one of them, cut after some plies, where the side with
/// more pieces has won; the most visited move is played.
///
/// What the texts leave open: `Q` of a node counts for the side that moved into it; equal pieces at the cut are a
/// draw, one half for both. For play and not for study there is [`crate::search::mcts`].
///
/// [`Choice::value`] is the share of games won through the move played, 0 to 1.
#[derive(Clone, Debug)]
pub struct Uct {
    /// Descents for each move. The texts leave it open; 20 is the authors' own.
    pub iterations: u64,
    /// The constant `c`.
    pub exploration: f64,
    /// Plies after which a random game is cut. The texts leave it open; 20 is the authors' own.
    pub playout_plies: u32,
    /// Whether a node's rate is that of the side that moves into it ("two-player view"); without, it is always that of
    /// the side to move at the root, as if the opponent helped.
    pub two_player: bool,
    pub(super) random: Xoshiro256PlusPlus,
}

impl Default for Uct {
    fn default() -> Uct {
        Uct {
            iterations: 20,
            exploration: std::f64::consts::FRAC_1_SQRT_2,
            playout_plies: 20,
            two_player: true,
            random: Xoshiro256PlusPlus::seed_from_u64(0),
        }
    }
}

/// Nodes after which a tree is full: what is found below is played out without being kept. 64 bytes and more each.
const MOST_NODES: usize = 4_000_000;

/// Nodes of a search that take as long as a descent, for looks at the clock.
const NODES_OF_DESCENT: u64 = 32;

/// A node of the tree.
#[derive(Clone, Debug)]
struct Node {
    mv: Option<Move>,
    position: Position,
    counters: Counters,
    /// Games through it, and the sum of their results: 1 for a win, one half for a draw.
    visits: u64,
    won: f64,
    /// Its children, if they were made.
    children: Option<std::ops::Range<usize>>,
}

impl Agent for Uct {
    fn new_game(&mut self, seed: u64) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    /// A number of nodes in the limits takes the place of [`Uct::iterations`]; so does time, without a number.
    fn choose(&mut self, game: &Game, limits: &Limits, control: &Control) -> Option<Choice> {
        let deadline = Deadline::new(limits, control);
        let by_time = limits.nodes.is_none() && deadline.end.is_some();
        let iterations = limits.nodes.unwrap_or(if by_time { u64::MAX } else { self.iterations }).max(1);
        let variant = game.variant();
        let root = Node::new(None, *game.position(), game.counters());
        let mut tree = Tree { variant, rules: variant.rules(), nodes: vec![root] };
        if game.legal_moves().is_empty() {
            return None;
        }
        let mut deadline = Deadline { nodes: None, ..deadline };
        let mut deepest = 0;
        let mut done = 0;
        // A descent with its random game takes as long as some nodes of a search.
        while done < iterations && !(done > 0 && deadline.is_over(done * NODES_OF_DESCENT)) {
            deepest = deepest.max(self.descend(&mut tree));
            done += 1;
        }
        // Made by the first descent, but for a root that the rules call drawn.
        let children = tree.children(0);
        // The first of equally many visits in the generator's order: the tree is made at random already.
        let best = tree.nodes[children].iter().rev().max_by_key(|child| child.visits)?;
        let value = (best.visits > 0).then(|| best.won / best.visits as f64);
        Some(Choice { mv: best.mv?, value, depth: deepest as u32, nodes: done })
    }

    fn unit(&self) -> ValueUnit {
        ValueUnit::Result
    }
}

impl Uct {
    /// The four steps; returns the length of the path.
    fn descend(&mut self, tree: &mut Tree) -> usize {
        let us = tree.nodes[0].position.turn();
        let mut path = vec![0];
        let mut at = 0;
        // Selection, down to a node without children.
        while let Some(child) = self.select(tree, at) {
            at = child;
            path.push(at);
        }
        // Expansion; the game begins at one of the children.
        if tree.nodes.len() < MOST_NODES && !tree.is_drawn(at) {
            let children = tree.children(at);
            if !children.is_empty() {
                at = self.random.random_range(children);
                path.push(at);
            }
        }
        let result = self.playout(tree, at, us);
        for &node in &path {
            let node = &mut tree.nodes[node];
            node.visits += 1;
            let moved_into = !node.position.turn();
            node.won += if !self.two_player || moved_into == us { result } else { 1.0 - result };
        }
        path.len() - 1
    }

    /// The child to visit next; none at a node without children.
    fn select(&mut self, tree: &Tree, at: usize) -> Option<usize> {
        let children = tree.nodes[at].children.clone()?;
        let new: Vec<usize> = children.clone().filter(|&child| tree.nodes[child].visits == 0).collect();
        if !new.is_empty() {
            return Some(new[self.random.random_range(0..new.len())]);
        }
        let total = tree.nodes[at].visits as f64;
        let bound = |child: usize| {
            let node = &tree.nodes[child];
            upper_bound(node.won, node.visits as f64, total, self.exploration)
        };
        children.max_by(|&a, &b| bound(a).total_cmp(&bound(b)))
    }

    /// The result of a random game for `us`: 1, one half or 0.
    fn playout(&mut self, tree: &Tree, from: usize, us: Color) -> f64 {
        let (variant, rules) = (tree.variant, tree.rules);
        let Node { mut position, mut counters, .. } = tree.nodes[from];
        for plies in 0.. {
            let moves = legal_moves(variant, &position);
            if moves.is_empty() {
                let winner =
                    if rules.objective == Objective::Lose { position.turn() } else { !position.turn() };
                return f64::from(winner == us);
            }
            if counters.is_draw(rules) {
                return 0.5;
            }
            if plies == self.playout_plies {
                break;
            }
            let mv = moves[self.random.random_range(0..moves.len())];
            position = play_in(variant, &position, mv);
            counters = counters.after(rules, mv, &position);
        }
        let (own, other) = (position.side(us).len(), position.side(!us).len());
        let (own, other) = if rules.objective == Objective::Lose { (other, own) } else { (own, other) };
        match own.cmp(&other) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        }
    }
}

/// `Q / N + c sqrt(2 ln N(parent) / N)`.
fn upper_bound(won: f64, visits: f64, of_parent: f64, exploration: f64) -> f64 {
    won / visits + exploration * (2.0 * of_parent.ln() / visits).sqrt()
}

impl Node {
    fn new(mv: Option<Move>, position: Position, counters: Counters) -> Node {
        Node { mv, position, counters, visits: 0, won: 0.0, children: None }
    }
}

/// All nodes; the root is the first.
struct Tree {
    variant: VariantId,
    rules: &'static Rules,
    nodes: Vec<Node>,
}

impl Tree {
    /// The children of a node, made if need be.
    fn children(&mut self, at: usize) -> std::ops::Range<usize> {
        if let Some(children) = &self.nodes[at].children {
            return children.clone();
        }
        let Node { position, counters, .. } = self.nodes[at];
        let first = self.nodes.len();
        for mv in &legal_moves(self.variant, &position) {
            let next = play_in(self.variant, &position, *mv);
            self.nodes.push(Node::new(Some(*mv), next, counters.after(self.rules, *mv, &next)));
        }
        let children = first..self.nodes.len();
        self.nodes[at].children = (!children.is_empty()).then(|| children.clone());
        children
    }

    fn is_drawn(&self, at: usize) -> bool {
        self.nodes[at].counters.is_draw(self.rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen::game_from_fen;

    #[test]
    fn one_choice_by_hand() {
        // Three children with 10 visits in all and c = 1 / sqrt 2, so that the bound is Q / N + sqrt(ln 10 / N):
        // 4 of 5 won: 0.8 + sqrt(2.302585 / 5) = 0.8 + 0.678614; 2 of 4: 0.5 + 0.758714; 0 of 1: 0 + 1.517427.
        let c = std::f64::consts::FRAC_1_SQRT_2;
        let bounds =
            [(4.0, 5.0), (2.0, 4.0), (0.0, 1.0)].map(|(won, visits)| upper_bound(won, visits, 10.0, c));
        for (bound, expected) in bounds.into_iter().zip([1.478614, 1.258714, 1.517427]) {
            assert!((bound - expected).abs() < 1e-6, "{bound} {expected}");
        }
        let game = game_from_fen(VariantId::English, "W:W32,29:B1").unwrap();
        let mut uct = Uct::default();
        let root = Node::new(None, *game.position(), game.counters());
        let mut tree =
            Tree { variant: VariantId::English, rules: VariantId::English.rules(), nodes: vec![root] };
        assert_eq!(tree.children(0).len(), 3);
        tree.nodes[0].visits = 10;
        for (node, (won, visits)) in tree.nodes[1..].iter_mut().zip([(4.0, 5), (2.0, 4), (0.0, 1)]) {
            (node.won, node.visits) = (won, visits);
        }
        // The one with the fewest visits, though it has won nothing.
        assert_eq!(uct.select(&tree, 0), Some(3));
        // With no exploration the best rate.
        uct.exploration = 0.0;
        assert_eq!(uct.select(&tree, 0), Some(1));
    }

    #[test]
    fn the_visits_of_children_add_up() {
        let game = Game::new(VariantId::English);
        let mut uct = Uct { playout_plies: 30, ..Uct::default() };
        let root = Node::new(None, *game.position(), game.counters());
        let mut tree =
            Tree { variant: VariantId::English, rules: VariantId::English.rules(), nodes: vec![root] };
        for _ in 0..500 {
            uct.descend(&mut tree);
        }
        assert_eq!(tree.nodes[0].visits, 500);
        for node in &tree.nodes {
            let Some(children) = node.children.clone() else { continue };
            let below: u64 = tree.nodes[children.clone()].iter().map(|child| child.visits).sum();
            // All visits went on to a child, but for the one game that may have begun at the node itself.
            assert!(below == node.visits || below + 1 == node.visits && node.mv.is_some());
            // A win of a child is a loss of the parent: what both have of the same games adds up.
            let won: f64 = tree.nodes[children].iter().map(|child| child.won).sum();
            assert!(won + node.won <= node.visits as f64 + 1e-9);
        }
    }

    #[test]
    fn a_win_in_one_is_found_and_a_seed_repeats() {
        let game = game_from_fen(VariantId::English, "W:WK18,32:B14").unwrap();
        let mut uct = Uct { iterations: 300, ..Uct::default() };
        uct.new_game(5);
        let choice = uct.choose(&game, &Limits::default(), &Control::new()).unwrap();
        assert!(choice.mv.is_capture() && choice.value == Some(1.0) && choice.nodes == 300);
        let game = Game::new(VariantId::International);
        let by_seed = |seed| {
            let mut uct = Uct { iterations: 200, ..Uct::default() };
            uct.new_game(seed);
            uct.choose(&game, &Limits::default(), &Control::new()).unwrap()
        };
        assert_eq!(by_seed(1), by_seed(1));
        assert!((0..20).any(|seed| by_seed(seed).mv != by_seed(1).mv));
    }
}
