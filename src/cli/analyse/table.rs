//! An analysis for people.

use super::View;
use crate::cli::game::{line_text, score_text};
use kroon::engine::Report;
use kroon::eval::wdl::{self, Chances};
use kroon::game::{Game, Outcome};
use kroon::search::Info;
use std::io::{self, Write};

/// A table with a row for each line.
pub struct Table {
    ranks: bool,
}

impl Table {
    /// With or without a column for the rank of a line.
    pub fn new(ranks: bool) -> Table {
        Table { ranks }
    }
}

impl View for Table {
    fn start(&mut self, out: &mut dyn Write, game: &Game) -> io::Result<()> {
        let turn = game.position().turn();
        match game.outcome() {
            Some(outcome @ Outcome::Win(_)) => {
                return writeln!(out, "Game over: {turn} has no legal move, {outcome}.");
            }
            Some(outcome) => writeln!(out, "Game over: {outcome}. Analysed as if it went on.")?,
            None => writeln!(out, "{turn} to move.")?,
        }
        let rank = if self.ranks { "rank  " } else { "" };
        writeln!(out, "{rank}depth    score   W/D/L %         nodes     time    knps  line")
    }

    fn info(&mut self, out: &mut dyn Write, game: &Game, info: &Info) -> io::Result<()> {
        if self.ranks {
            write!(out, "{:>4}  ", info.rank)?;
        }
        let chances = wdl::chances(game.variant(), game.position(), info.score, info.winrate);
        writeln!(
            out,
            "{:>5} {:>8} {:>9} {:>13} {:>8.2} {:>7.0}  {}",
            info.depth,
            score_text(info.score),
            percent(chances),
            info.nodes,
            info.time.as_secs_f64(),
            info.nps() / 1e3,
            line_text(game, &info.pv).join(" ")
        )
    }

    fn end(&mut self, out: &mut dyn Write, game: &Game, report: &Report) -> io::Result<()> {
        let Some(best) = report.best else { return Ok(()) };
        let line: Vec<_> = std::iter::once(best).chain(report.ponder).collect();
        let texts = line_text(game, &line);
        write!(out, "Best move {}", texts[0])?;
        if let Some(reply) = texts.get(1) {
            write!(out, ", expected reply {reply}")?;
        }
        writeln!(out)
    }
}

/// Win, draw, loss in percent that sum up to 100.
fn percent(chances: Chances) -> String {
    let win = (100.0 * chances.win).round() as u32;
    let loss = ((100.0 * chances.loss).round() as u32).min(100 - win);
    format!("{win}/{}/{loss}", 100 - win - loss)
}
