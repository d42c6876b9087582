//! What the tree says about the root: moves by visits, score, principal variation.

use super::proof::Proof;
use super::shared::SharedTreeState;
use super::tree::{NodeId, ROOT, Tree};
use crate::board::{Move, MoveList, Position};
use crate::game::Game;
use crate::rules::movegen::generate;
use crate::rules::{Variant, play};
use crate::search::{Info, SearchTask};
use std::cmp::Reverse;
use std::time::Duration;

/// A move of a variation after the second must have been visited this often.
const FEWEST_VISITS: u64 = 4;

/// Longest variation reported.
const LONGEST: usize = 100;

/// A root move and what is known of it, all trees together.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootChild {
    pub mv: Move,
    /// Its place in the order of the move generator.
    pub place: usize,
    pub visits: u64,
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

    fn winrate(&self) -> f64 {
        self.proof.map_or(self.mean, |proof| 1.0 - proof.value())
    }
}

/// The root moves, the best first.
pub(super) fn root_children(trees: &[Tree], game: &Game) -> Vec<RootChild> {
    let mut moves: Vec<RootChild> = game
        .legal_moves()
        .iter()
        .enumerate()
        .map(|(place, &mv)| {
            let nodes = trees.iter().filter_map(|tree| {
                let children = tree.node(ROOT).children()?;
                tree.run(children).get(place)
            });
            let (mut visits, mut sum, mut estimate, mut proof) = (0, 0.0, 0.5, None);
            for node in nodes {
                visits += node.visits();
                sum += node.sum();
                estimate = node.estimate().unwrap_or(estimate);
                proof = proof.or(node.proof());
            }
            let mean = if visits == 0 { estimate } else { sum / visits as f64 };
            RootChild { mv, place, visits, mean, proof }
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
    let pv = line::<V>(shared.trees, task.game.position(), root_move);
    let reach = shared.params.reach();
    let score = match root_move.proof {
        Some(proof) => -proof.one_ply_before().score(),
        None => shared.curve.score(root_move.mean),
    };
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

/// The variation that begins with a root move: the best child of the best child, and so on.
fn line<V: Variant>(trees: &[Tree], root: &Position, root_move: &RootChild) -> Vec<Move> {
    let mut line = vec![root_move.mv];
    let child = |tree: &Tree| {
        let children = tree.node(ROOT).children()?;
        Some(children.first + root_move.place as NodeId)
    };
    let visits = |tree: &&Tree| child(tree).map_or(0, |id| tree.node(id).visits());
    let Some(tree) = trees.iter().max_by_key(visits) else { return line };
    let Some(mut id) = child(tree) else { return line };
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
                (RootChild { mv, place: 0, visits, mean: node.mean(), proof }, id)
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
