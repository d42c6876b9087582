//! Many files of games into one, and one into many.

use super::{DatasetError, DatasetProgress};
use crate::files::write_whole;
use crate::rules::VariantId;
use crate::train::origin::{Part, Set, cut};
use crate::train::shard::{ShardError, ShardReader, frame, lock};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Files that have been looked through and belong together.
#[derive(Clone, Debug)]
pub struct JoinPlan {
    variant: VariantId,
    sources: Vec<JoinSource>,
}

/// A file and the games that were in it when it was looked through; a run may add to it.
#[derive(Clone, Debug)]
struct JoinSource {
    path: PathBuf,
    games: u64,
    parts: Vec<Part>,
}

impl JoinPlan {
    /// Looks through the files: every checksum, one variant, no game twice. With a `variant` the files of others are
    /// left out.
    ///
    /// # Errors
    /// When a file is damaged, games are there twice, or variants are mixed.
    pub fn new(
        files: &[PathBuf],
        variant: Option<VariantId>,
        progress: &DatasetProgress,
    ) -> Result<JoinPlan, DatasetError> {
        let mut plan: Option<JoinPlan> = None;
        for path in files {
            let mut reader = ShardReader::open(path)?;
            let found = reader.variant();
            if variant.is_some_and(|wanted| wanted != found) {
                continue;
            }
            let plan = plan.get_or_insert_with(|| JoinPlan { variant: found, sources: Vec::new() });
            if plan.variant != found {
                let (first, expected) = (plan.sources[0].path.clone(), plan.variant);
                return Err(DatasetError::Variants { path: path.clone(), found, first, expected });
            }
            while reader.next_payload()?.is_some() {
                progress.step()?;
            }
            let games = reader.games();
            plan.sources.push(JoinSource { path: path.clone(), games, parts: reader.origin().parts(games) });
            progress.files.fetch_add(1, Ordering::Relaxed);
        }
        let plan = plan.ok_or_else(|| DatasetError::none(files, variant))?;
        plan.check_for_twins()?;
        Ok(plan)
    }

    fn check_for_twins(&self) -> Result<(), DatasetError> {
        let mut all: Vec<(&Part, &Path)> = Vec::new();
        for source in &self.sources {
            let with_games = source.parts.iter().filter(|part| part.games > 0);
            all.extend(with_games.map(|part| (part, &*source.path)));
        }
        // Neighbours after sorting are the only ones that can overlap, as each has games.
        all.sort_by_cached_key(|(part, _)| (format!("{:?}", part.run), part.first));
        for pair in all.windows(2) {
            let [(one, other), (two, path)] = pair else { continue };
            if one.overlaps(two) {
                return Err(DatasetError::Twice {
                    path: path.to_path_buf(),
                    other: other.to_path_buf(),
                    seed: two.run.seed,
                    shard: two.run.shard,
                    game: two.first,
                });
            }
        }
        Ok(())
    }

    /// The variant of all.
    pub fn variant(&self) -> VariantId {
        self.variant
    }

    /// Games in all files.
    pub fn games(&self) -> u64 {
        self.sources.iter().map(|source| source.games).sum()
    }

    /// Their names.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.sources.iter().map(|source| source.path.as_path())
    }

    /// Files.
    pub fn files(&self) -> usize {
        self.sources.len()
    }

    /// All runs, in the order of the files; what follows one another in one run is one part.
    fn parts(&self) -> Vec<Part> {
        let mut parts: Vec<Part> = Vec::new();
        for part in self.sources.iter().flat_map(|source| &source.parts) {
            match parts.last_mut() {
                Some(last) if last.run == part.run && last.end() == part.first => last.games += part.games,
                _ => parts.push(part.clone()),
            }
        }
        parts
    }
}

/// Puts all games into one file, which its first line describes.
///
/// # Errors
/// When it cannot be written, a run adds to it, or a file has changed; what was there before is still there then.
pub fn merge(plan: &JoinPlan, out: &Path, progress: &DatasetProgress) -> Result<(), DatasetError> {
    // A run would go on with a file that has no name any longer.
    let old = File::options().write(true).open(out).ok();
    if let Some(old) = old.as_ref().filter(|old| old.metadata().is_ok_and(|old| old.is_file())) {
        let io = |source| DatasetError::Io { path: out.to_owned(), source };
        if !lock(old).map_err(io)? {
            return Err(ShardError::InUse(out.to_owned()).into());
        }
    }
    JoinedFrames::new(plan).write(out, plan.parts(), plan.games(), progress)
}

/// Spreads all games over `parts` new files in a folder, about the same number in each; their names.
///
/// # Errors
/// When there are too few games, a file is there already or cannot be written, or a file has changed.
pub fn shard(
    plan: &JoinPlan,
    folder: &Path,
    parts: usize,
    progress: &DatasetProgress,
) -> Result<Vec<PathBuf>, DatasetError> {
    let games = plan.games();
    if parts == 0 || games < parts as u64 {
        return Err(DatasetError::Few { games, parts });
    }
    let width = (parts - 1).to_string().len();
    let name = |i: usize| folder.join(format!("{}-part-{i:0width$}.games", plan.variant));
    let paths: Vec<PathBuf> = (0..parts).map(name).collect();
    if let Some(path) = paths.iter().find(|path| path.exists()) {
        return Err(DatasetError::Exists { path: path.clone() });
    }
    let all = plan.parts();
    let mut frames = JoinedFrames::new(plan);
    let start = |i: usize| games / parts as u64 * i as u64 + (games % parts as u64).min(i as u64);
    for (i, path) in paths.iter().enumerate() {
        let (from, count) = (start(i), start(i + 1) - start(i));
        frames.write(path, cut(&all, from, count), count, progress)?;
    }
    Ok(paths)
}

/// The games of a plan, one after another.
struct JoinedFrames<'a> {
    sources: std::slice::Iter<'a, JoinSource>,
    variant: VariantId,
    /// The file being read, and how many games of it are left.
    open: Option<(ShardReader, u64)>,
}

impl<'a> JoinedFrames<'a> {
    fn new(plan: &'a JoinPlan) -> JoinedFrames<'a> {
        JoinedFrames { sources: plan.sources.iter(), variant: plan.variant, open: None }
    }

    /// The next game; none at the end.
    fn next(&mut self) -> Result<Option<Vec<u8>>, ShardError> {
        loop {
            if let Some((reader, left)) = self.open.as_mut().filter(|(_, left)| *left > 0) {
                *left -= 1;
                let framed = match reader.next_payload()? {
                    Some(payload) => frame(payload),
                    None => Err(io::Error::other("it has become shorter while it was read")),
                };
                let fault = |source| ShardError::Io { path: reader.path().to_owned(), source };
                return framed.map(Some).map_err(fault);
            }
            let Some(source) = self.sources.next() else { return Ok(None) };
            self.open = Some((ShardReader::open(&source.path)?, source.games));
        }
    }

    /// Writes the next `games` games, which are these parts, to a file.
    fn write(
        &mut self,
        path: &Path,
        parts: Vec<Part>,
        games: u64,
        progress: &DatasetProgress,
    ) -> Result<(), DatasetError> {
        let set = Set::new(self.variant.name(), parts);
        let mut fault = None;
        let written = write_whole(path, |out| {
            serde_json::to_writer(&mut *out, &set)?;
            out.write_all(b"\n")?;
            for _ in 0..games {
                let next = self.next().map_err(DatasetError::from).and_then(|frame| {
                    progress.step()?;
                    Ok(frame.unwrap_or_default())
                });
                match next {
                    Ok(frame) => out.write_all(&frame)?,
                    Err(error) => {
                        fault = Some(error);
                        return Err(io::Error::other("the games cannot be read"));
                    }
                }
            }
            Ok(())
        });
        progress.files.fetch_add(1, Ordering::Relaxed);
        match (written, fault) {
            (Ok(()), _) => Ok(()),
            (Err(_), Some(fault)) => Err(fault),
            (Err(source), None) => Err(DatasetError::Io { path: path.to_owned(), source }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{files, verify};
    use super::*;
    use crate::game::Game;
    use crate::train::record::SelfplayGame;
    use crate::train::shard::{ShardHeader, ShardWriter};

    /// A file of so many games, each of its own length.
    fn run(folder: &Path, variant: VariantId, shard: u64, games: usize) -> PathBuf {
        let header = ShardHeader::new(variant, 3, shard, 100, "handmade");
        let mut writer = ShardWriter::open(folder, &header).unwrap();
        for plies in 0..games {
            let mut record = SelfplayGame::new(Game::new(variant).position(), 0);
            (0..plies % 4 + shard as usize).for_each(|_| record.push(0, None));
            writer.append(&record).unwrap();
        }
        folder.join(header.file_name())
    }

    fn all(path: &[PathBuf]) -> Vec<SelfplayGame> {
        let mut games = Vec::new();
        for path in files(path).unwrap() {
            let mut reader = ShardReader::open(&path).unwrap();
            while let Some(game) = reader.next_game().unwrap() {
                games.push(game);
            }
            assert!(verify(&path, &DatasetProgress::default()).unwrap().faults.is_empty());
        }
        games
    }

    fn plan(paths: &[PathBuf]) -> Result<JoinPlan, DatasetError> {
        JoinPlan::new(&files(paths)?, None, &DatasetProgress::default())
    }

    #[test]
    fn together_and_apart_and_together() {
        let folder = tempfile::tempdir().unwrap();
        let sub = |name: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir(&path).unwrap();
            path
        };
        let (runs, pieces) = (sub("runs"), sub("pieces"));
        for (shard, games) in [(0, 5), (1, 9), (2, 1)] {
            run(&runs, VariantId::Pool, shard, games);
        }
        let games = all(std::slice::from_ref(&runs));
        assert_eq!(games.len(), 15);
        let one = folder.path().join("one.games");
        merge(&plan(std::slice::from_ref(&runs)).unwrap(), &one, &DatasetProgress::default()).unwrap();
        assert_eq!(all(std::slice::from_ref(&one)), games);
        let whole = std::fs::read(&one).unwrap();

        let names =
            shard(&plan(std::slice::from_ref(&one)).unwrap(), &pieces, 4, &DatasetProgress::default())
                .unwrap();
        let sizes: Vec<usize> = names.iter().map(|name| all(std::slice::from_ref(name)).len()).collect();
        assert_eq!(sizes, [4, 4, 4, 3]);
        assert_eq!(names[3], pieces.join("pool-part-3.games"));
        assert_eq!(all(std::slice::from_ref(&pieces)), games);
        let again = folder.path().join("again.games");
        merge(&plan(std::slice::from_ref(&pieces)).unwrap(), &again, &DatasetProgress::default()).unwrap();
        assert_eq!(std::fs::read(&again).unwrap(), whole, "the same file comes out");

        let error =
            shard(&plan(std::slice::from_ref(&one)).unwrap(), &pieces, 4, &DatasetProgress::default())
                .unwrap_err();
        assert!(error.to_string().contains("pool-part-0.games\" is there already"));
        let error =
            shard(&plan(std::slice::from_ref(&one)).unwrap(), &pieces, 16, &DatasetProgress::default())
                .unwrap_err();
        assert_eq!(error.to_string(), "15 games cannot be spread over 16 files");

        // Games of a run are refused beside the file that has them already, whole or in part.
        for other in [runs.join("pool-3-1.games"), names[1].clone()] {
            let error = plan(&[one.clone(), other]).unwrap_err().to_string();
            assert!(error.contains("one.games") && error.contains("both have game "), "{error}");
        }
        assert!(plan(&[names[0].clone(), names[2].clone()]).is_ok());
    }

    #[test]
    fn variants_are_not_mixed() {
        let folder = tempfile::tempdir().unwrap();
        run(folder.path(), VariantId::Pool, 0, 2);
        run(folder.path(), VariantId::Thai, 0, 3);
        let paths = [folder.path().to_owned()];
        let error = plan(&paths).unwrap_err().to_string();
        assert!(
            error.contains("thai-3-0.games\" has games of thai") && error.contains("those of pool"),
            "{error}"
        );
        let thai = JoinPlan::new(&files(&paths).unwrap(), Some(VariantId::Thai), &DatasetProgress::default())
            .unwrap();
        assert_eq!((thai.games(), thai.files(), thai.variant()), (3, 1, VariantId::Thai));
        let none = tempfile::tempdir().unwrap();
        assert!(matches!(plan(&[none.path().to_owned()]), Err(DatasetError::Empty { .. })));
        assert!(matches!(plan(&[none.path().join("x")]), Err(DatasetError::Io { .. })));
    }

    #[test]
    fn damage_leaves_the_old_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = run(folder.path(), VariantId::Pool, 0, 8);
        let plan = plan(std::slice::from_ref(&path)).unwrap();
        let out = folder.path().join("out");
        std::fs::write(&out, "old").unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        let error = merge(&plan, &out, &DatasetProgress::default()).unwrap_err().to_string();
        assert!(error.contains("game 7 at byte"), "{error}");
        assert_eq!(std::fs::read(&out).unwrap(), b"old");
    }
}
