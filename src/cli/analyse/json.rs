//! An analysis for programs. The fields are documented in the help of the command.

use super::View;
use crate::cli::game::line_text;
use kroon::board::Color;
use kroon::engine::Report;
use kroon::eval::wdl;
use kroon::game::Game;
use kroon::notation::fen;
use kroon::score::Score;
use kroon::search::Info;
use serde::Serialize;
use std::io::{self, Write};

/// One JSON object on each line.
pub struct Json;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line {
    Position {
        variant: &'static str,
        fen: String,
        turn: &'static str,
        outcome: Option<String>,
    },
    Info {
        rank: usize,
        depth: u32,
        mean_depth: f64,
        score: f64,
        plies_to_end: Option<u32>,
        winrate: f64,
        wdl: [u32; 3],
        nodes: u64,
        time: f64,
        nps: u64,
        pv: Vec<String>,
    },
    Result {
        best: Option<String>,
        ponder: Option<String>,
        score: Option<f64>,
        plies_to_end: Option<u32>,
        nodes: u64,
        time: f64,
    },
}

impl View for Json {
    fn start(&mut self, out: &mut dyn Write, game: &Game) -> io::Result<()> {
        let turn = match game.position().turn() {
            Color::White => "white",
            Color::Black => "black",
        };
        let line = Line::Position {
            variant: game.variant().name(),
            fen: fen::write(game.variant(), game.position()),
            turn,
            outcome: game.outcome().map(|outcome| outcome.to_string()),
        };
        write(out, &line)
    }

    fn info(&mut self, out: &mut dyn Write, game: &Game, info: &Info) -> io::Result<()> {
        let wdl = wdl::chances(game.variant(), game.position(), info.score, info.winrate);
        let line = Line::Info {
            rank: info.rank,
            depth: info.depth,
            mean_depth: info.mean_depth,
            score: men(info.score),
            plies_to_end: info.score.plies_to_end(),
            winrate: info.winrate.unwrap_or_else(|| round(wdl.expected())),
            wdl: wdl.per_mille(),
            nodes: info.nodes,
            time: info.time.as_secs_f64(),
            nps: info.nps() as u64,
            pv: line_text(game, &info.pv),
        };
        write(out, &line)
    }

    fn end(&mut self, out: &mut dyn Write, game: &Game, report: &Report) -> io::Result<()> {
        let line: Vec<_> = report.best.into_iter().chain(report.ponder).collect();
        let mut texts = line_text(game, &line).into_iter();
        // A side that cannot move has lost here and now.
        let lost = report.best.is_none().then_some(Score::loss_in(0));
        let score = report.info.as_ref().map(|info| info.score).or(lost);
        let line = Line::Result {
            best: texts.next(),
            ponder: texts.next(),
            score: score.map(men),
            plies_to_end: score.and_then(Score::plies_to_end),
            nodes: report.nodes,
            time: report.time.as_secs_f64(),
        };
        write(out, &line)
    }
}

/// To ten-thousandths: more is not known.
fn round(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

fn men(score: Score) -> f64 {
    f64::from(score.centi()) / 100.0
}

fn write(out: &mut dyn Write, line: &Line) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    writeln!(out)
}
