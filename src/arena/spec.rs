//! An engine as the user describes it: `cmd="scan hub" name=Scan proto=hub param.threads=2 nodes=10000`.

use super::noise::{Noise, NoiseError};
use super::time_control::{EngineLimits, TimeError};
use crate::engine::{Mode, Options};
use crate::notation::seconds;
use crate::notation::text::quote;
use crate::protocol::hub::scanner::scan;
use nom::branch::alt;
use nom::bytes::complete::{take_till, take_while1};
use nom::character::complete::{char, multispace0};
use nom::combinator::{all_consuming, map};
use nom::multi::{many0, many1};
use nom::sequence::{delimited, terminated};
use nom::{IResult, Parser};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;
use thiserror::Error;

/// How to talk with an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Protocol {
    /// A child process that speaks Hub on standard input and output.
    Hub,
    /// A program that speaks DXP over TCP.
    Dxp,
    /// A player of this program, in this process.
    Kroon,
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Protocol::Hub => "hub",
            Protocol::Dxp => "dxp",
            Protocol::Kroon => "kroon",
        })
    }
}

/// What is known about an engine before it is started.
///
/// ```
/// use kroon::arena::spec::{EngineSpec, Protocol};
/// let spec: EngineSpec = "cmd=\"./scan hub\" name=Scan param.book=false nodes=10000".parse().unwrap();
/// assert_eq!((spec.name.as_str(), spec.protocol), ("Scan", Protocol::Hub));
/// assert_eq!(spec.command, ["./scan", "hub"]);
/// assert_eq!(spec.limits.nodes, Some(10_000));
/// assert!("proto=uci".parse::<EngineSpec>().unwrap_err().to_string().contains("hub, dxp, kroon"));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct EngineSpec {
    /// Its name in tables and files.
    pub name: String,
    /// How to talk with it.
    pub protocol: Protocol,
    /// Program and arguments; empty if there is nothing to start.
    pub command: Vec<String>,
    /// Where it is started; none: where we are.
    pub folder: Option<PathBuf>,
    /// Where it listens or is told to listen, `host:port` (DXP).
    pub address: Option<String>,
    /// Which of our players (`kroon` only): none is the engine.
    pub player: Option<String>,
    /// Parameters to set, in order.
    pub params: Vec<(String, String)>,
    /// Its own limits; unlimited: those of the match.
    pub limits: EngineLimits,
    /// Its own time margin.
    pub margin: Option<Duration>,
    /// How often the referee plays a random move in place of its own.
    pub noise: Noise,
}

/// Why a text describes no engine.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    /// Not a list of `name=value`.
    #[error("engine {text}: {fault}")]
    Syntax {
        /// The text, quoted.
        text: String,
        /// What is wrong.
        fault: String,
    },
    /// A key that nobody knows.
    #[error("engine key {0}: expected one of {KEYS}")]
    Key(String),
    /// A key twice.
    #[error("engine key {0} is given twice")]
    Twice(String),
    /// A value that does not fit.
    #[error("engine key {key}: {fault}")]
    Value {
        /// The key.
        key: String,
        /// What is wrong.
        fault: String,
    },
    /// Something is missing, or does not go with the protocol.
    #[error("engine {text}: {fault}")]
    Unfit {
        /// The text, quoted.
        text: String,
        /// What does not fit.
        fault: &'static str,
    },
}

const KEYS: &str = "cmd, name, proto, dir, address, player and its settings (score=, iterations=, ...), param.NAME, tc, \
    move-time, depth, nodes, time-margin, noise";
/// Settings of a player begin with this among the options of the engine, and without it in a description.
const PLAYER_OPTION: &str = "player-";
const MOST_DEPTH: u64 = 1_000;

impl FromStr for EngineSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<EngineSpec, SpecError> {
        let syntax = |fault: String| SpecError::Syntax { text: quote(text), fault };
        // The grammar of the Hub protocol, behind a command word.
        let line = format!("engine {text}");
        let scanned = scan(&line).map_err(|error| syntax(error.to_string()))?;
        let args = scanned.map(|scanned| scanned.args).unwrap_or_default();
        let mut spec = EngineSpec {
            name: String::new(),
            protocol: Protocol::Hub,
            command: Vec::new(),
            folder: None,
            address: None,
            player: None,
            params: Vec::new(),
            limits: EngineLimits::default(),
            margin: None,
            noise: Noise::default(),
        };
        for (index, arg) in args.iter().enumerate() {
            if args[..index].iter().any(|before| before.name == arg.name) {
                return Err(SpecError::Twice(quote(arg.name)));
            }
            spec.set(arg.name, arg.value)?;
        }
        let has_settings = args.iter().any(|arg| is_setting(arg.name));
        spec.complete(has_settings).map_err(|fault| SpecError::Unfit { text: quote(text), fault })
    }
}

impl EngineSpec {
    fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let fault = |fault: String| SpecError::Value { key: key.to_owned(), fault };
        let time = |least: f64| seconds::parse(value, least).map_err(|error| fault(error.to_string()));
        if let Some(name) = key.strip_prefix("param.").filter(|name| !name.is_empty()) {
            self.params.push((name.to_owned(), value.to_owned()));
            return Ok(());
        }
        match key {
            "cmd" => self.command = split_command(value).ok_or_else(|| fault(bad_command(value)))?,
            "name" => self.name = value.trim().to_owned(),
            "proto" => {
                self.protocol = match value {
                    "hub" => Protocol::Hub,
                    "dxp" => Protocol::Dxp,
                    "kroon" => Protocol::Kroon,
                    _ => return Err(fault(format!("{}: expected hub, dxp, kroon", quote(value)))),
                }
            }
            "dir" => self.folder = Some(value.into()),
            "address" => self.address = Some(value.to_owned()),
            "player" => self.player = Some(value.to_owned()),
            "tc" => {
                self.limits.control =
                    Some(value.parse().map_err(|error: TimeError| fault(error.to_string()))?)
            }
            "move-time" => self.limits.move_time = Some(time(0.001)?),
            "noise" => self.noise = value.parse().map_err(|error: NoiseError| fault(error.to_string()))?,
            "time-margin" => self.margin = Some(time(0.0)?),
            "depth" => self.limits.depth = Some(whole(value, MOST_DEPTH).map_err(fault)? as u32),
            "nodes" => self.limits.nodes = Some(whole(value, u64::MAX).map_err(fault)?),
            // `score=f` says the same as `param.player-score=f`.
            _ => match player_option(key) {
                Some(row) => self.params.push((row.to_owned(), value.to_owned())),
                None => return Err(SpecError::Key(quote(key))),
            },
        }
        Ok(())
    }

    /// Whether it would think for ever without a limit: everybody but our players and levels.
    pub fn needs_limit(&self) -> bool {
        let player = self.player.iter().map(|name| ("player", name.as_str()));
        let params = self.params.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let mut options = Options::default();
        // What is wrong is told when the player is made.
        let is_known = player.chain(params).all(|(name, value)| options.set(name, value).is_ok());
        self.protocol != Protocol::Kroon || is_known && options.needs_limit(Mode::Think)
    }

    /// Fills in what follows from the rest, and finds what does not go together.
    fn complete(mut self, has_settings: bool) -> Result<EngineSpec, &'static str> {
        match self.protocol {
            Protocol::Hub if self.command.is_empty() => return Err("proto=hub needs cmd"),
            Protocol::Dxp if self.command.is_empty() && self.address.is_none() => {
                return Err("proto=dxp needs cmd, address or both");
            }
            Protocol::Kroon if !self.command.is_empty() => return Err("proto=kroon starts no cmd"),
            _ => (),
        }
        if (self.player.is_some() || has_settings) && self.protocol != Protocol::Kroon {
            return Err("only proto=kroon has a player and its settings");
        }
        if has_settings && self.player.is_none() {
            return Err("settings of a player (score=, iterations=, ...) without player=");
        }
        if self.address.is_some() && self.protocol != Protocol::Dxp {
            return Err("only proto=dxp has an address");
        }
        if self.limits.control.is_some() && self.limits.move_time.is_some() {
            return Err("tc and move-time exclude each other");
        }
        if self.name.is_empty() {
            let program = self.command.first().map(|path| path.rsplit(['/', '\\']).next().unwrap_or(path));
            let name = program.or(self.player.as_deref()).or(self.address.as_deref()).unwrap_or("kroon");
            self.name = name.to_owned();
        }
        Ok(self)
    }
}

impl fmt::Display for EngineSpec {
    /// Everything that can change how the engine plays, for comparing with an earlier command; not its limits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "name={} proto={}", self.name, self.protocol)?;
        self.command.iter().try_for_each(|word| write!(f, " {}", quote(word)))?;
        self.folder.iter().try_for_each(|folder| write!(f, " dir={}", folder.display()))?;
        self.address.iter().try_for_each(|address| write!(f, " address={address}"))?;
        self.player.iter().try_for_each(|player| write!(f, " player={player}"))?;
        self.params.iter().try_for_each(|(name, value)| write!(f, " param.{name}={}", quote(value)))?;
        if self.noise.is_none() { Ok(()) } else { write!(f, " noise={}", self.noise) }
    }
}

/// The option of the engine for a setting of a player.
fn player_option(key: &str) -> Option<&'static str> {
    let mut names = Options::ROWS.iter().map(|row| row.name);
    names.find(|name| name.strip_prefix(PLAYER_OPTION) == Some(key))
}

/// Whether a key is a setting of a player and nothing else: a depth is a limit, too.
fn is_setting(key: &str) -> bool {
    key != "depth" && player_option(key).is_some()
}

fn whole(text: &str, most: u64) -> Result<u64, String> {
    let number = text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    number
        .filter(|number| (1..=most).contains(number))
        .ok_or_else(|| format!("{}: expected a whole number, 1 to {most}", quote(text)))
}

fn bad_command(text: &str) -> String {
    format!(
        "{}: expected a program and its arguments; single quotes go around blanks and are closed",
        quote(text)
    )
}

/// Splits a command at blanks that are not inside single quotes; no shell is involved.
///
/// ```
/// use kroon::arena::spec::split_command;
/// assert_eq!(split_command("python3 'my engine.py' -x").unwrap(), ["python3", "my engine.py", "-x"]);
/// assert_eq!(split_command("'open"), None);
/// ```
pub fn split_command(text: &str) -> Option<Vec<String>> {
    let mut words = many0(terminated(command_word, multispace0));
    let parsed: IResult<&str, Vec<String>> = all_consuming(|text| {
        let (rest, _) = multispace0(text)?;
        words.parse(rest)
    })
    .parse(text);
    parsed.ok().map(|(_, words)| words).filter(|words| words.first().is_some_and(|word| !word.is_empty()))
}

fn command_word(text: &str) -> IResult<&str, String> {
    let quoted = delimited(char('\''), take_till(|c| c == '\''), char('\''));
    let plain = take_while1(|c: char| !c.is_whitespace() && c != '\'');
    map(many1(alt((quoted, plain))), |parts: Vec<&str>| parts.concat()).parse(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str) -> String {
        text.parse::<EngineSpec>().unwrap_err().to_string()
    }

    #[test]
    fn everything_at_once() {
        let text = "cmd=\"python3 'a b.py' hub\" name=\"A B\" proto=hub dir=/tmp param.threads=2 param.x=\"\" tc=60+0.6 time-margin=0 noise=0.05";
        let spec: EngineSpec = text.parse().unwrap();
        assert_eq!(spec.command, ["python3", "a b.py", "hub"]);
        assert_eq!(spec.params, [("threads".into(), "2".into()), ("x".into(), String::new())]);
        assert_eq!((spec.margin, spec.limits.to_string()), (Some(Duration::ZERO), "60+0.6".into()));
        assert_eq!(
            spec.to_string(),
            "name=A B proto=hub \"python3\" \"a b.py\" \"hub\" dir=/tmp param.threads=\"2\" param.x=\"\" noise=0.05"
        );
    }

    #[test]
    fn names_follow_from_the_rest() {
        let name = |text: &str| text.parse::<EngineSpec>().unwrap().name;
        assert_eq!(name("cmd=./bin/scan"), "scan");
        assert_eq!(name("proto=kroon"), "kroon");
        assert_eq!(name("proto=kroon player=random"), "random");
        assert_eq!(name("proto=dxp address=localhost:27531"), "localhost:27531");
    }

    #[test]
    fn faults_are_named() {
        assert!(fault("").contains("needs cmd"));
        assert!(fault("proto=kroon cmd=x").contains("starts no cmd"));
        assert!(fault("proto=dxp").contains("address or both"));
        assert!(
            fault("cmd=x colour=red").contains("\"colour\"")
                && fault("cmd=x colour=red").contains("param.NAME")
        );
        assert!(fault("cmd=x cmd=y").contains("twice"));
        assert!(fault("cmd=x depth=0").contains("1 to 1000"));
        assert!(fault("cmd=x nodes=1e6").contains("\"1e6\""));
        assert!(fault("cmd=x tc=soon").contains("\"soon\""));
        assert!(fault("cmd=x tc=60 move-time=1").contains("exclude"));
        assert!(fault("cmd=\"'x\"").contains("single quotes"));
        assert!(fault("cmd=\"\"").contains("expected a program"));
        assert!(fault("cmd=\"x").contains("unterminated quote"));
        assert!(fault("cmd=x player=random").contains("only proto=kroon"));
        assert!(fault("cmd=x score=f").contains("only proto=kroon"));
        assert!(fault("cmd=x noise=2").contains("noise: \"2\": expected a probability"));
        assert!(fault("cmd=x param.=3").contains("param.NAME"));
    }
}
