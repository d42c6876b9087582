//! Where the games of a pair begin.

use super::plan::TunePlan;
use crate::arena::openings::{OpeningSource, Openings, OpeningsError};
use crate::game::Game;
use crate::rules::VariantId;
use crate::seed;

/// Random openings are made in blocks, each from a seed of its own: what goes on late need not make all of them again.
const BLOCK: u64 = 64;

/// The openings by the number of the pair.
#[derive(Debug)]
pub(super) struct Book {
    variant: VariantId,
    source: OpeningSource,
    seed: u64,
    /// Of random openings, the block that was made last.
    block: u64,
    pub openings: Openings,
}

impl Book {
    pub fn new(plan: &TunePlan) -> Result<Book, OpeningsError> {
        let (variant, source) = (plan.variant, plan.openings.clone());
        let openings = Openings::new(variant, &source)?;
        openings.check_length(plan.pairs as usize, plan.rules.max_plies)?;
        // No block has this number.
        Ok(Book { variant, source, seed: plan.seed, block: u64::MAX, openings })
    }

    /// Where the games of a pair begin.
    pub fn get(&mut self, pair: u64) -> Result<Game, OpeningsError> {
        let OpeningSource::Random { plies, seed } = self.source else {
            return Ok(self.openings.get(pair as usize).game);
        };
        let block = pair / BLOCK;
        if self.block != block {
            let seed = seed::mix(seed, [self.seed, block]);
            self.openings = Openings::new(self.variant, &OpeningSource::Random { plies, seed })?;
            self.block = block;
        }
        Ok(self.openings.get((pair % BLOCK) as usize).game)
    }
}
