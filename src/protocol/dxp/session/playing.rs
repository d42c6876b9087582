//! The session while a game is played.

use super::events::{Closing, DxpAction, DxpEvent, Moved};
use super::{DxpSession, DxpState, MOST_BACKS, Role, chat, send, tell};
use crate::board::{Color, Move};
use crate::engine::{Mode, Report, Request};
use crate::game::Game;
use crate::notation::dxp::DxpMove;
use crate::protocol::dxp::current_game::{CurrentGame, GameTerms};
use crate::protocol::dxp::message::{BackCode, EndReason, Message};
use crate::protocol::dxp::record::DxpEnding;
use crate::search::Info;
use std::time::Instant;

impl DxpSession {
    /// A game begins.
    pub(super) fn start(
        &mut self,
        now: Instant,
        terms: GameTerms,
        start: Game,
        actions: &mut Vec<DxpAction>,
    ) {
        self.games += 1;
        self.wish = None;
        let play = CurrentGame::new(terms, self.settings.name.clone(), start, now);
        let (white, black) = play.names();
        actions.push(DxpAction::Tell(DxpEvent::GameStarted {
            number: play.number,
            total: match &self.settings.role {
                Role::Initiator(schedule) => Some(schedule.games),
                Role::Follower(most) => *most,
            },
            white,
            black,
            time: play.time,
            moves: play.moves,
            game: Box::new(play.game.clone()),
        }));
        self.enter(DxpState::Playing(Box::new(play)), now);
        self.take_turn(now, actions);
    }

    /// If it is our turn: ends the game if it is over, otherwise begins to think.
    fn take_turn(&mut self, now: Instant, actions: &mut Vec<DxpAction>) {
        let DxpState::Playing(play) = &mut self.state else { return };
        if !play.is_our_turn() {
            return;
        }
        let over = play.end_on_our_turn(&self.settings).or_else(|| {
            self.wish.take().map(|wish| match wish {
                EndReason::Draw => (EndReason::Draw, DxpEnding::DrawClaimed(play.ours)),
                _ => (EndReason::Lose, DxpEnding::Resigned(play.ours)),
            })
        });
        if let Some((reason, ending)) = over {
            return self.end_game(now, reason, ending, actions);
        }
        self.searches += 1;
        self.used = true;
        play.search = Some(self.searches);
        play.info = None;
        let limits = play.limits(&self.settings);
        let request = Request { game: play.game.clone(), limits, mode: Mode::Think };
        actions.push(DxpAction::Search(self.searches, Box::new(request)));
    }

    /// A wish of the user, for now or for our next turn.
    pub(super) fn wish(&mut self, now: Instant, wish: EndReason, actions: &mut Vec<DxpAction>) {
        let DxpState::Playing(play) = &mut self.state else {
            return tell(actions, "no game is being played");
        };
        self.wish = Some(wish);
        if play.is_our_turn() {
            stop_search(play, actions);
            self.take_turn(now, actions);
        }
    }

    /// A message during a game, other than GAMEREQ and CHAT.
    pub(super) fn in_game(&mut self, now: Instant, message: Message, actions: &mut Vec<DxpAction>) {
        match message {
            Message::Move(mv) => self.opponent_moves(now, &mv, actions),
            Message::GameEnd { reason, stop } => self.opponent_ends(now, reason, stop, actions),
            Message::BackRequest { number, color } => self.opponent_goes_back(now, number, color, actions),
            other => self.fault(format!("{} during a game, ignored", other.kind()), actions),
        }
    }

    fn opponent_moves(&mut self, now: Instant, message: &DxpMove, actions: &mut Vec<DxpAction>) {
        let DxpState::Playing(play) = &mut self.state else { return };
        if play.is_our_turn() {
            return self.spoil_game(now, format!("move \"{message}\" although it is our turn"), actions);
        }
        match play.resolve(message) {
            Ok(mv) => {
                make_move(play, mv, now, None, actions);
                self.take_turn(now, actions);
            }
            Err(fault) => self.spoil_game(now, fault.to_string(), actions),
        }
    }

    /// The opponent ends the game, on its turn or not: that cannot be refused.
    fn opponent_ends(&mut self, now: Instant, reason: EndReason, stop: bool, actions: &mut Vec<DxpAction>) {
        let DxpState::Playing(play) = &mut self.state else { return };
        stop_search(play, actions);
        let record = play.record(play.verdict(reason));
        let stop = stop || !self.wants_more();
        send(actions, Message::GameEnd { reason: EndReason::Unknown, stop });
        actions.push(DxpAction::Tell(DxpEvent::GameOver(Box::new(record))));
        self.stop |= stop;
        self.after_game(now, actions);
    }

    fn opponent_goes_back(&mut self, now: Instant, number: u16, color: Color, actions: &mut Vec<DxpAction>) {
        let DxpState::Playing(play) = &mut self.state else { return };
        let Some(ply) = play.ply_of(number, color) else {
            send(actions, Message::BackAccept(BackCode::Refused));
            return self.fault(
                format!("BACKREQ to move {number} of {color}, which was not reached, refused"),
                actions,
            );
        };
        if play.backs >= MOST_BACKS {
            send(actions, Message::BackAccept(BackCode::Unsupported));
            return self.fault(format!("BACKREQ refused after {MOST_BACKS} in this game"), actions);
        }
        play.backs += 1;
        stop_search(play, actions);
        play.go_back(ply, now);
        send(actions, Message::BackAccept(BackCode::Granted));
        actions.push(DxpAction::Tell(DxpEvent::WentBack(Box::new(play.game.clone()))));
        self.take_turn(now, actions);
    }

    pub(super) fn info(&mut self, id: u64, info: Info, actions: &mut Vec<DxpAction>) {
        let DxpState::Playing(play) = &mut self.state else { return };
        if play.search == Some(id) && info.rank == 1 {
            let position = Box::new(*play.game.position());
            play.info = Some(info.clone());
            actions.push(DxpAction::Tell(DxpEvent::Thinking(position, Box::new(info))));
        }
    }

    pub(super) fn done(&mut self, now: Instant, id: u64, report: &Report, actions: &mut Vec<DxpAction>) {
        let DxpState::Playing(play) = &mut self.state else { return };
        if play.search != Some(id) {
            return;
        }
        play.search = None;
        let legal = play.game.legal_moves();
        // A search that failed must not cost the game: any legal move stands in.
        let best = report.best.filter(|mv| legal.contains(mv)).or(legal.first().copied());
        let info = report.info.clone().or(play.info.take());
        let score = info.as_ref().map(|info| info.score);
        if play.is_hopeless(score, self.settings.resign) {
            let ours = play.ours;
            return self.end_game(now, EndReason::Lose, DxpEnding::Resigned(ours), actions);
        }
        if let Some(mv) = best {
            make_move(play, mv, now, info, actions);
        }
    }

    /// We end the game in place of a move.
    fn end_game(&mut self, now: Instant, reason: EndReason, ending: DxpEnding, actions: &mut Vec<DxpAction>) {
        let DxpState::Playing(play) = &mut self.state else { return };
        stop_search(play, actions);
        let record = play.record(ending);
        let stop = !self.wants_more();
        send(actions, Message::GameEnd { reason, stop });
        actions.push(DxpAction::Tell(DxpEvent::GameOver(Box::new(record))));
        self.stop |= stop;
        self.enter(DxpState::Ending, now);
    }

    /// The opponent broke the rules: it is told, and the game ends without a result, unless it was over already.
    pub(super) fn spoil_game(&mut self, now: Instant, why: String, actions: &mut Vec<DxpAction>) {
        tell(actions, &why);
        chat(actions, &format!("error: {why}"));
        let DxpState::Playing(play) = &self.state else { return };
        let ending = play.broken_off(&why);
        let reason = match ending {
            DxpEnding::Decided { winner, .. } if winner == play.ours => EndReason::Win,
            DxpEnding::Decided { .. } => EndReason::Lose,
            DxpEnding::Draw(_) => EndReason::Draw,
            _ => EndReason::Unknown,
        };
        self.end_game(now, reason, ending, actions);
        self.count_fault(actions);
    }

    /// The opponent has had all its time and our patience.
    pub(super) fn silence(&mut self, actions: &mut Vec<DxpAction>) {
        let DxpState::Playing(play) = &mut self.state else { return };
        let ending = play.silence(self.settings.patience, self.settings.move_time.is_none());
        let why = format!("no move from {} in time", play.opponent);
        actions.push(DxpAction::Tell(DxpEvent::GameOver(Box::new(play.record(ending)))));
        chat(actions, &format!("error: {why}"));
        self.close(Closing::Silent(why), actions);
    }

    /// If a game is being played, it is recorded as it stands.
    pub(super) fn save_game(&mut self, why: &str, actions: &mut Vec<DxpAction>) {
        let DxpState::Playing(play) = &mut self.state else { return };
        stop_search(play, actions);
        let record = play.record(play.broken_off(why));
        actions.push(DxpAction::Tell(DxpEvent::GameOver(Box::new(record))));
    }
}

fn stop_search(play: &mut CurrentGame, actions: &mut Vec<DxpAction>) {
    if play.search.take().is_some() {
        actions.push(DxpAction::StopSearch);
    }
}

/// Plays a legal move on the board; ours goes out as well.
fn make_move(
    play: &mut CurrentGame,
    mv: Move,
    now: Instant,
    info: Option<Info>,
    actions: &mut Vec<DxpAction>,
) {
    let ours = play.is_our_turn();
    let before = *play.game.position();
    let ply = play.game.moves().len() + usize::from(play.game.start().turn() == Color::Black);
    let time = play.play(mv, now);
    if ours {
        // To the nearest second, as others do.
        let seconds = (time.as_millis() + 500) / 1000;
        let seconds = u64::try_from(seconds).unwrap_or(u64::MAX);
        send(actions, Message::Move(DxpMove::new(mv, seconds)));
    }
    let color = before.turn();
    actions.push(DxpAction::Tell(DxpEvent::Moved(Box::new(Moved {
        number: ply / 2 + 1,
        color,
        ours,
        before,
        mv,
        time,
        info,
    }))));
}
