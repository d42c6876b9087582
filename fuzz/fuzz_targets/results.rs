//! Arbitrary bytes as a results file of a match: reading it and reporting on it never panics. To reach the games, the input is
//! also tried behind a valid first line.
#![no_main]

use kroon::arena::{report, store};
use libfuzzer_sys::fuzz_target;

const HEADER: &[u8] = br#"{"kroon_match":1,"variant":"international","engines":[{"name":"a","what":"a","limits":"depth 1","margin":"0"},{"name":"b","what":"b","limits":"depth 1","margin":"0"}],"openings":"ballot2","format":"round-robin","rules":"none"}
"#;

fuzz_target!(|bytes: &[u8]| {
    look_at(bytes);
    look_at(&[HEADER, bytes].concat());
});

fn look_at(bytes: &[u8]) {
    let Ok((header, records)) = store::parse(bytes, "fuzz") else { return };
    let _ = report::page(&header, &records, &[]);
    let _ = report::json(&header, &records);
}
