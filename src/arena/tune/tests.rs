//! The tuner as a whole.

use super::*;
use crate::arena::adjudicate::Adjudication;
use crate::arena::time_control::EngineLimits;
use crate::rules::VariantId;
use std::fs;

fn plan() -> TunePlan {
    TunePlan {
        // The first king wins: few games are drawn.
        variant: VariantId::Breakthrough,
        knobs: ["probcut-margin", "lmr-first=3,1,8,1"].map(|text| text.parse().unwrap()).to_vec(),
        params: vec![("hash".to_owned(), "1".to_owned())],
        limits: EngineLimits { nodes: Some(600), ..EngineLimits::default() },
        margin: Duration::ZERO,
        openings: "random:4:1".parse().unwrap(),
        rules: Adjudication { max_plies: Some(200), ..Adjudication::default() },
        pairs: 13,
        batch: 2,
        rate: 0.5,
        seed: 3,
        concurrency: 1,
        shard: None,
    }
}

/// Plays to the end, stopped and begun again after every iteration if so wanted; the file and all states seen.
fn play_all(plan: &TunePlan, stops: bool) -> (String, Vec<TuneState>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let mut states = Vec::new();
    loop {
        let cancel = Cancel::new();
        let mut tuning = Tuner::open(plan, &path, Resume::Yes).unwrap();
        if tuning.state.pairs == plan.pairs {
            return (fs::read_to_string(&path).unwrap(), states);
        }
        let mut spectator = |news: TuneNews<'_>| {
            let TuneNews::State(state) = news else { return Ok(()) };
            states.push(state.clone());
            if stops {
                cancel.cancel();
            }
            Ok(())
        };
        tuning.run(&path, &cancel, &mut spectator).unwrap();
    }
}

#[test]
fn the_same_seed_learns_the_same_however_often_it_is_stopped() {
    let (whole, states) = play_all(&plan(), false);
    assert_eq!(states.iter().map(|state| state.pairs).collect::<Vec<_>>(), [2, 4, 6, 8, 10, 12, 13]);
    assert_eq!(states[6].score.games(), 26);
    assert_ne!(states[6].values, [100.0, 3.0], "something was learned");
    assert_eq!(play_all(&plan(), true), (whole.clone(), states.clone()));
    assert_eq!(play_all(&TunePlan { concurrency: 3, ..plan() }, false), (whole, states.clone()));
    assert_ne!(play_all(&TunePlan { seed: 4, ..plan() }, false).1, states);
}

/// Shards in threads, each of which lets its tuner go after so many iterations and begins again, if so wanted; the file.
fn play_shards(plan: &TunePlan, restarts: &[Option<usize>]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    thread::scope(|scope| {
        for (index, &restart) in restarts.iter().enumerate() {
            let plan = TunePlan { shard: format!("{index}/{}", restarts.len()).parse().ok(), ..plan.clone() };
            let path = &path;
            scope.spawn(move || {
                loop {
                    let cancel = Cancel::new();
                    let mut tuner = Tuner::open(&plan, path, Resume::Yes).unwrap();
                    let mut seen = 0;
                    let mut spectator = |_: TuneNews<'_>| {
                        seen += 1;
                        if restart.is_some_and(|after| seen == after) {
                            cancel.cancel();
                        }
                        Ok(())
                    };
                    tuner.run(path, &cancel, &mut spectator).unwrap();
                    if tuner.state.pairs == plan.pairs {
                        return;
                    }
                }
            });
        }
    });
    let left = fs::read_dir(folder.path().join("state.json.parts")).unwrap().count();
    // Locks, and the parts of the last iterations.
    assert!(left <= restarts.len() * 3, "{left} files are left");
    fs::read_to_string(&path).unwrap()
}

#[test]
fn shards_learn_what_one_process_learns() {
    let plan = TunePlan { batch: 3, ..plan() };
    let (whole, _) = play_all(&plan, false);
    // 13 pairs: the last iteration has two games for six shards.
    for restarts in [&[None; 4][..], &[None; 6], &[None, Some(1), None], &[Some(1), None, Some(2)]] {
        assert_eq!(play_shards(&plan, restarts), whole, "{restarts:?}");
    }
}

#[test]
fn what_is_no_part_of_the_tuning_is_not_taken_for_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let shard = |text: &str| TunePlan { shard: text.parse().ok(), ..plan() };
    let open = |plan: &TunePlan| Tuner::open(plan, &path, Resume::Yes);
    let refused = |plan: &TunePlan| open(plan).unwrap_err().to_string();
    let error = refused(&shard("0/5"));
    assert!(error.contains("shard 0/5: an iteration has 4 games"), "{error}");
    let first = open(&shard("0/2")).unwrap();
    if cfg!(unix) {
        assert!(refused(&shard("0/3")).contains("shard 0/3 is being played by another process"));
    }
    let settings = first.settings.clone();
    drop(first);
    fs::remove_dir_all(folder.path().join("state.json.parts")).unwrap();
    let lone = open(&plan()).unwrap();
    assert!(refused(&shard("0/2")).contains("is in use by another process"));
    assert!(!folder.path().join("state.json.parts").exists(), "nothing is left of who was refused");
    drop(lone);

    let parts = |seed: u64, index: usize| {
        let mut settings = settings.clone();
        settings
            .iter_mut()
            .filter(|(name, _)| name == "seed")
            .for_each(|(_, value)| *value = seed.to_string());
        Parts::open(&path, format!("{index}/2").parse().unwrap(), &settings, false).unwrap()
    };
    let at = |values: &'static [f64]| Iteration { done: 0, games: 4, values };
    let ends = |games: [usize; 2]| {
        games
            .map(|game| GameEnd { game, result: crate::game::GameResult::Draw, reason: Reason::Repetition })
            .to_vec()
    };
    let (here, there) = (parts(3, 0), parts(3, 1));
    let other = there.shard();
    let read = |values: &'static [f64]| here.read(at(values), other);
    assert!(read(&[100.0, 3.0]).unwrap().is_none() && here.present(at(&[]), &[other]).unwrap().is_empty());
    there.write(at(&[100.0, 3.0]), ends([1, 3])).unwrap();
    assert_eq!(here.present(at(&[]), &[here.shard(), other]).unwrap(), [other]);
    assert_eq!(read(&[100.0, 3.0]).unwrap(), Some(ends([1, 3])));
    assert_eq!(read(&[100.0 + 1e-12, 3.0]).unwrap(), Some(ends([1, 3])), "rounded otherwise");
    assert_eq!(read(&[100.001, 3.0]).unwrap(), None, "of another run");
    let error = read(&[100.0]).unwrap_err().to_string();
    assert!(error.contains("0-1-of-2.part") && error.contains("2 values for 1 knobs"), "{error}");
    there.write(at(&[100.0, 3.0]), ends([0, 2])).unwrap();
    let error = read(&[100.0, 3.0]).unwrap_err().to_string();
    assert!(
        error.contains("games [0, 2] of shard 1/2") && error.contains("expected [1, 3] of 1/2"),
        "{error}"
    );
    drop(there);
    parts(4, 1).write(at(&[100.0, 3.0]), ends([1, 3])).unwrap();
    let error = read(&[100.0, 3.0]).unwrap_err().to_string();
    assert!(error.contains("its seed is 4, not 3"), "{error}");
    fs::write(folder.path().join("state.json.parts/0-1-of-2.part"), "{}").unwrap();
    assert!(read(&[100.0, 3.0]).unwrap_err().to_string().contains("is no part of a tuning"));
    here.forget(0).unwrap();
    assert!(read(&[]).is_err(), "not before 0");
    here.forget(1).unwrap();
    assert!(read(&[]).unwrap().is_none());
}

#[test]
fn a_state_of_another_tuning_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let open = |plan: TunePlan, resume: Resume| Tuner::open(&plan, &path, resume).map(drop);
    open(plan(), Resume::No).unwrap();
    let refused = |plan: TunePlan| open(plan, Resume::Yes).unwrap_err().to_string();
    assert!(open(plan(), Resume::No).unwrap_err().to_string().contains("--resume"));
    assert!(refused(TunePlan { seed: 4, ..plan() }).contains("its seed is 3, not 4"));
    let limits = EngineLimits { nodes: Some(700), ..EngineLimits::default() };
    assert!(refused(TunePlan { limits, ..plan() }).contains("its limit is 600 nodes, not 700 nodes"));
    let openings = "ballot2".parse().unwrap();
    assert!(refused(TunePlan { openings, ..plan() }).contains("its openings is random:4:1, not ballot2"));
    let knobs = vec!["probcut-margin".parse().unwrap()];
    assert!(
        refused(TunePlan { knobs, ..plan() }).contains("is probcut-margin, lmr-first, not probcut-margin;")
    );
    let knobs = ["probcut-margin", "lmr-first=2,1,8,1"].map(|text| text.parse().unwrap()).to_vec();
    let error = refused(TunePlan { knobs, ..plan() });
    assert!(error.contains("knob lmr-first is lmr-first=3,1,8,1, not lmr-first=2,1,8,1"), "{error}");
    open(TunePlan { concurrency: 2, ..plan() }, Resume::Yes).unwrap();
    // Begun by another program.
    let text = fs::read_to_string(&path).unwrap().replace(crate::engine::PROGRAM, "kroon 0.0.1");
    fs::write(&path, text).unwrap();
    let error = refused(plan());
    assert!(error.contains("its program is kroon 0.0.1, learned ") && error.contains("--force"), "{error}");
    open(plan(), Resume::Forced).unwrap();
    open(plan(), Resume::Yes).unwrap();
}

#[test]
fn senseless_plans_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.json");
    let refused = |plan: TunePlan| Tuner::open(&plan, &path, Resume::No).unwrap_err().to_string();
    let knobs = ["lmr-first", "lmr-first=4"].map(|text| text.parse().unwrap()).to_vec();
    assert!(refused(TunePlan { knobs, ..plan() }).contains("\"lmr-first\" is given twice"));
    let param = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
    let params = param("tune.lmr-first", "4");
    assert!(refused(TunePlan { params, ..plan() }).contains("\"tune.lmr-first\" is tuned"));
    assert!(refused(TunePlan { params: param("colour", "4"), ..plan() }).contains("\"colour\""));
    assert!(refused(TunePlan { params: param("hash", "much"), ..plan() }).contains("\"much\""));
    assert!(!path.exists(), "nothing was begun");
    let nowhere = folder.path().join("no/state.json");
    let error = Tuner::open(&plan(), &nowhere, Resume::No).unwrap_err().to_string();
    assert!(error.contains("no/state.json"), "{error}");
}

#[test]
fn random_openings_do_not_depend_on_where_they_begin() {
    let mut all = Book::new(&plan()).unwrap();
    let openings: Vec<Game> = (0..70).map(|pair| all.get(pair).unwrap()).collect();
    let mut late = Book::new(&plan()).unwrap();
    assert_eq!(late.get(69).unwrap().moves(), openings[69].moves());
    assert_eq!(late.get(1).unwrap().moves(), openings[1].moves());
    assert_ne!(openings[0].moves(), openings[64].moves());
}

#[test]
fn numbers_move_towards_those_that_win() {
    use crate::board::Color::{self, Black, White};
    let folder = tempfile::tempdir().unwrap();
    // The first engine has White in the first game and Black in the second one.
    for (winners, has_first_won) in [([White, Black], true), ([Black, White], false)] {
        let path = folder.path().join(has_first_won.to_string());
        let mut tuner = Tuner::open(&plan(), &path, Resume::No).unwrap();
        let start = tuner.state.values.clone();
        let probe = tuner.spsa.probe(&start, 0);
        let end = |(game, color): (usize, Color)| GameEnd {
            game,
            result: crate::game::GameResult::win(color),
            reason: if game == 0 { Reason::Time } else { Reason::Rules },
        };
        let ends: Vec<GameEnd> = winners.into_iter().enumerate().map(end).collect();
        tuner.learn(&probe, 1, &ends);
        assert_eq!(tuner.state.late, 1, "one was lost on time");
        let score = &tuner.state.score;
        assert_eq!((score.wins, score.losses), if has_first_won { (2, 0) } else { (0, 2) });
        for (knob, value) in tuner.state.values.iter().enumerate() {
            let way = f64::from(probe.plus[knob] - probe.minus[knob]);
            assert!(way != 0.0 && ((value - start[knob]) * way > 0.0) == has_first_won, "{knob}: {value}");
        }
    }
}

#[test]
fn the_first_engine_has_white_in_even_games() {
    let folder = tempfile::tempdir().unwrap();
    let tuner = Tuner::open(&plan(), &folder.path().join("state"), Resume::No).unwrap();
    let sides = [[100, 1], [100, 8]].map(|values| tuner.engine(&values));
    let opening = Game::new(VariantId::Breakthrough);
    let cancel = Cancel::new();
    let expected = |white: usize| {
        let mut players = [white, 1 - white].map(|side| sides[side].start("either", &cancel));
        let [first, second] = &mut players;
        let seats = [first, second].map(|player| Seat {
            player: player.as_mut(),
            limits: tuner.plan.limits,
            margin: Duration::ZERO,
            seed: 1,
        });
        play(&opening, seats, &tuner.plan.rules, &cancel, &GameLog::default()).unwrap().game
    };
    let expected = [0, 1].map(expected);
    assert_ne!(expected[0].moves(), expected[1].moves());
    for (number, expected) in expected.iter().enumerate() {
        let played = tuner.game(&sides, &opening, number, &cancel).unwrap();
        assert_eq!(played.game.moves(), expected.moves(), "game {number}");
    }
}
