//! The engines of a match, from their descriptions.

use super::cancel::Cancel;
use super::house::HousePlayer;
use super::hub::HubPlayer;
use super::log::GameLog;
use super::player::{Player, Team};
use super::spec::{EngineSpec, Protocol};
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

/// Engines of all kinds.
#[derive(Debug)]
pub struct Engines {
    kinds: Vec<Kind>,
    specs: Vec<EngineSpec>,
    variant: VariantId,
    patience: Duration,
}

#[derive(Debug)]
enum Kind {
    House(HousePlayer),
    Hub,
}

impl Engines {
    /// The engines described. An answer that has no time limit is waited for as long as `patience`.
    ///
    /// # Errors
    /// When a description asks for something that does not exist.
    pub fn new(specs: &[EngineSpec], variant: VariantId, patience: Duration) -> Result<Engines, UnfitEngine> {
        let kind = |spec: &EngineSpec| {
            let unfit = |fault: String| UnfitEngine { name: spec.name.clone(), fault };
            match spec.protocol {
                Protocol::Kroon => HousePlayer::new(spec).map(Kind::House).map_err(unfit),
                Protocol::Hub => Ok(Kind::Hub),
                Protocol::Dxp => Err(unfit("proto=dxp is not supported in matches yet".to_owned())),
            }
        };
        let kinds = specs.iter().map(kind).collect::<Result<_, _>>()?;
        Ok(Engines { kinds, specs: specs.to_vec(), variant, patience })
    }

    /// Starts every engine once, to find mistakes before the first game.
    ///
    /// # Errors
    /// The first engine that cannot be started or does not suit.
    pub fn try_out(&self, cancel: &Cancel) -> Result<(), UnfitEngine> {
        for (kind, spec) in self.kinds.iter().zip(&self.specs) {
            if let Kind::Hub = kind {
                let mut player = HubPlayer::new(spec, self.variant, self.patience, cancel);
                player
                    .start(&GameLog::default())
                    .map_err(|fault| UnfitEngine { name: spec.name.clone(), fault: fault.to_string() })?;
            }
        }
        Ok(())
    }
}

impl Team for Engines {
    fn player(&self, engine: usize, cancel: &Cancel) -> Box<dyn Player> {
        let spec = &self.specs[engine];
        match &self.kinds[engine] {
            Kind::House(player) => player.start(&spec.name, cancel),
            Kind::Hub => Box::new(HubPlayer::new(spec, self.variant, self.patience, cancel)),
        }
    }
}
