//! Ballots: an opening drawn by lot, from the same list as in matches.

use crate::arena::openings::{OpeningSource, Openings};
use crate::game::Game;
use crate::notation::moves;
use crate::rules::{UnknownVariant, VariantId};
use parking_lot::Mutex;
use rand::RngExt;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// The lengths of ballots.
const PLIES: RangeInclusive<u32> = 2..=3;

/// Why no ballot is drawn.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum OpeningError {
    /// No such variant.
    #[error(transparent)]
    Variant(#[from] UnknownVariant),
    /// No ballot has this length.
    #[error("ballot of {0} moves: expected {start} or {end}", start = PLIES.start(), end = PLIES.end())]
    Plies(u32),
    /// The list could not be made.
    #[error("{0}")]
    List(String),
}

/// Which ballot to draw.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct BallotOrder {
    /// The variant's name.
    pub variant: String,
    /// Moves of both sides together: 2 or 3.
    pub plies: u32,
}

/// A ballot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BallotView {
    /// Its number in the list, from 1.
    pub number: usize,
    /// How many there are.
    pub count: usize,
    /// The moves in PDN, from the initial position.
    pub moves: Vec<String>,
}

type Ballots = Arc<Vec<Vec<String>>>;

/// Draws a ballot.
///
/// # Errors
/// When there is no such variant or ballot.
pub fn ballot(order: &BallotOrder) -> Result<BallotView, OpeningError> {
    let variant: VariantId = order.variant.parse()?;
    if !PLIES.contains(&order.plies) {
        return Err(OpeningError::Plies(order.plies));
    }
    let all = all(variant, order.plies)?;
    let number = rand::rng().random_range(0..all.len());
    Ok(BallotView { number: number + 1, count: all.len(), moves: all[number].clone() })
}

/// All of a length, made once.
fn all(variant: VariantId, plies: u32) -> Result<Ballots, OpeningError> {
    static MADE: OnceLock<Mutex<HashMap<(VariantId, u32), Ballots>>> = OnceLock::new();
    let made = MADE.get_or_init(Mutex::default);
    if let Some(known) = made.lock().get(&(variant, plies)) {
        return Ok(Arc::clone(known));
    }
    let mut openings = Openings::new(variant, &OpeningSource::Ballot { plies })
        .map_err(|error| OpeningError::List(error.to_string()))?;
    let count = openings.count().unwrap_or(0);
    let all: Vec<Vec<String>> = (0..count).map(|number| texts(&openings.get(number).game)).collect();
    if all.is_empty() {
        return Err(OpeningError::List(format!("{variant} has no ballots of {plies} moves")));
    }
    let all = Arc::new(all);
    made.lock().insert((variant, plies), Arc::clone(&all));
    Ok(all)
}

fn texts(game: &Game) -> Vec<String> {
    moves::write_line(game.variant(), game.start(), game.moves())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::LineOfPlay;

    fn order(variant: &str, plies: u32) -> BallotOrder {
        BallotOrder { variant: variant.into(), plies }
    }

    #[test]
    fn every_ballot_can_be_played_and_chance_decides() {
        let mut drawn = std::collections::BTreeSet::new();
        for _ in 0..60 {
            let view = ballot(&order("english", 2)).unwrap();
            assert_eq!((view.count, view.moves.len()), (47, 2));
            let line =
                LineOfPlay { variant: "english".into(), moves: view.moves.clone(), ..LineOfPlay::default() };
            assert_eq!(line.game().unwrap().moves().len(), 2);
            drawn.insert(view.number);
        }
        // 60 of 47 by lot are ten different ones or fewer once in 10^36.
        assert!(drawn.len() > 10 && drawn.iter().all(|number| (1..=47).contains(number)), "{drawn:?}");
    }

    #[test]
    fn what_is_no_ballot_is_refused() {
        assert!(ballot(&order("chess", 2)).unwrap_err().to_string().contains("chess"));
        assert_eq!(ballot(&order("english", 4)), Err(OpeningError::Plies(4)));
    }
}
