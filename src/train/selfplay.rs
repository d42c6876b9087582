//! Games of the engine against itself, one shard for each thread.

use super::record::{SelfplayGame, canonical_moves};
use super::shard::{MOST_PAYLOAD, ShardError, ShardHeader, ShardWriter};
use super::start;
use super::visits::VisitShares;
use crate::board::{Move, Position};
use crate::engine::{Engine, EvaluationKind, FORCED_DEPTH, Mode, Options, Report, Request, SearchKind};
use crate::eval::EvalFile;
use crate::game::{Game, GameResult, Outcome};
use crate::rules::{Objective, VariantId};
use crate::score::Score;
use crate::search::mcts::Params;
use crate::search::{Control, Limits, spawn_search};
use crate::seed;
use crate::tablebase::{Material, Tables, Value};
use rand::distr::weighted::WeightedIndex;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// A game longer than this is called a draw.
const MOST_PLIES: usize = 300;
const _: () = assert!(SelfplayGame::most_bytes(MOST_PLIES) <= MOST_PAYLOAD, "every game fits into a frame");
/// With kings on both sides and few pieces a game is called a draw after so many quiet scores in a row.
const DRAW_PLIES: u32 = 16;
const DRAW_SCORE: i32 = 6;
const DRAW_PIECES: u32 = 9;
/// A beginning is taken if the search sees no more than this for either side, in centi-men, or else after so many tries.
const OPEN_SCORE: i32 = 100;
const MOST_TRIES: u32 = 8;
/// So many moves after the beginning a tree search plays each move as often as it visits it, later the one that it visits most.
const SAMPLED_PLIES: usize = 12;
/// A game with random moves ends with so many centi-men for a side: what follows is more of the same. Not in losing draughts, where
/// such scores are common: a search asks for the values of what follows, so they have to be learned.
pub(super) const CLEAR_SCORE: i32 = 800;
/// The engine's table for one game, in mebibytes: emptied before each.
const HASH_MB: usize = 4;

/// What to play.
#[derive(Clone, Debug)]
pub struct Run {
    /// The variant.
    pub variant: VariantId,
    /// Seed of the run.
    pub seed: u64,
    /// Number of the first shard; each thread writes one.
    pub first_shard: u64,
    /// Threads, and shards.
    pub threads: u64,
    /// Nodes for each move; visits, if a tree search plays.
    pub nodes: u64,
    /// The options of the tree search that plays; none: alpha-beta. Their seed is not looked at.
    pub tree: Option<Params>,
    /// How many moves of a hundred are drawn at random in place of the best one, 0 to 100.
    pub random_percent: u8,
    /// Which evaluation plays.
    pub evaluation: EvaluationKind,
    /// Weights for it in place of those in the program, if they can be used.
    pub eval_file: Option<EvalFile>,
    /// Endgame tables: searches ask them, and a position that they know ends the game.
    pub tables: Option<Arc<Tables>>,
    /// Games that a shard shall have in the end; without a number until the time is up.
    pub games: Option<u64>,
    /// When to stop.
    pub time: Option<Duration>,
}

impl Run {
    /// The header of one of its shards.
    pub fn header(&self, shard: u64) -> ShardHeader {
        // As the engine does it: a file that cannot be used is not used, and the header tells the truth.
        let from_file = match (self.evaluation, &self.eval_file) {
            (EvaluationKind::Learned, Some(file)) => file.evaluation(self.variant).ok(),
            _ => None,
        };
        let evaluation = from_file.unwrap_or_else(|| self.evaluation.evaluation(self.variant));
        let tables = self.tables.as_ref().map_or_else(String::new, |tables| tables.identity());
        let search = self.tree.map(|mcts| {
            let options = Options { search: SearchKind::Mcts, mcts, ..Options::default() }.search_text();
            match evaluation.policy_checksum().filter(|_| mcts.asks_policy()) {
                Some(policy) => format!("{options} policy={policy}"),
                None => options,
            }
        });
        let header = ShardHeader::new(self.variant, self.seed, shard, self.nodes, &evaluation.name());
        ShardHeader { tables, random_percent: self.random_percent, ..header }.with_search(search)
    }
}

/// What has been done so far; readable while a run is going on.
#[derive(Debug, Default)]
pub struct SelfplayProgress {
    /// Games finished in this run.
    pub games: AtomicU64,
    /// Positions with a score in them.
    pub positions: AtomicU64,
    /// Set from outside to end the run after the games being played.
    pub stop: AtomicBool,
}

/// Plays until the run is done; each thread appends to a shard of its own in `folder`, and goes on where an earlier
/// run of the same numbers ended. Every game is a function of variant, seed, shard, nodes, evaluation and its number.
///
/// # Errors
/// The first fault of any shard; the others are whole.
pub fn run(run: &Run, folder: &Path, progress: &SelfplayProgress) -> Result<(), ShardError> {
    let start = Instant::now();
    let mut writers = Vec::new();
    for shard in run.first_shard..run.first_shard + run.threads {
        writers.push((shard, ShardWriter::open(folder, &run.header(shard))?));
    }
    // Where one thread cannot begin, the others end.
    let is_broken = AtomicBool::new(false);
    let is_broken = &is_broken;
    std::thread::scope(|scope| {
        let threads: Vec<_> = writers
            .into_iter()
            .map(|(shard, mut writer)| {
                let work = move || -> Result<(), ShardError> {
                    let player = SelfplayPlayer::new(run.variant, run.nodes, run.evaluation);
                    let player = player.with_tables(run.tables.clone()).with_tree(run.tree);
                    let player = player.with_random_moves(run.random_percent);
                    let mut player = player.with_weights(run.eval_file.clone());
                    let is_over = |games| {
                        run.games.is_some_and(|most| games >= most)
                            || run.time.is_some_and(|most| start.elapsed() >= most)
                            || progress.stop.load(Ordering::Relaxed)
                            || is_broken.load(Ordering::Relaxed)
                    };
                    while !is_over(writer.games()) {
                        let record = player.play(run.seed, shard, writer.games());
                        writer.append(&record)?;
                        progress.games.fetch_add(1, Ordering::Relaxed);
                        let scored = record.plies.iter().filter(|ply| ply.score.is_some()).count();
                        progress.positions.fetch_add(scored as u64, Ordering::Relaxed);
                    }
                    Ok(())
                };
                spawn_search(scope, format!("shard {shard}"), work)
                    .inspect_err(|_| is_broken.store(true, Ordering::Relaxed))
            })
            .collect();
        threads.into_iter().try_for_each(|thread| match thread.map_err(ShardError::Thread)?.join() {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })
}

/// Plays one game after another.
#[derive(Debug)]
pub struct SelfplayPlayer {
    variant: VariantId,
    engine: Engine,
    tables: Option<Arc<Tables>>,
    nodes: u64,
    random_percent: u8,
}

impl SelfplayPlayer {
    /// A player that searches so many nodes for each move and judges with this evaluation.
    pub fn new(variant: VariantId, nodes: u64, evaluation: EvaluationKind) -> SelfplayPlayer {
        let options = Options { hash_mb: HASH_MB, evaluation, bb_size: 0, ..Options::default() };
        SelfplayPlayer { variant, engine: Engine::new(options), tables: None, nodes, random_percent: 0 }
    }

    /// The same with other weights for the learned evaluation.
    pub fn with_weights(mut self, eval_file: Option<EvalFile>) -> SelfplayPlayer {
        self.engine.set_options(Options { eval_file, ..self.engine.options().clone() });
        self
    }

    /// The same with a tree search, which has a seed of its own in each game.
    pub fn with_tree(mut self, tree: Option<Params>) -> SelfplayPlayer {
        if let Some(mcts) = tree {
            self.engine.set_options(Options {
                search: SearchKind::Mcts,
                mcts,
                ..self.engine.options().clone()
            });
        }
        self
    }

    /// The same with endgame tables.
    pub fn with_tables(mut self, tables: Option<Arc<Tables>>) -> SelfplayPlayer {
        if let Some(tables) = &tables {
            // However many pieces they know.
            let options = Options { bb_size: Material::MOST_PIECES, ..self.engine.options().clone() };
            self.engine.set_options(options);
            self.engine.set_tables(tables.clone());
        }
        self.tables = tables;
        self
    }

    /// The same with so many moves of a hundred drawn at random in place of the best one. Good play avoids the positions
    /// after mistakes, but a search judges them all the time, so an evaluation must have seen them. The scores are those of
    /// the best moves.
    pub fn with_random_moves(self, random_percent: u8) -> SelfplayPlayer {
        SelfplayPlayer { random_percent, ..self }
    }

    /// The game with this number. It depends on nothing else.
    pub fn play(&mut self, run_seed: u64, shard: u64, number: u64) -> SelfplayGame {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed::mix(run_seed, [shard, number]));
        self.sow(seed::mix(run_seed, [shard, number, 1]));
        let beginning = self.beginning(&mut random);
        self.engine.new_game();
        let mut game = beginning.clone();
        let mut record = SelfplayGame::new(beginning.start(), beginning.moves().len() as u8);
        self.retell(&beginning, &mut record);
        let mut quiet = 0;
        record.result = loop {
            match game.outcome() {
                Some(Outcome::Win(color)) => break GameResult::win(color),
                Some(Outcome::Draw(_)) => break GameResult::Draw,
                None if game.moves().len() >= MOST_PLIES => break GameResult::Draw,
                None => (),
            }
            let turn = game.position().turn();
            let known =
                self.tables.as_ref().and_then(|tables| tables.result(game.position(), game.counters()));
            match known {
                Some(Value::Win) => break GameResult::win(turn),
                Some(Value::Draw) => break GameResult::Draw,
                Some(Value::Loss) => break GameResult::win(!turn),
                None => (),
            }
            let request = self.request(&game);
            let report = self.engine.go(&request, &Control::new(), &mut ());
            let Some(best) = report.best else { break GameResult::Draw };
            let moves = canonical_moves(self.variant, game.position());
            let place = |mv: Move| moves.iter().position(|&other| other == mv).unwrap_or_default();
            let visits = match moves.len() {
                1 => VisitShares::default(),
                _ => VisitShares::of(report.tree.iter().map(|child| (place(child.mv), child.visits))),
            };
            let is_sampled = game.moves().len() < beginning.moves().len() + SAMPLED_PLIES;
            let best = if is_sampled { sample(&report, &mut random).unwrap_or(best) } else { best };
            let score = report.info.map(|info| info.score).filter(|_| moves.len() > 1);
            let is_random = self.random_percent > 0 && random.random_range(0..100) < self.random_percent;
            let chance = is_random.then(|| moves[random.random_range(0..moves.len())]);
            if let Some(score) = score {
                quiet = if is_drawish(game.position(), score) { quiet + 1 } else { 0 };
            }
            let judged = match score {
                Some(score) if score.is_decided() || self.random_percent > 0 && self.is_clear(score) => {
                    Some(GameResult::win(if score > Score::DRAW { turn } else { !turn }))
                }
                Some(_) if quiet >= DRAW_PLIES => Some(GameResult::Draw),
                _ => None,
            };
            // A result that is judged is that of the best move; a random one could end the game otherwise.
            let best = chance.filter(|_| judged.is_none()).unwrap_or(best);
            record.push_searched(place(best), score, visits);
            if let Some(result) = judged {
                break result;
            }
            if game.play(best).is_err() {
                break GameResult::Draw;
            }
        };
        record
    }

    /// Whether a game with random moves ends with this score, though it is not decided.
    fn is_clear(&self, score: Score) -> bool {
        let has_material = !matches!(self.variant.rules().objective, Objective::Lose);
        has_material && score.centi().abs() >= CLEAR_SCORE
    }

    /// Gives the tree search another seed.
    fn sow(&mut self, seed: u64) {
        let options = self.engine.options();
        if options.search == SearchKind::Mcts {
            let mcts = Params { seed, ..options.mcts };
            self.engine.set_options(Options { mcts, ..options.clone() });
        }
    }

    /// A beginning from which the game is still open: from the others there is little to learn, and random moves make
    /// many of them.
    fn beginning(&mut self, random: &mut Xoshiro256PlusPlus) -> Game {
        let mut tries = 0;
        loop {
            let game = start::random(self.variant, random);
            self.engine.new_game();
            let request = self.request(&game);
            let info = self.engine.go(&request, &Control::new(), &mut ()).info;
            tries += 1;
            if tries == MOST_TRIES || info.is_some_and(|info| info.score.centi().abs() <= OPEN_SCORE) {
                return game;
            }
        }
    }

    /// The search of one position. A forced move has no score in the record, so little effort is spent on it.
    fn request(&self, game: &Game) -> Request {
        let depth = (game.legal_moves().len() == 1).then_some(FORCED_DEPTH);
        let limits = Limits { nodes: Some(self.nodes), depth, ..Limits::default() };
        Request { game: game.clone(), limits, mode: Mode::Think }
    }

    /// The random moves of a beginning as moves of the record.
    fn retell(&self, beginning: &Game, record: &mut SelfplayGame) {
        let mut position = *beginning.start();
        for &mv in beginning.moves() {
            let moves = canonical_moves(self.variant, &position);
            record.push(moves.iter().position(|&other| other == mv).unwrap_or_default(), None);
            position = crate::rules::play_in(self.variant, &position, mv);
        }
    }
}

/// A move of the tree, each as often as it was visited. None: there is no tree, or a win is proven.
fn sample(report: &Report, random: &mut Xoshiro256PlusPlus) -> Option<Move> {
    if report.info.as_ref().is_some_and(|info| info.score.is_decided()) {
        return None;
    }
    let visits = WeightedIndex::new(report.tree.iter().map(|child| child.visits)).ok()?;
    report.tree.get(random.sample(visits)).map(|child| child.mv)
}

fn is_drawish(position: &Position, score: Score) -> bool {
    let kings = crate::board::Color::ALL.into_iter().all(|color| position.kings_of(color).any());
    kings && position.occupied().len() <= DRAW_PIECES && score.centi().abs() <= DRAW_SCORE
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::record::Ply;

    #[test]
    fn a_game_depends_on_its_numbers_only() {
        for variant in [VariantId::International, VariantId::Frisian, VariantId::Losing] {
            let mut one = SelfplayPlayer::new(variant, 300, EvaluationKind::Learned);
            let first = one.play(1, 2, 3);
            let second = one.play(1, 2, 4);
            assert_ne!(first, second);
            assert_eq!(SelfplayPlayer::new(variant, 300, EvaluationKind::Learned).play(1, 2, 4), second);
            assert_eq!(one.play(1, 2, 3), first);
            let game = first.game(variant).unwrap();
            assert!(game.moves().len() > first.random_plies.into());
            assert!(first.plies.iter().all(|ply| ply.visits.is_empty()));
        }
    }

    #[test]
    fn random_moves_are_played_and_scored_as_the_best_ones() {
        let variant = VariantId::International;
        let player =
            |percent| SelfplayPlayer::new(variant, 300, EvaluationKind::Learned).with_random_moves(percent);
        let [sound, noisy, noisier] = [0, 20, 100].map(|percent| player(percent).play(1, 2, 4));
        assert_eq!(player(20).play(1, 2, 4), noisy);
        // Until the first random move the games are the same.
        let start = usize::from(sound.random_plies);
        let same = sound.plies.iter().zip(&noisy.plies).take_while(|(a, b)| a == b).count();
        assert!(same > start && same < sound.plies.len(), "{same}");
        assert_eq!(sound.plies[same].score, noisy.plies[same].score, "the score is that of the best move");
        assert_eq!(sound.plies[start].score, noisier.plies[start].score);
        let clear = |ply: &Ply| ply.score.is_some_and(|score| score.centi().abs() >= CLEAR_SCORE);
        assert!(noisier.plies.iter().rev().skip(1).all(|ply| !clear(ply)), "a clear game is over");
        // In losing draughts such a score decides nothing.
        let mut player =
            SelfplayPlayer::new(VariantId::Losing, 300, EvaluationKind::Learned).with_random_moves(20);
        let mut goes_on = |number| player.play(1, 2, number).plies.iter().rev().skip(1).any(clear);
        assert!((0..8).any(&mut goes_on));
    }

    #[test]
    fn a_tree_search_leaves_its_visits() {
        let variant = VariantId::English;
        let tree = Some(Params { noise: 0.25, leaf: "eval".parse().unwrap(), ..Params::default() });
        let player = || SelfplayPlayer::new(variant, 60, EvaluationKind::Learned).with_tree(tree);
        let game = player().play(1, 2, 3);
        assert_eq!(player().play(1, 2, 3), game);
        assert_ne!(player().play(1, 2, 4), game);
        let searched: Vec<_> = game.plies.iter().filter(|ply| ply.score.is_some()).collect();
        assert!(searched.len() > 5);
        assert!(searched.iter().all(|ply| !ply.visits.is_empty()), "every choice has visits");
        // Some of the first moves are sampled; nearly all later ones are those with the most visits.
        let is_most = |ply: &&Ply| {
            let shares = ply.visits.as_slice();
            shares.iter().any(|share| share.index == ply.index && share.parts == shares[0].parts)
        };
        let games: Vec<_> = (0..6).map(|number| player().play(1, 2, number)).collect();
        let [mut sampled, mut later] = [[0; 2]; 2];
        for game in &games {
            let start = usize::from(game.random_plies);
            for (i, ply) in game.plies.iter().enumerate().filter(|(_, ply)| ply.score.is_some()) {
                let counts = if i < start + SAMPLED_PLIES { &mut sampled } else { &mut later };
                counts[usize::from(is_most(&ply))] += 1;
            }
        }
        assert!(sampled[0] * 5 > sampled[1] && later[0] * 20 < later[1], "{sampled:?} {later:?}");
    }

    #[test]
    fn a_run_goes_on_where_it_was() {
        let bytes = |parts: &[u64]| {
            let folder = tempfile::tempdir().unwrap();
            for &games in parts {
                let order = Run {
                    variant: VariantId::English,
                    seed: 5,
                    first_shard: 8,
                    threads: 2,
                    nodes: 100,
                    tree: None,
                    random_percent: 0,
                    evaluation: EvaluationKind::HandMade,
                    eval_file: None,
                    tables: None,
                    games: Some(games),
                    time: None,
                };
                run(&order, folder.path(), &SelfplayProgress::default()).unwrap();
            }
            ["english-5-8.games", "english-5-9.games"]
                .map(|name| std::fs::read(folder.path().join(name)).unwrap())
        };
        let whole = bytes(&[4]);
        assert_ne!(whole[0], whole[1]);
        assert_eq!(bytes(&[1, 3, 4]), whole);
    }
}
