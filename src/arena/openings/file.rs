//! Openings from a file.

use super::{Opening, SOURCES};
use crate::files::read_whole;
use crate::notation::openings::{self, ListedOpening};
use crate::notation::pdn;
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

/// Reads a list of openings: PDN games, of which the last positions are meant, or lines with a position or moves.
pub fn read(variant: VariantId, path: &Path) -> Result<Vec<Opening>, FileError> {
    let name = || path.display().to_string();
    let bytes = read_whole(path).map_err(|source| FileError::Read { path: name(), source })?;
    list(variant, &pdn::decode(&bytes)).map_err(|fault| FileError::Content { path: name(), fault })
}

/// The openings of a text.
pub(super) fn list(variant: VariantId, text: &str) -> Result<Vec<Opening>, String> {
    let playable = |ListedOpening { line, game }| match game.outcome() {
        None => Ok(Opening { game }),
        Some(outcome) => Err(format!("line {line}: the game is over there, {outcome}")),
    };
    openings::read(variant, text).map_err(|error| error.to_string())?.into_iter().map(playable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const V: VariantId = VariantId::International;

    #[test]
    fn moves_belong_to_an_opening() {
        let names = |text| list(V, text).unwrap().iter().map(Opening::name).collect::<Vec<_>>();
        assert_eq!(names("[Event \"?\"]\n1. 32-28 19-23 *\n\n1. 33-29 *\n"), ["32-28 19-23", "33-29"]);
        assert_eq!(names("1. 32-28 19-23\n1. 33-29\n"), ["32-28 19-23", "33-29"]);
        assert!(names("B:W31-50:B1-20\n")[0].starts_with("B:W31,"));
    }

    #[test]
    fn faults_are_named() {
        assert!(list(V, "\nW:W31-51:B1").err().unwrap().starts_with("line 2: "));
        assert!(
            list(V, "32-28\nW:W:B1").err().unwrap().contains("line 2: the game is over there, Black wins")
        );
    }
}
