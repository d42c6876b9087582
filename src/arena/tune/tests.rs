//! The tuner as a whole.

use super::*;
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
        let mut spectator = |state: &TuneState| {
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
    assert!(error.contains("its program is kroon 0.0.1, not kroon") && error.contains("--force"), "{error}");
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
