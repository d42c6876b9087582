//! Names of squares: numbers, or file and rank.

use crate::board::{Board, Square};
use crate::rules::Rules;
use nom::branch::alt;
use nom::character::complete::{one_of, satisfy};
use nom::combinator::{map, opt, verify};
use nom::{IResult, Parser};
use std::fmt;

/// The name of a square as a text has it; which square it is, or whether it exists, depends on the board.
///
/// ```
/// use kroon::board::Board;
/// use kroon::notation::square::SquareName;
/// let name = SquareName::Coordinates { file: 'c', rank: 3 };
/// assert_eq!(name.on(Board::ENGLISH), Board::ENGLISH.square(22));
/// assert_eq!(name.on(Board::INTERNATIONAL), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SquareName {
    /// A number from 1.
    Number(u8),
    /// File and rank, on 8x8 boards only.
    Coordinates {
        /// `'a'..='j'`, lower case.
        file: char,
        /// 1 at White's side.
        rank: u8,
    },
}

impl SquareName {
    /// The name that `rules`' own notation uses.
    pub fn of(rules: &Rules, square: Square) -> SquareName {
        if rules.algebraic {
            let file = char::from(b'a' + rules.board.column(square));
            SquareName::Coordinates { file, rank: rules.board.side() - square.row() }
        } else {
            SquareName::Number(rules.board.number(square))
        }
    }

    /// The playing square of this name, if the board has one.
    pub fn on(self, board: &Board) -> Option<Square> {
        match self {
            SquareName::Number(number) => board.square(u32::from(number)),
            SquareName::Coordinates { file, rank } if has_files(board) => at(board, file, u32::from(rank)),
            SquareName::Coordinates { .. } => None,
        }
    }
}

impl fmt::Display for SquareName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SquareName::Number(number) => write!(f, "{number}"),
            SquareName::Coordinates { file, rank } => write!(f, "{file}{rank}"),
        }
    }
}

/// Whether letters can name squares of this board at all: PDN knows them for 8x8 boards only.
pub(super) fn has_files(board: &Board) -> bool {
    board.side() == 8
}

/// The playing square on this file (`'a'..`, either case) and rank, if there is one.
pub(super) fn at(board: &Board, file: char, rank: u32) -> Option<Square> {
    let column = u8::try_from(u32::from(file.to_ascii_lowercase()).checked_sub(u32::from('a'))?).ok()?;
    let rank = u8::try_from(rank).ok()?;
    if column >= board.side() || rank == 0 || rank > board.side() {
        return None;
    }
    board.at(board.side() - rank, column)
}

/// The squares of a board, in words.
pub(super) fn range(board: &Board) -> String {
    let mut range = format!("1 to {}", board.squares());
    if has_files(board) {
        range.push_str(" or the dark ones of a1 to h8");
    }
    range
}

/// One or two digits, leading zero allowed, or a letter a to j and a digit 1 to 8.
pub(super) fn parse(text: &str) -> IResult<&str, SquareName> {
    alt((number, coordinates)).parse(text)
}

fn number(text: &str) -> IResult<&str, SquareName> {
    let digit = || map(satisfy(|c| c.is_ascii_digit()), |c| c as u8 - b'0');
    let number = map((digit(), opt(digit())), |(first, second)| second.map_or(first, |s| 10 * first + s));
    map(verify(number, |&number| number > 0), SquareName::Number).parse(text)
}

/// A letter a to j and a digit 1 to 8.
pub(super) fn coordinates(text: &str) -> IResult<&str, SquareName> {
    let rank = map(one_of("12345678"), |c| c as u8 - b'0');
    let file = map(satisfy(|c| matches!(c, 'a'..='j' | 'A'..='J')), |c| c.to_ascii_lowercase());
    map((file, rank), |(file, rank)| SquareName::Coordinates { file, rank }).parse(text)
}
