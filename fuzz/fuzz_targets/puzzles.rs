//! Arbitrary text as a file of puzzles: what reads can be written, as lines, PDN and a sheet, and reads back unchanged.
#![no_main]

use kroon::puzzles::{read, sheet, write, write_pdn};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let Ok(puzzles) = read(text) else { return };
    let mut lines = Vec::new();
    write(&puzzles, &mut lines).expect("memory");
    let again = read(std::str::from_utf8(&lines).expect("JSON")).expect("our own lines");
    assert_eq!(again.len(), puzzles.len());
    for (a, b) in again.iter().zip(&puzzles) {
        assert_eq!((&a.fen, &a.solution, &a.sidelines, &a.themes), (&b.fen, &b.solution, &b.sidelines, &b.themes));
    }
    write_pdn(&puzzles).expect("legal moves");
    sheet("puzzles", &puzzles).expect("legal moves");
});
