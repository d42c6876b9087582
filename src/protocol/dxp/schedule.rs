//! The games that an Initiator asks for: number, openings, colours, time.

use super::fields::ThinkingTime;
use crate::board::{Color, Setup};
use crate::game::{Game, Outcome};
use crate::notation::openings::{self, ListedOpening, OpeningListError};
use crate::rules::VariantId;

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

/// Reads a list of openings; DXP knows positions only, so none of them has moves.
///
/// ```
/// use kroon::protocol::dxp::schedule::read_openings;
/// use kroon::rules::VariantId;
/// let openings = read_openings(VariantId::International, "1. 32-28 19-23\nB:W31-50:B1-20\n")?;
/// assert!(openings.len() == 2 && openings[0].moves().is_empty());
/// # Ok::<(), kroon::notation::openings::OpeningListError>(())
/// ```
///
/// # Errors
/// At the first that is no opening, or from which no move can be played, and when there is none.
pub fn read_openings(variant: VariantId, text: &str) -> Result<Vec<Game>, OpeningListError> {
    let start = |ListedOpening { line, game }: ListedOpening| {
        let setup = Setup::from(game.position());
        let game = Game::from_setup(variant, &setup).map_err(|error| error.to_string());
        game.and_then(playable).map_err(|fault| OpeningListError::Line { line, fault })
    };
    openings::read(variant, text)?.into_iter().map(start).collect()
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
    fn an_opening_is_a_position_from_which_a_game_can_go_on() {
        let read = |text| read_openings(International, text);
        let pdn = "[Event \"x\"]\n1. 32-28 *\n\n[Event \"y\"]\n[FEN \"B:W31-50:B1-20\"]\n1. ... 20-25 *\n";
        let games = read(pdn).unwrap();
        assert_eq!(games.len(), 2);
        assert!(games.iter().all(|game| game.moves().is_empty()));
        for (text, part) in [
            ("32-28\n32-29\n", "line 2, column 1"),
            ("W:W1:B2", "promotion row"),
            ("32-28\nW:W:B2", "line 2: the game is over there, Black wins"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
