//! `kroon selfplay`.

use super::endings;
use super::engine_args::{Searches, SetArgs};
use super::progress::watched;
use super::usage::wrong_usage;
use super::weights::Weights;
use anyhow::{Context, Result, bail};
use kroon::engine::{EvaluationKind, SearchKind};
use kroon::eval::EvalFile;
use kroon::notation::seconds;
use kroon::rules::VariantId;
use kroon::train::selfplay::{Run, SelfplayProgress, run as play};
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
Each thread writes a shard of its own, DIR/VARIANT-SEED-SHARD.games. A game is a function of
variant, seed, shard, nodes, search, evaluation and its number in the shard, so several machines
make one large set if each has shards of its own. A run that was killed goes on with --resume.
A tree search also leaves the visits of every move in the games, for kroon train --policy.

Examples:
  kroon selfplay --out games --minutes 60 --threads 2
  kroon selfplay --out games --minutes 60 --threads 2 --resume    ... another hour
  kroon selfplay --out games2 --games 10000 --eval-file first.weights
  kroon selfplay --out trees --games 1000 --search mcts --mcts-leaf eval --nodes 400
  parallel kroon selfplay --out games --games 10000 --shard {} ::: $(seq 0 63)
  sbatch --array=0-63 --wrap 'kroon selfplay --out games --games 10000 --shard $SLURM_ARRAY_TASK_ID'";

/// Play games of the engine against itself, to learn from
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
#[command(group = clap::ArgGroup::new("end").required(true).multiple(true).args(["games", "minutes"]))]
pub struct Args {
    /// The variant
    #[arg(long, value_name = "V", default_value_t = VariantId::International)]
    variant: VariantId,
    /// Folder of the games; created if need be
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Games in each shard; with --minutes, too, what is reached first ends the run
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Stop after so many minutes
    #[arg(long, value_name = "M", value_parser = minutes)]
    minutes: Option<Duration>,
    /// Nodes searched for each move; visits, with --search mcts
    #[arg(long, value_name = "K", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Moves of a hundred that are drawn at random in place of the best one, so that mistakes are seen, too; learn from such games with --result-share 0
    #[arg(long, value_name = "P", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=100))]
    random_percent: u8,
    /// Which evaluation plays: learned or handmade
    #[arg(long, value_name = "E", default_value = "learned")]
    evaluation: EvaluationKind,
    /// Weights of the learned evaluation, as kroon train makes them; embedded, the default: those in the program
    #[arg(long, value_name = "FILE", value_parser = Weights::parser(), value_hint = Weights::HINT, conflicts_with = "evaluation")]
    eval_file: Option<Weights>,
    /// Search with endgame tables, and end a game where they know its result; those of the default folders, of these, or `embedded`: those in the program
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "")]
    tables: Option<String>,
    /// Threads, each with a shard of its own
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=256))]
    threads: u64,
    /// Seed of all games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = kroon::seed::parse)]
    seed: u64,
    /// Number of the first shard
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..1 << 48))]
    shard: u64,
    #[command(flatten)]
    search: SetArgs<Searches>,
    /// Go on with the shards that are there, if the same program and the same weights began them
    #[arg(long)]
    resume: bool,
}

fn minutes(text: &str) -> Result<Duration, String> {
    seconds::parse_minutes(text, 0.001).map_err(|error| error.to_string())
}

/// Time between two lines of progress.
const LINE: Duration = Duration::from_secs(20);

/// Plays; progress goes to standard error.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let search = args.search.options()?;
    if search.search != SearchKind::Mcts
        && let Some(name) = args.search.given().find(|name| name.starts_with("mcts-"))
    {
        wrong_usage!("--{name} without --search mcts: alpha-beta does not know it");
    }
    std::fs::create_dir_all(&args.out).with_context(|| format!("{}", args.out.display()))?;
    let order = Run {
        tree: (search.search == SearchKind::Mcts).then_some(search.mcts),
        variant: args.variant,
        seed: args.seed,
        first_shard: args.shard,
        threads: args.threads,
        nodes: args.nodes,
        random_percent: args.random_percent,
        evaluation: args.evaluation,
        eval_file: args.eval_file.as_ref().and_then(Weights::file).map(EvalFile::new),
        tables: match &args.tables {
            Some(folders) => Some(endings::tables(args.variant, folders)?),
            None => None,
        },
        games: args.games,
        time: args.minutes,
    };
    if let Some(file) = &order.eval_file {
        file.evaluation(order.variant)?;
    }
    if !args.resume {
        for shard in args.shard..args.shard + args.threads {
            let path = args.out.join(order.header(shard).file_name());
            if path.exists() {
                bail!(
                    "\"{}\" is there already: go on with --resume, or choose another --seed or --shard",
                    path.display()
                );
            }
        }
    }
    let progress = SelfplayProgress::default();
    let start = Instant::now();
    let line = |progress: &SelfplayProgress| {
        let [games, positions] =
            [&progress.games, &progress.positions].map(|count| count.load(Ordering::Relaxed));
        let rate = positions as f64 / start.elapsed().as_secs_f64();
        format!("{games} games, {positions} positions, {rate:.0} positions/s")
    };
    watched(LINE, || line(&progress), || play(&order, &args.out, &progress))?;
    writeln!(out, "{}", line(&progress))?;
    // Large files are checked only where they are read.
    if let Some(fault) = order.tables.as_ref().and_then(|tables| tables.fault()) {
        bail!("--tables: {fault}");
    }
    Ok(())
}
