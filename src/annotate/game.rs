//! The analysis of a game as it is shown: what the views, the files and the board in the browser are made of.

use super::judge::{Evidence, Exact, MoveClass, THRESHOLDS};
use super::opening;
use super::search::{LineFacts, MoveFacts};
use super::summary::SideSummary;
use super::tactics::{PlayedLine, clear_length, combination, lost_men};
use crate::board::{Color, Position};
use crate::engine::Options;
use crate::eval::wdl::Chances;
use crate::game::Game;
use crate::notation::fen;
use crate::rules::VariantId;
use crate::score::Score;
use serde::Serialize;

/// A part of the game, by the share of the pieces that are still on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    /// At least [`Phase::OPENING`] of them.
    Opening,
    /// In between.
    Middlegame,
    /// At most [`Phase::ENDGAME`] of them.
    Endgame,
}

impl Phase {
    /// The least share of an opening.
    pub const OPENING: f64 = 0.8;
    /// The most of an endgame.
    pub const ENDGAME: f64 = 0.35;
    /// All phases, in the order of a game.
    pub const ALL: [Phase; 3] = [Phase::Opening, Phase::Middlegame, Phase::Endgame];

    /// The phase of a position.
    pub fn of(variant: VariantId, position: &Position) -> Phase {
        let share = f64::from(position.occupied().len()) / f64::from(2 * variant.rules().most_pieces());
        if share >= Phase::OPENING {
            Phase::Opening
        } else if share > Phase::ENDGAME {
            Phase::Middlegame
        } else {
            Phase::Endgame
        }
    }

    /// `opening`, `middlegame` or `endgame`.
    pub fn name(self) -> &'static str {
        match self {
            Phase::Opening => "opening",
            Phase::Middlegame => "middlegame",
            Phase::Endgame => "endgame",
        }
    }
}

/// What a position is worth, for the side that moves.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Assessment {
    /// The score of the search in men.
    pub score: f64,
    /// Plies to the end of the game; none unless the search has seen it.
    pub plies_to_end: Option<u32>,
    /// The chances to win, draw and lose, in thousandths.
    pub wdl: [u32; 3],
    /// The expected result: 1 for a win, one half for a draw.
    pub expected: f64,
    /// What is certain by endgame tables, or because the game is over.
    pub exact: Option<Exact>,
}

impl Assessment {
    fn new(score: i32, chances: Chances, exact: Option<Exact>) -> Assessment {
        let score = Score::from_centi(score);
        Assessment {
            score: f64::from(score.centi()) / 100.0,
            plies_to_end: score.plies_to_end(),
            wdl: chances.per_mille(),
            expected: ten_thousandths(chances.expected()),
            exact,
        }
    }
}

/// A further variation.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Variation {
    /// Its score in men, for the side that moves.
    pub score: f64,
    /// The moves in PDN.
    pub moves: Vec<String>,
}

/// What is said of one move. Numbers are for the side that played it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MoveAnalysis {
    /// Its number in the game, from 1.
    pub ply: usize,
    /// Who played it: `white` or `black`.
    pub color: &'static str,
    /// The position before it.
    pub fen: String,
    /// The move in PDN.
    pub played: String,
    /// Its class.
    pub class: MoveClass,
    /// The expected result that it gave away.
    pub loss: f64,
    /// The position with the best move.
    pub before: Assessment,
    /// The position after the played move.
    pub after: Assessment,
    /// The best line, as far as it is clear.
    pub best: Vec<String>,
    /// The line that the played move begins, as far as it is clear.
    pub line: Vec<String>,
    /// Further variations, where several were asked for.
    pub others: Vec<Variation>,
    /// Men that the best line wins by a combination.
    pub combination: Option<u32>,
    /// Men that the played move loses by force.
    pub loses: Option<u32>,
    /// Pieces of the side that moves and of the other one.
    pub pieces: [u32; 2],
    /// The part of the game.
    pub phase: Phase,
    /// Seconds that the player took, if the game says so.
    pub seconds: Option<f64>,
    /// Whether the opening book plays the move; `None` behind the move that left it, and where it ends.
    pub book: Option<bool>,
    /// What the book plays instead of the move that left it.
    pub book_move: Option<String>,
    /// The depth of the search in plies.
    pub depth: u32,
    /// The nodes of all searches for this move.
    pub nodes: u64,
}

/// Fewest and most moves of a line that are shown.
const LINE: [usize; 2] = [3, 12];

impl MoveAnalysis {
    /// Judges a move by what was found out. `position` is the one before it.
    pub(super) fn new(
        ply: usize,
        variant: VariantId,
        position: &Position,
        facts: &MoveFacts,
    ) -> MoveAnalysis {
        let best = PlayedLine::read(variant, position, &facts.best.moves);
        let played = PlayedLine::read(variant, position, &facts.played.moves);
        let [before, after] =
            [facts.best_chances(variant, position), facts.played_chances(variant, position)];
        let evidence = Evidence {
            legal: facts.legal,
            best: before.expected(),
            played: after.expected(),
            second: facts.second_expected(variant, position),
            combination: combination(variant, &best),
            loses_material: lost_men(variant, &played).is_some(),
        };
        let class = evidence.class();
        let shown = |line: &LineFacts, played: &PlayedLine| {
            let length = clear_length(variant, played, LINE[0], LINE[1]);
            line.moves[..length].to_vec()
        };
        let color = position.turn();
        let count = |color| position.side(color).len();
        MoveAnalysis {
            ply,
            color: if color == Color::White { "white" } else { "black" },
            fen: fen::write(variant, position),
            played: facts.played.moves.first().cloned().unwrap_or_default(),
            class,
            loss: ten_thousandths(evidence.loss()),
            before: Assessment::new(facts.best.score.max(facts.played.score), before, facts.best_known),
            after: Assessment::new(facts.played.score, after, facts.played_known),
            best: shown(&facts.best, &best),
            line: shown(&facts.played, &played),
            others: facts
                .others
                .iter()
                .map(|line| Variation { score: f64::from(line.score) / 100.0, moves: line.moves.clone() })
                .collect(),
            combination: evidence.combination,
            loses: lost_men(variant, &played),
            pieces: [count(color), count(!color)],
            phase: Phase::of(variant, position),
            seconds: None,
            book: None,
            book_move: None,
            depth: facts.depth,
            nodes: facts.nodes,
        }
    }

    /// The side that played it.
    pub fn side(&self) -> Color {
        if self.color == "white" { Color::White } else { Color::Black }
    }

    /// Whether the player had a choice that mattered: such moves count for the accuracy.
    pub fn is_choice(&self) -> bool {
        self.class != MoveClass::Forced && !THRESHOLDS.is_lost(self.before.expected)
    }

    /// The expected result of White after the move.
    pub fn white_expected(&self) -> f64 {
        let expected = self.after.expected;
        ten_thousandths(if self.side() == Color::White { expected } else { 1.0 - expected })
    }
}

/// The analysis of a game.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GameAnalysis {
    /// The variant's name.
    pub variant: &'static str,
    /// The position at its start.
    pub start: String,
    /// The moves that were analysed.
    pub moves: Vec<MoveAnalysis>,
    /// What White did.
    pub white: SideSummary,
    /// What Black did.
    pub black: SideSummary,
}

impl GameAnalysis {
    /// The analysis of these moves of a game; the options name the opening book.
    pub(super) fn new(start: &Game, options: &Options, mut moves: Vec<MoveAnalysis>) -> GameAnalysis {
        opening::mark(start, options, &mut moves);
        let of = |color| SideSummary::new(moves.iter().filter(|mv| mv.side() == color));
        GameAnalysis {
            variant: start.variant().name(),
            start: fen::write(start.variant(), start.start()),
            white: of(Color::White),
            black: of(Color::Black),
            moves,
        }
    }

    /// The summary of a side.
    pub fn side(&self, color: Color) -> &SideSummary {
        match color {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }
}

/// The model of the chances knows no more digits.
pub(super) fn ten_thousandths(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}
