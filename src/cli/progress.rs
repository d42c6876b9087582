//! Lines on standard error: warnings, and how far a long work is.

use std::fmt::Display;
use std::io::Write;
use std::time::{Duration, Instant};

/// Writes a line to standard error. Nobody may be listening there, and the work counts.
pub fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Works, while a thread of its own tells `line` after each `pause`.
pub fn watched<T>(pause: Duration, line: impl Fn() -> String + Sync, work: impl FnOnce() -> T) -> T {
    let (done, is_done) = crossbeam::channel::bounded::<()>(0);
    std::thread::scope(|scope| {
        // Without a thread nothing is told.
        let _ = std::thread::Builder::new().spawn_scoped(scope, || {
            while is_done.recv_timeout(pause).is_err_and(|error| error.is_timeout()) {
                say(line());
            }
        });
        // Also when the work panics: the scope waits for the thread.
        let _done = done;
        work()
    })
}

/// When another line is due, for work that comes by now and then.
pub struct Pace {
    pause: Duration,
    last: Instant,
}

impl Pace {
    /// The first line is due after the first pause.
    pub fn new(pause: Duration) -> Pace {
        Pace { pause, last: Instant::now() }
    }

    /// Whether the pause is over; then the next one begins.
    pub fn is_due(&mut self) -> bool {
        let is_due = self.last.elapsed() >= self.pause;
        if is_due {
            self.last = Instant::now();
        }
        is_due
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

    #[test]
    fn lines_are_told_while_work_goes_on_and_not_after_it() {
        let told = AtomicU32::new(0);
        let count = || {
            told.fetch_add(1, Ordering::Relaxed);
            String::new()
        };
        let found = watched(Duration::from_millis(1), count, || {
            while told.load(Ordering::Relaxed) < 3 {
                std::thread::yield_now();
            }
            "found"
        });
        assert_eq!(found, "found");
        assert!(told.load(Ordering::Relaxed) >= 3);
        assert_eq!(watched(Duration::from_secs(3600), || unreachable!(), || 7), 7);
    }

    #[test]
    fn work_that_panics_is_not_waited_for() {
        let is_told = AtomicBool::new(false);
        let line = || {
            is_told.store(true, Ordering::Relaxed);
            String::new()
        };
        let work = || watched(Duration::from_secs(3600), line, || panic!("on purpose"));
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).is_err());
        assert!(!is_told.load(Ordering::Relaxed));
    }

    #[test]
    fn a_line_is_due_after_each_pause() {
        let mut pace = Pace::new(Duration::from_secs(3600));
        assert!(!pace.is_due());
        pace.last -= Duration::from_secs(3601);
        assert!(pace.is_due());
        assert!(!pace.is_due());
    }
}
