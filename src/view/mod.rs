//! What people and programs are shown of positions, analyses and matches.
//!
//! Nothing here reads or writes: every item is a value that serialises to JSON ([`PositionView`], [`AnalysisLine`]) or a
//! text ([`AnalysisTable`], [`text`], [`dxp`]). The command line prints them; a server or a board sends or draws them.
//! The fields are those that `kroon board --help` and `kroon analyse --help` list.

mod analysis;
mod book;
pub mod dxp;
mod endgame;
mod position;
pub mod text;

pub use analysis::{AnalysisLine, AnalysisTable, InfoView, ReplyView, ResultView, StartView, TreeMoveView};
pub use book::{BookMoveView, BookView, GamesView};
pub use endgame::{EndgameMoveView, EndgameView};
pub use position::{ErrorView, MoveView, PositionView};

use crate::board::Color;
use crate::score::Score;
use serde::Serialize;

/// The value as one line of JSON, without an end of line.
///
/// ```
/// use kroon::view::{ErrorView, json_line};
/// assert_eq!(json_line(&ErrorView { error: "no position".into() }), r#"{"error":"no position"}"#);
/// ```
pub fn json_line(view: &impl Serialize) -> String {
    // The types of this room have string keys and cannot fail; another type's failure is its text.
    serde_json::to_string(view)
        .unwrap_or_else(|error| serde_json::json!({ "error": error.to_string() }).to_string())
}

/// A side as JSON names it.
pub(crate) const fn turn_name(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// A score in men.
fn men(score: Score) -> f64 {
    f64::from(score.centi()) / 100.0
}
