//! The flags through which another thread steers a running search.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Written by whoever reads the user's commands, polled by the search. Share it in an `Arc`; one for each search.
#[derive(Debug, Default)]
pub struct Control {
    stop: AtomicBool,
    ponder_hit: OnceLock<Instant>,
}

impl Control {
    /// No stop, no ponder hit.
    pub fn new() -> Control {
        Control::default()
    }

    /// Asks the search to end now.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether the search was asked to end.
    #[inline(always)]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// The expected move was played: from now on the clock runs. Only the first call counts.
    pub fn ponder_hit(&self) {
        let _ = self.ponder_hit.set(Instant::now());
    }

    /// When the expected move was played.
    pub fn ponder_hit_time(&self) -> Option<Instant> {
        self.ponder_hit.get().copied()
    }
}
