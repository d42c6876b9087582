//! The clock of a game: what both sides have used, measured here. The protocol transmits no clocks.

use crate::board::Color;
use std::time::Duration;

/// Time used for each move, and what that leaves.
#[derive(Clone, Debug)]
pub struct Clock {
    /// Of each player for the whole game; none: no clock.
    allowance: Option<Duration>,
    /// Who moved first.
    first: Color,
    times: Vec<Duration>,
    used: [Duration; 2],
}

impl Clock {
    /// A clock at the start of a game that `first` begins.
    pub fn new(allowance: Option<Duration>, first: Color) -> Clock {
        Clock { allowance, first, times: Vec::new(), used: [Duration::ZERO; 2] }
    }

    /// Books the time of the next move.
    pub fn push(&mut self, time: Duration) {
        let color = self.mover(self.times.len());
        self.used[color.index()] += time;
        self.times.push(time);
    }

    /// Goes back to the position after so many moves; both get back the time of the moves taken back.
    pub fn truncate(&mut self, plies: usize) {
        while self.times.len() > plies {
            let color = self.mover(self.times.len() - 1);
            let time = self.times.pop().unwrap_or_default();
            self.used[color.index()] = self.used[color.index()].saturating_sub(time);
        }
    }

    fn mover(&self, ply: usize) -> Color {
        if ply.is_multiple_of(2) { self.first } else { !self.first }
    }

    /// What is left of a player's time; `None` if there is no clock.
    pub fn left(&self, color: Color) -> Option<Duration> {
        self.allowance.map(|all| all.saturating_sub(self.used[color.index()]))
    }

    /// By how much a player has exceeded the time, if there is a clock and the flag has fallen.
    pub fn overrun(&self, color: Color) -> Option<Duration> {
        self.used[color.index()].checked_sub(self.allowance?).filter(|over| !over.is_zero())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_booked_and_given_back() {
        let seconds = Duration::from_secs;
        let mut clock = Clock::new(Some(seconds(60)), Color::Black);
        [10, 20, 30, 40, 50].into_iter().map(seconds).for_each(|time| clock.push(time));
        assert_eq!(clock.left(Color::Black), Some(Duration::ZERO));
        assert_eq!(clock.overrun(Color::Black), Some(seconds(30)));
        assert_eq!(clock.overrun(Color::White), None);
        clock.truncate(2);
        assert_eq!(clock.left(Color::Black), Some(seconds(50)));
        assert_eq!(clock.left(Color::White), Some(seconds(40)));
        assert_eq!(Clock::new(None, Color::White).left(Color::White), None);
    }
}
