//! The sources keep to the map of rooms in the crate documentation.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

const MOST_LINES: usize = 600;
const MOST_LINES_OF_MAIN: usize = 40;

fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// All Rust files below a folder, with their text.
pub fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            files.push((path, text));
        }
    }
    files
}

/// The table of the crate documentation: room -> rooms that it may use.
fn map() -> BTreeMap<String, BTreeSet<String>> {
    let text = fs::read_to_string(source_folder().join("lib.rs")).unwrap();
    let mut map = BTreeMap::new();
    for row in text.lines().filter_map(|line| line.strip_prefix("//! | [`")) {
        let cells: Vec<&str> = row.trim_end_matches('|').split('|').map(str::trim).collect();
        let room = cells[0].trim_end_matches("`]").to_owned();
        let uses = cells[2].split(", ").filter(|&name| name != "nothing").map(str::to_owned).collect();
        map.insert(room, uses);
    }
    map
}

/// The first names after every `crate::` outside comments: `crate::{board::X, rules}` gives board and rules.
pub fn used_rooms(text: &str) -> BTreeSet<String> {
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n");
    let mut rooms = BTreeSet::new();
    for (start, _) in code.match_indices("crate::") {
        let rest = &code[start + "crate::".len()..];
        let Some(group) = rest.strip_prefix('{') else {
            rooms.insert(first_name(rest));
            continue;
        };
        let mut depth = 0;
        let mut at_start = true;
        for (offset, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' if depth == 0 => break,
                '}' => depth -= 1,
                ',' if depth == 0 => at_start = true,
                c if c.is_alphabetic() && at_start => {
                    rooms.insert(first_name(&group[offset..]));
                    at_start = false;
                }
                _ => (),
            }
        }
    }
    rooms.remove("");
    // The macros of the crate root belong to the rules.
    let room = |name: String| match name.as_str() {
        "for_variant" | "match_variant" | "with_variants" => "rules".to_owned(),
        _ => name,
    };
    rooms.into_iter().map(room).collect()
}

fn first_name(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn paths_are_found() {
    let names = |text| used_rooms(text).into_iter().collect::<Vec<_>>();
    assert_eq!(names("use crate::board::{Move, Key};"), ["board"]);
    assert_eq!(
        names("use crate::{board::{Move, Key},\n    rules, score::Score};"),
        ["board", "rules", "score"]
    );
    assert_eq!(names("// use crate::board\nlet x = $crate::rules::perft::perft();"), ["rules"]);
    assert_eq!(names("fn f(x: super::Y) {}"), Vec::<String>::new());
}

#[test]
fn rooms_use_what_the_map_permits_and_no_more() {
    let map = map();
    let rooms: BTreeSet<&str> = map.keys().map(String::as_str).collect();
    let library = fs::read_to_string(source_folder().join("lib.rs")).unwrap();
    let modules: BTreeSet<&str> =
        library.lines().filter_map(|line| line.strip_prefix("pub mod ")?.strip_suffix(';')).collect();
    assert_eq!(rooms, modules, "the map and the modules of the library");

    let mut unused = map.clone();
    for (path, text) in sources(&source_folder()) {
        let inside = path.strip_prefix(source_folder()).unwrap();
        let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
        let room = first.trim_end_matches(".rs");
        let Some(allowed) = map.get(room) else { continue };
        for used in used_rooms(&text) {
            assert!(used == room || allowed.contains(&used), "{} may not use {used}", inside.display());
            unused.get_mut(room).unwrap().remove(&used);
        }
    }
    unused.retain(|_, rooms| !rooms.is_empty());
    assert!(unused.is_empty(), "permitted, but not used: {unused:?}");
}

#[test]
fn the_map_has_no_circle() {
    let map = map();
    // Rooms are taken off while everything they use is already off.
    let mut standing = BTreeSet::new();
    while standing.len() < map.len() {
        let next = map.iter().find(|(room, uses)| !standing.contains(*room) && uses.is_subset(&standing));
        standing.insert(next.expect("a circle, or a room that does not exist").0.clone());
    }
}

#[test]
fn files_stay_short() {
    for (path, text) in sources(&source_folder()) {
        let lines = text.lines().count();
        assert!(lines <= MOST_LINES, "{} has {lines} lines", path.display());
    }
    let main = fs::read_to_string(source_folder().join("main.rs")).unwrap();
    assert!(main.lines().count() <= MOST_LINES_OF_MAIN);
}

/// The crates of the feature `cli` are not there when somebody uses the library alone.
#[test]
fn the_library_uses_no_crate_of_the_command_line() {
    let manifest = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    let list = manifest.lines().find_map(|line| line.strip_prefix("cli = [")).unwrap();
    let crates: Vec<String> = list
        .split('"')
        .filter_map(|word| word.strip_prefix("dep:"))
        .map(|name| name.replace('-', "_"))
        .collect();
    assert!(crates.contains(&"clap".to_owned()), "{crates:?}");
    for (path, text) in sources(&source_folder()) {
        let inside = path.strip_prefix(source_folder()).unwrap();
        if inside.starts_with("cli") || inside == Path::new("main.rs") {
            continue;
        }
        for line in text.lines().map(|line| line.split("//").next().unwrap_or("")) {
            let used = crates.iter().find(|name| line.contains(&format!("{name}::")));
            assert_eq!(used, None, "{}: {line}", inside.display());
        }
    }
}
