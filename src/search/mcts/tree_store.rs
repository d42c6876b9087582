//! The trees between two searches: the subtree of the new position is kept.

use super::params::{Parallel, Params, Selection};
use super::tree::{NodeId, ROOT, Tree};
use crate::board::{MoveList, Position};
use crate::game::Game;
use crate::rules::movegen::generate;
use crate::rules::{Variant, VariantId, play};

/// How far below the old root the new one is looked for, in plies: a move and the reply to it.
const REACH: usize = 2;

/// The trees of an engine. Memory is taken at the first search.
///
/// ```
/// use kroon::search::mcts::TreeStore;
/// assert_eq!(TreeStore::default().nodes(), 0);
/// ```
#[derive(Debug, Default)]
pub struct TreeStore {
    trees: Vec<Tree>,
    /// How they were grown, and for which root.
    grown: Option<(Params, VariantId, Position)>,
}

impl TreeStore {
    /// Forgets everything, and gives memory back if the trees are large.
    pub fn clear(&mut self) {
        self.grown = None;
    }

    /// Nodes in use.
    pub fn nodes(&self) -> usize {
        if self.grown.is_some() { self.trees.iter().map(Tree::used).sum() } else { 0 }
    }

    /// The trees as they are.
    #[cfg(test)]
    pub(super) fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// The trees for a search of this game: what is known of the position from the last search, or nothing.
    pub(super) fn prepare<V: Variant>(&mut self, game: &Game, params: &Params, threads: usize) -> &[Tree] {
        let count = if params.parallel == Parallel::Root { threads } else { 1 };
        let mut old = self.grown.take();
        old.take_if(|(grown, variant, _)| {
            self.trees.len() != count || *variant != game.variant() || !grown.grows_alike(params)
        });
        if old.is_none() {
            self.allocate(params, count);
        }
        for tree in &self.trees {
            let root =
                old.as_ref().and_then(|(_, _, old)| find::<V>(tree, ROOT, old, game.position(), REACH));
            match root {
                Some(id) => {
                    tree.reroot(id);
                    tree.forget_draws();
                    tree.node(ROOT).disprove();
                    tree.conclude(ROOT);
                }
                None => tree.clear(),
            }
        }
        self.grown = Some((*params, game.variant(), *game.position()));
        &self.trees
    }

    /// Makes trees of the size asked for, unless they are there already.
    fn allocate(&mut self, params: &Params, count: usize) {
        let bytes = (params.hash_mb << 20) / count;
        let amaf = params.selection == Selection::Rave;
        let fits = |tree: &Tree| tree.is_made_for(bytes, amaf);
        if self.trees.len() != count || !self.trees.iter().all(fits) {
            // The old ones go first: there may not be room for both.
            self.trees.clear();
            self.trees.extend((0..count).map(|_| Tree::new(bytes, amaf)));
        }
    }
}

/// The node of a position, no more than `plies` below `id`.
fn find<V: Variant>(
    tree: &Tree,
    id: NodeId,
    position: &Position,
    wanted: &Position,
    plies: usize,
) -> Option<NodeId> {
    if position == wanted {
        return Some(id);
    }
    if plies == 0 {
        return None;
    }
    let children = tree.node(id).children()?;
    let mut moves = MoveList::new();
    generate::<V>(position, &mut moves);
    moves
        .iter()
        .zip(children.ids())
        .find_map(|(&mv, child)| find::<V>(tree, child, &play::<V>(position, mv), wanted, plies - 1))
}
