//! From the user's limits to a soft and a hard time bound, and how a running search keeps them.

use super::limits::{ClockLimit, Limits};
use super::{Control, SearchTask};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

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

/// A search without any time left still gets this much.
const LEAST: Duration = Duration::from_millis(1);
/// No new iteration is begun after this time when there is none left on the clock.
const LEAST_TARGET: Duration = Duration::from_micros(250);
/// What the way of a move usually takes, in parts of the overhead.
const USUAL_WAY: f64 = 0.25;
/// How far the hard bound may exceed the target.
const STRETCH: u32 = 4;

impl Bounds {
    /// The bounds for these limits. `overhead` is held back for the way from the engine to the clock, but no more than
    /// half of a fixed time for the move; `pieces` on the board tell the phase of the game.
    pub fn new(limits: &Limits, overhead: Duration, pieces: u32) -> Bounds {
        let mut bounds = Bounds::default();
        if let (Some(clock), false) = (limits.clock, limits.infinite) {
            bounds = share(clock, overhead, pieces);
        }
        if let (Some(time), false) = (limits.move_time, limits.infinite) {
            let time = (time - overhead.min(time / 2)).max(LEAST);
            bounds.hard = Some(bounds.hard.map_or(time, |hard| hard.min(time)));
        }
        bounds
    }

    /// The hard bound from a ponder hit on, after so much time of pondering. Pondering uses up the soft bound, scaled by
    /// `stretch`, as a plain search does; the hard bound shrinks with what is left of it. A fixed time for the move,
    /// without a soft bound, is not saved for later moves and stays whole.
    pub(crate) fn hard_after_hit(&self, pondered: Duration, stretch: f64) -> Option<Duration> {
        let (Some(soft), Some(hard)) = (self.soft, self.hard) else { return self.hard };
        let target = soft.as_secs_f64() * stretch;
        let left = if target > 0.0 { 1.0 - pondered.as_secs_f64() / target } else { 0.0 };
        Some(hard.mul_f64(left.max(0.0)))
    }
}

/// The time of a running search, read by all its threads. Clones are of the same search: the soft bound that one is asked for
/// counts for all.
#[derive(Clone)]
pub(super) struct SearchClock<'a> {
    start: Instant,
    bounds: Bounds,
    /// Whether time counts only from [`Control::ponder_hit`] on.
    pondering: bool,
    control: &'a Control,
    /// The factor by which the soft bound was last scaled: the bits of an `f64`.
    stretch: Arc<AtomicU64>,
}

impl<'a> SearchClock<'a> {
    pub fn new(task: &SearchTask<'_>, control: &'a Control) -> SearchClock<'a> {
        let stretch = Arc::new(AtomicU64::new(1_f64.to_bits()));
        SearchClock { start: task.start, bounds: task.bounds, pondering: task.pondering, control, stretch }
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the hard bound is reached: the search must end, wherever it is. Never while it ponders.
    pub fn is_time_up(&self) -> bool {
        self.hard_left().is_some_and(|left| left.is_zero())
    }

    /// What is left of the hard bound; none without a bound and while the search ponders.
    pub fn hard_left(&self) -> Option<Duration> {
        let hard = self.bounds.hard?;
        if !self.pondering {
            return Some(hard.saturating_sub(self.elapsed()));
        }
        let hit = self.control.ponder_hit_time()?;
        let pondered = hit.saturating_duration_since(self.start);
        let stretch = f64::from_bits(self.stretch.load(Ordering::Relaxed));
        let hard = self.bounds.hard_after_hit(pondered, stretch)?;
        Some(hard.saturating_sub(hit.elapsed()))
    }

    /// What is left of the soft bound, scaled by `stretch`; none without a bound and while the search ponders.
    /// Pondering counts: what it found, a plain search would have spent the same time on.
    pub fn soft_left(&self, stretch: f64) -> Option<Duration> {
        self.stretch.store(stretch.to_bits(), Ordering::Relaxed);
        if self.pondering && self.control.ponder_hit_time().is_none() {
            return None;
        }
        self.bounds.soft.map(|soft| soft.mul_f64(stretch).saturating_sub(self.elapsed()))
    }
}

/// The share of the clock for the coming move: 1.3 / moves left, where the moves left fall from 30 to 10 with the
/// material; what cannot be used up before the next control is not saved. A reserve is left: `overhead`, which is meant for
/// a slow way, for this move and the next, and a quarter of it for each later one. Without it a long game with a small
/// increment comes to a clock that is shorter than the way; a large increment is a reserve by itself.
fn share(clock: ClockLimit, overhead: Duration, pieces: u32) -> Bounds {
    let expected = 10.0 + 20.0 * f64::from(pieces.min(40)) / 40.0;
    let left = clock.moves.map_or(expected, |n| f64::from(n.max(1)).min(expected));
    let usable = (clock.time + clock.increment).saturating_sub(overhead).max(LEAST);
    let [time, increment, way] = [clock.time, clock.increment, overhead].map(|time| time.as_secs_f64());
    let reserve = way * (left.min(2.0) + (left - 2.0).max(0.0) * USUAL_WAY);
    let all = time + increment;
    let free = (all - reserve).clamp(0.0, time);
    let filled = if all < reserve { all / reserve } else { 1.0 };
    let increment = (increment - way * USUAL_WAY).max(0.0) * filled;
    let target = (1.3 * free / left + increment).min(usable.as_secs_f64());
    let target = Duration::from_secs_f64(target).max(LEAST_TARGET);
    // The last move before a control may use the rest; otherwise something must remain for the next one.
    let most = if left <= 1.0 { usable.mul_f64(0.9) } else { usable.mul_f64(0.7) };
    let hard = (target * STRETCH).min(most).max(LEAST).min(usable);
    Bounds { soft: Some(target.min(hard)), hard: Some(hard) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::VariantId;

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
        // The best move changes all the time, and no piece leaves the board.
        for (moves, least) in [(40, 1.0), (60, 0.02)] {
            for _ in 0..moves {
                left -= 1.6 * clock(left, 0.0, None).soft.unwrap().as_secs_f64();
            }
            assert!(left > least, "{left} s are left");
        }
    }

    #[test]
    fn a_long_game_with_a_small_increment_is_not_lost_on_time() {
        let (overhead, increment) = (Duration::from_millis(5), Duration::from_millis(3));
        for (milliseconds, moves) in [(200, 300), (5_000, 400)] {
            let mut left = Duration::from_millis(milliseconds);
            for ply in 0..moves {
                let pieces = 40u32.saturating_sub(ply).max(6);
                let limits = Limits {
                    clock: Some(ClockLimit { time: left, increment, moves: None }),
                    ..Limits::default()
                };
                // A way of 2 ms, and the best move changes all the time.
                let bounds = Bounds::new(&limits, overhead, pieces);
                let used = bounds.soft.unwrap().mul_f64(1.6) + Duration::from_millis(2);
                left = (left + increment).checked_sub(used).expect("the game is lost on time");
            }
            assert!(left > Duration::from_millis(5), "{left:?}");
        }
    }

    /// Clients that count the increment out of the time send such clocks.
    #[test]
    fn an_increment_without_time_is_used() {
        for increment in [0.1, 2.0] {
            let soft = clock(0.0, increment, None).soft.unwrap().as_secs_f64();
            assert!(soft > 0.6 * increment, "{increment}: {soft}");
        }
    }

    #[test]
    fn the_overhead_leaves_half_of_a_short_time() {
        let hard = |milliseconds| {
            let limits = Limits { move_time: Some(Duration::from_millis(milliseconds)), ..Limits::default() };
            Bounds::new(&limits, Duration::from_millis(5), 40).hard.unwrap().as_secs_f64() * 1e3
        };
        assert_eq!([100, 10, 6, 0].map(hard), [95.0, 5.0, 3.0, 1.0]);
    }

    #[test]
    fn pondering_uses_up_the_target() {
        let [soft, hard] = [5, 20].map(Duration::from_secs);
        let bounds = Bounds { soft: Some(soft), hard: Some(hard) };
        let after = |pondered, stretch| bounds.hard_after_hit(pondered, stretch).unwrap();
        assert_eq!(after(Duration::ZERO, 0.65), hard);
        assert_eq!(after(soft / 2, 1.0), hard / 2);
        assert_eq!(after(soft, 2.0), hard / 2);
        assert_eq!((after(soft, 1.0), after(10 * hard, 1.6)), (Duration::ZERO, Duration::ZERO));
        let fixed = Bounds { soft: None, hard: Some(hard) };
        assert_eq!(fixed.hard_after_hit(10 * hard, 1.0), Some(hard));
        assert_eq!(Bounds::default().hard_after_hit(hard, 1.0), None);
    }

    #[test]
    fn what_one_thread_stretches_is_stretched_for_all() {
        let (control, game) = (Control::new(), Game::new(VariantId::English));
        let [soft, hard] = [5, 20].map(Duration::from_secs);
        let start = Instant::now() - 2 * soft;
        let bounds = Bounds { soft: Some(soft), hard: Some(hard) };
        let task =
            SearchTask { start, bounds, pondering: true, ..SearchTask::simple(&game, Limits::default()) };
        let clock = SearchClock::new(&task, &control);
        let other = clock.clone();
        control.ponder_hit();
        assert!(other.is_time_up());
        assert!(clock.soft_left(3.0).is_some_and(|left| !left.is_zero()));
        assert!(!other.is_time_up() && other.hard_left().unwrap() < hard / 2);
    }

    #[test]
    fn infinite_means_infinite() {
        let limits = Limits { infinite: true, move_time: Some(LEAST), ..Limits::default() };
        assert_eq!(Bounds::new(&limits, Duration::ZERO, 40), Bounds::default());
    }
}
