//! Positions and moves inside messages of the DamExchange protocol (DXP), which has fifty squares and no field for a variant:
//! both sides must know which one of the 10x10 board they play.

use super::text::{column, found, quote};
use crate::board::{Bitboard, Board, Color, Move, Piece, Position, Setup, Square};
use nom::branch::alt;
use nom::bytes::complete::take_while_m_n;
use nom::character::complete::char;
use nom::combinator::{eof, map_opt, map_res, value, verify};
use nom::sequence::preceded;
use nom::{IResult, Parser};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

const BOARD: &Board = Board::INTERNATIONAL;
const SQUARES: usize = 50;
/// A message has a field of four digits for the time.
const MOST_SECONDS: u16 = 9_999;

/// Why a text is no DXP position or move.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum DxpError {
    /// Something else stands where the message format asks for this.
    #[error("DXP {text}, column {column}: expected {expected}, found {found}")]
    Syntax {
        /// The text, quoted.
        text: String,
        /// Where, in characters from 1.
        column: usize,
        /// What was expected.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
}

/// Writes a position as the last two fields of a GAMEREQ: colour to move and fifty squares.
///
/// ```
/// use kroon::notation::{dxp, fen};
/// use kroon::rules::VariantId;
/// let game = fen::game_from_fen(VariantId::International, "B:WK3,28,33,38:B12,17,K46").unwrap();
/// let text = dxp::write_position(game.position());
/// assert_eq!(text, "ZeeWeeeeeeeezeeeezeeeeeeeeeeweeeeweeeeweeeeeeeZeeee");
/// assert_eq!(dxp::parse_position(&text), Ok(game.position().into()));
/// ```
pub fn write_position(position: &Position) -> String {
    write_setup(&Setup::from(position))
}

/// As [`write_position`], for any placement.
pub fn write_setup(setup: &Setup) -> String {
    let mut text = String::with_capacity(1 + SQUARES);
    text.push(color_letter(setup.turn));
    text.extend(BOARD.iter().map(|square| match setup.piece(square) {
        None => 'e',
        Some(Piece { color, king: true }) => color_letter(color),
        Some(Piece { color, king: false }) => color_letter(color).to_ascii_lowercase(),
    }));
    text
}

/// Reads the colour to move and fifty squares; the placement is not checked further.
///
/// # Errors
/// When the text is not `W` or `Z` followed by exactly fifty of `e w z W Z`.
pub fn parse_position(text: &str) -> Result<Setup, DxpError> {
    let (mut rest, turn) = color(text).map_err(syntax(text, "W or Z, the colour to move"))?;
    let mut setup = Setup::empty(turn);
    for square in BOARD.iter() {
        let (after, piece) = piece(rest).map_err(syntax(text, "e, w, z, W or Z for each of 50 squares"))?;
        if let Some(piece) = piece {
            setup.put(square, piece);
        }
        rest = after;
    }
    eof(rest).map_err(syntax(text, "the end after 50 squares"))?;
    Ok(setup)
}

/// `W` for White, `Z` for Black.
pub const fn color_letter(color: Color) -> char {
    match color {
        Color::White => 'W',
        Color::Black => 'Z',
    }
}

/// Reads a colour from the front of a text.
pub(crate) fn color(text: &str) -> IResult<&str, Color> {
    alt((value(Color::White, char('W')), value(Color::Black, char('Z')))).parse(text)
}

fn piece(text: &str) -> IResult<&str, Option<Piece>> {
    let letter = |letter, color, king| value(Some(Piece { color, king }), char(letter));
    alt((
        value(None, char('e')),
        letter('w', Color::White, false),
        letter('z', Color::Black, false),
        letter('W', Color::White, true),
        letter('Z', Color::Black, true),
    ))
    .parse(text)
}

/// A MOVE message: `M`, time, from, to, number of captured pieces, their squares in any order.
///
/// ```
/// use kroon::notation::dxp::DxpMove;
/// let message: DxpMove = "M0007414803333743".parse().unwrap();
/// assert_eq!((message.seconds(), message.captured().len()), (7, 3));
/// assert_eq!(message, "M0007414803433733".parse().unwrap());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DxpMove {
    seconds: u16,
    from: Square,
    to: Square,
    captured: Bitboard,
}

impl DxpMove {
    /// The message for a move that took this many seconds (9999 if it took longer).
    pub fn new(mv: Move, seconds: u64) -> DxpMove {
        let seconds = u16::try_from(seconds).unwrap_or(MOST_SECONDS).min(MOST_SECONDS);
        DxpMove { seconds, from: mv.from(), to: mv.to(), captured: mv.captured() }
    }

    /// Seconds used for the move, 0 to 9999; informative only.
    pub fn seconds(&self) -> u16 {
        self.seconds
    }

    /// Square of departure.
    pub fn from(&self) -> Square {
        self.from
    }

    /// Square of arrival.
    pub fn to(&self) -> Square {
        self.to
    }

    /// The captured squares.
    pub fn captured(&self) -> Bitboard {
        self.captured
    }

    /// The one of these legal moves that the message means: same origin, end and set of captured squares.
    pub fn resolve(&self, legal: &[Move]) -> Option<Move> {
        let same = |mv: &&Move| (mv.from(), mv.to(), mv.captured()) == (self.from, self.to, self.captured);
        legal.iter().find(same).copied()
    }
}

impl fmt::Display for DxpMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |square| BOARD.number(square);
        let (from, to) = (number(self.from), number(self.to));
        write!(f, "M{:04}{from:02}{to:02}{:02}", self.seconds, self.captured.len())?;
        self.captured.into_iter().try_for_each(|square| write!(f, "{:02}", number(square)))
    }
}

impl FromStr for DxpMove {
    type Err = DxpError;

    /// Reads a message. The time is informative and programs disagree about it: anything but a number of seconds
    /// counts as 0.
    fn from_str(text: &str) -> Result<DxpMove, DxpError> {
        let (rest, time) =
            preceded(char('M'), take_while_m_n(4, 4, |c: char| c.is_ascii_graphic() || c == ' '))
                .parse(text)
                .map_err(syntax(text, "M and four characters for the time"))?;
        let (rest, from) = square(rest).map_err(syntax(text, "a square from 01 to 50"))?;
        let (rest, to) = square(rest).map_err(syntax(text, "a square from 01 to 50"))?;
        let expected = "a number of captured pieces from 00 to 20";
        let (mut rest, victims) =
            verify(two_digits, |&victims| victims <= 20).parse(rest).map_err(syntax(text, expected))?;
        let mut captured = Bitboard::EMPTY;
        for _ in 0..victims {
            let (after, square) = verify(square, |&square| !captured.contains(square))
                .parse(rest)
                .map_err(syntax(text, "another captured square from 01 to 50"))?;
            captured |= Bitboard::of(square);
            rest = after;
        }
        eof(rest).map_err(syntax(text, "the end after the captured squares"))?;
        Ok(DxpMove { seconds: seconds(time), from, to, captured })
    }
}

/// Some programs send fractions of a second.
fn seconds(time: &str) -> u16 {
    let seconds: f64 = time.trim().parse().unwrap_or(0.0);
    // The cast saturates and takes NaN to 0.
    (seconds.round() as u16).min(MOST_SECONDS)
}

fn two_digits(text: &str) -> IResult<&str, u32> {
    map_res(take_while_m_n(2, 2, |c: char| c.is_ascii_digit()), str::parse).parse(text)
}

fn square(text: &str) -> IResult<&str, Square> {
    map_opt(two_digits, |number| BOARD.square(number)).parse(text)
}

/// Turns a parser's failure into an error that says what was expected where.
fn syntax(text: &str, expected: &'static str) -> impl Fn(nom::Err<nom::error::Error<&str>>) -> DxpError {
    move |failure| {
        let rest = match failure {
            nom::Err::Error(error) | nom::Err::Failure(error) => error.input,
            nom::Err::Incomplete(_) => "",
        };
        DxpError::Syntax { text: quote(text), column: column(text, rest), expected, found: found(rest) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::notation::fen::game_from_fen;
    use crate::notation::moves;
    use crate::rules::VariantId::International;

    fn game(fen: &str) -> Game {
        game_from_fen(International, fen).unwrap_or_else(|error| panic!("{error}"))
    }

    #[test]
    fn initial_position() {
        let start = Game::new(International);
        let text = write_position(start.position());
        assert_eq!(text, format!("W{}{}{}", "z".repeat(20), "e".repeat(10), "w".repeat(20)));
        assert_eq!(parse_position(&text), Ok(start.position().into()));
    }

    #[test]
    fn ambiguous_captures_differ_by_their_victims() {
        let game = game("W:WK41:B20,33,37,43");
        for (message, text) in [("M0007414803333743", "41x28x39x48"), ("M0007414803203743", "41x14x25x48")] {
            let mv = message.parse::<DxpMove>().unwrap().resolve(&game.legal_moves()).unwrap();
            assert_eq!(moves::write(International, game.position(), mv), text);
            assert_eq!(DxpMove::new(mv, 7).to_string(), message);
        }
        let wrong: DxpMove = "M00074148023343".parse().unwrap();
        assert_eq!(wrong.resolve(&game.legal_moves()), None);
    }

    #[test]
    fn order_and_time_do_not_matter() {
        let game = game("W:W38:B32,21");
        let mv = "M00033816023221".parse::<DxpMove>().unwrap().resolve(&game.legal_moves());
        assert!(mv.is_some());
        for time in ["0000", " 0.5", "  .1", "abcd", "-001", "9999", "1e99"] {
            let message = format!("M{time}3816022132").parse::<DxpMove>().expect(time);
            assert_eq!(message.resolve(&game.legal_moves()), mv);
        }
        assert_eq!(DxpMove::new(mv.unwrap(), 1_000_000).to_string(), "M99993816022132");
    }

    #[test]
    fn errors_name_the_place() {
        for (text, part) in [
            ("", "column 1: expected M and four characters"),
            ("M000", "expected M and four characters"),
            ("M00003", "column 6: expected a square from 01 to 50, found \"3\""),
            ("M00005132", "column 6: expected a square from 01 to 50, found \"5132\""),
            ("M0000322821", "column 10: expected a number of captured pieces from 00 to 20"),
            ("M000032280122x", "column 14: expected the end"),
            ("M00003228022222", "column 14: expected another captured square"),
            ("M000032280222", "column 14: expected another captured square from 01 to 50, found the end"),
        ] {
            let error = text.parse::<DxpMove>().expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        for (text, part) in [
            ("B", "column 1: expected W or Z"),
            ("Wee", "column 4: expected e, w, z, W or Z for each of 50 squares, found the end"),
            ("Web", "column 3: expected e, w, z"),
        ] {
            let error = parse_position(text).expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
        assert!(
            parse_position(&format!("W{}", "e".repeat(51)))
                .unwrap_err()
                .to_string()
                .contains("the end after")
        );
    }
}
