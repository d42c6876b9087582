//! `kroon dxp`.

mod keyboard;
mod screen;

use super::engine_args::EngineArgs;
use super::positive_seconds;
use super::usage::wrong_usage;
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use crossbeam::channel::unbounded;
use kroon::board::Color;
use kroon::engine::Options;
use kroon::files::read_whole;
use kroon::notation::position;
use kroon::protocol::dxp::address::Address;
use kroon::protocol::dxp::fields::{Name, ThinkingTime};
use kroon::protocol::dxp::host::{Config, Host};
use kroon::protocol::dxp::schedule::{Colors, DxpSchedule, playable, read_openings};
use kroon::protocol::dxp::session::{Closing, DxpSettings, Role};
use kroon::protocol::dxp::transport::PORT;
use kroon::rules::VariantId;
use kroon::score::Score;
use screen::Screen;
use std::net::{IpAddr, Ipv4Addr};
use std::path::PathBuf;
use std::time::Duration;

const AFTER_HELP: &str = "\
One program listens, the other connects; one asks for games (the initiator), the other accepts them
(the follower). All four combinations work.

Examples:
  kroon dxp listen --pdn games.pdn
        wait on this computer for a program that asks for games, and keep them
  kroon dxp connect localhost --initiator --games 10 --minutes 5 --moves 75 --pdn games.pdn
        play ten games of five minutes against a program that waits on this computer
  kroon dxp connect 192.168.1.7:27531 --board
        wait to be asked for games by a program that listens on another computer
  kroon dxp listen --bind 0.0.0.0 --board
        wait for programs on other computers, show the board after each move

Exit status: 0 all games were played, 1 the match broke off (the user, too, may break off a game, or
a match that he has asked for) or a game could not be saved, 2 wrong usage.";

/// Play another program over the network (DamExchange protocol)
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(subcommand)]
    side: Side,
}

#[derive(clap::Subcommand, Debug)]
enum Side {
    /// Wait for other programs to connect, one after the other
    Listen {
        /// Network address on which to wait: the default reaches programs on this computer only, 0.0.0.0 means all
        #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
        bind: IpAddr,
        /// TCP port; 0 takes a free one
        #[arg(long, value_name = "PORT", default_value_t = PORT)]
        port: u16,
        /// Exit when the first opponent leaves
        #[arg(long)]
        once: bool,
        #[command(flatten)]
        common: Common,
    },
    /// Connect to a program that waits
    Connect {
        /// Name or address of its computer, with or without the port: HOST, HOST:PORT, [v6], [v6]:PORT
        #[arg(value_name = "HOST[:PORT]")]
        host: Address,
        /// TCP port, where the address has none [default: 27531]
        #[arg(long, value_name = "PORT")]
        port: Option<u16>,
        #[command(flatten)]
        common: Common,
    },
}

impl Side {
    /// The port on which one of both listens.
    fn port(&self) -> Result<u16> {
        match self {
            Side::Listen { port, .. } => Ok(*port),
            Side::Connect { host, port, .. } => {
                if let (Some(first), Some(second)) = (host.port, port)
                    && first != *second
                {
                    wrong_usage!("{}:{first} --port {second}: two ports for one opponent", host.host);
                }
                Ok(host.port.or(*port).unwrap_or(PORT))
            }
        }
    }
}

/// Time held back for every move unless the user says otherwise: the way to the opponent is long.
const MOVE_OVERHEAD: Duration = Duration::from_millis(100);

/// What both sides have.
#[derive(clap::Args, Debug)]
#[command(mut_arg("move-overhead", |flag| {
    flag.help("Seconds held back for every move, for the way to the opponent [default: 0.1]")
}))]
#[command(mut_arg("book", |flag| flag.help("Play moves of the opening book [default: true]")))]
struct Common {
    /// Accept the games that the opponent asks for (the default)
    #[arg(long, conflicts_with = "initiator", help_heading = "Role")]
    follower: bool,
    /// Ask the opponent for games
    #[arg(long, help_heading = "Role")]
    initiator: bool,
    /// Games to play; a follower accepts at most so many from one opponent [default: initiator 1, or every opening
    /// once with each colour; follower no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000), help_heading = "Role")]
    games: Option<u32>,
    /// Minutes of each player for a game; 0 plays without a clock. Some programs understand fractions such as 0.5
    #[arg(
        long,
        value_name = "M",
        requires = "initiator",
        default_value = "5",
        allow_negative_numbers = true,
        help_heading = "Role"
    )]
    minutes: ThinkingTime,
    /// Moves of each player after which a game ends without a result; 0: no limit
    #[arg(long, value_name = "K", requires = "initiator", default_value_t = 75, value_parser = clap::value_parser!(u16).range(0..=999), help_heading = "Role")]
    moves: u16,
    /// Our colour
    #[arg(
        long,
        visible_alias = "color",
        value_name = "C",
        requires = "initiator",
        default_value = "alternate",
        help_heading = "Role"
    )]
    colour: Colour,
    /// Start all games from this position (FEN, or a Hub position string)
    #[arg(
        long,
        value_name = "POSITION",
        requires = "initiator",
        conflicts_with = "openings",
        help_heading = "Role"
    )]
    fen: Option<String>,
    /// Start from these positions in turn: PDN games, or lines with a FEN, a Hub position or moves
    #[arg(long, value_name = "FILE", requires = "initiator", help_heading = "Role")]
    openings: Option<PathBuf>,
    /// Append every game to this file, finished or not
    #[arg(long, value_name = "FILE")]
    pdn: Option<PathBuf>,
    /// Think this many seconds about every move, whatever the clock says
    #[arg(long, value_name = "S", value_parser = positive_seconds)]
    move_time: Option<Duration>,
    /// Resign when the score was worse than minus this for three moves [default: never]
    #[arg(long, value_name = "MEN", value_parser = men, allow_negative_numbers = true)]
    resign: Option<Score>,
    /// Seconds without a message, beyond what the clock allows, after which the opponent is given up
    #[arg(long, value_name = "S", value_parser = positive_seconds, default_value = "300")]
    patience: Duration,
    /// Our name, at most 32 characters
    #[arg(long, value_parser = name, default_value = concat!("Kroon ", env!("CARGO_PKG_VERSION")))]
    name: Name,
    /// The rules. The protocol cannot transmit them: tell the opponent too
    #[arg(long, value_name = "V", default_value_t = VariantId::International)]
    variant: VariantId,
    /// Show the board after each move
    #[arg(long)]
    board: bool,
    /// Show the lines that the search finds
    #[arg(long)]
    lines: bool,
    /// Send the lines of standard input to the opponent as chat. Lines that begin with a slash are orders: /resign and
    /// /draw on our next turn, /quit
    #[arg(long)]
    chat: bool,
    #[command(flatten)]
    engine: EngineArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Colour {
    Alternate,
    White,
    Black,
}

/// Plays.
pub fn run(args: &Args) -> Result<()> {
    let (Side::Listen { common, .. } | Side::Connect { common, .. }) = &args.side;
    let config = common.config()?;
    let port = args.side.port()?;
    let (sender, commands) = unbounded();
    keyboard::quit_on_interrupt(sender.clone())?;
    if common.chat {
        keyboard::read_lines(sender)?;
    }
    let mut screen = Screen::new(common.variant, common.board, common.lines, !common.initiator)?;
    let mut host = Host::new(config, commands, &mut screen)?;
    let ended = match &args.side {
        Side::Listen { bind, once, .. } => host.listen(*bind, port, *once),
        Side::Connect { host: address, .. } => host.connect(&address.host, port),
    };
    drop(host);
    let saved = screen.finish();
    let closing = ended?;
    if !common.is_success(&closing) {
        bail!("the match broke off: {closing}");
    }
    saved
}

impl Common {
    fn config(&self) -> Result<Config> {
        let role =
            if self.initiator { Role::Initiator(self.schedule()?) } else { Role::Follower(self.games) };
        let settings = DxpSettings {
            name: self.name.clone(),
            variant: self.variant,
            role,
            move_time: self.move_time,
            resign: self.resign,
            patience: self.patience,
        };
        let options = Options { move_overhead: MOVE_OVERHEAD, book: true, ..Options::default() };
        let options = self.engine.over_for(self.variant, options)?;
        Ok(Config { settings, options, pdn: self.pdn.clone() })
    }

    fn schedule(&self) -> Result<DxpSchedule> {
        let colors = match self.colour {
            Colour::Alternate => Colors::Alternate,
            Colour::White => Colors::Always(Color::White),
            Colour::Black => Colors::Always(Color::Black),
        };
        let openings = if let Some(text) = &self.fen {
            vec![
                position::game(self.variant, text)
                    .map_err(anyhow::Error::from)
                    .and_then(|game| playable(game).map_err(anyhow::Error::msg))
                    .context("--fen")?,
            ]
        } else if let Some(path) = &self.openings {
            let name = || format!("--openings \"{}\"", path.display());
            let bytes = read_whole(path).with_context(name)?;
            read_openings(self.variant, &kroon::notation::pdn::decode(&bytes)).with_context(name)?
        } else {
            Vec::new()
        };
        let all = match (&self.openings, colors) {
            (None, _) => 1,
            (Some(_), Colors::Alternate) => 2 * openings.len(),
            (Some(_), Colors::Always(_)) => openings.len(),
        };
        let (games, time) = (self.games.unwrap_or(all as u32), self.minutes);
        Ok(DxpSchedule { games, colors, openings, time, moves: self.moves })
    }

    /// Whether all was played that there was to play.
    fn is_success(&self, closing: &Closing) -> bool {
        match closing {
            Closing::Complete => true,
            // Who waits to be asked has no expectations.
            Closing::PeerStops | Closing::Lost { in_game: false, .. } | Closing::Quit { in_game: false } => {
                !self.initiator
            }
            _ => false,
        }
    }
}

/// A name that the field has room for: more would be cut without a word.
fn name(text: &str) -> Result<Name, String> {
    match text.trim().chars().count() {
        0 => Err("expected a name".to_owned()),
        1..=Name::LENGTH => Ok(Name::new(text)),
        count => Err(format!("{count} characters, expected at most {}", Name::LENGTH)),
    }
}

fn men(text: &str) -> Result<Score, String> {
    let parsed = text.parse::<f64>().ok().filter(|men| (0.01..=100.0).contains(men));
    let score = parsed.map(|men| Score::from_centi((men * 100.0).round() as i32));
    score.ok_or_else(|| "expected a number of men, 0.01 to 100".to_owned())
}
