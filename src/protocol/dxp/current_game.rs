//! One game in progress, from our side of the board.

use super::clock::Clock;
use super::fields::{Name, ThinkingTime};
use super::message::EndReason;
use super::record::{DxpEnding, Record};
use super::session::DxpSettings;
use crate::board::{Color, Move};
use crate::game::{DrawReason, Game};
use crate::notation::dxp::DxpMove;
use crate::score::Score;
use crate::search::{ClockLimit, Info, Limits};
use std::time::{Duration, Instant};
use thiserror::Error;

/// A flag that has fallen is claimed only this long after, because part of the time was spent on the way.
const CLAIM_AFTER: Duration = Duration::from_secs(5);
/// The opponent may claim our flag if we have less than this left by our own measure.
const CONCEDE_BELOW: Duration = Duration::from_secs(1);
/// Time for a move when neither a clock nor the user gives one.
const UNTIMED_MOVE: Duration = Duration::from_secs(1);
/// A claim of the opponent is disputed if we are this much better (draw) or not this much worse (win).
const CLEARLY_BETTER: Score = Score::from_centi(300);
/// Own moves in a row with a hopeless score before we resign.
const RESIGN_AFTER: u32 = 3;

/// Why a MOVE cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub(super) enum MoveFault {
    #[error("illegal move \"{0}\"")]
    Illegal(DxpMove),
    #[error("ambiguous move \"{0}\": captures of other pieces go that way, none of exactly these")]
    OtherCaptures(DxpMove),
}

/// The game, its clock and what we think of it.
#[derive(Debug)]
pub(super) struct CurrentGame {
    pub number: u32,
    us: Name,
    pub opponent: Name,
    pub ours: Color,
    pub game: Game,
    pub time: ThinkingTime,
    /// Most moves of each player; 0: no limit.
    pub moves: u16,
    clock: Clock,
    /// Since when the side to move has been thinking.
    turn_since: Instant,
    /// A draw by rule that came about and was not claimed yet.
    drawn: Option<DrawReason>,
    /// Our last score.
    score: Option<Score>,
    /// Own moves in a row that were hopeless.
    hopeless: u32,
    /// The search that runs for us.
    pub search: Option<u64>,
    /// The last variation of it.
    pub info: Option<Info>,
    /// Granted requests to go back.
    pub backs: u32,
}

/// Who plays and for how long.
#[derive(Clone, Debug)]
pub(super) struct GameTerms {
    pub number: u32,
    pub opponent: Name,
    pub ours: Color,
    pub time: ThinkingTime,
    pub moves: u16,
}

impl CurrentGame {
    pub fn new(terms: GameTerms, us: Name, start: Game, now: Instant) -> CurrentGame {
        let GameTerms { number, opponent, ours, time, moves } = terms;
        CurrentGame {
            number,
            us,
            opponent,
            ours,
            clock: Clock::new(time.duration(), start.position().turn()),
            game: start,
            time,
            moves,
            turn_since: now,
            drawn: None,
            score: None,
            hopeless: 0,
            search: None,
            info: None,
            backs: 0,
        }
    }

    pub fn is_our_turn(&self) -> bool {
        self.game.position().turn() == self.ours
    }

    /// White's and Black's names.
    pub fn names(&self) -> (Name, Name) {
        match self.ours {
            Color::White => (self.us.clone(), self.opponent.clone()),
            Color::Black => (self.opponent.clone(), self.us.clone()),
        }
    }

    /// Plays a legal move, books the time and starts the other clock; returns the time.
    pub fn play(&mut self, mv: Move, now: Instant) -> Duration {
        let time = now.saturating_duration_since(self.turn_since);
        if self.game.play(mv).is_ok() {
            self.clock.push(time);
            self.turn_since = now;
            self.note_draw();
        }
        time
    }

    fn note_draw(&mut self) {
        if self.drawn.is_none()
            && let Some(DxpEnding::Draw(reason)) = DxpEnding::by_rules(&self.game)
        {
            self.drawn = Some(reason);
        }
    }

    /// The legal move that a MOVE means.
    pub fn resolve(&self, message: &DxpMove) -> Result<Move, MoveFault> {
        let legal = self.game.legal_moves();
        let is_other_capture =
            |mv: &Move| (mv.from(), mv.to()) == (message.from(), message.to()) && mv.is_capture();
        match message.resolve(&legal) {
            Some(mv) => Ok(mv),
            None if legal.iter().any(is_other_capture) => Err(MoveFault::OtherCaptures(*message)),
            None => Err(MoveFault::Illegal(*message)),
        }
    }

    /// The number of moves played before `color` makes move `number`, if the game has come that far. In a game that
    /// Black begins, move 1 is Black's alone.
    pub fn ply_of(&self, number: u16, color: Color) -> Option<usize> {
        let pairs = 2 * usize::from(number.checked_sub(1)?);
        let ply = match (self.game.start().turn(), color) {
            (Color::White, Color::White) | (Color::Black, Color::Black) => pairs,
            (Color::White, Color::Black) => pairs + 1,
            (Color::Black, Color::White) => pairs.checked_sub(1)?,
        };
        (ply <= self.game.moves().len()).then_some(ply)
    }

    /// Goes back to the position after so many moves.
    pub fn go_back(&mut self, plies: usize, now: Instant) {
        let moves = self.game.moves()[..plies].to_vec();
        // The start of a game that was being played is valid, and so were its moves.
        if let Ok(mut game) = Game::from_setup(self.game.variant(), &self.game.start().into()) {
            self.drawn = None;
            for mv in moves {
                if game.play(mv).is_err() {
                    break;
                }
                if let (None, Some(DxpEnding::Draw(reason))) = (self.drawn, DxpEnding::by_rules(&game)) {
                    self.drawn = Some(reason);
                }
            }
            self.clock.truncate(game.moves().len());
            self.game = game;
            self.turn_since = now;
            self.hopeless = 0;
            self.score = None;
        }
    }

    /// Whether each player has made the moves agreed upon.
    fn is_at_limit(&self) -> bool {
        self.moves > 0 && self.game.moves().len() >= 2 * usize::from(self.moves)
    }

    /// Whether the game is over where we are to move, and what we say then.
    pub fn end_on_our_turn(&self, settings: &DxpSettings) -> Option<(EndReason, DxpEnding)> {
        if let Some(ending @ DxpEnding::Decided { winner, .. }) = DxpEnding::by_rules(&self.game) {
            let reason = if winner == self.ours { EndReason::Win } else { EndReason::Lose };
            return Some((reason, ending));
        }
        if let Some(reason) = self.drawn {
            return Some((EndReason::Draw, DxpEnding::Draw(reason)));
        }
        let overrun = self.clock.overrun(!self.ours);
        // Who has us think a fixed time whatever the clock says does not want games decided by the clock.
        if settings.move_time.is_none() && overrun.is_some_and(|over| over > CLAIM_AFTER) {
            return Some((EndReason::Win, DxpEnding::OutOfTime(!self.ours)));
        }
        self.is_at_limit().then_some((EndReason::Unknown, DxpEnding::MoveLimit))
    }

    /// What the opponent's GAMEEND means. What the rules say comes first; a claim that contradicts our own view of the
    /// position has to be accepted, but is no result.
    pub fn verdict(&self, reason: EndReason) -> DxpEnding {
        let opponent = !self.ours;
        if let Some(ending @ DxpEnding::Decided { .. }) = DxpEnding::by_rules(&self.game) {
            return ending;
        }
        match (reason, self.drawn) {
            (_, Some(reason)) => DxpEnding::Draw(reason),
            (EndReason::Lose, None) => DxpEnding::Resigned(opponent),
            (EndReason::Draw, None) if self.score.is_some_and(|score| score >= CLEARLY_BETTER) => {
                DxpEnding::Disputed(opponent)
            }
            (EndReason::Draw, None) => DxpEnding::DrawClaimed(opponent),
            (EndReason::Win, None) if self.clock.left(self.ours).is_some_and(|left| left < CONCEDE_BELOW) => {
                DxpEnding::OutOfTime(self.ours)
            }
            (EndReason::Win, None) if self.score.is_some_and(|score| score <= -CLEARLY_BETTER) => {
                DxpEnding::WinClaimed(opponent)
            }
            (EndReason::Win, None) => DxpEnding::Disputed(opponent),
            (EndReason::Unknown, None) if self.is_at_limit() => DxpEnding::MoveLimit,
            (EndReason::Unknown, None) => DxpEnding::NoReason(opponent),
        }
    }

    /// What the game is when the opponent is gone.
    pub fn broken_off(&self, why: &str) -> DxpEnding {
        DxpEnding::by_rules(&self.game).unwrap_or_else(|| DxpEnding::Aborted(why.to_owned()))
    }

    /// What it is when the opponent has used all time and more, and still says nothing. Who plays with a fixed time for his moves (`claims` is
    /// false) wins nothing by the clock.
    pub fn silence(&self, waited: Duration, claims: bool) -> DxpEnding {
        DxpEnding::by_rules(&self.game).unwrap_or_else(|| match self.time.duration() {
            Some(_) if claims => DxpEnding::OutOfTime(!self.ours),
            _ => DxpEnding::Aborted(format!("no message for {} s", waited.as_secs())),
        })
    }

    /// Until when we wait for the opponent's move.
    pub fn deadline(&self, patience: Duration) -> Instant {
        self.turn_since + self.clock.left(!self.ours).unwrap_or_default() + patience
    }

    /// How long our next search may take.
    pub fn limits(&self, settings: &DxpSettings) -> Limits {
        let clock = self.clock.left(self.ours).map(|time| {
            let made = self.game.moves().len() / 2;
            let left = usize::from(self.moves).saturating_sub(made);
            let moves = (self.moves > 0).then_some(left.max(1) as u32);
            ClockLimit { time, increment: Duration::ZERO, moves }
        });
        match (settings.move_time, clock) {
            (Some(time), _) => Limits { move_time: Some(time), ..Limits::default() },
            (None, Some(clock)) => Limits { clock: Some(clock), ..Limits::default() },
            (None, None) => Limits { move_time: Some(UNTIMED_MOVE), ..Limits::default() },
        }
    }

    /// Takes note of our score for a move; says whether it is time to resign.
    pub fn is_hopeless(&mut self, score: Option<Score>, resign: Option<Score>) -> bool {
        self.score = score.or(self.score);
        let lost = score.zip(resign).is_some_and(|(score, resign)| score <= -resign);
        self.hopeless = if lost { self.hopeless + 1 } else { 0 };
        self.hopeless >= RESIGN_AFTER
    }

    /// The game as it is kept.
    pub fn record(&self, ending: DxpEnding) -> Record {
        let (white, black) = self.names();
        Record {
            number: self.number,
            white,
            black,
            ours: self.ours,
            game: self.game.clone(),
            time: self.time,
            moves: self.moves,
            ending,
        }
    }
}
