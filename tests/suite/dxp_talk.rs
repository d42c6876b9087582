//! DXP requests, faults and ends of connections: one session against a scripted opponent.

use crate::dxp_world::{Hand, PATIENCE, Peer, World, schedule, settings, squares};
use kroon::board::Color;
use kroon::notation::{dxp, fen};
use kroon::protocol::dxp::message::Message;
use kroon::protocol::dxp::record::DxpEnding;
use kroon::protocol::dxp::schedule::Colors;
use kroon::protocol::dxp::session::{Closing, DxpInput, DxpSession, DxpSettings, Role, UserCommand};
use kroon::rules::VariantId;
use std::time::{Duration, Instant};

#[test]
fn requests_are_accepted_or_refused_with_the_right_code() {
    let ask = |settings: DxpSettings, text: &str| {
        let mut peer = Peer::new(settings);
        let now = Instant::now();
        peer.feed(now, DxpInput::Connected);
        peer.feed(now, DxpInput::Bytes(format!("{text}\0").as_bytes()));
        (peer.sent[0].to_string().pop().unwrap(), peer)
    };
    let follower = || settings("Kroon", Role::Follower(None));
    let head = |rest: &str| format!("R01{:<32}{rest}", "Hand");
    for (text, code) in [
        (head("W010060A"), '0'),
        (head("W000000A"), '0'),
        (head("Z0.5000A"), '0'),
        (head("W010060A").replace("R01", "R02"), '1'),
        ("R02".to_owned(), '1'),
        ("R".to_owned(), '2'),
        (head("X010060A"), '2'),
        (head("W-10060A"), '2'),
        (head("W010060C"), '2'),
        (head("W010060BW"), '2'),
        // A man on its promotion row; a side that cannot move; an empty board.
        (head(&format!("W010060BW{}", squares(&[(1, 'w'), (20, 'z')]))), '2'),
        (head(&format!("W010060BW{}", squares(&[(20, 'z')]))), '2'),
        (head(&format!("W010060BW{}", squares(&[]))), '2'),
        (head(&format!("W010060BW{}", squares(&[(30, 'w'), (20, 'z')]))), '0'),
    ] {
        let (answer, peer) = ask(follower(), &text);
        assert_eq!(answer, code, "{text}");
        assert_eq!(peer.started, usize::from(code == '0'));
        assert!(peer.closing.is_none());
        if code != '0' {
            assert!(matches!(peer.sent[1], Message::Chat(_)), "a refusal says why");
        }
    }
}

#[test]
fn a_follower_that_has_had_enough_says_so_to_who_does_not_confirm_the_end() {
    let mut hand = Hand::new(settings("Kroon", Role::Follower(Some(1))), 'W', "005001A");
    hand.think();
    // Both have made their move; we end the game, and the other side asks for the next one.
    let said = hand.say("M00011823000");
    assert!(said.iter().any(|text| text.starts_with("E0")), "{said:?}");
    let answers = hand.say(&format!("R01{:<32}W005001A", "Hand"));
    assert!(answers[0].ends_with('3'), "{answers:?}");
    assert_eq!(hand.peer.closing, Some(Closing::Complete));
}

#[test]
fn a_follower_can_have_had_enough() {
    let mut hand = Hand::new(settings("Kroon", Role::Follower(Some(1))), 'W', "005075A");
    assert_eq!(hand.say("E10"), ["E01"]);
    assert_eq!(hand.peer.closing, Some(Closing::Complete));
}

#[test]
fn a_request_during_a_game_is_refused_and_the_game_goes_on() {
    let mut hand = Hand::follower('W');
    let answers = hand.say("R01Hand                            Z005075A");
    assert_eq!(answers[0], format!("A{:<32}2", "Kroon"));
    assert!(hand.think()[0].starts_with('M'));
}

#[test]
fn a_next_request_stands_for_the_confirmation() {
    let mut hand = Hand::follower('W');
    hand.peer.feed(hand.now, DxpInput::User(UserCommand::Resign));
    assert_eq!(hand.peer.sent.last().unwrap().to_string(), "E10");
    assert!(hand.say("R01Hand                            Z005075A").is_empty());
    assert!(hand.ready()[0].ends_with('0'));
    assert_eq!(hand.peer.started, 2);
}

#[test]
fn no_game_is_accepted_before_the_engine_is_ready() {
    let mut hand = Hand::follower('W');
    hand.think();
    assert!(hand.say("E10")[0].starts_with('E'));
    assert!(hand.peer.preparing);
    // However long it takes, the opponent is not to blame; and it may say what it likes meanwhile.
    assert!(hand.wait(10 * PATIENCE).is_empty());
    assert!(hand.say("R01Hand                            Z005075A").is_empty());
    assert!(hand.say("Care you there?").is_empty());
    assert_eq!((hand.peer.started, hand.peer.chats.len()), (1, 1));
    let answers = hand.ready();
    assert!(answers[0].starts_with("AKroon") && answers[0].ends_with('0'), "{answers:?}");
    assert_eq!(hand.peer.started, 2);
    assert!(hand.peer.closing.is_none());
}

#[test]
fn no_game_is_asked_for_before_the_engine_is_ready() {
    let initiator = settings("Kroon", Role::Initiator(schedule(2, 5.0, 0)));
    let mut hand = Hand { peer: Peer::new(initiator), now: Instant::now() };
    hand.peer.feed(hand.now, DxpInput::Connected);
    hand.say(&format!("A{:<32}0", "Other"));
    hand.think();
    // The end of the first game is confirmed, and nothing follows yet.
    assert_eq!(hand.say("E10"), ["E00"]);
    assert!(hand.wait(10 * PATIENCE).is_empty());
    assert!(hand.ready()[0].starts_with("R01"));
}

#[test]
fn an_opponent_that_leaves_while_the_engine_gets_ready_has_left() {
    let mut hand = Hand::follower('W');
    hand.think();
    hand.say("E10");
    hand.say("R01Hand                            Z005075A");
    hand.peer.feed(hand.now, DxpInput::Closed(None));
    assert!(
        matches!(hand.peer.closing, Some(Closing::Lost { in_game: false, .. })),
        "{:?}",
        hand.peer.closing
    );
    assert!(hand.ready().is_empty());
}

#[test]
fn fractions_of_minutes_are_warned_of() {
    for (minutes, warned) in [(5.0, false), (0.5, true), (1.5, true), (0.0, false)] {
        let mut peer = Peer::new(settings("Kroon", Role::Initiator(schedule(3, minutes, 0))));
        peer.feed(Instant::now(), DxpInput::Connected);
        assert_eq!(peer.notices.iter().any(|text| text.contains("a fraction")), warned, "{:?}", peer.notices);
    }
}

#[test]
fn a_missing_confirmation_is_not_waited_for_long() {
    let mut hand = Hand::follower('W');
    hand.peer.feed(hand.now, DxpInput::User(UserCommand::Draw));
    hand.wait(Duration::from_secs(4));
    assert!(hand.peer.notices.is_empty());
    hand.wait(Duration::from_secs(2));
    assert_eq!(hand.peer.notices, ["the end of the game was not confirmed"]);
    assert!(hand.peer.closing.is_none());
}

#[test]
fn bad_moves_end_the_game_but_not_the_connection() {
    for (text, part) in [
        ("M0000322900", "illegal move"),
        ("M0000192300", "illegal move"),
        ("M000032280123", "illegal move"),
        ("M00003228", "MOVE: DXP"),
        ("M0000999900", "MOVE: DXP"),
        ("E9", "GAMEEND"),
        ("M", "MOVE: DXP"),
    ] {
        let mut hand = Hand::follower('Z');
        let answers = hand.say(text);
        assert!(answers[0].starts_with("Cerror: ") && answers[0].contains(part), "{text}: {answers:?}");
        assert_eq!(answers[1], "E00");
        assert!(matches!(hand.ending(), DxpEnding::Aborted(_)));
        assert!(hand.say("E00").is_empty());
        assert!(hand.say("R01Hand                            Z005075A")[0].ends_with('0'));
    }
}

#[test]
fn captures_of_other_pieces_are_called_ambiguous() {
    let position = fen::game_from_fen(VariantId::International, "W:WK41:B20,33,37,43").unwrap();
    let position = dxp::write_position(position.position());
    let mut hand = Hand::follower('Z');
    hand.say("E00");
    assert!(hand.say(&format!("R01{:<32}Z005075B{position}", "Hand"))[0].ends_with('0'));
    // Two ways, with three pieces each.
    let answers = hand.say("M00004148023343");
    assert!(answers[0].contains("ambiguous move"), "{answers:?}");
}

#[test]
fn a_move_on_our_turn_ends_the_game() {
    let mut hand = Hand::follower('W');
    let answers = hand.say("M0000322800");
    assert!(answers[0].contains("although it is our turn"));
    assert_eq!(answers[1], "E00");
    assert!(hand.peer.search.is_none());
}

#[test]
fn broken_streams_end_the_connection_and_keep_the_game() {
    for (bytes, part) in [
        (&b"M000032\xff8"[..], "byte 0xff at column 8"),
        (&[b'C'; 4_097], "more than 4096 characters"),
        (&[b'x'; 5000], "more than 127 characters"),
    ] {
        let mut hand = Hand::follower('Z');
        hand.play();
        hand.peer.feed(hand.now, DxpInput::Bytes(bytes));
        let Some(Closing::Fault(why)) = &hand.peer.closing else { panic!("{:?}", hand.peer.closing) };
        assert!(why.contains(part), "{why}");
        assert!(matches!(hand.ending(), DxpEnding::Aborted(_)));
        assert_eq!(hand.peer.records[0].game.moves().len(), 1);
    }
}

#[test]
fn a_message_without_its_end_is_not_waited_for_for_ever() {
    let mut hand = Hand::follower('W');
    hand.peer.feed(hand.now, DxpInput::Bytes(b"M0000"));
    hand.wait(Duration::from_secs(9));
    assert!(hand.peer.closing.is_none());
    hand.peer.feed(hand.now, DxpInput::Bytes(b"32"));
    hand.wait(Duration::from_secs(2));
    assert!(matches!(&hand.peer.closing, Some(Closing::Fault(why)) if why.contains("without its end")));
}

#[test]
fn silent_opponents_are_given_up() {
    // Nobody asks.
    let mut peer = Peer::new(settings("Kroon", Role::Follower(None)));
    let now = Instant::now();
    peer.feed(now, DxpInput::Connected);
    peer.feed(now + PATIENCE, DxpInput::Tick);
    assert!(matches!(peer.closing, Some(Closing::Silent(_))));
    // Nobody answers.
    let mut peer = Peer::new(settings("Kroon", Role::Initiator(schedule(1, 5.0, 0))));
    peer.feed(now, DxpInput::Connected);
    assert_eq!(peer.session.deadline(), Some(now + PATIENCE));
    peer.feed(now + PATIENCE, DxpInput::Tick);
    assert!(matches!(peer.closing, Some(Closing::Silent(_))));
    // Nobody moves: the clock, and then patience.
    let mut hand = Hand::follower('Z');
    hand.wait(Duration::from_secs(300) + PATIENCE - Duration::from_secs(1));
    assert!(hand.peer.closing.is_none());
    hand.wait(Duration::from_secs(2));
    assert_eq!(hand.ending(), DxpEnding::OutOfTime(Color::White));
    // Who plays with a fixed time for his moves wins nothing by the clock.
    let fixed = DxpSettings { move_time: Some(PATIENCE), ..settings("Kroon", Role::Follower(None)) };
    let mut hand = Hand::new(fixed, 'Z', "005000A");
    hand.wait(Duration::from_secs(301) + PATIENCE);
    assert!(matches!(hand.ending(), DxpEnding::Aborted(_)));
    // Without a clock only patience.
    let mut hand = Hand::new(settings("Kroon", Role::Follower(None)), 'Z', "000000A");
    hand.wait(PATIENCE);
    assert!(matches!(hand.ending(), DxpEnding::Aborted(_)));
}

#[test]
fn floods_are_cut_off() {
    for text in ["Chello\0", "K0\0", "B001W\0", "\0", "X\0", "E00\0", "R\0"] {
        let mut hand = Hand::follower('Z');
        for _ in 0..1000 {
            hand.peer.feed(hand.now, DxpInput::Bytes(text.as_bytes()));
        }
        assert!(matches!(hand.peer.closing, Some(Closing::Fault(_))), "{text}");
        assert_eq!(hand.peer.records.len(), 1);
        assert!(hand.peer.notices.len() <= 120 && hand.peer.sent.len() <= 120);
    }
    // But not who chats at a human pace.
    let mut hand = Hand::follower('Z');
    for _ in 0..1000 {
        hand.now += Duration::from_millis(110);
        assert!(hand.say("Chello").is_empty());
    }
    assert!(hand.peer.closing.is_none());
    assert_eq!(hand.peer.chats.len(), 1000);
}

#[test]
fn chat_is_welcome_everywhere() {
    let mut hand = Hand::follower('W');
    assert!(hand.say("Cin your time").is_empty());
    hand.think();
    hand.say("Cin mine");
    hand.say("Cgar\u{7f}bage\u{1b}[31m");
    hand.say("E10");
    hand.say("Cbetween games");
    assert_eq!(hand.peer.chats, ["in your time", "in mine", "gar bage [31m", "between games"]);
    let said = hand.peer.sent.len();
    hand.peer.feed(hand.now, DxpInput::User(UserCommand::Chat("thank you".into())));
    assert_eq!(hand.said_since(said), ["Cthank you"]);
}

#[test]
fn an_initiator_frees_a_program_that_is_stuck_in_an_old_game() {
    let mut hand = Hand {
        peer: Peer::new(settings("Kroon", Role::Initiator(schedule(3, 5.0, 0)))),
        now: Instant::now(),
    };
    hand.peer.feed(hand.now, DxpInput::Connected);
    let refused = format!("A{:<32}2", "Other");
    let answers = hand.say(&refused);
    assert_eq!(answers[0], "E00");
    assert!(answers[1].starts_with("R01"));
    assert!(hand.say("E00").is_empty());
    // Refused for good: the next games are asked for once each.
    assert!(hand.say(&refused)[0].starts_with("R01"));
    assert!(hand.say(&refused)[0].starts_with("R01"));
    assert!(hand.say(&refused).is_empty());
    // No game was played: that is no success.
    let refused = |games| Some(Closing::Refused(format!("{games} games were refused (code 2)")));
    assert_eq!(hand.peer.closing, refused("3 of 3"));
    // Nor is it after a connection that was lost, or where the opponent leaves without confirming the end.
    let session = |games| {
        DxpSession::new(settings("Kroon", Role::Initiator(schedule(3, 5.0, 0))), games).after_refusals(1)
    };
    let mut last = Peer::new(settings("Kroon", Role::Follower(None)));
    last.session = session(3);
    last.feed(hand.now, DxpInput::Connected);
    assert_eq!((last.closing, last.session.refused()), (refused("1 of 3"), 1));
    let mut left = Peer::new(settings("Kroon", Role::Follower(None)));
    left.session = session(2);
    left.feed(hand.now, DxpInput::Connected);
    left.feed(hand.now, DxpInput::Bytes(format!("A{:<32}0\0", "Other").as_bytes()));
    left.feed(hand.now, DxpInput::User(UserCommand::Resign));
    left.feed(hand.now, DxpInput::Closed(None));
    assert_eq!(left.closing, refused("1 of 3"));
}

#[test]
fn refusals_end_the_match() {
    for code in ['1', '3'] {
        let mut peer = Peer::new(settings("Kroon", Role::Initiator(schedule(3, 5.0, 0))));
        let now = Instant::now();
        peer.feed(now, DxpInput::Connected);
        peer.feed(now, DxpInput::Bytes(format!("A{:<32}{code}\0", "Other").as_bytes()));
        assert!(matches!(peer.closing, Some(Closing::Refused(_))));
    }
}

#[test]
fn two_initiators_and_two_followers_find_out() {
    let initiator = |name| settings(name, Role::Initiator(schedule(1, 5.0, 0)));
    let mut world = World::new(initiator("One"), initiator("Two"));
    world.connect();
    world.run();
    for peer in &world.peers {
        assert!(
            peer.notices.iter().any(|text| text.contains("both sides ask for games")),
            "{:?}",
            peer.notices
        );
        assert_eq!(peer.started, 0);
    }
    let follower = |name| settings(name, Role::Follower(None));
    let mut world = World::new(follower("One"), follower("Two"));
    world.connect();
    world.run();
    assert!(world.peers.iter().any(|peer| matches!(peer.closing, Some(Closing::Silent(_)))));
}

#[test]
fn a_lost_connection_saves_the_game_at_every_ply() {
    for plies in 1..12 {
        let first = settings("First", Role::Initiator(schedule(3, 5.0, 75)));
        let mut world = World::new(first, settings("Second", Role::Follower(None)));
        world.connect();
        world.run_to_ply(plies);
        for peer in 0..2 {
            world.feed(peer, DxpInput::Closed(Some("the connection broke")));
            let peer = &world.peers[peer];
            assert!(matches!(&peer.closing, Some(Closing::Lost { in_game: true, .. })));
            assert_eq!(peer.records[0].ending, DxpEnding::Aborted("the connection broke".into()));
            assert!(peer.records[0].game.moves().len() + 1 >= plies);
        }
    }
}

#[test]
fn who_leaves_on_the_opponents_turn_does_not_say_gameend() {
    let mut hand = Hand::follower('Z');
    hand.peer.feed(hand.now, DxpInput::User(UserCommand::Quit));
    // Who has broken a game off has not played all.
    assert_eq!(hand.peer.closing, Some(Closing::Quit { in_game: true }));
    assert!(!hand.peer.sent.iter().any(|message| matches!(message, Message::GameEnd { .. })));
    let mut hand = Hand::follower('W');
    hand.peer.feed(hand.now, DxpInput::User(UserCommand::Quit));
    assert_eq!(hand.peer.sent.last().unwrap().to_string(), "E01");
    assert_eq!(hand.ending(), DxpEnding::Aborted("stopped by the user".into()));
}

#[test]
fn a_failed_search_still_moves() {
    let mut hand = Hand::follower('W');
    let id = hand.peer.search.take().unwrap().0;
    // An echo of another search is not for us.
    hand.peer.search = None;
    hand.peer.session.handle(hand.now, DxpInput::Done(id + 7, Default::default()));
    hand.peer.feed(hand.now, DxpInput::Done(id, Default::default()));
    assert!(hand.peer.sent.last().unwrap().to_string().starts_with('M'));
}

#[test]
fn colours_can_be_fixed() {
    let mut schedule = schedule(2, 0.0, 3);
    schedule.colors = Colors::Always(Color::Black);
    let mut world =
        World::new(settings("First", Role::Initiator(schedule)), settings("Second", Role::Follower(None)));
    world.connect();
    world.run();
    assert!(world.peers[0].records.iter().all(|record| record.ours == Color::Black));
    assert!(world.peers[1].records.iter().all(|record| record.ours == Color::White));
}
