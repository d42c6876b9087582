//! Speed of the evaluations: `cargo bench --bench eval`.

use divan::Bencher;
use divan::counter::ItemsCount;
use kroon::board::Position;
use kroon::engine::bench;
use kroon::eval::policy::Policy;
use kroon::eval::{Evaluation, Evaluator, HandMade};
use kroon::rules::{International, VariantId, legal_moves, play};
use kroon::score::Score;

fn main() {
    divan::main();
}

/// The positions of the bench, each followed by those after its legal moves: siblings, as in a search.
fn positions() -> Vec<Position> {
    let games = bench::games().filter(|game| game.variant() == VariantId::International);
    games
        .flat_map(|game| {
            let position = *game.position();
            let moves = legal_moves(VariantId::International, &position);
            let after = move |mv| play::<International>(&position, mv);
            std::iter::once(position).chain(moves.into_iter().map(after))
        })
        .collect()
}

fn measure<E: Evaluator<International>>(bencher: Bencher<'_, '_>, evaluator: &E) {
    let positions = positions();
    assert!(!positions.is_empty());
    let mut memory = E::Memory::default();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        let evaluate = |p| evaluator.evaluate_with(&mut memory, p, 0).centi();
        positions.iter().map(evaluate).sum::<i32>()
    });
}

#[divan::bench]
fn hand_made(bencher: Bencher<'_, '_>) {
    measure(bencher, &HandMade);
}

#[divan::bench]
fn learned(bencher: Bencher<'_, '_>) {
    measure(bencher, &Evaluation::best(VariantId::International));
}

/// The same without incremental updates: the sums of the hidden layer are computed from nothing for each position.
#[divan::bench]
fn learned_anew(bencher: Bencher<'_, '_>) {
    let evaluation = Evaluation::best(VariantId::International);
    let positions = positions();
    bencher.counter(ItemsCount::new(positions.len())).bench_local(|| {
        let evaluate = |p| Evaluator::<International>::evaluate(&evaluation, p).centi();
        positions.iter().map(evaluate).sum::<i32>()
    });
}

/// The policy's values of all legal moves, once for each position. What the numbers are does not matter to the time.
#[divan::bench]
fn policy(bencher: Bencher<'_, '_>) {
    let policy = Policy::from_numbers((0..Policy::SIZE).map(|i| (i % 301) as i16 - 150));
    let games = bench::games().filter(|game| game.variant() == VariantId::International);
    let nodes: Vec<_> = games
        .map(|game| {
            let moves = game.legal_moves().to_vec();
            let estimates: Vec<_> = (0..moves.len() as i32).map(|i| Score::from_centi(7 * i)).collect();
            (*game.position(), moves, estimates)
        })
        .collect();
    let mut values = Vec::new();
    bencher.counter(ItemsCount::new(nodes.len())).bench_local(|| {
        for (position, moves, estimates) in &nodes {
            policy.values::<International>(position, moves, estimates, &mut values);
            divan::black_box(&values);
        }
    });
}
