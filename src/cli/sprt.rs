//! `kroon sprt`.

use super::estimate::{elo, ends, score};
use super::report::{gathered, results_name};
use super::usage::wrong_usage;
use anyhow::{Context, Result, bail};
use kroon::arena::report;
use kroon::arena::stats::{Distribution, Estimate, Pentanomial, Sprt, Trinomial};
use std::io::Write;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Five counts are pairs of games (the same opening with colours changed) in which the first engine
scored 0, 1/2, 1, 3/2 and 2 points. Three counts are single games won, lost and drawn: less exact,
because they do not say which games were a pair.

In place of counts, results files of `kroon match`: all those of the shards of one match, which may
still be running. A game that is in two files counts once, half a pair does not count. The test
takes the pairs in the order of the schedule, up to the first that is not complete, and ends where
it decides, as in `kroon match --sprt`: it says the same however often it is asked.

The log-likelihood ratio (LLR) is calculated twice: exactly, as `kroon match` does, and by the
usual formula for normally distributed scores. elo0 and elo1 are normalised Elo.

Examples:
  kroon sprt 379 10170 21828 10640 343 --sprt 0,2
  kroon sprt 36433 36027 68692 --sprt 0,2,0.05,0.05
  kroon sprt gain-*.jsonl --sprt 0,5";

/// Statistics of a match from its counts or results files: Elo, normalised Elo, sequential test
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Five counts of pairs, three of games, or results files (a file whose name is a number: ./7)
    #[arg(value_name = "COUNTS", required = true, value_parser = word)]
    words: Vec<Word>,
    /// The test: elo0,elo1 or elo0,elo1,alpha,beta
    #[arg(long, value_name = "TEST", default_value = "0,2,0.05,0.05", allow_hyphen_values = true)]
    sprt: Sprt,
}

/// A count or a file.
#[derive(Clone, Debug)]
enum Word {
    Count(u64),
    File(PathBuf),
}

/// Beside larger counts the rare kinds, which are taken for a thousandth where there are none, are lost in rounding.
const MOST: u64 = 1_000_000_000;

fn word(text: &str) -> Result<Word, String> {
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Ok(Word::File(text.into()));
    }
    let count = text.parse().ok().filter(|&count| count <= MOST);
    count.map(Word::Count).ok_or_else(|| format!("expected a count up to {MOST}, or a file"))
}

/// Calculates and prints.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let (mut counts, mut files) = (Vec::new(), Vec::new());
    for word in &args.words {
        match word {
            Word::Count(count) => counts.push(*count),
            Word::File(path) => files.push(path.clone()),
        }
    }
    if files.is_empty() {
        return of_counts(&counts, args.sprt, out);
    }
    if let (Some(count), Some(file)) = (counts.first(), files.first()) {
        wrong_usage!("{count} is a count and \"{}\" a file: expected counts or files", file.display());
    }
    of_files(&files, args.sprt, out)
}

fn of_counts(counts: &[u64], sprt: Sprt, out: &mut dyn Write) -> Result<()> {
    let observed: Distribution = match *counts {
        [a, b, c, d, e] => Pentanomial([a, b, c, d, e]).into(),
        [wins, losses, draws] => Trinomial { wins, losses, draws }.into(),
        _ => wrong_usage!("{} counts, expected 5 (pairs) or 3 (games won, lost, drawn)", counts.len()),
    };
    let games: u64 = counts.iter().sum::<u64>() * if counts.len() == 5 { 2 } else { 1 };
    writeln!(out, "games {games}")?;
    strength(&Estimate::new(&observed), out)?;
    let llr = sprt.llr(&observed);
    writeln!(out, "{}", ratio(sprt, llr, &observed))?;
    writeln!(out, "SPRT  {sprt}: {}", sprt.verdict(llr))?;
    Ok(())
}

fn of_files(files: &[PathBuf], sprt: Sprt, out: &mut dyn Write) -> Result<()> {
    let gathered = gathered(files)?;
    let records: Vec<_> = gathered.records.iter().collect();
    let tally = report::tally(&gathered.header, &records, Some(sprt)).with_context(|| results_name(files))?;
    let (Some(state), [pairing]) = (&tally.sprt, &tally.pairings[..]) else {
        let engines = gathered.header.engines.len();
        bail!("{}: the test compares two engines, the match has {engines}", results_name(files));
    };
    let [a, b, c, d, e] = pairing.pairs.0;
    writeln!(out, "games {}", tally.games)?;
    if !gathered.header.earlier.is_empty() {
        writeln!(out, "some were played by other programs: {}", gathered.header.earlier.join("; "))?;
    }
    writeln!(out, "pairs with 0 to 2 points {a} {b} {c} {d} {e}")?;
    if let Some(estimate) = pairing.estimate() {
        strength(&estimate, out)?;
    }
    if state.pairs.pairs() > 0 {
        write!(out, "{}, ", ratio(sprt, state.llr, &state.pairs.into()))?;
        writeln!(out, "after {} pairs in order of {}", state.pairs.pairs(), pairing.pairs.pairs())?;
    }
    writeln!(out, "SPRT  {sprt}: {}", state.verdict)?;
    Ok(())
}

fn strength(estimate: &Estimate, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "score {}", score(&estimate.score, 3))?;
    writeln!(out, "Elo   {} {}", elo(&estimate.elo, 2), ends(&estimate.elo, 2))?;
    writeln!(out, "nElo  {}", elo(&estimate.nelo, 2))?;
    writeln!(out, "LOS   {:.2}%", estimate.los * 100.0)
}

fn ratio(sprt: Sprt, llr: f64, observed: &Distribution) -> String {
    let (lower, upper) = sprt.bounds();
    let normal = sprt.llr_normal(observed);
    format!("LLR   {llr:.4} [{lower:.3}, {upper:.3}], by the normal formula {normal:.3}")
}
