//! The time table of a report on a NoGo program.

use std::time::Duration;

/// The time for a move when the one given is meant for the busiest phase: little at the start, most in the middle,
/// little at the end. The shares are those of a table of 5, 9, 10, 9, 5 and 1 seconds.
///
/// ```
/// use kroon::agents::phase_time;
/// use std::time::Duration;
/// let ten = Duration::from_secs(10);
/// assert_eq!(phase_time(ten, 40, 40), Duration::from_secs(5));
/// assert_eq!(phase_time(ten, 24, 40), ten);
/// assert_eq!(phase_time(ten, 2, 40), Duration::from_secs(1));
/// ```
pub fn phase_time(most: Duration, pieces: u32, pieces_at_start: u32) -> Duration {
    /// Pieces left from which the row holds, and the share of the time, both in tenths.
    const TABLE: [(u32, u32); 6] = [(9, 5), (7, 9), (5, 10), (3, 9), (1, 5), (0, 1)];
    let left = 10 * pieces / pieces_at_start.max(1);
    let tenths = TABLE.iter().find(|(from, _)| left >= *from).map_or(1, |(_, tenths)| *tenths);
    most * tenths / 10
}
