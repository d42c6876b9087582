//! The desk of a session: takes orders, gives them to the engines, and tells the page what they find.

use super::game_work::{GameNews, GameTask, GameWork};
use super::order::{Search, Want, is_new};
use super::outside::{Alive, OutsideEngine, Told};
use super::session::Event;
use crate::arena::player::PlayerFault;
use crate::engine::{EngineNews, EngineThread, Report};
use crate::game::Game;
use crate::search::Info;
use crate::view::{AnalysisLine, json_line};
use crossbeam::channel::{Receiver, Sender, never, select, unbounded};
use serde_json::json;
use std::collections::HashMap;
use std::io;
use std::time::Instant;
use tokio::sync::mpsc::{self, error::TrySendError};

/// A draw is taken by a side that expects this much of a point at most; one half is an even game.
const DRAW_EXPECTED: f64 = 0.53;
/// Moves of both sides before a draw is taken at all.
const DRAW_PLIES: usize = 20;

/// What the thread of a session does next.
#[derive(Debug)]
pub enum Order {
    /// Search, and end the search before.
    Go(Box<Search>),
    /// End the search.
    Stop,
    /// The expected move was made.
    Hit,
    /// Work on a game, in place of the work on another.
    Game(Box<GameTask>),
    /// End the work on a game.
    LeaveGame,
}

/// The search that the page waits for.
struct Current {
    search: u64,
    number: u64,
    want: Want,
    game: Game,
    /// The engine of the command line that thinks.
    outside: Option<String>,
}

/// Nobody reads the events any more.
struct Unread;

/// What the thread of a session has before it.
pub struct Desk {
    events: mpsc::Sender<Event>,
    alive: Alive,
    engine: Option<EngineThread>,
    outside: HashMap<String, OutsideEngine>,
    told: Sender<Told>,
    tales: Receiver<Told>,
    current: Option<Current>,
    searches: u64,
    game: Option<GameWork>,
    games: u64,
    game_told: Sender<GameNews>,
    game_news: Receiver<GameNews>,
}

impl Desk {
    /// For a session whose page reads these events.
    pub fn new(events: mpsc::Sender<Event>, alive: Alive) -> Desk {
        let (told, tales) = unbounded();
        let (game_told, game_news) = unbounded();
        Desk {
            events,
            alive,
            engine: None,
            outside: HashMap::new(),
            told,
            tales,
            current: None,
            searches: 0,
            game: None,
            games: 0,
            game_told,
            game_news,
        }
    }

    /// Works until the session is closed or nobody reads its events.
    ///
    /// # Errors
    /// When the system gives no thread for an engine.
    pub fn work(mut self, orders: &Receiver<Order>) -> io::Result<()> {
        let idle = never();
        loop {
            let news = self.engine.as_ref().map_or(&idle, EngineThread::news);
            let read = select! {
                recv(orders) -> order => match order {
                    Err(_) => return Ok(()),
                    Ok(order) => self.follow(order)?,
                },
                recv(news) -> news => match news {
                    Err(_) => return Ok(()),
                    Ok(news) => self.heard(news),
                },
                recv(self.tales) -> told => match told {
                    Err(_) => return Ok(()),
                    Ok(told) => self.was_told(told),
                },
                recv(self.game_news) -> news => match news {
                    Err(_) => return Ok(()),
                    Ok(news) => self.heard_of_game(news),
                },
            };
            if read.is_err() {
                return Ok(());
            }
        }
    }

    fn follow(&mut self, order: Order) -> io::Result<Result<(), Unread>> {
        match order {
            Order::Stop => Ok(self.stop()),
            Order::Hit => {
                self.engine.iter().for_each(|engine| engine.control().ponder_hit());
                Ok(Ok(()))
            }
            Order::Go(search) => self.go(*search).map(Ok),
            Order::Game(task) => {
                self.games += 1;
                self.game = None;
                let work = GameWork::start(self.games, *task, self.game_told.clone(), self.alive.clone())?;
                self.game = Some(work);
                Ok(Ok(()))
            }
            Order::LeaveGame => {
                self.game = None;
                Ok(Ok(()))
            }
        }
    }

    /// News of the work on a game; of one that has been left nothing is told.
    fn heard_of_game(
        &mut self,
        GameNews { serial, event: (kind, data), is_last }: GameNews,
    ) -> Result<(), Unread> {
        if self.game.as_ref().is_none_or(|game| game.serial != serial) {
            return Ok(());
        }
        if is_last {
            self.game = None;
        }
        self.tell(kind, data)
    }

    /// Ends the search of the moment. An engine of the command line that is interrupted ends as a whole.
    fn stop(&mut self) -> Result<(), Unread> {
        self.engine.iter().for_each(|engine| engine.control().stop());
        let interrupted = self.outside.values().any(OutsideEngine::is_busy);
        self.outside.retain(|_, engine| !engine.is_busy());
        if !interrupted {
            return Ok(());
        }
        let Some(current) = self.current.take() else { return Ok(()) };
        self.fault(&current, "stopped before it had a move")
    }

    fn go(&mut self, search: Search) -> io::Result<()> {
        self.outside.retain(|_, engine| !engine.is_busy());
        self.engine.iter().for_each(|engine| engine.control().stop());
        self.searches += 1;
        let Search { number, want, request, mut options, outside } = search;
        if self.game.is_some() {
            // The work on a game has the threads of the session.
            options.threads = 1;
            options.agent.trees = 1;
        }
        let new_game = is_new(&request.game);
        let game = request.game.clone();
        let name = outside.as_ref().map(|(spec, _)| spec.name.clone());
        self.current = Some(Current { search: self.searches, number, want, game, outside: name.clone() });
        if let Some((spec, turn)) = outside {
            let variant = request.game.variant();
            self.outside.retain(|name, engine| *name != spec.name || engine.is_free(variant));
            let name = spec.name.clone();
            if !self.outside.contains_key(&name) {
                let engine = OutsideEngine::new(spec, variant, self.told.clone(), self.alive.clone())?;
                self.outside.insert(name.clone(), engine);
            }
            if let Some(engine) = self.outside.get_mut(&name) {
                engine.search(self.searches, request.game, turn, new_game);
            }
            return Ok(());
        }
        let engine = match &mut self.engine {
            Some(engine) => {
                engine.set_options(*options);
                engine
            }
            none => none.insert(EngineThread::start(*options)?),
        };
        if new_game {
            engine.new_game();
        }
        engine.search(self.searches, request, Instant::now());
        Ok(())
    }

    /// News of Kroon's own engine.
    fn heard(&mut self, news: EngineNews) -> Result<(), Unread> {
        let Some(current) = &self.current else { return Ok(()) };
        match news {
            EngineNews::Info(from, info) if from == current.search && current.want != Want::Draw => {
                self.info(current, &info)
            }
            EngineNews::Done(from, report) if from == current.search => self.done(current, &report),
            EngineNews::Fault(text) => self.warning(current, &text),
            EngineNews::Panic(_, text) => self.fault(current, &text),
            _ if self.events.is_closed() => Err(Unread),
            _ => Ok(()),
        }
    }

    /// A move of an engine of the command line, or why there is none.
    fn was_told(&mut self, told: Told) -> Result<(), Unread> {
        self.outside.values_mut().for_each(|engine| engine.has_told(told.search));
        let Some(current) = self.current.as_ref().filter(|current| current.search == told.search) else {
            return Ok(());
        };
        match told.result {
            Ok(report) => {
                report.info.as_ref().map_or(Ok(()), |info| self.info(current, info))?;
                self.done(current, &report)
            }
            Err(PlayerFault::Cancelled) => Ok(()),
            Err(fault) => {
                let name = current.outside.as_deref().unwrap_or_default();
                self.fault(current, &format!("{name}: {fault}"))
            }
        }
    }

    fn info(&self, current: &Current, info: &Info) -> Result<(), Unread> {
        let line = json_line(&AnalysisLine::info(&current.game, info));
        // A variation that does not fit is not missed: a better one follows.
        match self.events.try_send(("info", numbered(current.number, &line))) {
            Err(TrySendError::Closed(_)) => Err(Unread),
            _ => Ok(()),
        }
    }

    fn done(&self, current: &Current, report: &Report) -> Result<(), Unread> {
        if current.want == Want::Draw {
            let (accepted, expected) = answer(&current.game, report);
            let data = json!({ "request": current.number, "accepted": accepted, "expected": expected });
            return self.tell("draw", data.to_string());
        }
        let line = json_line(&AnalysisLine::result(&current.game, report));
        self.tell("done", numbered(current.number, &line))
    }

    fn fault(&self, current: &Current, text: &str) -> Result<(), Unread> {
        self.tell("fault", json!({ "request": current.number, "error": text }).to_string())
    }

    /// Something is missing, and the search goes on without it.
    fn warning(&self, current: &Current, text: &str) -> Result<(), Unread> {
        self.tell("warning", json!({ "request": current.number, "error": text }).to_string())
    }

    fn tell(&self, kind: &'static str, data: String) -> Result<(), Unread> {
        self.events.blocking_send((kind, data)).map_err(|_| Unread)
    }
}

fn numbered(number: u64, line: &str) -> String {
    format!("{{\"request\":{number},\"line\":{line}}}")
}

/// Whether the opponent of the side to move takes a draw, and what it expects of the game: 1 is a win.
fn answer(game: &Game, report: &Report) -> (bool, Option<f64>) {
    let expected = report.info.as_ref().and_then(|info| match AnalysisLine::info(game, info) {
        AnalysisLine::Info(view) => Some(1.0 - view.winrate),
        _ => None,
    });
    let accepted =
        game.moves().len() >= DRAW_PLIES && expected.is_some_and(|expected| expected <= DRAW_EXPECTED);
    (accepted, expected)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::VariantId::English;
    use crate::score::Score;
    use std::time::Duration;

    #[test]
    fn a_draw_is_taken_late_and_not_by_the_side_that_stands_better() {
        let report = |centi| Report {
            info: Some(Info {
                rank: 1,
                depth: 1,
                mean_depth: 1.0,
                score: Score::from_centi(centi),
                winrate: None,
                nodes: 1,
                time: Duration::ZERO,
                pv: Vec::new(),
            }),
            ..Report::default()
        };
        let mut game = Game::new(English);
        assert!(!answer(&game, &report(0)).0, "not in the opening");
        for _ in 0..DRAW_PLIES {
            let quiet = game.legal_moves().iter().copied().find(|mv| mv.captured().is_empty());
            game.play(quiet.unwrap_or(game.legal_moves()[0])).unwrap();
        }
        assert!(game.outcome().is_none());
        // The score is that of the side that offers.
        assert!(answer(&game, &report(0)).0);
        assert!(answer(&game, &report(300)).0, "a loser takes it");
        assert!(!answer(&game, &report(-300)).0, "a winner does not");
        assert_eq!(answer(&game, &Report::default()), (false, None));
    }
}
