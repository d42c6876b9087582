//! "Draughts AI" (T. Le Minh, M. Drouard) compares evaluations by matches in which some moves are replaced by random
//! ones, and counts the pieces that the winner has left. It publishes no results: here are ours.

use super::report::{Claim, Report, Row, Table, Verdict};
use super::stage::{Stage, StageResult};
use super::{Progress, ReproduceError, Settings, play_all};
use crate::arena::adjudicate::Blocked;
use crate::arena::cancel::Cancel;
use crate::rules::VariantId;

/// Games of each pairing with each side by default; the text gives ten as an example.
const GAMES: usize = 500;
/// The probability of a random move. The text leaves it open.
const NOISE: &str = "0.1";

/// What is compared, on both depths: a name, a claim of the text, the two players.
const COMPARED: [(&str, &str, [&str; 2]); 2] = [
    (
        "quiet-none",
        "searching on until nothing can be captured is better than stopping at the depth",
        ["score=linear quiet=true", "score=linear quiet=false"],
    ),
    (
        "features-material",
        "eight features are better than pieces and kings alone",
        ["score=linear quiet=true", "score=material quiet=true"],
    ),
];

/// The depths: 2 is that of the authors' program.
const DEPTHS: [u32; 2] = [2, 4];

/// Plays and judges.
pub fn run(
    settings: &Settings,
    cancel: &Cancel,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Report, ReproduceError> {
    let mut stages = Vec::new();
    let mut told = Vec::new();
    for (name, claim, players) in COMPARED {
        for depth in DEPTHS {
            stages.push(Stage {
                name: format!("{name}-{depth}"),
                variant: VariantId::International,
                players: players.map(|player| format!("player=minimax depth={depth} {player} noise={NOISE}")),
                games: settings.games.unwrap_or(GAMES),
                max_plies: None,
                blocked: Blocked::Loss,
            });
            told.push((format!("{} against {}, depth {depth}", players[0], players[1]), claim, depth));
        }
    }
    let results = play_all(&stages, settings, cancel, watch)?;
    let pairs = || told.iter().zip(&results);
    Ok(Report {
        experiment: super::Experiment::DraughtsAi.name().to_owned(),
        title: "two searches and two evaluations, with random moves between".to_owned(),
        source: "\"Draughts AI\", T. Le Minh, M. Drouard; it publishes no results".to_owned(),
        settings: vec![
            format!(
                "international draughts, {} games of each pairing with each side, seed {}",
                settings.games.unwrap_or(GAMES),
                settings.seed
            ),
            format!("each move of both is a random one with probability {NOISE}; the text leaves it open"),
            "weights: man 10, king 30, free square -1, move 5 (the authors' program); material: men and kings alone"
                .to_owned(),
            "mean result: pieces that the winner has left, with a minus sign where the second player won".to_owned(),
        ],
        tables: vec![Table {
            title: "Games of the first player".to_owned(),
            numbers: ["left to the first", "left to the second", "mean result"].map(str::to_owned).to_vec(),
            is_curve: false,
            rows: pairs().map(|((what, ..), result)| row(what, result)).collect(),
        }],
        claims: pairs().map(|((_, text, depth), result)| claim(text, *depth, result)).collect(),
        remarks: Vec::new(),
        seconds: results.iter().map(|result| result.seconds).sum(),
    })
}

fn row(what: &str, result: &StageResult) -> Row {
    let left = result.tally.left.map(|by_color| {
        let mut sum = by_color[0];
        sum += by_color[1];
        sum.mean()
    });
    let numbers = vec![left[0], left[1], result.tally.mean_margin()];
    Row::new(what.to_owned(), None, result.tally.games().into(), numbers)
}

fn claim(text: &str, depth: u32, result: &StageResult) -> Claim {
    let games = super::Games::from(result.tally.games());
    Claim {
        text: format!("{text}, depth {depth}"),
        carried: false,
        published: "-".to_owned(),
        ours: format!("{} won, {} lost", games.won, games.lost),
        verdict: Verdict::of(games.sigmas_won()),
    }
}
