//! `kroon dataset`.

mod stat;
mod wdl;

use super::outputs::keep_others;
use super::progress;
use anyhow::{Result, bail};
use kroon::files::{check_outputs, folder_of};
use kroon::rules::VariantId;
use kroon::train::dataset::{self, DatasetError, DatasetProgress, JoinPlan};
use kroon::train::origin::Set;
use kroon::words::counted;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
Games are read from folders (all their *.games) or single files, also while `kroon selfplay` adds
to them. Progress goes to standard error.

Examples:
  kroon dataset stat games                               what is in it
  kroon dataset verify games                             exit status 1 if anything is wrong
  kroon dataset merge machine-a machine-b --out all.games
  kroon dataset shard all.games --parts 16 --out spread
  kroon dataset wdl games --plot calibration.svg";

/// Look into, check, join and spread files of games of self-play
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    Stat(stat::Args),
    Verify(VerifyArgs),
    Merge(MergeArgs),
    Shard(ShardArgs),
    Wdl(wdl::Args),
}

/// Which games.
#[derive(clap::Args, Debug)]
struct Games {
    /// Folders of games, or files
    #[arg(value_name = "DIR", required = true)]
    paths: Vec<PathBuf>,
}

/// Which games, where one variant is wanted.
#[derive(clap::Args, Debug)]
struct GamesOfOne {
    #[command(flatten)]
    games: Games,
    /// Only files of this variant, where the folders have several
    #[arg(long, value_name = "V")]
    variant: Option<VariantId>,
}

const VERIFY_HELP: &str = "\
Every game is decoded and played by the rules; if its last position ends the game, the result must
agree. An incomplete game at the end of a file, left by a kill, is no fault: the next
`kroon selfplay --resume` cuts it off.

With --json every line is one object: file, games, plies, torn (bytes), faulty (number of faults),
faults (texts, the first 20).

Examples:
  kroon dataset verify games
  kroon dataset verify games/international-1-0.games --json";

/// Play every game by the rules; exit status 1 and file, game and byte of what is wrong
#[derive(clap::Args, Debug)]
#[command(after_help = VERIFY_HELP)]
struct VerifyArgs {
    #[command(flatten)]
    games: Games,
    /// One JSON object on each line, one for each file
    #[arg(long)]
    json: bool,
}

const MERGE_HELP: &str = "\
The first line of the new file says which runs are in it, and which of their games; `kroon train`
and all commands here read it like any other. Games that are in two files (same seed, shard,
number) are refused.

Example:
  kroon dataset merge machine-a machine-b --out games/all.games";

/// Put games of many files into one
#[derive(clap::Args, Debug)]
#[command(after_help = MERGE_HELP)]
struct MergeArgs {
    #[command(flatten)]
    games: GamesOfOne,
    /// The file, new or merged before; in an existing folder VARIANT.games
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Say what was done as a JSON object: out, variant, files, games
    #[arg(long)]
    json: bool,
}

const SHARD_HELP: &str = "\
The files are called VARIANT-part-N.games; merged in order they give the same file again.

Example:
  kroon dataset shard all.games --parts 16 --out spread";

/// Spread games over files of about the same size
#[derive(clap::Args, Debug)]
#[command(after_help = SHARD_HELP)]
struct ShardArgs {
    #[command(flatten)]
    games: GamesOfOne,
    /// Number of files
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    parts: u32,
    /// Folder of the new files; created if need be
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Say what was done as a JSON object: out, variant, files, games
    #[arg(long)]
    json: bool,
}

/// Does what is asked for.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    match &args.command {
        Command::Stat(args) => stat::run(args, out),
        Command::Verify(args) => verify(args, out),
        Command::Merge(args) => merge(args, out),
        Command::Shard(args) => shard(args, out),
        Command::Wdl(args) => wdl::run(args, out),
    }
}

impl Games {
    fn files(&self) -> Result<Vec<PathBuf>, DatasetError> {
        dataset::files(&self.paths)
    }

    /// Which of the folders would have this file among its files of games.
    fn folder_of(&self, file: &Path) -> Option<&Path> {
        let folder = folder_of(file)
            .canonicalize()
            .ok()
            .filter(|_| file.extension().is_some_and(|ending| ending == "games"))?;
        let is_it = |path: &&PathBuf| path.is_dir() && path.canonicalize().is_ok_and(|path| path == folder);
        self.paths.iter().find(is_it).map(PathBuf::as_path)
    }
}

impl GamesOfOne {
    fn plan(&self) -> Result<JoinPlan> {
        let files = self.games.files()?;
        Ok(watched(files.len(), |progress| JoinPlan::new(&files, self.variant, progress))?)
    }
}

/// Time between two lines of progress.
const LINE: Duration = Duration::from_secs(10);

/// Works while progress is told on standard error, for whoever waits longer.
fn watched<T>(files: usize, work: impl FnOnce(&DatasetProgress) -> T) -> T {
    let progress = DatasetProgress::default();
    let start = Instant::now();
    let line = || {
        let games = progress.games.load(Ordering::Relaxed);
        let rate = games as f64 / start.elapsed().as_secs_f64();
        let done = progress.files.load(Ordering::Relaxed);
        format!("{games} games, {rate:.0} games/s, {done} of {files} files done")
    };
    progress::watched(LINE, line, || work(&progress))
}

fn verify(args: &VerifyArgs, out: &mut dyn Write) -> Result<()> {
    let files = args.games.files()?;
    let (mut games, mut faulty) = (0, 0);
    watched(files.len(), |progress| -> Result<()> {
        for path in &files {
            let verdict = match dataset::verify(path, progress) {
                Ok(verdict) => verdict,
                // A file that is none at all is a finding like others.
                Err(error @ DatasetError::Shard(_)) => {
                    dataset::FileVerdict { faulty: 1, faults: vec![error.to_string()], ..Default::default() }
                }
                Err(error) => return Err(error.into()),
            };
            games += verdict.games;
            faulty += verdict.faulty;
            if args.json {
                let line = json!({
                    "file": path, "games": verdict.games, "plies": verdict.plies, "torn": verdict.torn,
                    "faulty": verdict.faulty, "faults": verdict.faults,
                });
                writeln!(out, "{line}")?;
                continue;
            }
            let torn =
                if verdict.torn > 0 { format!(", {} bytes torn off", verdict.torn) } else { String::new() };
            let sound =
                if verdict.faulty == 0 { "sound".to_owned() } else { format!("faults: {}", verdict.faulty) };
            writeln!(
                out,
                "{}: {}, {}{torn}: {sound}",
                path.display(),
                counted(verdict.games, "game"),
                counted(verdict.plies, "move")
            )?;
            for fault in &verdict.faults {
                writeln!(out, "  {fault}")?;
            }
        }
        Ok(())
    })?;
    out.flush()?;
    if faulty > 0 {
        bail!(
            "{} found; {} of {} read",
            counted(faulty, "fault"),
            counted(games, "game"),
            counted(files.len() as u64, "file")
        );
    }
    Ok(())
}

fn merge(args: &MergeArgs, out: &mut dyn Write) -> Result<()> {
    let plan = args.games.plan()?;
    let path =
        if args.out.is_dir() { args.out.join(format!("{}.games", plan.variant())) } else { args.out.clone() };
    check_outputs(plan.paths(), [path.as_path()])?;
    keep_others(&path, &format!("{{\"format\":\"{}\"", Set::FORMAT), "games that were put together")?;
    if let Some(folder) = args.games.games.folder_of(&path) {
        bail!(
            "\"{}\" would lie among the files that are read, and its games be there twice: name a file outside \"{}\"",
            path.display(),
            folder.display()
        );
    }
    watched(1, |progress| dataset::merge(&plan, &path, progress))?;
    if args.json {
        let line = json!({
            "out": path, "variant": plan.variant().name(), "files": plan.files(), "games": plan.games(),
        });
        writeln!(out, "{line}")?;
    } else {
        writeln!(out, "{} in {}", games_of(&plan), path.display())?;
    }
    Ok(())
}

/// How many games there are, of how many files.
fn games_of(plan: &JoinPlan) -> String {
    format!("{} of {}", counted(plan.games(), "game"), counted(plan.files() as u64, "file"))
}

fn shard(args: &ShardArgs, out: &mut dyn Write) -> Result<()> {
    let plan = args.games.plan()?;
    std::fs::create_dir_all(&args.out)
        .map_err(|source| DatasetError::Io { path: args.out.clone(), source })?;
    if let Some(folder) = args.games.games.folder_of(&args.out.join("part.games")) {
        bail!(
            "\"{}\" is read, and its games would be there twice: name another folder than \"{}\"",
            folder.display(),
            args.out.display()
        );
    }
    let parts = args.parts as usize;
    let paths = watched(parts, |progress| dataset::shard(&plan, &args.out, parts, progress))?;
    if args.json {
        let line = json!({
            "out": paths, "variant": plan.variant().name(), "files": plan.files(), "games": plan.games(),
        });
        writeln!(out, "{line}")?;
    } else {
        let (first, last) = (paths[0].display(), paths[parts - 1].display());
        let files = counted(parts as u64, "file");
        writeln!(out, "{} in {files}, {first} to {last}", games_of(&plan))?;
    }
    Ok(())
}
