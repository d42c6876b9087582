//! The engine: owns tables, threads and options; answers requests for a move or an analysis.

use crate::board::Move;
use crate::game::Game;
use crate::search::{Control, Info, Limits, Observer};
use std::time::Duration;

/// What a user can set.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Options {
    /// Search threads.
    pub threads: usize,
    /// Size of the transposition table, in mebibytes.
    pub hash_mb: usize,
    /// Principal variations to report.
    pub multipv: usize,
    /// Time held back for each move, for the way from the engine to the clock.
    pub move_overhead: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options { threads: 1, hash_mb: 64, multipv: 1, move_overhead: Duration::ZERO }
    }
}

/// Why the search is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// A move to play: a forced move is answered at once.
    #[default]
    Think,
    /// As `Think`, but no time is spent before [`Control::ponder_hit`].
    Ponder,
    /// Score and variations: all limits are used up, also when only one move is legal.
    Analyze,
}

/// A search to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position and its history.
    pub game: Game,
    /// What may be used.
    pub limits: Limits,
    /// Why.
    pub mode: Mode,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The move to play; none when there is no legal move.
    pub best: Option<Move>,
    /// The expected reply: legal after `best`.
    pub ponder: Option<Move>,
    /// The last best variation. Present whenever `best` is.
    pub info: Option<Info>,
    /// Nodes searched, all threads.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

/// Everything that lives longer than one search.
#[derive(Debug)]
pub struct Engine {
    options: Options,
}

impl Engine {
    /// An engine with these options; allocates its tables.
    pub fn new(options: Options) -> Engine {
        Engine { options }
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes options; tables are reallocated (and lose their contents) only when their size changes.
    pub fn set_options(&mut self, options: Options) {
        self.options = options;
    }

    /// Forgets everything learned from earlier searches.
    pub fn new_game(&mut self) {}

    /// Searches; returns when the limits are used up or `control` says stop.
    ///
    /// When there is a legal move, at least one [`Info`] is sent before it returns.
    pub fn go(&mut self, request: &Request, _control: &Control, observer: &mut dyn Observer) -> Report {
        let best = request.game.legal_moves().first().copied();
        let info = best.map(|mv| Info {
            rank: 1,
            depth: 1,
            mean_depth: 1.0,
            score: crate::score::Score::DRAW,
            nodes: 1,
            time: Duration::ZERO,
            pv: vec![mv],
        });
        if let Some(info) = &info {
            observer.info(info);
        }
        Report { best, ponder: None, info, nodes: 1, time: Duration::ZERO }
    }
}
