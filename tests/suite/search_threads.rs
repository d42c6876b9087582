//! The alpha-beta search with several threads: it keeps its limits, hears stop and ponder hit, and ends.

use kroon::engine::{Engine, Mode, Options, Report, Request};
use kroon::game::Game;
use kroon::rules::VariantId;
use kroon::search::{Control, Info, Limits, Observer, spawn_search};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

fn engine(threads: usize) -> Engine {
    Engine::new(Options { threads, hash_mb: 4, ..Options::default() })
}

fn request(limits: Limits, mode: Mode) -> Request {
    Request { game: Game::new(VariantId::International), limits, mode }
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Tells of every report, so that a test can wait for one and need not sleep.
struct Tell(mpsc::Sender<Info>);

impl Observer for Tell {
    fn info(&mut self, info: &Info) {
        let _ = self.0.send(info.clone());
    }
}

/// Starts a search, gives `act` the control and the reports once the first one has come, and waits for the end.
fn steered(threads: usize, request: Request, act: impl FnOnce(&Control, &mpsc::Receiver<Info>)) -> Report {
    let control = Control::new();
    let (sender, receiver) = mpsc::channel();
    thread::scope(|scope| {
        let go = || engine(threads).go(&request, &control, &mut Tell(sender));
        let search = spawn_search(scope, "search", go).unwrap();
        receiver.recv().unwrap();
        act(&control, &receiver);
        search.join().unwrap()
    })
}

#[test]
fn node_limits_hold() {
    // What a thread may have searched without having told the others.
    const UNTOLD: u64 = 512;
    for threads in [1, 2, 8] {
        for limit in [1, 2, 10, 399, 400, 500, 512, 513, 3_000, 20_000] {
            let report = engine(threads).go(&request(nodes(limit), Mode::Analyze), &Control::new(), &mut ());
            let most = if threads == 1 { limit } else { limit + threads as u64 * UNTOLD };
            assert!((limit..=most).contains(&report.nodes), "{threads} threads, {limit}: {}", report.nodes);
            assert!(report.best.is_some());
        }
    }
}

#[test]
fn one_thread_does_the_same_again() {
    let [first, again] = [(); 2].map(|()| {
        let (sender, receiver) = mpsc::channel();
        let report = engine(1).go(&request(nodes(30_000), Mode::Analyze), &Control::new(), &mut Tell(sender));
        let infos: Vec<_> =
            receiver.iter().map(|i| (i.depth, i.score, i.nodes, i.pv, i.mean_depth)).collect();
        (report.best, report.ponder, report.nodes, infos)
    });
    assert_eq!(first, again);
    assert!(first.3.len() > 5);
}

#[test]
fn a_depth_is_reached_and_not_passed() {
    for threads in [2, 8] {
        let limits = Limits { depth: Some(9), ..Limits::default() };
        let report = engine(threads).go(&request(limits, Mode::Analyze), &Control::new(), &mut ());
        assert_eq!(report.info.unwrap().depth, 9, "{threads} threads");
    }
}

#[test]
fn an_endless_search_ends_when_it_is_told_to() {
    for threads in [1, 2, 8] {
        let limits = Limits { infinite: true, ..Limits::default() };
        let report = steered(threads, request(limits, Mode::Analyze), |control, _| control.stop());
        assert!(report.best.is_some() && report.nodes > 0, "{threads} threads");
    }
}

#[test]
fn a_ponder_search_waits_for_the_hit_and_then_for_the_clock() {
    for threads in [2, 8] {
        let limits = Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() };
        let report = steered(threads, request(limits, Mode::Ponder), |control, infos| {
            // Its time is long over, and it goes on all the same.
            while infos.recv().unwrap().depth < 8 {}
            control.ponder_hit();
        });
        assert!(report.info.unwrap().depth >= 7 && report.ponder.is_some(), "{threads} threads");
    }
}

/// Fails at its first report.
struct Fault;

impl Observer for Fault {
    fn info(&mut self, _: &Info) {
        panic!("a fault that this test wants");
    }
}

#[test]
fn a_fault_in_the_first_thread_ends_the_others() {
    let search = thread::spawn(|| {
        let limits = Limits { infinite: true, ..Limits::default() };
        engine(4).go(&request(limits, Mode::Analyze), &Control::new(), &mut Fault)
    });
    assert!(search.join().is_err());
}
