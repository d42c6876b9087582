//! Pieces of text that several views share: variations, scores, boards.

use crate::board::{Color, Move, Piece, Position};
use crate::eval::{self, EvaluationKind, wdl::Chances};
use crate::game::Game;
use crate::notation::square::SquareName;
use crate::notation::{fen, hub, moves};
use crate::rules::{Objective, Rules};
use crate::score::Score;
use std::fmt::Write;

/// Longest line of moves.
const WIDTH: usize = 80;

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
    moves::write_line(game.variant(), game.position(), line)
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
/// names of the squares as the variant's notation has them.
///
/// ```
/// use kroon::{game::Game, rules::VariantId, view::text};
/// let first = |variant: VariantId| {
///     let diagram = text::diagram(variant.rules(), Game::new(variant).position());
///     diagram.lines().next().unwrap_or_default().to_owned()
/// };
/// assert_eq!(first(VariantId::English), "   b   b   b   b        1     2     3     4");
/// assert_eq!(first(VariantId::Russian), "   b   b   b   b       b8    d8    f8    h8");
/// ```
pub fn diagram(rules: &Rules, position: &Position) -> String {
    let board = rules.board;
    let mut text = String::new();
    for row in 0..board.side() {
        let mut names = String::new();
        for column in 0..board.side() {
            let square = board.at(row, column);
            text.push(' ');
            text.push(square.map_or(' ', |square| letter(position.piece(square))));
            let name = square.map(|square| SquareName::of(rules, square).to_string()).unwrap_or_default();
            names.push_str(&format!("{name:>3}"));
        }
        text.push_str("   ");
        text.push_str(names.trim_end());
        text.push('\n');
    }
    text
}

/// A position for people: the diagram, both notations, the legal moves, an evaluation term by term.
///
/// ```
/// use kroon::{eval::EvaluationKind, game::Game, rules::VariantId::International, view::text};
/// let text = text::position(&Game::new(International), EvaluationKind::Learned);
/// assert!(text.contains("\nFEN W:W31,32,"));
/// assert!(text.contains("\nWhite to move, 9 legal moves:\n  31-26 31-27 "));
/// ```
pub fn position(game: &Game, kind: EvaluationKind) -> String {
    let (variant, position) = (game.variant(), game.position());
    let board = variant.rules().board;
    let mut text = diagram(variant.rules(), position);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "\nFEN {}", fen::write(variant, position));
    let _ = writeln!(text, "Hub {}\n", hub::format_position(board, position));
    status(&mut text, game);
    evaluation(&mut text, game, kind);
    text
}

/// What has decided a game in which there is no legal move.
pub fn decision(game: &Game) -> String {
    let position = game.position();
    let crowned = [Color::White, Color::Black].into_iter().find(|&color| position.kings_of(color).any());
    match (game.variant().rules().objective, crowned) {
        (Objective::Crown, Some(color)) => format!("{color} has a king"),
        _ => format!("{} has no legal move", position.turn()),
    }
}

/// Who is to move, the legal moves, whether the game is over.
fn status(text: &mut String, game: &Game) {
    let (turn, legal) = (game.position().turn(), game.legal_moves());
    if let Some(outcome) = game.outcome() {
        let why = if legal.is_empty() { decision(game) + ", " } else { String::new() };
        let _ = writeln!(text, "Game over: {why}{outcome}.");
    }
    if legal.is_empty() {
        return;
    }
    let board = game.variant().rules().board;
    let key = |mv: &Move| (board.number(mv.from()), board.number(mv.to()));
    let texts = moves::write_all(game.variant(), game.position(), &legal);
    let mut moves: Vec<_> = legal.iter().map(key).zip(texts).collect();
    moves.sort();
    let word = if moves.len() == 1 { "move" } else { "moves" };
    let _ = writeln!(text, "{turn} to move, {} legal {word}:", moves.len());
    let mut line = String::new();
    for (_, mv) in moves {
        if line.len() + mv.len() >= WIDTH {
            let _ = writeln!(text, "{line}");
            line.clear();
        }
        line.push_str(if line.is_empty() { "  " } else { " " });
        line.push_str(&mv);
    }
    let _ = writeln!(text, "{line}");
}

/// The terms of the evaluation that are not zero on both sides, and their total.
fn evaluation(text: &mut String, game: &Game, kind: EvaluationKind) {
    let (terms, total) = eval::explain(kind, game.variant(), game.position());
    let _ = writeln!(text, "\n{:<24} {:>5} {:>5} {:>8}", "evaluation (men)", "white", "black", "score");
    for term in terms.iter().filter(|term| term.count != Some([0, 0])) {
        let [white, black] = match term.count {
            Some(counts) => counts.map(|count| count.to_string()),
            None => Default::default(),
        };
        let score = positive_zero(term.centi / 100.0);
        let _ = writeln!(text, "{:<24} {white:>5} {black:>5} {score:>+8.2}", term.name);
    }
    let _ = writeln!(text, "{:<36} {:>+8.2}", "for White", f64::from(total.centi()) / 100.0);
}

/// Without the sign of a negative zero, or of what rounds to it.
fn positive_zero(men: f64) -> f64 {
    if men.abs() < 0.005 { 0.0 } else { men }
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
