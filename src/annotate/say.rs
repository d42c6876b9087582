//! What is said of a move in words.

use super::game::MoveAnalysis;
use super::judge::{Exact, MoveClass};

/// What is said of a move: that it left the opening book, and a sentence or two if it was an error. `next` is the move
/// that was played after it: the refutation is not told where the game shows it.
pub(super) fn remark(mv: &MoveAnalysis, next: Option<&str>) -> Option<String> {
    let left = mv.book_move.as_ref().map(|best| format!("Leaves the opening book, which plays {best}."));
    let words: Vec<String> = left.into_iter().chain(blame(mv, next)).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// A sentence or two about a move that was an error; nothing about others.
fn blame(mv: &MoveAnalysis, next: Option<&str>) -> Option<String> {
    if !mv.class.is_error() {
        return None;
    }
    let best = mv.best.first()?;
    let mut text = format!(
        "{}, expected result {:.2} instead of {:.2}: ",
        mv.class.title(),
        mv.after.expected,
        mv.before.expected
    );
    text.push_str(&match (mv.class, mv.combination) {
        (MoveClass::MissedCombination | MoveClass::MissedWin, Some(men)) => {
            format!("{} wins {}.", mv.best.join(" "), counted(men))
        }
        (MoveClass::MissedWin, None) => format!("{best} wins."),
        _ => format!("{best} was better."),
    });
    let [own, other] = mv.pieces;
    if let (Some(before), Some(after)) = (mv.before.exact, mv.after.exact) {
        let what = match before {
            Exact::Win => "a won",
            Exact::Draw => "a drawn",
            Exact::Loss => "a lost",
        };
        text.push_str(&format!(
            " By the endgame tables {} threw away {what} {own} against {other} ({after}).",
            mv.played
        ));
    }
    let reply = mv.line.get(1..).unwrap_or_default();
    if reply.first().is_some_and(|reply| Some(reply.as_str()) != next) {
        match mv.loses {
            // By its name: the sentence before is about the better move.
            Some(men) => {
                text.push_str(&format!(" {} loses {}: {}.", mv.played, counted(men), reply.join(" ")));
            }
            None if mv.class.is_grave() => text.push_str(&format!(" The answer is {}.", reply.join(" "))),
            None => (),
        }
    }
    Some(text)
}

fn counted(men: u32) -> String {
    if men == 1 { "a man".to_owned() } else { format!("{men} men") }
}
