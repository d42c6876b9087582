//! The state of a build on disk, in an embedded database: which positions were searched and with what result, and which
//! were expanded, in order. The graph follows from them.

use super::error::BookError;
use crate::rules::VariantId;
use crate::score::Score;
use redb::{Database, ReadableTable, ReadableTableMetadata, TableDefinition};
use std::collections::HashMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Key of a position to the score of its search.
const SEARCHED: TableDefinition<'_, u64, i16> = TableDefinition::new("searched");
/// Number of an expansion, from 0, to the key of the position.
const EXPANDED: TableDefinition<'_, u64, u64> = TableDefinition::new("expanded");
/// What the build was begun with.
const SETTINGS: TableDefinition<'_, &str, &str> = TableDefinition::new("settings");
const ALL_SETTINGS: &str = "all";
/// What to do about a state that is lost.
pub(super) const ANEW: &str = "remove the file to begin anew";

/// What decides how a book turns out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BuildSettings {
    /// The rules.
    pub variant: VariantId,
    /// Nodes of each search.
    pub nodes: u64,
    /// The loss that weighs as much as a ply of depth, in centi-men.
    pub breadth: u32,
    /// Plies that are drawn by lot, so that the book grows from every position after them.
    pub ballots: u8,
    /// Which program searches, with which evaluation: the values of two of them cannot be compared.
    pub judge: String,
}

impl std::fmt::Display for BuildSettings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let BuildSettings { variant, nodes, breadth, ballots, judge } = self;
        write!(f, "variant {variant}, nodes {nodes}, breadth {breadth}, ")?;
        // Builds that were begun before there were ballots go on.
        if *ballots > 0 {
            write!(f, "ballots of {ballots} plies, ")?;
        }
        write!(f, "searches of {judge}")
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
        // The database trusts some of what it finds in a file before it looks at checksums, and may panic where that is
        // damaged. Nothing of it is left then.
        let opened = catch_unwind(AssertUnwindSafe(|| Store::open_whole(path, settings, resume)));
        opened.unwrap_or_else(|_| Err(state(path, &format!("damaged: the database cannot be read; {ANEW}"))))
    }

    /// Opens a database that is there, if every page has its checksum.
    fn open_whole(path: &Path, settings: &BuildSettings, resume: bool) -> Result<(Store, Kept), BookError> {
        let mut database = Database::open(path).map_err(|fault| unreadable(path, &fault.into()))?;
        if !database.check_integrity().map_err(|fault| unreadable(path, &fault.into()))? {
            log::warn!("{}: damaged, what was kept last is lost", path.display());
        }
        let store = Store { path: path.to_owned(), database };
        let text = settings.to_string();
        let found = store.settings(&text).map_err(|fault| unreadable(path, &fault))?;
        if let Some(found) = found.filter(|found| *found != text) {
            return Err(BookError::OtherSettings { path: store.name(), found, expected: text });
        }
        let kept = store.kept().map_err(|fault| unreadable(path, &fault))?;
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
    fn settings(&self, ours: &str) -> Result<Option<String>, redb::Error> {
        self.transaction(|write| {
            let mut table = write.open_table(SETTINGS)?;
            let found = table.get(ALL_SETTINGS)?.map(|text| text.value().to_owned());
            if found.is_none() {
                table.insert(ALL_SETTINGS, ours)?;
            }
            Ok(found)
        })
    }

    fn kept(&self) -> Result<Kept, redb::Error> {
        self.transaction(|write| {
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
    fn transaction<T>(
        &self,
        work: impl FnOnce(&redb::WriteTransaction) -> Result<T, redb::Error>,
    ) -> Result<T, redb::Error> {
        let write = self.database.begin_write()?;
        let result = work(&write)?;
        write.commit()?;
        Ok(result)
    }

    fn written(
        &self,
        work: impl FnOnce(&redb::WriteTransaction) -> Result<(), redb::Error>,
    ) -> Result<(), BookError> {
        self.transaction(work).map_err(|fault| state(&self.path, &fault))
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }
}

/// A state that cannot be read, with advice, unless the file itself may be sound: another program may have it open, or the
/// system says no.
fn unreadable(path: &Path, fault: &redb::Error) -> BookError {
    use std::io::ErrorKind::{InvalidData, UnexpectedEof};
    match fault {
        redb::Error::DatabaseAlreadyOpen => state(path, &"in use by another process"),
        redb::Error::LockProtocolMismatch => state(path, fault),
        redb::Error::Io(error) if !matches!(error.kind(), InvalidData | UnexpectedEof) => state(path, fault),
        _ => state(path, &format!("no state of a build, or damaged ({fault}); {ANEW}")),
    }
}

fn state(path: &Path, fault: &dyn std::fmt::Display) -> BookError {
    BookError::State { path: path.display().to_string(), fault: fault.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[test]
    fn what_is_kept_is_found_and_other_settings_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.state");
        let judge = "kroon 1, weights".to_owned();
        let settings =
            BuildSettings { variant: VariantId::English, nodes: 100, breadth: 3, ballots: 0, judge };
        let (store, kept) = Store::open(&path, &settings, false).unwrap();
        assert_eq!(kept, Kept::default());
        store.keep_searched(&[(7, Score::from_centi(-3)), (u64::MAX, Score::win_in(5))]).unwrap();
        store.keep_expanded(0, &[9, 4]).unwrap();
        store.keep_expanded(2, &[7]).unwrap();
        let error = Store::open(&path, &settings, true).unwrap_err().to_string();
        assert!(!error.contains(ANEW), "a build that is running: {error}");
        drop(store);
        assert!(matches!(Store::open(&path, &settings, false), Err(BookError::Begun { .. })));
        let (_, kept) = Store::open(&path, &settings, true).unwrap();
        let searched = HashMap::from([(7, Score::from_centi(-3)), (u64::MAX, Score::win_in(5))]);
        assert_eq!(kept, Kept { searched, expanded: vec![9, 4, 7] });
        let other = BuildSettings { nodes: 101, ..settings.clone() };
        let error = Store::open(&path, &other, true).unwrap_err().to_string();
        assert!(error.contains("nodes 100") && error.contains("nodes 101"), "{error}");
        let other = BuildSettings { judge: "kroon 1, others".into(), ..settings.clone() };
        let error = Store::open(&path, &other, true).unwrap_err().to_string();
        assert!(error.contains("searches of kroon 1, others"), "{error}");
        let other = BuildSettings { ballots: 3, ..settings.clone() };
        let error = Store::open(&path, &other, true).unwrap_err().to_string();
        assert!(error.contains("ballots of 3 plies"), "{error}");
        // As it was before there were ballots.
        assert_eq!(
            settings.to_string(),
            "variant english, nodes 100, breadth 3, searches of kroon 1, weights"
        );
        for other in [&b""[..], b"something else"] {
            fs::write(&path, other).unwrap();
            for resume in [false, true] {
                let error = Store::open(&path, &settings, resume).unwrap_err();
                assert!(
                    matches!(error, BookError::State { .. }) && error.to_string().ends_with(ANEW),
                    "{error}"
                );
            }
        }
    }

    #[test]
    fn damage_is_an_error_and_never_another_score() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.state");
        let judge = "kroon 1".to_owned();
        let settings =
            BuildSettings { variant: VariantId::English, nodes: 100, breadth: 3, ballots: 0, judge };
        let (store, _) = Store::open(&path, &settings, false).unwrap();
        let scores: Vec<(u64, Score)> = (0..900).map(|key| (key, Score::from_centi(key as i32))).collect();
        store.keep_searched(&scores).unwrap();
        store.keep_expanded(0, &(0..300).collect::<Vec<_>>()).unwrap();
        drop(store);
        let whole = fs::read(&path).unwrap();
        let sound = Store::open(&path, &settings, true).unwrap().1;
        assert_eq!((sound.searched.len(), sound.expanded.len()), (900, 300));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut refused = 0;
        for _ in 0..60 {
            let mut damaged = whole.clone();
            let at = random.random_range(0..damaged.len() - 64);
            damaged[at..at + 64].fill_with(|| random.random());
            fs::write(&path, &damaged).unwrap();
            match Store::open(&path, &settings, true) {
                Ok((_, kept)) => {
                    assert!(kept.searched.iter().all(|(key, score)| score.centi() == *key as i32));
                    assert!(kept.expanded.iter().copied().eq(0..kept.expanded.len() as u64));
                }
                Err(BookError::State { fault, .. }) => {
                    assert!(fault.ends_with(ANEW), "{fault}");
                    refused += 1;
                }
                Err(other) => panic!("{other}"),
            }
        }
        assert!(refused > 5, "{refused}");
    }
}
