//! `kroon annotate`: the games of PDN files with what each move cost.

use super::engine_args::{Judge, SetArgs};
use super::interrupt::cancelled_by_interrupt;
use super::positive_seconds;
use super::progress::{Pace, say};
use super::refused::OfGames;
use super::threads;
use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kroon::annotate::{
    CollectionFault, CollectionListener, CollectionPlan, CollectionProgress, Earlier, Settings,
};
use kroon::files::Input;
use kroon::rules::VariantId;
use kroon::search::Limits;
use kroon::search::alphabeta::MAX_DEPTH;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
Every move is compared with the best one, in expected result: 1 for a win, one half for a draw.
Without --out, --html and --json the annotated games go to standard output. A limit holds for one
search; doubtful moves are searched longer. Without a limit it is --depth 14.

GAMES and outputs may be pipes; `-` is standard output as the name of an output. While it runs, the
results are in a file beside the first output that is a file, with `.journal` behind its name. After
an interruption the same command goes on there; without such an output it begins anew.

A game that breaks off is told and analysed up to there. If no game can be followed to its end, the
outputs have what comes before, and the exit status is 1.

Examples:
  kroon annotate games.pdn --out annotated.pdn --html games.html
  kroon annotate games.pdn --player \"J. Jansen\" --html jansen.html --threads 4
  kroon annotate game.pdn --time 1 --from-ply 9
  kroon annotate annotated.pdn --refresh --depth 20 --out deeper.pdn
  kroon annotate games.pdn --json moves.jsonl --nodes 200000 --multipv 2";

/// Say of the games in PDN files what each move cost, with better moves, as PDN, page or JSON
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The games, PDN 2.0 or 3.0; `-` is standard input
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// The games with evaluations, comments and better lines
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace what an earlier analysis wrote into the games [default: it stays, and its moves get nothing new]
    #[arg(long)]
    refresh: bool,
    /// A page with boards, curves and tables
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// One JSON object on each line, for each move and each game
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Search a move so many seconds; other runs may judge otherwise
    #[arg(long, value_name = "S", value_parser = positive_seconds)]
    time: Option<Duration>,
    /// Search a move so deep (plies)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Search so many nodes for a move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Moves that are searched at the same time [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: Option<u32>,
    /// Variations to show for a move that was an error
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=16))]
    multipv: u64,
    /// Only the moves of this player; `Ton Sijbrands` is `Sijbrands, Ton`, too
    #[arg(long, value_name = "NAME")]
    player: Option<String>,
    /// Begin with this move of a game, counted for both sides together
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=100_000))]
    from_ply: u64,
    /// The variant [default: that of each game's tags, without them the one in which most moves are legal]
    #[arg(long, value_name = "V")]
    variant: Option<VariantId>,
    #[command(flatten)]
    judge: SetArgs<Judge>,
    #[command(flatten)]
    refused: OfGames,
}

/// Analyses; progress goes to standard error.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    args.refused.refuse()?;
    // Before interruptions are caught: one has to end the copy of a pipe.
    let open = |path: &PathBuf| Input::open(path).with_context(|| format!("\"{}\"", path.display()));
    let files = args.games.iter().map(open).collect::<Result<_>>()?;
    let options = args.judge.options()?;
    if let Some(variant) = args.variant {
        options.check(variant)?;
    }
    let mut limits =
        Limits { depth: args.depth, nodes: args.nodes, move_time: args.time, ..Limits::default() };
    if !limits.is_bounded() {
        limits = Settings::default().limits;
    }
    let threads = threads(args.threads);
    let plan = CollectionPlan {
        files,
        options,
        settings: Settings {
            limits,
            multipv: args.multipv as usize,
            side: None,
            from_ply: args.from_ply as usize,
        },
        threads,
        player: args.player.clone(),
        variant: args.variant,
        pdn: args.out.clone(),
        earlier: if args.refresh { Earlier::Replace } else { Earlier::Keep },
        html: args.html.clone(),
        json: args.json.clone(),
    };
    let cancel = cancelled_by_interrupt()?;
    let mut narrator = Narrator::new();
    let journal = plan.journal();
    let is_complete = plan.run(&cancel, &mut narrator, out);
    narrator.end();
    if !is_complete? {
        match journal {
            Some(journal) if !journal.exists() => {
                bail!("interrupted before the first game was finished: the same command begins anew")
            }
            Some(journal) => {
                bail!("interrupted; the same command goes on from \"{}\"", journal.display())
            }
            None => bail!(
                "interrupted; nothing is kept without a file as output (--out, --html, --json): the same command begins anew"
            ),
        }
    }
    Ok(())
}

/// Time between two lines of progress where there is no terminal.
const LINE: Duration = Duration::from_secs(20);

/// Tells on standard error how far it is.
struct Narrator {
    start: Instant,
    lines: Pace,
    bar: Option<ProgressBar>,
}

impl Narrator {
    fn new() -> Narrator {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:20} {pos}/{len} moves, {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Narrator { start: Instant::now(), lines: Pace::new(LINE), bar }
    }

    fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Game, move, time left.
    fn line(&self, progress: &CollectionProgress) -> String {
        let CollectionProgress { game, games, in_game, searched, moves, .. } = progress;
        let left = moves[1].saturating_sub(moves[0]) as f64;
        let seconds = self.start.elapsed().as_secs_f64() * left / (*searched).max(1) as f64;
        let seconds = seconds.min(1e9).round() as u64;
        format!(
            "game {game} of {games}, move {} of {}, {}:{:02}:{:02} left",
            in_game[0],
            in_game[1],
            seconds / 3600,
            seconds / 60 % 60,
            seconds % 60
        )
    }
}

impl CollectionListener for Narrator {
    fn progress(&mut self, progress: &CollectionProgress) {
        if let Some(bar) = &self.bar {
            bar.set_length(progress.moves[1] as u64);
            bar.set_position(progress.moves[0] as u64);
            bar.set_message(self.line(progress));
        } else if self.lines.is_due() {
            let [done, all] = progress.moves;
            say(format_args!("{done} of {all} moves, {}", self.line(progress)));
        }
    }

    fn fault(&mut self, fault: &CollectionFault<'_>) {
        let line = fault.to_string();
        match &self.bar {
            Some(bar) => bar.println(line),
            None => {
                say(line);
            }
        }
    }
}
