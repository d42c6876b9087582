//! What is written into a game about its moves, before it is written: `tree` puts it into PDN.

use super::game::{GameAnalysis, MoveAnalysis};
use super::say::remark;
use crate::notation::pdn::PdnEvaluation;
use serde::{Deserialize, Serialize};

/// What is written into a game about one move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveNote {
    /// The number of the move in the game, from 1.
    pub ply: usize,
    /// The move in PDN: what is said holds for no other.
    pub played: String,
    /// The value of the command `[%eval]`: men from White's view, or `#-3` where Black wins in 3 moves. Empty where the game is
    /// over.
    pub evaluation: String,
    /// The glyph of its class.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nag: Option<u16>,
    /// What is said of it in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub words: Option<String>,
    /// Better lines, each a variation in place of the move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Vec<String>>,
}

impl GameAnalysis {
    /// What [`annotate`](super::annotate) writes, in the order of the moves.
    pub fn notes(&self) -> Vec<MoveNote> {
        let next = |index: usize, mv: &MoveAnalysis| {
            self.moves.get(index + 1).filter(|next| next.ply == mv.ply + 1).map(|next| next.played.as_str())
        };
        self.moves.iter().enumerate().map(|(index, mv)| MoveNote::new(mv, next(index, mv))).collect()
    }
}

impl MoveNote {
    /// `next` is the move that was played after this one.
    fn new(mv: &MoveAnalysis, next: Option<&str>) -> MoveNote {
        let others = mv.others.iter().filter(|other| other.score > mv.after.score);
        let lines = std::iter::once(&mv.best).chain(others.map(|other| &other.moves));
        let is_better = |line: &&Vec<String>| {
            mv.class.is_error() && line.first().is_some_and(|first| *first != mv.played)
        };
        MoveNote {
            ply: mv.ply,
            played: mv.played.clone(),
            evaluation: evaluation(mv),
            nag: mv.class.nag(),
            words: remark(mv, next),
            lines: lines.filter(is_better).cloned().collect(),
        }
    }
}

/// `0.25` in men, or `#-3` for a win of Black in 3 moves.
fn evaluation(mv: &MoveAnalysis) -> String {
    let evaluation = PdnEvaluation::after_move(mv.side(), mv.after.score, mv.after.plies_to_end);
    evaluation.map_or_else(String::new, |evaluation| evaluation.to_string())
}
