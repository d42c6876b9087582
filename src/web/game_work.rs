//! Work on a whole game beside the searches of a session: its analysis, and the exercises that are in it.

use super::clocks::seconds;
use super::outside::Alive;
use super::rules_api::{ApiError, LineOfPlay};
use super::session::{Event, SessionError};
use crate::annotate::{GameAnalysis, MoveAnalysis, MoveNote, Settings, analyse};
use crate::arena::cancel::Cancel;
use crate::engine::Options;
use crate::game::Game;
use crate::puzzles::{Finder, FinderSettings, Puzzle};
use crate::search::{Control, Limits, search_thread};
use crossbeam::channel::Sender;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Memory of one thread that analyses, in megabytes.
const HASH_MB: usize = 16;

/// What is wanted of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameWant {
    /// What each move was worth.
    Analysis,
    /// Its positions with exactly one good move.
    Puzzles,
}

/// An order that is about a game from its start to its end.
#[derive(Clone, Debug, Deserialize)]
pub struct GameOrder {
    /// The game.
    #[serde(flatten)]
    pub line: LineOfPlay,
    /// Its number, which the events repeat.
    #[serde(default)]
    pub request: u64,
    /// What for.
    pub want: GameWant,
    /// Plies of the search for one move of an analysis.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Nodes of the search for one move of an analysis.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Seconds for one move of an analysis.
    #[serde(default)]
    pub move_time: Option<f64>,
}

/// A game and what is to be done with it.
#[derive(Clone, Debug)]
pub struct GameTask {
    number: u64,
    want: GameWant,
    game: Game,
    settings: Settings,
    options: Options,
    /// Searches at a time.
    pub threads: usize,
}

impl GameOrder {
    /// What is to be done, by engines with these options.
    ///
    /// # Errors
    /// When the game or a limit is wrong.
    pub fn task(&self, base: &Options) -> Result<GameTask, SessionError> {
        let game = self.line.game()?;
        let move_time =
            self.move_time.map(|time| seconds("move_time", time)).transpose().map_err(ApiError::from)?;
        let limits = Limits { depth: self.depth, nodes: self.nodes, move_time, ..Limits::default() };
        let usual = Settings::default();
        let settings = Settings { limits: if limits.is_bounded() { limits } else { usual.limits }, ..usual };
        let options = Options { hash_mb: HASH_MB.min(base.hash_mb), ..base.clone() };
        options.check(game.variant()).map_err(|error| SessionError::Unfit(error.to_string()))?;
        Ok(GameTask { number: self.request, want: self.want, game, settings, options, threads: base.threads })
    }
}

/// Something that the page hears of a task.
#[derive(Debug)]
pub struct GameNews {
    /// Which task, by the count of its session.
    pub serial: u64,
    /// What it hears.
    pub event: Event,
    /// Whether nothing follows.
    pub is_last: bool,
}

/// A move that was analysed.
#[derive(Serialize)]
struct StepView<'a> {
    request: u64,
    done: usize,
    total: usize,
    #[serde(rename = "move")]
    mv: &'a MoveAnalysis,
}

#[derive(Serialize)]
struct AnalysisView<'a> {
    request: u64,
    analysis: &'a GameAnalysis,
    /// What can be written into the game.
    notes: Vec<MoveNote>,
}

/// How far a search for exercises is.
#[derive(Serialize)]
struct ProgressView {
    request: u64,
    done: usize,
    total: usize,
}

#[derive(Serialize)]
struct PuzzlesView<'a> {
    request: u64,
    puzzles: &'a [Puzzle],
}

/// A task at work in a thread of its own. Dropping it ends it, without waiting.
#[derive(Debug)]
pub struct GameWork {
    /// Which task, by the count of its session.
    pub serial: u64,
    cancel: Cancel,
}

impl GameWork {
    /// Starts a task, which tells on this channel what it finds.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(serial: u64, task: GameTask, told: Sender<GameNews>, alive: Alive) -> io::Result<GameWork> {
        let cancel = Cancel::new();
        let watched = cancel.clone();
        search_thread("game").spawn(move || {
            // A fault of one game is told and ends nothing else.
            let work = catch_unwind(AssertUnwindSafe(|| task.work(serial, &watched, &told)));
            let event = work.unwrap_or_else(|_| {
                Some((
                    "fault",
                    json!({ "request": task.number, "error": "the work on this game has failed" })
                        .to_string(),
                ))
            });
            if let Some(event) = event {
                // Fails only when the session is gone.
                let _ = told.send(GameNews { serial, event, is_last: true });
            }
            drop(alive);
        })?;
        Ok(GameWork { serial, cancel })
    }
}

impl Drop for GameWork {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

impl GameTask {
    /// The last event; none if it was cancelled.
    fn work(&self, serial: u64, cancel: &Cancel, told: &Sender<GameNews>) -> Option<Event> {
        let request = self.number;
        match self.want {
            GameWant::Analysis => {
                let mut observer = |progress: crate::annotate::Progress<'_>| {
                    let (done, total) = (progress.done, progress.total);
                    let view = StepView { request, done, total, mv: progress.latest };
                    let _ = told.send(GameNews { serial, event: event("step", &view), is_last: false });
                };
                let (game, settings) = (&self.game, &self.settings);
                let analysis = analyse(game, &self.options, settings, self.threads, cancel, &mut observer)?;
                let notes = analysis.notes();
                Some(event("analysis", &AnalysisView { request, analysis: &analysis, notes }))
            }
            GameWant::Puzzles => {
                let control = Arc::new(Control::new());
                cancel.watch(&control);
                let mut observer = |[done, total]: [usize; 2]| {
                    let event = event("progress", &ProgressView { request, done, total });
                    let _ = told.send(GameNews { serial, event, is_last: false });
                };
                let mut finder = Finder::new(FinderSettings::default());
                let puzzles = finder.find_with_progress(&self.game, "", &control, &mut observer);
                (!cancel.is_cancelled())
                    .then(|| event("puzzles", &PuzzlesView { request, puzzles: &puzzles }))
            }
        }
    }
}

fn event(kind: &'static str, view: &impl Serialize) -> Event {
    (kind, crate::view::json_line(view))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(text: &str) -> Result<GameTask, SessionError> {
        let base = Options { threads: 2, hash_mb: 8, ..Options::default() };
        serde_json::from_str::<GameOrder>(text).unwrap().task(&base)
    }

    #[test]
    fn limits_are_those_of_the_order_or_the_usual_ones() {
        let limits = |more: &str| {
            task(&format!(r#"{{"variant":"english","want":"analysis"{more}}}"#)).unwrap().settings.limits
        };
        assert_eq!(limits(""), Settings::default().limits);
        assert_eq!(limits(r#","depth":5"#), Limits { depth: Some(5), ..Limits::default() });
        let task = task(r#"{"variant":"english","moves":["11-15"],"want":"puzzles"}"#).unwrap();
        assert_eq!((task.options.hash_mb, task.threads, task.game.moves().len()), (8, 2, 1));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (order, part) in [
            (r#"{"variant":"chess","want":"analysis"}"#, "chess"),
            (r#"{"variant":"english","want":"puzzles","moves":["1-50"]}"#, "move 1"),
            (r#"{"variant":"english","want":"analysis","move_time":-1}"#, "move_time"),
        ] {
            let error = task(order).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
    }
}
