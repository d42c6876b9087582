//! A piece of a game as text, whether or not it can be played: what stands behind a move.

use super::reader::PdnReader;
use super::tree::{PdnAction, PdnEntry, PdnLine, TextPlace};

/// Takes the place of the move before the piece: variations need one.
const MOVE: &str = "- -";
/// How a line begins that is written with it.
const NUMBERED_MOVE: &str = "1. - -";

/// What stands behind a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Fragment {
    /// Variations in the place of the move.
    pub variations: Vec<PdnLine>,
    /// What is played after it.
    pub entries: Vec<PdnEntry>,
}

impl Fragment {
    /// Reads a text of [`Fragment::text`]. Of any other text it is what a reader finds up to the end of a game; nothing
    /// is an error.
    pub fn read(text: &str) -> Fragment {
        if text.trim().is_empty() {
            return Fragment::default();
        }
        let game = PdnReader::new(&format!("{MOVE} {text}")).next().unwrap_or_default();
        let mut entries = game.line.entries.into_iter();
        let variations = entries.next().map(|entry| entry.variations).unwrap_or_default();
        Fragment { variations, entries: entries.collect() }
    }

    /// The piece in PDN, with all that is said in it. The numbers of its moves say nothing.
    pub fn text(&self) -> String {
        let mut entry = PdnEntry::new(PdnAction::Missing, TextPlace::default());
        entry.variations.clone_from(&self.variations);
        let entries = std::iter::once(entry).chain(self.entries.iter().cloned()).collect();
        let text = PdnLine { comments: Vec::new(), entries }.text();
        text.strip_prefix(NUMBERED_MOVE).unwrap_or(&text).trim_start().to_owned()
    }
}

impl PdnLine {
    /// How deep variations are nested in this line.
    pub(crate) fn depth(&self) -> usize {
        let variations = self.entries.iter().flat_map(|entry| &entry.variations);
        variations.map(|line| 1 + line.depth()).max().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_comes_back() {
        for text in [
            "",
            "99-31 {a} {b} 2. 14-20! $5 (2. 1-2 {c} (2. 3-4)) 3-99",
            "(1. 50-1 {a}) ({before} 1. 60-61 7-8) 99-31",
            "(1. 50-1)",
            "/FEN \"W:W31:B1\"/ 1. 31-27",
            "- - (1... 3-4) 2. 5-6",
        ] {
            assert_eq!(Fragment::read(text).text(), text);
        }
        // Longer than a line, with what looks like a tag.
        let long = format!("99-31 {{{} [Event \"x\"] [%clk 0:01:00]}} 2. 14-20", "word ".repeat(40).trim());
        let piece = Fragment::read(&long);
        assert_eq!((piece.entries.len(), &Fragment::read(&piece.text()).text()), (2, &piece.text()));
        assert!(piece.entries[0].comments[0].ends_with("word [Event \"x\"] [%clk 0:01:00]"), "{piece:?}");
    }

    #[test]
    fn any_text_is_some_piece() {
        for text in [
            "*",
            "2-0 1. 32-28",
            ")",
            "(((",
            "{",
            "[White \"x\"] 1-2",
            "- -",
            "-",
            "\u{feff}",
            "\0",
            "huh",
            "$",
        ] {
            let once = Fragment::read(text).text();
            assert_eq!(Fragment::read(&once).text(), once, "{text}");
        }
    }

    #[test]
    fn variations_in_variations_are_counted() {
        let depth = |text| PdnLine { entries: Fragment::read(text).entries, ..PdnLine::default() }.depth();
        assert_eq!([depth("1-2"), depth("1-2 (1. 3-4) 5-6 (1... 7-8 (1... 9-10))")], [0, 2]);
    }
}
