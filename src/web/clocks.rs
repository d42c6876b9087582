//! The clocks of a game on the board: what each side has left after the times that its moves took.
//!
//! A page measures how long a move takes, and nothing else: time controls, increments and fallen flags are counted here.

use crate::arena::time_control::{EngineLimits, TimeControl, TimeError, Timer};
use crate::board::Color;
use crate::game::Game;
use crate::search::ClockLimit;
use crate::view::turn_name;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use thiserror::Error;

/// Longest time that a move may take or an order may ask for, in seconds.
pub const MOST_SECONDS: f64 = 86_400.0;

/// Why there are no clocks.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ClockError {
    /// Not a time control.
    #[error(transparent)]
    Control(#[from] TimeError),
    /// A time that is no time.
    #[error("{name}: {value} is no number of seconds from 0 to {MOST_SECONDS}")]
    Seconds {
        /// Which.
        name: &'static str,
        /// What was found.
        value: f64,
    },
    /// There are more times than moves.
    #[error("clock: {times} times used for {moves} moves")]
    TooMany {
        /// Times.
        times: usize,
        /// Moves.
        moves: usize,
    },
}

/// A time in seconds.
///
/// # Errors
/// When it is negative, too long or no number.
pub fn seconds(name: &'static str, value: f64) -> Result<Duration, ClockError> {
    if (0.0..=MOST_SECONDS).contains(&value) {
        Ok(Duration::from_secs_f64(value))
    } else {
        Err(ClockError::Seconds { name, value })
    }
}

/// The time control of a game and the times that were used.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct UsedTime {
    /// `base+inc`, `moves/base` or `moves/base+inc`, in seconds, for both sides.
    pub control: String,
    /// Seconds used for each move of the line; a move without a number, or with `null`, took none.
    #[serde(default)]
    pub used: Vec<Option<f64>>,
    /// Seconds for which the side to move has been thinking.
    #[serde(default)]
    pub running: f64,
}

/// The clocks of both sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Clocks {
    timers: [Timer; 2],
    turn: Color,
    running: Duration,
    fallen: Option<Color>,
}

impl UsedTime {
    /// The clocks of this game.
    ///
    /// ```
    /// use kroon::game::Game;
    /// use kroon::rules::VariantId::English;
    /// use kroon::web::UsedTime;
    /// let used = UsedTime { control: "60+2".into(), used: Vec::new(), running: 61.0 };
    /// let clocks = used.clocks(&Game::new(English))?;
    /// assert_eq!(clocks.left().as_secs(), 1);
    /// # Ok::<(), kroon::web::ClockError>(())
    /// ```
    ///
    /// # Errors
    /// When control or a time is none.
    pub fn clocks(&self, game: &Game) -> Result<Clocks, ClockError> {
        let control: TimeControl = self.control.parse()?;
        let moves = game.moves().len();
        if self.used.len() > moves {
            return Err(ClockError::TooMany { times: self.used.len(), moves });
        }
        let timer = Timer::new(EngineLimits { control: Some(control), ..EngineLimits::default() });
        let mut clocks =
            Clocks { timers: [timer; 2], turn: game.start().turn(), running: Duration::ZERO, fallen: None };
        for index in 0..moves {
            let used = self.used.get(index).copied().flatten().unwrap_or(0.0);
            clocks.moved(seconds("used", used)?);
        }
        clocks.running = seconds("running", self.running)?;
        if game.outcome().is_none() && clocks.left().is_zero() {
            clocks.fall();
        }
        Ok(clocks)
    }
}

impl Clocks {
    fn moved(&mut self, used: Duration) {
        let timer = &mut self.timers[self.turn.index()];
        let is_late = timer.allowed().is_some_and(|allowed| used > allowed);
        timer.moved(used);
        if is_late {
            self.fall();
        }
        self.turn = self.turn.opponent();
    }

    /// The side to move has no time left. The first flag counts.
    fn fall(&mut self) {
        self.fallen = self.fallen.or(Some(self.turn));
    }

    /// What the side to move may still use for its move, its increment included.
    pub fn left(&self) -> Duration {
        let allowed = self.timers[self.turn.index()].allowed().unwrap_or_default();
        allowed.saturating_sub(self.running)
    }

    /// The side whose time is up.
    pub fn fallen(&self) -> Option<Color> {
        self.fallen
    }

    /// What a search for the side to move is told.
    pub fn limit(&self) -> Option<ClockLimit> {
        let clock = self.timers[self.turn.index()].limits().clock?;
        Some(ClockLimit { time: clock.time.saturating_sub(self.running), ..clock })
    }

    /// What a page shows.
    pub fn view(&self) -> ClocksView {
        let side = |color: Color| {
            let timer = &self.timers[color.index()];
            let left = if color == self.turn { self.left() } else { timer.left().unwrap_or_default() };
            let clock = timer.limits().clock.unwrap_or_default();
            ClockView { left: left.as_secs_f64(), moves: clock.moves }
        };
        ClocksView {
            white: side(Color::White),
            black: side(Color::Black),
            fallen: self.fallen.map(turn_name),
        }
    }
}

/// The clocks as a page shows them.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ClocksView {
    /// White's.
    pub white: ClockView,
    /// Black's.
    pub black: ClockView,
    /// Whose time is up: `white`, `black` or `null`.
    pub fallen: Option<&'static str>,
}

/// A clock.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct ClockView {
    /// Seconds left; for the side to move the increment of its move is counted already.
    pub left: f64,
    /// Moves to the next time control, the coming one included; `null` where the time is for the whole game.
    pub moves: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::moves;
    use crate::rules::VariantId::English;

    fn game(texts: &[&str]) -> Game {
        let mut game = Game::new(English);
        for text in texts {
            game.play(moves::read(English, game.position(), text).unwrap()).unwrap();
        }
        game
    }

    fn clocks(control: &str, used: &[f64], running: f64) -> Result<Clocks, ClockError> {
        let moves = ["11-15", "24-20", "8-11", "28-24"];
        let used = used.iter().map(|&time| Some(time)).collect();
        UsedTime { control: control.into(), used, running }.clocks(&game(&moves))
    }

    #[test]
    fn times_are_taken_off_and_increments_added() {
        // Black begins: 10 + 2 - 3 + 2 - 1, and 2 for the move to come; White 10 + 2 - 4 + 2 - 0.
        let view = clocks("10+2", &[3.0, 4.0, 1.0], 0.5).unwrap().view();
        assert_eq!((view.black.left, view.white.left, view.fallen), (11.5, 10.0, None));
    }

    #[test]
    fn a_control_of_moves_is_counted_down() {
        let view = clocks("2/10", &[3.0, 4.0, 1.0, 1.0], 0.0).unwrap().view();
        assert_eq!((view.black.left, view.black.moves), (16.0, Some(2)));
        let view = clocks("3/10", &[3.0, 4.0, 1.0, 1.0], 0.0).unwrap().view();
        assert_eq!((view.black.left, view.black.moves), (6.0, Some(1)));
    }

    #[test]
    fn the_first_flag_counts() {
        let fallen = |used: &[f64], running| clocks("10+0", used, running).unwrap().fallen();
        assert_eq!(fallen(&[3.0, 4.0, 6.9, 5.9], 0.0), None);
        assert_eq!(fallen(&[3.0, 4.0, 6.9, 5.9], 0.11), Some(Color::Black));
        assert_eq!(fallen(&[3.0, 10.5, 0.0, 0.0], 99.0), Some(Color::White));
        let over = UsedTime { control: "10+0".into(), used: Vec::new(), running: 99.0 };
        let mut lost = Game::new(English);
        while lost.outcome().is_none() {
            lost.play(lost.legal_moves()[0]).unwrap();
        }
        assert_eq!(over.clocks(&lost).unwrap().fallen(), None, "a game that is over runs no clock");
    }

    #[test]
    fn a_search_gets_what_is_left() {
        let limit = clocks("2/10+1", &[3.0, 4.0, 1.0, 1.0], 0.5).unwrap().limit().unwrap();
        // Black: 10 + 1 - 3 + 1 - 1 + 10, half a second of which is running away.
        assert_eq!((limit.time.as_secs_f64(), limit.increment.as_secs(), limit.moves), (17.5, 1, Some(2)));
    }

    #[test]
    fn what_is_no_time_is_refused() {
        for (control, used, running, part) in [
            ("soon", &[][..], 0.0, "soon"),
            ("10", &[-1.0], 0.0, "used: -1"),
            ("10", &[f64::NAN], 0.0, "used: NaN"),
            ("10", &[], 1e99, "running"),
            ("10", &[0.0; 5], 0.0, "5 times used for 4 moves"),
        ] {
            let error = clocks(control, used, running).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
