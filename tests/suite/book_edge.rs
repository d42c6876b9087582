//! Lists of edge openings from the outside: made, stopped, made longer, played from.

use super::book::{BUILD, V, run, said, written};
use super::program::process_in;
use kroon::notation::pdn;
use std::fs;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;
use tempfile::TempDir;

/// A list in the making is of one process; an interrupt ends the searches of a book and of a list at once.
#[test]
#[cfg(unix)]
fn one_makes_a_list_and_an_interrupt_ends_it() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let edge = "book edge --variant english --count 90000 --game-nodes 1000000000 --out e.pdn --resume";
    let build = "book build --variant english --expansions 90000 --nodes 1000000000 --out b.book";
    for (words, state) in [(edge, "e.pdn.state.lock"), (build, "b.book.state")] {
        // It catches signals before it makes the file.
        let mut first =
            process_in(folder, words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while !folder.join(state).exists() {
            sleep(Duration::from_millis(5));
        }
        if words == edge {
            let output = run(folder, words);
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(error.contains("in use by another process"), "{error}");
        }
        let id = rustix::process::Pid::from_child(&first);
        rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
        // A search of so many nodes takes many minutes.
        assert_eq!(first.wait().unwrap().code(), Some(1), "{words}");
    }
}

#[test]
fn edge_openings_are_a_file_for_matches() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let edge = "book edge --variant english --count 3 --nodes 2000 --games 4 --game-nodes 200 --out";
    said(folder, &format!("{edge} a.pdn"));
    said(folder, &format!("{edge} b.pdn"));
    let read = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!((read("a.pdn").lines().count(), read("a.pdn")), (3, read("b.pdn")));
    // Fewer are the first of them, and lose nothing; more go on, to the same list as in one go.
    let resumed = |count: u32, name: &str| {
        said(folder, &format!("{} {name} --resume", edge.replace("--count 3", &format!("--count {count}"))));
        read(name)
    };
    let whole = read("b.pdn");
    assert_eq!(resumed(1, "b.pdn"), whole.split_inclusive('\n').next().unwrap());
    assert_eq!((resumed(3, "b.pdn"), resumed(5, "b.pdn")), (whole, resumed(5, "d.pdn")));
    for (words, status, fault) in [
        (format!("{edge} a.pdn"), 1, "go on with it, or remove it"),
        (format!("{edge} -"), 2, "FILE.state is kept"),
        (format!("{} e.pdn", edge.replace("--games 4", "--games 3")), 2, "0, 0.33, 0.67, 1, and none"),
        #[cfg(unix)]
        (format!("{edge} /dev/null"), 1, "no regular file"),
        #[cfg(unix)]
        (format!("{BUILD} /dev/null"), 1, "no regular file"),
    ] {
        let output = run(folder, &words);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(status) && error.contains(fault), "{words}: {error}");
    }
    // A list whose state has been removed is not begun anew in its place.
    let list = read("b.pdn");
    fs::remove_file(folder.join("b.pdn.state")).unwrap();
    for more in ["", " --resume"] {
        let output = run(folder, &format!("{edge} b.pdn{more}"));
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.contains("b.pdn\" is there already, without \"b.pdn.state"), "{error}");
    }
    assert_eq!(read("b.pdn"), list);
    said(
        folder,
        "match --variant english --engine proto=kroon --engine proto=kroon --nodes 50 --games 6 --openings a.pdn \
         --pdn games.pdn",
    );
    let starts = |name: &str| -> Vec<Vec<String>> {
        let (games, _) = pdn::read_games(&read(name));
        games.iter().map(|game| written(game.replay_as(V).unwrap().game())).collect()
    };
    let (openings, games) = (starts("a.pdn"), starts("games.pdn"));
    assert_eq!((openings.len(), games.len()), (3, 6));
    for opening in openings {
        let from_it = games.iter().filter(|game| game.starts_with(&opening)).count();
        assert!(opening.len() >= 8 && from_it == 2, "{opening:?}: {from_it} games");
    }
}
