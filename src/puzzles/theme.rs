//! What a puzzle is about.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// A theme; `sacrifice-2`, `capture-3`, `breakthrough` and so on as text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Theme {
    /// The solver gives so many pieces before the last capture.
    Sacrifice(u32),
    /// The largest capture of the solver takes so many pieces, two or more.
    Capture(u32),
    /// A man of the solver becomes a king.
    Breakthrough,
    /// A king is caught by a sacrifice.
    KingShot,
    /// The win rests on the opponent's having to move: were they free to pass, it would be gone.
    Opposition,
    /// At the end the opponent cannot move.
    Blockade,
    /// Endgame tables know the position.
    Ending,
    /// The first move neither captures nor offers anything.
    Quiet,
}

impl Theme {
    /// The themes without a number.
    pub const PLAIN: [Theme; 6] = [
        Theme::Breakthrough,
        Theme::KingShot,
        Theme::Opposition,
        Theme::Blockade,
        Theme::Ending,
        Theme::Quiet,
    ];
}

/// Why a text is no [`Theme`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "unknown theme {0}, expected sacrifice-N, capture-N, breakthrough, king-shot, opposition, blockade, ending or quiet"
)]
pub struct UnknownTheme(String);

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Theme::Sacrifice(pieces) => write!(f, "sacrifice-{pieces}"),
            Theme::Capture(pieces) => write!(f, "capture-{pieces}"),
            Theme::Breakthrough => f.write_str("breakthrough"),
            Theme::KingShot => f.write_str("king-shot"),
            Theme::Opposition => f.write_str("opposition"),
            Theme::Blockade => f.write_str("blockade"),
            Theme::Ending => f.write_str("ending"),
            Theme::Quiet => f.write_str("quiet"),
        }
    }
}

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(text: &str) -> Result<Theme, UnknownTheme> {
        let number = |prefix| text.strip_prefix(prefix).and_then(|digits: &str| digits.parse().ok());
        if let Some(pieces) = number("sacrifice-") {
            return Ok(Theme::Sacrifice(pieces));
        }
        if let Some(pieces) = number("capture-") {
            return Ok(Theme::Capture(pieces));
        }
        let found = Theme::PLAIN.into_iter().find(|theme| theme.to_string() == text);
        found.ok_or_else(|| UnknownTheme(crate::words::quote(text)))
    }
}

impl TryFrom<String> for Theme {
    type Error = UnknownTheme;

    fn try_from(text: String) -> Result<Theme, UnknownTheme> {
        text.parse()
    }
}

impl From<Theme> for String {
    fn from(theme: Theme) -> String {
        theme.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back() {
        for theme in [Theme::Sacrifice(3), Theme::Capture(12), Theme::KingShot, Theme::Quiet] {
            assert_eq!(theme.to_string().parse(), Ok(theme));
        }
        let error = "sacrifice-x".parse::<Theme>().unwrap_err().to_string();
        assert!(error.starts_with("unknown theme \"sacrifice-x\", expected sacrifice-N"), "{error}");
    }
}
