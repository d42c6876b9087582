//! Weights from a file that the user names: read once, on first use, and shared by all engines.

use super::{Evaluation, Learned, WeightsError};
use crate::files::read_regular;
use crate::rules::VariantId;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use thiserror::Error;

/// No file of weights is larger, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// Why a file of weights does not play.
#[derive(Clone, Debug, Error)]
pub enum EvalFileError {
    /// The system says no, or it is a folder, a device, or too large.
    #[error("eval-file {path:?}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Arc<io::Error>,
    },
    /// What it has in it is foreign or damaged.
    #[error("eval-file {path:?}: {source}")]
    Weights {
        /// The file.
        path: PathBuf,
        /// Why.
        source: Arc<WeightsError>,
    },
    /// It is for another game than the one played.
    #[error("eval-file {path:?}: weights for {found} draughts, expected {played}")]
    Variant {
        /// The file.
        path: PathBuf,
        /// Whose weights they are.
        found: VariantId,
        /// What is played.
        played: VariantId,
    },
}

/// Weights of `kroon train` in a file. Two of them are equal only if one is a copy of the other: the file may have
/// changed between the two.
///
/// ```
/// use kroon::eval::EvalFile;
/// use kroon::rules::VariantId;
/// let file = EvalFile::new("nowhere/my.weights");
/// let error = file.evaluation(VariantId::Frisian).unwrap_err().to_string();
/// assert!(error.starts_with("eval-file \"nowhere/my.weights\": "), "{error}");
/// ```
#[derive(Clone)]
pub struct EvalFile(Arc<Inner>);

struct Inner {
    path: PathBuf,
    weights: OnceLock<Result<Arc<Learned>, EvalFileError>>,
}

impl EvalFile {
    /// The file at this path; nothing is read yet.
    pub fn new(path: impl Into<PathBuf>) -> EvalFile {
        EvalFile(Arc::new(Inner { path: path.into(), weights: OnceLock::new() }))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The weights; the first call reads the file.
    ///
    /// # Errors
    /// When it cannot be read or has no weights of this program in it.
    pub fn weights(&self) -> Result<Arc<Learned>, EvalFileError> {
        self.0.weights.get_or_init(|| read(&self.0.path)).clone()
    }

    /// The evaluation of a variant with these weights.
    ///
    /// # Errors
    /// As [`EvalFile::weights`], and when they are for another variant.
    pub fn evaluation(&self, played: VariantId) -> Result<Evaluation, EvalFileError> {
        let weights = self.weights()?;
        let found = weights.variant();
        if found == played {
            Ok(Evaluation::Learned(weights))
        } else {
            Err(EvalFileError::Variant { path: self.0.path.clone(), found, played })
        }
    }
}

fn read(path: &Path) -> Result<Arc<Learned>, EvalFileError> {
    let io = |source| EvalFileError::Io { path: path.to_owned(), source: Arc::new(source) };
    let weights = Learned::from_bytes(&read_regular(path, MOST_BYTES).map_err(io)?)
        .map_err(|source| EvalFileError::Weights { path: path.to_owned(), source: Arc::new(source) })?;
    Ok(Arc::new(weights))
}

impl PartialEq for EvalFile {
    fn eq(&self, other: &EvalFile) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for EvalFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EvalFile({:?})", self.0.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embedded() -> &'static [u8] {
        include_bytes!("data/international.weights")
    }

    fn refused(path: &Path) -> String {
        EvalFile::new(path).evaluation(VariantId::International).unwrap_err().to_string()
    }

    #[test]
    fn good_weights_play_their_variant_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my own.weights");
        std::fs::write(&path, embedded()).unwrap();
        let file = EvalFile::new(&path);
        assert!(matches!(file.evaluation(VariantId::International), Ok(Evaluation::Learned(_))));
        let error = file.evaluation(VariantId::Frisian).unwrap_err().to_string();
        assert!(error.contains("my own.weights\": weights for international draughts, expected frisian"));
        // Read once: what happens to the file later does not matter.
        std::fs::remove_file(&path).unwrap();
        assert!(file.clone().evaluation(VariantId::International).is_ok());
        assert_eq!(file, file.clone());
        assert_ne!(file, EvalFile::new(&path));
    }

    #[test]
    fn everything_else_is_an_error_with_the_file_and_the_reason() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x");
        let with = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            let error = refused(&path);
            assert!(error.starts_with(&format!("eval-file {path:?}: ")), "{error}");
            error
        };
        assert!(with(b"").contains("no file of weights"));
        assert!(with(b"\x89PNG\r\n").contains("no file of weights"));
        assert!(with(&embedded()[..embedded().len() - 1]).contains("damaged or incomplete"));
        assert!(refused(folder.path()).contains("is a directory"));
        assert!(refused(&folder.path().join("none")).contains("none\": "));
        #[cfg(unix)]
        assert!(refused(Path::new("/dev/zero")).contains("no regular file"));
    }
}
