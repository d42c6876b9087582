//! The ways on which a piece can make a capture. A [`Move`] knows only what is captured; PDN lists squares visited.

use crate::board::{Bitboard, Color, Direction, Move, Position, Square};
use crate::rules::Rules;
use std::collections::HashSet;

const DIAGONALS: &[Direction] =
    &[Direction::UpLeft, Direction::UpRight, Direction::DownLeft, Direction::DownRight];

/// The directions in which a piece jumps.
fn directions(rules: &Rules, color: Color, king: bool) -> &'static [Direction] {
    match color {
        _ if king || rules.men_capture_backward => DIAGONALS,
        Color::White => &DIAGONALS[..2],
        Color::Black => &DIAGONALS[2..],
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
    directions: &'static [Direction],
    flying: bool,
    /// Squares that the way must visit, the last one (`mv.to()`) not among them.
    listed: &'a [Square],
    /// Whether the piece must land exactly on the listed squares, one after each victim.
    exact: bool,
    dead_ends: HashSet<(Square, Bitboard, usize)>,
}

impl<'a> Routes<'a> {
    pub(super) fn new(rules: &'a Rules, position: &Position, mv: Move) -> Routes<'a> {
        let empty = rules.board.playable().without(position.occupied()) | Bitboard::of(mv.from());
        Routes {
            rules,
            mv,
            empty,
            directions: directions(rules, position.turn(), mv.is_king()),
            flying: mv.is_king() && rules.flying_kings,
            listed: &[],
            exact: false,
            dead_ends: HashSet::new(),
        }
    }

    /// Where the piece lands after each victim on one way, as PDN 3.0 asks: where it turns, and if it does not turn,
    /// immediately behind the victim. The last square is `mv.to()`. `None` if there is no way.
    pub(super) fn landings(mut self) -> Option<Vec<Square>> {
        let mut landings = Vec::new();
        if !self.walk(self.mv.from(), Bitboard::EMPTY, 0, &mut landings) {
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
        self.walk(self.mv.from(), Bitboard::EMPTY, 0, &mut Vec::new())
    }

    /// Whether some way of the capture passes these squares in this order.
    pub(super) fn passes(mut self, listed: &'a [Square]) -> bool {
        self.listed = listed;
        self.walk(self.mv.from(), Bitboard::EMPTY, 0, &mut Vec::new())
    }

    /// Follows all ways from `at`; `listed` squares have been visited. Appends the landings in reverse.
    fn walk(&mut self, at: Square, captured: Bitboard, listed: usize, landings: &mut Vec<Square>) -> bool {
        if captured == self.mv.captured() {
            return at == self.mv.to() && listed == self.listed.len();
        }
        if self.dead_ends.contains(&(at, captured, listed)) {
            return false;
        }
        for &direction in self.directions {
            if self.jump(direction, at, captured, listed, landings) {
                return true;
            }
        }
        self.dead_ends.insert((at, captured, listed));
        false
    }

    /// Jumps in one direction and goes on from every square on which the piece can land.
    fn jump(
        &mut self,
        direction: Direction,
        at: Square,
        captured: Bitboard,
        mut listed: usize,
        landings: &mut Vec<Square>,
    ) -> bool {
        let mut ahead = self.step(direction, at);
        while self.flying
            && let Some(square) = ahead
            && self.empty.contains(square)
        {
            listed += self.visits(square, listed);
            ahead = self.step(direction, square);
        }
        let Some(victim) = ahead else { return false };
        if !self.mv.captured().without(captured).contains(victim) {
            return false;
        }
        let captured = captured | Bitboard::of(victim);
        let is_last = captured == self.mv.captured();
        let mut landing = self.step(direction, victim);
        while let Some(square) = landing
            && self.empty.contains(square)
        {
            let mut next = listed + self.visits(square, listed);
            let mut stops = true;
            if self.exact && !is_last {
                stops = self.listed.get(listed) == Some(&square);
                next = listed + usize::from(stops);
            } else if !self.exact {
                listed = next;
            }
            if stops && self.walk(square, captured, next, landings) {
                landings.push(square);
                return true;
            }
            if !self.flying {
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
