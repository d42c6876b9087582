//! Arbitrary bytes as a file of a learned player: what is read survives a round trip. To reach the content, the input is
//! also tried with correct checksums: as what is compressed, and in the place of what is.
#![no_main]

use kroon::agents::learned::{LearnedFile, LearnedKind};
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    let [first, content @ ..] = bytes else { return };
    let learner = LearnedKind::NAMES[usize::from(*first) % LearnedKind::NAMES.len()];
    let line = serde_json::json!({
        "format": "kroon-learned 1", "learner": learner, "variant": "english", "settings": [], "seed": 1, "games": 1,
        "planned": 1, "parent": null, "prior": null, "curve": [], "content": format!("{:016x}", xxh3_64(content)),
    });
    let packed = zstd::encode_all(content, 1).expect("compression");
    for packed in [&packed[..], content] {
        let mut file = format!("{line}\n").into_bytes();
        file.extend(packed);
        file.extend(xxh3_64(&file).to_le_bytes());
        check(&file);
    }
});

fn check(bytes: &[u8]) {
    let Ok(read) = LearnedFile::from_bytes(bytes) else { return };
    let written = read.to_bytes().expect("compression");
    assert!(LearnedFile::from_bytes(&written).expect("own file") == read);
}
