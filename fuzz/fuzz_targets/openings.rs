//! Arbitrary text as a list of openings: FEN, Hub positions, moves and PDN in any mixture. What is read can be played again.
#![no_main]

use kroon::game::Game;
use kroon::notation::openings;
use kroon::rules::VariantId;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for variant in VariantId::ALL {
        let Ok(list) = openings::read(variant, text) else { continue };
        assert!(!list.is_empty());
        for opening in list {
            assert!(opening.line >= 1 && opening.game.variant() == variant);
            let setup = opening.game.start().into();
            let mut again = Game::from_setup(variant, &setup).expect("own position");
            opening.game.moves().iter().for_each(|&mv| again.play(mv).expect("own move"));
            assert_eq!(again.position(), opening.game.position());
        }
    }
});
