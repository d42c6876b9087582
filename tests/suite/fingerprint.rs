//! The number by which a match and a self-play run know their program again counts what decides their games, and no more.

use crate::rooms::{sources, used_rooms};
use build_script::{DECISIVE, code, counts};
use std::fs;
use std::path::Path;

#[path = "../../build.rs"]
#[allow(dead_code)]
mod build_script;

/// Rooms that decisive ones use although they decide nothing: they read and write texts and files.
const EXCEPTIONS: [&str; 3] = ["files", "notation", "words"];

#[test]
fn what_decides_a_game_uses_only_what_does() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for name in DECISIVE {
        let path = folder.join(name);
        let files = if path.is_dir() {
            sources(&path)
        } else {
            let text = fs::read_to_string(&path).unwrap();
            vec![(path, text)]
        };
        assert!(!files.is_empty(), "{name}");
        for (path, text) in files.iter().filter(|(path, _)| counts(path)) {
            let code: Vec<&str> = code(text).collect();
            for used in used_rooms(&code.join("\n")) {
                let is_decisive =
                    DECISIVE.iter().any(|decisive| decisive.strip_suffix(".rs").unwrap_or(decisive) == used);
                let is_known = is_decisive || EXCEPTIONS.contains(&used.as_str());
                assert!(is_known, "{}: {used} is not among the decisive sources of build.rs", path.display());
            }
        }
    }
}

#[test]
fn tests_comments_and_scripts_do_not_count() {
    let text = "//! Head.\n\nuse super::X;\n    // Why.\n    let x = 1;\n#[cfg(test)]\n#[cfg(unix)]\nmod tests {\n    \
                use super::*;\n    fn f() {\n    }\n}\n#[cfg(test)]\nmod tests;\nfn g() {}\n";
    assert_eq!(code(text).collect::<Vec<_>>(), ["use super::X;", "let x = 1;", "fn g() {}"]);
    for (path, is_counted) in [
        ("book/build.rs", true),
        ("book/data/thai.book", true),
        ("book/make-books.sh", false),
        ("agents/learned/tests.rs", false),
        ("agents/tests", false),
    ] {
        assert_eq!(counts(Path::new(path)), is_counted, "{path}");
    }
}
