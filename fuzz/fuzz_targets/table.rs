//! Arbitrary bytes as an endgame table, and changes to a valid one: whatever opens answers every question without a
//! panic, and values survive a round trip. The checksum before the blocks is put right, so that dictionary and
//! directory are reached.
#![no_main]

use kroon::rules::VariantId;
use kroon::tablebase::format::{ANY, Kind, Table, TableName, encode};
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of the head, where the number of bytes of all blocks stands in it, and the checksum's.
const HEAD: usize = 64;
const DATA: usize = 48;
const CHECKSUM: usize = 8;

fuzz_target!(|bytes: &[u8]| {
    check(bytes.to_vec());
    let (changes, values) = bytes.split_at(bytes.len().min(32));
    if values.is_empty() {
        return;
    }
    let values: Vec<u8> = values.iter().flat_map(|&byte| std::iter::repeat_n(byte % 4, usize::from(byte) / 4 + 1)).collect();
    let values: Vec<u8> = values.into_iter().map(|value| if value == 3 { ANY } else { value }).collect();
    let material = "21v10".parse().expect("a slice");
    let name = TableName { variant: VariantId::English, kind: Kind::Outcome, material };
    let table = encode(&name, &values[..]).expect("a small table");
    let read = Table::from_bytes(table.clone()).expect("our own table");
    for (index, &value) in values.iter().enumerate() {
        assert!(value == ANY || read.get(index as u64) == Some(value));
    }
    let mut damaged = table;
    for change in changes.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % damaged.len();
        damaged[at] ^= change[2];
    }
    check(damaged);
});

fn check(mut bytes: Vec<u8>) {
    reseal(&mut bytes);
    let Ok(table) = Table::from_bytes(bytes) else { return };
    let _ = table.check();
    let step = (table.count() / 500).max(1);
    let mut index = 0;
    while index < table.count() {
        let _ = table.get(index);
        let Some(next) = index.checked_add(step) else { break };
        index = next;
    }
    let _ = table.fault();
}

/// Puts the checksum before the blocks right, where there is one.
fn reseal(bytes: &mut [u8]) {
    let Some(data) = bytes.get(DATA..DATA + 8).and_then(|word| word.try_into().ok()).map(u64::from_le_bytes) else {
        return;
    };
    let front = (bytes.len() as u64).checked_sub(data).and_then(|length| length.checked_sub(CHECKSUM as u64));
    if let Some(front) = front.map(|front| front as usize).filter(|&front| front >= HEAD) {
        let checksum = xxh3_64(&bytes[..front]).to_le_bytes();
        bytes[front..front + CHECKSUM].copy_from_slice(&checksum);
    }
}
