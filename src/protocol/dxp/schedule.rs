//! The games that an Initiator asks for: number, openings, colours, time.

use super::fields::ThinkingTime;
use crate::board::{Color, Setup};
use crate::game::{Game, Outcome};
use crate::notation::pdn;
use crate::notation::position::{self, PositionError};
use crate::rules::VariantId;
use thiserror::Error;

/// Which colour we take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Colors {
    /// White in the first game, Black in the second, and so on.
    #[default]
    Alternate,
    /// This colour in all games.
    Always(Color),
}

/// The games of a match.
#[derive(Clone, Debug)]
pub struct DxpSchedule {
    /// How many.
    pub games: u32,
    /// Our colours.
    pub colors: Colors,
    /// Games without moves, at the starts to be played, in turn; empty: the initial position. With alternating colours
    /// each is played twice in a row.
    pub openings: Vec<Game>,
    /// Time of each player for a game.
    pub time: ThinkingTime,
    /// Most moves of each player; 0: no limit.
    pub moves: u16,
}

impl DxpSchedule {
    /// Our colour in the game with this index, from 0.
    pub fn color(&self, index: u32) -> Color {
        match self.colors {
            Colors::Always(color) => color,
            Colors::Alternate if index.is_multiple_of(2) => Color::White,
            Colors::Alternate => Color::Black,
        }
    }

    /// Where the game with this index starts; `None`: from the initial position.
    pub fn opening(&self, index: u32) -> Option<&Game> {
        let pair = match self.colors {
            Colors::Alternate => index / 2,
            Colors::Always(_) => index,
        };
        self.openings.get(pair as usize % self.openings.len().max(1))
    }
}

/// Why a text is no list of openings.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OpeningError {
    /// A line or game that cannot be read.
    #[error("opening {number}: {fault}")]
    Bad {
        /// Its number, from 1.
        number: usize,
        /// What is wrong.
        fault: String,
    },
    /// Something between the games.
    #[error(transparent)]
    Pdn(#[from] pdn::PdnError),
    /// Nothing in it.
    #[error("no opening found, expected PDN games, or lines with a FEN, a Hub position or moves")]
    Empty,
}

/// Reads openings: a PDN file whose games are played to their ends, or lines, each with a FEN, a Hub position or moves
/// from the initial position. Empty lines and those that begin with `#` are skipped.
///
/// ```
/// use kroon::protocol::dxp::schedule::read_openings;
/// use kroon::rules::VariantId;
/// let text = "# two openings\n1. 32-28 19-23\nB:W31-50:B1-20\n";
/// assert_eq!(read_openings(VariantId::International, text)?.len(), 2);
/// # Ok::<(), kroon::protocol::dxp::schedule::OpeningError>(())
/// ```
///
/// # Errors
/// At the first that is no opening, or from which no move can be played, and when there is none.
pub fn read_openings(variant: VariantId, text: &str) -> Result<Vec<Game>, OpeningError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    // The tag of a FEN is a position where there are nothing but positions, and begins a game otherwise.
    let is_position = |line| !matches!(position::game(variant, line), Err(PositionError::Unknown { .. }));
    let is_pdn = lines.clone().any(|line| line.starts_with('[')) && !lines.clone().all(is_position);
    let read: Vec<Result<Game, String>> = if is_pdn {
        let (games, faults) = pdn::read_games(text);
        if let Some(fault) = faults.into_iter().next() {
            return Err(OpeningError::Pdn(fault));
        }
        games.iter().map(|game| final_position(variant, game)).collect()
    } else {
        lines.map(|line| opening(variant, line)).collect()
    };
    if read.is_empty() {
        return Err(OpeningError::Empty);
    }
    read.into_iter()
        .enumerate()
        .map(|(index, game)| {
            game.and_then(playable).map_err(|fault| OpeningError::Bad { number: index + 1, fault })
        })
        .collect()
}

/// One line.
fn opening(variant: VariantId, line: &str) -> Result<Game, String> {
    match position::game(variant, line) {
        Err(PositionError::Unknown { .. }) => (),
        read => return read.map_err(|error| error.to_string()),
    }
    let (games, faults) = pdn::read_games(line);
    match (games.as_slice(), faults.first()) {
        (_, Some(fault)) => Err(fault.to_string()),
        ([game], None) => final_position(variant, game),
        ([], None) => Err("no moves".to_owned()),
        (games, None) => Err(format!("{} games on one line", games.len())),
    }
}

/// A game that starts where this one ends.
fn final_position(variant: VariantId, game: &pdn::PdnGame) -> Result<Game, String> {
    let replay = game.replay_as(variant).map_err(|error| error.to_string())?;
    if let Some(error) = replay.stopped {
        return Err(error.to_string());
    }
    let setup = Setup::from(replay.last().position());
    Game::from_setup(variant, &setup).map_err(|error| error.to_string())
}

/// The game, if it can go on.
///
/// # Errors
/// When it is over: the outcome as text.
pub fn playable(game: Game) -> Result<Game, String> {
    match game.outcome() {
        Some(outcome @ Outcome::Win(_)) => Err(format!("the game is over there, {outcome}")),
        _ => Ok(game),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use VariantId::International;

    fn schedule(colors: Colors, openings: usize) -> DxpSchedule {
        let text = ["32-28", "33-29", "34-30"][..openings].join("\n");
        let openings = read_openings(International, &text).unwrap_or_default();
        DxpSchedule { games: 9, colors, openings, time: ThinkingTime::default(), moves: 0 }
    }

    #[test]
    fn pairs_of_colours_share_an_opening() {
        let schedule = schedule(Colors::Alternate, 3);
        for (index, opening) in [0, 0, 1, 1, 2, 2, 0, 0].into_iter().enumerate() {
            let start = schedule.opening(index as u32).unwrap().start();
            assert_eq!(start, schedule.openings[opening].start());
        }
        assert_eq!([0, 1, 2].map(|i| schedule.color(i)), [Color::White, Color::Black, Color::White]);
    }

    #[test]
    fn one_colour_takes_each_opening_once() {
        let schedule = schedule(Colors::Always(Color::Black), 2);
        assert_eq!(schedule.opening(1).unwrap().start(), schedule.openings[1].start());
        assert_eq!(schedule.opening(2).unwrap().start(), schedule.openings[0].start());
        assert_eq!(schedule.color(7), Color::Black);
    }

    #[test]
    fn no_openings_mean_the_initial_position() {
        assert!(schedule(Colors::Alternate, 0).opening(5).is_none());
    }

    #[test]
    fn every_form_of_opening() {
        let read = |text| read_openings(International, text);
        let hub = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        let lines = format!("# a comment\n\n{hub}\nW:WK41:B20,33\n1. 32-28 19-23 2. 28x19\n");
        assert_eq!(read(&lines).unwrap().len(), 3);
        let pdn = "[Event \"x\"]\n1. 32-28 *\n\n[Event \"y\"]\n[FEN \"B:W31-50:B1-20\"]\n1. ... 20-25 *\n";
        let games = read(pdn).unwrap();
        assert_eq!(games.len(), 2);
        assert!(games.iter().all(|game| game.moves().is_empty()));
        // Tags of positions are openings of their own, but where moves follow.
        let fens = "[FEN \"W:W31,32:B1,2\"]\nW:W33,34:B1,2\n\n[FEN \"W:W35,36:B1,2\"]\n";
        assert_eq!(read(fens).unwrap().len(), 3);
        let games = read("[FEN \"W:W31,32:B1,2\"]\n1. 31-27 *\n").unwrap();
        assert_eq!((games.len(), games[0].position().turn()), (1, Color::Black));
        for (text, part) in [
            ("[Event \"x\"]\n1. 32-28 huh *\n", "\"huh\" is no part of a game"),
            ("1. 32-28 * 1. 33-29 *", "opening 1: 2 games on one line"),
            ("", "no opening found"),
            ("32-28\n32-29\n", "opening 2"),
            ("W:W1:B2", "promotion row"),
            ("W:W:B2", "the game is over there, Black wins"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
