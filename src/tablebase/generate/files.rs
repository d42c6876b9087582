//! Slices that are kept in files.

use super::solved::{CAPTURE, Codes, Counts, Solved};
use super::{Shelf, ShelfError};
use crate::rules::VariantId;
use crate::tablebase::format::{self, ANY, FormatError, Kind, Table, TableName, Values};
use crate::tablebase::{Index, Material, TableFault, Value, path_in};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Keeps slices in the files of a folder of tables, each written as a whole: see [`path_in`].
#[derive(Clone, Debug)]
pub struct FileShelf {
    folder: PathBuf,
    variant: VariantId,
}

impl FileShelf {
    /// The files of a variant in this folder, which is made if it is not there.
    ///
    /// # Errors
    /// If it cannot be made.
    pub fn new(folder: &Path, variant: VariantId) -> Result<FileShelf, ShelfError> {
        let shelf = FileShelf { folder: folder.to_owned(), variant };
        let of_variant = shelf.folder.join(variant.name());
        fs::create_dir_all(&of_variant)
            .map_err(|source| FormatError::Io { path: of_variant.display().to_string(), source })?;
        Ok(shelf)
    }

    fn name(&self, material: Material, kind: Kind) -> TableName {
        TableName { variant: self.variant, kind, material }
    }

    fn index(&self, material: Material) -> Result<Index, ShelfError> {
        let index = Index::new(self.variant.rules(), material);
        index.ok_or_else(|| format!("{} draughts has no slice {material}", self.variant).into())
    }

    /// The file of a slice, if it is there, with all its checksums looked at.
    fn open(&self, material: Material, kind: Kind) -> Result<Option<Table>, ShelfError> {
        let name = self.name(material, kind);
        let path = path_in(&self.folder, &name);
        if !path.try_exists().unwrap_or(true) {
            return Ok(None);
        }
        let len = self.index(material)?.len();
        let sound = |table: Table| {
            table.check()?;
            if *table.name() != name {
                return Err(FormatError::OtherTable { found: Box::new(*table.name()) });
            }
            if table.count() == len {
                Ok(table)
            } else {
                Err(FormatError::Count { material, values: table.count() })
            }
        };
        let opened = Table::open(&path).and_then(sound);
        Ok(Some(opened.map_err(|source| TableFault { path, source: Arc::new(source) })?))
    }

    fn write(&self, material: Material, kind: Kind, values: &impl Values) -> Result<(), ShelfError> {
        let name = self.name(material, kind);
        format::write(&path_in(&self.folder, &name), &name, values)?;
        Ok(())
    }
}

impl Shelf for FileShelf {
    fn has(&self, material: Material, distances: bool) -> Result<bool, ShelfError> {
        Ok(self.open(material, Kind::Outcome)?.is_some()
            && (!distances || self.open(material, Kind::Distance)?.is_some()))
    }

    fn load(&self, material: Material) -> Result<Arc<Solved>, ShelfError> {
        let table = self.open(material, Kind::Outcome)?;
        let table = table.ok_or_else(|| format!("slice {material} is not there"))?;
        let index = self.index(material)?;
        let mut packed = Vec::with_capacity(index.len().div_ceil(4) as usize);
        let (mut block, mut rest) = (Vec::new(), Vec::new());
        for number in 0..table.blocks() {
            table.block(number, &mut block)?;
            if let Some(value) = block.iter().find(|&&value| Value::from_code(value).is_none()) {
                return Err(format!("slice {material} has the result {value}, which means nothing").into());
            }
            rest.append(&mut block);
            // Four codes make a byte; what is left waits for the next block.
            let whole = rest.len() / 4 * 4;
            packed.extend(rest[..whole].chunks(4).map(pack));
            rest.drain(..whole);
        }
        packed.extend(rest.chunks(4).map(pack));
        Ok(Arc::new(Solved { codes: Codes::from_bytes(packed, index.len()), index, distances: None }))
    }

    fn work_file(&self, material: Material) -> Option<PathBuf> {
        Some(path_in(&self.folder, &self.name(material, Kind::Outcome)).with_extension("work"))
    }

    fn keep(&self, slice: Arc<Solved>, _: &Counts) -> Result<(), ShelfError> {
        let material = slice.index.material();
        if slice.distances.is_some() {
            self.write(material, Kind::Distance, &Distances(&slice))?;
        }
        self.write(material, Kind::Outcome, &Outcomes(&slice.codes))
    }
}

/// Four codes in a byte, the first in the lowest bits.
fn pack(codes: &[u8]) -> u8 {
    codes.iter().rev().fold(0, |byte, code| byte << 2 | code & 3)
}

/// What a file of results has: nobody asks for a position in which the side to move captures.
struct Outcomes<'a>(&'a Codes);

impl Values for Outcomes<'_> {
    fn count(&self) -> u64 {
        self.0.len()
    }

    fn fill(&self, first: u64, values: &mut [u8]) {
        for (value, number) in values.iter_mut().zip(first..) {
            *value = match self.0.get(number) {
                CAPTURE => ANY,
                code => code,
            };
        }
    }
}

/// What a file of distances has: those of won and lost positions.
struct Distances<'a>(&'a Solved);

impl Values for Distances<'_> {
    fn count(&self) -> u64 {
        self.0.index.len()
    }

    fn fill(&self, first: u64, values: &mut [u8]) {
        let distances = self.0.distances.as_deref().unwrap_or_default();
        for (value, number) in values.iter_mut().zip(first..) {
            let code = self.0.codes.get(number);
            let decided = code == Value::Win.code() || code == Value::Loss.code();
            *value = distances.get(number as usize).copied().filter(|_| decided).unwrap_or(ANY);
        }
    }
}
