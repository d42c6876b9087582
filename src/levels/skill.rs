//! One number for the strength of a player, and what follows from it.

use crate::search::{Handicap, Limits};

/// Who plays at a skill.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Strength {
    /// A search that errs as people do.
    Person(Person),
    /// The full search with so many nodes for a move.
    Engine {
        /// Nodes.
        nodes: u64,
    },
}

/// How well a player sees, judges and chooses. All errors follow from it and the seed of the game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Person {
    /// Positions looked at before a move.
    pub nodes: u64,
    /// How complicated a capture may be and still never be overlooked, see [`Person::overlooks`]. May be negative.
    pub sight: f64,
    /// How much a man on a square may be worth more or less in the eyes of this player, in centi-men.
    pub opinion: f64,
    /// Moves that are this much worse are chosen 1/e times as often, in centi-men.
    pub temperature: f64,
    /// How much of the choice is habit: a factor.
    pub habit: f64,
}

/// From this skill on the full search plays.
pub const ENGINE: f64 = 11.0;
/// The range of skills.
pub const RANGE: std::ops::RangeInclusive<f64> = -8.0..=24.0;

impl Strength {
    /// The strength that plays within the limits. With a handicap, or with a limit of [plies](Limits::plies), it is a person: one of
    /// no faults in place of the full search. Otherwise it is `strength` itself, and none stands for the full search.
    pub fn within(strength: Option<Strength>, limits: &Limits) -> Option<Strength> {
        if limits.handicap == Handicap::None && limits.plies.is_none() {
            return strength;
        }
        Some(Strength::Person(match strength {
            Some(Strength::Person(person)) => person,
            Some(Strength::Engine { nodes }) => Person { nodes, ..Person::FAULTLESS },
            None => Person::FAULTLESS,
        }))
    }

    /// Who plays at this skill: the larger, the stronger.
    ///
    /// ```
    /// use kroon::levels::Strength;
    /// let Strength::Person(weak) = Strength::of(0.0) else { panic!() };
    /// let Strength::Person(strong) = Strength::of(6.0) else { panic!() };
    /// assert!(weak.nodes < strong.nodes && weak.sight < strong.sight && weak.temperature > strong.temperature);
    /// assert!(matches!(Strength::of(20.0), Strength::Engine { .. }));
    /// ```
    pub fn of(skill: f64) -> Strength {
        if skill >= ENGINE {
            return Strength::Engine { nodes: (3200.0 * 2_f64.powf((skill - ENGINE) * 0.9)).round() as u64 };
        }
        Strength::Person(Person {
            nodes: (12.0 * 2_f64.powf(skill.max(0.0) * 0.85)).round() as u64,
            sight: skill * skill.abs() / 12.0,
            opinion: 40.0 * 2_f64.powf(-skill / 3.0),
            temperature: 60.0 * 2_f64.powf(-skill / 2.2),
            habit: 2_f64.powf(-skill / 4.0).min(1.0),
        })
    }
}

impl Person {
    /// No errors: a plain search.
    const FAULTLESS: Person =
        Person { nodes: u64::MAX, sight: f64::INFINITY, opinion: 0.0, temperature: 0.0, habit: 0.0 };

    /// The chance that a capture of so many pieces is overlooked, `ply` moves ahead (1: the opponent's reply). Captures
    /// of a king come from afar and are harder to see, those that answer a capture are easier.
    ///
    /// ```
    /// use kroon::levels::Strength;
    /// let Strength::Person(person) = Strength::of(4.0) else { panic!() };
    /// let chance = |captured, ply| person.overlooks(captured, ply, false, false);
    /// assert_eq!(chance(1, 1), 0.0);
    /// assert!(chance(3, 1) < chance(4, 1) && chance(3, 1) < chance(3, 3));
    /// ```
    pub fn overlooks(&self, captured: u32, ply: u32, by_king: bool, recaptures: bool) -> f64 {
        let mut effort = f64::from(captured) + 0.8 * (f64::from(ply) - 1.0);
        if by_king {
            effort += 0.5;
        }
        if recaptures {
            effort -= 1.0;
        }
        let beyond = effort - self.sight;
        if beyond <= 0.0 { 0.0 } else { 1.0 - (-beyond / (1.0 + self.sight).max(1.0)).exp() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::levels::skill;
    use crate::rules::VariantId;

    #[test]
    fn what_middle_levels_never_overlook() {
        for variant in VariantId::ALL {
            let overlooks = |level, captured| match Strength::of(skill(variant, level)) {
                Strength::Person(person) => person.overlooks(captured, 1, true, false),
                Strength::Engine { .. } => 0.0,
            };
            for (captured, from) in [(2, 10), (3, 12)] {
                assert!((from..=20).all(|level| overlooks(level, captured) == 0.0), "{variant}, {captured}");
                assert!((1..8).all(|level| overlooks(level, captured) > 0.0), "{variant}, {captured}");
            }
        }
    }

    #[test]
    fn everything_grows_with_skill_and_the_engine_follows() {
        let skills: Vec<f64> = (-32..=96).map(|i| f64::from(i) / 4.0).collect();
        assert_eq!((skills[0], skills[128]), (*RANGE.start(), *RANGE.end()));
        for pair in skills.windows(2) {
            match (Strength::of(pair[0]), Strength::of(pair[1])) {
                (Strength::Person(weak), Strength::Person(strong)) => {
                    assert!(weak.nodes <= strong.nodes && weak.sight < strong.sight, "{pair:?}");
                    assert!(weak.opinion > strong.opinion && weak.temperature > strong.temperature);
                    assert!(weak.habit >= strong.habit);
                    for ply in 1..9 {
                        for captured in 1..9 {
                            let [more, less] =
                                [weak, strong].map(|p| p.overlooks(captured, ply, false, false));
                            assert!(less <= more && (0.0..1.0).contains(&more), "{pair:?}");
                        }
                    }
                }
                (Strength::Engine { nodes: less }, Strength::Engine { nodes: more }) => assert!(less < more),
                (weak, strong) => {
                    assert!(matches!((weak, strong), (Strength::Person(_), Strength::Engine { .. })))
                }
            }
        }
    }
}
