//! Arbitrary bytes as an opening book, and changes to a valid one: whatever opens answers every question without a panic and
//! in time. The checksum is put right, so that head and entries are reached.
#![no_main]

use kroon::book::{Book, BookHead, Entry, Games, audit, key, write};
use kroon::game::Game;
use kroon::rules::VariantId;
use kroon::score::Score;
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of the checksum at the end.
const CHECKSUM: usize = 8;

fuzz_target!(|bytes: &[u8]| {
    check(bytes.to_vec());
    let (changes, values) = bytes.split_at(bytes.len().min(32));
    let mut damaged = sound(values);
    assert!(Book::from_bytes(damaged.clone()).is_ok_and(|book| book.check().is_ok()), "our own book");
    for change in changes.chunks_exact(3) {
        let at = usize::from(u16::from_le_bytes([change[0], change[1]])) % damaged.len();
        damaged[at] ^= change[2];
    }
    check(damaged);
});

/// The positions after the first moves, with these values.
fn sound(values: &[u8]) -> Vec<u8> {
    let variant = VariantId::English;
    let mut games = vec![Game::new(variant)];
    for at in 0..8.min(values.len()) {
        for &mv in games[at].clone().legal_moves().iter() {
            let mut game = games[at].clone();
            game.play(mv).expect("a legal move");
            games.push(game);
        }
    }
    let entry = |(game, &value): (&Game, &u8)| Entry {
        key: key(variant, game.position()),
        value: (value != 0).then(|| Score::from_centi(i32::from(value) - 128)),
        depth: value % 5,
        games: Games { wins: value.into(), ..Games::default() },
    };
    let mut entries: Vec<Entry> = games.iter().zip(values).map(entry).collect();
    entries.sort_by_key(|entry| entry.key);
    entries.dedup_by_key(|entry| entry.key);
    let head = BookHead { variant, has_values: true, has_games: true, nodes: 1 };
    let mut out = Vec::new();
    write(&head, entries.into_iter().map(Ok), &mut out).expect("memory");
    out
}

fn check(mut bytes: Vec<u8>) {
    if let Some(end) = bytes.len().checked_sub(CHECKSUM) {
        let checksum = xxh3_64(&bytes[..end]).to_le_bytes();
        bytes[end..].copy_from_slice(&checksum);
    }
    let Ok(book) = Book::from_bytes(bytes) else { return };
    let _ = book.check();
    let start = Game::new(book.variant());
    for margin in [0, 10_000] {
        assert!(book.candidates(start.position(), margin).iter().all(|(_, weight)| *weight > 0));
    }
    let _ = book.line(start.position());
    let _ = audit(&book);
    assert_eq!(book.entries().count(), book.len());
}
