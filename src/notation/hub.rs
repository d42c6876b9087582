//! Positions and moves as Hub version 2 writes them.
//!
//! A position is the side to move (`W` or `B`) and one letter for each square in the order of its number: `w` `b` men,
//! `W` `B` kings, `e` empty. That makes 51 characters on a board of 50 squares and, in our extension, 33 on a
//! board of 32 squares, with the colours and numbers of the variant.
//!
//! A move is `from-to`, or `fromxto` followed by `x` and a number for each *captured* square: unlike PDN, where the
//! numbers between are landing squares.

use super::text::quote;
use crate::board::{Bitboard, Board, Color, Move, Piece, Position, Setup};
use nom::character::complete::{char, satisfy};
use nom::combinator::{all_consuming, map, map_opt, recognize};
use nom::multi::{many_m_n, many0};
use nom::sequence::preceded;
use nom::{IResult, Parser, branch::alt};
use smallvec::SmallVec;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Why a text is no Hub position.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum HubPositionError {
    /// Too short or too long for the board.
    #[error("position {text} has {found} characters, expected {expected} (side to move and {squares} squares)",
        squares = expected - 1)]
    Length {
        /// The text, quoted.
        text: String,
        /// Its length in characters.
        found: usize,
        /// The length that this board needs.
        expected: usize,
    },
    /// The first letter names no side.
    #[error("position {text}: side to move '{letter}', expected W or B")]
    Side {
        /// The text, quoted.
        text: String,
        /// What was found.
        letter: char,
    },
    /// A letter that stands for no piece.
    #[error("position {text}: letter '{letter}' on square {number}, expected w, b, W, B or e")]
    Letter {
        /// The text, quoted.
        text: String,
        /// What was found.
        letter: char,
        /// The square's number.
        number: usize,
    },
}

/// Why a text is no Hub move, or no legal one.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum HubMoveError {
    /// Not of the form of a Hub move.
    #[error("bad move {0}, expected from-to or fromxtoxcaptured.. with square numbers")]
    Syntax(String),
    /// No legal move is meant by it.
    #[error("illegal move {0}")]
    Illegal(String),
    /// Captured squares are missing and more than one capture fits.
    #[error("ambiguous move {0}: {1} captures fit, add the captured squares")]
    Ambiguous(String, usize),
}

/// Reads a position of this board. Letters are checked here, the placement by [`Setup::position`].
///
/// ```
/// use kroon::board::{Board, Color};
/// use kroon::notation::hub;
/// let text = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
/// let setup = hub::parse_position(Board::INTERNATIONAL, &text).unwrap();
/// assert_eq!(setup.side(Color::Black).len(), 20);
/// assert!(hub::parse_position(Board::INTERNATIONAL, "Wb").unwrap_err().to_string().contains("expected 51"));
/// ```
///
/// # Errors
/// A wrong length or the first wrong letter.
pub fn parse_position(board: &Board, text: &str) -> Result<Setup, HubPositionError> {
    let squares = usize::from(board.squares());
    let found = text.chars().count();
    if found != squares + 1 {
        return Err(HubPositionError::Length { text: quote(text), found, expected: squares + 1 });
    }
    let mut parser = all_consuming((side, many_m_n(squares, squares, piece)));
    match parser.parse(text) {
        Ok((_, (turn, pieces))) => {
            let mut setup = Setup::empty(turn);
            for (square, piece) in board.iter().zip(pieces) {
                if let Some(piece) = piece {
                    setup.put(square, piece);
                }
            }
            Ok(setup)
        }
        Err(_) => Err(position_fault(text)),
    }
}

/// The first letter of a text of the right length that does not belong there.
fn position_fault(text: &str) -> HubPositionError {
    let first = text.chars().next().unwrap_or(' ');
    if side(text).is_err() {
        return HubPositionError::Side { text: quote(text), letter: first };
    }
    let fault =
        text.chars().enumerate().skip(1).find(|(_, letter)| piece(letter.encode_utf8(&mut [0; 4])).is_err());
    let (number, letter) = fault.unwrap_or((0, first));
    HubPositionError::Letter { text: quote(text), letter, number }
}

fn side(text: &str) -> IResult<&str, Color> {
    alt((map(char('W'), |_| Color::White), map(char('B'), |_| Color::Black))).parse(text)
}

fn piece(text: &str) -> IResult<&str, Option<Piece>> {
    map_opt(satisfy(|_| true), |letter| match letter {
        'w' => Some(Some(Piece { color: Color::White, king: false })),
        'b' => Some(Some(Piece { color: Color::Black, king: false })),
        'W' => Some(Some(Piece { color: Color::White, king: true })),
        'B' => Some(Some(Piece { color: Color::Black, king: true })),
        'e' => Some(None),
        _ => None,
    })
    .parse(text)
}

/// Writes a position of this board.
///
/// ```
/// use kroon::board::Board;
/// use kroon::game::Game;
/// use kroon::notation::hub;
/// use kroon::rules::VariantId;
/// let game = Game::new(VariantId::English);
/// let text = hub::format_position(Board::ENGLISH, game.position());
/// assert_eq!(text, "Bbbbbbbbbbbbbeeeeeeeewwwwwwwwwwww");
/// ```
pub fn format_position(board: &Board, position: &Position) -> String {
    let letters = board.iter().map(|square| match position.piece(square) {
        None => 'e',
        Some(Piece { color: Color::White, king: false }) => 'w',
        Some(Piece { color: Color::Black, king: false }) => 'b',
        Some(Piece { color, king: true }) => color.letter(),
    });
    std::iter::once(position.turn().letter()).chain(letters).collect()
}

/// A move as text: square numbers, captured ones ascending. [`HubMoveText::resolve`] finds the legal move that it means.
///
/// ```
/// use kroon::notation::hub::HubMoveText;
/// assert_eq!("33x4x29x9x18".parse::<HubMoveText>().unwrap().to_string(), "33x4x9x18x29");
/// assert!("33x".parse::<HubMoveText>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HubMoveText {
    from: u8,
    to: u8,
    /// None for a quiet move; empty for a capture that leaves the captured squares out.
    captured: Option<SmallVec<[u8; 12]>>,
}

impl HubMoveText {
    /// The text of a move on this board.
    pub fn new(board: &Board, mv: Move) -> HubMoveText {
        let captured = mv.is_capture().then(|| {
            let mut numbers: SmallVec<_> = mv.captured().into_iter().map(|sq| board.number(sq)).collect();
            numbers.sort_unstable();
            numbers
        });
        HubMoveText { from: board.number(mv.from()), to: board.number(mv.to()), captured }
    }

    /// The one move of `legal` that this text means. A capture without captured squares is understood when only one
    /// capture has its start and end.
    ///
    /// # Errors
    /// [`HubMoveError::Illegal`] or [`HubMoveError::Ambiguous`].
    pub fn resolve(&self, board: &Board, legal: &[Move]) -> Result<Move, HubMoveError> {
        let Some((from, to)) = board.square(self.from.into()).zip(board.square(self.to.into())) else {
            return Err(HubMoveError::Illegal(quote(&self.to_string())));
        };
        let mut same = legal.iter().copied().filter(|mv| mv.from() == from && mv.to() == to);
        let found = match &self.captured {
            None => same.find(|mv| !mv.is_capture()),
            Some(numbers) if numbers.is_empty() => {
                let mut captures = same.filter(|mv| mv.is_capture());
                let first = captures.next();
                match captures.count() {
                    0 => first,
                    more => return Err(HubMoveError::Ambiguous(quote(&self.to_string()), more + 1)),
                }
            }
            Some(numbers) => {
                let set: Option<Bitboard> =
                    numbers.iter().map(|&number| board.square(number.into())).collect();
                same.find(|mv| Some(mv.captured()) == set)
            }
        };
        found.ok_or_else(|| HubMoveError::Illegal(quote(&self.to_string())))
    }
}

impl FromStr for HubMoveText {
    type Err = HubMoveError;

    fn from_str(text: &str) -> Result<HubMoveText, HubMoveError> {
        match all_consuming(alt((quiet, capture))).parse(text) {
            Ok((_, parsed)) => Ok(parsed),
            Err(_) => Err(HubMoveError::Syntax(quote(text))),
        }
    }
}

impl fmt::Display for HubMoveText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.captured.is_some() { 'x' } else { '-' };
        write!(f, "{}{sign}{}", self.from, self.to)?;
        self.captured.iter().flatten().try_for_each(|number| write!(f, "x{number}"))
    }
}

fn number(text: &str) -> IResult<&str, u8> {
    let digits = recognize(many_m_n(1, 2, satisfy(|letter| letter.is_ascii_digit())));
    map_opt(digits, |digits: &str| digits.parse().ok()).parse(text)
}

fn quiet(text: &str) -> IResult<&str, HubMoveText> {
    map((number, char('-'), number), |(from, _, to)| HubMoveText { from, to, captured: None }).parse(text)
}

fn capture(text: &str) -> IResult<&str, HubMoveText> {
    let (rest, (from, _, to)) = (number, char('x'), number).parse(text)?;
    let (rest, list) = many0(preceded(char('x'), number)).parse(rest)?;
    let mut captured = SmallVec::from_vec(list);
    captured.sort_unstable();
    captured.dedup();
    Ok((rest, HubMoveText { from, to, captured: Some(captured) }))
}

/// Reads a move and finds the legal move that it means.
///
/// ```
/// use kroon::game::Game;
/// use kroon::notation::hub;
/// use kroon::rules::VariantId;
/// let game = Game::new(VariantId::International);
/// let board = game.variant().rules().board;
/// let mv = hub::parse_move(board, &game.legal_moves(), "32-28").unwrap();
/// assert_eq!(hub::format_move(board, mv), "32-28");
/// assert!(hub::parse_move(board, &game.legal_moves(), "32-29").is_err());
/// ```
///
/// # Errors
/// When the text is no move or means no single legal one.
pub fn parse_move(board: &Board, legal: &[Move], text: &str) -> Result<Move, HubMoveError> {
    text.parse::<HubMoveText>()?.resolve(board, legal)
}

/// Writes a move, with all captured squares.
pub fn format_move(board: &Board, mv: Move) -> String {
    HubMoveText::new(board, mv).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::{VariantId, legal_moves};
    use proptest::prelude::*;

    fn setup(variant: VariantId, text: &str) -> Game {
        Game::from_setup(variant, &parse_position(variant.rules().board, text).unwrap()).unwrap()
    }

    /// A position text from (number, letter) pairs.
    fn position_text(turn: char, squares: usize, pieces: &[(usize, char)]) -> String {
        let mut letters = vec!['e'; squares];
        for &(number, letter) in pieces {
            letters[number - 1] = letter;
        }
        std::iter::once(turn).chain(letters).collect()
    }

    #[test]
    fn initial_positions() {
        for variant in VariantId::ALL {
            let game = Game::new(variant);
            let board = variant.rules().board;
            let text = format_position(board, game.position());
            assert_eq!(text.len(), usize::from(board.squares()) + 1);
            assert_eq!(setup(variant, &text).position(), game.position());
        }
        let text = format_position(Board::INTERNATIONAL, Game::new(VariantId::International).position());
        assert_eq!(text, format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20)));
    }

    #[test]
    fn the_published_capture() {
        let game = setup(VariantId::International, &position_text('W', 50, &[(33, 'w'), (28, 'b')]));
        let legal = game.legal_moves();
        for text in ["33x22x28", "33x22", "33x22x28x28"] {
            let mv = parse_move(Board::INTERNATIONAL, &legal, text).unwrap();
            assert_eq!(format_move(Board::INTERNATIONAL, mv), "33x22x28");
        }
        for text in ["33-22", "33x22x27", "33x22x28x29", "33-28", "22x33x28", "99x22x28", "33x22x99", "0x22"]
        {
            let error = parse_move(Board::INTERNATIONAL, &legal, text).unwrap_err();
            assert_eq!(error, HubMoveError::Illegal(quote(text)));
        }
        for text in [
            "",
            "33",
            "33x",
            "33-",
            "33x22x",
            "33x22-28",
            "33x22 x28",
            "133-22",
            "a-b",
            "٣٣x22",
            "-1-2",
            "33:22",
        ] {
            let error = parse_move(Board::INTERNATIONAL, &legal, text).unwrap_err();
            assert_eq!(error, HubMoveError::Syntax(quote(text)));
        }
    }

    #[test]
    fn captured_squares_may_be_missing_only_when_one_capture_fits() {
        // English draughts: the man on 2 reaches 18 over 6 and 14 or over 7 and 15.
        let pieces = [(2, 'b'), (6, 'w'), (7, 'w'), (14, 'w'), (15, 'w')];
        let game = setup(VariantId::English, &position_text('B', 32, &pieces));
        let read = |text| parse_move(Board::ENGLISH, &game.legal_moves(), text);
        assert_eq!(read("2x18"), Err(HubMoveError::Ambiguous(quote("2x18"), 2)));
        assert_ne!(read("2x18x14x6").unwrap(), read("2x18x7x15").unwrap());
        assert_eq!(read("2x18x6"), Err(HubMoveError::Illegal(quote("2x18x6"))));
    }

    #[test]
    fn a_circular_capture_ends_where_it_began() {
        // 48 over 42 to 37, over 32 to 28, over 33 to 39, over 43 to 48; or the other way round: one move.
        let pieces = [(48, 'W'), (42, 'b'), (32, 'b'), (33, 'b'), (43, 'b')];
        let game = setup(VariantId::International, &position_text('W', 50, &pieces));
        let read = |text| parse_move(Board::INTERNATIONAL, &game.legal_moves(), text);
        let mv = read("48x48x43x33x32x42").unwrap();
        assert_eq!(read("48x48"), Ok(mv));
        assert_eq!(format_move(Board::INTERNATIONAL, mv), "48x48x32x33x42x43");
    }

    #[test]
    fn faults_are_named() {
        let board = Board::INTERNATIONAL;
        let start = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        let fault = |text: &str| parse_position(board, text).unwrap_err();
        let error = fault(&start.replacen('W', "x", 1)).to_string();
        assert!(error.starts_with("position \"xbbb") && error.ends_with("side to move 'x', expected W or B"));
        let error = fault(&start.replacen('e', "é", 1)).to_string();
        assert!(error.ends_with("\": letter 'é' on square 21, expected w, b, W, B or e"), "{error}");
        assert!(matches!(fault(""), HubPositionError::Length { found: 0, expected: 51, .. }));
        assert!(matches!(fault(&"é".repeat(1000)), HubPositionError::Length { found: 1000, .. }));
        assert!(fault(&"w".repeat(100_000)).to_string().len() < 300);
    }

    proptest! {
        #[test]
        fn moves_and_positions_round_trip(english: bool, choices in prop::collection::vec(0..1000usize, 0..120)) {
            let variant = if english { VariantId::English } else { VariantId::International };
            let board = variant.rules().board;
            let mut game = Game::new(variant);
            for choice in choices {
                let legal = legal_moves(variant, game.position());
                for &mv in &legal {
                    prop_assert_eq!(parse_move(board, &legal, &format_move(board, mv)), Ok(mv));
                }
                if legal.is_empty() {
                    break;
                }
                game.play(legal[choice % legal.len()]).unwrap();
                let text = format_position(board, game.position());
                let again = setup(variant, &text);
                prop_assert_eq!(again.position(), game.position());
            }
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,60}", digits in "[0-9x-]{0,200}") {
            for text in [text, digits] {
                if let Ok(parsed) = text.parse::<HubMoveText>() {
                    prop_assert_eq!(parsed.to_string().parse(), Ok(parsed));
                }
                let _ = parse_position(Board::ENGLISH, &text);
                let _ = parse_position(Board::INTERNATIONAL, &text);
            }
        }
    }
}
