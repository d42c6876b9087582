//! The normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI};

/// The two-sided 95% quantile.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Below this the series of the error function converges quickly, above it the continued fraction of its complement.
const SERIES_END: f64 = 2.5;

/// The probability that a standard normal variable is at most `x`.
///
/// ```
/// use kroon::arena::stats::normal_cdf;
/// assert!((normal_cdf(0.0) - 0.5).abs() < 1e-12);
/// assert!((normal_cdf(1.959963984540054) - 0.975).abs() < 1e-12);
/// ```
pub fn normal_cdf(x: f64) -> f64 {
    if x.is_nan() {
        return 0.5;
    }
    let z = x * FRAC_1_SQRT_2;
    let tail = complement(z.abs()) / 2.0;
    if x > 0.0 { 1.0 - tail } else { tail }
}

/// erfc(x) for x >= 0.
fn complement(x: f64) -> f64 {
    if x < SERIES_END {
        // erf(x) = 2/sqrt(pi) exp(-x^2) sum 2^n x^(2n+1) / (1 * 3 * ... * (2n+1)): all terms positive.
        let mut term = x;
        let mut sum = x;
        let mut n = 1.0;
        while term > sum * 1e-17 {
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
            n += 1.0;
        }
        1.0 - FRAC_2_SQRT_PI * (-x * x).exp() * sum
    } else {
        // erfc(x) = exp(-x^2)/sqrt(pi) * 1/(x + (1/2)/(x + (2/2)/(x + (3/2)/(x + ...)))), from the inside out.
        let fraction = (1..=120).rev().fold(x, |inner, k| x + f64::from(k) / 2.0 / inner);
        FRAC_2_SQRT_PI / 2.0 * (-x * x).exp() / fraction
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_values() {
        // Abramowitz and Stegun, table 26.1.
        for (x, p) in [
            (0.5, 0.691_462_461_274_013),
            (1.0, 0.841_344_746_068_543),
            (2.0, 0.977_249_868_051_821),
            (3.0, 0.998_650_101_968_370),
            (4.0, 0.999_968_328_758_167),
        ] {
            assert!((normal_cdf(x) - p).abs() < 1e-14, "{x}: {}", normal_cdf(x));
            assert!((normal_cdf(-x) - (1.0 - p)).abs() < 1e-14, "{x}");
        }
        // The two methods meet.
        let joint = SERIES_END / FRAC_1_SQRT_2;
        assert!((normal_cdf(-joint + 1e-12) / normal_cdf(-joint - 1e-12) - 1.0).abs() < 1e-8);
        assert_eq!(normal_cdf(f64::INFINITY), 1.0);
        assert_eq!(normal_cdf(f64::NEG_INFINITY), 0.0);
    }
}
