//! Openings: the positions at which games begin. Each opening is played twice with colours changed.

mod ballot;
mod book;
pub mod edge;
mod file;
mod material;
mod random;
mod trial;

use crate::board::{Move, Position};
use crate::engine::PROGRAM;
use crate::game::Game;
use crate::notation::text::quote;
use crate::notation::{fen, moves};
use crate::rules::VariantId;
use crate::seed;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{char, digit1, u32};
use nom::combinator::{all_consuming, map, map_res, value};
use nom::sequence::{preceded, separated_pair};
use nom::{IResult, Parser};
use std::collections::HashSet;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use thiserror::Error;

pub use file::FileError;

/// What a source is called, for errors and helps.
pub const SOURCES: &str = "start, ballot2, ballot3, edge, random:PLIES:SEED, book:PLIES:SEED or a file";

/// What `--openings` says: one of [`SOURCES`].
///
/// ```
/// use kroon::arena::openings::OpeningSource;
/// assert_eq!("ballot2".parse(), Ok(OpeningSource::Ballot { plies: 2 }));
/// assert_eq!("random:8:1".parse(), Ok(OpeningSource::Random { plies: 8, seed: 1 }));
/// assert!("random:99:1".parse::<OpeningSource>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningSource {
    /// The initial position only.
    Start,
    /// All positions after this many plies in which nobody can win a man at once.
    Ballot {
        /// 2 or 3.
        plies: u32,
    },
    /// Random moves, screened for balance by a short search. The same seed gives the same openings.
    Random {
        /// How many moves are random.
        plies: u32,
        /// The seed.
        seed: u64,
    },
    /// Lines of the book in the program, balanced at their end. The same seed gives the same lines.
    Book {
        /// How long they are.
        plies: u32,
        /// The seed.
        seed: u64,
    },
    /// The list in the program of positions that are neither balanced nor lost ([`edge`]).
    Edge,
    /// A file of positions (FEN or Hub) or moves, one opening a line, or of PDN games, which are played to their end.
    File(PathBuf),
}

/// More random plies are a middle game and no opening.
const MOST_PLIES: u32 = 40;

/// A word that names no source of openings.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("openings {0}: expected {SOURCES} (1 to {MOST_PLIES} plies)")]
pub struct UnknownSource(String);

impl FromStr for OpeningSource {
    type Err = UnknownSource;

    fn from_str(text: &str) -> Result<OpeningSource, UnknownSource> {
        match all_consuming(named).parse(text) {
            Ok((_, OpeningSource::Random { plies, .. } | OpeningSource::Book { plies, .. }))
                if !(1..=MOST_PLIES).contains(&plies) =>
            {
                Err(UnknownSource(quote(text)))
            }
            Ok((_, source)) => Ok(source),
            // A colon in a name of a file is rare, a mistake behind the colon is not.
            Err(_) if text.is_empty() || ["random:", "book:"].iter().any(|word| text.starts_with(word)) => {
                Err(UnknownSource(quote(text)))
            }
            Err(_) => Ok(OpeningSource::File(text.into())),
        }
    }
}

fn seed_number(text: &str) -> IResult<&str, u64> {
    map_res(digit1, seed::parse).parse(text)
}

fn named(text: &str) -> IResult<&str, OpeningSource> {
    alt((
        value(OpeningSource::Start, tag("start")),
        value(OpeningSource::Ballot { plies: 2 }, tag("ballot2")),
        value(OpeningSource::Ballot { plies: 3 }, tag("ballot3")),
        value(OpeningSource::Edge, tag("edge")),
        map(preceded(tag("random:"), separated_pair(u32, char(':'), seed_number)), |(plies, seed)| {
            OpeningSource::Random { plies, seed }
        }),
        map(preceded(tag("book:"), separated_pair(u32, char(':'), seed_number)), |(plies, seed)| {
            OpeningSource::Book { plies, seed }
        }),
    ))
    .parse(text)
}

impl fmt::Display for OpeningSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningSource::Start => f.write_str("start"),
            OpeningSource::Ballot { plies } => write!(f, "ballot{plies}"),
            OpeningSource::Random { plies, seed } => write!(f, "random:{plies}:{seed}"),
            OpeningSource::Book { plies, seed } => write!(f, "book:{plies}:{seed}"),
            OpeningSource::Edge => f.write_str("edge"),
            OpeningSource::File(path) => write!(f, "{}", path.display()),
        }
    }
}

/// A start for two games.
#[derive(Clone, Debug)]
pub struct Opening {
    /// The position, and how it came about.
    pub game: Game,
}

impl Opening {
    /// The moves as people write them (`32-28 19-23`), after the FEN if they do not begin at the initial position.
    pub fn name(&self) -> String {
        let (variant, start) = (self.game.variant(), self.game.start());
        let fen = (start != Game::new(variant).start()).then(|| fen::write(variant, start));
        opening_name(variant, fen, start, self.game.moves())
    }
}

/// The moves as people write them, after the FEN if there is one.
pub(super) fn opening_name(
    variant: VariantId,
    fen: Option<String>,
    start: &Position,
    line: &[Move],
) -> String {
    let words: Vec<String> = fen.into_iter().chain(moves::write_line(variant, start, line)).collect();
    if words.is_empty() { "initial position".to_owned() } else { words.join(" ") }
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// A file gives none.
    #[error(transparent)]
    File(#[from] FileError),
    /// The book is too small.
    #[error("the {variant} book in the program has no balanced line of {plies} plies")]
    Book {
        /// The rules.
        variant: VariantId,
        /// How long the lines should be.
        plies: u32,
    },
    /// Its games would have no moves.
    #[error(
        "opening {number} ({name}) has {plies} plies, and a game of {most}, these included, is drawn (--max-plies)"
    )]
    Long {
        /// Its number, from 1.
        number: usize,
        /// How it is written.
        name: String,
        /// Its length.
        plies: usize,
        /// That of the longest game.
        most: usize,
    },
    /// The same, where openings are made as they are played.
    #[error("{openings} has {plies} plies, and a game of {most}, these included, is drawn (--max-plies)")]
    AllLong {
        /// What makes them.
        openings: OpeningSource,
        /// Their length.
        plies: usize,
        /// That of the longest game.
        most: usize,
    },
    /// There is no list.
    #[error("the program has no edge openings of {variant} draughts: kroon book edge makes a file of some")]
    Edge {
        /// The rules.
        variant: VariantId,
    },
}

/// With so many times the positions that are wanted, enough are balanced.
const SPARE: usize = 20;
/// With so many positions nobody counts further.
const MANY: usize = 100_000;

/// Makes openings when they are asked for.
#[derive(Debug)]
enum Generator {
    Random(Box<random::Generator>),
    Book(Box<book::BookLines>),
}

/// The openings of a match by number, made when they are asked for.
#[derive(Debug)]
pub struct Openings {
    source: OpeningSource,
    list: Vec<Opening>,
    generator: Option<Generator>,
    /// Whether a search or a book chooses them.
    is_made: bool,
    /// Whether they are a list that may be another one under the same name.
    is_list: bool,
}

impl Openings {
    /// The openings of a source.
    ///
    /// # Errors
    /// When a file cannot be read or has an opening that nobody can play, or the program has none of this kind.
    pub fn new(variant: VariantId, source: &OpeningSource) -> Result<Openings, OpeningsError> {
        let mut generator = None;
        let list = match source {
            OpeningSource::Start => vec![Opening { game: Game::new(variant) }],
            OpeningSource::Ballot { plies } => ballot::ballot(variant, *plies),
            OpeningSource::Random { plies, seed } => {
                generator = Some(Generator::Random(Box::new(random::Generator::new(variant, *plies, *seed))));
                Vec::new()
            }
            &OpeningSource::Book { plies, seed } => {
                let lines = book::BookLines::new(variant, plies, seed);
                let lines = lines.ok_or(OpeningsError::Book { variant, plies })?;
                generator = Some(Generator::Book(Box::new(lines)));
                Vec::new()
            }
            OpeningSource::Edge => edge::embedded(variant).ok_or(OpeningsError::Edge { variant })?,
            OpeningSource::File(path) => file::read(variant, path)?,
        };
        let is_list = matches!(source, OpeningSource::File(_) | OpeningSource::Edge);
        Ok(Openings { source: source.clone(), list, is_made: generator.is_some(), generator, is_list })
    }

    /// How many there are, if the source has an end that is known.
    pub fn count(&self) -> Option<usize> {
        self.generator.is_none().then_some(self.list.len())
    }

    /// The program that makes the openings by its search or its book, if one does: another one may choose others.
    pub fn screened_by(&self) -> Option<&'static str> {
        self.is_made.then_some(PROGRAM)
    }

    /// For files and the list in the program, a text that changes when the openings in it do: ` (12 openings,
    /// 0123456789abcdef)`; empty otherwise.
    pub fn fingerprint(&self) -> String {
        if !self.is_list {
            return String::new();
        }
        // FNV-1a: the hash of the standard library may change from one version to the next.
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        for byte in self.list.iter().flat_map(|opening| (opening.name() + "\n").into_bytes()) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        format!(" ({} openings, {hash:016x})", self.list.len())
    }

    /// Whether the first openings leave something to play in games that are drawn after `most` plies.
    ///
    /// # Errors
    /// When one is as long as that.
    pub fn check_length(&self, wanted: usize, most: Option<usize>) -> Result<(), OpeningsError> {
        let Some(most) = most else { return Ok(()) };
        if let OpeningSource::Random { plies, .. } | OpeningSource::Book { plies, .. } = self.source
            && plies as usize >= most
        {
            return Err(OpeningsError::AllLong {
                openings: self.source.clone(),
                plies: plies as usize,
                most,
            });
        }
        let mut openings = self.list.iter().take(wanted).enumerate();
        match openings.find(|(_, opening)| opening.game.moves().len() >= most) {
            Some((index, opening)) => Err(OpeningsError::Long {
                number: index + 1,
                name: opening.name(),
                plies: opening.game.moves().len(),
                most,
            }),
            None => Ok(()),
        }
    }

    /// How many different positions the first openings of a list lead to; none where the list has no end that is known.
    pub fn positions(&self, wanted: usize) -> Option<usize> {
        let count = self.count()?;
        let first = self.list.iter().take(wanted.min(count));
        Some(first.map(|opening| *opening.game.position()).collect::<HashSet<_>>().len())
    }

    /// The opening with this number, from 0; behind the last one the first comes again.
    pub fn get(&mut self, number: usize) -> Opening {
        self.make(number + 1);
        self.list[number % self.list.len()].clone()
    }

    /// How many of the first openings are different: all so many, or those that there are. Where random moves lead to many
    /// more positions, it is taken for granted that enough of them are balanced.
    pub fn different(&mut self, wanted: usize) -> usize {
        match &self.generator {
            Some(Generator::Random(random)) if !random.has_fewer_positions(MANY.min(wanted * SPARE)) => {
                wanted
            }
            _ => {
                self.make(wanted);
                self.list.len().min(wanted)
            }
        }
    }

    /// Makes openings until there are so many, or no others.
    fn make(&mut self, wanted: usize) {
        while self.list.len() < wanted {
            let next = match &mut self.generator {
                Some(Generator::Random(random)) => random.next_opening(),
                Some(Generator::Book(lines)) => lines.next_opening(),
                None => return,
            };
            match next {
                Some(opening) => self.list.push(opening),
                None => self.generator = None,
            }
        }
    }
}

/// The legal moves ordered by their squares: no opening may depend on the order of the move generator.
fn sorted_moves(game: &Game) -> Vec<Move> {
    let board = game.variant().rules().board;
    let mut moves = game.legal_moves().to_vec();
    moves.sort_by_cached_key(|mv| {
        let captured: Vec<u8> = mv.captured().into_iter().map(|square| board.number(square)).collect();
        (board.number(mv.from()), board.number(mv.to()), captured)
    });
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_come_back() {
        for text in ["start", "ballot2", "ballot3", "edge", "random:8:42", "book:6:1", "my openings.pdn"] {
            assert_eq!(text.parse::<OpeningSource>().unwrap().to_string(), text);
            let name = if text.contains('.') { "a file" } else { text.split(':').next().unwrap() };
            assert!(SOURCES.contains(name), "{name}");
        }
        for text in ["", "random:8", "random:0:1", "random:41:1", "random:x:1", "random:8:-1", "book:6"] {
            let error = text.parse::<OpeningSource>().unwrap_err().to_string();
            assert!(error.contains(&quote(text)) && error.contains(SOURCES), "{error}");
        }
    }

    #[test]
    fn names() {
        let mut ballot =
            Openings::new(VariantId::International, &OpeningSource::Ballot { plies: 2 }).unwrap();
        assert_eq!(ballot.get(0).name(), "31-26 16-21");
        assert_eq!(ballot.get(79).name(), "31-26 16-21");
        let mut start = Openings::new(VariantId::English, &OpeningSource::Start).unwrap();
        assert_eq!((start.count(), start.get(5).name()), (Some(1), "initial position".to_owned()));
    }

    #[test]
    fn a_book_with_few_lines_says_so_and_begins_again() {
        let source = OpeningSource::Book { plies: 1, seed: 1 };
        let mut lines = Openings::new(VariantId::English, &source).unwrap();
        assert_eq!(lines.count(), None);
        let different = lines.different(20);
        assert!((1..=7).contains(&different), "{different}");
        let names: Vec<String> = (0..20).map(|number| lines.get(number).name()).collect();
        assert!((0..20).all(|number| names[number] == names[number % different]));
        assert!((1..different).all(|number| !names[..number].contains(&names[number])));
        assert_eq!((lines.count(), lines.screened_by()), (Some(different), Some(PROGRAM)));
        assert_eq!(Openings::new(VariantId::English, &OpeningSource::Start).unwrap().different(9), 1);
    }

    #[test]
    fn openings_as_long_as_the_game_are_refused() {
        let check = |source: &str, most: usize| {
            let openings = Openings::new(VariantId::English, &source.parse().unwrap()).unwrap();
            openings.check_length(3, Some(most)).map_err(|error| error.to_string())
        };
        let error = check("ballot2", 2).unwrap_err();
        assert!(error.starts_with("opening 1 (") && error.contains("2 plies, and a game of 2,"), "{error}");
        assert_eq!(check("ballot2", 3), Ok(()));
        let error = check("random:8:1", 8).unwrap_err();
        assert!(error.starts_with("random:8:1 has 8 plies"), "{error}");
        assert_eq!((check("random:8:1", 9), check("start", 1)), (Ok(()), Ok(())));
    }

    #[test]
    fn positions_that_come_again_are_counted_once() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "32-28 19-23\n33-29\nW:W28,31,33-50:B1-18,20,23\n33-29\n31-27\n")
            .unwrap();
        let source = OpeningSource::File(file.path().to_owned());
        let openings = Openings::new(VariantId::International, &source).unwrap();
        assert_eq!(
            (openings.count(), openings.positions(9), openings.positions(2)),
            (Some(5), Some(3), Some(2))
        );
        let random = Openings::new(VariantId::English, &"random:4:1".parse().unwrap()).unwrap();
        assert_eq!(random.positions(9), None);
    }

    #[test]
    fn lists_have_a_fingerprint() {
        let print = |source| Openings::new(VariantId::English, &source).unwrap().fingerprint();
        let edge = print(OpeningSource::Edge);
        assert!(edge.starts_with(" (200 openings, "), "{edge}");
        assert_eq!(print(OpeningSource::Ballot { plies: 2 }), "");
    }
}
