use super::*;
use crate::game::Game;
use crate::notation::fen::game_from_fen;
use VariantId::{English, International};

fn game(variant: VariantId, fen: &str) -> Game {
    game_from_fen(variant, fen).unwrap_or_else(|error| panic!("{error}"))
}

fn reread(variant: VariantId, fen: &str, text: &str) -> String {
    let game = game(variant, fen);
    let mv = read(variant, game.position(), text).unwrap_or_else(|error| panic!("{fen}: {error}"));
    write(variant, game.position(), mv)
}

fn error(variant: VariantId, fen: &str, text: &str) -> String {
    read(variant, game(variant, fen).position(), text).expect_err(text).to_string()
}

/// The published example of an ambiguous capture: a king on 41, two ways to 48 with three pieces each.
const AMBIGUOUS: &str = "W:WK41:B20,33,37,43";

#[test]
fn syntax() {
    for (text, expected) in [
        ("32-28", "32-28"),
        ("32 -  28", "32-28"),
        ("1- 7", "1-7"),
        ("13x 2", "13x2"),
        ("06-11", "6-11"),
        ("3329", "33-29"),
        ("33X22", "33x22"),
        ("33:22", "33:22"),
        ("33\u{2013}29", "33-29"),
        ("c3-d4", "c3-d4"),
        ("c3d4", "c3-d4"),
        ("C3d4e5", "c3-d4-e5"),
        ("a3:c5:e7", "a3:c5:e7"),
        ("41x28x39x48", "41x28x39x48"),
    ] {
        assert_eq!(text.parse::<MoveText>().expect(text).to_string(), expected);
    }
    for text in [
        "", "32", "32-", "-28", "0-12", "32-0", "329", "333", "100-3", "32--28", "a9-b8", "32-28x", "c3",
        "32 28",
    ] {
        assert!(text.parse::<MoveText>().is_err(), "{text}");
    }
    let long = "1x".repeat(1_000_000);
    assert!(long.parse::<MoveText>().unwrap_err().to_string().len() < 200);
}

#[test]
fn ambiguous_captures_are_written_in_full() {
    let game = game(International, AMBIGUOUS);
    let mut texts: Vec<String> =
        game.legal_moves().iter().map(|&mv| write(International, game.position(), mv)).collect();
    texts.sort();
    assert_eq!(texts, ["41x14x25x48", "41x28x39x48"]);
    for text in ["41x28x39x48", "41-28-39-48", "41 x28: 39x 48"] {
        assert_eq!(reread(International, AMBIGUOUS, text), "41x28x39x48", "{text}");
    }
    for text in ["41x14x48", "41x25x48", "41x23x48", "41x14x34x48"] {
        assert_eq!(reread(International, AMBIGUOUS, text), "41x14x25x48", "{text}");
    }
    assert!(
        error(International, AMBIGUOUS, "41x48").contains("ambiguous, it could be: 41x14x25x48, 41x28x39x48")
    );
    assert!(
        error(International, AMBIGUOUS, "41x39x14x48").contains("not legal here, legal are: 41x14x25x48")
    );
}

#[test]
fn a_capture_without_a_turn_lists_the_square_behind_the_victim() {
    let game = game(International, "W:WK50:B44,22");
    for &mv in &game.legal_moves() {
        let full = full_text(International, game.position(), mv).to_string();
        assert!(full.starts_with("50x39x"), "{full}");
        assert_eq!(reread(International, "W:WK50:B44,22", &full), write(International, game.position(), mv));
    }
    assert_eq!(reread(International, "W:WK50:B44,22", "50x33x17"), "50x17");
    assert!(error(International, "W:WK50:B44,22", "50x6x17").contains("not legal"));
}

#[test]
fn routes_to_the_same_result_are_one_move() {
    // Round a square of four men, either way, back to where it began.
    let fen = "W:W47:B42,41,32,31";
    assert_eq!(game(International, fen).legal_moves().len(), 1);
    for text in ["47x47", "47x38x27x36x47", "47x36x27x38x47", "47-27-47"] {
        assert_eq!(reread(International, fen, text), "47x47");
    }
    assert!(error(International, fen, "47x36x36x47").contains("not legal"));
}

#[test]
fn the_sign_does_not_decide() {
    assert_eq!(reread(International, "W:W33:B28", "33-22"), "33x22");
    assert_eq!(reread(International, "W:W33:B1", "33x28"), "33-28");
    let refused = error(International, "W:W33,50:B28", "50-45");
    assert_eq!(refused, "move \"50-45\" is not legal here, legal are: 33x22");
    assert!(error(International, "W:W33:B28", "33-51").contains("no square \"51\", squares are 1 to 50"));
    assert!(error(International, "W:W33:B28", "c3-d4").contains("no square \"c3\""));
    assert!(error(International, "B:W33:B", "33-28").contains("legal are: none"));
}

#[test]
fn short_kings_and_letters() {
    assert_eq!(reread(English, "B:W18,10:BK22", "22x15x6"), "22x6");
    assert_eq!(reread(English, "B:W18,10:BK22", "c3xe5xc7"), "22x6");
    assert_eq!(reread(English, "W:W22:B1", "c3d4"), "22-18");
    assert!(
        error(English, "W:W22:B1", "c3-c4").contains("no square \"c4\", squares are 1 to 32 or the dark")
    );
    // Two ways for a man from 6 to 22 around different pieces.
    let fork = "B:W9,10,17,18:B6";
    let game = game(English, fork);
    let mut texts: Vec<String> =
        game.legal_moves().iter().map(|&mv| write(English, game.position(), mv)).collect();
    texts.sort();
    assert_eq!(texts, ["6x13x22", "6x15x22"]);
    assert!(error(English, fork, "6x22").contains("ambiguous"));
    assert!(error(English, fork, "6x13x15x22").contains("not legal"));
}

#[test]
fn a_single_jump_has_no_longer_form() {
    // The king can also jump round and come back to 14 before it takes 9.
    let fen = "W:WK14:B9,10,11,18,19";
    let game = game(English, fen);
    let mv = read(English, game.position(), "14x5").unwrap();
    assert_eq!(mv.captured().len(), 1);
    assert_eq!(write(English, game.position(), mv), "14x5");
    for &mv in &game.legal_moves() {
        let text = write(English, game.position(), mv);
        assert_eq!(read(English, game.position(), &text), Ok(mv), "{text}");
    }
}
