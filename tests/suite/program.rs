//! The program as tests run it, and folders for what it writes.

use assert_cmd::Command;
use std::fs;
use std::path::{Path, PathBuf};
use std::process;
use std::time::Duration;

/// The program with these words, which blanks separate and `'` keeps together, without the log that the environment may
/// ask for.
pub fn process(words: &str) -> process::Command {
    let mut command = process::Command::new(env!("CARGO_BIN_EXE_kroon"));
    for (index, part) in words.split('\'').enumerate() {
        if index % 2 == 1 {
            command.arg(part);
        } else {
            command.args(part.split_whitespace());
        }
    }
    command.env_remove("KROON_LOG");
    command
}

/// The same in this folder.
pub fn process_in(folder: &Path, words: &str) -> process::Command {
    let mut command = process(words);
    command.current_dir(folder);
    command
}

/// The same for assertions about a whole run; one that hangs is ended.
pub fn kroon(words: &str) -> Command {
    let mut command = Command::from_std(process(words));
    command.timeout(Duration::from_secs(600));
    command
}

/// The same in this folder.
pub fn kroon_in(folder: &Path, words: &str) -> Command {
    let mut command = kroon(words);
    command.current_dir(folder);
    command
}

/// A folder that only the test of this name uses, empty at first.
pub fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}
