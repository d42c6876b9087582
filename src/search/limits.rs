//! What a search may use, in the user's terms.

use std::time::Duration;

/// The limits of one search; all that are given hold at once.
///
/// ```
/// use kroon::search::Limits;
/// use std::time::Duration;
/// let limits = Limits { depth: Some(12), move_time: Some(Duration::from_millis(100)), ..Limits::default() };
/// assert!(limits.is_bounded());
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Limits {
    /// Last iteration, in plies; alpha-beta goes no further than [`MAX_DEPTH`](super::alphabeta::MAX_DEPTH).
    pub depth: Option<u32>,
    /// Most nodes, over all threads. One thread ends at this number exactly; several threads of alpha-beta may exceed it
    /// by less than 512 each.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// A clock to share out over the rest of the game.
    pub clock: Option<ClockLimit>,
    /// Search until told to stop, whatever the clock says.
    pub infinite: bool,
    /// How much is left out beyond the last iteration, for a weaker player; not for analyses.
    pub handicap: Handicap,
    /// Longest line, captures included, for a weaker player; not for analyses.
    pub plies: Option<u32>,
}

/// What a search leaves out beyond its last iteration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Handicap {
    /// Nothing.
    #[default]
    None,
    /// Threats in quiet positions.
    Threats,
    /// Threats and captures.
    Captures,
}

/// The clock of the side for which the engine thinks.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct ClockLimit {
    /// Time left, before the increment of the coming move is added.
    pub time: Duration,
    /// Added before every move.
    pub increment: Duration,
    /// Moves to the time control, the coming one included; none: the rest of the game.
    pub moves: Option<u32>,
}

impl Limits {
    /// No limits, for constants.
    pub const NONE: Limits = Limits {
        depth: None,
        nodes: None,
        move_time: None,
        clock: None,
        infinite: false,
        handicap: Handicap::None,
        plies: None,
    };

    /// Whether the search ends by itself.
    pub fn is_bounded(&self) -> bool {
        !self.infinite
            && (self.depth.is_some()
                || self.nodes.is_some()
                || self.move_time.is_some()
                || self.clock.is_some())
    }
}
