//! Files of weights: `kroon-weights 3`, variant, compressed weights, checksum.
//!
//! A line of JSON (format, variant, number of placements of all patterns, scale, XXH3 checksum of what follows), then,
//! compressed with Zstandard: a bit for each placement, whether it has weights (most never occur and have none), the
//! lowest bit of a byte first; then 16-bit little-endian numbers: for each phase, from all men to none, the weights of
//! the placements whose bit is set, in the order of the tables, of the extra features, and of the move; then the
//! network for few pieces.

use super::inputs::EXTRA;
use super::net::Net;
use super::phase::{PHASES, Weight};
use super::{Learned, table_size};
use crate::rules::VariantId;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use thiserror::Error;

const FORMAT: &str = "kroon-weights 3";
/// A first line is shorter than this.
const MOST_HEADER: usize = 1_000;

#[derive(Serialize, Deserialize)]
struct Header {
    format: String,
    variant: String,
    placements: usize,
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
    #[error("a file of {found} placements for {variant}, expected {expected}: it belongs to another version")]
    Size {
        /// The variant.
        variant: String,
        /// Placements in the file.
        found: usize,
        /// Placements in this program.
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
            placements: self.tables.len(),
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
        let present: Vec<&Weight> = self.tables.iter().filter(|weight| **weight != [0; PHASES]).collect();
        let mut raw = vec![0; self.tables.len().div_ceil(8)];
        for (i, weight) in self.tables.iter().enumerate() {
            raw[i / 8] |= u8::from(*weight != [0; PHASES]) << (i % 8);
        }
        raw.reserve(2 * (PHASES * (present.len() + EXTRA.len() + 1) + Net::SIZE));
        for phase in 0..PHASES {
            let weights = present.iter().copied().chain(&self.extra).chain([&self.tempo]);
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
        let placements = table_size(variant);
        if header.placements != placements {
            return Err(WeightsError::Size {
                variant: header.variant,
                found: header.placements,
                expected: placements,
            });
        }
        let damaged = |error: io::Error| WeightsError::Damaged(error.to_string());
        let bits = placements.div_ceil(8);
        let most = bits + 2 * (PHASES * (placements + EXTRA.len() + 1) + Net::SIZE);
        let mut raw = Vec::new();
        zstd::Decoder::new(&bytes[end + 1..])
            .map_err(damaged)?
            .take(most as u64 + 1)
            .read_to_end(&mut raw)
            .map_err(damaged)?;
        let incomplete = || WeightsError::Damaged("length or checksum is wrong".to_owned());
        if raw.len() < bits || checksum(&raw) != header.checksum {
            return Err(incomplete());
        }
        let (present, numbers) = raw.split_at(bits);
        let is_present = |i: usize| present[i / 8] >> (i % 8) & 1 == 1;
        let count = (0..placements).filter(|&i| is_present(i)).count();
        let in_phase = count + EXTRA.len() + 1;
        if numbers.len() != 2 * (PHASES * in_phase + Net::SIZE) {
            return Err(incomplete());
        }
        let number = |i: usize| i16::from_le_bytes([numbers[2 * i], numbers[2 * i + 1]]);
        let weight = |i: usize| -> Weight { std::array::from_fn(|phase| number(phase * in_phase + i)) };
        // What is never written takes no memory.
        let mut tables = vec![[0; PHASES]; placements].into_boxed_slice();
        let places = tables.iter_mut().enumerate().filter(|(i, _)| is_present(*i));
        places.enumerate().for_each(|(i, (_, place))| *place = weight(i));
        Ok(Learned {
            variant,
            tables,
            extra: std::array::from_fn(|i| weight(count + i)),
            tempo: weight(in_phase - 1),
            net: Net::from_numbers((PHASES * in_phase..numbers.len() / 2).map(number)),
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
        let weight =
            |i: usize| std::array::from_fn(|phase| if i.is_multiple_of(3) { (i + phase) as i16 } else { 0 });
        let tables = (0..table_size(variant)).map(weight).collect();
        Learned::new(variant, tables, std::array::from_fn(|i| [i as i16; PHASES]), [3; PHASES], net(), 120)
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
