//! `kroon dataset stat`.

use super::{Games, watched};
use anyhow::Result;
use kroon::rules::VariantId;
use kroon::train::dataset::{Duplicates, SCORE_LIMITS, Stat, stat};
use kroon::train::origin::Origin;
use kroon::train::shard::ShardReader;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Counted are positions that were searched: they have a score. The evaluation learns from the quiet
ones, in which neither side can capture. The opening has more than two thirds of the pieces, the
ending at most one third. Positions seen again have occurred in an earlier game;
in large sets a sample is counted.

With --json every line is one object: one for each file, then one for all files of a variant,
without the fields file and runs. Fields: file, variant, runs (how the games were made), games,
from_endings, results (won, drawn, lost by White), plies, random_plies (before the first search),
positions, quiet, phases (positions of opening, middle game, ending), with_kings, score_limits
(centi-men, without sign), scores (positions up to each limit, beyond, decided), and of all files
alone seen_again (share of positions).

Examples:
  kroon dataset stat games
  kroon dataset stat games --json | tail -n 1 | jq .positions";

/// Count what is in files of games
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    games: Games,
    /// One JSON object on each line
    #[arg(long)]
    json: bool,
}

/// All files of a variant.
struct Total {
    variant: VariantId,
    files: Vec<PathBuf>,
    sum: Stat,
    duplicates: Duplicates,
    /// How many of a hundred moves are drawn at random.
    random_percents: BTreeSet<u8>,
}

impl Total {
    fn new(variant: VariantId) -> Total {
        Total {
            variant,
            files: Vec::new(),
            sum: Stat::default(),
            duplicates: Duplicates::default(),
            random_percents: BTreeSet::new(),
        }
    }
}

/// Counts and prints.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let files = args.games.files()?;
    let mut totals: Vec<Total> = Vec::new();
    if !args.json {
        writeln!(out, "   games positions  quiet    won  drawn   lost  plies  file")?;
    }
    watched(files.len(), |progress| -> Result<()> {
        for path in &files {
            let reader = ShardReader::open(path)?;
            let variant = reader.variant();
            let place = totals.iter().position(|total| total.variant == variant).unwrap_or_else(|| {
                totals.push(Total::new(variant));
                totals.len() - 1
            });
            let total = &mut totals[place];
            let found = stat(path, &mut total.duplicates, progress)?;
            total.sum.add(&found);
            total.files.push(path.clone());
            total.random_percents.extend(reader.origin().runs().iter().map(|run| run.random_percent));
            if args.json {
                let runs: Vec<Value> = match reader.origin() {
                    Origin::Run(run) => vec![serde_json::to_value(run)?],
                    Origin::Set(set) => {
                        set.parts.iter().map(serde_json::to_value).collect::<Result<_, _>>()?
                    }
                };
                let mut value = fields(&found, variant);
                value["file"] = json!(path);
                value["runs"] = Value::Array(runs);
                writeln!(out, "{value}")?;
            } else {
                row(out, &found, path.display().to_string())?;
            }
        }
        Ok(())
    })?;
    for total in &totals {
        if args.json {
            let mut value = fields(&total.sum, total.variant);
            value["seen_again"] = json!(total.duplicates.share());
            writeln!(out, "{value}")?;
            continue;
        }
        // Positions of different variants have nothing in common.
        if totals.len() > 1 {
            writeln!(out, "\n{} draughts", total.variant)?;
        }
        if total.files.len() > 1 {
            row(out, &total.sum, format!("{} files", total.files.len()))?;
        }
        summary(out, total)?;
    }
    Ok(())
}

fn fields(stat: &Stat, variant: VariantId) -> Value {
    json!({
        "variant": variant.name(), "games": stat.games, "from_endings": stat.from_endings, "results": stat.results, "plies": stat.plies,
        "random_plies": stat.random_plies, "positions": stat.positions, "quiet": stat.quiet, "phases": stat.phases,
        "with_kings": stat.with_kings, "score_limits": SCORE_LIMITS, "scores": stat.scores,
    })
}

/// A share in percent.
fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "-".to_owned() } else { format!("{:.1}%", 100.0 * part as f64 / whole as f64) }
}

fn row(out: &mut dyn Write, stat: &Stat, name: String) -> io::Result<()> {
    let [won, drawn, lost] = stat.results.map(|number| percent(number, stat.games));
    writeln!(
        out,
        "{:>8} {:>9} {:>6} {won:>6} {drawn:>6} {lost:>6} {:>6.1}  {name}",
        stat.games,
        stat.positions,
        percent(stat.quiet, stat.positions),
        stat.plies as f64 / stat.games.max(1) as f64,
    )
}

fn summary(out: &mut dyn Write, total: &Total) -> io::Result<()> {
    let Total { sum: stat, files, .. } = total;
    let again = total.duplicates.share();
    let share = |part| percent(part, stat.positions);
    let bytes: u64 = files.iter().filter_map(|path| path.metadata().ok()).map(|file| file.len()).sum();
    writeln!(out)?;
    writeln!(out, "bytes a position     {:.2}", bytes as f64 / stat.positions.max(1) as f64)?;
    writeln!(out, "games from endings   {}", percent(stat.from_endings, stat.games))?;
    let begin = stat.random_plies as f64 / stat.games.max(1) as f64;
    let percents: Vec<String> = total.random_percents.iter().map(|percent| format!("{percent}%")).collect();
    writeln!(
        out,
        "random moves a game  {begin:.1} at the beginning, {} of the others",
        percents.join(" or ")
    )?;
    let [opening, middle, ending] = stat.phases.map(share);
    writeln!(out, "positions            {opening} opening, {middle} middle game, {ending} ending")?;
    writeln!(out, "                     {} with kings", share(stat.with_kings))?;
    let again = again.map_or_else(|| "-".to_owned(), |again| format!("{:.1}%", 100.0 * again));
    writeln!(out, "                     {again} seen again")?;
    writeln!(out, "scores (men, without sign)")?;
    let men = |centi: i32| f64::from(centi) / 100.0;
    let mut names: Vec<String> =
        SCORE_LIMITS.iter().map(|&limit| format!("up to {:.2}", men(limit))).collect();
    names.extend(["beyond".to_owned(), "decided".to_owned()]);
    let most = stat.scores.iter().copied().max().unwrap_or(0).max(1);
    for (name, &number) in names.iter().zip(&stat.scores) {
        let bar = "#".repeat((40 * number / most) as usize);
        writeln!(out, "{:<21}{}", format!("  {name}"), format!("{:>6} {bar}", share(number)).trim_end())?;
    }
    Ok(())
}
