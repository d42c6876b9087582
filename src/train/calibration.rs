//! Predictions beside what came of them: in buckets of about the same prediction.

/// Buckets from 0 to 1.
const BUCKETS: usize = 20;

/// Cases for which about the same chance was predicted, and what came of them: `N` shares of one and the same cases.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bucket<const N: usize> {
    /// Mean predicted chance.
    pub predicted: f64,
    /// Shares of the cases.
    pub observed: [f64; N],
    /// Cases.
    pub number: u64,
}

/// Cases as they are added up.
///
/// ```
/// use kroon::train::calibration::{Bucket, Buckets};
/// let mut buckets = Buckets::default();
/// buckets.add(0.31, [1.0], 1.0);
/// buckets.add(0.33, [0.0], 1.0);
/// assert_eq!(buckets.means(), [Bucket { predicted: 0.32, observed: [0.5], number: 2 }]);
/// ```
#[derive(Clone, Debug)]
pub struct Buckets<const N: usize>([Bucket<N>; BUCKETS]);

impl<const N: usize> Default for Buckets<N> {
    fn default() -> Buckets<N> {
        Buckets([Bucket { predicted: 0.0, observed: [0.0; N], number: 0 }; BUCKETS])
    }
}

impl<const N: usize> Buckets<N> {
    /// Adds so many cases with this predicted chance, 0 to 1, and for how many of them each of the results came.
    pub fn add(&mut self, predicted: f64, observed: [f64; N], number: f64) {
        let bucket = &mut self.0[((predicted * BUCKETS as f64) as usize).min(BUCKETS - 1)];
        bucket.predicted += predicted * number;
        bucket.observed.iter_mut().zip(observed).for_each(|(sum, more)| *sum += more);
        bucket.number += number as u64;
    }

    /// The means of each bucket, from unlikely to likely. Empty ones are left out.
    pub fn means(self) -> Vec<Bucket<N>> {
        let filled = self.0.into_iter().filter(|bucket| bucket.number > 0);
        filled
            .map(|Bucket { predicted, observed, number }| {
                let cases = number as f64;
                Bucket { predicted: predicted / cases, observed: observed.map(|sum| sum / cases), number }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_fall_into_the_bucket_of_their_chance() {
        let mut buckets = Buckets::default();
        for (chance, number) in [(0.0, 3.0), (0.049, 1.0), (0.05, 2.0), (0.999, 4.0), (1.0, 4.0)] {
            buckets.add(chance, [number, 0.0], number);
        }
        let means = buckets.means();
        assert_eq!(means.iter().map(|bucket| bucket.number).collect::<Vec<_>>(), [4, 2, 8]);
        assert!(means.iter().all(|bucket| bucket.observed == [1.0, 0.0]));
        assert!((means[0].predicted - 0.01225).abs() < 1e-12 && (means[2].predicted - 0.9995).abs() < 1e-12);
    }
}
