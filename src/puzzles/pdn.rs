//! Puzzles as PDN games: the solution is the game, other replies are variations.

use super::puzzle::{Goal, Puzzle, PuzzleFault, play};
use crate::board::Position;
use crate::game::Game;
use crate::notation::moves;
use crate::notation::pdn::{PdnAction, PdnEntry, PdnGame, PdnLine, PdnResult, TextPlace, WriteOptions};
use crate::rules::{VariantId, play_in};

/// One PDN game for each puzzle: position, goal, themes and difficulty are tags, the solution is the game.
///
/// ```
/// use kroon::notation::pdn::read_games;
/// use kroon::puzzles::{builtin, write_pdn};
/// use kroon::rules::VariantId::English;
/// let puzzles = builtin(English);
/// let (games, warnings) = read_games(&write_pdn(&puzzles[..3])?);
/// assert!(warnings.is_empty());
/// assert!(games[0].replay().unwrap().game().moves().len() >= puzzles[0].solution.len());
/// # Ok::<(), kroon::puzzles::PuzzleFault>(())
/// ```
///
/// # Errors
/// When a puzzle cannot be played.
pub fn write_pdn(puzzles: &[Puzzle]) -> Result<String, PuzzleFault> {
    let options = WriteOptions { annotations: true, star: false };
    let mut text = String::new();
    for (index, puzzle) in puzzles.iter().enumerate() {
        text += &game(index + 1, puzzle)?.write(options);
    }
    Ok(text)
}

fn game(number: usize, puzzle: &Puzzle) -> Result<PdnGame, PuzzleFault> {
    let (start, line) = puzzle.line()?;
    let variant = start.variant();
    let mut pdn = PdnGame::from(&start);
    let solver = start.position().turn();
    let result = if puzzle.goal == Goal::Win { PdnResult::Win(solver) } else { PdnResult::Draw };
    let result = result.text(variant);
    let themes: Vec<String> = puzzle.themes.iter().map(ToString::to_string).collect();
    for (name, value) in [
        ("Event", format!("Puzzle {number}")),
        ("Result", result.to_owned()),
        ("Goal", format!("{solver} to move and {}", goal_word(puzzle.goal))),
        ("Themes", themes.join(" ")),
        ("Difficulty", format!("{:.1}", puzzle.difficulty)),
        ("Source", puzzle.source.clone()),
    ] {
        if !value.is_empty() {
            pdn.tags.set(name, value);
        }
    }
    pdn.line.entries = entries(variant, start.position(), &line);
    let end = play(&start, &puzzle.solution)?;
    let sequel = play(&end, &puzzle.sequel)?;
    let rest = &sequel.moves()[end.moves().len()..];
    if let Some(last) = pdn.line.entries.last_mut() {
        last.comments.push("the solution".to_owned());
    }
    pdn.line.entries.extend(entries(variant, end.position(), rest));
    for side in &puzzle.sidelines {
        let before: Game = play(&start, &puzzle.solution[..side.ply])?;
        let after = play(&before, &side.moves)?;
        let moves = &after.moves()[before.moves().len()..];
        let line = PdnLine { comments: Vec::new(), entries: entries(variant, before.position(), moves) };
        if let Some(entry) = pdn.line.entries.get_mut(side.ply) {
            entry.variations.push(line);
        }
    }
    pdn.terminator = Some(result.to_owned());
    Ok(pdn)
}

/// What the solver has to do.
pub(super) fn goal_word(goal: Goal) -> &'static str {
    match goal {
        Goal::Win => "win",
        Goal::Draw => "hold",
    }
}

fn entries(variant: VariantId, start: &Position, line: &[crate::board::Move]) -> Vec<PdnEntry> {
    let mut position = *start;
    let mut entries = Vec::new();
    for &mv in line {
        let action = PdnAction::Move(moves::text(variant, &position, mv));
        entries.push(PdnEntry::new(action, TextPlace::default()));
        position = play_in(variant, &position, mv);
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pdn::read_games;
    use crate::puzzles::builtin;

    /// The first number of a result is that of the side that begins games of the variant.
    #[test]
    fn the_solver_wins() {
        for variant in VariantId::ALL {
            let wins = builtin(variant).into_iter().filter(|puzzle| puzzle.goal == Goal::Win).take(3);
            for puzzle in wins {
                let solver = puzzle.line().unwrap().0.position().turn();
                let text = write_pdn(&[puzzle]).unwrap();
                assert_eq!(read_games(&text).0[0].result(variant), PdnResult::Win(solver), "{text}");
            }
        }
    }
}
