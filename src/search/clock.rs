//! From the user's limits to a soft and a hard time bound.

use super::limits::{ClockLimit, Limits};
use std::time::Duration;

/// When to stop, measured from the start of the search.
///
/// ```
/// use kroon::search::{Bounds, Limits};
/// use std::time::Duration;
/// let limits = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
/// assert_eq!(Bounds::new(&limits, Duration::ZERO, 40).hard, Some(Duration::from_millis(100)));
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Bounds {
    /// No new iteration is begun much later than this; a changing best move stretches it, a stable one shrinks it.
    pub soft: Option<Duration>,
    /// The search ends here, wherever it is.
    pub hard: Option<Duration>,
}

/// A search that is asked for a move without any time still gets this much.
const LEAST: Duration = Duration::from_millis(1);
/// How far the hard bound may exceed the target.
const STRETCH: u32 = 4;

impl Bounds {
    /// The bounds for these limits. `overhead` is held back for the way from the engine to the clock; `pieces` on the
    /// board tell the phase of the game.
    pub fn new(limits: &Limits, overhead: Duration, pieces: u32) -> Bounds {
        let mut bounds = Bounds::default();
        if let (Some(clock), false) = (limits.clock, limits.infinite) {
            bounds = share(clock, overhead, pieces);
        }
        if let (Some(time), false) = (limits.move_time, limits.infinite) {
            let time = time.saturating_sub(overhead).max(LEAST);
            bounds.hard = Some(bounds.hard.map_or(time, |hard| hard.min(time)));
        }
        bounds
    }
}

/// The share of the clock for the coming move: 1.3 / moves left, where the moves left fall from 30 to 10 with the
/// material; what cannot be used up before the next control is not saved.
fn share(clock: ClockLimit, overhead: Duration, pieces: u32) -> Bounds {
    let expected = 10.0 + 20.0 * f64::from(pieces.min(40)) / 40.0;
    let left = clock.moves.map_or(expected, |n| f64::from(n.max(1)).min(expected));
    let usable = (clock.time + clock.increment).saturating_sub(overhead).max(LEAST);
    let time = clock.time.as_secs_f64();
    let target = (1.3 * time / left + clock.increment.as_secs_f64()).min(usable.as_secs_f64());
    let target = Duration::from_secs_f64(target).max(LEAST);
    // The last move before a control may use the rest; otherwise something must remain for the next one.
    let most = if left <= 1.0 { usable.mul_f64(0.9) } else { usable.mul_f64(0.7) };
    let hard = (target * STRETCH).min(most).max(LEAST).min(usable);
    Bounds { soft: Some(target.min(hard)), hard: Some(hard) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(time: f64, increment: f64, moves: Option<u32>) -> Bounds {
        let clock = ClockLimit {
            time: Duration::from_secs_f64(time),
            increment: Duration::from_secs_f64(increment),
            moves,
        };
        Bounds::new(&Limits { clock: Some(clock), ..Limits::default() }, Duration::from_millis(10), 40)
    }

    #[test]
    fn never_more_than_the_clock_has() {
        for time in [0.0, 0.001, 0.01, 0.1, 1.0, 60.0, 7200.0] {
            for increment in [0.0, 0.1, 2.0] {
                for moves in [None, Some(1), Some(2), Some(75)] {
                    let hard = clock(time, increment, moves).hard.unwrap();
                    let all = Duration::from_secs_f64(time + increment);
                    assert!(hard <= all.max(LEAST), "{time} {increment} {moves:?}: {hard:?}");
                }
            }
        }
    }

    #[test]
    fn a_sudden_death_game_is_not_lost_on_time() {
        let mut left: f64 = 60.0;
        for _ in 0..100 {
            left -= 1.6 * clock(left, 0.0, None).soft.unwrap().as_secs_f64();
        }
        assert!(left > 0.0);
    }

    #[test]
    fn infinite_means_infinite() {
        let limits = Limits { infinite: true, move_time: Some(LEAST), ..Limits::default() };
        assert_eq!(Bounds::new(&limits, Duration::ZERO, 40), Bounds::default());
    }
}
