//! Searches puzzles again, deeper and from an empty table, and lets levels of strength try them.

use super::finder::Bar;
use super::look::{Effort, look};
use super::puzzle::{Goal, Puzzle, PuzzleFault};
use crate::engine::{Engine, Mode, Options, Request};
use crate::game::{Game, Outcome};
use crate::notation::moves;
use crate::search::{Control, Limits};
use serde::Serialize;
use std::fmt;

/// What a deeper search has against a puzzle.
#[derive(Clone, PartialEq, Debug)]
pub enum Flaw {
    /// It cannot be played.
    Fault(PuzzleFault),
    /// Another move is better, this one.
    OtherMove(String),
    /// The solution does not reach the goal: its expected result.
    NotReached(f64),
    /// Another move reaches it, too: the move, and its expected result.
    SecondMove(String, f64),
    /// The search was stopped, or the position has one move.
    Unknown,
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Fault(fault) => fault.fmt(f),
            Flaw::OtherMove(mv) => write!(f, "{mv} is better"),
            Flaw::NotReached(expected) => write!(f, "the solution expects only {expected:.2}"),
            Flaw::SecondMove(mv, expected) => write!(f, "{mv} expects {expected:.2}, too"),
            Flaw::Unknown => f.write_str("the search said nothing"),
        }
    }
}

/// What a move that is not the solution's comes to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Attempt {
    /// Whether it reaches what is to be reached, too.
    pub keeps: bool,
    /// The expected result behind it.
    pub expected: f64,
    /// The best answer to it; none where the game is over.
    pub reply: Option<String>,
}

/// Searches puzzles again.
#[derive(Debug)]
pub struct Checker {
    engine: Engine,
    nodes: u64,
}

/// A deeper search may come a little closer to a bar, in expected result.
const GRACE: f64 = 0.06;

impl Checker {
    /// Searches with so many nodes for each puzzle, and this size of the table in mebibytes.
    pub fn new(nodes: u64, hash_mb: usize) -> Checker {
        let options = Options { hash_mb, seed: Some(2), ..Options::default() };
        Checker { engine: Engine::new(options), nodes }
    }

    /// Searches the first position of a puzzle with two variations.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check(&mut self, puzzle: &Puzzle, control: &Control) -> Result<(), Flaw> {
        let (start, line) = puzzle.line().map_err(Flaw::Fault)?;
        self.engine.new_game();
        let seen = look(&mut self.engine, &start, 2, Effort::Nodes(self.nodes), control);
        let [first, second, ..] = seen.best.as_slice() else { return Err(Flaw::Unknown) };
        let text = |mv| moves::write(start.variant(), start.position(), mv);
        if first.mv() != line[0] {
            return Err(Flaw::OtherMove(text(first.mv())));
        }
        if !Bar::reached(puzzle.goal, first.expected + GRACE) {
            return Err(Flaw::NotReached(first.expected));
        }
        if !Bar::missed(puzzle.goal, second.expected, GRACE) {
            return Err(Flaw::SecondMove(text(second.mv()), second.expected));
        }
        Ok(())
    }

    /// Searches what a move comes to that somebody tries in place of the solution's. It is the last one of `game`.
    ///
    /// ```
    /// use kroon::notation::{fen::game_from_fen, moves};
    /// use kroon::puzzles::{Checker, Goal};
    /// use kroon::rules::VariantId::International;
    /// use kroon::search::Control;
    /// // 28-23 is taken, and 33 takes three. 28-22 gives a man for nothing.
    /// let mut game = game_from_fen(International, "W:W28,33,38,39:B9,11,18,19")?;
    /// game.play(moves::read(International, game.position(), "28-22")?).expect("a move that was read is legal");
    /// let attempt = Checker::new(20_000, 1).attempt(&game, Goal::Win, &Control::new());
    /// assert!(!attempt.keeps && attempt.expected < 0.5);
    /// assert_eq!(attempt.reply.as_deref(), Some("18x27"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn attempt(&mut self, game: &Game, goal: Goal, control: &Control) -> Attempt {
        let solver = !game.position().turn();
        let attempt = |expected, reply| Attempt { keeps: Bar::reached(goal, expected), expected, reply };
        match game.outcome() {
            Some(Outcome::Win(winner)) => return attempt(f64::from(u8::from(winner == solver)), None),
            Some(Outcome::Draw(_)) => return attempt(0.5, None),
            None => (),
        }
        self.engine.new_game();
        let seen = look(&mut self.engine, game, 1, Effort::Nodes(self.nodes), control);
        let Some(best) = seen.best.first() else { return attempt(0.0, None) };
        let reply = moves::write(game.variant(), game.position(), best.mv());
        attempt(1.0 - best.expected, Some(reply))
    }

    /// Whether a player of this strength level finds the first move; `seed` is its own luck. After [`Control::stop`] it
    /// has had less time than it should.
    ///
    /// # Errors
    /// When the puzzle cannot be played.
    pub fn is_solved_by(
        &mut self,
        level: u8,
        puzzle: &Puzzle,
        seed: u64,
        control: &Control,
    ) -> Result<bool, PuzzleFault> {
        let (game, line) = puzzle.line()?;
        let strong = self.engine.options().clone();
        self.engine.set_options(Options { level, multipv: 1, seed: Some(seed), ..strong.clone() });
        self.engine.new_game();
        let request = Request { game, limits: Limits::default(), mode: Mode::Think };
        let best = self.engine.go(&request, control, &mut ()).best;
        self.engine.set_options(strong);
        Ok(best == Some(line[0]))
    }
}
