//! The tables of a variant that are at hand, and what they say of a position.

use super::cache::Cache;
use super::format::{FormatError, Kind, Table};
use super::{Index, Material, Value};
use crate::board::{Move, MoveList, Position};
use crate::for_variant;
use crate::rules::draws::Counters;
use crate::rules::movegen::{can_capture, captures, count_quiets, generate};
use crate::rules::{Objective, Variant, VariantId, play};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64_with_seed;

/// A file that cannot be used; the others are.
#[derive(Clone, Debug, Error)]
#[error("endgame table {path:?}: {}", without_path(source))]
pub struct TableFault {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub source: Arc<FormatError>,
}

/// The error of a file without the file's name.
fn without_path(error: &FormatError) -> String {
    match error {
        FormatError::Io { source, .. } => source.to_string(),
        other => other.to_string(),
    }
}

impl TableFault {
    /// A folder of tables that is not there.
    pub fn no_folder(path: &Path) -> TableFault {
        let error = std::io::Error::new(std::io::ErrorKind::NotFound, "no such folder");
        TableFault { path: path.to_owned(), source: Arc::new(FormatError::io(path, error)) }
    }
}

/// What the tables say of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// The result with best play.
    pub value: Value,
    /// Plies to the next capture or crowning, or to the end, of a position that is won or lost, where that is known: the
    /// winner keeps it short, the loser long.
    pub distance: Option<u32>,
}

/// What the tables advise in a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Advice {
    /// What the position is worth.
    pub verdict: Verdict,
    /// The moves that keep it: of those whose distance is known the shortest to a win, the longest from a loss.
    pub moves: Vec<Move>,
}

/// The files of tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TableFiles {
    /// How many.
    pub files: usize,
    /// The most pieces that they are for.
    pub pieces: u8,
    /// Over the checksums of their fronts, in the order in which they were added.
    pub checksum: u64,
}

impl TableFiles {
    fn add(&mut self, pieces: u8, checksum: u64) {
        self.files += 1;
        self.pieces = self.pieces.max(pieces);
        self.checksum = xxh3_64_with_seed(&checksum.to_le_bytes(), self.checksum);
    }
}

impl fmt::Display for TableFiles {
    /// `tables up to 5 pieces in 124 files 0123456789abcdef`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tables up to {} pieces in {} files {:016x}", self.pieces, self.files, self.checksum)
    }
}

/// What is at hand for one slice.
#[derive(Debug)]
struct Slice {
    index: Index,
    outcome: Table,
    distance: Option<Table>,
    /// Whether there are distances of the slice with the same pieces and the other side to move.
    is_swapped_known: bool,
    path: Option<PathBuf>,
    distance_path: Option<PathBuf>,
}

/// The tables of a variant.
#[derive(Debug)]
pub struct Tables {
    variant: VariantId,
    slices: Vec<Slice>,
    /// The number + 1 of a slice in `slices` by [`place`], or 0.
    places: Vec<u16>,
    most_pieces: u32,
    /// Those that came from files.
    files: TableFiles,
    cache: Cache,
}

/// Numbers of pieces of each kind that a material can have, 0 included.
const COUNTS: usize = Material::MOST_PIECES as usize;

/// Where a material stands in a list of all.
#[inline(always)]
fn place(men: [usize; 2], kings: [usize; 2]) -> usize {
    ((men[0] * COUNTS + men[1]) * COUNTS + kings[0]) * COUNTS + kings[1]
}

impl fmt::Display for Tables {
    /// `41 tables for up to 4 pieces`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} tables for up to {} pieces", self.len(), self.most_pieces)
    }
}

impl Tables {
    /// No table at all.
    pub fn new(variant: VariantId) -> Tables {
        Tables {
            variant,
            slices: Vec::new(),
            places: vec![0; COUNTS.pow(4)],
            most_pieces: 0,
            files: TableFiles::default(),
            cache: Cache::new(),
        }
    }

    /// Adds a table, in memory or from a file, if there is none of its kind for its slice yet. Distances come after the
    /// outcomes of their slice.
    ///
    /// # Errors
    /// If it is of another variant, or has not as many values as its slice has positions.
    pub fn add(&mut self, table: Table, path: Option<&Path>) -> Result<(), FormatError> {
        let name = table.name();
        if name.variant != self.variant {
            return Err(FormatError::OtherVariant { found: name.variant, expected: self.variant });
        }
        let material = name.material;
        let index = Index::new(self.variant.rules(), material);
        let Some(index) = index.filter(|index| index.len() == table.count()) else {
            return Err(FormatError::Count { material, values: table.count() });
        };
        let place = Self::place_of(material);
        let known = self.places[place];
        let checksum = table.checksum();
        match (name.kind, known) {
            (Kind::Outcome, 0) => {
                let is_swapped_known =
                    self.with(material.swapped()).is_some_and(|slice| slice.distance.is_some());
                self.slices.push(Slice {
                    index,
                    outcome: table,
                    distance: None,
                    is_swapped_known,
                    path: path.map(Path::to_owned),
                    distance_path: None,
                });
                self.places[place] = self.slices.len() as u16;
                self.most_pieces = self.most_pieces.max(material.pieces().into());
            }
            (Kind::Distance, 1..) => {
                let slice = &mut self.slices[usize::from(known) - 1];
                if slice.distance.is_some() {
                    return Ok(());
                }
                slice.distance = Some(table);
                slice.distance_path = path.map(Path::to_owned);
                let swapped = usize::from(self.places[Self::place_of(material.swapped())]);
                if let Some(swapped) = self.slices.get_mut(swapped.wrapping_sub(1)) {
                    swapped.is_swapped_known = true;
                }
            }
            _ => return Ok(()),
        }
        if path.is_some() {
            self.files.add(material.pieces(), checksum);
        }
        Ok(())
    }

    fn place_of(material: Material) -> usize {
        place(material.men.map(usize::from), material.kings.map(usize::from))
    }

    /// The slice of a material.
    fn with(&self, material: Material) -> Option<&Slice> {
        self.slices.get(usize::from(self.places[Self::place_of(material)]).wrapping_sub(1))
    }

    /// The rules that they are for.
    pub fn variant(&self) -> VariantId {
        self.variant
    }

    /// The most pieces of a position that they may know; 0 without a table.
    #[inline(always)]
    pub fn most_pieces(&self) -> u32 {
        self.most_pieces
    }

    /// How many slices they know.
    pub fn len(&self) -> usize {
        self.slices.len()
    }

    /// Whether there is no table.
    pub fn is_empty(&self) -> bool {
        self.slices.is_empty()
    }

    /// Which files they were read from, with a checksum over all; none if they are all in the program.
    ///
    /// ```
    /// use kroon::{rules::VariantId, tablebase};
    /// let (tables, _) = tablebase::load(VariantId::English, &[], 8);
    /// assert!(!tables.is_empty() && tables.files().is_none());
    /// ```
    pub fn files(&self) -> Option<TableFiles> {
        (self.files.files > 0).then_some(self.files)
    }

    /// Which tables they are, for what depends on all that they know: how many, and the checksum of those in files.
    ///
    /// ```
    /// use kroon::{rules::VariantId, tablebase};
    /// let (tables, _) = tablebase::load(VariantId::English, &[], 8);
    /// assert_eq!(tables.identity(), tables.to_string());
    /// ```
    pub fn identity(&self) -> String {
        self.files().map_or_else(|| self.to_string(), |files| format!("{self}, {files}"))
    }

    /// The first damage that somebody has met while asking.
    pub fn fault(&self) -> Option<TableFault> {
        self.slices.iter().find_map(|slice| {
            let of_outcome = slice.outcome.fault().map(|damage| (damage, &slice.path));
            let of_distance = || Some((slice.distance.as_ref()?.fault()?, &slice.distance_path));
            let (damage, path) = of_outcome.or_else(of_distance)?;
            Some(TableFault { path: path.clone().unwrap_or_default(), source: Arc::new(damage) })
        })
    }

    /// The slice of a position.
    #[inline]
    fn slice(&self, position: &Position) -> Option<&Slice> {
        let us = position.turn();
        if position.occupied().len() > self.most_pieces {
            return None;
        }
        let count = |set: crate::board::Bitboard| set.len() as usize;
        let men = [us, !us].map(|color| count(position.men(color)));
        let kings = [us, !us].map(|color| count(position.kings_of(color)));
        if men.iter().chain(&kings).any(|&count| count >= COUNTS) {
            return None;
        }
        let number = usize::from(self.places[place(men, kings)]);
        self.slices.get(number.wrapping_sub(1))
    }

    /// The value of a position in which the side to move can move and cannot capture; of others it says anything. None if
    /// no table knows it.
    #[inline]
    pub fn outcome(&self, position: &Position) -> Option<Value> {
        if position.occupied().len() > self.most_pieces {
            return None;
        }
        if let Some(value) = self.cache.get(position.key()) {
            return Some(value);
        }
        let slice = self.slice(position)?;
        let value = Value::from_code(slice.outcome.get(slice.index.of(position))?)?;
        self.cache.put(position.key(), value);
        Some(value)
    }

    /// The distance of such a position if it is won or lost, in plies; of others it says anything. Where there are distances
    /// of the slice with the other side to move only, it follows from those after the moves.
    pub fn distance(&self, position: &Position) -> Option<u32> {
        let slice = self.slice(position)?;
        match &slice.distance {
            Some(table) => Some(table.get(slice.index.of(position))?.into()),
            None if slice.is_swapped_known => {
                for_variant!(self.variant, V => self.distance_by_moves::<V>(position))
            }
            None => None,
        }
    }

    /// The distance of a position from which every move leads to a known distance, a capture or a crowning.
    fn distance_by_moves<V: Variant>(&self, position: &Position) -> Option<u32> {
        let value = self.outcome(position)?;
        let mut moves = MoveList::new();
        generate::<V>(position, &mut moves);
        let verdicts: Option<Vec<Verdict>> =
            moves.iter().map(|&mv| self.verdict_of::<V>(position, mv)).collect();
        let best = verdicts?.into_iter().filter(|verdict| verdict.value == value);
        let distances: Option<Vec<u32>> = best.map(|verdict| verdict.distance).collect();
        let distances = distances?.into_iter();
        if value == Value::Win { distances.min() } else { distances.max() }
    }

    /// The result of a game that has come to this position with these counters: that of best play, where no count of moves
    /// may end the game before. A win or loss without a known distance counts only if 12 moves of either side are left
    /// in every count.
    pub fn result(&self, position: &Position, counters: Counters) -> Option<Value> {
        let value = self.verdict(position)?.value;
        let is_certain = match value {
            Value::Draw => true,
            Value::Win | Value::Loss => self.timing(position, counters).is_certain(),
        };
        is_certain.then_some(value)
    }

    /// What is known of any position: captures are followed until there are none.
    pub fn verdict(&self, position: &Position) -> Option<Verdict> {
        for_variant!(self.variant, V => self.verdict_in::<V>(position))
    }

    /// The same with the rules known at compile time.
    pub fn verdict_in<V: Variant>(&self, position: &Position) -> Option<Verdict> {
        if position.occupied().len() > self.most_pieces {
            return None;
        }
        let mut moves = MoveList::new();
        if !generate::<V>(position, &mut moves) {
            if moves.is_empty() || is_crowned::<V>(position) {
                return Some(Verdict { value: without_moves(V::RULES.objective), distance: Some(0) });
            }
            let value = self.outcome(position)?;
            let distance = if value == Value::Draw { None } else { self.distance(position) };
            return Some(Verdict { value, distance });
        }
        // One ply, because a capture ends the slice.
        let value = self.best_capture::<V>(position, &moves)?;
        Some(Verdict { value, distance: (value != Value::Draw).then_some(1) })
    }

    /// The value of a position in which these captures must be played.
    fn best_capture<V: Variant>(&self, position: &Position, moves: &[Move]) -> Option<Value> {
        let mut best = Some(Value::Loss);
        for &mv in moves {
            let next = play::<V>(position, mv);
            match self.value_in::<V>(&next) {
                Some(Value::Loss) => return Some(Value::Win),
                Some(value) => best = best.map(|best| best.max(-value)),
                // Another capture may win.
                None => best = None,
            }
        }
        best
    }

    /// The value of any position.
    fn value_in<V: Variant>(&self, position: &Position) -> Option<Value> {
        if is_crowned::<V>(position) {
            return Some(without_moves(V::RULES.objective));
        }
        if can_capture::<V>(position, position.turn()) {
            let mut moves = MoveList::new();
            captures::<V>(position, &mut moves);
            return self.best_capture::<V>(position, &moves);
        }
        if count_quiets::<V>(position, position.turn()) == 0 {
            return Some(without_moves(V::RULES.objective));
        }
        self.outcome(position)
    }

    /// Every legal move with what is known of it, for the side that moves; the distance counts the move itself.
    pub fn moves(&self, position: &Position) -> Vec<(Move, Option<Verdict>)> {
        for_variant!(self.variant, V => {
            let mut moves = MoveList::new();
            generate::<V>(position, &mut moves);
            moves.iter().map(|&mv| (mv, self.verdict_of::<V>(position, mv))).collect()
        })
    }

    fn verdict_of<V: Variant>(&self, position: &Position, mv: Move) -> Option<Verdict> {
        let next = self.verdict_in::<V>(&play::<V>(position, mv))?;
        let distance = match next.distance {
            _ if next.value == Value::Draw => None,
            // Capture and crowning end the slice.
            _ if mv.is_capture() || mv.promotes() => Some(1),
            distance => distance.map(|plies| plies + 1),
        };
        Some(Verdict { value: -next.value, distance })
    }

    /// What the tables advise. None if the value of some move is not known, or there is no move.
    pub fn advice(&self, position: &Position) -> Option<Advice> {
        let moves = self.moves(position);
        let known: Option<Vec<(Move, Verdict)>> =
            moves.into_iter().map(|(mv, verdict)| Some((mv, verdict?))).collect();
        let mut moves = known.filter(|moves| !moves.is_empty())?;
        let value = moves.iter().map(|(_, verdict)| verdict.value).max()?;
        moves.retain(|(_, verdict)| verdict.value == value);
        let distances: Option<Vec<u32>> = moves.iter().map(|(_, verdict)| verdict.distance).collect();
        let best = distances.as_ref().and_then(|distances| match value {
            Value::Win => distances.iter().min().copied(),
            Value::Draw => None,
            Value::Loss => distances.iter().max().copied(),
        });
        if let Some(best) = best {
            moves.retain(|(_, verdict)| verdict.distance == Some(best));
        }
        let verdict = Verdict { value, distance: best };
        Some(Advice { verdict, moves: moves.into_iter().map(|(mv, _)| mv).collect() })
    }
}

/// Whether the side that has just moved has won by crowning.
#[inline(always)]
fn is_crowned<V: Variant>(position: &Position) -> bool {
    matches!(V::RULES.objective, Objective::Crown) && position.kings().any()
}

/// The value for a side that has no legal move.
const fn without_moves(objective: Objective) -> Value {
    match objective {
        Objective::Win | Objective::Crown => Value::Loss,
        Objective::Lose => Value::Win,
    }
}
