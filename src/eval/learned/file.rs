//! Files of weights: variant, compressed weights, checksums. What is in them is told by the format:
//!
//! | blocks | without a policy | with one |
//! |---|---|---|
//! | none | `kroon-weights 4` | `kroon-weights 6` |
//! | four | `kroon-weights 7` | `kroon-weights 8` |
//! | nine | `kroon-weights 9` | `kroon-weights 10` |
//!
//! A line of JSON (format, variant, scale, XXH3 checksum of the network's numbers, and of the policy's), then, compressed
//! with Zstandard, the numbers of the network, 16 bits each, little-endian, in the order of [`Net::numbers`], and those of
//! the policy in the order of [`Policy::numbers`].

use super::Learned;
use super::net::Net;
use crate::eval::policy::Policy;
use crate::rules::VariantId;
use crate::words::quote;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use thiserror::Error;

/// The names of the formats by [`Net::BLOCKS`], each without a policy and with one.
const FORMATS: [[&str; 2]; Net::BLOCKS.len()] = [
    ["kroon-weights 4", "kroon-weights 6"],
    ["kroon-weights 7", "kroon-weights 8"],
    ["kroon-weights 9", "kroon-weights 10"],
];

/// The name of the format, by the number of blocks and whether there is a policy.
fn format(blocks: usize, has_policy: bool) -> &'static str {
    let place = Net::BLOCKS.iter().position(|&count| count == blocks).unwrap_or_default();
    FORMATS[place][usize::from(has_policy)]
}

// A network or a policy of another size is another format: files of this one would be called damaged.
const _: () = assert!(Net::SIZE == 34_952 && Policy::SIZE == 123_233);
const _: () = assert!(Net::size(4) == 3_394_184 && Net::size(9) == 7_593_224);
/// The level of Zstandard: 19 makes 15 MB of weights a twentieth smaller, in twenty times the time (6 s instead of 0.3).
const COMPRESSION: i32 = 9;
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    policy: Option<String>,
}

/// Why bytes are no weights.
#[derive(Debug, Error)]
pub enum WeightsError {
    /// It does not begin as such a file does.
    #[error(
        "no file of weights that this version reads: it begins with {0}, expected {{\"format\":\"NAME\" with one of the names {names}",
        names = FORMATS.as_flattened().join(", ")
    )]
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
        let net = little_endian(self.net.numbers());
        let policy = self.policy.as_ref().map(|policy| little_endian(policy.numbers().copied()));
        let header = WeightsHeader {
            format: format(self.net.blocks(), policy.is_some()).to_owned(),
            variant: self.variant.name().to_owned(),
            scale: self.scale,
            checksum: checksum(&net),
            policy: policy.as_deref().map(checksum),
        };
        let mut bytes = serde_json::to_vec(&header)?;
        bytes.push(b'\n');
        let raw = [net, policy.unwrap_or_default()].concat();
        bytes.extend(zstd::encode_all(raw.as_slice(), COMPRESSION)?);
        Ok(bytes)
    }

    /// The checksum of the evaluation's weights, as in their file; the policy's are not in it.
    pub fn checksum(&self) -> String {
        checksum(&little_endian(self.net.numbers()))
    }

    /// The checksum of the policy, as in the file.
    pub fn policy_checksum(&self) -> Option<String> {
        self.policy().map(|policy| checksum(&little_endian(policy.numbers().copied())))
    }

    /// Reads what [`Learned::to_bytes`] wrote.
    ///
    /// # Errors
    /// When the bytes are no such file, or not whole. The work is bounded by the size of the program's own weights.
    pub fn from_bytes(bytes: &[u8]) -> Result<Learned, WeightsError> {
        let begin = &bytes[..bytes.len().min(MOST_HEADER)];
        let fault = || WeightsError::Header(quote(&String::from_utf8_lossy(&begin[..begin.len().min(60)])));
        let end = begin.iter().position(|&byte| byte == b'\n').ok_or_else(fault)?;
        let header: WeightsHeader = serde_json::from_slice(&begin[..end]).map_err(|_| fault())?;
        let variant: VariantId = header.variant.parse().map_err(|_| fault())?;
        let has_policy = header.policy.is_some();
        let is_this = |blocks: &usize| header.format == format(*blocks, has_policy);
        let blocks = Net::BLOCKS.into_iter().find(is_this).ok_or_else(fault)?;
        let damaged = |error: io::Error| WeightsError::Damaged(error.to_string());
        let of_net = 2 * Net::size(blocks);
        let length = of_net + if has_policy { 2 * Policy::SIZE } else { 0 };
        let mut raw = Vec::new();
        let mut decoder = zstd::Decoder::new(&bytes[end + 1..]).map_err(damaged)?;
        decoder.window_log_max(MOST_WINDOW).map_err(damaged)?;
        decoder.take(length as u64 + 1).read_to_end(&mut raw).map_err(damaged)?;
        let wrong = || WeightsError::Damaged("length or checksum is wrong".to_owned());
        let (net, policy) = raw.split_at_checked(of_net).filter(|_| raw.len() == length).ok_or_else(wrong)?;
        if checksum(net) != header.checksum || header.policy.is_some_and(|sum| sum != checksum(policy)) {
            return Err(wrong());
        }
        if header.scale == 0 {
            return Err(WeightsError::Damaged("its scale is 0".to_owned()));
        }
        let learned = Learned::new(variant, Net::from_numbers(numbers(net), blocks), header.scale);
        Ok(if policy.is_empty() {
            learned
        } else {
            learned.with_policy(Policy::from_numbers(numbers(policy)))
        })
    }
}

fn little_endian(numbers: impl Iterator<Item = i16>) -> Vec<u8> {
    numbers.flat_map(|number| number.to_le_bytes()).collect()
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = i16> {
    bytes.chunks_exact(2).map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]]))
}

fn checksum(raw: &[u8]) -> String {
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(raw))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(blocks: usize) -> Learned {
        let net = Net::from_numbers((0..).map(|i| (i % 1499) as i16 - 749), blocks);
        Learned::new(VariantId::Brazilian, net, 120)
    }

    fn with_policy(blocks: usize) -> Learned {
        let policy = Policy::from_numbers((0..Policy::SIZE).map(|i| (i % 997) as i16 - 498));
        weights(blocks).with_policy(policy)
    }

    #[test]
    fn what_is_written_is_read() {
        for (blocks, formats) in Net::BLOCKS.into_iter().zip(FORMATS) {
            for (weights, format) in [weights(blocks), with_policy(blocks)].into_iter().zip(formats) {
                let bytes = weights.to_bytes().unwrap();
                assert!(bytes.starts_with(format!("{{\"format\":\"{format}\",").as_bytes()));
                assert!(Learned::from_bytes(&bytes).unwrap() == weights);
            }
            // It evaluates as it does without, and is called the same.
            assert_eq!(with_policy(blocks).checksum(), weights(blocks).checksum());
        }
    }

    #[test]
    fn foreign_damaged_and_torn_files_are_errors() {
        [weights(0), with_policy(0), weights(4), with_policy(9)].iter().for_each(damage);
    }

    fn damage(weights: &Learned) {
        let bytes = weights.to_bytes().unwrap();
        for cut in [0, 5, 50, 120, bytes.len() / 2, bytes.len() - 1] {
            assert!(Learned::from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
        for at in [0, 20, bytes.len() / 2, bytes.len() - 30] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x15;
            assert!(Learned::from_bytes(&damaged).is_err(), "{at}");
        }
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
        let header = String::from_utf8_lossy(&bytes[..end]).replace(":120,", ":0,");
        let no_scale = [header.as_bytes(), &bytes[end..]].concat();
        let error = Learned::from_bytes(&no_scale).unwrap_err().to_string();
        assert!(error.ends_with("its scale is 0"), "{error}");
        let header = String::from_utf8_lossy(&bytes[..end]).replace("kroon-weights ", "kroon-weights 3");
        let old = [header.as_bytes(), &bytes[end..]].concat();
        let error = Learned::from_bytes(&old).unwrap_err().to_string();
        for part in ["kroon-weights 3", "expected {\"format\":\"NAME\"", "kroon-weights 4, kroon-weights 6, "]
        {
            assert!(error.contains(part), "{error}");
        }
    }
}
