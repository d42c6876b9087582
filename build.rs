//! Names the sources that decide how a game goes: what a match or a self-play run has begun is to be finished by the
//! same program, and the version alone does not tell one build from the next. The number depends on the code only, not
//! on comments, empty lines, tests, scripts, the compiler or the machine. A second number names the sources that decide what is learned
//! from games, for a fit that goes on.
#![allow(clippy::print_stdout)]

use std::io;
use std::path::{Path, PathBuf};

/// Files and folders below `src/` that decide how a game of this program goes.
pub const DECISIVE: [&str; 23] = [
    "board",
    "rules",
    "score.rs",
    "game.rs",
    "seed.rs",
    "eval",
    "search",
    "book",
    "tablebase",
    "agents",
    "levels",
    "engine",
    "arena/adjudicate.rs",
    "arena/noise.rs",
    "arena/openings",
    "arena/player_kroon.rs",
    "arena/referee.rs",
    "arena/schedule.rs",
    "arena/time_control.rs",
    "train/record.rs",
    "train/selfplay.rs",
    "train/start.rs",
    "train/visits.rs",
];

/// Those that decide what weights are learned from games.
const LEARNING: [&str; 3] = ["eval/learned", "train/fit", "train/record.rs"];

fn main() -> io::Result<()> {
    println!("cargo::rustc-env=KROON_SOURCES={:016x}", fingerprint(&DECISIVE)?);
    println!("cargo::rustc-env=KROON_LEARNING={:016x}", fingerprint(&LEARNING)?);
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}

/// The number of some sources.
fn fingerprint(names: &[&str]) -> io::Result<u64> {
    let sources = Path::new("src");
    let mut files = Vec::new();
    for name in names {
        println!("cargo::rerun-if-changed=src/{name}");
        collect(&sources.join(name), &mut files)?;
    }
    files.sort();
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for path in files {
        let bytes = std::fs::read(&path)?;
        hash.add(path.to_string_lossy().replace('\\', "/").as_bytes());
        if path.extension().is_some_and(|extension| extension == "rs") {
            code(&String::from_utf8_lossy(&bytes)).for_each(|line| hash.add(line.as_bytes()));
        } else {
            hash.add(&bytes);
        }
    }
    Ok(hash.0)
}

/// All files below a path that count.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !counts(path) {
        return Ok(());
    }
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
}

/// Whether a file or folder is part of the program: what makes its data, and what tests it, is not.
pub fn counts(path: &Path) -> bool {
    let is_test = path.file_stem().is_some_and(|name| name == "tests");
    !is_test && path.extension().is_none_or(|extension| extension != "sh")
}

/// The lines of a source that count: no comments, no empty lines, no `mod tests`.
pub fn code(text: &str) -> impl Iterator<Item = &str> {
    let mut lines = text.lines().peekable();
    let mut in_tests = false;
    std::iter::from_fn(move || {
        loop {
            let line = lines.next()?;
            // The formatter begins and ends a module of a file at the edge.
            if in_tests {
                in_tests = line != "}";
            } else if line == "#[cfg(test)]" {
                while lines.next_if(|line| line.starts_with("#[")).is_some() {}
                match lines.peek() {
                    Some(&"mod tests;") => drop(lines.next()),
                    Some(&"mod tests {") => in_tests = true,
                    _ => return Some(line),
                }
            } else if !line.trim().is_empty() && !line.trim().starts_with("//") {
                return Some(line.trim());
            }
        }
    })
}

/// FNV-1a, whose values never change.
struct Fnv(u64);

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        // The length keeps neighbours apart.
        for &byte in (bytes.len() as u64).to_le_bytes().iter().chain(bytes) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
