//! Referee of one game: asks for moves, checks legality and time, detects the end.

use super::adjudicate::{Adjudication, Blocked, EarlyEnd, KnownEndings, Watch};
use super::cancel::Cancel;
use super::log::GameLog;
use super::player::{Player, PlayerFault, Turn};
use super::record::{MoveNote, Reason};
use super::time_control::{EngineLimits, Timer};
use crate::board::Color;
use crate::game::{Game, GameResult, Outcome};
use crate::tablebase::Value;
use std::time::Duration;

/// A player at the board: White's first, then Black's.
pub struct Seat<'a> {
    /// Who plays.
    pub player: &'a mut dyn Player,
    /// How fast.
    pub limits: EngineLimits,
    /// How much later than allowed a move may come; on a clock, all moves together.
    pub margin: Duration,
    /// Where the player's random numbers come from.
    pub seed: u64,
}

/// A game that has come to its end.
#[derive(Clone, Debug)]
pub struct PlayedGame {
    /// Start and moves; a move that was not legal or came too late is not among them.
    pub game: Game,
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub reason: Reason,
    /// What a fault was about.
    pub detail: Option<String>,
    /// A note for each move behind the opening.
    pub notes: Vec<MoveNote>,
}

/// Plays a game from an opening. `None` when the match was stopped before its end.
pub fn play(
    opening: &Game,
    mut seats: [Seat<'_>; 2],
    rules: &Adjudication,
    cancel: &Cancel,
    log: &GameLog,
) -> Option<PlayedGame> {
    let mut table = PlayState {
        game: opening.clone(),
        timers: [Timer::new(seats[0].limits), Timer::new(seats[1].limits)],
        notes: Vec::new(),
        watch: Watch::default(),
    };
    let result = table.run(&mut seats, rules, cancel, log);
    let (result, reason, detail) = match result {
        Ok((result, reason)) => (result, reason, None),
        Err((_, PlayerFault::MoveLimit)) => (GameResult::Draw, Reason::MaxPlies, None),
        Err((color, fault)) => (GameResult::win(!color), fault.reason()?, Some(fault.to_string())),
    };
    for seat in &mut seats {
        seat.player.game_over(&table.game);
    }
    let text =
        format!("{result:?}, {reason}{}", detail.iter().map(|text| format!(": {text}")).collect::<String>());
    log.line("referee", "=", &text);
    log.flush();
    Some(PlayedGame { game: table.game, result, reason, detail, notes: table.notes })
}

/// The state of a game.
struct PlayState {
    game: Game,
    timers: [Timer; 2],
    notes: Vec<MoveNote>,
    watch: Watch,
}

/// Who made which mistake.
type Foul = (Color, PlayerFault);

impl PlayState {
    fn run(
        &mut self,
        seats: &mut [Seat<'_>; 2],
        rules: &Adjudication,
        cancel: &Cancel,
        log: &GameLog,
    ) -> Result<(GameResult, Reason), Foul> {
        for color in Color::ALL {
            let seat = &mut seats[color.index()];
            seat.player.new_game(&self.game, color, seat.seed, log).map_err(|fault| (color, fault))?;
        }
        loop {
            if let Some(end) = self.end(rules) {
                return Ok(end);
            }
            let color = self.game.position().turn();
            if cancel.is_cancelled() {
                return Err((color, PlayerFault::Cancelled));
            }
            self.turn(&mut seats[color.index()], rules).map_err(|fault| (color, fault))?;
        }
    }

    /// Whether the game is over: first by the rules, then by agreement.
    fn end(&self, rules: &Adjudication) -> Option<(GameResult, Reason)> {
        match self.game.outcome() {
            Some(Outcome::Win(_)) if rules.blocked == Blocked::Draw && self.game.is_blocked() => {
                return Some((GameResult::Draw, Reason::Blocked));
            }
            Some(Outcome::Win(color)) => return Some((GameResult::win(color), Reason::Rules)),
            Some(Outcome::Draw(reason)) => return Some((GameResult::Draw, reason.into())),
            None => (),
        }
        if let Some(result) = self.known_result(rules) {
            return Some((result, Reason::Tables));
        }
        let plies = self.game.moves().len();
        match self.watch.ending(rules, plies) {
            Some(EarlyEnd::Win(color)) => Some((GameResult::win(color), Reason::AdjudicatedWin)),
            Some(EarlyEnd::Draw) => Some((GameResult::Draw, Reason::AdjudicatedDraw)),
            None if rules.max_plies.is_some_and(|most| plies >= most) => {
                Some((GameResult::Draw, Reason::MaxPlies))
            }
            None => None,
        }
    }

    /// The result by endgame tables.
    fn known_result(&self, rules: &Adjudication) -> Option<GameResult> {
        let KnownEndings(tables) = rules.tables.as_ref()?;
        let position = self.game.position();
        Some(match tables.result(position, self.game.counters())? {
            Value::Win => GameResult::win(position.turn()),
            Value::Draw => GameResult::Draw,
            Value::Loss => GameResult::win(!position.turn()),
        })
    }

    /// One move.
    fn turn(&mut self, seat: &mut Seat<'_>, rules: &Adjudication) -> Result<(), PlayerFault> {
        let color = self.game.position().turn();
        let timer = &mut self.timers[color.index()];
        let forfeit = timer.allowed_with(seat.margin);
        let turn = Turn { limits: timer.limits(), forfeit };
        let thought = seat.player.think(&self.game, &turn)?;
        if let Some(forfeit) = forfeit.filter(|&forfeit| thought.used > forfeit) {
            return Err(PlayerFault::late(thought.used, forfeit));
        }
        self.game.play(thought.mv).map_err(|_| PlayerFault::IllegalMove(format!("{:?}", thought.mv)))?;
        timer.moved(thought.used);
        self.notes.push(MoveNote::new(&thought.remarks, thought.used, timer.left()));
        self.watch.moved(rules, color, thought.remarks.score);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
