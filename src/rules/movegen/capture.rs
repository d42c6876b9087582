//! Captures: complete chains of jumps.
//!
//! A victim stays on the board until the chain ends: it is never jumped twice and blocks the line behind it (the
//! "Turkish strike", FMJD article 4.8). Therefore what a piece can still do depends only on its square and on the
//! set of victims so far, which lets long chains share their tails instead of walking every route.

use super::quiet::{DIAGONALS, is_over};
use super::tails::Tails;
use crate::board::{Bitboard, Color, Direction, Move, MoveList, Position, Square};
use crate::rules::switches::{KingLanding, Precedence};
use crate::rules::variant::Variant;
use std::marker::PhantomData;

/// Victims after which two routes of a man (or short king) can first meet at the same square with the same victims: the
/// four corners of a diamond, or, where pieces capture along files too, the three of a triangle.
const SHORTEST_LOOP: u32 = 4;
const SHORTEST_TRIANGLE: u32 = 3;
/// The same for a flying king, which may stop at several squares before its second victim on the same line.
const SHORTEST_KING_LOOP: u32 = 2;
/// Places of one piece after which tails are remembered. Fewer are walked twice sooner than looked up: nearly all pieces
/// have fewer, and the worst positions many thousands.
const FEW_PLACES: u32 = 64;

/// Whether `us` could capture something if it were to move.
#[inline(always)]
pub fn can_capture<V: Variant>(position: &Position, us: Color) -> bool {
    if is_over::<V>(position) {
        return false;
    }
    let empty = V::RULES.board.playable().without(position.occupied());
    let kings = position.kings_of(us);
    let them = position.side(!us);
    // Where kings capture everything that men do, they may stand among them for the first step.
    let jumpers = if V::RULES.men_capture_backward { position.side(us) } else { position.men(us) };
    let victims = if V::RULES.men_capture_kings { them } else { position.men(!us) };
    let mut found = Bitboard::EMPTY;
    for &direction in man_directions::<V>(us) {
        found |= direction.shift(direction.shift(jumpers) & victims) & empty;
    }
    if found.any() {
        return true;
    }
    if kings.is_empty() {
        return false;
    }
    // A king reaches the squares along free lines; from each of them it jumps like a man.
    for &direction in king_directions::<V>() {
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

const fn king_directions<V: Variant>() -> &'static [Direction] {
    if V::RULES.orthogonal_captures { &Direction::ALL } else { &DIAGONALS }
}

const fn man_directions<V: Variant>(us: Color) -> &'static [Direction] {
    if V::RULES.men_capture_backward {
        king_directions::<V>()
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
    match single_jumps::<V>(position, us) {
        Some(landings) => each_single_jump::<V>(us, landings, |mv| list.push(mv)),
        None => chains_of::<V, WHITE>(position, list),
    }
}

/// Hands the legal captures of the side to move to `visit`, in the order of [`captures`], and says how many they are.
#[inline(always)]
pub fn each_capture<V: Variant>(position: &Position, visit: impl FnMut(Move)) -> u32 {
    match position.turn() {
        Color::White => each_capture_of::<V, true>(position, visit),
        Color::Black => each_capture_of::<V, false>(position, visit),
    }
}

#[inline(always)]
fn each_capture_of<V: Variant, const WHITE: bool>(position: &Position, mut visit: impl FnMut(Move)) -> u32 {
    let us = if WHITE { Color::White } else { Color::Black };
    if let Some(landings) = single_jumps::<V>(position, us) {
        each_single_jump::<V>(us, landings, visit);
        landings.into_iter().map(Bitboard::len).sum()
    } else {
        let mut list = MoveList::new();
        chains_of::<V, WHITE>(position, &mut list);
        list.iter().copied().for_each(&mut visit);
        list.len() as u32
    }
}

/// The number of legal captures of the side to move; where nothing leads on, without building them.
#[inline(always)]
pub fn count_captures<V: Variant>(position: &Position) -> u32 {
    // Moves that nobody looks at are not made.
    each_capture::<V>(position, |_| {})
}

/// For each of the [`man_directions`] the squares on which a first jump ends, if all legal captures are one jump of
/// a man: most positions with captures are such. `None` says nothing.
#[inline(always)]
fn single_jumps<V: Variant>(position: &Position, us: Color) -> Option<[Bitboard; 8]> {
    // All these captures have one rank: each is of one piece, by a man and, where the kind of the victim matters, of a man.
    let kings = match V::RULES.precedence {
        Precedence::Free | Precedence::Majority | Precedence::ByKing => position.kings_of(us),
        Precedence::MajorityThenKings | Precedence::Value | Precedence::Ladder => position.kings(),
    };
    if kings.any() {
        return None;
    }
    let empty = V::RULES.board.playable().without(position.occupied());
    let victims = if V::RULES.men_capture_kings { position.side(!us) } else { position.men(!us) };
    let mut landings = [Bitboard::EMPTY; 8];
    let mut landed = Bitboard::EMPTY;
    for (landing, &direction) in landings.iter_mut().zip(man_directions::<V>(us)) {
        *landing = direction.shift(direction.shift(position.side(us)) & victims) & empty;
        landed |= *landing;
    }
    // No second jump ends where the first began: a jump back is over the same piece.
    let free = if V::RULES.lifted_at_once { empty | victims } else { empty };
    let mut leads_on = Bitboard::EMPTY;
    for &direction in man_directions::<V>(us) {
        leads_on |= direction.shift(direction.shift(landed) & victims) & free;
    }
    if V::RULES.crowned_in_passing {
        leads_on |= landed & V::RULES.board.promotion(us);
    }
    if leads_on.any() { None } else { Some(landings) }
}

#[inline(always)]
fn each_single_jump<V: Variant>(us: Color, landings: [Bitboard; 8], mut visit: impl FnMut(Move)) {
    let crown = V::RULES.board.promotion(us);
    for (&direction, squares) in man_directions::<V>(us).iter().zip(landings) {
        for to in squares {
            let (from, victim) = jumped(to, direction);
            visit(Move::new(from, to, victim, false, crown.contains(to)));
        }
    }
}

/// Where a jump began that ends on `to`, and what it captures.
#[inline(always)]
fn jumped(to: Square, direction: Direction) -> (Square, Bitboard) {
    let (index, step) = (to.index() as i32, direction.step() as i32);
    (Square::known((index - 2 * step) as u32), Bitboard(1 << (index - step)))
}

/// The captures of positions in which pieces may jump more than once, or kings capture.
fn chains_of<V: Variant, const WHITE: bool>(position: &Position, list: &mut MoveList) {
    let us = if WHITE { Color::White } else { Color::Black };
    let base = V::RULES.board.playable().without(position.occupied());
    let mut chains = Chains::<V, WHITE> {
        them: position.side(!us),
        kings: position.kings_of(!us),
        capturable: Bitboard::EMPTY,
        empty: base,
        from: Square::new(0),
        king: false,
        crowned: false,
        order: 0,
        list,
        best: 0,
        known: None,
        places: 0,
        variant: PhantomData,
    };
    let men = position.men(us);
    chains.first_jumps(men, base, Direction::UpLeft);
    chains.first_jumps(men, base, Direction::UpRight);
    chains.first_jumps(men, base, Direction::DownLeft);
    chains.first_jumps(men, base, Direction::DownRight);
    if V::RULES.orthogonal_captures {
        chains.first_jumps(men, base, Direction::Up);
        chains.first_jumps(men, base, Direction::Down);
        chains.first_jumps(men, base, Direction::Left);
        chains.first_jumps(men, base, Direction::Right);
    }
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
    /// Their kings.
    kings: Bitboard,
    /// Those of them that stand between two squares on which one could come and land.
    capturable: Bitboard,
    /// Squares to land on; includes the square that the capturing piece has left.
    empty: Bitboard,
    from: Square,
    /// Whether the capturing piece was a king before the move.
    king: bool,
    /// Whether it has become one on the way.
    crowned: bool,
    /// Which of the victims so far are kings, one bit each, the first victim highest. Kept only where it matters.
    order: u32,
    list: &'a mut MoveList,
    /// The highest rank of any chain so far.
    best: u32,
    /// For long chains: what was found out, so that no tail is walked twice.
    known: Option<Tails>,
    /// Places from which the piece has gone on or not, those counted that may be reached in several ways.
    places: u32,
    variant: PhantomData<V>,
}

impl<V: Variant, const WHITE: bool> Chains<'_, V, WHITE> {
    /// Tails cannot be shared where the order of the victims matters.
    const ORDERED: bool = matches!(V::RULES.precedence, Precedence::Ladder);

    #[inline(always)]
    fn start(&mut self, from: Square, king: bool, base: Bitboard) {
        self.from = from;
        self.king = king;
        self.empty = base | Bitboard::of(from);
        self.known = None;
        self.places = 0;
        if matches!(V::RULES.precedence, Precedence::Value) {
            // One direction of each line.
            let lines = [Direction::UpLeft, Direction::UpRight, Direction::Up, Direction::Left];
            let between = |direction: Direction| {
                let back = Bitboard(self.empty.0 << -direction.step());
                direction.shift(self.empty) & back
            };
            let reachable = lines.into_iter().fold(Bitboard::EMPTY, |set, line| set | between(line));
            self.capturable = self.them & reachable;
        }
    }

    /// The squares to land on after these captures.
    #[inline(always)]
    fn free(&self, captured: Bitboard) -> Bitboard {
        if V::RULES.lifted_at_once { self.empty | captured } else { self.empty }
    }

    /// What a man may still capture.
    #[inline(always)]
    fn victims_of_men(&self) -> Bitboard {
        if V::RULES.men_capture_kings { self.them } else { self.them.without(self.kings) }
    }

    /// All chains of men that begin in one direction.
    #[inline(always)]
    fn first_jumps(&mut self, men: Bitboard, base: Bitboard, direction: Direction) {
        if !man_captures::<V>(WHITE, direction) {
            return;
        }
        for to in direction.shift(direction.shift(men) & self.victims_of_men()) & base {
            let (from, victim) = jumped(to, direction);
            self.start(from, false, base);
            self.man_landed(Bitboard::of(to), victim, victim);
        }
    }

    /// A man has jumped over `victim` and landed: it goes on, or the chain is complete.
    #[inline(always)]
    fn man_landed(&mut self, landing: Bitboard, victim: Bitboard, captured: Bitboard) {
        if Self::ORDERED {
            self.order = self.order << 1 | (self.kings & victim).any() as u32;
        }
        let crown = V::RULES.board.promotion(if WHITE { Color::White } else { Color::Black });
        if V::RULES.crowned_in_passing && (landing & crown).any() {
            self.crowned = true;
            if let Some(square) = landing.first()
                && !self.king_jumps(square, captured)
            {
                self.finish(landing, captured);
            }
            self.crowned = false;
        } else if !self.man_jumps(landing, captured) {
            self.finish(landing, captured);
        }
        if Self::ORDERED {
            self.order >>= 1;
        }
    }

    /// Follows every jump of a man standing at `at`; says whether there was one.
    fn man_jumps(&mut self, at: Bitboard, captured: Bitboard) -> bool {
        if let Some(leads_on) = self.seen(at, captured) {
            return leads_on;
        }
        let mut leads_on = self.man_jump(at, captured, Direction::UpLeft)
            | self.man_jump(at, captured, Direction::UpRight)
            | self.man_jump(at, captured, Direction::DownLeft)
            | self.man_jump(at, captured, Direction::DownRight);
        if V::RULES.orthogonal_captures {
            leads_on |= self.man_jump(at, captured, Direction::Up)
                | self.man_jump(at, captured, Direction::Down)
                | self.man_jump(at, captured, Direction::Left)
                | self.man_jump(at, captured, Direction::Right);
        }
        self.remember(at, captured, leads_on);
        leads_on
    }

    #[inline(always)]
    fn man_jump(&mut self, at: Bitboard, captured: Bitboard, direction: Direction) -> bool {
        if !man_captures::<V>(WHITE, direction) {
            return false;
        }
        let victim = direction.shift(at) & self.victims_of_men().without(captured);
        let landing = direction.shift(victim) & self.free(captured);
        if landing.is_empty() {
            return false;
        }
        self.man_landed(landing, victim, captured | victim);
        true
    }

    /// Whether even all that can still be captured would not make this chain legal. A flying king that captures in
    /// eight directions has very many chains; where the value decides, most need not be followed to their end.
    #[inline(always)]
    fn is_hopeless(&self, captured: Bitboard) -> bool {
        if !matches!(V::RULES.precedence, Precedence::Value) {
            return false;
        }
        let most = captured | self.capturable;
        (most.len() + (most & self.kings).len()) << 16 < self.best & !0xffff
    }

    /// Follows every jump of a king standing at `at`; says whether there was one.
    fn king_jumps(&mut self, at: Square, captured: Bitboard) -> bool {
        if self.is_hopeless(captured) {
            // Neither this nor what follows will be legal, so it does not matter where the chain would end.
            return true;
        }
        if let Some(leads_on) = self.seen(Bitboard::of(at), captured) {
            return leads_on;
        }
        let targets = self.them.without(captured);
        let free = self.free(captured);
        let mut leads_on = false;
        for &direction in king_directions::<V>() {
            let victim = if V::RULES.flying_kings {
                direction.nearest(at, !free) & targets
            } else {
                direction.shift(Bitboard::of(at)) & targets
            };
            let behind = direction.shift(victim) & free;
            if behind.is_empty() {
                continue;
            }
            leads_on = true;
            if Self::ORDERED {
                self.order = self.order << 1 | (self.kings & victim).any() as u32;
            }
            self.king_landings(direction, behind, victim, captured | victim);
            if Self::ORDERED {
                self.order >>= 1;
            }
        }
        self.remember(Bitboard::of(at), captured, leads_on);
        leads_on
    }

    /// A king has jumped over `victim` and may land `behind` it and, if it flies, further on. Where one of these
    /// squares leads on, the chain must go on from such a square.
    #[inline(always)]
    fn king_landings(
        &mut self,
        direction: Direction,
        behind: Bitboard,
        victim: Bitboard,
        captured: Bitboard,
    ) {
        let free = self.free(captured);
        let mut landing = behind;
        let mut ends = Bitboard::EMPTY;
        let mut goes_on = false;
        while let Some(square) = landing.first() {
            if self.king_jumps(square, captured) {
                goes_on = true;
            } else {
                ends |= landing;
            }
            if !V::RULES.flying_kings || matches!(V::RULES.king_landing, KingLanding::Behind) {
                break;
            }
            landing = direction.shift(landing) & free;
        }
        if goes_on {
            return;
        }
        if matches!(V::RULES.king_landing, KingLanding::BehindLastKing) && (victim & self.kings).any() {
            ends = behind;
        }
        for square in ends {
            self.finish(Bitboard::of(square), captured);
        }
    }

    #[inline(always)]
    fn shortest_loop(&self) -> u32 {
        if V::RULES.flying_kings && (self.king || V::RULES.crowned_in_passing) {
            SHORTEST_KING_LOOP
        } else if V::RULES.orthogonal_captures {
            SHORTEST_TRIANGLE
        } else {
            SHORTEST_LOOP
        }
    }

    /// The victims, marked if the man has become a king: that changes what can follow.
    #[inline(always)]
    fn state(&self, captured: Bitboard) -> Bitboard {
        if V::RULES.crowned_in_passing {
            Bitboard(captured.0 | (self.crowned as u64) << 63)
        } else {
            captured
        }
    }

    #[inline(always)]
    fn seen(&self, at: Bitboard, captured: Bitboard) -> Option<bool> {
        if Self::ORDERED || captured.len() < self.shortest_loop() {
            return None;
        }
        self.known.as_ref()?.leads_on(at, self.state(captured))
    }

    #[inline(always)]
    fn remember(&mut self, at: Bitboard, captured: Bitboard, leads_on: bool) {
        if Self::ORDERED || captured.len() < self.shortest_loop() {
            return;
        }
        self.places += 1;
        if self.places <= FEW_PLACES {
            return;
        }
        let state = self.state(captured);
        self.known.get_or_insert_default().note(at, state, leads_on);
    }

    /// The rank of a complete chain; only the highest are legal.
    #[inline(always)]
    fn rank(&self, captured: Bitboard) -> u32 {
        let count = captured.len();
        let kings = || (captured & self.kings).len();
        match V::RULES.precedence {
            Precedence::Free => 0,
            Precedence::Majority => count,
            Precedence::MajorityThenKings => count << 8 | kings(),
            Precedence::ByKing => self.king as u32,
            // A king counts a little less than two men, so that at an equal sum the one with fewer kings is worth more.
            Precedence::Value => (count + kings()) << 16 | (count - kings()) << 8 | self.king as u32,
            Precedence::Ladder => count << 24 | (self.king as u32) << 20 | kings() << 16 | self.order,
        }
    }

    /// Records a complete chain, if none of a higher rank is known and it is new.
    #[inline(always)]
    fn finish(&mut self, to: Bitboard, captured: Bitboard) {
        let Some(to) = to.first() else { return };
        if !matches!(V::RULES.precedence, Precedence::Free) {
            let rank = self.rank(captured);
            if rank < self.best {
                return;
            }
            if rank > self.best {
                self.best = rank;
                self.list.clear();
            }
        }
        let crown = V::RULES.board.promotion(if WHITE { Color::White } else { Color::Black });
        let crowned = !self.king && (self.crowned || crown.contains(to));
        let mv = Move::new(self.from, to, captured, self.king, crowned);
        if captured.len() >= self.shortest_loop() && self.list.contains(&mv) {
            return;
        }
        self.list.push(mv);
    }
}
