//! What the tree says about the root: moves by visits, score, principal variation.

use super::proof::Proof;
use super::shared::SharedTreeState;
use super::tree::{NodeId, PolicyGap, ROOT, Tree};
use super::value::ValueCurve;
use crate::board::{Move, MoveList, Position};
use crate::game::Game;
use crate::rules::movegen::generate;
use crate::rules::{Variant, play};
use crate::score::Score;
use crate::search::{Info, SearchTask, TreeMove};
use std::cmp::Reverse;
use std::time::Duration;

/// A move of a variation after the second must have been visited this often.
const FEWEST_VISITS: u64 = 4;

/// Replies to a root move that are told.
const MOST_REPLIES: usize = 3;

/// Longest variation reported.
const LONGEST: usize = 100;

/// A root move and what is known of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootChild {
    pub mv: Move,
    /// Its place in the order of the move generator.
    pub place: usize,
    pub visits: u64,
    /// What the policy says of it.
    pub policy: PolicyGap,
    /// Expected result for the side to move at the root.
    pub mean: f64,
    /// What is proven of the position after it, for the side to move there.
    pub proof: Option<Proof>,
}

impl RootChild {
    /// Better moves have smaller keys: what wins soonest, then by visits, at last what loses latest.
    fn rank(&self) -> (u8, Reverse<u64>, u64) {
        let millionths = ((1.0 - self.mean) * 1e6) as u64;
        match self.proof {
            Some(Proof::Loss(plies)) => (0, Reverse(0), plies.into()),
            Some(Proof::Win(plies)) => (2, Reverse(plies.into()), 0),
            Some(Proof::Draw) | None => (1, Reverse(self.visits), millionths),
        }
    }

    /// Whether the move is proven to lose.
    pub fn is_lost(&self) -> bool {
        matches!(self.proof, Some(Proof::Win(_)))
    }

    fn score(&self, curve: ValueCurve) -> Score {
        match self.proof {
            Some(proof) => -proof.one_ply_before().score(),
            None => curve.score(self.mean),
        }
    }

    fn winrate(&self) -> f64 {
        self.proof.map_or(self.mean, |proof| 1.0 - proof.value())
    }
}

/// The root moves, the best first.
pub(super) fn root_children(tree: &Tree, game: &Game) -> Vec<RootChild> {
    let children = tree.node(ROOT).children();
    let mut moves: Vec<RootChild> = game
        .legal_moves()
        .iter()
        .enumerate()
        .map(|(place, &mv)| {
            let Some(node) = children.and_then(|children| tree.run(children).get(place)) else {
                return RootChild {
                    mv,
                    place,
                    visits: 0,
                    policy: PolicyGap::default(),
                    mean: 0.5,
                    proof: None,
                };
            };
            let (visits, mean) = (node.visits(), node.mean());
            RootChild { mv, place, visits, policy: node.policy(), mean, proof: node.proof() }
        })
        .collect();
    moves.sort_by_key(RootChild::rank);
    moves
}

/// The report of a root move. Its depth is the length of the variation and what is searched beyond it, but no more than
/// was asked for.
pub(super) fn info<V: Variant>(
    shared: &SharedTreeState<'_>,
    task: &SearchTask<'_>,
    root_move: &RootChild,
    rank: usize,
) -> Info {
    let pv = line::<V>(shared.tree, task.game.position(), root_move);
    let reach = shared.params.reach();
    let score = root_move.score(shared.curve);
    Info {
        rank,
        depth: task.limits.depth.unwrap_or(u32::MAX).min(pv.len() as u32 + reach),
        mean_depth: shared.mean_depth() + f64::from(reach),
        score,
        winrate: Some(root_move.winrate()),
        nodes: shared.nodes(),
        time: shared.clock.elapsed().max(Duration::from_micros(1)),
        pv,
    }
}

/// What the search has seen of each of these moves, and of the replies to it.
pub(super) fn tree_moves<V: Variant>(
    shared: &SharedTreeState<'_>,
    game: &Game,
    moves: &[RootChild],
) -> Vec<TreeMove> {
    let likely: f64 = moves.iter().map(|mv| 1.0 / mv.policy.ratio()).sum();
    let of = |root_move: &RootChild| TreeMove {
        mv: root_move.mv,
        visits: root_move.visits,
        policy: shared.policy.map(|_| 1.0 / root_move.policy.ratio() / likely),
        score: root_move.score(shared.curve),
        winrate: root_move.winrate(),
        replies: replies::<V>(shared.tree, &play::<V>(game.position(), root_move.mv), root_move),
    };
    moves.iter().map(of).collect()
}

/// The most visited replies to a root move, with their visits.
fn replies<V: Variant>(tree: &Tree, position: &Position, root_move: &RootChild) -> Vec<(Move, u64)> {
    let children = node_of(tree, root_move).and_then(|id| tree.node(id).children());
    let Some(children) = children else { return Vec::new() };
    // Only now: the moves of each may take long to find.
    let mut moves = MoveList::new();
    generate::<V>(position, &mut moves);
    let visits = tree.run(children).iter().map(|node| node.visits());
    most_visited(moves.iter().copied().zip(visits).collect())
}

fn most_visited(mut replies: Vec<(Move, u64)>) -> Vec<(Move, u64)> {
    replies.retain(|reply| reply.1 > 0);
    replies.sort_by_key(|reply| Reverse(reply.1));
    replies.truncate(MOST_REPLIES);
    replies
}

/// The node of a root move.
fn node_of(tree: &Tree, root_move: &RootChild) -> Option<NodeId> {
    Some(tree.node(ROOT).children()?.first + root_move.place as NodeId)
}

/// The variation that begins with a root move: the best child of the best child, and so on.
fn line<V: Variant>(tree: &Tree, root: &Position, root_move: &RootChild) -> Vec<Move> {
    let mut line = vec![root_move.mv];
    let Some(mut id) = node_of(tree, root_move) else { return line };
    let mut position = play::<V>(root, root_move.mv);
    while line.len() < LONGEST
        && let Some(children) = tree.node(id).children()
    {
        let mut moves = MoveList::new();
        generate::<V>(&position, &mut moves);
        let run = tree.run(children).iter().zip(&moves).zip(children.ids());
        let best = run
            .map(|((node, &mv), id)| {
                let (visits, proof) = (node.visits(), node.proof());
                (RootChild { mv, place: 0, visits, policy: node.policy(), mean: node.mean(), proof }, id)
            })
            .min_by_key(|(mv, _)| mv.rank());
        let Some((best, next)) = best else { break };
        let fewest = if line.len() == 1 { 1 } else { FEWEST_VISITS };
        if best.visits < fewest && best.proof.is_none() {
            break;
        }
        line.push(best.mv);
        position = play::<V>(&position, best.mv);
        id = next;
    }
    line
}
