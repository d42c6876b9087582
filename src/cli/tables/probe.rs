//! `kroon tables probe`.

use crate::cli::game::GameArgs;
use crate::cli::progress::say;
use anyhow::Result;
use kroon::tablebase::{self, Material, folder_fault};
use kroon::view::{EndgameView, json_line};
use std::ffi::OsString;
use std::io::Write;

const AFTER_HELP: &str = "\
Prints what the tables say of the position and of every legal move, for the side to move, the best
moves first. A distance is in plies, to the next capture or crowning or to the end of the game.

With --json one line, an object with the fields
  variant, fen, value (\"win\", \"draw\", \"loss\"; null if no table knows it), distance (null if nobody
  knows it), too_long (true if a count of moves ends the game before), moves (each with pdn,
  value, distance)

Example:
  kroon tables probe --fen W:WK41:BK46";

/// Say what the tables know of a position and of its moves
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// The folders of tables, several as in PATH [default: those of KROON_TABLES, or kroon/tables in the user's folder for
    /// data]
    #[arg(long, value_name = "DIR")]
    dir: Option<OsString>,
    /// One JSON object on one line, for programs
    #[arg(long)]
    json: bool,
}

/// Prints the verdict.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let game = args.game.game()?;
    let folders = tablebase::folders(args.dir.as_deref());
    let (tables, mut faults) = tablebase::load(game.variant(), &folders, Material::MOST_PIECES);
    let is_named = args.dir.is_some();
    faults.extend(folders.iter().filter_map(|folder| folder_fault(folder, game.variant(), is_named)));
    for fault in &faults {
        say(fault);
    }
    let view = EndgameView::new(&game, &tables);
    // Large files are checked only where they are read.
    if let Some(fault) = tables.fault() {
        say(&fault);
        faults.push(fault);
    }
    if args.json {
        writeln!(out, "{}", json_line(&view))?;
    } else {
        write!(out, "{}", view.text())?;
    }
    // A position that a damaged table would know is no answer.
    if view.value.is_none()
        && let Some(fault) = faults.into_iter().next()
    {
        return Err(fault.into());
    }
    Ok(())
}
