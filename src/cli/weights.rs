//! `--eval-file` of the commands that make weights and games to learn from.

use clap::ValueHint;
use clap::builder::{PathBufValueParser, TypedValueParser};
use std::path::{Path, PathBuf};

/// The word for the weights in the program, as in the option `eval-file` of the engine.
const EMBEDDED: &str = "embedded";

/// Which weights are meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Weights {
    /// Those in the program.
    Embedded,
    /// Those in a file.
    File(PathBuf),
}

impl Weights {
    /// How an option is read; a file that is called `embedded` is `./embedded`.
    pub fn parser() -> impl TypedValueParser<Value = Weights> {
        PathBufValueParser::new().map(|path| match path.to_str() {
            Some(EMBEDDED) => Weights::Embedded,
            _ => Weights::File(path),
        })
    }

    /// What a shell completes.
    pub const HINT: ValueHint = ValueHint::FilePath;

    /// The file, if it is one.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Weights::Embedded => None,
            Weights::File(path) => Some(path),
        }
    }
}
