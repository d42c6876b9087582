//! The course of single games: evaluation curves and boards.

use super::ReportSource;
use crate::arena::record::GameRecord;
use crate::board::Color;
use crate::game::Game;
use crate::notation::moves;
use crate::rules::play_in;
use crate::svg::board::Picture;
use crate::svg::plot::{Curve, Plot, color};
use maud::{Markup, html};

/// Games that are shown if nobody says which.
const SHOWN: usize = 4;
/// Scores are drawn up to this many men; what is more is decided.
const MOST_MEN: f64 = 6.0;

/// The games with these numbers, or the most eventful ones.
pub fn section(source: &ReportSource<'_>, numbers: &[usize]) -> Markup {
    let chosen: Vec<usize> = if numbers.is_empty() {
        eventful(source)
    } else {
        let place = |number: &usize| source.records.iter().position(|record| record.game == *number);
        numbers.iter().filter_map(place).collect()
    };
    html! {
        h2 { "Games" }
        @for index in chosen { (game(source, source.records[index], &source.games[index])) }
        p.note {
            "Scores as the engines told them, in men, above zero for White. The boards show the position at the dashed "
            "line, where the mean of both scores changed most within two moves, and the end."
        }
    }
}

/// The score from White's view after each move that an engine made, by ply.
fn curve(record: &GameRecord, game: &Game, color: Option<Color>) -> Vec<(usize, f64)> {
    let first = game.start().turn();
    let mut points = Vec::new();
    for (index, note) in record.notes.iter().enumerate() {
        let ply = record.book + index;
        let mover = if ply.is_multiple_of(2) { first } else { !first };
        if let Some(score) = note.score().filter(|_| color.is_none_or(|color| color == mover)) {
            let men = f64::from(score.centi()) / 100.0;
            let men = if mover == Color::White { men } else { -men };
            points.push((ply + 1, men.clamp(-MOST_MEN, MOST_MEN)));
        }
    }
    points
}

/// Where both together changed their minds most: the ply, and by how much.
fn turning_point(record: &GameRecord, game: &Game) -> Option<(usize, f64)> {
    let points = curve(record, game, None);
    let mean =
        |window: &[(usize, f64)]| window.iter().map(|point| point.1).sum::<f64>() / window.len() as f64;
    points
        .windows(4)
        .map(|window| (window[1].0, (mean(&window[2..]) - mean(&window[..2])).abs()))
        .max_by(|a, b| a.1.total_cmp(&b.1))
}

/// Games lost by a fault first, then those whose scores turned most.
fn eventful(source: &ReportSource<'_>) -> Vec<usize> {
    let mut ranked: Vec<(bool, f64, usize)> = source
        .records
        .iter()
        .zip(&source.games)
        .enumerate()
        .map(|(index, (record, game))| {
            let turn = turning_point(record, game).map_or(0.0, |(_, change)| change);
            (record.reason.is_fault(), turn, index)
        })
        .collect();
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(a.2.cmp(&b.2)));
    let mut chosen: Vec<usize> = ranked.iter().take(SHOWN).map(|entry| entry.2).collect();
    chosen.sort_unstable();
    chosen
}

fn game(source: &ReportSource<'_>, record: &GameRecord, game: &Game) -> Markup {
    let curves: Vec<Curve> = Color::ALL
        .into_iter()
        .map(|side| Curve {
            color: color(record.engine(side)),
            name: format!("{} ({side})", source.name(record.engine(side))),
            points: curve(record, game, Some(side)).into_iter().map(|(ply, men)| (ply as f64, men)).collect(),
        })
        .collect();
    let values = || curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1.abs()));
    let most = values().fold(1.0, f64::max) * 1.05;
    let plies = game.moves().len();
    let turn = turning_point(record, game).map(|(ply, _)| ply);
    let plot = Plot::new(860.0, 200.0, (0.0, plies as f64), (-most, most));
    let marks: Vec<f64> = turn.into_iter().map(|ply| ply as f64).collect();
    let result = match record.result.winner() {
        Some(winner) => format!("{} ({winner}) wins", source.name(record.engine(winner))),
        None => "draw".to_owned(),
    };
    html! {
        div.game {
            h3 {
                "Game " (record.game) ": " (source.name(record.white)) " \u{2013} " (source.name(record.black)) ", " (result)
                ", " (record.reason)
            }
            div.wide { (plot.curves(&curves, ["ply", "score in men"], &marks)) }
            div.boards {
                @if let Some(ply) = turn { (position(game, ply)) }
                (position(game, plies))
            }
        }
    }
}

/// The position after so many plies.
fn position(game: &Game, plies: usize) -> Markup {
    let variant = game.variant();
    let mut position = *game.start();
    let mut last = None;
    for &mv in game.moves().iter().take(plies) {
        last = Some((position, mv));
        position = play_in(variant, &position, mv);
    }
    // As in a score sheet: the side that moves first has the odd plies.
    let number = |ply: usize| format!("{}.{}", ply.div_ceil(2), if ply % 2 == 1 { "" } else { " ..." });
    html! {
        figure {
            (Picture { variant, position: &position, last: last.map(|(_, mv)| mv), numbers: false }.draw())
            figcaption {
                @match last {
                    Some((before, mv)) => { "after " (number(plies)) " " (moves::write(variant, &before, mv)) },
                    None => { "at the start" },
                }
                ", " (position.turn()) " to move"
            }
        }
    }
}
