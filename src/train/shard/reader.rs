//! Reads the games of a shard, up to its end or to damage.

use super::ShardError;
use super::frame::{FRAME, checksum, holds_a_game};
use crate::files::open_regular;
use crate::rules::VariantId;
use crate::train::origin::Origin;
use crate::train::record::{RecordError, SelfplayGame};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// A first line is shorter than this, in bytes: that of a file put together from many has a word on each.
const MOST_HEADER: u64 = 16 << 20;

/// Memory for the buffers of all files that are read at the same time, in bytes.
const BUFFERS: usize = 64 << 20;

/// Reads the games of a file one after another.
#[derive(Debug)]
pub struct ShardReader<R = BufReader<File>> {
    path: PathBuf,
    file: R,
    origin: Origin,
    variant: VariantId,
    game: u64,
    offset: u64,
    buffer: Vec<u8>,
}

impl ShardReader {
    /// Opens a file of games and reads its first line.
    ///
    /// # Errors
    /// When it cannot be read or is no file of games.
    pub fn open(path: &Path) -> Result<ShardReader, ShardError> {
        ShardReader::open_among(path, 1)
    }

    /// The same, for one of so many files that are open at the same time: their buffers share the memory.
    ///
    /// # Errors
    /// As [`ShardReader::open`].
    pub fn open_among(path: &Path, files: usize) -> Result<ShardReader, ShardError> {
        let io = |source| ShardError::Io { path: path.to_owned(), source };
        let buffer = (BUFFERS / files.max(1)).clamp(1 << 14, 1 << 20);
        ShardReader::new(path, BufReader::with_capacity(buffer, open_regular(path).map_err(io)?))
    }
}

impl<R: BufRead> ShardReader<R> {
    /// Reads the first line of such a file from anywhere; `path` is its name in errors.
    ///
    /// # Errors
    /// As [`ShardReader::open`].
    pub fn new(path: &Path, mut file: R) -> Result<ShardReader<R>, ShardError> {
        let io = |source| ShardError::Io { path: path.to_owned(), source };
        let mut line = Vec::new();
        Read::by_ref(&mut file).take(MOST_HEADER).read_until(b'\n', &mut line).map_err(io)?;
        let fault = || {
            let text = String::from_utf8_lossy(&line[..line.len().min(200)]);
            ShardError::Header { path: path.to_owned(), found: crate::notation::quote(&text) }
        };
        let origin = Origin::from_line(&line).ok_or_else(fault)?;
        let variant = origin.variant().parse().map_err(|_| fault())?;
        let offset = line.len() as u64;
        Ok(ShardReader { path: path.to_owned(), file, origin, variant, game: 0, offset, buffer: Vec::new() })
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where the games come from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Games read so far.
    pub fn games(&self) -> u64 {
        self.game
    }

    /// Their variant.
    pub fn variant(&self) -> VariantId {
        self.variant
    }

    /// Where the next game begins, in bytes: after the last whole game, the length that the file should have.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The next game; none at the end, whole or torn.
    ///
    /// # Errors
    /// As [`ShardReader::next_payload`], and when it is no game.
    pub fn next_game(&mut self) -> Result<Option<SelfplayGame>, ShardError> {
        let (game, offset) = (self.game, self.offset);
        let variant = self.variant;
        let decoded = self.next_payload()?.map(|payload| SelfplayGame::decode(variant, payload));
        decoded.transpose().map_err(|error: RecordError| {
            // It does not count as read.
            (self.game, self.offset) = (game, offset);
            self.damaged(error.to_string())
        })
    }

    /// The bytes of the next game, as [`SelfplayGame::encode`] made them; none at the end, whole or torn. Nobody appends to a
    /// file put together from many, so that one must have the games that its first line names.
    ///
    /// # Errors
    /// When it cannot be read, its checksum is wrong, or a file put together from many has other games than it says.
    pub fn next_payload(&mut self) -> Result<Option<&[u8]>, ShardError> {
        let is_there = self.read_payload()?;
        if let Origin::Set(set) = &self.origin {
            let (found, said) = (self.game, set.games());
            if found > said || !is_there && found < said {
                let fault = if found > said {
                    format!("more games than the {said} of the first line")
                } else {
                    format!("the end after {found} games, the first line says {said}: the file was cut off")
                };
                return Err(self.damaged(fault));
            }
        }
        Ok(is_there.then_some(&*self.buffer))
    }

    /// Reads the next game into the buffer; false at the end.
    fn read_payload(&mut self) -> Result<bool, ShardError> {
        let mut frame = [0; FRAME as usize];
        if !self.fill(&mut frame)? {
            return Ok(false);
        }
        let [a, b, sum @ ..] = frame;
        let length = usize::from(u16::from_le_bytes([a, b]));
        self.buffer.clear();
        let io = |source| ShardError::Io { path: self.path.clone(), source };
        Read::by_ref(&mut self.file).take(length as u64).read_to_end(&mut self.buffer).map_err(io)?;
        if self.buffer.len() < length {
            if holds_a_game(&self.buffer) {
                return Err(self.damaged("its length is wrong, for whole games follow".to_owned()));
            }
            return Ok(false);
        }
        if checksum(&self.buffer) != u32::from_le_bytes(sum) {
            if self.ends_in_zeros(&frame)? {
                return Ok(false);
            }
            return Err(self.damaged("its checksum is wrong".to_owned()));
        }
        self.game += 1;
        self.offset += FRAME + length as u64;
        Ok(true)
    }

    /// Whether a damaged frame and all that follows are zeros from some place on, as many as a frame begins with at least.
    fn ends_in_zeros(&mut self, frame: &[u8]) -> Result<bool, ShardError> {
        let read = [frame, &self.buffer].concat();
        let mut zeros = read.iter().rev().take_while(|&&byte| byte == 0).count();
        loop {
            let io = |source| ShardError::Io { path: self.path.clone(), source };
            let more = self.file.fill_buf().map_err(io)?;
            if more.is_empty() {
                return Ok(zeros >= FRAME as usize);
            }
            if more.iter().any(|&byte| byte != 0) {
                return Ok(false);
            }
            zeros += more.len();
            let length = more.len();
            self.file.consume(length);
        }
    }

    fn damaged(&self, fault: String) -> ShardError {
        ShardError::Damaged { path: self.path.clone(), game: self.game, offset: self.offset, fault }
    }

    /// Whether the file had as many bytes.
    fn fill(&mut self, bytes: &mut [u8]) -> Result<bool, ShardError> {
        match self.file.read_exact(bytes) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
            Err(source) => Err(ShardError::Io { path: self.path.clone(), source }),
        }
    }
}
