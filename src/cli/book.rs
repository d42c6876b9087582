//! `kroon book`: make, check and look into opening books.

mod build;
mod edge;
mod export;
mod import;
mod probe;
mod stat;
mod verify;

use super::outputs::is_standard;
use super::usage::wrong_usage;
use anyhow::{Result, bail};
use kroon::book::{self, Book, BookError};
use kroon::files::{check_outputs, is_replaced};
use kroon::rules::VariantId;
use std::io::Write;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
Examples:
  kroon book build --minutes 60 --out my.book     make one
  kroon book import --pdn games.pdn --out my.book    ... or from games
  kroon book probe --moves \"32-28 19-23\"          what the book in the program says of a position
  kroon book stat --book my.book                  what is in a book
  kroon book verify --book my.book                every value against its moves
  kroon book export --out book.pdn                as a game with variations
  kroon book edge --count 500 --out edge.pdn      openings for matches";

/// Make opening books, check them, look into them
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Build(build::Args),
    Import(import::Args),
    Probe(probe::Args),
    Stat(stat::Args),
    Verify(verify::Args),
    Export(export::Args),
    Edge(edge::Args),
}

/// Which book.
#[derive(clap::Args, Debug)]
struct BookArgs {
    /// The book [default: the one in the program]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
}

impl BookArgs {
    fn open(&self, variant: VariantId) -> Result<Book, BookError> {
        book::open(variant, self.book.as_deref())
    }
}

/// Which book, of which variant.
#[derive(clap::Args, Debug)]
struct Chosen {
    /// The variant
    #[arg(long, value_name = "V", default_value_t)]
    variant: VariantId,
    #[command(flatten)]
    book: BookArgs,
}

impl Chosen {
    fn open(&self) -> Result<Book, BookError> {
        self.book.open(self.variant)
    }
}

/// Does what is asked for.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    match &args.command {
        Command::Build(args) => build::run(args, out),
        Command::Import(args) => import::run(args, out),
        Command::Probe(args) => probe::run(args, out),
        Command::Stat(args) => stat::run(args, out),
        Command::Verify(args) => verify::run(args, out),
        Command::Export(args) => export::run(args, out),
        Command::Edge(args) => edge::run(args, out),
    }
}

/// The file beside an output in which it is kept how far the work at it is. The output has to be a regular file, or none
/// yet: beside a pipe nothing can be kept.
fn state_beside(out: &Path) -> Result<PathBuf> {
    if is_standard(out) {
        wrong_usage!("--out -: expected the name of a file, beside which FILE.state is kept");
    }
    check_outputs([], [out])?;
    if !is_replaced(out) {
        bail!("\"{}\" is no regular file: FILE.state could not be kept beside it", out.display());
    }
    let mut state = out.to_owned().into_os_string();
    state.push(".state");
    Ok(state.into())
}
