//! Lines of a client, parsed into types. Unknown commands and arguments are no errors in the protocol; they are noted for
//! scripts, which are told of them.

use super::level::Level;
use super::number::NumberError;
use super::scanner::{Arg, ScanError, Scanned, scan};
use crate::engine::Mode;
use crate::notation::moves::MoveText;
use crate::words::quote;
use thiserror::Error;

/// A line that means something to us.
#[derive(Clone, PartialEq, Debug)]
pub enum HubCommand {
    /// Declare yourself.
    Hub,
    /// Get ready with the parameters as they are.
    Init,
    /// Set a parameter.
    SetParam {
        /// Its name, perhaps unknown.
        name: String,
        /// The new value as text.
        value: String,
    },
    /// Set the position.
    Position {
        /// The first position.
        root: Root,
        /// The moves from there, separated by blanks.
        moves: String,
    },
    /// A position that cannot be read: the one before is not meant any longer.
    NoPosition,
    /// Limit the next search.
    Level(Level),
    /// Search.
    Go(Mode),
    /// Search with the Monte-Carlo tree, whatever the parameter says (`go mcts`, an extension of GWD's).
    GoMcts(Mode),
    /// Finish the search.
    Stop,
    /// The expected move was played.
    PonderHit,
    /// Say `pong`.
    Ping,
    /// Forget the games so far.
    NewGame,
    /// Exit.
    Quit,
}

/// Where a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Root {
    /// The variant's initial position (`pos start`, an extension of Scan's).
    Start,
    /// The protocol's own position text.
    Hub(String),
    /// A FEN (`pos fen=".."`, our extension).
    Fen(String),
}

/// Why a line, or a part of it, was not understood.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum CommandError {
    /// Not even a command with arguments.
    #[error(transparent)]
    Scan(#[from] ScanError),
    /// An argument without which the command means nothing.
    #[error("{command} needs {needed}")]
    Missing {
        /// The command.
        command: &'static str,
        /// What it needs.
        needed: &'static str,
    },
    /// A command that we do not know.
    #[error("unknown command {0}")]
    UnknownCommand(String),
    /// An argument that the command does not have.
    #[error("unknown argument {argument} of {command}, expected one of: {known}")]
    UnknownArgument {
        /// The argument, quoted.
        argument: String,
        /// The command.
        command: String,
        /// What it has.
        known: String,
    },
    /// Two positions in one `pos`: the first of `pos=`, `fen=` and `start` counts.
    #[error("pos has two positions, {first} and {second}: {first} counts")]
    TwoPositions {
        /// The one that counts.
        first: &'static str,
        /// Another one.
        second: &'static str,
    },
    /// A value of the wrong kind.
    #[error("{name}: {fault}")]
    Number {
        /// The argument.
        name: &'static str,
        /// What is wrong.
        fault: NumberError,
    },
}

/// What came of a line: a command, an error, or (for `level`) both, since the sound limits of a line are kept.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ParsedLine {
    /// The command, if the line is one.
    pub command: Option<HubCommand>,
    /// The first fault, if there is one.
    pub error: Option<CommandError>,
    /// The first command or argument that we do not know, which a client means for others, or a second position.
    pub unknown: Option<CommandError>,
}

impl From<HubCommand> for ParsedLine {
    fn from(command: HubCommand) -> ParsedLine {
        ParsedLine { command: Some(command), ..ParsedLine::default() }
    }
}

impl From<CommandError> for ParsedLine {
    fn from(error: CommandError) -> ParsedLine {
        ParsedLine { error: Some(error), ..ParsedLine::default() }
    }
}

/// Commands and their arguments.
const KNOWN: &[(&str, &[&str])] = &[
    ("hub", &[]),
    ("init", &[]),
    ("set-param", &["name", "value"]),
    ("pos", &["pos", "fen", "start", "moves"]),
    ("level", Level::ARGUMENTS),
    ("go", &["think", "ponder", "analyze", "mcts"]),
    ("stop", &[]),
    ("ponder-hit", &[]),
    ("ping", &[]),
    ("new-game", &[]),
    ("quit", &[]),
];
/// What begins a comment in a script: at the beginning of a line or after a blank, not in quotes.
const COMMENT: char = '#';

/// The line up to its comment.
fn without_comment(line: &str) -> &str {
    let (mut is_quoted, mut after_blank) = (false, true);
    for (index, c) in line.char_indices() {
        if c == COMMENT && after_blank && !is_quoted {
            return &line[..index];
        }
        is_quoted ^= c == '"';
        after_blank = c.is_whitespace();
    }
    line
}

/// Whether a line that cannot be read begins with the command for a position.
fn is_position(line: &str) -> bool {
    let after = line.trim_start().strip_prefix("pos").map(|rest| rest.chars().next());
    after.is_some_and(|c| c.is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_'))
}

/// Reads a line. Never fails: blank lines and unknown commands give neither a command nor an error.
///
/// ```
/// use kroon::engine::Mode;
/// use kroon::protocol::hub::command::{HubCommand, ParsedLine, parse};
/// assert_eq!(parse("go analyze fast").command, Some(HubCommand::Go(Mode::Analyze)));
/// assert_eq!(parse("make tea").unknown.unwrap().to_string(), "unknown command \"make\"");
/// assert!(parse("level depth=deep").error.unwrap().to_string().contains("deep"));
/// ```
pub fn parse(line: &str) -> ParsedLine {
    let line = without_comment(line);
    let scanned = match scan(line) {
        Ok(Some(scanned)) => scanned,
        Ok(None) => return ParsedLine::default(),
        Err(error) => {
            return ParsedLine {
                command: is_position(line).then_some(HubCommand::NoPosition),
                ..CommandError::from(error).into()
            };
        }
    };
    let parsed = match scanned.command {
        "hub" => HubCommand::Hub.into(),
        "init" => HubCommand::Init.into(),
        "set-param" => set_param(&scanned),
        "pos" => position(&scanned),
        "level" => {
            let (level, error) = Level::read(&scanned);
            ParsedLine { command: Some(HubCommand::Level(level)), error, unknown: None }
        }
        "go" => go(&scanned),
        "stop" => HubCommand::Stop.into(),
        "ponder-hit" => HubCommand::PonderHit.into(),
        "ping" => HubCommand::Ping.into(),
        "new-game" => HubCommand::NewGame.into(),
        "quit" => HubCommand::Quit.into(),
        _ => ParsedLine::default(),
    };
    ParsedLine { unknown: unknown(&scanned), ..parsed }
}

/// The first part of a line that nobody here knows.
fn unknown(line: &Scanned<'_>) -> Option<CommandError> {
    let Some((command, known)) = KNOWN.iter().find(|(command, _)| *command == line.command) else {
        return Some(CommandError::UnknownCommand(quote(line.command)));
    };
    let is_open_history = |arg: &Arg<'_>| *command == "pos" && is_move(arg);
    let strange = line.args.iter().find(|arg| !known.contains(&arg.name) && !is_open_history(arg));
    let Some(arg) = strange else {
        let mut roots =
            ["pos", "fen", "start"].into_iter().filter(|root| *command == "pos" && line.has(root));
        let (first, second) = (roots.next()?, roots.next()?);
        return Some(CommandError::TwoPositions { first, second });
    };
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Some(CommandError::UnknownArgument { argument: quote(arg.name), command: (*command).to_owned(), known })
}

fn set_param(line: &Scanned<'_>) -> ParsedLine {
    match line.value("name") {
        Some(name) => {
            let value = line.value("value").unwrap_or("").to_owned();
            HubCommand::SetParam { name: name.to_owned(), value }.into()
        }
        None => CommandError::Missing { command: "set-param", needed: "name= and value=" }.into(),
    }
}

fn position(line: &Scanned<'_>) -> ParsedLine {
    let root = if let Some(text) = line.value("pos") {
        Root::Hub(text.to_owned())
    } else if let Some(text) = line.value("fen") {
        Root::Fen(text.to_owned())
    } else if line.has("start") {
        Root::Start
    } else {
        let error = CommandError::Missing { command: "pos", needed: "pos=, fen= or start" };
        return ParsedLine { command: Some(HubCommand::NoPosition), ..error.into() };
    };
    let mut moves = line.value("moves").unwrap_or("").to_owned();
    for arg in line.args.iter().filter(|arg| is_move(arg)) {
        moves.push(' ');
        moves.push_str(arg.name);
    }
    HubCommand::Position { root, moves }.into()
}

/// Whether an argument is a move of a history without quotes around it.
fn is_move(arg: &Arg<'_>) -> bool {
    arg.value.is_empty() && arg.name.parse::<MoveText>().is_ok()
}

fn go(line: &Scanned<'_>) -> ParsedLine {
    let known = line.args.iter().find_map(|arg| match arg.name {
        "think" => Some(Mode::Think),
        "ponder" => Some(Mode::Ponder),
        "analyze" => Some(Mode::Analyze),
        _ => None,
    });
    let mode = known.unwrap_or_default();
    let is_mcts = line.has("mcts") && line.value("mcts") != Some("false");
    if is_mcts { HubCommand::GoMcts(mode) } else { HubCommand::Go(mode) }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(line: &str) -> HubCommand {
        let parsed = parse(line);
        assert_eq!(parsed.error, None, "{line}");
        parsed.command.unwrap()
    }

    #[test]
    fn every_command() {
        assert_eq!(command("hub"), HubCommand::Hub);
        assert_eq!(command("init"), HubCommand::Init);
        assert_eq!(command("stop"), HubCommand::Stop);
        assert_eq!(command("ponder-hit"), HubCommand::PonderHit);
        assert_eq!(command("ping"), HubCommand::Ping);
        assert_eq!(command("new-game"), HubCommand::NewGame);
        assert_eq!(command("quit"), HubCommand::Quit);
        let set = |name: &str, value: &str| HubCommand::SetParam { name: name.into(), value: value.into() };
        assert_eq!(command("set-param name=threads value=2"), set("threads", "2"));
        assert_eq!(command("set-param value=\"a b\" name=book"), set("book", "a b"));
        assert_eq!(command("set-param name=book"), set("book", ""));
    }

    #[test]
    fn go_modes() {
        assert_eq!(command("go"), HubCommand::Go(Mode::Think));
        assert_eq!(command("go think"), HubCommand::Go(Mode::Think));
        assert_eq!(command("go ponder"), HubCommand::Go(Mode::Ponder));
        assert_eq!(command("go analyze"), HubCommand::Go(Mode::Analyze));
        assert_eq!(command("go mcts"), HubCommand::GoMcts(Mode::Think));
        assert_eq!(command("go mcts analyze"), HubCommand::GoMcts(Mode::Analyze));
        assert_eq!(command("go mcts=false"), HubCommand::Go(Mode::Think));
    }

    #[test]
    fn positions() {
        let position = |root, moves: &str| HubCommand::Position { root, moves: moves.into() };
        assert_eq!(command("pos start"), position(Root::Start, ""));
        assert_eq!(command("pos start moves=32-28"), position(Root::Start, "32-28"));
        let open = parse("pos start moves=32-28 19-23 28x19x23");
        assert_eq!(open, position(Root::Start, "32-28 19-23 28x19x23").into());
        assert_eq!(
            command("pos pos=Wbb moves=\"32-28 19-23\""),
            position(Root::Hub("Wbb".into()), "32-28 19-23")
        );
        assert_eq!(command("pos pos=Wbb wolf=\"W28=2 B3=1\""), position(Root::Hub("Wbb".into()), ""));
        assert_eq!(command("pos fen=\"W:W31-50:B1-20\""), position(Root::Fen("W:W31-50:B1-20".into()), ""));
    }

    #[test]
    fn unknown_and_incomplete() {
        for line in ["", "  ", "hello world", "HUB", "bad=3", "# a comment"] {
            assert_eq!(parse(line).command, None);
        }
        for line in ["", "# a comment", "#", " # a 10\" board", "# depth==8"] {
            assert_eq!(parse(line), ParsedLine::default());
        }
        assert_eq!(parse("level depth=2 # two plies"), parse("level depth=2"));
        assert_eq!(parse("set-param name=a value=\"b #c\""), parse("set-param name=a value=\"b #c\" # d"));
        assert_eq!(parse("set-param name=a value=b#c").error, None);
        for (line, is_position) in [("pos=\"W:W31:B1\"", true), ("pos a==b", true), ("position a==b", false)]
        {
            assert_eq!(parse(line).command, is_position.then_some(HubCommand::NoPosition), "{line}");
            assert!(parse(line).error.is_some(), "{line}");
        }
        let unknown = |line: &str| parse(line).unknown.map(|unknown: CommandError| unknown.to_string());
        assert_eq!(unknown("isready"), Some("unknown command \"isready\"".to_owned()));
        let dept = unknown("level dept=3 nodes=7").unwrap();
        assert!(dept.starts_with("unknown argument \"dept\" of level, expected one of: depth, "), "{dept}");
        assert!(unknown("hub version=2").unwrap().ends_with("expected one of: none"));
        for (command, args) in KNOWN {
            // Of the position there is one.
            let args: Vec<_> = args.iter().filter(|arg| !["pos", "fen"].contains(arg)).copied().collect();
            assert_eq!(unknown(&format!("{command} {}", args.join("=1 "))), None);
        }
        let two = unknown("pos start fen=W:WK1:BK50").unwrap();
        assert_eq!(two, "pos has two positions, fen and start: fen counts");
        for line in ["pos", "pos moves=32-28", "pos fen=\"W:W31:B1", "pos \"start"] {
            assert_eq!(parse(line).command, Some(HubCommand::NoPosition), "{line}");
        }
        assert_eq!(parse("pos").error.unwrap().to_string(), "pos needs pos=, fen= or start");
        assert_eq!(parse("set-param value=3").error.unwrap().to_string(), "set-param needs name= and value=");
        assert!(parse("pos pos=\"Wb").error.unwrap().to_string().contains("quote"));
    }
}
