//! `kroon tables list`.

use crate::cli::usage::wrong_usage;
use anyhow::{Result, bail};
use kroon::rules::VariantId;
use kroon::tablebase::format::{Kind, TableName};
use kroon::tablebase::{Material, Tables, add_embedded, folder_fault, folders, path_in};
use serde_json::json;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::Path;

const AFTER_HELP: &str = "\
Folders are those of --dir, several as in PATH, or those of KROON_TABLES, or else kroon/tables
in the user's folder for data. A number of pieces is complete when all its slices are there. Without
--dir the tables in the program come first.

With --json every line is one object: folder, variant, pieces, slices, of (how many there are),
distances (slices that have them), size (bytes). The folder of the tables in the program is
\"embedded\", their distances and size are null.

Examples:
  kroon tables list
  kroon tables list --dir tables";

/// Say which tables are there
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The folders of tables
    #[arg(long, value_name = "DIR")]
    dir: Option<OsString>,
    /// One JSON object on each line, one for each number of pieces
    #[arg(long)]
    json: bool,
}

/// What is there of a variant with a number of pieces.
#[derive(Default)]
struct Found {
    slices: usize,
    of: usize,
    distances: usize,
    size: u64,
}

/// Prints a line for each folder, variant and number of pieces.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    if args.dir.is_none() {
        embedded(args.json, out)?;
    }
    let folders = folders(args.dir.as_deref());
    if folders.is_empty() {
        match &args.dir {
            Some(list) => wrong_usage!("--dir {list:?}: no folder is named"),
            None => bail!("no folder for data is known: use --dir"),
        }
    }
    let mut fault = None;
    for folder in &folders {
        let mut any = false;
        for variant in VariantId::ALL {
            if let Some(found) = folder_fault(folder, variant, args.dir.is_some()) {
                any = true;
                fault = fault.or(Some(found));
                continue;
            }
            for pieces in 2..=Material::MOST_PIECES {
                let found = find(folder, variant, pieces);
                if found.slices + found.distances == 0 {
                    continue;
                }
                any = true;
                let Found { slices, of, distances, size } = found;
                if args.json {
                    let line = json!({
                        "folder": folder.display().to_string(), "variant": variant.name(), "pieces": pieces, "slices": slices, "of": of,
                        "distances": distances, "size": size,
                    });
                    writeln!(out, "{line}")?;
                } else {
                    writeln!(
                        out,
                        "{}: {variant}, {pieces} pieces: {slices} of {of} slices, {distances} with distances, {size} bytes",
                        folder.display()
                    )?;
                }
            }
        }
        if !any && !args.json {
            writeln!(out, "{}: no tables", folder.display())?;
        }
    }
    // What can be read is told all the same.
    out.flush()?;
    fault.map_or(Ok(()), |fault| Err(fault.into()))
}

/// Prints what the program has: a line for each variant, in JSON one for each number of pieces.
fn embedded(json: bool, out: &mut dyn Write) -> Result<()> {
    for variant in VariantId::ALL {
        let up_to = |pieces| {
            let mut tables = Tables::new(variant);
            add_embedded(&mut tables, pieces).map(|()| tables)
        };
        let all = up_to(Material::MOST_PIECES)?;
        if !json && !all.is_empty() {
            writeln!(out, "in the program: {variant}, {all}")?;
        }
        for pieces in (2..=all.most_pieces() as u8).filter(|_| json) {
            let slices = up_to(pieces)?.len() - up_to(pieces - 1)?.len();
            let of = Material::all(variant.rules(), pieces).iter().filter(|m| m.pieces() == pieces).count();
            let line = json!({
                "folder": "embedded", "variant": variant.name(), "pieces": pieces, "slices": slices, "of": of,
                "distances": null, "size": null,
            });
            writeln!(out, "{line}")?;
        }
    }
    Ok(())
}

fn find(folder: &Path, variant: VariantId, pieces: u8) -> Found {
    let mut found = Found::default();
    if !folder.join(variant.name()).is_dir() {
        return found;
    }
    for material in Material::all(variant.rules(), pieces).into_iter().filter(|m| m.pieces() == pieces) {
        found.of += 1;
        let size = |kind| {
            let file = fs::metadata(path_in(folder, &TableName { variant, kind, material })).ok()?;
            file.is_file().then_some(file.len())
        };
        let (outcomes, distances) = (size(Kind::Outcome), size(Kind::Distance));
        found.slices += usize::from(outcomes.is_some());
        found.distances += usize::from(distances.is_some());
        found.size += outcomes.unwrap_or(0) + distances.unwrap_or(0);
    }
    found
}
