//! A search of one position: the best moves, and which move was first at which depth.

use crate::board::Move;
use crate::engine::{Engine, Mode, Options, Request};
use crate::eval::wdl;
use crate::game::Game;
use crate::search::alphabeta::Tuning;
use crate::search::{Control, Handicap, Info, Limits, Observer};

/// One variation of a look.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Candidate {
    /// The moves, never empty.
    pub pv: Vec<Move>,
    /// The expected result for the side to move.
    pub expected: f64,
}

impl Candidate {
    /// The move itself.
    pub fn mv(&self) -> Move {
        self.pv[0]
    }
}

/// What a search saw.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Look {
    /// The best moves at the last depth that was completed, best first.
    pub best: Vec<Candidate>,
    /// For each depth that was completed: the first move and its expected result.
    pub firsts: Vec<(u32, Move, f64)>,
}

impl Look {
    /// The expected result of a move, if it is among the best.
    pub fn expected(&self, mv: Move) -> Option<f64> {
        self.best.iter().find(|candidate| candidate.mv() == mv).map(|candidate| candidate.expected)
    }
}

/// How far a look goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// So many nodes.
    Nodes(u64),
    /// So many plies and nothing beyond: captures under way are not played out, as by somebody who looks no further.
    Plain { depth: u32, nodes: u64 },
}

/// The numbers of the plain search with which the difficulty of puzzles was fitted: reductions from depth 2 on, which hide
/// late moves from it as from a person who does not look at every move.
fn as_rated() -> Tuning {
    Tuning { lmr_depth: 2, lmr_second: 5, lmr_deeper: 2_000, ..Tuning::default() }
}

/// Searches a position with `width` variations and one thread.
pub(super) fn look(
    engine: &mut Engine,
    game: &Game,
    width: usize,
    effort: Effort,
    control: &Control,
) -> Look {
    let tuning = match effort {
        Effort::Nodes(_) => Tuning::default(),
        Effort::Plain { .. } => as_rated(),
    };
    let options = Options { multipv: width, tuning, ..engine.options().clone() };
    engine.set_options(options);
    let mut listener = Listener {
        game,
        width: width.min(game.legal_moves().len()),
        lines: vec![None; width],
        look: Look::default(),
    };
    let limits = match effort {
        Effort::Nodes(nodes) => Limits { nodes: Some(nodes), ..Limits::default() },
        Effort::Plain { depth, nodes } => Limits {
            depth: Some(depth),
            nodes: Some(nodes),
            handicap: Handicap::Captures,
            ..Limits::default()
        },
    };
    engine.go(&Request { game: game.clone(), limits, mode: Mode::Analyze }, control, &mut listener);
    listener.look
}

struct Listener<'a> {
    game: &'a Game,
    width: usize,
    lines: Vec<Option<(u32, Candidate)>>,
    look: Look,
}

impl Observer for Listener<'_> {
    fn info(&mut self, info: &Info) {
        let chances = wdl::chances(self.game.variant(), self.game.position(), info.score, info.winrate);
        let candidate = Candidate { pv: info.pv.clone(), expected: chances.expected() };
        let Some(line) = info.rank.checked_sub(1).and_then(|rank| self.lines.get_mut(rank)) else { return };
        *line = Some((info.depth, candidate));
        let complete = self
            .lines
            .iter()
            .take(self.width)
            .all(|line| line.as_ref().is_some_and(|(depth, _)| *depth == info.depth));
        if !complete {
            return;
        }
        self.look.best = self.lines.iter().flatten().map(|(_, candidate)| candidate.clone()).collect();
        self.look.best.truncate(self.width);
        self.look.best.sort_by(|a, b| b.expected.total_cmp(&a.expected));
        let first = (info.depth, self.look.best[0].mv(), self.look.best[0].expected);
        self.look.firsts.retain(|(depth, ..)| *depth != info.depth);
        self.look.firsts.push(first);
    }
}
