//! The trained players in the program, and what plays where there is none.

use super::{Knowledge, LearnedAgent, LearnedFile, LearnedFileError, LearnedKind};
use crate::rules::VariantId;
use parking_lot::Mutex;
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::SystemTime;

/// One for each learner, in English draughts. `src/learn/LEARNERS.md` says how they were made.
const FILES: [&[u8]; 4] = [
    include_bytes!("data/q-learning.learned"),
    include_bytes!("data/approximate-q.learned"),
    include_bytes!("data/neural-q.learned"),
    include_bytes!("data/state-q.learned"),
];

impl LearnedFile {
    /// The player in the program, if it has one for this learner and variant.
    ///
    /// ```
    /// use kroon::agents::learned::{LearnedFile, LearnedKind};
    /// use kroon::rules::VariantId;
    /// for kind in LearnedKind::PLAYERS {
    ///     assert_eq!(LearnedFile::embedded(kind, VariantId::English).unwrap().knowledge.kind(), kind);
    ///     assert!(LearnedFile::embedded(kind, VariantId::Frisian).is_none());
    /// }
    /// ```
    pub fn embedded(kind: LearnedKind, variant: VariantId) -> Option<&'static LearnedFile> {
        static READ: [OnceLock<Option<LearnedFile>>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];
        // A file that cannot be read would be found by the test of this room.
        let read = READ.iter().zip(FILES);
        let mut files = read
            .filter_map(|(cell, bytes)| cell.get_or_init(|| LearnedFile::from_bytes(bytes).ok()).as_ref());
        files.find(|file| file.knowledge.kind() == kind && file.header.variant == variant)
    }
}

impl LearnedAgent {
    /// The player of a learner: as the file says; without one as the program has learned; else as before its first
    /// game, which the log says once.
    ///
    /// # Errors
    /// When the file cannot be used for this learner and variant.
    pub fn load(
        kind: LearnedKind,
        variant: VariantId,
        file: Option<&Path>,
    ) -> Result<LearnedAgent, LearnedFileError> {
        if let Some(path) = file {
            return Ok(LearnedAgent::new(knowledge_of(path, kind, variant)?));
        }
        if let Some(file) = LearnedFile::embedded(kind, variant) {
            return Ok(LearnedAgent::new(file.knowledge.clone()));
        }
        static TOLD: Mutex<Vec<(LearnedKind, VariantId)>> = Mutex::new(Vec::new());
        let mut told = TOLD.lock();
        if !told.contains(&(kind, variant)) {
            told.push((kind, variant));
            log::warn!(
                "{kind} has learned nothing in {variant} draughts: it plays as before its first game; \
                 kroon learn makes a file for player-file"
            );
        }
        Ok(LearnedAgent::new(Arc::new(Knowledge::new(kind, variant))))
    }

    /// What plays, in words that tell one from another: `q-learning of 200 games, 0123456789abcdef`.
    ///
    /// # Errors
    /// As [`LearnedAgent::load`].
    pub fn describe(
        kind: LearnedKind,
        variant: VariantId,
        file: Option<&Path>,
    ) -> Result<String, LearnedFileError> {
        let told = |file: &LearnedFile| format!("{kind} of {} games, {}", file.header.games, file.checksum());
        if let Some(path) = file {
            return Ok(told(&LearnedFile::open_for(path, kind, variant)?));
        }
        Ok(LearnedFile::embedded(kind, variant).map_or_else(|| format!("{kind}, untrained"), told))
    }
}

/// Files whose knowledge is kept in memory.
const MOST_KEPT: usize = 4;

/// A file as it was when it was read: path, learner, variant, length and time of the last change.
type FileState = (PathBuf, LearnedKind, VariantId, u64, Option<SystemTime>);

/// What a file says. It is read again only when it has changed: a match makes its players anew for every game, and a
/// large table takes longer to read than a game to play.
fn knowledge_of(
    path: &Path,
    kind: LearnedKind,
    variant: VariantId,
) -> Result<Arc<Knowledge>, LearnedFileError> {
    static KEPT: Mutex<VecDeque<(FileState, Arc<Knowledge>)>> = Mutex::new(VecDeque::new());
    let state = fs::metadata(path)
        .ok()
        .map(|file| (path.to_owned(), kind, variant, file.len(), file.modified().ok()));
    if let Some((_, knowledge)) = KEPT.lock().iter().find(|(kept, _)| Some(kept) == state.as_ref()) {
        return Ok(knowledge.clone());
    }
    let knowledge = LearnedFile::open_for(path, kind, variant)?.knowledge;
    if let Some(state) = state {
        let mut kept = KEPT.lock();
        kept.truncate(MOST_KEPT - 1);
        kept.push_front((state, knowledge.clone()));
    }
    Ok(knowledge)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_players_in_the_program_are_whole_and_small() {
        let mut bytes = 0;
        for (kind, file) in LearnedKind::PLAYERS.into_iter().zip(FILES) {
            let read = LearnedFile::from_bytes(file).unwrap();
            assert_eq!((read.knowledge.kind(), read.header.variant), (kind, VariantId::English));
            assert_eq!(read.header.games, read.header.planned);
            assert!(LearnedFile::embedded(kind, VariantId::English) == Some(&read));
            let told = LearnedAgent::describe(kind, VariantId::English, None).unwrap();
            assert!(told.starts_with(kind.name()) && told.ends_with(&read.checksum()), "{told}");
            bytes += file.len();
        }
        assert!(bytes <= 300_000, "{bytes}");
    }

    #[test]
    fn a_file_is_read_again_when_it_has_changed() {
        let path = std::env::temp_dir().join(format!("kroon-kept-{}.learned", std::process::id()));
        let load = |kind| LearnedAgent::load(kind, VariantId::English, Some(&path));
        let [first, second] = [LearnedKind::ApproximateQ, LearnedKind::StateQ];
        fs::write(&path, FILES[1]).unwrap();
        let once = load(first).unwrap().knowledge().clone();
        assert!(Arc::ptr_eq(load(first).unwrap().knowledge(), &once), "the same, not read again");
        assert!(load(second).is_err());
        fs::write(&path, FILES[3]).unwrap();
        assert_eq!(load(second).unwrap().knowledge().kind(), second);
        assert!(load(first).is_err());
        fs::remove_file(&path).unwrap();
        assert!(load(second).is_err(), "what is gone is not remembered");
    }

    #[test]
    fn without_a_player_in_the_program_it_begins_anew() {
        for kind in LearnedKind::PLAYERS {
            let agent = LearnedAgent::load(kind, VariantId::Frisian, None).unwrap();
            assert_eq!(**agent.knowledge(), Knowledge::new(kind, VariantId::Frisian));
            assert!(LearnedAgent::describe(kind, VariantId::Frisian, None).unwrap().ends_with("untrained"));
        }
        let missing =
            LearnedAgent::load(LearnedKind::StateQ, VariantId::English, Some("none.learned".as_ref()));
        assert!(missing.unwrap_err().to_string().starts_with("learned player \"none.learned\": "));
    }
}
