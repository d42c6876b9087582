//! A second, naive generator of legal moves: the oracle of the fast one.
//!
//! It follows the text of the rules and uses no code of the generator in `kroon::rules`: squares are (row, column)
//! pairs, captures are found by plain recursion, and nothing is precomputed. So it is unlikely to repeat an error of
//! the bitboard generator. Speed does not matter.
//!
//! The files of `kroon::rules` cite the rules of each variant. There are no draw rules here.

#![allow(dead_code, reason = "each test uses a different part of the oracle")]

use std::collections::BTreeSet;
use std::fmt;

/// What happens to a man that reaches the last row in the middle of a capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastRow {
    /// It goes on as a man if it can, and is crowned only if the move ends there.
    Passes,
    /// The move ends there and the man is crowned.
    EndsMove,
    /// It is crowned at once and goes on as a king if it can (Russian).
    CrownsAtOnce,
}

/// Where a capturing king may land behind a victim ("special landing").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Landing {
    /// On any free square of the line behind the victim.
    AnyFree,
    /// On any free square, but directly behind the last victim if that one is a king (killer).
    BehindLastKing,
    /// Always directly behind the victim (Thai).
    Behind,
}

/// Which of the possible captures are legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precedence {
    /// Any complete capture.
    Free,
    /// The largest number of pieces.
    MostPieces,
    /// The largest number of pieces, then the most kings among them (Spanish, Portuguese).
    MostPiecesThenKings,
    /// A king captures rather than a man (Czech).
    KingCaptures,
    /// The largest value, king "just under two men"; at equal value a king captures (Frisian).
    FrisianValue,
    /// Number, then with a king, then number of kings, then kings met earliest (Italian).
    ItalianLadder,
}

/// The switches that tell one variant from another.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The variant's name.
    pub name: &'static str,
    /// Initial position as numeric FEN.
    pub start: &'static str,
    /// Rows, and columns, of the board: 8 or 10.
    pub side: i8,
    /// The playable corner seen from White is bottom-right instead of bottom-left.
    pub mirrored: bool,
    /// Square 1 is at the bottom right and numbers run left, then up, instead of from the top left.
    pub numbered_from_bottom: bool,
    /// Men capture backward too.
    pub men_capture_backward: bool,
    /// Men may take kings.
    pub men_take_kings: bool,
    /// Kings move and capture from a distance.
    pub flying_kings: bool,
    /// Captures go along files and ranks as well (Frisian).
    pub orthogonal_captures: bool,
    /// A man on the last row in mid-capture.
    pub last_row: LastRow,
    /// Landing squares of a capturing king.
    pub landing: Landing,
    /// Victims leave the board one by one during the capture, not together after it.
    pub removed_at_once: bool,
    /// A king may make only three quiet moves in a row while its side has men (Frisian).
    pub three_king_moves: bool,
    /// Crowning ends the game: no moves once a king is on the board (breakthrough).
    pub crowning_wins: bool,
    /// Choice among captures.
    pub precedence: Precedence,
}

/// International draughts, the base of the 10x10 variants.
pub const INTERNATIONAL: Rules = Rules {
    name: "international",
    start: "W:W31-50:B1-20",
    side: 10,
    mirrored: false,
    numbered_from_bottom: false,
    men_capture_backward: true,
    men_take_kings: true,
    flying_kings: true,
    orthogonal_captures: false,
    last_row: LastRow::Passes,
    landing: Landing::AnyFree,
    removed_at_once: false,
    three_king_moves: false,
    crowning_wins: false,
    precedence: Precedence::MostPieces,
};

/// English draughts (American checkers).
pub const ENGLISH: Rules = Rules {
    name: "english",
    start: "B:W21-32:B1-12",
    side: 8,
    men_capture_backward: false,
    flying_kings: false,
    last_row: LastRow::EndsMove,
    precedence: Precedence::Free,
    ..INTERNATIONAL
};

const FRISIAN: Rules = Rules {
    name: "frisian",
    orthogonal_captures: true,
    three_king_moves: true,
    precedence: Precedence::FrisianValue,
    ..INTERNATIONAL
};

const BRAZILIAN: Rules = Rules { name: "brazilian", start: "W:W21-32:B1-12", side: 8, ..INTERNATIONAL };

const CZECH: Rules = Rules {
    name: "czech",
    men_capture_backward: false,
    last_row: LastRow::EndsMove,
    precedence: Precedence::KingCaptures,
    ..BRAZILIAN
};

const SPANISH: Rules = Rules {
    name: "spanish",
    start: "W:W1-12:B21-32",
    mirrored: true,
    numbered_from_bottom: true,
    precedence: Precedence::MostPiecesThenKings,
    ..CZECH
};

/// Every variant this generator knows.
pub static VARIANTS: &[Rules] = &[
    INTERNATIONAL,
    Rules { name: "killer", landing: Landing::BehindLastKing, ..INTERNATIONAL },
    Rules { name: "breakthrough", crowning_wins: true, ..INTERNATIONAL },
    // Only the result of the game differs from international, and no result is computed here.
    Rules { name: "losing", ..INTERNATIONAL },
    FRISIAN,
    Rules { name: "frysk", start: "W:W46-50:B1-5", ..FRISIAN },
    ENGLISH,
    Rules { name: "pool", start: "B:W21-32:B1-12", precedence: Precedence::Free, ..BRAZILIAN },
    Rules { name: "russian", last_row: LastRow::CrownsAtOnce, precedence: Precedence::Free, ..BRAZILIAN },
    BRAZILIAN,
    CZECH,
    Rules {
        name: "italian",
        mirrored: true,
        men_take_kings: false,
        flying_kings: false,
        precedence: Precedence::ItalianLadder,
        ..CZECH
    },
    SPANISH,
    Rules { name: "portuguese", ..SPANISH },
    Rules {
        name: "thai",
        start: "W:W25-32:B1-8",
        landing: Landing::Behind,
        removed_at_once: true,
        precedence: Precedence::Free,
        ..CZECH
    },
];

/// The rules of a variant by its id. Panics on an id it does not know.
pub fn rules(name: &str) -> &'static Rules {
    VARIANTS
        .iter()
        .find(|r| r.name == name)
        .unwrap_or_else(|| panic!("no row for `{name}` in VARIANTS of {}", file!()))
}

/// The rules of a variant of the engine.
pub fn rules_of(variant: kroon::rules::VariantId) -> &'static Rules {
    rules(variant.name())
}

/// A place on the board: row 0 is the top one, column 0 the left one, both seen from White.
pub type Spot = (i8, i8);

const DIAGONALS: [Spot; 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];
/// The neighbour of the same colour on a file or rank is two board squares away.
const ORTHOGONALS: [Spot; 4] = [(-2, 0), (2, 0), (0, -2), (0, 2)];

fn step((row, column): Spot, (down, right): Spot) -> Spot {
    (row + down, column + right)
}

/// White stands at the bottom and moves up, whatever the numbering.
fn is_forward(white: bool, (down, _): Spot) -> bool {
    if white { down < 0 } else { down > 0 }
}

impl Rules {
    /// Number of playable squares.
    pub fn square_count(&self) -> u8 {
        (self.side * (self.side / 2)).unsigned_abs()
    }

    /// The player's number of a playable place, `None` outside the board.
    fn number(&self, (row, column): Spot) -> Option<u8> {
        if !(0..self.side).contains(&row) || !(0..self.side).contains(&column) {
            return None;
        }
        let from_top_left = (row * (self.side / 2) + column / 2 + 1).unsigned_abs();
        // Numbering from the bottom right is the same walk on the board turned by 180 degrees.
        Some(if self.numbered_from_bottom { self.square_count() + 1 - from_top_left } else { from_top_left })
    }

    /// The place of a player's number, the inverse of `number`.
    pub fn spot(&self, number: u8) -> Spot {
        assert!((1..=self.square_count()).contains(&number), "square {number} on the {} board", self.name);
        let from_top_left =
            if self.numbered_from_bottom { self.square_count() - number } else { number - 1 }.cast_signed();
        let (row, nth) = (from_top_left / (self.side / 2), from_top_left % (self.side / 2));
        // A playable bottom-left corner leaves the top-left one unplayable, as the side is even.
        let starts_at_edge = (row % 2 == 0) == self.mirrored;
        (row, 2 * nth + i8::from(!starts_at_edge))
    }

    pub fn is_last_row(&self, white: bool, (row, _): Spot) -> bool {
        row == if white { 0 } else { self.side - 1 }
    }
}

/// One legal move. Two captures with the same fields are the same move, whatever the route.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NaiveMove {
    /// Number of the square the piece leaves.
    pub from: u8,
    /// Number of the square it ends on; a capture may end where it started.
    pub to: u8,
    /// Numbers of the captured pieces, ascending; empty for a quiet move.
    pub captured: Vec<u8>,
    /// A man becomes a king by this move.
    pub promotes: bool,
}

impl fmt::Display for NaiveMove {
    /// Hub text: `33-28`, or `33x22x28` with all victims in ascending order.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let separator = if self.captured.is_empty() { '-' } else { 'x' };
        write!(f, "{}{separator}{}", self.from, self.to)?;
        self.captured.iter().try_for_each(|victim| write!(f, "x{victim}"))
    }
}

/// A complete capture before precedence is applied.
struct Capture {
    action: NaiveMove,
    /// The piece was a king when the move began.
    by_king: bool,
    /// For each victim in the order taken: was it a king?
    victim_kings: Vec<bool>,
}

impl Capture {
    /// A list to compare number by number; the captures with the greatest list are the legal ones.
    fn rank(&self, precedence: Precedence) -> Vec<usize> {
        let pieces = self.victim_kings.len();
        let kings = self.victim_kings.iter().filter(|&&king| king).count();
        let men = pieces - kings;
        let by_king = usize::from(self.by_king);
        match precedence {
            Precedence::Free => vec![],
            Precedence::MostPieces => vec![pieces],
            Precedence::MostPiecesThenKings => vec![pieces, kings],
            Precedence::KingCaptures => vec![by_king],
            // A king is worth two men less a trifle: at an equal sum the larger number of men wins,
            // because every king in the sum loses a trifle.
            Precedence::FrisianValue => vec![men + 2 * kings, men, by_king],
            // The last rung compares victim by victim, the first difference decides, king before man.
            Precedence::ItalianLadder => {
                let mut ladder = vec![pieces, by_king, kings];
                ladder.extend(self.victim_kings.iter().map(|&king| usize::from(king)));
                ladder
            }
        }
    }
}

/// What stands on a place, seen by the side to move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Empty,
    Enemy {
        number: u8,
        king: bool,
    },
    /// Off the board, an own piece, or a victim already jumped but still standing there.
    Blocked,
}

/// A capture in progress.
#[derive(Clone)]
struct Chain {
    start: Spot,
    by_king: bool,
    at: Spot,
    /// The piece is a king now: from the start, or crowned on the way.
    king: bool,
    /// Numbers of the victims in the order taken.
    taken: Vec<u8>,
}

/// A jump over one victim, with the squares behind it where the capturer may land, nearest first.
struct Jump {
    victim: u8,
    victim_king: bool,
    landings: Vec<Spot>,
}

/// A position: the pieces by square number and the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaivePosition {
    /// White is to move.
    pub white_to_move: bool,
    /// At index number - 1: `Some((white, king))`, or `None` for an empty square. Squares past the end
    /// of the list are empty, and the list may be longer than the board.
    pub squares: Vec<Option<(bool, bool)>>,
    /// For White and Black: how many quiet moves in a row the side has made with one king, and the number of the
    /// square where it stands. Counted in every variant, of use in the Frisian ones.
    pub king_moves: [(u8, u8); 2],
}

impl NaivePosition {
    /// Reads a numeric FEN such as `W:W31-50:BK3,1-2`. Always makes a list of 50 squares, as the text
    /// does not tell the board. Panics on malformed text: it comes from a test.
    pub fn from_fen(fen: &str) -> NaivePosition {
        let is_white = |field: &str| match field.chars().next() {
            Some('W') => true,
            Some('B') => false,
            _ => panic!("malformed FEN `{fen}`"),
        };
        let number = |text: &str| text.parse::<usize>().unwrap_or_else(|_| panic!("malformed FEN `{fen}`"));
        let mut fields = fen.trim().trim_end_matches('.').split(':');
        let white_to_move = is_white(fields.next().unwrap_or_default());
        let mut squares = vec![None; 50];
        for field in fields {
            let white = is_white(field);
            for item in field[1..].split(',').map(str::trim).filter(|item| !item.is_empty()) {
                let (king, range) = item.strip_prefix('K').map_or((false, item), |rest| (true, rest));
                let (first, last) = range.split_once('-').unwrap_or((range, range));
                for square in number(first)..=number(last) {
                    assert!((1..=50).contains(&square), "square {square} in FEN `{fen}`");
                    squares[square - 1] = Some((white, king));
                }
            }
        }
        NaivePosition { white_to_move, squares, king_moves: [(0, 0); 2] }
    }

    /// All legal moves of the side to move, duplicates merged.
    pub fn legal_moves(&self, rules: &Rules) -> BTreeSet<NaiveMove> {
        if self.is_crowned(rules) {
            return BTreeSet::new();
        }
        let mut captures = Vec::new();
        for (start, _, king) in self.own_pieces(rules) {
            let chain = Chain { start, by_king: king, at: start, king, taken: vec![] };
            self.extend(rules, &chain, &mut captures);
        }
        // Capturing is compulsory in every variant: quiet moves only if there is no capture.
        if captures.is_empty() {
            return self.quiet_moves(rules);
        }
        let best = captures.iter().map(|capture| capture.rank(rules.precedence)).max();
        captures
            .into_iter()
            .filter(|capture| Some(capture.rank(rules.precedence)) == best)
            .map(|capture| capture.action)
            .collect()
    }

    /// The position after a move that `legal_moves` gave.
    pub fn play(&self, action: &NaiveMove) -> NaivePosition {
        let mut next = self.clone();
        let index = |number: u8| usize::from(number) - 1;
        // Lift the piece first: a capture may end on its own starting square.
        let (white, king) = next.squares[index(action.from)].take().expect("a piece on the starting square");
        for &victim in &action.captured {
            next.squares[index(victim)] = None;
        }
        if next.squares.len() < usize::from(action.to) {
            next.squares.resize(usize::from(action.to), None);
        }
        next.squares[index(action.to)] = Some((white, king || action.promotes));
        next.white_to_move = !self.white_to_move;
        next.count_king_moves(action, king);
        next
    }

    /// Brings `king_moves` up to date after `action`, which has been played.
    fn count_king_moves(&mut self, action: &NaiveMove, king: bool) {
        let (mover, other) = if self.white_to_move { (1, 0) } else { (0, 1) };
        let (count, square) = self.king_moves[mover];
        self.king_moves[mover] = match (king && action.captured.is_empty(), square == action.from) {
            (true, true) => (count + 1, action.to),
            (true, false) => (1, action.to),
            (false, _) => (0, 0),
        };
        if action.captured.contains(&self.king_moves[other].1) {
            self.king_moves[other] = (0, 0);
        }
        for (side, white) in [true, false].into_iter().enumerate() {
            if !self.squares.contains(&Some((white, false))) {
                self.king_moves[side] = (0, 0);
            }
        }
    }

    /// The pieces of the side to move: place, number and "is a king".
    fn own_pieces(&self, rules: &Rules) -> Vec<(Spot, u8, bool)> {
        let own = |(number, &piece): (u8, &Option<(bool, bool)>)| {
            let (white, king) = piece?;
            (white == self.white_to_move).then(|| (rules.spot(number), number, king))
        };
        (1..).zip(&self.squares).filter_map(own).collect()
    }

    /// What stands on `spot`; in a capture, its start is free and its victims may not be jumped again.
    fn cell(&self, rules: &Rules, spot: Spot, chain: Option<&Chain>) -> Cell {
        let Some(number) = rules.number(spot) else { return Cell::Blocked };
        if let Some(chain) = chain {
            if spot == chain.start {
                return Cell::Empty;
            }
            if chain.taken.contains(&number) {
                return if rules.removed_at_once { Cell::Empty } else { Cell::Blocked };
            }
        }
        match self.squares.get(usize::from(number) - 1).copied().flatten() {
            None => Cell::Empty,
            Some((white, _)) if white == self.white_to_move => Cell::Blocked,
            Some((_, king)) => Cell::Enemy { number, king },
        }
    }

    /// Breakthrough is over as soon as a man is crowned, so nobody moves with a king around.
    fn is_crowned(&self, rules: &Rules) -> bool {
        rules.crowning_wins && self.squares.iter().flatten().any(|&(_, king)| king)
    }

    /// Whether a quiet move of the side to move, legal or behind a capture that comes first, crowns a man and so wins.
    pub fn crowns_to_win(&self, rules: &Rules) -> bool {
        rules.crowning_wins
            && !self.is_crowned(rules)
            && self.quiet_moves(rules).iter().any(|action| action.promotes)
    }

    fn quiet_moves(&self, rules: &Rules) -> BTreeSet<NaiveMove> {
        let white = self.white_to_move;
        let mut moves = BTreeSet::new();
        let (count, tired) = self.king_moves[if white { 0 } else { 1 }];
        for (start, from, king) in self.own_pieces(rules) {
            if rules.three_king_moves && king && count == 3 && from == tired {
                continue;
            }
            // Quiet moves are diagonal everywhere, also for Frisian kings. Men never move back.
            for direction in DIAGONALS.into_iter().filter(|&d| king || is_forward(white, d)) {
                let mut target = step(start, direction);
                while self.cell(rules, target, None) == Cell::Empty {
                    let to = rules.number(target).expect("an empty cell is on the board");
                    let promotes = !king && rules.is_last_row(white, target);
                    moves.insert(NaiveMove { from, to, captured: vec![], promotes });
                    if !(king && rules.flying_kings) {
                        break;
                    }
                    target = step(target, direction);
                }
            }
        }
        moves
    }

    /// Continues `chain` in every possible way and collects the complete captures.
    fn extend(&self, rules: &Rules, chain: &Chain, found: &mut Vec<Capture>) {
        for jump in self.jumps(rules, chain) {
            // The chain after this jump, once for each landing square.
            let ends: Vec<Chain> =
                jump.landings.iter().map(|&at| self.land(rules, chain, &jump, at)).collect();
            // Carry through: if some landing square lets the capture go on, it must be used.
            let onward: Vec<&Chain> = ends.iter().filter(|end| self.goes_on(rules, end)).collect();
            for end in &onward {
                self.extend(rules, end, found);
            }
            if !onward.is_empty() {
                continue;
            }
            // The capture is over. In killer a king stops right behind a king it took last.
            let stop_behind = rules.landing == Landing::BehindLastKing && chain.king && jump.victim_king;
            let choices = if stop_behind { 1 } else { ends.len() };
            found.extend(ends[..choices].iter().map(|end| self.finish(rules, end)));
        }
    }

    /// `chain` after taking the victim of `jump` and landing on `at`.
    fn land(&self, rules: &Rules, chain: &Chain, jump: &Jump, at: Spot) -> Chain {
        let mut next = Chain { at, ..chain.clone() };
        next.taken.push(jump.victim);
        next.king |= rules.last_row == LastRow::CrownsAtOnce && rules.is_last_row(self.white_to_move, at);
        next
    }

    /// Whether a capture that has taken a victim can, and may, take another.
    fn goes_on(&self, rules: &Rules, chain: &Chain) -> bool {
        let man_on_last_row = !chain.king && rules.is_last_row(self.white_to_move, chain.at);
        let must_stop = man_on_last_row && rules.last_row == LastRow::EndsMove;
        !must_stop && !self.jumps(rules, chain).is_empty()
    }

    /// Every single jump possible from where the chain stands now.
    fn jumps(&self, rules: &Rules, chain: &Chain) -> Vec<Jump> {
        let orthogonals = if rules.orthogonal_captures { &ORTHOGONALS[..] } else { &[] };
        let any_way = chain.king || rules.men_capture_backward;
        let directions = DIAGONALS.iter().chain(orthogonals);
        let allowed = directions.filter(|&&d| any_way || is_forward(self.white_to_move, d));
        allowed.filter_map(|&direction| self.jump(rules, chain, direction)).collect()
    }

    /// The jump in one direction, if there is one.
    fn jump(&self, rules: &Rules, chain: &Chain, direction: Spot) -> Option<Jump> {
        let flies = chain.king && rules.flying_kings;
        let cell = |spot| self.cell(rules, spot, Some(chain));
        let mut spot = step(chain.at, direction);
        while flies && cell(spot) == Cell::Empty {
            spot = step(spot, direction);
        }
        let Cell::Enemy { number, king } = cell(spot) else { return None };
        if king && !chain.king && !rules.men_take_kings {
            return None;
        }
        let far = flies && rules.landing != Landing::Behind;
        let mut landings = Vec::new();
        spot = step(spot, direction);
        while cell(spot) == Cell::Empty && (far || landings.is_empty()) {
            landings.push(spot);
            spot = step(spot, direction);
        }
        (!landings.is_empty()).then_some(Jump { victim: number, victim_king: king, landings })
    }

    /// The complete capture that ends where `chain` stands.
    fn finish(&self, rules: &Rules, chain: &Chain) -> Capture {
        let is_king = |&victim: &u8| self.squares[usize::from(victim) - 1].is_some_and(|(_, king)| king);
        let victim_kings = chain.taken.iter().map(is_king).collect();
        let mut captured = chain.taken.clone();
        captured.sort_unstable();
        let number = |spot| rules.number(spot).expect("a piece stands on the board");
        // A man crowned on the way is a king wherever it ends (Russian); others must end on the last row.
        let promotes = !chain.by_king && (chain.king || rules.is_last_row(self.white_to_move, chain.at));
        let action = NaiveMove { from: number(chain.start), to: number(chain.at), captured, promotes };
        Capture { action, by_king: chain.by_king, victim_kings }
    }
}

/// Leaf nodes at exactly `depth`; a position without a legal move counts nothing below it.
pub fn perft(position: &NaivePosition, rules: &Rules, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = position.legal_moves(rules);
    if depth == 1 {
        return moves.len() as u64;
    }
    moves.iter().map(|action| perft(&position.play(action), rules, depth - 1)).sum()
}
