//! `kroon tables`: make, check and look into endgame tables.

mod generate;
mod list;
mod pack;
mod probe;
mod stat;
mod verify;

use super::progress;
use anyhow::{Context, Result};
use kroon::rules::VariantId;
use kroon::tablebase::{Material, folders};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

const AFTER_HELP: &str = "\
Examples:
  kroon tables generate --variant english --pieces 4    make them
  kroon tables verify --variant english                 every position against its moves
  kroon tables stat --variant english                   what is in them
  kroon tables list                                     what is there
  kroon tables probe --fen W:WK41:BK46                  what they say of a position";

/// Make endgame tables, check them, look into them
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Generate(generate::Args),
    Verify(verify::Args),
    Stat(stat::Args),
    List(list::Args),
    Probe(probe::Args),
    Pack(pack::Args),
}

/// Which tables.
#[derive(clap::Args, Debug)]
struct Chosen {
    /// The variant
    #[arg(long, value_name = "V", default_value_t)]
    variant: VariantId,
    /// Only tables with at most so many pieces
    #[arg(long, value_name = "N", default_value_t = Material::MOST_PIECES,
          value_parser = clap::value_parser!(u8).range(2..=i64::from(Material::MOST_PIECES)))]
    pieces: u8,
    /// The folder of the tables [default: the first of KROON_TABLES, or kroon/tables in the user's folder for data]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// One JSON object on each line, one for each slice
    #[arg(long)]
    json: bool,
}

/// What an error says where files are missing: those who see tables in a list may expect them to be looked through.
const GENERATE: &str =
    "kroon tables generate makes them (of those in the program there are no files to look through)";

/// Does what is asked for.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    match &args.command {
        Command::Generate(args) => generate::run(args, out),
        Command::Verify(args) => verify::run(args, out),
        Command::Stat(args) => stat::run(args, out),
        Command::List(args) => list::run(args, out),
        Command::Probe(args) => probe::run(args, out),
        Command::Pack(args) => pack::run(args, out),
    }
}

/// The folder that a command works in.
fn folder(given: Option<&PathBuf>) -> Result<PathBuf> {
    match given {
        Some(folder) => Ok(folder.clone()),
        None => folders(None).into_iter().next().context("no folder for data is known: use --dir"),
    }
}

/// Time between two lines of progress.
const LINE: Duration = Duration::from_secs(10);

/// Works while `line` is told on standard error now and then, for whoever waits longer.
fn watched<T>(line: impl Fn() -> String + Sync, work: impl FnOnce() -> T) -> T {
    progress::watched(LINE, line, work)
}

/// [`watched`] with the number of positions done of `all`.
fn counted<T>(what: &str, all: u64, work: impl FnOnce(&AtomicU64) -> T) -> T {
    let done = AtomicU64::new(0);
    let percent = || 100.0 * done.load(Relaxed) as f64 / all.max(1) as f64;
    watched(|| format!("{what}: {:.0}%", percent()), || work(&done))
}
