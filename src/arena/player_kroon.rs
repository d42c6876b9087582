//! The players of this program, playing in this process.

use super::cancel::Cancel;
use super::log::GameLog;
use super::player::{Player, PlayerFault, Remarks, Thought, Turn};
use super::spec::EngineSpec;
use crate::board::Color;
use crate::engine::{Engine, Mode, Options, Request};
use crate::game::Game;
use crate::notation::hub;
use crate::notation::text::quote;
use crate::rules::VariantId;
use crate::search::{Control, Info, Observer};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

/// Size of the table unless `param.hash` says otherwise, in mebibytes. It is cleared before every game, which takes
/// longer than a fast game if it is large.
const HASH_MB: usize = 16;

/// Which of our players.
#[derive(Clone, Debug)]
pub enum KroonPlayer {
    /// The engine with these options.
    Engine(Options),
    /// Any legal move, chosen by a generator that begins every game with this seed.
    Random {
        /// The seed.
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
            Some("random") => seed(&spec.params).map(|seed| KroonPlayer::Random { seed }),
            Some(other) => Err(format!("player {}: expected one of {PLAYERS}", quote(other))),
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
                    cancel,
                    name,
                    log: GameLog::default(),
                })
            }
            KroonPlayer::Random { seed } => {
                let random = Xoshiro256PlusPlus::seed_from_u64(*seed);
                Box::new(RandomPlayer { seed: *seed, random })
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

fn seed(given: &[(String, String)]) -> Result<u64, String> {
    match given {
        [] => Ok(0),
        [(name, value)] if name == "seed" => {
            value.parse().map_err(|_| format!("parameter seed: {} is no whole number", quote(value)))
        }
        _ => Err("the player random has one parameter, seed".to_owned()),
    }
}

/// The engine.
struct EnginePlayer {
    options: Options,
    engine: Option<Engine>,
    cancel: Cancel,
    name: String,
    log: GameLog,
}

impl Player for EnginePlayer {
    fn new_game(&mut self, game: &Game, _: Color, log: &GameLog) -> Result<(), PlayerFault> {
        self.log = log.clone();
        let engine = self.engine.get_or_insert_with(|| Engine::new(self.options.clone()));
        engine.new_game();
        engine.prepare(game.variant());
        Ok(())
    }

    fn think(&mut self, game: &Game, turn: &Turn) -> Result<Thought, PlayerFault> {
        let options = &self.options;
        let engine = self.engine.get_or_insert_with(|| Engine::new(options.clone()));
        let control = Arc::new(Control::new());
        self.cancel.watch(&control);
        let request = Request { game: game.clone(), limits: turn.limits, mode: Mode::Think };
        let mut watcher = Watcher { last: None };
        let start = Instant::now();
        let search = AssertUnwindSafe(|| engine.go(&request, &control, &mut watcher));
        let result = catch_unwind(search);
        let used = start.elapsed();
        if self.cancel.is_cancelled() {
            return Err(PlayerFault::Cancelled);
        }
        let report = result.map_err(|panic| {
            self.engine = None;
            PlayerFault::Crash(panic_text(&*panic))
        })?;
        let Some(mv) = report.best else {
            return Err(PlayerFault::IllegalMove("no move was found".to_owned()));
        };
        let info = report.info.or(watcher.last);
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

/// Remembers the last report.
struct Watcher {
    last: Option<Info>,
}

impl Observer for Watcher {
    fn info(&mut self, info: &Info) {
        if info.rank == 1 {
            self.last = Some(info.clone());
        }
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("panic: {}", text.unwrap_or_else(|| "no message".to_owned()))
}

/// Any legal move. The same seed and the same opponent give the same game.
struct RandomPlayer {
    seed: u64,
    random: Xoshiro256PlusPlus,
}

impl Player for RandomPlayer {
    fn new_game(&mut self, game: &Game, color: Color, _: &GameLog) -> Result<(), PlayerFault> {
        // Every game is different, and the same however often it is played.
        let words = game.position().side(color).0 ^ game.position().side(!color).0.rotate_left(7);
        self.random = Xoshiro256PlusPlus::seed_from_u64(self.seed ^ words ^ color.index() as u64);
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
