//! Round trips, and what damage does.

use super::*;
use proptest::prelude::*;

const NAME: TableName = TableName {
    variant: VariantId::English,
    kind: Kind::Outcome,
    material: Material { men: [1, 0], kings: [2, 1] },
};

/// Values in runs, as tables have them, by a linear congruence.
fn values(count: usize, longest: u64, most: u8, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut values = Vec::new();
    while values.len() < count {
        let value = if next(4) == 0 { ANY } else { next(u64::from(most)) as u8 };
        values.extend(std::iter::repeat_n(value, 1 + next(longest) as usize));
    }
    values.truncate(count);
    values
}

/// Whether a table has all that is stored.
fn assert_same(bytes: Vec<u8>, values: &[u8]) {
    let table = Table::from_bytes(bytes).unwrap();
    assert_eq!((table.name(), table.count()), (&NAME, values.len() as u64));
    let step = (values.len() / 5_000).max(1);
    for (index, &value) in values.iter().enumerate().step_by(step) {
        let read = table.get(index as u64).unwrap();
        assert!(value == ANY || read == value, "{index}: {read} is not {value}");
    }
    assert_eq!(table.get(values.len() as u64), None);
    let (mut all, mut block) = (Vec::new(), Vec::new());
    for at in 0..table.blocks() {
        table.block(at, &mut block).unwrap();
        all.extend_from_slice(&block);
    }
    assert_eq!(all.len(), values.len());
    assert!(all.iter().zip(values).all(|(read, value)| *value == ANY || read == value));
    table.check().unwrap();
    assert!(table.block(table.blocks(), &mut block).is_err());
}

#[test]
fn tables_come_back() {
    for (count, longest, most) in
        [(1, 1, 1), (8192, 1, 3), (8193, 3, 3), (300_000, 60, 3), (200_000, 9, 61), (400_000, 1, 255)]
    {
        let values = values(count, longest, most, count as u64);
        assert_same(encode(&NAME, &values[..]).unwrap(), &values);
    }
    assert_same(encode(&NAME, &[ANY; 100_000][..]).unwrap(), &[0; 100_000]);
}

#[test]
fn a_head_with_impossible_pieces_is_refused() {
    for (men, kings) in [([200, 0], [57, 1]), ([0, 1], [0, 1]), ([5, 2], [1, 1]), ([255, 1], [1, 0])] {
        let name = TableName { material: Material { men, kings }, ..NAME };
        let error = Table::from_bytes(encode(&name, &[1; 100][..]).unwrap()).unwrap_err().to_string();
        assert!(error.contains("the head says pieces"), "{men:?} {kings:?}: {error}");
    }
}

#[test]
fn a_repeated_pattern_takes_next_to_nothing() {
    let pattern = values(500, 20, 3, 1);
    let values: Vec<u8> = pattern.iter().copied().cycle().take(500_000).collect();
    let bytes = encode(&NAME, &values[..]).unwrap();
    assert!(bytes.len() < 5_000, "{}", bytes.len());
    assert_same(bytes, &values);
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let values = values(700_000, 30, 3, 7);
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| encode(&NAME, &values[..]).unwrap())
    };
    assert_eq!(with(1), with(3));
}

#[test]
fn every_damaged_block_is_found_and_named() {
    let values = values(900_000, 20, 3, 3);
    let bytes = encode(&NAME, &values[..]).unwrap();
    let sound = Table::from_bytes(bytes.clone()).unwrap();
    assert!(sound.blocks() > 100);
    let data = bytes.len() - sound.head_data();
    for at in (data..bytes.len()).step_by(sound.head_data() / 150) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 4;
        let table = Table::from_bytes(damaged).unwrap();
        assert!(table.fault().is_none());
        let error = table.check().unwrap_err();
        let FormatError::Block { block } = error else { panic!("{error}") };
        assert_eq!(table.fault().unwrap().to_string(), FormatError::Block { block }.to_string());
        assert_eq!(table.get(block * 8192), None);
    }
    for at in 0..data {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(Table::from_bytes(damaged).is_err(), "byte {at}");
    }
    for length in [0, 7, 63, 64, data - 1, data, bytes.len() - 1] {
        assert!(Table::from_bytes(bytes[..length].to_vec()).is_err(), "{length} bytes");
    }
}

#[test]
fn a_file_is_opened_and_others_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x");
    let values = values(20_000, 20, 3, 3);
    let size = write(&path, &NAME, &values[..]).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().len(), size);
    let known = values.iter().position(|&value| value != ANY).unwrap();
    assert_eq!(Table::open(&path).unwrap().get(known as u64), Some(values[known]));
    std::fs::write(&path, "something else, of more than sixty-four bytes, that is no table at all").unwrap();
    assert_eq!(Table::open(&path).unwrap_err().to_string(), "no endgame table of Kroon");
    std::fs::write(&path, "").unwrap();
    assert!(Table::open(&path).is_err());
    assert!(Table::open(&folder.path().join("y")).unwrap_err().to_string().contains("y\": "));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_values_come_back(count in 1..30_000_usize, longest in 1..50_u64, most in 1..200_u8, seed: u64) {
        let values = values(count, longest, most, seed);
        assert_same(encode(&NAME, &values[..]).unwrap(), &values);
    }

    #[test]
    fn no_bytes_make_it_panic(seed: u64, changes in prop::collection::vec((any::<u16>(), any::<u8>()), 1..8)) {
        let mut bytes = encode(&NAME, &values(9_000, 5, 3, seed)[..]).unwrap();
        for (at, byte) in changes {
            let at = usize::from(at) % bytes.len();
            bytes[at] = byte;
        }
        // With a right checksum, so that what is behind it is looked at.
        if let Ok(head) = super::head::Head::read(&bytes)
            && let Some(front) = (bytes.len() as u64).checked_sub(head.data + 8).map(|front| front as usize)
        {
            let sum = xxhash_rust::xxh3::xxh3_64(&bytes[..front]).to_le_bytes();
            bytes[front..front + 8].copy_from_slice(&sum);
        }
        if let Ok(table) = Table::from_bytes(bytes) {
            let _ = table.check();
            for index in (0..table.count().min(9_000)).step_by(97) {
                let _ = table.get(index);
            }
        }
    }
}
