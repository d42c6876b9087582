//! The contents of a PDN file, moves unchecked.

use crate::board::Color;
use crate::notation::moves::MoveText;

/// Where something stands in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TextPlace {
    /// Line, from 1; 0 for what comes from no file.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// `[Name "value"]`
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag {
    /// The name as written.
    pub name: String,
    /// The value without quotes and escapes, blanks around it removed.
    pub value: String,
    /// Where it stands.
    pub place: TextPlace,
}

/// The tags of a game in the order of the file. A name can occur more than once.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Tags(Vec<Tag>);

impl Tags {
    /// The first tag of this name, upper or lower case.
    pub fn find(&self, name: &str) -> Option<&Tag> {
        self.0.iter().find(|tag| tag.name.eq_ignore_ascii_case(name))
    }

    /// The value of the first tag of this name, upper or lower case.
    ///
    /// ```
    /// use kroon::notation::pdn::Tags;
    /// let mut tags = Tags::default();
    /// tags.set("White", "Springer");
    /// assert_eq!(tags.get("white"), Some("Springer"));
    /// ```
    pub fn get(&self, name: &str) -> Option<&str> {
        self.find(name).map(|tag| tag.value.as_str())
    }

    /// The first of several names that has a value that says something (not empty, not `?`).
    pub fn known(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.get(name).filter(|value| !matches!(*value, "" | "?")))
    }

    /// Keeps the first `count`.
    pub(super) fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }

    /// Changes the first tag of this name, or adds one at the end.
    pub fn set(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        match self.0.iter_mut().find(|tag| tag.name.eq_ignore_ascii_case(name)) {
            Some(tag) => tag.value = value,
            None => self.push(Tag { name: name.to_owned(), value, place: TextPlace::default() }),
        }
    }

    /// Takes all tags of this name away, upper or lower case.
    pub fn remove(&mut self, name: &str) {
        self.0.retain(|tag| !tag.name.eq_ignore_ascii_case(name));
    }

    /// Adds a tag at the end, whether or not there is one of this name.
    pub fn push(&mut self, tag: Tag) {
        self.0.push(tag);
    }

    /// All tags.
    pub fn iter(&self) -> std::slice::Iter<'_, Tag> {
        self.0.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A sequence of moves: the game itself or a variation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PdnLine {
    /// Comments before the first move, single blanks between their words.
    pub comments: Vec<String>,
    /// Moves and setups.
    pub entries: Vec<PdnEntry>,
}

/// A move or setup with everything that is said about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PdnEntry {
    /// The move or setup.
    pub action: PdnAction,
    /// The move number before it, if there is one. Nothing depends on it.
    pub number: Option<u32>,
    /// Whether three dots stand behind that number: it is the move of the second side. Before the first move of a game they tell
    /// that one is missing.
    pub is_second: bool,
    /// `!` and `?` behind the move.
    pub strength: String,
    /// Numeric annotation glyphs: 1 to 6 as `! ? !! ?? !? ?!`, 7 for a forced move.
    pub nags: Vec<u16>,
    /// Comments behind the move, single blanks between their words.
    pub comments: Vec<String>,
    /// What else could have been played instead of this move.
    pub variations: Vec<PdnLine>,
    /// Where it stands.
    pub place: TextPlace,
}

impl PdnEntry {
    /// An entry about which nothing is said.
    pub fn new(action: PdnAction, place: TextPlace) -> PdnEntry {
        PdnEntry {
            action,
            number: None,
            is_second: false,
            strength: String::new(),
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
            place,
        }
    }
}

/// What happens on the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PdnAction {
    /// A move.
    Move(MoveText),
    /// `...` or `- -` where a move should be; often it only says that Black moves next.
    Missing,
    /// The position is replaced by this FEN.
    Setup(String),
    /// A word that names squares and is no full form of a move, as it stands in the file: a short form (`cd4`) that one legal
    /// move fits, or else the game cannot be followed beyond it.
    Unread(String),
}

/// One game as a file has it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PdnGame {
    /// The tags.
    pub tags: Tags,
    /// The moves.
    pub line: PdnLine,
    /// The word that ends the game: a result or `*`.
    pub terminator: Option<String>,
    /// Where it begins.
    pub place: TextPlace,
}

impl PdnGame {
    /// The name of a player, also from the tags of other languages and programs.
    ///
    /// ```
    /// use kroon::board::Color;
    /// use kroon::notation::pdn;
    /// let (games, _) = pdn::read_games("[Bianco \"Tedeschi\"] 1. 22-18 *");
    /// assert_eq!(games[0].player(Color::White), Some("Tedeschi"));
    /// assert_eq!(games[0].player(Color::Black), None);
    /// ```
    pub fn player(&self, color: Color) -> Option<&str> {
        let named = self.tags.known(match color {
            Color::White => &["White", "Bianco"],
            Color::Black => &["Black", "Nero"],
        });
        // One web server calls the side that moves first P1.
        named.or_else(|| {
            let [first, second] = [self.tags.known(&["P1"]), self.tags.known(&["P2"])];
            first.or(second)?;
            let starts = self.variant().is_ok_and(|variant| self.first(variant) == color);
            if starts { first } else { second }
        })
    }
}
