//! The dialogue as a pure state machine: something happens, something is to be done. No threads, no clock, no pipes.

use super::Mode;
use super::command::{Command, Parsed, Root, parse};
use super::level::Level;
use super::params::{Settings, declarations, set};
use super::reply::{InfoLine, Reply};
use crate::board::Move;
use crate::engine::{self, Options, Report, Request, SearchKind};
use crate::eval::wdl;
use crate::game::Game;
use crate::notation::fen;
use crate::notation::hub::{self as text, MoveText};
use crate::rules::{VariantId, is_legal, play_in};
use crate::search::Info;
use std::collections::VecDeque;
use std::time::Duration;

/// Time for a move in a script that gives no limit.
pub const SCRIPT_MOVE_TIME: Duration = Duration::from_secs(1);
/// Text of waiting lines beyond which [`Session::is_full`], in bytes.
const FULL: usize = 1 << 21;

/// What can happen.
#[derive(Debug)]
pub enum Input<'a> {
    /// A line came in.
    Line(&'a str),
    /// The search found something.
    Info(Info),
    /// The search that was started has ended.
    Done(Report),
    /// [`Action::Init`] is carried out.
    Ready,
    /// Something asked for cannot be had; the engine goes on without it.
    Fault(String),
    /// No more lines will come.
    Eof,
}

/// What is to be done about it, in this order.
#[derive(Clone, Debug)]
pub enum Action {
    /// Write a line.
    Send(Reply),
    /// Change the engine's options.
    SetOptions(Options),
    /// Make the engine ready for a variant, after what was asked before; then [`Input::Ready`] is expected.
    Init(VariantId),
    /// Make the engine forget.
    NewGame,
    /// Begin a search; then one [`Input::Done`] is expected.
    StartSearch(Box<Request>),
    /// Ask the running search to end.
    StopSearch,
    /// Tell the running search that the expected move was played.
    PonderHit,
    /// End the session, and a search with it.
    Exit,
}

/// A running search.
#[derive(Debug)]
struct Search {
    /// Whether its limits end it once its clock runs.
    bounded: bool,
    /// Whether it still waits for the expected move.
    pondering: bool,
    stopped: bool,
    /// Whether a variation was reported.
    told: bool,
}

#[derive(Debug)]
enum State {
    Idle,
    Initialising,
    Searching(Search),
    Over,
}

/// A line that waits for its turn.
#[derive(Debug)]
struct Waiting {
    line: Parsed,
    /// What it occupies.
    bytes: usize,
}

/// One dialogue with a client.
///
/// ```
/// use kroon::engine::Options;
/// use kroon::protocol::hub::Mode;
/// use kroon::protocol::hub::reply::Reply;
/// use kroon::protocol::hub::session::{Action, Input, Session};
/// let mut session = Session::new(Mode::Protocol, Options::default());
/// let actions = session.handle(Input::Line("ping"));
/// assert!(matches!(actions[..], [Action::Send(Reply::Pong)]));
/// ```
#[derive(Debug)]
pub struct Session {
    mode: Mode,
    settings: Settings,
    /// What the engine was last told.
    applied: Options,
    game: Game,
    level: Level,
    state: State,
    /// Whether the engine has searched since it was last told to forget.
    used: bool,
    queue: VecDeque<Waiting>,
    queued_bytes: usize,
    eof: bool,
}

impl Session {
    /// A session in its initial state; the engine is taken to have these options already.
    pub fn new(mode: Mode, options: Options) -> Session {
        let settings = Settings { options: options.clone(), ..Settings::default() };
        Session {
            mode,
            applied: options,
            game: Game::new(settings.variant),
            settings,
            level: Level::default(),
            state: State::Idle,
            used: false,
            queue: VecDeque::new(),
            queued_bytes: 0,
            eof: false,
        }
    }

    /// Whether so many lines wait that no more should be read for now.
    pub fn is_full(&self) -> bool {
        self.queued_bytes > FULL
    }

    /// What drives the session now.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The position with its history that the next search would start from.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Takes in what happened and says what to do.
    pub fn handle(&mut self, input: Input<'_>) -> Vec<Action> {
        let mut actions = Vec::new();
        match (input, &mut self.state) {
            (_, State::Over) => return actions,
            (Input::Line(line), _) => self.line(line, &mut actions),
            (Input::Info(info), State::Searching(_)) => self.send_info(&info, &mut actions),
            (Input::Done(report), State::Searching(_)) => self.done(&report, &mut actions),
            (Input::Ready, State::Initialising) => {
                self.state = State::Idle;
                actions.push(Action::Send(Reply::Ready));
            }
            (Input::Fault(fault), _) => actions.push(error_line(fault)),
            (Input::Eof, _) => self.eof = true,
            // Echoes of a search that is over.
            (Input::Info(_) | Input::Done(_) | Input::Ready, _) => {}
        }
        self.drain(&mut actions);
        actions
    }

    fn line(&mut self, text: &str, actions: &mut Vec<Action>) {
        let mut line = parse(text);
        if self.mode == Mode::Protocol {
            // A client pings to learn whether we are alive, so it gets its answer whatever else is waiting, and hears
            // of a line that means nothing while it may still remember it. In a script all keeps its place.
            if let Some(error) = line.error.take() {
                actions.push(error_line(error));
            }
            if line.command == Some(Command::Ping) {
                return actions.push(Action::Send(Reply::Pong));
            }
        }
        if line != Parsed::default() {
            let bytes = text.len() + size_of::<Waiting>();
            self.queued_bytes += bytes;
            self.queue.push_back(Waiting { line, bytes });
        }
    }

    /// Takes the next line from the queue and says what was wrong with it.
    fn next_line(&mut self, actions: &mut Vec<Action>) -> Option<Parsed> {
        let Waiting { mut line, bytes } = self.queue.pop_front()?;
        self.queued_bytes -= bytes;
        actions.extend(line.error.take().map(error_line));
        Some(line)
    }

    /// Obeys waiting commands in their order, as far as the state allows.
    fn drain(&mut self, actions: &mut Vec<Action>) {
        loop {
            let obeyed = match self.state {
                State::Idle => match self.next_line(actions) {
                    Some(line) => {
                        line.command.into_iter().for_each(|command| self.execute(command, actions));
                        true
                    }
                    None => false,
                },
                State::Searching(_) => self.obey_while_searching(actions),
                State::Initialising | State::Over => false,
            };
            if !obeyed {
                break;
            }
        }
        if self.eof {
            self.wind_up(actions);
        }
    }

    /// Obeys the next command if it is meant for the running search; any other command is a wish to end the search
    /// and keeps its place in the queue. A script lets every search run that ends by itself.
    fn obey_while_searching(&mut self, actions: &mut Vec<Action>) -> bool {
        let (Some(next), State::Searching(search)) = (self.queue.front(), &mut self.state) else {
            return false;
        };
        let listens = self.mode == Mode::Protocol || !search.ends_by_itself();
        match next.line.command {
            Some(Command::PonderHit) if search.pondering => {
                search.pondering = false;
                actions.push(Action::PonderHit);
            }
            Some(Command::PonderHit) => {}
            _ if !listens => return false,
            Some(Command::Stop) => search.stop(actions),
            Some(Command::Ping) => actions.push(Action::Send(Reply::Pong)),
            // Only a fault to be told.
            None => {}
            Some(_) => {
                search.stop(actions);
                return false;
            }
        }
        self.next_line(actions);
        true
    }

    /// No more lines will come.
    fn wind_up(&mut self, actions: &mut Vec<Action>) {
        match &mut self.state {
            // The client is gone: nobody wants the move.
            State::Searching(search) if self.mode == Mode::Protocol => {
                search.stop(actions);
                self.exit(actions);
            }
            State::Searching(search) if !search.ends_by_itself() => search.stop(actions),
            State::Idle if self.queue.is_empty() => self.exit(actions),
            _ => {}
        }
    }

    fn exit(&mut self, actions: &mut Vec<Action>) {
        self.state = State::Over;
        self.queue.clear();
        self.queued_bytes = 0;
        actions.push(Action::Exit);
    }

    fn execute(&mut self, command: Command, actions: &mut Vec<Action>) {
        match command {
            Command::Hub => {
                self.mode = Mode::Protocol;
                actions.push(Action::Send(Reply::Id));
                let params = declarations(&self.settings).map(Reply::Param);
                actions.extend(params.chain([Reply::Wait]).map(Action::Send));
            }
            Command::Init => {
                self.apply_options(self.settings.options.clone(), actions);
                actions.push(Action::Init(self.settings.variant));
                self.state = State::Initialising;
            }
            Command::SetParam { name, value } => self.set_param(&name, &value, actions),
            Command::Position { root, moves } => self.set_position(&root, &moves, actions),
            Command::Level(level) => self.level.merge(&level),
            Command::Go(mode) => self.go(mode, self.settings.options.clone(), actions),
            Command::GoMcts(mode) => {
                let options = Options { search: SearchKind::Mcts, ..self.settings.options.clone() };
                self.go(mode, options, actions);
            }
            Command::Stop | Command::PonderHit => {}
            Command::Ping => actions.push(Action::Send(Reply::Pong)),
            Command::NewGame => self.forget(actions),
            Command::Quit => self.exit(actions),
        }
    }

    /// Several parameters in a row cost one change of options.
    fn apply_options(&mut self, options: Options, actions: &mut Vec<Action>) {
        if self.applied != options {
            self.applied = options.clone();
            actions.push(Action::SetOptions(options));
        }
    }

    fn set_param(&mut self, name: &str, value: &str, actions: &mut Vec<Action>) {
        let before = self.settings.variant;
        if let Err(error) = set(&mut self.settings, name, value) {
            actions.push(error_line(error));
        }
        if self.settings.variant != before {
            self.game = Game::new(self.settings.variant);
            self.level = Level::default();
            self.forget(actions);
        }
    }

    /// Clearing tables takes time, so it is done at once and not on the clock of the next move, and only when needed.
    fn forget(&mut self, actions: &mut Vec<Action>) {
        if std::mem::take(&mut self.used) {
            actions.push(Action::NewGame);
        }
    }

    fn set_position(&mut self, root: &Root, moves: &str, actions: &mut Vec<Action>) {
        let mut game = match self.game_from(root) {
            Ok(game) => game,
            Err(message) => return actions.push(Action::Send(Reply::Error(message))),
        };
        let board = game.variant().rules().board;
        for (index, word) in moves.split_whitespace().enumerate() {
            let read = text::parse_move(board, &game.legal_moves(), word);
            let played =
                read.map_err(|e| e.to_string()).and_then(|mv| game.play(mv).map_err(|e| e.to_string()));
            if let Err(fault) = played {
                actions.push(error_line(format_args!("{fault} (move {} of the history)", index + 1)));
                break;
            }
        }
        self.game = game;
        self.level = Level::default();
    }

    fn game_from(&self, root: &Root) -> Result<Game, String> {
        let variant = self.settings.variant;
        let rules = variant.rules();
        let setup = match root {
            Root::Start => rules.start(),
            Root::Hub(text) => text::parse_position(rules.board, text).map_err(|e| e.to_string())?,
            Root::Fen(text) => fen::parse(variant, text).map_err(|e| e.to_string())?.setup,
        };
        Game::from_setup(variant, &setup).map_err(|e| format!("bad position: {e}"))
    }

    fn go(&mut self, mode: engine::Mode, options: Options, actions: &mut Vec<Action>) {
        if self.game.legal_moves().is_empty() {
            self.level = Level::default();
            return actions.push(Action::Send(Reply::Done { best: None, ponder: None }));
        }
        self.apply_options(options, actions);
        self.used = true;
        let mut limits = self.level.limits();
        if self.mode == Mode::Script && !limits.is_bounded() && !limits.infinite {
            limits.move_time = Some(SCRIPT_MOVE_TIME);
        }
        self.state = State::Searching(Search {
            bounded: limits.is_bounded(),
            pondering: mode == engine::Mode::Ponder,
            stopped: false,
            told: false,
        });
        actions.push(Action::StartSearch(Box::new(Request { game: self.game.clone(), limits, mode })));
    }

    fn send_info(&mut self, info: &Info, actions: &mut Vec<Action>) {
        let State::Searching(search) = &mut self.state else { return };
        let pv = legal_part(&self.game, &info.pv);
        if pv == 0 || info.rank > self.applied.multipv.max(1) {
            return;
        }
        search.told = true;
        let board = self.game.variant().rules().board;
        let several = self.applied.multipv > 1;
        let mut line = InfoLine::new(board, info, several);
        line.pv.truncate(pv);
        if self.settings.wdl {
            let (variant, position) = (self.game.variant(), self.game.position());
            line.wdl = wdl::chances(variant, position, info.score, info.winrate);
        }
        actions.push(Action::Send(Reply::Info(line)));
    }

    /// Exactly one `done` for every `go`. Clients break on a move that is missing or illegal, so both moves are checked
    /// here once more, and any legal move stands in for a search that failed.
    fn done(&mut self, report: &Report, actions: &mut Vec<Action>) {
        if let (State::Searching(Search { told: false, .. }), Some(info)) = (&self.state, &report.info) {
            self.send_info(info, actions);
        }
        let legal = self.game.legal_moves();
        let best = report.best.filter(|mv| legal.contains(mv)).or(legal.first().copied());
        let line: Vec<Move> = best.into_iter().chain(report.ponder).collect();
        let ponder = report.ponder.filter(|_| legal_part(&self.game, &line) == 2);
        let board = self.game.variant().rules().board;
        let text = |mv| MoveText::new(board, mv);
        actions.push(Action::Send(Reply::Done { best: best.map(text), ponder: ponder.map(text) }));
        self.state = State::Idle;
        self.level = Level::default();
    }
}

impl Search {
    /// Whether it will end without a word from outside.
    fn ends_by_itself(&self) -> bool {
        self.bounded && !self.pondering
    }

    fn stop(&mut self, actions: &mut Vec<Action>) {
        if !self.stopped {
            self.stopped = true;
            actions.push(Action::StopSearch);
        }
    }
}

fn error_line(error: impl std::fmt::Display) -> Action {
    Action::Send(Reply::Error(error.to_string()))
}

/// How many moves of a line are legal one after another.
fn legal_part(game: &Game, line: &[Move]) -> usize {
    let mut position = *game.position();
    let legal = line.iter().take_while(|&&mv| {
        let legal = is_legal(game.variant(), &position, mv);
        if legal {
            position = play_in(game.variant(), &position, mv);
        }
        legal
    });
    legal.count()
}
