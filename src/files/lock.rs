//! One process works at a state that is kept in a file: who comes second is told so, before it works.

use super::{open_to_write, try_lock};
use std::fs::File;
use std::io;
use std::path::Path;

/// A file beside another one, `NAME.lock`, locked as long as this value is there. What is replaced at each saving cannot be
/// locked itself. The lock's file stays: were it removed, who has opened it just before would lock a file without a name, and
/// the next one another.
#[derive(Debug)]
pub struct LockBeside {
    _file: File,
}

impl LockBeside {
    /// The lock beside this file, which need not be there yet; none when another process has it.
    ///
    /// ```
    /// use kroon::files::LockBeside;
    /// let folder = tempfile::tempdir()?;
    /// let state = folder.path().join("state");
    /// let lock = LockBeside::take(&state)?;
    /// assert!(lock.is_some() && LockBeside::take(&state)?.is_none());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    /// When the file of the lock cannot be written.
    pub fn take(path: &Path) -> io::Result<Option<LockBeside>> {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(".lock");
        let file = open_to_write(&path.with_file_name(name))?;
        Ok(try_lock(&file)?.then_some(LockBeside { _file: file }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_of_one_process_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state.json");
        let lock = LockBeside::take(&state).unwrap();
        assert!(lock.is_some() && LockBeside::take(&state).unwrap().is_none());
        assert!(LockBeside::take(&folder.path().join("other.json")).unwrap().is_some());
        // A third process may have opened the file before the first one ends.
        let opened = open_to_write(&folder.path().join("state.json.lock")).unwrap();
        drop(lock);
        assert!(try_lock(&opened).unwrap());
        assert!(LockBeside::take(&state).unwrap().is_none());
        drop(opened);
        assert!(LockBeside::take(&state).unwrap().is_some());
    }
}
