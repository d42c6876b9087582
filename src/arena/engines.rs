//! The engines of a match: players made from descriptions, in this process or in others.

use super::cancel::Cancel;
use super::dxp::{DxpPlayer, DxpTerms, PORT_WORD, listening_place};
use super::hub::HubPlayer;
use super::log::GameLog;
use super::noise::NoisyPlayer;
use super::openings::{OpeningSource, Openings};
use super::player::{Player, PlayerFactory};
use super::player_kroon::KroonPlayer;
use super::program;
use super::run::MatchPlan;
use super::schedule::Format;
use super::spec::{EngineSpec, Protocol};
use super::store::{EngineHeader, MatchHeader};
use super::time_control::EngineLimits;
use crate::rules::VariantId;
use std::time::Duration;
use thiserror::Error;

/// Why an engine cannot take part.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("engine {name}: {fault}")]
pub struct UnfitEngine {
    /// Its name.
    pub name: String,
    /// What is wrong.
    pub fault: String,
}

/// Squares of the only boards that DXP knows.
const DXP_SQUARES: u8 = 50;

/// Whether every process of this engine listens somewhere else.
fn has_port(spec: &EngineSpec) -> bool {
    spec.command.iter().any(|word| word.contains(PORT_WORD))
}

/// The engine that would have to listen where an earlier one does, if both are started by us.
fn second_listener(specs: &[EngineSpec]) -> Option<UnfitEngine> {
    let is_started = |spec: &&EngineSpec| spec.protocol == Protocol::Dxp && !spec.command.is_empty();
    let mut places = Vec::new();
    for spec in specs.iter().filter(is_started).filter(|spec| !has_port(spec)) {
        // A wrong address is told when the engine is started.
        let Ok((host, port)) = listening_place(spec) else { continue };
        let host = if ["127.0.0.1", "::1"].contains(&host.as_str()) { "localhost".to_owned() } else { host };
        if places.contains(&(host.clone(), port)) {
            let fault = format!(
                "another engine listens on {host} port {port}, too: give each an address of its own, or write {PORT_WORD} in \
                 its cmd"
            );
            return Some(UnfitEngine { name: spec.name.clone(), fault });
        }
        places.push((host, port));
    }
    None
}

/// Engines of all kinds.
#[derive(Debug)]
pub struct Engines {
    kinds: Vec<EngineKind>,
    specs: Vec<EngineSpec>,
    variant: VariantId,
    patience: Duration,
}

#[derive(Debug)]
enum EngineKind {
    Kroon(KroonPlayer),
    Hub,
    Dxp(DxpTerms),
}

impl Engines {
    /// The engines described. An answer that has no time limit is waited for as long as `patience`.
    ///
    /// # Errors
    /// When a description asks for something that does not exist.
    pub fn new(
        specs: &[EngineSpec],
        limits: &[EngineLimits],
        variant: VariantId,
        patience: Duration,
        concurrency: usize,
    ) -> Result<Engines, UnfitEngine> {
        let kind = |(spec, limits): (&EngineSpec, &EngineLimits)| {
            let unfit = |fault: String| UnfitEngine { name: spec.name.clone(), fault };
            match spec.protocol {
                Protocol::Kroon => {
                    let player = KroonPlayer::new(spec, variant);
                    let fit = player.and_then(|player| player.check(limits).map(|()| player));
                    fit.map(EngineKind::Kroon).map_err(unfit)
                }
                Protocol::Hub => match spec.params.iter().find(|(name, _)| name == "variant") {
                    // Engines have names of their own for variants; one that means another is a slip.
                    Some((_, text)) if text.parse().is_ok_and(|named: VariantId| named != variant) => {
                        Err(unfit(format!("param.variant={text}: the games are of {variant} draughts")))
                    }
                    _ => Ok(EngineKind::Hub),
                },
                Protocol::Dxp if variant.rules().board.squares() != DXP_SQUARES => {
                    Err(unfit(format!("DXP knows boards of {DXP_SQUARES} squares only, not {variant}")))
                }
                Protocol::Dxp if concurrency > 1 && !has_port(spec) => Err(unfit(format!(
                    "one engine that listens plays one game at a time: write {PORT_WORD} in its cmd or use --concurrency 1"
                ))),
                Protocol::Dxp => DxpTerms::new(spec, limits).map(EngineKind::Dxp).map_err(unfit),
            }
        };
        let kinds = specs.iter().zip(limits).map(kind).collect::<Result<_, _>>()?;
        if let Some(unfit) = second_listener(specs) {
            return Err(unfit);
        }
        Ok(Engines { kinds, specs: specs.to_vec(), variant, patience })
    }

    /// Which programs they are, for [`EngineHeader::program`](super::store::EngineHeader::program).
    pub fn programs(&self) -> Vec<String> {
        let program = |(kind, spec): (&EngineKind, &EngineSpec)| match kind {
            EngineKind::Kroon(player) => player.program(self.variant),
            EngineKind::Hub | EngineKind::Dxp(_) => program::of_command(spec),
        };
        self.kinds.iter().zip(&self.specs).map(program).collect()
    }

    /// Everything that decides how the games of a match of these engines go, for its results file.
    pub fn header(
        &self,
        plan: &MatchPlan,
        format: Format,
        source: &OpeningSource,
        openings: &Openings,
    ) -> MatchHeader {
        let engines = self.specs.iter().zip(&plan.limits).zip(self.programs());
        let engines = engines.map(|((engine, (limits, margin)), program)| EngineHeader {
            name: engine.name.clone(),
            program,
            what: engine.to_string(),
            limits: limits.to_string(),
            margin: margin.as_secs_f64().to_string(),
        });
        MatchHeader {
            kroon_match: MatchHeader::VERSION,
            variant: self.variant.name().to_owned(),
            engines: engines.collect(),
            openings: format!("{source}{}", openings.fingerprint()),
            format: format.to_string(),
            rules: plan.rules.to_string(),
            screened_by: openings.screened_by().map(str::to_owned),
            seed: plan.seed,
            shard: plan.shard,
            earlier: Vec::new(),
        }
    }

    /// The names of learners that have learned nothing in the variant.
    pub fn untrained(&self) -> impl Iterator<Item = &str> {
        let is_untrained = |kind: &EngineKind| matches!(kind, EngineKind::Kroon(player) if player.is_untrained(self.variant));
        let players = self.kinds.iter().zip(&self.specs);
        players.filter(move |(kind, _)| is_untrained(kind)).map(|(_, spec)| spec.name.as_str())
    }

    /// Whether a game of two of these engines from the same position with the same colours is the same game again, as
    /// far as anybody knows: neither has noise, choices by chance or a limit of time. Engines in processes of their own
    /// may have chances that nobody sees.
    pub fn repeat_games(&self, pairing: [usize; 2], limits: &[EngineLimits]) -> bool {
        pairing.into_iter().all(|engine| {
            let has_chance =
                matches!(&self.kinds[engine], EngineKind::Kroon(player) if player.has_chance(self.variant));
            let is_timed = limits
                .get(engine)
                .is_some_and(|limits| limits.control.is_some() || limits.move_time.is_some());
            self.specs[engine].noise.is_none() && !has_chance && !is_timed
        })
    }

    /// Starts every engine once, to find mistakes before the first game.
    ///
    /// # Errors
    /// The first engine that cannot be started or does not suit.
    pub fn try_out(&self, cancel: &Cancel) -> Result<(), UnfitEngine> {
        for (kind, spec) in self.kinds.iter().zip(&self.specs) {
            let log = GameLog::default();
            let started = match kind {
                EngineKind::Hub => {
                    HubPlayer::new(spec, self.variant, self.patience, cancel).start(&log).map(drop)
                }
                // One that runs already may accept a single connection.
                EngineKind::Dxp(terms) if !spec.command.is_empty() => {
                    DxpPlayer::new(spec, *terms, self.patience, cancel).start(&log)
                }
                EngineKind::Dxp(_) | EngineKind::Kroon(_) => Ok(()),
            };
            started.map_err(|fault| UnfitEngine { name: spec.name.clone(), fault: fault.to_string() })?;
        }
        Ok(())
    }
}

impl PlayerFactory for Engines {
    fn player(&self, engine: usize, cancel: &Cancel) -> Box<dyn Player> {
        let spec = &self.specs[engine];
        let player: Box<dyn Player> = match &self.kinds[engine] {
            EngineKind::Kroon(player) => player.start(&spec.name, cancel),
            EngineKind::Dxp(terms) => Box::new(DxpPlayer::new(spec, *terms, self.patience, cancel)),
            EngineKind::Hub => Box::new(HubPlayer::new(spec, self.variant, self.patience, cancel)),
        };
        NoisyPlayer::wrap(player, spec.noise)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_plays_the_variant_of_the_match() {
        let engine = |spec: &str| {
            let limits = [EngineLimits::default()];
            Engines::new(
                &[spec.parse().unwrap()],
                &limits,
                VariantId::International,
                Duration::from_secs(1),
                1,
            )
        };
        let error = engine("cmd=a param.variant=english").unwrap_err();
        assert_eq!(error.fault, "param.variant=english: the games are of international draughts");
        for spec in ["cmd=a", "cmd=a param.variant=normal", "cmd=a param.variant=draughts-100"] {
            assert!(engine(spec).is_ok(), "{spec}");
        }
    }

    #[test]
    fn two_engines_do_not_listen_in_one_place() {
        let engines = |specs: [&str; 2]| {
            let specs = specs.map(|spec| format!("proto=dxp {spec}").parse().unwrap());
            let limits = [EngineLimits::default(); 2];
            Engines::new(&specs, &limits, VariantId::International, Duration::from_secs(1), 1)
        };
        for [first, second] in [
            ["cmd=a", "cmd=b name=second"],
            ["cmd=a address=127.0.0.1:99", "cmd=b address=localhost:99 name=second"],
            ["cmd=a address=host", "cmd=b address=host:27531 name=second"],
        ] {
            let error = engines([first, second]).unwrap_err();
            assert!(error.name == "second" && error.fault.contains("another engine listens"), "{error}");
        }
        for [first, second] in [
            ["cmd=\"a {port}\"", "cmd=\"b {port}\""],
            ["cmd=a", "cmd=\"b {port}\""],
            ["cmd=a address=host:1", "cmd=b address=host:2"],
            ["cmd=a address=host:1", "address=host:1"],
        ] {
            assert!(engines([first, second]).is_ok(), "{first} {second}");
        }
    }
}
