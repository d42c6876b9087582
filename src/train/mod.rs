//! Learning the evaluation from self-play: games, files of games, fitting.
//!
//! `start` makes diverse beginnings, `selfplay` plays from them, `record` is a game in a few bytes a position, `shard`
//! a file of games that survives being killed at any moment; `fit` makes weights of the evaluation from such files.

pub mod fit;
pub mod record;
pub mod selfplay;
pub mod shard;
pub mod start;

use std::io::{self, Write};
use std::path::Path;

/// Writes a file so that it is at every moment either the old one or the new one.
///
/// # Errors
/// When it cannot be written; the old one is then still there.
pub fn save(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = temporary_file(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

/// A file that will get its name when it is whole, with the permissions that a new file usually has.
fn temporary_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    #[allow(unused_mut, reason = "permissions are a matter of unix")]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What the user's mask forbids is taken off by the system.
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
