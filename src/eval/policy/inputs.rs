//! What the policy sees of a position and of a move.

use crate::board::Direction::{self, DownLeft, DownRight, UpLeft, UpRight};
use crate::board::{Bitboard, Board, Color, Move, Position, Square};
use crate::eval::learned::net::{row, seen_by};
use crate::score::Score;

/// Rows of moves: where a step begins and whether it goes to the right, then seven tables by square.
pub const OUT_ROWS: usize = MAN_STEPS + 7 * 64;
const MAN_STEPS: usize = 2 * 64;

/// The table of a kind of move's origin or destination.
const fn table(number: usize) -> usize {
    MAN_STEPS + 64 * number
}

/// Numbers of moves: patterns around destination and origin, of men and of kings; then by captured pieces, by captured
/// kings; then by how far the estimate is behind the best one, by how many are better.
pub const TERMS: usize = RANKS_AT + RANKS;
const GAPS_AT: usize = 4 * PATTERNS + 2 * COUNTS;
const RANKS_AT: usize = GAPS_AT + GAPS;
/// Six squares with four states each.
const PATTERNS: usize = 4 * 4 * 4 * 4 * 4 * 4;
/// That many captured pieces and more are one.
const COUNTS: usize = 16;
/// Eight for each doubling of the gap plus 16 centi-men; the largest gap, 2,000, has the last one.
const GAPS: usize = 56;
/// So many better estimates and more are one.
const RANKS: usize = 8;
/// An estimate beyond this many centi-men says no more than "won".
pub const MOST_ESTIMATE: i32 = 1_000;

/// The rows and numbers that a move's value is the sum of.
///
/// ```
/// use kroon::eval::policy::move_inputs;
/// use kroon::game::Game;
/// use kroon::rules::VariantId;
/// use kroon::score::Score;
/// let (game, board) = (Game::new(VariantId::International), VariantId::International.rules().board);
/// let moves = game.legal_moves();
/// // 31-26 and 31-27 begin on the same square and go to different sides.
/// let estimates = [Score::DRAW; 9];
/// let inputs: Vec<_> = moves.iter().map(|&mv| move_inputs(board, game.position(), mv, Score::DRAW, &estimates)).collect();
/// assert_ne!(inputs[0].rows, inputs[1].rows);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct MoveInputs {
    /// Rows, below [`OUT_ROWS`].
    pub rows: [u16; 2],
    /// Numbers, below [`TERMS`].
    pub terms: [u16; 4],
}

/// The rows of all pieces as the side to move sees them, below `learned::net::ROWS`.
#[inline(always)]
pub fn piece_rows(board: &Board, position: &Position) -> impl Iterator<Item = usize> {
    let turn = position.turn();
    position.occupied().into_iter().map(move |square| {
        let own = position.side(turn).contains(square);
        row(own, position.kings().contains(square), seen_by(turn, board, square.index()))
    })
}

/// What is to be added up for a move. `estimate` is its own, `estimates` are those of all legal moves: what the evaluation
/// says of the positions after them when these have become quiet, for the side that moves.
pub fn move_inputs(
    board: &Board,
    position: &Position,
    mv: Move,
    estimate: Score,
    estimates: &[Score],
) -> MoveInputs {
    let turn = position.turn();
    let [from, to] = [mv.from(), mv.to()].map(|square| seen_by(turn, board, square.index()));
    let captured = mv.captured();
    let (rows, [first, second]) = if captured.any() {
        let first = if mv.is_king() { table(5) } else { table(3) };
        let kings = captured & position.kings();
        let count = |set: Bitboard| (set.len() as usize).min(COUNTS - 1);
        let counts = [4 * PATTERNS + count(captured), 4 * PATTERNS + COUNTS + count(kings)];
        ([first + from, first + 64 + to], counts)
    } else {
        let rows = if mv.is_king() {
            [table(1) + from, table(2) + to]
        } else {
            let is_right = Direction::UpRight.step().unsigned_abs() as usize == from.abs_diff(to);
            [2 * from + usize::from(is_right), table(0) + to]
        };
        let (ahead, back) = match turn {
            Color::White => ([UpLeft, UpRight], [DownLeft, DownRight]),
            Color::Black => ([DownRight, DownLeft], [UpRight, UpLeft]),
        };
        let ends = Bitboard::of(mv.from()) ^ Bitboard::of(mv.to());
        let around = Around { board, own: position.side(turn) ^ ends, other: position.side(!turn) };
        let first = if mv.is_king() { 2 * PATTERNS } else { 0 };
        let patterns = [around.pattern(mv.to(), ahead, back), around.pattern(mv.from(), back, ahead)];
        (rows, [first + patterns[0], first + PATTERNS + patterns[1]])
    };
    let [gap, rank] = standing(estimate, estimates);
    MoveInputs { rows: rows.map(|row| row as u16), terms: [first, second, gap, rank].map(|term| term as u16) }
}

/// What an estimate counts for in hundredths of a man.
pub fn estimate_centi(estimate: Score) -> i32 {
    estimate.centi().clamp(-MOST_ESTIMATE, MOST_ESTIMATE)
}

/// The numbers of a move by its estimate's place among all of them.
fn standing(estimate: Score, all: &[Score]) -> [usize; 2] {
    let centi = estimate_centi(estimate);
    let (most, better) = all
        .iter()
        .map(|&other| estimate_centi(other))
        .fold((centi, 0), |(most, better), other| (most.max(other), better + usize::from(other > centi)));
    // Whole numbers only: the octave above 16, and which eighth of it.
    let gap = (most - centi + 16) as usize;
    let octave = gap.ilog2() as usize - 4;
    let eighth = ((gap >> octave) - 16) / 2;
    [GAPS_AT + 8 * octave + eighth, RANKS_AT + better.min(RANKS - 1)]
}

/// The board after a move without captures.
struct Around<'a> {
    board: &'a Board,
    own: Bitboard,
    other: Bitboard,
}

impl Around<'_> {
    /// The states of the four squares next to this one, and of the next ones in two of these directions.
    fn pattern(&self, square: Square, long: [Direction; 2], short: [Direction; 2]) -> usize {
        let next = |set: Bitboard, direction: Direction| direction.shift(set) & self.board.playable();
        let near = long.map(|direction| next(Bitboard::of(square), direction));
        let far = [next(near[0], long[0]), next(near[1], long[1])];
        let behind = short.map(|direction| next(Bitboard::of(square), direction));
        let cells = near.into_iter().chain(behind).chain(far);
        cells.fold(0, |pattern, cell| 4 * pattern + self.state(cell))
    }

    /// 0: empty, 1: own piece, 2: the opponent's, 3: outside the board.
    fn state(&self, cell: Bitboard) -> usize {
        if cell.is_empty() {
            3
        } else {
            usize::from((cell & self.own).any()) + 2 * usize::from((cell & self.other).any())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::learned::net::ROWS;
    use crate::rules::{VariantId, legal_moves, play_in};
    use rand::{RngExt, SeedableRng};
    use std::collections::HashSet;

    #[test]
    fn numbers_are_in_their_tables_and_colours_do_not_matter() {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(4);
        let mut different = HashSet::new();
        for variant in VariantId::ALL {
            let rules = variant.rules();
            for _ in 0..20 {
                let mut position = rules.position(&rules.start()).unwrap();
                for _ in 0..120 {
                    let moves = legal_moves(variant, &position);
                    if moves.is_empty() {
                        break;
                    }
                    let turned = position.turned(rules.board);
                    let all = |position| piece_rows(rules.board, position).collect::<HashSet<_>>();
                    assert_eq!(all(&position), all(&turned));
                    assert!(all(&position).iter().all(|&row| row < ROWS));
                    let inputs = |position: &Position| {
                        let moves = legal_moves(variant, position);
                        let to = |mv: &Move| seen_by(position.turn(), rules.board, mv.to().index());
                        let centi = |mv: &Move| Score::from_centi(30 * to(mv) as i32);
                        let estimates: Vec<_> = moves.iter().map(centi).collect();
                        let of = moves.iter().zip(&estimates).map(|(&mv, &estimate)| {
                            move_inputs(rules.board, position, mv, estimate, &estimates)
                        });
                        let mut of: Vec<_> = of.map(|inputs| (inputs.rows, inputs.terms)).collect();
                        of.sort_unstable();
                        of
                    };
                    let own = inputs(&position);
                    assert_eq!(own, inputs(&turned), "{variant} {position:?}");
                    assert!(own.iter().flat_map(|(rows, _)| rows).all(|&row| usize::from(row) < OUT_ROWS));
                    assert!(own.iter().flat_map(|(_, terms)| terms).all(|&term| usize::from(term) < TERMS));
                    different.extend(own);
                    position = play_in(variant, &position, moves[random.random_range(0..moves.len())]);
                }
            }
        }
        assert!(different.len() > 5_000, "{}", different.len());
    }

    #[test]
    fn estimates_stand_by_distance_and_by_rank() {
        let all = [40, 40, 38, 23, -3, -5000].map(Score::from_centi);
        let standings = all.map(|estimate| standing(estimate, &all));
        let [gaps, ranks] = [0, 1].map(|kind| standings.map(|standing| standing[kind]));
        assert_eq!(gaps.map(|gap| gap - GAPS_AT), [0, 0, 1, 8, 14, 48]);
        assert_eq!(ranks.map(|rank| rank - RANKS_AT), [0, 0, 2, 3, 4, 5]);
        // The largest gap there is.
        let ends = [1, -1].map(|sign| Score::from_centi(sign * 2 * MOST_ESTIMATE));
        assert_eq!(standing(ends[1], &ends)[0], GAPS_AT + GAPS - 1);
        assert_eq!(standing(ends[1], &[ends[0]; 30])[1], TERMS - 1);
    }

    #[test]
    fn patterns_tell_what_stands_around_a_square() {
        let rules = VariantId::International.rules();
        let square = |number| rules.square(number).unwrap();
        let set = |numbers: &[u32]| numbers.iter().map(|&number| square(number)).collect::<Bitboard>();
        let around = Around { board: rules.board, own: set(&[32, 33]), other: set(&[18, 23]) };
        // Around 28: 22 and 23 ahead, 32 and 33 behind, 17 and 19 beyond.
        let pattern = around.pattern(square(28), [UpLeft, UpRight], [DownLeft, DownRight]);
        assert_eq!(pattern, 0b00_10_01_01_00_00);
        // Around 6: nothing to the left, 1 ahead, 11 behind, nothing beyond.
        let pattern = around.pattern(square(6), [UpLeft, UpRight], [DownLeft, DownRight]);
        assert_eq!(pattern, 0b11_00_11_00_11_11);
    }
}
