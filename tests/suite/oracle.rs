//! The fast generator against the naive one on random positions, and hash keys against their recomputation.

use super::naive::{self, NaiveMove, NaivePosition};
use kroon::board::{Color, KingRun, Move, MoveList, Piece, Position, Setup, Square};
use kroon::for_variant;
use kroon::rules::movegen::{count_captures, count_quiets, each_capture, each_quiet, quiet_wins};
use kroon::rules::{VariantId, legal_moves, play_in};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;

pub(super) fn to_naive(variant: VariantId, position: &Position) -> NaivePosition {
    let board = variant.rules().board;
    let squares = board.iter().map(|sq| position.piece(sq).map(|p| (p.color == Color::White, p.king)));
    let king_moves = Color::ALL.map(|color| {
        let run = position.king_run(color);
        (run.count(), run.square().map_or(0, |sq| board.number(sq)))
    });
    NaivePosition { white_to_move: position.turn() == Color::White, squares: squares.collect(), king_moves }
}

pub(super) fn to_naive_move(variant: VariantId, mv: Move) -> NaiveMove {
    let number = |sq| variant.rules().board.number(sq);
    NaiveMove {
        from: number(mv.from()),
        to: number(mv.to()),
        captured: {
            let mut captured: Vec<u8> = mv.captured().into_iter().map(number).collect();
            captured.sort_unstable();
            captured
        },
        promotes: mv.promotes(),
    }
}

fn assert_same_moves(variant: VariantId, position: &Position) {
    let fast = legal_moves(variant, position);
    let set: BTreeSet<NaiveMove> = fast.iter().map(|&mv| to_naive_move(variant, mv)).collect();
    assert_eq!(set.len(), fast.len(), "{variant}: a move twice in {position:?}");
    let naive = to_naive(variant, position).legal_moves(naive::rules_of(variant));
    assert_eq!(set, naive, "{variant}: {position:?}");
    // The other forms of the generator: moves handed out one by one, and counted.
    let mut handed = MoveList::new();
    let [said, counted] = for_variant!(variant, V => {
        if fast.first().is_some_and(|mv| mv.is_capture()) {
            [each_capture::<V>(position, |mv| handed.push(mv)), count_captures::<V>(position)]
        } else {
            each_quiet::<V>(position, |mv| handed.push(mv));
            [handed.len() as u32, count_quiets::<V>(position, position.turn())]
        }
    });
    assert_eq!(handed, fast, "{variant}: {position:?}");
    for color in Color::ALL {
        let moving = NaivePosition { white_to_move: color == Color::White, ..to_naive(variant, position) };
        let wins = for_variant!(variant, V => quiet_wins::<V>(position, color));
        assert_eq!(
            wins,
            moving.crowns_to_win(naive::rules_of(variant)),
            "{variant}, {color:?}: {position:?}"
        );
    }
    assert_eq!([said, counted], [fast.len() as u32; 2], "{variant}: {position:?}");
}

/// A random placement: few or many pieces, few or many kings.
fn random_position(variant: VariantId, random: &mut impl RngExt) -> Option<Position> {
    let rules = variant.rules();
    let turn = Color::ALL[random.random_range(0..2)];
    let mut setup = Setup::empty(turn);
    let filled = random.random_range(0.05..0.8);
    let crowned = random.random_range(0.0..1.0) * random.random_range(0.0..1.0);
    for square in rules.board.iter() {
        if random.random_bool(filled) {
            let color = Color::ALL[random.random_range(0..2)];
            let king = random.random_bool(crowned) || rules.board.promotion(color).contains(square);
            setup.put(square, Piece { color, king });
        }
    }
    for color in Color::ALL {
        let kings: Vec<Square> = (setup.side(color) & setup.kings()).into_iter().collect();
        if !kings.is_empty() && random.random_bool(0.5) {
            let king = kings[random.random_range(0..kings.len())];
            setup.set_king_run(color, KingRun::new(king, random.random_range(0..4)));
        }
    }
    rules.position(&setup).ok()
}

/// At least 100,000 positions of each variant in a release build.
#[test]
fn random_placements_have_the_naive_moves() {
    let wanted = if cfg!(debug_assertions) { 2_000 } else { 60_000 };
    for (i, variant) in VariantId::ALL.into_iter().enumerate() {
        // A new seed each run would find more; a fixed one can be debugged. Proptest below varies.
        let mut random = Xoshiro256PlusPlus::seed_from_u64(i as u64);
        let mut seen = 0;
        while seen < wanted {
            if let Some(position) = random_position(variant, &mut random) {
                assert_same_moves(variant, &position);
                assert_eq!(position.key(), position.recomputed_key());
                seen += 1;
            }
        }
    }
}

/// Random games: positions that occur in play, and the key carried along.
#[test]
fn random_games_have_the_naive_moves_and_keys() {
    let games = if cfg!(debug_assertions) { 20 } else { 700 };
    for variant in VariantId::ALL {
        let rules = variant.rules();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        for _ in 0..games {
            let mut position = rules.position(&rules.start()).unwrap();
            for _ in 0..200 {
                assert_same_moves(variant, &position);
                let moves = legal_moves(variant, &position);
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.random_range(0..moves.len())];
                let naive = to_naive(variant, &position).play(&to_naive_move(variant, mv));
                position = play_in(variant, &position, mv);
                let mut after = to_naive(variant, &position);
                if naive::rules_of(variant).three_king_moves {
                    assert_eq!(after.king_moves, naive.king_moves, "{position:?}");
                }
                after.king_moves = naive.king_moves;
                assert_eq!(after, naive, "{position:?}");
                assert_eq!(position.key(), position.recomputed_key());
                assert_eq!((position.side(Color::White) & position.side(Color::Black)).len(), 0);
                assert_eq!(position.kings().without(position.occupied()).len(), 0);
            }
        }
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig {
        cases: if cfg!(debug_assertions) { 500 } else { 40_000 },
        failure_persistence: None,
        ..proptest::prelude::ProptestConfig::default()
    })]

    /// Fresh seeds on every run.
    #[test]
    fn any_placement_has_the_naive_moves(seed: u64) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        for variant in VariantId::ALL {
            if let Some(position) = random_position(variant, &mut random) {
                assert_same_moves(variant, &position);
                let mirrored = position.with_turn_passed();
                if mirrored.side(!mirrored.turn()).any() {
                    assert_same_moves(variant, &mirrored);
                }
            }
        }
    }
}
