//! Arbitrary bytes as a file of games: reading and playing never panics, and a game that is read is written as the same
//! bytes. To reach the games, the input is also tried behind valid first lines, of one run and of a file put together from
//! several, and as a game with a valid checksum.
#![no_main]

use kroon::rules::VariantId;
use kroon::train::origin::{Part, Set};
use kroon::train::record::SelfplayGame;
use kroon::train::shard::{ShardHeader, ShardReader, frame};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    let [variant, rest @ ..] = bytes else { return };
    let variant = VariantId::ALL[usize::from(*variant) % VariantId::ALL.len()];
    let header = ShardHeader::new(variant, 1, 0, 100, "handmade");
    let mut file = serde_json::to_vec(&header).expect("own header");
    file.push(b'\n');
    read(&[&file[..], rest].concat());
    if let Ok(frame) = frame(rest) {
        assert!(read(&[&file[..], &frame].concat()) <= 1);
        // The same games in a file that says how many it has.
        let [said, ..] = *rest else { return };
        let part = |first, games| Part { run: header.clone(), first, games };
        let set = Set::new(variant.name(), vec![part(0, u64::from(said % 2)), part(7, u64::from(said % 3))]);
        let mut file = serde_json::to_vec(&set).expect("own set");
        file.push(b'\n');
        assert!(read(&[&file[..], &frame].concat()) <= set.games().min(1));
    }
});

/// Games that could be read.
fn read(bytes: &[u8]) -> u64 {
    let Ok(mut reader) = ShardReader::new(Path::new("fuzz"), bytes) else { return 0 };
    let variant = reader.variant();
    while let Ok(Some(game)) = reader.next_game() {
        let written = game.encode();
        assert_eq!(SelfplayGame::decode(variant, &written).expect("own game"), game);
        let _ = game.replay(variant, |_, _, _| ());
        let _ = game.game(variant);
    }
    assert!(reader.offset() <= bytes.len() as u64);
    reader.games()
}
