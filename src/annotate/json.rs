//! The analysis as lines of JSON, told apart by the field `type`. `protocol-docs/analysis.md` lists the fields.

use super::collection::CollectionSummary;
use super::game::{GameAnalysis, MoveAnalysis};
use super::judge::{THRESHOLDS, Thresholds};
use super::output::FinishedGame;
use super::summary::SideSummary;
use crate::board::Color;
use serde::Serialize;

/// A move.
#[derive(Serialize)]
pub(super) struct MoveLine<'a> {
    r#type: &'static str,
    game: usize,
    #[serde(flatten)]
    analysis: &'a MoveAnalysis,
}

impl<'a> MoveLine<'a> {
    pub fn new(game: usize, analysis: &'a MoveAnalysis) -> MoveLine<'a> {
        MoveLine { r#type: "move", game, analysis }
    }
}

/// A game, after its moves.
#[derive(Serialize)]
pub(super) struct GameLine<'a> {
    r#type: &'static str,
    game: usize,
    file: &'a str,
    number: usize,
    variant: &'static str,
    start: &'a str,
    players: Players<'a>,
    result: &'a str,
    fault: Option<String>,
    white: &'a SideSummary,
    black: &'a SideSummary,
}

#[derive(Serialize)]
struct Players<'a> {
    white: Option<&'a str>,
    black: Option<&'a str>,
}

impl<'a> GameLine<'a> {
    /// `file` is the name of its file.
    pub fn new(finished: &'a FinishedGame, file: &'a str, analysis: &'a GameAnalysis) -> GameLine<'a> {
        let FinishedGame { place, pdn, .. } = finished;
        GameLine {
            r#type: "game",
            game: place.game,
            file,
            number: place.number,
            variant: analysis.variant,
            start: &analysis.start,
            players: Players { white: pdn.player(Color::White), black: pdn.player(Color::Black) },
            result: pdn.result_text(),
            fault: finished.stopped(),
            white: &analysis.white,
            black: &analysis.black,
        }
    }
}

/// All games together, at the end.
#[derive(Serialize)]
pub(super) struct CollectionLine {
    r#type: &'static str,
    thresholds: Thresholds,
    #[serde(flatten)]
    summary: CollectionSummary,
}

impl CollectionLine {
    pub fn new(summary: CollectionSummary) -> CollectionLine {
        CollectionLine { r#type: "collection", thresholds: THRESHOLDS, summary }
    }
}
