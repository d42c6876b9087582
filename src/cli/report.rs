//! `kroon report`.

use super::outputs::{keep_other_pages, keep_others};
use super::progress::say;
use anyhow::{Context, Result, bail};
use kroon::arena::gather::{self, GatheredMatch};
use kroon::arena::report;
use kroon::files::{check_outputs, open_regular, write_whole};
use kroon::words::counted;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
The page needs no network and no other file. The match may still be running. Several files are
put together if they are of one match with the same programs: those of its shards, in any order. A
game that is in two of them counts once, the one that ended first.

With --json one object, with the fields
  variant, openings, screened_by (random openings only), adjudication, seed, shard (only of one),
  games, engines, earlier (programs that played before others took their place),
  pairings: engines (two names), all, moving_first, moving_second (each won, drawn, lost),
    pieces_left (means: where the first engine won, moving first and second, and where the second
    did), mean_margin, pairs (numbers by the points of the first engine: 0, 1/2, 1, 3/2, 2),
    elo and nelo (value, low, high; null where infinite), los (likelihood of superiority),
  reasons (games by the way they ended), faults (games that each engine lost by which fault)

Examples:
  kroon report match.jsonl -o report.html --game 12 --game 40
  kroon report match.jsonl --json                       won, drawn, lost by first mover, Elo
  kroon report gain-*.jsonl -o report.html              all shards of a match";

/// Make a page about a match: tables, charts, boards
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The results file of `kroon match`, or those of its shards
    #[arg(value_name = "RESULTS", required = true)]
    results: Vec<PathBuf>,
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
    check_outputs(args.results.iter().map(PathBuf::as_path), args.output.as_deref())?;
    if let Some(path) = &args.output {
        if args.json {
            keep_others(path, "{\"variant\":", "reports")?;
        } else {
            keep_other_pages(path, "report")?;
        }
    }
    let gathered = gathered(&args.results)?;
    let (header, records) = (&gathered.header, &gathered.records);
    let page = if args.json {
        report::json(header, records).map(|json| json + "\n")
    } else {
        report::page(header, records, &args.games)
    };
    let page = page.with_context(|| results_name(&args.results))?;
    let Some(path) = &args.output else {
        return Ok(out.write_all(page.as_bytes())?);
    };
    write_whole(path, |file| file.write_all(page.as_bytes()))
        .with_context(|| format!("cannot write \"{}\"", path.display()))
}

/// The games of all files; what is in two of them is said on standard error.
pub(super) fn gathered(paths: &[PathBuf]) -> Result<GatheredMatch> {
    for path in paths {
        check_kind(path)?;
    }
    let gathered = gather::gather(paths)?;
    if gathered.again > 0 {
        say(format_args!(
            "warning: {} more than once in the files, counted once",
            counted(gathered.again as u64, "game")
        ));
    }
    Ok(gathered)
}

/// Whether it can be a file of results. What else there is of it is told by those who read it.
fn check_kind(path: &Path) -> Result<()> {
    let mut first = [0];
    let read = open_regular(path).and_then(|mut file| file.read(&mut first));
    if read.is_ok_and(|length| length > 0) && first != *b"{" {
        bail!("\"{}\" is no file of results (kroon match --results)", path.display());
    }
    Ok(())
}

/// What errors call the files.
pub(super) fn results_name(paths: &[PathBuf]) -> String {
    match paths {
        [path] => format!("results file \"{}\"", path.display()),
        _ => format!("{} results files", paths.len()),
    }
}
