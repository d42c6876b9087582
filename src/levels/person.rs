//! A small alpha-beta search that errs as people do: it overlooks captures, has opinions, follows habits and moods.
//!
//! What is overlooked, liked and preferred is decided by hashes of the seed and the position: within a game the same
//! capture at the same distance is overlooked again, and may be seen when it has come nearer.

use super::dice::{bits, centred, gumbel, unit};
use super::habits::natural;
use super::skill::Person;
use crate::board::{Bitboard, Key, Move, MoveList, Position, Square};
use crate::eval::{Evaluation, Evaluator};
use crate::rules::draws::Counters;
use crate::rules::movegen::{can_capture, generate};
use crate::rules::{Variant, play};
use crate::score::Score;
use crate::search::{Control, Handicap, Info, Observer, SearchResult, SearchTask, blocked, may_be_slow};
use std::time::{Duration, Instant};

/// Last iteration, in plies; captures do not count.
const MOST_DEPTH: u32 = 40;
/// Longest line, in plies.
const MOST_PLIES: u32 = 100;
/// Nodes between two looks at the clock and the stop flag.
const POLL_NODES: u64 = 64;
/// What the hashes decide; part of them, so that one does not decide the other.
const OVERLOOKED: u64 = 1;
const OPINION: u64 = 2;
const MOOD: u64 = 3;
const SLIP: u64 = 4;

/// Searches as this person in the game with this seed. There must be a legal move.
pub(super) fn search<V: Variant>(
    task: &SearchTask<'_>,
    person: Person,
    seed: u64,
    evaluation: &Evaluation,
    control: &Control,
    observer: &mut dyn Observer,
) -> SearchResult {
    let mut thought = Thought::<V> {
        task,
        person,
        seed,
        evaluation,
        control,
        memory: Default::default(),
        opinions: opinions(&person, seed),
        keys: task.game.recent_keys().to_vec(),
        lines: vec![Vec::new(); MOST_PLIES as usize + 2],
        history: vec![0; 2 * Square::COUNT * Square::COUNT],
        nodes: 0,
        leaves: 0,
        leaf_plies: 0,
        budget: u64::MAX,
        looks_soon: false,
        stopped: false,
    };
    let info = thought.deepen(observer);
    SearchResult::of(info, thought.nodes)
}

/// How much more or less than it is worth a man is held for: own ones and the opponent's by square, in centi-men.
type Opinions = [[i32; 64]; 2];

fn opinions(person: &Person, seed: u64) -> Opinions {
    let mut opinions = [[0; 64]; 2];
    for (side, squares) in opinions.iter_mut().enumerate() {
        for (square, opinion) in squares.iter_mut().enumerate() {
            let chance = centred(bits(seed, [OPINION, side as u64, square as u64]));
            *opinion = (person.opinion * chance).round() as i32;
        }
    }
    opinions
}

/// One search.
struct Thought<'a, V: Variant> {
    task: &'a SearchTask<'a>,
    person: Person,
    seed: u64,
    evaluation: &'a Evaluation,
    control: &'a Control,
    memory: <Evaluation as Evaluator<V>>::Memory,
    opinions: Opinions,
    /// Keys since the last irreversible move, then those of the path; the last one is the current position's.
    keys: Vec<Key>,
    /// The best line from each ply on.
    lines: Vec<Vec<Move>>,
    /// How often a move was the best, by side, from and to.
    history: Vec<u32>,
    nodes: u64,
    leaves: u64,
    leaf_plies: u64,
    /// Nodes after which this person has thought enough.
    budget: u64,
    /// Whether the last moves may have taken long to find: the next node looks at the clock.
    looks_soon: bool,
    stopped: bool,
}

/// A legal move of the root.
struct Candidate {
    mv: Move,
    /// What habit and mood say for it, in centi-men.
    taste: i32,
}

impl Candidate {
    /// The key that sorts the most tempting first.
    fn distaste(&self) -> i32 {
        -self.taste
    }
}

/// A node's place in the tree.
#[derive(Clone, Copy)]
struct Place {
    depth: u32,
    ply: u32,
    /// Whether the move before was a capture.
    after_capture: bool,
    /// Whether a threat of the opponent at the end of the line has been looked at already.
    after_threat: bool,
}

impl<V: Variant> Thought<'_, V> {
    /// Iterative deepening until the person has thought enough or a limit is reached.
    fn deepen(&mut self, observer: &mut dyn Observer) -> Info {
        let mut candidates = self.candidates();
        // Until something is searched, the first thing that comes to mind.
        let mut info = Info {
            rank: 1,
            depth: 1,
            mean_depth: 0.0,
            score: Score::DRAW,
            winrate: None,
            nodes: 0,
            time: Duration::from_micros(1),
            pv: vec![candidates[0].mv],
        };
        let mut is_told = false;
        let deepest = self.task.limits.depth.unwrap_or(MOST_DEPTH).clamp(1, MOST_DEPTH);
        for depth in 1..=deepest {
            if let Some((index, score)) = self.iterate(&candidates, depth) {
                let best = candidates.remove(index);
                let mut pv = vec![best.mv];
                pv.append(&mut self.lines[0]);
                candidates.insert(0, best);
                info = self.report(depth, score, pv);
                observer.info(&info);
                is_told = true;
            }
            let found_win = info.score.plies_to_end().is_some_and(|plies| plies <= depth);
            if self.stopped || candidates.len() == 1 || found_win {
                break;
            }
            // Everybody looks at each of his moves once.
            self.budget = self.person.nodes;
            if self.nodes >= self.budget || self.is_target_spent() {
                break;
            }
        }
        if !is_told {
            info = self.report(1, Score::DRAW, info.pv);
            observer.info(&info);
        }
        info
    }

    fn report(&self, depth: u32, score: Score, pv: Vec<Move>) -> Info {
        Info {
            rank: 1,
            depth,
            mean_depth: self.leaf_plies as f64 / self.leaves.max(1) as f64,
            score,
            winrate: None,
            nodes: self.nodes,
            time: self.task.start.elapsed().max(Duration::from_micros(1)),
            pv,
        }
    }

    /// The legal moves, the most tempting first.
    fn candidates(&self) -> Vec<Candidate> {
        let position = self.task.game.position();
        let plies = self.task.game.moves().len() as u64;
        let taste = |mv: Move| {
            let next = play::<V>(position, mv);
            let mood = gumbel(bits(self.seed, [MOOD, plies, next.key().0]));
            self.person.habit * natural::<V>(position, mv) + self.person.temperature * mood
        };
        let moves = self.task.root_moves();
        let mut candidates: Vec<Candidate> =
            moves.iter().map(|&mv| Candidate { mv, taste: taste(mv).round() as i32 }).collect();
        candidates.sort_by_key(Candidate::distaste);
        candidates
    }

    /// One iteration: the index of the best candidate and its score; its line is in `lines[0]`, without its first move.
    /// None when the search was stopped before one was searched whole.
    fn iterate(&mut self, candidates: &[Candidate], depth: u32) -> Option<(usize, Score)> {
        let (position, counters) = (*self.task.game.position(), self.task.game.counters_to_play_on());
        let mut best: Option<(usize, Score, Score)> = None;
        let mut best_line = Vec::new();
        for (index, candidate) in candidates.iter().enumerate() {
            // A move that is liked less must be worth more to be chosen; nobody prefers a nice move to a win that he sees.
            let least = best.map_or(-Score::INFINITE, |(_, _, wanted)| {
                if wanted.is_decided() { wanted } else { wanted - candidate.taste }
            });
            let place = Place {
                depth: depth - 1,
                ply: 1,
                after_capture: candidate.mv.is_capture(),
                after_threat: false,
            };
            let score = -self.child(&position, counters, candidate.mv, (-Score::INFINITE, -least), place);
            if self.stopped {
                break;
            }
            if score > least {
                let wanted = if score.is_decided() { score } else { score + candidate.taste };
                best = Some((index, score, wanted));
                best_line.clone_from(&self.lines[1]);
            }
        }
        self.lines[0] = best_line;
        best.map(|(index, score, _)| (index, score))
    }

    /// The value of the position after a move, for the side that is to move then.
    fn child(
        &mut self,
        position: &Position,
        counters: Counters,
        mv: Move,
        window: (Score, Score),
        place: Place,
    ) -> Score {
        let next = play::<V>(position, mv);
        self.keys.push(next.key());
        let score = self.value(&next, counters.after_in::<V>(mv, &next), window, place);
        self.keys.pop();
        score
    }

    /// The value for the side to move; what it returns when the search is stopped means nothing.
    fn value(
        &mut self,
        position: &Position,
        counters: Counters,
        (mut alpha, beta): (Score, Score),
        mut place: Place,
    ) -> Score {
        let ply = place.ply as usize;
        self.lines[ply].clear();
        if self.count_node() {
            return Score::DRAW;
        }
        let mut moves = MoveList::new();
        let captures = generate::<V>(position, &mut moves);
        self.looks_soon = captures && may_be_slow(&moves);
        if moves.is_empty() {
            return blocked::<V>(ply);
        }
        if counters.is_draw(const { &V::RULES }) || self.is_repetition(counters) {
            return Score::DRAW;
        }
        let handicap = self.task.limits.handicap;
        let is_left_out = captures && place.depth == 0 && handicap == Handicap::Captures;
        if is_left_out || place.ply >= self.task.limits.plies.unwrap_or(MOST_PLIES).min(MOST_PLIES) {
            return self.judge(position, ply);
        }
        if captures {
            moves = self.seen(position, &moves, place);
            if moves.is_empty() {
                return self.judge(position, ply);
            }
        } else if place.depth == 0 {
            let is_looked_at = handicap == Handicap::None && !place.after_threat;
            if !is_looked_at || !can_capture::<V>(position, !position.turn()) {
                return self.judge(position, ply);
            }
            place = Place { depth: 1, after_threat: true, ..place };
        }
        let depth = if captures { place.depth } else { place.depth - 1 };
        order(&self.history, position, &mut moves);
        let mut best = -Score::INFINITE;
        for &mv in moves.iter() {
            let next = Place { depth, ply: place.ply + 1, after_capture: captures, ..place };
            let score = -self.child(position, counters, mv, (-beta, -alpha), next);
            if self.stopped {
                return Score::DRAW;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    let (line, rest) = self.lines[ply..].split_at_mut(1);
                    line[0].clear();
                    line[0].push(mv);
                    line[0].extend_from_slice(&rest[0]);
                }
                if score >= beta {
                    self.history[history_index(position, mv)] += (place.depth + 1).pow(2);
                    break;
                }
            }
        }
        best
    }

    /// The captures that this person sees. Those of the root are all seen: the rules ask for them.
    fn seen(&self, position: &Position, moves: &[Move], place: Place) -> MoveList {
        let mut seen = MoveList::new();
        for &mv in moves {
            let count = mv.captured().len();
            let chance = self.person.overlooks(count, place.ply, mv.is_king(), place.after_capture);
            let squares = (mv.from().index() << 6 | mv.to().index()) as u64;
            let is_seen = chance <= 0.0
                || unit(bits(self.seed, [OVERLOOKED, position.key().0, squares, mv.captured().0])) >= chance;
            if is_seen {
                seen.push(mv);
            }
        }
        seen
    }

    /// What this person thinks of a position for the side to move.
    fn judge(&mut self, position: &Position, ply: usize) -> Score {
        self.leaves += 1;
        self.leaf_plies += ply as u64;
        let fair = Evaluator::<V>::evaluate_with(self.evaluation, &mut self.memory, position, ply);
        let us = self.task.game.position().turn();
        // Kings have no good or bad squares: the player who is about to win with them knows what he wants.
        let held = |side: usize, squares: Bitboard| -> i32 {
            squares.into_iter().map(|square| self.opinions[side][square.index()]).sum()
        };
        let mut liked = held(0, position.men(us)) - held(1, position.men(!us));
        let slip = 0.5 * self.person.opinion * centred(bits(self.seed, [SLIP, position.key().0]));
        liked += slip.round() as i32;
        Score::evaluation(fair.centi() + if position.turn() == us { liked } else { -liked })
    }

    /// Whether the position has occurred before, in the game or on the path.
    fn is_repetition(&self, counters: Counters) -> bool {
        let (current, before) = match self.keys.split_last() {
            Some((current, before)) if counters.reversible_plies() >= 4 => (current, before),
            _ => return false,
        };
        before.iter().rev().take(counters.reversible_plies() as usize).any(|key| key == current)
    }

    /// Counts a node; true when the search must unwind: the person has thought enough, or a limit is reached.
    fn count_node(&mut self) -> bool {
        let most = self.task.limits.nodes.unwrap_or(u64::MAX).min(self.budget);
        let is_told = || self.control.is_stopped() || self.is_time_up();
        let looks = self.looks_soon || self.nodes.is_multiple_of(POLL_NODES);
        if self.nodes >= most || looks && is_told() {
            self.stopped = true;
        } else {
            self.nodes += 1;
        }
        self.stopped
    }

    fn is_time_up(&self) -> bool {
        let Some(mut hard) = self.task.bounds.hard else { return false };
        // At the hit the limits shrink to what is left of the target, as in other searches.
        if let Some(hit) = self.control.ponder_hit_time().filter(|_| self.task.pondering) {
            let pondered = hit.saturating_duration_since(self.task.start);
            hard = self.task.bounds.hard_after_hit(pondered, 1.0).unwrap_or(hard);
        }
        let start = if self.task.pondering { self.control.ponder_hit_time() } else { Some(self.task.start) };
        start.is_some_and(|start| Instant::now().saturating_duration_since(start) >= hard)
    }

    /// Whether no further iteration is begun: what is meant for the move on a clock is used up. Pondering counts.
    fn is_target_spent(&self) -> bool {
        let is_running = !self.task.pondering || self.control.ponder_hit_time().is_some();
        is_running && self.task.bounds.soft.is_some_and(|target| self.task.start.elapsed() >= target)
    }
}

/// Best moves of other places first, and the larger captures. The same for all variants, and compiled once.
fn order(history: &[u32], position: &Position, moves: &mut MoveList) {
    moves.as_mut_slice().sort_by_key(|&mv| {
        std::cmp::Reverse((mv.captured().len(), mv.promotes(), history[history_index(position, mv)]))
    });
}

fn history_index(position: &Position, mv: Move) -> usize {
    (position.turn().index() * Square::COUNT + mv.from().index()) * Square::COUNT + mv.to().index()
}
