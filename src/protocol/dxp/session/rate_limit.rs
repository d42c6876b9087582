//! Limits how many messages an opponent may send.

use std::time::Instant;

/// Messages other than moves that may come at once.
const BURST: u32 = 100;
/// Messages other than moves that may come in every second, on the average.
pub(super) const RATE: u32 = 10;

/// Limits how many messages come in, on the average.
#[derive(Debug)]
pub(super) struct RateLimit {
    left: u32,
    refilled: Option<Instant>,
}

impl Default for RateLimit {
    fn default() -> RateLimit {
        RateLimit { left: BURST, refilled: None }
    }
}

impl RateLimit {
    /// Whether another message may come now.
    pub fn take(&mut self, now: Instant) -> bool {
        let refilled = *self.refilled.get_or_insert(now);
        let since = now.saturating_duration_since(refilled).as_millis();
        let earned = u32::try_from(since * u128::from(RATE) / 1000).unwrap_or(BURST).min(BURST);
        if earned > 0 {
            self.left = (self.left + earned).min(BURST);
            self.refilled = Some(now);
        }
        let enough = self.left > 0;
        self.left = self.left.saturating_sub(1);
        enough
    }
}
