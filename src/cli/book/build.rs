//! `kroon book build`.

use super::state_beside;
use crate::cli::interrupt::stopped_by_interrupt;
use crate::cli::progress::{Pace, say};
use crate::cli::threads;
use anyhow::{Result, bail};
use kroon::book::{Book, Build, BuildLimits, BuildProgress, BuildSettings};
use kroon::engine::LeafSearch;
use kroon::notation::seconds;
use kroon::rules::VariantId;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
The book grows by drop-out expansion (T. R. Lincke, 2000): the position is expanded next that is
reached with the fewest plies and the least given away by both sides, where a loss of --breadth
hundredths of a man counts as much as a ply. All its moves are searched and the values backed up. A
small breadth makes a book of few long lines, a large one knows more answers to weak moves.

Where tournaments draw the first moves by lot, as in English draughts, --ballots 3 makes a book for
every position after three plies. These plies cost nothing, but a move that loses more than 0.75
costs what it loses. All ballots come first: a few hundred expansions for three plies, thousands
for five.

Every search has the same number of nodes and one thread, so the same number of expansions gives the
same book on every machine. What was searched is kept in FILE.state as soon as its search ends; a
build that was stopped or killed goes on with --resume, and the book is the same as without the
stop. It goes on with the same program and evaluation only. The book is written every minute, too.

Examples:
  kroon book build --minutes 60 --out international.book
  kroon book build --minutes 60 --out international.book --resume
  kroon book build --variant english --expansions 2000 --nodes 100000 --out english.book
  kroon book build --variant english --ballots 3 --expansions 3000 --out english-ballots.book";

/// Make a book from nothing
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
#[command(group = clap::ArgGroup::new("end").required(true).multiple(true).args(["minutes", "expansions"]))]
pub struct Args {
    /// The variant
    #[arg(long, value_name = "V", default_value_t)]
    variant: VariantId,
    /// Stop after so many minutes
    #[arg(long, value_name = "M", value_parser = minutes)]
    minutes: Option<Duration>,
    /// Stop when so many positions are expanded, or up to seven more: they are chosen eight at a time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    expansions: Option<u64>,
    /// The book; beside it FILE.state is kept
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Go on with the build that is kept there
    #[arg(long)]
    resume: bool,
    /// Nodes of each search
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The loss that counts as much as a ply, in hundredths of a man
    #[arg(long, value_name = "C", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1000))]
    breadth: u32,
    /// Plies that are drawn by lot: the book grows from every position after them alike
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=6))]
    ballots: u8,
    /// Threads [default: one for each processor]
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
}

/// Time between two lines of progress, and between two writings of the book.
const LINE: Duration = Duration::from_secs(10);
const SAVE: Duration = Duration::from_secs(60);

fn minutes(text: &str) -> Result<Duration, String> {
    seconds::parse_minutes(text, 0.001).map_err(|error| error.to_string())
}

/// Builds, and writes the book.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let state = state_beside(&args.out)?;
    check_old(&args.out, &state, args.resume)?;
    let threads = threads(args.threads);
    let mut judges: Vec<LeafSearch> = (0..threads).map(|_| LeafSearch::new(args.nodes)).collect();
    let judge = LeafSearch::new(args.nodes).name(args.variant);
    let &Args { variant, nodes, breadth, ballots, .. } = args;
    let settings = BuildSettings { variant, nodes, breadth, ballots, judge };
    let stop = stopped_by_interrupt()?;
    let mut build = Build::open(&state, settings, args.resume)?;
    let start = Instant::now();
    let until = args.minutes.and_then(|time| start.checked_add(time));
    let limits = BuildLimits { until, expansions: args.expansions.map(|most| most as usize) };
    let (mut lines, mut saves) = (Pace::new(LINE), Pace::new(SAVE));
    build.run(&mut judges, &limits, &stop, &mut |build| {
        if lines.is_due() {
            say(line(&build.progress(), start.elapsed()));
        }
        if saves.is_due() {
            build.write(&args.out)?;
        }
        Ok(())
    })?;
    build.write(&args.out)?;
    let progress = build.progress();
    writeln!(out, "{}: {}", args.out.display(), line(&progress, start.elapsed()))?;
    let expanded = progress.expanded as u64;
    if stop.is_stopped() && args.expansions.is_none_or(|most| expanded < most) {
        out.flush()?;
        let most = args.expansions.map(|most| format!(" of {most}")).unwrap_or_default();
        bail!("stopped with {expanded}{most} expansions; the same command with --resume goes on");
    }
    Ok(())
}

/// Whether a build may take the place of what is there: games, which it would lose, are kept, and `--resume` does not begin
/// anew where there is a book.
fn check_old(out: &Path, state: &Path, resume: bool) -> Result<()> {
    let Ok(old) = Book::open(out) else {
        if out.metadata().is_ok_and(|file| file.is_file() && file.len() > 0) {
            bail!("\"{}\" is there already and cannot be read as a book: choose another name", out.display());
        }
        return Ok(());
    };
    if old.head().has_games {
        bail!(
            "\"{}\" has games, which a build would lose: build another book, and count the games anew with book import \
             --pdn GAMES --merge OTHER",
            out.display()
        );
    }
    if resume && !state.exists() {
        bail!(
            "there is no \"{}\" to go on with: without --resume a new build takes the place of \"{}\"",
            state.display(),
            out.display()
        );
    }
    Ok(())
}

fn line(progress: &BuildProgress, elapsed: Duration) -> String {
    let BuildProgress { positions, expanded, searched, depth, value } = progress;
    let rate = *searched as f64 / elapsed.as_secs_f64().max(1e-3);
    format!(
        "{positions} positions, {expanded} expanded, best line {depth} plies, value {value}, {rate:.1} searches/s"
    )
}
