//! Files of weights: `kroon-weights 2`, variant, compressed weights, checksum.
//!
//! A line of JSON (format, variant, number of weights, scale, XXH3 checksum of the weights), then the weights, compressed with
//! Zstandard: 16-bit little-endian numbers, first those of the opening, then those of the ending, in both the pattern
//! tables in their order, the extra features, the move; then the network for few pieces. Placements that never occurred
//! have the weight 0, which compresses well.

use super::inputs::EXTRA;
use super::net::Net;
use super::{Learned, Weight, table_size};
use crate::rules::VariantId;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use thiserror::Error;

const FORMAT: &str = "kroon-weights 2";
/// A first line is shorter than this.
const MOST_HEADER: usize = 1_000;

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    variant: String,
    weights: usize,
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
    /// Weights for other patterns.
    #[error("a file with {found} weights for {variant}, expected {expected}: it belongs to another version")]
    Size {
        /// The variant.
        variant: String,
        /// Weights in the file.
        found: usize,
        /// Weights of this program.
        expected: usize,
    },
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
        let header = Header {
            format: FORMAT.to_owned(),
            variant: self.variant.name().to_owned(),
            weights: raw.len() / 2,
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
        let mut raw = Vec::with_capacity(4 * self.tables.len());
        for phase in 0..2 {
            let weights = self.tables.iter().chain(&self.extra).chain([&self.tempo]);
            weights.for_each(|weight| raw.extend(weight[phase].to_le_bytes()));
        }
        self.net.numbers().for_each(|number| raw.extend(number.to_le_bytes()));
        raw
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
        let header: Header = serde_json::from_slice(&begin[..end]).map_err(|_| fault())?;
        let variant: VariantId = header.variant.parse().map_err(|_| fault())?;
        if header.format != FORMAT {
            return Err(fault());
        }
        let in_phase = table_size(variant) + EXTRA.len() + 1;
        let weights = 2 * in_phase + Net::SIZE;
        if header.weights != weights {
            return Err(WeightsError::Size {
                variant: header.variant,
                found: header.weights,
                expected: weights,
            });
        }
        let damaged = |error: io::Error| WeightsError::Damaged(error.to_string());
        let mut raw = Vec::with_capacity(2 * weights);
        zstd::Decoder::new(&bytes[end + 1..])
            .map_err(damaged)?
            .take(2 * weights as u64 + 1)
            .read_to_end(&mut raw)
            .map_err(damaged)?;
        if raw.len() != 2 * weights || checksum(&raw) != header.checksum {
            return Err(WeightsError::Damaged("length or checksum is wrong".to_owned()));
        }
        let number = |i: usize| i16::from_le_bytes([raw[2 * i], raw[2 * i + 1]]);
        let weight = |i: usize| -> Weight { [number(i), number(in_phase + i)] };
        let tables = table_size(variant);
        Ok(Learned {
            variant,
            tables: (0..tables).map(weight).collect(),
            extra: std::array::from_fn(|i| weight(tables + i)),
            tempo: weight(in_phase - 1),
            net: Net::from_numbers((2 * in_phase..weights).map(number)),
            scale: header.scale,
        })
    }
}

fn checksum(raw: &[u8]) -> String {
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(raw))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn net() -> Net {
        Net::from_numbers((0..Net::SIZE).map(|i| (i % 1999) as i16 - 999))
    }

    fn weights() -> Learned {
        let variant = VariantId::Brazilian;
        let tables = (0..table_size(variant)).map(|i| [i as i16, !(i as i16)]).collect();
        Learned::new(variant, tables, std::array::from_fn(|i| [i as i16, 7]), [3, -4], net(), 120)
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
        let text =
            String::from_utf8_lossy(&bytes[..bytes.iter().position(|&b| b == b'\n').unwrap()]).into_owned();
        let foreign = text.replace("brazilian", "international") + "\n";
        assert!(matches!(Learned::from_bytes(foreign.as_bytes()), Err(WeightsError::Size { .. })));
    }
}
