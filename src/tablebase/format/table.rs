//! Reads a table: single values by index, or block by block.

use super::bits::BitReader;
use super::dictionary::Dictionary;
use super::head::{BLOCKS_PER_PAGE, CHECKSUM, Head, PAGE_SIZE};
use super::{FormatError, TableName};
use crate::files::open_regular;
use std::borrow::Cow;
use std::path::Path;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use xxhash_rust::xxh3::xxh3_64;

/// No damaged page has been met.
const SOUND: u32 = u32::MAX;

/// Where the bytes are.
enum Bytes {
    Mapped(memmap2::Mmap),
    Held(Cow<'static, [u8]>),
}

impl Bytes {
    #[inline(always)]
    fn get(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Held(bytes) => bytes,
        }
    }
}

/// An open table. Any number of threads may ask it at once.
pub struct Table {
    bytes: Bytes,
    head: Head,
    checksum: u64,
    dictionary: Dictionary,
    width: u32,
    log: u32,
    pages: Vec<Page>,
    /// Where the blocks begin in the file.
    data: usize,
    /// A bit for each page whose checksum has been looked at.
    checked: Vec<AtomicU64>,
    /// The first damaged page that was met.
    damaged: AtomicU32,
}

/// A page in the directory.
struct Page {
    start: u32,
    checksum: u32,
    offsets: [u16; BLOCKS_PER_PAGE],
}

impl Table {
    /// Opens a table's file and maps it into memory. The checksum of the directory is looked at now, that of the
    /// blocks when they are first needed, or all by [`Table::check`].
    ///
    /// The file must not change while it is open. Nobody changes it in place: tables are written beside their place and
    /// renamed.
    ///
    /// # Errors
    /// If the file cannot be read or is no sound table.
    pub fn open(path: &Path) -> Result<Table, FormatError> {
        let file = open_regular(path).map_err(|error| FormatError::io(path, error))?;
        // SAFETY: the mapping is read-only; a file that is cut off by another program while it is mapped would end this
        // one, as with every mapped file.
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(|error| FormatError::io(path, error))?;
        Table::new(Bytes::Mapped(map))
    }

    /// A table in memory, as [`super::encode`] makes it.
    ///
    /// # Errors
    /// If it is no sound table.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Table, FormatError> {
        Table::new(Bytes::Held(bytes.into()))
    }

    fn new(bytes: Bytes) -> Result<Table, FormatError> {
        let all = bytes.get();
        let head = Head::read(all)?;
        if head.file_size() != Some(all.len() as u64) {
            return Err(FormatError::Size { found: all.len() as u64, expected: head.file_size() });
        }
        let data = all.len() - head.data as usize;
        let (front, checksum) = all[..data].split_at(data - CHECKSUM);
        let found = xxh3_64(front);
        if found.to_le_bytes() != *checksum {
            return Err(FormatError::Directory);
        }
        let (symbols, runs) = (head.symbols as usize, head.runs as usize);
        let directory = head.directory();
        let dictionary =
            Dictionary::read(&front[super::head::SIZE..directory], symbols, runs, head.block as usize)?;
        let pages: Vec<Page> = front[directory..].chunks_exact(PAGE_SIZE).map(Page::read).collect();
        let mut end = 0;
        for (at, page) in pages.iter().enumerate() {
            // Blocks may be empty, but never begin before the one ahead of them, or beyond the data.
            let blocks = (head.blocks() as usize - at * BLOCKS_PER_PAGE).min(BLOCKS_PER_PAGE);
            let is_ordered = page.offsets[..blocks].is_sorted() && page.offsets[0] == 0;
            let last = u64::from(page.start) + u64::from(page.offsets[blocks - 1]);
            if u64::from(page.start) < end || !is_ordered || last > head.data {
                return Err(FormatError::Directory);
            }
            end = last;
        }
        let checked = (0..pages.len().div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Ok(Table {
            width: dictionary.width(),
            log: head.block.ilog2(),
            damaged: AtomicU32::new(SOUND),
            bytes,
            head,
            checksum: found,
            dictionary,
            pages,
            data,
            checked,
        })
    }

    /// What table it is.
    pub fn name(&self) -> &TableName {
        &self.head.name
    }

    /// How many values it has.
    pub fn count(&self) -> u64 {
        self.head.values
    }

    /// Bytes of the whole table.
    pub fn size(&self) -> u64 {
        self.bytes.get().len() as u64
    }

    /// The checksum of its front: the head, the dictionary and the directory, which has the checksums of all blocks. Other
    /// values have another one.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// The value at an index. None where there is no such index, or where its page is damaged: [`Table::fault`] tells.
    #[inline]
    pub fn get(&self, index: u64) -> Option<u8> {
        if index >= self.head.values {
            return None;
        }
        let mut place = (index & (u64::from(self.head.block) - 1)) as usize;
        let mut reader = BitReader::new(self.block_bytes((index >> self.log) as usize)?);
        loop {
            let symbol = reader.next(self.width)?;
            let length = self.dictionary.length(symbol)?;
            if place < length {
                return Some(self.dictionary.value(symbol, place));
            }
            place -= length;
        }
    }

    /// The values of a block; `values` is emptied first. Blocks are numbered from 0, the last may be shorter.
    ///
    /// # Errors
    /// If the block is damaged, or does not exist.
    pub fn block(&self, block: u64, values: &mut Vec<u8>) -> Result<(), FormatError> {
        values.clear();
        let fault = FormatError::Block { block };
        if block >= self.head.blocks() {
            return Err(fault);
        }
        let size = u64::from(self.head.block);
        let length = (self.head.values - block * size).min(size) as usize;
        let Some(bytes) = self.block_bytes(block as usize) else { return Err(fault) };
        let mut reader = BitReader::new(bytes);
        while values.len() < length {
            let symbol = reader.next(self.width).filter(|&symbol| self.dictionary.length(symbol).is_some());
            let Some(symbol) = symbol else { return Err(fault) };
            self.dictionary.expand(symbol, values);
        }
        if values.len() > length { Err(fault) } else { Ok(()) }
    }

    /// Bytes of all blocks.
    #[cfg(test)]
    pub(super) fn head_data(&self) -> usize {
        self.head.data as usize
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u64 {
        self.head.blocks()
    }

    /// Decodes everything.
    ///
    /// # Errors
    /// The first fault.
    pub fn check(&self) -> Result<(), FormatError> {
        let mut values = Vec::new();
        (0..self.blocks()).try_for_each(|block| self.block(block, &mut values))
    }

    /// The first damage that somebody has met since the table was opened.
    pub fn fault(&self) -> Option<FormatError> {
        let page = self.damaged.load(Relaxed);
        let block = u64::from(page) * BLOCKS_PER_PAGE as u64;
        (page != SOUND).then_some(FormatError::Block { block })
    }

    /// The bytes of a block, if the checksum of its page is right.
    #[inline(always)]
    fn block_bytes(&self, block: usize) -> Option<&[u8]> {
        let (at, offset) = (block / BLOCKS_PER_PAGE, block % BLOCKS_PER_PAGE);
        let page = &self.pages[at];
        if self.checked[at / 64].load(Relaxed) >> (at % 64) & 1 == 0 && !self.check_page(at) {
            return None;
        }
        let data = &self.bytes.get()[self.data..];
        data.get(page.start as usize + usize::from(page.offsets[offset])..)
    }

    /// Looks at the checksum of a page, and remembers that it is right.
    #[cold]
    fn check_page(&self, at: usize) -> bool {
        let data = &self.bytes.get()[self.data..];
        let end = self.pages.get(at + 1).map_or(data.len(), |next| next.start as usize);
        let page = &self.pages[at];
        let is_sound =
            data.get(page.start as usize..end).is_some_and(|bytes| xxh3_64(bytes) as u32 == page.checksum);
        if is_sound {
            self.checked[at / 64].fetch_or(1 << (at % 64), Relaxed);
        } else {
            // The first one is what is told.
            let _ = self.damaged.compare_exchange(SOUND, at as u32, Relaxed, Relaxed);
        }
        is_sound
    }
}

impl Page {
    /// From the bytes of the directory.
    fn read(bytes: &[u8]) -> Page {
        let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let mut offsets = [0; BLOCKS_PER_PAGE];
        for (offset, bytes) in offsets.iter_mut().zip(bytes[8..].chunks(2)) {
            *offset = u16::from_le_bytes([bytes[0], bytes[1]]);
        }
        Page { start: number(0), checksum: number(4), offsets }
    }
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Table").field("name", self.name()).field("count", &self.count()).finish()
    }
}
