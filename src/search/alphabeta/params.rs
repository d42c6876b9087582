//! The constants of the search, one line each.

/// Deepest ply that a line can reach, extensions and quiescence included.
pub const MAX_PLY: usize = 240;
/// Last iteration of a search without a depth limit.
pub const MAX_DEPTH: i32 = 99;
/// First iteration with an aspiration window.
pub const ASPIRATION_DEPTH: i32 = 4;
/// Half width of the first aspiration window, in centi-men.
pub const ASPIRATION_WIDTH: i32 = 10;
/// Nodes between two looks at the clock and the stop flag (a power of two).
pub const POLL_NODES: u64 = 512;
/// Least depth for forward pruning.
pub const PROBCUT_DEPTH: i32 = 3;
/// Margin of forward pruning: centi-men for each ply of depth.
pub const PROBCUT_MARGIN: i32 = 10;
/// Depth of the test search as a share of the depth, in percent.
pub const PROBCUT_SHARE: i32 = 40;
/// First move (0-based) that is searched one ply less deep.
pub const LMR_FIRST: usize = 2;
/// First move (0-based) that is searched two plies less deep in non-PV nodes.
pub const LMR_SECOND: usize = 5;
/// Least depth for late-move reductions.
pub const LMR_DEPTH: i32 = 2;
/// Plies of quiescence in which a threatened side gets a full ply instead of standing pat.
pub const THREAT_PLIES: i32 = 1;
/// Largest value of a history counter.
pub const HISTORY_MAX: i32 = 16_384;
/// Least depth at which a move that another thread is searching waits.
pub const DEFER_DEPTH: i32 = 4;
