//! The file to which games are appended, each with one write that is on the disk before the next game begins.

use super::record::Record;
use crate::notation::pdn::{WriteOptions, date};
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};
use thiserror::Error;

/// Why games cannot be kept.
#[derive(Debug, Error)]
#[error("cannot append to \"{}\": {source}", path.display())]
pub struct ArchiveError {
    /// The file.
    pub path: PathBuf,
    /// What went wrong.
    pub source: io::Error,
}

/// A PDN file that grows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Archive {
    path: PathBuf,
}

impl Archive {
    /// Makes sure that the file can be written, and creates it if it does not exist.
    ///
    /// # Errors
    /// When it cannot.
    pub fn open(path: &Path) -> Result<Archive, ArchiveError> {
        let archive = Archive { path: path.to_owned() };
        archive.file().map_err(|source| archive.error(source))?;
        Ok(archive)
    }

    /// Where the games go.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends a game. It is written as a whole or not at all: what a full disk took of it is removed again.
    ///
    /// # Errors
    /// When the file cannot be written; other games in it are unharmed.
    pub fn append(&self, record: &Record) -> Result<(), ArchiveError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let text = record.pdn(&date(now.as_secs())).write(WriteOptions::default());
        self.write(&text).map_err(|source| self.error(source))
    }

    fn error(&self, source: io::Error) -> ArchiveError {
        ArchiveError { path: self.path.clone(), source }
    }

    fn file(&self) -> io::Result<File> {
        OpenOptions::new().read(true).create(true).append(true).open(&self.path)
    }

    fn write(&self, text: &str) -> io::Result<()> {
        let mut file = self.file()?;
        // A pipe or device has no length and no end to look at.
        if !file.metadata()?.is_file() {
            return file.write_all(text.as_bytes());
        }
        // Another program that writes to it waits: what is cut off below must not be its game.
        if let Err(error) = file.lock()
            && error.kind() != io::ErrorKind::Unsupported
        {
            return Err(error);
        }
        let length = file.seek(SeekFrom::End(0))?;
        let gap = gap(&mut file, length)?;
        let written = file.write_all(format!("{gap}{text}").as_bytes()).and_then(|()| file.sync_all());
        if written.is_err() {
            // Nothing more can be done if this fails too.
            let _ = file.set_len(length);
        }
        written
    }
}

/// What must stand before a new game, so that it does not begin in the last line of somebody else's.
fn gap(file: &mut File, length: u64) -> io::Result<&'static str> {
    let mut end = [b'\n'; 2];
    let known = length.min(2) as usize;
    file.seek(SeekFrom::End(-(known as i64)))?;
    file.read_exact(&mut end[2 - known..])?;
    Ok(match end {
        [b'\n', b'\n'] => "",
        [_, b'\n'] => "\n",
        _ => "\n\n",
    })
}
