//! `kroon book export`.

use super::BookArgs;
use crate::cli::game::GameArgs;
use crate::cli::outputs::is_standard;
use crate::cli::progress::say;
use anyhow::{Context, Result, bail};
use kroon::book::{ExportLimits, may_replace, tree};
use kroon::files::{check_outputs, is_replaced, write_whole};
use kroon::notation::pdn::WriteOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
Writes one game: the best line of the book, its other moves as variations, each with its value, the
length of its line and its games in a comment. A position that several orders of moves reach is
followed once; elsewhere the comment says \"reached before\". Where the book knows no move, or none
with --min-games games, nothing is written, and the exit status is 1. A file that is there is
replaced only if it is such an export.

Examples:
  kroon book export --out book.pdn
  kroon book export --out book.pdn --moves \"32-28\" --plies 12 --margin 20";

/// Write the book as a game with variations
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    book: BookArgs,
    /// The file to write; - is standard output
    #[arg(long, visible_alias = "pdn", value_name = "FILE")]
    out: PathBuf,
    /// Longest line
    #[arg(long, value_name = "PLIES", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=100))]
    plies: u32,
    /// How much worse than the best a move may be, in hundredths of a man
    #[arg(long, value_name = "C", default_value_t = 10, value_parser = clap::value_parser!(i32).range(0..=20_000))]
    margin: i32,
    /// Without values: how many games must have reached a move
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
}

/// Writes the file.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let is_standard = is_standard(&args.out);
    // A terminal or a pipe may be that of standard output, where a line would stand behind the game.
    let is_file = !is_standard && is_replaced(&args.out);
    if !is_standard {
        check_outputs(args.book.book.as_deref(), [args.out.as_path()])?;
    }
    if is_file {
        check_old(&args.out)?;
    }
    let game = args.game.game()?;
    let book = args.book.open(game.variant())?;
    let limits = ExportLimits { plies: args.plies, margin: args.margin, games: args.min_games };
    // An empty game would take the place of what is there.
    let Some(pdn) = tree(&book, &game, &limits) else {
        if book.moves(game.position()).is_empty() {
            bail!("\"{}\" is not written: the book knows no move of the position", args.out.display());
        }
        if !book.is_expanded(game.position()) && args.min_games <= 1 {
            let path = args.out.display();
            bail!(
                "\"{path}\" is not written: the book ends here, it does not know all moves of the position"
            );
        }
        bail!("\"{}\" is not written: no move has --min-games {}", args.out.display(), args.min_games);
    };
    let pdn = pdn.write(WriteOptions { annotations: true, star: true });
    let line = format!("{}: {} bytes", args.out.display(), pdn.len());
    if is_standard {
        out.write_all(pdn.as_bytes())?;
    } else {
        write_whole(&args.out, |file| file.write_all(pdn.as_bytes()))
            .with_context(|| format!("\"{}\"", args.out.display()))?;
    }
    if is_file {
        writeln!(out, "{line}")?;
    } else {
        say(&line);
    }
    Ok(())
}

/// Games that somebody has collected are not replaced.
fn check_old(out: &Path) -> Result<()> {
    let name = || format!("\"{}\"", out.display());
    if !may_replace(out).with_context(name)? {
        bail!("{} exists already and is no book that was exported; name another file", name());
    }
    Ok(())
}
