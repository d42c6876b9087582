//! Seeds of random numbers: many independent ones from one, and reading one that a user gives.

use thiserror::Error;

/// A text that is no seed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("seed {0:?}: expected a whole number from 0 to {max}", max = u64::MAX)]
pub struct SeedError(String);

/// Reads a seed: decimal digits, nothing else.
///
/// # Errors
/// When the text is no number or too large for 64 bits.
///
/// ```
/// assert_eq!(kroon::seed::parse("42"), Ok(42));
/// assert!(kroon::seed::parse("-1").unwrap_err().to_string().contains("\"-1\""));
/// ```
pub fn parse(text: &str) -> Result<u64, SeedError> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let seed = digits.then(|| text.parse().ok()).flatten();
    seed.ok_or_else(|| SeedError(text.chars().take(40).collect()))
}

/// A seed that depends on all numbers and their order: neighbours have nothing in common. Files of self-play depend on
/// this function; it never changes.
///
/// ```
/// use kroon::seed::mix;
/// assert_eq!(mix(1, [2, 3]), mix(1, [2, 3]));
/// assert_ne!(mix(1, [2, 3]), mix(1, [3, 2]));
/// ```
pub fn mix(seed: u64, parts: impl IntoIterator<Item = u64>) -> u64 {
    parts
        .into_iter()
        .fold(seed, |mixed, part| (mixed ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ part)
}
