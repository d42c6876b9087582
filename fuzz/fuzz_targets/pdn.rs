//! Arbitrary bytes as a PDN file: games that are read, and their moves, survive a round trip. A file that is read piece by
//! piece has the same games, and the tag `TimeControl` is read as what is written.
#![no_main]

use kroon::notation::pdn::{self, PdnGame, PdnStream, TimeControlTag, WriteOptions};
use kroon::rules::VariantId;
use libfuzzer_sys::fuzz_target;
use std::io::{self, Read};

const ALL_OPTIONS: [WriteOptions; 2] =
    [WriteOptions { annotations: true, star: true }, WriteOptions { annotations: false, star: false }];

fuzz_target!(|bytes: &[u8]| {
    let text = pdn::decode(bytes);
    let _ = pdn::commands(&text);
    let _ = pdn::is_pdn(&text);
    let (games, warnings) = pdn::read_games(&text);
    let drop = 1 + usize::from(bytes.first().copied().unwrap_or(0) % 7);
    let mut stream = PdnStream::new(Drops(bytes, drop));
    let streamed: Vec<PdnGame> = stream.by_ref().map(|game| game.expect("no source fails")).collect();
    if pdn::is_pdn(&text) {
        assert_eq!((streamed, stream.take_warnings()), (games.clone(), warnings));
    }
    if let Ok(control) = text.parse::<TimeControlTag>() {
        assert_eq!(control.to_string().parse::<TimeControlTag>().as_ref(), Ok(&control));
    }
    for game in games {
        for options in ALL_OPTIONS {
            check_text(&game, options);
        }
        for variant in VariantId::ALL {
            check_moves(&game, variant);
        }
    }
});

/// Gives a few bytes at a time.
struct Drops<'a>(&'a [u8], usize);

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(buffer.len()).min(self.0.len());
        let (now, later) = self.0.split_at(count);
        buffer[..count].copy_from_slice(now);
        self.0 = later;
        Ok(count)
    }
}

/// The text of a game is read as that game: it is written as the same text.
fn check_text(game: &PdnGame, options: WriteOptions) {
    let written = game.write(options);
    let (again, warnings) = pdn::read_games(&written);
    assert_eq!((again.len(), &warnings[..]), (1, &[][..]), "{written}");
    assert_eq!(again[0].write(options), written);
}

/// The moves that were legal come back from a game that was written move by move.
fn check_moves(game: &PdnGame, variant: VariantId) {
    let _ = game.variation_faults(variant);
    let Ok(replay) = game.replay_as(variant) else { return };
    for section in replay.sections() {
        let written = PdnGame::from(section).write(WriteOptions::default());
        let (again, _) = pdn::read_games(&written);
        let again = again[0].replay().expect("own game");
        assert_eq!(again.stopped, None, "{written}");
        assert_eq!((again.game().start(), again.game().moves()), (section.start(), section.moves()));
    }
}
