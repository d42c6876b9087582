//! The results file: a header, then one line of JSON for each finished game. It is only ever added to, every line
//! reaches the disk before its game counts, and what a sudden end left half-written is cut off by the next start.

use super::record::GameRecord;
use super::shard::Shard;
use crate::files::{open_regular, open_to_append, sync_folder, try_lock};
use crate::notation::text::quote;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use thiserror::Error;

/// The version of the format that is written and read.
const VERSION: u32 = 1;

/// How a header begins.
const HEADER: &str = "{\"kroon_match\"";

/// The first line: everything that decides how the games go. It comes again where the match went on with other programs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MatchHeader {
    /// The version of the format.
    pub kroon_match: u32,
    /// The variant.
    pub variant: String,
    /// The engines, by number.
    pub engines: Vec<EngineHeader>,
    /// The openings.
    pub openings: String,
    /// The program whose search chose them, if they are random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub screened_by: Option<String>,
    /// Who plays whom.
    pub format: String,
    /// How games are adjudicated.
    pub rules: String,
    /// Where the random numbers of the players come from.
    #[serde(default)]
    pub seed: u64,
    /// Which games of the match are in the file, if others play the rest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Programs that played before, when the user has put others in their place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<String>,
}

/// An engine of a match.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineHeader {
    /// Its name.
    pub name: String,
    /// What it is, parameters included.
    pub what: String,
    /// Which program it is: version, sources and weights, or the checksum of the executable. Empty where nobody knows.
    #[serde(default)]
    pub program: String,
    /// How long it may think. Older files call it pace.
    #[serde(alias = "pace")]
    pub limits: String,
    /// How much later than allowed a move may come, in seconds.
    pub margin: String,
}

impl MatchHeader {
    /// The version to put in a new header.
    pub const VERSION: u32 = VERSION;

    /// The first thing in which a later command differs: its name, the value in the file, the new value.
    pub fn difference(&self, new: &MatchHeader) -> Option<(String, String, String)> {
        let text = |shard: Option<Shard>| shard.map_or("none".to_owned(), |shard| shard.to_string());
        let shards =
            (self.shard != new.shard).then(|| ("shard".to_owned(), text(self.shard), text(new.shard)));
        self.difference_of_match(new).or(shards)
    }

    /// The first thing in which another match differs: its name, the value here, the value there. Shards of one match
    /// differ in nothing.
    pub(super) fn difference_of_match(&self, new: &MatchHeader) -> Option<(String, String, String)> {
        let differs = |name: &str, old: &str, new: &str| {
            (old != new).then(|| (name.to_owned(), old.to_owned(), new.to_owned()))
        };
        let count = |header: &MatchHeader| header.engines.len().to_string();
        differs("variant", &self.variant, &new.variant)
            .or_else(|| differs("number of engines", &count(self), &count(new)))
            .or_else(|| {
                self.engines.iter().zip(&new.engines).find_map(|(old, new)| {
                    differs("engine", &old.what, &new.what)
                        .or_else(|| differs(&format!("time for {}", old.name), &old.limits, &new.limits))
                        .or_else(|| {
                            differs(&format!("time margin for {}", old.name), &old.margin, &new.margin)
                        })
                })
            })
            .or_else(|| {
                // A list may be given by another path: the openings in it decide.
                let prints = [self, new].map(|header| fingerprint(&header.openings));
                let same = prints[0].is_some() && prints[0] == prints[1];
                if same { None } else { differs("openings", &self.openings, &new.openings) }
            })
            .or_else(|| differs("format", &self.format, &new.format))
            .or_else(|| {
                let rules = [&self.rules, &new.rules].map(|rules| without_first_move(rules));
                differs("adjudication", &rules[0], &rules[1])
            })
            .or_else(|| differs("seed", &self.seed.to_string(), &new.seed.to_string()))
    }

    /// The programs that are others in a later command: what for, which one before, which one now.
    pub(super) fn other_programs(&self, new: &MatchHeader) -> Vec<(String, String, String)> {
        let known = |text: &str| if text.is_empty() { "not known".to_owned() } else { text.to_owned() };
        let engines = self.engines.iter().zip(&new.engines);
        let mut pairs: Vec<_> =
            engines.map(|(old, new)| (old.name.clone(), known(&old.program), known(&new.program))).collect();
        let screen = |header: &MatchHeader| known(header.screened_by.as_deref().unwrap_or_default());
        pairs.push(("the choice of openings".to_owned(), screen(self), screen(new)));
        pairs.retain(|(_, old, new)| old != new);
        pairs
    }
}

/// Rules of adjudication without the first move of `resign MEN,MOVES,FROM`, which earlier programs took down and never looked at.
fn without_first_move(rules: &str) -> String {
    let part = |part: &str| match part.strip_prefix("resign ").and_then(|rest| rest.rsplit_once(',')) {
        Some((kept, from)) if kept.contains(',') => {
            // Behind the number may stand for whom it counts.
            format!("resign {kept},0{}", from.trim_start_matches(|c: char| c.is_ascii_digit()))
        }
        _ => part.to_owned(),
    };
    rules.split(", ").map(part).collect::<Vec<_>>().join(", ")
}

/// What is behind the name of a list of openings: `(12 openings, 0123456789abcdef)`.
fn fingerprint(openings: &str) -> Option<&str> {
    let (_, print) = openings.rsplit_once(" (")?;
    let (count, hash) = print.strip_suffix(')')?.split_once(" openings, ")?;
    let is_hash = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    (is_hash && count.parse::<usize>().is_ok()).then_some(print)
}

/// Why a results file cannot be used.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The file system said no.
    #[error("results file \"{path}\": {source}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// Another match is writing to it.
    #[error("results file \"{0}\" is in use by a match that is running")]
    InUse(String),
    /// It belongs to another match.
    #[error(
        "results file \"{path}\" is of another match: its {what} is {old}, not {new}; name another file to start anew"
    )]
    OtherMatch {
        /// The file.
        path: String,
        /// What is different.
        what: String,
        /// In the file.
        old: String,
        /// In the command.
        new: String,
    },
    /// It is that of this match, but the programs are others.
    #[error(
        "results file \"{path}\": the program of {what} was {old} and is now {new}; name another file to start anew, or let both play one match with --force"
    )]
    OtherProgram {
        /// The file.
        path: String,
        /// The engine.
        what: String,
        /// In the file.
        old: String,
        /// In the command.
        new: String,
    },
    /// A line that nobody can have written.
    #[error("results file \"{path}\", line {line}: {fault}")]
    Line {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
}

/// Something that the file says, and where it ends.
struct StoreContents {
    header: Option<MatchHeader>,
    records: Vec<GameRecord>,
    /// The length of all complete lines but blank ones at the end, in bytes.
    sound: u64,
}

/// An open results file. While it is open, nobody else can open it for writing.
#[derive(Debug)]
pub struct Store {
    file: File,
    path: String,
}

impl Store {
    /// Opens the file of a match that begins or goes on; gives the games that are in it. With `force` it goes on with
    /// other programs, too, which is written down.
    ///
    /// # Errors
    /// When the file cannot be written, is in use, is no results file or belongs to another match or other programs.
    pub fn open(
        path: &Path,
        header: &MatchHeader,
        force: bool,
    ) -> Result<(Store, Vec<GameRecord>), StoreError> {
        let name = path.display().to_string();
        let io = |source| StoreError::Io { path: name.clone(), source };
        let file = open_to_append(path).map_err(io)?;
        if !try_lock(&file).map_err(io)? {
            return Err(StoreError::InUse(name));
        }
        let contents = contents(&read_bytes(&file, &name)?, &name)?;
        let mut store = Store { file, path: name.clone() };
        match &contents.header {
            Some(old) => {
                if let Some((what, old, new)) = old.difference(header) {
                    return Err(StoreError::OtherMatch { path: name, what, old, new });
                }
                let others = old.other_programs(header);
                if let (false, Some((what, old, new))) = (force, others.first().cloned()) {
                    return Err(StoreError::OtherProgram { path: name, what, old, new });
                }
                store.file.set_len(contents.sound).map_err(io)?;
                if !others.is_empty() {
                    let earlier = others.iter().map(|(what, old, _)| format!("{what}: {old}"));
                    let earlier = old.earlier.iter().cloned().chain(earlier).collect();
                    store.write(&MatchHeader { earlier, ..header.clone() })?;
                }
            }
            None => {
                store.file.set_len(0).map_err(io)?;
                store.write(header)?;
                sync_folder(path);
            }
        }
        Ok((store, contents.records))
    }

    /// Adds games. When this returns they are on the disk.
    ///
    /// # Errors
    /// When they are not.
    pub fn append(&mut self, records: &[GameRecord]) -> Result<(), StoreError> {
        let mut text = Vec::new();
        for record in records {
            // invariant: records are plain data, which JSON can express
            if serde_json::to_writer(&mut text, record).is_ok() {
                text.push(b'\n');
            }
        }
        self.write_all(&text)
    }

    fn write(&mut self, header: &MatchHeader) -> Result<(), StoreError> {
        let mut line = serde_json::to_string(header).unwrap_or_default();
        line.push('\n');
        self.write_all(line.as_bytes())
    }

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let written = self.file.write_all(bytes).and_then(|()| self.file.sync_data());
        written.map_err(|source| StoreError::Io { path: self.path.clone(), source })
    }
}

/// Reads a results file, also of a match that is running or was cut off.
///
/// # Errors
/// When it cannot be read or is no results file.
pub fn read(path: &Path) -> Result<(MatchHeader, Vec<GameRecord>), StoreError> {
    let name = path.display().to_string();
    let file = open_regular(path).map_err(|source| StoreError::Io { path: name.clone(), source })?;
    parse(&read_bytes(&file, &name)?, &name)
}

/// Reads the contents of a results file, which faults call by this name.
///
/// # Errors
/// When they are not those of a results file.
pub fn parse(bytes: &[u8], name: &str) -> Result<(MatchHeader, Vec<GameRecord>), StoreError> {
    let contents = contents(bytes, name)?;
    let empty = || StoreError::Line { path: name.to_owned(), line: 1, fault: "no header".to_owned() };
    Ok((contents.header.ok_or_else(empty)?, contents.records))
}

fn read_bytes(mut file: &File, path: &str) -> Result<Vec<u8>, StoreError> {
    let mut bytes = Vec::new();
    let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes));
    read.map_err(|source| StoreError::Io { path: path.to_owned(), source })?;
    Ok(bytes)
}

fn contents(bytes: &[u8], path: &str) -> Result<StoreContents, StoreError> {
    // Only the last line can be incomplete: all others were followed by something.
    let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    // An editor may have left blank lines behind the last one.
    let said = bytes[..complete].trim_ascii_end().len();
    let end = bytes[said..complete].iter().position(|&byte| byte == b'\n').filter(|_| said > 0);
    let sound = end.map_or(0, |end| said + end + 1);
    if sound == 0 && !bytes.starts_with(HEADER.as_bytes()) && !HEADER.as_bytes().starts_with(bytes) {
        let fault = format!("{} is no header of a match", quote(&String::from_utf8_lossy(bytes)));
        return Err(StoreError::Line { path: path.to_owned(), line: 1, fault });
    }
    let mut contents = StoreContents { header: None, records: Vec::new(), sound: sound as u64 };
    let mut games = HashSet::new();
    for (index, line) in bytes[..sound].split_inclusive(|&byte| byte == b'\n').enumerate() {
        let fault = |fault: String| StoreError::Line { path: path.to_owned(), line: index + 1, fault };
        let text = String::from_utf8_lossy(line);
        let text = text.trim();
        if index == 0 || text.starts_with(HEADER) {
            let new = header(text).map_err(fault)?;
            // With another program a match may go on.
            if let Some((what, old, new)) = contents.header.as_ref().and_then(|old| old.difference(&new)) {
                return Err(fault(format!("another match begins: its {what} is {new}, before it is {old}")));
            }
            contents.header = Some(new);
            continue;
        }
        let record: GameRecord = serde_json::from_str(text)
            .map_err(|error| fault(format!("{} is no game: {error}", quote(text))))?;
        if !games.insert(record.game) {
            return Err(fault(format!("game {} is there twice", record.game)));
        }
        contents.records.push(record);
    }
    Ok(contents)
}

fn header(text: &str) -> Result<MatchHeader, String> {
    let header: MatchHeader = serde_json::from_str(text)
        .map_err(|error| format!("{} is no header of a match: {error}", quote(text)))?;
    if header.kroon_match == VERSION {
        Ok(header)
    } else {
        Err(format!("format {} found, expected {VERSION}", header.kroon_match))
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::Reason;
    use super::*;
    use crate::game::GameResult;
    use std::fs;
    use std::path::PathBuf;

    fn file(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("kroon-store-{name}-{}.jsonl", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    fn header() -> MatchHeader {
        let engine = |name: &str| EngineHeader {
            name: name.into(),
            what: name.into(),
            program: "kroon 1".into(),
            limits: "depth 1".into(),
            margin: "0".into(),
        };
        MatchHeader {
            kroon_match: VERSION,
            variant: "international".into(),
            engines: vec![engine("a"), engine("b")],
            openings: "ballot2".into(),
            screened_by: None,
            seed: 1,
            shard: None,
            earlier: Vec::new(),
            format: "round-robin".into(),
            rules: String::new(),
        }
    }

    fn record(game: usize) -> GameRecord {
        let bare = GameRecord::bare(game, [0, 1], GameResult::Draw, Reason::Repetition);
        GameRecord { book: 1, moves: "32-28".into(), ..bare }
    }

    #[test]
    fn the_first_move_of_a_resignation_says_nothing() {
        let rules = "resign 5,4,0, draw 0.04,12,50";
        for before in [rules, "resign 5,4,10, draw 0.04,12,50"] {
            assert_eq!(without_first_move(before), rules);
        }
        assert_ne!(without_first_move("resign 5,4,0 two-sided"), without_first_move("resign 5,4,0"));
        assert_eq!(without_first_move("resign 5,4,7 two-sided"), "resign 5,4,0 two-sided");
        assert_ne!(without_first_move("resign 5,5,0, draw 0.04,12,50"), rules);
        assert_ne!(without_first_move("resign 5,4,0, draw 0.04,12,40"), rules);
    }

    #[test]
    fn cut_off_anywhere_it_goes_on() {
        let path = file("cut");
        let (mut store, games) = Store::open(&path, &header(), false).unwrap();
        assert!(games.is_empty());
        store.append(&[record(1), record(2)]).unwrap();
        store.append(&[record(3)]).unwrap();
        drop(store);
        let whole = fs::read(&path).unwrap();
        let line_ends: Vec<usize> = (0..whole.len()).filter(|&at| whole[at] == b'\n').collect();
        for length in 0..=whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            let complete = line_ends.iter().filter(|&&end| end < length).count();
            let (mut store, games) = Store::open(&path, &header(), false).unwrap();
            assert_eq!(games.len(), complete.saturating_sub(1), "{length}");
            let missing: Vec<GameRecord> = (1..=3).skip(games.len()).map(record).collect();
            store.append(&missing).unwrap();
            drop(store);
            assert_eq!(fs::read(&path).unwrap(), whole, "{length}");
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn another_match_is_refused() {
        let path = file("other");
        drop(Store::open(&path, &header(), false).unwrap());
        let mut other = header();
        other.engines[1].limits = "depth 2".into();
        let error = Store::open(&path, &other, false).unwrap_err().to_string();
        assert!(error.contains("time for b is depth 1, not depth 2"), "{error}");
        other = MatchHeader { openings: "ballot3".into(), ..header() };
        assert!(
            Store::open(&path, &other, false)
                .unwrap_err()
                .to_string()
                .contains("openings is ballot2, not ballot3")
        );
        other = MatchHeader { shard: "1/2".parse().ok(), ..header() };
        let error = Store::open(&path, &other, false).unwrap_err().to_string();
        assert!(error.contains("its shard is none, not 1/2"), "{error}");
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_list_of_openings_may_be_given_by_another_path() {
        let path = file("path");
        let with = |openings: &str| MatchHeader { openings: openings.into(), ..header() };
        drop(Store::open(&path, &with("op.txt (2 openings, 0123456789abcdef)"), false).unwrap());
        assert!(Store::open(&path, &with("./op.txt (2 openings, 0123456789abcdef)"), false).is_ok());
        for other in ["op.txt (2 openings, 0123456789abcdee)", "op.txt", "op.txt (2 openings, x)"] {
            let error = Store::open(&path, &with(other), false).unwrap_err().to_string();
            assert!(error.contains("openings is op.txt (2"), "{error}");
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn blank_lines_at_the_end_say_nothing() {
        let path = file("blank");
        let (mut store, _) = Store::open(&path, &header(), false).unwrap();
        store.append(&[record(1)]).unwrap();
        drop(store);
        let whole = fs::read_to_string(&path).unwrap();
        for more in ["\n", " \n\n\r\n", "\n{\"game\""] {
            fs::write(&path, whole.clone() + more).unwrap();
            assert_eq!(read(&path).unwrap().1.len(), 1, "{more:?}");
            let (mut store, games) = Store::open(&path, &header(), false).unwrap();
            store.append(&[record(2)]).unwrap();
            drop(store);
            assert_eq!((games.len(), read(&path).unwrap().1.len()), (1, 2), "{more:?}");
            assert!(fs::read_to_string(&path).unwrap().starts_with(&(whole.clone() + "{")), "{more:?}");
        }
        // In the middle it is damage.
        fs::write(&path, whole.replacen('\n', "\n\n", 1)).unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("line 2: "));
        fs::write(&path, "\n\n").unwrap();
        assert!(read(&path).unwrap_err().to_string().contains("is no header"));
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn other_programs_play_on_only_when_told_to() {
        let path = file("program");
        let (mut store, _) = Store::open(&path, &header(), false).unwrap();
        store.append(&[record(1)]).unwrap();
        drop(store);
        let mut other = header();
        other.engines[1].program = "kroon 2".into();
        let error = Store::open(&path, &other, false).unwrap_err().to_string();
        assert!(error.contains("program of b was kroon 1 and is now kroon 2"), "{error}");
        let (mut store, games) = Store::open(&path, &other, true).unwrap();
        store.append(&[record(2)]).unwrap();
        assert_eq!(games.len(), 1);
        drop(store);
        // It is the program of the file now, and the file knows the one before.
        let (_, games) = Store::open(&path, &other, false).unwrap();
        assert_eq!((games.len(), read(&path).unwrap().0.earlier), (2, vec!["b: kroon 1".to_owned()]));
        assert!(Store::open(&path, &header(), false).is_err());
        other.screened_by = Some("kroon 2".into());
        let error = Store::open(&path, &other, false).unwrap_err().to_string();
        assert!(error.contains("choice of openings was not known"), "{error}");
        // Forgiving programs forgives nothing else.
        other.openings = "ballot3".into();
        assert!(matches!(Store::open(&path, &other, true), Err(StoreError::OtherMatch { .. })));
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn files_from_before_programs_were_recorded_can_be_read() {
        let path = file("old");
        let head = serde_json::to_string(&header()).unwrap();
        let old = head.replace(",\"program\":\"kroon 1\"", "").replace(",\"seed\":1", "");
        let old = old.replace("\"limits\"", "\"pace\"");
        assert!(!old.contains("program") && !old.contains("seed"), "{old}");
        fs::write(&path, format!("{old}\n{}\n", serde_json::to_string(&record(1)).unwrap())).unwrap();
        let (header, games) = read(&path).unwrap();
        assert_eq!((header.engines[0].program.as_str(), games.len()), ("", 1));
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn one_match_at_a_time() {
        let path = file("lock");
        let open = Store::open(&path, &header(), false).unwrap();
        assert!(matches!(Store::open(&path, &header(), false), Err(StoreError::InUse(_))));
        assert!(read(&path).is_ok());
        drop(open);
        assert!(Store::open(&path, &header(), false).is_ok());
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn damage_is_named() {
        let path = file("damage");
        let text = |lines: &[String]| lines.join("\n") + "\n";
        let head = serde_json::to_string(&header()).unwrap();
        let game = serde_json::to_string(&record(1)).unwrap();
        for (lines, needle) in [
            (text(&[head.clone(), game.clone(), game.clone()]), "line 3: game 1 is there twice"),
            (text(&[head.clone(), "{}".into(), game.clone()]), "line 2: \"{}\" is no game"),
            (text(&["my diary".into()]), "line 1: \"my diary\" is no header"),
            ("my diary".into(), "line 1: \"my diary\" is no header"),
            (text(&[head.replace("\"kroon_match\":1", "\"kroon_match\":2")]), "format 2 found, expected 1"),
        ] {
            fs::write(&path, &lines).unwrap();
            let error = Store::open(&path, &header(), false).unwrap_err().to_string();
            assert!(error.contains(needle), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), lines, "untouched");
        }
        fs::remove_file(&path).unwrap();
    }
}
