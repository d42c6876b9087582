//! The tables that are part of the program: one pack for each variant, made by `src/tablebase/make-packs.sh`.
//!
//! A pack is a row of tables, each behind its length in bytes (4 bytes, little-endian), in the order of
//! [`Material::all`]. Distances would take more room than outcomes; the search finds the way without.

use super::format::{FormatError, Kind, Table, TableName};
use super::{Material, Tables, path_in};
use crate::rules::VariantId;
use std::fs;
use std::path::Path;

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

/// Puts the outcomes of a folder with at most `pieces` pieces into a pack.
///
/// # Errors
/// If one is not there or cannot be read.
pub fn pack(variant: VariantId, folder: &Path, pieces: u8) -> Result<Vec<u8>, FormatError> {
    let mut pack = Vec::new();
    for material in Material::all(variant.rules(), pieces) {
        let path = path_in(folder, &TableName { variant, kind: Kind::Outcome, material });
        let bytes = fs::read(&path).map_err(|error| FormatError::io(&path, error))?;
        let length =
            u32::try_from(bytes.len()).map_err(|_| FormatError::TooLarge { values: bytes.len() as u64 })?;
        pack.extend(length.to_le_bytes());
        pack.extend(bytes);
    }
    Ok(pack)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pack_is_sound_and_not_too_large() {
        let mut others = 0;
        for variant in VariantId::ALL {
            let pack = pack_of(variant);
            let mut tables = Tables::new(variant);
            add_embedded(&mut tables, Material::MOST_PIECES).unwrap();
            let least = if variant == VariantId::International { 4 } else { 3 };
            assert!(tables.most_pieces() >= least, "{variant}: {tables}");
            assert_eq!(tables.len(), Material::all(variant.rules(), tables.most_pieces() as u8).len());
            for bytes in entries(pack) {
                Table::from_bytes(bytes.unwrap()).unwrap().check().unwrap();
            }
            if variant == VariantId::International {
                assert!(pack.len() <= 1_000_000, "{}", pack.len());
            } else {
                others += pack.len();
            }
        }
        assert!(others <= 2 << 20, "{others}");
    }
}
