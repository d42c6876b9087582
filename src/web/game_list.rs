//! The games of a PDN file as a list: where each stands in the file, and what a person looks for it by.

use crate::board::Color;
use crate::notation::pdn::{PdnAction, PdnFault, PdnGame, PdnReader, decode, encoded_length, is_pdn};
use serde::Serialize;
use thiserror::Error;

/// Longest file that is read, in bytes.
pub const MOST_FILE: usize = 32 << 20;
/// Games that are listed.
pub const MOST_GAMES: usize = 100_000;
/// Longest name in the list, in characters.
const LONGEST: usize = 100;

/// Why a file has no list.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ListError {
    /// It is something else than PDN.
    #[error("{}", PdnFault::NoPdn)]
    NoPdn,
    /// Nothing in it is a game; what was found first.
    #[error("there is no game in this file{0}")]
    Empty(String),
}

/// The games of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameList {
    /// The characters of the file: `utf-8`, or `windows-1252` where a byte is none of UTF-8: such a byte is its letter there, and
    /// the rest is UTF-8.
    pub encoding: &'static str,
    /// The games. Together they are the whole file.
    pub games: Vec<GameRow>,
    /// Whether there are more games than are listed, behind the last one.
    pub more: bool,
}

/// A game of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GameRow {
    /// Its first byte in the file.
    pub from: usize,
    /// The byte behind its last one.
    pub to: usize,
    /// Who has White; empty when not known, as all names.
    pub white: String,
    /// Who has Black.
    pub black: String,
    /// The event.
    pub event: String,
    /// The date as in the file.
    pub date: String,
    /// The result as in the file.
    pub result: String,
    /// The variant's name; none when it is not supported.
    pub variant: Option<&'static str>,
    /// Moves of its main line.
    pub plies: usize,
    /// What is wrong in it first, also in variations, with the number of the game.
    pub fault: Option<String>,
}

impl GameList {
    /// Reads a file and follows the lines of every game.
    ///
    /// ```
    /// use kroon::web::GameList;
    /// let file = b"[White \"A\"]\n[Result \"2-0\"]\n1. 32-28 2-0\n\n1. 33-29 50-1 *\n";
    /// let list = GameList::read(file)?;
    /// assert_eq!((list.games.len(), list.games[0].white.as_str(), list.games[0].plies), (2, "A", 1));
    /// assert!(list.games[1].fault.as_ref().unwrap().starts_with("game 2: line 5, column 10: move \"50-1\""));
    /// # Ok::<(), kroon::web::ListError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no game.
    pub fn read(file: &[u8]) -> Result<GameList, ListError> {
        let text = decode(file);
        if !is_pdn(&text) {
            return Err(ListError::NoPdn);
        }
        let is_utf8 = str::from_utf8(file).is_ok();
        let mark = if file.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        let mut reader = PdnReader::new(&text);
        let mut list = GameList {
            encoding: if is_utf8 { "utf-8" } else { "windows-1252" },
            games: Vec::new(),
            more: false,
        };
        // Where the game began, in bytes of the text and of the file.
        let (mut begun, mut from) = (0, 0);
        let mut warned = 0;
        while let Some(game) = reader.next() {
            let end = text.len() - reader.left();
            let read = &text[begun..end];
            let skipped = if begun == 0 { mark } else { 0 };
            let length = if is_utf8 {
                read.len()
            } else {
                encoded_length(&file[from + skipped..], read.chars().count())
            };
            let to = from + skipped + length;
            if list.games.len() == MOST_GAMES {
                list.more = true;
                break;
            }
            let number = list.games.len() + 1;
            let warning = reader.warnings().get(warned).map(ToString::to_string);
            warned = reader.warnings().len();
            let mut row = GameRow::new(&game, from, to);
            row.fault = warning.or(row.fault).map(|fault| format!("game {number}: {fault}"));
            list.games.push(row);
            (begun, from) = (end, to);
        }
        let Some(last) = list.games.last_mut() else {
            let found = reader.warnings().first().map(|warning| format!(": {warning}"));
            return Err(ListError::Empty(found.unwrap_or_default()));
        };
        if !list.more {
            last.to = file.len();
        }
        Ok(list)
    }
}

impl GameRow {
    fn new(game: &PdnGame, from: usize, to: usize) -> GameRow {
        let short = |text: Option<&str>| text.unwrap_or_default().chars().take(LONGEST).collect::<String>();
        let variant = game.variant();
        let replay = variant.clone().and_then(|variant| game.replay_as(variant));
        let fault = match &replay {
            Ok(replay) => {
                let variations = game.variation_faults(replay.game().variant());
                let first = replay.stopped.iter().chain(&variations).min_by_key(|error| error.place);
                first.map(ToString::to_string)
            }
            Err(error) => Some(error.to_string()),
        };
        let is_move = |entry: &&crate::notation::pdn::PdnEntry| {
            matches!(entry.action, PdnAction::Move(_) | PdnAction::Unread(_))
        };
        GameRow {
            from,
            to,
            white: short(game.player(Color::White)),
            black: short(game.player(Color::Black)),
            event: short(game.tags.known(&["Event"])),
            date: short(game.tags.known(&["Date"])),
            result: short(Some(game.result_text())),
            variant: variant.ok().map(|variant| variant.name()),
            plies: game.line.entries.iter().filter(is_move).count(),
            fault,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::pdn::read_games;
    use crate::web::GameTree;

    /// The parts of a file are the whole, and each alone is the same game.
    fn is_cut_well(file: &[u8]) -> usize {
        let list = GameList::read(file).unwrap();
        let whole = read_games(&decode(file)).0;
        assert_eq!(list.games.len(), whole.len());
        let mut at = 0;
        for (row, game) in list.games.iter().zip(&whole) {
            assert_eq!(row.from, at);
            at = row.to;
            let part = decode(&file[row.from..row.to]);
            let (alone, _) = read_games(&part);
            assert_eq!(alone.len(), 1, "{part}");
            assert_eq!(alone[0].write(Default::default()), game.write(Default::default()));
        }
        assert_eq!(at, file.len());
        list.games.len()
    }

    #[test]
    fn the_file_goes_on_behind_the_last_game_that_is_listed() {
        let file = format!("{}[White \"Unlisted\"]\n\n1. 33-29 *\n", "1. 32-28 *\n\n".repeat(MOST_GAMES));
        let list = GameList::read(file.as_bytes()).unwrap();
        assert!(list.more && list.games.len() == MOST_GAMES);
        assert_eq!(read_games(&file[list.games[MOST_GAMES - 1].to..]).0.len(), 1);
    }

    #[test]
    fn a_file_is_cut_into_its_games() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pdn");
        let mut games = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            games += is_cut_well(&std::fs::read(entry.unwrap().path()).unwrap());
        }
        assert!(games > 50, "{games}");
        is_cut_well(
            "\u{feff}\n[White \"Ж\"]\n1. 32-28 {é} *\n% x\n\n[White \"b\"]\n1. 33-29 *\n\n\n".as_bytes(),
        );
        is_cut_well(b"[White \"\xfcber\"]\n1. 32-28 *\n\n[White \"\xe9\"]\n1. 33-29 * ; \xe9\n");
        is_cut_well(
            b"\xef\xbb\xbf[White \"\xc3\xbcber\"]\n1. 32-28 *\n\n[White \"\xe9\xc3\"]\n1. 33-29 * ; \xe9\n",
        );
        is_cut_well(b"1. 32-28 2-0 1. 33-29 0-2\n1. 34-29");
    }

    #[test]
    fn what_is_wrong_has_the_number_of_its_game() {
        let text =
            "1. 32-28 *\n\n1. 33-29 huh *\n\n[GameType \"77\"]\n1. 1-2 *\n\n[GameType \"20\"]\n1. 32-27 *\n";
        let list = GameList::read(text.as_bytes()).unwrap();
        let faults: Vec<_> = list.games.iter().map(|row| row.fault.clone().unwrap_or_default()).collect();
        assert_eq!(faults[0], "");
        assert_eq!(faults[1], "game 2: line 3, column 10: \"huh\" is no part of a game");
        assert!(faults[2].starts_with("game 3: line 5, column 1: GameType or Variant 77"), "{}", faults[2]);
        assert_eq!((list.games[2].variant, faults[3].as_str()), (None, ""));
        let text = "[GameType \"20\"] 1. 32-28 19-23 (1... 18-23 2. 50-1 {x}) 2. 1-2 *";
        let fault = GameList::read(text.as_bytes()).unwrap().games[0].fault.clone().unwrap();
        assert!(fault.starts_with("game 1: line 1, column 47: move \"50-1\" "), "{fault}");
        assert_eq!(GameList::read(b"\x89PNG\r\n\x1a\n\0 1. 32-28 *"), Err(ListError::NoPdn));
        let error = GameList::read(b"{nothing").unwrap_err().to_string();
        assert!(error.starts_with("there is no game in this file"), "{error}");
        assert_eq!(GameList::read(b""), Err(ListError::Empty(String::new())));
    }

    #[test]
    fn fifty_games_come_out_byte_for_byte() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pdn");
        let mut paths: Vec<_> =
            std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let games = paths.iter().flat_map(|path| read_games(&decode(&std::fs::read(path).unwrap())).0);
        let whole = games.filter_map(|game| {
            let replay = game.replay().ok().filter(|replay| replay.stopped.is_none())?;
            let mut written = PdnGame::from(replay.game());
            written.tags.set("White", game.player(Color::White).unwrap_or("\u{416} \"x\""));
            Some(written)
        });
        let options = crate::notation::pdn::WriteOptions { annotations: true, star: false };
        let mut file: String = whole.take(45).map(|game| game.write(options)).collect();
        for number in 0..5 {
            file += &read_games(&format!(
                "[White \"W{number}\"] [Result \"*\"] [GameType \"20\"] 1. 32-28 {{c{number}}} (1. 33-29?! $6) 19-23! *"
            ))
            .0[0]
                .write(options);
        }
        let list = GameList::read(file.as_bytes()).unwrap();
        assert_eq!(list.games.len(), 50);
        let out: String = list
            .games
            .iter()
            .map(|row| GameTree::read(&file[row.from..row.to]).unwrap().pdn().unwrap())
            .collect();
        assert_eq!(out, file);
    }
}
