//! The tables that are part of the program: one pack for each variant, made by `src/tablebase/make-packs.sh`.
//!
//! A pack is a row of tables, each behind its length in bytes (4 bytes, little-endian): outcomes in the order of
//! [`Material::all`], then distances. All distances would take more room than outcomes. The search finds the way without,
//! but where a lone king flees from flying kings on a small board: that takes up to thirty plies, and the draw by a count of
//! moves comes as soon. So a pack has the distances of [`has_distances`]; those with the other side to move follow from
//! them.

use super::format::{FormatError, Kind, MAGIC, Table, TableName};
use super::{Material, TableFault, Tables, path_in};
use crate::rules::{Objective, Rules, VariantId};
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// The pack of each variant that has one.
const PACKS: [(VariantId, &[u8]); 15] = [
    (VariantId::International, include_bytes!("data/international.pack")),
    (VariantId::Killer, include_bytes!("data/killer.pack")),
    (VariantId::Breakthrough, include_bytes!("data/breakthrough.pack")),
    (VariantId::Losing, include_bytes!("data/losing.pack")),
    (VariantId::Frisian, include_bytes!("data/frisian.pack")),
    (VariantId::Frysk, include_bytes!("data/frysk.pack")),
    (VariantId::English, include_bytes!("data/english.pack")),
    (VariantId::Pool, include_bytes!("data/pool.pack")),
    (VariantId::Russian, include_bytes!("data/russian.pack")),
    (VariantId::Brazilian, include_bytes!("data/brazilian.pack")),
    (VariantId::Czech, include_bytes!("data/czech.pack")),
    (VariantId::Italian, include_bytes!("data/italian.pack")),
    (VariantId::Spanish, include_bytes!("data/spanish.pack")),
    (VariantId::Portuguese, include_bytes!("data/portuguese.pack")),
    (VariantId::Thai, include_bytes!("data/thai.pack")),
];

/// The pack of a variant; empty if it has none.
pub fn pack_of(variant: VariantId) -> &'static [u8] {
    PACKS.iter().find(|(id, _)| *id == variant).map_or(&[], |(_, pack)| pack)
}

/// Whether a file that begins like this is a pack.
///
/// ```
/// use kroon::rules::VariantId;
/// use kroon::tablebase::{begins_pack, pack_of};
/// assert!(VariantId::ALL.into_iter().all(|variant| begins_pack(pack_of(variant))));
/// assert!(!begins_pack(b"[Event \"?\"]"));
/// ```
pub fn begins_pack(head: &[u8]) -> bool {
    head.split_first_chunk::<4>().is_some_and(|(_, table)| table.starts_with(&MAGIC))
}

/// Adds the tables in the program with at most `pieces` pieces.
///
/// # Errors
/// If the pack is damaged, which the tests exclude.
pub fn add_embedded(tables: &mut Tables, pieces: u8) -> Result<(), FormatError> {
    for bytes in entries(pack_of(tables.variant())) {
        let table = Table::from_bytes(bytes?)?;
        if table.name().material.pieces() <= pieces {
            tables.add(table, None)?;
        }
    }
    Ok(())
}

/// The tables of a pack.
fn entries(mut pack: &'static [u8]) -> impl Iterator<Item = Result<&'static [u8], FormatError>> {
    std::iter::from_fn(move || {
        if pack.is_empty() {
            return None;
        }
        let entry = pack
            .split_first_chunk::<4>()
            .and_then(|(length, rest)| rest.split_at_checked(u32::from_le_bytes(*length) as usize));
        Some(match entry {
            Some((table, rest)) => {
                pack = rest;
                Ok(table)
            }
            None => {
                pack = &[];
                Err(FormatError::NoTable)
            }
        })
    })
}

/// Whether packs have the distances of a slice: those in which a lone king is to move, of up to four pieces where flying
/// kings chase it on a board of 8x8, of up to three elsewhere, in variants in which who cannot move loses.
pub fn has_distances(rules: &Rules, material: Material) -> bool {
    let most = if rules.flying_kings && rules.board.side() == 8 { 4 } else { 3 };
    rules.objective == Objective::Win
        && (material.men[0], material.kings[0]) == (0, 1)
        && material.pieces() <= most
}

/// Puts the outcomes of a folder with at most `pieces` pieces into a pack, and the distances that packs have.
///
/// # Errors
/// If one is not there, is damaged or another one than its name says.
pub fn pack(variant: VariantId, folder: &Path, pieces: u8) -> Result<Vec<u8>, TableFault> {
    let mut pack = Vec::new();
    let rules = variant.rules();
    let all = Material::all(rules, pieces);
    let outcomes = all.iter().map(|&material| (Kind::Outcome, material));
    let timed = all.iter().filter(|&&material| has_distances(rules, material));
    for (kind, material) in outcomes.chain(timed.map(|&material| (Kind::Distance, material))) {
        let name = TableName { variant, kind, material };
        let path = path_in(folder, &name);
        let added = entry(&name, &path).map(|(length, bytes)| {
            pack.extend(length.to_le_bytes());
            pack.extend(bytes);
        });
        added.map_err(|source| TableFault { path, source: Arc::new(source) })?;
    }
    Ok(pack)
}

/// The bytes of a file with their number, if it is this table, and sound.
fn entry(name: &TableName, path: &Path) -> Result<(u32, Vec<u8>), FormatError> {
    let bytes = fs::read(path).map_err(|error| FormatError::io(path, error))?;
    let length = bytes.len();
    let length = u32::try_from(length).map_err(|_| FormatError::TooLarge { values: length as u64 })?;
    let table = Table::from_bytes(bytes.clone())?;
    table.check()?;
    if table.name() != name {
        return Err(FormatError::OtherTable { found: Box::new(*table.name()) });
    }
    Ok((length, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pack_is_sound_and_not_too_large() {
        let mut others = 0;
        for variant in VariantId::ALL {
            let pack = pack_of(variant);
            if pack.is_empty() {
                assert!(variant.may_lack_data(), "{variant} has no pack");
                continue;
            }
            let mut tables = Tables::new(variant);
            add_embedded(&mut tables, Material::MOST_PIECES).unwrap();
            let least = if variant == VariantId::International { 4 } else { 3 };
            assert!(tables.most_pieces() >= least, "{variant}: {tables}");
            let all = Material::all(variant.rules(), tables.most_pieces() as u8);
            assert_eq!(tables.len(), all.len());
            let mut distances = 0;
            for bytes in entries(pack) {
                let table = Table::from_bytes(bytes.unwrap()).unwrap();
                table.check().unwrap();
                distances += usize::from(table.name().kind == Kind::Distance);
            }
            assert_eq!(
                distances,
                all.iter().filter(|&&material| has_distances(variant.rules(), material)).count(),
                "{variant}"
            );
            if variant == VariantId::International {
                assert!(pack.len() <= 1_000_000, "{}", pack.len());
            } else {
                others += pack.len();
            }
        }
        assert!(others <= 3 << 20, "{others}");
    }
}
