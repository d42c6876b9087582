//! The constants of the search, one line each; those that matches have tried are in `tuning`.

/// Last iteration, in plies, also when a larger depth is asked for: below it a line must have room for captures.
pub const MAX_DEPTH: u32 = 99;
/// First iteration with an aspiration window.
pub const ASPIRATION_DEPTH: i32 = 4;
/// Most nodes between two looks at the clock and the stop flag.
pub const POLL_NODES: u64 = 512;
/// Largest value of a history counter.
pub const HISTORY_MAX: i32 = 16_384;
/// How far a counter goes from the middle with one success: a rate over the last 32 times or so.
pub const HISTORY_STEP: i32 = HISTORY_MAX / 32;
/// Least depth at which a move that another thread is searching waits.
pub const DEFER_DEPTH: i32 = 4;
/// A bound of so many centi-men is as good as decided: nothing is pruned by static values there, so that the win is
/// found.
pub const CLEAR: i32 = 500;
/// With no more moves than these, a side may be forced to make a bad one (zugzwang).
pub const FEW_MOVES: usize = 3;
/// With no more plies than these until a count of moves makes the game a draw, the table tells the counts apart, and with
/// fewer values with kings fade.
pub const COUNT_NEAR: i32 = 16;
/// Offers, single good moves, and moves that turn out better by far than expected, cost no depth up to a ply that is so many
/// times the iteration: without an end a chain of them would be followed wherever it leads.
pub const DEEPEST_EXTENSION: i32 = 2;
