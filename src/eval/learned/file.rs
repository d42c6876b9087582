//! Files of weights: `kroon-weights 4`, variant, compressed weights, checksum.
//!
//! A line of JSON (format, variant, scale, XXH3 checksum of what follows), then, compressed with Zstandard, the numbers
//! of the network, 16 bits each, little-endian, in the order of [`Net::numbers`].

use super::Learned;
use super::net::Net;
use crate::rules::VariantId;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use thiserror::Error;

const FORMAT: &str = "kroon-weights 4";
/// Compression may look back so far (a power of two of bytes), and that is the memory a file can ask for.
const MOST_WINDOW: u32 = 23;
/// A first line is shorter than this.
const MOST_HEADER: usize = 1_000;

#[derive(Serialize, Deserialize)]
struct WeightsHeader {
    format: String,
    variant: String,
    /// Centi-men for which the odds of winning are e to 1.
    scale: u16,
    checksum: String,
}

/// Why bytes are no weights.
#[derive(Debug, Error)]
pub enum WeightsError {
    /// It does not begin as such a file does.
    #[error("no file of weights: it begins with {0}, expected {{\"format\":\"{FORMAT}\"...")]
    Header(String),
    /// It ends too early or is damaged.
    #[error("the weights are damaged or incomplete: {0}")]
    Damaged(String),
}

impl Learned {
    /// The bytes of a file.
    ///
    /// # Errors
    /// When the compression fails.
    pub fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let raw = self.raw();
        let header = WeightsHeader {
            format: FORMAT.to_owned(),
            variant: self.variant.name().to_owned(),
            scale: self.scale,
            checksum: checksum(&raw),
        };
        let mut bytes = serde_json::to_vec(&header)?;
        bytes.push(b'\n');
        bytes.extend(zstd::encode_all(raw.as_slice(), 19)?);
        Ok(bytes)
    }

    /// The checksum of the weights, as in their file.
    pub fn checksum(&self) -> String {
        checksum(&self.raw())
    }

    /// All weights, uncompressed.
    fn raw(&self) -> Vec<u8> {
        self.net.numbers().flat_map(|number| number.to_le_bytes()).collect()
    }

    /// Reads what [`Learned::to_bytes`] wrote.
    ///
    /// # Errors
    /// When the bytes are no such file, or not whole. The work is bounded by the size of the program's own weights.
    pub fn from_bytes(bytes: &[u8]) -> Result<Learned, WeightsError> {
        let begin = &bytes[..bytes.len().min(MOST_HEADER)];
        let fault = || {
            WeightsError::Header(
                String::from_utf8_lossy(&begin[..begin.len().min(60)]).escape_debug().to_string(),
            )
        };
        let end = begin.iter().position(|&byte| byte == b'\n').ok_or_else(fault)?;
        let header: WeightsHeader = serde_json::from_slice(&begin[..end]).map_err(|_| fault())?;
        let variant: VariantId = header.variant.parse().map_err(|_| fault())?;
        if header.format != FORMAT {
            return Err(fault());
        }
        let damaged = |error: io::Error| WeightsError::Damaged(error.to_string());
        const LENGTH: usize = 2 * Net::SIZE;
        let mut raw = Vec::new();
        let mut decoder = zstd::Decoder::new(&bytes[end + 1..]).map_err(damaged)?;
        decoder.window_log_max(MOST_WINDOW).map_err(damaged)?;
        decoder.take(LENGTH as u64 + 1).read_to_end(&mut raw).map_err(damaged)?;
        if raw.len() != LENGTH || checksum(&raw) != header.checksum {
            return Err(WeightsError::Damaged("length or checksum is wrong".to_owned()));
        }
        let numbers = raw.chunks_exact(2).map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]));
        Ok(Learned::new(variant, Net::from_numbers(numbers), header.scale))
    }
}

fn checksum(raw: &[u8]) -> String {
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(raw))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn net() -> Net {
        Net::from_numbers((0..Net::SIZE).map(|i| (i % 1499) as i16 - 749))
    }

    fn weights() -> Learned {
        Learned::new(VariantId::Brazilian, net(), 120)
    }

    #[test]
    fn what_is_written_is_read() {
        let weights = weights();
        assert!(Learned::from_bytes(&weights.to_bytes().unwrap()).unwrap() == weights);
    }

    #[test]
    fn foreign_damaged_and_torn_files_are_errors() {
        let bytes = weights().to_bytes().unwrap();
        for cut in [0, 5, 50, 120, bytes.len() / 2, bytes.len() - 1] {
            assert!(Learned::from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
        for at in [0, 20, bytes.len() / 2, bytes.len() - 30] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x15;
            assert!(Learned::from_bytes(&damaged).is_err(), "{at}");
        }
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
        let header = String::from_utf8_lossy(&bytes[..end]).replace("weights 4", "weights 3");
        let old = [header.as_bytes(), &bytes[end..]].concat();
        let error = Learned::from_bytes(&old).unwrap_err().to_string();
        assert!(
            error.contains("kroon-weights 3") && error.contains("expected {\"format\":\"kroon-weights 4"),
            "{error}"
        );
    }
}
