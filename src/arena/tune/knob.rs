//! A number to be tuned as the user describes it: `probcut-margin`, `probcut-margin=90`, `lmr-first=2,1,6,1`.

use super::spsa::Axis;
use crate::notation::text::quote;
use crate::rules::VariantId;
use crate::search::alphabeta::{Knob, Tuning};
use nom::bytes::complete::take_while1;
use nom::character::complete::{char, i32};
use nom::combinator::{all_consuming, map_opt, opt};
use nom::number::complete::recognize_float;
use nom::sequence::preceded;
use nom::{IResult, Parser};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A number of the search, where its tuning begins, and how far it may go.
///
/// ```
/// use kroon::arena::tune::knob::TunedKnob;
/// let knob: TunedKnob = "probcut-margin=90,50,200,15".parse().unwrap();
/// assert_eq!(knob.to_string(), "probcut-margin=90,50,200,15");
/// assert!("colour".parse::<TunedKnob>().unwrap_err().to_string().contains("probcut-margin"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TunedKnob {
    /// The number.
    pub knob: &'static Knob,
    /// Its first value.
    pub start: f64,
    /// Range and step.
    pub axis: Axis,
}

/// Why a text describes no number to be tuned.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum KnobError {
    /// Not the form.
    #[error("knob {0}: expected NAME, NAME=START or NAME=START,MIN,MAX,STEP")]
    Syntax(String),
    /// No such number.
    #[error("knob {name}: expected one of {}", names())]
    Unknown {
        /// The name, quoted.
        name: String,
    },
    /// A value out of range.
    #[error("knob {name}: {what} {value}, expected {least} to {most}")]
    Range {
        /// The number.
        name: &'static str,
        /// Which value.
        what: &'static str,
        /// The value.
        value: f64,
        /// Least value.
        least: f64,
        /// Largest value.
        most: f64,
    },
}

fn names() -> String {
    Tuning::KNOBS.iter().map(|knob| knob.name).collect::<Vec<_>>().join(", ")
}

/// A step cannot be smaller: nothing whole would change.
const LEAST_STEP: f64 = 0.1;

impl TunedKnob {
    /// A number with the range and step that its declaration has, from its default.
    pub fn declared(knob: &'static Knob) -> TunedKnob {
        let axis = Axis { min: knob.min, max: knob.max, step: knob.step.into() };
        TunedKnob { knob, start: (knob.get)(&Tuning::default()).into(), axis }
    }

    /// The numbers that are tuned in a variant unless the user chooses: those of which a change by one is hardly felt. The
    /// others (depths, counts) leap from one value to the next.
    pub fn smooth(variant: VariantId) -> Vec<TunedKnob> {
        let is_smooth = |knob: &&Knob| knob.step > 1 && knob.counts_in(variant);
        Tuning::KNOBS.iter().filter(is_smooth).map(TunedKnob::declared).collect()
    }

    /// The parameter of an engine that sets it.
    pub fn parameter(&self) -> String {
        format!("tune.{}", self.knob.name)
    }

    fn check(&self, what: &'static str, value: f64, least: f64, most: f64) -> Result<(), KnobError> {
        let name = self.knob.name;
        if (least..=most).contains(&value) {
            Ok(())
        } else {
            Err(KnobError::Range { name, what, value, least, most })
        }
    }
}

impl FromStr for TunedKnob {
    type Err = KnobError;

    fn from_str(text: &str) -> Result<TunedKnob, KnobError> {
        let (_, (name, values)) =
            all_consuming(described).parse(text).map_err(|_| KnobError::Syntax(quote(text)))?;
        let knob = Tuning::KNOBS.iter().find(|knob| knob.name == name);
        let knob = knob.ok_or_else(|| KnobError::Unknown { name: quote(name) })?;
        let mut tuned = TunedKnob::declared(knob);
        let Some((start, range)) = values else { return Ok(tuned) };
        let (least, most) = (f64::from(knob.min), f64::from(knob.max));
        if let Some((min, max, step)) = range {
            tuned.check("MIN", min.into(), least, most - 1.0)?;
            tuned.check("MAX", max.into(), f64::from(min) + 1.0, most)?;
            tuned.check("STEP", step, LEAST_STEP, f64::from(max) - f64::from(min))?;
            tuned.axis = Axis { min, max, step };
        }
        tuned.check("START", start, tuned.axis.min.into(), tuned.axis.max.into())?;
        tuned.start = start;
        Ok(tuned)
    }
}

type Values = (f64, Option<(i32, i32, f64)>);

fn described(text: &str) -> IResult<&str, (&str, Option<Values>)> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric() || c == '-');
    let range = (preceded(char(','), i32), preceded(char(','), i32), preceded(char(','), real));
    (name, opt(preceded(char('='), (real, opt(range))))).parse(text)
}

fn real(text: &str) -> IResult<&str, f64> {
    map_opt(recognize_float, |digits: &str| digits.parse().ok().filter(|number: &f64| number.is_finite()))
        .parse(text)
}

impl fmt::Display for TunedKnob {
    /// The description with nothing left out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Axis { min, max, step } = self.axis;
        write!(f, "{}={},{min},{max},{step}", self.knob.name, self.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        text.parse::<TunedKnob>().unwrap_err().to_string()
    }

    #[test]
    fn what_is_left_out_is_as_declared() {
        for knob in Tuning::KNOBS {
            let tuned: TunedKnob = knob.name.parse().unwrap();
            assert_eq!((tuned.axis.min, tuned.axis.max), (knob.min, knob.max));
            assert_eq!(tuned.to_string().parse::<TunedKnob>().unwrap().to_string(), tuned.to_string());
        }
        let tuned: TunedKnob = "probcut-base=-2.5".parse().unwrap();
        assert_eq!((tuned.start, tuned.parameter()), (-2.5, "tune.probcut-base".to_owned()));
        let [losing, english] = [VariantId::Losing, VariantId::English].map(TunedKnob::smooth);
        assert!(losing.iter().all(|tuned| tuned.axis.step > 1.0));
        // Offers are for losing draughts alone.
        let has_offers = |tuned: &[TunedKnob]| tuned.iter().any(|tuned| tuned.knob.name == "offer-bonus");
        assert!(has_offers(&losing) && !has_offers(&english) && !english.is_empty());
    }

    #[test]
    fn faults_are_named() {
        assert!(fault("colour=3").contains("\"colour\"") && fault("colour=3").contains("aspiration-width"));
        for text in
            ["", "=", "lmr-first=", "lmr-first=x", "lmr-first=2,1", "lmr-first=2,1,6,1,", "lmr-first=1e999"]
        {
            assert!(fault(text).contains(&quote(text)) && fault(text).contains("NAME=START"), "{text}");
        }
        assert!(fault("lmr-first=11").contains("START 11, expected 1 to 10"));
        assert!(fault("lmr-first=7,1,6,1").contains("START 7, expected 1 to 6"));
        assert!(fault("lmr-first=2,0,6,1").contains("MIN 0, expected 1 to 9"));
        assert!(fault("lmr-first=2,3,3,1").contains("MAX 3, expected 4 to 10"));
        assert!(fault("lmr-first=2,1,6,0").contains("STEP 0, expected 0.1 to 5"));
        assert!(fault("lmr-first=2,1,6,-1").contains("STEP -1"));
    }
}
