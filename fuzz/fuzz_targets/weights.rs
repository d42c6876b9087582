//! Arbitrary bytes as a file of weights: a file that is read survives a round trip. To reach the compressed part, the
//! input is also tried behind the first line of a valid file, and combined by XOR with the bytes after that line.
#![no_main]

use kroon::eval::Learned;
use kroon::eval::policy::Policy;
use libfuzzer_sys::fuzz_target;
use std::sync::LazyLock;

const TRUE_FILE: &[u8] = include_bytes!("../../src/eval/data/international.weights");

/// The same with a policy.
static WITH_POLICY: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let weights = Learned::from_bytes(TRUE_FILE).expect("own weights");
    let policy = Policy::from_numbers((0..Policy::SIZE).map(|i| (i % 997) as i16 - 498));
    weights.with_policy(policy).to_bytes().expect("compression")
});

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    for file in [TRUE_FILE, WITH_POLICY.as_slice()] {
        let header = file.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        check(&[&file[..header], bytes].concat());
        let mut damaged = file.to_vec();
        damaged[header..].iter_mut().zip(bytes).for_each(|(byte, change)| *byte ^= change);
        check(&damaged);
    }
});

fn check(bytes: &[u8]) {
    let Ok(read) = Learned::from_bytes(bytes) else { return };
    let written = read.to_bytes().expect("compression");
    assert!(Learned::from_bytes(&written).expect("own weights") == read);
}
