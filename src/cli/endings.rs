//! `--tables` where it means the tables that end games or tell their results.

use anyhow::{Result, bail};
use kroon::rules::VariantId;
use kroon::tablebase::{self, Material, Tables};
use std::sync::Arc;

/// The tables of a path list, or of the default folders if it is empty.
///
/// # Errors
/// When there is none, or one is damaged.
pub fn tables(variant: VariantId, folders: &str) -> Result<Arc<Tables>> {
    let folders = tablebase::folders(Some(folders).filter(|folders| !folders.is_empty()));
    let (tables, faults) = tablebase::load(variant, &folders, Material::MOST_PIECES);
    if let Some(fault) = faults.into_iter().next() {
        return Err(fault.into());
    }
    if tables.is_empty() {
        bail!("--tables: no endgame tables for {variant} draughts in {folders:?}");
    }
    Ok(Arc::new(tables))
}
