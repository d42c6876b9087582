//! Times that people write: seconds, whole or with a point.

use super::text::quote;
use nom::combinator::{all_consuming, map_opt, verify};
use nom::number::complete::recognize_float;
use nom::{IResult, Parser};
use std::time::Duration;
use thiserror::Error;

/// Longest time that can be given, in seconds: a year.
pub const MOST: f64 = 366.0 * 86_400.0;

/// A text that is no time.
#[derive(Clone, PartialEq, Debug, Error)]
#[error("time {text}: expected {unit}, {least} to {most}")]
pub struct SecondsError {
    text: String,
    unit: &'static str,
    least: f64,
    most: f64,
}

/// Reads seconds, at least `least`.
///
/// # Errors
/// When the text is no number or too small or too large.
///
/// ```
/// use kroon::notation::seconds;
/// assert_eq!(seconds::parse("0.5", 0.0).unwrap().as_millis(), 500);
/// assert!(seconds::parse("0", 0.001).unwrap_err().to_string().contains("expected seconds, 0.001 to"));
/// ```
pub fn parse(text: &str, least: f64) -> Result<Duration, SecondsError> {
    in_unit(text, "seconds", 1.0, least)
}

/// Reads minutes, at least `least`.
///
/// # Errors
/// As [`parse`].
pub fn parse_minutes(text: &str, least: f64) -> Result<Duration, SecondsError> {
    in_unit(text, "minutes", 60.0, least)
}

fn in_unit(text: &str, unit: &'static str, size: f64, least: f64) -> Result<Duration, SecondsError> {
    match all_consuming(number).parse(text) {
        Ok((_, time)) if time >= least && time * size <= MOST => Ok(Duration::from_secs_f64(time * size)),
        _ => Err(SecondsError { text: quote(text), unit, least, most: MOST / size }),
    }
}

/// A number of seconds in a longer text, 0 to [`MOST`].
pub fn number(text: &str) -> IResult<&str, f64> {
    let number = map_opt(recognize_float, |digits: &str| digits.parse::<f64>().ok());
    verify(number, |time| (0.0..=MOST).contains(time)).parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(parse("1e2", 0.0), Ok(Duration::from_secs(100)));
        assert_eq!(parse_minutes("1.5", 0.0), Ok(Duration::from_secs(90)));
        for text in ["", "x", "-1", "nan", "inf", "1e9", "1 ", "1s"] {
            let error = parse(text, 0.0).unwrap_err().to_string();
            assert!(error.contains(&format!("{} to {MOST}", 0)) && error.contains(&quote(text)), "{error}");
            assert!(parse_minutes(text, 0.0).is_err(), "{text}");
        }
    }
}
