//! `kroon book verify`.

use super::Chosen;
use anyhow::{Context, Result, bail};
use kroon::book::audit;
use kroon::notation::fen;
use std::io::Write;

const AFTER_HELP: &str = "\
Looks at the checksum and at the order of the entries, then goes through all positions that moves of
the book reach from the initial one and compares the value and the depth of each with those of the
positions after it. Where there are kings a move may stand for a draw by repetition: such positions
are counted when they differ, and are no fault. Positions at the end of the book have no moves to
compare with.

Examples:
  kroon book verify
  kroon book verify --book my.book --variant english";

/// Check a book against its own moves; exit status 1 if anything is wrong
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    chosen: Chosen,
}

/// Checks.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let book = args.chosen.open()?;
    book.check().context("the book is not sound")?;
    let found = audit(&book);
    if let Some((position, fault)) = &found.first {
        let position = fen::write(book.variant(), position);
        writeln!(out, "{position}: {fault}")?;
        out.flush()?;
        bail!("{} of {} positions are not what their moves say", found.faulty, found.expanded);
    }
    writeln!(
        out,
        "{}: {} positions, {} reached, {} agree with their moves{}",
        book.variant(),
        book.len(),
        found.reached,
        found.expanded - found.skipped,
        match found.skipped {
            0 => String::new(),
            skipped => format!(", {skipped} with kings do not: a draw by repetition may be why"),
        }
    )?;
    Ok(())
}
