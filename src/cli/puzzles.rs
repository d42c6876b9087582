//! `kroon puzzles`.

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use kroon::files::write_whole;
use kroon::puzzles::{
    self, Checker, FindProgress, FinderSettings, GameSource, Puzzle, PuzzleSet, SourceError, Theme,
};
use kroon::rules::VariantId;
use kroon::search::Control;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

const AFTER_HELP: &str = "\
GAMES are PDN files, results of `kroon match`, games of `kroon selfplay`, or files of puzzles made
before; --builtin adds those of the program. The end of its name says what an output is: .pdn,
.html (a sheet to print, solutions on the last page), anything else one JSON object a line. Without
--out the JSON goes to standard output.

A puzzle is a position in which one move wins and no other does, or one saves and all others lose,
by expected result; the replies are forced or nearly so, or the position is in endgame tables.

Examples:
  kroon puzzles games.pdn --out puzzles.jsonl --out sheet.html
  kroon puzzles --builtin --variant english --difficulty 3-5 --count 12 --out sheet.html
  kroon puzzles puzzles.jsonl --theme breakthrough --out breakthrough.pdn
  kroon puzzles match.jsonl --threads 2 --check --out puzzles.jsonl";

/// Find positions with exactly one good move, to solve
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Files of games or of puzzles
    #[arg(value_name = "GAMES", required_unless_present = "builtin")]
    files: Vec<PathBuf>,
    /// Take the puzzles of the program, too
    #[arg(long)]
    builtin: bool,
    /// Where the puzzles go, again for another form
    #[arg(short, long, value_name = "FILE")]
    out: Vec<PathBuf>,
    /// The variant of PDN games, in place of their tags; and that of --builtin
    #[arg(long, value_name = "V")]
    variant: Option<VariantId>,
    /// Nodes for the first look at a position; what it finds is searched with 10 times as many
    #[arg(long, value_name = "N", default_value_t = FinderSettings::default().nodes, value_parser = clap::value_parser!(u64).range(100..=100_000_000))]
    nodes: u64,
    /// Games looked at at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Search each puzzle again from an empty table, and drop those that fail; nodes [default: 10 times the deeper search]
    #[arg(long, value_name = "NODES", num_args = 0..=1, default_missing_value = "0")]
    check: Option<u64>,
    /// Only puzzles this difficult, of 1 to 10
    #[arg(long, value_name = "MIN-MAX", value_parser = range)]
    difficulty: Option<(f64, f64)>,
    /// Only puzzles with this theme, again for more
    #[arg(long = "theme", value_name = "T")]
    themes: Vec<Theme>,
    /// At most so many, spread evenly from easy to hard
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Leave out which game a puzzle is from
    #[arg(long)]
    no_source: bool,
    /// Calculate the difficulty anew from what is known of each puzzle, by the weights of this version
    #[arg(long)]
    rate: bool,
    /// Let these levels of strength try the puzzles, and print how many they solve; --out says how often each was solved
    #[arg(long, value_name = "L,...", value_delimiter = ',', value_parser = clap::value_parser!(u8).range(1..=20))]
    levels: Vec<u8>,
    /// Tries that each of these levels has at each puzzle
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1000), requires = "levels")]
    tries: u32,
}

fn range(text: &str) -> Result<(f64, f64), String> {
    let parsed = text.split_once('-').and_then(|(low, high)| Some((low.parse().ok()?, high.parse().ok()?)));
    parsed
        .filter(|(low, high): &(f64, f64)| low <= high)
        .ok_or_else(|| format!("\"{text}\" found, expected MIN-MAX such as 2-4.5"))
}

/// Finds, checks, chooses, writes.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let control = Arc::new(Control::new());
    let stop = Arc::clone(&control);
    // Without a handler an interruption ends the program at once, with nothing written: no reason not to begin.
    let _ = ctrlc::set_handler(move || stop.stop());
    let mut set = PuzzleSet::default();
    if args.builtin {
        for variant in VariantId::ALL.into_iter().filter(|v| args.variant.is_none_or(|only| only == *v)) {
            add(&mut set, puzzles::builtin(variant))?;
        }
    }
    let mut games = Vec::new();
    for path in &args.files {
        match puzzle_file(path)? {
            Some(puzzles) => add(&mut set, puzzles)?,
            None => games.push(path.clone()),
        }
    }
    if !games.is_empty() {
        add(&mut set, find(args, &games, &control)?.into_sorted())?;
    }
    if args.rate {
        set.rate()?;
    }
    let mut puzzles = set.into_sorted();
    let wanted = |puzzle: &Puzzle| {
        args.difficulty.is_none_or(|(low, high)| (low..=high).contains(&puzzle.difficulty))
            && args.themes.iter().all(|theme| puzzle.themes.contains(theme))
    };
    puzzles.retain(wanted);
    if let Some(nodes) = args.check {
        let deeper = args.nodes.saturating_mul(FinderSettings::MORE * 10);
        check(&mut puzzles, if nodes == 0 { deeper } else { nodes }, &control)?;
    }
    if let Some(count) = args.count {
        puzzles = spread(puzzles, count as usize);
    }
    if args.no_source {
        puzzles.iter_mut().for_each(|puzzle| puzzle.source.clear());
    }
    if !args.levels.is_empty() {
        let tried = solve(args, puzzles, out)?;
        for path in &args.out {
            save_tries(path, &tried).with_context(|| format!("cannot write \"{}\"", path.display()))?;
        }
        return Ok(());
    }
    if args.out.is_empty() {
        return Ok(puzzles::write(&puzzles, out)?);
    }
    for path in &args.out {
        save(path, &puzzles).with_context(|| format!("cannot write \"{}\"", path.display()))?;
    }
    writeln!(out, "{} puzzles", puzzles.len())?;
    Ok(())
}

fn add(set: &mut PuzzleSet, puzzles: Vec<Puzzle>) -> Result<()> {
    for puzzle in puzzles {
        set.add(puzzle)?;
    }
    Ok(())
}

/// The puzzles of a file, if it is one of puzzles.
fn puzzle_file(path: &Path) -> Result<Option<Vec<Puzzle>>> {
    let name = || format!("\"{}\"", path.display());
    let mut file = File::open(path).with_context(name)?;
    let mut start = Vec::new();
    Read::by_ref(&mut file).take(11).read_to_end(&mut start).with_context(name)?;
    if start != b"{\"variant\":" {
        return Ok(None);
    }
    let text = std::fs::read_to_string(path).with_context(name)?;
    Ok(Some(puzzles::read(&text).with_context(name)?))
}

fn find(args: &Args, files: &[PathBuf], control: &Control) -> Result<PuzzleSet> {
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {msg}, {elapsed}")?);
    bar.enable_steady_tick(Duration::from_millis(500));
    let progress = FindProgress::default();
    let mut faults = 0_u64;
    let (mut sources, mut broken) = (Vec::new(), Vec::new());
    for path in files {
        match GameSource::open(path, args.variant) {
            Ok(source) => sources.push(source),
            Err(error) => broken.push(error),
        }
    }
    if let Some(error) = broken.into_iter().next() {
        return Err(error.into());
    }
    let told = |progress: &FindProgress| {
        let [games, puzzles] = [&progress.games, &progress.puzzles].map(|n| n.load(Ordering::Relaxed));
        format!("{games} games, {puzzles} puzzles")
    };
    let games = sources.into_iter().flatten().inspect(|_| bar.set_message(told(&progress)));
    let settings = FinderSettings { nodes: args.nodes, ..FinderSettings::default() };
    let on_fault = |fault: SourceError| {
        faults += 1;
        bar.suspend(|| {
            // Nobody may be listening; the puzzles count.
            let _ = writeln!(io::stderr(), "{fault}");
        });
    };
    let set = puzzles::find_all(games, settings, args.threads.into(), control, &progress, on_fault)?;
    bar.finish_and_clear();
    let games = progress.games.load(Ordering::Relaxed);
    log::info!("{}, {faults} games with faults", told(&progress));
    if games == 0 && faults > 0 {
        bail!("none of the games can be played");
    }
    Ok(set)
}

/// Drops what a deeper search does not confirm; says so on standard error.
fn check(puzzles: &mut Vec<Puzzle>, nodes: u64, control: &Control) -> Result<()> {
    let mut checker = Checker::new(nodes, FinderSettings::default().hash_mb * 4);
    let (before, mut notes) = (puzzles.len(), Vec::new());
    puzzles.retain(|puzzle| {
        if control.is_stopped() {
            return false;
        }
        match checker.check(puzzle, control) {
            Ok(()) => true,
            Err(flaw) => {
                notes.push(format!("{}: {} ({flaw})", puzzle.variant, puzzle.fen));
                false
            }
        }
    });
    let mut errors = io::stderr().lock();
    for note in &notes {
        writeln!(errors, "rejected {note}")?;
    }
    writeln!(errors, "{} of {before} rejected by searches of {nodes} nodes", notes.len())?;
    if control.is_stopped() {
        bail!("interrupted; nothing was written");
    }
    Ok(())
}

/// So many of them, evenly from the first to the last.
fn spread(puzzles: Vec<Puzzle>, count: usize) -> Vec<Puzzle> {
    let all = puzzles.len();
    if all <= count {
        return puzzles;
    }
    let chosen = |index: usize| index * count / all != (index + 1) * count / all;
    puzzles.into_iter().enumerate().filter(|(index, _)| chosen(*index)).map(|(_, puzzle)| puzzle).collect()
}

/// Classes of difficulty in the table of `--levels`: below this.
const CLASSES: [f64; 5] = [3.0, 4.0, 5.0, 7.0, f64::INFINITY];

/// A puzzle and how often each level solved it: a line of a file of puzzles with two fields more.
#[derive(Serialize)]
struct Tried {
    #[serde(flatten)]
    puzzle: Puzzle,
    tries: u32,
    /// By level.
    solved: BTreeMap<u8, u32>,
}

/// Lets levels try puzzles, and prints how many of each class of difficulty each of them solves.
fn solve(args: &Args, puzzles: Vec<Puzzle>, out: &mut dyn Write) -> Result<Vec<Tried>> {
    let tries = args.tries;
    let mut checker = Checker::new(1, FinderSettings::default().hash_mb);
    let new = |puzzle| Tried { puzzle, tries, solved: BTreeMap::new() };
    let mut tried: Vec<Tried> = puzzles.into_iter().map(new).collect();
    let class = |one: &Tried| {
        CLASSES.iter().position(|&below| one.puzzle.difficulty < below).unwrap_or(CLASSES.len() - 1)
    };
    let mut sizes = [0_usize; CLASSES.len()];
    tried.iter().for_each(|one| sizes[class(one)] += 1);
    let names = std::iter::once(1.0).chain(CLASSES).zip(CLASSES);
    let names: Vec<String> =
        names.map(|(from, to)| format!("{:>9}", format!("{from}-{}", to.min(10.0)))).collect();
    writeln!(out, "difficulty {}  {:>8}", names.join(" "), "all")?;
    for &level in &args.levels {
        let mut solved = [0_usize; CLASSES.len()];
        for (index, one) in tried.iter_mut().enumerate() {
            // Every try has its own luck, the first ones of all puzzles different luck.
            let seeds = (0..u64::from(tries)).map(|round| (round << 32) + index as u64 + 1);
            let mut count = 0;
            for seed in seeds {
                count += u32::from(checker.is_solved_by(level, &one.puzzle, seed)?);
            }
            one.solved.insert(level, count);
            solved[class(one)] += count as usize;
        }
        let percent = |part: usize, whole: usize| match whole * tries as usize {
            0 => "-".to_owned(),
            all => format!("{:.1}%", 100.0 * part as f64 / all as f64),
        };
        let cells: Vec<String> =
            solved.iter().zip(sizes).map(|(&part, whole)| format!("{:>9}", percent(part, whole))).collect();
        let all = percent(solved.iter().sum(), tried.len());
        writeln!(out, "level {level:<4} {}  {all:>8}", cells.join(" "))?;
    }
    let sizes: Vec<String> = sizes.iter().map(|size| format!("{size:>9}")).collect();
    writeln!(out, "puzzles    {}  {:>8}", sizes.join(" "), tried.len())?;
    Ok(tried)
}

fn save_tries(path: &Path, tried: &[Tried]) -> Result<()> {
    Ok(write_whole(path, |file| {
        for one in tried {
            serde_json::to_writer(&mut *file, one)?;
            file.write_all(b"\n")?;
        }
        Ok(())
    })?)
}

fn save(path: &Path, puzzles: &[Puzzle]) -> Result<()> {
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let text = match ending.as_str() {
        "pdn" => Some(puzzles::write_pdn(puzzles)?),
        "html" | "htm" => Some(puzzles::sheet("Draughts puzzles", puzzles)?),
        _ => None,
    };
    Ok(write_whole(path, |file| match &text {
        Some(text) => file.write_all(text.as_bytes()),
        None => puzzles::write(puzzles, file),
    })?)
}
