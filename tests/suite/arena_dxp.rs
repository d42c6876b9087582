//! Matches with engines that speak DXP: `kroon dxp listen`, and listeners with faults.

use kroon::arena::record::{GameRecord, Reason};
use kroon::arena::store;
use kroon::game::Game;
use kroon::notation::dxp::DxpMove;
use kroon::protocol::dxp::message::{BackCode, Message};
use kroon::rules::VariantId;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const VARIANT: VariantId = VariantId::International;

/// Plays a match of this engine, which is the first one, against random moves.
fn play(name: &str, engine: &str, args: &str) -> (Option<i32>, String, Vec<GameRecord>) {
    let file = format!("dxp-{name}-{}", std::process::id());
    let results = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(file);
    let _ = std::fs::remove_file(&results);
    let output = Command::new(env!("CARGO_BIN_EXE_kroon"))
        .args(["match", "--engine", engine, "--engine", "proto=kroon player=random"])
        .args(args.split_whitespace())
        .arg("--results")
        .arg(&results)
        .env_remove("KROON_LOG")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    let mut records = store::read(&results).map(|(_, records)| records).unwrap_or_default();
    records.sort_by_key(|record| record.game);
    let _ = std::fs::remove_file(&results);
    (output.status.code(), text, records)
}

/// The description of a `kroon dxp listen` that the match starts, with further settings.
fn listener(more: &str) -> String {
    let program = env!("CARGO_BIN_EXE_kroon");
    format!(
        "cmd=\"'{program}' dxp listen --port {{port}} --move-time 0.01 --hash 1\" proto=dxp name=Kroon {more}"
    )
}

#[test]
fn kroon_plays_through_dxp() {
    let engine = listener("");
    let (code, text, records) = play("pair", &engine, "--tc 60 --games 4 --concurrency 2 --patience 20");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("Kroon - random: 4 games, +4 =0 -0"), "{text}");
    assert_eq!(records.len(), 4);
    for record in records {
        assert_eq!(record.reason, Reason::Rules, "{record:?}");
        record.replay(VARIANT).unwrap();
    }
}

/// A game that ends after the moves that the match itself has asked for is nobody's loss.
#[test]
fn the_limit_of_moves_is_a_draw() {
    let engine = listener("param.moves=5 param.minutes=1");
    let (code, text, records) = play("limit", &engine, "--tc 60 --games 2 --patience 20 --openings start");
    assert_eq!(code, Some(0), "{text}");
    for record in &records {
        assert_eq!(record.reason, Reason::MaxPlies, "{record:?}");
        assert!((10..=11).contains(&record.replay(VARIANT).unwrap().moves().len()));
    }
    assert!(records.len() == 2 && text.contains("2 games, +0 =2 -0"), "{text}");
}

/// The protocol has no word for a move in place of the engine's own: the game begins anew behind it.
#[test]
fn noise_reaches_an_engine_behind_dxp() {
    let engine = listener("noise=0.2");
    let (code, text, records) = play("noise", &engine, "--tc 60 --games 2 --patience 20 --max-plies 60");
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(records.len(), 2);
    for record in records {
        assert!(!record.reason.is_fault(), "{record:?}");
        record.replay(VARIANT).unwrap();
        // A replaced move took no time.
        let own = record.notes.iter().skip(record.black.abs_diff(1)).step_by(2);
        assert!(own.filter(|note| note.3 == 0.0).count() > 0);
    }
}

/// A listener that plays the middle one of its legal moves, except at its second move.
#[derive(Clone)]
struct Fake {
    fault: &'static str,
    /// It goes on with a game that broke off until it hears that it is over, whoever connects.
    stuck: Arc<AtomicBool>,
}

impl Fake {
    /// Serves connections until the test program ends; gives the engine for the match.
    fn start(fault: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        thread::spawn(move || {
            let fake = Fake { fault, stuck: Arc::default() };
            while let Ok((stream, _)) = listener.accept() {
                let fake = fake.clone();
                // The referee may hang up at any moment.
                thread::spawn(move || fake.serve(stream));
            }
        });
        format!("proto=dxp address={address} name=fake")
    }

    fn serve(self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut buffer = Vec::new();
        let mut game = Game::new(VARIANT);
        let mut color = game.position().turn();
        let mut moves = 0;
        let mut playing = false;
        let mut answered = false;
        loop {
            if playing && game.position().turn() == color && !game.legal_moves().is_empty() {
                moves += 1;
                if moves == 2 && !self.misbehave(&mut stream)? {
                    return Ok(());
                }
                let legal = game.legal_moves();
                let mv = legal[legal.len() / 2];
                game.play(mv).unwrap();
                stream.write_all(&Message::Move(DxpMove::new(mv, 0)).to_frame())?;
            }
            match receive(&mut stream, &mut buffer)? {
                Message::GameRequest(request) => {
                    if self.fault == "refuse" {
                        stream.write_all(format!("A{:<32}2\0Cno time today\0", "Fake").as_bytes())?;
                        continue;
                    }
                    if self.fault == "turn away" {
                        return stream.write_all(format!("A{:<32}2\0Cbusy\0", "Fake").as_bytes());
                    }
                    if matches!(self.fault, "stuck" | "watchful") && self.stuck.swap(true, Ordering::Relaxed)
                    {
                        stream.write_all(format!("A{:<32}2\0Calready in a game\0", "Fake").as_bytes())?;
                        continue;
                    }
                    stream.write_all(b"Chello\0")?;
                    stream.write_all(format!("A{:<32}0\0", "Fake").as_bytes())?;
                    game = request
                        .start
                        .map_or(Game::new(VARIANT), |setup| Game::from_setup(VARIANT, &setup).unwrap());
                    (color, moves, playing) = (request.follower, 0, true);
                }
                // The answer to its own request comes before the next move.
                Message::BackAccept(code) => answered = code == BackCode::Unsupported,
                Message::Move(_) if self.fault == "noise" && moves == 2 && !answered => return Ok(()),
                Message::Move(mv) => {
                    let same = |legal: &&kroon::board::Move| {
                        DxpMove::new(**legal, 0).captured() == mv.captured()
                            && (legal.from(), legal.to()) == (mv.from(), mv.to())
                    };
                    let mv = *game.legal_moves().iter().find(same).unwrap();
                    game.play(mv).unwrap();
                    if game.legal_moves().is_empty() {
                        stream.write_all(b"E10\0")?;
                    }
                }
                Message::GameEnd { .. } => {
                    // Who watches his old connection hears it there alone.
                    if self.fault != "watchful" || playing {
                        self.stuck.store(false, Ordering::Relaxed);
                    }
                    if playing {
                        stream.write_all(b"E00\0")?;
                    }
                    playing = false;
                }
                _ => (),
            }
        }
    }

    /// Says whether it goes on after that.
    fn misbehave(&self, stream: &mut TcpStream) -> std::io::Result<bool> {
        match self.fault {
            "close" => return Ok(false),
            "hang" | "stuck" => thread::sleep(Duration::from_secs(3600)),
            "watchful" => {
                let mut buffer = Vec::new();
                while !matches!(receive(stream, &mut buffer)?, Message::GameEnd { .. }) {}
                self.stuck.store(false, Ordering::Relaxed);
                return Ok(false);
            }
            "illegal" => stream.write_all(b"M0000015000\0")?,
            "garbage" => stream.write_all(b"Mooooooooooo\0")?,
            "resign" => stream.write_all(b"E10\0")?,
            "draw" => stream.write_all(b"E20\0")?,
            "late" => thread::sleep(Duration::from_secs(2)),
            "noise" => stream.write_all(b"Cwait a moment\0\0Xwhat\0B001W\0Z\0")?,
            _ => (),
        }
        if matches!(self.fault, "resign" | "draw" | "illegal" | "garbage") {
            // The confirmation, or the end of the connection, and from here on the next connection.
            let _ = receive(stream, &mut Vec::new());
            return Ok(false);
        }
        Ok(true)
    }
}

fn receive(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> std::io::Result<Message> {
    loop {
        if let Some(end) = buffer.iter().position(|&byte| byte == 0) {
            let text: Vec<u8> = buffer.drain(..=end).collect();
            return Ok(String::from_utf8_lossy(&text[..end]).parse().unwrap());
        }
        let mut chunk = [0; 256];
        match stream.read(&mut chunk)? {
            0 => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            count => buffer.extend_from_slice(&chunk[..count]),
        }
    }
}

#[test]
fn faults_end_the_game_with_their_reason() {
    thread::scope(|scope| {
        for (fault, reason) in [
            ("close", Some(Reason::Crash)),
            ("hang", Some(Reason::Hang)),
            ("stuck", Some(Reason::Hang)),
            ("watchful", Some(Reason::Hang)),
            ("illegal", Some(Reason::IllegalMove)),
            ("garbage", Some(Reason::IllegalMove)),
            ("resign", Some(Reason::Resignation)),
            ("draw", Some(Reason::Left)),
            ("late", Some(Reason::Time)),
            ("refuse", None),
            ("turn away", None),
            ("noise", None),
        ] {
            scope.spawn(move || {
                let engine = Fake::start(fault);
                // Late moves are awaited for two seconds more. A busy machine may delay those of the others.
                let margin = if fault == "late" { 0.8 } else { 3.0 };
                let args =
                    format!("--move-time 0.2 --time-margin {margin} --games 2 --max-plies 40 --patience 10");
                let (code, text, records) = play(fault, &engine, &args);
                if let "refuse" | "turn away" = fault {
                    assert_eq!((code, records.len()), (Some(1), 0), "{fault}: {text}");
                    let said = if fault == "refuse" { "no time today" } else { "busy" };
                    let why = format!("refused the game (code 2, not this game): \"{said}\"");
                    assert!(text.contains("cannot be started: ") && text.contains(&why), "{text}");
                    return;
                }
                assert_eq!((code, records.len()), (Some(0), 2), "{fault}: {text}");
                for record in records {
                    let game = record.replay(VARIANT).unwrap();
                    match reason {
                        Some(reason) => {
                            assert_eq!(
                                (record.reason, record.half_points(0)),
                                (reason, 0),
                                "{fault}: {record:?}"
                            );
                            // The opening, and one move of the fake engine, and what was played against it.
                            assert!((4..=5).contains(&game.moves().len()), "{fault}: {record:?}");
                        }
                        None => assert!(!record.reason.is_fault(), "{fault}: {record:?}"),
                    }
                }
            });
        }
    });
}

#[test]
fn mistakes_are_named() {
    let fault = |engine: &str, args: &str| {
        let (code, text, records) = play("mistake", engine, args);
        assert!(code == Some(1) && records.is_empty(), "{text}");
        text
    };
    assert!(fault("proto=dxp address=localhost", "--tc 60+1").contains("60+1"));
    assert!(fault("proto=dxp address=localhost", "--tc 60 --concurrency 2").contains("{port}"));
    assert!(fault("proto=dxp address=localhost", "--tc 60 --variant english").contains("50 squares"));
    assert!(fault("proto=dxp cmd=\"/nowhere/engine {port}\"", "--tc 60").contains("/nowhere/engine"));
    // A listener that is there already must not play in the name of the engine that could not listen.
    let stranger = Fake::start("none");
    let address = stranger.split_whitespace().find_map(|word| word.strip_prefix("address=")).unwrap();
    let port = address.rsplit_once(':').unwrap().1;
    let program = env!("CARGO_BIN_EXE_kroon");
    let engine = format!("proto=dxp cmd=\"'{program}' dxp listen --port {port}\" address={address}");
    assert!(fault(&engine, "--tc 60 --games 2 --patience 20").contains("somebody else listens on 127.0.0.1"));
    let idle = format!("proto=dxp cmd=\"'{}' board\" address=127.0.0.1:1", env!("CARGO_BIN_EXE_kroon"));
    assert!(fault(&idle, "--tc 60 --patience 20").contains("ended before it listened"));
}
