//! `kroon dataset wdl`.

use super::{GamesOfOne, watched};
use crate::cli::outputs::{DRAWING, keep_others};
use crate::cli::progress::say;
use anyhow::{Context, Result, bail};
use kroon::files::{check_outputs, write_whole};
use kroon::rules::VariantId;
use kroon::svg::{self, plot::Calibration, plot::calibration as calibration_plot};
use kroon::train::calibration::Bucket;
use kroon::train::dataset::wdl::{WdlCounts, calibration, count, error, fit};
use kroon::train::dataset::{DatasetError, have_random_moves};
use kroon::train::shard::ShardReader;
use serde_json::json;
use std::io::{self, Write};
use std::path::PathBuf;

const AFTER_HELP: &str = "\
The model: let x be the pieces of the initial position divided by those on the board, less 1, and
s the score in men. The odds of winning are
  exp((slope + slope_late x) s - (draw + draw_late x)) to 1,
those of losing the same with -s. The model is fitted to four fifths of the games; the table and the
plot compare its predictions with the results of the rest. --embedded tests the parameters in the
program.

With --json one object: variant, games, positions (both of what it is fitted to), held_out_games,
held_out (positions), slope, slope_late, draw, draw_late, loss (bits a position on the games held
out), and win_buckets, draw_buckets, loss_buckets: lists of [predicted, observed, positions].

Examples:
  kroon dataset wdl games
  kroon dataset wdl games --variant frisian --plot frisian.svg";

/// Fit what scores mean: the chances to win, draw and lose
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    games: GamesOfOne,
    /// Draw predicted and observed results of the games held out (SVG)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Do not fit: test the parameters in the program
    #[arg(long)]
    embedded: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Fits and prints.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    check_outputs(args.games.games.files()?.iter().map(PathBuf::as_path), args.plot.as_deref())?;
    args.plot.as_deref().map_or(Ok(()), |path| keep_others(path, DRAWING, "drawings"))?;
    let (variant, [fitted, held_out]) = counts(&args.games)?;
    if have_random_moves(&args.games.games.files()?, variant)? {
        say("games have moves drawn at random (--random-percent), which change their results");
    }
    let curve = if args.embedded {
        kroon::eval::wdl::model(variant)
    } else {
        let few =
            || format!("{} games with {} positions are too few to fit to", fitted.games, fitted.positions());
        fit(&fitted).with_context(few)?
    };
    let buckets = calibration(&held_out, &curve);
    let Some(loss) = held_out.loss(&curve) else {
        bail!("{} games are too few to hold some out", fitted.games);
    };
    if args.json {
        let rows = |buckets: &[Bucket<1>]| -> Vec<(f64, f64, u64)> {
            buckets.iter().map(|b| (b.predicted, b.observed[0], b.number)).collect()
        };
        let line = json!({
            "variant": variant.name(), "games": fitted.games, "positions": fitted.positions(),
            "held_out_games": held_out.games, "held_out": held_out.positions(),
            "slope": curve.slope, "slope_late": curve.slope_late, "draw": curve.draw, "draw_late": curve.draw_late, "loss": loss,
            "win_buckets": rows(&buckets[0]), "draw_buckets": rows(&buckets[1]), "loss_buckets": rows(&buckets[2]),
        });
        writeln!(out, "{line}")?;
    } else {
        writeln!(out, "{variant}: {} games, {} positions", fitted.games, fitted.positions())?;
        writeln!(
            out,
            "slope {:.3} slope_late {:.3} draw {:.3} draw_late {:.3}",
            curve.slope, curve.slope_late, curve.draw, curve.draw_late
        )?;
        writeln!(out, "held out: {} games, {} positions", held_out.games, held_out.positions())?;
        writeln!(out, "loss {loss:.4} bits a position")?;
        table(out, &buckets)?;
    }
    if let Some(path) = &args.plot {
        let title = format!("Results in {variant} draughts");
        let picture = picture(&title, held_out.positions(), &buckets);
        write_whole(path, |out| out.write_all(picture.as_bytes()))
            .with_context(|| format!("{}", path.display()))?;
    }
    Ok(())
}

/// The predictions against what came of them.
fn picture(title: &str, positions: u64, buckets: &[Vec<Bucket<1>>; 3]) -> String {
    let kinds = ["win", "draw", "loss"].into_iter().zip(buckets);
    let kinds: Vec<Calibration<'_>> = kinds
        .map(|(name, buckets)| Calibration {
            name,
            buckets: buckets.iter().map(|b| (b.predicted, b.observed[0], b.number)).collect(),
        })
        .collect();
    let note = format!("{positions} positions of games held out");
    svg::file(&calibration_plot(title, &note, ["predicted chance", "observed share of positions"], &kinds))
}

/// The games of one variant: those to fit to, and those held out.
fn counts(games: &GamesOfOne) -> Result<(VariantId, [WdlCounts; 2])> {
    let all = games.games.files()?;
    let mut files = Vec::new();
    for path in all.clone() {
        let found = ShardReader::open(&path)?.variant();
        if games.variant.is_none_or(|wanted| wanted == found) {
            files.push((path, found));
        }
    }
    let Some((first, variant)) = files.first().cloned() else {
        return Err(DatasetError::none(&all, games.variant).into());
    };
    if let Some((path, found)) = files.iter().find(|(_, found)| *found != variant) {
        let (path, found) = (path.clone(), *found);
        return Err(DatasetError::Variants { path, found, first, expected: variant }.into());
    }
    let mut counts = [WdlCounts::new(variant), WdlCounts::new(variant)];
    watched(files.len(), |progress| {
        files.iter().try_for_each(|(path, _)| count(path, &mut counts, progress))
    })?;
    Ok((variant, counts))
}

fn table(out: &mut dyn Write, buckets: &[Vec<Bucket<1>>; 3]) -> io::Result<()> {
    for (name, buckets) in ["win", "draw", "loss"].iter().zip(buckets) {
        writeln!(out, "\n{name:<5} predicted  observed  positions")?;
        for bucket in buckets {
            let (predicted, observed) = (100.0 * bucket.predicted, 100.0 * bucket.observed[0]);
            writeln!(out, "      {predicted:>8.1}% {observed:>8.1}% {:>10}", bucket.number)?;
        }
        writeln!(out, "      mean difference {:.2}%", 100.0 * error(buckets))?;
    }
    Ok(())
}
