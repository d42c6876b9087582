//! The head of a table's file: 64 bytes of what the table is and how large its parts are. All numbers are little-endian.

use super::dictionary::{Dictionary, MOST_WIDTH};
use super::{FormatError, Kind, TableName};
use crate::tablebase::Material;

/// Every table begins with this.
pub(in crate::tablebase) const MAGIC: [u8; 8] = *b"KROONTBL";
/// Version of the format and of the order of positions in it.
const VERSION: u16 = 1;
/// Bytes of the head.
pub(super) const SIZE: usize = 64;
/// Blocks that have one checksum.
pub(super) const BLOCKS_PER_PAGE: usize = 16;
/// Bytes of a page in the directory: start in the data, checksum, start of each block in the page.
pub(super) const PAGE_SIZE: usize = 8 + 2 * BLOCKS_PER_PAGE;
/// Bytes of the checksum over head, dictionary and directory.
pub(super) const CHECKSUM: usize = 8;
/// Bytes of a variant's name.
const NAME: usize = 24;

/// What stands in the first 64 bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Head {
    pub name: TableName,
    pub values: u64,
    /// Values of a block, a power of two.
    pub block: u32,
    pub symbols: u32,
    pub runs: u32,
    /// Bytes of all blocks.
    pub data: u64,
}

impl Head {
    /// The bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(SIZE);
        bytes.extend(MAGIC);
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(self.name.kind as u8);
        bytes.push(self.block.ilog2() as u8);
        let Material { men, kings } = self.name.material;
        bytes.extend(men);
        bytes.extend(kings);
        let mut name = [0; NAME];
        let variant = self.name.variant.name().as_bytes();
        name[..variant.len()].copy_from_slice(variant);
        bytes.extend(name);
        bytes.extend(self.values.to_le_bytes());
        bytes.extend(self.data.to_le_bytes());
        bytes.extend((self.symbols as u16).to_le_bytes());
        bytes.extend((self.runs as u16).to_le_bytes());
        bytes.extend([0; 4]);
        bytes
    }

    /// Reads the head and checks that all of it is possible.
    ///
    /// # Errors
    /// If it is no table, of another version, or says what cannot be.
    pub fn read(bytes: &[u8]) -> Result<Head, FormatError> {
        let Some(bytes) = bytes.first_chunk::<SIZE>().filter(|bytes| bytes.starts_with(&MAGIC)) else {
            return Err(FormatError::NoTable);
        };
        let number = |at: usize, length: usize| {
            bytes[at..at + length].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
        };
        if number(8, 2) != u64::from(VERSION) {
            return Err(FormatError::Version { found: number(8, 2) as u16, known: VERSION });
        }
        let kind = match bytes[10] {
            0 => Kind::Outcome,
            1 => Kind::Distance,
            _ => return Err(FormatError::Head { what: "kind", value: bytes[10].into() }),
        };
        let log = bytes[11];
        if !(6..=15).contains(&log) {
            return Err(FormatError::Head { what: "block", value: log.into() });
        }
        let text = String::from_utf8_lossy(&bytes[16..16 + NAME]);
        let text = text.trim_end_matches('\0');
        let variant = text.parse().map_err(|_| FormatError::Variant { name: text.to_owned() })?;
        let material = Material { men: [bytes[12], bytes[13]], kings: [bytes[14], bytes[15]] };
        // The counts index arrays of binomials.
        let pieces = material.men.iter().chain(&material.kings).map(|&count| u64::from(count)).sum();
        if pieces > Material::MOST_PIECES.into() || (0..2).any(|side| material.side(side) == 0) {
            return Err(FormatError::Head { what: "pieces", value: pieces });
        }
        let name = TableName { variant, kind, material };
        let (symbols, runs) = (number(56, 2) as u32, number(58, 2) as u32);
        if symbols == 0 || symbols > 1 << MOST_WIDTH || runs == 0 || runs > symbols {
            return Err(FormatError::Head { what: "symbols", value: symbols.into() });
        }
        Ok(Head { name, values: number(40, 8), block: 1 << log, symbols, runs, data: number(48, 8) })
    }

    pub fn blocks(&self) -> u64 {
        self.values.div_ceil(self.block.into())
    }

    pub fn pages(&self) -> u64 {
        self.blocks().div_ceil(BLOCKS_PER_PAGE as u64)
    }

    /// Where the directory begins.
    pub fn directory(&self) -> usize {
        SIZE + Dictionary::size(self.symbols as usize, self.runs as usize)
    }

    /// Bytes of the whole file, or `None` where no file is that large.
    pub fn file_size(&self) -> Option<u64> {
        let directory = self.pages().checked_mul(PAGE_SIZE as u64)?;
        directory.checked_add((self.directory() + CHECKSUM) as u64)?.checked_add(self.data)
    }
}
