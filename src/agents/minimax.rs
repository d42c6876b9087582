//! Minimax to a fixed depth, in the forms of the literature: with and without pruning, with and without a quiet end.

use super::score::{Judge, LinearWeights, ScoreKind, balance, one_sided};
use super::{Agent, Choice, Deadline, ValueUnit, WIN};
use crate::board::{Move, Position};
use crate::game::Game;
use crate::rules::draws::Counters;
use crate::rules::{Objective, VariantId, legal_moves, play_in};
use crate::search::{Control, Limits};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Lines of captures beyond the depth end after so many plies at the latest.
const MOST_QUIET_PLIES: u32 = 64;

/// The plain search of "AI for Draught", "Draughts AI" and "Checkers with reinforcement learning": recursive,
/// depth-limited, judged at its leaves for the one side that searches (their scores are not symmetric, so the sign
/// cannot be changed from ply to ply). Equal moves are chosen among at random, by the seed of the game.
///
/// Draws by count of moves are seen, repetitions are not: no text has them.
///
/// [`Choice::value`] is the score of [`ScoreKind`], or beyond [`DECIDED`](super::DECIDED) where the game is decided.
#[derive(Clone, Debug)]
pub struct Minimax {
    /// Plies. The texts name 3, 5 and 7 (English) and leave those of the tables open; 3 is the authors' own.
    pub depth: u32,
    /// Whether that is its depth whatever the limits say.
    pub keeps_depth: bool,
    /// Which score judges.
    pub score: ScoreKind,
    /// The weights of [`ScoreKind::Linear`].
    pub weights: LinearWeights,
    /// Whether captures of the side to move are searched on beyond the depth.
    pub quiet: bool,
    /// Whether alpha-beta pruning saves nodes; the move is the same.
    pub prune: bool,
    pub(super) random: Xoshiro256PlusPlus,
}

impl Default for Minimax {
    fn default() -> Minimax {
        Minimax {
            depth: 3,
            keeps_depth: false,
            score: ScoreKind::default(),
            weights: LinearWeights::default(),
            quiet: false,
            prune: true,
            random: Xoshiro256PlusPlus::seed_from_u64(0),
        }
    }
}

impl Minimax {
    /// Greedy: the best `f` after its own move ("AI for Draught"), whatever depth the limits give.
    pub fn greedy() -> Minimax {
        Minimax { depth: 1, keeps_depth: true, prune: false, ..Minimax::default() }
    }
}

impl Agent for Minimax {
    fn new_game(&mut self, seed: u64) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
    }

    /// A depth in the limits takes the place of [`Minimax::depth`], unless that is kept. Out of time or nodes, it answers the
    /// best move that it has searched whole; where these are limited, a search of one ply comes first, so that there is one.
    fn choose(&mut self, game: &Game, limits: &Limits, control: &Control) -> Option<Choice> {
        let mut moves = game.legal_moves().to_vec();
        // The first of equals is chosen: in random order that is any of them.
        moves.shuffle(&mut self.random);
        let depth = limits.depth.filter(|_| !self.keeps_depth).unwrap_or(self.depth).max(1);
        let mut search = Search {
            variant: game.variant(),
            judge: Judge::new(self.score, self.weights, game.variant(), game.position()),
            quiet: self.quiet,
            prune: self.prune,
            deadline: Deadline::new(limits, control),
            draw: self.even(game),
            nodes: 0,
        };
        let is_limited = limits.nodes.is_some() || limits.move_time.is_some() || limits.clock.is_some();
        let first = if is_limited && depth > 1 { search.best(game, &moves, 1) } else { None };
        if let Some((mv, _)) = first {
            // What the limit leaves time for is compared with this move.
            moves.sort_by_key(|&other| other != mv);
        }
        let whole = search.best(game, &moves, depth).map(|best| (best, depth));
        let (mv, value, depth) = match whole.or(first.map(|best| (best, 1))) {
            Some(((mv, value), depth)) => (mv, Some(value), depth),
            // Not even one move was searched whole: it has looked at nothing.
            None => (*moves.first()?, None, 0),
        };
        Some(Choice { mv, value, depth, nodes: search.nodes })
    }

    fn unit(&self) -> ValueUnit {
        ValueUnit::Men(match self.score {
            ScoreKind::F | ScoreKind::Change => 1.0,
            ScoreKind::Linear | ScoreKind::Material => self.weights.piece,
        })
    }

    fn even(&self, game: &Game) -> f64 {
        match self.score {
            ScoreKind::F => one_sided(game.variant(), game.position(), game.position().turn()),
            // What is counted since the root is less by what the root is ahead.
            ScoreKind::Change => -balance(game.variant(), game.position(), game.position().turn()),
            ScoreKind::Linear | ScoreKind::Material => 0.0,
        }
    }
}

/// One search.
struct Search<'a> {
    variant: VariantId,
    judge: Judge,
    quiet: bool,
    prune: bool,
    deadline: Deadline<'a>,
    /// What a draw is worth: as much as an even position.
    draw: f64,
    nodes: u64,
}

impl Search<'_> {
    /// The best of the moves that are searched whole before time is over, and its value.
    fn best(&mut self, game: &Game, moves: &[Move], depth: u32) -> Option<(Move, f64)> {
        let mut best: Option<(Move, f64)> = None;
        for &mv in moves {
            let alpha = best.map_or(f64::NEG_INFINITY, |(_, value)| value);
            let window = (alpha, f64::INFINITY);
            let after = self.after(game.position(), game.counters_to_play_on(), mv);
            let value = self.value(&after.0, after.1, i64::from(depth) - 1, window, 1);
            if self.deadline.is_over {
                break;
            }
            if best.is_none() || value > alpha {
                best = Some((mv, value));
            }
        }
        best
    }

    fn after(&self, position: &Position, counters: Counters, mv: Move) -> (Position, Counters) {
        let next = play_in(self.variant, position, mv);
        (next, counters.after(self.variant.rules(), mv, &next))
    }

    /// The value for the side that searches; what it returns when time is over means nothing.
    fn value(
        &mut self,
        position: &Position,
        counters: Counters,
        depth: i64,
        (mut alpha, mut beta): (f64, f64),
        ply: u32,
    ) -> f64 {
        self.nodes += 1;
        if self.deadline.is_over(self.nodes) {
            return 0.0;
        }
        let moves = legal_moves(self.variant, position);
        self.deadline.saw(&moves);
        let ours = self.judge.is_ours(position);
        if moves.is_empty() {
            let rules = self.variant.rules();
            let won = ours == (rules.objective == Objective::Lose);
            let value = WIN - f64::from(ply);
            return if won { value } else { -value };
        }
        if counters.is_draw(self.variant.rules()) {
            return self.draw;
        }
        let is_noisy = self.quiet && depth > -i64::from(MOST_QUIET_PLIES) && moves[0].is_capture();
        if depth <= 0 && !is_noisy {
            return self.judge.score(position);
        }
        let mut best = if ours { f64::NEG_INFINITY } else { f64::INFINITY };
        for &mv in &moves {
            let after = self.after(position, counters, mv);
            let value = self.value(&after.0, after.1, depth - 1, (alpha, beta), ply + 1);
            if ours {
                best = best.max(value);
                alpha = alpha.max(best);
            } else {
                best = best.min(value);
                beta = beta.min(best);
            }
            if self.deadline.is_over || self.prune && alpha >= beta {
                break;
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen::game_from_fen;
    use std::time::Duration;

    fn choose(agent: &mut Minimax, game: &Game) -> Choice {
        agent.choose(game, &Limits::default(), &Control::new()).unwrap()
    }

    /// The value by the definition alone, without pruning and without limits.
    fn plain(search: &Search<'_>, position: &Position, counters: Counters, depth: i64, ply: u32) -> f64 {
        let moves = legal_moves(search.variant, position);
        let ours = search.judge.is_ours(position);
        if moves.is_empty() {
            return if ours { f64::from(ply) - WIN } else { WIN - f64::from(ply) };
        }
        if depth == 0 && !(search.quiet && moves[0].is_capture()) || depth < -64 {
            return search.judge.score(position);
        }
        let values = moves.iter().map(|&mv| {
            let after = search.after(position, counters, mv);
            plain(
                search,
                &after.0,
                after.1,
                (depth - 1).max(if moves[0].is_capture() { 0 } else { -99 }),
                ply + 1,
            )
        });
        if ours { values.fold(f64::NEG_INFINITY, f64::max) } else { values.fold(f64::INFINITY, f64::min) }
    }

    #[test]
    fn pruning_changes_nothing_but_the_nodes() {
        for variant in [VariantId::English, VariantId::International, VariantId::Losing] {
            for score in [ScoreKind::F, ScoreKind::Linear, ScoreKind::Change] {
                for quiet in [false, true] {
                    let mut game = Game::new(variant);
                    let mut agents =
                        [true, false].map(|prune| Minimax { score, quiet, prune, ..Minimax::default() });
                    for _ in 0..8 {
                        agents.iter_mut().for_each(|agent| agent.new_game(game.moves().len() as u64));
                        let [pruned, whole] = agents.each_mut().map(|agent| choose(agent, &game));
                        assert_eq!((pruned.mv, pruned.value), (whole.mv, whole.value), "{variant} {score}");
                        assert!(pruned.nodes <= whole.nodes);
                        game.play(pruned.mv).unwrap();
                    }
                }
            }
        }
    }

    #[test]
    fn the_value_is_that_of_the_definition() {
        let fens = ["W:W18,22,27,K4:B1,5,9,10", "B:W32,28,27,K3:BK29,5,9,10,11"];
        for fen in fens {
            let game = game_from_fen(VariantId::English, fen).unwrap();
            for score in [ScoreKind::F, ScoreKind::Linear, ScoreKind::Change] {
                for depth in 1..=4 {
                    let control = Control::new();
                    let search = Search {
                        variant: VariantId::English,
                        judge: Judge::new(score, LinearWeights::default(), game.variant(), game.position()),
                        quiet: false,
                        prune: false,
                        deadline: Deadline::new(&Limits::default(), &control),
                        draw: 0.0,
                        nodes: 0,
                    };
                    let expected = plain(&search, game.position(), game.counters(), depth, 0);
                    let mut agent = Minimax { depth: depth as u32, score, ..Minimax::default() };
                    assert_eq!(choose(&mut agent, &game).value, Some(expected), "{fen} {score} {depth}");
                }
            }
        }
    }

    #[test]
    fn greedy_takes_what_scores_most_and_chooses_among_equals_by_the_seed() {
        // One capture takes a man, the other a king: f is larger by two after the latter.
        let game = game_from_fen(VariantId::English, "W:WK18:B14,K15").unwrap();
        let mut greedy = Minimax::greedy();
        let taken = choose(&mut greedy, &game).mv.captured();
        assert!(taken.into_iter().all(|square| game.position().kings().contains(square)), "{taken:?}");
        // A king next to the middle scores best one column nearer to the edge, forward or back: seeds differ, one seed
        // does not.
        let game = game_from_fen(VariantId::English, "W:WK18:B1").unwrap();
        let by_seed = |seed| {
            let mut greedy = Minimax::greedy();
            greedy.new_game(seed);
            choose(&mut greedy, &game).mv
        };
        assert_eq!(by_seed(3), by_seed(3));
        let moves: std::collections::HashSet<_> = (0..40).map(by_seed).collect();
        assert_eq!(moves.len(), 2);
        // A depth in the limits is for those who look ahead.
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let choice = Minimax::greedy().choose(&game, &limits, &Control::new()).unwrap();
        assert_eq!((choice.depth, choice.nodes), (1, game.legal_moves().len() as u64));
    }

    #[test]
    fn the_quiet_end_sees_an_exchange_that_the_depth_cuts_off() {
        // The king must take the man on 18 and is taken back by that on 9: a man won, then a king lost.
        let game = game_from_fen(VariantId::English, "W:WK23,32:B18,9,5").unwrap();
        let value = |quiet| {
            let mut agent = Minimax { depth: 1, score: ScoreKind::Change, quiet, ..Minimax::default() };
            choose(&mut agent, &game).value.unwrap()
        };
        assert_eq!((value(false), value(true)), (1.0, -1.0));
    }

    #[test]
    fn nodes_that_do_not_last_leave_the_move_of_one_ply() {
        // One of the two captures wins a king.
        let game = game_from_fen(VariantId::English, "W:WK18:B14,K15,1,2").unwrap();
        // With 800 of them one move is searched to the depth.
        for (nodes, depth) in [(30, 12), (800, 6)] {
            for seed in 0..8 {
                let mut agent = Minimax { depth, ..Minimax::default() };
                agent.new_game(seed);
                let limits = Limits { nodes: Some(nodes), ..Limits::default() };
                let choice = agent.choose(&game, &limits, &Control::new()).unwrap();
                assert!(choice.nodes <= nodes && [1, depth].contains(&choice.depth));
                assert!(
                    choice.mv.captured().into_iter().all(|square| game.position().kings().contains(square))
                );
            }
        }
        // The same with time.
        let game = Game::new(VariantId::International);
        let mut agent = Minimax { depth: 60, ..Minimax::default() };
        let limits = Limits { move_time: Some(Duration::from_millis(200)), ..Limits::default() };
        let choice = agent.choose(&game, &limits, &Control::new()).unwrap();
        assert!(choice.depth == 1 && choice.value.is_some(), "{choice:?}");
    }

    /// Two men ahead, with a draw by count two plies away: a man that moves keeps the lead.
    #[test]
    fn a_draw_is_worth_an_even_position_whatever_the_score() {
        let mut game = game_from_fen(VariantId::English, "W:WK32,29,30:BK1").unwrap();
        for number in 0..78 {
            let [from, to] = [[32, 28], [1, 5], [28, 32], [5, 1]][number % 4];
            let square = |n| game.variant().rules().square(n).unwrap();
            let mv =
                game.legal_moves().into_iter().find(|mv| (mv.from(), mv.to()) == (square(from), square(to)));
            game.play(mv.unwrap()).unwrap();
        }
        for score in [ScoreKind::F, ScoreKind::Linear, ScoreKind::Material, ScoreKind::Change] {
            for seed in 0..12 {
                let mut agent = Minimax { score, ..Minimax::default() };
                agent.new_game(seed);
                let choice = choose(&mut agent, &game);
                assert!(!choice.mv.is_king(), "{score} {seed}");
                assert!(choice.value.unwrap() > agent.even(&game), "{score}");
            }
        }
    }

    #[test]
    fn a_win_in_one_beats_any_score_and_time_ends_the_search() {
        let game = game_from_fen(VariantId::English, "W:WK18:B14").unwrap();
        let choice = choose(&mut Minimax::default(), &game);
        assert_eq!(choice.value, Some(WIN - 1.0));
        let control = Control::new();
        control.stop();
        let game = Game::new(VariantId::International);
        let mut agent = Minimax { depth: 60, ..Minimax::default() };
        let choice = agent.choose(&game, &Limits::default(), &control).unwrap();
        assert!(game.legal_moves().contains(&choice.mv));
        assert_eq!((choice.value, choice.depth), (None, 0));
        let limits = Limits { nodes: Some(1000), ..Limits::default() };
        assert!(agent.choose(&game, &limits, &Control::new()).unwrap().nodes <= 1000);
    }
}
