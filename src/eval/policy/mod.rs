//! The policy: how likely each legal move is to be the best one, by a small network of its own.
//!
//! The side to move sees the board from its own end. The pieces' rows are added up, clipped and squared as in the network
//! of the evaluation (`learned::net`); a move's value is the product of this with two rows of its own, and two numbers
//! more, chosen by the squares around its ends or by what it captures; and what the evaluation says of the position after
//! the move, when it has become quiet, times a factor that the network finds for the position. Patterns around a move are what R. Coulom,
//! "Computing Elo ratings of move patterns in the game of Go", 2007, learns; rows for origin and destination on top of a
//! shared layer are the usual form of policy networks. The chances are proportional to the exponentials of the values.

mod inputs;
mod net;

pub use inputs::{MoveInputs, OUT_ROWS, TERMS, move_inputs, piece_rows};
pub use net::{MOST_ESTIMATE, Policy, UNIT, WIDTH, chances};
