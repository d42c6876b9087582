//! Puzzles as a page to print: boards first, the solutions on the last page.

use super::pdn::goal_word;
use super::puzzle::{Puzzle, PuzzleFault};
use crate::board::Color;
use crate::notation::moves;
use crate::svg::board::Picture;
use crate::svg::page;
use maud::{DOCTYPE, Markup, html};

/// What the looks that all pages share do not have.
const STYLE: &str = "
.sheet { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1.2rem }
.sheet figure { margin: 0 }
.sheet figcaption { display: flex; justify-content: space-between; gap: .5rem; font-size: 1rem; color: inherit }
ol { padding-left: 2.2rem }
li { margin: .25rem 0; break-inside: avoid }
@media print {
  .sheet { grid-template-columns: repeat(3, 1fr); gap: .8rem }
  .solutions { break-before: page; columns: 2 }
}
";

/// A page with a board for each puzzle and the solutions at its end; it needs no other file.
///
/// # Errors
/// When a puzzle cannot be played.
pub fn sheet(title: &str, puzzles: &[Puzzle]) -> Result<String, PuzzleFault> {
    let mut boards = Vec::new();
    let mut solutions = Vec::new();
    for (index, puzzle) in puzzles.iter().enumerate() {
        boards.push(board(index + 1, puzzle)?);
        solutions.push(solution(puzzle)?);
    }
    let sheet = html! {
        (DOCTYPE)
        html lang="en" {
            (page::head("puzzles", title, STYLE))
            body {
                h1 { (title) }
                p.note {
                    "White is at the bottom. Exactly one first move reaches the goal. The number of dots says how hard a "
                    "puzzle is, one to five."
                }
                div.sheet { @for board in &boards { (board) } }
                section.solutions {
                    h2 { "Solutions" }
                    ol { @for solution in &solutions { li { (solution) } } }
                }
                (page::footer())
            }
        }
    };
    Ok(sheet.into_string())
}

/// One to five dots.
fn dots(difficulty: f64) -> String {
    let count = ((difficulty / 2.0).round() as usize).clamp(1, 5);
    "\u{25cf}".repeat(count) + &"\u{25cb}".repeat(5 - count)
}

fn board(number: usize, puzzle: &Puzzle) -> Result<Markup, PuzzleFault> {
    let game = puzzle.game()?;
    let turn = if game.position().turn() == Color::White { "White" } else { "Black" };
    let hard = format!("difficulty {:.1} of 10", puzzle.difficulty);
    Ok(html! {
        figure {
            (Picture::new(game.variant(), game.position()).draw())
            figcaption {
                span { b { (number) } ". " (turn) " to move and " (goal_word(puzzle.goal)) }
                span.note title=(hard) aria-label=(hard) { (dots(puzzle.difficulty)) }
            }
        }
    })
}

/// The solution with move numbers, what may follow, other replies, and themes.
fn solution(puzzle: &Puzzle) -> Result<Markup, PuzzleFault> {
    let (start, line) = puzzle.line()?;
    let second = start.position().turn() != start.variant().rules().first;
    let mut words = Vec::new();
    for (index, text) in moves::write_line(start.variant(), start.position(), &line).into_iter().enumerate() {
        let ply = index + usize::from(second);
        if ply.is_multiple_of(2) {
            words.push(format!("{}.", ply / 2 + 1));
        } else if index == 0 {
            words.push("1...".to_owned());
        }
        words.push(text);
    }
    let themes: Vec<String> = puzzle.themes.iter().map(ToString::to_string).collect();
    Ok(html! {
        b { (words.join(" ")) }
        @if !puzzle.sequel.is_empty() { " and then " (puzzle.sequel.join(" ")) }
        @for (reply, answer) in puzzle.sidelines.iter().filter_map(|side| side.moves.split_first()) {
            "; " (reply) @if !answer.is_empty() { ": " (answer.join(" ")) }
        }
        @if !themes.is_empty() { span.note { " (" (themes.join(", ")) ")" } }
    })
}
