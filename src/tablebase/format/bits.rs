//! Symbols of a fixed number of bits, one after another; the first in the lowest bits.

/// Writes symbols; the last byte is filled with zeros.
#[derive(Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    held: u32,
    count: u32,
}

impl BitWriter {
    /// Appends a symbol of `width` bits.
    pub fn push(&mut self, symbol: u16, width: u32) {
        self.held |= u32::from(symbol) << self.count;
        self.count += width;
        while self.count >= 8 {
            self.bytes.push(self.held as u8);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    /// The bytes.
    pub fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.bytes.push(self.held as u8);
        }
        self.bytes
    }
}

/// Reads symbols.
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    held: u64,
    count: u32,
}

impl<'a> BitReader<'a> {
    pub fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader { bytes, held: 0, count: 0 }
    }

    /// The next symbol of `width` bits, at most 16; none if the bytes are at their end.
    #[inline(always)]
    pub fn next(&mut self, width: u32) -> Option<u16> {
        if self.count < width {
            self.refill();
            if self.count < width {
                return None;
            }
        }
        let symbol = self.held & ((1 << width) - 1);
        self.held >>= width;
        self.count -= width;
        Some(symbol as u16)
    }

    #[inline(always)]
    fn refill(&mut self) {
        if let Some((word, rest)) = self.bytes.split_first_chunk::<4>() {
            self.held |= u64::from(u32::from_le_bytes(*word)) << self.count;
            self.count += 32;
            self.bytes = rest;
            return;
        }
        while let Some((&byte, rest)) = self.bytes.split_first() {
            self.held |= u64::from(byte) << self.count;
            self.count += 8;
            self.bytes = rest;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_come_back_in_every_width() {
        for width in 0..=16 {
            let symbols: Vec<u16> =
                (0..100u32).map(|i| (i.wrapping_mul(40_503) & ((1 << width) - 1)) as u16).collect();
            let mut writer = BitWriter::default();
            symbols.iter().for_each(|&symbol| writer.push(symbol, width));
            let bytes = writer.finish();
            assert_eq!(bytes.len(), (100 * width as usize).div_ceil(8));
            let mut reader = BitReader::new(&bytes);
            let read: Vec<u16> = (0..100).map(|_| reader.next(width).unwrap()).collect();
            assert_eq!(read, symbols, "width {width}");
            assert!(width < 8 || reader.next(width).is_none());
        }
    }
}
