//! FEN, the notation of positions in PDN: `W:W31-50:B1-20`.
//!
//! The reader accepts what real files contain: ranges, `K` before a range, lists in any order, empty or missing lists,
//! a final dot, blanks and underscores, lower case, leading zeros, repeated squares, missing commas, the clocks
//! `:H0:F1` of web servers, the king-move counters `:+0+0` of Frisian draughts, ghosts (`G`, `P`: pieces that a capture
//! in progress has already jumped), squares by file and rank on 8x8 boards, and a whole `[FEN "..."]` tag. The writer
//! uses the form that every reader accepts: `W:W...:B...`, White's list first, no ranges, no dot.

use super::square::{self, SquareName};
use super::text::{DASHES, column, found, quote};
use crate::board::{Board, Color, KingRun, Piece, Position, Setup, SetupError, Square};
use crate::game::Game;
use crate::rules::{Rules, VariantId};
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag_no_case, take_while};
use nom::character::complete::{anychar, char, digit1, one_of};
use nom::combinator::{opt, value};
use nom::error::{ErrorKind, ParseError};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use std::fmt::Write;
use thiserror::Error;

/// What a FEN says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fen {
    /// The pieces and the side to move, unchecked.
    pub setup: Setup,
    /// Plies since the last capture or man's move, if the text has the field `H`.
    pub half_moves: Option<u16>,
    /// The number of the next move, counted in pairs from 1, if the text has the field `F`.
    pub full_move: Option<u16>,
}

/// Why a text is no FEN, or no position of the variant.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum FenError {
    /// Something else stands where the syntax asks for this.
    #[error("FEN {text}, column {column}: expected {expected}, found {found}")]
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
    /// The text says that the side to move, or the whole position, is not known.
    #[error("FEN {text} does not say who is to move")]
    Unknown {
        /// The text, quoted.
        text: String,
    },
    /// A square that the board lacks.
    #[error("FEN {text}, column {column}: no square {square}, squares are {range}")]
    NoSquare {
        /// The text, quoted.
        text: String,
        /// Where, in characters from 1.
        column: usize,
        /// The square, quoted.
        square: String,
        /// The squares of the board.
        range: String,
    },
    /// One square is given to two different pieces.
    #[error("FEN {text}, column {column}: square {square} is listed as two different pieces")]
    Conflict {
        /// The text, quoted.
        text: String,
        /// Where, in characters from 1.
        column: usize,
        /// The square's number.
        square: u8,
    },
    /// The placement is no position of the variant.
    #[error("FEN {text}: {source}")]
    Setup {
        /// The text, quoted.
        text: String,
        /// What is wrong with it.
        source: SetupError,
    },
}

/// Reads a FEN. The placement is not checked beyond its squares; [`Setup::position`] does that.
///
/// ```
/// use kroon::notation::fen;
/// use kroon::rules::VariantId;
/// let start = fen::parse(VariantId::International, "W:W31-50:B1-20.").unwrap();
/// assert_eq!(start.setup, VariantId::International.rules().start());
/// let error = fen::parse(VariantId::International, "W:W31,51:B1").unwrap_err();
/// assert_eq!(error.to_string(), "FEN \"W:W31,51:B1\", column 7: no square \"51\", squares are 1 to 50");
/// ```
///
/// # Errors
/// When the text is no FEN, names a square that the board lacks, gives one square to different pieces, or has `?`
/// instead of the side to move.
pub fn parse(variant: VariantId, text: &str) -> Result<Fen, FenError> {
    let rules = variant.rules();
    let body = unwrapped(text.trim());
    let offset = body.as_ptr() as usize - text.as_ptr() as usize;
    let until_end = text.get(..offset + body.len()).unwrap_or(text);
    if matches!(body.trim(), "?" | "") || body.starts_with('?') {
        return Err(FenError::Unknown { text: quote(text) });
    }
    fen(rules, body).map(|(_, fen)| fen).map_err(|fault| match fault {
        nom::Err::Incomplete(_) => {
            FenError::Syntax { text: quote(text), column: 1, expected: "a FEN", found: found(body) }
        }
        nom::Err::Error(fault) | nom::Err::Failure(fault) => fault.explain(rules, text, until_end),
    })
}

/// Reads a FEN and starts a game there.
///
/// ```
/// use kroon::notation::fen;
/// use kroon::rules::VariantId;
/// let game = fen::game_from_fen(VariantId::International, "W:WK41:B20,33,37,43").unwrap();
/// assert_eq!(game.legal_moves().len(), 2);
/// ```
///
/// # Errors
/// As [`parse`]; also when the placement is no position of the variant.
pub fn game_from_fen(variant: VariantId, text: &str) -> Result<Game, FenError> {
    let fen = parse(variant, text)?;
    Game::from_setup(variant, &fen.setup).map_err(|source| FenError::Setup { text: quote(text), source })
}

/// Writes a position in the form that every reader understands.
///
/// ```
/// use kroon::notation::fen;
/// use kroon::rules::VariantId;
/// let game = fen::game_from_fen(VariantId::International, "B:B1-3,k7:w50,49.").unwrap();
/// assert_eq!(fen::write(VariantId::International, game.position()), "B:W49,50:B1,2,3,K7");
/// ```
pub fn write(variant: VariantId, position: &Position) -> String {
    write_setup(variant, &Setup::from(position))
}

/// Writes any placement; see [`write()`].
pub fn write_setup(variant: VariantId, setup: &Setup) -> String {
    let rules = variant.rules();
    let mut text = String::from(setup.turn.letter());
    for color in Color::ALL {
        // Writing to a string cannot fail.
        let _ = write!(text, ":{}", color.letter());
        let mut separator = "";
        for square in rules.board.iter().filter(|&square| setup.side(color).contains(square)) {
            let king = if setup.kings().contains(square) { "K" } else { "" };
            let _ = write!(text, "{separator}{king}{}", SquareName::of(rules, square));
            separator = ",";
        }
    }
    // Counters belong to the position, but readers that know nothing of them would stumble over zeros.
    let runs = [Color::Black, Color::White].map(|color| setup.king_run(color));
    if runs != [KingRun::NONE; 2] {
        text.push(':');
        for run in runs {
            let _ = write!(text, "+{}", run.count());
            if let Some(square) = run.square() {
                let _ = write!(text, "{:02}", rules.board.number(square));
            }
        }
    }
    text
}

/// What went wrong, and the rest of the text at that point.
#[derive(Debug)]
struct FenFault<'a> {
    rest: &'a str,
    kind: FenFaultKind,
}

#[derive(Debug)]
enum FenFaultKind {
    Expected(&'static str),
    NoSquare,
    Conflict(Square),
}

impl<'a> ParseError<&'a str> for FenFault<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        FenFault { rest, kind: FenFaultKind::Expected("a FEN") }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl FenFault<'_> {
    fn explain(&self, rules: &Rules, text: &str, until_end: &str) -> FenError {
        let column = column(until_end, self.rest);
        let text = quote(text);
        match self.kind {
            FenFaultKind::Expected(expected) => {
                FenError::Syntax { text, column, expected, found: found(self.rest) }
            }
            FenFaultKind::NoSquare => {
                let name: String = self.rest.chars().take_while(|c| c.is_ascii_alphanumeric()).collect();
                let range = square::range(rules.board);
                FenError::NoSquare { text, column, square: quote(&name), range }
            }
            FenFaultKind::Conflict(square) => {
                FenError::Conflict { text, column, square: rules.board.number(square) }
            }
        }
    }
}

type FenParsed<'a, T> = IResult<&'a str, T, FenFault<'a>>;

fn fail<T>(rest: &str, kind: FenFaultKind) -> FenParsed<'_, T> {
    Err(nom::Err::Failure(FenFault { rest, kind }))
}

/// The text inside `[FEN "..."]` or quotes, or all of it.
fn unwrapped(text: &str) -> &str {
    fn wrapped(text: &str) -> IResult<&str, &str> {
        let quoted = || delimited(char('"'), opt(is_not("\"")), char('"'));
        let tag = delimited((char('['), blanks, tag_no_case("FEN"), blanks), quoted(), (blanks, char(']')));
        alt((tag, quoted())).map(Option::unwrap_or_default).parse(text)
    }
    match wrapped(text) {
        Ok((_, body)) if !body.is_empty() => body,
        _ => text,
    }
}

fn blanks<'a, E: ParseError<&'a str>>(text: &'a str) -> IResult<&'a str, &'a str, E> {
    take_while(|c: char| c.is_whitespace() || c == '_').parse(text)
}

fn fen<'a>(rules: &Rules, text: &'a str) -> FenParsed<'a, Fen> {
    let (mut rest, turn) = preceded(blanks, opt(color)).parse(text)?;
    let Some(turn) = turn else { return fail(rest, FenFaultKind::Expected("W or B, the side to move")) };
    let mut fen = Fen { setup: Setup::empty(turn), half_moves: None, full_move: None };
    let mut fields = 0;
    loop {
        let (after, colon) = delimited(blanks, opt(char(':')), blanks).parse(rest)?;
        if colon.is_none() {
            break;
        }
        rest = field(rules, &mut fen, after)?.0;
        fields += 1;
    }
    if fields == 0 {
        return fail(rest, FenFaultKind::Expected("\":\" and a list of pieces"));
    }
    let (rest, _) = delimited(blanks, opt(char('.')), blanks).parse(rest)?;
    if rest.is_empty() { Ok((rest, fen)) } else { fail(rest, FenFaultKind::Expected("the end")) }
}

fn color(text: &str) -> FenParsed<'_, Color> {
    alt((value(Color::White, one_of("Ww")), value(Color::Black, one_of("Bb")))).parse(text)
}

fn field<'a>(rules: &Rules, fen: &mut Fen, text: &'a str) -> FenParsed<'a, ()> {
    match text.chars().next() {
        None | Some(':' | '.') => Ok((text, ())),
        Some('W' | 'w' | 'B' | 'b') => {
            let (rest, color) = color(text)?;
            list(rules, &mut fen.setup, color, rest)
        }
        Some('H' | 'h') => counter(&mut fen.half_moves, text),
        Some('F' | 'f') => counter(&mut fen.full_move, text),
        Some('+') => {
            let (rest, black) = king_run(rules, text)?;
            let (rest, white) = king_run(rules, rest)?;
            if rules.king_run.is_some() {
                fen.setup.set_king_run(Color::Black, black);
                fen.setup.set_king_run(Color::White, white);
            }
            Ok((rest, ()))
        }
        Some(_) => fail(text, FenFaultKind::Expected("W or B and a list of pieces, H, F or +")),
    }
}

fn counter<'a>(counter: &mut Option<u16>, text: &'a str) -> FenParsed<'a, ()> {
    let (rest, digits) = preceded(anychar, opt(digit1)).parse(text)?;
    let Some(digits) = digits else { return fail(rest, FenFaultKind::Expected("a number")) };
    // A number with more digits than a counter can hold is simply a large one.
    *counter = Some(digits.parse().unwrap_or(u16::MAX));
    Ok((rest, ()))
}

/// Half of `+b+w` (Frisian draughts): a digit 0 to 3, how many moves in a row the side has made with one king, and, if
/// it is not 0, two digits for the square on which that king stands now.
fn king_run<'a>(rules: &Rules, text: &'a str) -> FenParsed<'a, KingRun> {
    let (rest, digits) = opt(preceded(char('+'), digit1)).parse(text)?;
    let Some((count, number)) = digits.and_then(|digits| digits.split_at_checked(1)) else {
        return fail(text, FenFaultKind::Expected("+ and a king-move counter"));
    };
    let expected = FenFaultKind::Expected("a king-move counter of 0 to 3 and a square");
    let Some(count) = count.parse().ok().filter(|&count| count <= KingRun::MOST) else {
        return fail(text, expected);
    };
    if count == 0 {
        return Ok((rest, KingRun::NONE));
    }
    match number.parse().ok().filter(|_| number.len() <= 2).and_then(|number| rules.square(number)) {
        Some(square) => Ok((rest, KingRun::new(square, count))),
        None => fail(text, expected),
    }
}

fn list<'a>(rules: &Rules, setup: &mut Setup, color: Color, text: &'a str) -> FenParsed<'a, ()> {
    let mut rest = text;
    loop {
        (rest, _) = take_while(|c: char| c.is_whitespace() || matches!(c, '_' | ',')).parse(rest)?;
        if rest.is_empty() || rest.starts_with([':', '.']) {
            return Ok((rest, ()));
        }
        rest = item(rules, setup, color, rest)?.0;
    }
}

fn item<'a>(rules: &Rules, setup: &mut Setup, color: Color, text: &'a str) -> FenParsed<'a, ()> {
    let (at, prefix) = prefix(rules, text)?;
    let (rest, (first, numeric)) = square(rules, at)?;
    let mut squares = first..=first;
    let mut rest = rest;
    if numeric && let (after, Some(_)) = opt((blanks, one_of(DASHES), blanks)).parse(rest)? {
        let (end, (last, numeric)) = square(rules, after)?;
        if !numeric || last < first {
            return fail(after, FenFaultKind::Expected("the last square of a range, not below the first"));
        }
        squares = first..=last;
        rest = end;
    }
    if prefix == Some('G') {
        return Ok((rest, ()));
    }
    let piece = Piece { color, king: prefix == Some('K') };
    for square in squares.filter_map(|number| rules.square(number)) {
        if setup.piece(square).is_some_and(|before| before != piece) {
            return fail(text, FenFaultKind::Conflict(square));
        }
        setup.put(square, piece);
    }
    Ok((rest, ()))
}

/// `K` for a king, `G` for a ghost of either kind, nothing for a man.
fn prefix<'a>(rules: &Rules, text: &'a str) -> FenParsed<'a, Option<char>> {
    // On an 8x8 board "g3" is a square. A capital G is a ghost, unless letters are the board's own notation.
    if text.starts_with(if rules.algebraic { ['g', 'G'] } else { ['g', 'g'] })
        && square::has_files(rules.board)
        && matches!(file_and_rank(&text[1..]), Ok((_, rank)) if rank <= 8)
    {
        return Ok((text, None));
    }
    let king = value('K', one_of("Kk"));
    let ghost = value('G', one_of("GgPp"));
    opt(alt((king, ghost))).parse(text)
}

/// The rank that follows a file: one number.
fn file_and_rank(text: &str) -> IResult<&str, u32> {
    nom::character::complete::u32.parse(text)
}

/// A square by number or by file and rank: its number, and whether it was given as a number.
fn square<'a>(rules: &Rules, text: &'a str) -> FenParsed<'a, (u32, bool)> {
    let board: &Board = rules.board;
    if square::has_files(board) && text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        let (rest, (file, rank)) = (anychar, opt(digit1)).parse(text)?;
        let rank: &str = rank.unwrap_or_default();
        let square = rank.parse().ok().and_then(|rank| square::at(board, file, rank));
        return match square {
            Some(square) => Ok((rest, (u32::from(board.number(square)), false))),
            None => fail(text, FenFaultKind::NoSquare),
        };
    }
    let (rest, digits) = opt(digit1).parse(text)?;
    let Some(digits): Option<&str> = digits else {
        return fail(text, FenFaultKind::Expected("a square"));
    };
    match digits.parse().ok().filter(|&number| board.square(number).is_some()) {
        Some(number) => Ok((rest, (number, true))),
        None => fail(text, FenFaultKind::NoSquare),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use VariantId::{English, International};

    fn rewritten(variant: VariantId, text: &str) -> String {
        write_setup(variant, &parse(variant, text).unwrap_or_else(|error| panic!("{error}")).setup)
    }

    fn error(variant: VariantId, text: &str) -> String {
        parse(variant, text).expect_err(text).to_string()
    }

    #[test]
    fn liberal_forms() {
        for (text, expected) in [
            ("W:W31-33:B1-3", "W:W31,32,33:B1,2,3"),
            ("W:B1-3:W31-33.", "W:W31,32,33:B1,2,3"),
            ("B:WK1-3:BK46,k47", "B:WK1,K2,K3:BK46,K47"),
            ("w:w 31 , 32,\t_33_ : b3", "W:W31,32,33:B3"),
            ("W:WK31,K32", "W:WK31,K32:B"),
            ("W:W31K32:B", "W:W31,K32:B"),
            ("W:W:B3", "W:W:B3"),
            ("W::.", "W:W:B"),
            ("B::", "B:W:B"),
            ("W:W07,007,7:B3", "W:W7:B3"),
            ("W:W31:B1:H3:F12:+0+228", "W:W31:B1"),
            ("W:W31,G32,P33:B1,G2-5", "W:W31:B1"),
            ("[FEN \"W:W31-32:B1.\"]", "W:W31,32:B1"),
            (" [ fen \"B:W31:B1\" ] ", "B:W31:B1"),
            ("W:W31:B1:W32", "W:W31,32:B1"),
            ("W:W1:BK50", "W:W1:BK50"),
        ] {
            assert_eq!(rewritten(International, text), expected, "{text}");
        }
    }

    #[test]
    fn letters_on_the_small_board() {
        assert_eq!(rewritten(English, "B:Wa1,Kc3,g3:Bb8,G2"), "B:WK22,24,29:B1");
        assert_eq!(rewritten(English, "B:W29,KG3:BGc3,G12,g7"), "B:WK24,29:B8");
        assert_eq!(
            error(English, "B:Wa2:Bb8"),
            "FEN \"B:Wa2:Bb8\", column 4: no square \"a2\", squares are 1 to 32 or the dark ones of a1 to h8"
        );
        assert!(error(International, "W:Wa1:B3").contains("column 4: expected a square, found \"a1\""));
    }

    #[test]
    fn fields_of_web_servers() {
        let fen = parse(International, "W:W28:B1:H12:F99999:+101+0+").expect_err("three counters");
        assert!(fen.to_string().contains("column 27"), "{fen}");
        let fen = parse(VariantId::Frisian, "W:WK28:BK1:H12:F99999:+101+228").unwrap();
        assert_eq!((fen.half_moves, fen.full_move), (Some(12), Some(u16::MAX)));
        let square = |number| International.rules().square(number).unwrap();
        assert_eq!(fen.setup.king_run(Color::White), KingRun::new(square(28), 2));
        assert_eq!(fen.setup.king_run(Color::Black), KingRun::new(square(1), 1));
    }

    #[test]
    fn runs_of_kings() {
        let text = "W:WK28,45:BK1,2:+101+228";
        let game = game_from_fen(VariantId::Frisian, text).unwrap();
        assert_eq!(write(VariantId::Frisian, game.position()), text);
        // Where nobody counts they are forgotten, and so are those of a side without men.
        let position = *game_from_fen(International, text).unwrap().position();
        assert_eq!(write(International, &position), "W:WK28,45:BK1,2");
        let position = *game_from_fen(VariantId::Frisian, "W:W45,K28:BK1:+101+0").unwrap().position();
        assert_eq!(write(VariantId::Frisian, &position), "W:WK28,45:BK1");
        let error = game_from_fen(VariantId::Frisian, "W:W45,K28:BK1,2:+0+227").unwrap_err().to_string();
        assert!(
            error.contains("White has moved a king 2 times in a row, but there is no such king"),
            "{error}"
        );
        for bad in ["+4+0", "+1+0", "+151+0", "+0", "+0+", "+1001+0"] {
            let text = format!("W:W45,K28:BK1,2:{bad}");
            assert!(game_from_fen(VariantId::Frisian, &text).is_err(), "{text}");
        }
    }

    #[test]
    fn errors_name_the_place() {
        for (text, part) in [
            ("", "does not say who is to move"),
            ("?", "does not say who is to move"),
            ("?:W31:B1", "does not say who is to move"),
            ("[FEN \"?\"]", "does not say who is to move"),
            ("X:W31:B1", "column 1: expected W or B, the side to move, found \"X\""),
            ("W", "column 2: expected \":\" and a list of pieces, found the end"),
            ("W:W31:B0", "column 8: no square \"0\", squares are 1 to 50"),
            ("W:W99999999999999:B1", "no square \"99999999999999\""),
            ("W:W31:B5-1", "column 10: expected the last square of a range"),
            ("W:W31:BK1-K5", "column 11: expected a square, found \"K5\""),
            ("W:W31:B1-", "column 10: expected a square, found the end"),
            ("W:W31:B31", "column 8: square 31 is listed as two different pieces"),
            ("W:W31,K31:B1", "column 7: square 31 is listed"),
            ("W:W31:B1.x", "column 10: expected the end, found \"x\""),
            ("W:W31:B1:Q", "column 10: expected W or B and a list of pieces, H, F or +"),
            ("W:W31:B1:H", "column 11: expected a number, found the end"),
            ("  [FEN \"W:W31:Bé\"]", "column 16: expected a square, found \"é\""),
        ] {
            let error = error(International, text);
            assert!(error.contains(part), "{text}: {error}");
        }
        let long = format!("W:W{}", "1,".repeat(100_000) + "x");
        assert!(error(International, &long).len() < 200);
        let illegal = game_from_fen(International, "W:W1:B2").unwrap_err().to_string();
        assert_eq!(illegal, "FEN \"W:W1:B2\": White man on its promotion row (square 1)");
    }
}
