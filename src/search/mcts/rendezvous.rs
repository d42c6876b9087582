//! A barrier for making room in a full tree: its threads stop between two descents, and the last to arrive does the
//! work.

use parking_lot::{Condvar, Mutex};
use std::sync::atomic::{AtomicBool, Ordering};

/// Where the threads of one tree meet.
#[derive(Debug)]
pub struct Rendezvous {
    called: AtomicBool,
    state: Mutex<MeetingState>,
    changed: Condvar,
}

#[derive(Debug)]
struct MeetingState {
    /// Threads that still search.
    active: usize,
    /// Those of them that have come.
    waiting: usize,
    /// Meetings held.
    round: u64,
}

impl Rendezvous {
    /// For so many threads.
    pub fn new(active: usize) -> Rendezvous {
        Rendezvous {
            called: AtomicBool::new(false),
            state: Mutex::new(MeetingState { active, waiting: 0, round: 0 }),
            changed: Condvar::new(),
        }
    }

    /// Asks all threads to come.
    pub fn call(&self) {
        self.called.store(true, Ordering::Relaxed);
    }

    /// Whether somebody has called.
    #[inline(always)]
    pub fn is_called(&self) -> bool {
        self.called.load(Ordering::Relaxed)
    }

    /// Waits for the others; one thread does the work when all have come.
    pub fn meet(&self, work: impl FnOnce()) {
        let mut state = self.state.lock();
        let round = state.round;
        state.waiting += 1;
        while state.round == round {
            if !self.is_called() {
                // The meeting was over before this thread came.
                state.waiting -= 1;
                return;
            }
            // More than are active, if one of them ended in a panic while it worked.
            if state.waiting >= state.active {
                work();
                state.round += 1;
                state.waiting = 0;
                self.called.store(false, Ordering::Relaxed);
                self.changed.notify_all();
                return;
            }
            self.changed.wait(&mut state);
        }
    }

    /// This thread searches no more.
    pub fn leave(&self) {
        self.state.lock().active -= 1;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU32;

    #[test]
    fn nobody_works_while_another_is_busy() {
        const THREADS: usize = 4;
        let place = Rendezvous::new(THREADS);
        let (busy, meetings) = (AtomicU32::new(0), AtomicU32::new(0));
        std::thread::scope(|scope| {
            for number in 0..THREADS {
                let (place, busy, meetings) = (&place, &busy, &meetings);
                scope.spawn(move || {
                    for turn in 0..200 + 50 * number {
                        if place.is_called() {
                            place.meet(|| {
                                assert_eq!(busy.load(Ordering::SeqCst), 0);
                                meetings.fetch_add(1, Ordering::SeqCst);
                            });
                        }
                        busy.fetch_add(1, Ordering::SeqCst);
                        if turn % 7 == number {
                            place.call();
                        }
                        busy.fetch_sub(1, Ordering::SeqCst);
                    }
                    place.leave();
                });
            }
        });
        assert!(meetings.into_inner() > 0);
    }
}
