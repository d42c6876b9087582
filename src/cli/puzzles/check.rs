//! `kroon puzzles --check` and `--count`: which of the puzzles are taken.

use crate::cli::progress::say;
use anyhow::Result;
use kroon::puzzles::{Checker, FinderSettings, Puzzle};
use kroon::search::Control;

/// What a check has left.
pub(super) struct Checked {
    /// The puzzles that are taken; after an interruption all that were not rejected, searched or not.
    pub left: Vec<Puzzle>,
    /// How many were searched.
    pub searched: u64,
}

/// So many of the puzzles as a deeper search confirms, or all of these, in the same order; says on standard error how many
/// were rejected. Only as many are searched as are needed: evenly from the first to the last, and others in place of those
/// that are rejected.
pub(super) fn confirmed(
    puzzles: Vec<Puzzle>,
    count: Option<usize>,
    nodes: u64,
    control: &Control,
) -> Result<Checked> {
    let mut checker = Checker::new(nodes, FinderSettings::default().hash_mb * 4);
    let count = count.unwrap_or(puzzles.len()).min(puzzles.len());
    let mut rest: Vec<(usize, Puzzle)> = puzzles.into_iter().enumerate().collect();
    let (mut good, mut notes, mut searched) = (Vec::new(), Vec::new(), 0);
    'all: while good.len() < count && !rest.is_empty() {
        let (chosen, others) = spread(rest, count - good.len());
        rest = others;
        let mut chosen = chosen.into_iter();
        while let Some((place, puzzle)) = chosen.next() {
            let checked = checker.check(&puzzle, control);
            if control.is_stopped() {
                good.push((place, puzzle));
                good.extend(chosen);
                good.append(&mut rest);
                break 'all;
            }
            searched += 1;
            match checked {
                Ok(()) => good.push((place, puzzle)),
                Err(flaw) => notes.push(format!("{}: {} ({flaw})", puzzle.variant, puzzle.fen)),
            }
        }
    }
    for note in &notes {
        say(format_args!("rejected {note}"));
    }
    say(format_args!("{} of {searched} rejected by searches of {nodes} nodes", notes.len()));
    good.sort_by_key(|(place, _)| *place);
    Ok(Checked { left: good.into_iter().map(|(_, puzzle)| puzzle).collect(), searched })
}

/// So many of them, evenly from the first to the last, and the others.
pub(super) fn spread<T>(all: Vec<T>, count: usize) -> (Vec<T>, Vec<T>) {
    let length = all.len();
    let is_chosen = |index: usize| count >= length || index * count / length != (index + 1) * count / length;
    let (chosen, others): (Vec<_>, Vec<_>) =
        all.into_iter().enumerate().partition(|(index, _)| is_chosen(*index));
    let bare = |part: Vec<(usize, T)>| part.into_iter().map(|(_, item)| item).collect();
    (bare(chosen), bare(others))
}
