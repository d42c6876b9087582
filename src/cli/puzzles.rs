//! `kroon puzzles`.

mod check;
mod levels;

use super::interrupt::on_interrupt;
use super::outputs::{is_standard, keep_other_pages};
use super::progress::say;
use super::usage::wrong_usage;
use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use kroon::files::{Input, OutputError, check_outputs, write_whole};
use kroon::notation::pdn::PdnStream;
use kroon::puzzles::{self, FindProgress, FinderSettings, GameSource, Puzzle, PuzzleSet, SourceError, Theme};
use kroon::rules::{UnknownVariant, VariantId};
use kroon::search::Control;
use kroon::train::dataset;
use kroon::words::counted;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

const AFTER_HELP: &str = "\
GAMES are PDN files, results of `kroon match`, games of `kroon selfplay` (files, or folders of
them), or files of puzzles made before, JSON or PDN. --builtin adds those of the program: of
international draughts, of --variant V, or with --variant all of all variants.

The end of its name says what an output is: .pdn, .html (a sheet to print, solutions on the last
page), anything else one JSON object a line. Without --out the JSON goes to standard output, as with
`--out -` beside other outputs. After an interruption the puzzles found so far go into outputs that
did not exist, and no file is replaced. If no game can be played to its end, what comes before is
looked at, and the exit status is 1.

A puzzle is a position in which one move wins and no other does, or one saves and all others lose,
by expected result; the replies are forced or nearly so, or the position is in endgame tables.

Examples:
  kroon puzzles games.pdn --out puzzles.jsonl --out sheet.html
  kroon puzzles --builtin --variant english --difficulty 3-5 --count 12 --out sheet.html
  kroon puzzles puzzles.jsonl --theme breakthrough --out breakthrough.pdn
  kroon puzzles games --threads 2 --out puzzles.jsonl             all games of a folder
  kroon puzzles match.jsonl --threads 2 --check --out puzzles.jsonl
  kroon puzzles puzzles.jsonl --check=5000000 --count 100 --out best.jsonl";

/// Find positions with exactly one good move, to solve
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Files of games or of puzzles, `-` is standard input; folders of games of kroon selfplay
    #[arg(value_name = "GAMES")]
    files: Vec<PathBuf>,
    /// Take the puzzles of the program, too
    #[arg(long)]
    builtin: bool,
    /// Where the puzzles go, again for another form; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    out: Vec<PathBuf>,
    /// The variant of PDN games [default: that of their tags], of puzzles [default: all in the files] and of --builtin
    /// [default: international]; all: all of --builtin
    #[arg(long, value_name = "V")]
    variant: Option<Variants>,
    /// Nodes for the first look at a position; what it finds is searched with 10 times as many
    #[arg(long, value_name = "N", default_value_t = FinderSettings::default().nodes, value_parser = clap::value_parser!(u64).range(100..=100_000_000))]
    nodes: u64,
    /// Games looked at at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Search each puzzle again from an empty table, and drop those that fail; nodes [default: 10 times the deeper search]
    #[arg(long, value_name = "NODES", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    check: Option<u64>,
    /// Only puzzles this difficult, of 1 to 10
    #[arg(long, value_name = "MIN-MAX", value_parser = range)]
    difficulty: Option<(f64, f64)>,
    /// Only puzzles with this theme; given again, with all of them
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

/// Of which variants puzzles are.
#[derive(Clone, Copy, Debug)]
enum Variants {
    All,
    One(VariantId),
}

impl FromStr for Variants {
    type Err = UnknownVariant;

    fn from_str(text: &str) -> Result<Variants, UnknownVariant> {
        if text == "all" { Ok(Variants::All) } else { text.parse().map(Variants::One) }
    }
}

impl Args {
    /// The variants whose puzzles the program adds.
    fn builtin(&self) -> Vec<VariantId> {
        match self.variant {
            _ if !self.builtin => Vec::new(),
            None => vec![VariantId::default()],
            Some(Variants::One(variant)) => vec![variant],
            Some(Variants::All) => VariantId::ALL.to_vec(),
        }
    }

    /// The variant of games in place of what their tags say.
    fn of_games(&self) -> Option<VariantId> {
        match self.variant {
            Some(Variants::One(variant)) => Some(variant),
            Some(Variants::All) | None => None,
        }
    }
}

/// `2-4.5`, or `5` for `5-5`.
fn range(text: &str) -> Result<(f64, f64), String> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let parsed = low.parse().ok().zip(high.parse().ok());
    parsed
        .filter(|(low, high): &(f64, f64)| low <= high)
        .ok_or_else(|| format!("\"{text}\" found, expected MIN-MAX such as 2-4.5, or one number"))
}

/// Finds, checks, chooses, writes.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let outputs = || args.out.iter().map(PathBuf::as_path);
    if let Some(path) = outputs().find(|path| !args.levels.is_empty() && form(path) != Form::Json) {
        wrong_usage!("\"{}\": with --levels an output is JSON, not PDN or HTML", path.display());
    }
    if args.files.is_empty() && !args.builtin {
        wrong_usage!(
            "no GAMES: name files of games or of puzzles, or take those of the program with --builtin"
        );
    }
    let mut set = PuzzleSet::default();
    for variant in args.builtin() {
        add(&mut set, puzzles::builtin(variant))?;
    }
    let mut games = Vec::new();
    for path in &files(&args.files)? {
        let input = Input::open(path).with_context(|| format!("\"{}\"", path.display()))?;
        match puzzle_file(&input)? {
            Some(mut puzzles) => {
                // Puzzles say of which variant they are: the option chooses among them.
                let is_wanted = |puzzle: &Puzzle| {
                    args.of_games().is_none_or(|variant| puzzle.variant().ok() == Some(variant))
                };
                puzzles.retain(is_wanted);
                add(&mut set, puzzles)?;
            }
            None => {
                // What cannot be opened is told before the search; it is opened again when its turn comes.
                GameSource::of(&input, args.of_games())?;
                games.push(input);
            }
        }
    }
    // Puzzles may go back into their file, but they are no games.
    check_outputs(games.iter().map(Input::path), outputs().filter(|path| !is_standard(path)))?;
    if outputs().filter(|path| is_standard(path)).count() > 1 {
        return Err(OutputError::Twice("-".to_owned()).into());
    }
    check_replaced(args)?;
    let control = Arc::new(Control::new());
    let stop = Arc::clone(&control);
    // Without a handler an interruption ends the program at once, with nothing written: no reason not to begin.
    let _ = on_interrupt(move || stop.stop());
    let mut cut = None;
    let mut has_whole = true;
    if !games.is_empty() {
        let found = find(args, &games, &control)?;
        cut = control.is_stopped().then_some(found.games);
        has_whole = found.whole > 0 || found.faults == 0;
        add(&mut set, found.puzzles.into_sorted())?;
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
    if let Some(games) = cut {
        return interrupted(args, &counted(games, "game"), &puzzles, out);
    }
    let count = args.count.map(|count| count as usize);
    if let Some(nodes) = args.check {
        let deeper = args.nodes.saturating_mul(FinderSettings::MORE * 10);
        let checked = check::confirmed(puzzles, count, if nodes == 0 { deeper } else { nodes }, &control)?;
        puzzles = checked.left;
        if control.is_stopped() {
            let searched = format!("the check of {}", counted(checked.searched, "puzzle"));
            return interrupted(args, &searched, &puzzles, out);
        }
    } else if let Some(count) = count {
        puzzles = check::spread(puzzles, count).0;
    }
    if let Some(path) = taken(args).next().filter(|_| puzzles.is_empty()) {
        bail!("no puzzle is left, \"{}\" stays as it is", path.display());
    }
    deliver(args, without_source(args, puzzles), &control, out)?;
    if !has_whole {
        bail!("none of the games can be played to its end; what comes before was looked at");
    }
    Ok(())
}

/// Outputs at whose place there is something.
fn taken(args: &Args) -> impl Iterator<Item = &Path> {
    let files = args.out.iter().map(PathBuf::as_path).filter(|path| !is_standard(path));
    files.filter(|path| path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0))
}

/// What is at the place of an output must not be lost, unless it is puzzles, too: told before a long search.
fn check_replaced(args: &Args) -> Result<()> {
    for path in taken(args) {
        if form(path) == Form::Html {
            keep_other_pages(path, "puzzles")?;
            continue;
        }
        let input = Input::open(path).with_context(|| format!("\"{}\"", path.display()))?;
        if puzzle_file(&input)?.is_none() {
            bail!("\"{}\" is no file of puzzles and is not replaced: choose another name", path.display());
        }
    }
    Ok(())
}

/// Writes the outputs, with the tries of levels if they are asked for, and says how many puzzles there are.
fn deliver(args: &Args, puzzles: Vec<Puzzle>, control: &Control, out: &mut dyn Write) -> Result<()> {
    let mut errors = io::stderr();
    let has_standard = args.out.iter().any(|path| is_standard(path));
    if !args.levels.is_empty() {
        // The table is for people, and must not stand among the objects.
        let table: &mut dyn Write = if has_standard { &mut errors } else { out };
        let tried = levels::solve(&args.levels, args.tries, puzzles, control, table)?;
        for path in &args.out {
            save_to(path, out, |file| levels::write(&tried, file))?;
        }
        return Ok(());
    }
    if args.out.is_empty() {
        puzzles::write(&puzzles, out)?;
    }
    for path in &args.out {
        save(path, &puzzles, out)?;
    }
    let told = counted(puzzles.len() as u64, "puzzle");
    if has_standard || args.out.is_empty() {
        // Nobody may be listening; the puzzles count.
        let _ = writeln!(errors, "{told}");
    } else {
        writeln!(out, "{told}")?;
    }
    Ok(())
}

/// Keeps what was found before an interruption, `after` so many games or checks, where that costs nothing that was there;
/// always an error. What is not checked yet can be later, from the file.
fn interrupted(args: &Args, after: &str, puzzles: &[Puzzle], out: &mut dyn Write) -> Result<()> {
    let puzzles = without_source(args, puzzles.to_vec());
    let is_whole = args.levels.is_empty() && !puzzles.is_empty();
    let mut written = Vec::new();
    if is_whole && args.out.is_empty() {
        puzzles::write(&puzzles, out)?;
        written.push("standard output".to_owned());
    }
    for path in args.out.iter().filter(|path| is_whole && (is_standard(path) || !path.exists())) {
        save(path, &puzzles, out)?;
        written.push(if is_standard(path) {
            "standard output".to_owned()
        } else {
            format!("\"{}\"", path.display())
        });
    }
    let found = counted(puzzles.len() as u64, "puzzle");
    if written.is_empty() {
        bail!("interrupted after {after} with {found}; nothing was written");
    }
    let are = if puzzles.len() == 1 { "is" } else { "are" };
    let unchecked = if args.check.is_some() { ", the check is not complete" } else { "" };
    bail!("interrupted after {after}; {found} {are} in {}{unchecked}", written.join(", "));
}

fn without_source(args: &Args, mut puzzles: Vec<Puzzle>) -> Vec<Puzzle> {
    if args.no_source {
        puzzles.iter_mut().for_each(|puzzle| puzzle.source.clear());
    }
    puzzles
}

fn add(set: &mut PuzzleSet, puzzles: Vec<Puzzle>) -> Result<()> {
    for puzzle in puzzles {
        set.add(puzzle)?;
    }
    Ok(())
}

/// The files that are meant: those named, and the games of self-play in folders.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            files.extend(dataset::files(std::slice::from_ref(path))?);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// Longest first line of a file of puzzles, in bytes.
const LONGEST_LINE: u64 = 4 << 20;

/// The puzzles of a file, if it is one of puzzles. One with nothing in it has none.
fn puzzle_file(input: &Input) -> Result<Option<Vec<Puzzle>>> {
    let name = || format!("\"{}\"", input.path().display());
    let mut file = BufReader::new(input.reader().with_context(name)?.take(LONGEST_LINE));
    let mut line = Vec::new();
    loop {
        line.clear();
        if file.read_until(b'\n', &mut line).with_context(name)? == 0 {
            say(format_args!("{} is empty", name()));
            return Ok(Some(Vec::new()));
        }
        if !line.trim_ascii().is_empty() {
            break;
        }
    }
    if !puzzles::is_puzzle(&String::from_utf8_lossy(&line)) {
        // Whatever stands before the first game, a mark of its encoding or a line that other programs skip.
        let is_pdn = !line.starts_with(b"{");
        return if is_pdn { pdn_puzzles(input) } else { Ok(None) };
    }
    let text = io::read_to_string(input.reader().with_context(name)?).with_context(name)?;
    Ok(Some(puzzles::read(&text).with_context(name)?))
}

/// The puzzles of a PDN file if its first game is one: then all are.
fn pdn_puzzles(input: &Input) -> Result<Option<Vec<Puzzle>>> {
    let name = || format!("\"{}\"", input.path().display());
    let games = PdnStream::new(BufReader::new(input.reader().with_context(name)?));
    let mut puzzles = Vec::new();
    for (number, game) in (1..).zip(games) {
        match puzzles::of_pdn(&game.with_context(name)?) {
            Some(puzzle) => puzzles.push(puzzle.with_context(|| format!("{}, game {number}", name()))?),
            None if number == 1 => return Ok(None),
            None => bail!(
                "{}, game {number}: no puzzle, as those before it are: put games into another file",
                name()
            ),
        }
    }
    Ok((!puzzles.is_empty()).then_some(puzzles))
}

/// What was found in games.
struct Found {
    puzzles: PuzzleSet,
    /// Games that were looked at.
    games: u64,
    /// Games that could be followed to their end.
    whole: u64,
    /// What was wrong with games and files.
    faults: u64,
}

/// The puzzles of games.
fn find(args: &Args, inputs: &[Input], control: &Control) -> Result<Found> {
    let bar = ProgressBar::new_spinner();
    bar.set_style(ProgressStyle::with_template("{spinner} {msg}, {elapsed}")?);
    bar.enable_steady_tick(Duration::from_millis(500));
    let progress = FindProgress::default();
    let mut faults = 0_u64;
    // One after the other: there may be more files than a program may have open.
    let games = inputs.iter().flat_map(|input| {
        let (source, fault) = match GameSource::of(input, args.of_games()) {
            Ok(source) => (Some(source), None),
            Err(fault) => (None, Some(Err(fault))),
        };
        source.into_iter().flatten().chain(fault)
    });
    let told = |progress: &FindProgress| {
        let [games, puzzles] = [&progress.games, &progress.puzzles].map(|n| n.load(Ordering::Relaxed));
        format!("{}, {}", counted(games, "game"), counted(puzzles, "puzzle"))
    };
    let mut whole = 0_u64;
    let games = games.inspect(|game| {
        whole += u64::from(game.as_ref().is_ok_and(|game| game.is_whole));
        bar.set_message(told(&progress));
    });
    let settings = FinderSettings { nodes: args.nodes, ..FinderSettings::default() };
    let on_fault = |fault: SourceError| {
        faults += 1;
        bar.suspend(|| say(&fault));
    };
    let puzzles = puzzles::find_all(games, settings, args.threads.into(), control, &progress, on_fault)?;
    bar.finish_and_clear();
    let games = progress.games.load(Ordering::Relaxed);
    log::info!("{}, {}", told(&progress), counted(faults, "fault"));
    if games == 0 && faults > 0 && !control.is_stopped() {
        bail!("none of the games can be played");
    }
    Ok(Found { puzzles, games, whole, faults })
}

/// A form of output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Pdn,
    Html,
    Json,
}

/// The form that the end of a name asks for.
fn form(path: &Path) -> Form {
    match path.extension().unwrap_or_default().to_string_lossy().to_lowercase().as_str() {
        "pdn" => Form::Pdn,
        "html" | "htm" => Form::Html,
        _ => Form::Json,
    }
}

fn save(path: &Path, puzzles: &[Puzzle], out: &mut dyn Write) -> Result<()> {
    let text = match form(path) {
        Form::Pdn => Some(puzzles::write_pdn(puzzles)?),
        Form::Html => Some(puzzles::sheet("Draughts puzzles", puzzles)?),
        Form::Json => None,
    };
    save_to(path, out, |file| match &text {
        Some(text) => file.write_all(text.as_bytes()),
        None => puzzles::write(puzzles, file),
    })
}

/// Replaces a file, or writes to `out` if the name says so.
fn save_to(
    path: &Path,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    if is_standard(path) {
        return Ok(write(out)?);
    }
    write_whole(path, write).with_context(|| format!("cannot write \"{}\"", path.display()))
}
