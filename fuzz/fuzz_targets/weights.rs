//! Arbitrary bytes as a file of weights: a file that is read survives a round trip. To reach the compressed part, the
//! input is also tried behind the first line of a valid file, and combined by XOR with the bytes after that line.
#![no_main]

use kroon::eval::Learned;
use libfuzzer_sys::fuzz_target;

const TRUE_FILE: &[u8] = include_bytes!("../../src/eval/data/international.weights");

fuzz_target!(|bytes: &[u8]| {
    check(bytes);
    let header = TRUE_FILE.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    check(&[&TRUE_FILE[..header], bytes].concat());
    let mut damaged = TRUE_FILE.to_vec();
    damaged[header..].iter_mut().zip(bytes).for_each(|(byte, change)| *byte ^= change);
    check(&damaged);
});

fn check(bytes: &[u8]) {
    let Ok(read) = Learned::from_bytes(bytes) else { return };
    let written = read.to_bytes().expect("compression");
    assert!(Learned::from_bytes(&written).expect("own weights") == read);
}
