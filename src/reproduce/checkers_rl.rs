//! "Checkers with reinforcement learning" trains its learner of abstract states in rounds of games against alpha-beta,
//! and tests it after each. No results are published: here is our curve.

use super::learners::{curve_every, trained};
use super::report::{Claim, Games, Report, Row, Table, Verdict};
use super::{Progress, ReproduceError, Settings};
use crate::agents::learned::{Knowledge, LearnedFile, LearnedKind, StateQ};
use crate::learn::{LearnSettings, Opponent, TestScore, Training, test};
use crate::rules::VariantId;
use crate::seed;
use std::sync::Arc;
use std::time::Instant;

/// Training games of a round, and rounds: those of the authors' program.
const ROUND: u64 = 100;
const ROUNDS: u64 = 25;
/// Test games after each round, half of them with each side. The authors' program plays 5, which show nothing but a
/// learner that always or never wins.
const GAMES: usize = 100;
/// Who shows differences that the tester is too strong to show.
const RANDOM: &str = "player=random";
/// Games against it, before and after.
const RANDOM_GAMES: u64 = 1_000;
/// Who tests.
const TESTER: &str = "player=minimax depth=3 score=change";

/// Trains, tests and judges.
pub fn run(settings: &Settings, watch: &mut dyn FnMut(Progress<'_>)) -> Result<Report, ReproduceError> {
    let (kind, variant) = (LearnedKind::StateQ, VariantId::English);
    let tests = 2 * settings.games.unwrap_or(GAMES / 2) as u64;
    let documented = Training::new(kind, variant)?;
    let games = settings.training.unwrap_or(ROUNDS * ROUND);
    let every = curve_every(ROUND, games).min(games.max(1));
    let training = Training {
        games,
        curve_opponent: Opponent::new(TESTER, variant)?,
        settings: LearnSettings { curve_every: every, curve_games: tests, ..documented.settings.clone() },
        ..documented
    };
    let opponent = training.opponent.to_string();
    let start = Instant::now();
    let (path, file) = trained(training, settings, watch)?;
    let seconds = start.elapsed().as_secs_f64();
    let rows: Vec<Row> = file
        .header
        .curve
        .iter()
        .map(|&[games, won, drawn, lost]| {
            Row::new(format!("{games} training games"), None, Games { won, drawn, lost }, Vec::new())
        })
        .collect();
    let random_games = settings.games.map_or(RANDOM_GAMES, |_| tests);
    let against_random = against_random(&file, settings, random_games)?;
    let claims = vec![claim(TESTER, &rows), claim(RANDOM, &against_random)];
    Ok(Report {
        experiment: super::Experiment::CheckersRl.name().to_owned(),
        title: "the learning curve of the state-abstraction learner".to_owned(),
        source: "\"Checkers with reinforcement learning\"; it publishes no results".to_owned(),
        settings: vec![
            format!(
                "English draughts, but a blocked side draws; {games} training games against {opponent}, {tests} test \
                 games against {TESTER} after every {every}, seed {}",
                settings.seed
            ),
            "alpha 0.005, lambda 0.3, random moves 0.25, first value 10, games of at most 500 plies (the authors' \
             program)"
                .to_owned(),
            format!("the same test games at every point; the learner is in {}", path.display()),
        ],
        tables: vec![
            Table {
                title: format!("Test games against {TESTER}"),
                numbers: Vec::new(),
                is_curve: true,
                rows,
            },
            Table {
                title: format!("Test games against {RANDOM}, our addition"),
                numbers: Vec::new(),
                is_curve: false,
                rows: against_random,
            },
        ],
        remarks: remarks(&claims),
        claims,
        seconds,
    })
}

/// The untrained and the trained learner against random moves.
fn against_random(file: &LearnedFile, settings: &Settings, games: u64) -> Result<Vec<Row>, ReproduceError> {
    let variant = VariantId::English;
    let learning = LearnSettings::of(LearnedKind::StateQ);
    let opponent = Opponent::new(RANDOM, variant)?;
    let untrained = Knowledge::States(StateQ::new(learning.start)).into();
    let row = |name: &str, knowledge: &Arc<Knowledge>| -> Result<Row, ReproduceError> {
        let seed = seed::mix(settings.seed, [games]);
        let [first, second] = test(variant, knowledge, &opponent, games, seed, learning.game_rules())?;
        let TestScore { won, drawn, lost } = first.and(second);
        Ok(Row::new(name.to_owned(), None, Games { won, drawn, lost }, Vec::new()))
    };
    Ok(vec![row("before training", &untrained)?, row("after training", &file.knowledge)?])
}

/// That the last row has won more than the first.
fn claim(opponent: &str, rows: &[Row]) -> Claim {
    let share = |row: Option<&Row>| row.map(|row| row.ours.share()).unwrap_or_default();
    let (before, after) = (share(rows.first()), share(rows.last()));
    Claim {
        text: format!("the learner wins more after its training than before, against {opponent}"),
        carried: false,
        published: "-".to_owned(),
        ours: format!("{:.1}% before, {:.1}% after", 100.0 * before.value(), 100.0 * after.value()),
        verdict: Verdict::of(after.sigmas_above(before)),
    }
}

/// Why the learner may stay where it began.
fn remarks(claims: &[Claim]) -> Vec<String> {
    let is_flat = claims.first().is_some_and(|claim| claim.verdict != Verdict::Shown);
    let text = "The curve does not rise. With alpha 0.005 a value has gone a tenth of its way after twenty visits, and \
                most transitions are seen less often. Those never seen keep the first value 10, which is more than most \
                others end at (the reward plus 0.3 of the best next value): the learner prefers what it does not know.";
    is_flat.then(|| text.to_owned()).into_iter().collect()
}
