//! Players that speak DXP (see protocol-docs/dxp.md): we connect and ask for games, they listen and accept. Such an
//! engine is started by us or runs already.

mod link;

use super::cancel::Cancel;
use super::log::GameLog;
use super::player::{Player, PlayerFault, Remarks, Thought, Turn};
use super::spec::EngineSpec;
use super::time_control::EngineLimits;
use crate::board::{Color, Move, Setup};
use crate::game::Game;
use crate::notation::dxp::DxpMove;
use crate::notation::text::quote;
use crate::protocol::dxp::address::Address;
use crate::protocol::dxp::fields::{Name, ThinkingTime};
use crate::protocol::dxp::message::{AcceptCode, BackCode, EndReason, GameRequest, Message};
use crate::protocol::dxp::transport::PORT;
use crate::rules::VariantId;
use link::{DxpLink, DxpWait};
use std::net::{Ipv4Addr, TcpListener};
use std::time::{Duration, Instant};

/// Stands for a free port in the command of an engine that we start.
pub const PORT_WORD: &str = "{port}";
/// How long the end of a game may take, and the move of an engine that is too late.
const GRACE: Duration = Duration::from_secs(2);

/// Ends a game without a word about who has won.
const END: Message = Message::GameEnd { reason: EndReason::Unknown, stop: false };

/// What a GAMEREQ says about time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DxpTerms {
    /// For the whole game.
    pub time: ThinkingTime,
    /// Moves of each player, 0: no limit.
    pub moves: u16,
}

impl DxpTerms {
    /// The terms that follow from an engine's parameters `minutes` and `moves`, or from its time control: the protocol
    /// knows no increments and no periods. An engine whose time is limited otherwise plays without a clock of its own.
    ///
    /// # Errors
    /// When the protocol cannot say it.
    pub fn new(spec: &EngineSpec, limits: &EngineLimits) -> Result<DxpTerms, String> {
        let mut terms = DxpTerms { time: ThinkingTime::default(), moves: 0 };
        let mut given = false;
        for (name, value) in &spec.params {
            match name.as_str() {
                "minutes" => {
                    given = true;
                    terms.time = value.parse().map_err(|error| format!("parameter minutes: {error}"))?;
                }
                "moves" => {
                    let moves = value.parse().ok().filter(|&moves| moves <= 999);
                    terms.moves = moves.ok_or_else(|| {
                        format!("parameter moves: {}: expected a whole number, 0 to 999", quote(value))
                    })?;
                }
                _ => return Err(format!("parameter {}: expected minutes or moves", quote(name))),
            }
        }
        if let (Some(control), false) = (limits.control, given) {
            if control.moves.is_some() || !control.increment.is_zero() {
                return Err(format!(
                    "time control {control}: DXP knows only one time for the whole game, such as 60+0"
                ));
            }
            let minutes = control.base.as_secs_f64() / 60.0;
            terms.time = ThinkingTime::from_minutes(minutes)
                .ok()
                .filter(|time| !time.is_fraction())
                .ok_or_else(|| format!("time control {control}: {}", whole_minutes(minutes)))?;
        }
        Ok(terms)
    }
}

/// Why a number of minutes is refused, and what fits.
fn whole_minutes(minutes: f64) -> String {
    const MOST: f64 = 999.0;
    let (below, above) = (minutes.floor().clamp(1.0, MOST), minutes.ceil().clamp(1.0, MOST));
    let mut fitting = vec![format!("tc={}", 60.0 * below)];
    if above > below {
        fitting.push(format!("tc={}", 60.0 * above));
    }
    let fraction = ThinkingTime::from_minutes(minutes).ok().filter(|time| time.is_fraction());
    let anyway = fraction
        .map_or(String::new(), |_| format!("; param.minutes={minutes} sends the fraction all the same"));
    format!(
        "DXP counts whole minutes, and some programs read a fraction as none: {} would do{anyway}",
        fitting.join(" or ")
    )
}

/// What the engine believes about the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// There is none.
    Idle,
    /// One has been agreed.
    Playing {
        /// Plies that the engine knows of.
        known: usize,
        /// Whether it is the engine's turn.
        its_turn: bool,
    },
}

/// An engine to which we connect when it is first needed, and again after a fault.
pub struct DxpPlayer {
    spec: EngineSpec,
    terms: DxpTerms,
    patience: Duration,
    cancel: Cancel,
    link: Option<DxpLink>,
    phase: Phase,
    color: Color,
    /// Where the present game begins.
    opening: Option<Game>,
    log: GameLog,
}

impl DxpPlayer {
    /// A player for this engine; nothing is started yet.
    pub fn new(spec: &EngineSpec, terms: DxpTerms, patience: Duration, cancel: &Cancel) -> DxpPlayer {
        DxpPlayer {
            spec: spec.clone(),
            terms,
            patience,
            cancel: cancel.clone(),
            link: None,
            phase: Phase::Idle,
            color: Color::White,
            opening: None,
            log: GameLog::default(),
        }
    }

    /// Starts the engine if we have to, and connects to it.
    ///
    /// # Errors
    /// When it cannot be started or reached.
    pub fn start(&mut self, log: &GameLog) -> Result<(), PlayerFault> {
        let (host, mut port) = listening_place(&self.spec).map_err(PlayerFault::Start)?;
        let mut command = self.spec.command.clone();
        if command.iter().any(|word| word.contains(PORT_WORD)) {
            port = free_port().map_err(|error| PlayerFault::Start(format!("no free port: {error}")))?;
            command.iter_mut().for_each(|word| *word = word.replace(PORT_WORD, &port.to_string()));
        }
        let deadline = Instant::now() + self.patience;
        let spec = EngineSpec { command, ..self.spec.clone() };
        self.phase = Phase::Idle;
        self.link = Some(DxpLink::open(&spec, &host, port, deadline, &self.cancel, log)?);
        Ok(())
    }

    /// Asks for the game, whose opening is known; gives the time at which it was accepted. An engine that has left
    /// between the games, as some do after each, is fetched again.
    fn request(&mut self) -> Result<Instant, PlayerFault> {
        match self.request_once() {
            Err(PlayerFault::Crash(_)) => {
                self.link = None;
                let log = self.log.clone();
                self.start(&log)?;
                self.request_once()
            }
            other => other,
        }
    }

    fn request_once(&mut self) -> Result<Instant, PlayerFault> {
        let Some((opening, link)) = self.opening.as_ref().zip(self.link.as_mut()) else {
            return Err(PlayerFault::Crash("not connected".to_owned()));
        };
        let initial = *opening.position() == *Game::new(VariantId::International).start();
        let request = Message::GameRequest(GameRequest {
            name: Name::new("Kroon"),
            follower: self.color,
            time: self.terms.time,
            moves: self.terms.moves,
            start: (!initial).then(|| Setup::from(opening.position())),
        });
        link.forget_chat();
        link.send(&request);
        let mut deadline = Instant::now() + self.patience;
        let mut again = false;
        loop {
            match self.wait(deadline) {
                DxpWait::Message(at, Message::GameAccept { code: AcceptCode::Accepted, .. }) => {
                    // Perhaps it could not listen, and somebody else has accepted.
                    if let Some(why) = self.link.as_mut().and_then(DxpLink::own_end) {
                        self.link = None;
                        return Err(PlayerFault::Start(why));
                    }
                    let plies = self.opening.as_ref().map_or(0, |game| game.moves().len());
                    let first = self.opening.as_ref().map(|game| game.position().turn());
                    self.phase = Phase::Playing { known: plies, its_turn: first == Some(self.color) };
                    return Ok(at);
                }
                DxpWait::Message(_, Message::GameAccept { code: AcceptCode::NotThisGame, .. }) if !again => {
                    // Perhaps it goes on with a game that broke off, until it is told to end it.
                    again = true;
                    self.send(&END);
                    self.send(&request);
                    deadline = Instant::now() + self.patience;
                }
                DxpWait::Message(_, Message::GameAccept { code, .. }) => return Err(self.refused(code)),
                // It has hung up behind its refusal.
                DxpWait::Gone(_) if again => return Err(self.refused(AcceptCode::NotThisGame)),
                DxpWait::Message(..) => (),
                DxpWait::Garbage(text) => return Err(PlayerFault::Start(text)),
                DxpWait::Late => {
                    let seconds = self.patience.as_secs_f64();
                    return Err(PlayerFault::Start(format!(
                        "no answer to the request for a game within {seconds} s"
                    )));
                }
                DxpWait::Gone(why) => return Err(PlayerFault::Crash(why)),
                DxpWait::Cancelled => return Err(PlayerFault::Cancelled),
            }
        }
    }

    /// That the engine wants no game, in its own words if it has any.
    fn refused(&mut self, code: AcceptCode) -> PlayerFault {
        let why = self.link.as_mut().and_then(|link| link.explanation(&self.cancel));
        let why = why.map_or(String::new(), |why| format!(": {}", quote(&why)));
        PlayerFault::Start(format!("refused the game ({code}){why}"))
    }

    /// A game that went on by moves in place of the engine's own begins anew where it stands: the protocol has no word
    /// for them.
    fn rejoin(&mut self, game: &Game) {
        let begun = self.opening.as_ref().map_or(0, |opening| opening.moves().len());
        let known = match self.phase {
            Phase::Playing { known, .. } => known,
            Phase::Idle => begun,
        };
        if game.moves().len() <= known + 1 {
            return;
        }
        if let Phase::Playing { its_turn, .. } = self.phase {
            self.end_game(its_turn);
            self.phase = Phase::Idle;
        }
        self.opening = Some(game.clone());
    }

    /// The connection, if it still stands.
    fn open_link(&mut self) -> Option<&mut DxpLink> {
        let link = self.link.as_mut()?;
        link.is_open().then_some(link)
    }

    fn wait(&mut self, deadline: Instant) -> DxpWait {
        match &mut self.link {
            Some(link) => link.wait(deadline, &self.cancel),
            None => DxpWait::Gone("not connected".to_owned()),
        }
    }

    fn send(&mut self, message: &Message) {
        if let Some(link) = &mut self.link {
            link.send(message);
        }
    }

    /// Tells the engine the move that was made against it.
    fn tell_move(&mut self, game: &Game, mv: Move) {
        // The time is informative only, and nobody has told us.
        self.send(&Message::Move(DxpMove::new(mv, 0)));
        self.phase = Phase::Playing { known: game.moves().len(), its_turn: true };
    }

    /// The engine's move, or the end that it puts to the game.
    fn answer(
        &mut self,
        game: &Game,
        start: Instant,
        turn: &Turn,
    ) -> Result<(Instant, DxpMove), PlayerFault> {
        let deadline = start + turn.forfeit.unwrap_or(self.patience);
        let mut late = false;
        loop {
            let until = if late { deadline + GRACE } else { deadline };
            match self.wait(until) {
                DxpWait::Message(at, Message::Move(mv)) => {
                    self.phase = Phase::Playing { known: game.moves().len() + 1, its_turn: false };
                    return Ok((at, mv));
                }
                DxpWait::Message(_, Message::GameEnd { reason, .. }) => {
                    self.send(&END);
                    self.phase = Phase::Idle;
                    let begun = self.opening.as_ref().map_or(0, |opening| opening.moves().len());
                    let most = 2 * usize::from(self.terms.moves);
                    if most > 0 && game.moves().len() >= begun + most {
                        return Err(PlayerFault::MoveLimit);
                    }
                    return Err(match reason {
                        EndReason::Lose => PlayerFault::Resigned("the engine gave up".to_owned()),
                        EndReason::Draw => {
                            PlayerFault::Left("the engine ended the game as a draw".to_owned())
                        }
                        EndReason::Win => PlayerFault::Left("the engine ended the game as won".to_owned()),
                        EndReason::Unknown => PlayerFault::Left("the engine ended the game".to_owned()),
                    });
                }
                DxpWait::Message(_, Message::BackRequest { .. }) => {
                    self.send(&Message::BackAccept(BackCode::Unsupported));
                }
                DxpWait::Message(..) => (),
                DxpWait::Garbage(text) => return Err(PlayerFault::IllegalMove(text)),
                // There is no order to move at once; a move that comes now only tells lateness from a hang.
                DxpWait::Late if !late && turn.forfeit.is_some() => late = true,
                DxpWait::Late => {
                    let seconds = start.elapsed().as_secs_f64();
                    self.hang_up();
                    return Err(PlayerFault::Hang(format!("no move in {seconds:.3} s")));
                }
                DxpWait::Gone(why) => return Err(PlayerFault::Crash(why)),
                DxpWait::Cancelled => return Err(PlayerFault::Cancelled),
            }
        }
    }

    /// Ends the game between us and the engine: in our turn by our GAMEEND, in its turn by its own or its move.
    fn end_game(&mut self, mut its_turn: bool) {
        let deadline = Instant::now() + GRACE;
        if !its_turn {
            self.send_end();
        }
        loop {
            match self.wait(deadline) {
                DxpWait::Message(_, Message::GameEnd { .. }) => {
                    if its_turn {
                        self.send_end();
                    }
                    return;
                }
                DxpWait::Message(_, Message::Move(_)) if its_turn => {
                    its_turn = false;
                    self.send_end();
                }
                DxpWait::Message(..) => (),
                // It does not follow: the next game begins with a new connection.
                _ => return self.hang_up(),
            }
        }
    }

    /// Ends the game for the engine, which is told once.
    fn send_end(&mut self) {
        if std::mem::replace(&mut self.phase, Phase::Idle) != Phase::Idle {
            self.send(&END);
        }
    }

    /// Leaves the engine. A game that is being played is ended, also out of turn: there are programs that keep it for the next
    /// connection and accept no other before they are told.
    fn hang_up(&mut self) {
        self.send_end();
        self.link = None;
    }
}

impl Drop for DxpPlayer {
    fn drop(&mut self) {
        self.hang_up();
    }
}

impl Player for DxpPlayer {
    fn new_game(&mut self, game: &Game, color: Color, _: u64, log: &GameLog) -> Result<(), PlayerFault> {
        self.log = log.clone();
        if let Some(link) = self.open_link() {
            link.set_log(log);
        } else {
            // The old process must be gone before a new one can have its port.
            self.link = None;
            self.start(log)?;
        }
        self.color = color;
        self.opening = Some(game.clone());
        // The game is asked for when the engine has something to do: its clock runs from then on.
        self.phase = Phase::Idle;
        Ok(())
    }

    fn think(&mut self, game: &Game, turn: &Turn) -> Result<Thought, PlayerFault> {
        self.rejoin(game);
        let mut start = Instant::now();
        if self.phase == Phase::Idle {
            start = self.request()?;
        }
        let known = match self.phase {
            Phase::Playing { known, .. } => known,
            Phase::Idle => game.moves().len(),
        };
        if let Some(&mv) = game.moves().get(known) {
            self.tell_move(game, mv);
            start = Instant::now();
        }
        let (at, message) = self.answer(game, start, turn)?;
        let used = at.saturating_duration_since(start);
        if let Some(forfeit) = turn.forfeit.filter(|&forfeit| used > forfeit) {
            return Err(PlayerFault::late(used, forfeit));
        }
        let mv = message.resolve(&game.legal_moves()).ok_or_else(|| {
            PlayerFault::IllegalMove(format!("illegal move {}", quote(&message.to_string())))
        })?;
        Ok(Thought { mv, used, remarks: Remarks::default() })
    }

    fn game_over(&mut self, game: &Game) {
        if let Phase::Playing { known, its_turn } = self.phase {
            let mut its_turn = its_turn;
            // More than one, and the game has left the engine behind.
            if let [mv] = game.moves()[known.min(game.moves().len())..]
                && !its_turn
            {
                self.tell_move(game, mv);
                its_turn = true;
            }
            if self.link.as_mut().is_some_and(DxpLink::is_open) {
                self.end_game(its_turn);
            }
        }
        self.phase = Phase::Idle;
    }
}

/// Where an engine listens, its own port aside where the command has [`PORT_WORD`].
pub(super) fn listening_place(spec: &EngineSpec) -> Result<(String, u16), String> {
    let Some(address) = &spec.address else { return Ok(("localhost".to_owned(), PORT)) };
    let address: Address = address.parse().map_err(|fault| format!("address {fault}"))?;
    Ok((address.host, address.port.unwrap_or(PORT)))
}

/// A port on which nobody listens now.
fn free_port() -> std::io::Result<u16> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(params: &str, control: Option<&str>) -> Result<DxpTerms, String> {
        let spec: EngineSpec = format!("proto=dxp address=localhost {params}").parse().unwrap();
        let control = control.map(|text| text.parse().unwrap());
        DxpTerms::new(&spec, &EngineLimits { control, ..EngineLimits::default() })
    }

    #[test]
    fn what_the_protocol_can_say() {
        let minutes = |minutes| ThinkingTime::from_minutes(minutes).unwrap();
        assert_eq!(terms("", Some("300")), Ok(DxpTerms { time: minutes(5.0), moves: 0 }));
        assert_eq!(terms("param.moves=75", Some("60")), Ok(DxpTerms { time: minutes(1.0), moves: 75 }));
        let half = terms("param.moves=75 param.minutes=0.5", Some("30"));
        assert_eq!(half, Ok(DxpTerms { time: minutes(0.5), moves: 75 }));
        assert_eq!(terms("", None), Ok(DxpTerms { time: minutes(0.0), moves: 0 }));
        assert_eq!(terms("param.minutes=2", Some("60+1")), Ok(DxpTerms { time: minutes(2.0), moves: 0 }));
        assert!(terms("", Some("60+1")).unwrap_err().contains("60+1"));
        assert!(terms("", Some("40/60")).unwrap_err().contains("40/60"));
        let fault = |control| terms("", Some(control)).unwrap_err();
        assert!(fault("30").contains("tc=60 would do; param.minutes=0.5 sends"), "{}", fault("30"));
        assert!(fault("90").contains("tc=60 or tc=120 would do; param.minutes=1.5"), "{}", fault("90"));
        assert!(fault("61").ends_with("tc=60 or tc=120 would do"), "{}", fault("61"));
        assert!(fault("1e5").ends_with("tc=59940 would do"), "{}", fault("1e5"));
        assert!(terms("param.moves=1000", None).unwrap_err().contains("\"1000\""));
        assert!(terms("param.hash=1", None).unwrap_err().contains("minutes or moves"));
    }

    #[test]
    fn addresses() {
        let place = |address: &str| listening_place(&format!("proto=dxp address={address}").parse().unwrap());
        assert_eq!(place("localhost"), Ok(("localhost".into(), PORT)));
        assert_eq!(place("[::1]:99"), Ok(("::1".into(), 99)));
        assert_eq!(place("2001:db8::7"), Ok(("2001:db8::7".into(), PORT)));
        assert!(place("host:x").is_err_and(|fault| fault.starts_with("address \"host:x\"")));
    }
}
