//! Rule articles as tests; each test names its article.
//!
//! FMJD: Official Rules of the international draughts game. WCDF: Rules of (English) Draughts.

use kroon::board::{Color, Move};
use kroon::game::{DrawReason, Game, Outcome};
use kroon::notation::fen::game_from_fen;
use kroon::rules::VariantId;

/// A move as `from-to` or `fromxtoxc1xc2`, captured squares ascending.
fn text(variant: VariantId, mv: Move) -> String {
    let number = |sq| variant.rules().board.number(sq).to_string();
    let mut text = number(mv.from()) + if mv.is_capture() { "x" } else { "-" } + &number(mv.to());
    let mut captured: Vec<u8> =
        mv.captured().into_iter().map(|sq| variant.rules().board.number(sq)).collect();
    captured.sort_unstable();
    captured.iter().for_each(|number| text += &format!("x{number}"));
    text
}

fn moves(variant: VariantId, fen: &str) -> Vec<String> {
    let game = game_from_fen(variant, fen).unwrap();
    let mut list: Vec<String> = game.legal_moves().into_iter().map(|mv| text(variant, mv)).collect();
    list.sort();
    list
}

pub fn check(variant: VariantId, fen: &str, expected: &str) {
    let mut expected: Vec<&str> = expected.split_whitespace().collect();
    expected.sort_unstable();
    assert_eq!(moves(variant, fen), expected, "{variant} {fen}");
}

fn international(fen: &str, expected: &str) {
    check(VariantId::International, fen, expected);
}

fn english(fen: &str, expected: &str) {
    check(VariantId::English, fen, expected);
}

/// Plays the only legal move with this text.
pub fn play(game: &mut Game, wanted: &str) {
    let variant = game.variant();
    let mv = game.legal_moves().into_iter().find(|&mv| text(variant, mv) == wanted);
    game.play(mv.unwrap_or_else(|| panic!("{wanted} is not legal"))).unwrap();
}

#[test]
fn fmjd_3_4_men_move_forward_diagonally_one_square() {
    international("W:W28:B1", "28-22 28-23");
    international("B:W50:B28", "28-32 28-33");
    international("W:W26:B1", "26-21");
}

#[test]
fn fmjd_3_9_kings_move_any_distance_over_free_squares() {
    international("W:WK46,19:B1", "46-41 46-37 46-32 46-28 46-23 19-13 19-14");
}

#[test]
fn fmjd_4_1_men_capture_forward_and_backward() {
    international("W:W28:B22,33", "28x17x22 28x39x33");
}

#[test]
fn fmjd_4_3_a_king_lands_on_any_free_square_behind() {
    international("W:WK46:BK28", "46x23x28 46x19x28 46x14x28 46x10x28 46x5x28");
}

#[test]
fn fmjd_4_8_a_captured_piece_may_be_passed_never_jumped_again_and_blocks_until_the_end() {
    // Turkish strike: the man on 19 would be free to land behind if 28 left the board at once.
    international("W:WK41,49:B9,10,12,19,38", "41x43x9x12x19x38");
}

#[test]
fn fmjd_4_8_an_empty_square_may_be_passed_more_than_once() {
    // Four men around: the capturing man ends where it began.
    international("W:W32:B27,28,17,18", "32x32x17x18x27x28");
}

#[test]
fn fmjd_4_13_the_majority_must_be_captured_a_king_counts_as_one() {
    international("W:W48:B24,K31,34,K42,43", "48x19x24x34x43");
}

#[test]
fn fmjd_4_14_equal_numbers_leave_a_free_choice() {
    international("W:W26:B12,K21,31,32", "26x8x12x21 26x28x31x32");
    international("W:WK46,33:B28", "33x22x28 46x23x28 46x19x28 46x14x28 46x10x28 46x5x28");
}

#[test]
fn fmjd_4_15_a_man_that_only_passes_the_last_row_stays_a_man() {
    international("W:W15:B9,10", "15x13x9x10");
    let mut game = game_from_fen(VariantId::International, "W:W15:B9,10,36").unwrap();
    play(&mut game, "15x13x9x10");
    assert!(game.position().kings().is_empty());
}

#[test]
fn fmjd_3_5_a_man_that_ends_on_the_last_row_is_crowned() {
    let mut game = game_from_fen(VariantId::International, "W:W6:B45").unwrap();
    play(&mut game, "6-1");
    assert_eq!(game.position().kings_of(Color::White).len(), 1);
}

#[test]
fn closed_loops_of_different_kings_are_different_moves() {
    let all = moves(VariantId::International, "W:WK11,K21,K25:B9,12,18,19,28,K29,34,K38");
    assert_eq!(all.len(), 10);
    assert!(all.iter().any(|m| m.starts_with("21x21")) && all.iter().any(|m| m.starts_with("25x25")));
}

#[test]
fn one_capture_over_two_routes_is_listed_once() {
    // The king may turn on 14 or 19 or 23 on its way; only from, to and the captured set count.
    let all = moves(VariantId::International, "W:WK41:B20,33,37,43");
    let mut unique = all.clone();
    unique.dedup();
    assert_eq!(all, unique);
    assert!(all.contains(&"41x48x33x37x43".into()) && all.contains(&"41x48x20x37x43".into()));
}

#[test]
fn fmjd_who_cannot_move_has_lost() {
    let blocked = game_from_fen(VariantId::International, "W:W26:B17,21").unwrap();
    assert_eq!(blocked.outcome(), Some(Outcome::Win(Color::Black)));
    let mut game = game_from_fen(VariantId::International, "W:W28:B22").unwrap();
    play(&mut game, "28x17x22");
    assert_eq!(game.outcome(), Some(Outcome::Win(Color::White)));
}

#[test]
fn fmjd_6_1_third_occurrence_is_a_draw() {
    let mut game = game_from_fen(VariantId::International, "W:WK47,50:BK4,1").unwrap();
    for cycle in 1..=2 {
        assert_eq!((game.occurrences(), game.outcome()), (cycle, None));
        for mv in ["47-36", "4-15", "36-47", "15-4"] {
            play(&mut game, mv);
        }
    }
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Repetition)));
}

/// Moves kings about for `plies` without an offer to capture and without a third repetition.
fn wander(game: &mut Game, plies: usize) {
    for ply in 0..plies {
        assert_eq!(game.outcome(), None, "after {ply} plies");
        let mut moves: Vec<Move> = game.legal_moves().into_iter().filter(|mv| mv.is_king()).collect();
        moves.rotate_left(ply * 7 % game.legal_moves().len());
        let calm = moves.into_iter().find(|&mv| {
            let mut next = game.clone();
            next.play(mv).unwrap();
            !next.legal_moves().iter().any(|reply| reply.is_capture()) && next.occurrences() < 2
        });
        game.play(calm.expect("a calm king move")).unwrap();
    }
}

#[test]
fn fmjd_6_2_twenty_five_king_moves_each() {
    // Two kings a side: no lone-king rule.
    let mut game = game_from_fen(VariantId::International, "W:WK46,K47:BK5,K4").unwrap();
    wander(&mut game, 50);
    assert_eq!(game.counters().reversible_plies(), 50);
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::MoveCount)));
}

#[test]
fn fmjd_6_2_a_man_move_starts_the_count_anew() {
    let mut game = game_from_fen(VariantId::International, "W:WK46,K47,45:BK5,K4").unwrap();
    wander(&mut game, 20);
    play(&mut game, "45-40");
    assert_eq!(game.counters().reversible_plies(), 0);
}

#[test]
fn fmjd_6_3_one_king_against_three_pieces_sixteen_moves() {
    let mut game = game_from_fen(VariantId::International, "W:WK46,K47,K48:BK4").unwrap();
    wander(&mut game, 32);
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::MoveCount)));
}

#[test]
fn fmjd_6_3_one_king_against_two_pieces_five_moves() {
    for fen in ["W:WK46,K47:BK4", "W:WK46:BK4", "W:WK46,45:BK4"] {
        let mut game = game_from_fen(VariantId::International, fen).unwrap();
        wander(&mut game, 10);
        assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::MoveCount)), "{fen}");
    }
}

#[test]
fn wcdf_1_15_men_move_and_capture_forward_only() {
    english("W:W18:B1", "18-14 18-15");
    english("W:W18:B22,15", "18x11x15");
}

#[test]
fn wcdf_1_16_kings_move_one_square_any_way() {
    english("W:WK18:B1", "18-14 18-15 18-22 18-23");
}

#[test]
fn wcdf_1_19_a_free_choice_of_captures() {
    english("W:W22:B17,18,9", "22x6x9x17 22x15x18");
}

#[test]
fn wcdf_1_19_crowning_ends_the_move() {
    english("W:W11:B7,6,14", "11x2x7");
}

#[test]
fn wcdf_1_20_capturing_is_compulsory() {
    english("B:W18,32:B14,1", "14x23x18");
}

#[test]
fn wcdf_1_32_forty_moves_each_without_progress() {
    let mut game = game_from_fen(VariantId::English, "B:WK29,K32:BK1,K4").unwrap();
    wander(&mut game, 80);
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::MoveCount)));
}
