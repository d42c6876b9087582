//! Words that name squares like a move and are no form of one that the lexer knows.

use super::lexer::{Token, token};
use super::tree::PdnAction;

/// Longest word that is kept as a move that cannot be read, in bytes.
const LONGEST_UNREAD: usize = 40;

/// The move that a word stands for, if it names squares like one: read or not.
pub(super) fn action(word: &str) -> Option<PdnAction> {
    if !names_squares(word) {
        return None;
    }
    // By itself it may be a move: it was not read as one with what is glued to words behind it.
    match word.trim_end_matches(|c: char| !c.is_alphanumeric()).parse() {
        Ok(text) => Some(PdnAction::Move(text)),
        Err(_) => stands_alone(word).then(|| PdnAction::Unread(word.to_owned())),
    }
}

/// Whether a word that is no move names squares as one: two with a foreign sign between them (`37=32`, `c3~d4`), one of them with
/// a slip (`3l-27`), or files and a rank (`cd4`, `b:d6`).
fn names_squares(word: &str) -> bool {
    if word.len() > LONGEST_UNREAD {
        return false;
    }
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    if !word.starts_with(char::is_alphanumeric) {
        return false;
    }
    // Dates, fractions and decimals are no moves, and neither are results and times with a 0.
    let is_sign = |c: char| !c.is_alphanumeric() && !"/.,'\"%+?!#".contains(c);
    let parts: Vec<&str> = word.split(is_sign).filter(|part| !part.is_empty()).collect();
    let is_like = |part: &&str| part.len() <= 3 && part.contains(|c: char| c.is_ascii_digit());
    if parts.len() >= 2 && parts.iter().all(is_like) {
        return parts.iter().any(|part| is_square(part))
            && !parts.iter().any(|part| part.parse() == Ok(0_u32));
    }
    let mut letters = word.chars().filter(|c| !matches!(c, ':' | 'x' | '*' | '×'));
    let rank = letters.next_back().is_some_and(|c| matches!(c, '1'..='8'));
    let files: Vec<char> = letters.collect();
    rank && (2..=3).contains(&files.len())
        && files.iter().all(|c| matches!(c, 'a'..='h'))
        && word.chars().count() <= files.len() + 3
}

/// Whether a word is read as the same again where it is written between others: `x32` would go on with a move before it, and
/// `32-28x` with what follows.
fn stands_alone(word: &str) -> bool {
    let is_alone = |behind: &str| {
        let text = format!("{word} {behind}");
        matches!(token(&text), Ok((_, Token::Unknown(found))) if found == word)
    };
    let text = format!("32-28 {word}");
    let is_left = matches!(token(&text), Ok((rest, Token::Move { .. })) if rest.trim_start() == word);
    is_left && ["2-0", "32-28", "x32", "- -", "1.", "*"].into_iter().all(is_alone)
}

/// The largest number of a square.
const LAST_SQUARE: u8 = 50;

/// `1` to `50`, or a file and a rank.
fn is_square(text: &str) -> bool {
    text.parse().is_ok_and(|number: u8| (1..=LAST_SQUARE).contains(&number))
        || matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

#[cfg(test)]
mod tests {
    use crate::notation::pdn::read_games;

    #[test]
    fn words_that_name_no_squares_are_left_out() {
        for word in [
            "huh",
            "0:10",
            "00:12",
            "2:0",
            "0:2",
            "12-0",
            "80-0",
            "0-0-0",
            "12/05/2024",
            "2e",
            "12",
            "1/4",
            "12.5",
            "e4",
            "abc",
            "a1b",
            "+0.35",
            "3'20",
        ] {
            let (games, warnings) = read_games(&format!("1. 32-28 {word} 19-23 *"));
            assert_eq!((games[0].line.entries.len(), warnings.len()), (2, 1), "{word} {warnings:?}");
        }
    }
}
