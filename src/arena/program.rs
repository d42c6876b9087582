//! Which program an engine is: a match that goes on must go on with the same ones.

use super::spec::EngineSpec;
use crate::notation::text::quote;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::Xxh3;

/// Bytes read at once.
const BLOCK: usize = 1 << 20;

/// The program of an engine in a process of its own, as far as it can be known: the checksum (XXH3) of its executable
/// and of every file that its command names. What these read in their turn, such as weights beside them, is not seen.
/// Empty for an engine that is only connected to.
pub fn of_command(spec: &EngineSpec) -> String {
    let here = spec.folder.as_deref().unwrap_or(Path::new(""));
    let mut words = Vec::new();
    for (index, word) in spec.command.iter().enumerate() {
        let file = if index == 0 { executable(word, here) } else { Some(here.join(word)) };
        let Some(file) = file.filter(|file| file.is_file()) else { continue };
        let sum = checksum(&file).map_or_else(|error| error.to_string(), |sum| format!("{sum:016x}"));
        words.push(format!("{} {sum}", quote(word)));
    }
    words.join(", ")
}

/// The file that a command starts: one with a path, or the first of that name where the system looks for programs.
pub fn executable(word: &str, here: &Path) -> Option<PathBuf> {
    if Path::new(word).components().count() > 1 {
        return Some(here.join(word));
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let name = |folder: PathBuf, suffix: &str| {
        let mut name = OsStr::new(word).to_owned();
        name.push(suffix);
        folder.join(name)
    };
    std::env::split_paths(&folders)
        .flat_map(|folder| ["", std::env::consts::EXE_SUFFIX].map(|suffix| name(folder.clone(), suffix)))
        .find(|path| path.is_file())
}

fn checksum(path: &Path) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut hash = Xxh3::new();
    let mut block = vec![0; BLOCK];
    loop {
        match file.read(&mut block)? {
            0 => return Ok(hash.digest()),
            read => hash.update(&block[..read]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_file_of_the_same_name_is_another_program() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("an engine");
        let spec = |text: &str| of_command(&text.parse().unwrap());
        let command = format!("cmd=\"'{}' hub\"", file.display());
        assert_eq!(spec(&command), "", "there is none");
        std::fs::write(&file, "one").unwrap();
        let one = spec(&command);
        assert!(one.contains("an engine"), "{one}");
        assert_eq!(spec(&command), one);
        // A script that an interpreter runs, in the engine's own folder.
        let mut script: EngineSpec = "cmd=\"no-such-program 'an engine'\"".parse().unwrap();
        script.folder = Some(folder.path().to_owned());
        assert_eq!(of_command(&script), format!("\"an engine\"{}", &one[one.rfind(' ').unwrap()..]));
        std::fs::write(&file, "two").unwrap();
        assert_ne!(spec(&command), one);
        assert_eq!(spec("proto=dxp address=localhost:27531"), "");
    }
}
