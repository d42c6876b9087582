//! A part of a match or a tuning that is played by a process of its own: `3/64`.

use crate::notation::text::quote;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// More parts than anybody has processes.
const MOST: u32 = 100_000;

/// One of several parts. All parts together are the whole, and no two have a piece in common.
///
/// ```
/// use kroon::arena::shard::Shard;
/// let shard: Shard = "1/3".parse()?;
/// assert_eq!((0..7).filter(|&piece| shard.has(piece)).collect::<Vec<_>>(), [1, 4]);
/// assert!("3/3".parse::<Shard>().is_err(), "the first is 0");
/// # Ok::<(), kroon::arena::shard::ShardTextError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Shard {
    index: u32,
    of: u32,
}

impl Shard {
    /// Which part, from 0.
    pub fn index(self) -> usize {
        self.index as usize
    }

    /// How many parts there are.
    pub fn of(self) -> usize {
        self.of as usize
    }

    /// Whether the piece with this number belongs to the part.
    pub fn has(self, piece: usize) -> bool {
        piece % self.of() == self.index()
    }

    /// All parts, this one among them.
    pub fn all(self) -> impl Iterator<Item = Shard> {
        (0..self.of).map(move |index| Shard { index, ..self })
    }
}

/// A text that names no part.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "shard {0}: expected I/N, I from 0 to N - 1 and N up to {MOST}, such as 0/64 for the first of 64 and 63/64 for the last"
)]
pub struct ShardTextError(String);

impl FromStr for Shard {
    type Err = ShardTextError;

    fn from_str(text: &str) -> Result<Shard, ShardTextError> {
        let number = |digits: &str| -> Option<u32> {
            let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            is_plain.then(|| digits.parse().ok()).flatten()
        };
        let numbers = text.split_once('/').and_then(|(index, of)| number(index).zip(number(of)));
        let shard = numbers.filter(|&(index, of)| index < of && of <= MOST);
        shard.map(|(index, of)| Shard { index, of }).ok_or_else(|| ShardTextError(quote(text)))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardTextError;

    fn try_from(text: String) -> Result<Shard, ShardTextError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> String {
        shard.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_come_back_and_others_are_quoted() {
        for text in ["0/1", "0/64", "63/64", "99999/100000"] {
            let shard: Shard = text.parse().unwrap();
            assert_eq!(shard.to_string(), text);
            let json = serde_json::to_string(&shard).unwrap();
            assert_eq!((json.as_str(), serde_json::from_str(&json).ok()), (&*quote(text), Some(shard)));
        }
        for text in
            ["", "/", "1", "/64", "64/64", "0/0", "1/0", "-1/4", "+1/4", "1/100001", "1/2/3", "a/b", "1 / 2"]
        {
            let error = text.parse::<Shard>().unwrap_err().to_string();
            assert!(error.contains(&quote(text)) && error.contains("0/64"), "{error}");
        }
        assert!(serde_json::from_str::<Shard>("\"4/4\"").unwrap_err().to_string().contains("\"4/4\""));
    }

    #[test]
    fn the_parts_are_the_whole() {
        let any: Shard = "2/5".parse().unwrap();
        for piece in 0..23 {
            assert_eq!(any.all().filter(|shard| shard.has(piece)).count(), 1);
        }
        assert!(any.all().any(|shard| shard == any));
    }
}
