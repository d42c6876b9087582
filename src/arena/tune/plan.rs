//! How to tune, and what of it decides the result.

use super::TuneError;
use super::book::Book;
use super::knob::TunedKnob;
use super::state::{PROGRAM_SETTING, TuneSettings};
use crate::arena::adjudicate::Adjudication;
use crate::arena::noise::Noise;
use crate::arena::openings::OpeningSource;
use crate::arena::player_kroon::KroonPlayer;
use crate::arena::shard::Shard;
use crate::arena::spec::{EngineSpec, Protocol};
use crate::arena::time_control::EngineLimits;
use crate::engine::Options;
use crate::rules::VariantId;
use std::time::Duration;

/// How to tune.
#[derive(Clone, Debug)]
pub struct TunePlan {
    /// The rules.
    pub variant: VariantId,
    /// The numbers to find.
    pub knobs: Vec<TunedKnob>,
    /// Parameters of both engines.
    pub params: Vec<(String, String)>,
    /// How fast they play.
    pub limits: EngineLimits,
    /// How much later than allowed their moves may come.
    pub margin: Duration,
    /// Where games begin.
    pub openings: OpeningSource,
    /// When games end early.
    pub rules: Adjudication,
    /// Pairs of games in all.
    pub pairs: u64,
    /// Pairs of an iteration.
    pub batch: u64,
    /// Steps that a number moves for a game won in the last pair.
    pub rate: f64,
    /// Where all random choices come from.
    pub seed: u64,
    /// Games at the same time.
    pub concurrency: usize,
    /// Which games of every iteration are played here, if other processes play the rest.
    pub shard: Option<Shard>,
}

impl TunePlan {
    /// The options of both engines.
    pub(super) fn options(&self) -> Result<Options, TuneError> {
        let spec = EngineSpec {
            name: "kroon".to_owned(),
            protocol: Protocol::Kroon,
            command: Vec::new(),
            folder: None,
            address: None,
            player: None,
            params: self.params.clone(),
            limits: self.limits,
            margin: None,
            noise: Noise::default(),
        };
        let player = KroonPlayer::new(&spec, self.variant).map_err(TuneError::Parameter)?;
        Ok(player.options().clone())
    }

    /// Everything that decides how a tuning goes; not how many games are played at the same time.
    pub(super) fn settings(&self, book: &Book, program: String) -> TuneSettings {
        let names: Vec<&str> = self.knobs.iter().map(|knob| knob.knob.name).collect();
        let params: Vec<String> = self.params.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let list = |words: Vec<String>| if words.is_empty() { "none".to_owned() } else { words.join(" ") };
        let mut settings: TuneSettings = [
            ("variant", self.variant.name().to_owned()),
            ("games", (2 * self.pairs).to_string()),
            ("pairs of an iteration", self.batch.to_string()),
            ("limit", self.limits.to_string()),
            ("time margin", self.margin.as_secs_f64().to_string()),
            ("openings", format!("{}{}", self.openings, book.openings.fingerprint())),
            ("adjudication", self.rules.to_string()),
            ("seed", self.seed.to_string()),
            ("rate", self.rate.to_string()),
            ("parameters", list(params)),
            ("list of knobs", names.join(", ")),
            (PROGRAM_SETTING, program),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .to_vec();
        settings.extend(self.knobs.iter().map(|knob| (format!("knob {}", knob.knob.name), knob.to_string())));
        settings
    }
}
