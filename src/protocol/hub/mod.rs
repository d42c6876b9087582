//! The Hub protocol, version 2 (see protocol-docs/hub.md).

mod transport;

pub use transport::run;

/// What drives the session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// A Hub client: it sends `hub` and `init`, pulls out by closing the pipe, and stops what it does not want.
    #[default]
    Protocol,
    /// A text that was piped in: no handshake, every search ends by itself before the next line is read, and the end
    /// of the text lets queued work finish.
    Script,
}
