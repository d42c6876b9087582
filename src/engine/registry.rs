//! Options that have a name and a value in text: one row each, from which every user interface follows.
//!
//! A row says what an option is called, what it does, which values it takes and where it is kept. The Hub protocol
//! declares its parameters from the rows, the command line makes its flags of them, and matches read `param.NAME`
//! with them. The rows of the engine are [`Options::ROWS`](super::Options::ROWS); a protocol or a player that has
//! settings of its own makes a list of rows over its own type.

use crate::words::number::{NumberError, integer, real};
use crate::words::{UnknownWord, quote};
use std::borrow::Cow;
use std::fmt;
use thiserror::Error;

/// One option of a type `S` of settings.
#[derive(Debug)]
pub struct OptionRow<S: 'static> {
    /// Its name in parameters (`NAME=VALUE`) and, with `--` before it, on the command line.
    pub name: &'static str,
    /// What it does, in one sentence without a full stop.
    pub help: &'static str,
    /// What stands for the value in a synopsis: `N`, `MB`, `S`.
    pub placeholder: &'static str,
    /// Who needs it.
    pub audience: OptionAudience,
    /// Which values it takes, and where they are kept.
    pub kind: OptionKind<S>,
}

/// Who needs an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionAudience {
    /// Every user.
    All,
    /// Who experiments with tree search: on the command line not in the short help.
    TreeSearch,
    /// Who chooses another player than the engine: on the command line not in the short help.
    Players,
    /// Nobody has to be told of it: another spelling, understood when it comes.
    Hidden,
}

/// The values of an option, how they are read from the settings and written to them.
///
/// What is written has been checked against range and list.
#[derive(Debug)]
pub enum OptionKind<S: 'static> {
    /// `true` or `false`.
    Bool {
        /// Reads it.
        get: fn(&S) -> bool,
        /// Writes it.
        set: fn(&mut S, bool),
    },
    /// A whole number.
    Int {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
        /// Reads it.
        get: fn(&S) -> i64,
        /// Writes it.
        set: fn(&mut S, i64),
    },
    /// A whole number, or [`DEFAULT`]: none is set.
    IntOrDefault {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
        /// Reads it; none is the default.
        get: fn(&S) -> Option<i64>,
        /// Writes it.
        set: fn(&mut S, Option<i64>),
    },
    /// A real number.
    Real {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// Reads it.
        get: fn(&S) -> f64,
        /// Writes it.
        set: fn(&mut S, f64),
    },
    /// A real number, or [`DEFAULT`]: what is best depends on other options.
    RealOrDefault {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// Reads it; none is the default.
        get: fn(&S) -> Option<f64>,
        /// Writes it.
        set: fn(&mut S, Option<f64>),
    },
    /// One of a few words.
    Word {
        /// The words.
        words: fn() -> Vec<&'static str>,
        /// Reads it.
        get: fn(&S) -> &'static str,
        /// Writes it; may know more spellings than it lists.
        set: fn(&mut S, &str) -> Result<(), UnknownWord>,
    },
    /// The path of a file, or none.
    File {
        /// The word for none; so is an empty text.
        none: &'static str,
        /// Reads it.
        get: fn(&S) -> Option<String>,
        /// Writes it.
        set: fn(&mut S, Option<&str>),
    },
}

/// The value of a [`OptionKind::IntOrDefault`] or [`OptionKind::RealOrDefault`] that is not set. An empty text means the same.
pub const DEFAULT: &str = "default";

/// The present value of an option. `Display` writes it so that [`OptionRow::set`] reads it.
#[derive(Clone, PartialEq, Debug)]
pub enum OptionValue {
    /// Of a [`OptionKind::Bool`].
    Bool(bool),
    /// Of a [`OptionKind::Int`].
    Int(i64),
    /// Of a [`OptionKind::Real`].
    Real(f64),
    /// Of the others.
    Text(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Bool(value) => value.fmt(f),
            OptionValue::Int(value) => value.fmt(f),
            OptionValue::Real(value) => value.fmt(f),
            OptionValue::Text(value) => value.fmt(f),
        }
    }
}

/// Why an option keeps its old value.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum OptionError {
    /// No option has this name.
    #[error("option {name}: expected one of {known}")]
    Unknown {
        /// The name, quoted.
        name: String,
        /// Those that there are.
        known: String,
    },
    /// No number, or one out of range.
    #[error("{name}: {fault}")]
    Number {
        /// The option.
        name: Cow<'static, str>,
        /// What is wrong.
        fault: NumberError,
    },
    /// Neither true nor false.
    #[error("{name}: {value} found, expected true or false")]
    Bool {
        /// The option.
        name: &'static str,
        /// What was found, quoted.
        value: String,
    },
    /// None of the words.
    #[error("{name}: {fault}")]
    Word {
        /// The option.
        name: &'static str,
        /// What is wrong.
        fault: UnknownWord,
    },
}

impl<S> OptionRow<S> {
    /// The present value.
    pub fn value(&self, settings: &S) -> OptionValue {
        match self.kind {
            OptionKind::Bool { get, .. } => OptionValue::Bool(get(settings)),
            OptionKind::Int { get, .. } => OptionValue::Int(get(settings)),
            OptionKind::Real { get, .. } => OptionValue::Real(get(settings)),
            OptionKind::IntOrDefault { get, .. } => {
                OptionValue::Text(get(settings).map_or(DEFAULT.to_owned(), |value| value.to_string()))
            }
            OptionKind::RealOrDefault { get, .. } => {
                OptionValue::Text(get(settings).map_or(DEFAULT.to_owned(), |value| value.to_string()))
            }
            OptionKind::Word { get, .. } => OptionValue::Text(get(settings).to_owned()),
            OptionKind::File { none, get, .. } => {
                OptionValue::Text(get(settings).unwrap_or_else(|| none.to_owned()))
            }
        }
    }

    /// Reads a value from text.
    ///
    /// # Errors
    /// When the text is no value of this option; the settings are unchanged.
    pub fn set(&self, settings: &mut S, text: &str) -> Result<(), OptionError> {
        let name = self.name;
        let number = |fault| OptionError::Number { name: name.into(), fault };
        match self.kind {
            OptionKind::Bool { set, .. } => match text.to_ascii_lowercase().as_str() {
                "true" => set(settings, true),
                "false" => set(settings, false),
                _ => return Err(OptionError::Bool { name, value: quote(text) }),
            },
            OptionKind::Int { min, max, set, .. } => set(settings, integer(text, min, max).map_err(number)?),
            OptionKind::IntOrDefault { set, .. } if text.is_empty() || text == DEFAULT => {
                set(settings, None);
            }
            OptionKind::IntOrDefault { min, max, set, .. } => {
                set(settings, Some(integer(text, min, max).map_err(number)?));
            }
            OptionKind::Real { min, max, set, .. } => {
                set(settings, real_between(text, min, max).map_err(number)?);
            }
            OptionKind::RealOrDefault { set, .. } if text.is_empty() || text == DEFAULT => {
                set(settings, None);
            }
            OptionKind::RealOrDefault { min, max, set, .. } => {
                set(settings, Some(real_between(text, min, max).map_err(number)?));
            }
            OptionKind::Word { set, .. } => {
                set(settings, text).map_err(|fault| OptionError::Word { name, fault })?;
            }
            OptionKind::File { none, set, .. } => {
                set(settings, (!text.is_empty() && text != none).then_some(text));
            }
        }
        Ok(())
    }
}

fn real_between(text: &str, min: f64, max: f64) -> Result<f64, NumberError> {
    let out = || NumberError::OutOfRange { text: quote(text), min: min.to_string(), max: max.to_string() };
    match real(text, max) {
        Ok(value) if value >= min => Ok(value),
        Ok(_) | Err(NumberError::OutOfRange { .. }) => Err(out()),
        Err(fault) => Err(fault),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, PartialEq, Debug, Default)]
    struct Kettle {
        lid: bool,
        cups: i64,
        heat: f64,
        slope: Option<f64>,
        recipe: Option<String>,
    }

    const fn row(name: &'static str, kind: OptionKind<Kettle>) -> OptionRow<Kettle> {
        OptionRow { name, help: "help", placeholder: "X", audience: OptionAudience::All, kind }
    }

    const ROWS: [OptionRow<Kettle>; 5] = [
        row("lid", OptionKind::Bool { get: |k| k.lid, set: |k, value| k.lid = value }),
        row("cups", OptionKind::Int { min: 1, max: 9, get: |k| k.cups, set: |k, value| k.cups = value }),
        row("heat", OptionKind::Real { min: 0.5, max: 2.0, get: |k| k.heat, set: |k, value| k.heat = value }),
        row(
            "slope",
            OptionKind::RealOrDefault {
                min: 0.0,
                max: 1.0,
                get: |k| k.slope,
                set: |k, value| k.slope = value,
            },
        ),
        row(
            "recipe",
            OptionKind::File {
                none: "none",
                get: |k| k.recipe.clone(),
                set: |k, path| k.recipe = path.map(str::to_owned),
            },
        ),
    ];

    #[test]
    fn values_there_and_back() {
        for (row, texts) in
            ROWS.iter().zip([&["true", "false"][..], &["3"], &["1.25"], &["0", "0.5", DEFAULT], &["a b.txt"]])
        {
            for text in texts {
                let mut kettle = Kettle::default();
                row.set(&mut kettle, text).unwrap();
                assert_eq!(row.value(&kettle).to_string(), *text);
            }
        }
    }

    #[test]
    fn nothing_and_zero_are_different() {
        let mut kettle = Kettle { slope: Some(0.5), recipe: Some("x".into()), ..Kettle::default() };
        ROWS[3].set(&mut kettle, "0").unwrap();
        assert_eq!(kettle.slope, Some(0.0));
        for text in ["", DEFAULT] {
            ROWS[3].set(&mut kettle, text).unwrap();
            assert_eq!(kettle.slope, None);
        }
        ROWS[4].set(&mut kettle, "none").unwrap();
        assert_eq!(kettle.recipe, None);
    }

    #[test]
    fn faults_name_option_value_and_range() {
        for (row, text, message) in [
            (&ROWS[0], "open", "lid: \"open\" found, expected true or false"),
            (&ROWS[1], "0", "cups: \"0\" is out of range, expected 1 to 9"),
            (&ROWS[2], "0.4", "heat: \"0.4\" is out of range, expected 0.5 to 2"),
            (&ROWS[2], "hot", "heat: \"hot\" is not a number"),
            (&ROWS[3], "-1", "slope: \"-1\" is out of range, expected 0 to 1"),
        ] {
            let mut kettle = Kettle::default();
            assert_eq!(row.set(&mut kettle, text).unwrap_err().to_string(), message);
            assert_eq!(kettle, Kettle::default());
        }
    }
}
