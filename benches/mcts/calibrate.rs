//! The curve from scores to results, fitted to games of the alpha-beta search against itself.

use kroon::board::Color;
use kroon::engine::{Engine, Mode, Options, Request};
use kroon::game::Outcome;
use kroon::rules::VariantId;
use kroon::search::{Control, Limits};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Random moves at the start, so that advantages of all sizes are seen.
const OPENING: usize = 12;
const NODES: u64 = 1_000;
/// Longest game, in plies; then it is drawn.
const LONGEST: usize = 250;

/// Score (centi-men) and result for the side to move, of each position of some games.
fn samples(variant: VariantId, games: usize) -> Vec<(f64, f64)> {
    let mut engine = Engine::new(Options { hash_mb: 4, ..Options::default() });
    let mut random = Xoshiro256PlusPlus::seed_from_u64(9);
    let limits = Limits { nodes: Some(NODES), ..Limits::default() };
    let mut samples = Vec::new();
    for _ in 0..games {
        let plies = OPENING + random.random_range(0..2);
        let mut game = super::opening(variant, plies, &mut random);
        let mut seen: Vec<(Color, f64)> = Vec::new();
        engine.new_game();
        while game.outcome().is_none() && game.moves().len() < LONGEST {
            let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
            let report = engine.go(&request, &Control::new(), &mut ());
            let score = report.info.expect("a score").score;
            if !score.is_decided() {
                seen.push((game.position().turn(), f64::from(score.centi())));
            }
            game.play(report.best.expect("a move")).expect("legal");
        }
        let result = |turn| match game.outcome() {
            Some(Outcome::Win(winner)) => f64::from(u8::from(winner == turn)),
            _ => 0.5,
        };
        samples.extend(seen.into_iter().map(|(turn, score)| (score, result(turn))));
    }
    samples
}

/// The logarithm of the likelihood of a curve, negative, for each sample.
fn loss(samples: &[(f64, f64)], centi: f64) -> f64 {
    let sum: f64 = samples
        .iter()
        .map(|(score, result)| {
            let value = (1.0 / (1.0 + (-score / centi).exp())).clamp(1e-9, 1.0 - 1e-9);
            result * value.ln() + (1.0 - result) * (1.0 - value).ln()
        })
        .sum();
    -sum / samples.len() as f64
}

#[allow(clippy::print_stdout)]
pub fn run(games: usize) {
    println!("{games} games of each variant at {NODES} nodes a move");
    println!("variant       samples  centi   loss  (loss at 120)");
    for variant in VariantId::ALL {
        let samples = samples(variant, games);
        let all = (10..=1_000).step_by(5).map(f64::from);
        let best = all.min_by(|&a, &b| loss(&samples, a).total_cmp(&loss(&samples, b))).expect("some");
        println!(
            "{variant:<13} {:>7} {best:>6} {:>6.4}  {:.4}",
            samples.len(),
            loss(&samples, best),
            loss(&samples, 120.0)
        );
    }
}
