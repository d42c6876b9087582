//! A game as the page has it: as few characters as a script can make the positions of again.

use super::game::{GameAnalysis, MoveAnalysis};
use super::judge::MoveClass;
use super::mark;
use super::output::FinishedGame;
use super::say::remark;
use crate::board::{Color, Move, Piece, Position, Square};
use crate::game::Game;
use crate::notation::moves;
use crate::notation::pdn::{PdnAction, PdnEntry, Replay, commands};
use crate::notation::square::SquareName;
use crate::rules::{VariantId, play_in};
use serde::Serialize;

/// Squares, classes and numbers as one character or two.
const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// The number for an expected result of 1; a multiple of four keeps quarters exact.
const WHOLE: f64 = 4000.0;

/// A board: how many squares a side has, where the playing squares are, and how moves are written.
#[derive(Serialize)]
pub(super) struct BoardData {
    side: u8,
    /// Row, column and name of each square, in the order of the positions.
    squares: Vec<(u8, u8, String)>,
    /// The sign of a capture.
    sign: char,
}

impl BoardData {
    pub fn new(variant: VariantId) -> BoardData {
        let rules = variant.rules();
        let place = |square: Square| {
            (square.row(), rules.board.column(square), SquareName::of(rules, square).to_string())
        };
        BoardData {
            side: rules.board.side(),
            squares: rules.board.iter().map(place).collect(),
            sign: rules.capture_sign,
        }
    }
}

/// A game.
#[derive(Serialize)]
pub(super) struct GameData<'a> {
    number: usize,
    variant: &'static str,
    white: &'a str,
    black: &'a str,
    event: String,
    result: &'a str,
    /// Why the moves could not be followed to their end.
    #[serde(skip_serializing_if = "Option::is_none")]
    stopped: Option<String>,
    /// Where a position stands that no move has made: the moves before it, the position, and the plies before the next move by
    /// its number (1. is 0, 1... is 1).
    starts: Vec<(usize, String, usize)>,
    /// The expected result of White before the first move, if that was analysed.
    before: Option<f64>,
    /// Moves with blanks between them: the digits of the square from which, that to which, those of the captured pieces;
    /// `+` behind a man that becomes a king.
    moves: String,
    /// Moves whose text is not their first and last squares: number from 0, text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    texts: Vec<(usize, String)>,
    /// The digit of the class of each move, a point where it was not analysed.
    classes: String,
    /// Two digits for the expected result of White behind each move, two points where it was not analysed.
    expected: String,
    /// What is said of moves.
    notes: Vec<NoteData>,
    /// White, Black.
    sides: [SideData; 2],
}

/// What is said of a move: its number from 0; the digits of the best move, if it is another one; the better line; what
/// the file says, then the analysis; the expected result that an error has given away.
#[derive(Serialize)]
struct NoteData(usize, String, String, Vec<String>, f64);

/// What a side did; its classes are counted by whoever shows them.
#[derive(Serialize)]
struct SideData {
    moves: usize,
    accuracy: Option<f64>,
    loss: Option<f64>,
    seconds: Option<f64>,
    /// Moves of which the seconds are known.
    timed: usize,
    longest: Option<f64>,
}

impl SideData {
    fn new(analysis: &GameAnalysis, color: Color) -> SideData {
        let side = analysis.side(color);
        let is_timed = |mv: &&MoveAnalysis| mv.side() == color && mv.seconds.is_some();
        SideData {
            moves: side.moves,
            accuracy: side.accuracy,
            loss: side.average_loss,
            seconds: side.seconds,
            timed: analysis.moves.iter().filter(is_timed).count(),
            longest: side.longest.map(|(seconds, _)| seconds),
        }
    }
}

impl<'a> GameData<'a> {
    pub fn new(game: &'a FinishedGame, replay: &Replay, analysis: &'a GameAnalysis) -> GameData<'a> {
        let name =
            |color| game.pdn.player(color).unwrap_or(if color == Color::White { "White" } else { "Black" });
        let known = |tag| game.pdn.tags.known(&[tag]).filter(|value| !value.starts_with("????"));
        let event: Vec<&str> = ["Event", "Date", "Round"].into_iter().filter_map(known).collect();
        let first = analysis.moves.first().filter(|mv| mv.ply == 1);
        let mut data = GameData {
            number: game.place.game,
            variant: replay.game().variant().name(),
            white: name(Color::White),
            black: name(Color::Black),
            event: event.join(", "),
            result: game.pdn.result_text(),
            stopped: game.stopped(),
            starts: Vec::new(),
            before: first.map(|mv| match mv.side() {
                Color::White => mv.before.expected,
                Color::Black => 1.0 - mv.before.expected,
            }),
            moves: String::new(),
            texts: Vec::new(),
            classes: String::new(),
            expected: String::new(),
            notes: Vec::new(),
            sides: Color::ALL.map(|color| SideData::new(analysis, color)),
        };
        let mut analysed = analysis.moves.iter().peekable();
        let first = game.pdn.first(replay.game().variant());
        let (mut ply, mut count, mut passed) = (0, 0, 0);
        let entries = &game.pdn.line.entries;
        for section in replay.sections() {
            // As in PDN, numbers go on where a position is set up in the middle of a game, and a missing move has one.
            let here = replay.entries().get(ply).map_or(entries.len(), |&entry| entry.max(passed));
            let is_missing = |entry: &&PdnEntry| entry.action == PdnAction::Missing;
            count += entries[passed..here].iter().filter(is_missing).count();
            passed = here;
            count = count / 2 * 2 + usize::from(section.start().turn() != first);
            data.starts.push((ply, letters(section.variant(), section.start()), count));
            count += section.moves().len();
            data.section(ply, section, |ply, position, next| {
                let mv = analysed.next_if(|mv| mv.ply == ply + 1);
                let said = said(game, replay, ply, mv, next);
                (mv, note(section.variant(), position, ply, mv, said))
            });
            ply += section.moves().len();
        }
        data
    }

    /// The moves of one section, the first of which has this number; `judge` says what is known of a move, by its number,
    /// the position before it and the text of the next move.
    fn section<'b>(
        &mut self,
        from: usize,
        section: &Game,
        mut judge: impl FnMut(usize, &Position, Option<&str>) -> (Option<&'b MoveAnalysis>, Option<NoteData>),
    ) {
        let variant = section.variant();
        let mut position = *section.start();
        let mut texts = Vec::with_capacity(section.moves().len());
        let mut positions = Vec::with_capacity(section.moves().len());
        for &played in section.moves() {
            positions.push(position);
            texts.push(moves::write(variant, &position, played));
            position = play_in(variant, &position, played);
        }
        for (index, (&played, position)) in section.moves().iter().zip(&positions).enumerate() {
            let ply = from + index;
            if !self.moves.is_empty() {
                self.moves.push(' ');
            }
            self.moves.push_str(&compact(variant, played));
            if texts[index] != plain_text(variant, played) {
                self.texts.push((ply, texts[index].clone()));
            }
            let (mv, note) = judge(ply, position, texts.get(index + 1).map(String::as_str));
            self.classes.push(mv.and_then(class_digit).unwrap_or('.'));
            match mv {
                Some(mv) => self.expected.extend(two_digits(mv.white_expected())),
                None => self.expected.push_str(".."),
            }
            self.notes.extend(note);
        }
    }
}

/// What is said of a move: by the file, then by this analysis.
fn said(
    game: &FinishedGame,
    replay: &Replay,
    ply: usize,
    mv: Option<&MoveAnalysis>,
    next: Option<&str>,
) -> Vec<String> {
    let entry = replay.entries().get(ply).and_then(|&place| game.pdn.line.entries.get(place));
    let comments = entry.into_iter().flat_map(|entry| &entry.comments);
    // What an earlier analysis said is not repeated.
    let own = |comment: &String| if mv.is_some() { mark::without_own(comment) } else { comment.clone() };
    let words = comments.map(|comment| commands(&own(comment)).1).filter(|text| !text.is_empty());
    words.chain(mv.and_then(|mv| remark(mv, next))).collect()
}

fn note(
    variant: VariantId,
    position: &Position,
    ply: usize,
    mv: Option<&MoveAnalysis>,
    said: Vec<String>,
) -> Option<NoteData> {
    let error = mv.filter(|mv| mv.class.is_error());
    let better = error.and_then(|mv| moves::read(variant, position, mv.best.first()?).ok());
    let better: String =
        better.iter().flat_map(|mv| [mv.from(), mv.to()]).map(|square| digit(variant, square)).collect();
    let line = error.map(|mv| mv.best.join(" ")).unwrap_or_default();
    let loss = error.map_or(0.0, |mv| mv.loss);
    (!said.is_empty() || !better.is_empty()).then_some(NoteData(ply, better, line, said, loss))
}

/// A letter for each square: `w` and `b` for men, `W` and `B` for kings.
pub(super) fn letters(variant: VariantId, position: &Position) -> String {
    let letter = |square| match position.piece(square) {
        None => '.',
        Some(Piece { color: Color::White, king: false }) => 'w',
        Some(Piece { color: Color::White, king: true }) => 'W',
        Some(Piece { color: Color::Black, king: false }) => 'b',
        Some(Piece { color: Color::Black, king: true }) => 'B',
    };
    variant.rules().board.iter().map(letter).collect()
}

/// The place of a square in a position. A board has at most 50 squares.
fn digit(variant: VariantId, wanted: Square) -> char {
    let place = variant.rules().board.iter().position(|square| square == wanted).unwrap_or(0);
    char::from(DIGITS[place % DIGITS.len()])
}

fn class_digit(mv: &MoveAnalysis) -> Option<char> {
    let place = MoveClass::ALL.iter().position(|&class| class == mv.class)?;
    Some(char::from(DIGITS[place]))
}

/// A share of 1.
fn two_digits(share: f64) -> [char; 2] {
    let number = (share.clamp(0.0, 1.0) * WHOLE).round() as usize;
    [number / DIGITS.len(), number % DIGITS.len()].map(|place| char::from(DIGITS[place]))
}

fn compact(variant: VariantId, mv: Move) -> String {
    let squares = [mv.from(), mv.to()].into_iter().chain(mv.captured());
    let mut text: String = squares.map(|square| digit(variant, square)).collect();
    if mv.promotes() {
        text.push('+');
    }
    text
}

/// How the page writes a move for which there is no other text.
fn plain_text(variant: VariantId, mv: Move) -> String {
    let name = |square| SquareName::of(variant.rules(), square);
    let sign = if mv.is_capture() { variant.rules().capture_sign } else { '-' };
    format!("{}{sign}{}", name(mv.from()), name(mv.to()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn place(digit: u8) -> usize {
        DIGITS.iter().position(|&known| known == digit).unwrap()
    }

    /// What the script of the page does: takes the pieces off, moves, crowns.
    fn played(letters: &str, mv: &str) -> String {
        let mut board: Vec<char> = letters.chars().collect();
        let squares: Vec<usize> = mv.trim_end_matches('+').bytes().map(place).collect();
        let piece = std::mem::replace(&mut board[squares[0]], '.');
        squares[2..].iter().for_each(|&captured| board[captured] = '.');
        board[squares[1]] = if mv.ends_with('+') { piece.to_ascii_uppercase() } else { piece };
        board.into_iter().collect()
    }

    #[test]
    fn positions_follow_from_compact_moves() {
        let mut captures = 0;
        for variant in VariantId::ALL {
            for seed in 0..4 {
                let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
                let mut game = Game::new(variant);
                while game.outcome().is_none() && game.moves().len() < 150 {
                    let legal = game.legal_moves();
                    let mv = legal[random.random_range(0..legal.len())];
                    let before = letters(variant, game.position());
                    game.play(mv).unwrap();
                    captures += usize::from(mv.is_capture());
                    assert_eq!(
                        played(&before, &compact(variant, mv)),
                        letters(variant, game.position()),
                        "{variant} {mv:?}"
                    );
                }
            }
        }
        assert!(captures > 300, "{captures}");
    }

    #[test]
    fn boards_lie_as_players_see_them() {
        for (variant, square) in [
            (VariantId::International, (0, 1, "1".to_owned())),
            (VariantId::Russian, (7, 0, "a1".to_owned())),
            (VariantId::Italian, (0, 0, "1".to_owned())),
            (VariantId::Spanish, (7, 7, "1".to_owned())),
            (VariantId::Portuguese, (0, 0, "32".to_owned())),
        ] {
            let squares = BoardData::new(variant).squares;
            assert!(squares.contains(&square), "{variant}: {squares:?}");
        }
    }

    #[test]
    fn an_expected_result_keeps_three_places() {
        for thousandths in 0..=1000 {
            let share = f64::from(thousandths) / 1000.0;
            let [high, low] = two_digits(share).map(|digit| place(digit as u8));
            assert_eq!((high * 64 + low) as f64 / WHOLE, share);
        }
    }
}
