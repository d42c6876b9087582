//! The features of the hand-made evaluation, counted for one side at a time.
//!
//! Every feature is defined for White; for Black the board is turned by 180 degrees first.

use crate::board::{Bitboard, Board, Color, Direction, Position, Square};
use crate::rules::Variant;

/// The features in order, each with its name in explained evaluations.
macro_rules! features {
    ($($(#[$doc:meta])* $Feature:ident $name:literal,)+) => {
        /// What the hand-made evaluation looks at.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        #[repr(usize)]
        pub enum Feature {
            $($(#[$doc])* $Feature,)+
        }

        impl Feature {
            /// How many there are.
            pub const COUNT: usize = Feature::NAMES.len();
            /// All of them.
            pub const ALL: [Feature; Feature::COUNT] = [$(Feature::$Feature),+];
            /// Their names, in order.
            pub const NAMES: &[&str] = &[$($name),+];
        }
    };
}

features! {
    /// Men.
    Men "men",
    /// 1 if there is a king.
    FirstKing "first king",
    /// Kings after the first.
    MoreKings "more kings",
    /// Rows that the men have advanced, summed.
    Advancement "advancement",
    /// Men on the middle columns of the inner rows.
    Centre "centre",
    /// Men on the outer columns.
    Edge "edge",
    /// Men at home on the first row.
    BackRow "back row",
    /// Pairs of men next to each other on a diagonal.
    Compactness "compactness",
    /// Difference between the men on the left and on the right half, beyond one.
    Imbalance "imbalance",
    /// Men's moves to squares where they cannot be taken at once, if men capture backward: the hand-made evaluation takes that
    /// for granted in every variant.
    SafeMoves "safe moves",
    /// Men's moves that lose the man, unless it is protected by tactics.
    UnsafeMoves "unsafe moves",
    /// Squares that kings can go to.
    KingMoves "king moves",
    /// For men whose way to promotion no opponent can meet, while he has no king: rows advanced, squared.
    Runaway "runaway men",
}

/// Feature counts of one side.
pub type FeatureCounts = [i32; Feature::COUNT];

/// Masks of a board that the features need, from White's view.
struct Masks {
    /// Bit `i` of the number of rows advanced, as a set of squares.
    advanced: [Bitboard; 4],
    centre: Bitboard,
    edge: Bitboard,
    back_row: Bitboard,
    left: Bitboard,
    right: Bitboard,
    /// Squares from which a man may run: past the middle.
    far: Bitboard,
    /// The squares that a man may cross on its way, and those beside them, by origin.
    cone: [Bitboard; 64],
}

impl Masks {
    const fn new(board: &Board) -> Masks {
        let side = board.side();
        let mut masks = Masks {
            advanced: [Bitboard::EMPTY; 4],
            centre: Bitboard::EMPTY,
            edge: Bitboard::EMPTY,
            back_row: Bitboard::EMPTY,
            left: Bitboard::EMPTY,
            right: Bitboard::EMPTY,
            far: Bitboard::EMPTY,
            cone: [Bitboard::EMPTY; 64],
        };
        let mut index = 0;
        while index < 63 {
            let square = Square::new(index);
            index += 1;
            if !board.playable().contains(square) {
                continue;
            }
            let bit = Bitboard::of(square).0;
            let (row, column) = (square.row(), square.column());
            let rows = side - 1 - row;
            let mut i = 0;
            while i < 4 {
                if rows >> i & 1 != 0 {
                    masks.advanced[i].0 |= bit;
                }
                i += 1;
            }
            let inner_row = row >= 2 && row < side - 2;
            if inner_row && column >= side / 2 - 2 && column < side / 2 + 2 {
                masks.centre.0 |= bit;
            }
            if column == 0 || column == side - 1 {
                masks.edge.0 |= bit;
            }
            if rows == 0 {
                masks.back_row.0 |= bit;
            }
            if column < side / 2 {
                masks.left.0 |= bit;
            } else {
                masks.right.0 |= bit;
            }
            if row < side / 2 {
                masks.far.0 |= bit;
            }
            masks.cone[square.index()] = cone(board, square);
        }
        masks
    }
}

/// All squares above `from` that are no further to the side than upward, and those beside them.
const fn cone(board: &Board, from: Square) -> Bitboard {
    let mut set = 0;
    let mut index = 0;
    while index < 63 {
        let square = Square::new(index);
        index += 1;
        if board.playable().contains(square) && square.row() < from.row() {
            let up = from.row() - square.row();
            if square.column().abs_diff(from.column()) <= up + 1 {
                set |= Bitboard::of(square).0;
            }
        }
    }
    Bitboard(set)
}

/// Counts the features of both sides.
#[inline(always)]
pub fn count<V: Variant>(position: &Position) -> [FeatureCounts; 2] {
    let turned = |set| const { V::RULES.board }.turned(set);
    let (white, black, kings) = (position.side(Color::White), position.side(Color::Black), position.kings());
    [count_side::<V>(white, black, kings), count_side::<V>(turned(black), turned(white), turned(kings))]
}

#[inline(always)]
fn count_side<V: Variant>(own: Bitboard, other: Bitboard, all_kings: Bitboard) -> FeatureCounts {
    use Direction::{DownLeft, DownRight, UpLeft, UpRight};
    let masks = const { &Masks::new(V::RULES.board) };
    let men = own.without(all_kings);
    let kings = own & all_kings;
    let empty = V::RULES.board.playable().without(own | other);
    let number = |set: Bitboard| set.len() as i32;

    let mut counts = [0; Feature::COUNT];
    counts[Feature::Men as usize] = number(men);
    counts[Feature::Advancement as usize] = number(men & masks.advanced[0])
        + 2 * number(men & masks.advanced[1])
        + 4 * number(men & masks.advanced[2])
        + 8 * number(men & masks.advanced[3]);
    counts[Feature::Centre as usize] = number(men & masks.centre);
    counts[Feature::Edge as usize] = number(men & masks.edge);
    counts[Feature::BackRow as usize] = number(men & masks.back_row);
    counts[Feature::Compactness as usize] =
        number(men & UpLeft.shift(men)) + number(men & UpRight.shift(men));
    counts[Feature::Imbalance as usize] =
        ((number(men & masks.left) - number(men & masks.right)).abs() - 1).max(0);

    // A man that steps up-left leaves its square empty, so an opponent further up-left can always take it; one on
    // the other diagonal needs the square behind to be empty already.
    let rising = UpRight.shift(other) & DownLeft.shift(empty);
    let falling = DownLeft.shift(other) & UpRight.shift(empty);
    let to_left = UpLeft.shift(men) & empty;
    let left_loses = to_left & (DownRight.shift(other) | rising | falling);
    let rising = UpLeft.shift(other) & DownRight.shift(empty);
    let falling = DownRight.shift(other) & UpLeft.shift(empty);
    let to_right = UpRight.shift(men) & empty;
    let right_loses = to_right & (DownLeft.shift(other) | rising | falling);
    let losing = number(left_loses) + number(right_loses);
    counts[Feature::SafeMoves as usize] = number(to_left) + number(to_right) - losing;
    counts[Feature::UnsafeMoves as usize] = losing;

    if kings.any() {
        counts[Feature::FirstKing as usize] = 1;
        counts[Feature::MoreKings as usize] = number(kings) - 1;
        counts[Feature::KingMoves as usize] = king_moves::<V>(kings, empty);
    }
    // A king stops nearly any man in time.
    let runners = if (other & all_kings).any() { Bitboard::EMPTY } else { men & masks.far };
    for man in runners {
        if (masks.cone[man.index()] & other).is_empty() {
            let rows = i32::from(V::RULES.board.side() - 1 - man.row());
            counts[Feature::Runaway as usize] += rows * rows;
        }
    }
    counts
}

fn king_moves<V: Variant>(kings: Bitboard, empty: Bitboard) -> i32 {
    let mut reached = Bitboard::EMPTY;
    for direction in [Direction::UpLeft, Direction::UpRight, Direction::DownLeft, Direction::DownRight] {
        let mut front = direction.shift(kings) & empty;
        while front.any() {
            reached |= front;
            if !V::RULES.flying_kings {
                break;
            }
            front = direction.shift(front) & empty;
        }
    }
    reached.len() as i32
}
