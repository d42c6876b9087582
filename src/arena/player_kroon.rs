//! Players that run in this process: the engine and the players of the literature.

use super::cancel::Cancel;
use super::log::GameLog;
use super::player::{Player, PlayerFault, Remarks, Thought, Turn};
use super::spec::EngineSpec;
use super::time_control::EngineLimits;
use crate::board::Color;
use crate::book;
use crate::engine::{EngineNews, EngineThread, Mode, Options, PROGRAM, Report, Request, SearchKind};
use crate::game::Game;
use crate::notation::hub;
use crate::rules::VariantId;
use crate::search::Info;
use crate::search::alphabeta::MAX_DEPTH;
use crate::seed;
use crate::tablebase;
use std::time::{Duration, Instant};

/// Size of the table unless `param.hash` says otherwise, in mebibytes. It is cleared before every game, which takes
/// longer than a fast game if it is large.
const HASH_MB: usize = 16;

/// Size of the table of a player that has no use for it.
const SMALLEST_HASH_MB: usize = 1;

/// The engine, or a player of the literature in its place, with these options.
#[derive(Clone, Debug)]
pub struct KroonPlayer(Box<Options>);

impl KroonPlayer {
    /// The player of a variant that a `proto=kroon` description means.
    ///
    /// # Errors
    /// When there is no such player or parameter, or a value is wrong, such as a file of weights or a book that cannot be
    /// used.
    pub fn new(spec: &EngineSpec, variant: VariantId) -> Result<KroonPlayer, String> {
        options(spec, variant).map(KroonPlayer::from)
    }

    /// The options that the description asks for.
    pub fn options(&self) -> &Options {
        &self.0
    }

    /// Whether the player can play within these limits.
    ///
    /// # Errors
    /// When the depth is one that its search does not reach, and that it would not keep to.
    pub fn check(&self, limits: &EngineLimits) -> Result<(), String> {
        let KroonPlayer(options) = self;
        let is_alphabeta = options.player.is_none() && options.search == SearchKind::AlphaBeta;
        match limits.depth.filter(|&depth| is_alphabeta && depth > MAX_DEPTH) {
            Some(depth) => {
                Err(format!("depth {depth}: the alpha-beta search goes to {MAX_DEPTH} plies at most"))
            }
            None => Ok(()),
        }
    }

    /// Whether it may answer the same position, within limits that are not of time, by different moves in different
    /// games.
    pub fn has_chance(&self, variant: VariantId) -> bool {
        // Every option is named, so that whoever adds one decides here whether it brings chance.
        let &Options {
            player,
            variety,
            book,
            threads,
            search,
            // Asked by `errs`: the full search of the highest levels has no chance.
            level: _,
            skill: _,
            // How well it plays, and where the numbers come from where there is chance.
            hash_mb: _,
            multipv: _,
            move_overhead: _,
            evaluation: _,
            eval_file: _,
            tables: _,
            bb_size: _,
            book_file: _,
            // Of moves with the same value one is drawn by lot, whatever margin and plies say.
            book_ply: _,
            book_margin: _,
            seed: _,
            agent: _,
            mcts: _,
            tuning: _,
        } = self.options();
        player.is_some()
            || variety > 0
            || self.options().errs(variant)
            || book
            || threads > 1
            || search == SearchKind::Mcts
    }

    /// Which program plays with which weights, and with which endgame tables and opening book from files.
    pub fn program(&self, variant: VariantId) -> String {
        // Every option is named, so that whoever adds one decides here whether it names a file that plays.
        let Options {
            player,
            agent,
            evaluation,
            // Asked by `evaluation_of`.
            eval_file: _,
            search,
            mcts,
            tables,
            bb_size,
            book,
            book_file,
            // Numbers, which stand in the description of the player.
            threads: _,
            hash_mb: _,
            multipv: _,
            move_overhead: _,
            book_ply: _,
            book_margin: _,
            variety: _,
            seed: _,
            level: _,
            skill: _,
            tuning: _,
        } = self.options();
        if let Some(player) = player {
            // A file that cannot be read has been reported before anybody asks.
            let told = player.describe(agent, variant).unwrap_or_else(|_| player.to_string());
            return format!("{PROGRAM}, {told}");
        }
        let evaluation =
            self.options().evaluation_of(variant).unwrap_or_else(|_| evaluation.evaluation(variant));
        let mut parts = vec![PROGRAM.to_owned(), evaluation.name().to_owned()];
        if *search == SearchKind::Mcts && mcts.asks_policy() {
            parts.extend(evaluation.policy_checksum().map(|sum| format!("policy {sum}")));
        }
        // What is in the program goes without saying.
        let folders = tablebase::folders(tables.as_deref().map(str::as_ref));
        let (tables, _) = tablebase::load(variant, &folders, *bb_size);
        parts.extend(tables.files().map(|files| files.to_string()));
        if let Some(path) = book_file.as_deref().filter(|_| *book)
            && let Ok(book) = book::open(variant, Some(path))
        {
            parts.push(format!("book {:016x}", book.checksum()));
        }
        parts.join(", ")
    }

    /// Whether it is a learner that has learned nothing: it plays as before its first game.
    pub fn is_untrained(&self, variant: VariantId) -> bool {
        let KroonPlayer(options) = self;
        options.player.is_some_and(|player| player.is_untrained(&options.agent, variant))
    }

    /// Ready to play.
    pub fn start(&self, name: &str, cancel: &Cancel) -> Box<dyn Player> {
        Box::new(EnginePlayer {
            options: self.options().clone(),
            engine: None,
            searches: 0,
            cancel: cancel.clone(),
            name: name.to_owned(),
            log: GameLog::default(),
        })
    }
}

impl From<Options> for KroonPlayer {
    fn from(options: Options) -> KroonPlayer {
        KroonPlayer(Box::new(options))
    }
}

/// The options that a description asks for. Nothing is held back for the way to the clock: there is none.
fn options(spec: &EngineSpec, variant: VariantId) -> Result<Options, String> {
    let mut options = Options { move_overhead: Duration::ZERO, ..Options::default() };
    let player = spec.player.iter().map(|name| ("player", name.as_str()));
    let given: Vec<(&str, &str)> =
        player.chain(spec.params.iter().map(|(name, value)| (name.as_str(), value.as_str()))).collect();
    for (name, value) in &given {
        options.set(name, value).map_err(|error| error.to_string())?;
    }
    if !given.iter().any(|(name, _)| *name == "hash") {
        options.hash_mb = if options.player.is_some() { SMALLEST_HASH_MB } else { HASH_MB };
    }
    // A match with other weights, tables or another book than those asked for would be worth nothing.
    options.check(variant).map_err(|error| error.to_string())?;
    options.check_tables(variant)?;
    if options.book {
        book::open(variant, options.book_file.as_deref()).map_err(|error| format!("book-file: {error}"))?;
    }
    Ok(options)
}

/// The engine, in a thread of its own with the stack that a search needs.
struct EnginePlayer {
    options: Options,
    engine: Option<EngineThread>,
    /// Searches so far; the number of the latest.
    searches: u64,
    cancel: Cancel,
    name: String,
    log: GameLog,
}

impl EnginePlayer {
    fn engine(&mut self) -> Result<&mut EngineThread, PlayerFault> {
        if self.engine.is_none() {
            let engine = EngineThread::start(self.options.clone());
            self.engine = Some(engine.map_err(|error| PlayerFault::Start(error.to_string()))?);
        }
        self.engine.as_mut().ok_or_else(gone)
    }

    /// Searches; what the engine said last, if not the report itself.
    fn search(&mut self, request: Request) -> Result<(Report, Option<Info>), PlayerFault> {
        self.searches += 1;
        let number = self.searches;
        let cancel = self.cancel.clone();
        let engine = self.engine()?;
        engine.search(number, Box::new(request), Instant::now());
        cancel.watch(engine.control());
        let mut last = None;
        let mut panic = None;
        loop {
            match engine.news().recv().map_err(|_| gone())? {
                EngineNews::Info(_, info) if info.rank == 1 => last = Some(info),
                EngineNews::Panic(_, message) => panic = Some(message),
                EngineNews::Done(done, report) if done == number => {
                    return match panic {
                        Some(message) => Err(PlayerFault::Crash(format!("panic: {message}"))),
                        None => Ok((report, last)),
                    };
                }
                _ => {}
            }
        }
    }
}

fn gone() -> PlayerFault {
    PlayerFault::Crash("the search has ended unexpectedly".to_owned())
}

impl Player for EnginePlayer {
    fn new_game(&mut self, game: &Game, _: Color, seed: u64, log: &GameLog) -> Result<(), PlayerFault> {
        self.log = log.clone();
        let mut options = self.options.clone();
        options.mcts.seed = seed::mix(options.mcts.seed, [seed]);
        options.seed = Some(seed::mix(options.seed.unwrap_or(0), [seed]));
        let engine = self.engine()?;
        engine.set_options(options);
        engine.new_game();
        engine.prepare(game.variant());
        let ready = loop {
            match engine.news().recv() {
                Ok(EngineNews::Ready) => break Ok(()),
                // A match with other weights than those asked for would be worth nothing.
                Ok(EngineNews::Fault(fault)) => break Err(PlayerFault::Start(fault)),
                Ok(_) => {}
                Err(_) => break Err(gone()),
            }
        };
        if ready.is_err() {
            self.engine = None;
        }
        ready
    }

    fn think(&mut self, game: &Game, turn: &Turn) -> Result<Thought, PlayerFault> {
        let request = Request { game: game.clone(), limits: turn.limits, mode: Mode::Think };
        let start = Instant::now();
        let result = self.search(request);
        let used = start.elapsed();
        if self.cancel.is_cancelled() {
            return Err(PlayerFault::Cancelled);
        }
        let (report, last) = result?;
        let Some(mv) = report.best else {
            return Err(PlayerFault::IllegalMove("no move was found".to_owned()));
        };
        let info = report.info.or(last);
        let remarks = Remarks {
            score: info.as_ref().map(|info| info.score).filter(|_| !report.is_unjudged),
            depth: info.as_ref().map(|info| info.depth),
            nodes: Some(report.nodes),
        };
        if self.log.is_on() {
            let board = game.variant().rules().board;
            let line = format!("{} {remarks:?}", hub::format_move(board, mv));
            self.log.line(&self.name, "<", &line);
        }
        Ok(Thought { mv, used, remarks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{AgentKind, ScoreKind};

    fn player(text: &str) -> Result<KroonPlayer, String> {
        KroonPlayer::new(&text.parse().unwrap(), VariantId::International)
    }

    #[test]
    fn a_depth_that_is_not_reached_is_refused() {
        let at = |depth| EngineLimits { depth: Some(depth), ..EngineLimits::default() };
        let engine = player("proto=kroon").unwrap();
        assert_eq!(engine.check(&at(MAX_DEPTH)), Ok(()));
        assert!(engine.check(&at(MAX_DEPTH + 1)).unwrap_err().contains("depth 100"));
        assert_eq!(player("proto=kroon param.search=mcts").unwrap().check(&at(100)), Ok(()));
    }

    #[test]
    fn parameters_are_checked() {
        let KroonPlayer(options) = player("proto=kroon param.hash=2 param.variety=0.1").unwrap();
        assert_eq!((options.hash_mb, options.variety, options.move_overhead), (2, 10, Duration::ZERO));
        assert!(player("proto=kroon param.hash=many").unwrap_err().contains("\"many\""));
        assert!(player("proto=kroon param.colour=red").unwrap_err().contains("threads, hash"));
        assert!(player("proto=kroon param.variant=losing").unwrap_err().contains("\"variant\""));
        let error = player("proto=kroon param.eval-file=nowhere/a.weights").unwrap_err();
        assert!(error.starts_with("eval-file \"nowhere/a.weights\": "), "{error}");
        assert!(player("proto=kroon param.eval-file=embedded").is_ok());
        let error = player("proto=kroon param.book=true param.book-file=nowhere/a.book").unwrap_err();
        assert!(error.starts_with("book-file: \"nowhere/a.book\": "), "{error}");
        assert!(player("proto=kroon param.book=true param.book-file=embedded").is_ok());
        assert!(player("proto=kroon param.book-file=nowhere/a.book").is_ok(), "no book is played from");
        assert!(player("proto=kroon player=perfect").unwrap_err().contains("engine, random, greedy"));
        assert!(player("proto=kroon player=random param.seed=x").unwrap_err().contains("\"x\""));
        assert!(
            player("proto=kroon player=random param.player-file=x").unwrap_err().contains("learns nothing")
        );
    }

    #[test]
    fn a_player_has_short_words_for_its_settings() {
        let KroonPlayer(options) =
            player("proto=kroon player=minimax score=linear quiet=true param.seed=7").unwrap();
        assert_eq!((options.player, options.seed), (Some(AgentKind::Minimax), Some(7)));
        assert_eq!((options.agent.score, options.agent.quiet), (ScoreKind::Linear, true));
        assert_eq!(options.hash_mb, 1);
        assert!(player("proto=kroon player=mcts iterations=none").unwrap_err().contains("\"none\""));
    }

    #[test]
    fn what_may_play_otherwise_the_next_time_is_known() {
        let has_chance = |text: &str| player(text).unwrap().has_chance(VariantId::International);
        assert!(!has_chance("proto=kroon"));
        assert!(!has_chance("proto=kroon param.book=false param.book-margin=4 param.book-ply=10"));
        // The highest levels are the full search with few nodes.
        assert!(!has_chance("proto=kroon param.level=16") && has_chance("proto=kroon param.level=15"));
        assert!(!has_chance("proto=kroon param.skill=11"));
        for chance in [
            "param.book=true param.book-margin=4 param.book-ply=10",
            "param.book=true param.book-margin=0",
            "param.book=true param.book-margin=4 param.book-ply=0",
            "player=greedy",
            "param.threads=2",
            "param.search=mcts",
            "param.variety=1",
            "param.level=3",
            "param.skill=2",
        ] {
            assert!(has_chance(&format!("proto=kroon {chance}")), "{chance}");
        }
    }

    #[test]
    fn a_learner_without_a_file_is_untrained() {
        let is_untrained = |text: &str, variant| {
            KroonPlayer::new(&text.parse().unwrap(), variant).unwrap().is_untrained(variant)
        };
        let learner = "proto=kroon player=q-learning";
        assert!(is_untrained(learner, VariantId::Frisian));
        assert!(!is_untrained(learner, VariantId::English));
        assert!(!is_untrained("proto=kroon player=greedy", VariantId::Frisian));
        assert!(!is_untrained("proto=kroon", VariantId::Frisian));
    }
}
