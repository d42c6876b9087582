//! README.md and protocol-docs/*.md: their examples run, their links lead somewhere, and what they name exists.

use kroon::rules::VariantId;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// How a block is loosened: in the output of commands that contain `command`, the lines from one that starts with `from`
/// up to (not including) one that starts with `to` may be any.
struct Loose {
    command: &'static str,
    from: &'static str,
    to: &'static str,
}

const LOOSE: &[Loose] = &[
    Loose { command: " analyse", from: " ", to: "Best move" },
    Loose { command: " --json", from: "{\"type\":\"info\"", to: "{\"type\":\"result\"" },
    Loose { command: " board", from: "men ", to: "for White" },
    Loose { command: " bench", from: " ", to: "bench" },
];

/// Starts of lines after which the rest of the line may be anything.
const LOOSE_ENDS: &[&str] = &["Best move", "for White", "bench", "{\"type\":\"result\""];

fn loosened(text: &str) -> String {
    let mut output = String::new();
    let mut rules: Vec<&Loose> = Vec::new();
    let mut skipping_to: Option<&str> = None;
    for line in text.lines() {
        if line.starts_with("$ ") || line.starts_with("```") {
            rules = LOOSE.iter().filter(|loose| line.contains(loose.command)).collect();
            skipping_to = None;
        }
        if skipping_to.is_some_and(|to| line.starts_with(to)) {
            skipping_to = None;
        }
        if skipping_to.is_some() {
            continue;
        }
        if let Some(loose) = rules.iter().find(|loose| line.starts_with(loose.from)) {
            skipping_to = Some(loose.to);
            output.push_str("...\n");
            continue;
        }
        let end = LOOSE_ENDS.iter().find(|end| line.starts_with(**end));
        if let Some((position, rest)) = line.split_once("\"evaluation\":") {
            let rest = rest.trim_start_matches(|c| "-.0123456789".contains(c));
            // The last dots stand for the end of the line, which is compared otherwise behind dots.
            output.push_str(&format!("{position}\"evaluation\":[..]{rest}[..]\n"));
            continue;
        }
        match (end, line.split_once(" seconds ")) {
            (Some(end), _) => output.push_str(&format!("{end}[..]\n")),
            (None, Some((nodes, _))) if line.starts_with("nodes ") => {
                output.push_str(&format!("{nodes} seconds [..]\n"));
            }
            _ => output.push_str(&format!("{line}\n")),
        }
    }
    output
}

/// The folder of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// README.md and protocol-docs/*.md: path from the root, and text.
fn pages() -> Vec<(PathBuf, String)> {
    let mut paths = vec![PathBuf::from("README.md")];
    for entry in fs::read_dir(root().join("protocol-docs")).unwrap() {
        let path = PathBuf::from("protocol-docs").join(entry.unwrap().file_name());
        if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
    assert!(paths.len() > 3, "{paths:?}");
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), read(&path))).collect()
}

/// A file of the repository.
pub fn read(path: &Path) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A shell that finds this build of `kroon`, in a folder of its own.
fn shell(script: &str) -> Output {
    let binary = Path::new(env!("CARGO_BIN_EXE_kroon"));
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("docs-shell");
    fs::create_dir_all(&folder).unwrap();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::iter::once(binary.parent().unwrap().to_owned()).chain(std::env::split_paths(&path));
    let path = std::env::join_paths(paths).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(folder).env("PATH", path).env_remove("KROON_LOG");
    command.output().unwrap()
}

fn help(words: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kroon"));
    let output =
        command.args(words.split_whitespace()).arg("--help").env_remove("KROON_LOG").output().unwrap();
    assert!(output.status.success(), "{words}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// The words under `Commands:` of a help page, each behind `parent`.
pub fn commands_of(parent: &str) -> Vec<String> {
    let page = help(parent);
    let Some((_, list)) = page.split_once("\nCommands:\n") else { return Vec::new() };
    let rows = list.lines().take_while(|line| !line.is_empty());
    let names = rows.filter(|row| !row.starts_with("   ")).filter_map(|row| row.split_whitespace().next());
    names.filter(|&name| name != "help").map(|name| format!("{parent} {name}").trim().to_owned()).collect()
}

/// Every command and subcommand, the program itself first.
fn all_commands() -> Vec<String> {
    let mut all = vec![String::new()];
    for name in commands_of("") {
        all.push(name.clone());
        all.extend(commands_of(&name));
    }
    assert!(all.len() > 15, "{all:?}");
    all
}

/// The lines of all blocks that begin with this fence, `\` at the end of a line joining it to the next one.
fn blocks(text: &str, fence: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") {
            inside = line == fence;
        } else if inside {
            lines.push(line.to_owned());
        }
    }
    joined(lines)
}

fn joined(lines: Vec<String>) -> Vec<String> {
    let mut whole: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in lines {
        let part = line.strip_suffix('\\').unwrap_or(&line).trim().to_owned();
        match whole.last_mut().filter(|_| goes_on) {
            Some(last) => *last = format!("{last} {part}"),
            None => whole.push(part),
        }
        goes_on = line.ends_with('\\');
    }
    whole
}

/// Fails unless the program knows all words of this command: with `--help` behind them it reads them, then explains
/// itself instead of working.
fn check_words(line: &str, place: &str) {
    let words =
        [" > ", " < ", " | ", " # ", " && "].iter().fold(line, |line, end| line.split(end).next().unwrap());
    let output = shell(&format!("{words} --help"));
    assert!(output.status.success(), "{place}: {line}\n{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn console_examples_run() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("docs");
    fs::create_dir_all(&folder).unwrap();
    let cases = trycmd::TestCases::new();
    cases.register_bin("kroon", Path::new(env!("CARGO_BIN_EXE_kroon"))).env("KROON_LOG", "");
    let mut examples = 0;
    for (path, text) in pages() {
        let copy = folder.join(path.file_name().unwrap());
        examples += text.matches("```console").count();
        fs::write(&copy, loosened(&text)).unwrap();
        cases.case(&copy);
    }
    assert!(examples >= 8, "{examples} examples");
}

/// The shell examples with a pipe, which are no `console` blocks: they must at least work.
#[test]
#[cfg(unix)]
fn piped_examples_work() {
    let mut run = 0;
    for (path, text) in pages() {
        for line in text.lines().map(str::trim).filter(|line| line.contains("| kroon")) {
            let output = shell(line);
            assert!(output.status.success() && output.stderr.is_empty(), "{line}: {output:?}");
            let answer = String::from_utf8_lossy(&output.stdout);
            assert!(answer.contains("done move="), "{}: {line}: {answer}", path.display());
            run += 1;
        }
    }
    assert!(run > 0, "the manual shows how to pipe commands in");
}

#[test]
#[cfg(unix)]
fn shell_examples_are_understood() {
    let mut checked = 0;
    for (path, text) in pages() {
        let lines = blocks(&text, "```sh");
        let lines = lines.iter().map(|line| line.trim_start_matches("target/release/"));
        for line in lines.filter(|line| line.starts_with("kroon ")) {
            check_words(line, &path.display().to_string());
            checked += 1;
        }
    }
    assert!(checked > 15, "{checked} examples");
}

#[test]
#[cfg(unix)]
fn examples_of_help_pages_are_understood() {
    let mut checked = 0;
    for command in all_commands() {
        let page = help(&command);
        let Some((_, examples)) = page.split_once("\nExample") else { continue };
        let lines = examples.lines().take_while(|line| !line.is_empty()).map(|line| line.trim().to_owned());
        for line in joined(lines.collect()).iter().filter(|line| line.starts_with("kroon ")) {
            // Some pages explain an example behind it, after a gap.
            check_words(line.split("  ").next().unwrap(), &command);
            checked += 1;
        }
    }
    assert!(checked > 30, "{checked} examples");
}

/// A longer line would be broken at 100 columns, and what it was aligned with would not.
#[test]
fn help_pages_keep_their_lines() {
    let mut checked = 0;
    for (path, text) in super::rooms::sources(&root().join("src/cli")) {
        for block in text.split("HELP: &str = \"\\\n").skip(1) {
            for line in block.split("\";\n").next().unwrap().lines() {
                let shown = line.replace("\\\"", "\"").replace("\\\\", "\\");
                assert!(shown.chars().count() <= 100, "{}: {line}", path.display());
                checked += 1;
            }
        }
    }
    assert!(checked > 150, "{checked} lines");
}

#[test]
#[cfg(unix)]
fn manual_names_what_the_program_has() {
    let manual = read(Path::new("protocol-docs/commands.md"));
    for command in commands_of("") {
        assert!(manual.contains(&format!("\n## {command}\n")), "no section about {command}");
        assert!(
            manual.contains(&format!("\n| [`{command}`](#{command}) |")),
            "{command} is not in the first table"
        );
    }
    let known: String = all_commands().iter().map(|command| help(command)).collect();
    let is_in_name = |c: char| c.is_ascii_lowercase() || c == '-';
    let known: BTreeSet<&str> =
        known.split(|c: char| !is_in_name(c)).filter(|word| word.starts_with("--")).collect();
    let named =
        manual.split(|c: char| !is_in_name(c)).filter(|word| word.starts_with("--") && word.len() > 3);
    // These belong to other programs.
    for option in named.filter(|&option| !["--array", "--wrap"].contains(&option)) {
        assert!(known.contains(option), "no command has {option}");
    }
}

#[test]
fn readme_has_every_variant() {
    let readme = read(Path::new("README.md"));
    let table = readme.split("\n## Variants\n\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let mut listed = Vec::new();
    for row in table.lines().skip(2) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        for name in cells[1].split(", ").map(|name| name.trim_matches('`')) {
            let variant: VariantId = name.parse().unwrap_or_else(|error| panic!("{name}: {error}"));
            let squares = variant.rules().board.squares();
            assert_eq!(cells[2], if squares == 50 { "10x10" } else { "8x8" }, "{name}");
            listed.push(variant);
        }
    }
    for variant in VariantId::ALL {
        assert!(listed.contains(&variant), "{variant:?} is not in the table");
    }
    assert!(readme.contains(&format!("and {} other variants", VariantId::ALL.len() - 1)));
}

/// The surnames that follow initials in a text: `J.-C. Weill`, `G. van den Herik`.
fn surnames(text: &str) -> Vec<&str> {
    let is_initial = |word: &&str| {
        let letters = word.trim_start_matches(['(', '"']).split('.').map(|part| part.trim_start_matches('-'));
        word.ends_with('.') && letters.clone().count() > 1 && {
            letters
                .clone()
                .all(|part| part.is_empty() || part.len() == 1 && part.chars().all(char::is_uppercase))
        }
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut names = Vec::new();
    for (i, _) in words.iter().enumerate().filter(|(_, word)| is_initial(word)) {
        let rest = words[i + 1..].iter().skip_while(|word| ["van", "den", "Van"].contains(*word));
        let name = rest.map(|word| word.split("'s").next().unwrap()).next().unwrap_or("");
        names.push(name.trim_matches(|c: char| !c.is_alphabetic()));
    }
    // A sentence may end with a single letter.
    names.retain(|name| name.len() > 1 && name.starts_with(char::is_uppercase) && *name != "The");
    names
}

/// Whoever has a name with initials in a comment of the sources is named in the README.
#[test]
fn who_is_cited_is_thanked() {
    assert_eq!(
        surnames("(J.-C. Weill, 1996; C. Rosin; M. van den Berg. J. Ba's N. The"),
        ["Weill", "Rosin", "Berg", "Ba"]
    );
    let readme = read(Path::new("README.md"));
    let thanks = readme.split("\n## Thanks\n").nth(1).expect("a section of thanks");
    let mut cited = BTreeSet::new();
    for (path, text) in super::rooms::sources(&root().join("src")) {
        let comments = text.lines().map(str::trim).filter_map(|line| line.strip_prefix("//"));
        let text: String = comments.map(|line| line.trim_start_matches(['/', '!'])).collect();
        for name in surnames(&text) {
            assert!(thanks.contains(name), "{} cites {name}", path.display());
            cited.insert(name.to_owned());
        }
    }
    assert!(cited.len() > 20, "{cited:?}");
}

/// The anchor that a heading gets on the usual hosts of repositories.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn anchors(text: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let headings = text.lines().filter(|line| {
        fenced ^= line.starts_with("```");
        !fenced && line.starts_with('#')
    });
    headings.map(|line| anchor(line.trim_start_matches('#'))).collect()
}

/// What stands in `](...)`, and in the `src` and `href` of HTML.
fn links(text: &str) -> Vec<&str> {
    let mut links = Vec::new();
    for (before, end) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
        links.extend(text.split(before).skip(1).map(|rest| rest.split(end).next().unwrap()));
    }
    links
}

#[test]
fn links_lead_somewhere() {
    let mut checked = 0;
    let others = [
        "src/train/EXPERIMENTS.md",
        "src/train/WEIGHTS.md",
        "src/train/REPRODUCTIONS.md",
        "src/learn/LEARNERS.md",
    ]
    .map(|path| (path.into(), read(Path::new(path))));
    for (page, text) in pages().into_iter().chain(others) {
        for link in links(&text).into_iter().filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(root().join(&target).exists(), "{}: {link} leads nowhere", page.display());
            let found = anchor.is_empty() || anchors(&read(&target)).contains(anchor);
            assert!(found, "{}: {link}: no such heading", page.display());
            checked += 1;
        }
    }
    assert!(checked > 30, "{checked} links");
    assert_eq!(anchor(" Use it in ..."), "use-it-in-");
    assert_eq!(links("[a](b.md#c) <img src=\"d.svg\">"), ["b.md#c", "d.svg"]);
}

/// Paths of this repository in the pages: `src/eval/wdl.rs`, `tests/suite/hub_*.rs`.
#[test]
fn paths_exist() {
    let mut checked = 0;
    for (page, text) in pages() {
        for path in text.split('`').skip(1).step_by(2) {
            let folders = ["src/", "tests/", "benches/", "fuzz/", "protocol-docs/", ".ci/"];
            if !folders.iter().any(|folder| path.starts_with(folder))
                || path.contains(' ')
                || path.contains("NAME")
            {
                continue;
            }
            let (folder, name) = path.rsplit_once('/').unwrap();
            let (start, end) = name.split_once('*').unwrap_or((name, ""));
            let found = fs::read_dir(root().join(folder)).is_ok_and(|entries| {
                let mut names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
                names.any(|n| {
                    if name.contains('*') { n.starts_with(start) && n.ends_with(end) } else { n == name }
                })
            });
            assert!(
                found || name.is_empty() && root().join(folder).is_dir(),
                "{}: no {path}",
                page.display()
            );
            checked += 1;
        }
    }
    assert!(checked > 5, "{checked} paths");
}
