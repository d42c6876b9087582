//! The simple players of the literature: opponents that are understood, for people, for learners and as yardsticks.
//!
//! An [`Agent`] chooses a move for a game; it keeps what it needs from move to move and draws all its random numbers
//! from the seed of the game. Every agent plays every variant: it sees the rules through [`Game`] alone.
//!
//! | name | what it does | source |
//! |---|---|---|
//! | `random` | any legal move | |
//! | `greedy` | the best score after its own move | "AI for Draught" (course report, ShanghaiTech CS181) |
//! | `minimax` | a plain search to a fixed depth | the same; "Draughts AI" (T. Le Minh, M. Drouard) |
//! | `mcts` | tree search with random games, as first described | the same; L. Kocsis, C. Szepesvari, 2006 |
//! | `q-learning`, `approximate-q`, `neural-q`, `state-q` | what they have [learned] | see there |
//!
//! # How to add a learner
//!
//! 1. Write `src/agents/learned/NAME.rs`: what it knows, how that values a move, how it changes with a sample.
//! 2. In `src/agents/learned/mod.rs` add a variant of [`Knowledge`](learned::Knowledge) for it, and one of
//!    [`LearnedKind`](learned::LearnedKind) with the name, also to its `PLAYERS`; the compiler names the other places:
//!    values, learning (`agent.rs`), the file (`file.rs`), settings and first opponent (`src/learn/settings.rs`).
//! 3. In `src/agents/kind.rs` add a variant of [`AgentKind`] of the same name: it plays now, as before its first game, in
//!    matches and wherever there is an option `player`. Tests have it play every variant.
//! 4. Give it a subcommand in `src/cli/learn.rs`, have it learn English draughts, put the file into
//!    `src/agents/learned/data/` and add it to `src/agents/learned/embedded.rs`; how it was made belongs in
//!    `src/learn/LEARNERS.md`.
//! 5. Add it to the tables above, of [`learned`] and of the pages (`README.md`, `protocol-docs/commands.md`, `hub.md`), and
//!    to the help of `kroon match`.

mod kind;
pub mod learned;
mod minimax;
mod phase_time;
mod random;
mod score;
mod state;
mod uct;

pub use kind::{AgentError, AgentKind, AgentOptions};
pub use minimax::Minimax;
pub use phase_time::phase_time;
pub use random::Random;
pub use score::{LinearWeights, ScoreKind};
pub use state::SideState;
pub use uct::Uct;

use crate::board::Move;
use crate::game::{Game, Outcome};
use crate::search::{Control, Limits, may_be_slow};
use std::fmt;
use std::time::Instant;

/// A player that is more than a function of the position.
///
/// ```
/// use kroon::agents::{Agent, Minimax};
/// use kroon::{game::Game, rules::VariantId, search::{Control, Limits}};
/// let game = Game::new(VariantId::English);
/// let mut agent = Minimax::default();
/// agent.depth = 4;
/// agent.new_game(7);
/// let choice = agent.choose(&game, &Limits::default(), &Control::new()).unwrap();
/// assert!(game.legal_moves().contains(&choice.mv));
/// ```
pub trait Agent: Send + Sync + fmt::Debug {
    /// Begins a new game. All random numbers of the game follow from the seed.
    fn new_game(&mut self, seed: u64);

    /// Chooses a move; none where there is no legal one. What the limits leave out is the agent's own; it needs none.
    /// It answers soon after `control` says stop or the time of the move is over, with the best that it has found.
    fn choose(&mut self, game: &Game, limits: &Limits, control: &Control) -> Option<Choice>;

    /// What [`Choice::value`] counts.
    fn unit(&self) -> ValueUnit {
        ValueUnit::Men(1.0)
    }

    /// What [`Choice::value`] would be at the root if the sides were even there. It is 0 but where a score counts something
    /// of one side alone; what is shown to people is less by it.
    fn even(&self, _game: &Game) -> f64 {
        0.0
    }

    /// Hears how the game ended; learners learn from it.
    fn game_over(&mut self, _game: &Game, _outcome: Option<Outcome>) {}
}

/// A move, and what was thought about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The move.
    pub mv: Move,
    /// Its value for the side that makes it, in the [unit](Agent::unit) of the agent; none if it values nothing.
    pub value: Option<f64>,
    /// Plies looked ahead.
    pub depth: u32,
    /// Positions looked at.
    pub nodes: u64,
}

/// What the value of a move counts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ValueUnit {
    /// Men, each worth this much. Beyond [`DECIDED`] the game is decided.
    Men(f64),
    /// The expected result, 0 to 1.
    Result,
    /// Rewards, discounted and added up as the player learned them: no score that a referee or a person could compare.
    Rewards,
}

/// A move of this value wins the game; of the negative, loses it. What such a value is less than [`WIN`] are the plies to
/// the end.
pub const DECIDED: f64 = 1e8;

/// A won game is worth this, less the plies to it: above every score, and the sooner the better. (The texts say
/// infinity, which cannot tell a short win from a long one.)
pub const WIN: f64 = 1e9;

/// How many nodes an agent visits between two looks at the clock.
const POLL_NODES: u64 = 256;

/// When an agent must answer.
struct Deadline<'a> {
    control: &'a Control,
    end: Option<Instant>,
    nodes: Option<u64>,
    /// Whether the next look is due whatever the number of nodes.
    looks_soon: bool,
    is_over: bool,
}

impl<'a> Deadline<'a> {
    /// The end of a search whose time counts from the request. Of a clock it takes a thirtieth, or a share for each move to the
    /// next control if these are fewer, and the increment.
    fn new(limits: &Limits, control: &'a Control) -> Deadline<'a> {
        let of_clock = limits.clock.map(|clock| {
            // The increment is on the clock before the move, too.
            let left = clock.time.saturating_add(clock.increment);
            let moves = clock.moves.map_or(30, |moves| moves.clamp(1, 30));
            (clock.time / moves).saturating_add(clock.increment).min(left / 10 * 7)
        });
        let time = limits.move_time.into_iter().chain(of_clock).min().filter(|_| !limits.infinite);
        let start = control.start().unwrap_or_else(Instant::now);
        let end = time.and_then(|time| start.checked_add(time));
        Deadline { control, end, nodes: limits.nodes, looks_soon: false, is_over: false }
    }

    /// To be called with the moves of a node: where captures may have taken long to find, the next node looks at the clock.
    fn saw(&mut self, moves: &[Move]) {
        self.looks_soon |= may_be_slow(moves);
    }

    /// Whether to answer now; looks at the clock once in [`POLL_NODES`] nodes.
    fn is_over(&mut self, nodes: u64) -> bool {
        if self.nodes.is_some_and(|most| nodes >= most) {
            self.is_over = true;
        } else if std::mem::take(&mut self.looks_soon) || nodes.is_multiple_of(POLL_NODES) {
            self.is_over |= self.control.is_stopped() || self.end.is_some_and(|end| Instant::now() >= end);
        }
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::ClockLimit;
    use std::time::Duration;

    #[test]
    fn an_agent_has_its_increment_for_the_move() {
        for (time, increment, moves, least, most) in [
            (0.0, 5.0, None, 3.0, 3.5),
            (60.0, 0.0, None, 1.9, 2.0),
            (60.0, 2.0, None, 3.9, 4.0),
            (1.0, 9.0, None, 6.5, 7.0),
            (60.0, 0.0, Some(4), 14.5, 15.0),
            (60.0, 0.0, Some(1), 41.5, 42.0),
            (60.0, 0.0, Some(50), 1.9, 2.0),
        ] {
            let [time, increment] = [time, increment].map(Duration::from_secs_f64);
            let limits = Limits { clock: Some(ClockLimit { time, increment, moves }), ..Limits::default() };
            let start = Instant::now();
            let left = Deadline::new(&limits, &Control::started_at(start)).end.unwrap() - start;
            assert!((least..=most).contains(&left.as_secs_f64()), "{time:?} {increment:?}: {left:?}");
        }
    }
}
