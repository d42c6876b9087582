//! The endgame tables that the page is shown: those of each variant are opened when a position needs them.

use crate::engine::Options;
use crate::game::Game;
use crate::rules::VariantId;
use crate::tablebase::{self, Material, Tables};
use crate::view::EndgameView;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// The tables that are open.
#[derive(Debug)]
pub(super) struct EndingDesk {
    folders: Vec<PathBuf>,
    pieces: u8,
    open: Mutex<HashMap<VariantId, Arc<Tables>>>,
}

impl EndingDesk {
    /// The tables that these options name.
    pub fn new(options: &Options) -> EndingDesk {
        let folders = tablebase::folders(options.tables.as_deref().map(str::as_ref));
        EndingDesk { folders, pieces: options.bb_size, open: Mutex::default() }
    }

    /// What they say of the current position of a game, if they know it.
    pub fn view(&self, game: &Game) -> Option<EndgameView> {
        if game.position().occupied().len() > Material::MOST_PIECES.into() {
            return None;
        }
        EndgameView::known(game, &self.tables(game.variant()))
    }

    fn tables(&self, variant: VariantId) -> Arc<Tables> {
        // A panic while they were opened leaves the others as they were.
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let load = || {
            let (tables, faults) = tablebase::load(variant, &self.folders, self.pieces);
            faults.iter().for_each(|fault| log::warn!("{fault}"));
            Arc::new(tables)
        };
        open.entry(variant).or_insert_with(load).clone()
    }
}
