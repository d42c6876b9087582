//! `kroon board`: a position as text, JSON or SVG.

use super::game::GameArgs;
use super::outputs::{DRAWING, is_standard, keep_others};
use super::positions::answer_each;
use super::progress::say;
use anyhow::{Context, Result};
use kroon::eval::EvaluationKind;
use kroon::files::write_whole;
use kroon::game::Game;
use kroon::rules::VariantId;
use kroon::svg::{self, board::Picture};
use kroon::tablebase::{self, Material, Tables, folder_fault};
use kroon::view::{EndgameView, PositionView, json_line, text};
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Men are w and b, kings W and B; the board on the right shows the names of the squares.

With --json a position is one line, an object with the fields
  variant, fen, hub (the position in both notations), turn (\"white\", \"black\"),
  outcome (text; null while the game goes on), moves (the legal ones, each with pdn, hub, from, to,
  captured (numbers of squares) and fen, the position after it), evaluation (men, for White),
  endgame (what kroon tables probe --json prints; null if no endgame table knows the position)

With --json --fen - positions are read from standard input, one on each line, and each is answered
at once: the rules of every variant for programs in any language. A line that is no position is
answered with an object that has the field error, and the exit status will be 1.

Examples:
  kroon board
  kroon board --variant english --moves \"11-15 23-19\"
  kroon board --fen W:WK41:B20,33,37,43 --svg board.svg
  kroon board --json | jq -r '.moves[].pdn'
  kroon board --variant frisian --json --fen - < positions.txt";

/// Show a position: the board, the legal moves, the evaluation
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Also write the board as a picture (SVG) to this file; `-`: only the picture, to standard output
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// The folders of endgame tables, several as in PATH [default: those of KROON_TABLES, or kroon/tables in the user's
    /// folder for data]
    #[arg(long, value_name = "DIR")]
    tables: Option<OsString>,
    /// How the position is judged: learned (material and a network), or handmade (features in words)
    #[arg(long, value_name = "KIND", default_value_t)]
    evaluation: EvaluationKind,
    /// One JSON object on one line, for programs
    #[arg(long, conflicts_with = "svg")]
    json: bool,
}

/// Prints the position, writes the picture.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let folders = tablebase::folders(args.tables.as_deref());
    let mut tables: Option<Tables> = None;
    let mut view = |game: &Game| {
        let tables = tables.get_or_insert_with(|| open(game.variant(), &folders, args.tables.is_some()));
        PositionView::with_tables(game, args.evaluation, tables)
    };
    if args.json && args.game.is_stream() {
        let answer = |game: &Game, out: &mut dyn Write| Ok(writeln!(out, "{}", json_line(&view(game)))?);
        return answer_each(io::stdin().lock(), &args.game, out, answer, |error| json_line(&error));
    }
    let game = args.game.game()?;
    let drawing = args.svg.as_deref().filter(|path| !is_standard(path));
    drawing.map_or(Ok(()), |path| keep_others(path, DRAWING, "drawings"))?;
    let picture = || svg::file(&Picture::new(game.variant(), game.position()).draw());
    if args.svg.as_deref().is_some_and(is_standard) {
        return Ok(out.write_all(picture().as_bytes())?);
    }
    let view = view(&game);
    if args.json {
        return Ok(writeln!(out, "{}", json_line(&view))?);
    }
    write!(out, "{}", text::position(&game, args.evaluation))?;
    if let Some(text) = view.endgame.as_ref().and_then(EndgameView::headline) {
        writeln!(out, "Endgame tables: {text}.")?;
    }
    if let Some(path) = &args.svg {
        write_whole(path, |out| out.write_all(picture().as_bytes()))
            .with_context(|| format!("cannot write \"{}\"", path.display()))?;
    }
    Ok(())
}

/// The tables of a variant. A damaged one, and a folder that somebody has named and that is not there, is told, and the others are
/// used.
fn open(variant: VariantId, folders: &[PathBuf], is_named: bool) -> Tables {
    let (tables, faults) = tablebase::load(variant, folders, Material::MOST_PIECES);
    let missing = folders.iter().filter_map(|folder| folder_fault(folder, variant, is_named));
    for fault in missing.chain(faults) {
        say(fault);
    }
    tables
}
