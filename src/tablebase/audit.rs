//! Looking through whole tables: every position against those that its moves lead to, and what is in a slice.
//!
//! This uses the rules, the files and the numbers of positions, and no code of the generator.

use super::format::{FormatError, Kind, Table, TableName};
use super::{Index, Material, TableFault, Value, path_in};
use crate::board::{Move, MoveList, Position};
use crate::rules::{Objective, Variant, VariantId, movegen, play};
use crate::seed::mix;
use crate::{for_variant, rules};
use rayon::prelude::*;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

/// Positions that a thread takes at a time.
const BATCH: u64 = 1 << 12;

/// The tables of a variant in a folder, opened to be looked through.
#[derive(Debug)]
pub struct Audit {
    variant: VariantId,
    slices: HashMap<Material, Slice>,
}

#[derive(Debug)]
struct Slice {
    index: Index,
    outcomes: Values,
    distances: Option<Values>,
    /// Bytes of the files.
    sizes: [u64; 2],
}

/// The values of a file.
#[derive(Debug)]
enum Values {
    /// All in memory.
    Unpacked(Vec<u8>),
    /// Read one by one.
    Packed(Box<Table>),
}

impl Values {
    #[inline(always)]
    fn get(&self, number: u64) -> Option<u8> {
        match self {
            Values::Unpacked(values) => values.get(number as usize).copied(),
            Values::Packed(table) => table.get(number),
        }
    }
}

/// What a position is worth for the side to move, and the plies to the next capture or crowning or to the end, if
/// somebody wins and they are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// The result.
    pub value: Value,
    /// The plies.
    pub distance: Option<u32>,
}

/// What a check of a slice found.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Positions that were compared with what their moves lead to.
    pub checked: u64,
    /// Positions in which the side to move captures: their results are not stored.
    pub captures: u64,
    /// How many of them were wrong.
    pub faulty: u64,
    /// The first of these.
    pub first: Option<Fault>,
    /// How many of those that were compared lead to what no table knows: that they are right cannot be said. Of some the
    /// result is, and the distance is not known.
    pub unknown: u64,
    /// A table that is missing or damaged, so that they cannot be checked.
    pub missing: Option<TableName>,
}

/// A position whose stored result does not follow from its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The position, White to move.
    pub position: Position,
    /// What is stored.
    pub stored: Option<Worth>,
    /// What follows from its moves.
    pub expected: Worth,
}

/// What is in a slice.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Positions by result, in the order of [`Value::ALL`].
    pub values: [u64; 3],
    /// Bytes of the file of results.
    pub size: u64,
    /// Bytes of the file of distances; 0 if there is none.
    pub distance_size: u64,
    /// A win that takes longest to the next capture or crowning or to the end, if there is one and distances are known.
    pub longest: Option<Longest>,
}

/// The longest win of a slice.
#[derive(Clone, Debug)]
pub struct Longest {
    /// The position, White to move and win.
    pub position: Position,
    /// Plies to the next capture or crowning or to the end.
    pub plies: u32,
    /// Best play to the end of the game, or to where distances are not known.
    pub line: Vec<Move>,
}

impl Audit {
    /// Opens the tables with at most `pieces` pieces that are in this folder of tables, and looks at all their checksums.
    /// With `unpack` they take a byte of memory for each position, two with distances, and are quick to look through.
    ///
    /// Files that are damaged or do not belong there are left out and returned.
    pub fn open(folder: &Path, variant: VariantId, pieces: u8, unpack: bool) -> (Audit, Vec<TableFault>) {
        let rules = variant.rules();
        let opened: Vec<_> = Material::all(rules, pieces)
            .into_par_iter()
            .filter_map(|material| {
                let index = Index::new(rules, material)?;
                let open = |kind| {
                    let name = TableName { variant, kind, material };
                    let path = path_in(folder, &name);
                    let opened = path.is_file().then(|| open(&path, &name, &index, unpack))?;
                    Some(opened.map_err(|source| TableFault { path, source: Arc::new(source) }))
                };
                Some((material, [Kind::Outcome, Kind::Distance].map(open), index))
            })
            .collect();
        let (mut slices, mut faults) = (HashMap::new(), Vec::new());
        for (material, files, index) in opened {
            let [results, path] = [Kind::Outcome, Kind::Distance]
                .map(|kind| path_in(folder, &TableName { variant, kind, material }));
            if files[1].is_some() && !results.is_file() {
                faults.push(TableFault { path, source: Arc::new(FormatError::NoResults) });
            }
            let [outcomes, distances] =
                files.map(|file| file.and_then(|file| file.map_err(|f| faults.push(f)).ok()));
            if let Some((outcomes, size)) = outcomes {
                let sizes = [size, distances.as_ref().map_or(0, |(_, size)| *size)];
                let distances = distances.map(|(distances, _)| distances);
                slices.insert(material, Slice { index, outcomes, distances, sizes });
            }
        }
        (Audit { variant, slices }, faults)
    }

    /// The slices that are there, in the order of generation.
    pub fn slices(&self) -> Vec<Material> {
        let all = Material::all(self.variant.rules(), Material::MOST_PIECES);
        all.into_iter().filter(|material| self.slices.contains_key(material)).collect()
    }

    /// How many positions a slice has.
    pub fn positions(&self, material: Material) -> u64 {
        self.slices.get(&material).map_or(0, |slice| slice.index.len())
    }

    /// What a position is worth; nothing if a table is missing or damaged.
    ///
    /// The values of positions in which the side to move captures follow from those of their captures.
    pub fn worth(&self, position: &Position) -> Option<Worth> {
        for_variant!(self.variant, V => self.worth_in::<V>(position))
    }

    fn worth_in<V: Variant>(&self, position: &Position) -> Option<Worth> {
        let mut moves = MoveList::new();
        if movegen::can_capture::<V>(position, position.turn()) {
            movegen::captures::<V>(position, &mut moves);
            return self.of_moves::<V>(position, &moves);
        }
        self.stored(position).or_else(|| {
            // The game may be over.
            movegen::quiets::<V>(position, &mut moves);
            if moves.is_empty() { self.of_moves::<V>(position, &[]) } else { None }
        })
    }

    fn stored(&self, position: &Position) -> Option<Worth> {
        let slice = self.slices.get(&Material::of(position)?)?;
        let number = slice.index.of(position);
        let value = Value::from_code(slice.outcomes.get(number)?)?;
        let distance = slice.distances.as_ref().filter(|_| value != Value::Draw);
        Some(Worth { value, distance: distance.and_then(|distances| distances.get(number)).map(u32::from) })
    }

    /// What follows from the legal moves of a position.
    fn of_moves<V: Variant>(&self, position: &Position, moves: &[Move]) -> Option<Worth> {
        let after: Option<Vec<Worth>> = moves.iter().map(|&mv| self.after::<V>(position, mv)).collect();
        let after = after?;
        let Some(value) = after.iter().map(|worth| worth.value).max() else {
            let lost = V::RULES.objective != Objective::Lose;
            return Some(Worth { value: if lost { Value::Loss } else { Value::Win }, distance: Some(0) });
        };
        let best = after.iter().filter(|worth| worth.value == value).map(|worth| worth.distance);
        let distances: Option<Vec<u32>> = best.collect();
        let distance = distances.and_then(|distances| match value {
            Value::Win => distances.iter().min().copied(),
            Value::Draw => None,
            Value::Loss => distances.iter().max().copied(),
        });
        Some(Worth { value, distance })
    }

    /// What a move is worth for the side that plays it, the move itself counted.
    fn after<V: Variant>(&self, position: &Position, mv: Move) -> Option<Worth> {
        let worth = self.worth_in::<V>(&play::<V>(position, mv))?;
        let distance = match worth.distance {
            _ if worth.value == Value::Draw => None,
            _ if mv.is_capture() || mv.promotes() => Some(1),
            distance => distance.map(|plies| plies + 1),
        };
        Some(Worth { value: -worth.value, distance })
    }

    /// Compares the stored results and distances of a slice with what follows from all legal moves: of every position, or of
    /// `sample` positions drawn by lot with a seed. `None` if the slice is not there. `done` counts positions.
    ///
    /// Where distances agree everywhere, the results are proved by them, because no distance can shrink for ever. Without
    /// distances positions could prove each other in a circle, and only an error that breaks the rule at one position is
    /// found.
    pub fn verify(
        &self,
        material: Material,
        sample: Option<(u64, u64)>,
        done: &AtomicU64,
    ) -> Option<Findings> {
        let index = &self.slices.get(&material)?.index;
        let sample = sample.filter(|&(count, _)| count < index.len());
        let count = sample.map_or(index.len(), |(count, _)| count);
        let number = |at: u64| sample.map_or(at, |(_, seed)| mix(seed, [at]) % index.len());
        let batch = |batch: u64| {
            let range = batch * BATCH..count.min((batch + 1) * BATCH);
            let mut findings = Findings::default();
            for at in range.clone() {
                for_variant!(self.variant, V => self.check::<V>(index.position(number(at)), &mut findings));
            }
            done.fetch_add(range.end - range.start, Relaxed);
            findings
        };
        let batches = (0..count.div_ceil(BATCH)).into_par_iter().map(batch);
        Some(batches.reduce(Findings::default, Findings::and))
    }

    fn check<V: Variant>(&self, position: Position, findings: &mut Findings) {
        let mut moves = MoveList::new();
        if movegen::generate::<V>(&position, &mut moves) {
            findings.captures += 1;
            return;
        }
        findings.checked += 1;
        let stored = self.stored(&position);
        let Some(expected) = self.of_moves::<V>(&position, &moves) else {
            findings.unknown += 1;
            findings.missing = findings.missing.or_else(|| self.missing_after::<V>(&position, &moves));
            return;
        };
        // A draw has no distance.
        let is_unknown = stored.is_some_and(|stored| {
            stored.value == expected.value
                && stored.distance.is_some()
                && expected.distance.is_none()
                && expected.value != Value::Draw
        });
        if is_unknown {
            findings.unknown += 1;
            findings.missing = findings.missing.or_else(|| self.distances_after::<V>(&position, &moves));
            return;
        }
        let is_sound = stored.is_some_and(|stored| {
            stored.value == expected.value
                && (stored.distance.is_none() || stored.distance == expected.distance)
        });
        if !is_sound {
            findings.faulty += 1;
            findings.first = findings.first.or(Some(Fault { position, stored, expected }));
        }
    }

    /// The results that are not there and to which one of these moves leads, captures after it included.
    fn missing_after<V: Variant>(&self, position: &Position, moves: &[Move]) -> Option<TableName> {
        moves.iter().find_map(|&mv| {
            let next = play::<V>(position, mv);
            if self.worth_in::<V>(&next).is_some() {
                return None;
            }
            let mut captures = MoveList::new();
            if movegen::can_capture::<V>(&next, next.turn()) {
                movegen::captures::<V>(&next, &mut captures);
                return self.missing_after::<V>(&next, &captures);
            }
            let material = Material::of(&next).filter(|material| !self.slices.contains_key(material))?;
            Some(TableName { variant: self.variant, kind: Kind::Outcome, material })
        })
    }

    /// The distances that are not there and to which one of these moves leads: one that neither captures nor crowns, after
    /// which a distance would go on.
    fn distances_after<V: Variant>(&self, position: &Position, moves: &[Move]) -> Option<TableName> {
        let mut quiet = moves.iter().filter(|mv| !mv.is_capture() && !mv.promotes());
        quiet.find_map(|&mv| {
            let material = Material::of(&play::<V>(position, mv))?;
            let is_there = self.slices.get(&material).is_some_and(|slice| slice.distances.is_some());
            (!is_there).then_some(TableName { variant: self.variant, kind: Kind::Distance, material })
        })
    }

    /// What is in a slice. `None` if it, or one to which captures lead, is not there or is damaged. `done` counts positions.
    pub fn summary(&self, material: Material, done: &AtomicU64) -> Option<Summary> {
        let slice = self.slices.get(&material)?;
        let len = slice.index.len();
        let batch = |batch: u64| {
            let range = batch * BATCH..len.min((batch + 1) * BATCH);
            let (mut values, mut longest) = ([0; 3], None);
            for number in range.clone() {
                let worth = self.worth(&slice.index.position(number))?;
                values[usize::from(worth.value.code())] += 1;
                if let (Value::Win, Some(plies)) = (worth.value, worth.distance) {
                    longest = longest.max(Some((plies, std::cmp::Reverse(number))));
                }
            }
            done.fetch_add(range.end - range.start, Relaxed);
            Some((values, longest))
        };
        let batches = (0..len.div_ceil(BATCH)).into_par_iter().map(batch);
        let (values, longest) = batches.try_reduce(
            || ([0; 3], None),
            |a, b| Some(([0, 1, 2].map(|value| a.0[value] + b.0[value]), a.1.max(b.1))),
        )?;
        let longest =
            longest.filter(|_| slice.distances.is_some()).map(|(plies, std::cmp::Reverse(number))| {
                let position = slice.index.position(number);
                Longest { position, plies, line: self.line(position) }
            });
        let [size, distance_size] = slice.sizes;
        Some(Summary { values, size, distance_size, longest })
    }

    /// Best play: the winner hurries, the loser does not; of equal moves the first.
    fn line(&self, mut position: Position) -> Vec<Move> {
        // Every slice on the way is shorter than its distances.
        const MOST: usize = 1_000;
        let mut line = Vec::new();
        while line.len() < MOST {
            let moves = rules::legal_moves(self.variant, &position);
            let rank = |mv: Move| {
                let worth = for_variant!(self.variant, V => self.after::<V>(&position, mv))?;
                let plies = match worth.value {
                    Value::Win => -i64::from(worth.distance?),
                    Value::Draw => 0,
                    Value::Loss => i64::from(worth.distance?),
                };
                Some((worth.value, plies))
            };
            let ranked: Option<Vec<_>> = moves.iter().map(|&mv| Some((rank(mv)?, mv))).collect();
            // The first of the best.
            let best = ranked.and_then(|ranked| ranked.into_iter().rev().max_by_key(|(rank, _)| *rank));
            let Some((_, mv)) = best else { break };
            line.push(mv);
            position = rules::play_in(self.variant, &position, mv);
        }
        line
    }
}

impl Findings {
    fn and(self, other: Findings) -> Findings {
        Findings {
            checked: self.checked + other.checked,
            captures: self.captures + other.captures,
            faulty: self.faulty + other.faulty,
            first: self.first.or(other.first),
            unknown: self.unknown + other.unknown,
            missing: self.missing.or(other.missing),
        }
    }
}

/// Opens a file and looks at all of it.
fn open(path: &Path, name: &TableName, index: &Index, unpack: bool) -> Result<(Values, u64), FormatError> {
    let table = Table::open(path)?;
    if table.name().variant != name.variant {
        return Err(FormatError::OtherVariant { found: table.name().variant, expected: name.variant });
    }
    if table.name() != name {
        return Err(FormatError::OtherTable { found: Box::new(*table.name()) });
    }
    if table.count() != index.len() {
        return Err(FormatError::Count { material: name.material, values: table.count() });
    }
    let size = table.size();
    if !unpack {
        table.check()?;
        return Ok((Values::Packed(Box::new(table)), size));
    }
    let mut values = Vec::with_capacity(table.count() as usize);
    let mut block = Vec::new();
    for number in 0..table.blocks() {
        table.block(number, &mut block)?;
        values.extend_from_slice(&block);
    }
    Ok((Values::Unpacked(values), size))
}
