//! Captures: chains of jumps, followed to their end.
//!
//! A victim stays on the board until the chain ends: it is never jumped twice and blocks the line behind it (the
//! "Turkish strike", FMJD article 4.8). Therefore what a piece can still do depends only on its square and on the
//! set of victims so far, which lets long chains share their tails instead of walking every route.

use super::quiet::DIAGONALS;
use crate::board::{Bitboard, Color, Direction, Move, MoveList, Position, Square};
use crate::rules::variant::{Precedence, Variant};
use std::collections::HashMap;
use std::marker::PhantomData;

/// Victims after which two routes of a man (or short king) can first meet at the same square with the same victims.
const SHORTEST_LOOP: u32 = 4;
/// The same for a flying king, which may stop at several squares before its second victim on the same line.
const SHORTEST_KING_LOOP: u32 = 2;

/// Whether `us` could capture something if it were to move.
#[inline(always)]
pub fn can_capture<V: Variant>(position: &Position, us: Color) -> bool {
    let empty = V::RULES.board.playable().without(position.occupied());
    let them = position.side(!us);
    let jumpers = if V::RULES.men_capture_backward { position.side(us) } else { position.men(us) };
    let mut found = Bitboard::EMPTY;
    for &direction in man_directions::<V>(us) {
        found |= direction.shift(direction.shift(jumpers) & them) & empty;
    }
    if found.any() {
        return true;
    }
    let kings = position.kings_of(us);
    if kings.is_empty() {
        return false;
    }
    // A king reaches the squares along free lines; from each of them it jumps like a man.
    for direction in DIAGONALS {
        let mut reached = kings;
        if V::RULES.flying_kings {
            let mut front = direction.shift(kings) & empty;
            while front.any() {
                reached |= front;
                front = direction.shift(front) & empty;
            }
        }
        if (direction.shift(direction.shift(reached) & them) & empty).any() {
            return true;
        }
    }
    false
}

const fn man_directions<V: Variant>(us: Color) -> &'static [Direction] {
    if V::RULES.men_capture_backward {
        &DIAGONALS
    } else {
        match us {
            Color::White => &[Direction::UpLeft, Direction::UpRight],
            Color::Black => &[Direction::DownLeft, Direction::DownRight],
        }
    }
}

/// Fills the empty `list` with the legal captures of the side to move, each (from, to, captured set) once.
pub fn captures<V: Variant>(position: &Position, list: &mut MoveList) {
    match position.turn() {
        Color::White => captures_of::<V, true>(position, list),
        Color::Black => captures_of::<V, false>(position, list),
    }
}

fn captures_of<V: Variant, const WHITE: bool>(position: &Position, list: &mut MoveList) {
    let us = if WHITE { Color::White } else { Color::Black };
    let base = V::RULES.board.playable().without(position.occupied());
    let mut chains = Chains::<V, WHITE> {
        them: position.side(!us),
        empty: base,
        from: Square::new(0),
        king: false,
        list,
        best: 0,
        known: None,
        variant: PhantomData,
    };
    let men = position.men(us);
    chains.first_jumps(men, base, Direction::UpLeft);
    chains.first_jumps(men, base, Direction::UpRight);
    chains.first_jumps(men, base, Direction::DownLeft);
    chains.first_jumps(men, base, Direction::DownRight);
    for from in position.kings_of(us) {
        chains.start(from, true, base);
        chains.king_jumps(from, Bitboard::EMPTY);
    }
}

/// Whether men of this side capture in this direction.
#[inline(always)]
const fn man_captures<V: Variant>(white: bool, direction: Direction) -> bool {
    V::RULES.men_capture_backward || (direction.step() < 0) == white
}

/// The search for complete chains of one piece after another.
struct Chains<'a, V, const WHITE: bool> {
    them: Bitboard,
    /// Squares to land on; includes the square that the capturing piece has left.
    empty: Bitboard,
    from: Square,
    king: bool,
    list: &'a mut MoveList,
    /// The most victims of any chain so far.
    best: u32,
    /// For long chains: whether a square and victim set lead on, so that no tail is walked twice.
    known: Option<HashMap<(Square, Bitboard), bool>>,
    variant: PhantomData<V>,
}

impl<V: Variant, const WHITE: bool> Chains<'_, V, WHITE> {
    #[inline(always)]
    fn start(&mut self, from: Square, king: bool, base: Bitboard) {
        self.from = from;
        self.king = king;
        self.empty = base | Bitboard::of(from);
        self.known = None;
    }

    /// All chains of men that begin in one direction.
    #[inline(always)]
    fn first_jumps(&mut self, men: Bitboard, base: Bitboard, direction: Direction) {
        if !man_captures::<V>(WHITE, direction) {
            return;
        }
        for to in direction.shift(direction.shift(men) & self.them) & base {
            let victim = Bitboard(1 << (to.index() as i8 - direction.step()));
            let from = Square::known((to.index() as i32 - 2 * direction.step() as i32) as u32);
            self.start(from, false, base);
            let landing = Bitboard::of(to);
            if !self.man_jumps(landing, victim) {
                self.finish(landing, victim);
            }
        }
    }

    /// Follows every jump of a man standing at `at`; says whether there was one.
    fn man_jumps(&mut self, at: Bitboard, captured: Bitboard) -> bool {
        if let Some(leads_on) = self.seen(at, captured) {
            return leads_on;
        }
        let leads_on = self.man_jump(at, captured, Direction::UpLeft)
            | self.man_jump(at, captured, Direction::UpRight)
            | self.man_jump(at, captured, Direction::DownLeft)
            | self.man_jump(at, captured, Direction::DownRight);
        self.remember(at, captured, leads_on);
        leads_on
    }

    #[inline(always)]
    fn man_jump(&mut self, at: Bitboard, captured: Bitboard, direction: Direction) -> bool {
        if !man_captures::<V>(WHITE, direction) {
            return false;
        }
        let victim = direction.shift(at) & self.them.without(captured);
        let landing = direction.shift(victim) & self.empty;
        if landing.is_empty() {
            return false;
        }
        if !self.man_jumps(landing, captured | victim) {
            self.finish(landing, captured | victim);
        }
        true
    }

    /// Follows every jump of a king standing at `at`; says whether there was one.
    fn king_jumps(&mut self, at: Square, captured: Bitboard) -> bool {
        if let Some(leads_on) = self.seen(Bitboard::of(at), captured) {
            return leads_on;
        }
        let targets = self.them.without(captured);
        let mut leads_on = false;
        for direction in DIAGONALS {
            let victim = if V::RULES.flying_kings {
                direction.nearest(at, !self.empty) & targets
            } else {
                direction.shift(Bitboard::of(at)) & targets
            };
            let mut landing = direction.shift(victim) & self.empty;
            if landing.is_empty() {
                continue;
            }
            leads_on = true;
            let captured = captured | victim;
            // Where one of the free squares behind the victim leads on, the chain must go on from such a square.
            let mut ends = Bitboard::EMPTY;
            let mut goes_on = false;
            while let Some(square) = landing.first() {
                if self.king_jumps(square, captured) {
                    goes_on = true;
                } else {
                    ends |= landing;
                }
                if !V::RULES.flying_kings {
                    break;
                }
                landing = direction.shift(landing) & self.empty;
            }
            if !goes_on {
                for square in ends {
                    self.finish(Bitboard::of(square), captured);
                }
            }
        }
        self.remember(Bitboard::of(at), captured, leads_on);
        leads_on
    }

    #[inline(always)]
    fn shortest_loop(&self) -> u32 {
        if V::RULES.flying_kings && self.king { SHORTEST_KING_LOOP } else { SHORTEST_LOOP }
    }

    #[inline(always)]
    fn seen(&self, at: Bitboard, captured: Bitboard) -> Option<bool> {
        if captured.len() < self.shortest_loop() {
            return None;
        }
        self.known.as_ref()?.get(&(at.first()?, captured)).copied()
    }

    #[inline(always)]
    fn remember(&mut self, at: Bitboard, captured: Bitboard, leads_on: bool) {
        if captured.len() < self.shortest_loop() {
            return;
        }
        if let Some(square) = at.first() {
            self.known.get_or_insert_default().insert((square, captured), leads_on);
        }
    }

    /// Records a complete chain, if nothing better is known and it is new.
    #[inline(always)]
    fn finish(&mut self, to: Bitboard, captured: Bitboard) {
        let Some(to) = to.first() else { return };
        let count = captured.len();
        if V::RULES.precedence == Precedence::Majority {
            if count < self.best {
                return;
            }
            if count > self.best {
                self.best = count;
                self.list.clear();
            }
        }
        let crown = V::RULES.board.promotion(if WHITE { Color::White } else { Color::Black });
        let crowned = !self.king && crown.contains(to);
        let mv = Move::new(self.from, to, captured, self.king, crowned);
        if count >= self.shortest_loop() && self.list.contains(&mv) {
            return;
        }
        self.list.push(mv);
    }
}
