//! `kroon tables stat`.

use super::{Chosen, GENERATE, counted, folder};
use anyhow::{Result, bail};
use kroon::notation::{fen, moves};
use kroon::rules::VariantId;
use kroon::tablebase::audit::{Audit, Longest, Summary};
use kroon::tablebase::{Material, folder_fault};
use serde_json::json;
use std::io::Write;

const AFTER_HELP: &str = "\
Wins, draws and losses are those of the side to move, named first in the name of a slice: 21v10 is
two kings and a man against a king. The longest win takes the given number of plies to its next
capture or crowning, or to the end; the line is best play to the end of the game. Bits are those of
the results, for each position. This needs a byte of memory for each position of all slices with as
many pieces or fewer, two with distances.

With --json every line is one object: slice, positions, wins, draws, losses, size and distance_size
(bytes of the files), bits, longest (plies, fen, line).

Examples:
  kroon tables generate --variant english --pieces 3      first: only tables in files are counted
  kroon tables stat --variant english --pieces 3";

/// Count results, find the longest wins
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    chosen: Chosen,
    /// Only this slice, such as 21v10
    #[arg(long, value_name = "SLICE")]
    slice: Option<Material>,
}

/// Counts and prints a line for each slice.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let Chosen { variant, pieces, json, .. } = args.chosen;
    let folder = folder(args.chosen.dir.as_ref())?;
    if let Some(fault) = folder_fault(&folder, variant, false) {
        return Err(fault.into());
    }
    let pieces = pieces.min(args.slice.map_or(pieces, |slice| slice.pieces()));
    let (audit, damaged) = Audit::open(&folder, variant, pieces, true);
    if let Some(fault) = damaged.into_iter().next() {
        return Err(fault.into());
    }
    let slices: Vec<Material> =
        audit.slices().into_iter().filter(|slice| args.slice.is_none_or(|only| only == *slice)).collect();
    if slices.is_empty() {
        let slice = args.slice.map_or(String::new(), |slice| format!(" with slice {slice}"));
        bail!("no tables of {variant} draughts{slice} in {}; {GENERATE}", folder.display());
    }
    if !json {
        writeln!(
            out,
            "slice      positions         wins        draws       losses        bytes   bits  longest win"
        )?;
    }
    let mut total = [0; 5];
    for material in slices {
        let positions = audit.positions(material);
        let summary = counted(&material.to_string(), positions, |done| audit.summary(material, done));
        let Some(summary) = summary else {
            bail!("slice {material}: a slice to which its captures lead is missing in {}", folder.display());
        };
        let [losses, draws, wins] = summary.values;
        let row = [positions, wins, draws, losses, summary.size];
        total = std::array::from_fn(|at| total[at] + row[at]);
        if json {
            writeln!(out, "{}", line_json(variant, material, positions, &summary))?;
        } else {
            write_row(out, &material.to_string(), row)?;
            match &summary.longest {
                Some(longest) => writeln!(out, "  {}", longest_text(variant, longest))?,
                None => writeln!(out)?,
            }
        }
    }
    if !json {
        write_row(out, "all", total)?;
        writeln!(out)?;
    }
    Ok(())
}

fn write_row(out: &mut dyn Write, name: &str, row: [u64; 5]) -> std::io::Result<()> {
    let [positions, wins, draws, losses, size] = row;
    write!(out, "{name:8} {positions:>11}  {wins:>11}  {draws:>11}  {losses:>11}  {size:>11}")?;
    write!(out, "  {:5.3}", bits(size, positions))
}

fn bits(size: u64, positions: u64) -> f64 {
    8.0 * size as f64 / positions as f64
}

fn longest_text(variant: VariantId, longest: &Longest) -> String {
    let line = line_texts(variant, longest).join(" ");
    format!("{} plies, {}: {line}", longest.plies, fen::write(variant, &longest.position))
}

fn line_texts(variant: VariantId, longest: &Longest) -> Vec<String> {
    moves::write_line(variant, &longest.position, &longest.line)
}

fn line_json(variant: VariantId, material: Material, positions: u64, summary: &Summary) -> serde_json::Value {
    let [losses, draws, wins] = summary.values;
    let longest = summary.longest.as_ref().map(|longest| {
        let (fen, line) = (fen::write(variant, &longest.position), line_texts(variant, longest));
        json!({ "plies": longest.plies, "fen": fen, "line": line })
    });
    json!({
        "slice": material.to_string(), "positions": positions, "wins": wins, "draws": draws, "losses": losses,
        "size": summary.size, "distance_size": summary.distance_size, "bits": bits(summary.size, positions),
        "longest": longest,
    })
}
