//! Alpha-beta a few plies deep, for another search that wants the values of many positions.

use super::history::History;
use super::node::table_key;
use super::thread::{SearchThread, SharedState};
use super::tuning::Tuning;
use crate::board::{Key, Position};
use crate::eval::Evaluator;
use crate::rules::Variant;
use crate::rules::draws::Counters;
use crate::score::Score;
use crate::search::clock::SearchClock;
use crate::search::quiescence::Quiescence;
use crate::search::table::{Bound, MoveCode, TranspositionTable};
use crate::search::window::Window;
use crate::search::{Control, SearchTask};
use crossbeam::utils::CachePadded;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU64, Ordering};

/// What alpha-beta keeps from one search to the next.
pub struct AlphaBetaMemory<'a> {
    /// The transposition table.
    pub table: &'a TranspositionTable,
    /// What each thread has learned about the order of moves.
    pub histories: &'a mut [History],
    /// The numbers of the search.
    pub tuning: Tuning,
}

/// What the short searches of all threads share.
pub(in crate::search) struct ShortSearches<'a>(SharedState<'a>);

impl<'a> ShortSearches<'a> {
    /// Searches for so many threads, which end with those of `task`, wherever they are, by its clock.
    pub fn new(
        task: &SearchTask<'a>,
        table: &'a TranspositionTable,
        threads: usize,
        control: &'a Control,
        clock: SearchClock<'a>,
    ) -> ShortSearches<'a> {
        ShortSearches(SharedState {
            table,
            control,
            clock,
            most_nodes: None,
            over: AtomicBool::new(false),
            endgame: task.endgame,
            variations: 1,
            completed: AtomicI32::new(-1),
            result: Mutex::new(Vec::new()),
            busy: None,
            nodes: (0..threads).map(|_| CachePadded::new(AtomicU64::new(0))).collect(),
        })
    }

    /// Ends all that run.
    pub fn end(&self) {
        self.0.over.store(true, Ordering::Relaxed);
    }
}

/// The short searches of one thread.
pub(in crate::search) struct ShortSearch<'a, V: Variant, E: Evaluator<V>> {
    thread: SearchThread<'a, V, E>,
}

/// Half the width of the first window, in centi-men.
const WIDTH: i32 = 20;

impl<'a, V: Variant, E: Evaluator<V>> ShortSearch<'a, V, E> {
    pub fn new(
        shared: &'a ShortSearches<'a>,
        evaluator: &'a E,
        tuning: Tuning,
        history: &'a mut History,
        id: usize,
        task: &SearchTask<'_>,
    ) -> Self {
        ShortSearch {
            thread: SearchThread::new(&shared.0, evaluator, tuning, history, id, task, &task.root_moves()),
        }
    }

    /// The last value of a position and its best move, if the table still has them.
    pub fn known(&self, position: &Position, counters: Counters) -> Option<(Score, MoveCode)> {
        let entry = self.thread.shared.table.probe(table_key::<V>(position, counters), 0)?;
        (entry.bound == Bound::Exact && entry.mv != MoveCode::NONE).then_some((entry.score, entry.mv))
    }

    /// The value of a position so many plies deep; none if the search was stopped, and from then on always.
    /// `keys` are those of the game and the path to it, its own the last one. It is found soonest where it is near the
    /// one that is `expected`.
    pub fn value(
        &mut self,
        position: &Position,
        counters: Counters,
        keys: &mut Vec<Key>,
        depth: i32,
        expected: Option<Score>,
    ) -> Option<Score> {
        let thread = &mut self.thread;
        std::mem::swap(keys, &mut thread.keys);
        thread.stack[0].static_value = None;
        thread.iteration = depth;
        let mut window = Window { alpha: -Score::INFINITE, beta: Score::INFINITE };
        if let Some(score) = expected.filter(|score| !score.is_decided()) {
            window = Window { alpha: score - WIDTH, beta: score + WIDTH };
        }
        let mut score;
        loop {
            score = thread.search::<true>(position, counters, window, depth, 0);
            if score <= window.alpha && window.alpha > -Score::INFINITE {
                window.alpha = -Score::INFINITE;
            } else if score >= window.beta && window.beta < Score::INFINITE {
                window.beta = Score::INFINITE;
            } else {
                break;
            }
            if thread.is_stopped() {
                break;
            }
        }
        std::mem::swap(keys, &mut thread.keys);
        (!thread.is_stopped()).then_some(score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Piece, Setup};
    use crate::eval::{Evaluation, HandMade};
    use crate::game::Game;
    use crate::rules::draws::Counters;
    use crate::rules::{International, Losing, Russian, VariantId};
    use crate::search::Limits;
    use crate::search::alphabeta::params::{CLEAR, COUNT_NEAR};

    /// International draughts with these men, White to move.
    fn men(white: &[u32], black: &[u32]) -> Game {
        let board = VariantId::International.rules().board;
        let mut setup = Setup::empty(Color::White);
        for (color, squares) in [(Color::White, white), (Color::Black, black)] {
            for &square in squares {
                setup.put(board.square(square).unwrap(), Piece { color, king: false });
            }
        }
        Game::from_setup(VariantId::International, &setup).unwrap()
    }

    #[test]
    fn a_position_has_its_value_and_the_path_stays() {
        // 30-24 wins in 9 plies (tests/data/tactics.txt).
        let game = men(&[26, 27, 30, 31], &[16, 17, 25]);
        let board = game.variant().rules().board;
        let task = SearchTask::simple(&game, Limits::default());
        let (table, control, mut history) = (TranspositionTable::new(1), Control::new(), History::default());
        let shared = ShortSearches::new(&task, &table, 1, &control, SearchClock::new(&task, &control));
        let mut short = ShortSearch::<International, _>::new(
            &shared,
            &HandMade,
            Tuning::default(),
            &mut history,
            0,
            &task,
        );
        let mut keys = game.recent_keys().to_vec();
        let before = keys.clone();
        let mut value =
            |game: &Game, depth| short.value(game.position(), game.counters(), &mut keys, depth, None);
        let shallow = value(&game, 1).unwrap();
        assert!(!shallow.is_decided(), "{shallow}");
        let deep = value(&game, 10).unwrap();
        assert!(deep > Score::DRAW && deep.is_decided(), "{deep}");
        control.stop();
        assert_eq!(value(&Game::new(VariantId::International), 30), None);
        assert_eq!(keys, before);
        let (_, best) = short.known(game.position(), game.counters()).unwrap();
        let moves = game.legal_moves();
        let winner = moves.iter().find(|mv| MoveCode::of(**mv) == best);
        let name = |square| board.number(square);
        assert_eq!(winner.map(|mv| (name(mv.from()), name(mv.to()))), Some((30, 24)));
    }

    #[test]
    fn a_leaf_far_outside_the_window_is_judged_by_its_material() {
        let game = men(&[28, 38, 43, 45], &[1, 9, 13]);
        let task = SearchTask::simple(&game, Limits::default());
        let (table, control, mut history) = (TranspositionTable::new(1), Control::new(), History::default());
        let shared = ShortSearches::new(&task, &table, 1, &control, SearchClock::new(&task, &control));
        let (tuning, evaluation) = (Tuning::default(), Evaluation::best(VariantId::International));
        let mut short =
            ShortSearch::<International, _>::new(&shared, &evaluation, tuning, &mut history, 0, &task);
        let value = Evaluator::<International>::evaluate(&evaluation, game.position());
        let rough = Evaluator::<International>::rough(&evaluation, game.position()).unwrap();
        assert_ne!(value, rough);
        let mut search = |alpha: Score| {
            let window = Window { alpha, beta: alpha + 1 };
            short.thread.quiescence(game.position(), game.counters(), window, 0, 0)
        };
        let margin = tuning.lazy_margin;
        assert_eq!([search(rough + margin), search(rough - margin - 1)], [rough; 2]);
        assert_eq!([search(rough + margin - 1), search(rough - margin)], [value; 2]);
        // Material says nothing of the value where the loser of all pieces wins, and the hand-made evaluation is quick.
        assert_eq!(Evaluator::<Losing>::rough(&Evaluation::best(VariantId::Losing), game.position()), None);
        assert_eq!(Evaluator::<International>::rough(&Evaluation::HandMade, game.position()), None);
    }

    #[test]
    fn values_with_kings_fade_shortly_before_the_count_of_moves_ends_the_game() {
        let variant = VariantId::Russian;
        let rules = variant.rules();
        let mut setup = Setup::empty(Color::White);
        // W:WKc1,a1,a3,b4,c3:BKh8,h6
        for (number, color) in [
            (30, Color::White),
            (29, Color::White),
            (21, Color::White),
            (17, Color::White),
            (22, Color::White),
            (4, Color::Black),
            (12, Color::Black),
        ] {
            setup.put(rules.square(number).unwrap(), Piece { color, king: matches!(number, 30 | 4) });
        }
        let game = Game::from_setup(variant, &setup).unwrap();
        let kings = game.position().kings();
        let mv = game.legal_moves().into_iter().find(|mv| kings.contains(mv.from())).unwrap();
        let task = SearchTask::simple(&game, Limits::default());
        let (table, control, mut history) = (TranspositionTable::new(1), Control::new(), History::default());
        let shared = ShortSearches::new(&task, &table, 1, &control, SearchClock::new(&task, &control));
        let tuning = Tuning { threat_plies: 0, ..Tuning::default() };
        let evaluation = Evaluation::best(variant);
        let mut short = ShortSearch::<Russian, _>::new(&shared, &evaluation, tuning, &mut history, 0, &task);
        let value = Evaluator::<Russian>::evaluate(&evaluation, game.position()).centi();
        assert!(value.abs() > 16, "{value}");
        let mut counters = Counters::default();
        let mut faded = 0;
        while counters.plies_left(rules) > 1 {
            let left = i32::from(counters.plies_left(rules));
            let window = Window { alpha: -Score::INFINITE, beta: Score::INFINITE };
            let found = short.thread.quiescence(game.position(), counters, window, 0, 0);
            assert_eq!(
                found.centi(),
                if left < COUNT_NEAR { value * left / COUNT_NEAR } else { value },
                "{left}"
            );
            faded += i32::from(left < COUNT_NEAR);
            counters = counters.after(rules, mv, game.position());
        }
        assert_eq!(faded, COUNT_NEAR - 2);
    }

    #[test]
    fn a_threatened_side_far_below_alpha_gets_no_full_ply() {
        // Black threatens 23x32.
        let game = men(&[28, 38, 43], &[1, 19, 23]);
        let task = SearchTask::simple(&game, Limits::default());
        let (table, control, mut history) = (TranspositionTable::new(1), Control::new(), History::default());
        let shared = ShortSearches::new(&task, &table, 1, &control, SearchClock::new(&task, &control));
        let tuning = Tuning::default();
        let mut short =
            ShortSearch::<International, _>::new(&shared, &HandMade, tuning, &mut history, 0, &task);
        let thread = &mut short.thread;
        let value = Evaluator::<International>::evaluate(&HandMade, game.position());
        let mut search = |alpha: Score| {
            let before = thread.nodes;
            let window = Window { alpha, beta: alpha + 1 };
            let score = thread.quiescence(game.position(), game.counters(), window, 0, 0);
            (score, thread.nodes - before)
        };
        assert_eq!(search(value + tuning.threat_margin), (value, 1));
        assert!(search(value + tuning.threat_margin - 1).1 > 1);
        // A win is looked for.
        assert!(search(Score::DRAW + CLEAR).1 > 1);
    }
}
