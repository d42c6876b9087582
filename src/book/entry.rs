//! What a book knows of one position.

use crate::score::Score;
use std::ops::AddAssign;

/// One position.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Entry {
    /// Its name: see [`key`](super::key()).
    pub key: u64,
    /// Its value for the side to move, backed up from the positions after it; none if it was never searched.
    pub value: Option<Score>,
    /// Plies of the best line from here to the end of the book; 0: its moves are not in the book, or from games only.
    pub depth: u8,
    /// The games that came here.
    pub games: Games,
}

/// Games that reached a position, by whatever order of moves, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Games {
    /// Won by the side to move.
    pub wins: u32,
    /// Drawn.
    pub draws: u32,
    /// Lost by the side to move.
    pub losses: u32,
    /// Mean rating of the players who moved here; none if no game tells it, and where games begin.
    pub rating: Option<u16>,
}

impl Games {
    /// How many.
    pub fn count(&self) -> u64 {
        u64::from(self.wins) + u64::from(self.draws) + u64::from(self.losses)
    }

    /// The same, seen by the other side.
    #[must_use]
    pub fn turned(self) -> Games {
        Games { wins: self.losses, losses: self.wins, ..self }
    }

    /// The mean result, a draw being one half; none without games.
    ///
    /// ```
    /// use kroon::book::Games;
    /// let games = Games { wins: 1, draws: 2, losses: 1, rating: None };
    /// assert_eq!((games.count(), games.score()), (4, Some(0.5)));
    /// assert_eq!(Games::default().score(), None);
    /// ```
    pub fn score(&self) -> Option<f64> {
        let points = f64::from(self.wins) + f64::from(self.draws) / 2.0;
        (self.count() > 0).then(|| points / self.count() as f64)
    }
}

/// The mean ratings are weighted by the numbers of all games, for how many of them had a rating is not kept: where few had,
/// the mean is a guess. Numbers stop at the largest.
impl AddAssign for Games {
    fn add_assign(&mut self, other: Games) {
        let (ours, theirs) = (self.count() as f64, other.count() as f64);
        self.rating = match (self.rating, other.rating) {
            (Some(a), Some(b)) => {
                Some(((f64::from(a) * ours + f64::from(b) * theirs) / (ours + theirs).max(1.0)).round() as u16)
            }
            (a, b) => a.or(b),
        };
        self.wins = self.wins.saturating_add(other.wins);
        self.draws = self.draws.saturating_add(other.draws);
        self.losses = self.losses.saturating_add(other.losses);
    }
}

/// The score one ply earlier, for the side that moves here: a decided game is a ply longer.
pub(super) fn earlier(value: Score) -> Score {
    match value.centi() {
        _ if !value.is_certain_win() => -value,
        centi if centi > 0 => -value + 1,
        _ => -value - 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_is_a_ply_longer_one_ply_earlier() {
        assert_eq!(earlier(Score::loss_in(0)), Score::win_in(1));
        assert_eq!(earlier(Score::win_in(4)), Score::loss_in(5));
        assert_eq!(earlier(Score::table_win(4)), Score::table_loss(5));
        assert_eq!(earlier(Score::from_centi(-12)), Score::from_centi(12));
    }

    #[test]
    fn games_add_up() {
        let mut games = Games { wins: 3, draws: 0, losses: 0, rating: Some(2000) };
        games += Games { wins: 0, draws: 1, losses: 0, rating: Some(1600) };
        assert_eq!(games, Games { wins: 3, draws: 1, losses: 0, rating: Some(1900) });
        games += Games { wins: u32::MAX, draws: 0, losses: 2, rating: None };
        assert_eq!((games.wins, games.losses, games.rating), (u32::MAX, 2, Some(1900)));
    }
}
