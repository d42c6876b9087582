//! The games of the files of a plan, numbered through, and what of them is analysed.

use super::player::is_same;
use super::run::{CollectionError, CollectionPlan};
use super::search::Settings;
use super::work::GameWork;
use crate::board::Color;
use crate::files::InputReader;
use crate::notation::fen;
use crate::notation::pdn::{PdnGame, PdnStream, Replay};
use xxhash_rust::xxh3::xxh3_64;

/// Where a game is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GamePlace {
    /// Its number in all files, from 1.
    pub game: usize,
    /// The index of its file.
    pub file: usize,
    /// Its number in the file, from 1.
    pub number: usize,
}

/// A game as it was read.
pub(super) struct PlannedGame {
    pub place: GamePlace,
    pub pdn: PdnGame,
    /// Whether it is one of the player who was asked for.
    pub is_chosen: bool,
    /// What can be analysed, if anything.
    pub replay: Option<Replay>,
    pub settings: Settings,
    /// A checksum of start and moves.
    pub key: u64,
    /// Why it cannot be followed to its end.
    pub fault: Option<String>,
    /// The first thing in it or behind it that is no part of a game.
    pub warning: Option<String>,
}

impl PlannedGame {
    /// Decides what of a game is analysed.
    fn new(plan: &CollectionPlan, place: GamePlace, pdn: PdnGame) -> PlannedGame {
        let settings = plan.settings;
        let (fault, warning) = (None, None);
        let mut game =
            PlannedGame { place, pdn, is_chosen: true, replay: None, settings, key: 0, fault, warning };
        if let Some(player) = &plan.player {
            let is_player = |color| game.pdn.player(color).is_some_and(|name| is_same(name, player));
            match Color::ALL.map(is_player) {
                [false, false] => {
                    game.is_chosen = false;
                    return game;
                }
                [true, true] => (),
                [white, _] => game.settings.side = Some(if white { Color::White } else { Color::Black }),
            }
        }
        let replay = match plan.variant {
            Some(variant) => game.pdn.replay_as(variant),
            None => game.pdn.replay(),
        };
        match replay {
            Ok(replay) => {
                game.fault = replay.stopped.as_ref().map(ToString::to_string);
                game.key = checksum(&replay);
                game.replay = Some(replay);
            }
            Err(error) => game.fault = Some(error.to_string()),
        }
        game
    }

    /// Whether its moves could be followed to their end.
    pub fn is_whole(&self) -> bool {
        self.replay.as_ref().is_some_and(|replay| replay.stopped.is_none())
    }

    /// Where variations break off.
    pub fn variation_faults(&self) -> Vec<String> {
        let variant = self.replay.as_ref().map(|replay| replay.game().variant());
        let faults = variant.map(|variant| self.pdn.variation_faults(variant)).unwrap_or_default();
        faults.iter().map(|fault| format!("in a variation: {fault}")).collect()
    }

    pub fn work(&self) -> Option<GameWork> {
        self.replay.as_ref().map(|replay| GameWork::new(replay.sections(), &self.settings))
    }
}

/// A number for the start and the moves of a game.
fn checksum(replay: &Replay) -> u64 {
    let mut text = String::new();
    for game in replay.sections() {
        text.push_str(game.variant().name());
        text.push_str(&fen::write(game.variant(), game.start()));
        for mv in game.moves() {
            text.push_str(&format!(" {} {} {}", mv.from().index(), mv.to().index(), mv.captured().len()));
        }
    }
    xxh3_64(text.as_bytes())
}

/// What comes next in the files.
pub(super) enum Found {
    Game(Box<PlannedGame>),
    /// The end of a file.
    End {
        file: usize,
        /// Games in it.
        games: usize,
        /// What is wrong behind the last one.
        fault: Option<String>,
    },
}

/// The games of all files.
pub(super) struct GameSource<'a> {
    plan: &'a CollectionPlan,
    stream: Option<PdnStream<InputReader>>,
    /// The last game, or the beginning of a file.
    at: GamePlace,
}

impl<'a> GameSource<'a> {
    pub fn new(plan: &'a CollectionPlan) -> GameSource<'a> {
        GameSource { plan, stream: None, at: GamePlace { game: 0, file: 0, number: 0 } }
    }

    /// The next game or end of a file.
    pub fn next(&mut self) -> Result<Option<Found>, CollectionError> {
        let Some(input) = self.plan.files.get(self.at.file) else { return Ok(None) };
        let error = CollectionError::io(input.path());
        let stream = match &mut self.stream {
            Some(stream) => stream,
            none => none.insert(PdnStream::new(input.reader().map_err(&error)?)),
        };
        let pdn = stream.next().transpose().map_err(&error)?;
        let warning = stream.take_warnings().first().map(ToString::to_string);
        let Some(pdn) = pdn else {
            let GamePlace { game, file, number } = self.at;
            self.at = GamePlace { game, file: file + 1, number: 0 };
            self.stream = None;
            return Ok(Some(Found::End { file, games: number, fault: warning }));
        };
        self.at.game += 1;
        self.at.number += 1;
        let mut game = PlannedGame::new(self.plan, self.at, pdn);
        game.warning = warning;
        Ok(Some(Found::Game(Box::new(game))))
    }

    /// The next game.
    pub fn next_game(&mut self) -> Result<Option<PlannedGame>, CollectionError> {
        loop {
            match self.next()? {
                None => return Ok(None),
                Some(Found::Game(game)) => return Ok(Some(*game)),
                Some(Found::End { .. }) => (),
            }
        }
    }
}
