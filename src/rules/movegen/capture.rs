//! Captures: chains of jumps, followed to their end.
//!
//! A victim stays on the board until the chain ends: it is never jumped twice and blocks the line behind it (the
//! "Turkish strike", FMJD article 4.8). Therefore what a piece can still do depends only on its square and on the
//! set of victims so far, which lets long chains share their tails instead of walking every route.

use super::quiet::DIAGONALS;
use crate::board::{Bitboard, Color, Direction, Move, MoveList, Position, Square};
use crate::rules::variant::{Precedence, Variant};
use std::collections::HashMap;

/// Victims after which two routes can first meet again at the same square with the same victims.
const SHORTEST_LOOP: u32 = 4;

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

/// Appends the legal captures of the side to move, each (from, to, captured set) once.
pub fn captures<V: Variant>(position: &Position, list: &mut MoveList) {
    let us = position.turn();
    let base = V::RULES.board.playable().without(position.occupied());
    let them = position.side(!us);
    let mut chains = Chains::<V> {
        them,
        empty: Bitboard::EMPTY,
        directions: man_directions::<V>(us),
        crown: V::RULES.board.promotion(us),
        from: Square::new(0),
        king: false,
        list,
        best: 0,
        known: None,
        variant: std::marker::PhantomData,
    };
    let mut starters = Bitboard::EMPTY;
    for &direction in chains.directions {
        let back = opposite(direction);
        starters |= back.shift(back.shift(base) & them);
    }
    for from in starters & position.men(us) {
        chains.start(from, false, base);
    }
    for from in position.kings_of(us) {
        chains.start(from, true, base);
    }
}

const fn opposite(direction: Direction) -> Direction {
    match direction {
        Direction::UpLeft => Direction::DownRight,
        Direction::UpRight => Direction::DownLeft,
        Direction::DownLeft => Direction::UpRight,
        Direction::DownRight => Direction::UpLeft,
        Direction::Up => Direction::Down,
        Direction::Down => Direction::Up,
        Direction::Left => Direction::Right,
        Direction::Right => Direction::Left,
    }
}

/// The search for complete chains of one piece after another.
struct Chains<'a, V> {
    them: Bitboard,
    /// Squares to land on; includes the square that the capturing piece has left.
    empty: Bitboard,
    directions: &'static [Direction],
    crown: Bitboard,
    from: Square,
    king: bool,
    list: &'a mut MoveList,
    /// The most victims of any chain so far.
    best: u32,
    /// For long chains: whether a square and victim set lead on, so that no tail is walked twice.
    known: Option<HashMap<(Square, Bitboard), bool>>,
    variant: std::marker::PhantomData<V>,
}

impl<V: Variant> Chains<'_, V> {
    #[inline(always)]
    fn start(&mut self, from: Square, king: bool, base: Bitboard) {
        self.from = from;
        self.king = king;
        self.empty = base | Bitboard::of(from);
        self.known = None;
        if king {
            self.king_jumps(from, Bitboard::EMPTY);
        } else {
            self.man_jumps(Bitboard::of(from), Bitboard::EMPTY);
        }
    }

    /// Follows every jump of a man standing at `at`; says whether there was one.
    fn man_jumps(&mut self, at: Bitboard, captured: Bitboard) -> bool {
        if let Some(leads_on) = self.seen(at, captured) {
            return leads_on;
        }
        let targets = self.them.without(captured);
        let mut leads_on = false;
        for &direction in self.directions {
            let victim = direction.shift(at) & targets;
            let landing = direction.shift(victim) & self.empty;
            if landing.any() {
                leads_on = true;
                let captured = captured | victim;
                if !self.man_jumps(landing, captured) {
                    self.finish(landing, captured);
                }
            }
        }
        self.remember(at, captured, leads_on);
        leads_on
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
    fn seen(&self, at: Bitboard, captured: Bitboard) -> Option<bool> {
        if captured.len() < SHORTEST_LOOP {
            return None;
        }
        self.known.as_ref()?.get(&(at.first()?, captured)).copied()
    }

    #[inline(always)]
    fn remember(&mut self, at: Bitboard, captured: Bitboard, leads_on: bool) {
        if captured.len() < SHORTEST_LOOP {
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
        let crowned = !self.king && self.crown.contains(to);
        let mv = Move::new(self.from, to, captured, self.king, crowned);
        if count >= SHORTEST_LOOP && self.list.contains(&mv) {
            return;
        }
        self.list.push(mv);
    }
}
