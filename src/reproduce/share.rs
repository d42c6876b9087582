//! Shares of games won, with their uncertainty.

use crate::arena::stats::Z95;
use serde::Serialize;

/// Games won of so many.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Share {
    /// Games won.
    pub won: u64,
    /// All games, drawn ones included.
    pub games: u64,
}

impl Share {
    /// The share, 0 to 1; one half before the first game.
    pub fn value(self) -> f64 {
        if self.games == 0 { 0.5 } else { self.won as f64 / self.games as f64 }
    }

    /// The 95% interval (E. Wilson, 1927), which stays within 0 and 1 also where all games were won or lost.
    ///
    /// ```
    /// use kroon::reproduce::Share;
    /// let [low, high] = Share { won: 81, games: 100 }.interval();
    /// assert!((low - 0.7222).abs() < 1e-4 && (high - 0.8749).abs() < 1e-4);
    /// ```
    pub fn interval(self) -> [f64; 2] {
        if self.games == 0 {
            return [0.0, 1.0];
        }
        let (p, n) = (self.value(), self.games as f64);
        let z2 = Z95 * Z95 / n;
        let middle = (p + z2 / 2.0) / (1.0 + z2);
        let half = Z95 * (p * (1.0 - p) / n + z2 / n / 4.0).sqrt() / (1.0 + z2);
        [(middle - half).max(0.0), (middle + half).min(1.0)]
    }

    /// The difference to another share in standard errors, positive if this one is larger; 0 where one has no games.
    /// The error is that of the bounds of both intervals that face each other (R. Newcombe, 1998), which holds for few
    /// games and for shares near 0 and 1, too.
    pub fn sigmas_above(self, other: Share) -> f64 {
        if self.games == 0 || other.games == 0 {
            return 0.0;
        }
        let difference = self.value() - other.value();
        let (more, less) = if difference > 0.0 { (self, other) } else { (other, self) };
        let (below, above) = (more.value() - more.interval()[0], less.interval()[1] - less.value());
        Z95 * difference / below.hypot(above)
    }
}

/// The difference of two sums of shares, and that in standard errors. As in [`Share::sigmas_above`] the error is that of the
/// bounds of the intervals that face each other, whose squares add up.
pub fn difference_of_sums(more: &[Share], less: &[Share]) -> (f64, f64) {
    let sum = |shares: &[Share]| shares.iter().map(|share| share.value()).sum::<f64>();
    let difference = sum(more) - sum(less);
    let (above, below) = if difference > 0.0 { (more, less) } else { (less, more) };
    let downward = above.iter().map(|share| share.value() - share.interval()[0]);
    let upward = below.iter().map(|share| share.interval()[1] - share.value());
    let square: f64 = downward.chain(upward).map(|error| error * error).sum();
    let sigmas = if square > 0.0 { Z95 * difference / square.sqrt() } else { 0.0 };
    (difference, sigmas)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(won: u64, games: u64) -> Share {
        Share { won, games }
    }

    #[test]
    fn intervals_of_the_textbook() {
        // E. Wilson's interval for 0 of 10 ends at z^2 / (n + z^2) = 3.8415 / 13.8415.
        let [low, high] = share(0, 10).interval();
        assert!(low == 0.0 && (high - 0.27753).abs() < 1e-4, "{high}");
        let [low, high] = share(50, 100).interval();
        assert!((low - 0.40383).abs() < 1e-4 && (high - 0.59617).abs() < 1e-4);
        assert_eq!(share(0, 0).interval(), [0.0, 1.0]);
    }

    #[test]
    fn two_shares() {
        // 56 of 70 and 48 of 80 (R. Newcombe's example): intervals from 0.6917 and to 0.7003, so the difference of 0.2
        // has an interval from 0.2 - hypot(0.1083, 0.1003) = 0.0524.
        let sigmas = share(56, 70).sigmas_above(share(48, 80));
        assert!((0.2 - 0.2 * Z95 / sigmas - 0.0524).abs() < 1e-4, "{sigmas}");
        assert_eq!(share(48, 80).sigmas_above(share(56, 70)), -sigmas);
        assert_eq!(share(10, 10).sigmas_above(share(5, 5)), 0.0);
        assert!(share(9, 10).sigmas_above(share(100, 100)) > -2.5);
    }

    #[test]
    fn sums_of_shares() {
        // 0.9 + 0.5 against 0.4 + 0.5 of many games each: variance 9 + 25 + 24 + 25 hundred-millionths, as by the textbook.
        let more = [share(900_000, 1_000_000), share(500_000, 1_000_000)];
        let less = [share(400_000, 1_000_000), share(500_000, 1_000_000)];
        let (difference, sigmas) = difference_of_sums(&more, &less);
        assert!((difference - 0.5).abs() < 1e-12 && (sigmas / (0.5 / 83e-8_f64.sqrt()) - 1.0).abs() < 1e-2);
        assert_eq!(difference_of_sums(&less, &more), (-difference, -sigmas));
        // One share on each side: the same as for two shares.
        let (_, sigmas) = difference_of_sums(&[share(56, 70)], &[share(48, 80)]);
        assert!((sigmas - share(56, 70).sigmas_above(share(48, 80))).abs() < 1e-12);
        // Few games show nothing, even if all of them were won or lost.
        let (difference, sigmas) = difference_of_sums(&[share(4, 4)], &[share(3, 4)]);
        assert!(difference == 0.25 && sigmas < 1.0, "{sigmas}");
        let one = [share(1, 1); 4];
        let (_, sigmas) = difference_of_sums(&one, &[share(1, 1), share(1, 1), share(1, 1), share(0, 1)]);
        assert!(sigmas < 1.5, "{sigmas}");
        assert_eq!(difference_of_sums(&one, &one).1, 0.0);
    }
}
