//! A game as it is stored: players, moves, ending; and the results of a match.

use super::fields::{Name, ThinkingTime};
use crate::board::Color;
use crate::game::{DrawReason, Game, Outcome};
use crate::notation::pdn::{PdnGame, PdnResult, Period, TimeControlTag};
use crate::rules::Objective;
use std::fmt;

/// How a game ended. Written so that both sides of a connection say the same of the same end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DxpEnding {
    /// Decided by the rules.
    Decided {
        /// Who has won.
        winner: Color,
        /// Who cannot move, if that decided it.
        blocked: Option<Color>,
    },
    /// Drawn by a rule of the variant.
    Draw(DrawReason),
    /// This side gave up.
    Resigned(Color),
    /// The flag of this side fell.
    OutOfTime(Color),
    /// This side claimed a draw, and nothing speaks against it.
    DrawClaimed(Color),
    /// This side claimed its win, and the other had a lost position by its own evaluation.
    WinClaimed(Color),
    /// This side claimed a draw or a win that its opponent does not see.
    Disputed(Color),
    /// The number of moves that was agreed upon has been played.
    MoveLimit,
    /// This side ended the game without a reason.
    NoReason(Color),
    /// The game was broken off.
    Aborted(String),
}

impl DxpEnding {
    /// What the rules say of a position.
    pub fn by_rules(game: &Game) -> Option<DxpEnding> {
        game.outcome().map(|outcome| match outcome {
            Outcome::Win(winner) => {
                // Other variants are decided by a first king, or won by who cannot move.
                let by_moves = game.variant().rules().objective != Objective::Crown;
                DxpEnding::Decided { winner, blocked: by_moves.then(|| game.position().turn()) }
            }
            Outcome::Draw(reason) => DxpEnding::Draw(reason),
        })
    }

    /// The result. Nothing is known of games that were broken off, reached the limit of moves, or are disputed.
    pub fn result(&self) -> PdnResult {
        match self {
            DxpEnding::Resigned(color) | DxpEnding::OutOfTime(color) => PdnResult::Win(!*color),
            DxpEnding::Decided { winner: color, .. } | DxpEnding::WinClaimed(color) => PdnResult::Win(*color),
            DxpEnding::Draw(_) | DxpEnding::DrawClaimed(_) => PdnResult::Draw,
            DxpEnding::Disputed(_)
            | DxpEnding::MoveLimit
            | DxpEnding::NoReason(_)
            | DxpEnding::Aborted(_) => PdnResult::Unknown,
        }
    }
}

impl fmt::Display for DxpEnding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DxpEnding::Decided { blocked: Some(color), .. } => write!(f, "{color} has no legal move"),
            DxpEnding::Decided { winner, blocked: None } => Outcome::Win(*winner).fmt(f),
            DxpEnding::Draw(reason) => Outcome::Draw(*reason).fmt(f),
            DxpEnding::Resigned(color) => write!(f, "{color} resigned"),
            DxpEnding::OutOfTime(color) => write!(f, "{color} ran out of time"),
            DxpEnding::DrawClaimed(color) => write!(f, "{color} claimed a draw"),
            DxpEnding::WinClaimed(color) => write!(f, "{color} claimed the win"),
            DxpEnding::Disputed(color) => write!(f, "{color} ended the game with a disputed claim"),
            DxpEnding::MoveLimit => f.write_str("limit of moves"),
            DxpEnding::NoReason(color) => write!(f, "{color} ended the game without a reason"),
            DxpEnding::Aborted(text) => write!(f, "aborted: {text}"),
        }
    }
}

/// A game that is over, finished or not.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its number in the match, from 1.
    pub number: u32,
    /// Who played White.
    pub white: Name,
    /// Who played Black.
    pub black: Name,
    /// Our colour.
    pub ours: Color,
    /// Start and moves.
    pub game: Game,
    /// Time of each player.
    pub time: ThinkingTime,
    /// Most moves of each player; 0: no limit.
    pub moves: u16,
    /// How it ended.
    pub ending: DxpEnding,
}

impl Record {
    /// The game as PDN; `date` as the tag wants it, such as 2024.05.01.
    pub fn pdn(&self, date: &str) -> PdnGame {
        let mut pdn = PdnGame::from(&self.game);
        let result = self.ending.result().text(self.game.variant());
        pdn.terminator = Some(result.to_owned());
        let tags = &mut pdn.tags;
        tags.set("Event", "DXP match");
        tags.set("Date", date);
        tags.set("Round", self.number.to_string());
        tags.set("White", self.white.as_str());
        tags.set("Black", self.black.as_str());
        tags.set("Result", result);
        tags.set("TimeControl", self.time_control().to_string());
        tags.set("Termination", self.ending.to_string());
        pdn
    }

    fn time_control(&self) -> TimeControlTag {
        let Some(time) = self.time.duration() else { return TimeControlTag::None };
        // In range: 999 minutes at most. The tag knows whole seconds, and none is no time at all.
        let seconds = time.as_secs().max(1) as u32;
        TimeControlTag::Periods(vec![match self.moves {
            0 => Period::SuddenDeath { seconds },
            moves => Period::Moves { moves: moves.into(), seconds },
        }])
    }
}

/// Results of a match, from our view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Standings {
    /// By our colour, White first.
    pub by_color: [MatchScore; 2],
}

/// Games counted by result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MatchScore {
    /// Won by us.
    pub won: u32,
    /// Drawn.
    pub drawn: u32,
    /// Lost by us.
    pub lost: u32,
    /// Without a result.
    pub unknown: u32,
}

impl MatchScore {
    /// All games.
    pub fn games(&self) -> u32 {
        self.won + self.drawn + self.lost + self.unknown
    }

    /// Two for a win and one for a draw.
    pub fn points(&self) -> u32 {
        2 * self.won + self.drawn
    }
}

impl Standings {
    /// Counts a game.
    pub fn count(&mut self, record: &Record) {
        let score = &mut self.by_color[record.ours.index()];
        match record.ending.result() {
            PdnResult::Win(color) if color == record.ours => score.won += 1,
            PdnResult::Win(_) => score.lost += 1,
            PdnResult::Draw => score.drawn += 1,
            _ => score.unknown += 1,
        }
    }

    /// Counts the games of other standings too.
    pub fn add(&mut self, other: &Standings) {
        for (mine, theirs) in self.by_color.iter_mut().zip(other.by_color) {
            mine.won += theirs.won;
            mine.drawn += theirs.drawn;
            mine.lost += theirs.lost;
            mine.unknown += theirs.unknown;
        }
    }

    /// Both colours together.
    pub fn total(&self) -> MatchScore {
        let [white, black] = self.by_color;
        MatchScore {
            won: white.won + black.won,
            drawn: white.drawn + black.drawn,
            lost: white.lost + black.lost,
            unknown: white.unknown + black.unknown,
        }
    }
}
