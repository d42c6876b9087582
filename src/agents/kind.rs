//! Which agent, with which settings: from the words of a user to a player.

use super::learned::{LearnedAgent, LearnedFile, LearnedKind};
use super::{Agent, Minimax, Random, ScoreKind, Uct};
use crate::rules::VariantId;
use crate::words::words;
use std::path::PathBuf;
use thiserror::Error;

/// The agents by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AgentKind {
    /// [`Random`].
    Random,
    /// [`Minimax::greedy`].
    Greedy,
    /// [`Minimax`].
    Minimax,
    /// [`Uct`].
    Mcts,
    /// [`LearnedAgent`] by a table of moves.
    QLearning,
    /// [`LearnedAgent`] by eight features.
    ApproximateQ,
    /// [`LearnedAgent`] by ten features, two of them from a network.
    NeuralQ,
    /// [`LearnedAgent`] by transitions of abstract states.
    StateQ,
}

words!(AgentKind {
    Random => "random",
    Greedy => "greedy",
    Minimax => "minimax",
    Mcts => "mcts",
    QLearning => "q-learning",
    ApproximateQ => "approximate-q",
    NeuralQ => "neural-q",
    StateQ => "state-q"
});

/// Settings of agents. Each reads those that concern it.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentOptions {
    /// [`Minimax::depth`].
    pub depth: u32,
    /// [`Minimax::score`].
    pub score: ScoreKind,
    /// [`Minimax::quiet`].
    pub quiet: bool,
    /// [`Minimax::prune`].
    pub prune: bool,
    /// [`Uct::iterations`].
    pub iterations: u64,
    /// [`Uct::exploration`]; none: its default.
    pub exploration: Option<f64>,
    /// [`Uct::playout_plies`].
    pub playout_plies: u32,
    /// [`Uct::two_player`].
    pub two_player: bool,
    /// [`Uct::rave_k`]; 0: none.
    pub rave_k: f64,
    /// [`Uct::trees`].
    pub trees: usize,
    /// [`Uct::time_table`].
    pub time_table: bool,
    /// What an agent that learns has learned; none: what is in the program.
    pub file: Option<PathBuf>,
}

impl Default for AgentOptions {
    fn default() -> AgentOptions {
        let (minimax, uct) = (Minimax::default(), Uct::default());
        AgentOptions {
            depth: minimax.depth,
            score: minimax.score,
            quiet: minimax.quiet,
            prune: minimax.prune,
            iterations: uct.iterations,
            exploration: None,
            playout_plies: uct.playout_plies,
            two_player: uct.two_player,
            rave_k: 0.0,
            trees: uct.trees,
            time_table: uct.time_table,
            file: None,
        }
    }
}

impl AgentOptions {
    /// Deepest [`AgentOptions::depth`], in plies.
    pub const MAX_DEPTH: u32 = 99;
    /// Most [`AgentOptions::iterations`].
    pub const MAX_ITERATIONS: u64 = 1_000_000_000;
    /// Largest [`AgentOptions::exploration`].
    pub const MAX_EXPLORATION: f64 = 100.0;
    /// Longest [`AgentOptions::playout_plies`].
    pub const MAX_PLAYOUT_PLIES: u32 = 10_000;
    /// Largest [`AgentOptions::rave_k`].
    pub const MAX_RAVE_K: f64 = 1e9;
    /// Most [`AgentOptions::trees`].
    pub const MAX_TREES: usize = 256;
}

/// Why there is no such agent.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum AgentError {
    /// A file for an agent that learns nothing.
    #[error("player-file {path:?}: the player {kind} learns nothing and reads no file")]
    NothingLearned {
        /// The file.
        path: PathBuf,
        /// The agent.
        kind: AgentKind,
    },
    /// The file of a learner cannot be used.
    #[error("player-file: {0}")]
    Learned(String),
}

/// Where an agent comes from.
enum Origin {
    /// It follows from its settings.
    Made(fn(&AgentOptions) -> Box<dyn Agent>),
    /// It has learned.
    Learned(LearnedKind),
}

impl AgentKind {
    fn origin(self) -> Origin {
        match self {
            AgentKind::Random => Origin::Made(|_| Box::new(Random::default())),
            AgentKind::Greedy => Origin::Made(|_| Box::new(Minimax::greedy())),
            AgentKind::Minimax => Origin::Made(|options| Box::new(minimax(options))),
            AgentKind::Mcts => Origin::Made(|options| Box::new(uct(options))),
            AgentKind::QLearning => Origin::Learned(LearnedKind::QLearning),
            AgentKind::ApproximateQ => Origin::Learned(LearnedKind::ApproximateQ),
            AgentKind::NeuralQ => Origin::Learned(LearnedKind::NeuralQ),
            AgentKind::StateQ => Origin::Learned(LearnedKind::StateQ),
        }
    }

    /// Which learner it is, if it has learned.
    pub fn learner(self) -> Option<LearnedKind> {
        match self.origin() {
            Origin::Made(_) => None,
            Origin::Learned(learner) => Some(learner),
        }
    }

    /// The player in words that tell what it has learned from anything else: `minimax`, or `q-learning of 200 games,
    /// 0123456789abcdef`.
    ///
    /// # Errors
    /// When its file cannot be used for the variant.
    pub fn describe(self, options: &AgentOptions, variant: VariantId) -> Result<String, AgentError> {
        let Some(learner) = self.learner() else { return Ok(self.to_string()) };
        let told = LearnedAgent::describe(learner, variant, options.file.as_deref());
        told.map_err(|error| AgentError::Learned(error.to_string()))
    }

    /// Whether it learns, and has no file of what it has learned in this variant, neither given nor in the program.
    pub fn is_untrained(self, options: &AgentOptions, variant: VariantId) -> bool {
        let learner = self.learner().filter(|_| options.file.is_none());
        learner.is_some_and(|learner| LearnedFile::embedded(learner, variant).is_none())
    }

    /// An agent that plays a variant.
    ///
    /// ```
    /// use kroon::agents::{AgentKind, AgentOptions};
    /// use kroon::{game::Game, rules::VariantId, search::{Control, Limits}};
    /// let kind: AgentKind = "mcts".parse()?;
    /// let mut agent = kind.build(&AgentOptions { iterations: 50, ..AgentOptions::default() }, VariantId::Thai)?;
    /// agent.new_game(1);
    /// assert!(agent.choose(&Game::new(VariantId::Thai), &Limits::default(), &Control::new()).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the settings do not fit the agent or the variant.
    pub fn build(self, options: &AgentOptions, variant: VariantId) -> Result<Box<dyn Agent>, AgentError> {
        match (self.origin(), &options.file) {
            (Origin::Learned(learner), file) => {
                let agent = LearnedAgent::load(learner, variant, file.as_deref());
                agent
                    .map(|agent| Box::new(agent) as _)
                    .map_err(|error| AgentError::Learned(error.to_string()))
            }
            (Origin::Made(_), Some(path)) => {
                Err(AgentError::NothingLearned { path: path.clone(), kind: self })
            }
            (Origin::Made(make), None) => Ok(make(options)),
        }
    }
}

fn minimax(options: &AgentOptions) -> Minimax {
    Minimax {
        depth: options.depth,
        score: options.score,
        quiet: options.quiet,
        prune: options.prune,
        ..Minimax::default()
    }
}

fn uct(options: &AgentOptions) -> Uct {
    let uct = Uct::default();
    Uct {
        iterations: options.iterations,
        exploration: options.exploration.unwrap_or(uct.exploration),
        playout_plies: options.playout_plies,
        two_player: options.two_player,
        rave_k: Some(options.rave_k).filter(|&k| k > 0.0),
        trees: options.trees,
        time_table: options.time_table,
        ..uct
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::search::{Control, Limits};

    #[test]
    fn every_agent_plays_every_variant_without_a_limit() {
        for name in AgentKind::NAMES {
            let kind: AgentKind = name.parse().unwrap();
            for variant in VariantId::ALL {
                let mut game = Game::new(variant);
                let mut agent = kind.build(&AgentOptions::default(), variant).unwrap();
                agent.new_game(3);
                for _ in 0..6 {
                    let choice = agent.choose(&game, &Limits::default(), &Control::new()).unwrap();
                    game.play(choice.mv).unwrap();
                }
            }
        }
    }

    #[test]
    fn a_learner_is_called_as_the_files_that_it_reads() {
        for kind in LearnedKind::PLAYERS {
            let agent: AgentKind = kind.name().parse().unwrap();
            assert_eq!((agent.name(), agent.learner()), (kind.name(), Some(kind)));
        }
        let learners = AgentKind::NAMES.iter().filter(|name| {
            let agent: AgentKind = name.parse().unwrap();
            agent.learner().is_some()
        });
        assert_eq!(learners.count(), LearnedKind::PLAYERS.len());
    }

    #[test]
    fn a_file_for_nobody_is_an_error() {
        let options = AgentOptions { file: Some("a.agent".into()), ..AgentOptions::default() };
        let error = AgentKind::Greedy.build(&options, VariantId::Czech).unwrap_err().to_string();
        assert_eq!(error, "player-file \"a.agent\": the player greedy learns nothing and reads no file");
    }
}
