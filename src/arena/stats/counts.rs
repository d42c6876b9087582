//! Counts of results: single games, and pairs of games with colours changed.

use std::ops::AddAssign;

/// Results of single games, from the view of the first engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Trinomial {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
}

impl Trinomial {
    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Points per game, 0 to 1; one half before the first game.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + self.draws as f64 / 2.0) / games as f64,
        }
    }

    /// The same games from the other engine's view.
    pub fn reversed(self) -> Trinomial {
        Trinomial { wins: self.losses, losses: self.wins, draws: self.draws }
    }

    /// Counts a game worth this many half-points to the first engine: 0, 1 or 2.
    pub fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }
}

impl AddAssign for Trinomial {
    fn add_assign(&mut self, other: Trinomial) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
    }
}

/// Pairs of games by the points of the first engine: 0, 1/2, 1, 3/2, 2. The two games of a pair have the same opening
/// with colours changed; their results depend on each other, which is why pairs are counted and not games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// All pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts a pair by the half-points of its two games, 0 to 2 each.
    pub fn add(&mut self, first: u8, second: u8) {
        self.0[usize::from(first.min(2) + second.min(2))] += 1;
    }

    /// The same pairs from the other engine's view.
    pub fn reversed(mut self) -> Pentanomial {
        self.0.reverse();
        self
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        self.0.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
    }
}

/// Stands for a count of zero, which would make a variance or a likelihood vanish.
const NEARLY_ZERO: f64 = 1e-3;

/// Where so many observations differ from the commonest one, the part of an observation that is added to each kind
/// is half of what it is where all are alike.
const DIFFERENT: f64 = 6.0;

/// Relative frequencies of equally spaced scores from 0 to 1: three for games, five for pairs.
#[derive(Clone, PartialEq, Debug)]
pub struct Distribution {
    /// What was counted.
    counts: Vec<f64>,
    frequencies: Vec<f64>,
    /// Games or pairs observed.
    total: f64,
    /// Games in one observation.
    games: f64,
}

impl Distribution {
    fn new(counts: &[u64], games: f64) -> Distribution {
        let counts: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
        let total: f64 = counts.iter().map(|count| count.max(NEARLY_ZERO)).sum();
        let frequencies = counts.iter().map(|count| count.max(NEARLY_ZERO) / total).collect();
        Distribution { counts, frequencies, total, games }
    }

    /// How often each score occurred, the sum being 1; never quite 0.
    pub fn frequencies(&self) -> &[f64] {
        &self.frequencies
    }

    /// The scores to which the frequencies belong.
    pub fn scores(&self) -> impl Iterator<Item = f64> + Clone + use<> {
        let steps = self.frequencies.len() - 1;
        (0..=steps).map(move |step| step as f64 / steps as f64)
    }

    /// Observations: games, or pairs of games.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// Games in one observation: 1 or 2.
    pub fn games(&self) -> f64 {
        self.games
    }

    /// The mean of what was counted; one half if nothing was.
    pub fn observed_mean(&self) -> f64 {
        let total: f64 = self.counts.iter().sum();
        let sum: f64 = self.counts.iter().zip(self.scores()).map(|(count, x)| count * x).sum();
        if total > 0.0 { sum / total } else { 0.5 }
    }

    /// The mean and the variance to reckon errors with. Observations that are all alike do not say that there are no others,
    /// and two kinds of them do not say how many others there are. So a part of an observation of each kind is added: one half
    /// where all are alike (the prior of Jeffreys), and the less the more differ from the commonest kind, as these tell the
    /// variance themselves. From some twenty on nothing is left of it.
    pub fn cautious_moments(&self) -> (f64, f64) {
        let observed: f64 = self.counts.iter().sum();
        let commonest = self.counts.iter().copied().fold(0.0, f64::max);
        let added = 0.5 / (1.0 + ((observed - commonest) / DIFFERENT).powi(3));
        let total = observed + added * self.counts.len() as f64;
        let weigh = |value: fn(f64, f64) -> f64, mean: f64| -> f64 {
            self.counts
                .iter()
                .zip(self.scores())
                .map(|(count, x)| (count + added) / total * value(x, mean))
                .sum()
        };
        let mean = weigh(|x, _| x, 0.0);
        (mean, weigh(|x, mean| (x - mean).powi(2), mean))
    }

    /// Mean score, by the frequencies.
    pub fn mean(&self) -> f64 {
        self.frequencies.iter().zip(self.scores()).map(|(p, x)| p * x).sum()
    }

    /// Variance of the score of one observation, by the frequencies.
    pub fn variance(&self) -> f64 {
        let mean = self.mean();
        self.frequencies.iter().zip(self.scores()).map(|(p, x)| p * (x - mean).powi(2)).sum()
    }

    /// Skewness and kurtosis of the score of one observation, by the frequencies; 0 and 3, those of a normal distribution, where
    /// all observations are alike.
    pub fn shape(&self) -> (f64, f64) {
        if self.counts.iter().filter(|&&count| count > 0.0).count() < 2 {
            return (0.0, 3.0);
        }
        let (mean, deviation) = (self.mean(), self.variance().sqrt());
        let moment = |power: i32| -> f64 {
            self.frequencies
                .iter()
                .zip(self.scores())
                .map(|(p, x)| p * ((x - mean) / deviation).powi(power))
                .sum()
        };
        (moment(3), moment(4))
    }
}

impl From<Trinomial> for Distribution {
    fn from(games: Trinomial) -> Distribution {
        Distribution::new(&[games.losses, games.draws, games.wins], 1.0)
    }
}

impl From<Pentanomial> for Distribution {
    fn from(pairs: Pentanomial) -> Distribution {
        Distribution::new(&pairs.0, 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting() {
        let mut games = Trinomial::default();
        [2, 2, 1, 0].into_iter().for_each(|points| games.add(points));
        assert_eq!(games, Trinomial { wins: 2, losses: 1, draws: 1 });
        assert_eq!((games.games(), games.score()), (4, 0.625));
        assert_eq!(games.reversed().score(), 0.375);
        let mut pairs = Pentanomial::default();
        pairs.add(2, 0);
        pairs.add(1, 1);
        pairs.add(2, 1);
        assert_eq!(pairs, Pentanomial([0, 0, 2, 1, 0]));
        assert_eq!(pairs.reversed(), Pentanomial([0, 1, 2, 0, 0]));
    }

    #[test]
    fn moments() {
        let pairs = Distribution::from(Pentanomial([1, 0, 0, 0, 1]));
        assert!((pairs.mean() - 0.5).abs() < 1e-12);
        assert!((pairs.variance() - 0.25).abs() < 1e-3);
    }
}
