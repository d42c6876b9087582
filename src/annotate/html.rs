//! The analysis as one page that needs nothing else: the games as data, a board to step through them drawn by a script in
//! the page, tables.

use super::collection::{CollectionRow, CollectionSummary, HardPosition};
use super::game::{GameAnalysis, MoveAnalysis};
use super::judge::{MoveClass, THRESHOLDS};
use super::run::FinishedGame;
use super::say::remark;
use super::summary::SideSummary;
use crate::board::{Color, Move, Piece, Position, Square};
use crate::game::Game;
use crate::notation::fen::game_from_fen;
use crate::notation::moves;
use crate::notation::pdn::{Replay, commands};
use crate::notation::square::SquareName;
use crate::rules::{VariantId, play_in};
use crate::svg::board::Picture;
use crate::svg::page;
use crate::view::json_line;
use maud::{Markup, html};
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

const STYLE: &str = include_str!("page/page.css");
const SCRIPT: &str = include_str!("page/page.js");

/// Positions of a collection that are drawn.
const MOST_POSITIONS: usize = 12;
/// Rows of a table of a collection.
const MOST_ROWS: usize = 30;

/// A board: how many squares a side has, and where the playing squares are.
#[derive(Serialize)]
struct BoardData {
    side: u8,
    /// Row, column and number of each square, in the order of the positions.
    squares: Vec<(u8, u8, String)>,
}

/// A game.
#[derive(Serialize)]
struct GameData<'a> {
    number: usize,
    variant: &'static str,
    white: &'a str,
    black: &'a str,
    event: String,
    result: &'a str,
    /// Positions as text, a letter for each square.
    start: String,
    /// The expected result of White before the first analysed move.
    before: Option<f64>,
    plies: Vec<PlyData>,
    /// White, Black.
    accuracy: [&'a SideSummary; 2],
}

/// A move and the position after it.
#[derive(Serialize)]
struct PlyData {
    /// `12.` or `12...` before the move, where a new line of the score sheet begins.
    number: String,
    played: String,
    position: String,
    /// The squares of the move, by their place in the position.
    squares: [usize; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<MoveClass>,
    /// The expected result of White.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<f64>,
    /// The squares of the best move, where it is another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    better: Option<[usize; 2]>,
    /// What is said of it: by the file, then by the analysis.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    said: Vec<String>,
    /// The better line and its score.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<String>,
}

/// Writes a page game by game.
pub(super) struct PageWriter<'a> {
    file: &'a mut dyn Write,
    boards: BTreeMap<&'static str, BoardData>,
}

impl<'a> PageWriter<'a> {
    /// The beginning of the page: what is said of all games together.
    pub fn begin(file: &'a mut dyn Write, summary: &CollectionSummary) -> io::Result<PageWriter<'a>> {
        let title = match summary.games {
            1 => "Analysis of a game".to_owned(),
            games => format!("Analysis of {games} games"),
        };
        let head = page::head(&title, STYLE);
        let body = html! {
            h1 { (title) }
            noscript { p { "The games are drawn by a script in this page." } }
            main id="viewer" {}
            @if summary.games > 1 { (tables(summary)) }
            (classes())
            (page::footer())
        };
        write!(file, "<!DOCTYPE html><html lang=\"en\">{}<body>{}", head.into_string(), body.into_string())?;
        Ok(PageWriter { file, boards: BTreeMap::new() })
    }

    /// A game; nothing is written of one that was not analysed.
    pub fn game(&mut self, game: &FinishedGame) -> io::Result<()> {
        let (Some(replay), Some(analysis)) = (&game.replay, &game.analysis) else { return Ok(()) };
        let variant = replay.game().variant();
        self.boards.entry(variant.name()).or_insert_with(|| board_data(variant));
        let data = script_text(&json_line(&game_data(game, replay, analysis)));
        write!(self.file, "<script type=\"application/json\" class=\"game\">{data}</script>")
    }

    /// The end of the page.
    pub fn end(self) -> io::Result<()> {
        let boards = script_text(&json_line(&self.boards));
        let classes: BTreeMap<&str, &str> =
            MoveClass::ALL.into_iter().map(|class| (class.name(), class.title())).collect();
        let classes = script_text(&json_line(&classes));
        write!(
            self.file,
            "<script type=\"application/json\" id=\"boards\">{boards}</script>\
             <script type=\"application/json\" id=\"classes\">{classes}</script>\
             <script>{SCRIPT}</script></body></html>"
        )
    }
}

/// JSON that cannot end the element in which it stands.
fn script_text(json: &str) -> String {
    json.replace('<', "\\u003c")
}

fn board_data(variant: VariantId) -> BoardData {
    let board = variant.rules().board;
    let place =
        |square: Square| (square.row(), square.column(), SquareName::of(variant.rules(), square).to_string());
    BoardData { side: board.side(), squares: board.iter().map(place).collect() }
}

/// A letter for each square: `w` and `b` for men, `W` and `B` for kings.
fn letters(variant: VariantId, position: &Position) -> String {
    let letter = |square| match position.piece(square) {
        None => '.',
        Some(Piece { color: Color::White, king: false }) => 'w',
        Some(Piece { color: Color::White, king: true }) => 'W',
        Some(Piece { color: Color::Black, king: false }) => 'b',
        Some(Piece { color: Color::Black, king: true }) => 'B',
    };
    variant.rules().board.iter().map(letter).collect()
}

/// The places of the squares of a move.
fn squares(variant: VariantId, mv: Move) -> [usize; 2] {
    let place = |wanted| variant.rules().board.iter().position(|square| square == wanted).unwrap_or(0);
    [place(mv.from()), place(mv.to())]
}

fn game_data<'a>(game: &'a FinishedGame, replay: &Replay, analysis: &'a GameAnalysis) -> GameData<'a> {
    let variant = replay.game().variant();
    let name =
        |color| game.pdn.player(color).unwrap_or(if color == Color::White { "White" } else { "Black" });
    let known = |tag| game.pdn.tags.known(&[tag]).filter(|value| !value.starts_with("????"));
    let event: Vec<&str> = ["Event", "Date", "Round"].into_iter().filter_map(known).collect();
    let mut plies = Vec::new();
    let mut analysed = analysis.moves.iter().peekable();
    for section in replay.sections() {
        section_plies(game, replay, section, &mut analysed, &mut plies);
    }
    let before = analysis
        .moves
        .first()
        .filter(|mv| mv.ply == 1)
        .map(|mv| if mv.side() == Color::White { mv.before.expected } else { 1.0 - mv.before.expected });
    GameData {
        number: game.number,
        variant: variant.name(),
        white: name(Color::White),
        black: name(Color::Black),
        event: event.join(", "),
        result: game.pdn.result_text(),
        start: letters(variant, replay.game().start()),
        before,
        plies,
        accuracy: [&analysis.white, &analysis.black],
    }
}

/// The moves of one section.
fn section_plies<'a>(
    game: &FinishedGame,
    replay: &Replay,
    section: &Game,
    analysed: &mut std::iter::Peekable<impl Iterator<Item = &'a MoveAnalysis> + Clone>,
    plies: &mut Vec<PlyData>,
) {
    let variant = section.variant();
    let first = variant.rules().first;
    let mut position = *section.start();
    // The number of moves of the side that moves second, before this one.
    let shift = usize::from(position.turn() != first);
    for (index, &played) in section.moves().iter().enumerate() {
        let text = moves::write(variant, &position, played);
        let number = (index + shift) / 2 + 1;
        let is_first = position.turn() == first;
        let number = match (is_first, index) {
            (true, _) => format!("{number}."),
            (false, 0) => format!("{number}..."),
            _ => String::new(),
        };
        let mv = analysed.next_if(|mv| mv.ply == plies.len() + 1);
        let entry = replay.entries().get(plies.len()).and_then(|&place| game.pdn.line.entries.get(place));
        let mut said: Vec<String> = entry
            .into_iter()
            .flat_map(|entry| &entry.comments)
            .map(|comment| commands(comment).1)
            .filter(|text| !text.is_empty())
            .collect();
        let next = section
            .moves()
            .get(index + 1)
            .map(|&next| moves::write(variant, &play_in(variant, &position, played), next));
        said.extend(mv.and_then(|mv| remark(mv, next.as_deref())));
        let better = mv
            .filter(|mv| mv.class.is_error())
            .and_then(|mv| moves::read(variant, &position, mv.best.first()?).ok());
        let better = better.map(|mv| squares(variant, mv));
        position = play_in(variant, &position, played);
        plies.push(PlyData {
            number,
            played: text,
            position: letters(variant, &position),
            squares: squares(variant, played),
            class: mv.map(|mv| mv.class),
            expected: mv.map(MoveAnalysis::white_expected),
            better,
            said,
            line: mv.filter(|mv| mv.class.is_error()).map(|mv| mv.best.join(" ")),
        });
    }
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
            @if rows.len() > MOST_ROWS { p.note { "and " (rows.len() - MOST_ROWS) " more" } }
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
                (Picture::new(game.variant(), game.position()).draw())
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
                (format!("{:.2}", bounds.best)) " is as good as the best move. Only move: every other one costs a mistake. "
                "Missed win: from " (format!("{:.2}", bounds.won)) " or more, without getting lost. Lost anyway: no more than "
                (format!("{:.2}", bounds.lost)) " was left before the move. The accuracy of a move is 100 exp(-4 loss); forced "
                "moves and those in lost positions do not count."
            }
        }
    }
}
