//! DXP messages: published examples, layouts, round trips, errors.

use kroon::board::{Board, Color, Piece, Setup};
use kroon::game::Game;
use kroon::notation::fen;
use kroon::protocol::dxp::fields::{ChatText, Name, ThinkingTime};
use kroon::protocol::dxp::frames::{FrameReader, MAX_CHARACTERS};
use kroon::protocol::dxp::message::{AcceptCode, BackCode, EndReason, GameRequest, Message, MessageKind};
use kroon::rules::VariantId;
use proptest::prelude::*;

fn parse(text: &str) -> Message {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The examples of the specification (mesander.nl/damexchange), one of each type.
#[test]
fn published_examples_come_back() {
    for (text, kind) in [
        ("R01Tornado voor Windows 4.0        W060065A", MessageKind::GameRequest),
        ("ATornado voor Windows 4.0        0", MessageKind::GameAccept),
        ("M0012061100", MessageKind::Move),
        ("M001205250422122320", MessageKind::Move),
        ("E00", MessageKind::GameEnd),
        ("CWhat do you think about move 35?", MessageKind::Chat),
        ("B005Z", MessageKind::BackRequest),
        ("K1", MessageKind::BackAccept),
    ] {
        let message = parse(text);
        assert_eq!(message.kind(), kind);
        let written = message.to_string();
        if kind == MessageKind::Move {
            // The order of captured squares carries no meaning; ours is ascending.
            assert_eq!(parse(&written), message);
            assert_eq!(written.len(), text.len());
        } else {
            assert_eq!(written, text);
        }
    }
}

#[test]
fn the_request_of_the_specification_in_full() {
    let Message::GameRequest(request) = parse("R01Tornado voor Windows 4.0        W060065A") else {
        panic!("no request");
    };
    assert_eq!(request.name.as_str(), "Tornado voor Windows 4.0");
    assert_eq!((request.follower, request.moves, request.start), (Color::White, 65, None));
    assert_eq!(request.time.duration().unwrap().as_secs(), 3600);
}

#[test]
fn a_request_with_a_position() {
    let game = fen::game_from_fen(VariantId::International, "B:WK3,28,33,38:B12,17,K46").unwrap();
    let request = Message::GameRequest(GameRequest {
        name: Name::new("Example 1.0"),
        follower: Color::White,
        time: ThinkingTime::from_minutes(5.0).unwrap(),
        moves: 0,
        start: Some(Setup::from(game.start())),
    });
    let text =
        "R01Example 1.0                     W005000BZeeWeeeeeeeezeeeezeeeeeeeeeeweeeeweeeeweeeeeeeZeeee";
    assert_eq!(request.to_string(), text);
    assert_eq!(text.len(), 94);
    assert_eq!(parse(text), request);
}

#[test]
fn dialogue_pieces() {
    let end = |reason, stop| Message::GameEnd { reason, stop };
    assert_eq!(parse("E11"), end(EndReason::Lose, true));
    assert_eq!(parse("E20"), end(EndReason::Draw, false));
    assert_eq!(parse("E30"), end(EndReason::Win, false));
    assert_eq!(parse("B001W"), Message::BackRequest { number: 1, color: Color::White });
    assert_eq!(parse("K0"), Message::BackAccept(BackCode::Granted));
    let Message::GameAccept { name, code } = parse("AOther Engine 7                  2") else { panic!() };
    assert_eq!((name.as_str(), code), ("Other Engine 7", AcceptCode::NotThisGame));
}

#[test]
fn errors_say_what_and_where() {
    for (text, part) in [
        ("", "empty message"),
        ("X12", "unknown type, expected one of R A M E C B K"),
        ("r01", "unknown type"),
        ("R02Tornado", "version \"02\", expected 01"),
        ("R0", "GAMEREQ \"R0\", column 2: expected a version"),
        ("R01short", "column 4: expected a name of 32 characters"),
        ("R01Tornado voor Windows 4.0        B060065A", "column 36: expected W or Z"),
        ("R01Tornado voor Windows 4.0        Wxxx065A", "column 37: expected minutes from 000 to 999"),
        ("R01Tornado voor Windows 4.0        W06006 A", "column 40: expected a number of moves"),
        ("R01Tornado voor Windows 4.0        W060065C", "column 43: expected A or B"),
        ("R01Tornado voor Windows 4.0        W060065Az", "column 44: expected the end"),
        ("R01Tornado voor Windows 4.0        W060065BWee", "column 44: expected a colour and 50 squares"),
        ("AName", "column 2: expected a name of 32"),
        ("ATornado voor Windows 4.0        4", "column 34: expected a code from 0 to 3"),
        ("M00003228", "MOVE: DXP \"M00003228\", column 10"),
        ("E", "column 2: expected a reason from 0 to 3"),
        ("E4", "column 2: expected a reason"),
        ("E0", "column 3: expected a stop code, 0 or 1"),
        ("E002", "column 4: expected the end"),
        ("C", "CHAT \"C\", column 2: expected 1 to 126 characters"),
        ("B000W", "column 2: expected a move number from 001 to 999"),
        ("B01W", "column 2: expected a move number"),
        ("B001B", "column 5: expected W or Z"),
        ("K3", "column 2: expected a code from 0 to 2"),
        ("K", "column 2: expected a code"),
    ] {
        let error = text.parse::<Message>().expect_err(text).to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

fn color() -> impl Strategy<Value = Color> {
    prop_oneof![Just(Color::White), Just(Color::Black)]
}

fn setup() -> impl Strategy<Value = Setup> {
    (color(), prop::collection::vec(0_u8..5, 50)).prop_map(|(turn, pieces)| {
        let mut setup = Setup::empty(turn);
        for (square, piece) in Board::INTERNATIONAL.iter().zip(pieces) {
            if let Some(piece) = piece.checked_sub(1) {
                let color = if piece < 2 { Color::White } else { Color::Black };
                setup.put(square, Piece { color, king: piece % 2 == 1 });
            }
        }
        setup
    })
}

fn minutes() -> impl Strategy<Value = ThinkingTime> {
    prop_oneof![0_u32..=999, 0_u32..=999]
        .prop_map(|minutes| ThinkingTime::from_minutes(minutes.into()).unwrap())
}

fn message() -> impl Strategy<Value = Message> {
    let request = (".{0,40}", color(), minutes(), 0_u16..=999, prop::option::of(setup())).prop_map(
        |(name, follower, time, moves, start)| {
            Message::GameRequest(GameRequest { name: Name::new(&name), follower, time, moves, start })
        },
    );
    let accept = (".{0,40}", 0_u8..4).prop_map(|(name, code)| {
        let code = match code {
            0 => AcceptCode::Accepted,
            1 => AcceptCode::Version,
            2 => AcceptCode::NotThisGame,
            _ => AcceptCode::NoGames,
        };
        Message::GameAccept { name: Name::new(&name), code }
    });
    let end = (0_u8..4, any::<bool>()).prop_map(|(reason, stop)| {
        let reason = match reason {
            0 => EndReason::Unknown,
            1 => EndReason::Lose,
            2 => EndReason::Draw,
            _ => EndReason::Win,
        };
        Message::GameEnd { reason, stop }
    });
    let chat = "[\\x01-\\x7f]{1,126}".prop_map(|text| Message::Chat(ChatText::exact(&text).unwrap()));
    let back = (1_u16..1000, color()).prop_map(|(number, color)| Message::BackRequest { number, color });
    let code = prop_oneof![Just(BackCode::Granted), Just(BackCode::Unsupported), Just(BackCode::Refused)];
    prop_oneof![request, accept, end, chat, back, code.prop_map(Message::BackAccept)]
}

proptest! {
    #[test]
    fn messages_come_back(message in message()) {
        let text = message.to_string();
        prop_assert!((1..=MAX_CHARACTERS).contains(&text.len()));
        prop_assert!(text.bytes().all(|byte| (1..128).contains(&byte)));
        prop_assert_eq!(parse(&text), message);
    }

    #[test]
    fn any_text_is_a_message_or_an_error(text in "[RAMECBK]?.{0,130}") {
        if let Ok(message) = text.parse::<Message>() {
            prop_assert_eq!(parse(&message.to_string()), message);
        }
    }

    #[test]
    fn streams_may_be_cut_anywhere(messages in prop::collection::vec(message(), 1..8), cuts in prop::collection::vec(1_usize..40, 1..40)) {
        let bytes: Vec<u8> = messages.iter().flat_map(Message::to_frame).collect();
        let mut frames = FrameReader::default();
        let mut read = Vec::new();
        let mut rest = &bytes[..];
        let mut cuts = cuts.into_iter().cycle();
        while !rest.is_empty() {
            let (mut chunk, tail) = rest.split_at(cuts.next().unwrap().min(rest.len()));
            rest = tail;
            while let Some(frame) = frames.next(&mut chunk) {
                read.push(parse(&frame.unwrap()));
            }
        }
        prop_assert_eq!(read, messages);
        prop_assert!(!frames.is_partial());
    }
}

/// Every legal move of many positions goes out and comes back as itself.
#[test]
fn moves_of_games_come_back() {
    use kroon::notation::dxp::DxpMove;
    let mut game = Game::new(VariantId::International);
    let mut seed = 1_usize;
    while game.outcome().is_none() {
        let legal = game.legal_moves();
        for &mv in legal.iter() {
            let Message::Move(read) = parse(&Message::Move(DxpMove::new(mv, 3)).to_string()) else {
                panic!()
            };
            assert_eq!(read.resolve(&legal), Some(mv));
        }
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        game.play(legal[(seed >> 33) % legal.len()]).unwrap();
    }
}
