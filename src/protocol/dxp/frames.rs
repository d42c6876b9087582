//! Layer 1 of DXP: splits a byte stream into messages of 1 to 127 characters, each followed by one NUL.

use crate::notation::text::quote;
use thiserror::Error;

/// Most characters of a message, without the NUL behind it.
pub const MAX_CHARACTERS: usize = 127;
/// Characters that an error quotes of a message that is too long.
const QUOTED: usize = 20;
/// The type letter of CHAT.
const CHAT: u8 = b'C';
/// The messages with words of people: chat, and the names in GAMEREQ and GAMEACC.
const OF_PEOPLE: &[u8] = b"CRA";
/// Most characters of a CHAT; those beyond the 127 of a message are left out.
const MOST_OF_CHAT: usize = 4096;

/// Why a stream is no sequence of messages. After such an error nothing that follows can be trusted.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FrameError {
    /// More than 127 characters without a NUL, in a CHAT more than 4,096.
    #[error("message of more than {most} characters, beginning {beginning}")]
    TooLong {
        /// The most that are allowed.
        most: usize,
        /// How it begins.
        beginning: String,
    },
    /// A byte that is no character of a message.
    #[error("byte {byte:#04x} at column {column} of a message, expected characters 1 to 127")]
    NotAscii {
        /// The byte.
        byte: u8,
        /// Where, from 1.
        column: usize,
    },
}

/// The part of a stream that has come and is no whole message yet.
///
/// ```
/// use kroon::protocol::dxp::frames::FrameReader;
/// let mut frames = FrameReader::default();
/// let mut bytes = &b"E00\0Chel"[..];
/// assert_eq!(frames.next(&mut bytes), Some(Ok("E00".to_owned())));
/// assert_eq!(frames.next(&mut bytes), None);
/// assert!(frames.is_partial());
/// assert_eq!(frames.next(&mut &b"lo\0"[..]), Some(Ok("Chello".to_owned())));
/// ```
#[derive(Clone, Debug, Default)]
pub struct FrameReader {
    /// At most [`MAX_CHARACTERS`].
    partial: Vec<u8>,
    /// Characters of a CHAT that were left out.
    left_out: usize,
}

impl FrameReader {
    /// Takes bytes from the front of `bytes` up to the end of the next message and returns it; `None` when they end
    /// before it does. A CHAT and the names in GAMEREQ and GAMEACC may hold any bytes, because people write with accents: each
    /// that is not ASCII becomes `?`. What a CHAT has beyond 127 characters is left out.
    ///
    /// # Errors
    /// When the bytes break the rules of the stream.
    pub fn next(&mut self, bytes: &mut &[u8]) -> Option<Result<String, FrameError>> {
        while let [byte, rest @ ..] = *bytes {
            *bytes = rest;
            match byte {
                0 => {
                    let text = String::from_utf8_lossy(&self.partial).into_owned();
                    self.partial.clear();
                    self.left_out = 0;
                    return Some(Ok(text));
                }
                _ if self.partial.len() == MAX_CHARACTERS
                    && self.partial.first() == Some(&CHAT)
                    && self.left_out < MOST_OF_CHAT - MAX_CHARACTERS =>
                {
                    self.left_out += 1;
                }
                _ if self.partial.len() == MAX_CHARACTERS => {
                    let start: String =
                        self.partial.iter().take(QUOTED).map(|&byte| char::from(byte)).collect();
                    let most =
                        if self.partial.first() == Some(&CHAT) { MOST_OF_CHAT } else { MAX_CHARACTERS };
                    return Some(Err(FrameError::TooLong { most, beginning: quote(&start) }));
                }
                128.. if self.partial.first().is_none_or(|kind| !OF_PEOPLE.contains(kind)) => {
                    return Some(Err(FrameError::NotAscii { byte: *byte, column: self.partial.len() + 1 }));
                }
                128.. => self.partial.push(b'?'),
                _ => self.partial.push(*byte),
            }
        }
        None
    }

    /// Whether a message has begun and not ended.
    pub fn is_partial(&self) -> bool {
        !self.partial.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(chunks: &[&[u8]]) -> Vec<Result<String, FrameError>> {
        let mut frames = FrameReader::default();
        let mut found = Vec::new();
        for chunk in chunks {
            let mut bytes = *chunk;
            while let Some(frame) = frames.next(&mut bytes) {
                found.push(frame);
            }
        }
        found
    }

    #[test]
    fn messages_may_come_in_any_pieces() {
        let whole = b"Chello\0E00\0\0K1\0";
        let expected = ["Chello", "E00", "", "K1"].map(|text| Ok(text.to_owned()));
        assert_eq!(all(&[whole]), expected);
        let single: Vec<&[u8]> = whole.chunks(1).collect();
        assert_eq!(all(&single), expected);
    }

    #[test]
    fn the_longest_message_and_one_more() {
        let longest = [b"C".repeat(127), vec![0]].concat();
        assert_eq!(all(&[&longest]), [Ok("C".repeat(127))]);
        let error = all(&[&b"x".repeat(128)]).remove(0).unwrap_err().to_string();
        assert_eq!(error, "message of more than 127 characters, beginning \"xxxxxxxxxxxxxxxxxxxx\"");
    }

    #[test]
    fn a_long_chat_is_cut() {
        let chat = |count: usize| [b"C".to_vec(), b"a".repeat(count), b"\0E00\0".to_vec()].concat();
        for count in [127, 4_095] {
            assert_eq!(all(&[&chat(count)]), [Ok("C".to_owned() + &"a".repeat(126)), Ok("E00".to_owned())]);
        }
        assert!(all(&[&chat(4_096)])[0].is_err());
        // Another may be cut after it.
        assert_eq!(all(&[&[chat(4_000), chat(4_000)].concat()]).len(), 4);
    }

    #[test]
    fn words_of_people_may_have_accents() {
        assert_eq!(all(&["Cé\0".as_bytes()]), [Ok("C??".to_owned())]);
        assert_eq!(all(&[b"R01Andr\xe9\0A01Andr\xe9\0"]).len(), 2);
        let error = all(&[b"M000\xff"]).remove(0).unwrap_err().to_string();
        assert_eq!(error, "byte 0xff at column 5 of a message, expected characters 1 to 127");
    }
}
