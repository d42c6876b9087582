//! Torn, damaged and foreign files.

use super::writer::create;
use super::{ShardError, ShardHeader, ShardReader, ShardWriter};
use crate::game::Game;
use crate::rules::VariantId;
use crate::train::record::SelfplayGame;
use std::fs;
use std::path::PathBuf;
use tempfile::TempDir;

fn record(moves: usize) -> SelfplayGame {
    let mut record = SelfplayGame::new(Game::new(VariantId::International).position(), 2);
    (0..moves).for_each(|_| record.push(0, None));
    record
}

/// A folder, the header of a shard, and where that will be.
fn place() -> (TempDir, ShardHeader, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let header = ShardHeader::new(VariantId::International, 7, 3, 1000, "handmade");
    let path = folder.path().join(header.file_name());
    (folder, header, path)
}

#[test]
fn a_torn_end_is_ignored_and_cut_off() {
    let (folder, header, path) = place();
    let mut writer = ShardWriter::open(folder.path(), &header).unwrap();
    (1..5).for_each(|n| writer.append(&record(n)).unwrap());
    let error = writer.append(&record(30_000)).unwrap_err().to_string();
    assert!(error.contains("a game of 90029 bytes, expected 65535"), "{error}");
    let whole = fs::read(&path).unwrap();
    let third = {
        let mut reader = ShardReader::open(&path).unwrap();
        (0..3).for_each(|_| assert!(reader.next_game().unwrap().is_some()));
        reader.offset() as usize
    };
    drop(writer);
    for cut in third..whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let mut writer = ShardWriter::open(folder.path(), &header).unwrap();
        assert_eq!(writer.games(), 3);
        writer.append(&record(4)).unwrap();
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}

/// A computer that stops may leave a file of the right length whose last bytes were never written.
#[test]
fn zeros_at_the_end_are_cut_off() {
    let (folder, header, path) = place();
    let mut writer = ShardWriter::open(folder.path(), &header).unwrap();
    let length = || fs::metadata(&path).unwrap().len() as usize;
    let mut ends = vec![length()];
    for n in 1..5 {
        writer.append(&record(n)).unwrap();
        ends.push(length());
    }
    drop(writer);
    let whole = fs::read(&path).unwrap();
    for written in 0..whole.len() {
        for zeros in [0, 6, 100, 3_000_000 * usize::from(written % 40 == 0)] {
            let bytes = [&whole[..written], &vec![0; zeros]].concat();
            fs::write(&path, &bytes).unwrap();
            let games = ShardWriter::open(folder.path(), &header).unwrap().games();
            let now = fs::read(&path).unwrap();
            // What was not written may have been zeros, too.
            let least = ends.iter().filter(|&&end| end <= written).max().unwrap_or(&ends[0]);
            assert!(now.len() >= *least && ends[games as usize] == now.len(), "{written} {zeros} {games}");
            assert!(whole.starts_with(&now), "{written} {zeros} {games}");
        }
    }
    // Something stands behind the zeros.
    fs::write(&path, [&whole[..], &[0; 100], b"x"].concat()).unwrap();
    let error = ShardWriter::open(folder.path(), &header).unwrap_err().to_string();
    assert!(error.contains("game 4 at byte") && error.contains("checksum"), "{error}");
}

/// A flipped bit in a length that leads beyond the end must not cost the games behind it.
#[test]
fn a_wrong_length_before_whole_games_is_damage() {
    let (folder, header, path) = place();
    let mut writer = ShardWriter::open(folder.path(), &header).unwrap();
    let first = fs::metadata(&path).unwrap().len() as usize;
    writer.append(&record(1)).unwrap();
    let second = fs::metadata(&path).unwrap().len() as usize;
    (2..5).for_each(|n| writer.append(&record(n)).unwrap());
    drop(writer);
    let whole = fs::read(&path).unwrap();
    for (start, game) in [(first, 0), (second, 1)] {
        for bit in 8..16 {
            let mut bytes = whole.clone();
            bytes[start + bit / 8] ^= 1 << (bit % 8);
            fs::write(&path, &bytes).unwrap();
            let error = ShardWriter::open(folder.path(), &header).unwrap_err().to_string();
            assert!(error.contains(&format!("game {game} at byte")), "{error}");
            assert!(error.ends_with("its length is wrong, for whole games follow"), "{error}");
            assert_eq!(fs::read(&path).unwrap(), bytes, "nothing is cut off");
        }
    }
}

#[test]
#[cfg(unix)]
fn one_run_at_a_time() {
    let (folder, header, path) = place();
    let mut first = ShardWriter::open(folder.path(), &header).unwrap();
    let error = ShardWriter::open(folder.path(), &header).unwrap_err().to_string();
    assert!(error.ends_with("international-7-3.games\" is in use by another run"), "{error}");
    first.append(&record(5)).unwrap();
    // Who comes late to the creation keeps what is there.
    create(&path, b"another line\n").unwrap();
    drop(first);
    assert_eq!(ShardWriter::open(folder.path(), &header).unwrap().games(), 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left over");
}

#[test]
fn foreign_and_damaged_files_are_errors() {
    let (folder, header, path) = place();
    ShardWriter::open(folder.path(), &header).unwrap().append(&record(9)).unwrap();
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, &bytes).unwrap();
    let error = ShardWriter::open(folder.path(), &header).unwrap_err().to_string();
    assert!(error.contains("game 0 at byte") && error.contains("checksum"), "{error}");
    for other in [
        ShardHeader { nodes: 5, ..header.clone() },
        ShardHeader { random_percent: 5, ..header.clone() },
        ShardHeader { evaluation: "learned 12".to_owned(), ..header.clone() },
        ShardHeader { program: "kroon 0.0.1".to_owned(), ..header.clone() },
    ] {
        assert!(matches!(ShardWriter::open(folder.path(), &other), Err(ShardError::Other { .. })));
    }
    for text in ["{}", "{}\n", "no\n", &"x".repeat(5000)] {
        fs::write(&path, text).unwrap();
        assert!(
            matches!(ShardWriter::open(folder.path(), &header), Err(ShardError::Header { .. })),
            "{text}"
        );
    }
}
