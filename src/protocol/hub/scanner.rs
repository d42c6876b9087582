//! Splits a line into its command word and arguments (Hub protocol, "Grammar").

use crate::notation::text::quote;
use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::char;
use nom::combinator::{map, opt};
use nom::multi::many0;
use nom::sequence::{delimited, preceded, terminated};
use nom::{IResult, Parser, branch::alt};
use thiserror::Error;

/// Longest line that is read, in bytes. The history of the longest possible game fits many times over.
pub const MAX_LINE: usize = 1 << 20;

/// Why a line has no command and arguments.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ScanError {
    /// Longer than [`MAX_LINE`].
    #[error("line of more than {MAX_LINE} bytes beginning {0} ignored")]
    TooLong(String),
    /// A quote without its partner.
    #[error("unterminated quote at {0}")]
    Quote(String),
    /// Something that is neither a name nor `name=value`.
    #[error("cannot read {0}, expected name=value or a flag")]
    Argument(String),
}

/// A command with its arguments; borrows from the line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scanned<'a> {
    /// The first word.
    pub command: &'a str,
    /// What follows.
    pub args: Vec<Arg<'a>>,
}

/// `name=value`, or a bare name (a flag), whose value is empty.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Arg<'a> {
    /// Left of the sign.
    pub name: &'a str,
    /// Right of the sign, without its quotes.
    pub value: &'a str,
}

impl<'a> Scanned<'a> {
    /// The value of the first argument with this name.
    pub fn value(&self, name: &str) -> Option<&'a str> {
        self.args.iter().find(|arg| arg.name == name).map(|arg| arg.value)
    }

    /// Whether an argument with this name is there.
    pub fn has(&self, name: &str) -> bool {
        self.args.iter().any(|arg| arg.name == name)
    }
}

/// Splits a line; `None` if it is blank.
///
/// ```
/// use kroon::protocol::hub::scanner::scan;
/// let line = scan("pos pos = Wbb moves=\"32-28 19-23\" fast").unwrap().unwrap();
/// assert_eq!(line.command, "pos");
/// assert_eq!(line.value("moves"), Some("32-28 19-23"));
/// assert!(line.has("fast"));
/// assert!(scan("level =3").is_err());
/// ```
///
/// # Errors
/// When the line is too long, a quote is not closed, or a part is neither a flag nor `name=value`.
pub fn scan(line: &str) -> Result<Option<Scanned<'_>>, ScanError> {
    if line.len() > MAX_LINE {
        return Err(ScanError::TooLong(quote(line)));
    }
    let line = line.trim_matches(is_blank);
    if line.is_empty() {
        return Ok(None);
    }
    let mut parser = (terminated(word, blanks), many0(terminated(argument, blanks)));
    match parser.parse(line) {
        Ok(("", (command, args))) => Ok(Some(Scanned { command, args })),
        Ok((rest, _)) => Err(fault(rest)),
        Err(_) => Err(fault(line)),
    }
}

/// What is wrong at the beginning of `rest`.
fn fault(rest: &str) -> ScanError {
    let quotes = rest.bytes().filter(|&byte| byte == b'"').count();
    if quotes % 2 == 1 { ScanError::Quote(quote(rest)) } else { ScanError::Argument(quote(rest)) }
}

fn is_blank(letter: char) -> bool {
    letter.is_whitespace()
}

fn is_id(letter: char) -> bool {
    !letter.is_control() && !letter.is_whitespace() && letter != '=' && letter != '"'
}

fn blanks(text: &str) -> IResult<&str, &str> {
    take_while(is_blank).parse(text)
}

fn word(text: &str) -> IResult<&str, &str> {
    take_while1(is_id).parse(text)
}

fn value(text: &str) -> IResult<&str, &str> {
    let quoted = delimited(char('"'), take_while(|letter| letter != '"'), char('"'));
    alt((quoted, word)).parse(text)
}

fn argument(text: &str) -> IResult<&str, Arg<'_>> {
    let sign = (blanks, char('='), blanks);
    map((word, opt(preceded(sign, nom::combinator::cut(value)))), |(name, value)| Arg {
        name,
        value: value.unwrap_or(""),
    })
    .parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Vec<(&str, &str)> {
        scan(line).unwrap().unwrap().args.into_iter().map(|arg| (arg.name, arg.value)).collect()
    }

    #[test]
    fn flags_values_and_quotes() {
        assert_eq!(scan("hub\r"), Ok(Some(Scanned { command: "hub", args: vec![] })));
        assert_eq!(args("go think"), [("think", "")]);
        assert_eq!(args("set-param name=variant value=normal"), [("name", "variant"), ("value", "normal")]);
        assert_eq!(
            args("id author=\"A. Author\" x=\"\" y = \"a=b\"z"),
            [("author", "A. Author"), ("x", ""), ("y", "a=b"), ("z", "")]
        );
        assert_eq!(args("  a \t b   =\u{a0}c  d=e "), [("b", "c"), ("d", "e")]);
        assert_eq!(args("a moves=32-28 19-23"), [("moves", "32-28"), ("19-23", "")]);
    }

    #[test]
    fn blank_lines() {
        for line in ["", " ", "\r", "\t \u{2003}\r\n"] {
            assert_eq!(scan(line), Ok(None));
        }
    }

    #[test]
    fn broken_lines() {
        let error = |line| scan(line).unwrap_err();
        assert_eq!(error("level =3"), ScanError::Argument(quote("=3")));
        assert_eq!(error("=3"), ScanError::Argument(quote("=3")));
        assert_eq!(error("level time="), ScanError::Argument(quote("level time=")));
        assert_eq!(error("level time==3"), ScanError::Argument(quote("level time==3")));
        assert_eq!(error("pos pos=\"Wbb"), ScanError::Quote(quote("pos pos=\"Wbb")));
        assert_eq!(error("pos \"Wbb\""), ScanError::Argument(quote("\"Wbb\"")));
        assert_eq!(error("\"hub\""), ScanError::Argument(quote("\"hub\"")));
        assert_eq!(error("hub \0"), ScanError::Argument(quote("\0")));
        let long = "x".repeat(MAX_LINE + 1);
        assert!(matches!(error(&long), ScanError::TooLong(_)));
        assert!(error(&long).to_string().len() < 200);
        assert!(scan(&long[1..]).is_ok());
    }
}
