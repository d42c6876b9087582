//! A game: start position, moves, draw counters, outcome.

use crate::board::{Color, Key, Move, MoveList, Position, Setup, SetupError};
use crate::rules::draws::Counters;
use crate::rules::{Objective, VariantId, legal_moves, play_in};
use crate::score::Score;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::fmt;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The side named has won: its opponent cannot move, or what else the variant asks for.
    Win(Color),
    /// Drawn, for this reason.
    Draw(DrawReason),
}

impl Outcome {
    /// The score of the game for the side to move, which is `turn`.
    ///
    /// ```
    /// use kroon::notation::fen;
    /// use kroon::rules::VariantId;
    /// let [lost, won] = [VariantId::English, VariantId::Losing]
    ///     .map(|variant| fen::game_from_fen(variant, "W:W:B3").unwrap())
    ///     .map(|game| game.outcome().unwrap().score(game.position().turn()));
    /// assert_eq!((lost.to_string(), won.to_string()), ("-100.00".to_owned(), "100.00".to_owned()));
    /// ```
    pub fn score(self, turn: Color) -> Score {
        match self {
            Outcome::Draw(_) => Score::DRAW,
            Outcome::Win(color) if color == turn => Score::win_in(0),
            Outcome::Win(_) => Score::loss_in(0),
        }
    }
}

/// Who won a game, however it ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameResult {
    /// White won.
    White,
    /// Black won.
    Black,
    /// Nobody won.
    Draw,
}

impl GameResult {
    /// A win of this colour.
    pub fn win(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::White,
            Color::Black => GameResult::Black,
        }
    }

    /// The winner.
    pub fn winner(self) -> Option<Color> {
        match self {
            GameResult::White => Some(Color::White),
            GameResult::Black => Some(Color::Black),
            GameResult::Draw => None,
        }
    }

    /// Half-points of this colour: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(self, color: Color) -> u8 {
        self.winner().map_or(1, |winner| if winner == color { 2 } else { 0 })
    }
}

/// Why a game is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DrawReason {
    /// The position has occurred as often as the variant's repetition rule asks.
    Repetition,
    /// A move-count rule of the variant ran out.
    MoveCount,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Win(color) => write!(f, "{color} wins"),
            Outcome::Draw(DrawReason::Repetition) => f.write_str("draw by repetition"),
            Outcome::Draw(DrawReason::MoveCount) => f.write_str("draw by move count"),
        }
    }
}

/// A position with its history: the moves, the keys for repetition, the counters of the draw rules.
///
/// ```
/// use kroon::game::Game;
/// use kroon::rules::VariantId;
/// let mut game = Game::new(VariantId::International);
/// let first = game.legal_moves()[0];
/// game.play(first).unwrap();
/// assert_eq!(game.moves().len(), 1);
/// assert_eq!(game.outcome(), None);
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    variant: VariantId,
    start: Position,
    position: Position,
    moves: Vec<Move>,
    /// Keys of all positions from the start to the current one.
    keys: Vec<Key>,
    counters: Counters,
}

/// A move that is not legal in the position where it was to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the move is not legal here")]
pub struct IllegalMove;

impl Game {
    /// A game from the variant's initial position.
    pub fn new(variant: VariantId) -> Game {
        // invariant: every variant's own initial placement is valid (tested for all)
        Game::from_setup(variant, &variant.rules().start()).expect("initial position")
    }

    /// A game from any valid placement.
    ///
    /// # Errors
    /// When the placement is no position of this variant.
    pub fn from_setup(variant: VariantId, setup: &Setup) -> Result<Game, SetupError> {
        Ok(Game::at(variant, variant.rules().position(setup)?))
    }

    /// The game without its moves, in one step: to take back one move after another plays the rest anew each time.
    ///
    /// ```
    /// use kroon::{notation::fen::game_from_fen, rules::VariantId::International};
    /// let mut game = game_from_fen(International, "B:WK46:BK50")?;
    /// let mv = game.legal_moves()[0];
    /// game.play(mv)?;
    /// let beginning = game.beginning();
    /// assert_eq!((beginning.position(), beginning.moves().len()), (game.start(), 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn beginning(&self) -> Game {
        Game::at(self.variant, self.start)
    }

    fn at(variant: VariantId, start: Position) -> Game {
        Game {
            variant,
            start,
            position: start,
            moves: Vec::new(),
            keys: vec![start.key()],
            counters: Counters::new(variant.rules(), &start),
        }
    }

    /// The variant played.
    pub fn variant(&self) -> VariantId {
        self.variant
    }

    /// Where the game started.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves from the start to the current position.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The counters of the draw rules in the current position.
    pub fn counters(&self) -> Counters {
        self.counters
    }

    /// The counters for whoever plays on from here: those of the game; where they have made it a draw already, new ones, for
    /// with the old ones every move would be a draw. Programs and servers differ in their draw rules. What has occurred counts for
    /// repetitions all the same.
    ///
    /// ```
    /// use kroon::notation::fen::game_from_fen;
    /// use kroon::rules::VariantId;
    /// let mut game = game_from_fen(VariantId::International, "W:WK26:BK35")?;
    /// let rules = game.variant().rules();
    /// for ply in 0..12 {
    ///     let (from, to) = [(26, 31), (35, 30), (31, 26), (30, 35)][ply % 4];
    ///     let is_it = |mv: &kroon::board::Move| (rules.board.number(mv.from()), rules.board.number(mv.to())) == (from, to);
    ///     let mv = game.legal_moves().iter().copied().find(is_it).unwrap();
    ///     game.play(mv)?;
    /// }
    /// assert_eq!(game.counters().plies_left(rules), 0);
    /// assert_eq!(game.counters_to_play_on().plies_left(rules), 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn counters_to_play_on(&self) -> Counters {
        let rules = self.variant.rules();
        if self.counters.is_draw(rules) {
            self.counters.renewed(rules, &self.position)
        } else {
            self.counters
        }
    }

    /// The game as whoever plays on sees it: where a count of moves has made it a draw, the count begins anew.
    pub(crate) fn played_on(&self) -> Game {
        Game { counters: self.counters_to_play_on(), ..self.clone() }
    }

    /// Keys of the positions since the last irreversible move, the current one last: all that repetition needs.
    pub fn recent_keys(&self) -> &[Key] {
        let reversible = self.moves.iter().rev().take_while(|mv| !mv.is_irreversible()).count();
        &self.keys[self.keys.len() - 1 - reversible..]
    }

    /// The legal moves of the current position, whether or not the game is drawn.
    pub fn legal_moves(&self) -> MoveList {
        legal_moves(self.variant, &self.position)
    }

    /// Plays a move, also after a draw (programs differ in their draw rules and go on).
    ///
    /// # Errors
    /// When the move is not legal; the game is unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        if !self.legal_moves().contains(&mv) {
            return Err(IllegalMove);
        }
        self.position = play_in(self.variant, &self.position, mv);
        self.counters = self.counters.after(self.variant.rules(), mv, &self.position);
        self.moves.push(mv);
        self.keys.push(self.position.key());
        Ok(())
    }

    /// Takes back the last move; says whether there was one.
    pub fn undo(&mut self) -> bool {
        if self.moves.pop().is_none() {
            return false;
        }
        let rules = self.variant.rules();
        self.keys.pop();
        self.position = self.start;
        self.counters = Counters::new(rules, &self.start);
        for &mv in &self.moves {
            self.position = play_in(self.variant, &self.position, mv);
            self.counters = self.counters.after(rules, mv, &self.position);
        }
        true
    }

    /// How often the current position has occurred, itself included.
    pub fn occurrences(&self) -> usize {
        let key = self.position.key();
        self.recent_keys().iter().filter(|&&k| k == key).count()
    }

    /// The same game, whose memory for repetitions keeps, of the positions before the current one, only those that end the
    /// game when they occur once more.
    ///
    /// A search takes every position that occurs again for a draw, those before its root included: a player who wants to win
    /// should not go back. To judge a move that went back, the rule itself counts: nothing is lost by it yet.
    ///
    /// ```
    /// use kroon::notation::{fen::game_from_fen, moves};
    /// use kroon::rules::VariantId::International;
    /// let mut game = game_from_fen(International, "W:WK46:BK50")?;
    /// let mut play = |text| game.play(moves::read(International, game.position(), text).unwrap()).unwrap();
    /// ["46-41", "50-45", "41-46", "45-50"].into_iter().for_each(&mut play);
    /// // The position has occurred twice, the ones on the way once.
    /// let judged = game.without_harmless_repetitions();
    /// assert_eq!(judged.occurrences(), 2);
    /// assert_eq!(judged.recent_keys().iter().filter(|key| game.recent_keys().contains(key)).count(), 2);
    /// # Ok::<(), kroon::notation::fen::FenError>(())
    /// ```
    pub fn without_harmless_repetitions(&self) -> Game {
        let mut game = self.clone();
        let keys = self.recent_keys();
        let least = usize::from(self.variant.rules().draws.repetition) - 1;
        let first = self.keys.len() - keys.len();
        let Some((_, earlier)) = keys.split_last() else { return game };
        let mut counts: HashMap<Key, usize> = HashMap::with_capacity(keys.len());
        keys.iter().for_each(|&key| *counts.entry(key).or_default() += 1);
        for (place, key) in earlier.iter().enumerate() {
            if counts[key] < least {
                // No position has the key of an empty board.
                game.keys[first + place] = Key::EMPTY;
            }
        }
        game
    }

    /// Whether the side to move has pieces but no move, and the game was not decided otherwise before.
    ///
    /// ```
    /// use kroon::{notation::fen::game_from_fen, rules::VariantId::English};
    /// // The man on 32 has both squares before it occupied and no room to capture.
    /// let game = game_from_fen(English, "W:W32:B23,27,28").unwrap();
    /// assert!(game.is_blocked() && game.outcome().is_some());
    /// assert!(!game_from_fen(English, "W:W32:B28").unwrap().is_blocked());
    /// ```
    pub fn is_blocked(&self) -> bool {
        let position = &self.position;
        let is_crowned = self.variant.rules().objective == Objective::Crown && position.kings().any();
        position.side(position.turn()).any() && !is_crowned && self.legal_moves().is_empty()
    }

    /// The outcome by the rules of the variant, or `None` while the game goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        let rules = self.variant.rules();
        if self.legal_moves().is_empty() {
            let blocked = self.position.turn();
            return Some(Outcome::Win(if rules.objective == Objective::Lose { blocked } else { !blocked }));
        }
        if self.occurrences() >= rules.draws.repetition as usize {
            return Some(Outcome::Draw(DrawReason::Repetition));
        }
        self.counters.is_draw(rules).then_some(Outcome::Draw(DrawReason::MoveCount))
    }
}
