//! `kroon report`.

use anyhow::{Context, Result};
use kroon::arena::{report, store};
use kroon::files::write_whole;
use std::io::Write;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
The page needs no network and no other file. The match may still be running.

Example:
  kroon report match.jsonl -o report.html --game 12 --game 40
  kroon report match.jsonl --json                       won, drawn, lost by first mover, Elo";

/// Make a page about a match: tables, charts, boards
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The results file of `kroon match`
    #[arg(value_name = "RESULTS")]
    results: PathBuf,
    /// The page [default: standard output]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The numbers as one JSON object in place of the page
    #[arg(long, conflicts_with = "games")]
    json: bool,
    /// Draw the course of the game with this number, again for more [default: the most eventful ones]
    #[arg(long = "game", value_name = "N")]
    games: Vec<usize>,
}

/// Writes the page.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let (header, records) = store::read(&args.results)?;
    let page = if args.json {
        report::json(&header, &records).map(|json| json + "\n")
    } else {
        report::page(&header, &records, &args.games)
    };
    let page = page.with_context(|| format!("results file \"{}\"", args.results.display()))?;
    let Some(path) = &args.output else {
        return Ok(out.write_all(page.as_bytes())?);
    };
    write_whole(path, |file| file.write_all(page.as_bytes()))
        .with_context(|| format!("cannot write \"{}\"", path.display()))
}
