//! One pairing of an experiment, played as a match whose results file lets it go on.

use super::report::Games;
use super::{Progress, ReproduceError, Settings};
use crate::arena::adjudicate::{Adjudication, Blocked};
use crate::arena::cancel::Cancel;
use crate::arena::engines::Engines;
use crate::arena::openings::{OpeningSource, Openings};
use crate::arena::record::GameRecord;
use crate::arena::run::{self, MatchError, MatchPlan, Spectator};
use crate::arena::schedule::{Format, MatchSchedule};
use crate::arena::spec::EngineSpec;
use crate::arena::store::Store;
use crate::arena::tally::{PairingTally, Tally};
use crate::rules::VariantId;
use crate::seed;
use std::time::Duration;

/// How long a player may take for a move that has no limit of time.
const PATIENCE: Duration = Duration::from_secs(600);
/// How much later than allowed a move may come: nobody shall lose by the load of the machine.
const MARGIN: Duration = Duration::from_secs(60);

/// A pairing.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    /// Its name, also of its file.
    pub name: String,
    /// The rules.
    pub variant: VariantId,
    /// The two players, as [`EngineSpec`] reads them, without `proto` and `name`.
    pub players: [String; 2],
    /// Games with each side.
    pub games: usize,
    /// After so many plies a game is drawn.
    pub max_plies: Option<usize>,
    /// What a blocked side gets.
    pub blocked: Blocked,
}

/// What came of it, from the view of the first player.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct StageResult {
    pub tally: PairingTally,
    /// The first player moving first, and moving second.
    pub by_mover: [Games; 2],
    /// Mean seconds for a move of each player.
    pub seconds_per_move: [Option<f64>; 2],
    /// Seconds of all moves.
    pub seconds: f64,
}

impl Stage {
    /// Plays what is missing. All games that were played are in the file when this returns, with an error too.
    pub fn play(
        &self,
        settings: &Settings,
        cancel: &Cancel,
        watch: &mut dyn FnMut(Progress<'_>),
    ) -> Result<StageResult, ReproduceError> {
        let specs = self.specs()?;
        let limits: Vec<_> = specs.iter().map(|spec| spec.limits).collect();
        let schedule = MatchSchedule::new(Format::RoundRobin, 2, self.games);
        let plan = MatchPlan {
            variant: self.variant,
            names: specs.iter().map(|spec| spec.name.clone()).collect(),
            limits: limits.iter().map(|&limits| (limits, MARGIN)).collect(),
            schedule: schedule.clone(),
            shard: None,
            rules: Adjudication {
                max_plies: self.max_plies,
                blocked: self.blocked,
                ..Adjudication::default()
            },
            sprt: None,
            // Pairings must not share their games of chance.
            seed: seed::mix(settings.seed, self.name.bytes().map(u64::from)),
            concurrency: settings.concurrency,
            strict: true,
            log: None,
        };
        let openings = Openings::new(self.variant, &OpeningSource::Start)?;
        let engines = Engines::new(&specs, &limits, self.variant, PATIENCE, settings.concurrency)?;
        let mut header = engines.header(&plan, Format::RoundRobin, &OpeningSource::Start, &openings);
        // The folder may be moved or spelled otherwise; which player a file in it holds is said beside its name.
        let folder = settings.folder.join("").display().to_string();
        for engine in &mut header.engines {
            engine.what = engine.what.replace(&format!("\"{folder}"), "\"");
        }
        let path = settings.folder.join(format!("{}.jsonl", self.name));
        let (store, before) = Store::open(&path, &header, settings.force)?;
        let mut audience = Audience { games: before.clone(), all: schedule.games(), watch };
        audience.show();
        let tally = run::run(&plan, openings, &engines, Some(store), &before, cancel, &mut audience)
            .map_err(|error| match error {
                MatchError::Stranger { .. } => {
                    ReproduceError::OtherGames { path: path.clone(), source: error.into() }
                }
                error => error.into(),
            })?;
        if tally.games < schedule.games() {
            return Err(ReproduceError::Interrupted);
        }
        Ok(result(&audience.games, &schedule, self.variant))
    }

    fn specs(&self) -> Result<Vec<EngineSpec>, ReproduceError> {
        let named = ["first", "second"].into_iter().zip(&self.players);
        named.map(|(name, player)| Ok(format!("proto=kroon name={name} {player}").parse()?)).collect()
    }
}

fn result(games: &[GameRecord], schedule: &MatchSchedule, variant: VariantId) -> StageResult {
    let mut tally = Tally::new(schedule.clone(), None);
    let (mut used, mut moves) = ([0.0; 2], [0_u64; 2]);
    for record in games {
        tally.add(record);
        // The variant's first mover made the first note.
        let beginner = record.engine(variant.rules().first);
        for (index, note) in record.notes.iter().enumerate() {
            let engine = if index % 2 == 0 { beginner } else { 1 - beginner };
            used[engine] += note.3;
            moves[engine] += 1;
        }
    }
    let pairing = tally.pairings.swap_remove(0);
    let by_mover = pairing.by_mover(variant.rules().first).map(Games::from);
    let mean = |engine: usize| (moves[engine] > 0).then(|| used[engine] / moves[engine] as f64);
    StageResult { by_mover, tally: pairing, seconds_per_move: [mean(0), mean(1)], seconds: used.iter().sum() }
}

/// Keeps the games, those of earlier runs included.
struct Audience<'a> {
    games: Vec<GameRecord>,
    all: usize,
    watch: &'a mut dyn FnMut(Progress<'_>),
}

impl Audience<'_> {
    fn show(&mut self) {
        (self.watch)(Progress::Games { played: self.games.len(), all: self.all });
    }
}

impl Spectator for Audience<'_> {
    fn finished(&mut self, _: &Tally, games: &[GameRecord]) -> Result<(), MatchError> {
        self.games.extend_from_slice(games);
        self.show();
        Ok(())
    }
}
