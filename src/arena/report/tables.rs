//! Tables: cross table, endings, time, openings.

use super::ReportSource;
use super::swatch;
use crate::arena::openings::opening_name;
use crate::arena::record::{MoveNote, Reason};
use crate::arena::stats::Trinomial;
use crate::board::Color;
use crate::svg::plot::{Curve, Plot, color, shares};
use maud::{Markup, html};
use std::collections::BTreeMap;

/// Everybody against everybody, best first.
pub fn cross_table(source: &ReportSource<'_>) -> Markup {
    let total = |engine: usize| {
        let ([mut games, black], _) = source.tally.of_engine(engine);
        games += black;
        games
    };
    let mut order: Vec<usize> = (0..source.engines()).collect();
    order.sort_by(|&a, &b| total(b).score().total_cmp(&total(a).score()));
    html! {
        h2 { "Cross table" }
        div.wide { table {
            thead { tr {
                th {} th { "Engine" }
                @for place in 1..=order.len() { th.number { (place) } }
                th.number { "Games" } th.number { "Points" } th.number { "Score" }
            } }
            tbody {
                @for (place, &engine) in order.iter().enumerate() {
                    @let games = total(engine);
                    tr {
                        td.number { (place + 1) }
                        td { (swatch(engine)) (source.name(engine)) }
                        @for &other in &order { td.number { (against(source, engine, other)) } }
                        td.number { (games.games()) }
                        td.number { (points(&games)) }
                        td.number { (format!("{:.1}%", games.score() * 100.0)) }
                    }
                }
            }
        } }
    }
}

fn points(games: &Trinomial) -> f64 {
    games.wins as f64 + games.draws as f64 / 2.0
}

/// Points out of games between two engines.
fn against(source: &ReportSource<'_>, engine: usize, other: usize) -> String {
    for (pairing, &[first, second]) in source.tally.pairings.iter().zip(source.tally.schedule().pairings()) {
        let games = match [first, second] {
            both if both == [engine, other] => pairing.games(),
            both if both == [other, engine] => pairing.games().reversed(),
            _ => continue,
        };
        return format!("{} / {}", points(&games), games.games());
    }
    "\u{2013}".to_owned()
}

const REASON_COLORS: [&str; Reason::ALL.len()] = [
    "#2f7d57", "#8b93a0", "#a9a295", "#bfb07a", "#c9c2b4", "#6fa287", "#6d7683", "#4f9a8a", "#a83c32",
    "#8a3a6a", "#c0561f", "#d08a5c", "#b08a2e", "#5b2f2a", "#3d3d4a",
];

/// How games ended, and whose faults those were that ended by one.
pub fn reasons(source: &ReportSource<'_>) -> Markup {
    let count = |reason: Reason| source.tally.reasons.get(&reason).copied().unwrap_or(0);
    let parts: Vec<_> = Reason::ALL
        .into_iter()
        .zip(REASON_COLORS)
        .filter(|&(reason, _)| count(reason) > 0)
        .map(|(reason, color)| (color, count(reason), reason.to_string()))
        .collect();
    let results = |reason: Reason| {
        let mut sums = [0u32; 3];
        for record in source.records.iter().filter(|record| record.reason == reason) {
            sums[match record.result.winner() {
                Some(Color::White) => 0,
                None => 1,
                Some(Color::Black) => 2,
            }] += 1;
        }
        sums
    };
    html! {
        h2 { "How games ended" }
        div.wide { (shares(&parts)) }
        div.wide { table {
            thead { tr {
                th { "Reason" } th.number { "Games" } th.number { "White won" } th.number { "Drawn" }
                th.number { "Black won" }
            } }
            tbody {
                @for reason in Reason::ALL.into_iter().filter(|&reason| count(reason) > 0) {
                    @let [white, drawn, black] = results(reason);
                    @let color = REASON_COLORS[Reason::ALL.iter().position(|&other| other == reason).unwrap_or(0)];
                    tr {
                        td { span.swatch style={ "background:" (color) } {} (reason) }
                        td.number { (count(reason)) } td.number { (white) } td.number { (drawn) } td.number { (black) }
                    }
                }
            }
        } }
        (faults(source))
    }
}

fn faults(source: &ReportSource<'_>) -> Markup {
    const MOST: usize = 30;
    let faulty: Vec<_> = source.records.iter().filter(|record| record.reason.is_fault()).collect();
    html! {
        @if !faulty.is_empty() {
            h3 { "Games lost by a fault" }
            div.wide { table {
                thead { tr { th.number { "Game" } th { "Engine" } th { "What happened" } } }
                tbody {
                    @for record in faulty.iter().take(MOST) {
                        @let loser = record.result.winner().map_or(record.white, |winner| record.engine(!winner));
                        tr {
                            td.number { (record.game) }
                            td { (swatch(loser)) (source.name(loser)) }
                            td { (record.detail.as_deref().unwrap_or("")) }
                        }
                    }
                }
            } }
            @if faulty.len() > MOST { p.note { "and " (faulty.len() - MOST) " more" } }
        }
    }
}

/// What an engine used.
#[derive(Default)]
struct Use {
    moves: u64,
    seconds: f64,
    longest: f64,
    /// How many moves were searched to each depth.
    depths: BTreeMap<u32, u64>,
    nodes: u64,
    /// Moves of which the nodes are known, and their time.
    node_moves: u64,
    node_seconds: f64,
    /// Moves and seconds, by the number of the move in the game.
    by_move: BTreeMap<usize, (u64, f64)>,
}

impl Use {
    fn add(&mut self, number: usize, &MoveNote(_, depth, nodes, used, _): &MoveNote) {
        self.moves += 1;
        self.seconds += used;
        self.longest = self.longest.max(used);
        if let Some(depth) = depth {
            *self.depths.entry(depth).or_default() += 1;
        }
        if let Some(nodes) = nodes {
            self.nodes = self.nodes.saturating_add(nodes);
            self.node_moves += 1;
            self.node_seconds += used;
        }
        let entry = self.by_move.entry(number).or_default();
        *entry = (entry.0 + 1, entry.1 + used);
    }

    /// The middle one of all depths. Searches of decided positions end at the greatest there is, which would spoil a mean.
    fn median_depth(&self) -> Option<u32> {
        let all: u64 = self.depths.values().sum();
        let mut below = 0;
        self.depths.iter().find_map(|(&depth, &count)| {
            below += count;
            (2 * below >= all).then_some(depth)
        })
    }
}

/// Time, depth and nodes.
pub fn time_use(source: &ReportSource<'_>) -> Markup {
    let mut all: Vec<Use> = (0..source.engines()).map(|_| Use::default()).collect();
    for (record, game) in source.records.iter().zip(&source.games) {
        let first = game.start().turn();
        for (index, note) in record.notes.iter().enumerate() {
            let ply = record.book + index;
            let mover = if ply.is_multiple_of(2) { first } else { !first };
            all[record.engine(mover)].add(ply / 2 + 1, note);
        }
    }
    let curves: Vec<Curve> = all
        .iter()
        .enumerate()
        .map(|(engine, used)| Curve {
            color: color(engine),
            name: source.name(engine).to_owned(),
            // Of very long games there are too few for a mean.
            points: used
                .by_move
                .iter()
                .take(120)
                .map(|(&n, &(count, sum))| (n as f64, 1e3 * sum / count as f64))
                .collect(),
        })
        .collect();
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let most = points().map(|point| point.1).fold(0.0, f64::max);
    let last = points().map(|point| point.0).fold(1.0, f64::max);
    let plot = Plot::new(860.0, 220.0, (0.0, last), (0.0, most * 1.1));
    let or_dash = |known: bool, text: String| if known { text } else { "\u{2013}".to_owned() };
    html! {
        h2 { "Time" }
        div.wide { table {
            thead { tr {
                th { "Engine" } th.number { "Moves" } th.number { "Mean time" } th.number { "Longest" }
                th.number { "Median depth" } th.number { "Mean nodes" } th.number { "Nodes/s" }
            } }
            tbody {
                @for (engine, used) in all.iter().enumerate() {
                    @let moves = used.moves.max(1) as f64;
                    tr {
                        td { (swatch(engine)) (source.name(engine)) }
                        td.number { (used.moves) }
                        td.number { (format!("{:.1} ms", 1e3 * used.seconds / moves)) }
                        td.number { (format!("{:.1} ms", 1e3 * used.longest)) }
                        td.number { (or_dash(!used.depths.is_empty(), used.median_depth().unwrap_or_default().to_string())) }
                        td.number { (or_dash(used.nodes > 0, format!("{:.0}", used.nodes as f64 / used.node_moves.max(1) as f64))) }
                        td.number { (or_dash(used.nodes > 0, format!("{:.2} M", used.nodes as f64 / used.node_seconds.max(1e-9) / 1e6))) }
                    }
                }
            }
        } }
        div.wide { (plot.curves(&curves, ["move", "mean time in ms"], &[])) }
    }
}

/// What became of each opening, for the side that has White and for the other.
pub fn openings(source: &ReportSource<'_>) -> Markup {
    // Name of the opening: games won by White, drawn, won by Black, and the numbers of the games.
    let mut rows: Vec<(String, [u32; 3], Vec<usize>)> = Vec::new();
    let mut index: BTreeMap<String, usize> = BTreeMap::new();
    for (record, game) in source.records.iter().zip(&source.games) {
        let line = &game.moves()[..record.book.min(game.moves().len())];
        let name = opening_name(game.variant(), record.fen.clone(), game.start(), line);
        let row = *index.entry(name.clone()).or_insert_with(|| {
            rows.push((name, [0; 3], Vec::new()));
            rows.len() - 1
        });
        rows[row].1[match record.result.winner() {
            Some(Color::White) => 0,
            None => 1,
            Some(Color::Black) => 2,
        }] += 1;
        rows[row].2.push(record.game);
    }
    const MOST: usize = 500;
    html! {
        h2 { "Openings" }
        div.wide { table {
            thead { tr {
                th { "Opening" } th.number { "White won" } th.number { "Drawn" } th.number { "Black won" } th { "Games" }
            } }
            tbody {
                @for (name, [white, drawn, black], games) in rows.iter().take(MOST) {
                    tr {
                        td { (name) }
                        td.number { (white) } td.number { (drawn) } td.number { (black) }
                        td { (games.iter().take(12).map(usize::to_string).collect::<Vec<_>>().join(", ")) }
                    }
                }
            }
        } }
        @if rows.len() > MOST { p.note { "and " (rows.len() - MOST) " more openings" } }
    }
}
