//! Material along a line: who wins how much, and whether something is given up first.

use crate::board::{Color, Move, Position};
use crate::notation::moves;
use crate::rules::{Objective, VariantId, legal_moves, play_in};

/// A line of moves, played: the positions before each of its moves, and the last one.
#[derive(Clone, Debug)]
pub(super) struct PlayedLine {
    pub moves: Vec<Move>,
    /// One more than moves.
    pub positions: Vec<Position>,
}

impl PlayedLine {
    /// Reads a line in PDN up to the first move that is not legal.
    pub fn read(variant: VariantId, start: &Position, line: &[String]) -> PlayedLine {
        let mut played = PlayedLine { moves: Vec::new(), positions: vec![*start] };
        let mut position = *start;
        for text in line {
            let Ok(mv) = moves::read(variant, &position, text) else { break };
            position = play_in(variant, &position, mv);
            played.moves.push(mv);
            played.positions.push(position);
        }
        played
    }
}

/// What happens to the material on a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Exchange {
    /// Pieces that the side with the first move wins, less those it loses.
    pub net: i32,
    /// Pieces that it loses.
    pub given: u32,
    /// Moves after which the exchange is over.
    pub plies: usize,
}

/// Follows a line as long as it is forced: every reply captures, or is the only legal move; a capture of the side with
/// the first move must be followed up, too. What comes later is a plan and no tactic.
pub(super) fn exchange(variant: VariantId, line: &PlayedLine) -> Exchange {
    let mut now = Exchange::default();
    let mut settled = Exchange::default();
    for (ply, &mv) in line.moves.iter().enumerate() {
        let is_reply = ply % 2 == 1;
        if is_reply && !mv.is_capture() && legal_moves(variant, &line.positions[ply]).len() > 1 {
            break;
        }
        let captured = mv.captured().len();
        if is_reply {
            now.net -= captured as i32;
            now.given += captured;
        } else {
            now.net += captured as i32;
        }
        now.plies = ply + 1;
        if is_quiet(variant, &line.positions[ply + 1]) {
            settled = now;
        }
    }
    settled
}

/// Whether the side to move has no capture.
fn is_quiet(variant: VariantId, position: &Position) -> bool {
    legal_moves(variant, position).first().is_none_or(|mv| !mv.is_capture())
}

/// Men won by a combination: something is given up, and more than that is taken. None where material is no aim.
pub(super) fn combination(variant: VariantId, line: &PlayedLine) -> Option<u32> {
    let Exchange { net, given, .. } = exchange(variant, line);
    let is_won = variant.rules().objective != Objective::Lose && given > 0 && net > 0;
    is_won.then_some(net.unsigned_abs())
}

/// Men lost along a line that begins with a bad move: the reply to it may be quiet, what follows is forced.
pub(super) fn lost_men(variant: VariantId, line: &PlayedLine) -> Option<u32> {
    let (&first, rest) = line.moves.split_first()?;
    let reply = PlayedLine { moves: rest.to_vec(), positions: line.positions[1..].to_vec() };
    let net = exchange(variant, &reply).net - first.captured().len() as i32;
    (variant.rules().objective != Objective::Lose && net > 0).then_some(net.unsigned_abs())
}

/// How much of a line is worth showing: up to the point where captures end and the material is what it is at the end of
/// the line, at least `least` moves and at most `most`.
pub(super) fn clear_length(variant: VariantId, line: &PlayedLine, least: usize, most: usize) -> usize {
    let balance = |position: &Position| {
        let [pieces, kings] = [Position::side, Position::kings_of]
            .map(|of| Color::ALL.map(|color| of(position, color).len() as i32));
        (pieces[0] - pieces[1], kings[0] - kings[1])
    };
    let length = line.moves.len().min(most);
    let last = balance(&line.positions[length]);
    (least.min(length)..length)
        .find(|&plies| {
            let position = &line.positions[plies];
            balance(position) == last && is_quiet(variant, position)
        })
        .unwrap_or(length)
}
