//! The moves of the games of one descent, for RAVE (all moves as first).

use crate::board::{Color, Move};

/// The moves of one game, by side. Captures with the same ends count as the same move.
#[derive(Clone, Debug)]
struct GameMoves {
    sets: Box<[[u64; 64]; 2]>,
    /// Sides and squares from which a move was added, for quick clearing.
    origins: Vec<(Color, usize)>,
}

impl Default for GameMoves {
    fn default() -> GameMoves {
        GameMoves { sets: Box::new([[0; 64]; 2]), origins: Vec::new() }
    }
}

impl GameMoves {
    /// Adds a move; one that is there already is not added again.
    #[inline]
    fn add(&mut self, turn: Color, mv: Move) {
        let set = &mut self.sets[turn.index()][mv.from().index()];
        if *set == 0 {
            self.origins.push((turn, mv.from().index()));
        }
        *set |= 1 << mv.to().index();
    }

    /// Removes all moves and shows them.
    fn drain(&mut self, mut show: impl FnMut(Color, usize, usize)) {
        for (turn, from) in self.origins.drain(..) {
            let mut set = std::mem::take(&mut self.sets[turn.index()][from]);
            while set != 0 {
                show(turn, from, set.trailing_zeros() as usize);
                set &= set - 1;
            }
        }
    }
}

/// The games in which a move occurred.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AmafCount {
    /// How many.
    pub games: u64,
    /// The sum of their values, for the side to move where they began.
    pub sum: f64,
}

/// A side, an origin and a destination.
type MoveKey = (Color, usize, usize);

/// By side, origin and destination.
type CountTable = [[[AmafCount; 64]; 64]; 2];

/// For every move the games in which it occurred, of all games of one descent.
#[derive(Clone, Debug)]
pub struct AmafTotals {
    counts: Box<CountTable>,
    /// Moves with a count, for quick clearing.
    touched: Vec<MoveKey>,
    all: AmafCount,
    /// The game that is being played.
    game: GameMoves,
}

impl Default for AmafTotals {
    fn default() -> AmafTotals {
        let none = AmafCount::default();
        AmafTotals {
            counts: Box::new([[[none; 64]; 64]; 2]),
            touched: Vec::new(),
            all: none,
            game: GameMoves::default(),
        }
    }
}

impl AmafTotals {
    /// A move of the game that is being played.
    #[inline]
    pub fn add_move(&mut self, turn: Color, mv: Move) {
        self.game.add(turn, mv);
    }

    /// The game is over and was worth this for the side to move where it began.
    pub fn end_game(&mut self, value: f64) {
        let one = AmafCount { games: 1, sum: value };
        let (counts, touched) = (&mut self.counts, &mut self.touched);
        self.game.drain(|turn, from, to| add(counts, touched, (turn, from, to), one));
        self.add_to_all(one);
    }

    /// So many games without moves, of this value each.
    pub fn add_bare_games(&mut self, games: u64, value: f64) {
        self.add_to_all(AmafCount { games, sum: value * games as f64 });
    }

    /// All games.
    pub fn all(&self) -> AmafCount {
        self.all
    }

    /// Adds the games of another thread, which are taken from `others`.
    pub fn take_games(&mut self, others: &mut AmafTotals) {
        for (turn, from, to) in others.touched.drain(..) {
            let count = std::mem::take(&mut others.counts[turn.index()][from][to]);
            add(&mut self.counts, &mut self.touched, (turn, from, to), count);
        }
        self.add_to_all(std::mem::take(&mut others.all));
    }

    fn add_to_all(&mut self, more: AmafCount) {
        self.all.games += more.games;
        self.all.sum += more.sum;
    }

    /// Adds a move of the path, which all games have in common.
    pub fn add_path_move(&mut self, turn: Color, mv: Move) {
        let (known, key) = (self.count(turn, mv), (turn, mv.from().index(), mv.to().index()));
        let missing = AmafCount { games: self.all.games - known.games, sum: self.all.sum - known.sum };
        add(&mut self.counts, &mut self.touched, key, missing);
    }

    /// The games in which this side made this move.
    #[inline]
    pub fn count(&self, turn: Color, mv: Move) -> AmafCount {
        self.counts[turn.index()][mv.from().index()][mv.to().index()]
    }

    /// Forgets all games.
    pub fn clear(&mut self) {
        for (turn, from, to) in self.touched.drain(..) {
            self.counts[turn.index()][from][to] = AmafCount::default();
        }
        self.all = AmafCount::default();
    }
}

/// Adds games to the count of a move.
#[inline]
fn add(counts: &mut CountTable, touched: &mut Vec<MoveKey>, mv: MoveKey, more: AmafCount) {
    let (turn, from, to) = mv;
    let count = &mut counts[turn.index()][from][to];
    if count.games == 0 {
        touched.push(mv);
    }
    count.games += more.games;
    count.sum += more.sum;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::rules::VariantId;

    #[test]
    fn each_game_counts_once_for_each_of_its_moves() {
        let mv = Game::new(VariantId::International).legal_moves();
        let (white, black) = (Color::White, Color::Black);
        let [mut ours, mut theirs] = [AmafTotals::default(), AmafTotals::default()];
        ours.add_move(white, mv[2]);
        ours.add_move(white, mv[2]);
        ours.end_game(1.0);
        theirs.add_move(white, mv[2]);
        theirs.add_move(white, mv[3]);
        theirs.add_move(black, mv[3]);
        theirs.end_game(0.5);
        ours.take_games(&mut theirs);
        let count =
            |totals: &AmafTotals, turn, mv| (totals.count(turn, mv).games, totals.count(turn, mv).sum);
        assert_eq!(count(&ours, white, mv[2]), (2, 1.5));
        assert_eq!((count(&ours, white, mv[3]), count(&ours, black, mv[3])), ((1, 0.5), (1, 0.5)));
        assert_eq!((count(&ours, black, mv[2]), count(&theirs, white, mv[3])), ((0, 0.0), (0, 0.0)));
        ours.add_path_move(white, mv[3]);
        ours.add_path_move(black, mv[2]);
        ours.add_path_move(black, mv[2]);
        assert_eq!((count(&ours, white, mv[3]), count(&ours, black, mv[2])), ((2, 1.5), (2, 1.5)));
        ours.clear();
        assert!(mv.iter().all(|&mv| count(&ours, white, mv).0 == 0 && count(&ours, black, mv).0 == 0));
    }
}
