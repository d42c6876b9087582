//! A game in a file: its length, its checksum, its bytes.

use std::io;

/// Bytes before a game: its length and its checksum.
pub(super) const FRAME: u64 = 6;

pub(super) fn checksum(bytes: &[u8]) -> u32 {
    xxhash_rust::xxh3::xxh3_64(bytes) as u32
}

/// The most bytes of a game: its length has two of them.
pub const MOST_PAYLOAD: usize = u16::MAX as usize;

/// A game with its length and checksum, as it stands in a file.
///
/// # Errors
/// When the game has more than [`MOST_PAYLOAD`] bytes.
pub fn frame(payload: &[u8]) -> io::Result<Vec<u8>> {
    let length = u16::try_from(payload.len()).map_err(|_| {
        let fault = format!("a game of {} bytes, expected {MOST_PAYLOAD} at most", payload.len());
        io::Error::new(io::ErrorKind::InvalidInput, fault)
    })?;
    let mut frame = Vec::with_capacity(payload.len() + FRAME as usize);
    frame.extend(length.to_le_bytes());
    frame.extend(checksum(payload).to_le_bytes());
    frame.extend(payload);
    Ok(frame)
}

/// Whether a whole game begins somewhere in these bytes, which begin inside a frame whose length leads beyond the end.
pub(super) fn holds_a_game(bytes: &[u8]) -> bool {
    (0..bytes.len()).any(|start| {
        let Some(([a, b, sum @ ..], rest)) = bytes[start..].split_first_chunk::<{ FRAME as usize }>() else {
            return false;
        };
        let length = usize::from(u16::from_le_bytes([*a, *b]));
        // Checksums of 32 bits agree by chance once in many thousands of such tails.
        length > 0 && rest.get(..length).is_some_and(|game| checksum(game) == u32::from_le_bytes(*sum))
    })
}
