//! The tokens of PDN, longest match first. Works on the whole text, because real files break lines anywhere.

use crate::notation::moves::{MoveText, move_text};
use crate::notation::text::DASHES;
use nom::branch::alt;
use nom::bytes::complete::{is_a, is_not, tag, tag_no_case, take_till, take_while};
use nom::character::complete::{
    anychar, char, digit1, multispace0, none_of, one_of, satisfy, space0, space1,
};
use nom::combinator::{map, not, opt, peek, recognize, rest, value, verify};
use nom::multi::{fold_many0, many0, many1};
use nom::sequence::{delimited, pair, preceded, terminated};
use nom::{IResult, Parser};

/// One word.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Token<'a> {
    /// `[Name "value"]`; `closed` is false if the quote or bracket is missing.
    Tag { name: &'a str, value: String, closed: bool },
    /// `{...}`, or `;` to the end of the line.
    Comment { text: &'a str, closed: bool },
    /// `/FEN "..."/`
    Setup(&'a str),
    /// `(`
    Open,
    /// `)`
    Close,
    /// `$7`
    Nag(u16),
    /// `*`, or a result of the standard families.
    Result(&'a str),
    /// A move with the signs glued to it.
    Move { text: MoveText, signs: Signs },
    /// Signs that stand alone, such as `!` or `(?)`.
    Signs(Signs),
    /// `12.`, or with `second`, `12...`: the other side moves next.
    Number { number: u32, second: bool },
    /// `...`
    Ellipsis,
    /// `- -`: a missing move.
    Missing,
    /// A dash alone before a move.
    Separator,
    /// Something to ignore: a line that starts with `%`, a wrapper such as `[pdn]`.
    Ignored,
    /// Anything else, one word of it.
    Unknown(&'a str),
}

impl Token<'_> {
    /// Whether it is kept as something of its own: a move, a comment or a glyph.
    pub(super) fn is_item(&self) -> bool {
        let is_action =
            matches!(self, Token::Move { .. } | Token::Missing | Token::Ellipsis | Token::Setup(_));
        is_action || matches!(self, Token::Comment { .. } | Token::Nag(_) | Token::Signs(_))
    }
}

/// What people say about a move with signs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Signs {
    /// `!` and `?`.
    pub strength: String,
    /// `*` glued to the move: it is forced.
    pub forced: bool,
}

/// The next word of `text`, which begins with no blank and is not empty.
pub(super) fn token(text: &str) -> IResult<&str, Token<'_>> {
    alt((
        alt((ignored, comment, tag_pair, setup)),
        map(signs1, Token::Signs),
        value(Token::Open, char('(')),
        value(Token::Close, char(')')),
        map(preceded(char('$'), digit1), |digits: &str| Token::Nag(digits.parse().unwrap_or(u16::MAX))),
        map(result, Token::Result),
        map(pair(move_text, signs0), |(text, signs)| Token::Move { text, signs }),
        number,
        value(Token::Ellipsis, alt((recognize(pair(tag(".."), take_while(|c| c == '.'))), tag("…")))),
        value(Token::Separator, terminated(dash, peek((space1, move_text)))),
        value(Token::Missing, (dash, space0, opt(dash))),
        map(word, Token::Unknown),
    ))
    .parse(text)
}

fn ignored(text: &str) -> IResult<&str, Token<'_>> {
    let wrapper = (char('['), opt(char('/')), alt((tag_no_case("pdn"), tag_no_case("pgn"))), char(']'));
    value(Token::Ignored, alt((recognize(wrapper), recognize((char('%'), take_till(is_line_end))))))
        .parse(text)
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

fn comment(text: &str) -> IResult<&str, Token<'_>> {
    let line = preceded(char(';'), take_till(is_line_end));
    let line = map(line, |text| Token::Comment { text, closed: true });
    alt((line, preceded(char('{'), braced))).parse(text)
}

/// A comment up to its `}`. If a line that looks like a tag comes first, the `}` was forgotten.
fn braced(text: &str) -> IResult<&str, Token<'_>> {
    let mut searched = 0;
    while let Some(found) = text[searched..].find(['}', '\n']) {
        let at = searched + found;
        if text[at..].starts_with('}') {
            return Ok((&text[at + 1..], Token::Comment { text: &text[..at], closed: true }));
        }
        searched = at + 1;
        if peek((char('['), space0, name, space1, char('"'))).parse(&text[searched..]).is_ok() {
            return Ok((&text[searched..], Token::Comment { text: &text[..at], closed: false }));
        }
    }
    map(rest, |text| Token::Comment { text, closed: false }).parse(text)
}

/// The name of a tag; foreign ones use foreign letters.
fn name(text: &str) -> IResult<&str, &str> {
    recognize(pair(
        satisfy(char::is_alphabetic),
        take_while(|c: char| c.is_alphanumeric() || matches!(c, '_' | '-')),
    ))
    .parse(text)
}

fn tag_pair(text: &str) -> IResult<&str, Token<'_>> {
    let closing = || (space0, char(']'));
    let closed = map(terminated(alt((quoted, unquoted)), closing()), |value| (value, true));
    let open = map(preceded(opt(char('"')), take_till(is_line_end)), |text: &str| {
        (text.trim_end().trim_end_matches(']').trim_end_matches('"').to_owned(), false)
    });
    let (rest, name) = delimited((char('['), space0), name, space0).parse(text)?;
    let (rest, (value, closed)) = alt((closed, open)).parse(rest)?;
    Ok((rest, Token::Tag { name, value: value.trim().to_owned(), closed }))
}

/// A quote inside the value should be escaped; one that no `]` follows cannot be the closing one, though.
fn quoted(text: &str) -> IResult<&str, String> {
    let escaped = preceded(char('\\'), one_of("\"\\"));
    let inner_quote = terminated(char('"'), not((space0, char(']'))));
    let piece = alt((escaped, inner_quote, none_of("\"\r\n")));
    let pieces = fold_many0(piece, String::new, |mut value, c| {
        value.push(c);
        value
    });
    delimited(char('"'), pieces, char('"')).parse(text)
}

fn unquoted(text: &str) -> IResult<&str, String> {
    map(recognize(opt(preceded(not(char('"')), is_not("]\r\n")))), str::to_owned).parse(text)
}

fn setup(text: &str) -> IResult<&str, Token<'_>> {
    let opening = (char('/'), multispace0, tag_no_case("FEN"), multispace0, char('"'));
    let fen = recognize(opt(is_not("\"\r\n")));
    map(delimited(opening, fen, (char('"'), multispace0, char('/'))), Token::Setup).parse(text)
}

/// `!?`, `(?)`, `*`, `□` right behind a move.
fn signs0(text: &str) -> IResult<&str, Signs> {
    signs(many0(alt((sign, value(Sign::Forced, char('*'))))), text)
}

/// The same on their own, where a `*` would be a result.
fn signs1(text: &str) -> IResult<&str, Signs> {
    signs(many1(sign), text)
}

#[derive(Clone)]
enum Sign<'a> {
    Strength(&'a str),
    Forced,
}

fn sign(text: &str) -> IResult<&str, Sign<'_>> {
    let strength = || is_a("!?");
    alt((
        map(alt((strength(), delimited(char('('), strength(), char(')')))), Sign::Strength),
        value(Sign::Forced, alt((char('□'), char('⨀')))),
    ))
    .parse(text)
}

fn signs<'a, P>(mut parser: P, text: &'a str) -> IResult<&'a str, Signs>
where
    P: Parser<&'a str, Output = Vec<Sign<'a>>, Error = nom::error::Error<&'a str>>,
{
    let (rest, found) = parser.parse(text)?;
    let mut signs = Signs::default();
    for sign in found {
        match sign {
            Sign::Strength(strength) => signs.strength.push_str(strength),
            Sign::Forced => signs.forced = true,
        }
    }
    Ok((rest, signs))
}

fn dash(text: &str) -> IResult<&str, char> {
    one_of(DASHES).parse(text)
}

/// A result of the two standard families, or `*`.
fn result(text: &str) -> IResult<&str, &str> {
    let half = || alt((tag("1/2"), tag("½"), tag("0.5"), tag("0,5")));
    let halves = recognize((half(), space0, dash, space0, half()));
    let points = verify((one_of("012"), space0, dash, space0, one_of("012")), |&(first, _, _, _, second)| {
        matches!((first, second), ('2', '0') | ('1', '1') | ('0', '2') | ('1', '0') | ('0', '1') | ('0', '0'))
    });
    // "1-12" is no result, and neither is "1-1x12".
    let more = alt((dash, satisfy(|c| c.is_alphanumeric() || matches!(c, ':' | '/' | '×'))));
    alt((tag("*"), terminated(alt((halves, recognize(points))), not(more)))).parse(text)
}

/// Whether a text is a result and nothing else.
pub(super) fn is_result(text: &str) -> bool {
    result(text).is_ok_and(|(rest, _)| rest.is_empty())
}

fn number(text: &str) -> IResult<&str, Token<'_>> {
    map((digit1, alt((is_a("."), tag("…")))), |(digits, dots): (&str, &str)| Token::Number {
        number: digits.parse().unwrap_or(u32::MAX),
        second: dots.len() > 2,
    })
    .parse(text)
}

/// One character, and what follows up to a blank or something that could be a word of its own; a comma alone, for a move may
/// follow it.
fn word(text: &str) -> IResult<&str, &str> {
    let tail =
        take_while(|c: char| !c.is_whitespace() && !matches!(c, '{' | '}' | '[' | ']' | '(' | ')' | ';'));
    alt((tag(","), recognize(pair(anychar, tail)))).parse(text)
}
