//! A match as one HTML page that needs nothing else: no script, no network, tables and drawings.

mod games;
mod json;
mod strength;
mod tables;

pub use json::json;

use super::record::{GameRecord, ReplayError};
use super::schedule::{Format, MOST_ENGINES, MatchSchedule, UnknownFormat};
use super::stats::Sprt;
use super::store::MatchHeader;
use super::tally::Tally;
use crate::board::Color;
use crate::game::Game;
use crate::rules::{Objective, UnknownVariant, VariantId};
use crate::svg::page::{footer, head};
use crate::svg::plot::color;
use maud::{DOCTYPE, Markup, html};
use thiserror::Error;

/// Why a results file gives no report.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ReportError {
    /// The header names a variant that this version does not know.
    #[error(transparent)]
    Variant(#[from] UnknownVariant),
    /// The header names a form of match that this version does not know.
    #[error(transparent)]
    Format(#[from] UnknownFormat),
    /// A game cannot be played.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A game of engines that are not in the header.
    #[error("game {0} is of engines that the header does not name")]
    Engines(usize),
    /// The match has no game of this number.
    #[error("there is no game {0}")]
    NoGame(usize),
    /// A header without engines to compare.
    #[error("the match has {0} engines, expected at least 2")]
    TooFew(usize),
    /// A header with more engines than any match has.
    #[error("the match has {0} engines, expected at most {MOST_ENGINES}")]
    TooMany(usize),
}

/// Tables and drawings are in boxes of the class `wide`: on a phone these scroll, and the numbers of a drawing can be read.
const STYLE: &str = ".wide { overflow-x: auto; }
@media screen { .wide > svg { min-width: 46rem; } }
";

/// What all parts of the report look at.
struct ReportSource<'a> {
    header: &'a MatchHeader,
    /// In the order of the schedule.
    records: Vec<&'a GameRecord>,
    /// The same games played over.
    games: Vec<Game>,
    tally: Tally,
    /// Who moves first in the variant.
    beginner: Color,
    /// Whether winners have pieces left: in losing draughts they have none.
    has_pieces_left: bool,
}

impl ReportSource<'_> {
    fn name(&self, engine: usize) -> &str {
        &self.header.engines[engine].name
    }

    fn engines(&self) -> usize {
        self.header.engines.len()
    }
}

/// Makes the page. `shown` are the numbers of the games whose course is drawn; if there are none, the most eventful
/// ones are.
///
/// # Errors
/// When the records do not fit the header, or a game asked for is not there.
pub fn page(header: &MatchHeader, records: &[GameRecord], shown: &[usize]) -> Result<String, ReportError> {
    let source = source(header, records)?;
    if let Some(&missing) = shown.iter().find(|&&number| !records.iter().any(|record| record.game == number))
    {
        return Err(ReportError::NoGame(missing));
    }
    let names: Vec<&str> = header.engines.iter().map(|engine| engine.name.as_str()).collect();
    let title = names.join(" \u{2013} ");
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head("report", &title, STYLE))
            body {
                header { h1 { (title) } (facts(&source)) }
                @if records.is_empty() {
                    p { "No game is finished yet." }
                } @else {
                    (strength::section(&source))
                    (tables::cross_table(&source))
                    (strength::course(&source))
                    (tables::reasons(&source))
                    (tables::time_use(&source))
                    (games::section(&source, shown))
                    (tables::openings(&source))
                }
                (footer())
            }
        }
    };
    Ok(page.into_string())
}

fn source<'a>(header: &'a MatchHeader, records: &'a [GameRecord]) -> Result<ReportSource<'a>, ReportError> {
    let variant: VariantId = header.variant.parse()?;
    let mut records: Vec<&GameRecord> = records.iter().collect();
    records.sort_by_key(|record| record.game);
    let tally = tally(header, &records, None)?;
    let games = records.iter().map(|record| record.replay(variant)).collect::<Result<_, _>>()?;
    let rules = variant.rules();
    let has_pieces_left = rules.objective != Objective::Lose;
    Ok(ReportSource { header, records, games, tally, beginner: rules.first, has_pieces_left })
}

/// Sums over games, and a sequential test if there are two engines and one is asked for.
///
/// # Errors
/// When the records do not fit the header.
pub fn tally(
    header: &MatchHeader,
    records: &[&GameRecord],
    sprt: Option<Sprt>,
) -> Result<Tally, ReportError> {
    let format: Format = header.format.parse()?;
    let engines = header.engines.len();
    if engines < 2 {
        return Err(ReportError::TooFew(engines));
    }
    if engines > MOST_ENGINES {
        return Err(ReportError::TooMany(engines));
    }
    let pairings = MatchSchedule::new(format, engines, 1).pairings().len();
    let last = records.iter().map(|record| record.game).max().unwrap_or(0);
    // No match has a game of a larger number: then it is an error, and no reason to count so far.
    let schedule = MatchSchedule::new(format, engines, last.div_ceil(2 * pairings).min(MOST_ROUNDS));
    let mut tally = Tally::new(schedule, sprt);
    for record in records {
        let known = record.game >= 1 && record.game <= tally.schedule().games();
        if !known {
            return Err(ReportError::NoGame(record.game));
        }
        if tally.schedule().fixture(record.game - 1).engines != [record.white, record.black] {
            return Err(ReportError::Engines(record.game));
        }
        tally.add(record);
    }
    Ok(tally)
}

/// A spot of the colour of an engine, before its name.
fn swatch(index: usize) -> Markup {
    html! { span.swatch style={ "background:" (color(index)) } {} }
}

/// More openings than anybody plays.
const MOST_ROUNDS: usize = 5_000_000;

/// What was played, in a few words.
fn facts(source: &ReportSource<'_>) -> Markup {
    let header = source.header;
    let same_limits = header.engines.iter().all(|engine| engine.limits == header.engines[0].limits);
    html! {
        dl.facts {
            div { dt { "Games" } dd { (source.records.len()) } }
            div { dt { "Variant" } dd { (header.variant) } }
            @if same_limits { div { dt { "Time" } dd { (header.engines[0].limits) } } }
            div { dt { "Openings" } dd { (header.openings) } }
            div { dt { "Adjudication" } dd { (header.rules) } }
            @if let Some(shard) = header.shard { div { dt { "Shard" } dd { (shard) } } }
        }
        @if !header.earlier.is_empty() {
            p.note { "Some games were played by other programs: " (header.earlier.join("; ")) "." }
        }
        div.wide { table.engines {
            thead { tr { th { "Engine" } th { "What it is" } @if !same_limits { th { "Time" } } th.number { "Margin" } } }
            tbody {
                @for (index, engine) in header.engines.iter().enumerate() {
                    tr {
                        td { (swatch(index)) (engine.name) }
                        td {
                            code { (engine.what) }
                            @if !engine.program.is_empty() { br; span.note { (engine.program) } }
                        }
                        @if !same_limits { td { (engine.limits) } }
                        td.number { (engine.margin) " s" }
                    }
                }
            }
        } }
    }
}
