//! The analysis as one page that needs nothing else: the games as data, a board to step through them drawn by a script in
//! the page, tables.

use super::collection::{CollectionRow, CollectionSummary, HardPosition};
use super::compact::{BoardData, GameData, letters};
use super::judge::{MoveClass, THRESHOLDS};
use super::output::FinishedGame;
use crate::notation::fen::game_from_fen;
use crate::rules::VariantId;
use crate::svg::page;
use crate::view::json_line;
use maud::{Markup, html};
use std::collections::BTreeMap;
use std::io::{self, Write};

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// Positions of a collection that are drawn.
const MOST_POSITIONS: usize = 12;
/// Games of which the page says that they are not in it.
const MOST_UNREAD: usize = 100;
/// Rows of a table of a collection.
const MOST_ROWS: usize = 30;

/// Writes a page game by game. All that the script shows is one object of JSON in one element.
pub(super) struct PageWriter<'a> {
    file: &'a mut dyn Write,
    boards: BTreeMap<&'static str, BoardData>,
    games: usize,
    /// The numbers of games of which nothing could be followed, and why.
    unread: Vec<(usize, String)>,
}

impl<'a> PageWriter<'a> {
    /// The beginning of the page: what is said of all games together.
    pub fn begin(file: &'a mut dyn Write, summary: &CollectionSummary) -> io::Result<PageWriter<'a>> {
        let title = match summary.games {
            1 => "Analysis of a game".to_owned(),
            games => format!("Analysis of {games} games"),
        };
        let head = page::head("annotate", &title, STYLE);
        let body = html! {
            h1 { (title) }
            noscript { p { "The games are drawn by a script in this page." } }
            main id="viewer" {}
            @if summary.games > 1 { (tables(summary)) }
            (classes())
            (page::footer())
        };
        let (head, body) = (head.into_string(), body.into_string());
        write!(file, "<!DOCTYPE html><html lang=\"en\">{head}<body>{body}{DATA}{{\"games\":[")?;
        Ok(PageWriter { file, boards: BTreeMap::new(), games: 0, unread: Vec::new() })
    }

    /// A game. Of one that was not analysed the page says at most why.
    pub fn game(&mut self, game: &FinishedGame) -> io::Result<()> {
        let (Some(replay), Some(analysis)) = (&game.replay, &game.analysis) else {
            if let Some(fault) = &game.fault
                && self.unread.len() < MOST_UNREAD
            {
                self.unread.push((game.place.game, fault.clone()));
            }
            return Ok(());
        };
        let variant = replay.game().variant();
        self.boards.entry(variant.name()).or_insert_with(|| BoardData::new(variant));
        let data = script_text(&json_line(&GameData::new(game, replay, analysis)));
        let comma = if self.games > 0 { "," } else { "" };
        self.games += 1;
        write!(self.file, "{comma}\n{data}")
    }

    /// The end of the page.
    pub fn end(self) -> io::Result<()> {
        let boards = script_text(&json_line(&self.boards));
        let classes = MoveClass::ALL.map(|class| (class.name(), class.title(), class.sign()));
        let classes = script_text(&json_line(&classes));
        let unread = script_text(&json_line(&self.unread));
        write!(
            self.file,
            "],\n\"boards\":{boards},\n\"unread\":{unread},\n\"classes\":{classes}}}</script>\
             <script>{SCRIPT}</script></body></html>"
        )
    }
}

/// Where the data begins.
const DATA: &str = "<script type=\"application/json\" id=\"data\">";

/// JSON that cannot end the element in which it stands.
fn script_text(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// What is said of all games together.
fn tables(summary: &CollectionSummary) -> Markup {
    html! {
        section.collection {
            h2 { "All games" }
            (rows("Player", &summary.players))
            (rows("Phase", &summary.phases))
            (rows("Opening", &summary.openings))
            @if !summary.positions.is_empty() {
                h2 { "Positions mishandled most often" }
                div.boards {
                    @for position in summary.positions.iter().take(MOST_POSITIONS) { (hard_position(position)) }
                }
            }
        }
    }
}

fn rows(name: &str, rows: &[CollectionRow]) -> Markup {
    let percent = |value: Option<f64>| value.map_or("\u{2013}".to_owned(), |value| format!("{value:.1}"));
    let loss = |value: Option<f64>| value.map_or("\u{2013}".to_owned(), |value| format!("{value:.3}"));
    let shown = [
        MoveClass::Inaccuracy,
        MoveClass::Mistake,
        MoveClass::Blunder,
        MoveClass::MissedWin,
        MoveClass::MissedCombination,
    ];
    html! {
        div.wide {
            table {
                thead { tr {
                    th { (name) } th.number { "Games" } th.number { "Moves" } th.number { "Accuracy" }
                    th.number { "Loss a move" }
                    @for class in shown { th.number { (class.title()) } }
                } }
                tbody {
                    @for row in rows.iter().take(MOST_ROWS) {
                        tr {
                            td { (row.name) } td.number { (row.games) } td.number { (row.moves.moves) }
                            td.number { (percent(row.moves.accuracy)) } td.number { (loss(row.moves.average_loss)) }
                            @for class in shown { td.number { (row.moves.count(class)) } }
                        }
                    }
                }
            }
            @if rows.len() > MOST_ROWS { p.note { "and others" } }
        }
    }
}

fn hard_position(position: &HardPosition) -> Markup {
    let variant: Option<VariantId> = position.variant.parse().ok();
    let game = variant.and_then(|variant| game_from_fen(variant, &position.fen).ok());
    let games: Vec<String> = position.games.iter().map(ToString::to_string).collect();
    html! {
        @if let Some(game) = game {
            figure {
                // The script draws it.
                div.picture data-variant=(position.variant) data-position=(letters(game.variant(), game.position())) {}
                figcaption {
                    (game.position().turn()) " to move; " (position.best) " is best. "
                    @if position.errors == 1 { "Wrong once" } @else { "Wrong " (position.errors) " times" }
                    ", loss " (format!("{:.2}", position.loss)) ": game " (games.join(", ")) "."
                }
            }
        }
    }
}

/// What the classes mean.
fn classes() -> Markup {
    let bounds = THRESHOLDS;
    html! {
        details.note {
            summary { "What the words mean" }
            p {
                "The expected result is 1 for a win, one half for a draw. A move that gives away "
                (format!("{:.2}", bounds.inaccuracy)) " of it is an inaccuracy, " (format!("{:.2}", bounds.mistake))
                " a mistake, " (format!("{:.2}", bounds.blunder)) " a blunder; less than "
                (format!("{:.2}", bounds.best)) " is as good as the best move. Only move: every other one is a blunder. "
                "Missed win: from " (format!("{:.2}", bounds.won)) " or more, without getting lost. Lost anyway: worse than the best move, but no "
                "more than " (format!("{:.2}", bounds.lost)) " was left before it. The accuracy of a move is 100 exp(-4 loss); forced "
                "moves and those in lost positions do not count."
            }
        }
    }
}
