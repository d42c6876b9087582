//! A fixed set of positions searched to a fixed depth: how fast the engine is, and whether it is still the same.

use super::{Engine, Mode, Options, Report, Request};
use crate::board::Color::{self, Black, White};
use crate::board::{Piece, Setup};
use crate::game::Game;
use crate::rules::VariantId::{self, Breakthrough, English, Frisian, International, Killer, Losing, Russian};
use crate::search::{Control, Limits};
use std::time::Duration;

/// The iteration at which every search of the set ends, in plies: a few seconds for the whole set.
pub const DEPTH: u32 = 15;

/// Size of the table in MiB: part of the definition, because it changes what is searched.
const HASH_MB: usize = 16;

/// The sums over the whole set.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct BenchResult {
    /// Positions searched.
    pub positions: usize,
    /// Nodes of all searches. With one thread and [`DEPTH`] a property of the program alone: its signature.
    pub nodes: u64,
    /// Time spent searching.
    pub time: Duration,
}

/// Searches the positions one after another, each with an empty table and to [`DEPTH`], and shows each report to
/// `observer`, which says whether to go on.
pub fn run(threads: usize, observer: impl FnMut(&Game, &Report) -> bool) -> BenchResult {
    run_to(DEPTH, threads, observer)
}

/// As [`run`], to another depth.
///
/// ```
/// use kroon::engine::bench;
/// let result = bench::run_to(2, 1, |game, report| report.best.is_some());
/// assert_eq!(result.positions, bench::games().count());
/// ```
pub fn run_to(depth: u32, threads: usize, mut observer: impl FnMut(&Game, &Report) -> bool) -> BenchResult {
    let mut result = BenchResult::default();
    let mut engine = Engine::new(Options { threads, hash_mb: HASH_MB, bb_size: 0, ..Options::default() });
    for game in games() {
        engine.new_game();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        // Analysis: a forced move is searched like any other.
        let request = Request { game, limits, mode: Mode::Analyze };
        let report = engine.go(&request, &Control::new(), &mut ());
        result.positions += 1;
        result.nodes += report.nodes;
        result.time += report.time;
        if !observer(&request.game, &report) {
            break;
        }
    }
    result
}

/// The set: openings, middle games and endings of international and English draughts, and of the variants in which the search does
/// something that it does in no other (offers, who crowns next, flying kings on a small board).
pub fn games() -> impl Iterator<Item = Game> {
    // invariant: all rows are positions (tested)
    POSITIONS.iter().map(|row| Game::from_setup(row.variant, &row.setup()).expect("bench position"))
}

/// A position of the set as square numbers, because reading FEN is the business of a room above this one.
struct BenchPosition {
    variant: VariantId,
    turn: Color,
    /// White's men and kings, Black's men and kings.
    men: [&'static [u8]; 2],
    kings: [&'static [u8]; 2],
}

impl BenchPosition {
    fn setup(&self) -> Setup {
        let mut setup = Setup::empty(self.turn);
        for color in Color::ALL {
            for (king, numbers) in [(false, self.men[color.index()]), (true, self.kings[color.index()])] {
                let squares = numbers.iter().filter_map(|&n| self.variant.rules().square(n.into()));
                squares.for_each(|square| setup.put(square, Piece { color, king }));
            }
        }
        setup
    }
}

const fn row(
    variant: VariantId,
    turn: Color,
    men: [&'static [u8]; 2],
    kings: [&'static [u8]; 2],
) -> BenchPosition {
    BenchPosition { variant, turn, men, kings }
}

#[rustfmt::skip]
const POSITIONS: [BenchPosition; 26] = [
    row(International, White,
        [&[31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50],
         &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]], [&[], &[]]),
    row(International, White,
        [&[27, 32, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50],
         &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 16, 18, 19, 20, 23, 28]], [&[], &[]]),
    row(International, Black,
        [&[27, 29, 30, 31, 32, 34, 35, 37, 39, 40, 41, 42, 43, 44, 46, 47, 48, 49, 50],
         &[1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 18, 19, 25, 26]], [&[], &[]]),
    row(International, White,
        [&[27, 31, 32, 33, 36, 37, 40, 41, 42, 43, 44, 45, 46, 48, 49, 50],
         &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 14, 16, 17, 18, 20, 24]], [&[], &[]]),
    row(International, White,
        [&[27, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 43, 47],
         &[4, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 23, 25, 26]], [&[], &[]]),
    row(International, Black,
        [&[27, 28, 31, 32, 33, 34, 35, 36, 38, 39, 40, 41, 42, 43, 44],
         &[4, 7, 8, 9, 12, 13, 15, 16, 17, 18, 19, 20, 22, 24, 25]], [&[], &[]]),
    row(International, White,
        [&[23, 24, 29, 36, 37, 38, 39, 40, 41, 42, 46, 48, 49],
         &[2, 4, 7, 8, 9, 12, 13, 14, 15, 16, 21, 25]], [&[], &[]]),
    row(International, Black,
        [&[22, 28, 29, 36, 37, 38, 40, 41, 42, 44, 46],
         &[8, 10, 11, 13, 14, 16, 17, 20, 21, 25]], [&[], &[]]),
    row(International, White, [&[18, 28, 35, 41, 42], &[7, 9, 17, 20, 26, 29]], [&[], &[]]),
    row(International, White, [&[31, 36, 38, 40, 41, 46], &[11, 20, 22, 25, 27, 29]], [&[8], &[]]),
    row(International, Black, [&[38, 45], &[12, 25]], [&[33, 42], &[5]]),
    row(English, Black,
        [&[21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32],
         &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]], [&[], &[]]),
    row(English, White,
        [&[21, 22, 23, 24, 25, 27, 28, 29, 30, 31, 32],
         &[1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 15]], [&[], &[]]),
    row(English, Black,
        [&[17, 19, 20, 21, 22, 23, 24, 25, 26, 30, 31, 32],
         &[1, 3, 4, 6, 7, 9, 10, 11, 12, 13, 14, 16]], [&[], &[]]),
    row(English, White,
        [&[13, 19, 21, 22, 23, 24, 25, 27, 29],
         &[4, 6, 9, 10, 11, 12, 14, 15, 20]], [&[], &[]]),
    row(English, Black, [&[7, 14], &[16, 27]], [&[2, 12], &[29, 32]]),
    row(Russian, White,
        [&[21, 22, 24, 26, 28, 29, 30, 31, 32],
         &[1, 2, 4, 6, 7, 8, 11, 12, 14]], [&[], &[]]),
    row(Russian, Black, [&[], &[17, 19, 28]], [&[3], &[]]),
    row(Frisian, Black,
        [&[26, 33, 34, 35, 36, 38, 39, 43, 44, 45, 46, 48, 49, 50],
         &[1, 2, 3, 4, 5, 6, 9, 10, 14, 15, 16, 17, 20, 22]], [&[], &[]]),
    row(Frisian, White, [&[32, 35, 45, 46, 47, 49], &[1, 2, 4, 5, 6, 21]], [&[], &[]]),
    row(Killer, Black,
        [&[24, 29, 32, 34, 38, 39, 40, 41, 42, 43, 44, 47, 48],
         &[1, 2, 3, 6, 7, 8, 13, 14, 15, 16, 20, 22, 25]], [&[], &[]]),
    row(Killer, White, [&[26], &[16]], [&[3, 36], &[1, 50]]),
    row(Breakthrough, White,
        [&[26, 30, 33, 34, 35, 36, 37, 38, 39, 40, 42, 43, 44, 45, 46, 47, 48],
         &[1, 2, 3, 4, 5, 6, 8, 12, 13, 14, 15, 16, 18, 19, 20, 22, 25]], [&[], &[]]),
    row(Breakthrough, White,
        [&[15, 26, 33, 36, 38, 43, 45, 48], &[3, 6, 11, 13, 14, 23, 25, 27]], [&[], &[]]),
    row(Losing, Black,
        [&[26, 29, 34, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 48, 49, 50],
         &[1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 14, 17, 18, 19, 20, 22, 35]], [&[], &[]]),
    row(Losing, White, [&[23, 35, 47, 49], &[7, 9, 10, 12, 13]], [&[1], &[26]]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_can_be_searched() {
        for (row, game) in POSITIONS.iter().zip(games()) {
            let pieces = row.men.iter().chain(&row.kings).map(|list| list.len()).sum::<usize>();
            assert_eq!(game.position().occupied().len() as usize, pieces, "a number is wrong or there twice");
            assert_eq!(game.outcome(), None);
        }
    }

    #[test]
    fn each_position_is_searched_once_and_the_observer_can_stop() {
        let mut seen = 0;
        let all = run_to(2, 1, |game, report| {
            seen += 1;
            report.best.is_some_and(|mv| game.legal_moves().contains(&mv))
        });
        assert_eq!((all.positions, seen), (POSITIONS.len(), POSITIONS.len()));
        assert_eq!(run_to(2, 1, |_, _| false).positions, 1);
    }
}
