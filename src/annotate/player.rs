//! Names of players, as people and as files write them.

use crate::words::quote;
use std::collections::BTreeSet;

/// Names that are kept apart; a collection has as many as it likes, the memory has not.
const MOST: usize = 10_000;
/// Names that are told.
const MOST_TOLD: usize = 12;

/// Whether two names are of one player: case, commas, points and the order of the parts do not matter.
pub(super) fn is_same(one: &str, other: &str) -> bool {
    parts(one) == parts(other)
}

/// The parts of a name in the order of the alphabet.
pub(super) fn parts(name: &str) -> Vec<String> {
    let name = name.to_lowercase();
    let parts = name.split(|c: char| matches!(c, ',' | '.') || c.is_whitespace());
    let mut parts: Vec<String> = parts.filter(|part| !part.is_empty()).map(str::to_owned).collect();
    parts.sort();
    parts
}

/// The names in a collection.
#[derive(Debug, Default)]
pub(super) struct Roster(BTreeSet<String>);

impl Roster {
    /// Adds a name.
    pub fn add(&mut self, name: &str) {
        if self.0.len() < MOST && !self.0.contains(name) {
            self.0.insert(name.to_owned());
        }
    }

    /// The names for somebody who has asked for another one: first those that share a part with it.
    pub fn instead_of(&self, wanted: &str) -> String {
        let wanted = parts(wanted);
        let is_foreign = |name: &&String| !parts(name).iter().any(|part| wanted.contains(part));
        let mut names: Vec<&String> = self.0.iter().collect();
        names.sort_by_key(is_foreign);
        let told: Vec<String> = names.iter().take(MOST_TOLD).map(|name| quote(name)).collect();
        match names.len() {
            0 => "they name no players".to_owned(),
            all if all > MOST_TOLD => {
                format!("they are of {} and {} others", told.join(", "), all - MOST_TOLD)
            }
            _ => format!("they are of {}", told.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_however_it_is_written() {
        for name in ["Ton Sijbrands", "sijbrands, ton", " SIJBRANDS ,Ton"] {
            assert!(is_same("Sijbrands, Ton", name), "{name}");
        }
        assert!(is_same("Jansen, J.", "J Jansen"));
        for name in ["Sijbrands", "Ton Sijbrands jr", "Tom Sijbrands", ""] {
            assert!(!is_same("Sijbrands, Ton", name), "{name}");
        }
    }

    #[test]
    fn names_alike_are_told_first() {
        let mut roster = Roster::default();
        assert_eq!(roster.instead_of("x"), "they name no players");
        (10..30).for_each(|number| roster.add(&format!("Player{number}")));
        roster.add("Wiersma, Harm");
        let told = roster.instead_of("Wiersma");
        assert!(told.starts_with("they are of \"Wiersma, Harm\", \"Player10\", "), "{told}");
        assert!(told.ends_with(" and 9 others"), "{told}");
    }
}
