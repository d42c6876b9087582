//! What a position is worth.

use std::fmt;
use std::ops::Neg;

/// The result of a position with best play by both sides, for the side to move. Draws by repetition and by counts of
/// moves are not known here: a win may take longer than such a rule allows.
///
/// Stored as its [code](Value::code): 0, 1, 2. The order is that of the side to move.
///
/// ```
/// use kroon::tablebase::Value;
/// assert!(Value::Loss < Value::Draw && Value::Draw < Value::Win);
/// assert_eq!(-Value::Win, Value::Loss);
/// assert_eq!(Value::from_code(Value::Win.code()), Some(Value::Win));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Value {
    /// The other side wins.
    Loss = 0,
    /// Nobody can win.
    Draw = 1,
    /// The side to move wins.
    Win = 2,
}

impl Value {
    /// All values, in the order of their codes.
    pub const ALL: [Value; 3] = [Value::Loss, Value::Draw, Value::Win];

    /// The number that stands for it in files and memory: 0 for a loss, 1 for a draw, 2 for a win.
    #[inline(always)]
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The value with this code, if there is one.
    #[inline(always)]
    pub const fn from_code(code: u8) -> Option<Value> {
        match code {
            0 => Some(Value::Loss),
            1 => Some(Value::Draw),
            2 => Some(Value::Win),
            _ => None,
        }
    }

    /// `win`, `draw` or `loss`.
    pub const fn word(self) -> &'static str {
        match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        }
    }
}

impl Neg for Value {
    type Output = Value;

    /// The same for the other side.
    #[inline(always)]
    fn neg(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
