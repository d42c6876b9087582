//! Published node counts (tests/data/perft.csv: variant, fen, depth, nodes, duplicates, source).

use kroon::rules::{VariantId, perft};
use std::collections::HashSet;

/// Deeper rows only where the generator is compiled with full optimisation.
const DEEPEST: u32 = if cfg!(debug_assertions) { 6 } else { 8 };

/// Variants of which nobody has published any.
const WITHOUT_COUNTS: &[VariantId] = &[];

#[test]
fn published_counts() {
    let (mut rows, mut variants) = (0, HashSet::new());
    for line in include_str!("../data/perft.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        // FENs here contain no comma: initial positions are written as ranges.
        let [variant, fen, depth, nodes, duplicates, _source] = fields[..] else { panic!("{line}") };
        let depth: u32 = depth.parse().unwrap();
        if duplicates != "dropped" || depth > DEEPEST {
            continue;
        }
        let variant: VariantId = variant.parse().unwrap();
        let rules = variant.rules();
        if fen.starts_with("W:W21-32:B1-12") && variant == VariantId::Thai {
            // Published for a start with twelve men a side, which the game does not have.
            continue;
        }
        let start = rules.position(&rules.start()).unwrap();
        assert_eq!(
            Ok(rules.start()),
            kroon::notation::fen::parse(variant, fen).map(|fen| fen.setup),
            "{line}"
        );
        let nodes: u64 = nodes.parse().unwrap();
        let counts = [false, true].map(|bulk| perft::count(variant, &start, depth, bulk));
        assert_eq!(counts, [nodes; 2], "{line}");
        rows += 1;
        variants.insert(variant);
    }
    // A variant is there with all depths or not at all.
    assert_eq!(rows, variants.len() * DEEPEST as usize);
    let missing = |variant: &VariantId| !variants.contains(variant) && !WITHOUT_COUNTS.contains(variant);
    assert_eq!(VariantId::ALL.into_iter().find(missing), None, "no counts");
}

/// The worst of many positions that a search for such found: a king takes all twenty in millions of orders. Two programs of
/// different design count as many moves.
#[test]
fn twenty_kings_are_captured_in_many_orders() {
    let fen = "W:WK46:BK3,K7,K8,K10,K12,K14,K18,K20,K21,K23,K25,K28,K29,K30,K34,K36,K37,K40,K43,K48";
    let game = kroon::notation::fen::game_from_fen(VariantId::Frisian, fen).unwrap();
    let moves = game.legal_moves();
    assert!(moves.iter().all(|mv| mv.captured().len() == 20));
    assert_eq!(moves.iter().map(|mv| mv.to()).collect::<HashSet<_>>().len(), 30);
    assert_eq!(moves.len(), 30);
}
