//! The pairings in order: pairs of games with the same opening and colours changed.

use super::shard::Shard;
use crate::board::Color;
use crate::notation::text::quote;
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

/// Most engines of a match: every two that meet are a pairing of its own.
pub const MOST_ENGINES: usize = 500;

/// The form of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Everybody against everybody.
    RoundRobin,
    /// The first against everybody else.
    Gauntlet,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
        })
    }
}

/// A word that names no form of a match.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("format {0}: expected round-robin or gauntlet")]
pub struct UnknownFormat(String);

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        let formats = [Format::RoundRobin, Format::Gauntlet];
        formats
            .into_iter()
            .find(|format| format.to_string() == text)
            .ok_or_else(|| UnknownFormat(quote(text)))
    }
}

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// The engines with White and Black.
    pub engines: [usize; 2],
    /// The number of the opening.
    pub opening: usize,
    /// Which two engines meet, as an index into [`MatchSchedule::pairings`].
    pub pairing: usize,
    /// 0 if the first engine of the pairing has White, 1 if it has Black.
    pub leg: usize,
}

impl Fixture {
    /// The colour of the first engine of the pairing.
    pub fn first_color(&self) -> Color {
        if self.leg == 0 { Color::White } else { Color::Black }
    }
}

/// All games of a match by number, from 0.
///
/// ```
/// use kroon::arena::schedule::{Format, MatchSchedule};
/// let schedule = MatchSchedule::new(Format::RoundRobin, 2, 3);
/// assert_eq!(schedule.games(), 6);
/// assert_eq!((schedule.fixture(0).engines, schedule.fixture(1).engines), ([0, 1], [1, 0]));
/// assert_eq!((schedule.fixture(1).opening, schedule.fixture(2).opening), (0, 1));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchSchedule {
    pairings: Vec<[usize; 2]>,
    rounds: usize,
}

impl MatchSchedule {
    /// The most games that a match should have: what has become of each is kept in memory.
    pub const MOST_GAMES: usize = 50_000_000;

    /// A match of so many engines, in which every two that meet play `rounds` openings with both colours.
    pub fn new(format: Format, engines: usize, rounds: usize) -> MatchSchedule {
        let all = (0..engines).flat_map(|first| (first + 1..engines).map(move |second| [first, second]));
        let pairings = match format {
            Format::RoundRobin => all.collect(),
            Format::Gauntlet => all.filter(|pairing| pairing[0] == 0).collect(),
        };
        MatchSchedule { pairings, rounds }
    }

    /// Who meets whom.
    pub fn pairings(&self) -> &[[usize; 2]] {
        &self.pairings
    }

    /// The number of all games.
    pub fn games(&self) -> usize {
        2 * self.pairings.len() * self.rounds
    }

    /// Openings that each pairing plays.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// The game with this number, below [`MatchSchedule::games`].
    pub fn fixture(&self, game: usize) -> Fixture {
        let (pair, leg) = (game / 2, game % 2);
        let (opening, pairing) = (pair / self.pairings.len(), pair % self.pairings.len());
        let [first, second] = self.pairings[pairing];
        Fixture { engines: if leg == 0 { [first, second] } else { [second, first] }, opening, pairing, leg }
    }

    /// The numbers of the games that a shard plays: both games of an opening or none. Every shard has its share of each
    /// pairing, as two may differ in how long their games take, and all have about the same openings first.
    pub fn games_of(&self, shard: Option<Shard>) -> impl Iterator<Item = usize> {
        (0..self.games()).filter(move |&game| self.is_of(game, shard))
    }

    /// Whether a game is one of a shard; all are, where there is none.
    pub fn is_of(&self, game: usize, shard: Option<Shard>) -> bool {
        let fixture = self.fixture(game);
        shard.is_none_or(|shard| shard.has(fixture.opening + fixture.pairing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn shards_are_the_match_and_divide_no_pair() {
        for (format, engines, rounds, shards) in [
            (Format::RoundRobin, 2, 10, 4),
            (Format::RoundRobin, 2, 3, 8),
            (Format::RoundRobin, 5, 7, 4),
            (Format::Gauntlet, 3, 8, 4),
        ] {
            let schedule = MatchSchedule::new(format, engines, rounds);
            let mut players = vec![0; schedule.games()];
            let first: Shard = format!("0/{shards}").parse().unwrap();
            for shard in first.all() {
                let games: Vec<usize> = schedule.games_of(Some(shard)).collect();
                assert!(games.chunks(2).all(|pair| pair[0] % 2 == 0 && pair[1] == pair[0] + 1), "{games:?}");
                games.iter().for_each(|&game| players[game] += 1);
                if rounds % shards == 0 {
                    let mut pairings: Vec<usize> =
                        games.iter().map(|&game| schedule.fixture(game).pairing).collect();
                    pairings.sort_unstable();
                    let share = 2 * rounds / shards;
                    assert!(
                        pairings.chunks(share).all(|same| same.len() == share && same[0] == same[share - 1])
                    );
                }
            }
            assert!(players.iter().all(|&count| count == 1), "{players:?}");
            assert_eq!(schedule.games_of(None).count(), schedule.games());
        }
    }

    /// Files of shards that were played before name the same games.
    #[test]
    fn the_games_of_a_shard_are_fixed() {
        let schedule = MatchSchedule::new(Format::RoundRobin, 3, 4);
        let games = |shard: &str| schedule.games_of(Some(shard.parse().unwrap())).collect::<Vec<_>>();
        // Of the second opening the pairing that comes first, of the first one the second, and so on.
        assert_eq!(games("0/4"), [0, 1, 16, 17, 20, 21]);
        assert_eq!(games("1/4"), [2, 3, 6, 7, 22, 23]);
    }

    #[test]
    fn everybody_has_each_opening_with_both_colours() {
        for (format, pairings) in [(Format::RoundRobin, 6), (Format::Gauntlet, 3)] {
            let schedule = MatchSchedule::new(format, 4, 5);
            assert_eq!((schedule.pairings().len(), schedule.games()), (pairings, pairings * 10));
            let mut seen = BTreeMap::new();
            for game in 0..schedule.games() {
                let fixture = schedule.fixture(game);
                *seen.entry((fixture.engines, fixture.opening)).or_insert(0) += 1;
                let first = schedule.pairings()[fixture.pairing][0];
                assert_eq!(fixture.engines[fixture.first_color().index()], first);
            }
            assert!(seen.values().all(|&count| count == 1));
            for &[a, b] in schedule.pairings() {
                assert!(
                    (0..5).all(|opening| seen.contains_key(&([a, b], opening))
                        && seen.contains_key(&([b, a], opening)))
                );
            }
        }
    }
}
