//! `kroon train`.

use super::outputs::{DRAWING, keep_others};
use super::progress::say;
use super::weights::Weights;
use anyhow::{Context, Result, bail};
use kroon::eval::learned::blocks::{APART, MOST_BLOCKS};
use kroon::eval::policy::Policy;
use kroon::eval::{EvalFile, Evaluation, Learned};
use kroon::files::{check_outputs, write_whole};
use kroon::rules::VariantId;
use kroon::train::dataset::have_random_moves;
use kroon::train::fit::{Checkpoint, FitSettings, fit, fit_policy, plot, plot_policy, shards};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

const AFTER_HELP: &str = "\
The loss is the cross entropy of the predicted result, in bits. Every fiftieth beginning is held out
of learning with all its games, which give the second figure (none, if there are too few games). A
position that occurs again counts once. After each pass the state is saved beside the weights
(FILE.checkpoint, with --policy FILE.policy.checkpoint): --resume goes on with the next pass; if
none is left, the last one is reported and drawn again. The empty file FILE.checkpoint.lock keeps a
second process off; it stays.

With --eval-file learning goes on from weights that have learned from other games already, in small
steps: see --random-percent of kroon selfplay. Random moves change the results of games: what learns
from such games wants --result-share 0, and the policy is better learned from games without them.
With --keep 0.5 half of what a new round of games changes is taken over; the losses that are shown
are those of the whole change.

--blocks 9 adds rows for five blocks that overlap the others: a better evaluation, if there are
games enough to learn them from, for an eighth more time. What learns on from weights with nine
has nine.

The best share of the result depends on the games: measured were 0.25 for international draughts,
0.4 for most other variants, 0.7 for losing and Russian draughts (src/train/EXPERIMENTS.md). From
nothing two passes are enough (--epochs 2 --rate 0.005): in more of them rows for blocks learn the
results of few games by heart, which the loss on games held out shows.

With --policy another network learns which move the searches chose: the tree search asks it (option
mcts-policy). It is added to weights, those in the program or --eval-file; what they evaluate stays.
Shown are its loss and, of quiet positions held out, in how many the move that was chosen is its
first, and among its first three.

Examples:
  kroon train --data games --out international.weights --plot calibration.svg
  kroon train --data noisy --eval-file old.weights --rate 0.001 --result-share 0 --out new.weights
  kroon train --policy --eval-file international.weights --data games --out with-policy.weights";

/// Fit the evaluation to games of self-play
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The variant
    #[arg(long, value_name = "V", default_value_t = VariantId::International)]
    variant: VariantId,
    /// Folder of the games, or one file
    #[arg(long, value_name = "DIR")]
    data: PathBuf,
    /// File of the weights, new or of a training that goes on
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Passes over the games
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Size of the first steps; they shrink to nothing
    #[arg(long, value_name = "R", default_value_t = 0.002, value_parser = rate)]
    rate: f32,
    /// Share of the game's result in what is learned; the rest is the score of the search
    #[arg(long, value_name = "L", default_value_t = 0.25, value_parser = share)]
    result_share: f32,
    /// Seed of the order of positions
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Blocks of squares whose states have rows, 4 or 9; as many at least as the weights to begin with have
    #[arg(long, value_name = "N", default_value_t = APART, value_parser = blocks)]
    blocks: usize,
    /// Learn which moves searches choose, and add that to weights
    #[arg(long, conflicts_with_all = ["result_share", "blocks", "keep", "scale"])]
    policy: bool,
    /// Weights to begin with [default: random ones]; with --policy those that it is added to [default: those in the program];
    /// embedded: those in the program
    #[arg(long, value_name = "FILE", value_parser = Weights::parser(), value_hint = Weights::HINT)]
    eval_file: Option<Weights>,
    /// Share of the weights to begin with in the mean of them and of what was learned, which is written
    #[arg(long, value_name = "S", default_value_t = 0.0, value_parser = share, requires = "eval_file")]
    keep: f32,
    /// Hundredths of a man for which the odds of winning are e to 1, 20 to 20000 [default: those of the weights to begin with,
    /// or what the first games say]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(20..=20_000), conflicts_with = "keep")]
    scale: Option<u16>,
    /// Go on from the checkpoint
    #[arg(long)]
    resume: bool,
    /// Draw what was predicted and what came of it (SVG)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

fn rate(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if number > 0.0 && number <= 1.0 {
        Ok(number)
    } else {
        Err("expected a number above 0, at most 1".to_owned())
    }
}

fn share(text: &str) -> Result<f32, String> {
    let number: f32 = text.parse().map_err(|_| "expected a number".to_owned())?;
    if (0.0..=1.0).contains(&number) { Ok(number) } else { Err("expected a number from 0 to 1".to_owned()) }
}

fn blocks(text: &str) -> Result<usize, String> {
    let counts = [APART, MOST_BLOCKS];
    text.parse().ok().filter(|count| counts.contains(count)).ok_or_else(|| "expected 4 or 9".to_owned())
}

/// Fits and saves.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let settings = FitSettings {
        variant: args.variant,
        epochs: args.epochs,
        rate: args.rate,
        result_share: args.result_share,
        seed: args.seed,
        blocks: args.blocks,
        keep: args.keep,
        scale: args.scale,
    };
    let mut checkpoint = args.out.clone().into_os_string();
    checkpoint.push(if args.policy { ".policy.checkpoint" } else { ".checkpoint" });
    let checkpoint = PathBuf::from(checkpoint);
    let file = args.eval_file.as_ref().and_then(Weights::file);
    let games = shards(&args.data)?;
    let inputs = games.iter().map(PathBuf::as_path).chain(file);
    let outputs = [Some(&args.out), Some(&checkpoint), args.plot.as_ref()];
    check_outputs(inputs, outputs.into_iter().flatten().map(PathBuf::as_path))?;
    keep_others(&args.out, "{\"format\":\"kroon-weights ", "weights")?;
    args.plot.as_deref().map_or(Ok(()), |path| keep_others(path, DRAWING, "drawings"))?;
    let is_there = |path: &Path| path.metadata().is_ok_and(|file| file.is_file() && file.len() > 0);
    if is_there(&checkpoint) && !args.resume {
        bail!("\"{}\" is there already: go on with --resume, or name another --out", checkpoint.display());
    }
    if is_there(&args.out) && !is_there(&checkpoint) {
        // Without what is kept beside it no training goes on, and another one would take its place.
        bail!("\"{}\" is there already: name another --out", args.out.display());
    }
    let checkpoint = Checkpoint { path: &checkpoint, resume: args.resume };
    tell_of_random_moves(args, &games)?;
    let given = given_weights(args)?;
    if !args.policy && given.as_ref().is_some_and(|weights| weights.policy().is_some()) {
        writeln!(out, "the policy of the weights to begin with belongs to those alone: it is left out")?;
    }
    let mut lines = PassLines::new(out);
    let (weights, plot) = if args.policy {
        let weights = given.map_or_else(|| learned(args.variant, Evaluation::best(args.variant)), Ok)?;
        let (policy, plot) = learn_policy(args, &settings, &weights, checkpoint, &mut lines)?;
        (weights.with_policy(policy), plot)
    } else {
        learn_evaluation(args, &settings, given.as_ref(), checkpoint, &mut lines)?
    };
    let bytes = weights.to_bytes()?;
    write_whole(&args.out, |out| out.write_all(&bytes))
        .with_context(|| format!("\"{}\"", args.out.display()))?;
    if let Some(path) = &args.plot {
        write_whole(path, |out| out.write_all(plot.as_bytes()))
            .with_context(|| format!("\"{}\"", path.display()))?;
    }
    // Nobody has to read the lines for the files to be made.
    lines.written?;
    writeln!(out, "{} bytes in {}", bytes.len(), args.out.display())?;
    Ok(())
}

/// Says it if moves drawn at random are learned as if they had been chosen.
fn tell_of_random_moves(args: &Args, games: &[PathBuf]) -> Result<()> {
    let note = if args.policy {
        "they are learned as if the searches had chosen them: games without them are better"
    } else if args.result_share > 0.0 {
        "they change the results, of which a share is learned: see --result-share 0"
    } else {
        return Ok(());
    };
    if have_random_moves(games, args.variant)? {
        say(format_args!("games have moves drawn at random (--random-percent); {note}"));
    }
    Ok(())
}

/// The weights of `--eval-file`.
fn given_weights(args: &Args) -> Result<Option<Learned>> {
    let evaluation = match &args.eval_file {
        None => return Ok(None),
        Some(Weights::Embedded) => Evaluation::best(args.variant),
        Some(Weights::File(path)) => EvalFile::new(path).evaluation(args.variant)?,
    };
    learned(args.variant, evaluation).map(Some)
}

/// The learned weights of an evaluation.
fn learned(variant: VariantId, evaluation: Evaluation) -> Result<Learned> {
    match evaluation {
        Evaluation::Learned(weights) => Ok((*weights).clone()),
        Evaluation::HandMade => bail!("there are no weights of {variant} draughts in the program"),
    }
}

/// The weights, and the last drawing.
fn learn_evaluation(
    args: &Args,
    settings: &FitSettings,
    start: Option<&Learned>,
    checkpoint: Checkpoint<'_>,
    lines: &mut PassLines<'_>,
) -> Result<(Learned, String)> {
    let mut last = None;
    let weights = fit(settings, start, &args.data, Some(checkpoint), &mut |report| {
        let held_out = report.held_out.map(|loss| format!("{loss:.5}"));
        lines.write(report.epoch, report.positions, report.loss, held_out, report.time);
        last = Some(report.clone());
    })?;
    Ok((weights, last.map(|report| plot(&report.calibration)).unwrap_or_default()))
}

/// The policy, and the last drawing.
fn learn_policy(
    args: &Args,
    settings: &FitSettings,
    weights: &Learned,
    checkpoint: Checkpoint<'_>,
    lines: &mut PassLines<'_>,
) -> Result<(Policy, String)> {
    let mut last = None;
    let policy = fit_policy(settings, weights, &args.data, Some(checkpoint), &mut |report| {
        let held_out = report.held_out.map(|held| {
            let (first, three) = (100.0 * held.first, 100.0 * held.three);
            format!("{:.5} first {first:.1}% three {three:.1}% of {}", held.loss, held.quiet)
        });
        lines.write(report.epoch, report.positions, report.loss, held_out, report.time);
        last = Some(report.clone());
    })?;
    Ok((policy, last.map(|report| plot_policy(&report.calibration)).unwrap_or_default()))
}

/// Writes a line for each pass, and keeps the first failure.
struct PassLines<'a> {
    out: &'a mut dyn Write,
    written: io::Result<()>,
}

impl<'a> PassLines<'a> {
    fn new(out: &'a mut dyn Write) -> PassLines<'a> {
        PassLines { out, written: Ok(()) }
    }

    fn write(&mut self, pass: u32, positions: u64, loss: f64, held_out: Option<String>, time: Duration) {
        if self.written.is_err() {
            return;
        }
        let held_out = held_out.unwrap_or_else(|| "none".to_owned());
        let seconds = time.as_secs_f64();
        let line = writeln!(
            self.out,
            "pass {pass} positions {positions} loss {loss:.5} held-out {held_out} seconds {seconds:.0}"
        );
        self.written = line.and_then(|()| self.out.flush());
    }
}
