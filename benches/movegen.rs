//! Speed of the move generator: `cargo bench --bench movegen`. Each run asserts its node count.

use divan::Bencher;
use divan::counter::ItemsCount;
use kroon::rules::{VariantId, perft};

fn main() {
    divan::main();
}

/// Variant, depth, leaves from the start (tests/data/perft.csv).
const CASES: [(VariantId, u32, u64); 2] =
    [(VariantId::International, 8, 6_483_961), (VariantId::English, 8, 845_931)];

#[divan::bench(args = [0, 1])]
fn leaf_by_leaf(bencher: Bencher<'_, '_>, case: usize) {
    run(bencher, case, false);
}

#[divan::bench(args = [0, 1])]
fn bulk(bencher: Bencher<'_, '_>, case: usize) {
    run(bencher, case, true);
}

fn run(bencher: Bencher<'_, '_>, case: usize, bulk: bool) {
    let (variant, depth, nodes) = CASES[case];
    let rules = variant.rules();
    let start = rules.position(&rules.start()).unwrap();
    bencher.counter(ItemsCount::new(nodes)).bench(|| {
        assert_eq!(perft::count(variant, &start, depth, bulk), nodes);
    });
}
