//! A report on a NoGo program adds four things to tree search, one after another, and finds each better than the one
//! before against a medium and a strong program. Those programs and the numbers are lost; the order is played here in
//! draughts, against two programs that stay the same.

use super::report::{Claim, Games, Report, Row, Table, Verdict};
use super::stage::{Stage, StageResult};
use super::{Progress, ReproduceError, Settings, play_all};
use crate::arena::adjudicate::Blocked;
use crate::arena::cancel::Cancel;
use crate::rules::VariantId;

/// Games of each pairing with each side by default.
const GAMES: usize = 100;

/// How much longer than the mean of a game the longest time of the table is.
const LONGEST: f64 = 1.3;

/// Longer than any random game: captures and the counts of moves end it earlier.
const PLAYOUT: u32 = 10_000;

/// The steps: what is new, and the player with everything up to it.
const STEPS: [(&str, &str); 5] = [
    ("plain", "two-player=false"),
    ("time table", "two-player=false time-table=true"),
    ("two-player view", "two-player=true time-table=true"),
    ("RAVE", "two-player=true time-table=true rave=300"),
    ("root parallel", "two-player=true time-table=true rave=300 trees=2"),
];

/// The programs that stay the same.
const BASELINES: [(&str, &str); 2] =
    [("medium", "player=minimax depth=2 score=f"), ("strong", "player=minimax depth=4 score=f")];

/// Plays and judges.
pub fn run(
    settings: &Settings,
    cancel: &Cancel,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Report, ReproduceError> {
    let mut stages = Vec::new();
    for (number, (_, player)) in STEPS.into_iter().enumerate() {
        let mean = settings.move_time.as_secs_f64();
        let time = if player.contains("time-table") { LONGEST * mean } else { mean };
        for (baseline, opponent) in BASELINES {
            stages.push(Stage {
                name: format!("step-{number}-{baseline}"),
                variant: VariantId::English,
                players: [
                    format!("player=mcts playout-plies={PLAYOUT} move-time={time:.5} {player}"),
                    opponent.to_owned(),
                ],
                games: settings.games.unwrap_or(GAMES),
                max_plies: Some(300),
                blocked: Blocked::Loss,
            });
        }
    }
    // Two threads of one player must not wait for those of another game.
    let alone = Settings { concurrency: 1, ..settings.clone() };
    let results = play_all(&stages, &alone, cancel, watch)?;
    let tables = BASELINES.iter().enumerate().map(|(at, (name, opponent))| Table {
        title: format!("Against the {name} program ({opponent})"),
        numbers: vec!["ms a move".to_owned()],
        is_curve: false,
        rows: STEPS
            .iter()
            .zip(results.chunks(2))
            .map(|((step, _), results)| row(step, &results[at]))
            .collect(),
    });
    Ok(Report {
        experiment: super::Experiment::NogoMcts.name().to_owned(),
        title: "four additions to tree search, one by one".to_owned(),
        source: "a report on a NoGo program; its chart and its opponents are lost".to_owned(),
        settings: vec![
            format!(
                "English draughts, {} games of each pairing with each side, seed {}; time decides, so games differ from \
                 run to run",
                settings.games.unwrap_or(GAMES),
                settings.seed
            ),
            format!(
                "{} s for each move; with the time table {LONGEST} times that at most, which gives nearly the same mean \
                 (column ms a move)",
                settings.move_time.as_secs_f64()
            ),
            "random games to their end, c = 1/sqrt 2, k of RAVE 300; root parallel: two trees on two cores"
                .to_owned(),
        ],
        tables: tables.collect(),
        claims: claims(&results),
        remarks: Vec::new(),
        seconds: results.iter().map(|result| result.seconds).sum(),
    })
}

fn row(step: &str, result: &StageResult) -> Row {
    let milliseconds = result.seconds_per_move[0].map(|seconds| 1e3 * seconds);
    Row::new(step.to_owned(), None, result.tally.games().into(), vec![milliseconds])
}

/// That each step is better than the one before, over both programs together.
fn claims(results: &[StageResult]) -> Vec<Claim> {
    let together = |results: &[StageResult]| {
        let mut sum = results[0].tally.games();
        sum += results[1].tally.games();
        Games::from(sum).share()
    };
    let shares: Vec<_> = results.chunks(2).map(together).collect();
    let steps = STEPS.iter().skip(1).zip(shares.windows(2));
    let claim = |((step, _), pair): (&(&str, &str), &[super::Share])| Claim {
        text: format!("{step} is better than without"),
        carried: false,
        published: "better".to_owned(),
        ours: format!("{:+.1} points", 100.0 * (pair[1].value() - pair[0].value())),
        verdict: Verdict::of(pair[1].sigmas_above(pair[0])),
    };
    steps.map(claim).collect()
}
