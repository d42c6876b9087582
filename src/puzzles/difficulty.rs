//! How hard a puzzle is, from what the searches saw.

use super::finder::Bar;
use super::look::Look;
use super::puzzle::{Goal, Puzzle};
use super::theme::Theme;
use crate::board::Move;
use crate::game::Game;

/// From 1 to 10, in tenths, of a puzzle that has everything else. A puzzle of difficulty 2.8, 3.9, 5.3, 7.4 is solved by
/// level 3, 6, 9, 12 in half of its tries. The weights are those of a logistic regression of the levels' solving rates
/// (`src/train/EXPERIMENTS.md`, "Puzzles"): it counts most whether a shallow search would rather play something else, and
/// by how much hardly at all. A first move that captures is easy: there are few others.
pub(super) fn rate(puzzle: &Puzzle, start: &Game) -> f64 {
    let moves = (puzzle.solution.len() / 2) as f64;
    let given =
        puzzle.themes.iter().map(|theme| if let Theme::Sacrifice(given) = theme { *given } else { 0 });
    let is_quiet = puzzle.themes.contains(&Theme::Quiet);
    // Captures are compulsory in every variant.
    let captures = start.legal_moves().iter().any(|mv| mv.is_capture());
    let share = |is| f64::from(u8::from(is));
    let raw = 2.5
        + 4.1 * puzzle.lure / (puzzle.lure + 0.03)
        + 0.3 * moves
        + 0.3 * f64::from(given.sum::<u32>())
        + 0.55 * share(is_quiet)
        - 1.7 * share(captures);
    (raw.clamp(1.0, 10.0) * 10.0).round() / 10.0
}

/// The depth from which a plain search, without quiescence, has the right move first and knows what it is worth; one
/// more than it came to, if it never does.
pub(super) fn depth(plain: &Look, solution: Move, goal: Goal) -> u32 {
    let knows = |&(_, mv, expected): &(u32, Move, f64)| mv == solution && Bar::reached(goal, expected);
    let from = plain.firsts.iter().rposition(|first| !knows(first)).map_or(0, |index| index + 1);
    match plain.firsts.get(from) {
        Some(first) => first.0,
        None => plain.firsts.last().map_or(1, |last| last.0 + 1),
    }
}

/// How much more than from the solution a plain look of two plies at all moves expects from the best.
pub(super) fn lure(shallow: &Look, solution: Move) -> f64 {
    let best = shallow.best.first().map_or(0.0, |candidate| candidate.expected);
    (best - shallow.expected(solution).unwrap_or(best)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use crate::puzzles::{Puzzle, builtin};
    use crate::rules::VariantId;

    #[test]
    fn every_puzzle_of_the_program_is_rated_by_these_weights() {
        for variant in VariantId::ALL {
            for puzzle in builtin(variant) {
                assert_eq!(puzzle.rated(), Ok(puzzle.difficulty), "{variant}: {}", puzzle.fen);
            }
        }
    }

    #[test]
    fn what_misleads_is_hard_and_what_captures_easy() {
        let rated = |fen: &str, lure: f64, solution: &[&str], themes: &str| {
            let text = format!(
                r#"{{"variant":"international","fen":"{fen}","goal":"win","solution":{solution:?},"themes":{themes},
                    "difficulty":1,"depth":5,"captured":1,"lure":{lure}}}"#
            );
            serde_json::from_str::<Puzzle>(&text).unwrap().rated().unwrap()
        };
        let quiet = "W:W28,33,38,39:B9,11,18,19";
        assert_eq!(rated(quiet, 0.0, &["28-23"], "[]"), 2.5);
        // Half of 4.1 where the lure is 0.03.
        assert_eq!(rated(quiet, 0.03, &["28-23"], "[]"), 4.6);
        // 2.5 + 0.3 for a move more + 0.6 for two men given + 0.55.
        assert_eq!(rated(quiet, 0.0, &["28-23", "19x28", "33x4"], r#"["sacrifice-2","quiet"]"#), 4.0);
        // 28 takes 22: 2.5 - 1.7, and not less than 1.
        assert_eq!(rated("W:W28:B22", 0.0, &["28x17"], "[]"), 1.0);
        assert_eq!(rated("W:W28:B22", 1.0, &["28x17"], "[]"), 4.8);
    }
}
