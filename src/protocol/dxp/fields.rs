//! Message fields that are more than a number: names, thinking times, chat.

use crate::notation::text::quote;
use nom::character::complete::{char, digit0, digit1};
use nom::combinator::{all_consuming, opt, recognize};
use nom::sequence::{preceded, separated_pair};
use nom::{IResult, Parser};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// The name of a program: 1 to 32 printable ASCII characters, no blank at either end.
///
/// ```
/// use kroon::protocol::dxp::fields::Name;
/// assert_eq!(Name::new(" Ståle's Engine ").as_str(), "St?le's Engine");
/// assert_eq!(Name::new("").as_str(), "?");
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Name(String);

impl Name {
    /// Characters of the field, and most of a name.
    pub const LENGTH: usize = 32;

    /// The name as the protocol can carry it: what is not printable ASCII becomes `?`, the rest is cut off.
    pub fn new(text: &str) -> Name {
        let printable = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
        let name: String = text.trim().chars().map(printable).take(Self::LENGTH).collect();
        let name = name.trim();
        Name(if name.is_empty() { "?".to_owned() } else { name.to_owned() })
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// The text of a CHAT: 1 to 126 characters with codes 1 to 127.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ChatText(String);

impl ChatText {
    /// Most characters.
    pub const LENGTH: usize = 126;

    /// The text, if it is one of the right length and characters.
    pub fn exact(text: &str) -> Option<ChatText> {
        let sound = (1..=Self::LENGTH).contains(&text.len()) && text.bytes().all(|b| (1..128).contains(&b));
        sound.then(|| ChatText(text.to_owned()))
    }

    /// A text for sending: what is not printable ASCII becomes `?`, the rest is cut off; `None` if it is blank.
    ///
    /// ```
    /// use kroon::protocol::dxp::fields::ChatText;
    /// assert_eq!(ChatText::new("good mörning").unwrap().to_string(), "good m?rning");
    /// assert_eq!(ChatText::new("  "), None);
    /// ```
    pub fn new(text: &str) -> Option<ChatText> {
        let printable = |c: char| if c.is_ascii_graphic() || c == ' ' { c } else { '?' };
        let text: String = text.trim().chars().map(printable).take(Self::LENGTH).collect();
        ChatText::exact(text.trim_end())
    }

    /// The text for a person: no control character reaches the terminal.
    pub fn shown(&self) -> String {
        self.0.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
    }
}

impl fmt::Display for ChatText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Time of each player for the whole game, as three characters can say it: whole minutes from 0 to 999, tenths of a
/// minute up to 9.9, hundredths below one minute. The specification knows whole minutes only; some programs read the
/// field as a real number.
///
/// ```
/// use kroon::protocol::dxp::fields::ThinkingTime;
/// use std::time::Duration;
/// assert_eq!(ThinkingTime::from_minutes(0.5).unwrap().duration(), Some(Duration::from_secs(30)));
/// assert_eq!(ThinkingTime::from_minutes(90.0).unwrap().to_string(), "090");
/// assert!(ThinkingTime::from_minutes(12.5).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct ThinkingTime {
    /// Of a minute.
    hundredths: u32,
}

/// A thinking time that the protocol cannot say.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("thinking time {0}, expected minutes: 0 to 999, or 0.01 to 0.99, or 1.1 to 9.9")]
pub struct TimeError(String);

impl ThinkingTime {
    /// This many minutes, 0 for no clock.
    ///
    /// # Errors
    /// When the field cannot express that.
    pub fn from_minutes(minutes: f64) -> Result<ThinkingTime, TimeError> {
        let hundredths = minutes * 100.0;
        let whole = hundredths.round();
        let error = || TimeError(quote(&minutes.to_string()));
        if !(0.0..=99_900.0).contains(&whole) || (hundredths - whole).abs() > 1e-6 {
            return Err(error());
        }
        // In range: checked above.
        let hundredths = whole as u32;
        let step = match hundredths {
            0..=99 => 1,
            100..=999 => 10,
            _ => 100,
        };
        if hundredths.is_multiple_of(step) { Ok(ThinkingTime { hundredths }) } else { Err(error()) }
    }

    /// Reads the field of a GAMEREQ: three characters, whole or real minutes, blanks around them allowed.
    ///
    /// # Errors
    /// When it is no number of minutes.
    pub fn from_field(text: &str) -> Result<ThinkingTime, TimeError> {
        let error = || TimeError(quote(text));
        let number = text.trim();
        if all_consuming(minutes).parse(number).is_err() {
            return Err(error());
        }
        ThinkingTime::from_minutes(number.parse().map_err(|_| error())?)
    }

    /// Whether this is no whole number of minutes, which not every program can read.
    pub fn is_fraction(self) -> bool {
        !self.hundredths.is_multiple_of(100)
    }

    /// The time; `None` when there is no clock (`000`).
    pub fn duration(self) -> Option<Duration> {
        (self.hundredths > 0).then(|| Duration::from_millis(u64::from(self.hundredths) * 600))
    }
}

/// `90`, `0.5`, `.10`, `9.`
fn minutes(text: &str) -> IResult<&str, &str> {
    let real = recognize(separated_pair(digit0, char('.'), digit1));
    let whole = recognize((digit1, opt(preceded(char('.'), digit0))));
    nom::branch::alt((real, whole)).parse(text)
}

impl FromStr for ThinkingTime {
    type Err = TimeError;

    /// Reads minutes as a person writes them.
    fn from_str(text: &str) -> Result<ThinkingTime, TimeError> {
        let minutes = text.trim().parse().map_err(|_| TimeError(quote(text)))?;
        ThinkingTime::from_minutes(minutes)
    }
}

impl fmt::Display for ThinkingTime {
    /// The three characters of the field.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.hundredths / 100, self.hundredths % 100);
        match part {
            0 => write!(f, "{whole:03}"),
            part if part % 10 == 0 => write!(f, "{whole}.{}", part / 10),
            part => write!(f, ".{part:02}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_times_come_back() {
        for hundredths in (0..100).chain((100..1000).step_by(10)).chain((1000..=99_900).step_by(100)) {
            let time = ThinkingTime::from_minutes(f64::from(hundredths) / 100.0).unwrap();
            let field = time.to_string();
            assert_eq!(field.len(), 3, "{field}");
            assert_eq!(ThinkingTime::from_field(&field), Ok(time));
            assert_eq!(time.is_fraction(), field.contains('.'));
        }
    }

    #[test]
    fn fields_of_other_programs() {
        let seconds =
            |field| ThinkingTime::from_field(field).map(|time| time.duration().map(|d| d.as_secs()));
        for (field, expected) in [("000", None), (" 10", Some(600)), ("0.5", Some(30)), (".10", Some(6))] {
            assert_eq!(seconds(field), Ok(expected), "{field}");
        }
        for field in ["   ", "1e2", "-01", "inf", "NaN", "0x1", "1 2", ".", "..5", "5 m"] {
            assert!(seconds(field).is_err(), "{field}");
        }
        for text in ["-1", "1000", "0.001", "9.99", "12.5", "inf", "NaN", ""] {
            assert!(text.parse::<ThinkingTime>().unwrap_err().to_string().contains("0 to 999"), "{text}");
        }
    }

    #[test]
    fn chat_keeps_terminals_safe() {
        let text = ChatText::exact("\u{1b}[2Jhi\r").unwrap();
        assert_eq!(text.shown(), " [2Jhi ");
        assert_eq!(text.to_string().len(), 7);
        assert_eq!(ChatText::new(&"x".repeat(200)).unwrap().to_string().len(), 126);
    }
}
