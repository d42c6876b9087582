//! The routes of a capture. A [`Move`] has the captured squares; PDN lists the squares visited.

use crate::board::{Bitboard, Color, Direction, Move, Position, Square};
use crate::rules::{KingLanding, Rules};
use std::collections::HashSet;

/// The directions in which a piece jumps.
fn directions(rules: &Rules, color: Color, king: bool) -> &'static [Direction] {
    // The diagonals come first, those upward before those downward.
    let all = &Direction::ALL;
    match color {
        _ if rules.orthogonal_captures => all,
        _ if king || rules.men_capture_backward => &all[..4],
        Color::White => &all[..2],
        Color::Black => &all[2..4],
    }
}

/// The search for a way from `mv.from()` to `mv.to()` that takes exactly `mv.captured()`.
///
/// What remains to be done depends on the square, the victims so far and the listed squares so far, so no such state
/// is entered twice: the work is bounded by the number of states, not by the (exponential) number of ways.
pub(super) struct Routes<'a> {
    rules: &'a Rules,
    mv: Move,
    /// Squares to pass and land on; includes the one that the piece has left.
    empty: Bitboard,
    color: Color,
    /// Squares that the way must visit, the last one (`mv.to()`) not among them.
    listed: &'a [Square],
    /// Whether the piece must land exactly on the listed squares, one after each victim.
    exact: bool,
    dead_ends: HashSet<(Stage, usize)>,
}

/// A capture half done: where the piece stands, whether it is a king now, what it has captured.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Stage {
    at: Square,
    king: bool,
    captured: Bitboard,
}

impl<'a> Routes<'a> {
    pub(super) fn new(rules: &'a Rules, position: &Position, mv: Move) -> Routes<'a> {
        let empty = rules.board.playable().without(position.occupied()) | Bitboard::of(mv.from());
        Routes {
            rules,
            mv,
            empty,
            color: position.turn(),
            listed: &[],
            exact: false,
            dead_ends: HashSet::new(),
        }
    }

    fn start(&self) -> Stage {
        Stage { at: self.mv.from(), king: self.mv.is_king(), captured: Bitboard::EMPTY }
    }

    /// Where the piece lands after each victim on one way, as PDN 3.0 asks: where it turns, and if it does not turn,
    /// immediately behind the victim. The last square is `mv.to()`. `None` if there is no way.
    pub(super) fn landings(mut self) -> Option<Vec<Square>> {
        let mut landings = Vec::new();
        if !self.walk(self.start(), 0, &mut landings) {
            return None;
        }
        landings.reverse();
        Some(landings)
    }

    /// Whether the capture can be made by landing on each of these squares, one for each victim but the last.
    pub(super) fn lands_on(mut self, listed: &'a [Square]) -> bool {
        if listed.len() + 1 != self.mv.captured().len() as usize {
            return false;
        }
        self.listed = listed;
        self.exact = true;
        self.walk(self.start(), 0, &mut Vec::new())
    }

    /// Whether some way of the capture passes these squares in this order.
    pub(super) fn passes(mut self, listed: &'a [Square]) -> bool {
        self.listed = listed;
        self.walk(self.start(), 0, &mut Vec::new())
    }

    /// Follows all ways from a stage; `listed` squares have been visited. Appends the landings in reverse.
    fn walk(&mut self, stage: Stage, listed: usize, landings: &mut Vec<Square>) -> bool {
        if stage.captured == self.mv.captured() {
            return stage.at == self.mv.to() && listed == self.listed.len();
        }
        if self.dead_ends.contains(&(stage, listed)) {
            return false;
        }
        for &direction in directions(self.rules, self.color, stage.king) {
            if self.jump(direction, stage, listed, landings) {
                return true;
            }
        }
        self.dead_ends.insert((stage, listed));
        false
    }

    /// Jumps in one direction and goes on from every square on which the piece can land.
    fn jump(
        &mut self,
        direction: Direction,
        stage: Stage,
        mut listed: usize,
        landings: &mut Vec<Square>,
    ) -> bool {
        let flying = stage.king && self.rules.flying_kings;
        let free = if self.rules.lifted_at_once { self.empty | stage.captured } else { self.empty };
        let mut ahead = self.step(direction, stage.at);
        while flying
            && let Some(square) = ahead
            && free.contains(square)
        {
            listed += self.visits(square, listed);
            ahead = self.step(direction, square);
        }
        let Some(victim) = ahead else { return false };
        if !self.mv.captured().without(stage.captured).contains(victim) {
            return false;
        }
        let captured = stage.captured | Bitboard::of(victim);
        let is_last = captured == self.mv.captured();
        let mut landing = self.step(direction, victim);
        while let Some(square) = landing
            && free.contains(square)
        {
            let mut next = listed + self.visits(square, listed);
            let mut stops = true;
            if self.exact && !is_last {
                stops = self.listed.get(listed) == Some(&square);
                next = listed + usize::from(stops);
            } else if !self.exact {
                listed = next;
            }
            let crowned =
                self.rules.crowned_in_passing && self.rules.board.promotion(self.color).contains(square);
            let landed = Stage { at: square, king: stage.king || crowned, captured };
            if stops && self.walk(landed, next, landings) {
                landings.push(square);
                return true;
            }
            if !flying || self.rules.king_landing == KingLanding::Behind {
                return false;
            }
            landing = self.step(direction, square);
        }
        false
    }

    /// 1 if passing `square` visits the next listed square.
    fn visits(&self, square: Square, listed: usize) -> usize {
        usize::from(!self.exact && self.listed.get(listed) == Some(&square))
    }

    fn step(&self, direction: Direction, from: Square) -> Option<Square> {
        (direction.shift(Bitboard::of(from)) & self.rules.board.playable()).first()
    }
}
