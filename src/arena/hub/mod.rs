//! Players that are child processes and speak the Hub protocol, version 2.

pub mod answer;
pub mod process;

use super::cancel::Cancel;
use super::log::GameLog;
use super::player::{Player, PlayerFault, Remarks, Thought, Turn};
use super::spec::EngineSpec;
use crate::board::{Board, Color, Move};
use crate::game::Game;
use crate::notation::hub::{self, HubMoveText};
use crate::notation::text::quote;
use crate::protocol::hub::client;
use crate::rules::VariantId;
use answer::Answer;
use crossbeam::channel::{TryRecvError, never, select};
use process::{Heard, LINES_AHEAD, Process};
use std::time::{Duration, Instant};

/// How long an engine that was too late has to say something after `stop`.
const GRACE: Duration = Duration::from_secs(2);
/// What may still stand in the pipe of an engine that has ended is read for this long.
const AFTERMATH: Duration = Duration::from_millis(300);
/// Parameters that an engine may declare.
const MOST_PARAMS: usize = 10_000;

/// An engine that is started when it is first needed, and again after a fault.
pub struct HubPlayer {
    spec: EngineSpec,
    variant: VariantId,
    /// How long to wait for an answer that has no time limit.
    patience: Duration,
    cancel: Cancel,
    engine: Option<Process>,
    /// The last line that was an error or meant nothing, for those who wonder why nothing came.
    nonsense: Option<String>,
}

/// How a wait for an answer ended.
enum HubWait {
    Answer(Instant, Answer),
    Late,
    Gone,
    Cancelled,
}

impl HubPlayer {
    /// A player for this engine, not yet started.
    pub fn new(spec: &EngineSpec, variant: VariantId, patience: Duration, cancel: &Cancel) -> HubPlayer {
        let (spec, cancel) = (spec.clone(), cancel.clone());
        HubPlayer { spec, variant, patience, cancel, engine: None, nonsense: None }
    }

    /// Starts the engine and sets its parameters; gives its name and version as it says them.
    ///
    /// # Errors
    /// When it cannot be started, ends, does not answer, or has not the parameters or the variant asked for.
    pub fn start(&mut self, log: &GameLog) -> Result<String, PlayerFault> {
        let program = self.spec.command.first().cloned().unwrap_or_default();
        let mut engine = Process::start(&self.spec.name, &self.spec.command, self.spec.folder.as_deref())
            .map_err(|error| PlayerFault::Start(format!("{}: {error}", quote(&program))))?;
        engine.set_log(log);
        engine.send("hub");
        self.engine = Some(engine);
        let result = self.handshake();
        if let (Err(_), Some(engine)) = (&result, &mut self.engine) {
            engine.kill();
            self.engine = None;
        }
        result
    }

    fn handshake(&mut self) -> Result<String, PlayerFault> {
        let mut id = String::new();
        let mut declared: Vec<(String, Vec<String>)> = Vec::new();
        let deadline = Instant::now() + self.patience;
        loop {
            match self.expect("wait", deadline)? {
                // What comes before the name is a banner.
                Answer::Id { name, version } => id = format!("{name} {version}").trim().to_owned(),
                Answer::Param { .. } if declared.len() == MOST_PARAMS => {
                    return Err(PlayerFault::Start(format!("declares more than {MOST_PARAMS} parameters")));
                }
                Answer::Param { name, values } => declared.push((name, values)),
                Answer::HubWait => break,
                _ => (),
            }
        }
        let find = |name: &str| declared.iter().find(|(declared, _)| declared == name);
        let names = || declared.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
        let mut lines = Vec::new();
        let wanted = self.variant.hub_name();
        match find("variant") {
            Some((_, values)) if values.iter().any(|value| value == wanted) => {
                lines.push(client::set_param("variant", wanted));
            }
            None if self.variant == VariantId::International => (),
            _ => return Err(PlayerFault::Start(format!("does not play {wanted}"))),
        }
        for (name, value) in &self.spec.params {
            if find(name).is_none() {
                return Err(PlayerFault::Start(format!(
                    "has no parameter {}, only {}",
                    quote(name),
                    names()
                )));
            }
            lines.push(client::set_param(name, value));
        }
        lines.push("init".to_owned());
        if let Some(engine) = &self.engine {
            lines.iter().for_each(|line| engine.send(line));
        }
        let deadline = Instant::now() + self.patience;
        loop {
            match self.expect("ready", deadline)? {
                Answer::Ready => return Ok(id),
                Answer::Error(message) => return Err(PlayerFault::Start(format!("error {message}"))),
                _ => (),
            }
        }
    }

    /// The next answer during the start. The deadline is that of what is expected: an engine may talk for ever.
    fn expect(&mut self, what: &str, deadline: Instant) -> Result<Answer, PlayerFault> {
        match self.wait(deadline) {
            HubWait::Answer(_, answer) => Ok(answer),
            HubWait::Late => {
                let seconds = self.patience.as_secs_f64();
                Err(PlayerFault::Start(format!(
                    "no {} within {seconds} s{}",
                    quote(what),
                    self.last_nonsense()
                )))
            }
            HubWait::Gone => {
                let obituary = self.obituary();
                Err(PlayerFault::Start(format!("ended before {}: {obituary}", quote(what))))
            }
            HubWait::Cancelled => Err(PlayerFault::Cancelled),
        }
    }

    /// The next answer, or why there is none before the deadline.
    fn wait(&mut self, deadline: Instant) -> HubWait {
        let Some(engine) = &self.engine else { return HubWait::Gone };
        let mut deadline = deadline;
        let mut exited = engine.exited.clone();
        loop {
            let patience = deadline.saturating_duration_since(Instant::now());
            // An engine that never stops talking must not make us forget the time.
            if patience.is_zero() {
                // A process that has ended is not late.
                let ended = engine.exited.try_recv() == Err(TryRecvError::Disconnected);
                return if ended { HubWait::Gone } else { HubWait::Late };
            }
            select! {
                recv(engine.lines) -> heard => match heard {
                    Ok(Heard { at, text }) => {
                        engine.note(&text);
                        match answer::read(&text) {
                            Some(answer @ Answer::Error(_)) => {
                                self.nonsense = Some(text);
                                return HubWait::Answer(at, answer);
                            }
                            Some(answer) => return HubWait::Answer(at, answer),
                            None if text.trim().is_empty() => (),
                            None => self.nonsense = Some(text),
                        }
                    }
                    Err(_) => return HubWait::Gone,
                },
                recv(exited) -> _ => {
                    // Its last words may still be on their way.
                    exited = never();
                    deadline = deadline.min(Instant::now() + AFTERMATH);
                },
                recv(self.cancel.signal()) -> _ => return HubWait::Cancelled,
                default(patience) => (),
            }
        }
    }

    /// Removes a dead engine and says how it died.
    fn obituary(&mut self) -> String {
        match self.engine.take() {
            Some(mut engine) => engine.obituary(),
            None => "not running".to_owned(),
        }
    }

    /// Ends a hanging engine.
    fn kill(&mut self) {
        if let Some(mut engine) = self.engine.take() {
            engine.kill();
        }
    }

    fn last_nonsense(&self) -> String {
        self.nonsense.as_ref().map(|line| format!(", last heard {}", quote(line))).unwrap_or_default()
    }

    /// Gets everything out of the way that belongs to an earlier search.
    fn discard_old_lines(&mut self) {
        if let Some(engine) = &self.engine {
            // What comes faster than it can be read belongs to the next search.
            engine.lines.try_iter().take(LINES_AHEAD).for_each(|heard| engine.note(&heard.text));
        }
        self.nonsense = None;
    }

    /// The move time is up: an engine that still answers is merely late.
    fn overdue(
        &mut self,
        start: Instant,
        forfeit: Duration,
    ) -> Result<(Instant, Option<String>), PlayerFault> {
        if let Some(engine) = &self.engine {
            engine.send("stop");
        }
        let deadline = Instant::now() + GRACE.min(self.patience);
        loop {
            match self.wait(deadline) {
                // Written in time, but read by us too late.
                HubWait::Answer(at, Answer::Done(text)) if at - start <= forfeit => return Ok((at, text)),
                HubWait::Answer(at, Answer::Done(_)) => return Err(PlayerFault::late(at - start, forfeit)),
                HubWait::Answer(..) => (),
                HubWait::Late => {
                    let text = format!(
                        "no move after {} and \"stop\"{}",
                        seconds(start.elapsed()),
                        self.last_nonsense()
                    );
                    self.kill();
                    return Err(PlayerFault::Hang(text));
                }
                HubWait::Gone => return Err(PlayerFault::Crash(self.obituary())),
                HubWait::Cancelled => return Err(PlayerFault::Cancelled),
            }
        }
    }
}

impl Player for HubPlayer {
    fn new_game(&mut self, _: &Game, _: Color, _: u64, log: &GameLog) -> Result<(), PlayerFault> {
        if let Some(engine) = &mut self.engine {
            engine.set_log(log);
            if engine.exited.try_recv() == Err(TryRecvError::Disconnected) {
                // It died between the games, which costs it nothing.
                self.kill();
            }
        }
        if self.engine.is_none() {
            self.start(log)?;
        }
        self.discard_old_lines();
        if let Some(engine) = &self.engine {
            engine.send("new-game");
        }
        Ok(())
    }

    fn think(&mut self, game: &Game, turn: &Turn) -> Result<Thought, PlayerFault> {
        self.discard_old_lines();
        let Some(engine) = &self.engine else {
            return Err(PlayerFault::Crash("not running".to_owned()));
        };
        engine.send(&client::position(game));
        engine.send(&client::level(&turn.limits));
        let start = Instant::now();
        engine.send("go think");
        let deadline = start + turn.forfeit.unwrap_or(self.patience);
        let mut remarks = Remarks::default();
        let mut complaint = None;
        let (at, text) = loop {
            match self.wait(deadline) {
                HubWait::Answer(_, Answer::Info(info)) => {
                    remarks.score = info.score.or(remarks.score);
                    remarks.depth = info.depth.or(remarks.depth);
                    remarks.nodes = info.nodes.or(remarks.nodes);
                }
                HubWait::Answer(at, Answer::Done(text)) => break (at, text),
                HubWait::Answer(_, Answer::Error(message)) => complaint = Some(message),
                HubWait::Answer(..) => (),
                HubWait::Late => match turn.forfeit {
                    Some(forfeit) => break self.overdue(start, forfeit)?,
                    None => {
                        let complaint =
                            complaint.map(|message| format!(", error {message}")).unwrap_or_default();
                        let text = format!(
                            "no move in {}{complaint}{}",
                            seconds(self.patience),
                            self.last_nonsense()
                        );
                        self.kill();
                        return Err(PlayerFault::Hang(text));
                    }
                },
                HubWait::Gone => return Err(PlayerFault::Crash(self.obituary())),
                HubWait::Cancelled => {
                    self.kill();
                    return Err(PlayerFault::Cancelled);
                }
            }
        };
        let used = at.saturating_duration_since(start);
        if let Some(forfeit) = turn.forfeit.filter(|&forfeit| used > forfeit) {
            return Err(PlayerFault::late(used, forfeit));
        }
        let mv = legal_move(game, text.as_deref()).map_err(|fault| {
            let complaint = complaint.map(|message| format!(" (error {message})")).unwrap_or_default();
            PlayerFault::IllegalMove(format!("{fault}{complaint}"))
        })?;
        Ok(Thought { mv, used, remarks })
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

/// The legal move that a text means, or what is wrong with it.
fn legal_move(game: &Game, text: Option<&str>) -> Result<Move, String> {
    let Some(text) = text else { return Err("done without a move".to_owned()) };
    let board = game.variant().rules().board;
    let legal = game.legal_moves();
    hub::parse_move(board, &legal, text).map_err(|error| {
        let mut fault = error.to_string();
        if same_ends(board, &legal, text) {
            fault.push_str(", no capture takes these squares");
        }
        fault
    })
}

/// Whether a capture begins and ends as this text says.
fn same_ends(board: &Board, legal: &[Move], text: &str) -> bool {
    let mut parts = text.split('x');
    let ends = parts.next().zip(parts.next()).map(|(from, to)| format!("{from}x{to}"));
    let short = ends.and_then(|ends| ends.parse::<HubMoveText>().ok());
    short.is_some_and(|short| !matches!(short.resolve(board, legal), Err(hub::HubMoveError::Illegal(_))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_that_are_none() {
        let mut game = Game::new(VariantId::International);
        let fault = |game: &Game, text| legal_move(game, text).unwrap_err();
        assert_eq!(fault(&game, None), "done without a move");
        assert!(fault(&game, Some("32-29")).contains("illegal move \"32-29\""));
        assert!(fault(&game, Some("e3-d4")).contains("bad move"));
        for text in ["33-28", "19-23"] {
            game.play(legal_move(&game, Some(text)).unwrap()).unwrap();
        }
        // 28x19x23 takes the man on 23; the short form is understood, other squares and letters are not.
        assert!(legal_move(&game, Some("28x19")).is_ok());
        assert!(fault(&game, Some("28x19x24")).contains("no capture takes these squares"));
        assert!(fault(&game, Some("28X19X23")).contains("bad move"));
    }
}
