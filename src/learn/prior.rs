//! The network of `neural-q`: games of minimax against itself, and learning from their boards.

use super::LearnError;
use super::error::lock;
use super::games::{GameRules, play};
use super::training::same_training;
use crate::agents::learned::{
    Knowledge, LabelledBoard, LearnedFile, LearnedHeader, LearnedKind, MOST_ENTRIES, PriorInputs, PriorNet,
};
use crate::agents::{Agent, Choice, Minimax};
use crate::arena::adjudicate::Blocked;
use crate::engine::registry::{OptionAudience, OptionKind, OptionRow};
use crate::game::{Game, Outcome};
use crate::rules::{VariantId, play_in};
use crate::search::{Control, Limits};
use crate::seed;
use crate::train::fit::Adam;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Games played side by side, and then saved together.
const TOGETHER: u64 = 16;
/// Boards in a step of learning.
const BATCH: usize = 256;
/// One board in so many is held out.
const HELD_OUT: usize = 10;
/// What tells seeds of learning from those of games.
const LEARNING: u64 = u64::MAX;

/// How the games are played and learned from.
#[derive(Clone, PartialEq, Debug)]
pub struct PriorSettings {
    /// Depth of both players, in plies.
    pub depth: u32,
    /// Random plies at the beginning, without which two deterministic players would play one game over and over.
    pub opening_plies: u32,
    /// A game is cut after so many plies and left out.
    pub most_plies: u32,
    /// How often each board is learned from.
    pub passes: u32,
    /// Size of the first steps; they shrink to nothing.
    pub rate: f64,
}

/// The depth is the report's; 20 passes and steps of 0.001 are those of its authors' program; the random beginning and
/// the end of long games are our reading of what it leaves open.
impl Default for PriorSettings {
    fn default() -> PriorSettings {
        PriorSettings { depth: 7, opening_plies: 8, most_plies: 200, passes: 20, rate: 0.001 }
    }
}

impl PriorSettings {
    /// The parameters, in the order in which users see them.
    pub const ROWS: &'static [OptionRow<PriorSettings>] = &[
        OptionRow {
            name: "depth",
            help: "depth of both players, in plies",
            placeholder: "N",
            audience: OptionAudience::All,
            kind: OptionKind::Int {
                min: 1,
                max: 99,
                get: |s| s.depth.into(),
                set: |s, value| s.depth = value as u32,
            },
        },
        OptionRow {
            name: "opening-plies",
            help: "random plies at the beginning of each game",
            placeholder: "N",
            audience: OptionAudience::All,
            kind: OptionKind::Int {
                min: 0,
                max: 100,
                get: |s| s.opening_plies.into(),
                set: |s, value| s.opening_plies = value as u32,
            },
        },
        OptionRow {
            name: "most-plies",
            help: "a game is cut after so many plies and left out",
            placeholder: "N",
            audience: OptionAudience::All,
            kind: OptionKind::Int {
                min: 1,
                max: 10_000,
                get: |s| s.most_plies.into(),
                set: |s, value| s.most_plies = value as u32,
            },
        },
        OptionRow {
            name: "passes",
            help: "how often each board is learned from",
            placeholder: "N",
            audience: OptionAudience::All,
            kind: OptionKind::Int {
                min: 1,
                max: 10_000,
                get: |s| s.passes.into(),
                set: |s, value| s.passes = value as u32,
            },
        },
        OptionRow {
            name: "rate",
            help: "size of the first steps; they shrink to nothing",
            placeholder: "R",
            audience: OptionAudience::All,
            kind: OptionKind::Real { min: 1e-9, max: 1.0, get: |s| s.rate, set: |s, value| s.rate = value },
        },
    ];
}

/// Everything that decides what a network learns.
#[derive(Clone, Debug)]
pub struct PriorTraining {
    /// What is played.
    pub variant: VariantId,
    /// The parameters.
    pub settings: PriorSettings,
    /// Games; those that are drawn are left out. The report leaves their number open.
    pub games: u64,
    /// Seed of games and of learning.
    pub seed: u64,
}

impl PriorTraining {
    /// No more games are played when there are so many boards.
    pub const MOST_BOARDS: usize = MOST_ENTRIES / 2;

    /// The documented training.
    pub fn new(variant: VariantId) -> PriorTraining {
        PriorTraining { variant, settings: PriorSettings::default(), games: 2_000, seed: 1 }
    }

    fn header(&self) -> LearnedHeader {
        let rows = PriorSettings::ROWS.iter();
        LearnedHeader {
            variant: self.variant,
            settings: rows.map(|row| (row.name.to_owned(), row.value(&self.settings).to_string())).collect(),
            seed: self.seed,
            games: 0,
            planned: self.games,
            parent: None,
            prior: None,
            curve: Vec::new(),
        }
    }
}

/// How far it is.
#[derive(Clone, Debug)]
pub enum PriorProgress {
    /// Games are being played.
    Games {
        /// Games played.
        games: u64,
        /// Games in all.
        planned: u64,
        /// Boards that they left.
        boards: usize,
        /// Time since this run began.
        time: Duration,
    },
    /// The network learns.
    Pass {
        /// Which pass, from 1.
        pass: u32,
        /// Mean loss on the boards learned from, in bits: 1 is a guess.
        loss: f64,
        /// Mean loss on the boards held out; none if there are none.
        held_out: Option<f64>,
        /// The share of them whose label the network guesses.
        guessed: Option<f64>,
        /// Time since this run began.
        time: Duration,
    },
}

/// Plays the games, on all threads of the pool that calls, and learns from them. With a path the boards are saved there
/// while games are played, and in the end the network in their place; with `resume`, what is there already is gone on
/// with. Every number of the network follows from the training.
///
/// # Errors
/// When the file cannot be used or written, or belongs to another training, or all games are drawn.
pub fn learn_prior(
    training: &PriorTraining,
    out: Option<&Path>,
    resume: bool,
    observer: &mut (dyn FnMut(&PriorProgress) + Send),
) -> Result<LearnedFile, LearnError> {
    let start = Instant::now();
    let _lock = out.map(|path| lock(path, resume)).transpose()?;
    let mut file = LearnedFile { header: training.header(), knowledge: Knowledge::Boards(Vec::new()).into() };
    if let Some(path) = out.filter(|path| path.exists()) {
        if !resume {
            return Err(LearnError::Exists(path.to_owned()));
        }
        let found = LearnedFile::open(path)?;
        if (found.knowledge.kind(), found.header.variant) != (LearnedKind::Prior, training.variant) {
            return Err(LearnError::Unfit {
                what: "the file",
                found: format!("{} in {} draughts", found.knowledge.kind(), found.header.variant),
                wanted: format!("{} in {} draughts", LearnedKind::Prior, training.variant),
            });
        }
        same_training(path, &found.header, &file.header)?;
        if matches!(*found.knowledge, Knowledge::Prior(_)) {
            // With as many boards as it may have it ends before the games that were planned.
            return if [found.header.games, found.header.planned].contains(&training.games) {
                Ok(found)
            } else {
                let (path, found, wanted) = (path.to_owned(), found.header.games, training.games);
                Err(LearnError::Made { path, found, wanted })
            };
        }
        if found.header.games > training.games {
            let (path, found, wanted) = (path.to_owned(), found.header.games, training.games);
            return Err(LearnError::Longer { path, found, wanted });
        }
        file = LearnedFile { header: LearnedHeader { planned: training.games, ..found.header }, ..found };
    }
    let Knowledge::Boards(mut boards) = (*file.knowledge).clone() else { return Ok(file) };
    while file.header.games < training.games && boards.len() < PriorTraining::MOST_BOARDS {
        let next = file.header.games..training.games.min(file.header.games + TOGETHER);
        file.header.games = next.end;
        let played: Vec<Vec<LabelledBoard>> =
            next.into_par_iter().map(|number| boards_of(training, number)).collect();
        boards.extend(played.into_iter().flatten());
        file.knowledge = Arc::new(Knowledge::Boards(boards.clone()));
        if let Some(path) = out {
            file.save(path)?;
        }
        let (games, planned, boards) = (file.header.games, training.games, boards.len());
        observer(&PriorProgress::Games { games, planned, boards, time: start.elapsed() });
    }
    if boards.is_empty() {
        // A file without boards is in the way of the same command with other games.
        if let Some(path) = out {
            let _ = std::fs::remove_file(path);
        }
        return Err(LearnError::NoBoards { games: training.games, variant: training.variant });
    }
    let net = fit(training, &boards, start, observer);
    if !net.numbers().iter().all(|number| number.is_finite()) {
        return Err(LearnError::NetDiverged { rate: training.settings.rate });
    }
    file.knowledge = Arc::new(Knowledge::Prior(Arc::new(net)));
    if let Some(path) = out {
        file.save(path)?;
    }
    Ok(file)
}

/// A player that begins with random moves.
struct Opening {
    plies: usize,
    random: Xoshiro256PlusPlus,
    minimax: Minimax,
}

impl std::fmt::Debug for Opening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} random plies, then {:?}", self.plies, self.minimax)
    }
}

impl Agent for Opening {
    fn new_game(&mut self, seed: u64) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.minimax.new_game(seed);
    }

    fn choose(&mut self, game: &Game, limits: &Limits, control: &Control) -> Option<Choice> {
        if game.moves().len() >= self.plies {
            return self.minimax.choose(game, limits, control);
        }
        let moves = game.legal_moves();
        let mv = *moves.get(self.random.random_range(0..moves.len().max(1)))?;
        Some(Choice { mv, value: None, depth: 0, nodes: 0 })
    }
}

/// The boards of a game after its random beginning; none if nobody wins it.
fn boards_of(training: &PriorTraining, number: u64) -> Vec<LabelledBoard> {
    let settings = &training.settings;
    let [mut first, mut second] = [0, 1].map(|side| {
        let mut player = Opening {
            plies: settings.opening_plies as usize,
            random: Xoshiro256PlusPlus::seed_from_u64(0),
            minimax: Minimax::default(),
        };
        player.minimax.depth = settings.depth;
        player.new_game(seed::mix(training.seed, [number, side]));
        player
    });
    let rules = GameRules { most_plies: settings.most_plies, blocked: Blocked::Loss };
    let unlimited = Limits::default();
    let (game, outcome) = play(training.variant, [&mut first, &mut second], [&unlimited; 2], rules);
    let Some(Outcome::Win(winner)) = outcome else { return Vec::new() };
    let mut position = *game.start();
    let mut boards = Vec::new();
    for (ply, &mv) in game.moves().iter().enumerate() {
        position = play_in(training.variant, &position, mv);
        if ply >= settings.opening_plies as usize {
            boards.push(LabelledBoard::new(&position, !position.turn() == winner));
        }
    }
    boards
}

/// A network that has learned from nine in ten of the boards.
fn fit(
    training: &PriorTraining,
    boards: &[LabelledBoard],
    start: Instant,
    observer: &mut (dyn FnMut(&PriorProgress) + Send),
) -> PriorNet {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed::mix(training.seed, [LEARNING]));
    let mut net = PriorNet::random(training.variant, &mut random);
    let mut adam = Adam::new(net.numbers().len());
    let sample = |board: &LabelledBoard| (PriorInputs::new(training.variant, board), board.is_won);
    // The last tenth: boards of one game are alike, so they stay together.
    let kept = boards.len() - boards.len() / HELD_OUT;
    let mut samples: Vec<_> = boards[..kept].iter().map(sample).collect();
    let held_out: Vec<_> = boards[kept..].iter().map(sample).collect();
    for pass in 1..=training.settings.passes {
        samples.shuffle(&mut random);
        let left = 1.0 - f64::from(pass - 1) / f64::from(training.settings.passes);
        let rate = (training.settings.rate * left * left) as f32;
        let mut loss = 0.0;
        for batch in samples.chunks(BATCH) {
            let mut slopes = vec![0.0; net.numbers().len()];
            loss += batch.iter().map(|(inputs, is_won)| net.slope(inputs, *is_won, &mut slopes)).sum::<f64>();
            let share = 1.0 / batch.len() as f32;
            adam.step(net.numbers_mut(), rate, |i| slopes[i] * share);
        }
        let of_held_out: Vec<(f64, bool)> = held_out
            .iter()
            .map(|(inputs, is_won)| {
                let chance = if *is_won { net.won(inputs) } else { 1.0 - net.won(inputs) };
                (-f64::from(chance.max(1e-6).log2()), chance > 0.5)
            })
            .collect();
        let count = of_held_out.len() as f64;
        let mean = |sum: f64| (!of_held_out.is_empty()).then(|| sum / count);
        observer(&PriorProgress::Pass {
            pass,
            loss: loss / samples.len().max(1) as f64,
            held_out: mean(of_held_out.iter().map(|(loss, _)| loss).sum()),
            guessed: mean(of_held_out.iter().filter(|(_, is_right)| *is_right).count() as f64),
            time: start.elapsed(),
        });
    }
    net
}
