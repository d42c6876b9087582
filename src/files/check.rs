//! Whether outputs can be written, told before the work whose result they are to hold.

use super::{behind_links, folder_of, is_replaced, temporary};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Why an output cannot be one.
#[derive(Debug, Error)]
pub enum OutputError {
    /// The file system says no.
    #[error("cannot write \"{path}\": {source}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// It would replace what is read.
    #[error("\"{0}\" is an input and an output: name another file")]
    SameFile(String),
    /// Of two outputs in one file the second would replace the first.
    #[error("\"{0}\" is named for two outputs: name two files")]
    Twice(String),
}

/// Says whether [`write_whole`](super::write_whole) can write all these outputs: none is a folder, in a folder that is
/// missing or cannot be written to, the same file as another output, or one of the inputs.
///
/// # Errors
/// The first fault.
pub fn check_outputs<'a>(
    inputs: impl IntoIterator<Item = &'a Path>,
    outputs: impl IntoIterator<Item = &'a Path>,
) -> Result<(), OutputError> {
    let inputs: Vec<PathBuf> = inputs.into_iter().filter_map(|input| input.canonicalize().ok()).collect();
    let mut known: Vec<PathBuf> = Vec::new();
    for output in outputs {
        let name = || output.display().to_string();
        let place = place(output).map_err(|source| OutputError::Io { path: name(), source })?;
        // A device may be both, and twice.
        if !is_replaced(&place) {
            continue;
        }
        if inputs.contains(&place) {
            return Err(OutputError::SameFile(name()));
        }
        if known.contains(&place) {
            return Err(OutputError::Twice(name()));
        }
        known.push(place);
    }
    Ok(())
}

/// The path of an output without links, if it can be written.
fn place(output: &Path) -> io::Result<PathBuf> {
    match fs::metadata(output) {
        Ok(known) if known.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(known) if !known.is_file() => return Ok(output.to_owned()),
        // A name that is too long, or a folder that nobody may look into.
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let path = behind_links(output)?;
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let folder = folder_of(&path).canonicalize()?;
    // A new file stands beside it before it takes its place.
    temporary(&folder)?;
    Ok(folder.join(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_that_cannot_be_are_told_before_the_work() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("in"), "in").unwrap();
        fs::write(at("old"), "old").unwrap();
        let said = |outputs: &[&str]| {
            let outputs: Vec<PathBuf> = outputs.iter().map(|name| at(name)).collect();
            let input = at("in");
            let checked = check_outputs([input.as_path()], outputs.iter().map(PathBuf::as_path));
            checked.map_err(|error| error.to_string())
        };
        assert_eq!(said(&["old", "new"]), Ok(()));
        // As long as a name can be, and longer.
        let [longest, long] = [255, 256].map(|length| "n".repeat(length));
        assert_eq!(said(&[&longest]), Ok(()));
        crate::files::write_whole(&at(&longest), |out| out.write_all(b"long")).unwrap();
        fs::remove_file(at(&longest)).unwrap();
        for (outputs, fault) in [
            (&["new", "in"][..], "is an input and an output"),
            (&["./in"], "is an input and an output"),
            (&["new", "./new"], "is named for two outputs"),
            (&["old", "old"], "is named for two outputs"),
            (&["new", "."], "is a directory"),
            (&["missing/new"], "cannot write"),
            (&[long.as_str()], "cannot write"),
        ] {
            let error = said(outputs).unwrap_err();
            assert!(error.contains(fault), "{outputs:?}: {error}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left over");
        assert_eq!(fs::read(at("old")).unwrap(), b"old");
        let null = Path::new("/dev/null");
        assert!(check_outputs([null], [null, null]).is_ok() || !null.exists());
    }
}
