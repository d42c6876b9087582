//! `kroon book export`.

use super::BookArgs;
use crate::cli::game::GameArgs;
use anyhow::{Context, Result};
use kroon::book::{ExportLimits, tree};
use kroon::files::{check_outputs, write_whole};
use kroon::notation::pdn::WriteOptions;
use std::io::Write;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Writes one game: the best line of the book, its other moves as variations, each with its value, the
length of its line and its games in a comment. A position that several orders of moves reach is
followed once; elsewhere the comment says \"reached before\".

Examples:
  kroon book export --pdn book.pdn
  kroon book export --pdn book.pdn --moves \"32-28\" --plies 12 --margin 20";

/// Write the book as a game with variations
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    book: BookArgs,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pdn: PathBuf,
    /// Longest line
    #[arg(long, value_name = "PLIES", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
    plies: u32,
    /// How much worse than the best a move may be, in hundredths of a man
    #[arg(long, value_name = "C", default_value_t = 10, value_parser = clap::value_parser!(i32).range(0..=10_000))]
    margin: i32,
    /// Without values: how many games must have reached a move
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
}

/// Writes the file.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    check_outputs(args.book.book.as_deref(), [args.pdn.as_path()])?;
    let game = args.game.game()?;
    let book = args.book.open(game.variant())?;
    let limits = ExportLimits { plies: args.plies, margin: args.margin, games: args.min_games };
    let pdn = tree(&book, &game, &limits).write(WriteOptions { annotations: true, star: true });
    write_whole(&args.pdn, |file| file.write_all(pdn.as_bytes()))
        .with_context(|| args.pdn.display().to_string())?;
    writeln!(out, "{}: {} bytes", args.pdn.display(), pdn.len())?;
    Ok(())
}
