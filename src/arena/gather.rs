//! The games of a match from several results files: those of its shards, or copies of them.

use super::record::GameRecord;
use super::store::{MatchHeader, StoreError, read};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// What several files say of one match. It does not depend on their order.
#[derive(Clone, PartialEq, Debug)]
pub struct GatheredMatch {
    /// How the match is played; of one file its own header, of several that of the match without a shard.
    pub header: MatchHeader,
    /// Every game once, in the order of the schedule.
    pub records: Vec<GameRecord>,
    /// Records that were left out because another file has the same game.
    pub again: usize,
}

/// Why files are not put together.
#[derive(Debug, Error)]
pub enum GatherError {
    /// A file cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is none.
    #[error("no results file is named")]
    Nothing,
    /// Two matches.
    #[error(
        "results file \"{path}\" is of another match than \"{first}\": its {what} is {found}, there it is {expected}"
    )]
    OtherMatch {
        /// The file.
        path: String,
        /// The one before it.
        first: String,
        /// What is different.
        what: String,
        /// In the file.
        found: String,
        /// In the first one.
        expected: String,
    },
    /// One match, but other programs.
    #[error(
        "results file \"{path}\" is of other programs than \"{first}\": that of {what} is {found}, there it is {expected}; if both are to count, go on with the shards of the old program by `kroon match` of the new one with --force"
    )]
    OtherProgram {
        /// The file.
        path: String,
        /// The one before it.
        first: String,
        /// The engine.
        what: String,
        /// In the file.
        found: String,
        /// In the first one.
        expected: String,
    },
}

/// Reads results files of one match. A game that is in several of them counts once: the one that ended first.
///
/// # Errors
/// When a file cannot be read, or they are not of one match and the same programs.
pub fn gather(paths: &[PathBuf]) -> Result<GatheredMatch, GatherError> {
    let (first, others) = paths.split_first().ok_or(GatherError::Nothing)?;
    let (mut header, mut all) = read(first)?;
    for path in others {
        let (other, records) = read(path)?;
        check(&header, first, &other, path)?;
        header.earlier.extend(other.earlier);
        // The same shard may come twice, from two computers.
        if header.shard != other.shard {
            header.shard = None;
        }
        all.extend(records);
    }
    if !others.is_empty() {
        header.earlier.sort();
        header.earlier.dedup();
    }
    let read = all.len();
    let mut games: BTreeMap<usize, GameRecord> = BTreeMap::new();
    for record in all {
        match games.get(&record.game) {
            Some(known) if age(known) <= age(&record) => (),
            _ => drop(games.insert(record.game, record)),
        }
    }
    Ok(GatheredMatch { header, again: read - games.len(), records: games.into_values().collect() })
}

fn check(header: &MatchHeader, first: &Path, other: &MatchHeader, path: &Path) -> Result<(), GatherError> {
    let (path, first) = (path.display().to_string(), first.display().to_string());
    if let Some((what, expected, found)) = header.difference_of_match(other) {
        return Err(GatherError::OtherMatch { path, first, what, found, expected });
    }
    match header.other_programs(other).into_iter().next() {
        Some((what, expected, found)) => {
            Err(GatherError::OtherProgram { path, first, what, found, expected })
        }
        None => Ok(()),
    }
}

/// By what two records of a game are ordered: time first, then anything in which they differ.
fn age(record: &GameRecord) -> (u64, String) {
    (record.ended, serde_json::to_string(record).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::super::record::Reason;
    use super::super::store::{EngineHeader, Store};
    use super::*;
    use crate::game::GameResult;

    fn header(shard: Option<&str>) -> MatchHeader {
        let engine = |name: &str| EngineHeader {
            name: name.into(),
            what: format!("name={name} proto=kroon"),
            program: "kroon 1".into(),
            limits: "depth 1".into(),
            margin: "0".into(),
        };
        MatchHeader {
            kroon_match: MatchHeader::VERSION,
            variant: "international".into(),
            engines: vec![engine("a"), engine("b")],
            openings: "ballot2".into(),
            screened_by: None,
            seed: 1,
            shard: shard.and_then(|text| text.parse().ok()),
            earlier: Vec::new(),
            format: "round-robin".into(),
            rules: String::new(),
        }
    }

    fn record(game: usize, ended: u64, result: GameResult) -> GameRecord {
        GameRecord { ended, ..GameRecord::bare(game, [(game + 1) % 2, game % 2], result, Reason::Rules) }
    }

    fn write(folder: &Path, name: &str, header: &MatchHeader, records: &[GameRecord]) -> PathBuf {
        let path = folder.join(name);
        Store::open(&path, header, false).unwrap().0.append(records).unwrap();
        path
    }

    #[test]
    fn a_game_counts_once_in_any_order_of_files() {
        use GameResult::{Black, Draw, White};
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, shard: Option<&str>, records: &[GameRecord]| {
            write(folder.path(), name, &header(shard), records)
        };
        let a = file("a", Some("0/2"), &[record(5, 9, Draw), record(1, 3, White), record(2, 7, White)]);
        let b = file("b", Some("1/2"), &[record(4, 5, Draw), record(3, 5, Black)]);
        // Another run of the first shard, and one of the whole match.
        let c = file("c", Some("0/2"), &[record(1, 2, Black), record(2, 8, Black)]);
        let d = file("d", None, &[record(3, 5, White), record(6, 1, White)]);
        let whole = gather(&[a.clone(), b.clone(), c.clone(), d.clone()]).unwrap();
        let games: Vec<_> = whole.records.iter().map(|record| (record.game, record.result)).collect();
        assert_eq!(games[..2], [(1, Black), (2, White)], "what ended first counts");
        assert_eq!(games.iter().map(|game| game.0).collect::<Vec<_>>(), [1, 2, 3, 4, 5, 6]);
        assert_eq!((whole.again, &whole.header), (3, &header(None)));
        for order in [[&d, &c, &b, &a], [&b, &d, &a, &c], [&c, &a, &d, &b]] {
            assert_eq!(gather(&order.map(Clone::clone)).unwrap(), whole);
        }
        assert_eq!(gather(&[b.clone(), b.clone()]).unwrap().again, 2);
        // One file is told as it is.
        assert_eq!(gather(std::slice::from_ref(&b)).unwrap().header, header(Some("1/2")));
    }

    #[test]
    fn other_matches_and_programs_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let a = write(folder.path(), "a", &header(Some("0/2")), &[]);
        let mut number = 0;
        let mut refused = |change: &dyn Fn(&mut MatchHeader)| {
            let mut other = header(Some("1/2"));
            change(&mut other);
            number += 1;
            let b = write(folder.path(), &format!("b{number}"), &other, &[]);
            let error = gather(&[a.clone(), b.clone()]).unwrap_err().to_string();
            assert!(
                error.contains(&*a.to_string_lossy()) && error.contains(&*b.to_string_lossy()),
                "{error}"
            );
            error
        };
        let error = refused(&|header| header.seed = 2);
        assert!(error.contains("its seed is 2, there it is 1"), "{error}");
        let error = refused(&|header| header.engines[1].what = "name=b proto=hub".into());
        assert!(error.contains("its engine is name=b proto=hub, there it is name=b proto=kroon"), "{error}");
        let error = refused(&|header| header.openings = "ballot3".into());
        assert!(error.contains("its openings is ballot3, there it is ballot2"), "{error}");
        let error = refused(&|header| header.engines[0].program = "kroon 2".into());
        assert!(error.contains("that of a is kroon 2, there it is kroon 1"), "{error}");
        let missing = gather(&[a, folder.path().join("nowhere")]).unwrap_err().to_string();
        assert!(missing.contains("nowhere"), "{missing}");
        assert!(matches!(gather(&[]), Err(GatherError::Nothing)));
    }

    #[test]
    fn earlier_programs_are_told_once() {
        let folder = tempfile::tempdir().unwrap();
        let with = |name: &str, earlier: &[&str]| {
            let earlier = earlier.iter().map(|text| (*text).to_owned()).collect();
            write(folder.path(), name, &MatchHeader { earlier, ..header(None) }, &[])
        };
        let (a, b) = (with("a", &["b: kroon 0"]), with("b", &["a: kroon 0", "b: kroon 0"]));
        let both = gather(&[a.clone(), b.clone()]).unwrap();
        assert_eq!(both.header.earlier, ["a: kroon 0", "b: kroon 0"]);
        assert_eq!(gather(&[b, a]).unwrap(), both);
    }
}
