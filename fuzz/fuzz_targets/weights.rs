//! A file of weights that can be read is written so that it is read as the same again. The first byte of the
//! input also chooses a whole header to put before the rest, so that the compressed part is reached.
#![no_main]

use kroon::eval::Learned;
use kroon::rules::VariantId;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    if let [variant, rest @ ..] = bytes {
        let variant = VariantId::ALL[usize::from(*variant) % VariantId::ALL.len()];
        let weights = 2 * (kroon::eval::learned::table_size(variant) + kroon::eval::learned::inputs::EXTRA.len() + 1);
        let header = format!(
            "{{\"format\":\"kroon-weights 1\",\"variant\":\"{variant}\",\"weights\":{weights},\"checksum\":\"0\"}}\n"
        );
        check(&[header.as_bytes(), rest].concat());
    }
});

fn check(bytes: &[u8]) {
    let Ok(read) = Learned::from_bytes(bytes) else { return };
    let written = read.to_bytes().expect("compression");
    assert!(Learned::from_bytes(&written).expect("own weights") == read);
}
