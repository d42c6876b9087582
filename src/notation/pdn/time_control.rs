//! The `TimeControl` tag.

use super::PdnFault;
use crate::notation::text::quote;
use nom::branch::alt;
use nom::character::complete::{char, u32};
use nom::combinator::{all_consuming, map, value};
use nom::multi::separated_list1;
use nom::sequence::{preceded, separated_pair};
use nom::{IResult, Parser};
use std::fmt;
use std::str::FromStr;

/// How much time the players had (PDN 3.0). All times in seconds.
///
/// ```
/// use kroon::notation::pdn::{Period, TimeControlTag};
/// let control: TimeControlTag = "40/7200:3600".parse().unwrap();
/// let periods = [Period::Moves { moves: 40, seconds: 7200 }, Period::SuddenDeath { seconds: 3600 }];
/// assert_eq!(control, TimeControlTag::Periods(periods.to_vec()));
/// assert_eq!(control.to_string(), "40/7200:3600");
/// assert!("soon".parse::<TimeControlTag>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TimeControlTag {
    /// `?`: not known.
    Unknown,
    /// `-`: played without a clock.
    None,
    /// One period after another.
    Periods(Vec<Period>),
}

/// One period of a time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Period {
    /// `40/7200`: so many moves in so much time.
    Moves {
        /// Moves to make.
        moves: u32,
        /// Time for them.
        seconds: u32,
    },
    /// `4800+60`: time for the rest of the game, and more with every move.
    Increment {
        /// Time at the start.
        seconds: u32,
        /// Added for each move.
        increment: u32,
    },
    /// `3600`: time for the rest of the game.
    SuddenDeath {
        /// The time.
        seconds: u32,
    },
    /// `*120`: what one player uses, the other gets.
    SandClock {
        /// The time at the start.
        seconds: u32,
    },
}

impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Period::Moves { moves, seconds } => write!(f, "{moves}/{seconds}"),
            Period::Increment { seconds, increment } => write!(f, "{seconds}+{increment}"),
            Period::SuddenDeath { seconds } => write!(f, "{seconds}"),
            Period::SandClock { seconds } => write!(f, "*{seconds}"),
        }
    }
}

impl fmt::Display for TimeControlTag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControlTag::Unknown => f.write_str("?"),
            TimeControlTag::None => f.write_str("-"),
            TimeControlTag::Periods(periods) => {
                for (i, period) in periods.iter().enumerate() {
                    write!(f, "{}{period}", if i > 0 { ":" } else { "" })?;
                }
                Ok(())
            }
        }
    }
}

impl FromStr for TimeControlTag {
    type Err = PdnFault;

    fn from_str(text: &str) -> Result<TimeControlTag, PdnFault> {
        match all_consuming(time_control).parse(text.trim()) {
            Ok((_, control)) => Ok(control),
            Err(_) => Err(PdnFault::TimeControl(quote(text))),
        }
    }
}

fn time_control(text: &str) -> IResult<&str, TimeControlTag> {
    alt((
        value(TimeControlTag::Unknown, char('?')),
        value(TimeControlTag::None, char('-')),
        map(separated_list1(char(':'), period), TimeControlTag::Periods),
    ))
    .parse(text)
}

fn period(text: &str) -> IResult<&str, Period> {
    alt((
        map(separated_pair(u32, char('/'), u32), |(moves, seconds)| Period::Moves { moves, seconds }),
        map(separated_pair(u32, char('+'), u32), |(seconds, increment)| Period::Increment {
            seconds,
            increment,
        }),
        map(preceded(char('*'), u32), |seconds| Period::SandClock { seconds }),
        map(u32, |seconds| Period::SuddenDeath { seconds }),
    ))
    .parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back() {
        for text in ["?", "-", "40/7200", "4800+60", "3600", "*120", "40/7200:20/3600:900+30"] {
            assert_eq!(text.parse::<TimeControlTag>().expect(text).to_string(), text);
        }
        for text in ["", "40/", "99999999999", "3600:", "1:?", "+5", "5+-1"] {
            assert!(text.parse::<TimeControlTag>().is_err(), "{text}");
        }
    }
}
