//! Pieces of text that several views share: variations, scores, boards.

use crate::board::{Board, Color, Move, Piece, Position};
use crate::eval::wdl::Chances;
use crate::game::Game;
use crate::notation::moves;
use crate::rules::play_in;
use crate::score::Score;

/// A variation in PDN, each move written for the position in which it is played. The moves must be legal one after
/// another from the current position of the game.
///
/// ```
/// use kroon::{game::Game, notation::moves, rules::VariantId::International, view::text};
/// let game = Game::new(International);
/// let first = moves::read(International, game.position(), "32-28").unwrap();
/// assert_eq!(text::variation(&game, &[first]), ["32-28"]);
/// ```
pub fn variation(game: &Game, line: &[Move]) -> Vec<String> {
    let variant = game.variant();
    let mut position = *game.position();
    line.iter()
        .map(|&mv| {
            let text = moves::write(variant, &position, mv);
            position = play_in(variant, &position, mv);
            text
        })
        .collect()
}

/// A score in men with its sign, or the plies to the end of the game.
///
/// ```
/// use kroon::{score::Score, view::text};
/// let texts = [Score::from_centi(25), Score::DRAW, Score::win_in(7), Score::loss_in(8)].map(text::score);
/// assert_eq!(texts, ["+0.25", "0.00", "win 7", "loss 8"]);
/// ```
pub fn score(score: Score) -> String {
    match score.plies_to_end() {
        Some(plies) if score > Score::DRAW => format!("win {plies}"),
        Some(plies) => format!("loss {plies}"),
        None if score > Score::DRAW => format!("+{score}"),
        None => score.to_string(),
    }
}

/// Win, draw and loss in whole percents that sum up to 100: `41/50/9`.
///
/// ```
/// use kroon::{eval::wdl::Chances, view::text};
/// assert_eq!(text::percents(Chances { win: 0.405, draw: 0.51, loss: 0.085 }), "41/50/9");
/// ```
pub fn percents(chances: Chances) -> String {
    let win = (100.0 * chances.win).round() as u32;
    let loss = ((100.0 * chances.loss).round() as u32).min(100_u32.saturating_sub(win));
    format!("{win}/{}/{loss}", 100_u32.saturating_sub(win + loss))
}

/// The board, White at the bottom, one line for each row; beside the pieces (men `w` and `b`, kings `W` and `B`) the
/// numbers of the squares.
///
/// ```
/// use kroon::{game::Game, rules::VariantId::English, view::text};
/// let game = Game::new(English);
/// let diagram = text::diagram(English.rules().board, game.position());
/// assert_eq!(diagram.lines().next(), Some("   b   b   b   b        1     2     3     4"));
/// ```
pub fn diagram(board: &Board, position: &Position) -> String {
    let mut text = String::new();
    for row in 0..board.side() {
        let mut numbers = String::new();
        for column in 0..board.side() {
            let square = board.at(row, column);
            text.push(' ');
            text.push(square.map_or(' ', |square| letter(position.piece(square))));
            let number = square.map(|square| board.number(square).to_string()).unwrap_or_default();
            numbers.push_str(&format!("{number:>3}"));
        }
        text.push_str("   ");
        text.push_str(numbers.trim_end());
        text.push('\n');
    }
    text
}

fn letter(piece: Option<Piece>) -> char {
    match piece {
        None => '.',
        Some(Piece { color: Color::White, king: false }) => 'w',
        Some(Piece { color: Color::White, king: true }) => 'W',
        Some(Piece { color: Color::Black, king: false }) => 'b',
        Some(Piece { color: Color::Black, king: true }) => 'B',
    }
}
