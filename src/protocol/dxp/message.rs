//! Layer 2 of DXP: the seven messages as types, in the exact layouts of the DamExchange specification.

use super::fields::{ChatText, Name, ThinkingTime};
use crate::board::{Color, Setup};
use crate::notation::dxp::{self, DxpError, DxpMove};
use crate::notation::text::quote;
use nom::branch::alt;
use nom::bytes::complete::{tag, take, take_while_m_n};
use nom::character::complete::{anychar, char};
use nom::combinator::{eof, map, map_opt, map_res, rest, value, verify};
use nom::{IResult, Parser};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The version of the protocol, the only one there is.
pub const VERSION: &str = "01";
/// Squares of a GAMEREQ's position, and the colour before them.
const POSITION: usize = 51;

/// A message.
///
/// ```
/// use kroon::protocol::dxp::message::{EndReason, Message};
/// let message: Message = "E20".parse()?;
/// assert_eq!(message, Message::GameEnd { reason: EndReason::Draw, stop: false });
/// assert_eq!(message.to_string(), "E20");
/// # Ok::<(), kroon::protocol::dxp::message::MessageError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub enum Message {
    /// GAMEREQ: the Initiator asks for a game.
    GameRequest(GameRequest),
    /// GAMEACC: the Follower answers.
    GameAccept {
        /// The Follower.
        name: Name,
        /// Whether it plays.
        code: AcceptCode,
    },
    /// MOVE.
    Move(DxpMove),
    /// GAMEEND: in place of a move, or to confirm the opponent's.
    GameEnd {
        /// From the view of who sends it.
        reason: EndReason,
        /// Whether it wants no further games.
        stop: bool,
    },
    /// CHAT.
    Chat(ChatText),
    /// BACKREQ: the wish to go back to an earlier position.
    BackRequest {
        /// Number of the move, 1 to 999.
        number: u16,
        /// Who is to move there.
        color: Color,
    },
    /// BACKACC: the answer to it.
    BackAccept(BackCode),
}

/// What a GAMEREQ asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRequest {
    /// The Initiator.
    pub name: Name,
    /// The colour of the Follower.
    pub follower: Color,
    /// Time of each player for the whole game.
    pub time: ThinkingTime,
    /// Moves of each player in the whole game, 1 to 999; 0: no limit.
    pub moves: u16,
    /// Where the game starts; `None`: the initial position, White to move.
    pub start: Option<Setup>,
}

/// The answer to a GAMEREQ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AcceptCode {
    /// `0`: the game begins.
    Accepted,
    /// `1`: not this version of the protocol.
    Version,
    /// `2`: not this game, perhaps another one.
    NotThisGame,
    /// `3`: no game at all.
    NoGames,
}

impl fmt::Display for AcceptCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let meaning = match self {
            AcceptCode::Accepted => "accepted",
            AcceptCode::Version => "another version of the protocol",
            AcceptCode::NotThisGame => "not this game",
            AcceptCode::NoGames => "no games",
        };
        write!(f, "code {}, {meaning}", *self as u8)
    }
}

/// Why a game ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EndReason {
    /// `0`: no reason given.
    Unknown,
    /// `1`: the sender has lost.
    Lose,
    /// `2`: a draw.
    Draw,
    /// `3`: the sender has won.
    Win,
}

/// The answer to a BACKREQ.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BackCode {
    /// `0`: both go back.
    Granted,
    /// `1`: we never do that.
    Unsupported,
    /// `2`: not now, the game goes on.
    Refused,
}

/// Why a text is no message.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum MessageError {
    /// Nothing between two NULs.
    #[error("empty message, expected 1 to 127 characters")]
    Empty,
    /// A type letter that the protocol does not have.
    #[error("message {0} has an unknown type, expected one of R A M E C B K")]
    Unknown(String),
    /// A GAMEREQ of another version.
    #[error("GAMEREQ of protocol version {0}, expected {VERSION}")]
    Version(String),
    /// A field that is wrong.
    #[error("{kind} {text}, column {column}: expected {expected}")]
    Field {
        /// The message.
        kind: MessageKind,
        /// The text, quoted.
        text: String,
        /// Where, from 1.
        column: usize,
        /// What was expected.
        expected: &'static str,
    },
    /// A MOVE or a position that is wrong.
    #[error("{kind}: {fault}")]
    Notation {
        /// The message.
        kind: MessageKind,
        /// What is wrong.
        fault: DxpError,
    },
}

impl MessageError {
    /// The kind of message that this was meant to be.
    pub fn kind(&self) -> Option<MessageKind> {
        match self {
            MessageError::Empty | MessageError::Unknown(_) => None,
            MessageError::Version(_) => Some(MessageKind::GameRequest),
            MessageError::Field { kind, .. } | MessageError::Notation { kind, .. } => Some(*kind),
        }
    }
}

/// The type of a message.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MessageKind {
    /// `R`.
    GameRequest,
    /// `A`.
    GameAccept,
    /// `M`.
    Move,
    /// `E`.
    GameEnd,
    /// `C`.
    Chat,
    /// `B`.
    BackRequest,
    /// `K`.
    BackAccept,
}

impl fmt::Display for MessageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            MessageKind::GameRequest => "GAMEREQ",
            MessageKind::GameAccept => "GAMEACC",
            MessageKind::Move => "MOVE",
            MessageKind::GameEnd => "GAMEEND",
            MessageKind::Chat => "CHAT",
            MessageKind::BackRequest => "BACKREQ",
            MessageKind::BackAccept => "BACKACC",
        })
    }
}

impl Message {
    /// What kind of message this is.
    pub fn kind(&self) -> MessageKind {
        match self {
            Message::GameRequest(_) => MessageKind::GameRequest,
            Message::GameAccept { .. } => MessageKind::GameAccept,
            Message::Move(_) => MessageKind::Move,
            Message::GameEnd { .. } => MessageKind::GameEnd,
            Message::Chat(_) => MessageKind::Chat,
            Message::BackRequest { .. } => MessageKind::BackRequest,
            Message::BackAccept(_) => MessageKind::BackAccept,
        }
    }

    /// The bytes that travel: the characters and a NUL.
    pub fn to_frame(&self) -> Vec<u8> {
        let mut bytes = self.to_string().into_bytes();
        bytes.push(0);
        bytes
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Message::GameRequest(request) => {
                let GameRequest { name, follower, time, moves, start } = request;
                let follower = dxp::color_letter(*follower);
                write!(f, "R{VERSION}{name:<width$}{follower}{time}{moves:03}", width = Name::LENGTH)?;
                match start {
                    None => f.write_str("A"),
                    Some(setup) => write!(f, "B{}", dxp::write_setup(setup)),
                }
            }
            Message::GameAccept { name, code } => {
                write!(f, "A{name:<width$}{}", *code as u8, width = Name::LENGTH)
            }
            Message::Move(mv) => mv.fmt(f),
            Message::GameEnd { reason, stop } => write!(f, "E{}{}", *reason as u8, u8::from(*stop)),
            Message::Chat(text) => write!(f, "C{text}"),
            Message::BackRequest { number, color } => write!(f, "B{number:03}{}", dxp::color_letter(*color)),
            Message::BackAccept(code) => write!(f, "K{}", *code as u8),
        }
    }
}

impl FromStr for Message {
    type Err = MessageError;

    fn from_str(text: &str) -> Result<Message, MessageError> {
        let (body, letter) = anychar::<_, Failure>(text).map_err(|_| MessageError::Empty)?;
        let fields = |kind| Fields { kind, text, rest: body };
        match letter {
            'R' => game_request(fields(MessageKind::GameRequest)),
            'A' => {
                let mut fields = fields(MessageKind::GameAccept);
                let name = fields.field("a name of 32 characters", name)?;
                let code = fields.field("a code from 0 to 3", accept_code)?;
                fields.end(Message::GameAccept { name, code })
            }
            'M' => text
                .parse()
                .map(Message::Move)
                .map_err(|fault| MessageError::Notation { kind: MessageKind::Move, fault }),
            'E' => {
                let mut fields = fields(MessageKind::GameEnd);
                let reason = fields.field("a reason from 0 to 3", end_reason)?;
                let stop = fields.field("a stop code, 0 or 1", flag)?;
                fields.end(Message::GameEnd { reason, stop })
            }
            'C' => {
                let mut fields = fields(MessageKind::Chat);
                let text = fields.field("1 to 126 characters of text", map_opt(rest, ChatText::exact))?;
                fields.end(Message::Chat(text))
            }
            'B' => {
                let mut fields = fields(MessageKind::BackRequest);
                let number = fields.field("a move number from 001 to 999", verify(number, |&n| n > 0))?;
                let color = fields.field("W or Z, the colour to move", dxp::color)?;
                fields.end(Message::BackRequest { number, color })
            }
            'K' => {
                let mut fields = fields(MessageKind::BackAccept);
                let code = fields.field("a code from 0 to 2", back_code)?;
                fields.end(Message::BackAccept(code))
            }
            _ => Err(MessageError::Unknown(quote(text))),
        }
    }
}

type Failure<'a> = nom::error::Error<&'a str>;

/// A message that is read field by field.
struct Fields<'a> {
    kind: MessageKind,
    text: &'a str,
    rest: &'a str,
}

impl<'a> Fields<'a> {
    fn field<P>(&mut self, expected: &'static str, mut parser: P) -> Result<P::Output, MessageError>
    where
        P: Parser<&'a str, Error = Failure<'a>>,
    {
        match parser.parse(self.rest) {
            Ok((rest, field)) => {
                self.rest = rest;
                Ok(field)
            }
            Err(_) => Err(MessageError::Field {
                kind: self.kind,
                text: quote(self.text),
                // What is left is a tail of the text, and ASCII but for the error of a caller.
                column: self.text.len() - self.rest.len() + 1,
                expected,
            }),
        }
    }

    fn end(mut self, message: Message) -> Result<Message, MessageError> {
        self.field("the end of the message", eof)?;
        Ok(message)
    }
}

fn game_request(mut fields: Fields<'_>) -> Result<Message, MessageError> {
    let version = fields.field("a version of two characters", take(2_usize))?;
    if version != VERSION {
        return Err(MessageError::Version(quote(version)));
    }
    let name = fields.field("a name of 32 characters", name)?;
    let follower = fields.field("W or Z, the colour of the follower", dxp::color)?;
    let time = fields.field("minutes from 000 to 999", map_res(take(3_usize), ThinkingTime::from_field))?;
    let moves = fields.field("a number of moves from 000 to 999", number)?;
    let given = fields.field("A or B, the start", alt((value(false, char('A')), value(true, char('B')))))?;
    let start = if given {
        let text = fields.field("a colour and 50 squares", take(POSITION))?;
        let setup = dxp::parse_position(text);
        Some(setup.map_err(|fault| MessageError::Notation { kind: MessageKind::GameRequest, fault })?)
    } else {
        None
    };
    fields.end(Message::GameRequest(GameRequest { name, follower, time, moves, start }))
}

fn name(text: &str) -> IResult<&str, Name> {
    map(take(Name::LENGTH), Name::new).parse(text)
}

/// Three digits.
fn number(text: &str) -> IResult<&str, u16> {
    map_res(take_while_m_n(3, 3, |c: char| c.is_ascii_digit()), str::parse).parse(text)
}

fn flag(text: &str) -> IResult<&str, bool> {
    alt((value(false, tag("0")), value(true, tag("1")))).parse(text)
}

fn accept_code(text: &str) -> IResult<&str, AcceptCode> {
    alt((
        value(AcceptCode::Accepted, char('0')),
        value(AcceptCode::Version, char('1')),
        value(AcceptCode::NotThisGame, char('2')),
        value(AcceptCode::NoGames, char('3')),
    ))
    .parse(text)
}

fn end_reason(text: &str) -> IResult<&str, EndReason> {
    alt((
        value(EndReason::Unknown, char('0')),
        value(EndReason::Lose, char('1')),
        value(EndReason::Draw, char('2')),
        value(EndReason::Win, char('3')),
    ))
    .parse(text)
}

fn back_code(text: &str) -> IResult<&str, BackCode> {
    alt((
        value(BackCode::Granted, char('0')),
        value(BackCode::Unsupported, char('1')),
        value(BackCode::Refused, char('2')),
    ))
    .parse(text)
}
