//! One DXP connection as a pure state machine: inputs with their times go in, actions come out. No sockets, no threads, no
//! clock of its own.
//!
//! The two roles differ only between games: an Initiator asks for the next one, a Follower waits to be asked (submodule
//! `negotiation`). The game itself is in the submodule `playing`.

mod events;
mod negotiation;
mod playing;
mod rate_limit;

pub use events::{Closing, DxpAction, DxpEvent, DxpInput, Moved, UserCommand};

use super::current_game::CurrentGame;
use super::fields::{ChatText, Name};
use super::frames::FrameReader;
use super::message::{AcceptCode, EndReason, GameRequest, Message, MessageError, MessageKind};
use super::schedule::DxpSchedule;
use crate::game::Game;
use crate::rules::VariantId;
use crate::score::Score;
use rate_limit::{RATE, RateLimit};
use std::time::{Duration, Instant};

/// How long we wait for the confirmation of a GAMEEND.
pub const CONFIRM_PATIENCE: Duration = Duration::from_secs(5);
/// How long a message may take from its first character to its NUL.
pub const MESSAGE_PATIENCE: Duration = Duration::from_secs(10);
/// Faulty messages that a connection survives.
const MOST_FAULTS: u32 = 20;
/// Requests to go back that are granted in a game.
const MOST_BACKS: u32 = 1_000;

/// What we are for this connection.
#[derive(Clone, Debug)]
pub enum Role {
    /// Accepts games, at most so many if a number is given.
    Follower(Option<u32>),
    /// Asks for games.
    Initiator(DxpSchedule),
}

/// How to play.
#[derive(Clone, Debug)]
pub struct DxpSettings {
    /// Our name.
    pub name: Name,
    /// The rules; the protocol has no field for them, both sides must agree beforehand.
    pub variant: VariantId,
    /// Who asks for games.
    pub role: Role,
    /// Time for every move whatever the clock says.
    pub move_time: Option<Duration>,
    /// Resign when the score is worse than minus this for some moves.
    pub resign: Option<Score>,
    /// How long a silent opponent is borne, beyond what its clock allows.
    pub patience: Duration,
}

#[derive(Debug)]
enum DxpState {
    /// Between games.
    Idle,
    /// We have asked for a game.
    Requested {
        /// Whether the opponent has refused it once.
        again: bool,
    },
    Playing(Box<CurrentGame>),
    /// We have sent GAMEEND and wait for its confirmation.
    Ending,
    Over,
}

/// One connection.
///
/// ```
/// use kroon::protocol::dxp::{fields::Name, session::{DxpAction, DxpEvent, DxpInput, Role, DxpSession, DxpSettings}};
/// use kroon::rules::VariantId;
/// use std::time::{Duration, Instant};
/// let settings = DxpSettings {
///     name: Name::new("Kroon"),
///     variant: VariantId::International,
///     role: Role::Follower(None),
///     move_time: None,
///     resign: None,
///     patience: Duration::from_secs(60),
/// };
/// let mut session = DxpSession::new(settings, 0);
/// let now = Instant::now();
/// session.handle(now, DxpInput::Connected);
/// let actions = session.handle(now, DxpInput::Bytes(b"Chello\0"));
/// assert!(matches!(&actions[..], [DxpAction::Tell(DxpEvent::Chat(text))] if text.shown() == "hello"));
/// ```
#[derive(Debug)]
pub struct DxpSession {
    settings: DxpSettings,
    state: DxpState,
    /// Since when the state is what it is, and nothing was heard in it.
    since: Option<Instant>,
    frames: FrameReader,
    partial_since: Option<Instant>,
    rate_limit: RateLimit,
    faults: u32,
    /// Games begun or given up; with a schedule, the index of the next one.
    games: u32,
    /// Those of them that the opponent did not want to play.
    refused: u32,
    /// Whether we have sent or received the code for no further games.
    stop: bool,
    /// A wish of the user for our next turn.
    wish: Option<EndReason>,
    searches: u64,
    /// Whether the engine has searched since it was told to forget.
    used: bool,
    /// Whether the engine is getting ready.
    preparing: bool,
    /// The opponent's request for a game, which waits for the engine.
    waiting: Option<GameRequest>,
    /// Whether the opponent was told once to end a game that it thinks it is playing.
    unstuck: bool,
}

impl DxpSession {
    /// A session before [`DxpInput::Connected`], `games` games into the match.
    pub fn new(settings: DxpSettings, games: u32) -> DxpSession {
        DxpSession {
            settings,
            state: DxpState::Idle,
            since: None,
            frames: FrameReader::default(),
            partial_since: None,
            rate_limit: RateLimit::default(),
            faults: 0,
            games,
            refused: 0,
            stop: false,
            wish: None,
            searches: 0,
            used: false,
            preparing: false,
            waiting: None,
            unstuck: false,
        }
    }

    /// The same with so many of the games refused, on earlier connections.
    pub fn after_refusals(self, refused: u32) -> DxpSession {
        DxpSession { refused, ..self }
    }

    /// Games that the opponent did not want to play, those of earlier connections included.
    pub fn refused(&self) -> u32 {
        self.refused
    }

    /// Games begun or given up so far, those of earlier connections included.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Whether the connection should be closed, or is.
    pub fn is_over(&self) -> bool {
        matches!(self.state, DxpState::Over)
    }

    /// The game that is being played.
    pub fn game(&self) -> Option<&Game> {
        match &self.state {
            DxpState::Playing(play) => Some(&play.game),
            _ => None,
        }
    }

    /// Takes in what happened and says what to do about it, in this order.
    pub fn handle(&mut self, now: Instant, input: DxpInput<'_>) -> Vec<DxpAction> {
        let mut actions = Vec::new();
        if self.is_over() {
            return actions;
        }
        match input {
            DxpInput::Connected => {
                self.since = Some(now);
                if matches!(self.settings.role, Role::Initiator(_)) {
                    self.next_game(now, &mut actions);
                }
            }
            DxpInput::Bytes(bytes) => self.bytes(now, bytes, &mut actions),
            DxpInput::Closed(why) => self.closed(why, &mut actions),
            DxpInput::Tick => self.tick(now, &mut actions),
            DxpInput::Ready => self.ready(now, &mut actions),
            DxpInput::Info(id, info) => self.info(id, info, &mut actions),
            DxpInput::Done(id, report) => self.done(now, id, &report, &mut actions),
            DxpInput::User(command) => self.user(now, command, &mut actions),
        }
        actions
    }

    /// When [`DxpInput::Tick`] is wanted, if nothing else happens before.
    pub fn deadline(&self) -> Option<Instant> {
        let state = match &self.state {
            // It is we who keep the opponent waiting.
            DxpState::Idle if self.preparing => None,
            DxpState::Idle | DxpState::Requested { .. } => {
                self.since.map(|since| since + self.settings.patience)
            }
            DxpState::Playing(play) if play.is_our_turn() => None,
            DxpState::Playing(play) => Some(play.deadline(self.settings.patience)),
            DxpState::Ending => self.since.map(|since| since + CONFIRM_PATIENCE),
            DxpState::Over => return None,
        };
        let partial = self.partial_since.map(|since| since + MESSAGE_PATIENCE);
        state.into_iter().chain(partial).min()
    }

    fn enter(&mut self, state: DxpState, now: Instant) {
        self.state = state;
        self.since = Some(now);
    }

    fn tick(&mut self, now: Instant, actions: &mut Vec<DxpAction>) {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return;
        }
        if self.partial_since.is_some_and(|since| now >= since + MESSAGE_PATIENCE) {
            let why = format!("a message without its end after {} s", MESSAGE_PATIENCE.as_secs());
            return self.give_up(why, actions);
        }
        match &self.state {
            DxpState::Ending => {
                tell(actions, "the end of the game was not confirmed");
                self.after_game(now, actions);
            }
            DxpState::Playing(_) => self.silence(actions),
            _ => {
                let seconds = self.settings.patience.as_secs_f64();
                let what = match self.settings.role {
                    Role::Follower(_) => "was asked for",
                    Role::Initiator(_) => "was answered",
                };
                let why = format!("no game {what} within {seconds} s (is the opponent in the other role?)");
                self.close(Closing::Silent(why), actions);
            }
        }
    }

    fn bytes(&mut self, now: Instant, mut bytes: &[u8], actions: &mut Vec<DxpAction>) {
        while !self.is_over() {
            match self.frames.next(&mut bytes) {
                Some(Ok(text)) => {
                    self.partial_since = None;
                    self.message(now, &text, actions);
                }
                Some(Err(error)) => self.give_up(error.to_string(), actions),
                None => break,
            }
        }
        if self.frames.is_partial() {
            self.partial_since.get_or_insert(now);
        }
    }

    fn message(&mut self, now: Instant, text: &str, actions: &mut Vec<DxpAction>) {
        let message = text.parse::<Message>();
        // Moves in turn answer each other, so they cannot flood anybody; fast games have many in a second.
        let awaited = matches!(message, Ok(Message::Move(_)))
            && matches!(&self.state, DxpState::Playing(play) if !play.is_our_turn());
        if !awaited && !self.rate_limit.take(now) {
            return self.give_up(format!("too many messages, more than {RATE} a second"), actions);
        }
        match message {
            Ok(Message::Chat(text)) => {
                // Who chats is not silent.
                if !matches!(self.state, DxpState::Ending) {
                    self.since = Some(now);
                }
                actions.push(DxpAction::Tell(DxpEvent::Chat(text)));
            }
            Ok(message) => self.obey(now, message, actions),
            // Keeps a connection alive without saying anything.
            Err(MessageError::Empty) => {}
            Err(error) => self.misunderstood(now, &error, actions),
        }
    }

    fn obey(&mut self, now: Instant, message: Message, actions: &mut Vec<DxpAction>) {
        let state = match (message, &self.state) {
            (Message::GameRequest(request), _) => return self.requested(now, &request, actions),
            (Message::GameAccept { name, code }, DxpState::Requested { again }) => {
                let again = *again;
                return self.answered(now, name, code, again, actions);
            }
            (message, DxpState::Playing(_)) => return self.in_game(now, message, actions),
            (Message::GameEnd { stop, .. }, DxpState::Ending) => {
                self.stop |= stop;
                return self.after_game(now, actions);
            }
            // A move or a wish that crossed our GAMEEND.
            (Message::Move(_) | Message::BackRequest { .. }, DxpState::Ending) => return,
            // An end of a game that we know nothing of; it cannot be confirmed.
            (Message::GameEnd { stop: true, .. }, _) => return self.close(Closing::PeerStops, actions),
            (message, DxpState::Requested { .. }) => {
                format!("{} before the answer to our GAMEREQ", message.kind())
            }
            (message, DxpState::Ending) => format!("{} after the end of the game", message.kind()),
            (message, _) => format!("{} without a game", message.kind()),
        };
        self.fault(format!("{state}, ignored"), actions);
    }

    /// A message that is none.
    fn misunderstood(&mut self, now: Instant, error: &MessageError, actions: &mut Vec<DxpAction>) {
        match (error.kind(), &self.state) {
            (Some(MessageKind::Move | MessageKind::GameEnd), DxpState::Playing(_)) => {
                self.spoil_game(now, error.to_string(), actions);
            }
            (Some(MessageKind::GameRequest), _) => {
                let code = match error {
                    MessageError::Version(_) => AcceptCode::Version,
                    _ => AcceptCode::NotThisGame,
                };
                self.refuse(code, &error.to_string(), actions);
            }
            _ => self.fault(format!("{error}, ignored"), actions),
        }
    }

    /// The connection is lost.
    fn closed(&mut self, why: Option<&str>, actions: &mut Vec<DxpAction>) {
        let mut what = why.map_or("the opponent closed the connection".to_owned(), str::to_owned);
        if self.frames.is_partial() {
            what.push_str(" in the middle of a message");
        }
        let in_game = matches!(self.state, DxpState::Playing(_));
        self.save_game(&what, actions);
        let complete = !in_game && !self.wants_more();
        self.close(if complete { self.completed() } else { Closing::Lost { why: what, in_game } }, actions);
    }

    /// What has come makes it pointless to go on.
    fn give_up(&mut self, why: String, actions: &mut Vec<DxpAction>) {
        tell(actions, &why);
        chat(actions, &format!("error: {why}"));
        self.save_game(&why, actions);
        self.close(Closing::Fault(why), actions);
    }

    /// A message that can be ignored, if there are not too many.
    fn fault(&mut self, what: String, actions: &mut Vec<DxpAction>) {
        tell(actions, what);
        self.count_fault(actions);
    }

    fn count_fault(&mut self, actions: &mut Vec<DxpAction>) {
        self.faults += 1;
        if self.faults >= MOST_FAULTS {
            self.give_up(format!("{MOST_FAULTS} faulty messages"), actions);
        }
    }

    fn close(&mut self, closing: Closing, actions: &mut Vec<DxpAction>) {
        self.state = DxpState::Over;
        self.partial_since = None;
        actions.push(DxpAction::Close(closing));
    }

    fn user(&mut self, now: Instant, command: UserCommand, actions: &mut Vec<DxpAction>) {
        match command {
            UserCommand::Chat(text) => chat(actions, &text),
            UserCommand::Resign => self.wish(now, EndReason::Lose, actions),
            UserCommand::Draw => self.wish(now, EndReason::Draw, actions),
            UserCommand::Quit => {
                let in_game = matches!(self.state, DxpState::Playing(_));
                let our_turn = matches!(&self.state, DxpState::Playing(play) if play.is_our_turn());
                self.save_game("stopped by the user", actions);
                if our_turn {
                    send(actions, Message::GameEnd { reason: EndReason::Unknown, stop: true });
                }
                self.close(Closing::Quit { in_game }, actions);
            }
        }
    }
}

fn send(actions: &mut Vec<DxpAction>, message: Message) {
    actions.push(DxpAction::Send(message));
}

fn tell(actions: &mut Vec<DxpAction>, text: impl Into<String>) {
    actions.push(DxpAction::Tell(DxpEvent::Notice(text.into())));
}

fn chat(actions: &mut Vec<DxpAction>, text: &str) {
    if let Some(text) = ChatText::new(text) {
        send(actions, Message::Chat(text));
    }
}
