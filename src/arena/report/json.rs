//! The numbers of a match, for programs.

use super::{ReportError, source};
use crate::arena::record::GameRecord;
use crate::arena::shard::Shard;
use crate::arena::stats::{Interval, Trinomial};
use crate::arena::store::{EngineHeader, MatchHeader};
use crate::arena::tally::{PairingTally, PiecesLeft};
use crate::board::Color;
use serde::Serialize;
use std::collections::BTreeMap;

/// Everything that `kroon match` prints at its end.
#[derive(Serialize)]
struct MatchReport<'a> {
    variant: &'a str,
    openings: &'a str,
    /// The program whose search chose them, if they are random.
    #[serde(skip_serializing_if = "Option::is_none")]
    screened_by: Option<&'a str>,
    adjudication: &'a str,
    seed: u64,
    /// Which games of the match these are, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<Shard>,
    games: usize,
    engines: &'a [EngineHeader],
    /// Programs that played before, where the user has put others in their place.
    earlier: &'a [String],
    pairings: Vec<PairingReport<'a>>,
    /// How many games ended why.
    reasons: BTreeMap<String, u64>,
    /// How many games each engine lost by which fault.
    faults: BTreeMap<&'a str, BTreeMap<String, u64>>,
}

/// Two engines, from the view of the first.
#[derive(Serialize)]
struct PairingReport<'a> {
    engines: [&'a str; 2],
    all: Counts,
    moving_first: Counts,
    moving_second: Counts,
    /// Mean pieces left where the first engine won, moving first and moving second, and where the second did.
    pieces_left: [[Option<f64>; 2]; 2],
    mean_margin: Option<f64>,
    /// Pairs of games by the points of the first engine: 0, 1/2, 1, 3/2, 2.
    pairs: [u64; 5],
    elo: Option<Bounds>,
    nelo: Option<Bounds>,
    /// Likelihood of superiority.
    los: Option<f64>,
}

#[derive(Serialize)]
struct Counts {
    won: u64,
    drawn: u64,
    lost: u64,
}

/// A value with its 95% interval; `null` for what is infinite.
#[derive(Serialize)]
struct Bounds {
    value: f64,
    low: f64,
    high: f64,
}

impl From<Trinomial> for Counts {
    fn from(games: Trinomial) -> Counts {
        Counts { won: games.wins, drawn: games.draws, lost: games.losses }
    }
}

impl From<Interval> for Bounds {
    fn from(Interval { value, low, high }: Interval) -> Bounds {
        Bounds { value, low, high }
    }
}

/// The match as one JSON object on one line, without a line end.
///
/// # Errors
/// When the records do not fit the header.
pub fn json(header: &MatchHeader, records: &[GameRecord]) -> Result<String, ReportError> {
    let source = source(header, records)?;
    let pairings = source.tally.schedule().pairings().iter().zip(&source.tally.pairings);
    let mut faults: BTreeMap<&str, BTreeMap<String, u64>> = BTreeMap::new();
    for (&(engine, reason), &count) in &source.tally.faults {
        faults.entry(source.name(engine)).or_default().insert(reason.to_string(), count);
    }
    let report = MatchReport {
        variant: &header.variant,
        openings: &header.openings,
        screened_by: header.screened_by.as_deref(),
        adjudication: &header.rules,
        seed: header.seed,
        shard: header.shard,
        games: source.records.len(),
        engines: &header.engines,
        earlier: &header.earlier,
        pairings: pairings
            .map(|(&engines, tally)| {
                let report = pairing(engines.map(|engine| source.name(engine)), tally, source.beginner);
                if source.has_pieces_left {
                    return report;
                }
                PairingReport { pieces_left: Default::default(), mean_margin: None, ..report }
            })
            .collect(),
        reasons: source.tally.reasons.iter().map(|(reason, &count)| (reason.to_string(), count)).collect(),
        faults,
    };
    // Plain data, which JSON can express.
    Ok(serde_json::to_string(&report).unwrap_or_default())
}

fn pairing<'a>(engines: [&'a str; 2], tally: &PairingTally, beginner: Color) -> PairingReport<'a> {
    let [moving_first, moving_second] = tally.by_mover(beginner).map(Counts::from);
    let mean = |left: [PiecesLeft; 2]| [beginner, !beginner].map(|color| left[color.index()].mean());
    let estimate = tally.estimate();
    PairingReport {
        engines,
        all: tally.games().into(),
        moving_first,
        moving_second,
        pieces_left: tally.left.map(mean),
        mean_margin: tally.mean_margin(),
        pairs: tally.pairs.0,
        elo: estimate.map(|estimate| estimate.elo.into()),
        nelo: estimate.map(|estimate| estimate.nelo.into()),
        los: estimate.map(|estimate| estimate.los),
    }
}
