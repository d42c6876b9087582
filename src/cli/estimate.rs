//! How estimates of strength are shown: those of few games have ends that are cut, or no number.

use kroon::arena::stats::Interval;

/// `52.10% +- 3.20%`, or both ends where one of them is cut at 0% or 100%.
pub fn score(score: &Interval, decimals: usize) -> String {
    let percent = |value: f64| format!("{:.decimals$}%", value * 100.0);
    let value = percent(score.value);
    if score.low <= 0.0 || score.high >= 1.0 {
        return format!("{value} [{}, {}]", percent(score.low), percent(score.high));
    }
    format!("{value} +- {}", percent(score.half_width()))
}

/// `+3.05 +- 2.31`; without a finite width the value alone.
pub fn elo(elo: &Interval, decimals: usize) -> String {
    if elo.half_width().is_finite() {
        return format!("{elo:.decimals$}");
    }
    if elo.value.is_finite() { format!("{:+.decimals$}", elo.value) } else { "-".to_owned() }
}

/// `[0.7, 5.4]`, with `-` for an end that there is not.
pub fn ends(interval: &Interval, decimals: usize) -> String {
    let end = |value: f64| if value.is_finite() { format!("{value:.decimals$}") } else { "-".to_owned() };
    format!("[{}, {}]", end(interval.low), end(interval.high))
}

#[cfg(test)]
mod tests {
    use super::*;
    use kroon::arena::stats::{Estimate, Pentanomial};

    #[test]
    fn few_games_have_no_impossible_numbers() {
        let shown = |pairs: [u64; 5]| {
            let estimate = Estimate::new(&Pentanomial(pairs).into());
            [score(&estimate.score, 1), elo(&estimate.elo, 1), ends(&estimate.elo, 1)]
        };
        let [share, strength, interval] = shown([0, 0, 0, 0, 2]);
        assert!(share.starts_with("100.0% [") && share.ends_with(", 100.0%]"), "{share}");
        assert!(strength == "-" && interval.ends_with(", -]"), "{strength} {interval}");
        let [share, strength, interval] = shown([2, 0, 0, 1, 0]);
        assert!(share.contains(" [0.0%, ") && !strength.contains("inf"), "{share} {strength}");
        assert!(interval.starts_with("[-, "), "{interval}");
        let [share, strength, _] = shown([379, 10170, 21828, 10640, 343]);
        assert_eq!((&*share, &*strength), ("50.2% +- 0.2%", "+1.6 +- 1.2"));
    }
}
