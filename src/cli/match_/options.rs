//! The options of `kroon match`.

use super::super::usage::wrong_usage;
use super::super::{endings, openings_help, positive_seconds, seconds};
use anyhow::Result;
use kroon::arena::adjudicate::{Adjudication, Blocked, KnownEndings, Streak};
use kroon::arena::openings::OpeningSource;
use kroon::arena::schedule::{Format, MOST_ENGINES};
use kroon::arena::shard::Shard;
use kroon::arena::spec::EngineSpec;
use kroon::arena::stats::Sprt;
use kroon::arena::time_control::{EngineLimits, TimeControl};
use kroon::rules::VariantId;
use std::path::PathBuf;
use std::time::Duration;

const AFTER_HELP: &str = "\
An engine is described by words `key=value`; a value with blanks stands in double quotes:
  cmd=\"./scan hub\"   program and arguments (single quotes around blanks; there is no shell)
  name=Scan          its name in tables and files
  proto=hub          hub (the default), dxp, or kroon: a player of this program, in this process
  address=host:port  where a DXP engine listens; in its cmd {port} becomes a free port
  param.threads=2    a parameter, set before the first game
  dir=/opt/scan      where it is started
  player=minimax     which of our players (proto=kroon only): engine (the default), random, greedy,
                     minimax, mcts, or one that has learned: q-learning, approximate-q, neural-q,
                     state-q (file=FILE; what they know of English draughts is in the program);
                     settings by name: score=linear quiet=true iterations=100
  tc= move-time= depth= nodes= time-margin=   its own limits in place of the general ones
  noise=0.1          how often a random legal move is played in place of its own

Every opening is played twice with colours changed. A file of openings has PDN games, whose
positions after the last move are the openings, or lines: each a FEN, a Hub position or moves from
the initial position. A game ends by the rules, by --resign, --draw or --max-plies, or by a fault:
too late, illegal move, crash, no answer. A fault loses the game; after all but the first of these
the engine is started again.

With --results, a match that was interrupted or killed goes on with the same command and the same
programs (version, sources and weights of our players, checksums of the files that cmd names). Elo
is the difference between the first and the second engine; elo0 and elo1 are normalised Elo.

--shard I/N plays a part of the match, for a scheduler: the first of N is 0/N, both games of an
opening are in the same one, and all N together are the games of the match without --shard. Each
has a results file of its own, which goes on as above. `kroon report` and `kroon sprt` read all
files together; a shard does not see the games of the others, so the test is asked there. Engines
must be described alike everywhere, paths in cmd included: other words are another match. Of a file
of openings the contents are compared, not its path.

Examples:
  kroon match --engine 'cmd=\"./kroon-old hub\" name=old' --engine 'proto=kroon name=new' \\
    --move-time 0.1
  kroon match --engine proto=kroon --engine 'cmd=\"dame hub\"' --tc 10+0.1 --games 40 \\
    --results dame.jsonl --pdn dame.pdn
  kroon match --engine 'proto=kroon name=new' --engine 'cmd=\"./kroon-old hub\"' --nodes 20000 \\
    --openings random:8:1 --games 40000 --sprt 0,5 --concurrency 2 --results test.jsonl
  kroon match --engine 'proto=kroon name=new' --engine 'cmd=\"./kroon-old hub\"' --nodes 20000 \\
    --openings random:8:1 --games 40000 --shard 3/64 --results test-3.jsonl";

/// Play a match between engines and say which is stronger
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// An engine, at least two of them (see below)
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    pub engines: Vec<EngineSpec>,
    /// The rules
    #[arg(long, value_name = "V", default_value_t = VariantId::International)]
    pub variant: VariantId,
    /// Games between each two engines that meet [default: every opening once with each colour]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=MOST_GAMES))]
    pub games: Option<u32>,
    #[arg(long, value_name = "SOURCE", help = openings_help(), default_value = "ballot2")]
    pub openings: OpeningSource,
    /// Everybody plays everybody (the default)
    #[arg(long, conflicts_with = "gauntlet")]
    pub round_robin: bool,
    /// The first engine plays all others
    #[arg(long)]
    pub gauntlet: bool,

    /// Seconds for each move
    #[arg(long, value_name = "S", value_parser = positive_seconds, conflicts_with = "tc", help_heading = "Limits")]
    pub move_time: Option<Duration>,
    /// A clock: base, base+inc, moves/base or moves/base+inc, in seconds
    #[arg(long, value_name = "TC", help_heading = "Limits")]
    pub tc: Option<TimeControl>,
    /// Plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000), help_heading = "Limits")]
    pub depth: Option<u32>,
    /// Nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..), help_heading = "Limits")]
    pub nodes: Option<u64>,
    /// How much later than allowed a move may come, in seconds; on a clock all late moves share it
    #[arg(long, value_name = "S", default_value = "0.1", value_parser = seconds, help_heading = "Limits")]
    pub time_margin: Duration,
    /// How long to wait for an answer that has no time limit, in seconds
    #[arg(long, value_name = "S", default_value = "60", value_parser = positive_seconds, help_heading = "Limits")]
    pub patience: Duration,

    /// An engine that is MEN behind (by its own score) on MOVES moves in succession has lost
    #[arg(long, value_name = "MEN,MOVES", value_parser = Streak::of_resignation, help_heading = "Ends")]
    pub resign: Option<Streak>,
    /// ... if the other engine sees it, too
    #[arg(long, requires = "resign", help_heading = "Ends")]
    pub two_sided: bool,
    /// When both engines see no more than MEN on MOVES moves each, from move FROM on, the game is drawn
    #[arg(long, value_name = "MEN,MOVES[,FROM]", help_heading = "Ends")]
    pub draw: Option<Streak>,
    /// A game of so many plies, those of the opening included, is drawn
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Ends")]
    pub max_plies: Option<u32>,
    /// A position that endgame tables know ends the game; those of the default folders, of these, or `embedded`: those in the program
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = "", help_heading = "Ends")]
    pub tables: Option<String>,
    /// What a side gets that has pieces but no move: loss (the rules), or draw: only taking all pieces wins
    #[arg(long, value_name = "RESULT", default_value_t, help_heading = "Ends")]
    pub blocked: Blocked,
    /// Stop when the sequential test decides: elo0,elo1 or elo0,elo1,alpha,beta
    #[arg(long, value_name = "TEST", allow_hyphen_values = true, help_heading = "Ends")]
    pub sprt: Option<Sprt>,
    /// Stop at the first fault of an engine
    #[arg(long, help_heading = "Ends")]
    pub strict: bool,

    /// Where the random choices of our own players come from: the same seed, the same games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = kroon::seed::parse)]
    pub seed: u64,
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub concurrency: u32,
    /// Play the games of one shard of N only, I from 0 to N - 1
    #[arg(long, value_name = "I/N", requires = "results")]
    pub shard: Option<Shard>,
    /// Keep the results in this file, and go on with those that are in it
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub results: Option<PathBuf>,
    /// Go on with the results even if the engines are other programs now; the file says so then
    #[arg(long, requires = "results", help_heading = "Files")]
    pub force: bool,
    /// Write all games to this file
    #[arg(long, value_name = "FILE", help_heading = "Files")]
    pub pdn: Option<PathBuf>,
    // Has the place of the log file that all other commands have.
    /// Write the dialogue of each game, and what engines say on standard error, to files in this folder
    #[arg(long, value_name = "DIR", help_heading = "Files")]
    log: Option<PathBuf>,
}

/// A results file has numbers for all games.
const MOST_GAMES: i64 = 10_000_000;

/// What follows from the options.
pub struct MatchSetup {
    /// The rules.
    pub variant: VariantId,
    /// The engines, names made unique.
    pub engines: Vec<EngineSpec>,
    /// How fast each plays, and its margin.
    pub limits: Vec<(EngineLimits, Duration)>,
    /// Who plays whom.
    pub format: Format,
    /// When games end early.
    pub rules: Adjudication,
}

impl MatchSetup {
    /// Checks the options against each other.
    ///
    /// # Errors
    /// When they do not make a match.
    pub fn new(args: &Args) -> Result<MatchSetup> {
        let mut engines = args.engines.clone();
        if engines.len() < 2 {
            wrong_usage!("a match needs two engines, only one --engine is given");
        }
        if engines.len() > MOST_ENGINES {
            wrong_usage!("a match has at most {MOST_ENGINES} engines, {} are given", engines.len());
        }
        if args.sprt.is_some() && engines.len() > 2 {
            wrong_usage!("--sprt compares two engines, {} are given", engines.len());
        }
        if let (Some(sprt), Some(shard)) = (args.sprt, args.shard) {
            wrong_usage!(
                "--sprt {sprt} with --shard {shard}: a shard does not see the games of the others; play without --sprt and \
                 let `kroon sprt FILES --sprt {sprt}` test the files of all shards, also while they play"
            );
        }
        if let (Some(_), Blocked::Draw) = (&args.tables, args.blocked) {
            wrong_usage!(
                "--blocked draw with --tables: the tables hold the results by the rules, where who cannot move has lost"
            );
        }
        number_names(&mut engines);
        let general = EngineLimits {
            control: args.tc,
            move_time: args.move_time,
            depth: args.depth,
            nodes: args.nodes,
        };
        let mut all_limits = Vec::new();
        for engine in &engines {
            let limits = if engine.limits.is_unlimited() { general } else { engine.limits };
            if limits.is_unlimited() && engine.needs_limit() {
                wrong_usage!(
                    "engine {} has no limit: give --move-time, --tc, --depth or --nodes",
                    engine.name
                );
            }
            all_limits.push((limits, engine.margin.unwrap_or(args.time_margin)));
        }
        let format = if args.gauntlet { Format::Gauntlet } else { Format::RoundRobin };
        let rules = Adjudication {
            tables: match &args.tables {
                Some(folders) => Some(KnownEndings(endings::tables(args.variant, folders)?)),
                None => None,
            },
            resign: args.resign,
            two_sided: args.two_sided,
            draw: args.draw,
            max_plies: args.max_plies.map(|plies| plies as usize),
            blocked: args.blocked,
        };
        Ok(MatchSetup { variant: args.variant, engines, limits: all_limits, format, rules })
    }

    /// Openings for each pairing.
    ///
    /// # Errors
    /// When the number of games is odd or nobody knows it.
    pub fn rounds(&self, args: &Args, openings: Option<usize>) -> Result<usize> {
        match (args.games, openings) {
            (Some(games), _) if games % 2 == 1 => {
                wrong_usage!(
                    "--games {games}: expected an even number, each opening is played with both colours"
                )
            }
            (Some(games), _) => Ok(games as usize / 2),
            (None, Some(openings)) => Ok(openings),
            (None, None) => {
                let reason = match args.openings {
                    OpeningSource::Book { .. } => "the lines of the book are counted only as they are played",
                    _ => "random openings have no end",
                };
                wrong_usage!(
                    "--openings {}: {reason}; say how many games to play with --games",
                    args.openings
                )
            }
        }
    }
}

/// Engines of the same name get numbers, but none with which another has been named.
fn number_names(engines: &mut [EngineSpec]) {
    let mut names: Vec<String> = engines.iter().map(|engine| engine.name.clone()).collect();
    let is_shared = |name: &String| engines.iter().filter(|engine| engine.name == *name).count() > 1;
    let shared: Vec<bool> = names.iter().map(is_shared).collect();
    for (engine, _) in engines.iter_mut().zip(shared).filter(|(_, is_shared)| *is_shared) {
        let free = (1..).map(|number| format!("{}-{number}", engine.name)).find(|name| !names.contains(name));
        engine.name = free.unwrap_or_default();
        names.push(engine.name.clone());
    }
}
