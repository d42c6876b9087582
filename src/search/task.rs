//! What a search is asked and what it answers, whichever search it is.

use super::{Bounds, EndgameTables, Info, Limits, TreeMove};
use crate::board::Move;
use crate::game::Game;
use std::time::Instant;

/// One search to do.
pub struct SearchTask<'a> {
    /// Position and history.
    pub game: &'a Game,
    /// Depth and nodes are taken from here, times from `bounds`.
    pub limits: Limits,
    /// Time bounds, counted from `start`.
    pub bounds: Bounds,
    /// When the request came in.
    pub start: Instant,
    /// Whether time counts only from the ponder hit on.
    pub pondering: bool,
    /// Variations to report.
    pub multipv: usize,
    /// Endgame tables to ask.
    pub endgame: Option<EndgameTables<'a>>,
    /// The moves at the root to choose from; none: all legal moves. The tree search looks at all of them.
    pub root_moves: Option<Vec<Move>>,
}

#[cfg(test)]
impl<'a> SearchTask<'a> {
    /// One variation within depth and nodes, without time, pondering and tables.
    pub(super) fn simple(game: &'a Game, limits: Limits) -> SearchTask<'a> {
        SearchTask {
            game,
            limits,
            bounds: Bounds::default(),
            start: Instant::now(),
            pondering: false,
            multipv: 1,
            endgame: None,
            root_moves: None,
        }
    }
}

impl SearchTask<'_> {
    /// The moves at the root to choose from.
    pub(crate) fn root_moves(&self) -> Vec<Move> {
        self.root_moves.clone().unwrap_or_else(|| self.game.legal_moves().to_vec())
    }

    /// Whether the moves to choose from are all legal ones.
    pub(super) fn has_all_moves(&self) -> bool {
        self.root_moves.as_ref().is_none_or(|moves| moves.len() == self.game.legal_moves().len())
    }
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The best line; empty only without a legal move.
    pub line: Vec<Move>,
    /// The last report of the best line.
    pub info: Info,
    /// Nodes of all threads.
    pub nodes: u64,
    /// What the tree search has seen of each move at the root, the best first; empty where there is no tree.
    pub tree: Vec<TreeMove>,
}

impl SearchResult {
    /// The result whose best line is that of the last report, without a tree.
    pub fn of(info: Info, nodes: u64) -> SearchResult {
        SearchResult { line: info.pv.clone(), info, nodes, tree: Vec::new() }
    }
}
