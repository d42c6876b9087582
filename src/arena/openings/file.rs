//! Openings from a file of FENs, Hub positions or PDN games.

use super::{Opening, SOURCES};
use crate::files::read_whole;
use crate::game::Game;
use crate::notation::text::quote;
use crate::notation::{pdn, position};
use crate::rules::VariantId;
use std::path::Path;
use thiserror::Error;

/// Why a file gives no openings.
#[derive(Debug, Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("openings \"{path}\": {source} (expected {SOURCES})")]
    Read {
        /// The file.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// Something in it is wrong.
    #[error("openings \"{path}\", {fault}")]
    Content {
        /// The file.
        path: String,
        /// What, and where.
        fault: String,
    },
}

/// Reads FENs (or Hub positions), one a line, where `#` begins a comment, or PDN games.
pub fn read(variant: VariantId, path: &Path) -> Result<Vec<Opening>, FileError> {
    let name = || path.display().to_string();
    let bytes = read_whole(path).map_err(|source| FileError::Read { path: name(), source })?;
    let text = pdn::decode(&bytes);
    let parsed = if looks_like_fens(&text) { fens(variant, &text) } else { games(variant, &text) };
    let content = |fault| FileError::Content { path: name(), fault };
    match parsed {
        Ok(openings) if openings.is_empty() => Err(content("no opening found in it".to_owned())),
        Ok(openings) => Ok(openings),
        Err(fault) => Err(content(fault)),
    }
}

/// The lines that say something, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let without_comment = |line: &str| line.find('#').unwrap_or(line.len());
    text.lines()
        .enumerate()
        .map(move |(index, line)| (index + 1, line[..without_comment(line)].trim()))
        .filter(|(_, line)| !line.is_empty())
}

fn looks_like_fens(text: &str) -> bool {
    lines(text).next().is_some_and(|(_, line)| {
        let colon = line.as_bytes().get(1) == Some(&b':');
        let hub = !line.contains([' ', '.', '[']) && line.len() > 30;
        line.starts_with(['W', 'B', 'w', 'b']) && (colon || hub)
    })
}

fn fens(variant: VariantId, text: &str) -> Result<Vec<Opening>, String> {
    lines(text)
        .map(|(number, line)| {
            let game = position::game(variant, line).map_err(|error| format!("line {number}: {error}"))?;
            playable(game).ok_or_else(|| format!("line {number}: the game is over in {}", quote(line)))
        })
        .collect()
}

/// Reads PDN games, whose last positions are the openings.
pub(super) fn games(variant: VariantId, text: &str) -> Result<Vec<Opening>, String> {
    let (games, warnings) = pdn::read_games(text);
    if let Some(warning) = warnings.first() {
        return Err(warning.to_string());
    }
    games
        .iter()
        .map(|game| {
            let replay = game.replay_as(variant).map_err(|error| error.to_string())?;
            if let Some(error) = &replay.stopped {
                return Err(error.to_string());
            }
            playable(replay.last().clone())
                .ok_or_else(|| format!("line {}: this game is over, no opening", game.place.line))
        })
        .collect()
}

fn playable(game: Game) -> Option<Opening> {
    game.outcome().is_none().then_some(Opening { game })
}

#[cfg(test)]
mod tests {
    use super::*;

    const V: VariantId = VariantId::International;

    #[test]
    fn fens_and_games() {
        let text = "# two\nW:W31-50:B1-20\n\nB:W28,31,33-50:B1-20 # here\n";
        assert!(looks_like_fens(text));
        assert_eq!(fens(V, text).unwrap().len(), 2);
        let text = "[Event \"?\"]\n1. 32-28 19-23 *\n\n1. 33-29 *\n";
        assert!(!looks_like_fens(text));
        let names: Vec<String> = games(V, text).unwrap().iter().map(Opening::name).collect();
        assert_eq!(names, ["32-28 19-23", "33-29"]);
        let hub = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        assert!(looks_like_fens(&hub) && fens(V, &hub).is_ok());
    }

    #[test]
    fn faults_are_named() {
        assert!(fens(V, "\nW:W31-51:B1").err().unwrap().starts_with("line 2: "));
        assert!(fens(V, "W:W:B1").err().unwrap().contains("over in \"W:W:B1\""));
        assert!(games(V, "1. 32-29 *").err().unwrap().contains("line 1, column 4"));
        assert!(games(V, "1. 32-28 huh *").err().unwrap().contains("huh"));
    }
}
