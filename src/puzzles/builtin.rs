//! The puzzles in the program, made by `src/puzzles/make-puzzles.sh` and kept valid by `refresh-puzzles.sh`.

use super::puzzle::Puzzle;
use super::set::read;
use crate::rules::VariantId;

/// The puzzles of a variant that come with the program, easy ones first; none where a variant has none.
pub fn builtin(variant: VariantId) -> Vec<Puzzle> {
    // invariant: a test reads every file
    read(text(variant)).unwrap_or_default()
}

/// The file of a variant; empty if it has none.
// While every variant has a file the last arm is out of reach.
#[allow(unreachable_patterns)]
fn text(variant: VariantId) -> &'static str {
    match variant {
        VariantId::International => include_str!("data/international.jsonl"),
        VariantId::Killer => include_str!("data/killer.jsonl"),
        VariantId::Breakthrough => include_str!("data/breakthrough.jsonl"),
        VariantId::Losing => include_str!("data/losing.jsonl"),
        VariantId::Frisian => include_str!("data/frisian.jsonl"),
        VariantId::Frysk => include_str!("data/frysk.jsonl"),
        VariantId::Brazilian => include_str!("data/brazilian.jsonl"),
        VariantId::Russian => include_str!("data/russian.jsonl"),
        VariantId::English => include_str!("data/english.jsonl"),
        VariantId::Italian => include_str!("data/italian.jsonl"),
        VariantId::Spanish => include_str!("data/spanish.jsonl"),
        VariantId::Portuguese => include_str!("data/portuguese.jsonl"),
        VariantId::Czech => include_str!("data/czech.jsonl"),
        VariantId::Thai => include_str!("data/thai.jsonl"),
        VariantId::Pool => include_str!("data/pool.jsonl"),
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::PuzzleSet;

    #[test]
    fn every_set_reads_back_sorted_and_without_duplicates() {
        for variant in VariantId::ALL {
            let puzzles = read(text(variant)).unwrap();
            assert!(puzzles.is_sorted_by(|a, b| a.difficulty <= b.difficulty), "{variant}");
            let mut set = PuzzleSet::default();
            for puzzle in puzzles {
                assert_eq!(puzzle.variant(), Ok(variant));
                assert!(set.add(puzzle).unwrap(), "{variant}: twice");
            }
            let least = match variant {
                VariantId::International => 300,
                variant if variant.may_lack_data() => 0,
                _ => 100,
            };
            assert!(set.len() >= least, "{variant} has {}", set.len());
        }
    }
}
