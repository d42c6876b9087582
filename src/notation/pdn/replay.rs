//! Plays a game that was read and checks every move.

use super::game_type::GameType;
use super::tree::{PdnAction, PdnEntry, PdnGame, PdnLine, TextPlace};
use super::{PdnError, PdnFault};
use crate::board::{Color, Move, Position, Setup};
use crate::game::Game;
use crate::notation::fen::{self, FenError};
use crate::notation::moves::{self, MoveError, MoveText};
use crate::notation::square::SquareName;
use crate::notation::text::quote;
use crate::rules::{VariantId, play_in};

/// The number of the game of which there is a kind that White begins and one that Black begins: pool. With others such
/// details are wrong unless the moves are of that side.
const EITHER_BEGINS: u32 = 23;

/// Jumps of one capture that a file may list as moves of their own.
const MOST_JUMPS: usize = 20;

/// What could be played of a game.
#[derive(Clone, Debug)]
pub struct Replay {
    /// The game, and a further one from each setup in mid-game. Never empty.
    sections: Vec<Game>,
    /// See [`Replay::entries`].
    entries: Vec<usize>,
    /// Why it was not played to its end.
    pub stopped: Option<PdnError>,
}

impl Replay {
    /// The game from its start to its end, or to the first setup in mid-game.
    pub fn game(&self) -> &Game {
        &self.sections[0]
    }

    /// The game, and a further one from each setup in mid-game.
    pub fn sections(&self) -> &[Game] {
        &self.sections
    }

    /// The section in which the moves end.
    pub fn last(&self) -> &Game {
        // invariant: there is at least one section
        &self.sections[self.sections.len() - 1]
    }

    /// Moves played in all sections.
    pub fn plies(&self) -> usize {
        self.sections.iter().map(|game| game.moves().len()).sum()
    }

    /// For each move played in all sections, the index of its entry in the line; the last one where several entries make
    /// one capture.
    ///
    /// ```
    /// use kroon::notation::pdn;
    /// let (games, _) = pdn::read_games("[GameType \"20\"] 1. 32-28 - - /FEN \"W:W31,32:B20\"/ 32-28 *");
    /// assert_eq!(games[0].replay()?.entries(), [0, 3]);
    /// # Ok::<(), pdn::PdnError>(())
    /// ```
    pub fn entries(&self) -> &[usize] {
        &self.entries
    }

    fn current(&mut self) -> &mut Game {
        let last = self.sections.len() - 1;
        &mut self.sections[last]
    }
}

impl PdnGame {
    /// The variant: from the tags GameType and Variant, or, if there are none, the one in which most moves are legal.
    /// Where both tags name variants of one board, Variant is the more exact one.
    ///
    /// # Errors
    /// When the tags name a variant that is not supported, or no variant has such squares.
    pub fn variant(&self) -> Result<VariantId, PdnError> {
        let said = |name| self.tags.find(name).filter(|tag| !matches!(tag.value.as_str(), "" | "?"));
        let variant_tag = || {
            said("Variant").map(|tag| {
                let fault = PdnFault::Variant(quote(&tag.value));
                variant_name(&tag.value).parse().map_err(|_| PdnError { place: tag.place, fault })
            })
        };
        if let Some(tag) = said("GameType") {
            let variant = named_variant(&tag.value).map_err(|fault| PdnError { place: tag.place, fault })?;
            // Programs give a variant that has no number, or whose number they do not know, the number of its kin;
            // the tag Variant is exact then. Web servers have it say "standard" for any game from the usual start.
            let exact = variant_tag().and_then(Result::ok).filter(|&exact| exact != VariantId::default());
            let squares = |variant: VariantId| {
                let board = variant.rules().board;
                (board.side(), board.square(1))
            };
            let exact = exact.filter(|&exact| squares(exact) == squares(variant));
            return Ok(exact.unwrap_or(variant));
        }
        variant_tag().unwrap_or_else(|| self.guessed_variant())
    }

    fn guessed_variant(&self) -> Result<VariantId, PdnError> {
        let squares = || {
            self.line.entries.iter().filter_map(|entry| match &entry.action {
                PdnAction::Move(text) => Some(text.squares()),
                _ => None,
            })
        };
        let fits = |variant: VariantId| {
            let board = variant.rules().board;
            squares().flatten().all(|name| match name {
                SquareName::Number(number) => *number <= board.squares(),
                SquareName::Coordinates { .. } => board.side() == 8,
            })
        };
        let in_fen = self.tags.get("FEN").is_some_and(names_files);
        let is_short = |entry: &PdnEntry| matches!(&entry.action, PdnAction::Unread(word) if word.starts_with(char::is_alphabetic));
        let letters = in_fen
            || self.line.entries.iter().any(is_short)
            || squares().flatten().any(|name| matches!(name, SquareName::Coordinates { .. }));
        // Among equals the variant that has all these squares (one may be a slip), then the one that names squares like this,
        // then the better known one.
        let rank = |variant: VariantId| {
            let (starts, plies) = self.replay_as(variant).map_or((false, 0), |replay| (true, replay.plies()));
            (starts, plies, fits(variant), variant.rules().algebraic == letters)
        };
        let mut best = None;
        for variant in VariantId::ALL {
            let rank = rank(variant);
            if best.is_none_or(|(most, _)| rank > most) {
                best = Some((rank, variant));
            }
        }
        let fault = || PdnFault::Variant("of these squares".to_owned());
        best.filter(|&((_, plies, fits, _), _)| plies > 0 || fits)
            .map(|(_, variant)| variant)
            .ok_or_else(|| PdnError { place: self.place, fault: fault() })
    }

    /// Plays the moves, in the variant that the game says or seems to be.
    ///
    /// # Errors
    /// When the variant is not supported or the start is no position. A move that is not legal is no error here: what
    /// comes before it is kept, and [`Replay::stopped`] says what was wrong.
    pub fn replay(&self) -> Result<Replay, PdnError> {
        self.replay_as(self.variant()?)
    }

    /// Plays the moves in this variant, whatever the tags say.
    ///
    /// # Errors
    /// When the start is no position of the variant.
    pub fn replay_as(&self, variant: VariantId) -> Result<Replay, PdnError> {
        Ok(self.line.replay(self.start(variant)?))
    }

    /// The game before its first move: from the position of the tag FEN, or else from the usual one. There the other side
    /// begins where only that side has such a move and the tag GameType says so (White in unified pool draughts), or a tag names a
    /// variant that Black begins and nothing says who does (White in American checkers of some programs).
    ///
    /// # Errors
    /// When the tag has no position of the variant.
    pub fn start(&self, variant: VariantId) -> Result<Game, PdnError> {
        match self.tags.find("FEN") {
            // Web servers write a question mark where they have no FEN.
            Some(tag) if !matches!(tag.value.as_str(), "" | "?") => fen::game_from_fen(variant, &tag.value)
                .map_err(|error| PdnError { place: tag.place, fault: error.into() }),
            _ => Ok(self.usual_start(variant)),
        }
    }

    /// The side that moves first by the rules of the game, whoever is to move in a position that the tag FEN sets up.
    pub(crate) fn first(&self, variant: VariantId) -> Color {
        let usual = variant.rules().first;
        if !self.may_begin_otherwise(variant) {
            return usual;
        }
        let has_moves = self.line.entries.iter().any(|entry| matches!(entry.action, PdnAction::Move(_)));
        let has_position = self.tags.get("FEN").is_some_and(|fen| !matches!(fen, "" | "?"));
        if has_moves && !has_position {
            return self.usual_start(variant).position().turn();
        }
        match self.game_type() {
            Some(GameType { number: EITHER_BEGINS, details: Some(details), .. }) => details.first,
            _ => usual,
        }
    }

    fn game_type(&self) -> Option<GameType> {
        self.tags.get("GameType").and_then(|value| value.parse().ok())
    }

    /// Whether the other side may begin than usually: the tag says so, or the tags name a variant that Black begins, without details.
    /// There are programs in which White begins in every variant.
    fn may_begin_otherwise(&self, variant: VariantId) -> bool {
        match self.game_type() {
            Some(GameType { details: Some(details), .. }) => details.first != variant.rules().first,
            Some(_) => variant.rules().first == Color::Black,
            None => {
                variant.rules().first == Color::Black && self.tags.known(&["GameType", "Variant"]).is_some()
            }
        }
    }

    fn usual_start(&self, variant: VariantId) -> Game {
        let usual = Game::new(variant);
        if !self.may_begin_otherwise(variant) {
            return usual;
        }
        let first = self.line.entries.iter().enumerate().find_map(|(i, entry)| match &entry.action {
            PdnAction::Move(text) => Some((text, &self.line.entries[i + 1..])),
            _ => None,
        });
        // Where nothing is said, the move of the second side is no reason: the first one is missing.
        let begins = self.line.entries.first();
        let is_first =
            begins.is_some_and(|entry| matches!(entry.action, PdnAction::Move(_)) && !entry.is_second);
        if !is_first && self.game_type().is_none_or(|said| said.details.is_none()) {
            return usual;
        }
        let mut setup = variant.rules().start();
        setup.turn = !setup.turn;
        let can_begin = |game: &Game| {
            first.is_some_and(|(text, rest)| next_move(variant, game.position(), text, rest).is_ok())
        };
        match Game::from_setup(variant, &setup) {
            Ok(other) if !can_begin(&usual) && can_begin(&other) => other,
            _ => usual,
        }
    }
}

/// Whether a FEN names squares by file and rank. `b` may stand for Black there.
fn names_files(fen: &str) -> bool {
    let pairs = fen.as_bytes().windows(2);
    pairs.into_iter().any(|pair| matches!(pair, [b'a' | b'c'..=b'h', b'1'..=b'8']))
}

/// The value of a Variant tag as variants are named: without "draughts" or "checkers".
fn variant_name(value: &str) -> String {
    let name = value.to_lowercase();
    let name =
        [" draughts", " checkers"].iter().find_map(|suffix| name.strip_suffix(suffix)).unwrap_or(&name);
    name.replace(' ', "-")
}

/// The variant of a GameType tag.
fn named_variant(value: &str) -> Result<VariantId, PdnFault> {
    let game_type: GameType = match value.parse() {
        Ok(game_type) => game_type,
        Err(fault) => return value.parse().map_err(|_| fault),
    };
    // 99 is the number of a web server for international draughts from a given position.
    let number = if game_type.number == 99 { 20 } else { game_type.number };
    VariantId::from_game_type(number).ok_or_else(|| {
        PdnFault::Variant(match game_type.name() {
            Some(name) => format!("{} ({name})", game_type.number),
            None => game_type.number.to_string(),
        })
    })
}

impl PdnLine {
    /// Plays the moves of this line from where `start` stands: for a variation, a game without the move replaced.
    pub fn replay(&self, start: Game) -> Replay {
        let mut replay = Replay { sections: vec![start], entries: Vec::new(), stopped: None };
        let mut missing: Option<TextPlace> = None;
        let mut entries = self.entries.as_slice();
        while let [entry, rest @ ..] = entries {
            let played = match &entry.action {
                PdnAction::Missing => {
                    missing = Some(entry.place);
                    Ok(rest)
                }
                PdnAction::Setup(text) => {
                    let game = replay.current();
                    let section = set_up(game.variant(), game.position(), text);
                    section
                        .map(|section| replay.sections.extend(section))
                        .map(|()| rest)
                        .map_err(PdnFault::from)
                }
                PdnAction::Unread(word) => {
                    let game = replay.current();
                    let short = moves::short(game.variant(), game.position(), word);
                    // invariant: the move that was found is legal
                    let played = short.and_then(|mv| game.play(mv).ok());
                    played.map(|_| rest).ok_or_else(|| PdnFault::Unread(quote(word)))
                }
                PdnAction::Move(text) => play(replay.current(), text, rest).map_err(PdnFault::from),
            };
            entries = match (played, missing) {
                (Ok(rest), _) => {
                    if matches!(entry.action, PdnAction::Move(_) | PdnAction::Unread(_)) {
                        replay.entries.push(self.entries.len() - rest.len() - 1);
                    }
                    rest
                }
                (Err(PdnFault::Move(_)), Some(place)) => {
                    replay.stopped = Some(PdnError { place, fault: PdnFault::Missing });
                    break;
                }
                (Err(fault), _) => {
                    replay.stopped = Some(PdnError { place: entry.place, fault });
                    break;
                }
            };
            if !matches!(entry.action, PdnAction::Missing) {
                missing = None;
            }
        }
        replay
    }
}

/// Plays one move and returns the entries behind it.
fn play<'a>(game: &mut Game, text: &MoveText, rest: &'a [PdnEntry]) -> Result<&'a [PdnEntry], MoveError> {
    let (mv, rest) = next_move(game.variant(), game.position(), text, rest)?;
    // invariant: the move that was found is legal
    let _ = game.play(mv);
    Ok(rest)
}

/// The legal move that stands here, and the entries behind it.
///
/// # Errors
/// When there is no such move, or more than one.
pub(crate) fn next_move<'a>(
    variant: VariantId,
    position: &Position,
    text: &MoveText,
    rest: &'a [PdnEntry],
) -> Result<(Move, &'a [PdnEntry]), MoveError> {
    let error = match moves::resolve(variant, position, text) {
        Ok(mv) => return Ok((mv, rest)),
        Err(error) => error,
    };
    if matches!(error, MoveError::Ambiguous { .. })
        && let Some(mv) = decided_by(variant, position, text, rest)
    {
        return Ok((mv, rest));
    }
    if !matches!(error, MoveError::Illegal { .. }) {
        return Err(error);
    }
    // Some programs write each jump of a capture as a move of its own.
    let mut joined = text.clone();
    for (index, entry) in rest.iter().take(MOST_JUMPS).enumerate() {
        let PdnAction::Move(next) = &entry.action else { break };
        let Some(longer) = joined.joined(next) else { break };
        joined = longer;
        if let Ok(mv) = moves::resolve(variant, position, &joined) {
            return Ok((mv, &rest[index + 1..]));
        }
    }
    Err(error)
}

/// Moves behind an ambiguous one that are looked at.
const MOST_BEHIND: usize = 4;

/// The one of several captures that a text may mean after which the next moves can be played.
fn decided_by(variant: VariantId, position: &Position, text: &MoveText, rest: &[PdnEntry]) -> Option<Move> {
    let behind = rest.iter().take(MOST_BEHIND).map_while(|entry| match &entry.action {
        PdnAction::Move(text) => Some(text),
        _ => None,
    });
    let behind: Vec<&MoveText> = behind.collect();
    let can_go_on = |mv: &Move| {
        let mut position = play_in(variant, position, *mv);
        for text in &behind {
            match moves::resolve(variant, &position, text) {
                Ok(next) => position = play_in(variant, &position, next),
                // It says nothing of the first one.
                Err(MoveError::Ambiguous { .. }) => return true,
                Err(_) => return false,
            }
        }
        true
    };
    let mut fitting = moves::candidates(variant, position, text).into_iter().filter(can_go_on);
    fitting.next().filter(|_| fitting.next().is_none() && !behind.is_empty())
}

/// The game that begins at a setup; none if it changes nothing.
pub(super) fn set_up(variant: VariantId, position: &Position, text: &str) -> Result<Option<Game>, FenError> {
    let mut setup = fen::parse(variant, text)?.setup;
    let now = Setup::from(position);
    // PDN 3.0 proposes the setup of an empty board for a move that is passed.
    if Color::ALL.into_iter().all(|color| setup.side(color).is_empty()) {
        let passes = setup.turn != now.turn;
        setup = if passes { Setup::from(&position.with_turn_passed()) } else { now };
    }
    if setup == now {
        return Ok(None);
    }
    let section = Game::from_setup(variant, &setup);
    section.map(Some).map_err(|source| FenError::Setup { text: quote(text), source })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pdn::{WriteOptions, read_games};

    fn replay(text: &str) -> Replay {
        read_games(text).0[0].replay().unwrap()
    }

    /// py-draughts lets White begin in American checkers and says nothing of it.
    #[test]
    fn white_may_begin_where_black_usually_does() {
        let moves = "1. 24-19 9-13 2. 22-17 13x22 3. 26x17 11-15";
        for tags in [
            "[GameType \"23\"] [Variant \"American checkers\"]",
            "[GameType \"21\"]",
            "[Variant \"English\"]",
        ] {
            let text = format!("{tags} [Result \"1-0\"] {moves} 1-0");
            let replay = replay(&text);
            assert_eq!((&replay.stopped, replay.plies()), (&None, 6), "{tags}");
            assert_eq!(replay.game().variant(), VariantId::English, "{tags}");
            assert_eq!(replay.game().start().turn(), Color::White);
            let pdn = &read_games(&text).0[0];
            assert_eq!(pdn.first(VariantId::English), Color::White, "the first number is White's");
        }
        // The first move is missing, or cannot be read.
        for moves in
            ["1. ... 19-23 2. 33-28", "1... 19-23 2. 33-28", "1. - 19-23 2. 33-28", "1. 32=28 19-23 2. 33-28"]
        {
            for tags in ["[GameType \"20\"]", "[Variant \"International\"]"] {
                let game = format!("{tags} [Result \"2-0\"] {moves} 2-0");
                let pdn = &read_games(&game).0[0];
                assert_eq!(pdn.first(VariantId::International), Color::White, "{game}");
                assert_eq!(pdn.replay().unwrap().game().start().turn(), Color::White, "{game}");
                let again = pdn.write(WriteOptions::default());
                let again = read_games(&again).0[0].replay().unwrap();
                assert_eq!((again.game().start().turn(), again.plies()), (Color::White, 0), "{game}");
            }
        }
        // White begins everywhere else, and a tag that says nothing names no variant.
        let missing = replay("[GameType \"20\"] [Result \"2-0\"] 1. 19-23 33-28 2. 14-19 2-0");
        assert_eq!((missing.plies(), missing.stopped.is_some()), (0, true));
        for value in ["?", ""] {
            let italian = replay(&format!("[Variant \"{value}\"] 1. 22-18 10-14 2. 21-17 *"));
            assert_eq!((italian.game().variant(), italian.plies()), (VariantId::Italian, 3));
        }
        // Dots before a move that can be played are none of its number.
        let dots = "[GameType \"20\"] [Result \"2-0\"] 1... 32-28 19-23 2-0";
        assert!(read_games(dots).0[0].write(WriteOptions::default()).contains("\n1. 32-28 19-23 2-0"));
        // What is said of the first move goes before; Black's games stay Black's.
        let said = replay(&format!("[GameType \"21,B,8,8,N1,0\"] {moves} *"));
        assert!(said.stopped.is_some() && said.plies() == 0);
        let usual = replay("[GameType \"21\"] 1. 11-15 23-19 *");
        assert_eq!((usual.plies(), usual.game().start().turn()), (2, Color::Black));
    }

    #[test]
    fn the_next_moves_decide_what_a_short_capture_means() {
        let tags = "[GameType \"20\"] [FEN \"W:WK41:B20,33,37,43\"]";
        for text in ["41x48 20-24 2. 48-42", "41x28x48 20-24"] {
            let replay = replay(&format!("{tags} 1. {text} *"));
            assert_eq!(replay.stopped, None, "{text}");
            assert!(replay.game().position().men(Color::Black).len() == 1, "{text}");
        }
        for text in ["41x48", "41x48 1-2"] {
            let fault = replay(&format!("{tags} 1. {text} *")).stopped.unwrap().to_string();
            assert!(fault.contains("is ambiguous"), "{fault}");
        }
        let dashes = replay("[GameType \"20\"] [FEN \"W:W31\u{2013}50:B1\u{2013}20\"] 1. 32-28 *");
        assert_eq!(dashes.plies(), 1);
    }
}
