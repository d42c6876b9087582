//! Checkpoints: the numbers of what is learned, compressed, with the settings that they belong to.

use super::FitError;
use crate::files::open_regular;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::PathBuf;
use xxhash_rust::xxh3::Xxh3;

/// Bytes at either end of a file that tell it from others.
const MARGIN: u64 = 1 << 16;

/// What tells settings from others: a run is not to go on with the state of another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SettingsKey(u64);

impl SettingsKey {
    /// The key of settings in words.
    pub fn of(settings: &str) -> SettingsKey {
        SettingsKey(xxhash_rust::xxh3::xxh3_64(settings.as_bytes()))
    }

    /// The key of the same settings with the games of these files.
    ///
    /// # Errors
    /// When a file cannot be read.
    pub fn with_games(self, files: &[PathBuf]) -> Result<SettingsKey, FitError> {
        let mut hash = Xxh3::new();
        hash.update(&self.0.to_le_bytes());
        for path in files {
            let add = |hash: &mut Xxh3| -> io::Result<()> {
                let mut file = open_regular(path)?;
                let length = file.metadata()?.len();
                hash.update(&length.to_le_bytes());
                // Files of one length with the same beginning and end are the same games.
                for start in [0, length.saturating_sub(MARGIN)] {
                    file.seek(SeekFrom::Start(start))?;
                    let mut bytes = Vec::new();
                    file.by_ref().take(MARGIN).read_to_end(&mut bytes)?;
                    hash.update(&bytes);
                }
                Ok(())
            };
            add(&mut hash).map_err(|source| FitError::Io { path: path.clone(), source })?;
        }
        Ok(SettingsKey(hash.digest()))
    }
}

/// The bytes of a state after so many passes.
///
/// # Errors
/// When the compression fails.
pub fn pack(passes: u32, key: SettingsKey, numbers: impl Iterator<Item = f32>) -> io::Result<Vec<u8>> {
    let mut bytes = passes.to_le_bytes().to_vec();
    bytes.extend(key.0.to_le_bytes());
    numbers.for_each(|number| bytes.extend(number.to_le_bytes()));
    bytes.extend(xxhash_rust::xxh3::xxh3_64(&bytes).to_le_bytes());
    zstd::encode_all(bytes.as_slice(), 1)
}

/// The passes and the numbers of a state; none if it is damaged, of other settings, or has not exactly `count` numbers.
pub fn unpack(bytes: &[u8], key: SettingsKey, count: usize) -> Option<(u32, Vec<f32>)> {
    const HEAD: usize = 12;
    let expected = HEAD + 4 * count;
    let mut raw = Vec::new();
    let most = expected as u64 + 8 + 1;
    zstd::Decoder::new(bytes).ok()?.take(most).read_to_end(&mut raw).ok()?;
    let (state, checksum) = raw.split_last_chunk::<8>()?;
    if state.len() != expected || xxhash_rust::xxh3::xxh3_64(state) != u64::from_le_bytes(*checksum) {
        return None;
    }
    let (passes, rest) = state.split_first_chunk::<4>()?;
    let (found, rest) = rest.split_first_chunk::<8>()?;
    if u64::from_le_bytes(*found) != key.0 {
        return None;
    }
    let numbers = rest.chunks_exact(4).map(|of| f32::from_le_bytes([of[0], of[1], of[2], of[3]]));
    Some((u32::from_le_bytes(*passes), numbers.collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked_by_the_same_settings_only() {
        let key = SettingsKey::of("frisian 5 0.01");
        let numbers = [1.5, -0.25, f32::MAX];
        let bytes = pack(3, key, numbers.into_iter()).unwrap();
        assert_eq!(unpack(&bytes, key, 3), Some((3, numbers.to_vec())));
        assert_eq!(unpack(&bytes, SettingsKey::of("frisian 6 0.01"), 3), None);
        assert_eq!((unpack(&bytes, key, 2), unpack(&bytes, key, 4)), (None, None));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x11;
            assert!(unpack(&damaged, key, 3).is_none_or(|(passes, same)| passes == 3 && same == numbers));
            assert_eq!(unpack(&bytes[..at], key, 3), None);
        }
    }
}
