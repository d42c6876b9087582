//! Inputs, actions and events of a session.

use crate::board::{Color, Move, Position};
use crate::engine::{Report, Request};
use crate::game::Game;
use crate::protocol::dxp::fields::{ChatText, Name, ThinkingTime};
use crate::protocol::dxp::message::Message;
use crate::protocol::dxp::record::Record;
use crate::search::Info;
use std::fmt;
use std::time::Duration;

/// What can happen.
#[derive(Debug)]
pub enum DxpInput<'a> {
    /// The connection stands.
    Connected,
    /// Bytes came in.
    Bytes(&'a [u8]),
    /// The connection is lost; why, if it was not closed in an orderly way.
    Closed(Option<&'a str>),
    /// Time has passed.
    Tick,
    /// [`DxpAction::Prepare`] is carried out.
    Ready,
    /// The search with this number found something.
    Info(u64, Info),
    /// The search with this number has ended.
    Done(u64, Report),
    /// The user wants something.
    User(UserCommand),
}

/// What a user can want.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum UserCommand {
    /// Say something to the opponent.
    Chat(String),
    /// Give up the game on our next turn.
    Resign,
    /// Claim a draw on our next turn; the protocol lets nobody refuse.
    Draw,
    /// Break off the game and leave.
    Quit,
}

/// What is to be done.
#[derive(Clone, Debug)]
pub enum DxpAction {
    /// Send a message.
    Send(Message),
    /// Make the engine forget the game before, which takes time if its tables are large; then one
    /// [`DxpInput::Ready`] is expected. Until then no game is asked for or accepted, so that no clock runs.
    Prepare,
    /// Begin a search with this number; then one [`DxpInput::Done`] with it is expected.
    Search(u64, Box<Request>),
    /// Ask the running search to end; what it finds is not wanted.
    StopSearch,
    /// Tell the user, and keep games that are over.
    Tell(DxpEvent),
    /// Close the connection once all is sent. Nothing follows.
    Close(Closing),
}

/// What a user may want to know.
#[derive(Clone, Debug)]
pub enum DxpEvent {
    /// A game begins.
    GameStarted {
        /// Its number in the match, from 1.
        number: u32,
        /// Games of the match, if we decide that.
        total: Option<u32>,
        /// Who plays White.
        white: Name,
        /// Who plays Black.
        black: Name,
        /// Time of each player.
        time: ThinkingTime,
        /// Most moves of each player; 0: no limit.
        moves: u16,
        /// The start.
        game: Box<Game>,
    },
    /// A move was made.
    Moved(Box<Moved>),
    /// Our search found something in this position.
    Thinking(Box<Position>, Box<Info>),
    /// The opponent says something.
    Chat(ChatText),
    /// The game went back to this position at the opponent's wish.
    WentBack(Box<Game>),
    /// Something out of the ordinary.
    Notice(String),
    /// A game is over, finished or not.
    GameOver(Box<Record>),
}

/// A move of either side.
#[derive(Clone, Debug)]
pub struct Moved {
    /// Its number, as notation counts.
    pub number: usize,
    /// Who moved.
    pub color: Color,
    /// Whether it was us.
    pub ours: bool,
    /// The position before.
    pub before: Position,
    /// The move.
    pub mv: Move,
    /// Time used, measured here.
    pub time: Duration,
    /// What our search said last.
    pub info: Option<Info>,
}

/// Why a connection is closed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Closing {
    /// All games are played.
    Complete,
    /// The opponent wants no further games.
    PeerStops,
    /// The opponent does not play with us.
    Refused(String),
    /// The opponent says nothing.
    Silent(String),
    /// The connection broke, or was closed too early.
    Lost {
        /// What happened.
        why: String,
        /// Whether a game was being played.
        in_game: bool,
    },
    /// The opponent broke the protocol beyond repair.
    Fault(String),
    /// The user wanted to leave.
    Quit {
        /// Whether a game was being played.
        in_game: bool,
    },
}

impl Closing {
    /// Whether a new connection might help.
    pub fn is_accident(&self) -> bool {
        matches!(self, Closing::Silent(_) | Closing::Lost { .. } | Closing::Fault(_))
    }
}

impl fmt::Display for Closing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Closing::Complete => f.write_str("all games are played"),
            Closing::PeerStops => f.write_str("the opponent wants no further games"),
            Closing::Quit { .. } => f.write_str("stopped by the user"),
            Closing::Refused(why)
            | Closing::Silent(why)
            | Closing::Fault(why)
            | Closing::Lost { why, .. } => f.write_str(why),
        }
    }
}
