//! Players that run in this process: the engine, and one that plays at random.

use super::cancel::Cancel;
use super::log::GameLog;
use super::player::{Player, PlayerFault, Remarks, Thought, Turn};
use super::spec::EngineSpec;
use crate::board::Color;
use crate::engine::{EngineNews, EngineThread, Mode, Options, PROGRAM, Report, Request};
use crate::game::Game;
use crate::notation::hub;
use crate::notation::text::quote;
use crate::rules::VariantId;
use crate::search::Info;
use crate::seed;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Instant;

/// Size of the table unless `param.hash` says otherwise, in mebibytes. It is cleared before every game, which takes
/// longer than a fast game if it is large.
const HASH_MB: usize = 16;

/// Which of our players.
#[derive(Clone, Debug)]
pub enum KroonPlayer {
    /// The engine with these options.
    Engine(Options),
    /// Any legal move.
    Random {
        /// Makes this player another one than those with other numbers.
        seed: u64,
    },
}

/// Their names.
const PLAYERS: &str = "engine, random";

impl KroonPlayer {
    /// The player of a variant that a `proto=kroon` description means.
    ///
    /// # Errors
    /// When there is no such player or parameter, or a value is wrong, such as a file of weights that cannot be used.
    pub fn new(spec: &EngineSpec, variant: VariantId) -> Result<KroonPlayer, String> {
        match spec.player.as_deref() {
            None | Some("engine") => options(&spec.params, variant).map(KroonPlayer::Engine),
            Some("random") => random_seed(&spec.params).map(|seed| KroonPlayer::Random { seed }),
            Some(other) => Err(format!("player {}: expected one of {PLAYERS}", quote(other))),
        }
    }

    /// Which program plays with which weights.
    pub fn program(&self, variant: VariantId) -> String {
        match self {
            KroonPlayer::Engine(options) => {
                let evaluation = options.evaluation_of(variant);
                let evaluation = evaluation.unwrap_or_else(|_| options.evaluation.evaluation(variant));
                format!("{PROGRAM}, {}", evaluation.name())
            }
            KroonPlayer::Random { .. } => PROGRAM.to_owned(),
        }
    }

    /// Ready to play.
    pub fn start(&self, name: &str, cancel: &Cancel) -> Box<dyn Player> {
        let name = name.to_owned();
        match self {
            KroonPlayer::Engine(options) => {
                let cancel = cancel.clone();
                Box::new(EnginePlayer {
                    options: options.clone(),
                    engine: None,
                    searches: 0,
                    cancel,
                    name,
                    log: GameLog::default(),
                })
            }
            KroonPlayer::Random { seed } => {
                let random = Xoshiro256PlusPlus::seed_from_u64(*seed);
                Box::new(RandomPlayer { number: *seed, random })
            }
        }
    }
}

/// The options that parameters ask for.
fn options(given: &[(String, String)], variant: VariantId) -> Result<Options, String> {
    let mut options = Options { hash_mb: HASH_MB, ..Options::default() };
    for (name, value) in given {
        options.set(name, value).map_err(|error| error.to_string())?;
    }
    // A match with other weights than those asked for would be worth nothing.
    if let Some(file) = &options.eval_file {
        file.evaluation(variant).map_err(|error| error.to_string())?;
    }
    Ok(options)
}

fn random_seed(given: &[(String, String)]) -> Result<u64, String> {
    match given {
        [] => Ok(0),
        [(name, value)] if name == "seed" => seed::parse(value).map_err(|error| format!("parameter {error}")),
        _ => Err("the player random has one parameter, seed".to_owned()),
    }
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
        options.seed = Some(seed);
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
            score: info.as_ref().map(|info| info.score),
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

/// Any legal move. The same seed and the same opponent give the same game.
struct RandomPlayer {
    number: u64,
    random: Xoshiro256PlusPlus,
}

impl Player for RandomPlayer {
    fn new_game(&mut self, _: &Game, _: Color, seed: u64, _: &GameLog) -> Result<(), PlayerFault> {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed::mix(self.number, [seed]));
        Ok(())
    }

    fn think(&mut self, game: &Game, _: &Turn) -> Result<Thought, PlayerFault> {
        let start = Instant::now();
        let moves = game.legal_moves();
        let mv = moves[self.random.random_range(0..moves.len())];
        Ok(Thought { mv, used: start.elapsed(), remarks: Remarks::default() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(text: &str) -> Result<KroonPlayer, String> {
        KroonPlayer::new(&text.parse().unwrap(), VariantId::International)
    }

    #[test]
    fn parameters_are_checked() {
        let Ok(KroonPlayer::Engine(options)) = player("proto=kroon param.hash=2 param.variety=0.1") else {
            panic!()
        };
        assert_eq!((options.hash_mb, options.variety), (2, 10));
        assert!(player("proto=kroon param.hash=many").unwrap_err().contains("\"many\""));
        assert!(player("proto=kroon param.colour=red").unwrap_err().contains("threads, hash"));
        assert!(player("proto=kroon param.variant=losing").unwrap_err().contains("\"variant\""));
        let error = player("proto=kroon param.eval-file=nowhere/a.weights").unwrap_err();
        assert!(error.starts_with("eval-file \"nowhere/a.weights\": "), "{error}");
        assert!(player("proto=kroon param.eval-file=embedded").is_ok());
        assert!(player("proto=kroon player=perfect").unwrap_err().contains(PLAYERS));
        assert!(player("proto=kroon player=random param.seed=x").unwrap_err().contains("\"x\""));
        assert!(matches!(
            player("proto=kroon player=random param.seed=7"),
            Ok(KroonPlayer::Random { seed: 7 })
        ));
    }
}
