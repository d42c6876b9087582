//! Where tables are kept: folders with a folder for each variant, and in it two files for each slice.

use super::format::{FormatError, Kind, Table, TableName};
use super::{Material, TableFault, Tables, add_embedded};
use crate::rules::VariantId;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The environment variable with the default folders, several as in `PATH`.
pub const FOLDERS_VARIABLE: &str = "KROON_TABLES";

/// Tables of this size in bytes or smaller are checked whole when they are opened; larger ones where they are read.
const SMALL: u64 = 16 << 20;

/// The folders that a path list names; without one, those of `KROON_TABLES`, or else `kroon/tables` in the user's
/// folder for data (XDG base directory specification).
pub fn folders(list: Option<&OsStr>) -> Vec<PathBuf> {
    if let Some(list) = list {
        return env::split_paths(list).filter(|path| !path.as_os_str().is_empty()).collect();
    }
    if let Some(list) = env::var_os(FOLDERS_VARIABLE) {
        return env::split_paths(&list).filter(|path| !path.as_os_str().is_empty()).collect();
    }
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let data = absolute("XDG_DATA_HOME").or_else(|| absolute("HOME").map(|home| home.join(".local/share")));
    data.map(|data| data.join("kroon").join("tables")).into_iter().collect()
}

/// The file of a table in a folder of tables.
///
/// ```
/// use kroon::tablebase::format::{Kind, TableName};
/// use kroon::{rules::VariantId::Russian, tablebase::path_in};
/// let name = TableName { variant: Russian, kind: Kind::Outcome, material: "21v10".parse().unwrap() };
/// assert_eq!(path_in("tables".as_ref(), &name), std::path::Path::new("tables/russian/21v10.outcome"));
/// ```
pub fn path_in(folder: &Path, name: &TableName) -> PathBuf {
    folder.join(name.variant.name()).join(format!("{}.{}", name.material, name.kind.extension()))
}

/// Why the tables of a variant in a folder cannot be read: it may not be entered, or somebody has named it
/// (`is_named`) and it is not there. A folder that nobody has named need not be there.
pub fn folder_fault(folder: &Path, variant: VariantId, is_named: bool) -> Option<TableFault> {
    let of_variant = folder.join(variant.name());
    // The right to enter it is what counts, not the one to list it: any name in it tells.
    match fs::metadata(of_variant.join("any")) {
        Err(error) if !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            let source = Arc::new(FormatError::io(&of_variant, error));
            Some(TableFault { path: of_variant, source })
        }
        _ if is_named && !folder.is_dir() => Some(TableFault::no_folder(folder)),
        _ => None,
    }
}

/// Adds the tables with at most `pieces` pieces that are in these folders, the first folder's first: all results, then the
/// distances to them, which may be in another folder. What cannot be used is returned; a folder that is not there is empty.
pub fn add_files(tables: &mut Tables, folders: &[PathBuf], pieces: u8) -> Vec<TableFault> {
    let mut faults = Vec::new();
    for kind in [Kind::Outcome, Kind::Distance] {
        for folder in folders {
            for material in Material::all(tables.variant().rules(), pieces) {
                let name = TableName { variant: tables.variant(), kind, material };
                let path = path_in(folder, &name);
                if !path.is_file() {
                    continue;
                }
                if let Err(source) = add_file(tables, &name, &path) {
                    faults.push(TableFault { path, source: Arc::new(source) });
                }
            }
        }
    }
    faults
}

fn add_file(tables: &mut Tables, name: &TableName, path: &Path) -> Result<(), FormatError> {
    let table = Table::open(path)?;
    let found = table.name();
    if found.variant == name.variant && found != name {
        return Err(FormatError::OtherTable { found: Box::new(*found) });
    }
    if table.size() <= SMALL {
        table.check()?;
    }
    tables.add(table, Some(path))
}

/// The tables of a variant with at most `pieces` pieces: those in the program and those in the folders.
pub fn load(variant: VariantId, folders: &[PathBuf], pieces: u8) -> (Tables, Vec<TableFault>) {
    let mut tables = Tables::new(variant);
    let mut faults = Vec::new();
    if let Err(source) = add_embedded(&mut tables, pieces) {
        faults.push(TableFault { path: PathBuf::from("embedded"), source: Arc::new(source) });
    }
    faults.extend(add_files(&mut tables, folders, pieces));
    (tables, faults)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_cannot_be_entered_is_not_empty() {
        let folder = tempfile::tempdir().unwrap();
        let fault = |folder: &Path, is_named| {
            folder_fault(folder, VariantId::English, is_named).map(|fault| fault.to_string())
        };
        let missing = folder.path().join("none");
        assert_eq!((fault(folder.path(), true), fault(&missing, false)), (None, None));
        assert!(fault(&missing, true).unwrap().ends_with("no such folder"));
        // A link to itself is there, and nobody can enter it, whatever rights he has.
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("english", folder.path().join("english")).unwrap();
            let said = fault(folder.path(), false).unwrap();
            assert!(said.contains("english") && !said.contains("no such"), "{said}");
        }
    }
}
