//! Where the games of a file come from: from one run, or from several, each with the numbers of its games.

use super::shard::ShardHeader;
use serde::{Deserialize, Serialize};

/// Some games of one run, in their order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Part {
    /// How they were made.
    pub run: ShardHeader,
    /// The number of the first.
    pub first: u64,
    /// How many.
    pub games: u64,
}

impl Part {
    /// The number after the last.
    pub fn end(&self) -> u64 {
        self.first.saturating_add(self.games)
    }

    /// Whether a game is in both.
    pub fn overlaps(&self, other: &Part) -> bool {
        self.run == other.run && self.first < other.end() && other.first < self.end()
    }
}

/// The first line of a file that was put together from others: what is in it, in this order.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Set {
    /// Always [`Set::FORMAT`].
    pub format: String,
    /// The variant's name.
    pub variant: String,
    /// The runs.
    pub parts: Vec<Part>,
}

impl Set {
    /// Name and version of the format.
    pub const FORMAT: &'static str = "kroon-games 1";

    /// A set of these games.
    pub fn new(variant: &str, parts: Vec<Part>) -> Set {
        Set { format: Self::FORMAT.to_owned(), variant: variant.to_owned(), parts }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.parts.iter().fold(0, |sum, part| sum.saturating_add(part.games))
    }
}

/// The first line of a file of games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// The file of one run, which may go on.
    Run(ShardHeader),
    /// A file that was put together.
    Set(Set),
}

impl Origin {
    /// Reads a first line; none if it is another.
    pub fn from_line(line: &[u8]) -> Option<Origin> {
        let line = line.strip_suffix(b"\n")?;
        let run = serde_json::from_slice(line).ok().filter(ShardHeader::is_known);
        if let Some(run) = run {
            return Some(Origin::Run(run));
        }
        let set: Set = serde_json::from_slice(line).ok()?;
        let whole = set.format == Set::FORMAT && set.parts.iter().all(|part| part.run.variant == set.variant);
        whole.then_some(Origin::Set(set))
    }

    /// The variant's name.
    pub fn variant(&self) -> &str {
        match self {
            Origin::Run(run) => &run.variant,
            Origin::Set(set) => &set.variant,
        }
    }

    /// Whether moves of some games were drawn at random, so that neither results nor moves are those of the searches.
    pub fn has_random_moves(&self) -> bool {
        self.runs().iter().any(|run| run.random_percent > 0)
    }

    /// The runs that the games are from.
    pub fn runs(&self) -> Vec<&ShardHeader> {
        match self {
            Origin::Run(run) => vec![run],
            Origin::Set(set) => set.parts.iter().map(|part| &part.run).collect(),
        }
    }

    /// The first `games` games of the file as parts.
    pub fn parts(&self, games: u64) -> Vec<Part> {
        match self {
            Origin::Run(run) => vec![Part { run: run.clone(), first: 0, games }],
            Origin::Set(set) => cut(&set.parts, 0, games),
        }
    }
}

/// `games` games of these parts, from the one at place `from` on.
pub fn cut(parts: &[Part], from: u64, games: u64) -> Vec<Part> {
    let (mut place, end) = (0, from.saturating_add(games));
    let mut taken = Vec::new();
    for part in parts {
        let (start, stop) = (from.max(place), end.min(place + part.games));
        if start < stop {
            taken.push(Part {
                run: part.run.clone(),
                first: part.first + start - place,
                games: stop - start,
            });
        }
        place += part.games;
    }
    taken
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::VariantId;

    fn part(shard: u64, first: u64, games: u64) -> Part {
        Part { run: ShardHeader::new(VariantId::Thai, 1, shard, 100, "handmade"), first, games }
    }

    #[test]
    fn parts_are_cut_and_compared() {
        let parts = [part(0, 0, 10), part(1, 5, 3), part(2, 0, 7)];
        assert_eq!(cut(&parts, 0, 20), parts);
        assert_eq!(cut(&parts, 9, 3), [part(0, 9, 1), part(1, 5, 2)]);
        assert_eq!(cut(&parts, 12, 100), [part(1, 7, 1), part(2, 0, 7)]);
        assert!(cut(&parts, 20, 5).is_empty());
        assert!(part(0, 0, 10).overlaps(&part(0, 9, 1)) && !part(0, 0, 10).overlaps(&part(0, 10, 1)));
        assert!(!part(0, 0, 10).overlaps(&part(1, 0, 10)));
    }

    #[test]
    fn first_lines_come_back() {
        let set = Set::new("thai", vec![part(0, 0, 10), part(1, 5, 3)]);
        let mut line = serde_json::to_vec(&set).unwrap();
        assert_eq!(Origin::from_line(&line), None, "torn");
        line.push(b'\n');
        let read = Origin::from_line(&line).unwrap();
        assert_eq!((read.variant(), read.parts(11)), ("thai", vec![part(0, 0, 10), part(1, 5, 1)]));
        let text = String::from_utf8(line).unwrap();
        assert_eq!(Origin::from_line(text.replace("games 1", "games 2").as_bytes()), None);
        assert_eq!(Origin::from_line(text.replacen("thai", "pool", 1).as_bytes()), None);
        let run = serde_json::to_string(&part(0, 0, 1).run).unwrap() + "\n";
        assert_eq!(Origin::from_line(run.as_bytes()).unwrap().parts(4), [part(0, 0, 4)]);
    }
}
