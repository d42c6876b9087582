//! Time controls: how they are written, and the clock of a game.

use crate::notation::seconds;
use crate::notation::text::quote;
use crate::search::{ClockLimit, Limits};
use nom::Parser;
use nom::character::complete::{char, u32};
use nom::combinator::{all_consuming, opt, verify};
use nom::sequence::{preceded, terminated};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// A time control: `base+inc` (seconds for the game, and more with every move), `moves/base` (seconds for so many
/// moves, again and again), `moves/base+inc`.
///
/// ```
/// use kroon::arena::time_control::TimeControl;
/// let control: TimeControl = "40/60+0.5".parse().unwrap();
/// assert_eq!((control.moves, control.base.as_secs()), (Some(40), 60));
/// assert_eq!(control.to_string(), "40/60+0.5");
/// assert!("soon".parse::<TimeControl>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Moves for which the base is meant; none: the whole game.
    pub moves: Option<u32>,
    /// Time at the start, and again after so many moves.
    pub base: Duration,
    /// Added before every move, as the Hub protocol counts.
    pub increment: Duration,
}

/// Why a text is no time control.
#[derive(Clone, PartialEq, Debug, Error)]
#[error(
    "time control {0}: expected base, base+inc, moves/base or moves/base+inc in seconds, such as 60+0.6 or 40/60"
)]
pub struct TimeError(String);

impl FromStr for TimeControl {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<TimeControl, TimeError> {
        let moves = opt(terminated(verify(u32, |&moves| moves > 0), char('/')));
        let parsed =
            all_consuming((moves, seconds::number, opt(preceded(char('+'), seconds::number)))).parse(text);
        let (_, (moves, base, increment)) = parsed.map_err(|_| TimeError(quote(text)))?;
        let increment = increment.unwrap_or(0.0);
        if base + increment < 0.001 {
            return Err(TimeError(quote(text)));
        }
        Ok(TimeControl {
            moves,
            base: Duration::from_secs_f64(base),
            increment: Duration::from_secs_f64(increment),
        })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.moves.iter().try_for_each(|moves| write!(f, "{moves}/"))?;
        write!(f, "{}", self.base.as_secs_f64())?;
        if self.increment.is_zero() && self.moves.is_some() {
            return Ok(());
        }
        write!(f, "+{}", self.increment.as_secs_f64())
    }
}

/// What limits the thinking of one engine. At most one of the first two; all that is given holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EngineLimits {
    /// A clock.
    pub control: Option<TimeControl>,
    /// The same time for every move.
    pub move_time: Option<Duration>,
    /// Plies.
    pub depth: Option<u32>,
    /// Nodes.
    pub nodes: Option<u64>,
}

impl EngineLimits {
    /// Whether nothing is limited.
    pub fn is_unlimited(&self) -> bool {
        *self == EngineLimits::default()
    }
}

impl fmt::Display for EngineLimits {
    /// `60+0.6`, `0.1 s/move`, `depth 8`, `10000 nodes`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.control.map(|control| control.to_string()),
            self.move_time.map(|time| format!("{} s/move", time.as_secs_f64())),
            self.depth.map(|depth| format!("depth {depth}")),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "unlimited" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// The clock of one player in one game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Timer {
    limits: EngineLimits,
    /// Time left, if there is a time control.
    left: Duration,
    /// What moves have taken beyond it, within the margin of the match: it is paid back first.
    overdrawn: Duration,
    /// Moves to go to the next control.
    to_go: u32,
}

impl Timer {
    /// At the start of a game.
    pub fn new(limits: EngineLimits) -> Timer {
        let control = limits.control;
        Timer {
            limits,
            left: control.map_or(Duration::ZERO, |control| control.base),
            overdrawn: Duration::ZERO,
            to_go: control.and_then(|control| control.moves).unwrap_or(0),
        }
    }

    /// What the engine is told for its next move.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.limits.depth,
            nodes: self.limits.nodes,
            move_time: self.limits.move_time,
            clock: self.limits.control.map(|control| ClockLimit {
                time: self.left,
                // What is owed is taken from what comes: an engine whose moves always arrive late can live with that.
                increment: control.increment.saturating_sub(self.overdrawn),
                moves: control.moves.map(|_| self.to_go),
            }),
            ..Limits::default()
        }
    }

    /// How long the next move may take; none if time is not limited.
    pub fn allowed(&self) -> Option<Duration> {
        self.allowed_with(Duration::ZERO)
    }

    /// The same where a move may come so much later. On a clock all late moves share that time.
    pub fn allowed_with(&self, margin: Duration) -> Option<Duration> {
        let own = self.limits.control.map(|control| self.left + control.increment + margin);
        let clock = own.map(|own| own.saturating_sub(self.overdrawn));
        let time = self.limits.move_time.map(|time| time + margin);
        match (clock, time) {
            (Some(clock), Some(time)) => Some(clock.min(time)),
            (clock, time) => clock.or(time),
        }
    }

    /// Time left on the clock.
    pub fn left(&self) -> Option<Duration> {
        self.limits.control.map(|_| self.left)
    }

    /// A move was made after this time. More than [`Timer::allowed`] leaves nothing on the clock, and is owed.
    pub fn moved(&mut self, used: Duration) {
        let Some(control) = self.limits.control else { return };
        self.book(control.increment, used);
        if let Some(moves) = control.moves {
            self.to_go -= 1;
            if self.to_go == 0 {
                self.to_go = moves;
                self.book(control.base, Duration::ZERO);
            }
        }
    }

    /// Adds to the clock and takes from it.
    fn book(&mut self, added: Duration, used: Duration) {
        let (credit, debit) = (self.left + added, self.overdrawn + used);
        self.left = credit.saturating_sub(debit);
        self.overdrawn = debit.saturating_sub(credit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls() {
        for (text, shown) in
            [("60+0.6", "60+0.6"), ("60", "60+0"), ("40/60", "40/60"), ("0+1", "0+1"), ("1e1+.5", "10+0.5")]
        {
            assert_eq!(text.parse::<TimeControl>().unwrap().to_string(), shown);
        }
        for text in ["", "0", "0/60", "40/", "60+", "-1", "nan", "inf", "60+-1", "1e99", "5:00", "60 +1"] {
            let error = text.parse::<TimeControl>().unwrap_err().to_string();
            assert!(error.contains(&quote(text)), "{error}");
        }
    }

    fn timer(control: &str) -> Timer {
        Timer::new(EngineLimits { control: Some(control.parse().unwrap()), ..EngineLimits::default() })
    }

    #[test]
    fn the_increment_comes_before_the_move() {
        let mut timer = timer("1+0.5");
        assert_eq!(timer.allowed(), Some(Duration::from_millis(1500)));
        assert_eq!(timer.limits().clock.unwrap().time, Duration::from_secs(1));
        timer.moved(Duration::from_millis(200));
        assert_eq!(timer.left(), Some(Duration::from_millis(1300)));
        timer.moved(Duration::from_millis(2000));
        assert_eq!(timer.left(), Some(Duration::ZERO));
        let told = timer.limits().clock.unwrap();
        assert_eq!((told.time, told.increment), (Duration::ZERO, Duration::from_millis(300)));
        assert_eq!(timer.allowed(), Some(Duration::from_millis(300)), "what was too much is paid back");
    }

    #[test]
    fn the_margin_is_used_up_once() {
        let ms = Duration::from_millis;
        let mut whole = timer("1");
        assert_eq!(whole.allowed_with(ms(100)), Some(ms(1100)));
        whole.moved(ms(1060));
        assert_eq!((whole.left(), whole.allowed()), (Some(Duration::ZERO), Some(Duration::ZERO)));
        assert_eq!(whole.allowed_with(ms(100)), Some(ms(40)));
        whole.moved(ms(30));
        assert_eq!(whole.allowed_with(ms(100)), Some(ms(10)));
        // The time of the next control pays for it.
        let mut controls = timer("1/1");
        controls.moved(ms(1050));
        assert_eq!((controls.left(), controls.allowed_with(ms(100))), (Some(ms(950)), Some(ms(1050))));
        // The same time for every move has a margin for every move.
        let mut moves = Timer::new(EngineLimits { move_time: Some(ms(20)), ..EngineLimits::default() });
        moves.moved(ms(30));
        assert_eq!(moves.allowed_with(ms(15)), Some(ms(35)));
    }

    #[test]
    fn a_control_reached_gives_time() {
        let mut timer = timer("2/1");
        assert_eq!(timer.limits().clock.unwrap().moves, Some(2));
        timer.moved(Duration::from_millis(300));
        assert_eq!(
            (timer.limits().clock.unwrap().moves, timer.left()),
            (Some(1), Some(Duration::from_millis(700)))
        );
        timer.moved(Duration::from_millis(300));
        assert_eq!(
            (timer.limits().clock.unwrap().moves, timer.left()),
            (Some(2), Some(Duration::from_millis(1400)))
        );
    }

    #[test]
    fn other_limits() {
        let limits = EngineLimits {
            depth: Some(8),
            move_time: Some(Duration::from_millis(20)),
            ..EngineLimits::default()
        };
        assert_eq!(limits.to_string(), "0.02 s/move, depth 8");
        let mut timer = Timer::new(limits);
        timer.moved(Duration::from_secs(9));
        assert_eq!((timer.allowed(), timer.left()), (Some(Duration::from_millis(20)), None));
        assert!(EngineLimits::default().is_unlimited());
    }
}
