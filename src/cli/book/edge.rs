//! `kroon book edge`.

use super::state_beside;
use crate::cli::interrupt::stopped_by_interrupt;
use crate::cli::progress::{Pace, say};
use crate::cli::threads;
use crate::cli::usage::wrong_usage;
use anyhow::{Context, Result, bail};
use kroon::arena::openings::edge::{EdgeList, EdgeSettings};
use kroon::files::write_whole;
use kroon::rules::VariantId;
use kroon::words::counted;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
Plays 8 to 14 random moves. Where nobody can win a man at once, and a search of --nodes nodes finds
one side ahead but not winning for certain, the engine plays --games games against itself from
there, and the opening is kept when the side that is ahead wins about the share --win of them (and
enough of faster ones, which come first). A match from such openings has fewer draws. The file has
one game a line and is used with `kroon match --openings FILE`; `--openings edge` are the positions
in the program.

The same settings give the same positions, on any number of threads. What is found is kept in
FILE.state. A search that was stopped or killed goes on with --resume, and a whole list, with a
larger --count, to a longer one; a smaller --count writes the first of what was found. Remove
FILE.state to begin anew, or when the list is as long as it shall be.

Fast games are decided more often than slow ones: where the side that is ahead wins half of those
of 4000 nodes, most slow ones are drawn in variants with many draws. With --win 0.75 about 60% of
international games are decided at 20000 nodes a move, but many openings are then won by the same
side whoever plays it, which tells nothing. --game-nodes 40000 with --win 0.5 takes much longer and
gives openings whose result depends more on the player. Variants with few draws want 0.5 in any
case.

Examples:
  kroon book edge --variant russian --count 200 --game-nodes 40000 --out russian-edge.pdn
  kroon book edge --count 500 --game-nodes 40000 --out international-edge.pdn --resume";

/// Find openings that are neither balanced nor lost, for matches
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The variant
    #[arg(long, value_name = "V", default_value_t)]
    variant: VariantId,
    /// How many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// The file to write; beside it FILE.state is kept
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The share of games that the side that is ahead wins
    #[arg(long, value_name = "P", default_value_t = 0.5, value_parser = chance)]
    win: f64,
    /// Games from each position
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1000))]
    games: u32,
    /// Nodes of a move of these games
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    game_nodes: u64,
    /// Nodes of the search that says which side is ahead
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Where the random moves come from
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = kroon::seed::parse)]
    seed: u64,
    /// Go on with the list that is kept in FILE.state
    #[arg(long)]
    resume: bool,
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

/// Time between two lines of progress.
const LINE: Duration = Duration::from_secs(10);

fn chance(text: &str) -> Result<f64, String> {
    let chance = text.parse().ok().filter(|chance| (0.1..=0.9).contains(chance));
    chance.ok_or_else(|| "expected 0.1 to 0.9".to_owned())
}

/// Finds them and writes the file.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let Args { variant, win, nodes, games, game_nodes, seed, .. } = *args;
    let settings = EdgeSettings { variant, win, nodes, games, game_nodes, seed };
    let threads = threads(args.threads);
    if let Some(fault) = settings.fault() {
        wrong_usage!("--games {games} --win {win}: {fault}");
    }
    let state = state_beside(&args.out)?;
    let stop = stopped_by_interrupt()?;
    if !state.exists() && args.out.metadata().is_ok_and(|file| file.len() > 0) {
        bail!(
            "\"{}\" is there already, without \"{}\": choose another name",
            args.out.display(),
            state.display()
        );
    }
    let mut list = EdgeList::open(&state, settings, args.resume)?;
    let start = Instant::now();
    let (mut lines, first) = (Pace::new(LINE), list.found().len());
    list.run(args.count as usize, threads, &stop, &mut |list| {
        if lines.is_due() {
            say(line(first, list.found().len(), args.count as usize, list.attempts(), start.elapsed()));
        }
    })?;
    let count = args.count as usize;
    if list.found().len() < count {
        bail!(
            "stopped with {} of {} openings; the same command with --resume goes on",
            list.found().len(),
            args.count
        );
    }
    // An earlier run may have found more than this one asks for.
    let text: String = list.text().split_inclusive('\n').take(count).collect();
    write_whole(&args.out, |file| file.write_all(text.as_bytes()))
        .with_context(|| format!("\"{}\"", args.out.display()))?;
    writeln!(out, "{}: {}", args.out.display(), counted(args.count.into(), "opening"))?;
    Ok(())
}

/// How far it is; the time left is a guess from the finds since the start, which had `first`.
fn line(first: usize, found: usize, count: usize, attempts: u64, elapsed: Duration) -> String {
    let minutes = elapsed.as_secs_f64() / 60.0;
    let mut line = format!("{found} of {count}, {attempts} attempts");
    if found > first {
        let rate = (found - first) as f64 / minutes.max(1e-3);
        let left = count.saturating_sub(found) as f64 / rate;
        line.push_str(&format!(", {rate:.1} a minute, about {left:.0} minutes left"));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_says_what_is_left() {
        let minute = Duration::from_secs(60);
        assert_eq!(line(0, 0, 20, 37, minute), "0 of 20, 37 attempts");
        assert_eq!(line(4, 4, 20, 37, minute), "4 of 20, 37 attempts");
        let text = "8 of 20, 900 attempts, 2.0 a minute, about 6 minutes left";
        assert_eq!(line(4, 8, 20, 900, 2 * minute), text);
    }
}
