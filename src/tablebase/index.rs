//! The numbers of the positions of a slice, without holes.

use super::material::Material;
use super::pieces::Pieces;
use crate::board::{Bitboard, Board, Color, KingRun, Position, Square};
use crate::rules::Rules;

/// The most squares of a board.
const SQUARES: usize = 50;
/// The most pieces of a kind.
const MOST: usize = Material::MOST_PIECES as usize - 1;

/// `BINOMIALS[k][n]`: in how many ways k of n squares can be occupied.
static BINOMIALS: [[u64; SQUARES + 1]; MOST + 1] = {
    let mut table = [[0; SQUARES + 1]; MOST + 1];
    table[0] = [1; SQUARES + 1];
    let mut k = 1;
    while k <= MOST {
        let mut n = 1;
        while n <= SQUARES {
            table[k][n] = table[k][n - 1] + table[k - 1][n - 1];
            n += 1;
        }
        k += 1;
    }
    table
};

/// In how many ways `k` of `n` squares can be occupied.
#[inline(always)]
fn choose(k: u8, n: u8) -> u64 {
    BINOMIALS[usize::from(k)][usize::from(n)]
}

/// The number of `set` among all sets of as many squares of `free`, which contains them: in the combinatorial number
/// system, so that sets whose highest squares are lower come first.
#[inline(always)]
fn rank(set: Bitboard, free: Bitboard) -> u64 {
    let mut rank = 0;
    for (k, square) in (1..).zip(set) {
        let below = Bitboard(Bitboard::of(square).0 - 1);
        rank += BINOMIALS[k & 7][(free & below).len() as usize];
    }
    rank
}

/// Numbers the positions of a slice from 0 on: every position of the [`Material`] that the rules allow has a number of its
/// own, and every number is a position.
///
/// The side to move is turned to be White. The digits, from the highest: how many black men stand on their own first
/// row (no white man may stand there, so this decides how much room is left); these men; the other black men; the
/// white men on what is left; the black kings; the white kings. So numbers in a row differ by the place of a king of
/// the side to move. Each digit is the rank of a set of squares among those still free, in the combinatorial number
/// system. Where runs of kings are limited, the run of either side is the lowest digit.
///
/// ```
/// use kroon::notation::position;
/// use kroon::rules::VariantId::International;
/// use kroon::tablebase::{Index, Material};
///
/// let game = position::game(International, "B:WK50:BK1")?;
/// let index = Index::new(International.rules(), "10v10".parse()?).expect("a slice of the variant");
/// assert_eq!((index.len(), index.of(game.position())), (50 * 49, 48));
/// let turned = index.position(48);
/// assert_eq!(kroon::notation::fen::write(International, &turned), "W:WK50:BK1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Index {
    pub(super) material: Material,
    pub(super) board: &'static Board,
    /// One for each number of black men on their own first row.
    groups: Vec<Group>,
    /// The first row of Black, where no white man stands.
    back_row: Bitboard,
    /// Where black men may stand besides.
    middle: Bitboard,
    /// Ways to place the kings of Black, and of White.
    black_kings: u64,
    white_kings: u64,
    /// Runs that a king of either side can be on, none included.
    runs: [u32; 2],
    len: u64,
}

/// The positions with the same number of black men on their own first row.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The ways to place men before this group.
    start: u64,
    back: u8,
    /// Ways to place the other black men, and the white ones.
    middle_ways: u64,
    white_ways: u64,
}

impl Index {
    /// The numbers of a slice; `None` if these rules know no such positions.
    pub fn new(rules: &Rules, material: Material) -> Option<Index> {
        if !material.exists(rules) {
            return None;
        }
        let board = rules.board;
        let ([white, black], kings) = (material.men, material.kings);
        let back_row = board.promotion(Color::White);
        let middle = board.playable().without(back_row | board.promotion(Color::Black));
        let (row, inner) = (back_row.len() as u8, middle.len() as u8);
        let mut groups = Vec::new();
        let mut start = 0;
        for back in 0..=black.min(row) {
            let others = black - back;
            // White men stand on all rows but the first.
            let room = inner + row - others;
            let (middle_ways, white_ways) = (choose(others, inner), choose(white, room));
            groups.push(Group { start, back, middle_ways, white_ways });
            start += choose(back, row) * middle_ways * white_ways;
        }
        let room = board.squares() - white - black;
        let (black_kings, white_kings) = (choose(kings[1], room), choose(kings[0], room - kings[1]));
        let runs = [0, 1].map(|side| match rules.king_run {
            Some(most) if material.men[side] > 0 => 1 + u32::from(most) * u32::from(kings[side]),
            _ => 1,
        });
        let len = start * black_kings * white_kings * u64::from(runs[0] * runs[1]);
        Some(Index { material, board, groups, back_row, middle, black_kings, white_kings, runs, len })
    }

    /// The pieces of the slice.
    pub fn material(&self) -> Material {
        self.material
    }

    /// How many positions there are.
    #[allow(clippy::len_without_is_empty, reason = "no slice is empty")]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// The number of a position, which must have the material of the slice.
    #[inline]
    pub fn of(&self, position: &Position) -> u64 {
        self.of_pieces(&Pieces::of(position, self.board))
    }

    /// The position with this number, White to move.
    ///
    /// # Panics
    /// If there is none.
    pub fn position(&self, number: u64) -> Position {
        assert!(number < self.len, "position {number} of {}", self.len);
        Cursor::new(self, number).pieces().position()
    }

    /// The number of all that comes before the kings of the side to move: the first of the numbers that differ from
    /// this one only by them.
    #[inline(always)]
    pub(super) fn row_of(&self, pieces: &Pieces) -> u64 {
        let [white, black] = pieces.men;
        let playable = self.board.playable();
        let back = black & self.back_row;
        let group = &self.groups[back.len() as usize];
        let others = black & self.middle;
        let room = playable.without(self.back_row | others);
        let men = group.start
            + (rank(back, self.back_row) * group.middle_ways + rank(others, self.middle)) * group.white_ways
            + rank(white, room);
        let room = playable.without(white | black);
        (men * self.black_kings + rank(pieces.kings[1], room))
            * self.white_kings
            * u64::from(self.runs[0] * self.runs[1])
    }

    /// What the kings of the side to move, and the runs, add to [`Index::row_of`].
    #[inline(always)]
    pub(super) fn in_row(&self, pieces: &Pieces) -> u64 {
        let room = self.board.playable().without(pieces.men[0] | pieces.men[1] | pieces.kings[1]);
        let kings = rank(pieces.kings[0], room);
        if self.runs == [1, 1] {
            return kings;
        }
        let [us, them] = [0, 1].map(|side| match pieces.runs[side].square() {
            Some(square) if self.runs[side] > 1 => {
                let below = Bitboard(Bitboard::of(square).0 - 1);
                let king = (pieces.kings[side] & below).len();
                u64::from(king * u32::from(KingRun::MOST) + u32::from(pieces.runs[side].count()))
            }
            _ => 0,
        });
        (kings * u64::from(self.runs[0]) + us) * u64::from(self.runs[1]) + them
    }

    /// The number of a placement of this material.
    #[inline(always)]
    pub(super) fn of_pieces(&self, pieces: &Pieces) -> u64 {
        self.row_of(pieces) + self.in_row(pieces)
    }
}

/// Walks through the positions of a slice in the order of their numbers.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'a> {
    index: &'a Index,
    number: u64,
    /// The first number with the present men and black kings.
    row: u64,
    group: usize,
    /// Black men on their first row, other black men, white men, black kings, white kings.
    digits: [Digit; 5],
    /// The runs of the kings of the side to move, and of the other, by number.
    runs: [u32; 2],
}

/// A set of squares among some free ones.
#[derive(Clone, Copy, Debug)]
struct Digit {
    /// The free squares in ascending order; not kept up to date where there is no piece.
    squares: [u8; SQUARES],
    len: u8,
    pieces: u8,
    /// Which of the free squares are occupied, ascending.
    at: [u8; MOST],
}

impl Digit {
    const EMPTY: Digit = Digit { squares: [0; SQUARES], len: 0, pieces: 0, at: [0; MOST] };

    /// Makes this the set with number `rank` of `pieces` squares of `free`.
    fn set(&mut self, free: Bitboard, pieces: u8, mut rank: u64) {
        self.pieces = pieces;
        if pieces == 0 {
            return;
        }
        self.len = 0;
        for square in free {
            self.squares[usize::from(self.len)] = square.index() as u8;
            self.len += 1;
        }
        let mut below = self.len;
        for k in (1..=pieces).rev() {
            // The highest square that leaves a rank for the others.
            let ways = &BINOMIALS[usize::from(k)][..usize::from(below)];
            below = (ways.partition_point(|&ways| ways <= rank) - 1) as u8;
            rank -= ways[usize::from(below)];
            self.at[usize::from(k) - 1] = below;
        }
    }

    /// The next set; false, and the first set again, after the last.
    #[inline(always)]
    fn advance(&mut self) -> bool {
        for i in 0..usize::from(self.pieces) {
            let next = self.at[i] + 1;
            let limit = if i + 1 < usize::from(self.pieces) { self.at[i + 1] } else { self.len };
            if next < limit {
                self.at[i] = next;
                return true;
            }
            self.at[i] = i as u8;
        }
        false
    }

    #[inline(always)]
    fn bits(&self) -> Bitboard {
        let squares = self.at[..usize::from(self.pieces)].iter().map(|&at| self.squares[usize::from(at)]);
        Bitboard(squares.fold(0, |set, square| set | 1 << square))
    }
}

/// The digits of a [`Cursor`].
const BACK: usize = 0;
const MIDDLE: usize = 1;
const WHITE_MEN: usize = 2;
const BLACK_KINGS: usize = 3;
const WHITE_KINGS: usize = 4;

impl<'a> Cursor<'a> {
    /// The position with this number, which must exist.
    pub(super) fn new(index: &'a Index, number: u64) -> Cursor<'a> {
        let mut cursor =
            Cursor { index, number, row: u64::MAX, group: 0, digits: [Digit::EMPTY; 5], runs: [0; 2] };
        cursor.seek(number);
        cursor
    }

    fn row_len(&self) -> u64 {
        self.index.white_kings * u64::from(self.index.runs[0] * self.index.runs[1])
    }

    /// Goes to the position with this number, which must exist.
    pub(super) fn seek(&mut self, number: u64) {
        debug_assert!(number < self.index.len);
        let index = self.index;
        self.number = number;
        let row_len = self.row_len();
        let row = number - number % row_len;
        if row != self.row {
            self.seek_row(row / row_len);
            self.row = row;
        }
        let mut rest = number - row;
        let runs = index.runs.map(u64::from);
        self.runs[1] = (rest % runs[1]) as u32;
        rest /= runs[1];
        self.runs[0] = (rest % runs[0]) as u32;
        self.set(WHITE_KINGS, index.material.kings[0], rest / runs[0]);
    }

    /// Places the men and the black kings.
    fn seek_row(&mut self, row: u64) {
        let index = self.index;
        let (men, kings) = (row / index.black_kings, row % index.black_kings);
        self.group = index.groups.partition_point(|group| group.start <= men) - 1;
        let group = &index.groups[self.group];
        let men = men - group.start;
        let (black, white) = (men / group.white_ways, men % group.white_ways);
        self.set(BACK, group.back, black / group.middle_ways);
        self.set(MIDDLE, index.material.men[1] - group.back, black % group.middle_ways);
        self.set(WHITE_MEN, index.material.men[0], white);
        self.set(BLACK_KINGS, index.material.kings[1], kings);
    }

    fn set(&mut self, digit: usize, pieces: u8, rank: u64) {
        let free = self.free(digit);
        self.digits[digit].set(free, pieces, rank);
    }

    /// The squares that a digit may occupy, given those before it.
    fn free(&self, digit: usize) -> Bitboard {
        let (index, playable) = (self.index, self.index.board.playable());
        let taken = |digits: &[Digit]| digits.iter().fold(Bitboard::EMPTY, |set, digit| set | digit.bits());
        match digit {
            BACK => index.back_row,
            MIDDLE => index.middle,
            WHITE_MEN => playable.without(index.back_row | self.digits[MIDDLE].bits()),
            _ => playable.without(taken(&self.digits[..digit])),
        }
    }

    /// Goes to the next position; false if there is none.
    #[inline]
    pub(super) fn advance(&mut self) -> bool {
        self.number += 1;
        for side in [1, 0] {
            self.runs[side] += 1;
            if self.runs[side] < self.index.runs[side] {
                return true;
            }
            self.runs[side] = 0;
        }
        if self.digits[WHITE_KINGS].advance() {
            return true;
        }
        if self.number >= self.index.len {
            return false;
        }
        self.row = self.number;
        self.advance_row();
        true
    }

    fn advance_row(&mut self) {
        for digit in (BACK..=BLACK_KINGS).rev() {
            if self.digits[digit].advance() {
                for lower in digit + 1..=WHITE_KINGS {
                    let pieces = self.digits[lower].pieces;
                    self.set(lower, pieces, 0);
                }
                return;
            }
        }
        // The last of its group.
        self.row = u64::MAX;
        self.seek(self.number);
    }

    /// Goes on to a position that comes later, or stays.
    pub(super) fn advance_to(&mut self, number: u64) {
        /// Steps that are cheaper than a leap.
        const STEPS: u64 = 16;
        if number - self.number > STEPS {
            self.seek(number);
        }
        while self.number < number && self.advance() {}
    }

    /// The present position.
    #[inline]
    pub(super) fn pieces(&self) -> Pieces {
        let [back, middle, white, black_kings, white_kings] = self.digits.each_ref().map(Digit::bits);
        let kings = [white_kings, black_kings];
        let runs = [0, 1].map(|side| match self.runs[side] {
            0 => KingRun::NONE,
            run => {
                let (king, count) =
                    ((run - 1) / u32::from(KingRun::MOST), (run - 1) % u32::from(KingRun::MOST));
                let square: Option<Square> = kings[side].into_iter().nth(king as usize);
                square.map_or(KingRun::NONE, |square| KingRun::new(square, count as u8 + 1))
            }
        });
        Pieces { men: [white, back | middle], kings, runs }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Piece, Setup};
    use crate::rules::VariantId;
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn index(variant: VariantId, material: Material) -> Index {
        Index::new(variant.rules(), material).unwrap()
    }

    /// Positions of all slices with exactly `pieces` pieces.
    fn positions(variant: VariantId, pieces: u8) -> u64 {
        let all = Material::all(variant.rules(), pieces);
        all.iter().filter(|slice| slice.pieces() == pieces).map(|&slice| index(variant, slice).len()).sum()
    }

    /// One variant for each board and each kind of state.
    const BOARDS: [VariantId; 5] = [
        VariantId::International,
        VariantId::Frisian,
        VariantId::English,
        VariantId::Italian,
        VariantId::Spanish,
    ];

    #[test]
    fn sizes_are_the_published_ones() {
        use VariantId::{Breakthrough, English, International};
        let counts = |variant, pieces: &[u8]| -> Vec<u64> {
            pieces.iter().map(|&pieces| positions(variant, pieces)).collect()
        };
        let international = [8_845, 806_300, 41_971_200, 1_570_600_750, 46_198_758_750, 1_119_691_797_720];
        assert_eq!(counts(International, &[2, 3, 4, 5, 6, 7]), international);
        let english =
            [3_488, 196_032, 6_209_316, 139_450_808, 2_426_085_676, 34_243_113_624, 403_190_250_561];
        assert_eq!(counts(English, &[2, 3, 4, 5, 6, 7, 8]), english);
        for (name, len) in
            [("10v01", 2_205), ("11v11", 4_478_160), ("22v21", 45_793_430_100), ("03v10", 666_930)]
        {
            assert_eq!(index(International, name.parse().unwrap()).len(), len, "{name}");
        }
        assert_eq!(positions(Breakthrough, 2), 1_985);
    }

    /// Naive count of the placements of two men and a king with runs.
    #[test]
    fn runs_multiply_the_positions_of_sides_with_men_and_kings() {
        use VariantId::Frisian;
        assert_eq!(index(Frisian, "11v10".parse().unwrap()).len(), 4 * 105_840);
        assert_eq!(index(Frisian, "21v11".parse().unwrap()).len(), 7 * 4 * 102_997_680);
        assert_eq!(index(Frisian, "20v02".parse().unwrap()).len(), 1_116_720);
    }

    #[test]
    fn all_positions_of_two_and_three_pieces_have_their_number() {
        for variant in BOARDS {
            for material in Material::all(variant.rules(), 3) {
                let index = index(variant, material);
                let mut cursor = Cursor::new(&index, 0);
                for number in 0..index.len() {
                    let pieces = cursor.pieces();
                    assert_eq!(index.of_pieces(&pieces), number, "{variant} {material}");
                    assert_eq!(cursor.advance(), number + 1 < index.len());
                }
            }
        }
    }

    #[test]
    fn numbers_of_random_positions_lead_back() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for variant in BOARDS {
            let rules = variant.rules();
            for material in Material::all(rules, 8) {
                let index = index(variant, material);
                let mut cursor = Cursor::new(&index, 0);
                for _ in 0..20 {
                    let number = random.random_range(0..index.len());
                    let position = index.position(number);
                    assert_eq!(Material::of(&position), Some(material));
                    assert_eq!(index.of(&position), number, "{variant} {material}");
                    // The position is one, and it is the same for either colour.
                    assert_eq!(rules.position(&Setup::from(&position)), Ok(position));
                    assert_eq!(index.of(&with_colors_exchanged(rules, &position)), number);
                    cursor.seek(number);
                    assert_eq!((cursor.number, cursor.pieces().position()), (number, position));
                    let later = (number + random.random_range(0..40)).min(index.len() - 1);
                    cursor.advance_to(later);
                    assert_eq!(cursor.pieces().position(), index.position(later));
                }
            }
        }
    }

    /// Piece by piece: row and column counted from the other end, the other colour.
    fn with_colors_exchanged(rules: &Rules, position: &Position) -> Position {
        let opposite = |square: Square| {
            let side = rules.board.side();
            Square::at(side - 1 - square.row(), side - 1 - square.column()).unwrap()
        };
        let mut setup = Setup::empty(!position.turn());
        for square in position.occupied() {
            let piece = position.piece(square).unwrap();
            setup.put(opposite(square), Piece { color: !piece.color, ..piece });
        }
        for color in Color::ALL {
            let run = position.king_run(color);
            if let Some(square) = run.square() {
                setup.set_king_run(!color, KingRun::new(opposite(square), run.count()));
            }
        }
        rules.position(&setup).unwrap()
    }
}
