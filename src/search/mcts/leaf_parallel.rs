//! Leaf parallelisation: one thread descends, and all threads play random games from the leaf.

use super::playout::Playout;
use super::rave::AmafTotals;
use crate::board::Position;
use crate::rules::Variant;
use crate::rules::draws::Counters;
use parking_lot::{Condvar, Mutex};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The threads that help.
#[derive(Debug)]
pub struct LeafHelpers {
    helpers: usize,
    /// Games of each thread.
    games: u32,
    state: Mutex<HelperState>,
    changed: Condvar,
}

#[derive(Debug)]
struct HelperState {
    /// Jobs given out so far, and the last of them; none when all is over.
    round: u64,
    job: Option<(Position, Counters)>,
    over: bool,
    /// Helpers still at it, the games they have played, and the sum of the values found.
    busy: usize,
    played: u64,
    sum: f64,
    /// The moves of these games; only for RAVE.
    amaf: Option<AmafTotals>,
}

impl LeafHelpers {
    /// So many helpers, each playing so many games; `has_rave` says whether the moves of the games are wanted.
    pub fn new(helpers: usize, games: u32, has_rave: bool) -> LeafHelpers {
        let amaf = has_rave.then(AmafTotals::default);
        let state = HelperState { round: 0, job: None, over: false, busy: 0, played: 0, sum: 0.0, amaf };
        LeafHelpers { helpers, games, state: Mutex::new(state), changed: Condvar::new() }
    }

    /// Games of all threads for one descent.
    pub fn all_games(&self) -> u64 {
        (self.helpers as u64 + 1) * u64::from(self.games)
    }

    /// Has everybody play from `position`, `own` being the leader's games, until all are played or `is_over` says so:
    /// the mean value for the side to move, and the number of games. The leader plays one in any case.
    pub fn play(
        &self,
        position: &Position,
        counters: Counters,
        mut own: impl FnMut() -> f64,
        is_over: impl Fn() -> bool,
    ) -> (f64, u64) {
        {
            let mut state = self.state.lock();
            state.round += 1;
            state.job = Some((*position, counters));
            state.busy = self.helpers;
            (state.played, state.sum) = (0, 0.0);
            self.changed.notify_all();
        }
        let (mut played, mut sum) = (1, own());
        while played < u64::from(self.games) && !is_over() {
            sum += own();
            played += 1;
        }
        let mut state = self.state.lock();
        while state.busy > 0 {
            self.changed.wait(&mut state);
        }
        let played = played + state.played;
        ((sum + state.sum) / played as f64, played)
    }

    /// The moves of the helpers' games since the last call, added to those of the leader's.
    pub fn collect(&self, amaf: &mut AmafTotals) {
        if let Some(theirs) = &mut self.state.lock().amaf {
            amaf.take_games(theirs);
        }
    }

    /// A helper's work, until it is dismissed; once `is_over` says so it begins no game.
    pub fn help<V: Variant>(
        &self,
        playout: Playout,
        random: &mut Xoshiro256PlusPlus,
        is_over: impl Fn() -> bool,
    ) {
        let mut done = 0;
        let mut amaf = self.state.lock().amaf.is_some().then(AmafTotals::default);
        loop {
            let (position, counters) = {
                let mut state = self.state.lock();
                loop {
                    match state.job {
                        _ if state.over => return,
                        Some(job) if state.round > done => {
                            done = state.round;
                            break job;
                        }
                        _ => self.changed.wait(&mut state),
                    }
                }
            };
            let (mut played, mut sum) = (0, 0.0);
            while played < u64::from(self.games) && !is_over() {
                sum += playout.run_for_rave::<V>(position, counters, random, amaf.as_mut());
                played += 1;
            }
            let mut state = self.state.lock();
            state.sum += sum;
            if let (Some(all), Some(own)) = (&mut state.amaf, &mut amaf) {
                all.take_games(own);
            }
            state.played += played;
            state.busy -= 1;
            if state.busy == 0 {
                self.changed.notify_all();
            }
        }
    }

    /// No more jobs.
    pub fn dismiss(&self) {
        self.state.lock().over = true;
        self.changed.notify_all();
    }
}
