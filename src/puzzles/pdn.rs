//! Puzzles as PDN games: the solution is the game, other replies are variations. What was written is read again.

use super::puzzle::{Goal, Puzzle, PuzzleFault, Sideline, play};
use crate::board::Position;
use crate::game::Game;
use crate::notation::moves;
use crate::notation::pdn::{PdnAction, PdnEntry, PdnGame, PdnLine, PdnResult, TextPlace, WriteOptions};
use crate::rules::{VariantId, play_in};
use crate::words::quote;
use std::str::FromStr;

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
        ("Depth", puzzle.depth.to_string()),
        ("Captured", puzzle.captured.to_string()),
        ("Lure", puzzle.lure.to_string()),
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
        last.comments.push(SOLUTION.to_owned());
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

/// The comment behind the last move of the solution.
const SOLUTION: &str = "the solution";

/// The puzzle that [`write_pdn`] has written as this game; none if the game is no puzzle: it has no position, no tag `Goal`
/// such as `White to move and win`, or no tag `Lure`, which earlier versions did not write.
///
/// # Errors
/// When something of the puzzle is missing, or cannot be played.
pub fn of_pdn(pdn: &PdnGame) -> Option<Result<Puzzle, PuzzleFault>> {
    let fen = pdn.tags.get("FEN")?;
    let (_, word) = pdn.tags.get("Goal")?.rsplit_once(' ')?;
    let goal = [Goal::Win, Goal::Draw].into_iter().find(|&goal| goal_word(goal) == word)?;
    pdn.tags.get("Lure")?;
    Some(puzzle_of(pdn, fen, goal))
}

fn puzzle_of(pdn: &PdnGame, fen: &str, goal: Goal) -> Result<Puzzle, PuzzleFault> {
    let entries = &pdn.line.entries;
    let is_last = |entry: &PdnEntry| entry.comments.iter().any(|comment| comment == SOLUTION);
    let last = entries.iter().position(is_last).ok_or(PuzzleFault::NoEnd(SOLUTION))?;
    let (solution, sequel) = entries.split_at(last + 1);
    let sidelines = entries.iter().enumerate().flat_map(|(ply, entry)| {
        entry.variations.iter().map(move |line| Sideline { ply, moves: texts(&line.entries) })
    });
    let themes = pdn.tags.get("Themes").unwrap_or_default().split_whitespace();
    let themes = themes.map(|theme| theme.parse().map_err(|_| fault("Themes", Some(theme))));
    let variant = pdn.variant().map_err(|_| fault("Variant", pdn.tags.get("Variant")))?;
    let puzzle = Puzzle {
        variant: variant.name().to_owned(),
        fen: fen.to_owned(),
        goal,
        solution: texts(solution),
        sequel: texts(sequel),
        sidelines: sidelines.collect(),
        themes: themes.collect::<Result<_, _>>()?,
        difficulty: finite(pdn, "Difficulty")?,
        depth: value(pdn, "Depth")?,
        captured: value(pdn, "Captured")?,
        lure: finite(pdn, "Lure")?,
        source: pdn.tags.get("Source").unwrap_or_default().to_owned(),
    };
    puzzle.validate()?;
    Ok(puzzle)
}

/// The number that a tag says.
fn value<T: FromStr>(pdn: &PdnGame, name: &'static str) -> Result<T, PuzzleFault> {
    let said = pdn.tags.get(name);
    said.and_then(|text| text.parse().ok()).ok_or_else(|| fault(name, said))
}

/// The same where `NaN` and `inf` are none: JSON has no word for them.
fn finite(pdn: &PdnGame, name: &'static str) -> Result<f64, PuzzleFault> {
    let number = value::<f64>(pdn, name)?;
    number.is_finite().then_some(number).ok_or_else(|| fault(name, pdn.tags.get(name)))
}

fn fault(name: &'static str, said: Option<&str>) -> PuzzleFault {
    PuzzleFault::Tag { name, said: said.map_or_else(|| "no value".to_owned(), quote) }
}

/// The moves of a line as they are written.
fn texts(entries: &[PdnEntry]) -> Vec<String> {
    let text = |entry: &PdnEntry| match &entry.action {
        PdnAction::Move(text) => Some(text.to_string()),
        _ => None,
    };
    entries.iter().filter_map(text).collect()
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

    #[test]
    fn what_was_written_comes_back() {
        for variant in VariantId::ALL {
            let puzzles: Vec<Puzzle> = builtin(variant).into_iter().step_by(7).collect();
            let (games, _) = read_games(&write_pdn(&puzzles).unwrap());
            let read: Vec<Puzzle> = games.iter().map(|game| of_pdn(game).unwrap().unwrap()).collect();
            // The same moves, which may be written otherwise.
            assert_eq!(write_pdn(&read), write_pdn(&puzzles), "{variant}");
            let numbers =
                |puzzle: &Puzzle| (puzzle.rated(), puzzle.depth, puzzle.captured, puzzle.lure.to_bits());
            assert!(read.iter().map(numbers).eq(puzzles.iter().map(numbers)), "{variant}");
        }
    }

    #[test]
    fn a_game_with_a_goal_that_is_no_puzzle_is_a_fault_or_a_game() {
        let of =
            |text: &str| of_pdn(&read_games(text).0[0]).map(|read| read.map_err(|fault| fault.to_string()));
        let text = write_pdn(&builtin(VariantId::English)[..1]).unwrap();
        assert!(
            of("[FEN \"W:W32:B1\"] [Goal \"to learn\"] 1. 32-28 *").is_none() && of("1. 32-28 *").is_none()
        );
        let without = |name: &str, other: &str| {
            let tag = text.lines().find(|line| line.starts_with(name)).unwrap();
            of(&text.replace(&format!("{tag}\n"), other))
        };
        assert_eq!(without("[Lure", ""), None, "as an earlier version wrote it");
        let fault = |name, other| without(name, other).unwrap().unwrap_err();
        assert_eq!(fault("[Depth", ""), "tag Depth: no value found");
        assert_eq!(fault("[Lure", "[Lure \"x\"]\n"), "tag Lure: \"x\" found");
        assert_eq!(fault("[Lure", "[Lure \"NaN\"]\n"), "tag Lure: \"NaN\" found");
        assert_eq!(fault("[Difficulty", "[Difficulty \"inf\"]\n"), "tag Difficulty: \"inf\" found");
        assert!(of(&text.replace("solution}", "end}")).unwrap().unwrap_err().contains("\"the solution\""));
    }

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
