//! The book's file: a head, entries of one size in the order of their keys, a checksum. `protocol-docs/book.md` describes
//! it byte by byte.

use super::error::BookError;
use super::{Entry, Games};
use crate::files::{open_regular, write_whole};
use crate::rules::VariantId;
use crate::score::Score;
use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

/// Every book begins with this.
const MAGIC: [u8; 8] = *b"KROONBOK";
/// Version of the format, and of the keys in it.
const VERSION: u16 = 1;
/// Bytes of the head.
const HEAD: usize = 64;
/// Bytes of a variant's name.
const NAME: usize = 24;
/// Bytes of the checksum at the end.
const CHECKSUM: usize = 8;
/// Flags: entries have values; entries have games.
const VALUES: u8 = 1;
const GAMES: u8 = 2;
/// Bytes of a key, of a value and its depth, of games.
const KEY_SIZE: usize = 8;
const VALUE_SIZE: usize = 3;
const GAMES_SIZE: usize = 14;
/// Stands for no value.
const NO_VALUE: i16 = i16::MIN;

/// What a book says of itself.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookHead {
    /// The rules.
    pub variant: VariantId,
    /// Whether positions have values.
    pub has_values: bool,
    /// Whether positions have games.
    pub has_games: bool,
    /// Nodes of the search behind each value; 0 without values.
    pub nodes: u64,
}

impl BookHead {
    fn write(&self) -> [u8; HEAD] {
        let mut bytes = [0; HEAD];
        bytes[..8].copy_from_slice(&MAGIC);
        bytes[8..10].copy_from_slice(&VERSION.to_le_bytes());
        bytes[10] = if self.has_values { VALUES } else { 0 } | if self.has_games { GAMES } else { 0 };
        bytes[11] = self.entry_size() as u8;
        let name = self.variant.name().as_bytes();
        bytes[16..16 + name.len()].copy_from_slice(name);
        bytes[40..48].copy_from_slice(&self.nodes.to_le_bytes());
        bytes
    }

    fn read(bytes: &[u8]) -> Result<BookHead, BookError> {
        let Some(bytes) = bytes.first_chunk::<HEAD>().filter(|bytes| bytes.starts_with(&MAGIC)) else {
            return Err(BookError::NoBook);
        };
        let found = u16::from_le_bytes([bytes[8], bytes[9]]);
        if found != VERSION {
            return Err(BookError::Version { found, known: VERSION });
        }
        let text = String::from_utf8_lossy(&bytes[16..16 + NAME]);
        let text = text.trim_end_matches('\0');
        let variant = text.parse().map_err(|_| BookError::Variant { name: text.to_owned() })?;
        if bytes[10] & !(VALUES | GAMES) != 0 {
            return Err(BookError::Head { what: "flags", value: bytes[10].into() });
        }
        let head = BookHead {
            variant,
            has_values: bytes[10] & VALUES != 0,
            has_games: bytes[10] & GAMES != 0,
            nodes: word(&bytes[40..]),
        };
        if usize::from(bytes[11]) != head.entry_size() {
            return Err(BookError::Head { what: "size of an entry", value: bytes[11].into() });
        }
        Ok(head)
    }

    const fn entry_size(&self) -> usize {
        KEY_SIZE + if self.has_values { VALUE_SIZE } else { 0 } + if self.has_games { GAMES_SIZE } else { 0 }
    }
}

/// The first 8 bytes as a number. There are 8.
fn word(bytes: &[u8]) -> u64 {
    bytes[..8].iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}

/// Where the bytes are.
enum Bytes {
    Mapped(memmap2::Mmap),
    Held(Cow<'static, [u8]>),
}

impl Bytes {
    fn get(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Held(bytes) => bytes,
        }
    }
}

/// An open book. Any number of threads may ask it at once.
pub struct Book {
    bytes: Bytes,
    head: BookHead,
}

impl Book {
    /// Opens a book's file, maps it into memory and looks at its checksum.
    ///
    /// The file must not change while it is open. Nobody changes it in place: books are written beside their place and
    /// renamed.
    ///
    /// # Errors
    /// If the file cannot be read or is no sound book.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        let file = open_regular(path).map_err(|error| BookError::io(path, error))?;
        // SAFETY: the mapping is read-only; a file that is cut off by another program while it is mapped would end this
        // one, as with every mapped file.
        let map = unsafe { memmap2::Mmap::map(&file) }.map_err(|error| BookError::io(path, error))?;
        Book::new(Bytes::Mapped(map)).map_err(|fault| fault.of(path))
    }

    /// A book in memory.
    ///
    /// # Errors
    /// If it is no sound book.
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Book, BookError> {
        Book::new(Bytes::Held(bytes.into()))
    }

    /// A book without positions.
    pub fn empty(variant: VariantId) -> Book {
        let head = BookHead { variant, has_values: false, has_games: false, nodes: 0 };
        Book { bytes: Bytes::Held(Cow::Owned(vec![0; HEAD + CHECKSUM])), head }
    }

    fn new(bytes: Bytes) -> Result<Book, BookError> {
        let all = bytes.get();
        let head = BookHead::read(all)?;
        let entries = all.len().checked_sub(HEAD + CHECKSUM);
        if entries.is_none_or(|length| length % head.entry_size() != 0) {
            return Err(BookError::Size { found: all.len() as u64 });
        }
        let (front, checksum) = all.split_at(all.len() - CHECKSUM);
        if xxh3_64(front).to_le_bytes() != *checksum {
            return Err(BookError::Checksum);
        }
        Ok(Book { bytes, head })
    }

    /// What the book says of itself.
    pub fn head(&self) -> &BookHead {
        &self.head
    }

    /// The checksum over all of it, which is its last eight bytes.
    pub fn checksum(&self) -> u64 {
        self.bytes.get().last_chunk().copied().map_or(0, u64::from_le_bytes)
    }

    /// The rules.
    pub fn variant(&self) -> VariantId {
        self.head.variant
    }

    /// How many positions it has.
    pub fn len(&self) -> usize {
        (self.bytes.get().len() - HEAD - CHECKSUM) / self.head.entry_size()
    }

    /// Whether it has no positions.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The entry with this key.
    pub fn get(&self, key: u64) -> Option<Entry> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.key_at(middle) {
                found if found == key => return Some(self.entry(middle)),
                found if found < key => low = middle + 1,
                _ => high = middle,
            }
        }
        None
    }

    /// All entries, by key.
    pub fn entries(&self) -> impl Iterator<Item = Entry> + '_ {
        (0..self.len()).map(|at| self.entry(at))
    }

    /// Whether every entry is where it is found.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), BookError> {
        match (1..self.len()).find(|&at| self.key_at(at - 1) >= self.key_at(at)) {
            Some(at) => Err(BookError::Order { entry: at as u64 }),
            None => Ok(()),
        }
    }

    /// The bytes of an entry that there is.
    fn row(&self, at: usize) -> &[u8] {
        let size = self.head.entry_size();
        &self.bytes.get()[HEAD + at * size..][..size]
    }

    fn key_at(&self, at: usize) -> u64 {
        word(self.row(at))
    }

    fn entry(&self, at: usize) -> Entry {
        let mut entry = Entry { key: self.key_at(at), ..Entry::default() };
        let mut rest = &self.row(at)[KEY_SIZE..];
        if self.head.has_values {
            let value = i16::from_le_bytes([rest[0], rest[1]]);
            let limit = Score::INFINITE.centi();
            // Damage that the checksum does not show may be any number.
            entry.value =
                (value != NO_VALUE).then(|| Score::from_centi(i32::from(value).clamp(1 - limit, limit - 1)));
            entry.depth = rest[2];
            rest = &rest[VALUE_SIZE..];
        }
        if self.head.has_games {
            let number = |at: usize| u32::from_le_bytes([rest[at], rest[at + 1], rest[at + 2], rest[at + 3]]);
            let rating = u16::from_le_bytes([rest[12], rest[13]]);
            entry.games = Games {
                wins: number(0),
                draws: number(4),
                losses: number(8),
                rating: (rating > 0).then_some(rating),
            };
        }
        entry
    }
}

impl std::fmt::Debug for Book {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Book").field("head", &self.head).field("len", &self.len()).finish()
    }
}

fn write_entry(head: &BookHead, entry: &Entry, out: &mut impl Write) -> io::Result<()> {
    out.write_all(&entry.key.to_le_bytes())?;
    if head.has_values {
        let value = entry.value.map_or(NO_VALUE, |value| value.centi() as i16);
        out.write_all(&value.to_le_bytes())?;
        out.write_all(&[entry.depth])?;
    }
    if head.has_games {
        let Games { wins, draws, losses, rating } = entry.games;
        for number in [wins, draws, losses] {
            out.write_all(&number.to_le_bytes())?;
        }
        out.write_all(&rating.unwrap_or(0).to_le_bytes())?;
    }
    Ok(())
}

/// Passes bytes on and hashes them.
struct Hashed<'a> {
    out: &'a mut dyn Write,
    hash: Xxh3Default,
}

impl Write for Hashed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a book. The entries come in the order of their keys, each key once; [`Book::check`] tells if they did not.
///
/// # Errors
/// Those of `out` and of the entries.
pub fn write(
    head: &BookHead,
    entries: impl IntoIterator<Item = io::Result<Entry>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let mut hashed = Hashed { out, hash: Xxh3Default::new() };
    hashed.write_all(&head.write())?;
    for entry in entries {
        write_entry(head, &entry?, &mut hashed)?;
    }
    let checksum = hashed.hash.digest();
    out.write_all(&checksum.to_le_bytes())
}

/// Writes a book's file, as [`write()`] does; an old one is replaced when all is written.
///
/// # Errors
/// If the file cannot be written.
pub fn write_file(
    path: &Path,
    head: &BookHead,
    entries: impl IntoIterator<Item = io::Result<Entry>>,
) -> Result<(), BookError> {
    write_whole(path, |out| write(head, entries, out)).map_err(|error| BookError::io(path, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(has_values: bool, has_games: bool) -> BookHead {
        BookHead { variant: VariantId::Russian, has_values, has_games, nodes: 1234 }
    }

    fn bytes(head: &BookHead, entries: &[Entry]) -> Vec<u8> {
        let mut out = Vec::new();
        write(head, entries.iter().map(|&entry| Ok(entry)), &mut out).unwrap();
        out
    }

    fn some() -> Vec<Entry> {
        let games = Games { wins: 1, draws: 70_000, losses: 3, rating: Some(2400) };
        vec![
            Entry { key: 3, value: Some(Score::from_centi(-17)), depth: 4, games },
            Entry { key: 1 << 40, value: None, depth: 0, games: Games::default() },
            Entry { key: u64::MAX, value: Some(Score::win_in(3)), depth: 255, games },
        ]
    }

    #[test]
    fn what_is_written_is_read() {
        for (values, games) in [(true, true), (true, false), (false, true)] {
            let head = head(values, games);
            let bytes = bytes(&head, &some());
            assert_eq!(bytes.len(), 64 + 3 * head.entry_size() + 8);
            let book = Book::from_bytes(bytes).unwrap();
            book.check().unwrap();
            assert_eq!((book.head(), book.len()), (&head, 3));
            for entry in some() {
                let kept = Entry {
                    key: entry.key,
                    value: entry.value.filter(|_| values),
                    depth: if values { entry.depth } else { 0 },
                    games: if games { entry.games } else { Games::default() },
                };
                assert_eq!(book.get(entry.key), Some(kept));
                assert_eq!(book.get(entry.key ^ 1), None);
            }
        }
        assert!(Book::from_bytes(bytes(&head(true, false), &[])).unwrap().is_empty());
        assert_eq!(Book::empty(VariantId::English).get(0), None);
    }

    #[test]
    fn every_changed_bit_and_every_cut_is_a_fault() {
        let sound = bytes(&head(true, true), &some());
        for at in 0..sound.len() * 8 {
            let mut damaged = sound.clone();
            damaged[at / 8] ^= 1 << (at % 8);
            assert!(Book::from_bytes(damaged).is_err(), "bit {at}");
        }
        for length in 0..sound.len() {
            assert!(Book::from_bytes(sound[..length].to_vec()).is_err(), "{length} bytes");
        }
    }

    #[test]
    fn faults_have_names() {
        let fault = |change: &dyn Fn(&mut Vec<u8>)| {
            let mut bytes = bytes(&head(true, false), &some());
            change(&mut bytes);
            let end = bytes.len() - CHECKSUM;
            let checksum = xxh3_64(&bytes[..end]).to_le_bytes();
            bytes[end..].copy_from_slice(&checksum);
            let book = Book::from_bytes(bytes);
            book.and_then(|book| book.check()).unwrap_err().to_string()
        };
        assert_eq!(fault(&|bytes| bytes[0] = b'X'), "no opening book of Kroon");
        assert!(fault(&|bytes| bytes[8] = 9).starts_with("version 9 of the format"));
        assert_eq!(fault(&|bytes| bytes[10] = 64), "the head says flags 64, which no book has");
        assert_eq!(fault(&|bytes| bytes[11] = 7), "the head says size of an entry 7, which no book has");
        assert_eq!(fault(&|bytes| bytes[16] = b'x'), "unknown variant \"xussian\"");
        assert!(fault(&|bytes| bytes.push(0)).starts_with("106 bytes are no whole number"));
        assert_eq!(fault(&|bytes| bytes[64 + 7] = 0xff), "entry 1 is out of order");
    }
}
