//! The flags through which another thread steers a running search.

use parking_lot::{Condvar, Mutex};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Written by whoever reads the user's commands, polled by the search. Share it in an `Arc`; one for each search, or for all that are stopped together.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    ponder_hit: OnceLock<Instant>,
    /// When the request came in, if that was before the search was called.
    start: Option<Instant>,
    /// For a search that has nothing left to do and waits for one of the two; the flags above are what counts.
    changed: Condvar,
    changing: Mutex<()>,
}

impl Control {
    /// No stop, no ponder hit; time counts from the call of the search.
    pub fn new() -> Control {
        Control::default()
    }

    /// As [`Control::new`], but time counts from this instant: the way from the reader of the request to the search is
    /// part of the time for the move.
    pub fn started_at(start: Instant) -> Control {
        Control { start: Some(start), ..Control::default() }
    }

    /// From when on time counts, if not from the call of the search.
    pub fn start(&self) -> Option<Instant> {
        self.start
    }

    /// Asks the search to end now.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.wake();
    }

    /// Whether the search was asked to end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The expected move was played: from now on the clock runs. Only the first call counts.
    pub fn ponder_hit(&self) {
        let _ = self.ponder_hit.set(Instant::now());
        self.wake();
    }

    fn wake(&self) {
        // The lock orders the flag before the wake-up: a waiter has either seen the flag or is waiting already.
        let _changing = self.changing.lock();
        self.changed.notify_all();
    }

    /// Sleeps until [`Control::stop`], or until [`Control::ponder_hit`] if that is enough.
    pub fn wait(&self, ponder_hit_is_enough: bool) {
        let mut changing = self.changing.lock();
        loop {
            let is_hit = ponder_hit_is_enough && self.ponder_hit.get().is_some();
            if is_hit || self.is_stopped() {
                return;
            }
            self.changed.wait(&mut changing);
        }
    }

    /// When the expected move was played.
    pub fn ponder_hit_time(&self) -> Option<Instant> {
        self.ponder_hit.get().copied()
    }
}
