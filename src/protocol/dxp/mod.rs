//! DXP, the DamExchange protocol, with which two programs play each other over a network (see protocol-docs/dxp.md).
//!
//! [`frames`] cuts the stream into messages and [`message`] types them, [`session`] decides what to do during one
//! connection, and [`transport`] alone knows sockets. [`host`] brings them together with the engine, keeps the games
//! in an [`archive`] and plays matches by a [`schedule`].

pub mod address;
pub mod archive;
pub mod clock;
mod current_game;
pub mod fields;
pub mod frames;
pub mod host;
pub mod message;
mod message_queue;
pub mod record;
pub mod schedule;
pub mod session;
pub mod transport;
