//! The Hub protocol, version 2 (see protocol-docs/hub.md).
//!
//! [`scanner`] splits lines, [`command`] types what comes in and [`reply`] what goes out, [`session`] decides what to
//! do, and [`transport`] alone reads, writes and waits. [`client`] writes what others are told.

pub mod client;
pub mod command;
pub mod level;
mod lines;
mod outlet;
pub mod params;
pub mod reply;
mod reply_queue;
pub mod scanner;
pub mod session;
pub mod transport;

pub use crate::words::number;
pub(crate) use lines::for_each_line;
pub use outlet::Outlet;
pub use transport::run;

use crate::engine::Options;

/// What a session begins with.
#[derive(Clone, PartialEq, Debug)]
pub struct HubConfig {
    /// What drives it.
    pub mode: HubMode,
    /// The name that a client shows.
    pub name: String,
    /// The options of the engine, until the client sets others.
    pub options: Options,
}

impl Default for HubConfig {
    fn default() -> HubConfig {
        HubConfig { mode: HubMode::default(), name: "Kroon".to_owned(), options: Options::default() }
    }
}

/// What became of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SessionEnd {
    /// It came to its end.
    Orderly,
    /// A script was told of an error.
    WithErrors,
}

/// What drives the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum HubMode {
    /// A Hub client: it says `hub` and `init`, pulls out by closing the pipe, and stops what it does not want.
    #[default]
    Protocol,
    /// A text that was piped in: no handshake, every search ends by itself before the next line is obeyed, and the
    /// end of the text lets queued work finish. The command `hub` turns it into [`HubMode::Protocol`].
    Script,
}
