//! One process learns into a state: who comes second is told so, before it plays a game.

use super::state::StateError;
use crate::files::try_lock;
use std::fs::File;
use std::path::Path;

/// A file beside the state, locked as long as this value is there. The file stays: were it removed, who has opened it just
/// before would lock a file without a name, and the next one another.
#[derive(Debug)]
pub(super) struct StateLock {
    _file: File,
}

impl StateLock {
    /// The lock of this state.
    ///
    /// # Errors
    /// When another process has it, or the file cannot be written.
    pub fn take(state: &Path) -> Result<StateLock, StateError> {
        let mut name = state.file_name().unwrap_or_default().to_owned();
        name.push(".lock");
        let path = state.with_file_name(name);
        let io = |source| StateError::Io { path: path.display().to_string(), source };
        let file = File::options().write(true).create(true).truncate(false).open(&path).map_err(io)?;
        if !try_lock(&file).map_err(io)? {
            return Err(StateError::InUse(state.display().to_string()));
        }
        Ok(StateLock { _file: file })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_of_one_process_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state.json");
        let lock = StateLock::take(&state).unwrap();
        let error = StateLock::take(&state).unwrap_err();
        assert!(matches!(error, StateError::InUse(_)) && error.to_string().contains("state.json"), "{error}");
        assert!(StateLock::take(&folder.path().join("other.json")).is_ok());
        // A third process may have opened the file before the first one ends.
        let opened = File::options().write(true).open(folder.path().join("state.json.lock")).unwrap();
        drop(lock);
        assert!(try_lock(&opened).unwrap());
        assert!(StateLock::take(&state).is_err());
        drop(opened);
        assert!(StateLock::take(&state).is_ok());
    }
}
