//! The command `[%kroon]`: how what Kroon wrote about a move is told from what others wrote, and taken out again.
//!
//! The mark stands behind the evaluation and before the words, in the same comment. It has a checksum of the words
//! (`c`), the glyph (`n`), and a checksum of each variation (`v`): `[%eval 0.34] [%kroon c5f1c2a,n4,v9ab277] Missed win`.
//! What somebody has changed since has another checksum, is no longer Kroon's, and stays.

use crate::notation::pdn::{PdnAction, PdnEntry, PdnLine};
use crate::notation::square::SquareName;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

/// How the mark begins.
const BEGIN: &str = "[%kroon";
/// How the evaluation before it begins.
const EVALUATION: &str = "[%eval";

/// Six hexadecimal digits of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Checksum(u64);

impl Checksum {
    const BITS: u64 = 0xff_ffff;

    /// The words of a text, however they are spaced.
    fn of_words(text: &str) -> Checksum {
        Checksum::of_parts(text.split_whitespace().map(str::to_owned))
    }

    /// The moves of a line by their first and last squares, however they are written.
    fn of_line(line: &PdnLine) -> Option<Checksum> {
        Some(Checksum::of_parts(bare_moves(line)?.into_iter().map(|[from, to]| format!("{from} {to}"))))
    }

    fn of_parts(parts: impl Iterator<Item = String>) -> Checksum {
        let text: String = parts.map(|part| part + " ").collect();
        Checksum(xxh3_64(text.as_bytes()) & Checksum::BITS)
    }
}

/// What Kroon wrote about a move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Mark {
    words: Option<Checksum>,
    nag: Option<u16>,
    lines: Vec<Checksum>,
}

impl Mark {
    /// What stands between the name and the bracket.
    fn parse(text: &str) -> Mark {
        let mut mark = Mark::default();
        for part in text.split([',', ' ', '\n']).filter(|part| part.is_ascii() && part.len() > 1) {
            let (kind, value) = part.split_at(1);
            let checksum = || u64::from_str_radix(value, 16).ok().map(Checksum);
            match kind {
                "c" => mark.words = checksum(),
                "n" => mark.nag = value.parse().ok(),
                "v" => mark.lines.extend(checksum()),
                _ => (),
            }
        }
        mark
    }

    fn text(&self) -> String {
        let sum = |kind, sum: &Checksum| format!("{kind}{:06x}", sum.0);
        let parts = self.words.iter().map(|words| sum('c', words));
        let parts = parts.chain(self.nag.map(|nag| format!("n{nag}")));
        let parts: Vec<String> = parts.chain(self.lines.iter().map(|line| sum('v', line))).collect();
        if parts.is_empty() { format!("{BEGIN}]") } else { format!("{BEGIN} {}]", parts.join(",")) }
    }
}

/// The mark for what is written about a move: its words, its glyph, its variations.
pub(super) fn mark(words: &str, nag: Option<u16>, lines: &[PdnLine]) -> String {
    let words = (!words.is_empty()).then(|| Checksum::of_words(words));
    Mark { words, nag, lines: lines.iter().filter_map(Checksum::of_line).collect() }.text()
}

/// Whether Kroon wrote about this move.
pub(super) fn is_marked(entry: &PdnEntry) -> bool {
    entry.comments.iter().any(|comment| cut(comment).is_some())
}

/// Takes out what Kroon wrote about this move, and nothing else.
pub(super) fn erase(entry: &mut PdnEntry) {
    let mut comments = Vec::with_capacity(entry.comments.len());
    for comment in std::mem::take(&mut entry.comments) {
        let mut rest = comment;
        let mut is_own = false;
        while let Some((mark, without)) = cut(&rest) {
            // Each turn makes it shorter.
            (rest, is_own) = (without, true);
            if let Some(at) = mark.nag.and_then(|nag| entry.nags.iter().rposition(|known| *known == nag)) {
                entry.nags.remove(at);
            }
            for line in mark.lines {
                if let Some(at) =
                    entry.variations.iter().rposition(|known| Checksum::of_line(known) == Some(line))
                {
                    entry.variations.remove(at);
                }
            }
        }
        if !is_own || !rest.is_empty() {
            comments.push(rest);
        }
    }
    entry.comments = comments;
}

/// A comment without what Kroon wrote into it.
pub(super) fn without_own(comment: &str) -> String {
    let mut rest = comment.to_owned();
    while let Some((_, without)) = cut(&rest) {
        rest = without;
    }
    rest
}

/// The first mark of a comment, and the comment without it, its evaluation and its words. Programs that keep one comment
/// a move may have put words of others before and behind them.
fn cut(comment: &str) -> Option<(Mark, String)> {
    let start = comment
        .match_indices(BEGIN)
        .map(|(at, _)| at)
        .find(|at| comment[at + BEGIN.len()..].starts_with(|c: char| c == ']' || c.is_whitespace()))?;
    let content = &comment[start + BEGIN.len()..];
    let end = content.find(']')?;
    let mark = Mark::parse(&content[..end]);
    let mut before = comment[..start].trim_end();
    if let Some(at) = before.rfind(EVALUATION)
        && before[at..].find(']') == Some(before.len() - at - 1)
    {
        before = before[..at].trim_end();
    }
    let after = content[end + 1..].trim();
    let after = mark.words.and_then(|words| behind(after, words)).unwrap_or(after);
    let parts: Vec<&str> = [before.trim(), after].into_iter().filter(|part| !part.is_empty()).collect();
    Some((mark, parts.join(" ")))
}

/// What stands behind the words with this checksum, if the text begins with such.
fn behind(text: &str, words: Checksum) -> Option<&str> {
    let mut hash = Xxh3::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        hash.update(&rest.as_bytes()[..end]);
        hash.update(b" ");
        rest = rest[end..].trim_start();
        if Checksum(hash.digest() & Checksum::BITS) == words {
            return Some(rest);
        }
    }
    None
}

/// The first and last squares of the moves of a line, if it is nothing but moves.
fn bare_moves(line: &PdnLine) -> Option<Vec<[SquareName; 2]>> {
    let is_bare = line.comments.is_empty() && line.entries.iter().all(is_bare);
    if is_bare { line.entries.iter().map(squares).collect() } else { None }
}

fn is_bare(entry: &PdnEntry) -> bool {
    let PdnEntry { strength, nags, comments, variations, .. } = entry;
    strength.is_empty() && nags.is_empty() && comments.is_empty() && variations.is_empty()
}

fn squares(entry: &PdnEntry) -> Option<[SquareName; 2]> {
    let PdnAction::Move(text) = &entry.action else { return None };
    Some([*text.squares().first()?, *text.squares().last()?])
}

/// Whether a line begins with all the moves of another.
pub(super) fn begins_with(line: &PdnLine, other: &PdnLine) -> bool {
    let ends = |line: &PdnLine| line.entries.iter().map(squares).collect::<Vec<_>>();
    ends(line).starts_with(&ends(other))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pdn::read_games;

    /// The first move of a game of this text.
    fn entry(text: &str) -> PdnEntry {
        read_games(&format!("[GameType \"20\"] {text} *")).0[0].line.entries[0].clone()
    }

    fn line(text: &str) -> PdnLine {
        read_games(&format!("[GameType \"20\"] {text} *")).0[0].line.clone()
    }

    /// `BEFORE` and `AFTER` are what others wrote; `MARK` is the mark of "It loses a man.", `$4` and the line 33-29 19-23.
    fn erased(text: &str) -> PdnEntry {
        let mark = mark("It loses a man.", Some(4), &[line("1. 33-29 19-23")]);
        let mut entry = entry(&text.replace("MARK", &mark));
        assert!(is_marked(&entry), "{text}");
        erase(&mut entry);
        assert!(!is_marked(&entry), "{text}");
        entry
    }

    #[test]
    fn what_was_written_goes_and_nothing_else() {
        for (with, without) in [
            ("32-28 $4 {[%eval 0.10] MARK It loses a man.} (33-29 19-23)", "32-28"),
            // Another program has put all comments into one, or broken lines.
            ("32-28 {before [%eval 0.10] MARK It loses\na  man. after}", "32-28 {before after}"),
            ("32-28 {[%clk 0:01:00] [%eval 0.10] MARK It loses a man.}", "32-28 {[%clk 0:01:00]}"),
            ("32-28 {one} {[%eval 0.10] MARK It loses a man.} {two}", "32-28 {one} {two}"),
            // An evaluation of others.
            ("32-28 {[%eval 0.5] x} {MARK It loses a man.}", "32-28 {[%eval 0.5] x}"),
            ("32-28 {[%eval 0.5] x MARK It loses a man.}", "32-28 {[%eval 0.5] x}"),
            // Words, glyphs and lines that somebody has changed are somebody's.
            ("32-28 {[%eval 0.10] MARK It loses two men.}", "32-28 {It loses two men.}"),
            ("32-28 $2 {[%eval 0.10] MARK It loses a man.}", "32-28 $2"),
            ("32-28 $4 $16 {[%eval 0.10] MARK It loses a man.} (33-29 19-23)", "32-28 $16"),
            ("32-28 {MARK} (33-29 19-23 35-30)", "32-28 (33-29 19-23 35-30)"),
            ("32-28 {MARK} (33-29! 19-23)", "32-28 (33-29! 19-23)"),
            ("32-28 {MARK} (33-29 {x} 19-23)", "32-28 (33-29 {x} 19-23)"),
            // Two like it: one was there before.
            ("32-28 {MARK} (33-29 19-23) (33-29 19-23)", "32-28 (33-29 19-23)"),
        ] {
            let mut expected = entry(without);
            let mut found = erased(with);
            let places = |entry: &mut PdnEntry| {
                entry.variations.iter_mut().flat_map(|line| &mut line.entries).for_each(|entry| {
                    (entry.place, entry.number) = (Default::default(), None);
                });
                (entry.place, entry.number) = (Default::default(), None);
            };
            places(&mut expected);
            places(&mut found);
            assert_eq!(found, expected, "{with}");
        }
    }

    #[test]
    fn a_mark_that_is_none_is_a_comment() {
        for text in ["32-28 {[%kroonx c1]}", "32-28 {[%kroon c1}", "32-28 {[%eval 0.10] kroon}", "32-28"] {
            let before = entry(text);
            let mut after = before.clone();
            erase(&mut after);
            assert!(!is_marked(&before) && after == before, "{text}");
        }
        // Nothing of a mark is read that is not of its form.
        assert_eq!(Mark::parse(" cx,n-1,vé,q3, ,n70000"), Mark::default());
        let whole = Mark { words: Some(Checksum(0x12)), nag: Some(4), lines: vec![Checksum(1), Checksum(2)] };
        assert_eq!(whole.text(), "[%kroon c000012,n4,v000001,v000002]");
        assert_eq!(Mark::parse(" c000012,n4,v000001,v000002"), whole);
    }

    #[test]
    fn a_capture_is_the_same_however_it_is_written() {
        let sum = |text| Checksum::of_line(&line(text));
        assert_eq!(sum("1. 41x14x25x48 1-6"), sum("1. 41:48 1-6"));
        assert_ne!(sum("1. 32-28"), sum("1. 32-27"));
        assert!(begins_with(&line("1. 32-28 19-23 2. 28x19"), &line("1. 32-28 19-23")));
        assert!(!begins_with(&line("1. 32-28"), &line("1. 32-28 19-23")));
    }
}
