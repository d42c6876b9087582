//! The `GameType` tag: which game, and how it was set up and numbered.

use super::PdnFault;
use crate::board::Color;
use crate::notation::text::quote;
use crate::rules::VariantId;
use nom::branch::alt;
use nom::character::complete::{anychar, char, space0, u8, u32};
use nom::combinator::{all_consuming, map, opt, success, value};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use std::str::FromStr;

/// `20` or `20,W,10,10,N2,0` (PDN 3.0).
///
/// Only the number counts: files carry wrong details, above all for the numbering.
///
/// ```
/// use kroon::board::Color;
/// use kroon::notation::pdn::GameType;
/// let full: GameType = "20,W,10,10,N2,0".parse().unwrap();
/// assert_eq!((full.number, full.name()), (20, Some("international draughts")));
/// assert_eq!(full.details.unwrap().first, Color::White);
/// assert_eq!("20".parse::<GameType>().unwrap().details, None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameType {
    /// The number of the game.
    pub number: u32,
    /// What follows the number, if it is complete.
    pub details: Option<GameTypeDetails>,
}

/// The part of a `GameType` behind the number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameTypeDetails {
    /// Who moves first.
    pub first: Color,
    /// Columns of the board.
    pub columns: u8,
    /// Rows of the board.
    pub rows: u8,
    /// `A` file and rank, `N` numbers, `S` short as in chess.
    pub notation: char,
    /// Corner of the first square seen by who moves first: 0 bottom left, 1 bottom right, 2 top left, 3 top right.
    pub corner: u8,
    /// Whether the corner at the bottom left is no playing square, if the text says so.
    pub light_corner: Option<bool>,
}

impl GameType {
    /// What this game is called, if its number is assigned.
    pub fn name(self) -> Option<&'static str> {
        Some(match self.number {
            0 => "chess",
            1 => "Chinese chess",
            20 => "international draughts",
            21 => "English draughts",
            22 => "Italian draughts",
            23 => "American pool checkers",
            24 => "Spanish draughts",
            25 => "Russian draughts",
            26 => "Brazilian draughts",
            27 => "Canadian draughts",
            28 => "Portuguese draughts",
            29 => "Czech draughts",
            30 => "Turkish draughts",
            31 => "Thai draughts",
            40 => "Frisian draughts",
            41 => "Spantsiretti",
            50 => "Othello",
            96 => "breakthrough draughts",
            97 => "frysk!",
            98 => "antidraughts",
            99 => "draughts from a position",
            number => return VariantId::from_game_type(number).map(VariantId::name),
        })
    }
}

impl FromStr for GameType {
    type Err = PdnFault;

    fn from_str(text: &str) -> Result<GameType, PdnFault> {
        match all_consuming(delimited(space0, game_type, space0)).parse(text) {
            Ok((_, game_type)) => Ok(game_type),
            Err(_) => Err(PdnFault::GameType(quote(text))),
        }
    }
}

fn game_type(text: &str) -> IResult<&str, GameType> {
    let (rest, number) = u32.parse(text)?;
    // Details that nobody understands do not make the number wrong.
    let lenient =
        alt((map(preceded(comma, details), Some), value(None, (comma, rest_of_text)), success(None)));
    map(lenient, |details| GameType { number, details }).parse(rest)
}

fn rest_of_text(text: &str) -> IResult<&str, &str> {
    nom::combinator::rest.parse(text)
}

fn comma(text: &str) -> IResult<&str, char> {
    delimited(space0, char(','), space0).parse(text)
}

fn details(text: &str) -> IResult<&str, GameTypeDetails> {
    let color = alt((value(Color::White, char('W')), value(Color::Black, char('B'))));
    let bit = alt((value(false, char('0')), value(true, char('1'))));
    let (rest, (first, _, columns, _, rows, _)) = (color, comma, u8, comma, u8, comma).parse(text)?;
    let (rest, (notation, corner, light_corner)) = (anychar, u8, opt(preceded(comma, bit))).parse(rest)?;
    let (rest, _) = nom::combinator::peek(all_consuming(space0)).parse(rest)?;
    Ok((rest, GameTypeDetails { first, columns, rows, notation, corner, light_corner }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_is_what_counts() {
        for text in ["25", " 25 ", "25,W,8,8,A0,0", "25,W,8,8,A0", "25, W, 8, 8, A0, 0", "25,whatever"] {
            assert_eq!(text.parse::<GameType>().expect(text).number, 25, "{text}");
        }
        let details = "31,B,8,8,N2,1".parse::<GameType>().unwrap().details.unwrap();
        assert_eq!((details.first, details.columns, details.rows), (Color::Black, 8, 8));
        assert_eq!((details.notation, details.corner, details.light_corner), ('N', 2, Some(true)));
        for text in ["", "x", "International", "99999999999999", "-1", "20 x"] {
            assert!(text.parse::<GameType>().is_err(), "{text}");
        }
    }
}
