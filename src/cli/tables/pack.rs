//! `kroon tables pack`.

use crate::cli::outputs::keep_unlike;
use anyhow::{Context, Result};
use kroon::files::{check_outputs, write_whole};
use kroon::rules::VariantId;
use kroon::tablebase::format::{Kind, TableName};
use kroon::tablebase::{self, Material};
use std::io::Write;
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Puts the tables of a folder with at most N pieces into one file. src/tablebase/make-packs.sh makes
those that are part of the program.

Example:
  kroon tables pack --variant english --pieces 4 --dir tables --out english.pack";

/// Put tables into one file, for the program itself
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The variant
    #[arg(long, value_name = "V", default_value_t)]
    variant: VariantId,
    /// The most pieces
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(2..=Material::MOST_PIECES as i64))]
    pieces: u8,
    /// The folder of the tables [default: the first of KROON_TABLES, or kroon/tables in the user's folder for data]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Writes the file.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let folder = super::folder(args.dir.as_ref())?;
    let all = Material::all(args.variant.rules(), args.pieces);
    let files = all.into_iter().flat_map(|material| {
        let name = |kind| TableName { variant: args.variant, kind, material };
        [Kind::Outcome, Kind::Distance].map(|kind| tablebase::path_in(&folder, &name(kind)))
    });
    let files: Vec<PathBuf> = files.collect();
    check_outputs(files.iter().map(PathBuf::as_path), [args.out.as_path()])?;
    keep_unlike(&args.out, "file of tables", tablebase::begins_pack)?;
    let pack = tablebase::pack(args.variant, &folder, args.pieces)?;
    write_whole(&args.out, |file| file.write_all(&pack))
        .with_context(|| format!("\"{}\"", args.out.display()))?;
    writeln!(out, "{}: {} bytes in {}", args.variant, pack.len(), args.out.display())?;
    Ok(())
}
