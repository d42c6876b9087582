//! The policy: how likely searches are to choose each legal move, by a small network of its own.
//!
//! The side to move sees the board from its own end. The pieces' rows are added up, clipped and squared as in the network
//! of the evaluation (`learned::net`). The value of a move is the sum of
//!
//! - the product of this with two rows, those of its origin and of its destination,
//! - two numbers chosen by the squares around its ends, or by what it captures,
//! - two numbers chosen by how far the estimate of the move is behind the best one, and by how many are better, and
//! - the estimate, that is what the evaluation says of the position after it when that has become quiet, times a factor
//!   that the network finds for the position.
//!
//! The chances of the moves are proportional to the exponentials of their values. Numbers for patterns around moves are those
//! of R. Coulom, "Computing Elo ratings of move patterns in the game of Go", 2007; rows for origin and destination on top of a
//! shared layer are the usual form of policy networks. A policy belongs to the evaluation whose values it has learned with.

mod inputs;
mod net;

pub use inputs::{MOST_ESTIMATE, MoveInputs, OUT_ROWS, TERMS, estimate_centi, move_inputs, piece_rows};
pub use net::{Policy, UNIT, WIDTH, chances};
