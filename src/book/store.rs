//! The state of a build on disk, in an embedded database: which positions were searched and with what result, and which
//! were expanded, in order. The graph follows from them.

use super::error::BookError;
use crate::rules::VariantId;
use crate::score::Score;
use redb::{Database, ReadableTable, ReadableTableMetadata, TableDefinition};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Key of a position to the score of its search.
const SEARCHED: TableDefinition<'_, u64, i16> = TableDefinition::new("searched");
/// Number of an expansion, from 0, to the key of the position.
const EXPANDED: TableDefinition<'_, u64, u64> = TableDefinition::new("expanded");
/// What the build was begun with.
const SETTINGS: TableDefinition<'_, &str, &str> = TableDefinition::new("settings");
const ALL_SETTINGS: &str = "all";

/// What decides how a book turns out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuildSettings {
    /// The rules.
    pub variant: VariantId,
    /// Nodes of each search.
    pub nodes: u64,
    /// The loss that weighs as much as a ply of depth, in centi-men.
    pub breadth: u32,
}

impl std::fmt::Display for BuildSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "variant {}, nodes {}, breadth {}", self.variant, self.nodes, self.breadth)
    }
}

/// What is kept of an earlier run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Kept {
    pub searched: HashMap<u64, Score>,
    pub expanded: Vec<u64>,
}

/// The database. What was kept stays kept when the program is killed.
#[derive(Debug)]
pub(super) struct Store {
    path: PathBuf,
    database: Database,
}

impl Store {
    /// Opens the state of a build, or begins one.
    ///
    /// # Errors
    /// If the file cannot be used, is that of a build with other settings, or has a build that shall not be resumed.
    pub fn open(path: &Path, settings: &BuildSettings, resume: bool) -> Result<(Store, Kept), BookError> {
        if !path.exists() {
            Store::create(path)?;
        }
        let database = Database::open(path).map_err(|fault| state(path, &fault))?;
        let store = Store { path: path.to_owned(), database };
        let text = settings.to_string();
        let found = store.settings(&text)?;
        if let Some(found) = found.filter(|found| *found != text) {
            return Err(BookError::OtherSettings { path: store.name(), found, expected: text });
        }
        let kept = store.kept()?;
        if !resume && !kept.searched.is_empty() {
            return Err(BookError::Begun { path: store.name() });
        }
        Ok((store, kept))
    }

    /// Makes an empty database. It gets its name when it is whole: one that was killed before that is begun again.
    fn create(path: &Path) -> Result<(), BookError> {
        let mut name = path.to_owned().into_os_string();
        name.push(".new");
        let new = PathBuf::from(name);
        let io = |error| BookError::io(&new, error);
        match fs::remove_file(&new) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(io(error)),
            _ => (),
        }
        drop(Database::create(&new).map_err(|fault| state(&new, &fault))?);
        fs::rename(&new, path).map_err(io)
    }

    /// The settings that were kept; keeps these where there are none.
    fn settings(&self, ours: &str) -> Result<Option<String>, BookError> {
        self.written(|write| {
            let mut table = write.open_table(SETTINGS)?;
            let found = table.get(ALL_SETTINGS)?.map(|text| text.value().to_owned());
            if found.is_none() {
                table.insert(ALL_SETTINGS, ours)?;
            }
            Ok(found)
        })
    }

    fn kept(&self) -> Result<Kept, BookError> {
        self.written(|write| {
            let searched = write.open_table(SEARCHED)?;
            let expanded = write.open_table(EXPANDED)?;
            let mut kept = Kept { searched: HashMap::new(), expanded: Vec::new() };
            kept.searched.reserve(searched.len()? as usize);
            for row in searched.iter()? {
                let (key, score) = row?;
                kept.searched.insert(key.value(), Score::from_centi(score.value().into()));
            }
            for row in expanded.iter()? {
                kept.expanded.push(row?.1.value());
            }
            Ok(kept)
        })
    }

    /// Keeps the scores of searches.
    pub fn keep_searched(&self, scores: &[(u64, Score)]) -> Result<(), BookError> {
        self.written(|write| {
            let mut table = write.open_table(SEARCHED)?;
            for &(key, score) in scores {
                table.insert(key, score.centi() as i16)?;
            }
            Ok(())
        })
    }

    /// Keeps expansions; the first of them has this number.
    pub fn keep_expanded(&self, first: u64, keys: &[u64]) -> Result<(), BookError> {
        self.written(|write| {
            let mut table = write.open_table(EXPANDED)?;
            for (number, key) in (first..).zip(keys) {
                table.insert(number, *key)?;
            }
            Ok(())
        })
    }

    /// One transaction: all of it is on the disk when this returns, or nothing.
    fn written<T>(
        &self,
        work: impl FnOnce(&redb::WriteTransaction) -> Result<T, redb::Error>,
    ) -> Result<T, BookError> {
        let done = || -> Result<T, redb::Error> {
            let write = self.database.begin_write()?;
            let result = work(&write)?;
            write.commit()?;
            Ok(result)
        };
        done().map_err(|fault| state(&self.path, &fault))
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }
}

fn state(path: &Path, fault: &dyn std::fmt::Display) -> BookError {
    BookError::State { path: path.display().to_string(), fault: fault.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_and_other_settings_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.state");
        let settings = BuildSettings { variant: VariantId::English, nodes: 100, breadth: 3 };
        let (store, kept) = Store::open(&path, &settings, false).unwrap();
        assert_eq!(kept, Kept::default());
        store.keep_searched(&[(7, Score::from_centi(-3)), (u64::MAX, Score::win_in(5))]).unwrap();
        store.keep_expanded(0, &[9, 4]).unwrap();
        store.keep_expanded(2, &[7]).unwrap();
        drop(store);
        assert!(matches!(Store::open(&path, &settings, false), Err(BookError::Begun { .. })));
        let (_, kept) = Store::open(&path, &settings, true).unwrap();
        let searched = HashMap::from([(7, Score::from_centi(-3)), (u64::MAX, Score::win_in(5))]);
        assert_eq!(kept, Kept { searched, expanded: vec![9, 4, 7] });
        let other = BuildSettings { nodes: 101, ..settings };
        let error = Store::open(&path, &other, true).unwrap_err().to_string();
        assert!(error.contains("nodes 100") && error.contains("nodes 101"), "{error}");
        std::fs::write(&path, b"something else").unwrap();
        assert!(matches!(Store::open(&path, &settings, true), Err(BookError::State { .. })));
    }
}
