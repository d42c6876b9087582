//! `--tables` where it means the tables that end games or tell their results.

use anyhow::{Result, bail};
use kroon::rules::VariantId;
use kroon::tablebase::{self, Material, Tables, folder_fault};
use std::sync::Arc;

/// The word for no folder at all.
const EMBEDDED: &str = "embedded";

/// The tables in the program and those of a path list, or of the default folders if it is empty; `embedded` are those in
/// the program alone.
///
/// # Errors
/// When a folder of the list is not there, or a table is damaged.
pub fn tables(variant: VariantId, folders: &str) -> Result<Arc<Tables>> {
    let is_asked_for = !folders.is_empty();
    let folders = match folders {
        EMBEDDED => Vec::new(),
        list => tablebase::folders(Some(list.as_ref()).filter(|_| is_asked_for)),
    };
    if is_asked_for && let Some(fault) = folders.iter().find_map(|folder| folder_fault(folder, variant, true))
    {
        bail!("--tables: {fault}");
    }
    let (tables, faults) = tablebase::load(variant, &folders, Material::MOST_PIECES);
    if let Some(fault) = faults.into_iter().next() {
        return Err(fault.into());
    }
    Ok(Arc::new(tables))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tables_in_the_program_are_always_there() {
        let folder = tempfile::tempdir().unwrap();
        let embedded = tables(VariantId::English, EMBEDDED).unwrap();
        let empty = tables(VariantId::English, &folder.path().display().to_string()).unwrap();
        assert!(!embedded.is_empty());
        assert_eq!(embedded.to_string(), empty.to_string());
        let missing = folder.path().join("none").display().to_string();
        assert!(tables(VariantId::English, &missing).unwrap_err().to_string().contains("no such folder"));
    }
}
