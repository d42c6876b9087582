//! One Hub dialogue as a pure state machine: inputs go in, actions come out. No threads, no clock, no pipes.

use super::command::{HubCommand, ParsedLine, Root, parse};
use super::level::Level;
use super::params::{HubSettings, declarations, set};
use super::reply::{InfoLine, Reply};
use super::{HubConfig, HubMode};
use crate::board::Move;
use crate::engine::registry::OptionError;
use crate::engine::{self, Options, Report, Request, SearchKind};
use crate::eval::wdl;
use crate::game::Game;
use crate::notation::hub::{self as text, HubMoveText};
use crate::notation::position;
use crate::rules::{VariantId, is_legal, play_in};
use crate::search::Info;
use std::collections::VecDeque;
use std::time::Duration;

/// Time for a move in a script that gives no limit.
pub const SCRIPT_MOVE_TIME: Duration = Duration::from_secs(1);
/// Text of waiting lines beyond which [`HubSession::is_full`], in bytes.
const FULL: usize = 1 << 21;
/// Characters of an error.
const MOST_ERROR: usize = 1_000;

/// What can happen.
#[derive(Debug)]
pub enum HubInput<'a> {
    /// A line came in.
    Line(&'a str),
    /// The search found something.
    Info(Info),
    /// The search that was started has ended.
    Done(Report),
    /// [`HubAction::Init`] is carried out.
    Ready,
    /// Something asked for cannot be had; the engine goes on without it.
    Fault(String),
    /// No more lines will come.
    Eof,
}

/// What is to be done about it, in this order.
#[derive(Clone, Debug)]
pub enum HubAction {
    /// Write a line.
    Send(Reply),
    /// Change the engine's options.
    SetOptions(Box<Options>),
    /// Make the engine ready for a variant, after what was asked before; then [`HubInput::Ready`] is expected.
    Init(VariantId),
    /// Make the engine forget.
    NewGame,
    /// Begin a search; then one [`HubInput::Done`] is expected.
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
struct RunningSearch {
    /// Whether its limits end it once its clock runs.
    bounded: bool,
    /// Whether it still waits for the expected move.
    pondering: bool,
    stopped: bool,
    /// Whether a variation was reported.
    told: bool,
    /// The legal moves of its position: to find them takes long in some.
    legal: Vec<Move>,
}

#[derive(Debug)]
enum HubState {
    Idle,
    Initialising,
    Searching(RunningSearch),
    Over,
}

/// A line that waits for its turn.
#[derive(Debug)]
struct Waiting {
    line: ParsedLine,
    /// What it occupies.
    bytes: usize,
}

/// One dialogue with a client.
///
/// ```
/// use kroon::protocol::hub::HubConfig;
/// use kroon::protocol::hub::reply::Reply;
/// use kroon::protocol::hub::session::{HubAction, HubInput, HubSession};
/// let mut session = HubSession::new(HubConfig::default());
/// let actions = session.handle(HubInput::Line("ping"));
/// assert!(matches!(actions[..], [HubAction::Send(Reply::Pong)]));
/// ```
#[derive(Debug)]
pub struct HubSession {
    mode: HubMode,
    name: String,
    settings: HubSettings,
    /// What the engine was last told.
    applied: Options,
    game: Game,
    /// Whether the last position was refused, so that a script has none to search.
    position_refused: bool,
    /// Whether a script was told of an error.
    failed: bool,
    level: Level,
    state: HubState,
    /// Whether the engine has searched since it was last told to forget.
    used: bool,
    queue: VecDeque<Waiting>,
    queued_bytes: usize,
    eof: bool,
}

impl HubSession {
    /// A session in its initial state; the engine is taken to have these options already.
    pub fn new(config: HubConfig) -> HubSession {
        let HubConfig { mode, name, options } = config;
        let settings = HubSettings { options: options.clone(), ..HubSettings::default() };
        HubSession {
            mode,
            name,
            applied: options,
            game: Game::new(settings.variant),
            settings,
            position_refused: false,
            failed: false,
            level: Level::default(),
            state: HubState::Idle,
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
    pub fn mode(&self) -> HubMode {
        self.mode
    }

    /// The position with its history that the next search would start from.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Whether an error was told while the session was a script.
    pub fn has_failed(&self) -> bool {
        self.failed
    }

    /// Takes in what happened and says what to do.
    pub fn handle(&mut self, input: HubInput<'_>) -> Vec<HubAction> {
        let mut actions = Vec::new();
        match (input, &mut self.state) {
            (_, HubState::Over) => return actions,
            (HubInput::Line(line), _) => self.line(line, &mut actions),
            (HubInput::Info(info), HubState::Searching(_)) => self.send_info(&info, &mut actions),
            (HubInput::Done(report), HubState::Searching(_)) => self.done(&report, &mut actions),
            (HubInput::Ready, HubState::Initialising) => {
                self.state = HubState::Idle;
                actions.push(HubAction::Send(Reply::Ready));
            }
            (HubInput::Fault(fault), _) => actions.push(error_line(fault)),
            (HubInput::Eof, _) => self.eof = true,
            // Echoes of a search that is over.
            (HubInput::Info(_) | HubInput::Done(_) | HubInput::Ready, _) => {}
        }
        self.drain(&mut actions);
        let is_error = |action: &HubAction| matches!(action, HubAction::Send(Reply::Error(_)));
        self.failed |= self.mode == HubMode::Script && actions.iter().any(is_error);
        actions
    }

    fn line(&mut self, text: &str, actions: &mut Vec<HubAction>) {
        let mut line = parse(text);
        if self.mode == HubMode::Protocol {
            // A client pings to learn whether we are alive, so it gets its answer whatever else is waiting, and hears
            // of a line that means nothing while it may still remember it. It says much that is meant for other engines.
            // In a script all keeps its place, and what is unknown is a slip.
            line.unknown = None;
            line.command.take_if(|command| *command == HubCommand::NoPosition);
            if let Some(error) = line.error.take() {
                actions.push(error_line(error));
            }
            if line.command == Some(HubCommand::Ping) {
                return actions.push(HubAction::Send(Reply::Pong));
            }
        }
        if line != ParsedLine::default() {
            let bytes = text.len() + size_of::<Waiting>();
            self.queued_bytes += bytes;
            self.queue.push_back(Waiting { line, bytes });
        }
    }

    /// Takes the next line from the queue and says what was wrong with it.
    fn next_line(&mut self, actions: &mut Vec<HubAction>) -> Option<ParsedLine> {
        let Waiting { mut line, bytes } = self.queue.pop_front()?;
        self.queued_bytes -= bytes;
        actions.extend(line.error.take().or(line.unknown.take()).map(error_line));
        Some(line)
    }

    /// Obeys waiting commands in their order, as far as the state allows.
    fn drain(&mut self, actions: &mut Vec<HubAction>) {
        loop {
            let obeyed = match self.state {
                HubState::Idle => match self.next_line(actions) {
                    Some(line) => {
                        line.command.into_iter().for_each(|command| self.execute(command, actions));
                        true
                    }
                    None => false,
                },
                HubState::Searching(_) => self.obey_while_searching(actions),
                HubState::Initialising | HubState::Over => false,
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
    fn obey_while_searching(&mut self, actions: &mut Vec<HubAction>) -> bool {
        let (Some(next), HubState::Searching(search)) = (self.queue.front(), &mut self.state) else {
            return false;
        };
        let listens = self.mode == HubMode::Protocol || !search.ends_by_itself();
        match next.line.command {
            Some(HubCommand::PonderHit) if search.pondering => {
                search.pondering = false;
                actions.push(HubAction::PonderHit);
            }
            Some(HubCommand::PonderHit) => {}
            _ if !listens => return false,
            Some(HubCommand::Stop) => search.stop(actions),
            Some(HubCommand::Ping) => actions.push(HubAction::Send(Reply::Pong)),
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
    fn wind_up(&mut self, actions: &mut Vec<HubAction>) {
        match &mut self.state {
            // The client is gone: nobody wants the move.
            HubState::Searching(search) if self.mode == HubMode::Protocol => {
                search.stop(actions);
                self.exit(actions);
            }
            HubState::Searching(search) if !search.ends_by_itself() => search.stop(actions),
            HubState::Idle if self.queue.is_empty() => self.exit(actions),
            _ => {}
        }
    }

    fn exit(&mut self, actions: &mut Vec<HubAction>) {
        self.state = HubState::Over;
        self.queue.clear();
        self.queued_bytes = 0;
        actions.push(HubAction::Exit);
    }

    fn execute(&mut self, command: HubCommand, actions: &mut Vec<HubAction>) {
        match command {
            HubCommand::Hub => {
                self.mode = HubMode::Protocol;
                actions.push(HubAction::Send(Reply::Id(self.name.clone())));
                let params = declarations(&self.settings).into_iter().map(Reply::Param);
                actions.extend(params.chain([Reply::Wait]).map(HubAction::Send));
            }
            HubCommand::Init => {
                self.apply_options(self.settings.options.clone(), actions);
                actions.push(HubAction::Init(self.settings.variant));
                self.state = HubState::Initialising;
            }
            HubCommand::SetParam { name, value } => self.set_param(&name, &value, actions),
            HubCommand::Position { root, moves } => self.set_position(&root, &moves, actions),
            HubCommand::NoPosition => self.position_refused = true,
            HubCommand::Level(level) => self.level.merge(&level),
            HubCommand::Go(mode) => self.go(mode, self.settings.options.clone(), actions),
            HubCommand::GoMcts(mode) => {
                let options = Options { search: SearchKind::Mcts, ..self.settings.options.clone() };
                self.go(mode, options, actions);
            }
            HubCommand::Stop | HubCommand::PonderHit => {}
            HubCommand::Ping => actions.push(HubAction::Send(Reply::Pong)),
            HubCommand::NewGame => self.forget(actions),
            HubCommand::Quit => self.exit(actions),
        }
    }

    /// Several parameters in a row cost one change of options.
    fn apply_options(&mut self, options: Options, actions: &mut Vec<HubAction>) {
        if self.applied != options {
            self.applied = options.clone();
            actions.push(HubAction::SetOptions(Box::new(options)));
        }
    }

    fn set_param(&mut self, name: &str, value: &str, actions: &mut Vec<HubAction>) {
        let before = self.settings.variant;
        match set(&mut self.settings, name, value) {
            // Clients send what other engines know.
            Err(OptionError::Unknown { .. }) if self.mode == HubMode::Protocol => {}
            Err(error) => actions.push(error_line(format_args!("set-param {error}"))),
            Ok(()) => {}
        }
        if self.settings.variant != before {
            self.game = Game::new(self.settings.variant);
            self.position_refused = false;
            self.level = Level::default();
            self.forget(actions);
        }
    }

    /// Clearing tables takes time, so it is done at once and not on the clock of the next move, and only when needed.
    fn forget(&mut self, actions: &mut Vec<HubAction>) {
        if std::mem::take(&mut self.used) {
            actions.push(HubAction::NewGame);
        }
    }

    fn set_position(&mut self, root: &Root, moves: &str, actions: &mut Vec<HubAction>) {
        let mut game = match self.game_from(root) {
            Ok(game) => game,
            Err(message) => {
                self.position_refused = true;
                return actions.push(error_line(message));
            }
        };
        self.position_refused = false;
        let board = game.variant().rules().board;
        for (index, word) in moves.split_whitespace().enumerate() {
            let read = text::parse_move(board, &game.legal_moves(), word);
            let played =
                read.map_err(|e| e.to_string()).and_then(|mv| game.play(mv).map_err(|e| e.to_string()));
            if let Err(fault) = played {
                actions.push(error_line(format_args!("{fault} (move {} of the history)", index + 1)));
                self.position_refused = true;
                break;
            }
        }
        self.game = game;
        self.level = Level::default();
    }

    fn game_from(&self, root: &Root) -> Result<Game, String> {
        let variant = self.settings.variant;
        match root {
            Root::Start => Ok(Game::new(variant)),
            Root::Hub(text) | Root::Fen(text) => position::game(variant, text).map_err(|e| e.to_string()),
        }
    }

    fn go(&mut self, mode: engine::Mode, options: Options, actions: &mut Vec<HubAction>) {
        // A client that goes on after an error has its own idea of the game, and waits for an answer.
        if self.mode == HubMode::Script && self.position_refused {
            self.level = Level::default();
            return actions.push(error_line("go: there is no position, the last one was refused"));
        }
        let legal = self.game.legal_moves().to_vec();
        if legal.is_empty() {
            self.level = Level::default();
            return actions.push(HubAction::Send(Reply::Done { best: None, ponder: None }));
        }
        self.apply_options(options, actions);
        self.used = true;
        let mut limits = self.level.limits();
        // Players and levels answer by themselves where nothing limits them.
        let ends = limits.is_bounded() || !self.applied.needs_limit(mode) && !limits.infinite;
        if self.mode == HubMode::Script && !ends && !limits.infinite {
            limits.move_time = Some(SCRIPT_MOVE_TIME);
        }
        self.state = HubState::Searching(RunningSearch {
            bounded: ends || limits.is_bounded(),
            pondering: mode == engine::Mode::Ponder,
            stopped: false,
            told: false,
            legal,
        });
        actions.push(HubAction::StartSearch(Box::new(Request { game: self.game.clone(), limits, mode })));
    }

    fn send_info(&mut self, info: &Info, actions: &mut Vec<HubAction>) {
        let HubState::Searching(search) = &mut self.state else { return };
        let pv = legal_part(&self.game, &search.legal, &info.pv);
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
            line.wdl = Some(wdl::chances(variant, position, info.score, info.winrate));
        }
        actions.push(HubAction::Send(Reply::Info(line)));
    }

    /// Exactly one `done` for every `go`. Clients break on a move that is missing or illegal, so both moves are checked
    /// here once more, and any legal move stands in for a search that failed.
    fn done(&mut self, report: &Report, actions: &mut Vec<HubAction>) {
        if let (HubState::Searching(RunningSearch { told: false, .. }), Some(info)) =
            (&self.state, &report.info)
        {
            self.send_info(info, actions);
        }
        let legal = match std::mem::replace(&mut self.state, HubState::Idle) {
            HubState::Searching(search) => search.legal,
            _ => self.game.legal_moves().to_vec(),
        };
        let best = report.best.filter(|mv| legal.contains(mv)).or(legal.first().copied());
        let line: Vec<Move> = best.into_iter().chain(report.ponder).collect();
        let ponder = report.ponder.filter(|_| legal_part(&self.game, &legal, &line) == 2);
        let board = self.game.variant().rules().board;
        let text = |mv| HubMoveText::new(board, mv);
        actions.push(HubAction::Send(Reply::Done { best: best.map(text), ponder: ponder.map(text) }));
        self.level = Level::default();
    }
}

impl RunningSearch {
    /// Whether it will end without a word from outside.
    fn ends_by_itself(&self) -> bool {
        self.bounded && !self.pondering
    }

    fn stop(&mut self, actions: &mut Vec<HubAction>) {
        if !self.stopped {
            self.stopped = true;
            actions.push(HubAction::StopSearch);
        }
    }
}

/// A fault in a line of limited length: the name of a file in it may be as long as the client's own line.
fn error_line(error: impl std::fmt::Display) -> HubAction {
    let mut text = error.to_string();
    if let Some((end, _)) = text.char_indices().nth(MOST_ERROR) {
        text.truncate(end);
        text.push_str("...");
    }
    HubAction::Send(Reply::Error(text))
}

/// How many moves of a line are legal one after another; `first` are the legal moves of the game's position.
fn legal_part(game: &Game, first: &[Move], line: &[Move]) -> usize {
    let mut position = *game.position();
    let legal = line.iter().enumerate().take_while(|&(ply, &mv)| {
        let legal = if ply == 0 { first.contains(&mv) } else { is_legal(game.variant(), &position, mv) };
        if legal {
            position = play_in(game.variant(), &position, mv);
        }
        legal
    });
    legal.count()
}
