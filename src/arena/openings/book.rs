//! Openings from the book in the program: lines in which both sides play what the book knows, nobody ahead at their end.

use super::Opening;
use crate::book::{Book, draw, embedded};
use crate::game::Game;
use crate::rules::VariantId;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;

/// How much worse than the best a move may be, in centi-men.
const MARGIN: i32 = 10;
/// The side to move may be ahead or behind by this much at the end, in centi-men.
const BALANCED: i32 = 20;
/// When so many attempts in succession found nothing new, there are no others.
const ATTEMPTS: usize = 2000;

/// Draws one line after another, all from one seed.
#[derive(Debug)]
pub struct BookLines {
    book: Book,
    plies: u32,
    random: Xoshiro256PlusPlus,
    seen: HashSet<u64>,
}

impl BookLines {
    /// Lines of so many plies; none if the book in the program has none.
    pub fn new(variant: VariantId, plies: u32, seed: u64) -> Option<BookLines> {
        // The book in the program is sound: a test reads it.
        BookLines::of(embedded(variant).ok()?, plies, seed)
    }

    fn of(book: Book, plies: u32, seed: u64) -> Option<BookLines> {
        let random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut lines = BookLines { book, plies, random, seen: HashSet::new() };
        (0..ATTEMPTS).find_map(|_| lines.attempt())?;
        lines.random = Xoshiro256PlusPlus::seed_from_u64(seed);
        Some(lines)
    }

    /// A new line; none where no others are found.
    pub fn next_opening(&mut self) -> Option<Opening> {
        (0..ATTEMPTS).find_map(|_| {
            let game = self.attempt()?;
            self.seen.insert(game.position().key().0).then_some(Opening { game })
        })
    }

    /// One walk through the book; none if the book ends on the way, or one side is ahead.
    fn attempt(&mut self) -> Option<Game> {
        let mut game = Game::new(self.book.variant());
        let mut value = 0;
        for _ in 0..self.plies {
            let mut candidates = self.book.candidates(game.position(), MARGIN);
            // The generator's order of moves does not matter.
            candidates
                .sort_by_key(|(known, weight)| (*weight, known.mv.from().index(), known.mv.to().index()));
            let known = draw(&candidates, &mut self.random)?;
            value = known.value?.centi();
            game.play(known.mv).ok()?;
        }
        (value.abs() <= BALANCED && game.outcome().is_none()).then_some(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{Build, BuildLimits, BuildSettings, key};
    use crate::score::Score;
    use crate::search::Control;

    const V: VariantId = VariantId::English;

    /// A book with values that look like chance.
    fn book() -> Book {
        let folder = tempfile::tempdir().unwrap();
        let settings = BuildSettings { variant: V, nodes: 1, breadth: 10, ballots: 0, judge: String::new() };
        let mut build = Build::open(&folder.path().join("state"), settings, false).unwrap();
        let judge = |game: &Game| Score::from_centi((key(V, game.position()) % 31) as i32 - 15);
        let limits = BuildLimits { expansions: Some(300), ..BuildLimits::default() };
        build.run(&mut [judge], &limits, &Control::new(), &mut |_| Ok(())).unwrap();
        let path = folder.path().join("book");
        build.write(&path).unwrap();
        Book::from_bytes(std::fs::read(path).unwrap()).unwrap()
    }

    #[test]
    fn lines_are_different_balanced_and_the_same_for_the_same_seed() {
        let lines = |seed| {
            let mut lines = BookLines::of(book(), 3, seed).expect("a line");
            (0..20).map(|_| lines.next_opening().unwrap().game).collect::<Vec<_>>()
        };
        let (first, again, other) = (lines(1), lines(1), lines(2));
        let keys = |games: &[Game]| games.iter().map(|game| game.position().key()).collect::<Vec<_>>();
        assert_eq!(keys(&first), keys(&again));
        assert_ne!(keys(&first), keys(&other));
        assert_eq!(keys(&first).into_iter().collect::<HashSet<_>>().len(), 20);
        let book = book();
        for game in first {
            assert_eq!(game.moves().len(), 3);
            let entry = book.get(key(V, game.position())).unwrap();
            assert!(entry.value.unwrap().centi().abs() <= BALANCED);
        }
        assert!(BookLines::of(book, 40, 1).is_none());
    }

    #[test]
    fn lines_come_to_an_end() {
        let mut lines = BookLines::of(book(), 1, 3).expect("a line");
        let keys: Vec<_> = std::iter::from_fn(|| lines.next_opening())
            .map(|opening| opening.game.position().key())
            .collect();
        // Every first move that loses little and leaves nobody ahead, once.
        let book = book();
        let start = Game::new(V);
        let known = book.candidates(start.position(), MARGIN);
        let balanced =
            known.iter().filter(|(known, _)| known.value.unwrap().centi().abs() <= BALANCED).count();
        assert_eq!((keys.len(), keys.into_iter().collect::<HashSet<_>>().len()), (balanced, balanced));
        assert!(balanced > 1);
    }
}
