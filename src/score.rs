//! Scores in centi-men, and distances to the end of decided games.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A score in hundredths of a man, from the view of the side to move.
///
/// Evaluations are in `-7999..=7999`. A game that ends in `n` plies scores `10000 - n` for the winner; Hub clients read
/// this as 100.00 minus plies / 100.
///
/// ```
/// use kroon::score::Score;
/// assert_eq!(Score::from_centi(29).to_string(), "0.29");
/// assert_eq!(Score::win_in(7).to_string(), "99.93");
/// assert_eq!((-Score::win_in(7)).plies_to_end(), Some(7));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// Above every score.
    pub const INFINITE: Score = Score(10_001);
    /// The largest ordinary evaluation.
    pub const MAX_EVAL: Score = Score(7_999);
    /// Longest distance to the end of the game that a score can express, in plies.
    pub const MAX_PLIES: u32 = 1_000;
    const WIN: i32 = 10_000;
    const TABLE_WIN: i32 = 8_999;

    /// This many hundredths of a man.
    #[inline(always)]
    pub const fn from_centi(centi: i32) -> Score {
        Score(centi)
    }

    /// An evaluation, clamped to the ordinary range.
    #[inline(always)]
    pub fn evaluation(centi: i32) -> Score {
        Score(centi.clamp(-Self::MAX_EVAL.0, Self::MAX_EVAL.0))
    }

    /// The side to move wins after this many plies.
    #[inline(always)]
    pub const fn win_in(plies: u32) -> Score {
        Score(Self::WIN - plies as i32)
    }

    /// The side to move loses after this many plies.
    #[inline(always)]
    pub const fn loss_in(plies: u32) -> Score {
        Score(plies as i32 - Self::WIN)
    }

    /// A win that endgame tables promise, from a position that is reached after this many plies: above every evaluation,
    /// below every win whose end is in sight. Fewer than [`Score::MAX_PLIES`] plies.
    ///
    /// ```
    /// use kroon::score::Score;
    /// assert_eq!(Score::table_win(4).to_string(), "89.95");
    /// assert!(Score::MAX_EVAL < Score::table_win(999) && Score::table_win(0) < Score::win_in(1000));
    /// ```
    #[inline(always)]
    pub const fn table_win(plies: u32) -> Score {
        Score(Self::TABLE_WIN - plies as i32)
    }

    /// A loss that endgame tables promise.
    #[inline(always)]
    pub const fn table_loss(plies: u32) -> Score {
        Score(plies as i32 - Self::TABLE_WIN)
    }

    /// Whether it is certain who wins: the end is in sight, or endgame tables promise it. Such a score counts the plies
    /// from the root.
    #[inline(always)]
    pub const fn is_certain_win(self) -> bool {
        self.0.abs() > Self::MAX_EVAL.0
    }

    /// Hundredths of a man.
    #[inline(always)]
    pub const fn centi(self) -> i32 {
        self.0
    }

    /// Whether the game is decided for either side.
    #[inline(always)]
    pub const fn is_decided(self) -> bool {
        self.0.abs() >= Self::WIN - Self::MAX_PLIES as i32
    }

    /// Plies to the end of the game, if it is decided.
    pub const fn plies_to_end(self) -> Option<u32> {
        if self.is_decided() { Some((Self::WIN - self.0.abs()) as u32) } else { None }
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Score;
    #[inline(always)]
    fn add(self, centi: i32) -> Score {
        Score(self.0 + centi)
    }
}

impl Sub<i32> for Score {
    type Output = Score;
    #[inline(always)]
    fn sub(self, centi: i32) -> Score {
        Score(self.0 - centi)
    }
}

impl fmt::Display for Score {
    /// In men with two decimals, as Hub wants it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{sign}{}.{:02}", self.0.abs() / 100, self.0.abs() % 100)
    }
}
