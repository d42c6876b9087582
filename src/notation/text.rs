//! Helpers of the parsers: quoted text and columns for error messages.

pub(crate) use crate::words::quote;

/// What stands for a hyphen: itself, the non-breaking and other hyphens, figure, en and em dash, minus.
pub const DASHES: &str = "-\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2212}";

/// The 1-based column, in characters, at which `rest` (a tail of `text`) begins.
pub(super) fn column(text: &str, rest: &str) -> usize {
    let offset = text.len().saturating_sub(rest.len());
    text.get(..offset).map_or(1, |before| before.chars().count() + 1)
}

/// The first word of `rest`, for saying what was found where something else was expected.
pub(super) fn found(rest: &str) -> String {
    let word = rest.split(|c: char| c.is_whitespace() || matches!(c, ',' | ':')).next().unwrap_or_default();
    match (rest.chars().next(), word.is_empty()) {
        (None, _) => "the end".to_owned(),
        (Some(c), true) => quote(c.encode_utf8(&mut [0; 4])),
        (Some(_), false) => quote(word),
    }
}
