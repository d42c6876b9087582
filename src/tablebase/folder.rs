//! Where tables are kept: folders with a folder for each variant, and in it two files for each slice.

use super::format::{FormatError, Kind, Table, TableName};
use super::{Material, TableFault, Tables, add_embedded};
use crate::rules::VariantId;
use std::env;
use std::ffi::OsStr;
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

/// Adds the tables with at most `pieces` pieces that are in these folders, the first folder's first. What cannot be used
/// is returned; a folder that is not there is empty.
pub fn add_files(tables: &mut Tables, folders: &[PathBuf], pieces: u8) -> Vec<TableFault> {
    let mut faults = Vec::new();
    for folder in folders {
        for material in Material::all(tables.variant().rules(), pieces) {
            for kind in [Kind::Outcome, Kind::Distance] {
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
        return Err(FormatError::OtherTable { found: Box::new(found.clone()) });
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
