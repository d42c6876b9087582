//! Finds the puzzles of a game.

use super::difficulty;
use super::look::{Effort, Look, look};
use super::puzzle::{Goal, Puzzle};
use super::solution::Solution;
use crate::board::Move;
use crate::engine::{Engine, Options};
use crate::game::Game;
use crate::notation::fen;
use crate::rules::VariantId;
use crate::search::Control;

/// What the best move has to reach and the second must not, in expected result.
pub(super) struct Bar;

impl Bar {
    /// A win is this much: a man more in a full position, and better.
    const WON: f64 = 0.8;
    /// The second move wins not: it has at most this.
    const NOT_WON: f64 = 0.65;
    /// A draw is this much ...
    const HELD: f64 = 0.35;
    /// ... and at most this; what is better is a win.
    const NO_MORE: f64 = 0.65;
    /// The second move loses.
    const LOST: f64 = 0.15;

    /// Whether a move with this expected result reaches a goal.
    pub fn reached(goal: Goal, expected: f64) -> bool {
        expected >= if goal == Goal::Win { Bar::WON } else { Bar::HELD }
    }

    /// Whether a move with this expected result clearly misses a goal, by less with a little grace.
    pub fn missed(goal: Goal, expected: f64, grace: f64) -> bool {
        expected <= grace + if goal == Goal::Win { Bar::NOT_WON } else { Bar::LOST }
    }

    /// What exactly one move reaches.
    pub fn judge(look: &Look) -> Option<Goal> {
        let [first, second, ..] = look.best.as_slice() else { return None };
        let only = |goal| Bar::reached(goal, first.expected) && Bar::missed(goal, second.expected, 0.0);
        if only(Goal::Win) {
            Some(Goal::Win)
        } else if first.expected <= Bar::NO_MORE && only(Goal::Draw) {
            Some(Goal::Draw)
        } else {
            None
        }
    }
}

/// Deepest plain look, in plies.
const DEEPEST: u32 = 24;

/// How a [`Finder`] searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FinderSettings {
    /// Nodes for a first look at a position; what it finds is searched with [`FinderSettings::MORE`] times as many.
    pub nodes: u64,
    /// Transposition table, in mebibytes.
    pub hash_mb: usize,
}

impl FinderSettings {
    /// So many times the nodes decide.
    pub const MORE: u64 = 10;
}

impl Default for FinderSettings {
    fn default() -> FinderSettings {
        FinderSettings { nodes: 10_000, hash_mb: 8 }
    }
}

/// Finds the puzzles of games, one game after another, with one thread. The same game gives the same puzzles.
#[derive(Debug)]
pub struct Finder {
    pub(super) engine: Engine,
    pub(super) settings: FinderSettings,
}

impl Finder {
    /// A finder; allocates a transposition table.
    ///
    /// ```
    /// use kroon::puzzles::{Finder, FinderSettings, Goal};
    /// use kroon::notation::fen::game_from_fen;
    /// use kroon::rules::VariantId::International;
    /// use kroon::search::Control;
    /// // White gives three men; then the man on 35 takes five and is crowned.
    /// let position = "W:W19,35,37,38,44,45,47,50:B6,8,9,10,12,14,17,20,28";
    /// let game = game_from_fen(International, position)?;
    /// let puzzles = Finder::new(FinderSettings::default()).find(&game, "an example", &Control::new());
    /// assert_eq!(puzzles[0].goal, Goal::Win);
    /// assert_eq!(puzzles[0].solution, ["44-40", "14x23", "38-33", "28x39", "40-34", "39x30", "35x2"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(settings: FinderSettings) -> Finder {
        let options = Options { hash_mb: settings.hash_mb, seed: Some(1), ..Options::default() };
        Finder { engine: Engine::new(options), settings }
    }

    /// The puzzles of a game in the order of its moves; `source` says which game it is. After
    /// [`Control::stop`] those that were found so far.
    pub fn find(&mut self, game: &Game, source: &str, control: &Control) -> Vec<Puzzle> {
        self.find_with_progress(game, source, control, &mut |_| ())
    }

    /// As [`Finder::find`]; `heard` is told before each position how many were looked at, and how many there are.
    pub fn find_with_progress(
        &mut self,
        game: &Game,
        source: &str,
        control: &Control,
        heard: &mut dyn FnMut([usize; 2]),
    ) -> Vec<Puzzle> {
        self.engine.new_game();
        let mut found = Vec::new();
        let mut now = game.beginning();
        // Positions on the way of a solution are not puzzles of their own.
        let mut free_from = 0;
        for ply in 0..=game.moves().len() {
            if control.is_stopped() {
                break;
            }
            heard([ply, game.moves().len() + 1]);
            if ply >= free_from
                && now.outcome().is_none()
                && let Some((mut puzzle, line)) = self.puzzle(&now, control)
            {
                let rest = &game.moves()[ply..];
                free_from = ply + 1 + line.iter().zip(rest).take_while(|(a, b)| a == b).count();
                puzzle.source =
                    if source.is_empty() { String::new() } else { format!("{source}, ply {}", ply + 1) };
                found.push(puzzle);
            }
            if let Some(&mv) = game.moves().get(ply) {
                // invariant: a move of the game is legal
                let _ = now.play(mv);
            }
        }
        found
    }

    /// The puzzle of this very position, and its solution.
    fn puzzle(&mut self, game: &Game, control: &Control) -> Option<(Puzzle, Vec<Move>)> {
        if game.legal_moves().len() < 2 {
            return None;
        }
        // A puzzle is a position: what was played before, repetitions and counts, does not matter.
        let start = position_alone(game)?;
        let quick = look(&mut self.engine, &start, 2, Effort::Nodes(self.settings.nodes), control);
        let goal = Bar::judge(&quick)?;
        let deep = self.deep_look(&start, control);
        let first = deep.best.first()?.mv();
        if Bar::judge(&deep) != Some(goal) || quick.best[0].mv() != first {
            return None;
        }
        let solution = Solution::new(self, &start, goal, &deep, control)?;
        let all = start.legal_moves().len().min(Options::MAX_MULTIPV);
        self.engine.new_game();
        let nodes = self.settings.nodes.saturating_mul(FinderSettings::MORE);
        let shallow = look(&mut self.engine, &start, all, Effort::Plain { depth: 2, nodes }, control);
        self.engine.new_game();
        let plain = look(&mut self.engine, &start, 1, Effort::Plain { depth: DEEPEST, nodes }, control);
        self.engine.new_game();
        let (depth, lure) = (difficulty::depth(&plain, first, goal), difficulty::lure(&shallow, first));
        if control.is_stopped() || !solution.is_worth_solving(depth, lure) {
            return None;
        }
        let mut puzzle = Puzzle {
            variant: start.variant().name().to_owned(),
            fen: fen::write(start.variant(), start.position()),
            goal,
            solution: solution.texts(&start),
            sequel: solution.sequel_texts(&start),
            sidelines: solution.sidelines.clone(),
            themes: solution.themes.clone(),
            difficulty: 1.0,
            depth,
            captured: solution.captured,
            lure: (lure * 100.0).round() / 100.0,
            source: String::new(),
        };
        puzzle.difficulty = difficulty::rate(&puzzle, &start);
        Some((puzzle, solution.line))
    }

    /// The look that decides: two variations.
    pub(super) fn deep_look(&mut self, game: &Game, control: &Control) -> Look {
        let nodes = self.settings.nodes.saturating_mul(FinderSettings::MORE);
        look(&mut self.engine, game, 2, Effort::Nodes(nodes), control)
    }

    /// The reply that holds out longest.
    pub(super) fn reply(&mut self, game: &Game, control: &Control) -> Look {
        look(&mut self.engine, game, 1, Effort::Nodes(self.settings.nodes), control)
    }

    /// The most pieces that endgame tables know.
    pub(super) fn table_pieces(&mut self, variant: VariantId) -> u32 {
        self.engine.tables(variant).most_pieces()
    }
}

/// The position of a game without its history; none if it is no position on its own.
pub(super) fn position_alone(game: &Game) -> Option<Game> {
    Game::from_setup(game.variant(), &crate::board::Setup::from(game.position())).ok()
}
