//! `kroon reproduce`.

use super::interrupt::on_interrupt;
use super::progress::say;
use super::usage::wrong_usage;
use super::{positive_seconds, threads};
use anyhow::{Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kroon::arena::adjudicate::Blocked;
use kroon::arena::cancel::Cancel;
use kroon::reproduce::{self, Experiment, Progress, ReproduceError, Settings};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const AFTER_HELP: &str = "\
Experiments:
  ai-for-draught  six players against random moves and MCTS, moving first and second: its tables
  draughts-ai     searching on until quiet or not, eight features or pieces and kings
  checkers-rl     the learning curve of the state-abstraction learner
  nogo-mcts       four additions to tree search one by one, against two programs

Each has a folder of its own in the folder of --out, with the games of every pairing (kroon report
reads them), report.html and report.json. Interrupted or killed, the same command goes on.

Examples:
  kroon reproduce                               all of them: 45 minutes on two cores
  kroon reproduce ai-for-draught --games 100    as many games a cell as the text has
  kroon reproduce ai-for-draught --check        fails where the games do not show what was published";

/// Repeat the experiments of the literature
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Which experiment [default: all]
    #[arg(value_name = "EXPERIMENT")]
    experiment: Option<Experiment>,
    /// Games of each pairing with each side [default: 1000, 500, 100 or 50 by the experiment]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MOST_GAMES))]
    games: Option<u32>,
    /// Games that each learner learns from [default: as many as documented]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    training: Option<u64>,
    /// Seconds for a move in nogo-mcts [default: 0.01]
    #[arg(long, value_name = "S", value_parser = positive_seconds)]
    move_time: Option<Duration>,
    /// Where all random numbers come from: the same seed, the same games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = kroon::seed::parse)]
    seed: u64,
    /// The folder for games, learned players and reports
    #[arg(long, value_name = "FOLDER", default_value = "reproductions")]
    out: PathBuf,
    /// Games at the same time [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: Option<u32>,
    /// What a side gets that has pieces but no move, in ai-for-draught: loss or draw [default: loss]
    #[arg(long, value_name = "RESULT")]
    blocked: Option<Blocked>,
    /// Go on with games that another version of this program began
    #[arg(long)]
    force: bool,
    /// Fail if the games do not show what the published numbers do
    #[arg(long)]
    check: bool,
    /// Print the reports as JSON objects
    #[arg(long)]
    json: bool,
}

/// Far more than the papers played.
const MOST_GAMES: i64 = 1_000_000;

/// Time for a move in `nogo-mcts` where nobody says another.
const MOVE_TIME: Duration = Duration::from_millis(10);

/// Refuses options that the experiment does not look at. All of them together look at each.
fn refuse_unused(args: &Args) -> Result<()> {
    let Some(experiment) = args.experiment else { return Ok(()) };
    let options: [(&str, bool, &[Experiment]); 3] = [
        ("--training", args.training.is_some(), &[Experiment::AiForDraught, Experiment::CheckersRl]),
        ("--move-time", args.move_time.is_some(), &[Experiment::NogoMcts]),
        ("--blocked", args.blocked.is_some(), &[Experiment::AiForDraught]),
    ];
    for (option, is_given, users) in options {
        if is_given && !users.contains(&experiment) {
            let users: Vec<&str> = users.iter().map(|user| user.name()).collect();
            wrong_usage!("{option} with {experiment}: it is for {}", users.join(" and "));
        }
    }
    Ok(())
}

/// Plays, prints, checks.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    refuse_unused(args)?;
    let cancel = Cancel::new();
    let interrupt = cancel.clone();
    let is_learning = Arc::new(AtomicBool::new(false));
    let learning = Arc::clone(&is_learning);
    // A training saves itself as it goes and asks nobody whether to go on; games are finished or abandoned.
    let stop = move || {
        if learning.load(Ordering::Relaxed) {
            say(format_args!("error: {}", ReproduceError::Interrupted));
            process::exit(1)
        }
        interrupt.cancel();
    };
    on_interrupt(stop)?;
    let cores = threads(None);
    let settings = Settings {
        games: args.games.map(|games| games as usize),
        training: args.training,
        move_time: args.move_time.unwrap_or(MOVE_TIME),
        seed: args.seed,
        folder: args.out.clone(),
        concurrency: args.concurrency.map_or(cores, |games| games as usize),
        blocked: args.blocked.unwrap_or_default(),
        force: args.force,
    };
    let wanted = args.experiment.map_or_else(|| Experiment::ALL.to_vec(), |experiment| vec![experiment]);
    let mut failures = Vec::new();
    for experiment in wanted {
        let bar = Bar::new(experiment);
        let report = reproduce::run(experiment, &settings, &cancel, &mut |progress| {
            is_learning.store(matches!(progress, Progress::Learning { .. }), Ordering::Relaxed);
            bar.show(progress);
        })?;
        bar.end();
        let text = if args.json { reproduce::json(&report) } else { reproduce::text(&report) + "\n" };
        out.write_all(text.as_bytes())?;
        out.flush()?;
        failures
            .extend(report.failures().map(|claim| format!("{experiment}: {} ({})", claim.text, claim.ours)));
    }
    if args.check && !failures.is_empty() {
        bail!("not shown by these games: {}", failures.join("; "));
    }
    Ok(())
}

/// One line that changes, in a terminal only.
struct Bar(Option<ProgressBar>);

impl Bar {
    fn new(experiment: Experiment) -> Bar {
        Bar(io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{prefix} {bar:20} {pos}/{len} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_prefix(experiment.name());
            bar.enable_steady_tick(Duration::from_secs(1));
            bar
        }))
    }

    fn show(&self, progress: Progress<'_>) {
        let Some(bar) = &self.0 else { return };
        match progress {
            Progress::Stage { name, number, of } => bar.set_message(format!("{name} ({number} of {of})")),
            Progress::Learning { name, played, all } => {
                bar.set_message(format!("{name} learns"));
                bar.set_length(all);
                bar.set_position(played);
            }
            Progress::Games { played, all } => {
                bar.set_length(all as u64);
                bar.set_position(played as u64);
            }
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
