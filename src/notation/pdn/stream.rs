//! Reads the games of a file of any size one by one, in bounded memory.

use super::decode::decode_onto;
use super::kind::is_pdn;
use super::reader::PdnReader;
use super::tree::{PdnGame, TextPlace};
use super::{PdnError, PdnFault};
use std::io::{self, Read};

/// Bytes that are read at once.
const PIECE: usize = 256 * 1024;
/// A game is complete when this many bytes behind it were seen: no word is cut where a game ends.
const AHEAD: usize = 4 * 1024;
/// Longest game that is kept whole, in bytes; the largest annotated games reach a few hundred kilobytes.
const LONGEST: usize = 16 * 1024 * 1024;

/// U+FEFF in UTF-8, whatever the rest of the file is.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The games of a file, one by one. The memory depends on the longest game, not on the file.
///
/// The text is UTF-8; a byte that is not is its letter in Windows-1252, as [`decode`](super::decode) has it. A file that
/// is not [PDN at all](is_pdn) has no games and one fault.
///
/// ```
/// use kroon::notation::pdn::PdnStream;
/// let file = "1. 32-28 huh 19-23 2-0\n\n1. 33-29 *\n";
/// let mut games = PdnStream::new(file.as_bytes());
/// assert_eq!(games.next().unwrap()?.line.entries.len(), 2);
/// assert_eq!(games.take_warnings()[0].to_string(), "line 1, column 10: \"huh\" is no part of a game");
/// assert_eq!(games.next().unwrap()?.place.line, 3);
/// assert!(games.next().is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct PdnStream<R> {
    source: R,
    /// Bytes that were read and not yet decoded: after an incomplete character.
    raw: Vec<u8>,
    /// What was decoded.
    text: String,
    /// Where the next game begins in `text`.
    at: usize,
    place: TextPlace,
    ended: bool,
    consumed: u64,
    warnings: Vec<PdnError>,
}

impl<R: Read> PdnStream<R> {
    /// A reader at the beginning of a file; a byte order mark is skipped. The source needs no buffer of its own.
    pub fn new(source: R) -> PdnStream<R> {
        PdnStream {
            source,
            raw: Vec::new(),
            text: String::new(),
            at: 0,
            place: TextPlace { line: 1, column: 1 },
            ended: false,
            consumed: 0,
            warnings: Vec::new(),
        }
    }

    /// Bytes of the file that were taken from the source so far, for a display of progress.
    pub fn consumed(&self) -> u64 {
        self.consumed
    }

    /// What was wrong in the games since the last call. At most a thousand faults are kept for each game.
    pub fn take_warnings(&mut self) -> Vec<PdnError> {
        std::mem::take(&mut self.warnings)
    }

    /// Reads and decodes one more piece.
    fn fill(&mut self) -> io::Result<()> {
        self.text.drain(..self.at);
        self.at = 0;
        let before = self.raw.len();
        // As much again as is there: a long game is parsed anew only when it has doubled.
        let length = self.text.len();
        let more = PIECE.max(length.min(LONGEST.saturating_sub(length)));
        self.source.by_ref().take(more as u64).read_to_end(&mut self.raw)?;
        let read = self.raw.len() - before;
        self.consumed += read as u64;
        self.ended = read == 0;
        if self.consumed == read as u64 && self.raw.starts_with(BYTE_ORDER_MARK) {
            self.raw.drain(..BYTE_ORDER_MARK.len());
        }
        let open = decode_onto(&mut self.text, &self.raw, self.ended);
        self.raw.drain(..self.raw.len() - open);
        if self.consumed == read as u64 && !is_pdn(&self.text) {
            self.warnings.push(PdnError { place: self.place, fault: PdnFault::NoPdn });
            self.text.clear();
            self.ended = true;
        }
        Ok(())
    }

    /// The next game of what was decoded, if it is complete there.
    fn next_complete(&mut self) -> Option<PdnGame> {
        let rest = &self.text[self.at..];
        if !self.ended && rest.len() <= AHEAD {
            return None;
        }
        let mut reader = PdnReader::at(rest, self.place);
        let game = reader.next();
        let left = reader.left();
        let too_long = rest.len() > LONGEST;
        if left < AHEAD && !self.ended && !too_long {
            return None;
        }
        self.place = reader.place();
        self.at = self.text.len() - left;
        // The faults of a game that is cut come from the cut.
        if left < AHEAD && !self.ended {
            self.warnings.push(PdnError { place: self.place, fault: PdnFault::TooLong(LONGEST) });
        }
        self.warnings.extend(reader.into_warnings());
        game
    }
}

impl<R: Read> Iterator for PdnStream<R> {
    type Item = io::Result<PdnGame>;

    /// The next game. An error of the source ends the file.
    fn next(&mut self) -> Option<io::Result<PdnGame>> {
        loop {
            if let Some(game) = self.next_complete() {
                return Some(Ok(game));
            }
            if self.ended {
                return None;
            }
            if let Err(error) = self.fill() {
                self.ended = true;
                self.text.clear();
                self.at = 0;
                return Some(Err(error));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pdn::{decode, read_games};

    /// Gives a few bytes at a time.
    struct Drops<'a>(&'a [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(buffer.len()).min(self.0.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    fn same_as_whole(bytes: &[u8]) {
        same_in_drops(bytes, 1000);
    }

    fn same_in_drops(bytes: &[u8], drop: usize) {
        let text = decode(bytes);
        let (games, warnings) = read_games(&text);
        let mut stream = PdnStream::new(Drops(bytes, drop));
        let streamed: Vec<PdnGame> = stream.by_ref().map(Result::unwrap).collect();
        assert_eq!(streamed.len(), games.len());
        assert!(streamed == games, "games differ");
        assert_eq!(stream.take_warnings(), warnings);
        assert_eq!(stream.consumed(), bytes.len() as u64);
    }

    #[test]
    fn every_file_of_the_tests_is_read_as_if_whole() {
        for entry in std::fs::read_dir("tests/data/pdn").unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            same_as_whole(&bytes);
        }
    }

    /// A file much larger than a piece, with games, comments and foreign letters across the borders of pieces.
    #[test]
    fn a_long_file_is_read_as_if_whole() {
        for letter in
            ["é".as_bytes(), b"e", b"\xe9", "\u{1f600}\u{416}".as_bytes(), b"\xf0\x9f\x98e\xc3\xa9\xc3"]
        {
            let mut file = "\u{feff}".as_bytes().to_vec();
            for number in 0..9000 {
                file.extend(format!("[Event \"{number}\"]\n[Result \"2-0\"]\n\n1. 32-28 {{").as_bytes());
                file.extend(letter.repeat(number * 7 % 400));
                file.extend(b"} 19-23 2-0 {a word}\n\n");
            }
            same_as_whole(&file);
        }
    }

    #[test]
    fn the_mark_of_utf8_is_skipped_before_latin_letters_too() {
        let file = b"\xef\xbb\xbf32-28 19-23 {Z\xfcrich} *";
        let game = PdnStream::new(&file[..]).next().unwrap().unwrap();
        assert_eq!((game.line.entries.len(), game.line.entries[1].comments[0].as_str()), (2, "Zürich"));
    }

    /// Neither a game in other characters nor a file that is cut inside a character changes the names of the rest.
    #[test]
    fn a_foreign_byte_changes_no_other_letter() {
        let names = |file: &[u8], drop| -> Vec<String> {
            same_in_drops(file, drop);
            let games = PdnStream::new(Drops(file, drop)).map(Result::unwrap);
            games.map(|game| game.tags.get("White").unwrap_or_default().to_owned()).collect()
        };
        let both = "[White \"Zürich\"] 1. 32-28 *\n\n".as_bytes();
        let both = [both, b"[White \"M\xfcller\"] 1. 32-28 *\n\n[White \"\xc3\xa9\"] *\n"].concat();
        let cut = "[White \"Zürich\"] 1. 32-28 *\n\n[White \"Ж\"] 1. 32-28 {Ж".as_bytes();
        let cut = &cut[..cut.len() - 1];
        for drop in [1, 2, 3, 1000] {
            assert_eq!(names(&both, drop), ["Zürich", "Müller", "é"]);
            assert_eq!(names(cut, drop), ["Zürich", "Ж"]);
        }
    }

    #[test]
    fn far_behind_the_beginning_a_foreign_byte_is_its_letter() {
        let mut file = b"[White \"\xc3\xa9\"] 1. 32-28 *\n\n".to_vec();
        for _ in 0..30_000 {
            file.extend(b"[White \"a\"] 1. 32-28 *\n\n");
        }
        file.extend(b"[White \"Z\xfcrich\"] 1. 32-28 *\n");
        let games: Vec<PdnGame> = PdnStream::new(&file[..]).map(Result::unwrap).collect();
        assert_eq!(games.len(), 30_002);
        assert_eq!(games[0].tags.get("White"), Some("é"));
        assert_eq!(games[30_001].tags.get("White"), Some("Zürich"));
    }

    /// A comment that is never closed does not fill the memory.
    #[test]
    fn a_game_without_end_is_cut() {
        let endless = std::io::repeat(b'x').take(3 * LONGEST as u64);
        let mut stream = PdnStream::new(b"1. 32-28 {".chain(endless));
        let first = stream.next().unwrap().unwrap();
        assert_eq!(first.line.entries.len(), 1);
        assert!(stream.text.capacity() < 3 * LONGEST);
        let faults: Vec<String> =
            stream.take_warnings().iter().map(|warning| warning.fault.to_string()).collect();
        assert_eq!(faults[0], format!("a game is longer than {LONGEST} bytes"), "{faults:?}");
    }

    #[test]
    fn a_broken_source_is_an_error_once() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::Error::other("no disk"))
            }
        }
        let mut stream = PdnStream::new(b"1. 32-28 * ".chain(Broken));
        assert!(stream.next().unwrap().is_err());
        assert!(stream.next().is_none());
    }
}
