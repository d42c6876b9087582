//! Creates a shard and appends games to it.

use super::{ShardError, ShardHeader, ShardReader, frame};
use crate::files::{open_to_write, sync_folder, try_lock, write_whole};
use crate::train::origin::Origin;
use crate::train::record::SelfplayGame;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Appends games to a shard. While it is open no other can be, so that two runs never write over each other (on Unix,
/// where the file system has locks).
#[derive(Debug)]
pub struct ShardWriter {
    path: PathBuf,
    file: File,
    games: u64,
}

impl ShardWriter {
    /// Creates a shard in `folder`, or goes on with the one that is there: what follows the last whole game is cut
    /// off.
    ///
    /// # Errors
    /// When it cannot be written, is damaged, in use, or was made in another way.
    pub fn open(folder: &Path, header: &ShardHeader) -> Result<ShardWriter, ShardError> {
        let path = folder.join(header.file_name());
        let io = |source| ShardError::Io { path: path.clone(), source };
        let mut line = serde_json::to_vec(header).map_err(|error| io(error.into()))?;
        line.push(b'\n');
        if !path.exists() {
            create(&path, &line).map_err(io)?;
        }
        let mut file = open_to_write(&path).map_err(io)?;
        if !lock(&file).map_err(io)? {
            return Err(ShardError::InUse(path));
        }
        if is_unwritten(&mut file, &line).map_err(io)? {
            file.set_len(0).and_then(|()| file.rewind()).and_then(|()| file.write_all(&line)).map_err(io)?;
        }
        let mut reader = ShardReader::open(&path)?;
        if *reader.origin() != Origin::Run(header.clone()) {
            let text = |header: &ShardHeader| serde_json::to_string(header).unwrap_or_default();
            let found = match reader.origin() {
                Origin::Run(found) => text(found),
                Origin::Set(set) => format!("{} runs", set.parts.len()),
            };
            return Err(ShardError::Other { found, wanted: text(header), path });
        }
        let mut games = 0;
        while reader.next_game()?.is_some() {
            games += 1;
        }
        file.set_len(reader.offset()).map_err(io)?;
        file.seek(SeekFrom::End(0)).map_err(io)?;
        Ok(ShardWriter { path: path.clone(), file, games })
    }

    /// Games in the file.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Appends a game; when this returns, the system has it, and the next run counts it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn append(&mut self, record: &SelfplayGame) -> Result<(), ShardError> {
        let written = frame(&record.encode()).and_then(|frame| self.file.write_all(&frame));
        written.map_err(|source| ShardError::Io { path: self.path.clone(), source })?;
        self.games += 1;
        Ok(())
    }
}

/// Keeps other runs off, as long as the file is open. False: another run was first.
pub(in crate::train) fn lock(file: &File) -> io::Result<bool> {
    // Elsewhere a lock keeps readers off, too, and our own is one.
    if !cfg!(unix) {
        return Ok(true);
    }
    try_lock(file)
}

/// Whether a file has nothing but a part of its first line, or zeros in the place of it: the computer stopped before more was on
/// the disk.
fn is_unwritten(file: &mut File, line: &[u8]) -> io::Result<bool> {
    let mut found = Vec::new();
    Read::by_ref(file).take(line.len() as u64).read_to_end(&mut found)?;
    let written = found.iter().zip(line).take_while(|(found, byte)| found == byte).count();
    Ok(written < line.len() && found[written..].iter().all(|&byte| byte == 0))
}

/// Creates a file with its first line, whole from the first moment on. If another run is first it is that run's file: both
/// must have the same one, so it may not be renamed over.
pub(super) fn create(path: &Path, line: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    write_whole(&temporary, |out| out.write_all(line))?;
    let linked = fs::hard_link(&temporary, path);
    let created = match linked {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        // A file system without links.
        Err(_) => fs::rename(&temporary, path),
        Ok(()) => Ok(()),
    };
    // It is gone already where it was renamed.
    let _ = fs::remove_file(&temporary);
    sync_folder(path);
    created
}
