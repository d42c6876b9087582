//! The lists in the program.

use super::super::{Opening, file};
use crate::rules::VariantId;

/// The list of each variant: games in PDN, packed.
const LISTS: [(VariantId, &[u8]); 15] = [
    (VariantId::International, include_bytes!("../data/international.zst")),
    (VariantId::Killer, include_bytes!("../data/killer.zst")),
    (VariantId::Breakthrough, include_bytes!("../data/breakthrough.zst")),
    (VariantId::Losing, include_bytes!("../data/losing.zst")),
    (VariantId::Frisian, include_bytes!("../data/frisian.zst")),
    (VariantId::Frysk, include_bytes!("../data/frysk.zst")),
    (VariantId::English, include_bytes!("../data/english.zst")),
    (VariantId::Pool, include_bytes!("../data/pool.zst")),
    (VariantId::Russian, include_bytes!("../data/russian.zst")),
    (VariantId::Brazilian, include_bytes!("../data/brazilian.zst")),
    (VariantId::Czech, include_bytes!("../data/czech.zst")),
    (VariantId::Italian, include_bytes!("../data/italian.zst")),
    (VariantId::Spanish, include_bytes!("../data/spanish.zst")),
    (VariantId::Portuguese, include_bytes!("../data/portuguese.zst")),
    (VariantId::Thai, include_bytes!("../data/thai.zst")),
];

/// The openings in the program; none where a variant has none.
pub(in super::super) fn embedded(variant: VariantId) -> Option<Vec<Opening>> {
    let (_, packed) = LISTS.iter().find(|(id, _)| *id == variant)?;
    // Our own list: a test reads it.
    let text = zstd::decode_all(*packed).ok()?;
    file::list(variant, &String::from_utf8_lossy(&text)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Key;
    use std::collections::HashSet;

    #[test]
    fn every_list_is_sound() {
        let missing = |variant: &VariantId| embedded(*variant).is_none() && !variant.may_lack_data();
        assert_eq!(VariantId::ALL.into_iter().find(missing), None, "no list");
        for (variant, packed) in LISTS {
            let list = embedded(variant).unwrap();
            let least = if variant == VariantId::International { 500 } else { 200 };
            assert!(list.len() >= least, "{variant}: {}", list.len());
            let keys: HashSet<Key> = list.iter().map(|opening| opening.game.position().key()).collect();
            assert_eq!(keys.len(), list.len(), "{variant}: all different");
            assert!(packed.len() < 20_000, "{variant}: {}", packed.len());
        }
    }
}
