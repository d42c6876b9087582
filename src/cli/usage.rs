//! What is wrong with a command line as a whole: the parser of arguments sees each by itself only.

/// A wrong command line. The program ends with the same status as when the parser refuses it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct UsageError(pub String);

/// Returns with a [`UsageError`]; the text as for `format!`.
macro_rules! wrong_usage {
    ($($text:tt)+) => {
        return Err($crate::cli::usage::UsageError(format!($($text)+)).into())
    };
}
pub(super) use wrong_usage;

/// Whether the command line is what is wrong.
pub fn is_usage(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.is::<UsageError>())
}
