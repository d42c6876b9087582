//! The syntax of a move, without a position.

use super::MoveError;
use crate::notation::square::{self, SquareName};
use crate::notation::text::{DASHES, quote};
use nom::branch::alt;
use nom::bytes::complete::take_while_m_n;
use nom::character::complete::{char, one_of, satisfy, space0};
use nom::combinator::{all_consuming, map, not, opt, peek, value, verify};
use nom::multi::many1;
use nom::sequence::terminated;
use nom::{IResult, Parser};
use smallvec::{SmallVec, smallvec};
use std::fmt;
use std::str::FromStr;

/// The squares that a move text lists, and its sign.
///
/// ```
/// use kroon::notation::moves::MoveText;
/// for text in ["41x28x39x48", "41 X 28:39 x48"] {
///     let text: MoveText = text.parse().unwrap();
///     assert_eq!(text.to_string(), "41x28x39x48");
/// }
/// assert_eq!("d6 : b4".parse::<MoveText>().unwrap().to_string(), "d6:b4");
/// assert_eq!("0611".parse::<MoveText>().unwrap().to_string(), "6-11");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct MoveText {
    squares: SmallVec<[SquareName; 4]>,
    sign: char,
}

impl MoveText {
    /// A move text from its squares; `sign` is `-` for a quiet move, `x` or `:` for a capture.
    pub(super) fn new(squares: SmallVec<[SquareName; 4]>, sign: char) -> MoveText {
        // Only a capture can come back to where it began; and "1-1" is a result.
        let sign = if sign == '-' && squares.first() == squares.last() { 'x' } else { sign };
        MoveText { squares, sign }
    }

    /// The squares in the order of the text, two or more.
    pub fn squares(&self) -> &[SquareName] {
        &self.squares
    }

    /// This capture continued by `next`, which begins where this ends: some programs write each jump as a move.
    pub(in crate::notation) fn joined(&self, next: &MoveText) -> Option<MoveText> {
        if self.squares.last() != next.squares.first() {
            return None;
        }
        let mut joined = self.clone();
        joined.squares.extend_from_slice(&next.squares[1..]);
        Some(joined)
    }
}

impl fmt::Display for MoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, square) in self.squares.iter().enumerate() {
            if i > 0 {
                write!(f, "{}", self.sign)?;
            }
            write!(f, "{square}")?;
        }
        Ok(())
    }
}

impl FromStr for MoveText {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<MoveText, MoveError> {
        match all_consuming(move_text).parse(text.trim()) {
            Ok((_, parsed)) => Ok(parsed),
            Err(_) => Err(MoveError::Syntax { text: quote(text) }),
        }
    }
}

/// One move in any of the forms that occur; what follows is no letter or digit.
pub(in crate::notation) fn move_text(text: &str) -> IResult<&str, MoveText> {
    terminated(alt((separated, bare_coordinates, bare_numbers)), not(peek(satisfy(char::is_alphanumeric))))
        .parse(text)
}

/// A chain of more squares is no move; a capture takes at most twenty pieces.
const MOST_SQUARES: usize = 32;

/// `32-28`, `33 x 22`, `a3:c5:e7`.
fn separated(text: &str) -> IResult<&str, MoveText> {
    let (mut rest, first) = square::parse(text)?;
    let mut squares = smallvec![first];
    let mut sign = '-';
    while squares.len() < MOST_SQUARES {
        let is_whole = squares.len() > 1;
        let (after, Some((this_sign, square))) = opt(|text| next(text, is_whole)).parse(rest)? else { break };
        squares.push(square);
        if this_sign != '-' {
            sign = this_sign;
        }
        rest = after;
    }
    if squares.len() < 2 { fail(text) } else { Ok((rest, MoveText::new(squares, sign))) }
}

/// Blanks stand around the sign where a table was typeset; behind a whole move they may part it from the next one.
fn next(text: &str, is_whole: bool) -> IResult<&str, (char, SquareName)> {
    let (rest, (before, sign, behind)) = (space0, sign, space0).parse(text)?;
    // "32-28 - 2. 31-26": the 2 is the number of the next move.
    let (rest, square) = terminated(square::parse, not(char('.'))).parse(rest)?;
    // "32-28 - 19-23": the blanks part two moves.
    let parts = is_whole && sign == '-' && !before.is_empty() && !behind.is_empty();
    if parts && sign_of_next(rest) {
        return fail(text);
    }
    Ok((rest, (sign, square)))
}

/// Whether a sign follows without a blank.
fn sign_of_next(text: &str) -> bool {
    (sign, square::parse).parse(text).is_ok()
}

fn sign(text: &str) -> IResult<&str, char> {
    alt((value('-', one_of(DASHES)), value(':', char(':')), value('x', one_of("xX×")))).parse(text)
}

/// `c3d4`
fn bare_coordinates(text: &str) -> IResult<&str, MoveText> {
    let squares = verify(many1(square::coordinates), |squares: &Vec<SquareName>| squares.len() > 1);
    map(squares, |squares| MoveText::new(squares.into(), '-')).parse(text)
}

/// `3329`: two digits each, or nobody could tell where the second begins.
fn bare_numbers(text: &str) -> IResult<&str, MoveText> {
    let digits = take_while_m_n(4, 4, |c: char| c.is_ascii_digit());
    // "1001. 32-28": the number of a move.
    let (rest, digits) = terminated(digits, not(char('.'))).parse(text)?;
    let (_, (first, second)) = all_consuming((square::parse, square::parse)).parse(digits)?;
    Ok((rest, MoveText::new(smallvec![first, second], '-')))
}

fn fail<T>(text: &str) -> IResult<&str, T> {
    Err(nom::Err::Error(nom::error::Error::new(text, nom::error::ErrorKind::Verify)))
}
