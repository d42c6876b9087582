//! Hostile input to a DXP session: in any order of messages it does not panic, keeps every game, sends only valid
//! messages, and always has a deadline (checked by [`Peer::feed`]).

use crate::dxp_world::{PATIENCE, Peer, World, schedule, settings};
use kroon::notation::dxp::DxpMove;
use kroon::protocol::dxp::session::{DxpInput, Role, UserCommand};
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// An event from a hostile opponent or a bad network.
#[derive(Clone, Debug)]
enum Op {
    /// A message.
    Say(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A legal move of the game that is being played.
    Move,
    /// Our engine is ready, or its search ends.
    Think,
    /// Milliseconds pass.
    Wait(u64),
    User(UserCommand),
    Closed,
}

fn op() -> impl Strategy<Value = Op> {
    let request = ("[WZ]", "000|001|005|0.5", "000|002|075", "A|B[WZ][ewzWZ]{50}|BW[ez]{25}[ew]{25}")
        .prop_map(|(color, time, moves, start)| format!("R01{:<32}{color}{time}{moves}{start}", "Hostile"));
    let message = prop_oneof![
        3 => request,
        2 => "A.{32}[0-4]".prop_map(|text| text.chars().map(|c| if c.is_ascii() { c } else { '?' }).collect()),
        1 => "A[A-Za-z ]{32}0",
        2 => "M[0-9]{4}(0[1-9]|[1-4][0-9]){2}00",
        1 => "M[0-9]{8}0[1-3]([0-4][1-9]){1,3}",
        3 => "E[0-4][01]",
        2 => "B00[0-9][WZ]",
        1 => "K[0-3]",
        1 => "C[ -~]{0,130}",
        1 => "[ -~]{0,10}",
    ];
    prop_oneof![
        6 => message.prop_map(Op::Say),
        1 => prop::collection::vec(any::<u8>(), 0..200).prop_map(Op::Bytes),
        6 => Just(Op::Move),
        6 => Just(Op::Think),
        2 => (0_u64..400_000).prop_map(Op::Wait),
        1 => prop_oneof![
            Just(UserCommand::Resign),
            Just(UserCommand::Draw),
            ".{0,200}".prop_map(UserCommand::Chat),
            Just(UserCommand::Quit)
        ].prop_map(Op::User),
        1 => Just(Op::Closed),
    ]
}

fn run(role: Role, ops: Vec<Op>) {
    let mut now = Instant::now();
    let mut peer = Peer::new(settings("Kroon", role));
    peer.feed(now, DxpInput::Connected);
    for op in ops {
        match op {
            Op::Say(text) => drop(peer.feed(now, DxpInput::Bytes(format!("{text}\0").as_bytes()))),
            Op::Bytes(bytes) => drop(peer.feed(now, DxpInput::Bytes(&bytes))),
            Op::Move => {
                let Some(game) = peer.session.game().cloned() else { continue };
                if !game.legal_moves().is_empty() {
                    let text = format!("{}\0", DxpMove::new(peer.choose(&game), 1));
                    peer.feed(now, DxpInput::Bytes(text.as_bytes()));
                }
            }
            Op::Think => {
                peer.get_ready(now);
                peer.finish_search(now);
            }
            Op::Wait(time) => {
                now += Duration::from_millis(time);
                peer.feed(now, DxpInput::Tick);
            }
            Op::User(command) => drop(peer.feed(now, DxpInput::User(command))),
            Op::Closed => drop(peer.feed(now, DxpInput::Closed(None))),
        }
    }
    // Left alone, it comes to an end by itself.
    for _ in 0..50 {
        if peer.closing.is_some() {
            break;
        }
        peer.get_ready(now);
        peer.finish_search(now);
        now = peer.session.deadline().unwrap_or(now);
        peer.feed(now, DxpInput::Tick);
    }
    assert!(peer.closing.is_some());
    assert_eq!(peer.started, peer.records.len());
}

proptest! {
    #[test]
    fn a_follower_survives_anything(ops in prop::collection::vec(op(), 0..60)) {
        run(Role::Follower(None), ops);
    }

    #[test]
    fn an_initiator_survives_anything(ops in prop::collection::vec(op(), 0..60)) {
        run(Role::Initiator(schedule(3, 0.1, 4)), ops);
    }

    /// Two honest sides on a bad wire: bytes are lost, doubled or changed.
    #[test]
    fn a_bad_wire_harms_nobody(faults in prop::collection::vec((0_usize..4000, 0_usize..2, 0_u8..4, any::<u8>()), 1..12)) {
        let first = settings("First", Role::Initiator(schedule(2, 1.0, 30)));
        let mut world = World::new(first, settings("Second", Role::Follower(None)));
        world.pace = PATIENCE / 60;
        world.connect();
        for step in 0..4000 {
            for &(_, wire, kind, byte) in faults.iter().filter(|fault| fault.0 / 8 == step) {
                let bytes = &mut world.wires[wire];
                match kind {
                    0 => bytes.truncate(bytes.len() / 2),
                    1 => bytes.extend_from_within(..),
                    2 => bytes.push(byte),
                    _ => if let Some(first) = bytes.first_mut() { *first = byte },
                }
            }
            if !world.step() {
                break;
            }
        }
        for peer in &world.peers {
            prop_assert!(peer.closing.is_some());
            prop_assert_eq!(peer.started, peer.records.len());
        }
    }
}
