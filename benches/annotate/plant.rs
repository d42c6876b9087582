//! Games of self-play with a bad move in them.

use kroon::annotate::MoveClass;
use kroon::board::{Color, Move, Piece, Setup};
use kroon::engine::{Engine, Mode, Options, Request};
use kroon::eval::wdl;
use kroon::game::Game;
use kroon::rules::{VariantId, play_in};
use kroon::score::Score;
use kroon::search::{Control, Limits};
use kroon::tablebase::{Tables, Value};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// What is planted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A man or more is lost by a shot of 2 to 4 plies.
    Shot,
    /// A draw of the endgame tables is lost.
    TableDraw,
    /// A win is given away, but not the draw.
    Win,
}

impl Kind {
    pub const ALL: [Kind; 3] = [Kind::Shot, Kind::TableDraw, Kind::Win];

    /// Whether a move of this kind belongs to the class.
    pub fn is_right(self, class: MoveClass) -> bool {
        match self {
            Kind::Shot => class.is_grave(),
            Kind::TableDraw => class == MoveClass::Blunder,
            Kind::Win => matches!(class, MoveClass::MissedWin),
        }
    }
}

/// Longest game, in plies.
const LONGEST: usize = 120;
/// The least that a shot must cost: clearly more than a mistake.
const COSTS: f64 = 0.13;
/// Depth of the search that must see the shot, after the bad move.
const SHOT_PLIES: u32 = 4;
/// How many nodes say what is true.
const TRUTH: u64 = 1_000_000;

/// What a long search thinks of a move: expected results.
pub struct Truth {
    pub best: f64,
    pub played: f64,
}

impl Truth {
    /// Of the move with this index.
    pub fn new(engine: &mut Engine, game: &Game, index: usize, nodes: u64) -> Truth {
        let before = prefix(game, index);
        of(engine, &before, game.moves()[index], nodes)
    }

    pub fn loss(&self) -> f64 {
        self.best - self.played
    }
}

fn prefix(game: &Game, plies: usize) -> Game {
    let mut before = Game::from_setup(game.variant(), &Setup::from(game.start())).expect("a start");
    game.moves()[..plies].iter().for_each(|&mv| before.play(mv).expect("it was played"));
    before
}

fn of(engine: &mut Engine, before: &Game, mv: Move, nodes: u64) -> Truth {
    engine.new_game();
    let (best, score) = search(engine, before, Limits { nodes: Some(nodes), ..Limits::default() });
    let expected = |score| wdl::chances(before.variant(), before.position(), score, None).expected();
    let played = if best == Some(mv) {
        score
    } else {
        score_of(engine, before, mv, Limits { nodes: Some(nodes), ..Limits::default() })
    };
    Truth { best: expected(score.max(played)), played: expected(played) }
}

/// As the analysis searches: a position that has occurred once is no draw yet.
fn search(engine: &mut Engine, game: &Game, limits: Limits) -> (Option<Move>, Score) {
    let request = Request { game: game.without_harmless_repetitions(), limits, mode: Mode::Analyze };
    let report = engine.go(&request, &Control::new(), &mut ());
    (report.best, report.info.map_or(Score::loss_in(0), |info| info.score))
}

/// The score of a move for the side that plays it.
fn score_of(engine: &mut Engine, game: &Game, mv: Move, limits: Limits) -> Score {
    let mut after = game.clone();
    after.play(mv).expect("legal");
    match after.outcome() {
        Some(kroon::game::Outcome::Draw(_)) => Score::DRAW,
        Some(kroon::game::Outcome::Win(color)) if color == game.position().turn() => Score::win_in(1),
        Some(_) => Score::loss_in(1),
        None => -search(engine, &after, limits).1,
    }
}

/// Makes games.
pub struct Planter {
    variant: VariantId,
    random: Xoshiro256PlusPlus,
    engine: Engine,
    tables: Arc<Tables>,
    nodes: u64,
}

impl Planter {
    pub fn new(variant: VariantId, seed: u64, nodes: u64) -> Planter {
        let mut engine = Engine::new(Options { hash_mb: 16, ..Options::default() });
        let tables = engine.tables(variant);
        Planter { variant, random: Xoshiro256PlusPlus::seed_from_u64(seed), engine, tables, nodes }
    }

    /// A game without a planted move.
    pub fn whole_game(&mut self) -> Game {
        let mut game = self.opening();
        self.play_on(&mut game, LONGEST);
        game
    }

    /// A game with one, and the index of the move.
    pub fn game(&mut self, kind: Kind) -> (Game, usize) {
        loop {
            let whole = match kind {
                // Endings of tables and wins come late, or never.
                Kind::TableDraw => self.ending(),
                Kind::Win if self.random.random_bool(0.5) => self.ending(),
                _ => self.opening(),
            };
            let mut whole = whole;
            self.play_on(&mut whole, LONGEST);
            let first = if kind == Kind::Shot { 10 } else { 0 };
            let mut places: Vec<usize> = (first..whole.moves().len()).collect();
            // Any of them, but always the same for the same seed.
            for index in (1..places.len()).rev() {
                places.swap(index, self.random.random_range(0..=index));
            }
            for place in places.into_iter().take(40) {
                let mut game = prefix(&whole, place);
                if let Some(bad) = self.bad_move(&game, kind) {
                    game.play(bad).expect("legal");
                    self.engine.new_game();
                    self.play_on(&mut game, LONGEST);
                    return (game, place);
                }
            }
        }
    }

    /// Some random moves.
    fn opening(&mut self) -> Game {
        let mut game = Game::new(self.variant);
        for _ in 0..6 {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[self.random.random_range(0..moves.len())];
            game.play(mv).expect("legal");
        }
        game
    }

    /// A position with few pieces.
    fn ending(&mut self) -> Game {
        let rules = self.variant.rules();
        loop {
            let turn = if self.random.random_bool(0.5) { Color::White } else { Color::Black };
            let mut setup = Setup::empty(turn);
            let [white, black] = [0; 2].map(|_| self.random.random_range(2..=3));
            for (color, count) in [(Color::White, white), (Color::Black, black)] {
                for _ in 0..count {
                    let number = self.random.random_range(1..=rules.board.squares());
                    let king = self.random.random_bool(0.6);
                    setup.put(rules.square(number.into()).expect("a square"), Piece { color, king });
                }
            }
            if let Ok(game) = Game::from_setup(self.variant, &setup)
                && game.outcome().is_none()
            {
                return game;
            }
        }
    }

    /// Self-play to the end of the game, or to so many plies.
    fn play_on(&mut self, game: &mut Game, plies: usize) {
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        while game.outcome().is_none() && game.moves().len() < plies {
            let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
            let Some(best) = self.engine.go(&request, &Control::new(), &mut ()).best else { break };
            game.play(best).expect("legal");
        }
    }

    fn bad_move(&mut self, game: &Game, kind: Kind) -> Option<Move> {
        let moves = game.legal_moves();
        if moves.len() < 3 {
            return None;
        }
        match kind {
            Kind::Shot => self.shot(game, &moves),
            Kind::TableDraw => self.by_tables(game, Value::Draw, Value::Loss),
            Kind::Win => self.by_tables(game, Value::Win, Value::Draw).or_else(|| self.missed(game, &moves)),
        }
    }

    /// A move that turns this value of the tables into that one.
    fn by_tables(&mut self, game: &Game, from: Value, to: Value) -> Option<Move> {
        (self.tables.result(game.position(), game.counters())? == from).then_some(())?;
        let after = |mv: Move| {
            let next = play_in(self.variant, game.position(), mv);
            let counters = game.counters().after(self.variant.rules(), mv, &next);
            self.tables.result(&next, counters).map(|value| -value)
        };
        game.legal_moves().iter().copied().find(|&mv| after(mv) == Some(to))
    }

    fn shot(&mut self, game: &Game, moves: &[Move]) -> Option<Move> {
        let shallow = Limits { depth: Some(SHOT_PLIES + 1), ..Limits::default() };
        let (best, score) = search(&mut self.engine, game, shallow);
        if game.position().occupied().len() < 8 || score.is_certain_win() || moves[0].is_capture() {
            return None;
        }
        for &mv in moves.iter().filter(|&&mv| Some(mv) != best) {
            let reply = Limits { depth: Some(SHOT_PLIES), ..Limits::default() };
            let bad = score_of(&mut self.engine, game, mv, reply);
            if score - bad.centi() >= Score::from_centi(80) && !bad.is_certain_win() {
                let truth = of(&mut self.engine, game, mv, TRUTH);
                if (0.15..0.85).contains(&truth.best) && truth.loss() >= COSTS {
                    return Some(mv);
                }
            }
        }
        None
    }

    /// A win by the search that another move gives away.
    fn missed(&mut self, game: &Game, moves: &[Move]) -> Option<Move> {
        let shallow = Limits { depth: Some(8), ..Limits::default() };
        let (best, score) = search(&mut self.engine, game, shallow);
        let expected = |score| wdl::chances(self.variant, game.position(), score, None).expected();
        if expected(score) < 0.93 {
            return None;
        }
        for &mv in moves.iter().filter(|&&mv| Some(mv) != best) {
            let bad = expected(score_of(&mut self.engine, game, mv, shallow));
            if (0.45..0.65).contains(&bad) {
                let truth = of(&mut self.engine, game, mv, TRUTH);
                if truth.best >= 0.93 && (0.42..0.68).contains(&truth.played) {
                    return Some(mv);
                }
            }
        }
        None
    }
}
