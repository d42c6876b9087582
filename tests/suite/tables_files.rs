//! Files of endgame tables: made, left half done, damaged, looked through.

use kroon::arena::player_kroon::KroonPlayer;
use kroon::notation::fen::game_from_fen;
use kroon::rules::VariantId;
use kroon::tablebase::audit::{Audit, Findings};
use kroon::tablebase::format::{self, Kind, Table, TableName};
use kroon::tablebase::generate::{Counts, FileShelf, Plan, Progress, Shelf, ShelfError, Solved, run};
use kroon::tablebase::{Material, Tables, add_embedded, path_in};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, Weak};
use tempfile::TempDir;

const VARIANT: VariantId = VariantId::Italian;

fn generate(folder: &Path, pieces: u8, distances: u8, threads: usize) -> Result<u64, String> {
    let plan = Plan::new(VARIANT, pieces, distances, 1 << 30).unwrap();
    let shelf = FileShelf::new(folder, VARIANT).unwrap();
    let progress = Progress::default();
    let done = run(&plan, &shelf, threads, &progress);
    done.map_err(|error| {
        let cause = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
        format!("{error}: {cause}")
    })?;
    Ok(progress.found.load(Relaxed))
}

/// Names and contents of the files.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let entries = fs::read_dir(folder.join(VARIANT.name())).unwrap();
    entries.map(|entry| entry.unwrap().path()).map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

fn file(folder: &Path, slice: &str, kind: Kind) -> (PathBuf, TableName) {
    let name = TableName { variant: VARIANT, kind, material: slice.parse().unwrap() };
    (path_in(folder, &name), name)
}

fn verify(folder: &Path, sample: Option<(u64, u64)>) -> BTreeMap<Material, Findings> {
    let (audit, damaged) = Audit::open(folder, VARIANT, 4, sample.is_none());
    assert!(damaged.is_empty(), "{damaged:?}");
    let slices = audit.slices().into_iter();
    slices.map(|slice| (slice, audit.verify(slice, sample, &AtomicU64::new(0)).unwrap())).collect()
}

#[test]
fn files_are_whole_sound_and_the_same_after_a_stop() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    assert_eq!(generate(folder, 3, 3, 2), Ok(0));
    let whole = files(folder);
    assert_eq!(whole.len(), 2 * 16);
    // Half of the files, and one that was being written.
    for (path, _) in whole.iter().step_by(2) {
        fs::remove_file(path).unwrap();
    }
    let (path, _) = file(folder, "11v10", Kind::Outcome);
    let half = path.with_file_name("11v10.outcome.1.tmp");
    fs::write(&half, &whole[&path][..10]).unwrap();
    generate(folder, 3, 3, 1).unwrap();
    fs::remove_file(&half).unwrap();
    assert!(files(folder) == whole);
    // Nothing is left to do, but to remove what a kill left beside slices that are whole.
    let plan = Plan::new(VARIANT, 3, 3, 1 << 30).unwrap();
    let works = plan.steps().iter().map(|step| {
        let path = path_in(folder, &file(folder, &step.slices[0].to_string(), Kind::Outcome).1);
        path.with_extension(if step.distances { "distances.work" } else { "work" })
    });
    works.for_each(|work| fs::write(work, "half").unwrap());
    assert_eq!(generate(folder, 3, 3, 2), Ok(3_488 + 196_032));
    assert!(files(folder) == whole);
    // What a run with distances has saved is nothing to one without, and damaged distances do not stop it.
    let (path, _) = file(folder, "11v10", Kind::Distance);
    let kept = path.with_extension("distances.work");
    fs::write(&kept, "half").unwrap();
    fs::write(&path, "damaged").unwrap();
    assert!(generate(folder, 3, 0, 1).is_ok() && kept.exists());
    fs::remove_file(kept).unwrap();
    fs::write(&path, &whole[&path]).unwrap();
    for (slice, findings) in verify(folder, None) {
        assert_eq!(findings.faulty, 0, "{slice}: {findings:?}");
        assert!(findings.checked > findings.captures, "{slice}");
    }
    assert!(verify(folder, Some((100, 7))).values().all(|found| found.checked + found.captures == 100));
}

/// A shelf that sees whether the slices that it was given are still in memory, with distances, when the next one comes.
struct WatchedShelf {
    files: FileShelf,
    kept: Mutex<Vec<Weak<Solved>>>,
}

impl Shelf for WatchedShelf {
    fn has(&self, material: Material, distances: bool) -> Result<bool, ShelfError> {
        self.files.has(material, distances)
    }

    fn load(&self, material: Material) -> Result<Arc<Solved>, ShelfError> {
        self.files.load(material)
    }

    fn keep(&self, slice: Arc<Solved>, counts: &Counts) -> Result<(), ShelfError> {
        let mut kept = self.kept.lock().unwrap();
        let held = kept.iter().filter_map(Weak::upgrade).filter(|slice| slice.distances.is_some());
        assert_eq!(held.count(), 0, "{} comes after slices whose distances are held", slice.index.material());
        kept.push(Arc::downgrade(&slice));
        self.files.keep(slice, counts)
    }
}

#[test]
fn distances_that_are_written_are_not_held_in_memory() {
    let folder = TempDir::new().unwrap();
    let shelf =
        WatchedShelf { files: FileShelf::new(folder.path(), VARIANT).unwrap(), kept: Mutex::default() };
    run(&Plan::new(VARIANT, 3, 3, 1 << 30).unwrap(), &shelf, 1, &Progress::default()).unwrap();
    assert!(shelf.kept.lock().unwrap().len() > 10);
}

#[test]
fn a_wrong_value_is_found() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    generate(folder, 2, 2, 1).unwrap();
    for kind in [Kind::Outcome, Kind::Distance] {
        let (path, name) = file(folder, "10v10", kind);
        let sound = fs::read(&path).unwrap();
        let table = Table::open(&path).unwrap();
        let mut values: Vec<u8> = (0..table.count()).map(|number| table.get(number).unwrap()).collect();
        // A lost position is called won, and a win quicker than it is.
        let (was, becomes) = if kind == Kind::Outcome { (0, 2) } else { (5, 3) };
        let wrong = values.iter().rposition(|&value| value == was).unwrap();
        values[wrong] = becomes;
        format::write(&path, &name, &values[..]).unwrap();
        let findings = verify(folder, None);
        let faulty: u64 = findings.values().map(|found| found.faulty).sum();
        assert!(faulty > 0, "{kind:?}");
        let fault = findings.values().find_map(|found| found.first).unwrap();
        assert_ne!(fault.stored, Some(fault.expected));
        fs::write(&path, sound).unwrap();
        assert_eq!(verify(folder, None).values().map(|found| found.faulty).sum::<u64>(), 0);
    }
}

/// Makes the tables of two pieces, one of them, of 10v01, with a wrong bit at its end.
fn damaged(folder: &Path, kind: Kind) -> PathBuf {
    generate(folder, 2, 2, 1).unwrap();
    let (path, _) = file(folder, "10v01", kind);
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn a_damaged_file_is_named() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let path = damaged(folder, Kind::Outcome);
    let error = generate(folder, 3, 3, 1).unwrap_err();
    assert!(error.starts_with("italian, slice 10v01: ") && error.contains("10v01.outcome"), "{error}");
    let (audit, faults) = Audit::open(folder, VARIANT, 4, true);
    assert_eq!((faults.len(), faults[0].path.clone()), (1, path));
    // What leads to a slice that is not there cannot be checked, and is not called wrong.
    let findings = audit.verify("01v10".parse().unwrap(), None, &AtomicU64::new(0)).unwrap();
    assert!(findings.unknown > 0 && findings.faulty == 0, "{findings:?}");
    assert_eq!(findings.missing, Some(file(folder, "10v01", Kind::Outcome).1));
}

#[test]
fn damage_met_in_distances_is_told_of_their_file() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let path = damaged(folder, Kind::Distance);
    // As a large one is opened: it is checked where it is read.
    let mut tables = Tables::new(VARIANT);
    for kind in [Kind::Outcome, Kind::Distance] {
        let (path, _) = file(folder, "10v01", kind);
        tables.add(Table::open(&path).unwrap(), Some(&path)).unwrap();
    }
    assert!(tables.fault().is_none(), "nobody has read so far");
    for (king, man) in (1..=32).flat_map(|king| (1..=32).map(move |man| (king, man))) {
        if let Ok(game) = game_from_fen(VARIANT, &format!("W:WK{king}:B{man}")) {
            tables.outcome(game.position());
            tables.distance(game.position());
        }
    }
    assert_eq!(tables.fault().map(|fault| fault.path), Some(path));
}

#[test]
fn a_distance_cannot_be_checked_without_those_that_it_goes_on_to() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    generate(folder, 2, 2, 1).unwrap();
    let (path, name) = file(folder, "10v01", Kind::Distance);
    fs::remove_file(&path).unwrap();
    let found = verify(folder, None);
    assert!(found.values().all(|findings| findings.faulty == 0), "{found:?}");
    let findings = &found[&"01v10".parse().unwrap()];
    assert!(findings.unknown > 0 && findings.unknown < findings.checked, "{findings:?}");
    assert_eq!(findings.missing, Some(name));
    let others: u64 = found.values().map(|findings| findings.unknown).sum();
    assert_eq!(others, findings.unknown, "the results of all others follow from their moves");
}

#[test]
fn a_table_in_the_place_of_another_one_is_named() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    generate(folder, 2, 2, 1).unwrap();
    let (path, _) = file(folder, "10v10", Kind::Outcome);
    fs::copy(file(folder, "10v10", Kind::Distance).0, &path).unwrap();
    let is_told = |error: String| error.contains("a table of distances of italian, slice 10v10");
    assert!(is_told(generate(folder, 2, 2, 1).unwrap_err()));
    let (_, damaged) = Audit::open(folder, VARIANT, 2, true);
    assert!(damaged.len() == 1 && is_told(damaged[0].to_string()), "{damaged:?}");
    // And what to do about it.
    let made = program("generate --variant italian --pieces 2", folder);
    let error = String::from_utf8_lossy(&made.stderr).into_owned();
    assert!(is_told(error.clone()) && error.ends_with("remove it, and it is made anew\n"), "{error}");
}

#[test]
#[cfg(unix)]
fn a_folder_that_cannot_be_read_is_no_empty_one() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    // Nobody can enter it, whatever rights he has.
    std::os::unix::fs::symlink("english", folder.join("english")).unwrap();
    for words in ["list", "list --json", "verify --variant english", "stat --variant english"] {
        let output = program(words, folder);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && error.contains("english\": "), "{words}: {error}");
        assert!(!error.contains("no tables") && output.stdout.is_empty(), "{words}: {output:?}");
    }
    let output = program("list", Path::new(":"));
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn summaries_count_all_positions() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    generate(folder, 2, 2, 1).unwrap();
    let (audit, _) = Audit::open(folder, VARIANT, 2, true);
    for slice in audit.slices() {
        let summary = audit.summary(slice, &AtomicU64::new(0)).unwrap();
        assert_eq!(summary.values.iter().sum::<u64>(), audit.positions(slice));
        let longest = summary.longest.unwrap();
        // The line is the shortest way to the end of the slice, and then goes on to the end of the game.
        let mut position = longest.position;
        let end = longest.line.iter().position(|mv| mv.is_capture() || mv.promotes());
        assert!(
            end.map_or(longest.line.len(), |end| end + 1) as u32 == longest.plies,
            "{slice}: {longest:?}"
        );
        for &mv in &longest.line {
            assert!(kroon::rules::is_legal(VARIANT, &position, mv));
            position = kroon::rules::play_in(VARIANT, &position, mv);
        }
        assert!(kroon::rules::legal_moves(VARIANT, &position).is_empty());
    }
}

#[test]
fn a_player_names_the_tables_that_are_not_in_the_program() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    generate(folder, 2, 2, 1).unwrap();
    let described = |size: u8| {
        let text =
            format!("proto=kroon param.bb-size={size} param.tables={:?}", folder.display().to_string());
        KroonPlayer::new(&text.parse().unwrap(), VARIANT).unwrap().program(VARIANT)
    };
    // The outcomes are in the program, and the distances of a lone king that is to move; others are not.
    let is_other = |path: &PathBuf| {
        path.extension().unwrap() == "distance"
            && !path.file_name().unwrap().to_string_lossy().starts_with("10v")
    };
    let distances = || files(folder).into_keys().filter(is_other);
    let count = distances().count();
    assert!(described(8).contains(&format!(", tables up to 2 pieces in {count} files ")), "{}", described(8));
    assert!(!described(0).contains("tables"));
    let before = described(8);
    fs::remove_file(distances().next().unwrap()).unwrap();
    assert_ne!(described(8), before);
    distances().for_each(|path| fs::remove_file(path).unwrap());
    assert!(!described(8).contains("tables"), "{}", described(8));
}

fn program(words: &str, folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kroon"));
    command.arg("tables").args(words.split_whitespace()).arg("--dir").arg(folder).output().unwrap()
}

#[test]
fn the_program_makes_checks_and_describes_tables() {
    let folder = TempDir::new().unwrap();
    let folder = folder.path();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let made = program("generate --variant english --pieces 2 --threads 1", folder);
    assert!(
        made.status.success() && text(&made.stdout).starts_with("english: 3488 positions in "),
        "{made:?}"
    );
    let verified = program("verify --variant english", folder);
    let lines = text(&verified.stdout);
    assert!(lines.starts_with("10v10: 920 positions, 72 captures: sound\n"), "{lines}");
    assert!(lines.ends_with("\n3272 positions of 4 slices agree with their moves\n"), "{lines}");
    // Kings: E. Trice's table.
    let stat = program("stat --variant english --slice 10v10 --json", folder);
    let row: serde_json::Value = serde_json::from_slice(&stat.stdout).unwrap();
    for (name, value) in [("positions", 992), ("wins", 230), ("draws", 654), ("losses", 108)] {
        assert_eq!(row[name], value, "{row}");
    }
    assert_eq!(
        (&row["longest"]["plies"], row["longest"]["line"].as_array().unwrap().len()),
        (&11.into(), 11)
    );
    let list = program("list --json", folder);
    let row: serde_json::Value = serde_json::from_slice(&list.stdout).unwrap();
    assert_eq!((&row["slices"], &row["of"], &row["distances"]), (&4.into(), &4.into(), &4.into()), "{row}");

    let refused = program("generate --variant english --pieces 5 --memory 1M", folder);
    assert_eq!(refused.status.code(), Some(1));
    assert!(text(&refused.stderr).ends_with(" MB of memory needed, 1 MB allowed\n"), "{refused:?}");
    assert_eq!(program("generate --variant english --pieces 9", folder).status.code(), Some(2));
    assert_eq!(program("generate --pieces 2 --memory 1.5G", folder).status.code(), Some(2));
    for words in ["verify --variant thai", "stat --variant thai"] {
        let refused = program(words, folder);
        assert_eq!(refused.status.code(), Some(1));
        assert!(text(&refused.stderr).contains("; kroon tables generate makes them"), "{refused:?}");
    }

    let path = folder.join("english/01v10.outcome");
    let mut bytes = fs::read(&path).unwrap();
    bytes.pop();
    fs::write(&path, bytes).unwrap();
    let verified = program("verify --variant english", folder);
    assert_eq!(verified.status.code(), Some(1));
    assert!(text(&verified.stdout).contains("01v10.outcome"), "{verified:?}");
}

#[test]
fn a_missing_folder_of_the_variable_is_told() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_kroon"));
    let output = command.env("KROON_TABLES", "no/such").args(["analyse", "--depth", "1"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.contains("no/such") && told.contains("no such folder"), "{told}");
}

#[test]
fn the_list_begins_with_the_tables_in_the_program() {
    let folder = TempDir::new().unwrap();
    let list = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kroon"));
        command.env("KROON_TABLES", folder.path()).args(["tables", "list"]).args(words);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    let text = list(&[]);
    let english = format!("\nin the program: english, {}\n", embedded(VariantId::English));
    assert!(text.starts_with("in the program: international, ") && text.contains(&english), "{text}");
    assert!(text.ends_with(": no tables\n"), "{text}");
    let rows: Vec<serde_json::Value> =
        list(&["--json"]).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let slices = |variant: VariantId| -> u64 {
        let of_it = rows.iter().filter(|row| row["variant"] == variant.name() && row["slices"] == row["of"]);
        of_it.map(|row| row["slices"].as_u64().unwrap()).sum()
    };
    for variant in VariantId::ALL {
        assert_eq!(slices(variant), embedded(variant).len() as u64, "{variant}");
    }
}

fn embedded(variant: VariantId) -> Tables {
    let mut tables = Tables::new(variant);
    add_embedded(&mut tables, Material::MOST_PIECES).unwrap();
    tables
}

/// The program is killed again and again; each time it goes on.
#[test]
#[cfg(unix)]
fn a_killed_generation_goes_on_to_the_same_bytes() {
    let folder = TempDir::new().unwrap();
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let generate = |folder: &Path| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_kroon"));
        command
            .args(["tables", "generate", "--variant", VARIANT.name(), "--pieces", "3", "--dir"])
            .arg(folder);
        command.stderr(std::process::Stdio::null()).stdout(std::process::Stdio::null());
        command
    };
    assert!(generate(&whole).status().unwrap().success());
    for attempt in 0..20 {
        let mut child = generate(&killed).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(attempt * 4));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(generate(&killed).status().unwrap().success());
    let contents = |folder: &Path| -> Vec<Vec<u8>> {
        let tables =
            files(folder).into_iter().filter(|(path, _)| path.extension().is_some_and(|e| e != "tmp"));
        tables.map(|(_, bytes)| bytes).collect()
    };
    assert!(contents(&whole) == contents(&killed));
}
