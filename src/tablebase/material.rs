//! How many men and kings either side has: the slices of the tables.

use crate::board::{Bitboard, Position};
use crate::rules::{Objective, Rules};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// The pieces of a slice, at index 0 those of the side to move, at index 1 those of the other. A slice is the set of all
/// positions with these pieces, seen by the side to move; positions that differ only by an exchange of colours and a
/// half turn of the board are one.
///
/// Its name is the kings and men of the side to move, `v`, and those of the other.
///
/// ```
/// use kroon::tablebase::Material;
/// let material: Material = "21v10".parse()?;
/// assert_eq!(material, Material { men: [1, 0], kings: [2, 1] });
/// assert_eq!(material.swapped().to_string(), "10v21");
/// assert!("21v".parse::<Material>().unwrap_err().to_string().contains("\"21v\""));
/// # Ok::<(), kroon::tablebase::MaterialError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Material {
    /// Men.
    pub men: [u8; 2],
    /// Kings.
    pub kings: [u8; 2],
}

/// A text that names no slice.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error(
    "material {0:?}: expected kings and men of the side to move, \"v\", kings and men of the other, such as \"21v10\", \
     with 1 to {most} pieces a side and at most {all} in all",
    most = Material::MOST_PIECES - 1,
    all = Material::MOST_PIECES
)]
pub struct MaterialError(String);

impl Material {
    /// The most pieces of both sides together that can be named and indexed.
    pub const MOST_PIECES: u8 = 8;

    /// The material of a position; `None` if a side has nothing or there are too many pieces.
    #[inline]
    pub fn of(position: &Position) -> Option<Material> {
        let us = position.turn();
        if position.occupied().len() > Self::MOST_PIECES.into() {
            return None;
        }
        let count = |set: Bitboard| set.len() as u8;
        let men = [us, !us].map(|color| count(position.men(color)));
        let kings = [us, !us].map(|color| count(position.kings_of(color)));
        let material = Material { men, kings };
        (material.side(0) > 0 && material.side(1) > 0).then_some(material)
    }

    /// All pieces of a side: 0 the side to move, 1 the other.
    #[inline(always)]
    pub const fn side(&self, side: usize) -> u8 {
        self.men[side] + self.kings[side]
    }

    /// All pieces.
    #[inline(always)]
    pub const fn pieces(&self) -> u8 {
        self.side(0) + self.side(1)
    }

    /// The same pieces with the other side to move. A move that neither captures nor crowns leads there.
    #[inline(always)]
    pub const fn swapped(&self) -> Material {
        Material { men: [self.men[1], self.men[0]], kings: [self.kings[1], self.kings[0]] }
    }

    /// Which of the two slices with the same pieces names both: the one whose side to move has more pieces, or more
    /// kings.
    pub fn canonical(&self) -> Material {
        let weight = |side: usize| (self.side(side), self.kings[side]);
        if weight(0) >= weight(1) { *self } else { self.swapped() }
    }

    /// Whether there are such positions in which the game is not over: each side has a piece, and no more than these
    /// rules allow; where a king ends the game there is none.
    pub fn exists(&self, rules: &Rules) -> bool {
        let most = rules.most_pieces().min(u32::from(Self::MOST_PIECES));
        [0, 1].iter().all(|&side| (1..=most).contains(&(self.side(side).into())))
            && self.pieces() <= Self::MOST_PIECES
            && (rules.objective != Objective::Crown || self.kings == [0, 0])
    }

    /// All slices of 2 to `pieces` pieces in the order of generation: fewer pieces first, then fewer men; a slice
    /// follows its [swapped](Material::swapped) one or is its own. Every slice comes after those that a capture or a
    /// crowning leads to.
    ///
    /// ```
    /// use kroon::rules::VariantId;
    /// use kroon::tablebase::Material;
    /// let names: Vec<String> =
    ///     Material::all(VariantId::International.rules(), 2).iter().map(ToString::to_string).collect();
    /// assert_eq!(names, ["10v10", "10v01", "01v10", "01v01"]);
    /// ```
    pub fn all(rules: &Rules, pieces: u8) -> Vec<Material> {
        let mut all = Vec::new();
        let pieces = pieces.min(Self::MOST_PIECES);
        for n in 2..=pieces {
            for first in 1..n {
                for men in 0..=first {
                    for others in 0..=n - first {
                        all.push(Material { men: [men, others], kings: [first - men, n - first - others] });
                    }
                }
            }
        }
        all.retain(|material| material.exists(rules));
        all.sort_by_key(|material| {
            let pair = material.canonical();
            (pair.pieces(), pair.men[0] + pair.men[1], std::cmp::Reverse(pair), *material != pair)
        });
        all
    }

    /// The slices that a capture or a crowning by the side to move may lead to, each with the other side to move. Slices
    /// that do not [exist](Material::exists), because the game is over, are left out.
    pub fn conversions(&self, rules: &Rules) -> Vec<Material> {
        let mut found = Vec::new();
        for crowned in 0..=self.men[0].min(1) {
            for men in 0..=self.men[1] {
                for kings in 0..=self.kings[1] {
                    if (crowned, men, kings) == (0, 0, 0) {
                        continue;
                    }
                    let after = Material {
                        men: [self.men[1] - men, self.men[0] - crowned],
                        kings: [self.kings[1] - kings, self.kings[0] + crowned],
                    };
                    if after.exists(rules) {
                        found.push(after);
                    }
                }
            }
        }
        found
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Material { men, kings } = self;
        write!(f, "{}{}v{}{}", kings[0], men[0], kings[1], men[1])
    }
}

impl FromStr for Material {
    type Err = MaterialError;

    fn from_str(text: &str) -> Result<Material, MaterialError> {
        let digits = |side: &str| match side.as_bytes() {
            [kings @ b'0'..=b'8', men @ b'0'..=b'8'] => Some((kings - b'0', men - b'0')),
            _ => None,
        };
        text.split_once('v')
            .and_then(|(us, them)| Some((digits(us)?, digits(them)?)))
            .map(|((k0, m0), (k1, m1))| Material { men: [m0, m1], kings: [k0, k1] })
            .filter(|material| {
                material.side(0) > 0 && material.side(1) > 0 && material.pieces() <= Self::MOST_PIECES
            })
            .ok_or_else(|| MaterialError(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::VariantId;
    use std::collections::HashSet;

    #[test]
    fn every_slice_follows_its_conversions() {
        for variant in VariantId::ALL {
            let rules = variant.rules();
            let mut seen = HashSet::new();
            let all = Material::all(rules, 6);
            for (i, material) in all.iter().enumerate() {
                // Both slices of a pair are made together, so neither may lead to the other by a conversion.
                let pair = [*material, material.swapped()];
                for next in pair.iter().flat_map(|slice| slice.conversions(rules)) {
                    assert!(seen.contains(&next) && !pair.contains(&next), "{variant} {material}: {next}");
                }
                if *material == material.canonical() {
                    seen.extend(pair);
                    assert!(pair[0] == pair[1] || all[i + 1] == pair[1]);
                }
            }
            assert_eq!(seen.len(), all.len());
        }
    }

    #[test]
    fn numbers_of_slices() {
        // Ordered slices of exactly n pieces, counted by hand: the sum over w of (w + 1) (n - w + 1).
        let slices = |variant: VariantId, n| {
            let all = Material::all(variant.rules(), n);
            all.iter().filter(|material| material.pieces() == n).count()
        };
        assert_eq!([2, 3, 4, 5, 6].map(|n| slices(VariantId::International, n)), [4, 12, 25, 44, 70]);
        assert_eq!([2, 3, 4].map(|n| slices(VariantId::Breakthrough, n)), [1, 2, 3]);
        // Five pieces a side: 5v1 is the largest with six, 6v1 does not exist.
        assert_eq!(slices(VariantId::Frysk, 7), 104 - 2 * 14);
    }

    #[test]
    fn texts_and_back() {
        for material in Material::all(VariantId::English.rules(), 5) {
            assert_eq!(material.to_string().parse(), Ok(material));
        }
        for wrong in
            ["", "v", "1v1", "10v00", "99v99", "10v1", "10v1a", "10v10v10", "80v80", "é0v10", "10x10"]
        {
            assert!(wrong.parse::<Material>().is_err(), "{wrong}");
        }
    }
}
