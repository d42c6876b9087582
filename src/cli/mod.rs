//! The command line: one module for each subcommand. Each parses its arguments, calls the library and prints.

mod analyse;
mod annotate;
mod bench;
mod board;
mod book;
mod completions;
mod dataset;
mod dxp;
mod endings;
mod engine_args;
mod estimate;
mod game;
mod hub;
mod hub_check;
mod interrupt;
mod learn;
mod log;
mod match_;
mod outputs;
mod perft;
#[cfg(feature = "web")]
mod play;
mod positions;
mod progress;
mod puzzles;
mod refused;
mod report;
mod reproduce;
mod selfplay;
mod sprt;
mod tables;
mod train;
mod tune;
mod usage;
mod weights;

use anyhow::Result;
use clap::{CommandFactory, Parser, Subcommand};
use kroon::arena::openings::SOURCES;
use kroon::notation::seconds::SecondsError;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::Duration;

pub use usage::is_usage;

const AFTER_HELP: &str = "\
Examples:
  kroon analyse                                   think about the initial position
  kroon analyse --moves \"32-28 19-23\" --depth 15  ... about the position after two moves
  kroon board --fen W:WK5:BK46                    show a position, its moves and its evaluation
  kroon play                                      a board in the browser
  kroon hub                                       talk to a graphical interface or a bot
  kroon dxp listen                                play other programs over the network
  echo 'go think' | kroon                         the same commands from a script

Environment:
  KROON_LOG     what to log: a level (error, warn, info, debug, trace) or a list such as
                \"info,kroon::search=debug\". Goes to the file of --log; without --log to standard
                error.
  KROON_TABLES  folders of endgame tables, several as in PATH; without it kroon/tables in the user's
                folder for data

Exit status: 0 done, 1 failed, 2 wrong usage.";

/// A draughts engine: analysis, the Hub protocol, and tools around the rules
#[derive(Parser, Debug)]
#[command(name = "kroon", version, max_term_width = 100, after_help = AFTER_HELP)]
pub struct Cli {
    /// Append a log to this file (what to log: environment variable KROON_LOG, otherwise "debug")
    #[arg(long, global = true, value_name = "FILE", help_heading = "Logging")]
    log: Option<PathBuf>,

    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand, Debug)]
enum Command {
    #[cfg(feature = "web")]
    Play(Box<play::Args>),
    Hub(hub::Args),
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Args),
    Annotate(Box<annotate::Args>),
    Board(board::Args),
    Perft(perft::Args),
    Bench(bench::Args),
    Match(Box<match_::Args>),
    Report(report::Args),
    Puzzles(puzzles::Args),
    Reproduce(reproduce::Args),
    Sprt(sprt::Args),
    HubCheck(hub_check::Args),
    Selfplay(selfplay::Args),
    Train(train::Args),
    Dataset(dataset::Args),
    Learn(Box<learn::Args>),
    Tune(Box<tune::Args>),
    Dxp(Box<dxp::Args>),
    Tables(tables::Args),
    Book(book::Args),
    Completions(completions::Args),
}

/// Does what the command line asks for.
///
/// # Errors
/// Whatever went wrong, as a text for the user.
pub fn run(cli: Cli) -> Result<()> {
    // A match has a folder for many logs in place of the file.
    let file = cli.log.as_deref().filter(|_| !matches!(cli.command, Some(Command::Match(_))));
    log::start(file)?;
    // A protocol session owns standard output itself.
    match cli.command {
        Some(Command::Hub(args)) => return hub::run(&args),
        Some(Command::Dxp(args)) => return dxp::run(&args),
        #[cfg(feature = "web")]
        Some(Command::Play(args)) => return play::run(&args),
        None if io::stdin().is_terminal() => return short_help(),
        None => return hub::run_script(),
        _ => (),
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    match cli.command {
        Some(Command::Analyse(args)) => analyse::run(&args, &mut out),
        Some(Command::Annotate(args)) => annotate::run(&args, &mut out),
        Some(Command::Board(args)) => board::run(&args, &mut out),
        Some(Command::Perft(args)) => perft::run(&args, &mut out),
        Some(Command::Bench(args)) => bench::run(&args, &mut out),
        Some(Command::Match(args)) => match_::run(&args, cli.log.as_deref(), &mut out),
        Some(Command::Puzzles(args)) => puzzles::run(&args, &mut out),
        Some(Command::Report(args)) => report::run(&args, &mut out),
        Some(Command::Reproduce(args)) => reproduce::run(&args, &mut out),
        Some(Command::Sprt(args)) => sprt::run(&args, &mut out),
        Some(Command::HubCheck(args)) => hub_check::run(&args, &mut out),
        Some(Command::Selfplay(args)) => selfplay::run(&args, &mut out),
        Some(Command::Train(args)) => train::run(&args, &mut out),
        Some(Command::Dataset(args)) => dataset::run(&args, &mut out),
        Some(Command::Learn(args)) => learn::run(&args, &mut out),
        Some(Command::Tune(args)) => tune::run(&args, &mut out),
        Some(Command::Tables(args)) => tables::run(&args, &mut out),
        Some(Command::Book(args)) => book::run(&args, &mut out),
        Some(Command::Completions(args)) => completions::run(&args, &mut out),
        #[cfg(feature = "web")]
        Some(Command::Play(_)) => Ok(()),
        Some(Command::Hub(_) | Command::Dxp(_)) | None => Ok(()),
    }?;
    // A drop would swallow the error of a full disk.
    Ok(out.flush()?)
}

/// Whether the reader of our output went away.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

/// The error and its causes on one line; a cause that the text before it has quoted already is not said again.
pub fn explain(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        if !text.contains(&cause) {
            text.push_str(": ");
            text.push_str(&cause);
        }
    }
    text
}

fn short_help() -> Result<()> {
    let help = Cli::command().render_help();
    Ok(write!(io::stdout(), "{help}")?)
}

/// The help of `--openings`.
fn openings_help() -> String {
    format!(
        "Where games begin: {SOURCES} of positions, lines of moves or PDN games; edge: neither balanced nor lost"
    )
}

/// Reads an option in seconds.
fn seconds(text: &str) -> Result<Duration, SecondsError> {
    kroon::notation::seconds::parse(text, 0.0)
}

/// Reads an option in seconds that may not be 0.
fn positive_seconds(text: &str) -> Result<Duration, SecondsError> {
    kroon::notation::seconds::parse(text, 0.001)
}

/// Threads to work with: as many as were asked for, or one for each processor.
fn threads(given: Option<u32>) -> usize {
    given.map_or_else(
        || std::thread::available_parallelism().map_or(1, usize::from),
        |threads| threads as usize,
    )
}
