//! The tree between two searches: the subtree of the new position is kept.

use super::params::Params;
use super::tree::{NodeId, ROOT, Tree};
use crate::board::{MoveList, Position};
use crate::game::Game;
use crate::rules::movegen::generate;
use crate::rules::{Variant, VariantId, play};

/// How far below the old root the new one is looked for, in plies: a move and the reply to it.
const REACH: usize = 2;

/// The tree of an engine. Memory is taken at the first search.
///
/// ```
/// use kroon::search::mcts::TreeStore;
/// assert_eq!(TreeStore::default().nodes(), 0);
/// ```
#[derive(Debug, Default)]
pub struct TreeStore {
    tree: Option<Tree>,
    /// How it was grown, and for which root.
    grown: Option<(Params, VariantId, Position)>,
}

impl TreeStore {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.grown = None;
    }

    /// Nodes in use.
    pub fn nodes(&self) -> usize {
        self.grown.as_ref().and(self.tree.as_ref()).map_or(0, Tree::used)
    }

    /// The tree as it is.
    #[cfg(all(test, not(loom)))]
    pub(super) fn tree(&self) -> &Tree {
        self.tree.as_ref().unwrap()
    }

    /// The tree for a search of this game: what is known of the position from the last search, or nothing.
    pub(super) fn prepare<V: Variant>(&mut self, game: &Game, params: &Params) -> &Tree {
        let bytes = params.hash_mb << 20;
        let old = self.grown.replace((*params, game.variant(), *game.position()));
        let old = old.filter(|(grown, variant, _)| *variant == game.variant() && grown.grows_alike(params));
        // One of another size goes before the new one comes: there may not be room for both.
        self.tree.take_if(|tree| !tree.is_made_for(bytes));
        let tree = self.tree.get_or_insert_with(|| Tree::new(bytes));
        let root = old.and_then(|(_, _, old)| find::<V>(tree, ROOT, &old, game.position(), REACH));
        match root {
            Some(id) => {
                tree.reroot(id);
                tree.forget_draws();
                tree.node(ROOT).disprove();
                tree.conclude(ROOT);
            }
            None => tree.clear(),
        }
        tree
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
