//! `kroon tune`.

use super::interrupt::cancelled_by_interrupt;
use super::usage::wrong_usage;
use super::{endings, openings_help, positive_seconds, seconds};
use anyhow::{Result, bail};
use kroon::arena::adjudicate::{Adjudication, KnownEndings, Streak};
use kroon::arena::openings::OpeningSource;
use kroon::arena::shard::Shard;
use kroon::arena::time_control::EngineLimits;
use kroon::arena::tune::knob::TunedKnob;
use kroon::arena::tune::state::TuneState;
use kroon::arena::tune::{Resume, TuneNews, TunePlan, Tuner};
use kroon::rules::VariantId;
use kroon::search::alphabeta;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const AFTER_HELP: &str = "\
The numbers are found by SPSA (simultaneous perturbation stochastic approximation). An iteration
plays pairs of games, the same opening with colours changed, between two engines whose numbers
differ from the present ones at random by +c or -c and the opposite; then all numbers move
towards the engine that did better. For pair k of N

  c(k) = STEP (N/k)^0.101     a(k) = RATE STEP^2 ((A+N) / (A+k))^0.602, A = N/10
  number += a(k)/c(k) * (games won - games lost) * sign

so at the end engines are one STEP away to either side, and a game won moves a number by RATE
steps. A STEP should be worth a few Elo. Numbers are kept as reals and rounded at random when
they are played, so that fractions count.

The state is saved all the time; an empty FILE.lock beside it keeps a second process off, and may
be deleted when none runs. However the run ends, the same command goes on with --resume;
with --nodes it ends with the same numbers as if it had never been stopped. Values found are to
be proved by a match: the last lines of the output say how.

With --shard I/N (the first is 0/N) N processes with the same command share the games of every
iteration, at most 2 x --pairs of them, by files in the folder FILE.parts beside the state, which
all of them must see. They wait for each other, so all must run at the same time; the numbers are
those of one process. One that was killed goes on with the same command, while the others wait.

Knobs (NAME=START,MIN,MAX,STEP as they are declared):
";

const EXAMPLES: &str = "
Examples:
  kroon tune --games 20000 --nodes 10000 --openings random:8:1 --concurrency 2 --state all.json
  kroon tune --knob probcut-margin --knob lmr-second=4,2,12,1 --games 40000 --move-time 0.05 \\
    --state two.json --resume
  kroon tune --games 40000 --nodes 10000 --pairs 32 --state all.json --resume --shard 3/64";

/// The end of the help, with the list of all knobs.
fn after_help() -> String {
    let knobs = alphabeta::Tuning::KNOBS.iter();
    let lines = knobs.map(|knob| format!("  {}\n      {}\n", TunedKnob::declared(knob), knob.help.trim()));
    format!("{AFTER_HELP}{}{EXAMPLES}", lines.collect::<String>())
}

/// Find better numbers for the search by playing games
#[derive(clap::Args, Debug)]
#[command(after_help = after_help())]
#[command(group = clap::ArgGroup::new("limit").required(true).args(["nodes", "move_time"]))]
pub struct Args {
    /// A number to tune, NAME[=START[,MIN,MAX,STEP]]; may be repeated [default: all with a step above 1 that the variant asks for]
    #[arg(long = "knob", value_name = "KNOB")]
    knobs: Vec<TunedKnob>,
    /// Games in all
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(2..=MOST_GAMES))]
    games: u64,
    /// Where the state is kept
    #[arg(long, value_name = "FILE")]
    state: PathBuf,
    /// Go on with the state that is there
    #[arg(long)]
    resume: bool,
    /// With --resume: also if another version of this program began it
    #[arg(long, requires = "resume")]
    force: bool,
    /// The rules
    #[arg(long, value_name = "V", default_value_t = VariantId::International)]
    variant: VariantId,
    /// Nodes for each move
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    nodes: Option<u64>,
    /// Seconds for each move
    #[arg(long, value_name = "S", value_parser = positive_seconds, help_heading = "Limits")]
    move_time: Option<Duration>,
    /// How much later than allowed a move may come, in seconds [default: 0.1]
    #[arg(long, value_name = "S", value_parser = seconds, help_heading = "Limits")]
    time_margin: Option<Duration>,
    #[arg(long, value_name = "SOURCE", help = openings_help(), default_value = "ballot2", help_heading = "Games")]
    openings: OpeningSource,
    /// A parameter of both engines, NAME=VALUE, such as hash=4; may be repeated
    #[arg(long = "param", value_name = "PARAM", value_parser = param, help_heading = "Games")]
    params: Vec<(String, String)>,
    /// An engine that is MEN behind (by its own score) on MOVES moves in succession has lost
    #[arg(long, value_name = "MEN,MOVES", value_parser = Streak::of_resignation, help_heading = "Games")]
    resign: Option<Streak>,
    /// When both engines see no more than MEN on MOVES moves each, from move FROM on, the game is drawn
    #[arg(long, value_name = "MEN,MOVES[,FROM]", help_heading = "Games")]
    draw: Option<Streak>,
    /// A game of so many plies, those of the opening included, is drawn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Games")]
    max_plies: Option<u32>,
    /// A position that endgame tables know ends the game; those of the default folders, of these, or `embedded`: those in the program
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "", help_heading = "Games")]
    tables: Option<String>,
    /// Games at the same time; the games of one iteration, so more than 2 need --pairs
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    concurrency: u32,
    /// Pairs of games of an iteration
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pairs: u64,
    /// Play shard I of N of the games of every iteration, I from 0 to N - 1, beside processes that play the others
    #[arg(long, value_name = "I/N", requires = "resume")]
    shard: Option<Shard>,
    /// Steps that a number moves for a game won at the end
    #[arg(long, value_name = "R", default_value_t = 0.002, value_parser = rate)]
    rate: f64,
    /// Seed of all random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = kroon::seed::parse)]
    seed: u64,
}

/// As in a match.
const MOST_GAMES: u64 = 10_000_000;
/// Lines of progress: so many in all, but one each minute at least.
const LINES: u64 = 100;
const LINE: Duration = Duration::from_secs(60);
/// How late a move may come where nobody says more.
const TIME_MARGIN: Duration = Duration::from_millis(100);
/// So many shards that are missing are named.
const MOST_NAMES: usize = 8;

fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse().ok().filter(|rate| (1e-6..=1.0).contains(rate));
    rate.ok_or_else(|| "expected a number from 0.000001 to 1".to_owned())
}

fn param(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.to_owned(), value.to_owned()))
}

/// Tunes; a line for each hundredth of the games, at the end a table.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let plan = plan(args)?;
    let resume = match (args.resume, args.force) {
        (false, _) => Resume::No,
        (true, false) => Resume::Yes,
        (true, true) => Resume::Forced,
    };
    let mut tuning = Tuner::open(&plan, &args.state, resume)?;
    if tuning.state.pairs > 0 {
        writeln!(
            out,
            "{} of {} games are in the state, the tuning goes on.",
            2 * tuning.state.pairs,
            args.games
        )?;
    }
    let cancel = cancelled_by_interrupt()?;
    let mut progress = TuneProgress::new(&plan, tuning.state.pairs);
    tuning.run(&args.state, &cancel, &mut |news| match news {
        TuneNews::State(state) => progress.show(state, out),
        TuneNews::Waiting(shards) => waiting(shards, out),
    })?;
    table(&plan, &tuning, out)?;
    if tuning.state.pairs < plan.pairs {
        out.flush()?;
        bail!(
            "interrupted after {} of {} games: the same command goes on with --resume",
            2 * tuning.state.pairs,
            args.games
        );
    }
    advice(args, &plan, &tuning, out)?;
    Ok(())
}

fn plan(args: &Args) -> Result<TunePlan> {
    if args.time_margin.is_some() && args.move_time.is_none() {
        wrong_usage!("--time-margin with --nodes: it is for --move-time");
    }
    if args.games % 2 == 1 {
        wrong_usage!(
            "--games {}: expected an even number, each opening is played with both colours",
            args.games
        );
    }
    if let Some(idle) = args.knobs.iter().find(|tuned| !tuned.knob.counts_in(args.variant)) {
        wrong_usage!(
            "--knob {}: the search of {} draughts does not ask for it",
            idle.knob.name,
            args.variant
        );
    }
    Ok(TunePlan {
        variant: args.variant,
        knobs: if args.knobs.is_empty() { TunedKnob::smooth(args.variant) } else { args.knobs.clone() },
        params: args.params.clone(),
        limits: EngineLimits { move_time: args.move_time, nodes: args.nodes, ..EngineLimits::default() },
        margin: args.time_margin.unwrap_or(TIME_MARGIN),
        openings: args.openings.clone(),
        rules: Adjudication {
            resign: args.resign,
            draw: args.draw,
            max_plies: args.max_plies.map(|plies| plies as usize),
            tables: match &args.tables {
                Some(folders) => Some(KnownEndings(endings::tables(args.variant, folders)?)),
                None => None,
            },
            ..Adjudication::default()
        },
        pairs: args.games / 2,
        batch: args.pairs,
        rate: args.rate,
        seed: args.seed,
        concurrency: args.concurrency as usize,
        shard: args.shard,
    })
}

/// Plain lines, for people and for programs that draw.
struct TuneProgress<'a> {
    plan: &'a TunePlan,
    start: Instant,
    /// When the last line was written, and the pairs then.
    last: (Instant, u64),
}

impl<'a> TuneProgress<'a> {
    fn new(plan: &'a TunePlan, before: u64) -> TuneProgress<'a> {
        let now = Instant::now();
        TuneProgress { plan, start: now, last: (now, before) }
    }

    fn show(&mut self, state: &TuneState, out: &mut dyn Write) -> io::Result<()> {
        let share = |pairs: u64| pairs * LINES / self.plan.pairs;
        if share(state.pairs) == share(self.last.1) && self.last.0.elapsed() < LINE {
            return Ok(());
        }
        self.last = (Instant::now(), state.pairs);
        let score = state.score;
        write!(
            out,
            "iteration {} games {} of {} score +{} ={} -{} seconds {:.0}",
            state.pairs.div_ceil(self.plan.batch),
            2 * state.pairs,
            2 * self.plan.pairs,
            score.wins,
            score.draws,
            score.losses,
            self.start.elapsed().as_secs_f64()
        )?;
        for (knob, value) in self.plan.knobs.iter().zip(&state.values) {
            write!(out, " {}={value:.2}", knob.knob.name)?;
        }
        writeln!(out)?;
        out.flush()
    }
}

/// Says who is missing.
fn waiting(shards: &[Shard], out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<String> = shards.iter().take(MOST_NAMES).map(Shard::to_string).collect();
    let more = shards.len().saturating_sub(MOST_NAMES);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    writeln!(out, "waiting for shard {}{more}", names.join(", "))?;
    out.flush()
}

/// Where every number was and is.
fn table(plan: &TunePlan, tuning: &Tuner, out: &mut dyn Write) -> io::Result<()> {
    let state = &tuning.state;
    writeln!(
        out,
        "{:20} {:>9} {:>9} {:>8} {:>8} {:>6}",
        "knob", "start", "now", "rounded", "default", "steps"
    )?;
    let default = alphabeta::Tuning::default();
    for ((tuned, value), rounded) in plan.knobs.iter().zip(&state.values).zip(tuning.rounded()) {
        let steps = (value - tuned.start) / tuned.axis.step;
        let (name, start, default) = (tuned.knob.name, tuned.start, (tuned.knob.get)(&default));
        writeln!(out, "{name:20} {start:>9.2} {value:>9.2} {rounded:>8} {default:>8} {steps:>+6.2}")?;
    }
    if state.late > 0 {
        writeln!(
            out,
            "{} of {} games were lost on time: the machine has too much to do for so little time.",
            state.late,
            2 * state.pairs
        )?;
    }
    Ok(())
}

/// The command that tells whether the new numbers are better.
fn advice(args: &Args, plan: &TunePlan, tuning: &Tuner, out: &mut dyn Write) -> io::Result<()> {
    let default = alphabeta::Tuning::default();
    let mut fresh = Vec::new();
    for (tuned, rounded) in plan.knobs.iter().zip(tuning.rounded()) {
        if rounded != (tuned.knob.get)(&default) {
            fresh.push((tuned.parameter(), rounded.to_string()));
        }
    }
    if fresh.is_empty() {
        return writeln!(out, "Rounded, these are the defaults: there is nothing to try.");
    }
    let words = |params: &[(String, String)]| -> String {
        let quoted =
            |value: &str| if value.contains(' ') { format!("\"{value}\"") } else { value.to_owned() };
        params.iter().map(|(name, value)| format!(" param.{name}={}", quoted(value))).collect()
    };
    let common = words(&plan.params);
    let limits = match (args.nodes, args.move_time) {
        (Some(nodes), _) => format!("--nodes {nodes}"),
        (None, time) => format!("--move-time {}", time.unwrap_or_default().as_secs_f64()),
    };
    writeln!(out, "Whether they are better:")?;
    writeln!(
        out,
        "  kroon match --engine 'proto=kroon name=tuned{common}{}' --engine 'proto=kroon{common}' \\\n    \
         --variant {} {limits} --openings random:8:{} --games 100000 --sprt 0,5 --results tuned.jsonl",
        words(&fresh),
        plan.variant,
        plan.seed.wrapping_add(1)
    )
}
