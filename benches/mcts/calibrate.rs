//! Fits the curve from scores to expected results to games of the alpha-beta search against itself.

use kroon::board::Color;
use kroon::engine::{Engine, EvaluationKind, Mode, Options, Request};
use kroon::eval::Evaluation;
use kroon::game::{Game, Outcome};
use kroon::rules::VariantId;
use kroon::search::{Control, Limits};
use kroon::train::shard::ShardReader;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::Path;

/// Random moves at the start, so that advantages of all sizes are seen.
const OPENING: usize = 12;
const NODES: u64 = 1_000;
/// Longest game, in plies; then it is drawn.
const LONGEST: usize = 250;
/// Every n-th position of the games in files is used.
const STEP: usize = 8;
/// Positions of one file, at most.
const MOST_SAMPLES: usize = 200_000;

/// An engine of the alpha-beta search with this evaluation.
fn engine(evaluation: EvaluationKind) -> Engine {
    Engine::new(Options { hash_mb: 4, evaluation, ..Options::default() })
}

/// The score of a search within these limits in centi-men, unless the game is decided.
fn score(engine: &mut Engine, game: &Game, limits: Limits) -> Option<f64> {
    let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
    let score = engine.go(&request, &Control::new(), &mut ()).info?.score;
    (!score.is_decided()).then_some(f64::from(score.centi()))
}

/// Score (centi-men) and result for the side to move, of each position of some games.
fn samples(variant: VariantId, evaluation: EvaluationKind, games: usize) -> Vec<(f64, f64)> {
    let mut engine = engine(evaluation);
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

/// The same of games in a file of `kroon selfplay`: the scores of a search of one ply, near what the tree search sees
/// at its leaves, and those in the file.
fn samples_of_file(path: &Path) -> (VariantId, [Vec<(f64, f64)>; 2]) {
    let mut reader = ShardReader::open(path).expect("a file of self-play games");
    let variant = reader.variant();
    let mut engine = engine(EvaluationKind::Learned);
    let limits = Limits { depth: Some(1), ..Limits::default() };
    let mut found = [Vec::new(), Vec::new()];
    let mut count = 0;
    while found[0].len() < MOST_SAMPLES
        && let Some(record) = reader.next_game().expect("a whole game")
    {
        super::replay(&record, variant, |game, ply| {
            count += 1;
            let searched = ply.score.filter(|score| !score.is_decided() && count % STEP == 0);
            if let Some(searched) = searched
                && let Some(quiet) = score(&mut engine, game, limits)
            {
                let result = f64::from(record.result.half_points(game.position().turn())) / 2.0;
                found[0].push((quiet, result));
                found[1].push((f64::from(searched.centi()), result));
            }
        });
    }
    (variant, found)
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

/// A line of the table: the best scale.
#[allow(clippy::print_stdout)]
fn fit(name: &str, samples: &[(f64, f64)]) {
    let all = (10..=1_000).step_by(5).map(f64::from);
    let best = all.min_by(|&a, &b| loss(samples, a).total_cmp(&loss(samples, b))).expect("some");
    println!("{name:<25} {:>7} {best:>6} {:>7.4}", samples.len(), loss(samples, best));
}

#[allow(clippy::print_stdout)]
pub fn run(words: &[String]) {
    println!("scores of                 samples  centi    loss");
    let games = words.first().map_or(Ok(200), |word| word.parse());
    let Ok(games) = games else {
        for word in words {
            let (variant, [quiet, searched]) = samples_of_file(Path::new(word));
            fit(&format!("{variant}, one ply"), &quiet);
            fit(&format!("{variant}, as in the file"), &searched);
        }
        return;
    };
    for variant in VariantId::ALL {
        fit(&format!("{variant}, hand-made"), &samples(variant, EvaluationKind::HandMade, games));
        if matches!(Evaluation::best(variant), Evaluation::Learned(_)) {
            fit(&format!("{variant}, learned"), &samples(variant, EvaluationKind::Learned, games));
        }
    }
}
