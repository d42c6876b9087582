//! A match as one HTML page that needs nothing else: no script, no network, tables and drawings.

mod games;
mod json;
mod strength;
mod tables;

pub use json::json;

use super::record::{GameRecord, ReplayError};
use super::schedule::{Format, MatchSchedule, UnknownFormat};
use super::store::MatchHeader;
use super::tally::Tally;
use crate::board::Color;
use crate::game::Game;
use crate::rules::{UnknownVariant, VariantId};
use crate::svg::plot::color;
use maud::{DOCTYPE, Markup, PreEscaped, html};
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
    /// A game that was asked for is not there.
    #[error("there is no game {0}")]
    NoGame(usize),
    /// A header without engines to compare.
    #[error("the match has {0} engines, expected at least 2")]
    TooFew(usize),
}

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
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
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
                footer { "Made by Kroon " (env!("CARGO_PKG_VERSION")) "." }
            }
        }
    };
    Ok(page.into_string())
}

fn source<'a>(header: &'a MatchHeader, records: &'a [GameRecord]) -> Result<ReportSource<'a>, ReportError> {
    let variant: VariantId = header.variant.parse()?;
    let format: Format = header.format.parse()?;
    let engines = header.engines.len();
    if engines < 2 {
        return Err(ReportError::TooFew(engines));
    }
    let mut records: Vec<&GameRecord> = records.iter().collect();
    records.sort_by_key(|record| record.game);
    let pairings = MatchSchedule::new(format, engines, 1).pairings().len();
    let last = records.last().map_or(0, |record| record.game);
    // A number that no match has must not make us reserve memory for it.
    let schedule = MatchSchedule::new(format, engines, last.div_ceil(2 * pairings).min(MOST_ROUNDS));
    let mut tally = Tally::new(schedule, None);
    let mut games = Vec::new();
    for record in &records {
        let known = record.game >= 1 && record.game <= tally.schedule().games();
        if !known || tally.schedule().fixture(record.game - 1).engines != [record.white, record.black] {
            return Err(ReportError::Engines(record.game));
        }
        tally.add(record);
        games.push(record.replay(variant)?);
    }
    Ok(ReportSource { header, records, games, tally, beginner: variant.rules().first })
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
        }
        @if !header.earlier.is_empty() {
            p.note { "Some games were played by other programs: " (header.earlier.join("; ")) "." }
        }
        table.engines {
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
        }
    }
}

/// The looks of a page.
pub(crate) const STYLE: &str = "
:root { color-scheme: light; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: #22262b;
  background: #fff; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .8rem; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .6rem; padding-bottom: .2rem; border-bottom: 2px solid #e4e0d8; }
h3 { font-size: 1rem; margin: 0 0 .4rem; }
p { margin: .4rem 0; }
.note { color: #626a73; font-size: .88rem; }
.facts { display: flex; flex-wrap: wrap; gap: .4rem 1.6rem; margin: 0 0 1rem; }
.facts div { margin: 0; }
dt { color: #626a73; font-size: .8rem; }
dd { margin: 0; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; padding: .28rem .6rem .28rem 0; border-bottom: 1px solid #ece8e0; vertical-align: top; }
th { color: #626a73; font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font-size: .85em; overflow-wrap: anywhere; }
svg { display: block; max-width: 100%; height: auto; }
.swatch { display: inline-block; width: .7em; height: .7em; border-radius: 2px; margin-right: .45em; }
.game { margin: 1.2rem 0 2rem; }
.boards { display: flex; flex-wrap: wrap; gap: 1.2rem; margin-top: .6rem; }
.boards figure { margin: 0; width: 14rem; }
figcaption { font-size: .85rem; color: #626a73; margin-top: .3rem; }
footer { margin-top: 3rem; color: #626a73; font-size: .85rem; }
@media print {
  body { margin: 0; max-width: none; font-size: 10pt; }
  h2 { break-after: avoid; }
  .game, tr, figure, svg { break-inside: avoid; }
}
";
