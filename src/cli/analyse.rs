//! `kroon analyse`: the variations of a search as a table or as JSON; searches of a stream of positions.

use super::engine_args::{Analysis, SetArgs};
use super::game::GameArgs;
use super::interrupt::on_interrupt;
use super::positions::answer_each;
use super::positive_seconds;
use super::progress::say;
use super::refused::OfGames;
use super::usage::wrong_usage;
use anyhow::{Result, bail};
use kroon::engine::{Engine, Mode, Options, Report, Request, SearchKind};
use kroon::eval::EvaluationKind;
use kroon::game::Game;
use kroon::search::alphabeta::MAX_DEPTH;
use kroon::search::{Control, Info, Limits, Observer};
use kroon::view::{AnalysisLine, AnalysisTable, BookView, EndgameView, json_line};
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

const AFTER_HELP: &str = "\
The search ends at the first limit that is reached. Without a limit it takes 5 seconds. Ctrl-C ends
it, too: what was found is printed, and the exit status is 1.

Scores are in men, from the view of the side to move; `win 7`: it wins in 7 plies, `loss 8`: it
loses in 8.

With --json every line is one object. Its field `type` says which:
  position  variant, fen, turn (\"white\", \"black\"), outcome (text; null while the game goes on),
            endgame (what `kroon tables probe --json` prints; null where no table knows it)
  book      with --book: the fields of `kroon book probe --json`
  info      rank (1 is the best line), depth (plies), mean_depth, score (men), plies_to_end (null
            unless decided), winrate (expected result, 0 to 1), wdl (chances to win, draw, lose, in
            thousandths), nodes, time (seconds), nps, pv (list of moves)
  result    best and ponder (moves; null if there is none), score, plies_to_end, nodes, time; with
            --search mcts also tree, unless book or endgame tables answered: for each move, the best
            first, move, visits, policy (chance that a search chooses it; null where the weights
            have no policy or it was not asked), score, plies_to_end, winrate, wdl, replies (those
            tried most: move, visits)
One `position` comes first, one `result` last.

With --json --fen - positions are read from standard input, one on each line, and each is analysed
at once, as in a call of its own. A line that is no position is answered with an object of type
error, which has the field error, and the exit status will be 1.

Examples:
  kroon analyse --depth 15
  kroon analyse --variant english --time 2.5 --threads 2
  kroon analyse --eval-file my.weights --depth 15
  kroon analyse --search mcts --nodes 20000 --multipv 3
  kroon analyse --search mcts --mcts-leaf eval --threads 2 --multipv 3
  kroon analyse --fen W:W31-50:B1-20 --moves \"32-28 19-23 28x19\" --multipv 3
  kroon analyse --depth 12 --json | jq -r 'select(.type == \"result\").best'
  kroon analyse --variant russian --nodes 100000 --json --fen - < positions.txt";

const DEFAULT_TIME: Duration = Duration::from_secs(5);

/// Search a position and show the best lines as they deepen
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
#[command(mut_arg("book", |flag| flag.help("Show first what the opening book knows of the position [default: false]")))]
#[command(mut_arg("seed", |flag| {
    flag.help("Start of the random numbers of --player; default: another one every time [default: default]")
}))]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Stop after this many seconds
    #[arg(long, value_name = "S", value_parser = positive_seconds, allow_negative_numbers = true)]
    time: Option<Duration>,
    /// Stop after this iteration (plies)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// Stop after this many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    #[command(flatten)]
    engine: SetArgs<Analysis>,
    /// One JSON object on each line instead of a table
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    refused: OfGames,
    // What people try: a file of games, or moves.
    #[arg(hide = true)]
    words: Vec<String>,
}

/// How an analysis is printed.
#[derive(Clone, Copy)]
enum Style {
    Json,
    Table(AnalysisTable),
}

impl Style {
    fn start(self, game: &Game, endgame: Option<EndgameView>, book: Option<BookView>) -> String {
        match self {
            Style::Json => [Some(AnalysisLine::start(game, endgame)), book.map(AnalysisLine::Book)]
                .iter()
                .flatten()
                .map(|line| json_line(line) + "\n")
                .collect(),
            Style::Table(table) => table.start(game, endgame.as_ref(), book.as_ref()),
        }
    }

    fn info(self, game: &Game, info: &Info) -> String {
        match self {
            Style::Json => json_line(&AnalysisLine::info(game, info)) + "\n",
            Style::Table(table) => table.info(game, info),
        }
    }

    fn end(self, game: &Game, report: &Report) -> String {
        match self {
            Style::Json => json_line(&AnalysisLine::result(game, report)) + "\n",
            Style::Table(table) => table.end(game, report),
        }
    }
}

/// Analyses and prints.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    args.refused.refuse()?;
    refuse_words(&args.words)?;
    let variant = args.game.variant();
    let is_stream = args.json && args.game.is_stream();
    let only = if is_stream { None } else { Some(args.game.game()?) };
    let options = args.engine.options_for(variant)?;
    for name in args.engine.given() {
        if name.starts_with("mcts-") && options.search != SearchKind::Mcts {
            wrong_usage!("--{name} without --search mcts: alpha-beta does not know it");
        }
        if name.starts_with("player-") && options.player.is_none() {
            wrong_usage!("--{name} without --player: the engine does not know it");
        }
        if name == "eval-file" && options.evaluation != EvaluationKind::default() {
            wrong_usage!(
                "--eval-file with --evaluation {}: weights are for the learned one",
                options.evaluation
            );
        }
    }
    if let Some(book) = options.book_file.as_ref().filter(|_| !options.book) {
        wrong_usage!("--book-file {}: add --book, which shows what the book knows", book.display());
    }
    if let Some(depth) = args.depth
        && options.search == SearchKind::AlphaBeta
        && depth > MAX_DEPTH
    {
        wrong_usage!("--depth {depth}: the alpha-beta search goes to {MAX_DEPTH} plies at most");
    }
    let style =
        if args.json { Style::Json } else { Style::Table(AnalysisTable { ranks: options.multipv > 1 }) };
    let mut engine = Engine::new(options);
    engine.prepare(variant);
    if let Some(fault) = engine.book_fault() {
        // What another book knows is not what was asked for.
        bail!(fault);
    }
    let told = engine.table_fault();
    if let Some(fault) = &told {
        // The analysis goes on without it.
        say(fault);
    }
    let Options { player, agent, .. } = engine.options();
    if let Some(player) = player.filter(|player| player.is_untrained(agent, variant)) {
        say(format_args!(
            "{player} has learned nothing in {variant} draughts: it plays as before its first game; kroon learn makes a file \
             for --player-file"
        ));
    }
    let (control, watch) = (Arc::new(Control::new()), Arc::new(Watch::default()));
    let (stop, noted) = (Arc::clone(&control), Arc::clone(&watch));
    on_interrupt(move || {
        // What was found is the result; who waits for a position has none.
        noted.is_interrupted.store(true, Ordering::SeqCst);
        stop.stop();
        if noted.is_waiting.load(Ordering::SeqCst) {
            say("error: interrupted");
            process::exit(1);
        }
    })?;
    let mut analysis = Analyst { args, engine, style, control };
    let done = match only {
        Some(game) => analysis.analyse(&game, out),
        None => {
            let mut is_first = true;
            let answer = |game: &Game, out: &mut dyn Write| {
                // Each position is answered as in a call of its own.
                if !std::mem::take(&mut is_first) {
                    analysis.engine.restart();
                }
                analysis.analyse(game, out)
            };
            let fault = |error| json_line(&AnalysisLine::Error(error));
            let input = WatchedInput { input: io::stdin().lock(), watch: &watch };
            answer_each(input, &args.game, out, answer, fault)
        }
    };
    // Large files are checked only where they are read.
    if let Some(fault) = analysis.engine.table_fault().filter(|_| told.is_none()) {
        say(fault);
    }
    if watch.is_interrupted.load(Ordering::SeqCst) {
        out.flush()?;
        bail!("interrupted");
    }
    done
}

/// What an interruption must know, and what it leaves.
#[derive(Default)]
struct Watch {
    /// Whether nothing is done but to wait for a position.
    is_waiting: AtomicBool,
    is_interrupted: AtomicBool,
}

/// An input that says when it is waited for, and ends after an interruption.
struct WatchedInput<'a, R> {
    input: R,
    watch: &'a Watch,
}

impl<R: BufRead> Read for WatchedInput<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for WatchedInput<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.watch.is_waiting.store(true, Ordering::SeqCst);
        if self.watch.is_interrupted.load(Ordering::SeqCst) {
            self.watch.is_waiting.store(false, Ordering::SeqCst);
            return Ok(&[]);
        }
        let filled = self.input.fill_buf();
        self.watch.is_waiting.store(false, Ordering::SeqCst);
        filled
    }

    fn consume(&mut self, count: usize) {
        self.input.consume(count);
    }
}

/// Who analyses.
struct Analyst<'a> {
    args: &'a Args,
    engine: Engine,
    style: Style,
    /// Stopped by the user.
    control: Arc<Control>,
}

impl Analyst<'_> {
    /// Searches the position and prints all that is found.
    fn analyse(&mut self, game: &Game, out: &mut dyn Write) -> Result<()> {
        let endgame = EndgameView::known(game, &self.engine.tables(game.variant()));
        let book = self.engine.options().book.then(|| BookView::new(game, &self.engine.book(game.variant())));
        out.write_all(self.style.start(game, endgame, book).as_bytes())?;
        let report = if game.legal_moves().is_empty() { Report::default() } else { self.search(game, out)? };
        Ok(out.write_all(self.style.end(game, &report).as_bytes())?)
    }

    fn search(&mut self, game: &Game, out: &mut dyn Write) -> io::Result<Report> {
        out.flush()?;
        let Args { depth, nodes, time, .. } = *self.args;
        let mut limits = Limits { depth, nodes, move_time: time, ..Limits::default() };
        if !limits.is_bounded() && self.engine.options().player.is_none() {
            limits.move_time = Some(DEFAULT_TIME);
        }
        let mut printer = Printer { style: self.style, out, game, control: &self.control, failure: None };
        let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
        let report = self.engine.go(&request, &self.control, &mut printer);
        printer.failure.map_or(Ok(report), Err)
    }
}

/// Says what is meant to take the words that stand for themselves.
fn refuse_words(words: &[String]) -> Result<()> {
    match words {
        [] => Ok(()),
        [word, ..] if Path::new(word).is_file() || word.to_lowercase().ends_with(".pdn") => {
            wrong_usage!("\"{word}\" is a file of games: kroon annotate {word}")
        }
        _ => {
            let words = words.join(" ");
            wrong_usage!("\"{words}\" found: moves stand behind --moves, a position behind --fen")
        }
    }
}

/// Prints what the search tells; stops it when nobody can read that any more.
struct Printer<'a> {
    style: Style,
    out: &'a mut dyn Write,
    game: &'a Game,
    control: &'a Control,
    failure: Option<io::Error>,
}

impl Observer for Printer<'_> {
    fn info(&mut self, info: &Info) {
        if self.failure.is_some() {
            return;
        }
        let text = self.style.info(self.game, info);
        if let Err(error) = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()) {
            self.failure = Some(error);
            self.control.stop();
        }
    }
}
