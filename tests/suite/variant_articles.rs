//! Rules that perft from the initial positions does not reach, for each variant: precedence, landings, ends of games,
//! limits of moves.

use super::articles::{check, play};
use kroon::board::{Color, Move};
use kroon::game::{DrawReason, Game, Outcome};
use kroon::notation::fen;
use kroon::rules::VariantId::{self, *};

fn game(variant: VariantId, fen: &str) -> Game {
    fen::game_from_fen(variant, fen).unwrap_or_else(|error| panic!("{error}"))
}

fn played(variant: VariantId, fen: &str, moves: &str) -> Game {
    let mut game = game(variant, fen);
    moves.split_whitespace().for_each(|mv| play(&mut game, mv));
    game
}

/// FMJD-64 6.2: thirty moves with four or five pieces and kings on both sides, sixty with six or seven. A man's move starts
/// the shorter counts anew, but not this one.
#[test]
fn russian_kings_on_both_sides_have_thirty_moves() {
    let moves = "c1-a3 f8-g7 a3-b2 g7-f8 b2-c3 f8-g7 c3-b4 g7-e5 b4-c5 e5-g7 c5-e3 g7-h6 e3-a7 h6-f4 a7-d4 f4-h2 d4-g1 h2-b8 \
                 g1-f2 b8-e5 f2-b6 e5-b8 b6-a5 b8-h2 a1-b2 h2-d6 a5-d8 d6-b8 d8-a5 b8-h2 a5-e1 h2-f4 e1-a5 f4-b8 a5-e1 b8-h2 \
                 e1-d2 h2-g1 d2-a5 g1-c5 a5-d8 c5-d4 b2-a3 d4-g1 d8-e7 g1-a7 e7-g5 a7-b6 g5-h4 b6-d8 h4-g3 d8-g5 g3-f2 g5-d8 \
                 f2-a7 d8-f6 a7-b8 f6-g7 b8-a7 g7-h6";
    let moves: Vec<&str> = moves.split_whitespace().collect();
    assert_eq!(moves.len(), 60);
    for (variant, is_counted) in [(Russian, true), (Brazilian, true), (Pool, false), (Czech, false)] {
        let mut game = game(variant, "W:Wa1,Kc1:BKf8,h8");
        for text in &moves {
            assert_eq!(game.outcome(), None, "{variant} before {text}");
            let mv = kroon::notation::moves::read(variant, game.position(), text).unwrap();
            game.play(mv).unwrap();
        }
        let end = is_counted.then_some(Outcome::Draw(DrawReason::MoveCount));
        assert_eq!(game.outcome(), end, "{variant}");
    }
}

#[test]
fn killer_the_last_king_is_stopped_behind_also_after_turns() {
    check(Killer, "W:WK47:B33,K14", "47x9x14x33");
    check(Killer, "W:WK47:BK33,14", "47x3x14x33 47x9x14x33");
    check(International, "W:WK47:B33,K14", "47x3x14x33 47x9x14x33");
}

#[test]
fn killer_two_kings_beat_one_so_no_short_limits() {
    let mut game = game(Killer, "W:WK46,K48:BK4");
    assert_eq!(wander(&mut game, 49), None);
    assert_eq!(wander(&mut game, 1), Some(Outcome::Draw(DrawReason::MoveCount)));
}

/// Plays quiet king moves that give nothing away and repeat no position; says what the rules then say.
fn wander(game: &mut Game, plies: usize) -> Option<Outcome> {
    wander_where(game, plies, &|_| true)
}

/// The same over positions that fulfil a condition. Depth first: where a way ends, another is tried.
fn wander_where(game: &mut Game, plies: usize, condition: &dyn Fn(&Game) -> bool) -> Option<Outcome> {
    let mut budget = 100_000;
    assert!(tour(game, plies, condition, &mut budget), "no tour of {plies} plies");
    game.outcome()
}

fn tour(game: &mut Game, plies: usize, condition: &dyn Fn(&Game) -> bool, budget: &mut u32) -> bool {
    if plies == 0 {
        return true;
    }
    assert_eq!(game.outcome(), None, "after {} plies", game.moves().len());
    let quiet = |mv: &Move| mv.is_king() && !mv.is_capture();
    for mv in game.legal_moves() {
        *budget = budget.checked_sub(1).expect("a tour within the budget");
        game.play(mv).unwrap();
        let safe = quiet(&mv)
            && game.occurrences() == 1
            && game.legal_moves().iter().all(quiet)
            && !game.legal_moves().is_empty()
            && condition(game);
        if safe && tour(game, plies - 1, condition, budget) {
            return true;
        }
        game.undo();
    }
    false
}

#[test]
fn breakthrough_who_crowns_has_won() {
    let game = played(Breakthrough, "W:W7:B30,45", "7-1");
    assert_eq!(game.outcome(), Some(Outcome::Win(Color::White)));
    assert!(game.legal_moves().is_empty());
    let game = played(Breakthrough, "B:W31:B41", "41-46");
    assert_eq!(game.outcome(), Some(Outcome::Win(Color::Black)));
}

#[test]
fn breakthrough_passing_the_last_row_crowns_nobody() {
    let game = played(Breakthrough, "W:W15:B9,10,20", "15x13x9x10");
    assert_eq!(game.outcome(), None);
}

#[test]
fn breakthrough_a_king_at_the_start_is_an_error_for_its_side_and_a_loss_for_the_other() {
    let error = fen::game_from_fen(Breakthrough, "W:WK28:B1").unwrap_err().to_string();
    assert!(error.contains("White is to move but has a king and so has won already"), "{error}");
    assert_eq!(game(Breakthrough, "B:WK28:B1").outcome(), Some(Outcome::Win(Color::White)));
}

#[test]
fn breakthrough_who_cannot_move_has_lost() {
    assert_eq!(game(Breakthrough, "W:W46:B41").outcome(), None);
    assert_eq!(game(Breakthrough, "W:W46:B37,41").outcome(), Some(Outcome::Win(Color::Black)));
}

#[test]
fn losing_who_cannot_move_has_won() {
    let game = played(Losing, "W:W28:B22", "28x17x22");
    assert_eq!(game.outcome(), Some(Outcome::Win(Color::Black)));
}

#[test]
fn losing_blocked_wins() {
    assert_eq!(game(Losing, "W:W46:B37,41").outcome(), Some(Outcome::Win(Color::White)));
    assert_eq!(game(International, "W:W46:B37,41").outcome(), Some(Outcome::Win(Color::Black)));
}

#[test]
fn losing_has_the_twenty_five_moves_but_no_limit_for_a_lone_king() {
    let mut game = game(Losing, "W:WK46,K48:BK4");
    assert_eq!(wander(&mut game, 49), None);
    assert_eq!(wander(&mut game, 1), Some(Outcome::Draw(DrawReason::MoveCount)));
}

#[test]
fn frisian_values_a_king_is_just_under_two_men() {
    // One king is more than one man.
    check(Frisian, "W:W33,25:BK28,20", "33x22x28");
    // One king is less than two men.
    check(Frisian, "W:W33,25:BK28,20,10", "25x5x10x20");
    check(Frysk, "W:W33,25:BK28,20,10", "25x5x10x20");
}

#[test]
fn frisian_no_more_than_three_king_moves_in_a_row() {
    let three = played(Frisian, "W:WK46,50:B20", "46-41 20-25 41-46 25-30 46-41 30-35");
    let text = fen::write(Frisian, three.position());
    assert_eq!(text, "W:WK41,50:B35:+0+341");
    let moves: Vec<_> = three.legal_moves().into_iter().collect();
    assert!(moves.iter().all(|mv| !mv.is_king()), "{moves:?}");
    // A capture is still allowed, and ends the run.
    check(Frisian, "W:WK41,50:B28:+0+341", "41x23x28 41x19x28 41x14x28 41x10x28 41x5x28");
    let after = played(Frisian, "W:WK41,50:B28,6:+0+341", "41x23x28");
    assert_eq!(fen::write(Frisian, after.position()), "B:WK23,50:B6");
    // Another move of the side ends it too.
    let after = played(Frisian, "W:WK41,50:B15:+0+341", "50-45");
    assert_eq!(fen::write(Frisian, after.position()), "B:WK41,45:B15");
}

#[test]
fn frisian_another_king_begins_anew_and_without_men_nobody_counts() {
    let other = played(Frisian, "W:WK46,K47,50:B21:+0+246", "47-42");
    assert_eq!(fen::write(Frisian, other.position()), "B:WK42,K46,50:B21:+0+142");
    // The loss of the king, and of the last man, end a run.
    let taken = played(Frisian, "B:WK28,50:B22:+0+228", "22x33x28");
    assert_eq!(fen::write(Frisian, taken.position()), "W:W50:B33");
    let alone = played(Frisian, "B:WK7,28:B22:+0+307", "22x33x28");
    assert_eq!(fen::write(Frisian, alone.position()), "W:WK7:B33");
    assert!(alone.legal_moves().len() > 1);
}

#[test]
fn frisian_who_may_not_move_his_only_king_has_lost() {
    let blocked = game(Frisian, "W:W46,K50:B37,41:+0+350");
    assert_eq!(blocked.outcome(), Some(Outcome::Win(Color::Black)));
    assert_eq!(game(Frisian, "W:W46,K50:B37,41:+0+250").outcome(), None);
}

#[test]
fn frisian_runs_are_part_of_the_position() {
    let first = game(Frisian, "W:WK46,50:B6:+0+146");
    let second = game(Frisian, "W:WK46,50:B6:+0+246");
    assert_ne!(first.position().key(), second.position().key());
    assert_ne!(first.position(), second.position());
}

#[test]
fn frisian_two_kings_against_one_seven_moves_one_against_one_two() {
    let mut two = game(Frisian, "W:WK46,K48:BK4");
    assert_eq!(wander(&mut two, 13), None);
    assert_eq!(wander(&mut two, 1), Some(Outcome::Draw(DrawReason::MoveCount)));
    let mut one = game(Frisian, "W:WK46:BK4");
    assert_eq!(wander(&mut one, 3), None);
    assert_eq!(wander(&mut one, 1), Some(Outcome::Draw(DrawReason::MoveCount)));
}

#[test]
fn russian_endings_of_fmjd_64() {
    let draw = Some(Outcome::Draw(DrawReason::MoveCount));
    let on_long_road = |game: &Game| {
        let black = game.position().side(Color::Black);
        black.into_iter().all(|sq| sq.row() + sq.column() == 7)
    };
    // Two kings against one: five moves each.
    let mut two = game(Russian, "W:WKb8,Ka7:BKh4");
    assert_eq!(wander(&mut two, 9), None);
    assert_eq!(wander(&mut two, 1), draw);
    // Three kings: fifteen moves each, unless the lone king holds the long diagonal.
    let mut three = game(Russian, "W:WKb8,Ka7,Kd8:BKh4");
    assert_eq!(wander_where(&mut three, 29, &|game| !on_long_road(game)), None);
    assert_eq!(wander(&mut three, 1), draw);
    let mut road = game(Russian, "W:WKb8,Ka7,Kd8:BKh8");
    assert_eq!(wander_where(&mut road, 9, &on_long_road), None);
    assert_eq!(wander_where(&mut road, 1, &on_long_road), draw);
}

#[test]
fn italian_the_fourth_occurrence_is_a_draw() {
    let mut game = game(Italian, "W:WK1,K2:BK31,K32");
    let mut rounds = 0;
    while game.outcome().is_none() {
        let back: &[&str] = &["1-5", "32-28", "5-1", "28-32"];
        play(&mut game, back[rounds % 4]);
        rounds += 1;
    }
    assert_eq!((rounds, game.outcome()), (12, Some(Outcome::Draw(DrawReason::Repetition))));
}

#[test]
fn numbers_and_letters_of_boards() {
    // Spanish: square 1 at White's right, White moves to higher numbers.
    check(Spanish, "W:W1:B32", "1-5");
    check(Italian, "W:W32:B1", "32-28");
    let start = fen::write(Russian, Game::new(Russian).position());
    assert_eq!(start, "W:Wa3,c3,e3,g3,b2,d2,f2,h2,a1,c1,e1,g1:Bb8,d8,f8,h8,a7,c7,e7,g7,b6,d6,f6,h6");
}
