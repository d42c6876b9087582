//! Whether a file is PDN at all: in any bytes a tolerant reader finds something that could be a game.

use super::reader::PdnReader;
use super::tree::PdnGame;

/// How much of a file is looked at, in bytes of its text.
const LOOKED_AT: usize = 64 * 1024;
/// Where a file that is no text has a NUL; a text may have one somewhere, from a disk that lost a block.
const HEAD: usize = 4 * 1024;
/// Tags that only games have.
const TAGS: [&str; 14] = [
    "Event", "Site", "Date", "Round", "White", "Black", "Result", "GameType", "FEN", "Variant", "Bianco",
    "Nero", "P1", "P2",
];

/// Whether a file that begins with this text can be PDN. It is none with a NUL at its beginning, as pictures,
/// archives and texts in UTF-16 have one, and none if what looks like games there has neither a tag of PDN nor a
/// first move that can be played, and not more moves than other words. A text in which nothing looks like a game
/// passes: readers find no game in it.
///
/// ```
/// use kroon::notation::pdn::is_pdn;
/// assert!(is_pdn("[White \"?\"] *") && is_pdn("12. 39-33 28x39") && is_pdn("32-28") && is_pdn(""));
/// assert!(!is_pdn("\u{89}PNG\r\n\u{1a}\n\0\0\0\rIHDR"));
/// assert!(!is_pdn("call 20-33 or 20-34, but not on [Monday evening]"));
/// ```
pub fn is_pdn(text: &str) -> bool {
    let is_cut = text.len() > LOOKED_AT;
    let text = beginning(text, LOOKED_AT);
    if beginning(text, HEAD).contains('\0') {
        return false;
    }
    let mut reader = PdnReader::new(text);
    let (mut games, mut moves) = (0_usize, 0);
    while let Some(game) = reader.next() {
        if is_game(&game) {
            return true;
        }
        // Of one that is cut the better part may come.
        if !is_cut || reader.left() > 0 {
            games += 1;
            moves += game.line.entries.len();
        }
    }
    games == 0 || moves > reader.warnings().len()
}

/// The first bytes of a text, not more than so many, as whole characters.
fn beginning(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Whether this is certainly a game.
fn is_game(game: &PdnGame) -> bool {
    TAGS.iter().any(|name| game.tags.find(name).is_some())
        || game.replay().is_ok_and(|replay| replay.plies() > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pdn::{PdnStream, decode};

    /// The beginning of a picture, behind which come bytes of all kinds.
    fn picture() -> Vec<u8> {
        let mut bytes = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0".to_vec();
        bytes.extend(noise());
        bytes
    }

    /// Bytes without order and without NUL, as in the middle of a compressed file.
    fn noise() -> impl Iterator<Item = u8> {
        let mut state = 1_u32;
        std::iter::repeat_with(move || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 24) as u8
        })
        .filter(|&byte| byte != 0)
        .take(200_000)
    }

    #[test]
    fn games_of_all_kinds_are_pdn() {
        for text in [
            "",
            " \n",
            "junk junk",
            "[White \"A\"]\n*",
            "[Bianco \"Rossi\"] *",
            "[GameType \"77\"] 1. 1-2 *",
            "32-28 19-23 28x19",
            "12. 39-33 28x39 13. 43x34 2-0",
            "39-33 28x39 43x34 17-22",
            "1. 33-29 huh what is this *",
            "1. 99-31 {the first move is a slip} *",
            "1. e3-d4 1-0",
            "1-2 {a comment of many words} 3-4",
            "{a comment that is never closed",
        ] {
            assert!(is_pdn(text), "{text}");
        }
        let bytes = [&b"[White \"\xcc\xf3\xe6\"]\n"[..], b"1. 32-28 {\xd5\xee\xe4} *"].concat();
        assert!(is_pdn(&decode(&bytes)));
        // A block of zeros in the middle of a file, and a long text before the first game.
        assert!(is_pdn(&format!("{}{}1. 32-28 *", "1. 32-28 19-23 *\n\n".repeat(1000), "\0".repeat(512))));
        assert!(is_pdn(&format!("{{{}}} 39-33 1-99 2-77", "word ".repeat(LOOKED_AT))));
    }

    #[test]
    fn every_file_of_the_tests_is_pdn() {
        for entry in std::fs::read_dir("tests/data/pdn").unwrap() {
            let path = entry.unwrap().path();
            assert!(is_pdn(&decode(&std::fs::read(&path).unwrap())), "{}", path.display());
        }
    }

    #[test]
    fn other_files_are_none() {
        let wide: Vec<u8> = "[White \"A\"] 1. 32-28 *".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let noise: Vec<u8> = noise().collect();
        let text =
            b"See [the manual](x.html), pages 20-33 and 35-40, in [the other book]: 1-2 is wrong there.";
        for bytes in [&picture()[..], &wide, &noise, text] {
            assert!(!is_pdn(&decode(bytes)));
            let mut stream = PdnStream::new(bytes);
            assert!(stream.next().is_none());
            let told: Vec<String> = stream.take_warnings().iter().map(ToString::to_string).collect();
            assert_eq!(told, ["line 1, column 1: this is no PDN file"]);
        }
    }
}
