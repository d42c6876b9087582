//! Saving the work at a pair of slices, so that a run that was killed goes on with it.
//!
//! Between two passes the states, and distances, of all positions say everything. The file is for the same program on the
//! same machine, and short-lived; what is not exactly as expected counts as nothing.

use super::pair::{Pair, Side};
use crate::files;
use crate::rules::Variant;
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::Xxh3;

/// Time between two savings.
const EVERY: Duration = Duration::from_secs(300);
const MAGIC: [u8; 8] = *b"KROONWRK";
/// Magic, version, layer, chunks that were begun, number of positions of the sides.
const HEAD: usize = 8 + 2 + 1 + 8 + 16;
const VERSION: u16 = 1;
/// Bytes that are read or written at a time.
const PIECE: usize = 1 << 16;

/// Saves the work at a pair in a file, now and then.
pub(super) struct Saver {
    path: Option<PathBuf>,
    every: Duration,
    last: Instant,
}

impl Saver {
    /// Saves in this file, or nowhere.
    pub(super) fn new(path: Option<PathBuf>) -> Saver {
        Saver { path, every: EVERY, last: Instant::now() }
    }

    /// Saves if it has been long ago. Where that fails, on a disk that is full perhaps, the work goes on all the same, and the
    /// next try comes later: nothing but time is lost if the run is killed before.
    pub(super) fn save_if_due<V: Variant>(&mut self, pair: &Pair<V>) {
        let Some(path) = self.path.as_ref().filter(|_| self.last.elapsed() >= self.every) else { return };
        if let Err(error) = files::write_whole(path, |out| write(out, pair)) {
            let mebibytes = parts(&pair.sides).map(<[AtomicU8]>::len).sum::<usize>() >> 20;
            log::warn!(
                "{}: {error}: {mebibytes} MiB of unfinished work are not saved; the next try is in {} s",
                path.display(),
                self.every.as_secs()
            );
        }
        self.last = Instant::now();
    }

    /// Takes over what was saved, and says whether there was something.
    pub(super) fn load<V: Variant>(&self, pair: &mut Pair<V>) -> bool {
        let Some(path) = &self.path else { return false };
        let Ok(file) = File::open(path) else { return false };
        match read(file, pair) {
            Ok(Some((layer, begun))) => {
                pair.go_on_from(layer, begun);
                return true;
            }
            Ok(None) => log::warn!("{} is damaged or of other work: it begins anew", path.display()),
            Err(error) => log::warn!("{}: {error}: the work begins anew", path.display()),
        }
        pair.forget();
        false
    }
}

fn head<V: Variant>(pair: &Pair<V>) -> [u8; HEAD] {
    let mut head = [0; HEAD];
    head[..8].copy_from_slice(&MAGIC);
    head[8..10].copy_from_slice(&VERSION.to_le_bytes());
    head[10] = pair.layer;
    head[11..19].copy_from_slice(&pair.begun.to_le_bytes());
    for (place, side) in head[19..].chunks_mut(8).zip(&pair.sides) {
        place.copy_from_slice(&(side.state.len() as u64).to_le_bytes());
    }
    head
}

/// The bytes of the sides in the order of the file.
fn parts(sides: &[Side]) -> impl Iterator<Item = &[AtomicU8]> {
    sides.iter().flat_map(|side| [side.state.as_slice(), side.distance.as_slice()])
}

fn write<V: Variant>(out: &mut dyn Write, pair: &Pair<V>) -> io::Result<()> {
    let mut hash = Xxh3::new();
    let mut put = |bytes: &[u8]| {
        hash.update(bytes);
        out.write_all(bytes)
    };
    put(&head(pair))?;
    let mut held = Vec::with_capacity(PIECE);
    for piece in parts(&pair.sides).flat_map(|part| part.chunks(PIECE)) {
        held.clear();
        held.extend(piece.iter().map(|byte| byte.load(Relaxed)));
        put(&held)?;
    }
    out.write_all(&hash.digest().to_le_bytes())
}

/// Layer and chunks that were begun, after the states were read into the pair; nothing if the file is about something else or
/// damaged, and then the states may be anything.
fn read<V: Variant>(file: File, pair: &Pair<V>) -> io::Result<Option<(u8, u64)>> {
    let size = parts(&pair.sides).map(|part| part.len() as u64).sum::<u64>() + HEAD as u64 + 8;
    if file.metadata()?.len() != size {
        return Ok(None);
    }
    let mut file = BufReader::new(file);
    let mut found = [0; HEAD];
    file.read_exact(&mut found)?;
    let mut hash = Xxh3::new();
    hash.update(&found);
    let expected = head(pair);
    if found[..10] != expected[..10] || found[19..] != expected[19..] {
        return Ok(None);
    }
    let mut held = vec![0; PIECE];
    for piece in parts(&pair.sides).flat_map(|part| part.chunks(PIECE)) {
        let bytes = &mut held[..piece.len()];
        file.read_exact(bytes)?;
        hash.update(bytes);
        piece.iter().zip(bytes).for_each(|(state, byte)| state.store(*byte, Relaxed));
    }
    let mut checksum = [0; 8];
    file.read_exact(&mut checksum)?;
    if hash.digest().to_le_bytes() != checksum {
        return Ok(None);
    }
    let mut begun = [0; 8];
    begun.copy_from_slice(&found[11..19]);
    Ok(Some((found[10], u64::from_le_bytes(begun))).filter(|&(_, begun)| begun <= pair.chunks()))
}

#[cfg(test)]
mod tests {
    use super::super::solved::Store;
    use super::super::{MemoryShelf, Plan, Progress, Shelf, run};
    use super::*;
    use crate::rules::{Frisian, VariantId};
    use crate::tablebase::Index;
    use std::fs;
    use std::sync::atomic::AtomicU64;
    use tempfile::TempDir;

    /// Work that is saved after every step and taken up by somebody else ends as work that nobody disturbed.
    #[test]
    fn work_goes_on_from_every_pass() {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("work");
        let shelf = MemoryShelf::default();
        let plan = Plan::new(VariantId::Frisian, 3, 3, 1 << 30).unwrap();
        run(&plan, &shelf, 1, &Progress::default()).unwrap();
        let step =
            plan.steps().iter().find(|step| step.slices.len() == 2 && step.slices[0].men == [1, 1]).unwrap();
        let mut store = Store::default();
        step.needs.iter().for_each(|&slice| store.insert(shelf.load(slice).unwrap()));
        let done = AtomicU64::new(0);
        let new = || {
            let indices =
                step.slices.iter().filter_map(|&slice| Index::new(VariantId::Frisian.rules(), slice));
            Pair::<Frisian>::new(indices.collect(), &store, true, &done)
        };
        let mut saver = Saver { path: Some(path.clone()), every: Duration::ZERO, last: Instant::now() };
        assert!(!saver.load(&mut new()), "there is no file");
        let mut pair = new();
        let mut goes_on = true;
        while goes_on {
            // A few chunks at a time, then pass by pass, each time with another pair.
            let before = pair.begun;
            pair.begin(20);
            if pair.begun == before {
                goes_on = pair.spread().unwrap();
            }
            saver.save_if_due(&pair);
            pair = new();
            assert!(saver.load(&mut pair));
        }
        assert!(pair.layer > 5 && pair.begun > 40);
        for (solved, counts) in pair.solve(Saver::new(None)).unwrap() {
            let slice = solved.index.material();
            let whole = shelf.load(slice).unwrap();
            assert!(solved.codes == whole.codes && solved.distances == whole.distances, "{slice}");
            assert_eq!(Some(counts), shelf.counts(slice));
        }
        // Damage, and work at other slices.
        let mut bytes = fs::read(&path).unwrap();
        bytes[HEAD + 100] ^= 1;
        fs::write(&path, &bytes).unwrap();
        let mut pair = new();
        assert!(!saver.load(&mut pair) && pair.begun == 0);
        let whole = shelf.load(step.slices[0]).unwrap();
        let (anew, _) = pair.solve(Saver::new(None)).unwrap().remove(0);
        assert!(anew.codes == whole.codes && anew.distances == whole.distances);
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        assert!(!saver.load(&mut new()));
        // Work that cannot be saved goes on.
        let nowhere = Saver {
            path: Some(folder.path().join("no folder/work")),
            every: Duration::ZERO,
            last: Instant::now(),
        };
        let (unsaved, _) = new().solve(nowhere).unwrap().remove(0);
        assert!(unsaved.codes == whole.codes && unsaved.distances == whole.distances);
        assert!(!folder.path().join("no folder").exists());
    }
}
