//! Whole DXP games in memory, both roles, and every way in which they end.

use crate::dxp_world::{PATIENCE, Peer, World, schedule, settings};
use kroon::board::Color;
use kroon::game::Game;
use kroon::notation::dxp::DxpMove;
use kroon::notation::fen;
use kroon::notation::pdn::{self, GameResult, WriteOptions};
use kroon::protocol::dxp::message::Message;
use kroon::protocol::dxp::record::Ending;
use kroon::protocol::dxp::schedule::Colors;
use kroon::protocol::dxp::session::{Closing, Command, Input, Role, Settings};
use kroon::rules::VariantId;
use kroon::score::Score;
use std::time::{Duration, Instant};

fn match_of(games: u32, minutes: f64, moves: u16) -> World {
    let first = settings("First", Role::Initiator(schedule(games, minutes, moves)));
    World::new(first, settings("Second", Role::Follower(None)))
}

/// A session with a game under way, against an opponent who is played by hand.
struct Hand {
    peer: Peer,
    now: Instant,
}

impl Hand {
    /// The session is the Follower and has this colour.
    fn new(settings: Settings, color: char, start: &str) -> Hand {
        let mut hand = Hand { peer: Peer::new(settings), now: Instant::now() };
        hand.peer.feed(hand.now, Input::Connected);
        hand.say(&format!("R01{:<32}{color}{start}", "Hand"));
        hand
    }

    fn follower(color: char) -> Hand {
        Hand::new(settings("Kroon", Role::Follower(None)), color, "005075A")
    }

    /// The opponent says something; returns what the session answers.
    fn say(&mut self, text: &str) -> Vec<String> {
        let said = self.peer.sent.len();
        self.peer.feed(self.now, Input::Bytes(format!("{text}\0").as_bytes()));
        self.said_since(said)
    }

    fn said_since(&self, said: usize) -> Vec<String> {
        self.peer.sent[said..].iter().map(Message::to_string).collect()
    }

    fn think(&mut self) -> Vec<String> {
        let said = self.peer.sent.len();
        self.peer.finish_search(self.now);
        self.said_since(said)
    }

    fn wait(&mut self, time: Duration) -> Vec<String> {
        let said = self.peer.sent.len();
        self.now += time;
        self.peer.feed(self.now, Input::Tick);
        self.said_since(said)
    }

    /// The opponent makes some move.
    fn play(&mut self) -> Vec<String> {
        let game = self.peer.session.game().unwrap().clone();
        let mv = self.peer.choose(&game);
        self.say(&DxpMove::new(mv, 0).to_string())
    }

    fn ending(&self) -> Ending {
        self.peer.records.last().unwrap().ending.clone()
    }
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
        assert_ne!(a.ending.result(), GameResult::Unknown, "{}", a.ending);
        let (games, faults) = pdn::read_games(&write(a));
        assert!(faults.is_empty());
        assert_eq!(games[0].replay().unwrap().game().moves(), a.game.moves());
    }
}

#[test]
fn every_variant_on_this_board_is_played() {
    let mut played = 0;
    for variant in VariantId::ALL.into_iter().filter(|variant| variant.rules().board.squares() == 50) {
        let with = |settings: Settings| Settings { variant, ..settings };
        let first = with(settings("First", Role::Initiator(schedule(4, 90.0, 0))));
        let mut world = World::new(first, with(settings("Second", Role::Follower(None))));
        world.connect();
        world.run();
        let [first, second] = &world.peers;
        assert_eq!((first.records.len(), second.records.len()), (4, 4));
        for (a, b) in first.records.iter().zip(&second.records) {
            assert_eq!(a.ending, b.ending);
            assert!(matches!(a.ending, Ending::Decided { .. } | Ending::Draw(_)), "{variant}: {}", a.ending);
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
        assert_eq!((record.game.moves().len(), &record.ending), (10, &Ending::MoveLimit));
    }
}

#[test]
fn who_runs_out_of_time_loses_on_the_other_sides_turn() {
    let mut world = match_of(1, 0.1, 0);
    world.pace = Duration::from_millis(1500);
    world.peers[1].session = kroon::protocol::dxp::session::Session::new(
        Settings { move_time: Some(Duration::from_secs(1)), ..settings("Slow", Role::Follower(None)) },
        0,
    );
    world.connect();
    world.run();
    let endings: Vec<_> = world.peers.iter().map(|peer| peer.records[0].ending.clone()).collect();
    assert_eq!(endings, [Ending::OutOfTime(Color::Black), Ending::OutOfTime(Color::Black)]);
}

#[test]
fn a_lost_game_is_resigned_if_the_user_wants_that() {
    let resign = Some(Score::from_centi(500));
    let settings = Settings { resign, ..settings("Kroon", Role::Follower(None)) };
    let mut hand = Hand::new(settings, 'W', "005075A");
    hand.peer.score = Score::from_centi(-501);
    for _ in 0..2 {
        assert!(hand.think()[0].starts_with('M'));
        hand.play();
    }
    assert_eq!(hand.think(), ["E10"]);
    assert_eq!(hand.ending(), Ending::Resigned(Color::White));
    // The confirmation, and the next game.
    assert!(hand.say("E00").is_empty());
    assert!(hand.say("R01Hand                            Z005075A")[0].ends_with('0'));
}

#[test]
fn no_moves_is_a_loss_that_the_loser_announces() {
    // White captures the last piece: Black has nothing left.
    let start = format!("000000BW{}", squares(&[(28, 'w'), (23, 'z')]));
    let mut hand = Hand::new(settings("Kroon", Role::Follower(None)), 'Z', &start);
    assert_eq!(hand.say("M000028190123"), ["E10"]);
    let blocked = Ending::Decided { winner: Color::White, blocked: Some(Color::Black) };
    assert_eq!(hand.ending(), blocked);
    assert_eq!(hand.ending().result(), GameResult::Win(Color::White));
    // And from the other side: the winner waits for the loser's word.
    let mut hand = Hand::new(settings("Kroon", Role::Follower(None)), 'W', &start);
    assert_eq!(hand.think(), ["M000128190123".replace("0001", "0000")]);
    assert_eq!(hand.say("E10"), ["E00"]);
    assert_eq!(hand.ending(), blocked);
    // Even if it goes away without it.
    let mut hand = Hand::new(settings("Kroon", Role::Follower(None)), 'W', &start);
    hand.think();
    hand.peer.feed(hand.now, Input::Closed(None));
    assert_eq!(hand.ending(), blocked);
}

/// The fifty squares of a GAMEREQ.
fn squares(pieces: &[(usize, char)]) -> String {
    let mut text = vec!['e'; 50];
    for &(number, piece) in pieces {
        text[number - 1] = piece;
    }
    text.into_iter().collect()
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
            hand.peer.feed(hand.now, Input::Done(id, report));
            if hand.peer.session.game().is_none() {
                break 'game;
            }
        }
    }
    assert_eq!(answers, ["E20"]);
    assert!(matches!(hand.ending(), Ending::Draw(_)), "{}", hand.ending());
    assert!(hand.say("E00").is_empty());
}

#[test]
fn every_gameend_is_confirmed_in_any_state() {
    for (text, ending, answer) in [
        ("E00", Ending::NoReason(Color::White), "E00"),
        ("E10", Ending::Resigned(Color::White), "E00"),
        ("E20", Ending::DrawClaimed(Color::White), "E00"),
        ("E30", Ending::Disputed(Color::White), "E00"),
        ("E11", Ending::Resigned(Color::White), "E01"),
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
        (400, "E20", Ending::Disputed(Color::Black)),
        (200, "E20", Ending::DrawClaimed(Color::Black)),
        (-400, "E30", Ending::WinClaimed(Color::Black)),
        (-200, "E30", Ending::Disputed(Color::Black)),
        (400, "E10", Ending::Resigned(Color::Black)),
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

#[test]
fn requests_are_accepted_or_refused_with_the_right_code() {
    let ask = |settings: Settings, text: &str| {
        let mut peer = Peer::new(settings);
        let now = Instant::now();
        peer.feed(now, Input::Connected);
        peer.feed(now, Input::Bytes(format!("{text}\0").as_bytes()));
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
    hand.peer.feed(hand.now, Input::User(Command::Resign));
    assert_eq!(hand.peer.sent.last().unwrap().to_string(), "E10");
    assert!(hand.say("R01Hand                            Z005075A")[0].ends_with('0'));
    assert_eq!(hand.peer.started, 2);
}

#[test]
fn a_missing_confirmation_is_not_waited_for_long() {
    let mut hand = Hand::follower('W');
    hand.peer.feed(hand.now, Input::User(Command::Draw));
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
        ("M000032280123", "ambiguous move"),
        ("M00003228", "MOVE: DXP"),
        ("M0000999900", "MOVE: DXP"),
        ("E9", "GAMEEND"),
        ("M", "MOVE: DXP"),
    ] {
        let mut hand = Hand::follower('Z');
        let answers = hand.say(text);
        assert!(answers[0].starts_with("Cerror: ") && answers[0].contains(part), "{text}: {answers:?}");
        assert_eq!(answers[1], "E00");
        assert!(matches!(hand.ending(), Ending::Aborted(_)));
        assert!(hand.say("E00").is_empty());
        assert!(hand.say("R01Hand                            Z005075A")[0].ends_with('0'));
    }
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
        (&[b'C'; 128], "more than 127 characters"),
        (&[b'x'; 5000], "more than 127 characters"),
    ] {
        let mut hand = Hand::follower('Z');
        hand.play();
        hand.peer.feed(hand.now, Input::Bytes(bytes));
        let Some(Closing::Fault(why)) = &hand.peer.closing else { panic!("{:?}", hand.peer.closing) };
        assert!(why.contains(part), "{why}");
        assert!(matches!(hand.ending(), Ending::Aborted(_)));
        assert_eq!(hand.peer.records[0].game.moves().len(), 1);
    }
}

#[test]
fn a_message_without_its_end_is_not_waited_for_for_ever() {
    let mut hand = Hand::follower('W');
    hand.peer.feed(hand.now, Input::Bytes(b"M0000"));
    hand.wait(Duration::from_secs(9));
    assert!(hand.peer.closing.is_none());
    hand.peer.feed(hand.now, Input::Bytes(b"32"));
    hand.wait(Duration::from_secs(2));
    assert!(matches!(&hand.peer.closing, Some(Closing::Fault(why)) if why.contains("without its end")));
}

#[test]
fn silent_opponents_are_given_up() {
    // Nobody asks.
    let mut peer = Peer::new(settings("Kroon", Role::Follower(None)));
    let now = Instant::now();
    peer.feed(now, Input::Connected);
    peer.feed(now + PATIENCE, Input::Tick);
    assert!(matches!(peer.closing, Some(Closing::Silent(_))));
    // Nobody answers.
    let mut peer = Peer::new(settings("Kroon", Role::Initiator(schedule(1, 5.0, 0))));
    peer.feed(now, Input::Connected);
    assert_eq!(peer.session.deadline(), Some(now + PATIENCE));
    peer.feed(now + PATIENCE, Input::Tick);
    assert!(matches!(peer.closing, Some(Closing::Silent(_))));
    // Nobody moves: the clock, and then patience.
    let mut hand = Hand::follower('Z');
    hand.wait(Duration::from_secs(300) + PATIENCE - Duration::from_secs(1));
    assert!(hand.peer.closing.is_none());
    hand.wait(Duration::from_secs(2));
    assert_eq!(hand.ending(), Ending::OutOfTime(Color::White));
    // Without a clock only patience.
    let mut hand = Hand::new(settings("Kroon", Role::Follower(None)), 'Z', "000000A");
    hand.wait(PATIENCE);
    assert!(matches!(hand.ending(), Ending::Aborted(_)));
}

#[test]
fn floods_are_cut_off() {
    for text in ["Chello\0", "K0\0", "B001W\0", "\0", "X\0", "E00\0", "R\0"] {
        let mut hand = Hand::follower('Z');
        for _ in 0..1000 {
            hand.peer.feed(hand.now, Input::Bytes(text.as_bytes()));
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
    hand.peer.feed(hand.now, Input::User(Command::Chat("thank you".into())));
    assert_eq!(hand.said_since(said), ["Cthank you"]);
}

#[test]
fn an_initiator_frees_a_program_that_is_stuck_in_an_old_game() {
    let mut hand = Hand {
        peer: Peer::new(settings("Kroon", Role::Initiator(schedule(3, 5.0, 0)))),
        now: Instant::now(),
    };
    hand.peer.feed(hand.now, Input::Connected);
    let refused = format!("A{:<32}2", "Other");
    let answers = hand.say(&refused);
    assert_eq!(answers[0], "E00");
    assert!(answers[1].starts_with("R01"));
    assert!(hand.say("E00").is_empty());
    // Refused for good: the next games are asked for once each.
    assert!(hand.say(&refused)[0].starts_with("R01"));
    assert!(hand.say(&refused)[0].starts_with("R01"));
    assert!(hand.say(&refused).is_empty());
    assert_eq!(hand.peer.closing, Some(Closing::Complete));
}

#[test]
fn refusals_end_the_match() {
    for code in ['1', '3'] {
        let mut peer = Peer::new(settings("Kroon", Role::Initiator(schedule(3, 5.0, 0))));
        let now = Instant::now();
        peer.feed(now, Input::Connected);
        peer.feed(now, Input::Bytes(format!("A{:<32}{code}\0", "Other").as_bytes()));
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
        let mut world = match_of(3, 5.0, 75);
        world.connect();
        world.run_to_ply(plies);
        for peer in 0..2 {
            world.feed(peer, Input::Closed(Some("the connection broke")));
            let peer = &world.peers[peer];
            assert!(matches!(&peer.closing, Some(Closing::Lost { in_game: true, .. })));
            assert_eq!(peer.records[0].ending, Ending::Aborted("the connection broke".into()));
            assert!(peer.records[0].game.moves().len() + 1 >= plies);
        }
    }
}

#[test]
fn who_leaves_on_the_opponents_turn_does_not_say_gameend() {
    let mut hand = Hand::follower('Z');
    hand.peer.feed(hand.now, Input::User(Command::Quit));
    assert_eq!(hand.peer.closing, Some(Closing::Quit));
    assert!(!hand.peer.sent.iter().any(|message| matches!(message, Message::GameEnd { .. })));
    let mut hand = Hand::follower('W');
    hand.peer.feed(hand.now, Input::User(Command::Quit));
    assert_eq!(hand.peer.sent.last().unwrap().to_string(), "E01");
    assert_eq!(hand.ending(), Ending::Aborted("stopped by the user".into()));
}

#[test]
fn a_failed_search_still_moves() {
    let mut hand = Hand::follower('W');
    let id = hand.peer.search.take().unwrap().0;
    // An echo of another search is not for us.
    hand.peer.search = None;
    hand.peer.session.handle(hand.now, Input::Done(id + 7, Default::default()));
    hand.peer.feed(hand.now, Input::Done(id, Default::default()));
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
    let _ = Game::new(VariantId::International);
}
