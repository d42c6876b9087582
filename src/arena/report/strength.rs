//! Elo with error bars, pairs of games, the score over the match.

use super::ReportSource;
use super::swatch;
use crate::arena::stats::{Distribution, Estimate, Interval, Trinomial};
use crate::arena::tally::{PairingTally, PiecesLeft};
use crate::svg::plot::{Bar, Curve, Plot, color, error_bars, shares};
use maud::{Markup, html};

/// From two points lost to two points won.
const PAIR_COLORS: [&str; 5] = ["#a83c32", "#d08a5c", "#a9a295", "#6fa287", "#2f7d57"];
const PAIR_NAMES: [&str; 5] = ["0 points", "1/2", "1", "3/2", "2 points"];

/// Elo of everybody, and every pairing in numbers.
pub fn section(source: &ReportSource<'_>) -> Markup {
    let bars: Vec<Bar> = (0..source.engines()).filter_map(|engine| bar(source, engine)).collect();
    html! {
        h2 { "Strength" }
        @if !bars.is_empty() {
            div.wide { (error_bars(&bars, "Elo against its opponents, with 95% interval")) }
        }
        @for (pairing, &[first, second]) in source.tally.pairings.iter().zip(source.tally.schedule().pairings()) {
            @if pairing.games().games() > 0 {
                h3 { (swatch(first)) (source.name(first)) " \u{2013} " (swatch(second)) (source.name(second)) }
                div.wide { table {
                    thead { tr {
                        th { "" } th.number { "Games" } th.number { "Won" } th.number { "Drawn" } th.number { "Lost" }
                        th.number { "Score" }
                    } }
                    tbody {
                        (counts("all", &pairing.games()))
                        @let [moving_first, moving_second] = pairing.by_mover(source.beginner);
                        (counts(&format!("moving first, with {}", source.beginner), &moving_first))
                        (counts(&format!("moving second, with {}", !source.beginner), &moving_second))
                    }
                } }
                (pieces_left(source, [first, second], pairing))
                @if let Some(estimate) = pairing.estimate() {
                    p {
                        "Elo " b { (interval(&estimate.elo)) } ", normalised Elo " (interval(&estimate.nelo))
                        ", likelihood of superiority " (format!("{:.1}%", estimate.los * 100.0)) "."
                    }
                    @let parts: Vec<_> = (0..5)
                        .map(|points| (PAIR_COLORS[points], pairing.pairs.0[points], PAIR_NAMES[points].to_owned()))
                        .collect();
                    div.wide { (shares(&parts)) }
                    p.note {
                        (pairing.pairs.pairs()) " pairs of games with the same opening, by the points of "
                        (source.name(first)) ", from 0 (left) to 2 (right)."
                    }
                }
            }
        }
    }
}

/// How many pieces each side had left where it won.
fn pieces_left(source: &ReportSource<'_>, engines: [usize; 2], pairing: &PairingTally) -> Markup {
    let mean =
        |left: &PiecesLeft| left.mean().map_or_else(|| "\u{2013}".to_owned(), |mean| format!("{mean:.1}"));
    html! {
        @if let Some(margin) = pairing.mean_margin().filter(|_| source.has_pieces_left) {
            p {
                "Pieces left to the winner: "
                @for (engine, left) in engines.into_iter().zip(&pairing.left) {
                    (source.name(engine)) " " (mean(&left[source.beginner.index()])) " moving first, "
                    (mean(&left[(!source.beginner).index()])) " moving second; "
                }
                "mean of games played out " (format!("{margin:+.2}")) "."
            }
        }
    }
}

fn bar(source: &ReportSource<'_>, engine: usize) -> Option<Bar> {
    let (_, pairs) = source.tally.of_engine(engine);
    (pairs.pairs() > 0).then(|| {
        let elo = Estimate::new(&Distribution::from(pairs)).elo;
        let name = source.name(engine).to_owned();
        Bar { name, color: color(engine), value: elo.value, low: elo.low, high: elo.high }
    })
}

fn counts(name: &str, games: &Trinomial) -> Markup {
    html! {
        tr {
            td { (name) }
            td.number { (games.games()) }
            td.number { (games.wins) }
            td.number { (games.draws) }
            td.number { (games.losses) }
            td.number { (format!("{:.1}%", games.score() * 100.0)) }
        }
    }
}

/// `+3.1 [0.7, 5.4]`, with a dash where there is no number.
pub fn interval(interval: &Interval) -> String {
    let number = |value: f64| if value.is_finite() { format!("{value:+.1}") } else { "\u{2013}".to_owned() };
    format!("{} [{}, {}]", number(interval.value), number(interval.low), number(interval.high))
}

/// The score as games were added, in the order of the schedule.
pub fn course(source: &ReportSource<'_>) -> Markup {
    let engines = source.engines();
    let mut points = vec![0.0; engines];
    let mut played = vec![0u32; engines];
    let mut curves: Vec<Curve> = (0..engines)
        .map(|engine| Curve {
            color: color(engine),
            name: source.name(engine).to_owned(),
            points: Vec::new(),
        })
        .collect();
    for (index, record) in source.records.iter().enumerate() {
        for engine in [record.white, record.black] {
            points[engine] += f64::from(record.half_points(engine)) / 2.0;
            played[engine] += 1;
            let share = 100.0 * points[engine] / f64::from(played[engine]);
            curves[engine].points.push((index as f64 + 1.0, share));
        }
    }
    // Two engines mirror each other.
    if engines == 2 {
        curves.truncate(1);
    }
    for curve in &mut curves {
        thin_out(&mut curve.points);
    }
    let values = || curves.iter().flat_map(|curve| curve.points.iter().map(|point| point.1));
    let low = values().fold(45.0, f64::min);
    let high = values().fold(55.0, f64::max);
    let plot = Plot::new(860.0, 260.0, (0.0, source.records.len() as f64), (low, high));
    let whose = if engines == 2 { format!("Points of {}", source.name(0)) } else { "Points".to_owned() };
    html! {
        h2 { "Score over games" }
        div.wide { (plot.curves(&curves, ["games", "score in %"], &[])) }
        p.note { (whose) " after so many games of the schedule, as a share of what could be won." }
    }
}

/// A curve has no more points than can be seen.
fn thin_out(points: &mut Vec<(f64, f64)>) {
    const MOST: usize = 800;
    let every = points.len().div_ceil(MOST).max(1);
    let last = points.last().copied();
    let mut index = 0;
    points.retain(|_| {
        index += 1;
        (index - 1) % every == 0
    });
    if points.last().copied() != last {
        points.extend(last);
    }
}
