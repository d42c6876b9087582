//! Commands in comments: `[%clk 0:42:10]`, `[%eval -0.25]`.

use crate::board::Color;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_until, take_while1};
use nom::character::complete::{char, digit1, i32, multispace0, one_of};
use nom::combinator::{all_consuming, map, opt, recognize, verify};
use nom::multi::many_m_n;
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};
use std::fmt;
use std::time::Duration;

/// Something that a comment tells to programs.
#[derive(Clone, PartialEq, Debug)]
pub enum PdnCommand {
    /// `clk`: remaining time.
    Remaining(Duration),
    /// `mct`: elapsed time on a mechanical clock.
    MechanicalClock(Duration),
    /// `emt`: time used for this move.
    MoveTime(Duration),
    /// `egt`: time used in this game.
    GameTime(Duration),
    /// `clock`: one or two clocks.
    Clocks(Vec<ClockReading>),
    /// `eval`: what a program thought of the position.
    Evaluation(PdnEvaluation),
    /// Any other command, or a value that was not understood.
    Other {
        /// The name behind the `%`.
        name: String,
        /// The rest.
        value: String,
    },
}

/// One of the clocks of a `clock` command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockReading {
    /// Whose clock it is, if the text says so.
    pub color: Option<Color>,
    /// Whether it is running.
    pub running: bool,
    /// The time it shows.
    pub time: Duration,
}

/// The value of an `eval` command, from White's view.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum PdnEvaluation {
    /// Men ahead.
    Men(f64),
    /// White wins in this many moves; negative if Black does.
    WinIn(i32),
}

impl PdnEvaluation {
    /// The value of the position behind a move of `mover`, from what a search said before that move, from the mover's view: men
    /// ahead and, if the end is known, the plies to it. None where the move ends the game.
    ///
    /// ```
    /// use kroon::{board::Color, notation::pdn::PdnEvaluation};
    /// let after = |plies| PdnEvaluation::after_move(Color::Black, 90.0, Some(plies)).map(|value| value.to_string());
    /// assert_eq!(after(3), Some("#-1".to_owned()), "of his two moves one is played");
    /// assert_eq!(after(1), None);
    /// ```
    pub fn after_move(mover: Color, men: f64, plies_to_end: Option<u32>) -> Option<PdnEvaluation> {
        let sign = if mover == Color::White { 1.0 } else { -1.0 };
        let Some(plies) = plies_to_end else { return Some(PdnEvaluation::Men(sign * men)) };
        let left = plies.checked_sub(1).filter(|&left| left > 0)?;
        // The opponent moves next. Where the side without moves wins, the loser may make the last move.
        let moves = if men > 0.0 { left / 2 } else { left.div_ceil(2) }.max(1) as i32;
        Some(PdnEvaluation::WinIn(if sign * men > 0.0 { moves } else { -moves }))
    }
}

impl fmt::Display for PdnEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // A negative zero would show its sign.
            PdnEvaluation::Men(men) => write!(f, "{:.2}", men + 0.0),
            PdnEvaluation::WinIn(moves) => write!(f, "#{moves}"),
        }
    }
}

/// Splits a comment into its commands and the text around them.
///
/// ```
/// use kroon::notation::pdn::{PdnCommand, PdnEvaluation, commands};
/// let (found, text) = commands("strong [%eval 0.17] [%clock w0:01:20 B0:01:25]");
/// assert_eq!(text, "strong");
/// assert_eq!(found[0], PdnCommand::Evaluation(PdnEvaluation::Men(0.17)));
/// let PdnCommand::Clocks(clocks) = &found[1] else { panic!() };
/// assert_eq!((clocks[1].time.as_secs(), clocks[1].running), (85, true));
/// ```
pub fn commands(comment: &str) -> (Vec<PdnCommand>, String) {
    let mut found = Vec::new();
    let mut text = String::new();
    let mut rest = comment;
    while let Ok((bracket, before)) = take_until::<_, _, nom::error::Error<&str>>("[%").parse(rest) {
        text.push_str(before);
        match command(bracket) {
            Ok((after, command)) => {
                found.push(command);
                rest = after;
            }
            // No bracket closes this one, so none closes a later one.
            Err(_) => {
                rest = bracket;
                break;
            }
        }
    }
    text.push_str(rest);
    (found, text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn command(text: &str) -> IResult<&str, PdnCommand> {
    let name = preceded(tag("[%"), recognize(opt(take_while1(|c: char| c.is_alphanumeric() || c == '_'))));
    let content = (name, take_till(|c| c == ']'), char(']'));
    map(content, |(name, value, _): (&str, &str, _)| typed(name, value.trim())).parse(text)
}

fn typed(name: &str, value: &str) -> PdnCommand {
    let duration = || complete(time, value);
    let typed = match name.to_ascii_lowercase().as_str() {
        "clk" => duration().map(PdnCommand::Remaining),
        "mct" => duration().map(PdnCommand::MechanicalClock),
        "emt" => duration().map(PdnCommand::MoveTime),
        "egt" => duration().map(PdnCommand::GameTime),
        "clock" => complete(clocks, value).map(PdnCommand::Clocks),
        "eval" => complete(evaluation, value).map(PdnCommand::Evaluation),
        _ => None,
    };
    typed.unwrap_or_else(|| PdnCommand::Other { name: name.to_owned(), value: value.to_owned() })
}

fn complete<'a, T>(parser: fn(&'a str) -> IResult<&'a str, T>, text: &'a str) -> Option<T> {
    all_consuming(parser).parse(text).ok().map(|(_, parsed)| parsed)
}

/// `h:mm:ss`, `h:mm` or seconds; the seconds may have a fraction.
fn time(text: &str) -> IResult<&str, Duration> {
    let whole = |text| map(digit1, |digits: &str| digits.parse().unwrap_or(u64::MAX)).parse(text);
    let (rest, hours) = opt((whole, char(':'), whole, opt(char(':')))).parse(text)?;
    let (whole, seconds) = match hours {
        Some((hours, _, minutes, None)) => return Ok((rest, duration(hours, minutes, 0.0))),
        Some((hours, _, minutes, Some(_))) => ((hours, minutes), rest),
        None => ((0, 0), text),
    };
    let (rest, seconds) = decimal(seconds)?;
    Ok((rest, duration(whole.0, whole.1, seconds)))
}

/// Longest time that a clock command is taken to mean: a hundred days.
const LONGEST: Duration = Duration::from_secs(100 * 24 * 3600);

fn duration(hours: u64, minutes: u64, seconds: f64) -> Duration {
    let whole = Duration::from_secs(hours.saturating_mul(3600).saturating_add(minutes.saturating_mul(60)));
    let fraction = Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST);
    whole.saturating_add(fraction).min(LONGEST)
}

/// Digits with an optional fraction: no sign, no exponent, no "infinity".
fn decimal(text: &str) -> IResult<&str, f64> {
    let digits = recognize((opt(digit1), opt((one_of(".,"), digit1))));
    nom::combinator::map_res(verify(digits, |d: &str| !d.is_empty()), |digits: &str| {
        digits.replace(',', ".").parse::<f64>()
    })
    .parse(text)
}

fn clocks(text: &str) -> IResult<&str, Vec<ClockReading>> {
    many_m_n(1, 2, delimited(multispace0, clock, multispace0)).parse(text)
}

fn clock(text: &str) -> IResult<&str, ClockReading> {
    map((opt(one_of("wWbB")), time), |(letter, time)| ClockReading {
        color: letter.map(|letter| if matches!(letter, 'w' | 'W') { Color::White } else { Color::Black }),
        running: letter.is_some_and(|letter| letter.is_ascii_uppercase()),
        time,
    })
    .parse(text)
}

fn evaluation(text: &str) -> IResult<&str, PdnEvaluation> {
    let sign = map(opt(one_of("+-")), |sign| if sign == Some('-') { -1.0 } else { 1.0 });
    alt((
        map(preceded(char('#'), i32), PdnEvaluation::WinIn),
        map((sign, decimal), |(sign, men)| PdnEvaluation::Men(sign * men)),
    ))
    .parse(text)
}
