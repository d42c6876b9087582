//! The board in the browser: a server on this machine, and the page that it serves.
//!
//! The page has no rules of the game: it asks this server for legal moves, results and notation, and gets them from the
//! rule core. It keeps the game itself, so that a restart of the server loses nothing. Only an engine at
//! work is state here: one for each open stream of events, and gone with it.
//!
//! `protocol-docs/board.md` is the interface for other pages.

mod books;
mod clocks;
mod desk;
mod endings;
mod game_list;
mod game_tree;
mod game_work;
mod guard;
mod network;
mod openings;
mod order;
mod outside;
mod page;
mod pdn_api;
mod puzzle_api;
mod rules_api;
mod server;
mod session;
mod transport;

pub use clocks::{ClockError, ClockView, Clocks, ClocksView, UsedTime};
pub use game_list::{GameList, GameRow, ListError, MOST_FILE};
pub use game_tree::{Ended, GameTree, TreeError, TreeNode};
pub use guard::{Guard, TOKEN_LETTERS, token};
pub use network::network_address;
pub use order::check_engines;
pub use pdn_api::PdnFile;
pub use rules_api::{ApiError, BoardMove, BoardView, LineOfPlay, VariantView, variants};
pub use server::{WebConfig, WebError, WebServer};
pub use session::SessionError;
