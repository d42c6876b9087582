//! `kroon book probe`.

use super::BookArgs;
use crate::cli::game::GameArgs;
use anyhow::Result;
use kroon::view::{BookView, json_line};
use std::io::Write;

const AFTER_HELP: &str = "\
Prints what the book says of the position and of each move that it knows, the best first. Scores are
in men, for the side to move; the plies are those of the best line in the book. Games are those that
reached the position after the move, by whatever order of moves.

With --json one line, an object with the fields
  variant, fen, score (null if it was never searched), plies_to_end (null unless decided), depth
  (plies), games, wins, draws, losses (for the side to move), rating (null if unknown), moves (each
  with pdn and the fields from score to rating, for the side that plays the move)

Examples:
  kroon book probe
  kroon book probe --moves \"32-28 19-23\" --json
  kroon book probe --variant english --book my.book";

/// Say what the book knows of a position and of its moves
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    book: BookArgs,
    /// One JSON object on one line, for programs
    #[arg(long)]
    json: bool,
}

/// Prints what the book says.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let game = args.game.game()?;
    let view = BookView::new(&game, &args.book.open(game.variant())?);
    if args.json {
        writeln!(out, "{}", json_line(&view))?;
    } else {
        write!(out, "{}", view.text())?;
    }
    Ok(())
}
