//! One process works at a state that is kept in a file: who comes second is told so, before it works.

use super::{behind_links, open_to_write, take_over, try_lock};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_64;

/// A file beside another one, `NAME.lock`, locked as long as this value is there. What is replaced at each saving cannot be
/// locked itself. The lock's file stays: were it removed, who has opened it just before would lock a file without a name, and
/// the next one another.
#[derive(Debug)]
pub struct LockBeside {
    _file: File,
}

/// Longest name of a file, in bytes.
const LONGEST_NAME: usize = 255;

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
    /// When the file of the lock cannot be written, which the text names.
    pub fn take(path: &Path) -> io::Result<Option<LockBeside>> {
        let path = behind_links(path)?;
        let place = place(&path)?;
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("\"{}\": {error}", place.display()));
        let file = open(&place, &path).map_err(named)?;
        Ok(try_lock(&file).map_err(named)?.then_some(LockBeside { _file: file }))
    }
}

/// The file of the lock. A name that would be too long is replaced by its checksum.
fn place(path: &Path) -> io::Result<PathBuf> {
    let mut name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_owned();
    if name.len() + ".lock".len() > LONGEST_NAME {
        name = format!("kroon-{:016x}", xxh3_64(name.as_encoded_bytes())).into();
    }
    name.push(".lock");
    Ok(path.with_file_name(name))
}

/// Opens it. A new one is of the user who owns what it locks; that of another user can be locked without writing to it.
fn open(place: &Path, path: &Path) -> io::Result<File> {
    let is_new = !place.exists();
    match open_to_write(place) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && !is_new => File::open(place),
        Ok(file) => {
            if let (true, Ok(owner)) = (is_new, fs::metadata(path)) {
                take_over(&file, &owner)?;
            }
            Ok(file)
        }
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::not_regular;

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
        // As long as a name can be; another one of that length is another file.
        let [long, other] = ["n", "m"].map(|letter| folder.path().join(letter.repeat(LONGEST_NAME)));
        let lock = LockBeside::take(&long).unwrap();
        assert!(lock.is_some() && LockBeside::take(&long).unwrap().is_none());
        assert!(LockBeside::take(&other).unwrap().is_some());
        // What stands in its way is named.
        fs::create_dir(folder.path().join("third.lock")).unwrap();
        let error = LockBeside::take(&folder.path().join("third")).unwrap_err().to_string();
        assert!(error.contains("third.lock\": ") && error.contains(&not_regular().to_string()), "{error}");
    }

    #[test]
    #[cfg(unix)]
    fn a_link_to_a_state_has_its_lock() {
        let folder = tempfile::tempdir().unwrap();
        let (state, link) = (folder.path().join("state"), folder.path().join("link"));
        fs::write(&state, "state").unwrap();
        std::os::unix::fs::symlink(&state, &link).unwrap();
        let _lock = LockBeside::take(&link).unwrap().expect("free");
        assert!(LockBeside::take(&state).unwrap().is_none());
    }
}
