//! `kroon book edge`.

use super::say;
use anyhow::{Context, Result};
use kroon::arena::openings::Opening;
use kroon::arena::openings::edge::{EdgeFinder, EdgeSettings};
use kroon::files::write_whole;
use kroon::rules::VariantId;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
Plays 8 to 14 random moves. Where nobody can win a man at once, and a search of --nodes nodes finds
one side ahead but not winning for certain, the engine plays --games games against itself from
there, and the opening is kept when the side that is ahead wins about the share --win of them. A
match from such openings has fewer draws and needs fewer games. The file has one game a line and is
used with `kroon match --openings FILE`; `--openings edge` are the positions in the program.

The same settings give the same positions.

Example:
  kroon book edge --variant russian --count 200 --out russian-edge.pdn";

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
    /// The file to write
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
}

/// Time between two lines of progress.
const LINE: Duration = Duration::from_secs(10);
/// So many attempts in succession that find nothing are enough.
const ATTEMPTS: usize = 100_000;

fn chance(text: &str) -> Result<f64, String> {
    let chance = text.parse().ok().filter(|chance| (0.1..=0.9).contains(chance));
    chance.ok_or_else(|| "expected 0.1 to 0.9".to_owned())
}

/// Finds them and writes the file.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let Args { variant, win, nodes, games, game_nodes, seed, .. } = *args;
    let mut finder = EdgeFinder::new(EdgeSettings { variant, win, nodes, games, game_nodes, seed });
    let mut text = String::new();
    let start = Instant::now();
    let (mut told, mut attempts) = (start, 0);
    for number in 0..args.count {
        let mut attempt = || {
            // Long searches may lie between two finds.
            if told.elapsed() >= LINE {
                told = Instant::now();
                say(&line(number, args.count, attempts, start.elapsed()));
            }
            attempts += 1;
            finder.attempt()
        };
        let found = (0..ATTEMPTS).find_map(|_| attempt());
        let game = found.with_context(|| format!("{number} found, and no other in {ATTEMPTS} attempts"))?;
        text.push_str(&Opening { game }.name());
        text.push_str(" *\n");
    }
    write_whole(&args.out, |file| file.write_all(text.as_bytes()))
        .with_context(|| args.out.display().to_string())?;
    writeln!(out, "{}: {} openings", args.out.display(), args.count)?;
    Ok(())
}

/// How far it is; the time left is a guess from the finds so far.
fn line(found: u32, count: u32, attempts: u64, elapsed: Duration) -> String {
    let minutes = elapsed.as_secs_f64() / 60.0;
    let mut line = format!("{found} of {count}, {attempts} attempts");
    if found > 0 {
        let rate = f64::from(found) / minutes.max(1e-3);
        let left = f64::from(count - found) / rate;
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
        assert_eq!(line(0, 20, 37, minute), "0 of 20, 37 attempts");
        assert_eq!(line(4, 20, 900, 2 * minute), "4 of 20, 900 attempts, 2.0 a minute, about 8 minutes left");
    }
}
