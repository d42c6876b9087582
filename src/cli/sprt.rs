//! `kroon sprt`.

use anyhow::{Result, bail};
use kroon::arena::stats::{Distribution, Estimate, Pentanomial, Sprt, Trinomial};
use std::io::Write;

const AFTER_HELP: &str = "\
Five counts are pairs of games (the same opening with colours changed) in which the first engine
scored 0, 1/2, 1, 3/2 and 2 points. Three counts are single games won, lost and drawn: less exact,
because they do not say which games were a pair.

The log-likelihood ratio (LLR) is calculated twice: exactly, as `kroon match` does, and by the
usual formula for normally distributed scores. elo0 and elo1 are normalised Elo.

Examples:
  kroon sprt 379 10170 21828 10640 343 --sprt 0,2
  kroon sprt 36433 36027 68692 --sprt 0,2,0.05,0.05";

/// Statistics of a match from its counts: Elo, normalised Elo, sequential test
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Five counts of pairs or three of games
    #[arg(value_name = "COUNTS", required = true, num_args = 3..=5, value_parser = clap::value_parser!(u64).range(0..=MOST))]
    counts: Vec<u64>,
    /// The test: elo0,elo1 or elo0,elo1,alpha,beta
    #[arg(long, value_name = "TEST", default_value = "0,2,0.05,0.05", allow_hyphen_values = true)]
    sprt: Sprt,
}

/// Counts are calculated with as real numbers.
const MOST: u64 = 1_000_000_000_000_000;

/// Calculates and prints.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let observed: Distribution = match args.counts[..] {
        [a, b, c, d, e] => Pentanomial([a, b, c, d, e]).into(),
        [wins, losses, draws] => Trinomial { wins, losses, draws }.into(),
        _ => bail!("{} counts, expected 5 (pairs) or 3 (games won, lost, drawn)", args.counts.len()),
    };
    let games: u64 = args.counts.iter().sum::<u64>() * if args.counts.len() == 5 { 2 } else { 1 };
    let estimate = Estimate::new(&observed);
    writeln!(out, "games {games}")?;
    writeln!(
        out,
        "score {:.3}% +- {:.3}%",
        estimate.score.value * 100.0,
        estimate.score.half_width() * 100.0
    )?;
    writeln!(out, "Elo   {}", estimate.elo)?;
    writeln!(out, "nElo  {}", estimate.nelo)?;
    writeln!(out, "LOS   {:.2}%", estimate.los * 100.0)?;
    let llr = args.sprt.llr(&observed);
    let (lower, upper) = args.sprt.bounds();
    let normal = args.sprt.llr_normal(&observed);
    writeln!(out, "LLR   {llr:.4} [{lower:.3}, {upper:.3}], by the normal formula {normal:.3}")?;
    writeln!(out, "SPRT  {}: {}", args.sprt, args.sprt.verdict(llr))?;
    Ok(())
}
