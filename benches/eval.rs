//! Speed of the evaluation: `cargo bench --bench eval`.

use divan::Bencher;
use divan::counter::ItemsCount;
use kroon::engine::bench;
use kroon::eval::{Evaluator, HandMade};
use kroon::rules::{International, VariantId};

fn main() {
    divan::main();
}

#[divan::bench]
fn international(bencher: Bencher<'_, '_>) {
    let positions: Vec<_> = bench::games()
        .filter(|game| game.variant() == VariantId::International)
        .map(|game| *game.position())
        .collect();
    assert!(!positions.is_empty());
    bencher.counter(ItemsCount::new(positions.len())).bench(|| {
        let evaluate = |p| Evaluator::<International>::evaluate(&HandMade, p).centi();
        positions.iter().map(evaluate).sum::<i32>()
    });
}
