//! The interface between referee and players: a position in, a move or a fault out.

use super::cancel::Cancel;
use super::log::GameLog;
use super::record::Reason;
use crate::board::{Color, Move};
use crate::game::Game;
use crate::score::Score;
use crate::search::Limits;
use std::time::Duration;
use thiserror::Error;

/// One side of a game: an engine in a process of its own, or a player of ours.
pub trait Player: Send {
    /// Gets ready for a game that begins at the present position of `game`, with this colour. Starts the engine if
    /// it does not run. Random choices of a player of ours follow from `seed`; engines in processes of their own cannot
    /// be told.
    ///
    /// # Errors
    /// When the engine cannot be started or does not answer.
    fn new_game(&mut self, game: &Game, color: Color, seed: u64, log: &GameLog) -> Result<(), PlayerFault>;

    /// Finds a move; it is this player's turn.
    ///
    /// # Errors
    /// Whatever costs the player the game.
    fn think(&mut self, game: &Game, turn: &Turn) -> Result<Thought, PlayerFault>;

    /// The game is over; an engine that is told so may tidy up.
    fn game_over(&mut self, _game: &Game) {}
}

/// What a player may use for one move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Turn {
    /// What the engine is told.
    pub limits: Limits,
    /// The time after which the game is lost, margin included; none if time is not limited.
    pub forfeit: Option<Duration>,
}

/// A move, and what was thought about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// The move; the referee checks it.
    pub mv: Move,
    /// From the order to think to the arrival of the move.
    pub used: Duration,
    /// What the engine told.
    pub remarks: Remarks,
}

/// What an engine tells about its search. All of it is optional.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Remarks {
    /// From the view of the side to move.
    pub score: Option<Score>,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
}

/// Why a player cannot go on.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum PlayerFault {
    /// The engine cannot be started.
    #[error("not started: {0}")]
    Start(String),
    /// The engine ended by itself.
    #[error("crashed: {0}")]
    Crash(String),
    /// The engine does not answer.
    #[error("hangs: {0}")]
    Hang(String),
    /// The move came too late.
    #[error("too late: {0}")]
    Time(String),
    /// The move is not legal, or no move at all.
    #[error("illegal move: {0}")]
    IllegalMove(String),
    /// The engine gave up, as its protocol allows.
    #[error("resigned: {0}")]
    Resigned(String),
    /// The engine ended a game that is not over.
    #[error("left the game: {0}")]
    Left(String),
    /// Both sides have made as many moves as were agreed on; nobody's fault, and a draw.
    #[error("the moves that were agreed on are made")]
    MoveLimit,
    /// The match was stopped; nobody's fault.
    #[error("the match was stopped")]
    Cancelled,
}

impl PlayerFault {
    /// A move that came after the time that is forgiven.
    pub fn late(used: Duration, allowed: Duration) -> PlayerFault {
        let [used, allowed] = [used, allowed].map(|time| time.as_secs_f64());
        PlayerFault::Time(format!("{used:.4} s used, {allowed:.4} s allowed with the margin"))
    }

    /// The reason that it gives a game for its end; none if nobody is to blame.
    pub fn reason(&self) -> Option<Reason> {
        Some(match self {
            PlayerFault::Start(_) => Reason::NotStarted,
            PlayerFault::Crash(_) => Reason::Crash,
            PlayerFault::Hang(_) => Reason::Hang,
            PlayerFault::Time(_) => Reason::Time,
            PlayerFault::IllegalMove(_) => Reason::IllegalMove,
            PlayerFault::Resigned(_) => Reason::Resignation,
            PlayerFault::Left(_) => Reason::Left,
            PlayerFault::MoveLimit => Reason::MaxPlies,
            PlayerFault::Cancelled => return None,
        })
    }
}

/// Makes the players of a match; called in the thread in which they will play, and again after a fault.
pub trait PlayerFactory: Sync {
    /// A player for the engine with this index. Nothing need be started before its first game.
    fn player(&self, engine: usize, cancel: &Cancel) -> Box<dyn Player>;
}
