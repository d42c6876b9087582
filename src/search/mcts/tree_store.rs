//! The tree between two searches: the subtree of the new position is kept.

use super::params::Params;
use super::tree::{NodeId, ROOT, Tree};
use crate::board::{MoveList, Position};
use crate::game::Game;
use crate::rules::draws::Counters;
use crate::rules::movegen::generate;
use crate::rules::{Variant, VariantId, play};
use std::time::Duration;

/// How far below the old root the new one is looked for, in plies: a move and the reply to it.
const REACH: usize = 2;

/// A position and how near a count of moves has come to a draw: with another count a proof of a win may be none.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Place {
    position: Position,
    counters: Counters,
}

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
    grown: Option<(Params, VariantId, Place)>,
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

    /// The tree for a search of this game: what is known of the position from the last search, or nothing, also where the
    /// time that is left is short beside that of going through a large tree.
    pub(super) fn prepare<V: Variant>(
        &mut self,
        game: &Game,
        params: &Params,
        left: Option<Duration>,
    ) -> &Tree {
        let bytes = params.hash_mb << 20;
        let root = Place { position: *game.position(), counters: game.counters_to_play_on() };
        let old = self.grown.replace((*params, game.variant(), root));
        let old = old.filter(|(grown, variant, _)| *variant == game.variant() && grown.grows_alike(params));
        // One of another size goes before the new one comes: there may not be room for both.
        self.tree.take_if(|tree| !tree.is_made_for(bytes));
        let tree = self.tree.get_or_insert_with(|| Tree::new(bytes));
        let old = old.filter(|_| tree.leaves_time_to_compact(left));
        match old.and_then(|(_, _, old)| find::<V>(tree, ROOT, &old, &root, REACH)) {
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

/// The node of a place, no more than `plies` below `id`.
fn find<V: Variant>(tree: &Tree, id: NodeId, at: &Place, wanted: &Place, plies: usize) -> Option<NodeId> {
    if at == wanted {
        return Some(id);
    }
    if plies == 0 {
        return None;
    }
    let children = tree.node(id).children()?;
    let mut moves = MoveList::new();
    generate::<V>(&at.position, &mut moves);
    moves.iter().zip(children.ids()).find_map(|(&mv, child)| {
        let position = play::<V>(&at.position, mv);
        let counters = at.counters.after_in::<V>(mv, &position);
        find::<V>(tree, child, &Place { position, counters }, wanted, plies - 1)
    })
}
