//! `kroon book stat`.

use super::Chosen;
use anyhow::Result;
use kroon::book::audit;
use kroon::game::Game;
use kroon::notation::moves;
use kroon::view::BookView;
use serde_json::json;
use std::io::Write;

const AFTER_HELP: &str = "\
Prints how large the book is, how its values were searched, how far its best line goes and what it
says of the first moves.

With --json one line, an object with the fields
  variant, positions, reached (from the initial position by moves of the book), expanded (those of
  them whose moves are all in the book), nodes (of each search), games (that reached the initial
  position), line (the best line), start (as `kroon book probe --json`)

Example:
  kroon book stat --variant english";

/// Show what is in a book
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    chosen: Chosen,
    /// One JSON object on one line, for programs
    #[arg(long)]
    json: bool,
}

/// Prints the numbers.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let book = args.chosen.open()?;
    let variant = book.variant();
    let mut game = Game::new(variant);
    let start = BookView::new(&game, &book);
    let found = audit(&book);
    let mut line = Vec::new();
    for mv in book.line(game.position()) {
        line.push(moves::write(variant, game.position(), mv));
        game.play(mv)?;
    }
    let nodes = book.head().nodes;
    if args.json {
        let said = json!({
            "variant": variant.name(), "positions": book.len(), "reached": found.reached,
            "expanded": found.expanded, "nodes": nodes, "games": start.games.games, "line": line, "start": start,
        });
        writeln!(out, "{said}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{variant}: {} positions, {} reached from the initial one, {} of them with all moves",
        book.len(),
        found.reached,
        found.expanded
    )?;
    if nodes > 0 {
        writeln!(out, "values by searches of {nodes} nodes")?;
    }
    if !line.is_empty() {
        writeln!(out, "best line: {}", line.join(" "))?;
    }
    write!(out, "{}", start.text())?;
    Ok(())
}
