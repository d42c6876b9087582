//! Moves without a capture.

use crate::board::{Bitboard, Color, Direction, Move, MoveList, Position, Square};
use crate::rules::switches::Objective;
use crate::rules::variant::Variant;

/// The two forward diagonals of a side.
#[inline(always)]
const fn forward(color: Color) -> [Direction; 2] {
    match color {
        Color::White => [Direction::UpLeft, Direction::UpRight],
        Color::Black => [Direction::DownLeft, Direction::DownRight],
    }
}

/// The four diagonals.
pub(super) const DIAGONALS: [Direction; 4] =
    [Direction::UpLeft, Direction::UpRight, Direction::DownLeft, Direction::DownRight];

/// Whether the game has been won by crowning a man: nobody moves any more.
#[inline(always)]
pub(super) fn is_over<V: Variant>(position: &Position) -> bool {
    matches!(V::RULES.objective, Objective::Crown) && position.kings().any()
}

/// The kings that may make a quiet move.
#[inline(always)]
fn movable_kings<V: Variant>(position: &Position, us: Color) -> Bitboard {
    let kings = position.kings_of(us);
    match (V::RULES.king_run, position.king_run(us).square()) {
        (Some(most), Some(square)) if position.king_run(us).count() >= most => {
            kings.without(Bitboard::of(square))
        }
        _ => kings,
    }
}

/// Appends the quiet moves of the side to move, without asking whether a capture is compulsory.
#[inline(always)]
pub fn quiets<V: Variant>(position: &Position, list: &mut MoveList) {
    each_quiet::<V>(position, |mv| list.push(mv));
}

/// Hands the quiet moves of the side to move to `visit`, one after another.
#[inline(always)]
pub fn each_quiet<V: Variant>(position: &Position, visit: impl FnMut(Move)) {
    match position.turn() {
        Color::White => each_quiet_of::<V>(position, Color::White, visit),
        Color::Black => each_quiet_of::<V>(position, Color::Black, visit),
    }
}

#[inline(always)]
fn each_quiet_of<V: Variant>(position: &Position, us: Color, mut visit: impl FnMut(Move)) {
    if is_over::<V>(position) {
        return;
    }
    let empty = V::RULES.board.playable().without(position.occupied());
    for from in movable_kings::<V>(position, us) {
        each_king_quiet::<V>(from, empty, &mut visit);
    }
    let men = position.men(us);
    let crown = V::RULES.board.promotion(us);
    for direction in forward(us) {
        let mut steps = |squares: Bitboard, promotes| {
            for to in squares {
                let from = Square::known((to.index() as i32 - direction.step() as i32) as u32);
                visit(Move::new(from, to, Bitboard::EMPTY, false, promotes));
            }
        };
        // By themselves, because then playing the others need not ask. In the order of the squares.
        let reached = direction.shift(men) & empty;
        match us {
            Color::White => {
                steps(reached & crown, true);
                steps(reached.without(crown), false);
            }
            Color::Black => {
                steps(reached.without(crown), false);
                steps(reached & crown, true);
            }
        }
    }
}

#[inline(never)]
fn each_king_quiet<V: Variant>(from: Square, empty: Bitboard, visit: &mut impl FnMut(Move)) {
    for direction in DIAGONALS {
        let mut to = direction.shift(Bitboard::of(from)) & empty;
        while let Some(square) = to.first() {
            visit(Move::new(from, square, Bitboard::EMPTY, true, false));
            if !V::RULES.flying_kings {
                break;
            }
            to = direction.shift(to) & empty;
        }
    }
}

/// The number of moves that [`quiets`] would append, without building them.
#[inline(always)]
pub fn count_quiets<V: Variant>(position: &Position, us: Color) -> u32 {
    if is_over::<V>(position) {
        return 0;
    }
    let empty = V::RULES.board.playable().without(position.occupied());
    let men = position.men(us);
    let mut count = 0;
    for direction in forward(us) {
        count += (direction.shift(men) & empty).len();
    }
    let kings = movable_kings::<V>(position, us);
    if kings.any() {
        for direction in DIAGONALS {
            let mut reached = direction.shift(kings) & empty;
            count += reached.len();
            while V::RULES.flying_kings && reached.any() {
                reached = direction.shift(reached) & empty;
                count += reached.len();
            }
        }
    }
    count
}

/// Whether one of the quiet moves of this side, if it were its turn, would crown a man and so win the game.
#[inline(always)]
pub fn quiet_wins<V: Variant>(position: &Position, us: Color) -> bool {
    if !matches!(V::RULES.objective, Objective::Crown) || is_over::<V>(position) {
        return false;
    }
    let goal = V::RULES.board.promotion(us).without(position.occupied());
    forward(us).into_iter().any(|direction| (direction.shift(position.men(us)) & goal).any())
}

/// Whether [`quiets`] would append any move.
#[inline(always)]
pub fn has_quiet<V: Variant>(position: &Position, us: Color) -> bool {
    if is_over::<V>(position) {
        return false;
    }
    let empty = V::RULES.board.playable().without(position.occupied());
    let men = position.men(us);
    let steps = |from: Bitboard, direction: Direction| (direction.shift(from) & empty).any();
    forward(us).into_iter().any(|direction| steps(men, direction)) || {
        let kings = movable_kings::<V>(position, us);
        DIAGONALS.into_iter().any(|direction| steps(kings, direction))
    }
}
