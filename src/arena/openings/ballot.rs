//! Ballots: all beginnings of a given length. In international draughts the custom is one move each, 81 positions less
//! the two that give a man away for nothing; English draughts has had its 49 less 2 since 1900.

use super::{Opening, material, sorted_moves};
use crate::game::Game;
use crate::rules::VariantId;
use std::collections::HashSet;

/// How far the screening looks: a man that is not won within so many quiet plies is not lost at once.
const SCREEN: u32 = 4;

/// All different positions after this many plies, ordered by the squares of their moves, without those in which
/// either side wins a man at once.
pub fn ballot(variant: VariantId, plies: u32) -> Vec<Opening> {
    let mut all = vec![Game::new(variant)];
    for _ in 0..plies {
        all = all.iter().flat_map(children).collect();
    }
    let mut seen = HashSet::new();
    all.retain(|game| seen.insert(*game.position()));
    all.retain(|game| !material::is_unbalanced(variant, game.position(), SCREEN));
    all.into_iter().map(|game| Opening { game }).collect()
}

/// The games that are one move longer.
fn children(game: &Game) -> Vec<Game> {
    sorted_moves(game)
        .into_iter()
        .map(|mv| {
            let mut child = game.clone();
            // invariant: the move comes from the generator
            let _ = child.play(mv);
            child
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(variant: VariantId, plies: u32) -> Vec<String> {
        ballot(variant, plies).iter().map(Opening::name).collect()
    }

    #[test]
    fn two_moves() {
        let names = names(VariantId::International, 2);
        assert_eq!(names.len(), 79);
        // These two give away the man on 21.
        assert!(!names.contains(&"31-27 16-21".to_owned()) && !names.contains(&"32-27 16-21".to_owned()));
        assert!(names.contains(&"32-28 19-23".to_owned()));
    }

    #[test]
    fn the_english_two_move_ballot_has_its_traditional_size() {
        let names = names(VariantId::English, 2);
        assert_eq!(names.len(), 47);
        assert!(!names.contains(&"9-14 21-17".to_owned()) && !names.contains(&"10-14 21-17".to_owned()));
    }

    #[test]
    fn every_variant_has_some() {
        for variant in VariantId::ALL {
            let openings = ballot(variant, 2);
            assert!(openings.len() > 20, "{variant}: {}", openings.len());
            assert!(openings.iter().all(|opening| opening.game.outcome().is_none()));
        }
    }

    #[test]
    fn three_moves() {
        let openings = ballot(VariantId::International, 3);
        let positions: HashSet<_> = openings.iter().map(|opening| *opening.game.position()).collect();
        assert_eq!(positions.len(), openings.len(), "all different");
        assert_eq!(openings.len(), 333);
    }
}
