//! Names the sources that decide how a game goes: what a match or a self-play run has begun is to be finished by the
//! same program, and the version alone does not tell one build from the next. The number depends on the code only, not
//! on comments, empty lines, the compiler or the machine.
#![allow(clippy::print_stdout)]

use std::io;
use std::path::{Path, PathBuf};

/// Files and folders below `src/` that decide how a game of this program goes.
const DECISIVE: [&str; 16] = [
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
    "arena/openings",
    "arena/player_kroon.rs",
    "train/selfplay.rs",
    "train/start.rs",
];

fn main() -> io::Result<()> {
    let sources = Path::new("src");
    let mut files = Vec::new();
    for name in DECISIVE {
        println!("cargo::rerun-if-changed=src/{name}");
        collect(&sources.join(name), &mut files)?;
    }
    files.sort();
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    for path in files {
        let bytes = std::fs::read(&path)?;
        hash.add(path.to_string_lossy().replace('\\', "/").as_bytes());
        if path.extension().is_some_and(|extension| extension == "rs") {
            let text = String::from_utf8_lossy(&bytes);
            let code = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
            code.for_each(|line| hash.add(line.as_bytes()));
        } else {
            hash.add(&bytes);
        }
    }
    println!("cargo::rustc-env=KROON_SOURCES={:016x}", hash.0);
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}

/// All files below a path.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    if !path.is_dir() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in std::fs::read_dir(path)? {
        collect(&entry?.path(), files)?;
    }
    Ok(())
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
