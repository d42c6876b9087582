//! Numbers as people and other programs write them: `180.000`, `180,000` (a decimal comma from a locale), `1e-05`, negatives.

use super::quote;
use nom::branch::alt;
use nom::character::complete::{char, digit1, one_of};
use nom::combinator::{all_consuming, opt, recognize};
use nom::{IResult, Parser};
use thiserror::Error;

/// Why a text is no number of the wanted kind.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum NumberError {
    /// Not a number at all.
    #[error("{0} is not a number")]
    NotANumber(String),
    /// Outside the range.
    #[error("{text} is out of range, expected {min} to {max}")]
    OutOfRange {
        /// What was read, quoted.
        text: String,
        /// Smallest accepted value, as a whole number where only those are: the largest have no equal among the reals.
        min: String,
        /// Largest accepted value.
        max: String,
    },
}

/// Reads a real number of at most `max` in absolute value.
///
/// ```
/// use kroon::words::number::real;
/// assert_eq!(real("180,5", 1e9), Ok(180.5));
/// assert_eq!(real("1e-05", 1e9), Ok(0.00001));
/// assert!(real("nan", 1e9).is_err() && real("1e10", 1e9).is_err());
/// ```
///
/// # Errors
/// When the text is no number (`inf` and `nan` are none here) or is too large.
pub fn real(text: &str, max: f64) -> Result<f64, NumberError> {
    let not_a_number = || NumberError::NotANumber(quote(text));
    all_consuming(form).parse(text).map_err(|_| not_a_number())?;
    let value: f64 = text.replace(',', ".").parse().map_err(|_| not_a_number())?;
    if value.abs() <= max {
        Ok(value)
    } else {
        Err(NumberError::OutOfRange { text: quote(text), min: (-max).to_string(), max: max.to_string() })
    }
}

/// Reads a whole number from `min` to `max`; a fraction is cut off, for some clients write every number as a real.
///
/// # Errors
/// When the text is no number or is out of range.
pub fn integer(text: &str, min: i64, max: i64) -> Result<i64, NumberError> {
    let exact = all_consuming(recognize((opt(char::<&str, nom::error::Error<&str>>('-')), digit1)));
    let out = || NumberError::OutOfRange { text: quote(text), min: min.to_string(), max: max.to_string() };
    let value = match { exact }.parse(text) {
        // Of more digits than these only the sign matters.
        Ok(_) => text.parse().unwrap_or(if text.starts_with('-') { i64::MIN } else { i64::MAX }),
        // All whole numbers up to 2^53 are exact in a real; beyond, the nearest that there is.
        Err(_) => real(text, f64::MAX)
            .map_err(|error| if matches!(error, NumberError::OutOfRange { .. }) { out() } else { error })?
            as i64,
    };
    if (min..=max).contains(&value) { Ok(value) } else { Err(out()) }
}

fn form(text: &str) -> IResult<&str, &str> {
    let point = || one_of(".,");
    let mantissa = alt((recognize((digit1, opt((point(), opt(digit1))))), recognize((point(), digit1))));
    let exponent = opt((one_of("eE"), opt(one_of("+-")), digit1));
    recognize((opt(one_of("+-")), mantissa, exponent)).parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_that_clients_send() {
        for (text, value) in [
            ("180.000", 180.0),
            ("180,000", 180.0),
            ("60", 60.0),
            ("1e-05", 1e-5),
            ("-1", -1.0),
            ("-0.5E+1", -5.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("+2", 2.0),
            ("0.0", 0.0),
        ] {
            assert_eq!(real(text, 1e9), Ok(value), "{text}");
        }
    }

    #[test]
    fn no_numbers() {
        for text in [
            "",
            " ",
            "-",
            "abc",
            "nan",
            "NaN",
            "inf",
            "-inf",
            "infinity",
            "1e",
            "1.2.3",
            "1,000,000",
            "0x10",
            "1 2",
            "٣",
        ] {
            assert_eq!(real(text, 1e9), Err(NumberError::NotANumber(quote(text))), "{text}");
            assert_eq!(integer(text, 0, 9), Err(NumberError::NotANumber(quote(text))), "{text}");
        }
        for text in ["1e10", "-1e10", "1e999", "99999999999999999999999"] {
            assert!(matches!(real(text, 1e9), Err(NumberError::OutOfRange { .. })), "{text}");
        }
    }

    #[test]
    fn whole_numbers() {
        assert_eq!(integer("12", 1, 64), Ok(12));
        assert_eq!(integer("12.0", 1, 64), Ok(12));
        assert_eq!(integer("1e6", 1, 10_000_000), Ok(1_000_000));
        assert_eq!(integer("9223372036854775807", 0, i64::MAX), Ok(i64::MAX));
        assert_eq!(integer("9223372036854775808", 0, i64::MAX), Ok(i64::MAX));
        assert_eq!(integer("-1e17", i64::MIN, 64), Ok(-100_000_000_000_000_000));
        for text in ["0", "65", "-3", "1e300", "9223372036854775808", "99999999999999999999999"] {
            let error = integer(text, 1, 64).unwrap_err();
            assert_eq!(error.to_string(), format!("\"{text}\" is out of range, expected 1 to 64"));
        }
        let error = integer("9223372036854775807", 0, i64::MAX - 1).unwrap_err();
        assert!(error.to_string().ends_with("expected 0 to 9223372036854775806"), "{error}");
    }
}
