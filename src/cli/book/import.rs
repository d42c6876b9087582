//! `kroon book import`.

use crate::cli::outputs::is_standard;
use crate::cli::progress::{Pace, say};
use crate::cli::usage::wrong_usage;
use anyhow::{Context, Result, bail};
use kroon::book::{Book, Import, ImportReport, ImportSettings};
use kroon::files::{check_input, check_outputs, open_input};
use kroon::notation::pdn::{PdnFault, PdnStream};
use kroon::rules::VariantId;
use kroon::words::counted;
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

const AFTER_HELP: &str = "\
Counts which positions games reach and with what results; ratings are taken from the tags WhiteElo
and BlackElo. Games of another variant, without a result or without a move are left out, and so are
games whose first move is not possible, and games without a date or rating where one is asked for.
Of a game with a later move that is not legal, with a gap in its moves or with a position that is
set up in mid-game, what comes before counts; the report says how many there are. Files of any size
are read game by game. A file that is named twice is read once.

With --merge the values and games of another book are kept and the new games added, so a book that
was built gets games, and games can be added later; --min-games and the other limits are for the new
games. A book that is there already is replaced only if it is merged.

Examples:
  kroon book import --pdn games.pdn --out games.book
  kroon book import --pdn a.pdn b.pdn --min-games 5 --since 2015 --merge my.book --out both.book";

/// Make a book from games, or add games to one
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The variant
    #[arg(long, value_name = "V", default_value_t)]
    variant: VariantId,
    /// Files of games
    #[arg(long, value_name = "FILE", required = true, num_args = 1..)]
    pdn: Vec<PathBuf>,
    /// The book to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Keep what is in this book, too
    #[arg(long, value_name = "FILE")]
    merge: Option<PathBuf>,
    /// Plies of each game that count
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u16).range(1..=1000))]
    plies: u16,
    /// Leave out positions that fewer games reached, unless they are in the other book
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    min_games: u64,
    /// Leave out games with a player below this rating
    #[arg(long, value_name = "R", default_value_t = 0)]
    min_rating: u16,
    /// Leave out games before this year, month or day: 2010, 2010.06, 2010.06.15
    #[arg(long, value_name = "DATE", value_parser = date)]
    since: Option<String>,
    /// Leave out games after this year, month or day
    #[arg(long, value_name = "DATE", value_parser = date)]
    until: Option<String>,
}

/// Games that are counted at a time, or fewer that are so many bytes.
const AT_ONCE: usize = 1000;
const BYTES_AT_ONCE: u64 = 16 << 20;
/// Time between two lines of progress.
const LINE: Duration = Duration::from_secs(10);

/// Reads a date as PDN writes it.
fn date(text: &str) -> Result<String, String> {
    let is_part = |(part, length): (&str, usize)| {
        part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let parts: Vec<&str> = text.split('.').collect();
    let number = |at: usize| parts.get(at).map(|part| part.parse::<u8>().unwrap_or(0));
    let is_date = parts.len() <= 3
        && parts.iter().copied().zip([4, 2, 2]).all(is_part)
        && number(1).is_none_or(|month| (1..=12).contains(&month))
        && number(2).is_none_or(|day| (1..=31).contains(&day));
    is_date.then(|| text.to_owned()).ok_or_else(|| format!("{text:?}: expected 2010, 2010.06 or 2010.06.15"))
}

/// Reads all files and writes the book.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    if let (Some(since), Some(until)) = (&args.since, &args.until)
        && until.as_str() < &since[..since.len().min(until.len())]
    {
        wrong_usage!("--since {since} --until {until}: no game is in that time");
    }
    let merge = args.merge.as_deref().map(|path| kroon::book::open(args.variant, Some(path))).transpose()?;
    let settings = ImportSettings {
        variant: args.variant,
        plies: args.plies.into(),
        min_games: args.min_games,
        min_rating: args.min_rating,
        since: args.since.clone(),
        until: args.until.clone(),
    };
    if is_standard(&args.out) {
        wrong_usage!("--out -: a book is a file, which other programs map into memory");
    }
    // What cannot be read or written is found before an hour of reading.
    for path in &args.pdn {
        check_input(path).with_context(|| format!("\"{}\"", path.display()))?;
    }
    check_outputs(args.pdn.iter().map(PathBuf::as_path), [args.out.as_path()])?;
    check_replaced(args)?;
    let mut import = Import::new(settings, &args.out);
    let mut lines = Pace::new(LINE);
    let mut known = HashSet::new();
    for path in &args.pdn {
        // A pipe has no other name.
        if known.insert(path.canonicalize().unwrap_or_else(|_| path.clone())) {
            read(path, &mut import, &mut lines)?;
        } else {
            say(format_args!("{}: named twice, read once", path.display()));
        }
    }
    let report = finish(import, merge.as_ref(), &args.out)?;
    writeln!(out, "{report}")?;
    Ok(())
}

/// What is at the place of the book must not be lost: a file that is no book, or a book that is not merged.
fn check_replaced(args: &Args) -> Result<()> {
    let path = args.out.as_path();
    let is_merged = args.merge.as_deref().is_some_and(|merged| {
        merged == path
            || merged.canonicalize().ok().zip(path.canonicalize().ok()).is_some_and(|(a, b)| a == b)
    });
    if is_merged || path.metadata().map_or(0, |file| file.len()) == 0 {
        return Ok(());
    }
    let name = format!("\"{}\"", path.display());
    if kroon::book::open(args.variant, Some(path)).is_ok() {
        bail!("{name} is a book: --merge {name} keeps what is in it; or choose another name");
    }
    bail!("{name} is there already and no book of {}: choose another name", args.variant);
}

fn read(path: &Path, import: &mut Import, lines: &mut Pace) -> Result<()> {
    let name = || path.display().to_string();
    let file = open_input(path).with_context(name)?;
    // A pipe has none.
    let size = file.metadata().map_or(0, |file| file.len());
    let mut stream = PdnStream::new(file);
    let mut warnings = 0;
    loop {
        let begun = stream.consumed();
        let mut games = Vec::new();
        while games.len() < AT_ONCE && stream.consumed() - begun < BYTES_AT_ONCE {
            let Some(game) = stream.next() else { break };
            games.push(game.with_context(name)?);
        }
        let found = stream.take_warnings();
        if let Some(warning) = found.iter().find(|warning| warning.fault == PdnFault::NoPdn) {
            say(format_args!("{}: {}", path.display(), warning.fault));
            return Ok(());
        }
        warnings += found.len();
        import.add(&games)?;
        if lines.is_due() {
            let percent = 100.0 * stream.consumed() as f64 / size as f64;
            let part = if size > 0 { format!("{percent:.0}%, ") } else { String::new() };
            say(format_args!("{}: {part}{} games", path.display(), import.report().games));
        }
        if games.is_empty() {
            break;
        }
    }
    if warnings > 0 {
        say(format_args!(
            "{}: {warnings} faults in the notation, such as words that are no moves",
            path.display()
        ));
    }
    Ok(())
}

fn finish(import: Import, merge: Option<&Book>, out: &Path) -> Result<String> {
    // An empty book would take the place of a good one.
    if import.report().used == 0 {
        bail!("\"{}\" is not written: no game counts{}", out.display(), left_out(&import.report()));
    }
    let report = import.finish(merge, out).with_context(|| format!("{} is not written", out.display()))?;
    let games = counted(report.used, "game");
    // The positions are those of both books, the games are not.
    let games = if merge.is_some() { format!(", {games} added") } else { format!(" of {games}") };
    Ok(format!(
        "{}: {} positions{games}{}{}",
        out.display(),
        report.positions,
        left_out(&report),
        cut_off(&report)
    ))
}

/// Which games count up to some move only, and why.
fn cut_off(report: &ImportReport) -> String {
    let cuts = [
        (report.faulty, "a move is not legal"),
        (report.gaps, "a move is missing"),
        (report.setups, "a position is set up in mid-game"),
    ];
    let cuts: Vec<String> = cuts
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("in {count} {what}"))
        .collect();
    if cuts.is_empty() { String::new() } else { format!("; {}: what comes before counts", cuts.join(", ")) }
}

/// Which games were left out and why.
fn left_out(report: &ImportReport) -> String {
    let others = [
        (report.unfinished, "without a result"),
        (report.foreign, "of another variant or without a possible start or first move"),
        (report.empty, "without a move"),
        (report.excluded, "excluded by date or rating"),
    ];
    others
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("; {count} {what}"))
        .collect()
}
