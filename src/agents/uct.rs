//! Monte-Carlo tree search in its textbook form, and what a report on a NoGo program adds to it, one by one.

use super::phase_time::phase_time;
use super::{Agent, Choice, Deadline, ValueUnit};
use crate::board::{Color, Move, Position};
use crate::game::Game;
use crate::rules::draws::Counters;
use crate::rules::{Objective, Rules, VariantId, legal_moves, play_in};
use crate::search::{Control, Limits, may_be_slow};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cmp::Ordering;
use std::io;
use std::panic::resume_unwind;
use std::thread;

/// UCT as "AI for Draught" and a report on a NoGo program describe it: a new tree for each move; selection by
/// `Q / N + c sqrt(2 ln N(parent) / N)` (L. Kocsis, C. Szepesvari, 2006), children without a visit first, at random;
/// expansion of all successors; one game of random moves from one of them, which the former cuts after some plies, where the
/// side with more pieces has won; the most visited move is played.
///
/// The report writes the bound as `C sqrt(log10 N(parent) / N)`, which is the same with `C = c sqrt(2 ln 10)`. Its four
/// additions are off by default: [`Uct::two_player`] (on, as the other text has it), [`Uct::rave_k`], [`Uct::trees`] and
/// [`Uct::time_table`].
///
/// What the texts leave open: `Q` of a node counts for the side that moved into it; equal pieces at the cut are a
/// draw, one half for both; of moves with equally many visits and of children with the same bound one is taken at
/// random. For play and not for study there is [`crate::search::mcts`].
///
/// [`Choice::value`] is the share of games won through the move played, 0 to 1.
#[derive(Clone, Debug)]
pub struct Uct {
    /// Descents for each move. The texts leave it open; 20 is the authors' own.
    pub iterations: u64,
    /// The constant `c`.
    pub exploration: f64,
    /// Plies after which a random game is cut. "AI for Draught" leaves the number open, 20 is its authors' own; the report on
    /// NoGo plays to the end (10,000 is more than random games reach).
    pub playout_plies: u32,
    /// Whether a node's rate is that of the side that moves into it ("two-player view"); without, it is always that of
    /// the side to move at the root, as if the opponent helped.
    pub two_player: bool,
    /// `k` of RAVE (S. Gelly, D. Silver, 2007): `Q / N` gives way to `(1 - b) Q / N + b Q~` with
    /// `b = sqrt(k / (3 N(parent) + k))`, one half at `N(parent) = k`; `Q~` is the mean over all games in which the side
    /// played the move later. The bound stays. The text leaves `k` open.
    pub rave_k: Option<f64>,
    /// Trees grown at the same time, each by a thread of its own and with all iterations or all of the time; their visits
    /// are added in the end ("root parallel").
    pub trees: usize,
    /// Whether a fixed time for each move is the longest of a table, by the pieces on the board:
    /// [`phase_time`].
    pub time_table: bool,
    pub(super) random: Xoshiro256PlusPlus,
}

impl Default for Uct {
    fn default() -> Uct {
        Uct {
            iterations: 20,
            exploration: std::f64::consts::FRAC_1_SQRT_2,
            playout_plies: 20,
            two_player: true,
            rave_k: None,
            trees: 1,
            time_table: false,
            random: Xoshiro256PlusPlus::seed_from_u64(0),
        }
    }
}

/// Nodes of all trees together; a tree with its share is full: what is found below is played out without being kept. Some
/// 120 bytes each.
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
    /// The same of the games in which its move was played here or later, for RAVE.
    later_visits: u64,
    later_won: f64,
    /// Its children, if they were made.
    children: Option<std::ops::Range<usize>>,
}

impl Agent for Uct {
    fn new_game(&mut self, seed: u64) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    /// A number of nodes in the limits takes the place of [`Uct::iterations`]; so does time, without a number.
    fn choose(&mut self, game: &Game, limits: &Limits, control: &Control) -> Option<Choice> {
        if game.legal_moves().is_empty() {
            return None;
        }
        let mut limits = *limits;
        if self.time_table {
            let rules = game.variant().rules();
            let pieces = game.position().occupied().len();
            let of_table = |time| phase_time(time, pieces, 2 * rules.most_pieces());
            limits.move_time = limits.move_time.map(of_table);
        }
        let mut trees = match self.trees {
            0 | 1 => vec![self.grow(game, &limits, control)],
            trees => self.grow_many(trees, game, &limits, control),
        };
        let (mut deepest, mut nodes) = (0, 0);
        // Visits and games won of the root's moves, which all trees have in the same order.
        let mut sums: Vec<(Option<Move>, u64, f64)> = Vec::new();
        for Grown { tree, iterations, depth } in &mut trees {
            (deepest, nodes) = (deepest.max(*depth), nodes + *iterations);
            // Made by the first descent, but for a root that the rules call drawn.
            let children = tree.children(0);
            sums.resize(children.len(), (None, 0, 0.0));
            for (sum, child) in sums.iter_mut().zip(&tree.nodes[children]) {
                *sum = (child.mv, sum.1 + child.visits, sum.2 + child.won);
            }
        }
        give_back(trees);
        let (mv, visits, won) = self.best(sums.into_iter().map(|sum| (sum.1, sum)))?;
        let value = (visits > 0).then(|| won / visits as f64);
        Some(Choice { mv: mv?, value, depth: deepest as u32, nodes })
    }

    fn unit(&self) -> ValueUnit {
        ValueUnit::Result
    }
}

/// Frees the memory of trees. Of large ones that takes tens of milliseconds, which are not the move's: a thread does it.
fn give_back(trees: Vec<Grown>) {
    const LARGE: usize = 100_000;
    if trees.iter().any(|grown| grown.tree.nodes.len() > LARGE) {
        // Without a thread it is freed here.
        let _ = thread::Builder::new().spawn(move || drop(trees));
    }
}

/// A tree after its last descent.
struct Grown {
    tree: Tree,
    iterations: u64,
    depth: usize,
}

impl Uct {
    /// Grows a tree until the limits say stop.
    fn grow(&mut self, game: &Game, limits: &Limits, control: &Control) -> Grown {
        let deadline = Deadline::new(limits, control);
        let by_time = limits.nodes.is_none() && deadline.end.is_some();
        let most = limits.nodes.unwrap_or(if by_time { u64::MAX } else { self.iterations }).max(1);
        let variant = game.variant();
        let root = Node::new(None, *game.position(), game.counters_to_play_on());
        let mut tree = Tree { variant, rules: variant.rules(), nodes: vec![root], was_slow: false };
        let mut deadline = Deadline { nodes: None, ..deadline };
        let (mut iterations, mut depth) = (0, 0);
        // A descent with its random game takes as long as some nodes of a search.
        while iterations < most && !(iterations > 0 && deadline.is_over(iterations * NODES_OF_DESCENT)) {
            depth = depth.max(self.descend(&mut tree));
            deadline.looks_soon |= std::mem::take(&mut tree.was_slow);
            iterations += 1;
        }
        Grown { tree, iterations, depth }
    }

    /// Grows many at the same time. Their random numbers follow from this player's.
    fn grow_many(&mut self, trees: usize, game: &Game, limits: &Limits, control: &Control) -> Vec<Grown> {
        let mut growers: Vec<Uct> = (0..trees)
            .map(|_| Uct { random: Xoshiro256PlusPlus::seed_from_u64(self.random.random()), ..self.clone() })
            .collect();
        thread::scope(|scope| {
            let Some((first, others)) = growers.split_first_mut() else { return Vec::new() };
            let grow = |grower| {
                let grow = move || Uct::grow(grower, game, limits, control);
                thread::Builder::new().spawn_scoped(scope, grow)
            };
            // Without a thread there is a tree less.
            let warn = |fault: &io::Error| log::warn!("no thread for a tree: {fault}");
            let running: Vec<_> =
                others.iter_mut().filter_map(|grower| grow(grower).inspect_err(warn).ok()).collect();
            let mut grown = vec![first.grow(game, limits, control)];
            // A panic in a thread is a fault of this program, which goes on in this one.
            grown.extend(
                running.into_iter().map(|tree| tree.join().unwrap_or_else(|panic| resume_unwind(panic))),
            );
            grown
        })
    }

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
        if tree.nodes.len() < MOST_NODES / self.trees.max(1) && !tree.is_drawn(at) {
            let children = tree.children(at);
            if !children.is_empty() {
                at = self.random.random_range(children);
                path.push(at);
            }
        }
        let mut played = self.rave_k.map(|_| PlayedMoves::default());
        let result = self.playout(tree, at, us, &mut played);
        let worth = |mover: Color| if !self.two_player || mover == us { result } else { 1.0 - result };
        for &node in &path {
            let node = &mut tree.nodes[node];
            node.visits += 1;
            node.won += worth(!node.position.turn());
        }
        if let Some(played) = &mut played {
            tree.learn_from_later(&path, played, worth);
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
        let (rave_k, exploration) = (self.rave_k, self.exploration);
        let bound = |child: usize| {
            let node = &tree.nodes[child];
            let visits = node.visits as f64;
            let mut rate = node.won / visits;
            if let (Some(k), true) = (rave_k, node.later_visits > 0) {
                rate = rave_mix(rate, node.later_won / node.later_visits as f64, k, total);
            }
            upper_bound(rate, visits, total, exploration)
        };
        self.best(children.map(|child| (bound(child), child)))
    }

    /// What has the largest key (a number), one of them at random if there are several: the order of the move generator is
    /// not the same for both colours.
    fn best<K: PartialOrd, T>(&mut self, choices: impl Iterator<Item = (K, T)>) -> Option<T> {
        let (mut best, mut equal) = (None, 0);
        for (key, choice) in choices {
            match best.as_ref().and_then(|(largest, _)| key.partial_cmp(largest)) {
                Some(Ordering::Less) => continue,
                Some(Ordering::Equal) => equal += 1,
                _ => equal = 1,
            }
            // Each of the equal ones so far is kept with the same probability.
            if equal == 1 || self.random.random_range(0..equal) == 0 {
                best = Some((key, choice));
            }
        }
        best.map(|(_, choice)| choice)
    }

    /// The result of a random game for `us`: 1, one half or 0.
    fn playout(&mut self, tree: &mut Tree, from: usize, us: Color, played: &mut Option<PlayedMoves>) -> f64 {
        let (variant, rules) = (tree.variant, tree.rules);
        let Node { mut position, mut counters, .. } = tree.nodes[from];
        for plies in 0.. {
            let moves = legal_moves(variant, &position);
            tree.was_slow |= may_be_slow(&moves);
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
            if let Some(played) = played {
                played.add(position.turn(), mv);
            }
            position = play_in(variant, &position, mv);
            counters = counters.after(rules, mv, &position);
        }
        let (own, other) = (position.side(us).len(), position.side(!us).len());
        let (own, other) = if rules.objective == Objective::Lose { (other, own) } else { (own, other) };
        match own.cmp(&other) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        }
    }
}

/// `Q / N + c sqrt(2 ln N(parent) / N)`, or what stands for `Q / N`.
fn upper_bound(rate: f64, visits: f64, of_parent: f64, exploration: f64) -> f64 {
    rate + exploration * (2.0 * of_parent.ln() / visits).sqrt()
}

/// The rate of a move mixed with that of the games in which it was played later.
fn rave_mix(rate: f64, later: f64, k: f64, of_parent: f64) -> f64 {
    let share = (k / (3.0 * of_parent + k).max(f64::MIN_POSITIVE)).sqrt();
    (1.0 - share) * rate + share * later
}

/// The moves of one game by side, from square and to square; captures with the same ends are the same move.
struct PlayedMoves([[u64; 64]; 2]);

impl Default for PlayedMoves {
    fn default() -> PlayedMoves {
        PlayedMoves([[0; 64]; 2])
    }
}

impl PlayedMoves {
    fn add(&mut self, side: Color, mv: Move) {
        self.0[side.index()][mv.from().index()] |= 1 << mv.to().index();
    }

    fn has(&self, side: Color, mv: Move) -> bool {
        self.0[side.index()][mv.from().index()] & 1 << mv.to().index() != 0
    }
}

impl Node {
    fn new(mv: Option<Move>, position: Position, counters: Counters) -> Node {
        Node { mv, position, counters, visits: 0, won: 0.0, later_visits: 0, later_won: 0.0, children: None }
    }
}

/// All nodes; the root is the first.
struct Tree {
    variant: VariantId,
    rules: &'static Rules,
    nodes: Vec<Node>,
    /// Whether some moves may have taken long to find.
    was_slow: bool,
}

impl Tree {
    /// The children of a node, made if need be.
    fn children(&mut self, at: usize) -> std::ops::Range<usize> {
        if let Some(children) = &self.nodes[at].children {
            return children.clone();
        }
        let Node { position, counters, .. } = self.nodes[at];
        let first = self.nodes.len();
        let moves = legal_moves(self.variant, &position);
        self.was_slow |= may_be_slow(&moves);
        for mv in &moves {
            let next = play_in(self.variant, &position, *mv);
            self.nodes.push(Node::new(Some(*mv), next, counters.after(self.rules, *mv, &next)));
        }
        let children = first..self.nodes.len();
        self.nodes[at].children = (!children.is_empty()).then(|| children.clone());
        children
    }

    /// Counts the game for every move beside the path that its side played later in it. `played` has the moves behind
    /// the path; those of the path are added.
    fn learn_from_later(&mut self, path: &[usize], played: &mut PlayedMoves, worth: impl Fn(Color) -> f64) {
        for step in path.windows(2).rev() {
            let side = self.nodes[step[0]].position.turn();
            if let Some(mv) = self.nodes[step[1]].mv {
                played.add(side, mv);
            }
            let children = self.nodes[step[0]].children.clone().unwrap_or_default();
            for child in &mut self.nodes[children] {
                if child.mv.is_some_and(|mv| played.has(side, mv)) {
                    child.later_visits += 1;
                    child.later_won += worth(side);
                }
            }
        }
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
        let bounds = [(4.0, 5.0), (2.0, 4.0), (0.0, 1.0)]
            .map(|(won, visits)| upper_bound(won / visits, visits, 10.0, c));
        for (bound, expected) in bounds.into_iter().zip([1.478614, 1.258714, 1.517427]) {
            assert!((bound - expected).abs() < 1e-6, "{bound} {expected}");
        }
        let game = game_from_fen(VariantId::English, "W:W32,29:B1").unwrap();
        let mut uct = Uct::default();
        let root = Node::new(None, *game.position(), game.counters());
        let mut tree = Tree {
            variant: VariantId::English,
            rules: VariantId::English.rules(),
            nodes: vec![root],
            was_slow: false,
        };
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
    fn the_rave_mix_by_hand() {
        // k = 30 and 10 visits of the parent: b = sqrt(30 / 60) = 0.707107. A rate of 0.8 and a later rate of 0.3 give
        // 0.292893 * 0.8 + 0.707107 * 0.3 = 0.446447. At as many visits as k the two count the same.
        assert!((rave_mix(0.8, 0.3, 30.0, 10.0) - 0.446447).abs() < 1e-6);
        assert!((rave_mix(0.8, 0.3, 30.0, 30.0) - 0.55).abs() < 1e-12);
        assert_eq!((rave_mix(0.8, 0.3, 0.0, 10.0), rave_mix(0.8, 0.3, 0.0, 0.0)), (0.8, 0.8));
        // The tree of the choice by hand: of the rates 0.8, 0.5 and 0, the third becomes 0.707107 of its later 0.6 and
        // stays ahead with no exploration once the others have lost all later games: 0.234315, 0.146447, 0.424264.
        let game = game_from_fen(VariantId::English, "W:W32,29:B1").unwrap();
        let mut uct = Uct { rave_k: Some(30.0), exploration: 0.0, ..Uct::default() };
        let root = Node::new(None, *game.position(), game.counters());
        let mut tree = Tree {
            variant: VariantId::English,
            rules: VariantId::English.rules(),
            nodes: vec![root],
            was_slow: false,
        };
        tree.children(0);
        tree.nodes[0].visits = 10;
        let rows = [(4.0, 5, 0.0), (2.0, 4, 0.0), (0.0, 1, 6.0)];
        for (node, (won, visits, later)) in tree.nodes[1..].iter_mut().zip(rows) {
            (node.won, node.visits, node.later_visits, node.later_won) = (won, visits, 10, later);
        }
        assert_eq!(uct.select(&tree, 0), Some(3));
    }

    #[test]
    fn a_game_counts_for_the_moves_that_its_side_played_later() {
        // White: a man on 32 and a king on 29; Black: a man on 1. White's moves: 32-27, 32-28, 29-25.
        let game = game_from_fen(VariantId::English, "W:W32,K29:B1").unwrap();
        let root = Node::new(None, *game.position(), game.counters());
        let mut tree = Tree {
            variant: VariantId::English,
            rules: VariantId::English.rules(),
            nodes: vec![root],
            was_slow: false,
        };
        let children = tree.children(0);
        let text = |node: &Node| {
            let mv = node.mv.unwrap();
            let number = |square| VariantId::English.rules().board.number(square);
            (number(mv.from()), number(mv.to()))
        };
        let child = |tree: &Tree, mv| children.clone().find(|&at| text(&tree.nodes[at]) == mv).unwrap();
        let [king, man] = [(29, 25), (32, 27)].map(|mv| child(&tree, mv));
        // The game went 29-25 and later 32-27, and White won it. Black's moves are not White's.
        let mut played = PlayedMoves::default();
        played.add(Color::White, tree.nodes[man].mv.unwrap());
        played.add(Color::Black, tree.nodes[child(&tree, (32, 28))].mv.unwrap());
        tree.learn_from_later(&[0, king], &mut played, |side| f64::from(side == Color::White));
        for at in children {
            let node = &tree.nodes[at];
            let expected = if at == king || at == man { (1, 1.0) } else { (0, 0.0) };
            assert_eq!((node.later_visits, node.later_won), expected, "{:?}", text(node));
        }
    }

    #[test]
    fn equals_are_drawn_at_random() {
        // Seven moves and seven descents: each move has one visit.
        let game = Game::new(VariantId::English);
        let mut uct = Uct { iterations: 7, ..Uct::default() };
        let mut played = std::collections::HashMap::new();
        for _ in 0..700 {
            let choice = uct.choose(&game, &Limits::default(), &Control::new()).unwrap();
            *played.entry(format!("{:?}", choice.mv)).or_insert(0) += 1;
        }
        // 100 +- 9 by a binomial distribution.
        assert!(played.len() == 7 && played.values().all(|times| (60..140).contains(times)), "{played:?}");
        // Two of three children have the same bound.
        let mut times = [0; 3];
        for _ in 0..600 {
            times[uct.best([(2.0, 0), (1.0, 1), (2.0, 2)].into_iter()).unwrap()] += 1;
        }
        assert!(times[1] == 0 && (240..360).contains(&times[0]), "{times:?}");
        assert_eq!(uct.best(std::iter::empty::<(u64, u64)>()), None);
    }

    #[test]
    fn many_trees_add_their_visits_and_repeat_with_the_seed() {
        let game = Game::new(VariantId::English);
        let choose = |trees, seed| {
            let mut uct = Uct { iterations: 50, trees, rave_k: Some(100.0), ..Uct::default() };
            uct.new_game(seed);
            uct.choose(&game, &Limits::default(), &Control::new()).unwrap()
        };
        assert_eq!((choose(1, 1).nodes, choose(3, 1).nodes), (50, 150));
        assert_eq!(choose(3, 1), choose(3, 1));
        assert!((0..20).any(|seed| choose(3, seed).mv != choose(3, 1).mv));
    }

    #[test]
    fn the_visits_of_children_add_up() {
        let game = Game::new(VariantId::English);
        let mut uct = Uct { playout_plies: 30, ..Uct::default() };
        let root = Node::new(None, *game.position(), game.counters());
        let mut tree = Tree {
            variant: VariantId::English,
            rules: VariantId::English.rules(),
            nodes: vec![root],
            was_slow: false,
        };
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
