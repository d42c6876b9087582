//! The engine: owns tables, threads and options; answers requests for a move or an analysis.

mod ask;
pub mod bench;
mod endgame;
mod leaf;
mod opening;
mod option_rows;
pub mod options;
pub mod registry;
mod repetition;
mod thread;
mod variety;

use crate::agents::Agent;
use crate::board::Move;
pub use crate::eval::EvaluationKind;
use crate::eval::{EvalFile, EvalFileError, Evaluation};
use crate::for_variant;
use crate::game::Game;
use crate::levels::{self, Strength};
use crate::rules::{VariantId, is_legal, play_in};
use crate::search::alphabeta::{self, AlphaBetaMemory, History};
use crate::search::mcts::{self, TreeStore};
use crate::search::table::TranspositionTable;
use crate::search::{Bounds, Control, Info, Limits, Observer, SearchResult, SearchTask, TreeMove};
use crate::seed;
use crate::tablebase::Tables;
use endgame::{Consultation, LoadedTables, Promised};
pub use leaf::LeafSearch;
use opening::LoadedBook;
pub use options::{Options, OptionsError, SearchKind};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use std::time::{Duration, Instant};
pub use thread::{EngineNews, EngineThread, Searcher};
use variety::{CANDIDATES, Candidates};

/// Why the search is wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Mode {
    /// A move to play: a forced move is answered at once, unless a depth or a number of nodes is asked for.
    #[default]
    Think,
    /// As `Think`, but no time is spent before [`Control::ponder_hit`].
    Ponder,
    /// Score and variations: all limits are used up, also when only one move is legal.
    Analyze,
}

/// A search to do.
#[derive(Clone, Debug)]
pub struct Request {
    /// The position and its history.
    pub game: Game,
    /// What may be used.
    pub limits: Limits,
    /// Why.
    pub mode: Mode,
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The move to play; none when there is no legal move.
    pub best: Option<Move>,
    /// The expected reply: legal after `best`.
    pub ponder: Option<Move>,
    /// The last best variation. Present whenever `best` is.
    pub info: Option<Info>,
    /// Nodes searched, all threads.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
    /// What the tree search has seen of each move, the best first; empty where there is no tree.
    pub tree: Vec<TreeMove>,
    /// Whether the score of [`Report::info`] says nothing: a player of the literature moved that values no move, or counts
    /// rewards.
    pub is_unjudged: bool,
}

/// This program: its version and a number for the sources that decide how it plays. Another build of the same sources is
/// the same program; comments do not count.
pub const PROGRAM: &str = concat!("kroon ", env!("CARGO_PKG_VERSION"), " ", env!("KROON_SOURCES"));

/// Everything that lives longer than one search.
///
/// ```
/// use kroon::engine::{Engine, Mode, Options, Request};
/// use kroon::{game::Game, rules::VariantId, search::{Control, Limits}};
/// let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
/// let limits = Limits { depth: Some(6), ..Limits::default() };
/// let request = Request { game: Game::new(VariantId::International), limits, mode: Mode::Think };
/// let report = engine.go(&request, &Control::new(), &mut ());
/// assert!(report.best.is_some());
/// ```
#[derive(Debug)]
pub struct Engine {
    options: Options,
    table: TranspositionTable,
    histories: Vec<History>,
    trees: TreeStore,
    variant: Option<VariantId>,
    /// The endgame tables of the variant.
    endgame: Option<LoadedTables>,
    /// The opening book of the variant.
    book: Option<LoadedBook>,
    /// Who plays in place of the engine, made for the variant.
    agent: Option<Box<dyn Agent>>,
    /// Used for the choice among moves of the book, for variety, and for the seeds of players.
    random: Xoshiro256PlusPlus,
    /// Stands for the seed where the options have none.
    entropy: u64,
    /// New games since the seed was set.
    games: u64,
}

/// A forced move is not thought about where only time limits the search: alpha-beta searches it this deep, for a score and
/// an expected reply.
pub const FORCED_DEPTH: u32 = 6;

/// The options by which the search judges positions: what its tables remember is true for them only.
fn judged_by(options: &Options) -> impl PartialEq {
    // Every option is named, so that whoever adds one decides here whether it judges.
    let Options {
        evaluation,
        eval_file,
        tables,
        bb_size,
        // How far a search goes and what is made of its result.
        threads: _,
        hash_mb: _,
        multipv: _,
        move_overhead: _,
        book: _,
        book_file: _,
        book_ply: _,
        book_margin: _,
        variety: _,
        seed: _,
        player: _,
        agent: _,
        search: _,
        level: _,
        skill: _,
        mcts: _,
        tuning: _,
    } = options;
    (*evaluation, eval_file, tables, *bb_size)
}

/// The random numbers of a seed; without one, others every time.
fn random_from(seed: Option<u64>) -> Xoshiro256PlusPlus {
    match seed {
        Some(seed) => Xoshiro256PlusPlus::seed_from_u64(seed),
        None => Xoshiro256PlusPlus::from_rng(&mut rand::rng()),
    }
}

impl Engine {
    /// An engine with these options; allocates its tables.
    pub fn new(options: Options) -> Engine {
        let options = options.clamped();
        let _ = options.eval_file.as_ref().map(EvalFile::weights);
        let random = random_from(options.seed);
        Engine {
            table: TranspositionTable::new(options.hash_mb),
            histories: vec![History::default(); options.threads],
            options,
            trees: TreeStore::default(),
            variant: None,
            endgame: None,
            book: None,
            agent: None,
            entropy: rand::random(),
            games: 0,
            random,
        }
    }

    /// The options in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes options; tables are reallocated (and lose their contents) only when their size changes. Where memory is
    /// short the transposition table becomes smaller than asked.
    pub fn set_options(&mut self, options: Options) {
        let options = options.clamped();
        if options.hash_mb != self.options.hash_mb {
            // The old table goes first: there may not be room for both.
            self.table = TranspositionTable::new(1);
            self.table = TranspositionTable::new(options.hash_mb);
        }
        self.histories.resize_with(options.threads, History::default);
        let _ = options.eval_file.as_ref().map(EvalFile::weights);
        let other = judged_by(&options) != judged_by(&self.options);
        if (options.player, &options.agent) != (self.options.player, &self.options.agent) {
            self.agent = None;
        }
        if options.seed != self.options.seed {
            // What follows from a seed begins anew with it, also for a player in the middle of a game.
            self.random = random_from(options.seed);
            self.games = 0;
            self.agent = None;
        }
        // The file may be there by now, or whole.
        self.book = self.book.take().filter(|book| book.fault().is_none());
        self.options = options;
        if other {
            // What the tables remember was judged in another way. The game is the same.
            self.forget();
        }
    }

    /// The evaluation that plays a variant with the present options.
    ///
    /// # Errors
    /// When the file of weights cannot be used for it; the weights in the program play then.
    pub fn evaluation(&self, variant: VariantId) -> Result<Evaluation, EvalFileError> {
        self.options.evaluation_of(variant)
    }

    /// Reads the weights that a search of this variant will want, which takes some milliseconds the first time:
    /// before a game begins nobody misses them.
    pub fn prepare(&mut self, variant: VariantId) {
        LoadedTables::load(&mut self.endgame, variant, &self.options);
        if self.options.book {
            LoadedBook::load(&mut self.book, variant, &self.options);
        }
        // What is wrong with a file of weights is told by who asks for the evaluation; those in the program play then.
        if self.evaluation(variant).is_err() {
            let _ = self.options.evaluation.evaluation(variant);
        }
    }

    /// Uses these endgame tables for searches of their variant, until the options `tables` and `bb-size` change.
    pub fn set_tables(&mut self, tables: Arc<Tables>) {
        self.endgame = Some(LoadedTables::given(tables, &self.options));
    }

    /// The endgame tables of a variant, opened if need be.
    pub fn tables(&mut self, variant: VariantId) -> Arc<Tables> {
        LoadedTables::load(&mut self.endgame, variant, &self.options)
    }

    /// The endgame tables that cannot be used, if any: the file of the first, why, and how many others. Searches do without
    /// them.
    pub fn table_fault(&self) -> Option<String> {
        self.endgame.as_ref().and_then(LoadedTables::fault)
    }

    /// Forgets what searches have learned.
    fn forget(&mut self) {
        self.table.clear();
        self.histories.fill_with(History::default);
        self.trees.clear();
    }

    /// Forgets everything learned from earlier searches; what a level or a player draws by lot is that of another game.
    pub fn new_game(&mut self) {
        self.forget();
        self.games += 1;
        if let Some(agent) = &mut self.agent {
            agent.new_game(self.random.random());
        }
    }

    /// The same, and its random numbers begin anew: what comes is what a new engine with these options would say.
    pub fn restart(&mut self) {
        self.new_game();
        (self.random, self.games, self.agent) = (random_from(self.options.seed), 0, None);
    }

    /// Searches; returns when the limits are used up or `control` says stop.
    ///
    /// When there is a legal move, at least one [`Info`] is sent before it returns. With [`Mode::Ponder`] and with
    /// infinite limits it returns only after `control` was told to stop (or the ponder hit came), even if there is
    /// nothing left to search.
    pub fn go(&mut self, request: &Request, control: &Control, observer: &mut dyn Observer) -> Report {
        self.go_among(request, None, control, observer)
    }

    /// As [`Engine::go`], with the moves at the root to choose from; none: all legal moves. Alpha-beta answers, whatever the
    /// options say, but a player in its place looks at all moves. Moves that are not legal are left out; if none is left,
    /// all count.
    ///
    /// ```
    /// use kroon::engine::{Engine, Mode, Options, Request};
    /// use kroon::{game::Game, rules::VariantId, search::{Control, Limits}};
    /// let game = Game::new(VariantId::Russian);
    /// let last = [*game.legal_moves().last().unwrap()];
    /// let limits = Limits { depth: Some(4), ..Limits::default() };
    /// let request = Request { game, limits, mode: Mode::Analyze };
    /// let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
    /// let report = engine.go_among(&request, Some(&last), &Control::new(), &mut ());
    /// assert_eq!(report.best, Some(last[0]));
    /// ```
    pub fn go_among(
        &mut self,
        request: &Request,
        among: Option<&[Move]>,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Report {
        let start = control.start().unwrap_or_else(Instant::now);
        let game = &request.game;
        let moves = game.legal_moves();
        if moves.is_empty() {
            return Report { time: start.elapsed(), ..Report::default() };
        }
        let among =
            among.map(|some| moves.iter().filter(|mv| some.contains(mv)).copied().collect::<Vec<_>>());
        let among = among.filter(|moves| !moves.is_empty());
        if self.variant != Some(game.variant()) {
            if self.variant.is_some() {
                self.agent = None;
                self.new_game();
            }
            self.variant = Some(game.variant());
        }
        if self.options.player.is_some() {
            return self.ask_agent(request, start, control, observer);
        }
        self.table.age();
        self.histories.iter_mut().for_each(History::age);

        let position = game.position();
        let strength = match request.mode {
            Mode::Analyze => None,
            _ => Strength::within(self.options.strength(game.variant()), &request.limits),
        };
        // A level plays endings as it plays the rest.
        let tables = strength
            .is_none()
            .then(|| LoadedTables::load(&mut self.endgame, game.variant(), &self.options))
            .filter(|tables| !tables.is_empty());
        let is_free = among.is_none();
        let consultation =
            tables.as_ref().map(|tables| Consultation::new(tables, request, &self.options, is_free));
        let advice = consultation.as_ref().and_then(|consultation| consultation.advice.as_ref());
        let ranking = consultation.as_ref().map_or(&[][..], |consultation| &consultation.ranking);
        let promise = consultation.as_ref().and_then(|consultation| consultation.promise);
        let is_forced = is_forced(request, advice.map_or(moves.len(), |advice| advice.moves.len()));
        let limits = limits(request, is_forced, strength);
        let varies = self.options.variety > 0
            && request.mode != Mode::Analyze
            && strength.is_none()
            && advice.is_none();
        let task = SearchTask {
            game,
            limits,
            bounds: Bounds::new(&limits, self.options.move_overhead, position.occupied().len()),
            start,
            pondering: request.mode == Mode::Ponder,
            multipv: match strength {
                // A level plays one move, and its nodes are meant for one.
                Some(_) => 1,
                None if varies => self.options.multipv.max(CANDIDATES),
                None => self.options.multipv,
            },
            endgame: consultation.as_ref().map(|consultation| consultation.endgame),
            root_moves: among
                .or_else(|| advice.map(|advice| advice.moves.clone()))
                .or_else(|| (!ranking.is_empty()).then(|| ranking.iter().map(|&(mv, _)| mv).collect()))
                .or_else(|| is_forced.then(|| moves.to_vec())),
        };
        let ranks = task.multipv.min(task.root_moves.as_ref().map_or(0, Vec::len));
        let mut observer = Promised::new(observer, promise, ranking, ranks);
        // A level plays openings as it plays the rest, and tables know better.
        let may_know = is_free && strength.is_none() && advice.is_none();
        let known = if may_know { self.ask_book(request, &task, control) } else { None };
        let mut outcome = match known {
            Some(Ok(known)) => {
                observer.info(&known.info);
                known
            }
            rejected => {
                let spent = rejected.and_then(Result::err).unwrap_or(0);
                let nodes = task.limits.nodes.map(|most| most.saturating_sub(spent).max(1));
                let rest = SearchTask { limits: Limits { nodes, ..task.limits }, ..task };
                let variety = if varies { self.options.variety } else { 0 };
                let outcome = self.search_varied(&rest, strength, variety, control, &mut observer);
                SearchResult { nodes: outcome.nodes + spent, ..outcome }
            }
        };
        wait(request, control);
        outcome.info = observer.last_of(&outcome.info);
        if !ranking.is_empty() {
            outcome.line.clone_from(&outcome.info.pv);
        }
        let best = outcome.line[0];
        let next = play_in(game.variant(), position, best);
        let ponder = outcome.line.get(1).copied().filter(|&mv| is_legal(game.variant(), &next, mv));
        Report {
            best: Some(best),
            ponder,
            nodes: outcome.nodes,
            info: Some(outcome.info),
            time: start.elapsed(),
            tree: outcome.tree,
            is_unjudged: false,
        }
    }

    /// The search itself, and the choice among the moves that are no more than `variety` centi-men worse than the best.
    fn search_varied(
        &mut self,
        task: &SearchTask<'_>,
        strength: Option<Strength>,
        variety: i32,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let mut candidates = Candidates::new(observer, self.options.multipv);
        let outcome = self.search(task, strength, control, &mut candidates);
        if variety > 0
            && let Some(info) = candidates.choose(&outcome.info, &outcome.tree, variety, &mut self.random)
        {
            // The last report of the first rank is that of the move played.
            let info = Info { rank: 1, ..info };
            candidates.show_first(&info);
            return SearchResult { tree: outcome.tree, ..SearchResult::of(info, outcome.nodes) };
        }
        outcome
    }

    fn search(
        &mut self,
        task: &SearchTask<'_>,
        strength: Option<Strength>,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> SearchResult {
        let variant = task.game.variant();
        let evaluator = &self.evaluation(variant).unwrap_or_else(|error| {
            log::warn!("{error}");
            self.options.evaluation.evaluation(variant)
        });
        let options = &self.options;
        if let Some(Strength::Person(person)) = strength {
            let seed = seed::mix(options.seed.unwrap_or(self.entropy), [self.games]);
            return levels::search(task, person, seed, evaluator, control, observer);
        }
        // Several threads never play the same game twice.
        let threads = if strength.is_some() { 1 } else { options.threads };
        // A known ending and a forced move need no tree: alpha-beta finds the way.
        let is_chosen = task.root_moves.is_some();
        let kind = if strength.is_some() || is_chosen { SearchKind::AlphaBeta } else { options.search };
        match kind {
            SearchKind::AlphaBeta => for_variant!(task.game.variant(), V => alphabeta::search::<V, _>(
                task, &self.table, evaluator, &options.tuning, &mut self.histories[..threads], control, observer,
            )),
            SearchKind::Mcts => for_variant!(task.game.variant(), V => mcts::search::<V, _>(
                task,
                &options.mcts,
                &mut self.trees,
                evaluator,
                AlphaBetaMemory { table: &self.table, histories: &mut self.histories, tuning: options.tuning },
                control,
                observer,
            )),
        }
    }
}

/// Whether nothing depends on a search with so many moves to choose from: one move to play, and no depth or number of nodes
/// asked for.
fn is_forced(request: &Request, moves: usize) -> bool {
    let limits = &request.limits;
    let is_asked_for = limits.infinite || limits.depth.is_some() || limits.nodes.is_some();
    moves == 1 && request.mode != Mode::Analyze && !is_asked_for
}

/// The limits of a request, less where nothing depends on them or a level has fewer nodes.
fn limits(request: &Request, is_forced: bool, strength: Option<Strength>) -> Limits {
    let mut limits = request.limits;
    if is_forced {
        limits.depth = Some(FORCED_DEPTH);
    }
    if let Some(Strength::Engine { nodes }) = strength {
        limits.nodes = Some(limits.nodes.map_or(nodes, |most| most.min(nodes)));
    }
    limits
}

/// Keeps the answer until it is wanted.
fn wait(request: &Request, control: &Control) {
    if request.limits.infinite {
        control.wait(false);
    } else if request.mode == Mode::Ponder {
        control.wait(true);
    }
}
