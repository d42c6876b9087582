//! Whole DXP games in memory: both roles, and each way in which a game ends.

use crate::dxp_world::{Hand, World, schedule, settings, squares};
use kroon::board::Color;
use kroon::notation::fen;
use kroon::notation::pdn::{self, PdnResult, WriteOptions};
use kroon::protocol::dxp::record::DxpEnding;
use kroon::protocol::dxp::session::{Closing, DxpInput, DxpSettings, Role};
use kroon::rules::VariantId;
use kroon::score::Score;
use std::time::Duration;

fn match_of(games: u32, minutes: f64, moves: u16) -> World {
    let first = settings("First", Role::Initiator(schedule(games, minutes, moves)));
    World::new(first, settings("Second", Role::Follower(None)))
}

#[test]
fn a_match_is_played_and_both_sides_agree() {
    let mut world = match_of(6, 90.0, 0);
    world.connect();
    world.run();
    let [first, second] = &world.peers;
    assert_eq!(first.closing, Some(Closing::Complete));
    assert_eq!((first.records.len(), second.records.len()), (6, 6));
    assert!(first.notices.is_empty() && second.notices.is_empty());
    for (index, (a, b)) in first.records.iter().zip(&second.records).enumerate() {
        let write = |record: &kroon::protocol::dxp::record::Record| {
            record.pdn("2020.01.02").write(WriteOptions::default())
        };
        assert_eq!(write(a), write(b));
        assert_eq!(a.ours, if index % 2 == 0 { Color::White } else { Color::Black });
        assert_ne!(a.ending.result(), PdnResult::Unknown, "{}", a.ending);
        let (games, faults) = pdn::read_games(&write(a));
        assert!(faults.is_empty());
        assert_eq!(games[0].replay().unwrap().game().moves(), a.game.moves());
    }
}

#[test]
fn every_variant_on_this_board_is_played() {
    let mut played = 0;
    for variant in VariantId::ALL.into_iter().filter(|variant| variant.rules().board.squares() == 50) {
        let with = |settings: DxpSettings| DxpSettings { variant, ..settings };
        let first = with(settings("First", Role::Initiator(schedule(4, 90.0, 0))));
        let mut world = World::new(first, with(settings("Second", Role::Follower(None))));
        world.connect();
        world.run();
        let [first, second] = &world.peers;
        assert_eq!((first.records.len(), second.records.len()), (4, 4));
        for (a, b) in first.records.iter().zip(&second.records) {
            assert_eq!(a.ending, b.ending);
            assert!(
                matches!(a.ending, DxpEnding::Decided { .. } | DxpEnding::Draw(_)),
                "{variant}: {}",
                a.ending
            );
        }
        played += 1;
    }
    assert!(played > 0);
}

#[test]
fn openings_are_played_from_both_sides() {
    let mut schedule = schedule(4, 1.0, 20);
    schedule.openings = ["W:WK41:B20,33,37,43", "B:W31,32,33,34:B17,18,19,20"]
        .map(|text| fen::game_from_fen(VariantId::International, text).unwrap())
        .to_vec();
    let starts: Vec<_> = [0, 0, 1, 1].map(|index: usize| *schedule.openings[index].start()).to_vec();
    let mut world =
        World::new(settings("First", Role::Initiator(schedule)), settings("Second", Role::Follower(None)));
    world.connect();
    world.run();
    for peer in &world.peers {
        assert_eq!(peer.records.iter().map(|record| *record.game.start()).collect::<Vec<_>>(), starts);
    }
}

#[test]
fn the_limit_of_moves_ends_the_game() {
    let mut world = match_of(2, 0.0, 5);
    world.connect();
    world.run();
    for record in world.peers.iter().flat_map(|peer| &peer.records) {
        assert_eq!((record.game.moves().len(), &record.ending), (10, &DxpEnding::MoveLimit));
    }
}

/// Some systems reset a connection that one side has left.
#[test]
fn a_connection_that_breaks_after_the_last_game_has_served() {
    for (games, through) in [(1, true), (2, false)] {
        let mut world = match_of(games, 0.0, 5);
        world.connect();
        while world.peers[0].records.is_empty() {
            assert!(world.step());
        }
        assert_eq!(world.peers[0].closing, None, "it waits for the confirmation");
        world.feed(0, DxpInput::Closed(Some("the connection broke")));
        let closing = world.peers[0].closing.as_ref().unwrap();
        assert_eq!(matches!(closing, Closing::Complete), through, "{closing:?}");
    }
}

/// The limit of moves is told to the engine: so many of its own are still to come.
#[test]
fn the_engine_knows_how_many_moves_its_time_is_for() {
    let mut hand = Hand::new(settings("Kroon", Role::Follower(None)), 'Z', "005040A");
    for left in [40, 39, 38] {
        hand.play();
        let (_, request) = hand.peer.search.as_ref().unwrap();
        assert_eq!(request.limits.clock.unwrap().moves, Some(left));
        hand.think();
    }
}

#[test]
fn who_runs_out_of_time_loses_on_the_other_sides_turn() {
    let mut world = match_of(1, 0.1, 0);
    world.pace = Duration::from_millis(1500);
    world.peers[1].session = kroon::protocol::dxp::session::DxpSession::new(
        DxpSettings { move_time: Some(Duration::from_secs(1)), ..settings("Slow", Role::Follower(None)) },
        0,
    );
    world.connect();
    world.run();
    let endings: Vec<_> = world.peers.iter().map(|peer| peer.records[0].ending.clone()).collect();
    assert_eq!(endings, [DxpEnding::OutOfTime(Color::Black), DxpEnding::OutOfTime(Color::Black)]);
}

#[test]
fn a_lost_game_is_resigned_if_the_user_wants_that() {
    let resign = Some(Score::from_centi(500));
    let settings = DxpSettings { resign, ..settings("Kroon", Role::Follower(None)) };
    let mut hand = Hand::new(settings, 'W', "005075A");
    hand.peer.score = Score::from_centi(-501);
    for _ in 0..2 {
        assert!(hand.think()[0].starts_with('M'));
        hand.play();
    }
    assert_eq!(hand.think(), ["E10"]);
    assert_eq!(hand.ending(), DxpEnding::Resigned(Color::White));
    // The confirmation, and the next game.
    assert!(hand.say("E00").is_empty());
    hand.ready();
    assert!(hand.say("R01Hand                            Z005075A")[0].ends_with('0'));
}

#[test]
fn no_moves_is_a_loss_that_the_loser_announces() {
    // White captures the last piece: Black has nothing left.
    let start = format!("000000BW{}", squares(&[(28, 'w'), (23, 'z')]));
    let mut hand = Hand::new(settings("Kroon", Role::Follower(None)), 'Z', &start);
    assert_eq!(hand.say("M000028190123"), ["E10"]);
    let blocked = DxpEnding::Decided { winner: Color::White, blocked: Some(Color::Black) };
    assert_eq!(hand.ending(), blocked);
    assert_eq!(hand.ending().result(), PdnResult::Win(Color::White));
    // And from the other side: the winner waits for the loser's word.
    let mut hand = Hand::new(settings("Kroon", Role::Follower(None)), 'W', &start);
    assert_eq!(hand.think(), ["M000128190123".replace("0001", "0000")]);
    assert_eq!(hand.say("E10"), ["E00"]);
    assert_eq!(hand.ending(), blocked);
    // Even if it goes away without it.
    let mut hand = Hand::new(settings("Kroon", Role::Follower(None)), 'W', &start);
    hand.think();
    hand.peer.feed(hand.now, DxpInput::Closed(None));
    assert_eq!(hand.ending(), blocked);
    // Even if its last word makes no sense.
    for nonsense in ["E1", "M0000010700"] {
        let mut hand = Hand::new(settings("Kroon", Role::Follower(None)), 'W', &start);
        hand.think();
        let answers = hand.say(nonsense);
        assert!(answers.iter().any(|answer| answer == "E30"), "{nonsense}: {answers:?}");
        assert_eq!(hand.ending(), blocked);
    }
}

#[test]
fn repetition_is_claimed_on_our_turn() {
    let start = format!("000000BW{}", squares(&[(46, 'W'), (5, 'Z'), (50, 'W'), (1, 'Z')]));
    let mut hand = Hand::new(settings("Kroon", Role::Follower(None)), 'Z', &start);
    let mut answers = Vec::new();
    'game: for _ in 0..40 {
        let game = hand.peer.session.game().unwrap().clone();
        assert!(game.legal_moves().len() > 1);
        let quiet = "M0000504400";
        for text in [quiet, "M0000445000"] {
            answers = hand.say(text);
            if answers == ["E20"] {
                break 'game;
            }
            let id = hand.peer.search.take().unwrap().0;
            let game = hand.peer.session.game().unwrap().clone();
            let wanted = if text == quiet { (1, 7) } else { (7, 1) };
            let board = VariantId::International.rules().board;
            let best = game
                .legal_moves()
                .into_iter()
                .find(|mv| (board.number(mv.from()), board.number(mv.to())) == wanted);
            let report = kroon::engine::Report { best, ..Default::default() };
            hand.peer.feed(hand.now, DxpInput::Done(id, report));
            if hand.peer.session.game().is_none() {
                break 'game;
            }
        }
    }
    assert_eq!(answers, ["E20"]);
    assert!(matches!(hand.ending(), DxpEnding::Draw(_)), "{}", hand.ending());
    assert!(hand.say("E00").is_empty());
}

#[test]
fn every_gameend_is_confirmed_in_any_state() {
    for (text, ending, answer) in [
        ("E00", DxpEnding::NoReason(Color::White), "E00"),
        ("E10", DxpEnding::Resigned(Color::White), "E00"),
        ("E20", DxpEnding::DrawClaimed(Color::White), "E00"),
        ("E30", DxpEnding::Disputed(Color::White), "E00"),
        ("E11", DxpEnding::Resigned(Color::White), "E01"),
    ] {
        // On its turn, on ours while we think, and after some moves.
        for moves in 0..3 {
            let mut hand = Hand::follower('Z');
            for _ in 0..moves {
                if hand.peer.search.is_some() {
                    hand.think();
                } else {
                    hand.play();
                }
            }
            assert_eq!(hand.say(text), [answer], "{text} after {moves} moves");
            assert_eq!(hand.ending(), ending);
            let stops = text.ends_with('1');
            assert_eq!(hand.peer.closing.clone(), stops.then_some(Closing::PeerStops));
            if !stops {
                // A game that nobody plays cannot be confirmed.
                assert!(hand.say(text).is_empty());
                assert_eq!(hand.peer.records.len(), 1);
            }
        }
    }
}

#[test]
fn claims_against_our_own_view_are_no_results() {
    for (score, text, ending) in [
        (400, "E20", DxpEnding::Disputed(Color::Black)),
        (200, "E20", DxpEnding::DrawClaimed(Color::Black)),
        (-400, "E30", DxpEnding::WinClaimed(Color::Black)),
        (-200, "E30", DxpEnding::Disputed(Color::Black)),
        (400, "E10", DxpEnding::Resigned(Color::Black)),
    ] {
        let mut hand = Hand::follower('W');
        hand.peer.score = Score::from_centi(score);
        hand.think();
        hand.say(text);
        assert_eq!(hand.ending(), ending);
    }
}

#[test]
fn taking_back_restores_position_clock_and_turn() {
    let mut hand = Hand::follower('Z');
    for _ in 0..4 {
        hand.now += Duration::from_secs(20);
        hand.play();
        hand.now += Duration::from_secs(10);
        hand.think();
    }
    let game = hand.peer.session.game().unwrap().clone();
    assert_eq!(game.moves().len(), 8);
    // To White's third move: it is the opponent's turn again.
    assert_eq!(hand.say("B003W"), ["K0"]);
    assert_eq!(hand.peer.session.game().unwrap().moves(), &game.moves()[..4]);
    assert!(hand.peer.search.is_none());
    // To our second move: we think again, and with the time we had.
    assert_eq!(hand.say("B002Z"), ["K0"]);
    let (_, request) = hand.peer.search.as_ref().unwrap();
    assert_eq!(request.game.moves(), &game.moves()[..3]);
    assert_eq!(request.limits.clock.unwrap().time, Duration::from_secs(300 - 10));
    // While we think, to a position in which we think too.
    assert_eq!(hand.say("B001Z"), ["K0"]);
    assert_eq!(hand.peer.search.as_ref().unwrap().1.game.moves().len(), 1);
    // What has not been played yet cannot be gone back to.
    for text in ["B002W", "B999Z"] {
        assert_eq!(hand.say(text), ["K2"]);
    }
    assert!(hand.peer.search.is_some());
    assert_eq!(hand.think()[0].as_bytes()[0], b'M');
    hand.say("E20");
    assert_eq!(hand.peer.records[0].game.moves().len(), 2);
}

#[test]
fn black_begins_with_a_move_of_its_own_number() {
    let position: String = "z".repeat(20) + &"e".repeat(10) + &"w".repeat(20);
    let mut hand = Hand::new(settings("Kroon", Role::Follower(None)), 'W', &format!("005075BZ{position}"));
    hand.play();
    hand.think();
    hand.play();
    assert_eq!(hand.say("B001W"), ["K2"]);
    assert_eq!(hand.say("B002W"), ["K0"]);
    assert_eq!(hand.peer.session.game().unwrap().moves().len(), 1);
    assert_eq!(hand.say("B001Z"), ["K0"]);
    assert_eq!(hand.peer.session.game().unwrap().moves().len(), 0);
}
