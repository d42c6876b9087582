//! The session between games: requests for a game and the answers to them.

use super::events::{Closing, DxpAction};
use super::{DxpSession, DxpState, Role, chat, send, tell};
use crate::board::Setup;
use crate::game::Game;
use crate::notation::dxp;
use crate::protocol::dxp::current_game::GameTerms;
use crate::protocol::dxp::fields::Name;
use crate::protocol::dxp::message::{AcceptCode, EndReason, GameRequest, Message};
use crate::protocol::dxp::schedule::playable;
use std::time::Instant;

impl DxpSession {
    /// The opponent asks for a game.
    pub(super) fn requested(&mut self, now: Instant, request: &GameRequest, actions: &mut Vec<DxpAction>) {
        let Role::Follower(most) = self.settings.role else {
            let why = "both sides ask for games: one of them must be the follower";
            return self.refuse(AcceptCode::NotThisGame, why, actions);
        };
        match self.state {
            DxpState::Idle => {}
            // Some programs do not confirm the end of a game.
            DxpState::Ending if most.is_some_and(|most| self.games >= most) => {
                self.refuse(AcceptCode::NoGames, "no more games", actions);
                // There may have been too many faults.
                if !self.is_over() {
                    self.after_game(now, actions);
                }
                return;
            }
            DxpState::Ending => self.after_game(now, actions),
            _ => return self.refuse(AcceptCode::NotThisGame, "a game is being played", actions),
        }
        if self.is_over() {
            return;
        }
        let start = match self.start_of(request.start.as_ref()) {
            Ok(start) => start,
            Err(why) => {
                // Who asks is there: patience begins anew.
                self.since = Some(now);
                return self.refuse(AcceptCode::NotThisGame, &format!("GAMEREQ: {why}"), actions);
            }
        };
        if self.preparing {
            self.waiting = Some(request.clone());
            return;
        }
        let code = AcceptCode::Accepted;
        send(actions, Message::GameAccept { name: self.settings.name.clone(), code });
        let terms = GameTerms {
            number: self.games + 1,
            opponent: request.name.clone(),
            ours: request.follower,
            time: request.time,
            moves: request.moves,
        };
        self.start(now, terms, start, actions);
    }

    fn start_of(&self, setup: Option<&Setup>) -> Result<Game, String> {
        match setup {
            None => Ok(Game::new(self.settings.variant)),
            Some(setup) => Game::from_setup(self.settings.variant, setup)
                .map_err(|error| error.to_string())
                .and_then(playable),
        }
    }

    /// Where the next game of the schedule starts, as far as the protocol can say it; `None`: the initial position.
    fn planned_start(&self) -> Option<Setup> {
        let Role::Initiator(schedule) = &self.settings.role else { return None };
        let setup = Setup::from(schedule.opening(self.games)?.start());
        // In some variants there is more to a position than its pieces.
        let setup = dxp::parse_position(&dxp::write_setup(&setup)).unwrap_or(setup);
        (setup != Setup::from(Game::new(self.settings.variant).start())).then_some(setup)
    }

    pub(super) fn refuse(&mut self, code: AcceptCode, why: &str, actions: &mut Vec<DxpAction>) {
        send(actions, Message::GameAccept { name: self.settings.name.clone(), code });
        chat(actions, why);
        self.fault(format!("game refused: {why}"), actions);
    }

    /// The engine is ready for the next game.
    pub(super) fn ready(&mut self, now: Instant, actions: &mut Vec<DxpAction>) {
        if !std::mem::take(&mut self.preparing) || !matches!(self.state, DxpState::Idle) {
            return;
        }
        self.since = Some(now);
        match self.waiting.take() {
            Some(request) => self.requested(now, &request, actions),
            None if matches!(self.settings.role, Role::Initiator(_)) => self.next_game(now, actions),
            None => {}
        }
    }

    /// The Initiator asks for the next game once the engine is ready, or is through.
    pub(super) fn next_game(&mut self, now: Instant, actions: &mut Vec<DxpAction>) {
        match &self.settings.role {
            Role::Initiator(schedule) if self.games < schedule.games => {
                if self.preparing {
                    return;
                }
                if self.games == 0 && schedule.time.is_fraction() {
                    let text = format!(
                        "{} minutes is a fraction: some programs read whole minutes only, Scan 2.0 for example reads 0 \
                         and moves at once",
                        schedule.time
                    );
                    tell(actions, text);
                }
                self.enter(DxpState::Requested { again: false }, now);
                self.request(actions);
            }
            _ => self.close(self.completed(), actions),
        }
    }

    /// How the match ends after its last game.
    pub(super) fn completed(&self) -> Closing {
        match self.refused {
            0 => Closing::Complete,
            refused => Closing::Refused(format!("{refused} of {} games were refused (code 2)", self.games)),
        }
    }

    fn request(&mut self, actions: &mut Vec<DxpAction>) {
        let Role::Initiator(schedule) = &self.settings.role else { return };
        let start = self.planned_start();
        send(
            actions,
            Message::GameRequest(GameRequest {
                name: self.settings.name.clone(),
                follower: !schedule.color(self.games),
                time: schedule.time,
                moves: schedule.moves,
                start,
            }),
        );
    }

    /// The answer to our request.
    pub(super) fn answered(
        &mut self,
        now: Instant,
        name: Name,
        code: AcceptCode,
        again: bool,
        actions: &mut Vec<DxpAction>,
    ) {
        let Role::Initiator(schedule) = &self.settings.role else { return };
        match code {
            AcceptCode::Accepted => {
                let terms = GameTerms {
                    number: self.games + 1,
                    opponent: name,
                    ours: schedule.color(self.games),
                    time: schedule.time,
                    moves: schedule.moves,
                };
                match self.start_of(self.planned_start().as_ref()) {
                    Ok(start) => self.start(now, terms, start, actions),
                    Err(why) => self.give_up(format!("opening {}: {why}", terms.number), actions),
                }
            }
            AcceptCode::NotThisGame if !again && !self.unstuck => {
                // A program that lost its last opponent in mid-game goes on with that game until it is told to end it.
                self.unstuck = true;
                tell(actions, "the game was refused (code 2), asking once more");
                send(actions, Message::GameEnd { reason: EndReason::Unknown, stop: false });
                self.enter(DxpState::Requested { again: true }, now);
                self.request(actions);
            }
            AcceptCode::NotThisGame => {
                self.games += 1;
                self.refused += 1;
                tell(actions, format!("{name} refused game {} (code 2)", self.games));
                self.next_game(now, actions);
            }
            AcceptCode::Version => {
                self.close(Closing::Refused(format!("{name} speaks another version (code 1)")), actions);
            }
            AcceptCode::NoGames => {
                self.close(Closing::Refused(format!("{name} wants no games (code 3)")), actions);
            }
        }
    }

    /// The game before is over for both sides.
    pub(super) fn after_game(&mut self, now: Instant, actions: &mut Vec<DxpAction>) {
        self.enter(DxpState::Idle, now);
        match self.settings.role {
            _ if self.stop && self.wants_more() => return self.close(Closing::PeerStops, actions),
            Role::Follower(_) if self.stop => return self.close(Closing::Complete, actions),
            Role::Initiator(_) if !self.wants_more() => return self.close(self.completed(), actions),
            _ => {}
        }
        if std::mem::take(&mut self.used) {
            self.preparing = true;
            actions.push(DxpAction::Prepare);
        }
        if matches!(self.settings.role, Role::Initiator(_)) {
            self.next_game(now, actions);
        }
    }

    /// Whether we should like to play another game.
    pub(super) fn wants_more(&self) -> bool {
        match &self.settings.role {
            Role::Follower(most) => most.is_none_or(|most| self.games < most),
            Role::Initiator(schedule) => self.games < schedule.games,
        }
    }
}
