//! A game of self-play: its first position, the index of each move among the legal ones, the scores of the search, and the
//! visits of the moves where it was a tree search. 29 bytes and 3 for each move, 5 in positions with more than 254 moves;
//! with visits one more for each move, and 2 for each of those that were visited.

use super::visits::{MoveShare, VisitShares};
use crate::board::{Color, Move, Piece, Position, Setup};
use crate::game::{Game, GameResult};
use crate::rules::{Rules, VariantId, legal_moves, play_in};
use crate::score::Score;
use thiserror::Error;

/// A finished game with the scores of its moves.
///
/// ```
/// use kroon::game::Game;
/// use kroon::rules::VariantId;
/// use kroon::train::record::{SelfplayGame, canonical_moves};
/// let mut record = SelfplayGame::new(Game::new(VariantId::International).position(), 0);
/// let mut game = Game::new(VariantId::International);
/// for mv in [0, 3] {
///     record.push(mv, None);
///     game.play(canonical_moves(VariantId::International, game.position())[mv]).unwrap();
/// }
/// let bytes = record.encode();
/// assert_eq!(SelfplayGame::decode(VariantId::International, &bytes).unwrap(), record);
/// assert_eq!(record.game(VariantId::International).unwrap().position(), game.position());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SelfplayGame {
    /// The first position.
    pub start: Setup,
    /// Plies at the beginning that were played at random.
    pub random_plies: u8,
    /// Who won.
    pub result: GameResult,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// One move of a [`SelfplayGame`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ply {
    /// Its index among [`canonical_moves`].
    pub index: u16,
    /// The score of the search for the side to move; none for moves that were not thought about.
    pub score: Option<Score>,
    /// How a tree search spread its visits.
    pub visits: VisitShares,
}

/// Why bytes are no game of a variant.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RecordError {
    /// They end too early, or go on after the end.
    #[error("a game of {0} bytes is too short or too long for its moves")]
    Length(usize),
    /// The first position is none.
    #[error("a game that starts from no position: {0}")]
    Start(String),
    /// A result other than 0, 1, 2.
    #[error("a game with the result {0}, expected 0, 1 or 2")]
    Result(u8),
    /// Visits that cannot be.
    #[error("move {ply} of a game has impossible visits")]
    Visits {
        /// Which one, from 0.
        ply: usize,
    },
    /// A move that does not exist.
    #[error("move {ply} of a game is number {index} of {legal} legal ones")]
    Move {
        /// Which one, from 0.
        ply: usize,
        /// Its index.
        index: u16,
        /// How many there are.
        legal: usize,
    },
}

/// Stands for "no score" in a file.
const NO_SCORE: i16 = i16::MIN;
/// An index from here on takes two more bytes.
const LONG_INDEX: u8 = u8::MAX;

/// The legal moves in an order that depends on nothing but the moves: by origin, destination and captured squares. The
/// generator's order may change; files must not.
pub fn canonical_moves(variant: VariantId, position: &Position) -> Vec<Move> {
    let mut moves: Vec<Move> = legal_moves(variant, position).into_iter().collect();
    moves.sort_unstable_by_key(|mv| (mv.from().index(), mv.to().index(), mv.captured().0, mv.promotes()));
    moves
}

impl SelfplayGame {
    /// A game that begins.
    pub fn new(start: &Position, random_plies: u8) -> SelfplayGame {
        SelfplayGame { start: Setup::from(start), random_plies, result: GameResult::Draw, plies: Vec::new() }
    }

    /// The most bytes of a game with so many moves.
    pub const fn most_bytes(plies: usize) -> usize {
        let index = 1 + 2;
        29 + plies * (index + 2 + 1 + VisitShares::MOST * (index + 1))
    }

    /// Adds a move.
    pub fn push(&mut self, index: usize, score: Option<Score>) {
        self.push_searched(index, score, VisitShares::default());
    }

    /// Adds a move that a tree search has chosen.
    pub fn push_searched(&mut self, index: usize, score: Option<Score>, visits: VisitShares) {
        self.plies.push(Ply { index: index as u16, score, visits });
    }

    /// The bytes of the game. Little-endian: pieces of White, pieces of Black, kings (8 bytes each, bits of the
    /// lattice), side to move, random plies, result (a byte each), moves (2 bytes), then for each move its index (a
    /// byte, or 255 and 2 bytes) and its score in centi-men (2 bytes). If any move has visits, there follows for each move
    /// the number of its shares (a byte), and for each share an index as above and its parts (a byte).
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(29 + 3 * self.plies.len());
        let sets = [self.start.side(Color::White), self.start.side(Color::Black), self.start.kings()];
        sets.iter().for_each(|set| bytes.extend(set.0.to_le_bytes()));
        bytes.extend([
            (self.start.turn == Color::Black) as u8,
            self.random_plies,
            self.result.half_points(Color::White),
        ]);
        bytes.extend((self.plies.len() as u16).to_le_bytes());
        for ply in &self.plies {
            put_index(&mut bytes, ply.index);
            bytes.extend(ply.score.map_or(NO_SCORE, |score| score.centi() as i16).to_le_bytes());
        }
        if self.plies.iter().any(|ply| !ply.visits.is_empty()) {
            for ply in &self.plies {
                let shares = ply.visits.as_slice();
                bytes.push(shares.len() as u8);
                for share in shares {
                    put_index(&mut bytes, share.index);
                    bytes.push(share.parts);
                }
            }
        }
        bytes
    }

    /// Reads what [`SelfplayGame::encode`] wrote.
    ///
    /// # Errors
    /// When the bytes are not those of a game. The moves are checked only when they are played.
    pub fn decode(variant: VariantId, bytes: &[u8]) -> Result<SelfplayGame, RecordError> {
        let mut rest = Bytes { all: bytes, rest: bytes };
        let sets = [rest.take::<8>()?, rest.take::<8>()?, rest.take::<8>()?].map(u64::from_le_bytes);
        let [black, random_plies, result] = rest.take::<3>()?;
        let count = u16::from_le_bytes(rest.take()?);
        let start = setup(variant.rules(), sets, black != 0)?;
        let result = match result {
            0 => GameResult::Black,
            1 => GameResult::Draw,
            2 => GameResult::White,
            other => return Err(RecordError::Result(other)),
        };
        let mut plies = Vec::with_capacity(count.into());
        for _ in 0..count {
            let index = rest.index()?;
            let score = i16::from_le_bytes(rest.take()?);
            let score = (score != NO_SCORE).then(|| Score::from_centi(score.into()));
            plies.push(Ply { index, score, visits: VisitShares::default() });
        }
        if !rest.rest.is_empty() {
            for (i, ply) in plies.iter_mut().enumerate() {
                ply.visits = rest.visits()?.ok_or(RecordError::Visits { ply: i })?;
            }
        }
        if rest.rest.is_empty() {
            Ok(SelfplayGame { start, random_plies, result, plies })
        } else {
            Err(RecordError::Length(bytes.len()))
        }
    }

    /// Plays the game and shows each position before its move to `visit`, with its ply.
    ///
    /// # Errors
    /// When the start is no position or a move does not exist.
    pub fn replay(
        &self,
        variant: VariantId,
        mut visit: impl FnMut(usize, &Position, &Ply),
    ) -> Result<Position, RecordError> {
        let start = variant.rules().position(&self.start);
        let mut position = start.map_err(|error| RecordError::Start(error.to_string()))?;
        for (ply, played) in self.plies.iter().enumerate() {
            visit(ply, &position, played);
            let moves = canonical_moves(variant, &position);
            let Some(&mv) = moves.get(usize::from(played.index)) else {
                return Err(RecordError::Move { ply, index: played.index, legal: moves.len() });
            };
            position = play_in(variant, &position, mv);
        }
        Ok(position)
    }

    /// The game with its history.
    ///
    /// # Errors
    /// As [`SelfplayGame::replay`].
    pub fn game(&self, variant: VariantId) -> Result<Game, RecordError> {
        let mut game =
            Game::from_setup(variant, &self.start).map_err(|error| RecordError::Start(error.to_string()))?;
        for (ply, played) in self.plies.iter().enumerate() {
            let moves = canonical_moves(variant, game.position());
            let missing = RecordError::Move { ply, index: played.index, legal: moves.len() };
            let mv = *moves.get(usize::from(played.index)).ok_or(missing)?;
            // invariant: the move comes from the generator
            let _ = game.play(mv);
        }
        Ok(game)
    }
}

fn put_index(bytes: &mut Vec<u8>, index: u16) {
    if index < LONG_INDEX.into() {
        bytes.push(index as u8);
    } else {
        bytes.push(LONG_INDEX);
        bytes.extend(index.to_le_bytes());
    }
}

struct Bytes<'a> {
    all: &'a [u8],
    rest: &'a [u8],
}

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], RecordError> {
        let (bytes, rest) = self.rest.split_first_chunk().ok_or(RecordError::Length(self.all.len()))?;
        self.rest = rest;
        Ok(*bytes)
    }

    fn index(&mut self) -> Result<u16, RecordError> {
        let [index] = self.take()?;
        Ok(if index == LONG_INDEX { u16::from_le_bytes(self.take()?) } else { index.into() })
    }

    /// The visits of a move; none if they cannot be.
    fn visits(&mut self) -> Result<Option<VisitShares>, RecordError> {
        let [count] = self.take()?;
        let mut shares = Vec::with_capacity(count.into());
        for _ in 0..count {
            let index = self.index()?;
            let [parts] = self.take()?;
            shares.push(MoveShare { index, parts });
        }
        Ok(VisitShares::from_parts(shares))
    }
}

fn setup(rules: &Rules, [white, black, kings]: [u64; 3], black_to_move: bool) -> Result<Setup, RecordError> {
    let mut setup = Setup::empty(if black_to_move { Color::Black } else { Color::White });
    let playable = rules.board.playable().0;
    if (white | black) & !playable != 0 || white & black != 0 || kings & !(white | black) != 0 {
        return Err(RecordError::Start("pieces outside the board or on top of each other".to_owned()));
    }
    for square in rules.board.iter() {
        let bit = 1u64 << square.index();
        for (color, set) in [(Color::White, white), (Color::Black, black)] {
            if set & bit != 0 {
                setup.put(square, Piece { color, king: kings & bit != 0 });
            }
        }
    }
    Ok(setup)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn random_games_come_back() {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(3);
        for (variant, with_visits) in VariantId::ALL.into_iter().flat_map(|id| [(id, false), (id, true)]) {
            let mut game = Game::new(variant);
            let mut record = SelfplayGame::new(game.position(), 4);
            while game.outcome().is_none() && game.moves().len() < 120 {
                let moves = canonical_moves(variant, game.position());
                let index = random.random_range(0..moves.len());
                let score =
                    random.random_bool(0.8).then(|| Score::from_centi(random.random_range(-9999..9999)));
                let visits = moves.iter().enumerate().map(|(index, _)| (index, random.random_range(0..9)));
                let visits = if with_visits { VisitShares::of(visits) } else { VisitShares::default() };
                record.push_searched(index, score, visits);
                game.play(moves[index]).unwrap();
            }
            record.result = GameResult::win(Color::Black);
            let bytes = record.encode();
            assert!(bytes.len() <= SelfplayGame::most_bytes(record.plies.len()));
            let read = SelfplayGame::decode(variant, &bytes).unwrap();
            assert_eq!(read, record);
            assert_eq!(read.game(variant).unwrap().moves(), game.moves());
            assert_eq!(read.replay(variant, |_, _, _| ()).unwrap(), *game.position());
            let bare = 29 + record.plies.iter().map(|ply| if ply.index < 255 { 3 } else { 5 }).sum::<usize>();
            assert_eq!(bytes.len() > bare, with_visits);
            // Without its visits it is a whole game, too.
            for cut in (0..bytes.len()).filter(|&cut| cut != bare) {
                assert!(SelfplayGame::decode(variant, &bytes[..cut]).is_err());
            }
        }
    }

    #[test]
    fn the_largest_game_has_the_most_bytes() {
        let mut record = SelfplayGame::new(Game::new(VariantId::International).position(), 0);
        let shares = (0..VisitShares::MOST).map(|share| MoveShare { index: 300 + share as u16, parts: 1 });
        let visits = VisitShares::from_parts(shares.collect()).unwrap();
        (0..7).for_each(|_| record.push_searched(300, None, visits.clone()));
        assert_eq!(record.encode().len(), SelfplayGame::most_bytes(7));
    }

    #[test]
    fn bad_games_are_errors() {
        let variant = VariantId::International;
        let mut record = SelfplayGame::new(Game::new(variant).position(), 0);
        record.push(9, None);
        let error = record.game(variant).unwrap_err();
        assert_eq!(error.to_string(), "move 0 of a game is number 9 of 9 legal ones");
        let mut bytes = record.encode();
        let shares = |count: u8, parts: u8| {
            let rest = [&[count][..], &[0, parts].repeat(count.into())].concat();
            SelfplayGame::decode(variant, &[&bytes[..], &rest].concat())
        };
        assert!(shares(32, 1).is_ok());
        assert_eq!([shares(33, 1), shares(1, 0)], [(); 2].map(|()| Err(RecordError::Visits { ply: 0 })));
        bytes[26] = 3;
        assert_eq!(SelfplayGame::decode(variant, &bytes), Err(RecordError::Result(3)));
        bytes[7] = 0x80;
        assert!(matches!(SelfplayGame::decode(variant, &bytes), Err(RecordError::Start(_))));
    }
}
