//! What a match has shown.

use crate::cli::estimate::{elo, ends, score};
use kroon::arena::stats::{Distribution, Estimate, Trinomial};
use kroon::arena::tally::{PairingTally, Tally};
use kroon::board::Color;
use kroon::rules::{Objective, VariantId};
use kroon::words::counted;
use std::io::{self, Write};

/// Prints the results of every pairing, the test, how games ended and what went wrong.
pub fn print(names: &[String], tally: &Tally, variant: VariantId, out: &mut dyn Write) -> io::Result<()> {
    let beginner = variant.rules().first;
    if names.len() > 2 {
        table(names, tally, out)?;
    }
    for (pairing, &[first, second]) in tally.pairings.iter().zip(tally.schedule().pairings()) {
        let games = pairing.games();
        writeln!(
            out,
            "{} - {}: {}, {}",
            names[first],
            names[second],
            counted(games.games(), "game"),
            counts(&games)
        )?;
        let [moving_first, moving_second] = pairing.by_mover(beginner);
        writeln!(
            out,
            "  moving first ({beginner}) {}, moving second {}",
            counts(&moving_first),
            counts(&moving_second)
        )?;
        // In losing draughts the winner has none.
        if variant.rules().objective != Objective::Lose {
            pieces_left(names, [first, second], pairing, beginner, out)?;
        }
        let [a, b, c, d, e] = pairing.pairs.0;
        writeln!(out, "  pairs with 0 to 2 points: {a} {b} {c} {d} {e}")?;
        if let Some(estimate) = pairing.estimate() {
            strength(&estimate, out)?;
        }
    }
    if let Some(state) = &tally.sprt {
        let (lower, upper) = state.sprt.bounds();
        let pairs = state.pairs.pairs();
        write!(out, "SPRT {}: {}, LLR {:.3} ", state.sprt, state.verdict, state.llr)?;
        writeln!(out, "[{lower:.3}, {upper:.3}] after {pairs} pairs in order")?;
    }
    let reasons: Vec<String> =
        tally.reasons.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    writeln!(out, "ends: {}", if reasons.is_empty() { "none".to_owned() } else { reasons.join(", ") })?;
    for ((engine, reason), count) in &tally.faults {
        writeln!(out, "fault: {} lost {count} by {reason}", names[*engine])?;
    }
    Ok(())
}

/// How many pieces each side had left where it won, moving first and moving second.
fn pieces_left(
    names: &[String],
    engines: [usize; 2],
    pairing: &PairingTally,
    beginner: Color,
    out: &mut dyn Write,
) -> io::Result<()> {
    let Some(margin) = pairing.mean_margin() else { return Ok(()) };
    let mut parts = Vec::new();
    for (engine, left) in engines.into_iter().zip(pairing.left) {
        let [first, second] = [beginner, !beginner].map(|color| match left[color.index()].mean() {
            Some(mean) => format!("{mean:.1}"),
            None => "-".to_owned(),
        });
        parts.push(format!("{} {first} first, {second} second", names[engine]));
    }
    writeln!(out, "  pieces left to the winner: {}; mean of games played out {margin:+.2}", parts.join("; "))
}

fn strength(estimate: &Estimate, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  score {}", score(&estimate.score, 2))?;
    let (value, ends) = (elo(&estimate.elo, 1), ends(&estimate.elo, 1));
    writeln!(out, "  Elo {value} {ends}, nElo {}", elo(&estimate.nelo, 1))?;
    writeln!(out, "  likelihood of superiority {:.2}%", estimate.los * 100.0)
}

/// `+3 =5 -2 (5.5)`
fn counts(games: &Trinomial) -> String {
    let points = games.wins as f64 + games.draws as f64 / 2.0;
    format!("+{} ={} -{} ({points})", games.wins, games.draws, games.losses)
}

/// All engines by their share of points.
fn table(names: &[String], tally: &Tally, out: &mut dyn Write) -> io::Result<()> {
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
    let mut rows: Vec<_> = (0..names.len())
        .map(|engine| {
            let (by_color, pairs) = tally.of_engine(engine);
            let mut games = by_color[0];
            games += by_color[1];
            (engine, games, pairs)
        })
        .collect();
    rows.sort_by(|a, b| b.1.score().total_cmp(&a.1.score()));
    for (place, (engine, games, pairs)) in rows.iter().enumerate() {
        let name = &names[*engine];
        write!(out, "{:>3}. {name:width$} {:>6.2}% {}", place + 1, games.score() * 100.0, counts(games))?;
        if pairs.pairs() > 0 {
            let estimate = Estimate::new(&Distribution::from(*pairs));
            write!(out, ", Elo against its opponents {}", elo(&estimate.elo, 1))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
