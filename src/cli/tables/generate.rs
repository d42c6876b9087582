//! `kroon tables generate`.

use super::{folder, watched};
use crate::cli::explain;
use crate::cli::progress::say;
use crate::cli::threads;
use anyhow::{Result, anyhow};
use kroon::rules::VariantId;
use kroon::tablebase::format::FormatError;
use kroon::tablebase::generate::{FileShelf, GenerateError, Plan, Progress, run as generate};
use kroon::tablebase::{Material, TableFault};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
The tables hold the result of every legal position with up to N pieces, with either side to move.
Of positions with few pieces they also hold the number of plies to the next capture or crowning,
without which a won position may not be won in play. Draws by repetition and by counts of moves are
not in them.

Slices (so many men and kings a side) that are in the folder already are kept, and work at a large
one is saved every five minutes, so a command that was stopped goes on where it was. The files do
not depend on that, nor on the number of threads.

Positions on 10x10 and 8x8 boards: 4 pieces 43 and 6 million, 5 pieces 1,600 and 146 million,
6 pieces 47,800 and 2,570 million. A core of a processor makes 2 to 6 million a second.

Examples:
  kroon tables generate --variant english --pieces 5
  kroon tables generate --variant english --pieces 6 --threads 2 --memory 4G
  kroon tables generate --pieces 4 --dir tables";

/// Make the tables of a variant
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The variant
    #[arg(long, value_name = "V", default_value_t)]
    variant: VariantId,
    /// The most pieces on the board
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=i64::from(Material::MOST_PIECES)))]
    pieces: u8,
    /// The most pieces for which distances are made
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u8).range(0..=i64::from(Material::MOST_PIECES)))]
    distances: u8,
    /// The folder of the tables [default: the first of KROON_TABLES, or kroon/tables in the user's folder for data]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// The most memory to use, with K, M or G for the unit
    #[arg(long, value_name = "SIZE", default_value = "8G", value_parser = bytes)]
    memory: u64,
}

/// Reads a size such as `512M`.
fn bytes(text: &str) -> Result<u64, String> {
    let fault = || format!("{text:?}: expected a number with K, M or G, such as 512M");
    let units = [('K', 10), ('M', 20), ('G', 30)];
    let unit = text.chars().last().map(|unit| unit.to_ascii_uppercase());
    let (_, shift) = units.into_iter().find(|(name, _)| Some(*name) == unit).ok_or_else(fault)?;
    let digits = &text[..text.len() - 1];
    let number: u64 = if digits.starts_with('+') { None } else { digits.parse().ok() }.ok_or_else(fault)?;
    number.checked_mul(1 << shift).filter(|&bytes| bytes > 0).ok_or_else(fault)
}

/// Makes what is missing.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let plan = Plan::new(args.variant, args.pieces, args.distances, args.memory)?;
    let folder = folder(args.dir.as_ref())?;
    let shelf = FileShelf::new(&folder, args.variant).map_err(anyhow::Error::from_boxed)?;
    let threads = threads(args.threads);
    let positions: u64 = plan.steps().iter().map(|step| step.positions).sum();
    say(format_args!(
        "{}, {} pieces: {positions} positions, {} MB of memory, {threads} threads, in {}",
        args.variant,
        args.pieces,
        plan.bytes().div_ceil(1 << 20),
        folder.display()
    ));
    let progress = Progress::default();
    let start = Instant::now();
    watched(|| line(&plan, &progress, start.elapsed()), || generate(&plan, &shelf, threads, &progress))
        .map_err(advised)?;
    let found = progress.found.load(Relaxed);
    writeln!(
        out,
        "{}: {positions} positions in {}, {found} of them were there; {:.0} seconds",
        args.variant,
        folder.join(args.variant.name()).display(),
        start.elapsed().as_secs_f64()
    )?;
    Ok(())
}

/// What to do about a file that is there and is not what it should be; one that cannot be read may be sound.
fn advised(error: GenerateError) -> anyhow::Error {
    let is_unsound = match &error {
        GenerateError::Shelf { source, .. } => source
            .downcast_ref::<TableFault>()
            .is_some_and(|fault| !matches!(*fault.source, FormatError::Io { .. })),
        _ => false,
    };
    let error = anyhow::Error::from(error);
    if is_unsound { anyhow!("{}; remove it, and it is made anew", explain(&error)) } else { error }
}

/// Where the work is, how fast, and how long it will take.
fn line(plan: &Plan, progress: &Progress, elapsed: Duration) -> String {
    let all: u64 = plan.steps().iter().map(|step| step.positions).sum();
    let (made, found) = (progress.positions.load(Relaxed), progress.found.load(Relaxed));
    let step = progress.steps.load(Relaxed) as usize;
    let slices = plan.steps().get(step).map_or_else(String::new, |step| {
        step.slices.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ")
    });
    let percent = 100.0 * (made + found) as f64 / all as f64;
    let place = format!("{slices} ({} of {}): {percent:.1}% of all positions", step + 1, plan.steps().len());
    if made == 0 {
        return place;
    }
    let rate = made as f64 / elapsed.as_secs_f64().max(1e-9);
    let left = all.saturating_sub(made + found) as f64 / rate.max(1.0);
    format!("{place}, {:.2} million/s, about {} left", rate / 1e6, duration(left))
}

fn duration(seconds: f64) -> String {
    let minutes = seconds / 60.0;
    if minutes < 1.5 {
        format!("{seconds:.0} s")
    } else if minutes < 90.0 {
        format!("{minutes:.0} min")
    } else {
        format!("{:.1} h", minutes / 60.0)
    }
}
