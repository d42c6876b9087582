//! Round trips of FENs that can be read, and of the moves of their positions.
#![no_main]

use kroon::board::Setup;
use kroon::notation::{dxp, fen, moves};
use kroon::rules::{VariantId, legal_moves};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for variant in VariantId::ALL {
        let Ok(read) = fen::parse(variant, text) else { continue };
        let written = fen::write_setup(variant, &read.setup);
        assert_eq!(fen::parse(variant, &written).expect("own FEN").setup, read.setup);
        let Ok(game) = fen::game_from_fen(variant, text) else { continue };
        let position = game.position();
        // Runs of kings that mean nothing (no men, no such rule) are forgotten, so the text may be shorter.
        let again = fen::game_from_fen(variant, &fen::write(variant, position)).expect("own FEN");
        assert_eq!(again.position(), position);
        for mv in legal_moves(variant, position) {
            for text in [moves::text(variant, position, mv), moves::full_text(variant, position, mv)] {
                assert_eq!(moves::read(variant, position, &text.to_string()), Ok(mv), "{written}: {text}");
            }
        }
        if variant == VariantId::International {
            let text = dxp::write_position(position);
            assert_eq!(dxp::parse_position(&text), Ok(Setup::from(position)));
        }
    }
    let _ = text.parse::<dxp::DxpMove>();
    let _ = dxp::parse_position(text);
});
