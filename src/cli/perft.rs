//! `kroon perft`: counts of move sequences.

use super::game::GameArgs;
use anyhow::Result;
use kroon::notation::moves;
use kroon::rules::perft;
use std::io::Write;
use std::time::Instant;

const AFTER_HELP: &str = "\
Examples:
  kroon perft 6                      the initial position of international draughts
  kroon perft --variant english 8    ... of English draughts
  kroon perft --divide 4             the count below each move
  kroon perft --bulk 8               faster: moves of the last ply are counted, not played

The last line is `nodes N seconds S mnps X` (mnps: million nodes per second).";

/// Count the move sequences of a given length, to check and time the move generator
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Length of the sequences in plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=60))]
    depth: u32,
    #[command(flatten)]
    game: GameArgs,
    /// Print the count below each move
    #[arg(long)]
    divide: bool,
    /// Count the moves of the last ply without playing them
    #[arg(long)]
    bulk: bool,
}

/// Counts and prints.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let game = args.game.game()?;
    let position = game.position();
    let mut counts = Vec::new();
    let start = Instant::now();
    let nodes = if args.divide && args.depth > 0 {
        counts = perft::divide(game.variant(), position, args.depth, args.bulk);
        counts.iter().map(|(_, count)| count).sum()
    } else {
        perft::count(game.variant(), position, args.depth, args.bulk)
    };
    let seconds = start.elapsed().as_secs_f64();
    let board = game.variant().rules().board;
    counts.sort_by_key(|(mv, _)| (board.number(mv.from()), board.number(mv.to())));
    let (listed, counts): (Vec<_>, Vec<_>) = counts.into_iter().unzip();
    for (text, count) in moves::write_all(game.variant(), position, &listed).into_iter().zip(counts) {
        writeln!(out, "{text} {count}")?;
    }
    writeln!(out, "nodes {nodes} seconds {seconds:.3} mnps {:.1}", nodes as f64 / seconds.max(1e-9) / 1e6)?;
    Ok(())
}
