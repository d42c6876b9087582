//! `kroon tables verify`.

use super::{Chosen, GENERATE, counted, folder};
use anyhow::{Result, bail};
use kroon::notation::fen;
use kroon::tablebase::audit::{Audit, Worth};
use kroon::tablebase::format::{Kind, TableName};
use kroon::tablebase::{Material, folder_fault};
use serde_json::json;
use std::io::Write;

const AFTER_HELP: &str = "\
Looks at the checksums of all files, then compares the stored result and distance of each position
with those of the positions after all its legal moves. This needs a byte of memory for each
position, two with distances; with --sample as many positions of each slice are drawn by lot, and
less memory is needed.

With --json every line is one object: slice, checked (positions), captures (positions whose results
are not stored), faulty (number of wrong positions), first (the first of them: fen, stored,
expected), unknown (positions that cannot be checked), missing (what is missing for that: a slice,
or \"the distances of\" one).

Examples:
  kroon tables generate --variant english --pieces 4      first: only tables in files are checked
  kroon tables verify --variant english
  kroon tables verify --variant english --sample 100000";

/// Check every position against its moves; exit status 1 if anything is wrong
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    chosen: Chosen,
    /// Check only so many positions of each slice
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Seed of the lot
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = kroon::seed::parse)]
    seed: u64,
}

/// Checks and prints a line for each slice.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let Chosen { variant, pieces, json, .. } = args.chosen;
    let folder = folder(args.chosen.dir.as_ref())?;
    if let Some(fault) = folder_fault(&folder, variant, false) {
        return Err(fault.into());
    }
    let (audit, damaged) = Audit::open(&folder, variant, pieces, args.sample.is_none());
    for fault in &damaged {
        if json {
            writeln!(
                out,
                "{}",
                json!({ "file": fault.path.display().to_string(), "error": fault.source.to_string() })
            )?;
        } else {
            writeln!(out, "{fault}")?;
        }
    }
    let slices = audit.slices();
    if slices.is_empty() && damaged.is_empty() {
        bail!("no tables of {variant} draughts in {}; {GENERATE}", folder.display());
    }
    let sample = args.sample.map(|count| (count, args.seed));
    let (mut checked, mut faulty, mut unknown) = (0, 0, 0);
    for &material in &slices {
        let all = audit.positions(material).min(args.sample.unwrap_or(u64::MAX));
        let findings = counted(&material.to_string(), all, |done| audit.verify(material, sample, done));
        let Some(findings) = findings else { continue };
        checked += findings.checked;
        faulty += findings.faulty;
        unknown += findings.unknown;
        let missing = findings.missing.map(missing_text);
        if json {
            let first = findings.first.map(|fault| {
                let (stored, expected) = (worth_json(fault.stored), worth_json(Some(fault.expected)));
                json!({ "fen": fen::write(variant, &fault.position), "stored": stored, "expected": expected })
            });
            let line = json!({
                "slice": material.to_string(), "checked": findings.checked, "captures": findings.captures,
                "faulty": findings.faulty, "first": first, "unknown": findings.unknown, "missing": missing,
            });
            writeln!(out, "{line}")?;
            continue;
        }
        let mut sound = match findings.faulty {
            0 => "sound".to_owned(),
            faulty => format!("{faulty} wrong"),
        };
        if findings.unknown > 0 {
            let what = missing.unwrap_or_else(|| "a slice that they lead to".to_owned());
            sound.push_str(&format!("; {} cannot be checked without {what}", findings.unknown));
        }
        writeln!(out, "{material}: {} positions, {} captures: {sound}", findings.checked, findings.captures)?;
        if let Some(fault) = findings.first {
            let (stored, expected) = (worth_text(fault.stored), worth_text(Some(fault.expected)));
            let position = fen::write(variant, &fault.position);
            writeln!(out, "  {position}: {stored} is stored, {expected} follows from the moves")?;
        }
    }
    out.flush()?;
    if faulty > 0 || unknown > 0 || !damaged.is_empty() {
        let unknown = if unknown > 0 { format!(", {unknown} that cannot be checked") } else { String::new() };
        bail!("{faulty} wrong positions of {checked}{unknown}, {} damaged files", damaged.len());
    }
    if !json {
        let most = slices.iter().map(|slice| slice.pieces()).max().unwrap_or(0);
        let all = Material::all(variant.rules(), most);
        let missing: Vec<String> =
            all.iter().filter(|slice| !slices.contains(slice)).map(Material::to_string).collect();
        let of_all = if missing.is_empty() { String::new() } else { format!(" of {}", all.len()) };
        writeln!(out, "{checked} positions of {}{of_all} slices agree with their moves", slices.len())?;
        if !missing.is_empty() {
            writeln!(out, "not there: {}", missing.join(" "))?;
        }
    }
    Ok(())
}

/// A slice, or its distances alone.
fn missing_text(table: TableName) -> String {
    match table.kind {
        Kind::Outcome => table.material.to_string(),
        Kind::Distance => format!("the distances of {}", table.material),
    }
}

fn worth_text(worth: Option<Worth>) -> String {
    match worth {
        None => "nothing".to_owned(),
        Some(Worth { value, distance: None }) => value.to_string(),
        Some(Worth { value, distance: Some(plies) }) => format!("{value} in {plies}"),
    }
}

fn worth_json(worth: Option<Worth>) -> serde_json::Value {
    worth.map_or(
        serde_json::Value::Null,
        |worth| json!({ "value": worth.value.word(), "distance": worth.distance }),
    )
}
