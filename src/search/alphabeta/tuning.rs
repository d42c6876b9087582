//! The numbers of the search that can only be found by playing, declared once: name, default, range and step.
//!
//! A search carries a [`Tuning`]; `kroon tune` and matches (`param.tune.NAME=N`) change it.

use crate::rules::VariantId;

/// One number.
#[derive(Clone, Copy, Debug)]
pub struct Knob {
    /// Its name, without the `tune.` of parameters.
    pub name: &'static str,
    /// What it does, for people.
    pub help: &'static str,
    /// Least value.
    pub min: i32,
    /// Largest value.
    pub max: i32,
    /// A change that is likely to be felt in games.
    pub step: i32,
    /// Reads it.
    pub get: fn(&Tuning) -> i32,
    /// Writes it; the value must be in the range.
    pub set: fn(&mut Tuning, i32),
    /// The only variant whose search asks for it, if it is one.
    pub only: Option<VariantId>,
}

impl Knob {
    /// Whether the search of a variant asks for it.
    pub fn counts_in(&self, variant: VariantId) -> bool {
        self.only.is_none_or(|only| only == variant)
    }
}

macro_rules! knobs {
    (@only) => { None };
    (@only $variant:ident) => { Some(VariantId::$variant) };
    ($($(#[doc = $help:literal])+ $field:ident, $name:literal: $default:literal in $min:literal to $max:literal step $step:literal
        $(for $variant:ident)?;)+) => {
        /// The numbers of one search.
        ///
        /// ```
        /// use kroon::search::alphabeta::Tuning;
        /// let knob = Tuning::KNOBS.iter().find(|knob| knob.name == "probcut-margin").unwrap();
        /// let mut tuning = Tuning::default();
        /// (knob.set)(&mut tuning, knob.max);
        /// assert_eq!(tuning.probcut_margin, knob.max);
        /// ```
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Tuning {
            $($(#[doc = $help])+ pub $field: i32,)+
        }

        impl Default for Tuning {
            fn default() -> Tuning {
                Tuning { $($field: $default),+ }
            }
        }

        impl Tuning {
            /// All numbers.
            pub const KNOBS: &'static [Knob] = &[$(Knob {
                name: $name,
                help: concat!($($help),+),
                min: $min,
                max: $max,
                step: $step,
                get: |tuning| tuning.$field,
                set: |tuning, value| tuning.$field = value,
                only: knobs!(@only $($variant)?),
            }),+];
        }
    };
}

knobs! {
    /// Half width of the first aspiration window, in centi-men.
    aspiration_width, "aspiration-width": 10 in 2 to 100 step 4;
    /// Most depth for forward pruning by the static value (reverse futility).
    futility_depth, "futility-depth": 5 in 0 to 20 step 1;
    /// Margin of that for each ply of depth, in centi-men.
    futility_margin, "futility-margin": 40 in 0 to 400 step 10;
    /// How far the static value is from the material at most, in centi-men: beyond, only the material is asked.
    lazy_margin, "lazy-margin": 150 in 20 to 4000 step 20;
    /// Least depth for forward pruning by a shallower search (ProbCut).
    probcut_depth, "probcut-depth": 3 in 2 to 12 step 1;
    /// How far the static value may be below beta for that search to be tried, in centi-men.
    probcut_reach, "probcut-reach": 0 in -200 to 2000 step 20;
    /// Margin of forward pruning, in centi-men.
    probcut_base, "probcut-base": 0 in -50 to 100 step 6;
    /// Margin of forward pruning for each ply of depth, in tenths of a centi-man.
    probcut_margin, "probcut-margin": 100 in 0 to 400 step 20;
    /// Depth of the test search as a share of the depth, in percent.
    probcut_share, "probcut-share": 40 in 10 to 80 step 5;
    /// First move (from 0) that is searched one ply less deep.
    lmr_first, "lmr-first": 2 in 1 to 10 step 1;
    /// First move (from 0) that is searched two plies less deep in non-PV nodes.
    lmr_second, "lmr-second": 4 in 1 to 20 step 1;
    /// Least depth for late-move reductions.
    lmr_depth, "lmr-depth": 3 in 2 to 8 step 1;
    /// A move whose reduced search is above alpha by more than this is searched a ply deeper, in centi-men.
    lmr_deeper, "lmr-deeper": 40 in 0 to 2000 step 10;
    /// Losing draughts: by how much a quiet move after which the opponent must capture comes before others (a history
    /// is at most 16384).
    offer_bonus, "offer-bonus": 12_000 in 0 to 40_000 step 2_000 for Losing;
    /// Losing draughts: plies of quiescence in which such moves are searched; they and those for threats are
    /// counted together.
    offer_plies, "offer-plies": 1 in 0 to 4 step 1 for Losing;
    /// Plies of quiescence in which a threatened side gets a full ply instead of standing pat.
    threat_plies, "threat-plies": 1 in 0 to 4 step 1;
    /// How far below alpha the static value of a threatened side may be for that ply to be searched, in centi-men.
    threat_margin, "threat-margin": 30 in 0 to 2000 step 10;
    /// Least depth at which a table move is tested for being the only good one (singular extension).
    singular_depth, "singular-depth": 8 in 4 to 99 step 1;
    /// How much worse all other moves must be for that, in centi-men.
    singular_margin, "singular-margin": 30 in 1 to 200 step 8;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_in_range_and_every_number_has_its_own_place() {
        for (i, knob) in Tuning::KNOBS.iter().enumerate() {
            let mut tuning = Tuning::default();
            assert!((knob.min..=knob.max).contains(&(knob.get)(&tuning)), "{}", knob.name);
            assert!(knob.step > 0 && knob.step <= knob.max - knob.min);
            (knob.set)(&mut tuning, knob.min);
            (knob.set)(&mut tuning, knob.max);
            for (j, other) in Tuning::KNOBS.iter().enumerate() {
                let expected = if i == j { knob.max } else { (other.get)(&Tuning::default()) };
                assert_eq!((other.get)(&tuning), expected);
            }
        }
    }
}
