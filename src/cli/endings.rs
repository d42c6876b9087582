//! `--tables` where it means the tables that end games or tell their results.

use anyhow::{Result, bail};
use kroon::rules::VariantId;
use kroon::tablebase::{self, Material, Tables};
use std::sync::Arc;

/// The tables in the program and those of a path list, or of the default folders if it is empty.
///
/// # Errors
/// When a folder of the list is not there, or a table is damaged.
pub fn tables(variant: VariantId, folders: &str) -> Result<Arc<Tables>> {
    let is_asked_for = !folders.is_empty();
    let folders = tablebase::folders(Some(folders).filter(|_| is_asked_for));
    if let Some(missing) = folders.iter().find(|folder| is_asked_for && !folder.is_dir()) {
        bail!("--tables: no folder {missing:?}");
    }
    let (tables, faults) = tablebase::load(variant, &folders, Material::MOST_PIECES);
    if let Some(fault) = faults.into_iter().next() {
        return Err(fault.into());
    }
    Ok(Arc::new(tables))
}
