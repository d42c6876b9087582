//! Which moves are searched when, and by whom.
//!
//! First every move is looked at once. Then the game is read backwards: where the position after a move turns out other
//! than the search before it expected, the search has not seen far enough, and the move is looked at again with more
//! effort. So a loss is charged to the move that caused it and not to the one before which it came to light.

use super::game::{GameAnalysis, MoveAnalysis};
use super::judge::THRESHOLDS;
use super::search::{Analyst, MoveFacts, Settings, SharedTables};
use crate::arena::cancel::Cancel;
use crate::board::{Move, Position};
use crate::engine::Options;
use crate::game::Game;
use crate::rules::{VariantId, play_in};
use crate::search::{Control, spawn_search};
use crossbeam::channel::{Receiver, Sender, bounded};
use std::sync::Arc;

/// The looks at one move after the first.
const MOST_LOOKS: u32 = 2;

/// A move to look at: its place in the game, and for which time, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Task {
    /// The index of the move.
    pub index: usize,
    /// 0 for the first look.
    pub look: u32,
}

/// A move, the position before it, and what is known of it.
#[derive(Clone, Debug)]
struct Ply {
    /// The index of the section, and that of the move in it.
    place: [usize; 2],
    position: Position,
    played: Move,
    /// Whether it is to be analysed.
    is_chosen: bool,
    facts: Option<MoveFacts>,
    look: u32,
}

/// The state of the analysis of one game.
#[derive(Clone, Debug)]
pub(super) struct GameWork {
    sections: Vec<Game>,
    plies: Vec<Ply>,
    /// What to hand out next, in this order from the end.
    waiting: Vec<Task>,
    /// Handed out and not yet back.
    away: usize,
    /// The game before the move that was asked for last: the next one is often the move behind it.
    cursor: Option<([usize; 2], Game)>,
}

impl GameWork {
    /// The moves of a game, in sections that begin anew where a position was set up.
    pub fn new(sections: &[Game], settings: &Settings) -> GameWork {
        let mut plies = Vec::new();
        for (number, section) in sections.iter().enumerate() {
            let mut position = *section.start();
            for (index, &played) in section.moves().iter().enumerate() {
                let is_chosen = plies.len() + 1 >= settings.from_ply
                    && settings.side.is_none_or(|side| side == position.turn());
                plies.push(Ply { place: [number, index], position, played, is_chosen, facts: None, look: 0 });
                position = play_in(section.variant(), &position, played);
            }
        }
        let chosen = |(index, ply): (usize, &Ply)| ply.is_chosen.then_some(Task { index, look: 0 });
        let waiting = plies.iter().enumerate().rev().filter_map(chosen).collect();
        GameWork { sections: sections.to_vec(), plies, waiting, away: 0, cursor: None }
    }

    /// The next task, if there is one now. There may be others after results have come.
    pub fn next(&mut self) -> Option<Task> {
        let task = self.waiting.pop()?;
        self.away += 1;
        Some(task)
    }

    /// The game before a move, and the move.
    pub fn question(&mut self, task: Task) -> (Game, Move) {
        let Ply { place: [section, index], played, .. } = self.plies[task.index];
        let whole = &self.sections[section];
        let mut game = match self.cursor.take() {
            Some(([same, reached], game)) if same == section && reached <= index => game,
            _ => whole.beginning(),
        };
        for &mv in &whole.moves()[game.moves().len()..index] {
            // It was played in the section.
            let _ = game.play(mv);
        }
        self.cursor = Some(([section, index], game.clone()));
        (game, played)
    }

    /// The result of a task that was handed out.
    pub fn put(&mut self, task: Task, facts: MoveFacts) {
        self.away -= 1;
        if let Some(ply) = self.plies.get_mut(task.index) {
            ply.facts = Some(facts);
            ply.look = task.look;
        }
        if self.waiting.is_empty() && self.away == 0 {
            self.waiting = self.doubtful();
        }
    }

    /// Whether nothing is left to do.
    pub fn is_done(&self) -> bool {
        self.waiting.is_empty() && self.away == 0
    }

    /// Moves that were looked at, and moves to look at at least once.
    pub fn progress(&self) -> [usize; 2] {
        let count = |wanted: fn(&&Ply) -> bool| self.plies.iter().filter(wanted).count();
        [count(|ply| ply.facts.is_some()), count(|ply| ply.is_chosen)]
    }

    /// The moves whose value the rest of the game contradicts, to be looked at again.
    fn doubtful(&self) -> Vec<Task> {
        let doubts = (0..self.plies.len()).filter_map(|index| {
            let ply = &self.plies[index];
            let facts = ply.facts.as_ref()?;
            let later = self.expected_later(index)?;
            let is_open = facts.legal > 1 && facts.played_known.is_none() && ply.look < MOST_LOOKS;
            let unseen = facts.played_chances(self.variant(), &ply.position).expected() - later;
            let is_blamed = facts.loss(self.variant(), &ply.position) >= THRESHOLDS.inaccuracy;
            let is_contradicted = unseen >= THRESHOLDS.mistake || is_blamed && -unseen >= THRESHOLDS.mistake;
            (is_open && is_contradicted).then_some(Task { index, look: ply.look + 1 })
        });
        doubts.collect()
    }

    /// What the side that plays a move may expect after it, as the next analysed move tells. Between two moves of the same
    /// side the other one can only have given something away, so only a loss counts then.
    fn expected_later(&self, index: usize) -> Option<f64> {
        let own = |index: usize| {
            let ply = self.plies.get(index)?;
            Some(ply.facts.as_ref()?.best_chances(self.variant(), &ply.position).expected())
        };
        // A section that begins anew says nothing of the one before.
        let follows = |index: usize| self.plies.get(index).is_some_and(|ply| ply.place[1] > 0);
        if !follows(index + 1) {
            return None;
        }
        match own(index + 1) {
            // Forced moves are searched less; what comes after them is known better.
            Some(expected) if self.is_forced(index + 1) => {
                let later = if follows(index + 2) { own(index + 2) } else { None };
                Some(later.unwrap_or(1.0 - expected))
            }
            Some(expected) => Some(1.0 - expected),
            None if follows(index + 2) => {
                let ply = &self.plies[index];
                let now = ply.facts.as_ref()?.played_chances(self.variant(), &ply.position).expected();
                own(index + 2).map(|later| later.min(now))
            }
            None => None,
        }
    }

    fn is_forced(&self, index: usize) -> bool {
        self.plies.get(index).and_then(|ply| ply.facts.as_ref()).is_some_and(|facts| facts.legal < 2)
    }

    /// One move as far as it is known.
    pub fn analysis(&self, index: usize) -> Option<MoveAnalysis> {
        let ply = &self.plies[index];
        let facts = ply.facts.as_ref()?;
        Some(MoveAnalysis::new(index + 1, self.variant(), &ply.position, facts))
    }

    fn variant(&self) -> VariantId {
        self.sections.first().map_or_else(VariantId::default, Game::variant)
    }

    /// All moves that are known.
    pub fn moves(&self) -> Vec<MoveAnalysis> {
        (0..self.plies.len()).filter_map(|index| self.analysis(index)).collect()
    }
}

/// How far an analysis is.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Moves that were analysed.
    pub done: usize,
    /// Moves to analyse.
    pub total: usize,
    /// The move that was just analysed. A later look at it may change the result: then it comes again.
    pub latest: &'a MoveAnalysis,
}

/// Analyses the moves of a game, several at once: `threads` engines with these options (but one search thread each). Tells
/// of each move as it is done, in no particular order. None if it was cancelled.
///
/// ```
/// use kroon::annotate::{MoveClass, Settings, analyse};
/// use kroon::arena::cancel::Cancel;
/// use kroon::engine::Options;
/// use kroon::game::Game;
/// use kroon::notation::moves;
/// use kroon::rules::VariantId::International;
/// use kroon::search::Limits;
///
/// let mut game = Game::new(International);
/// for text in ["32-28", "18-23", "38-32", "12-18", "31-27", "7-12"] {
///     game.play(moves::read(International, game.position(), text)?).expect("a move that was read is legal");
/// }
/// let limits = Limits { depth: Some(5), ..Limits::default() };
/// let settings = Settings { limits, ..Settings::default() };
/// let options = Options { hash_mb: 1, ..Options::default() };
/// let mut heard = 0;
/// let analysis = analyse(&game, &options, &settings, 1, &Cancel::new(), &mut |_| heard += 1).expect("not cancelled");
/// assert_eq!(analysis.moves.len(), 6);
/// assert!(heard >= 6 && analysis.moves.iter().all(|mv| mv.class != MoveClass::Forced));
/// # Ok::<(), kroon::notation::moves::MoveError>(())
/// ```
pub fn analyse(
    game: &Game,
    options: &Options,
    settings: &Settings,
    threads: usize,
    cancel: &Cancel,
    observer: &mut dyn FnMut(Progress<'_>),
) -> Option<GameAnalysis> {
    let mut work = GameWork::new(std::slice::from_ref(game), settings);
    let pool = Pool { options, settings, threads, cancel };
    let finished: Result<bool, std::convert::Infallible> = pool.run(&mut |event| {
        match event {
            Event::Free => {
                let task = work.next();
                return Ok(task.map(|task| {
                    let (game, played) = work.question(task);
                    Question { key: 0, task, game, played }
                }));
            }
            Event::Found(answer) => {
                work.put(answer.task, answer.facts);
                let [done, total] = work.progress();
                if let Some(latest) = work.analysis(answer.task.index) {
                    observer(Progress { done, total, latest: &latest });
                }
            }
        }
        Ok(None)
    });
    let Ok(is_whole) = finished;
    is_whole.then(|| GameAnalysis::new(game, options, work.moves()))
}

/// A move to search, and whose it is.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// The number of the game.
    pub key: usize,
    pub task: Task,
    pub game: Game,
    pub played: Move,
}

/// What was found out.
#[derive(Debug)]
pub(super) struct Answer {
    pub key: usize,
    pub task: Task,
    pub facts: MoveFacts,
}

/// What happens in a pool.
pub(super) enum Event {
    /// A worker has room for a question: the answer is the next one, or none while others must come back first.
    Free,
    /// A question was answered.
    Found(Answer),
}

/// Engines that answer questions.
pub(super) struct Pool<'a> {
    pub options: &'a Options,
    pub settings: &'a Settings,
    pub threads: usize,
    pub cancel: &'a Cancel,
}

impl Pool<'_> {
    /// Asks `desk` for questions and tells it the answers, until it has no more and all are answered. Says whether it came
    /// to that; otherwise it was cancelled.
    ///
    /// # Errors
    /// Those of `desk`, which end it.
    pub fn run<E>(&self, desk: &mut dyn FnMut(Event) -> Result<Option<Question>, E>) -> Result<bool, E> {
        let tables = SharedTables::default();
        let control = Arc::new(Control::new());
        self.cancel.watch(&control);
        let hire = || -> Worker<'_> {
            let mut analyst = Analyst::new(self.options, self.settings, &tables, &control);
            Box::new(move |question| analyst.facts(&question.game, question.played, question.task.look))
        };
        self.run_with(&control, &hire, desk)
    }

    /// The same with workers of any kind, until `control` stops them. The panic of one ends the others and goes on here.
    fn run_with<'w, E>(
        &self,
        control: &Control,
        hire: &(dyn Fn() -> Worker<'w> + Sync),
        desk: &mut dyn FnMut(Event) -> Result<Option<Question>, E>,
    ) -> Result<bool, E> {
        let threads = self.threads.clamp(1, Options::MAX_THREADS);
        // The queue holds one question for each worker, so that none waits for the desk.
        let (questions, inbox) = bounded::<Question>(threads);
        let (outbox, answers) = bounded::<Option<Answer>>(2 * threads);
        std::thread::scope(|scope| {
            // It ends with this closure, and with it the work of those who wait for questions.
            let questions = questions;
            let _stop = StopOnDrop(control);
            let mut workers = 0;
            for number in 0..threads {
                let (inbox, outbox) = (inbox.clone(), outbox.clone());
                let work = move || answer(&inbox, &outbox, &mut *hire());
                match spawn_search(scope, format!("analyst {number}"), work) {
                    Ok(_) => workers += 1,
                    Err(fault) => log::warn!("only {workers} of {threads} threads: {fault}"),
                }
            }
            drop((inbox, outbox));
            if workers == 0 {
                return self.work_alone(&mut *hire(), desk);
            }
            let mut away = 0;
            loop {
                while away < 2 * threads && !self.cancel.is_cancelled() {
                    let Some(question) = desk(Event::Free)? else { break };
                    if questions.send(question).is_err() {
                        return Ok(false);
                    }
                    away += 1;
                }
                if away == 0 {
                    return Ok(!self.cancel.is_cancelled());
                }
                // All workers are gone, because they were stopped, or one has panicked.
                let Ok(Some(answer)) = answers.recv() else { return Ok(false) };
                away -= 1;
                desk(Event::Found(answer))?;
            }
        })
    }
}

impl Pool<'_> {
    /// The same in this thread, where the system gives no other.
    fn work_alone<E>(
        &self,
        work: &mut dyn FnMut(&Question) -> Option<MoveFacts>,
        desk: &mut dyn FnMut(Event) -> Result<Option<Question>, E>,
    ) -> Result<bool, E> {
        while !self.cancel.is_cancelled() {
            let Some(question) = desk(Event::Free)? else { return Ok(true) };
            let Some(facts) = work(&question) else { break };
            let Question { key, task, .. } = question;
            desk(Event::Found(Answer { key, task, facts }))?;
        }
        Ok(false)
    }
}

/// Answers questions, none when it was stopped.
type Worker<'a> = Box<dyn FnMut(&Question) -> Option<MoveFacts> + 'a>;

/// The work of one worker. The answer none says that it has panicked.
fn answer(
    inbox: &Receiver<Question>,
    outbox: &Sender<Option<Answer>>,
    work: &mut dyn FnMut(&Question) -> Option<MoveFacts>,
) {
    let _guard = TellPanic(outbox);
    for question in inbox {
        let Some(facts) = work(&question) else { return };
        let Question { key, task, .. } = question;
        if outbox.send(Some(Answer { key, task, facts })).is_err() {
            return;
        }
    }
}

/// Tells the desk of a panic: the others wait for questions, so the end of the channel does not.
struct TellPanic<'a>(&'a Sender<Option<Answer>>);

impl Drop for TellPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            // There is room: it stands for the answer that does not come.
            let _ = self.0.try_send(None);
        }
    }
}

/// Ends the searches when the desk is gone.
struct StopOnDrop<'a>(&'a Control);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::mpsc;
    use std::time::Duration;

    #[test]
    fn a_panic_of_a_worker_ends_the_others() {
        let (done, wait) = mpsc::channel();
        // A thread, because the failure is to wait for ever.
        std::thread::spawn(move || {
            let (options, settings, cancel) = (Options::default(), Settings::default(), Cancel::new());
            let pool = Pool { options: &options, settings: &settings, threads: 3, cancel: &cancel };
            let game = Game::new(VariantId::International);
            let played = game.legal_moves()[0];
            let task = Task { index: 0, look: 0 };
            // One question: two workers wait for others.
            let mut questions = vec![Question { key: 0, task, game, played }];
            let mut desk = |_| Ok::<_, ()>(questions.pop());
            let hire = || -> Worker<'_> { Box::new(|question| panic!("move {}", question.task.index)) };
            let run = AssertUnwindSafe(|| pool.run_with(&Control::new(), &hire, &mut desk));
            let _ = done.send(catch_unwind(run).is_err());
        });
        assert_eq!(wait.recv_timeout(Duration::from_secs(60)), Ok(true));
    }
}
