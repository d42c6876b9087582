//! Waiting for the parts of an iteration that other processes play.

use super::parts::{GameEnd, Iteration, Parts};
use super::state::TuneState;
use super::{TuneError, TuneNews, Tuner};
use crate::arena::cancel::Cancel;
use crate::arena::shard::Shard;
use crossbeam::channel::RecvTimeoutError;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// How long to wait before looking again: at first, and at most.
const PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);
/// After so long somebody wants to know who is missing.
const LONG: Duration = Duration::from_secs(60);

/// What came of waiting.
pub(super) enum Waited {
    /// All games of the iteration, in their order.
    Ends(Vec<GameEnd>),
    /// The others have gone on without this process, which had played its part before it was started again: their state.
    Overtaken(TuneState),
    /// Nothing.
    Cancelled,
}

impl Tuner {
    /// Waits for all parts of an iteration.
    pub(super) fn wait(
        &self,
        parts: &Parts,
        iteration: Iteration<'_>,
        path: &Path,
        cancel: &Cancel,
        spectator: &mut dyn FnMut(TuneNews<'_>) -> io::Result<()>,
    ) -> Result<Waited, TuneError> {
        let mut missing: Vec<Shard> = parts.shard().all().collect();
        let mut ends = Vec::new();
        let mut pause = PAUSE;
        let mut told = Instant::now();
        loop {
            for shard in parts.present(iteration, &missing)? {
                if let Some(games) = parts.read(iteration, shard)? {
                    ends.extend(games);
                    missing.retain(|&other| other != shard);
                }
            }
            if missing.is_empty() {
                ends.sort_unstable_by_key(|end: &GameEnd| end.game);
                return Ok(Waited::Ends(ends));
            }
            // What is waited for may have been deleted: then the state says more.
            if pause == LONGEST_PAUSE
                && let Some(state) = TuneState::load(path, &self.settings, &self.plan.knobs, self.force)?
                && state.pairs > iteration.done
            {
                return Ok(Waited::Overtaken(state));
            }
            if told.elapsed() >= LONG {
                spectator(TuneNews::Waiting(&missing))
                    .map_err(|error| TuneError::Io("standard output", error))?;
                told = Instant::now();
            }
            if cancel.signal().recv_timeout(pause) == Err(RecvTimeoutError::Disconnected) {
                return Ok(Waited::Cancelled);
            }
            pause = (2 * pause).min(LONGEST_PAUSE);
        }
    }
}
