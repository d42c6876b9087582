//! Engines of the command line (`--engine`) at work for a board: each in a thread of its own, its process gone with it.

use crate::arena::cancel::Cancel;
use crate::arena::engines::Engines;
use crate::arena::log::GameLog;
use crate::arena::player::{Player, PlayerFactory, PlayerFault, Thought, Turn};
use crate::arena::spec::EngineSpec;
use crate::engine::Report;
use crate::game::Game;
use crate::rules::VariantId;
use crate::search::Info;
use crossbeam::channel::{Receiver, Sender, unbounded};
use std::{io, slice, thread, time::Duration};

/// How long an engine may take to start, and to answer where no time limits it.
const PATIENCE: Duration = Duration::from_secs(60);

/// Held by every thread of the sessions: the channel closes when the last has ended.
pub type Alive = Sender<()>;

/// What came of the search with this number.
#[derive(Debug)]
pub struct Told {
    /// The number.
    pub search: u64,
    /// Its move and what was found, or why there is none.
    pub result: Result<Report, PlayerFault>,
}

/// A position to think about.
struct Job {
    search: u64,
    game: Game,
    turn: Turn,
    new_game: bool,
}

/// An engine for one variant. Dropping it ends its search and its process, without waiting for them.
#[derive(Debug)]
pub struct OutsideEngine {
    jobs: Sender<Job>,
    cancel: Cancel,
    variant: VariantId,
    busy: Option<u64>,
}

impl OutsideEngine {
    /// An engine that is started by its first search. It tells what it finds on this channel.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn new(
        spec: EngineSpec,
        variant: VariantId,
        told: Sender<Told>,
        alive: Alive,
    ) -> io::Result<OutsideEngine> {
        let (jobs, inbox) = unbounded();
        let cancel = Cancel::new();
        let watched = cancel.clone();
        thread::Builder::new().name(format!("player {}", spec.name)).spawn(move || {
            work(&spec, variant, &watched, &inbox, &told);
            drop(alive);
        })?;
        Ok(OutsideEngine { jobs, cancel, variant, busy: None })
    }

    /// Whether it can take another search of this variant.
    pub fn is_free(&self, variant: VariantId) -> bool {
        self.busy.is_none() && self.variant == variant
    }

    /// Whether it thinks about something.
    pub fn is_busy(&self) -> bool {
        self.busy.is_some()
    }

    /// Thinks about the present position of a game.
    pub fn search(&mut self, search: u64, game: Game, turn: Turn, new_game: bool) {
        self.busy = Some(search);
        // Fails only when the thread is gone, which leaves the engine busy: the next order makes another.
        let _ = self.jobs.send(Job { search, game, turn, new_game });
    }

    /// The search with this number is over.
    pub fn has_told(&mut self, search: u64) {
        self.busy = self.busy.filter(|&busy| busy != search);
    }
}

impl Drop for OutsideEngine {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

fn work(spec: &EngineSpec, variant: VariantId, cancel: &Cancel, jobs: &Receiver<Job>, told: &Sender<Told>) {
    let mut player: Option<Box<dyn Player>> = None;
    for job in jobs {
        let result = think(spec, variant, cancel, &mut player, &job);
        if result.is_err() {
            // The process may be in any state: the next search starts another.
            player = None;
        }
        let result = result.map(|thought| report(&thought));
        if told.send(Told { search: job.search, result }).is_err() {
            return;
        }
    }
}

fn think(
    spec: &EngineSpec,
    variant: VariantId,
    cancel: &Cancel,
    player: &mut Option<Box<dyn Player>>,
    job: &Job,
) -> Result<Thought, PlayerFault> {
    let is_new = player.is_none() || job.new_game;
    let player = match player {
        Some(player) => player,
        none => {
            let engines = Engines::new(slice::from_ref(spec), &[spec.limits], variant, PATIENCE, 1);
            let engines = engines.map_err(|unfit| PlayerFault::Start(unfit.fault))?;
            none.insert(engines.player(0, cancel))
        }
    };
    if is_new {
        let color = job.game.position().turn();
        player.new_game(&job.game, color, rand::random(), &GameLog::default())?;
    }
    player.think(&job.game, &job.turn)
}

/// The thought of a player as a search of ours tells it.
fn report(thought: &Thought) -> Report {
    let nodes = thought.remarks.nodes.unwrap_or(0);
    let info = thought.remarks.score.map(|score| Info {
        rank: 1,
        depth: thought.remarks.depth.unwrap_or(0),
        mean_depth: 0.0,
        score,
        winrate: None,
        nodes,
        time: thought.used,
        pv: vec![thought.mv],
    });
    Report { best: Some(thought.mv), info, nodes, time: thought.used, ..Report::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::VariantId::{English, International};
    use crate::search::Limits;

    fn engine(text: &str, variant: VariantId) -> (OutsideEngine, Receiver<Told>, Receiver<()>) {
        let (told, tales) = unbounded();
        let (alive, ended) = unbounded();
        (OutsideEngine::new(text.parse().unwrap(), variant, told, alive).unwrap(), tales, ended)
    }

    fn turn(limits: Limits) -> Turn {
        Turn { limits, forfeit: None }
    }

    #[test]
    fn a_player_moves_in_game_after_game() {
        let (mut engine, tales, _) = engine("proto=kroon player=greedy", English);
        for search in 1..=3 {
            engine.search(search, Game::new(English), turn(Limits::NONE), search == 2);
            let told = tales.recv().unwrap();
            assert!(told.search == search && told.result.unwrap().best.is_some());
            assert!(engine.is_busy());
            engine.has_told(search);
            assert!(engine.is_free(English) && !engine.is_free(International));
        }
    }

    #[test]
    fn what_cannot_be_started_is_told_each_time() {
        let (mut engine, tales, _) = engine("cmd=./no-such-engine", International);
        for search in 1..=2 {
            engine.search(search, Game::new(International), turn(Limits::NONE), true);
            let fault = tales.recv().unwrap().result.unwrap_err().to_string();
            assert!(fault.starts_with("not started: \"./no-such-engine\""), "{fault}");
        }
    }

    #[test]
    fn dropping_it_ends_a_search_that_would_never_end() {
        let (mut engine, tales, ended) = engine("proto=kroon param.hash=1", International);
        let endless = Limits { infinite: true, ..Limits::default() };
        engine.search(1, Game::new(International), turn(endless), true);
        drop(engine);
        assert_eq!(tales.recv().unwrap().result.unwrap_err(), PlayerFault::Cancelled);
        assert!(ended.recv().is_err(), "the thread is gone");
    }
}
