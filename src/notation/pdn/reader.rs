//! From tokens to games: where a game ends, and which move a comment or variation belongs to.

use super::lexer::{Signs, Token, is_result, token};
use super::tree::{PdnAction, PdnEntry, PdnGame, PdnLine, Tag, TextPlace};
use super::{PdnError, PdnFault, unread};
use crate::notation::moves::{MoveText, move_text};
use crate::notation::text::quote;

/// Deepest nesting of variations; published analyses reach about ten.
pub(crate) const DEEPEST: usize = 32;
/// Faults that a reader remembers; a file that is not PDN at all has one for every word.
const MOST_WARNINGS: usize = 1000;
/// Tags of one game that are kept; servers write about thirty.
const MOST_TAGS: usize = 500;
/// Moves, comments and glyphs of one game that are kept, those of variations too. Each takes some hundred bytes; the largest
/// analyses have some ten thousand.
const MOST_ITEMS: usize = 1_000_000;
/// Longest Result tag that can end a game, in bytes.
const LONGEST_RESULT: usize = 20;
/// Longest strength (`!`, `?`) that is kept, in characters.
pub(crate) const STRENGTH: usize = 8;
/// The glyph of a forced move.
const FORCED: u16 = 7;

/// Reads all games of a text. What is no part of a game is skipped and listed as a warning.
///
/// ```
/// use kroon::notation::pdn;
/// let (games, warnings) = pdn::read_games("1. 32-28 huh 19-23 2-0\n1. 33-29 *");
/// assert_eq!(games.len(), 2);
/// assert_eq!(warnings[0].to_string(), "line 1, column 10: \"huh\" is no part of a game");
/// ```
pub fn read_games(text: &str) -> (Vec<PdnGame>, Vec<PdnError>) {
    let mut reader = PdnReader::new(text);
    let games = reader.by_ref().collect();
    (games, reader.into_warnings())
}

/// Reads one game after another.
#[derive(Clone, Debug)]
pub struct PdnReader<'a> {
    /// What has not been read yet.
    rest: &'a str,
    /// Where it begins.
    place: TextPlace,
    warnings: Vec<PdnError>,
}

impl<'a> PdnReader<'a> {
    /// A reader at the beginning of a text; a byte order mark is skipped.
    pub fn new(text: &'a str) -> PdnReader<'a> {
        let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
        PdnReader::at(rest, TextPlace { line: 1, column: 1 })
    }

    /// A reader at a place in the middle of a file, between two games.
    pub(in crate::notation) fn at(rest: &'a str, place: TextPlace) -> PdnReader<'a> {
        PdnReader { rest, place, warnings: Vec::new() }
    }

    /// The place of what comes next.
    pub(super) fn place(&self) -> TextPlace {
        self.place
    }

    /// Bytes of the text without its byte order mark that are still to be read. Between two games it is the second
    /// one that comes next, so a file can be cut there.
    ///
    /// ```
    /// use kroon::notation::pdn::PdnReader;
    /// let text = "1. 32-28 *\n\n1. 33-29 *\n";
    /// let mut reader = PdnReader::new(text);
    /// reader.next();
    /// assert_eq!(&text[text.len() - reader.left()..], "1. 33-29 *\n");
    /// ```
    pub fn left(&self) -> usize {
        self.rest.len()
    }

    /// What was wrong so far.
    pub fn warnings(&self) -> &[PdnError] {
        &self.warnings
    }

    /// What was wrong.
    pub fn into_warnings(self) -> Vec<PdnError> {
        self.warnings
    }

    /// Goes on to `rest`, a tail of what is left.
    fn advance(&mut self, rest: &'a str) {
        let passed = self.rest.get(..self.rest.len() - rest.len()).unwrap_or_default();
        for c in passed.chars() {
            if c == '\n' {
                self.place = TextPlace { line: self.place.line + 1, column: 1 };
            } else {
                self.place.column += 1;
            }
        }
        self.rest = rest;
    }

    /// Skips blanks; says whether there was an empty line among them.
    fn skip_blanks(&mut self) -> bool {
        let line = self.place.line;
        self.advance(self.rest.trim_start());
        self.place.line > line + 1
    }

    fn warn(&mut self, place: TextPlace, fault: PdnFault) {
        match self.warnings.len() {
            n if n < MOST_WARNINGS => self.warnings.push(PdnError { place, fault }),
            MOST_WARNINGS => self.warnings.push(PdnError { place, fault: PdnFault::More }),
            _ => {}
        }
    }
}

impl Iterator for PdnReader<'_> {
    type Item = PdnGame;

    fn next(&mut self) -> Option<PdnGame> {
        let mut game = Builder::default();
        loop {
            let after_empty_line = self.skip_blanks();
            if self.rest.is_empty() {
                return game.finish(self);
            }
            let place = self.place;
            let Some((rest, token)) = game.result_tag(self.rest).or_else(|| token(self.rest).ok()) else {
                // invariant: the last kind of word takes any character; were it not so, stop rather than hang.
                return game.finish(self);
            };
            if game.may_begin_anew(&token, after_empty_line) {
                game.section = Some((game.tags, self.rest, place));
            }
            if let Some((tags, rest, place)) = game.section_of_next(&token) {
                // What has come since then belongs to the next game: it is read again.
                game.game.tags.truncate(tags);
                (self.rest, self.place) = (rest, place);
                return game.finish(self);
            }
            if game.ends_before(&token, rest, after_empty_line, place)
                && let Some(finished) = std::mem::take(&mut game).finish(self)
            {
                return Some(finished);
            }
            self.advance(rest);
            game.add(token, place, self);
        }
    }
}

/// A game that is being read.
#[derive(Default)]
struct Builder<'a> {
    game: PdnGame,
    /// The variations that are open, innermost last; the game's own line is not among them.
    open: Vec<PdnLine>,
    /// Parentheses inside a variation that is skipped.
    skipped: usize,
    number: Option<u32>,
    /// Whether dots behind it say that the second side moves.
    is_second: bool,
    /// How many tags there are.
    tags: usize,
    /// How many moves, comments and glyphs there are.
    items: usize,
    /// The Result tag, if it can end the game.
    result: Option<String>,
    /// The line of the word that ended the game.
    end: Option<usize>,
    /// Where the tags of the next game may have begun: how many tags there are before, what comes there, and where.
    section: Option<(usize, &'a str, TextPlace)>,
    /// Whether something of this game has no end, so that the tags of the next one would be taken for its own: a comment,
    /// or a variation with a result in it.
    is_torn: bool,
}

impl<'a> Builder<'a> {
    fn line(&mut self) -> &mut PdnLine {
        self.open.last_mut().unwrap_or(&mut self.game.line)
    }

    /// The value of the Result tag, where a game may end: results such as `4-9` look like moves or like nothing.
    fn result_tag(&self, text: &'a str) -> Option<(&'a str, Token<'a>)> {
        let value = self.result.as_deref()?;
        let rest = text.strip_prefix(value)?;
        let next = rest.trim_start();
        let between = &rest[..rest.len() - next.len()];
        let ends = next.is_empty()
            || between.matches('\n').count() > 1
            || (next.starts_with('[') && !between.is_empty());
        (ends && self.open.is_empty()).then(|| (rest, Token::Result(&text[..value.len()])))
    }

    /// Whether this word belongs to the next game.
    fn ends_before(&self, token: &Token<'_>, rest: &str, after_empty_line: bool, place: TextPlace) -> bool {
        let begun = !self.game.line.entries.is_empty();
        match (token, self.end) {
            (Token::Ignored, _) => false,
            (Token::Result(_), Some(_)) => false,
            // What is said of the end may stand in the next line, if no moves follow there.
            (Token::Comment { .. }, Some(line)) => line != place.line && (after_empty_line || !is_last(rest)),
            // What is said of the last move may stand behind the result: signs, and what else could have been played.
            (Token::Nag(_) | Token::Signs(_) | Token::Open, Some(line)) if begun && line == place.line => {
                false
            }
            (Token::Tag { .. }, Some(_)) => true,
            (_, Some(_)) => after_empty_line || self.open.is_empty() && self.skipped == 0,
            (Token::Tag { name, .. }, None) => {
                let is_repeated = || self.game.tags.find(name).is_some();
                begun || self.is_torn || self.skipped > 0 || (after_empty_line && is_repeated())
            }
            // Moves begin anew where nothing but an empty line separates games.
            (Token::Number { number: 1, second: false }, None) => {
                let goes_on = rest.trim_start().starts_with("..");
                let is_whole = begun && self.open.is_empty();
                // A parenthesis before the first move is none of a variation.
                let is_torn = self.is_torn || self.skipped > 0 && !begun;
                (is_whole || is_torn) && after_empty_line && !goes_on
            }
            _ => false,
        }
    }

    /// Whether the tags of the next game may begin with this word: behind an empty line, or with the name of the first tag, once
    /// there is a start.
    fn may_begin_anew(&self, token: &Token<'_>, after_empty_line: bool) -> bool {
        let Token::Tag { name, .. } = token else { return false };
        let mut tags = self.game.tags.iter();
        let is_first = tags.next().is_some_and(|tag| tag.name.eq_ignore_ascii_case(name));
        let is_open = || self.section.is_none_or(|(tags, ..)| !self.has_start(tags));
        after_empty_line || is_first && self.has_start(self.tags) && is_open()
    }

    /// Whether a start is among the first `count` tags.
    fn has_start(&self, count: usize) -> bool {
        self.game.tags.iter().take(count).any(|tag| tag.name.eq_ignore_ascii_case("FEN"))
    }

    /// Where the next game has begun, if this word tells that it has: a second start where one may have begun.
    fn section_of_next(&self, token: &Token<'_>) -> Option<(usize, &'a str, TextPlace)> {
        let is_start = matches!(token, Token::Tag { name, .. } if name.eq_ignore_ascii_case("FEN"));
        let (tags, ..) = self.section?;
        let is_bare = self.end.is_none() && self.game.line.entries.is_empty() && self.skipped == 0;
        self.section.filter(|_| is_start && is_bare && self.has_start(tags))
    }

    fn add(&mut self, token: Token<'a>, place: TextPlace, reader: &mut PdnReader<'_>) {
        if self.game.place == TextPlace::default() {
            self.game.place = place;
        }
        if self.skipped > 0 {
            match token {
                Token::Open => self.skipped += 1,
                Token::Close => self.skipped -= 1,
                Token::Result(_) => self.is_torn = true,
                Token::Ignored | Token::Comment { .. } => {}
                _ => self.is_torn = false,
            }
            return;
        }
        if !matches!(token, Token::Ignored | Token::Comment { .. }) {
            self.is_torn = false;
        }
        if token.is_item() {
            self.items += 1;
            match self.items.checked_sub(MOST_ITEMS) {
                None | Some(0) => {}
                Some(1) => return reader.warn(place, PdnFault::TooManyItems(MOST_ITEMS)),
                Some(_) => return,
            }
        }
        match token {
            Token::Ignored => {}
            Token::Tag { name, value, closed } => {
                if !closed {
                    reader.warn(place, PdnFault::OpenTag);
                }
                if self.tags == MOST_TAGS {
                    return reader.warn(place, PdnFault::TooManyTags(MOST_TAGS));
                }
                // Two starts of one game: the first one counts.
                if name.eq_ignore_ascii_case("FEN") && self.game.tags.find("FEN").is_some() {
                    return reader.warn(place, PdnFault::Unknown("a second FEN".to_owned()));
                }
                self.tags += 1;
                if self.result.is_none() && name.eq_ignore_ascii_case("Result") {
                    self.result = Some(value.clone()).filter(|value| is_result_like(value));
                }
                self.game.tags.push(Tag { name: name.to_owned(), value, place });
            }
            Token::Comment { text, closed } => {
                if !closed {
                    self.is_torn = true;
                    reader.warn(place, PdnFault::OpenComment);
                }
                self.comment(text, place);
            }
            Token::Setup(fen) => self.push(PdnAction::Setup(fen.trim().to_owned()), place),
            Token::Open => self.open(place, reader),
            Token::Close => match self.open.pop() {
                Some(line) => {
                    self.attach(line);
                    self.end = self.end.map(|_| place.line);
                }
                None => reader.warn(place, PdnFault::NoVariation),
            },
            Token::Nag(nag) => self.annotate(place, reader, |entry| entry.nags.push(nag)),
            Token::Signs(signs) => self.annotate(place, reader, |entry| apply(entry, signs)),
            Token::Result(text) => self.terminate(text, place, reader),
            Token::Move { text, signs } => self.push_move(text, signs, place),
            Token::Number { number, second } => (self.number, self.is_second) = (Some(number), second),
            // Behind a number it only says who moves.
            Token::Ellipsis if self.number.is_some() => self.is_second = true,
            // `1. 32-28 - 19-23`: it parts the moves of the two sides.
            Token::Separator if self.number.is_none() && !self.line().entries.is_empty() => {}
            Token::Ellipsis | Token::Missing | Token::Separator => self.push(PdnAction::Missing, place),
            Token::Unknown(word) => match unread::action(word).filter(|_| self.items < MOST_ITEMS) {
                // Without it a game would be played that nobody has played.
                Some(action) => {
                    self.items += 1;
                    self.push(action, place);
                }
                None => reader.warn(place, PdnFault::Unknown(quote(word))),
            },
        }
    }

    fn push(&mut self, action: PdnAction, place: TextPlace) {
        let number = self.number.take();
        let is_second = number.is_some() && self.is_second;
        let entry = PdnEntry { number, is_second, ..PdnEntry::new(action, place) };
        self.line().entries.push(entry);
    }

    fn push_move(&mut self, text: MoveText, signs: Signs, place: TextPlace) {
        self.push(PdnAction::Move(text), place);
        if let Some(entry) = self.line().entries.last_mut() {
            apply(entry, signs);
        }
    }

    /// A comment that is nothing but a FEN restarts the game there; some web servers write setups in this way.
    fn comment(&mut self, text: &str, place: TextPlace) {
        // Line breaks inside a comment come from wrapping.
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if let Some(fen) = fen_comment(&text) {
            return self.push(PdnAction::Setup(fen.to_owned()), place);
        }
        if text.is_empty() {
            return;
        }
        let line = self.line();
        match line.entries.last_mut() {
            Some(entry) => entry.comments.push(text),
            None => line.comments.push(text),
        }
    }

    fn open(&mut self, place: TextPlace, reader: &mut PdnReader<'_>) {
        let replaces_something = matches!(
            self.line().entries.last(),
            Some(PdnEntry { action: PdnAction::Move(_) | PdnAction::Missing | PdnAction::Unread(_), .. })
        );
        if replaces_something && self.open.len() < DEEPEST {
            self.open.push(PdnLine::default());
        } else {
            self.skipped = 1;
            let fault =
                if replaces_something { PdnFault::TooDeep(DEEPEST) } else { PdnFault::NoMoveToReplace };
            reader.warn(place, fault);
        }
        self.number = None;
    }

    /// Adds a closed variation to the move that it replaces.
    fn attach(&mut self, variation: PdnLine) {
        self.number = None;
        if variation.comments.is_empty() && variation.entries.is_empty() {
            return;
        }
        if let Some(entry) = self.line().entries.last_mut() {
            entry.variations.push(variation);
        }
    }

    fn annotate(&mut self, place: TextPlace, reader: &mut PdnReader<'_>, change: impl FnOnce(&mut PdnEntry)) {
        match self.line().entries.last_mut() {
            Some(entry) => change(entry),
            None => reader.warn(place, PdnFault::Unknown("an annotation without a move".to_owned())),
        }
    }

    fn terminate(&mut self, text: &str, place: TextPlace, reader: &mut PdnReader<'_>) {
        if !self.open.is_empty() {
            self.is_torn = true;
            return reader.warn(place, PdnFault::Unknown(quote(text)));
        }
        // "2-0 *": the first one says more.
        if self.game.terminator.as_deref().is_none_or(|before| before == "*") {
            self.game.terminator = Some(text.to_owned());
        }
        self.end = Some(place.line);
    }

    /// The game, unless nothing was read.
    fn finish(mut self, reader: &mut PdnReader<'_>) -> Option<PdnGame> {
        if !self.open.is_empty() || self.skipped > 0 {
            reader.warn(reader.place, PdnFault::OpenVariation);
        }
        while let Some(line) = self.open.pop() {
            self.attach(line);
        }
        let only_a_file_name = self.game.tags.iter().all(|tag| tag.name == "FILENAME");
        let is_game = !only_a_file_name || !self.game.line.entries.is_empty();
        if !is_game && !self.game.line.comments.is_empty() {
            reader.warn(self.game.place, PdnFault::Unknown("a comment without a game".to_owned()));
        }
        is_game.then_some(self.game)
    }
}

/// Comments behind the end of a game that are looked at for what follows them.
const MOST_LAST_WORDS: usize = 8;

/// Whether nothing of a game without tags follows, perhaps behind more comments: the end, an empty line or a tag.
fn is_last(mut rest: &str) -> bool {
    for _ in 0..MOST_LAST_WORDS {
        let next = rest.trim_start();
        let between = &rest[..rest.len() - next.len()];
        if next.is_empty() || next.starts_with('[') || between.matches('\n').count() > 1 {
            return true;
        }
        match token(next) {
            Ok((after, Token::Comment { .. })) => rest = after,
            _ => return false,
        }
    }
    false
}

impl PdnGame {
    /// Whether a reader takes this text, behind the moves, for the end of the game: a result, or what the tag Result says.
    ///
    /// ```
    /// use kroon::notation::pdn::read_games;
    /// let (games, _) = read_games("[Result \"4-9\"] 1. 32-28 *");
    /// let can_end_with = |text| games[0].can_end_with(text);
    /// assert!(can_end_with("2-0") && can_end_with("4-9") && !can_end_with("2-0 1. 32-28"));
    /// ```
    pub fn can_end_with(&self, text: &str) -> bool {
        let is_tag = |value: &str| value == text && is_result_like(value);
        is_result(text) || self.tags.get("Result").is_some_and(is_tag)
    }
}

/// Adds the signs behind a move to what is said about it.
fn apply(entry: &mut PdnEntry, signs: Signs) {
    let room = STRENGTH.saturating_sub(entry.strength.len());
    entry.strength.extend(signs.strength.chars().take(room));
    if signs.forced {
        entry.nags.push(FORCED);
    }
}

/// Whether a Result tag can be the word that ends a game: points and a dash, not a move with something behind it.
fn is_result_like(value: &str) -> bool {
    let points = |c: char| c.is_ascii_digit() || "/½.,+-\u{2013}: ".contains(c);
    !value.is_empty()
        && value.len() <= LONGEST_RESULT
        && value.chars().all(points)
        && move_text(value).map_or(true, |(rest, _)| rest.is_empty())
}

/// The FEN, if the comment consists of nothing else.
pub(super) fn fen_comment(text: &str) -> Option<&str> {
    let marked = |open: &str, close: &str| {
        let inner = text.strip_prefix(open)?.strip_suffix(close)?.trim();
        inner.strip_prefix('"')?.strip_suffix('"')
    };
    if let Some(fen) = marked("/FEN", "/").or_else(|| marked("[FEN", "]")) {
        return (!fen.contains('"')).then_some(fen.trim());
    }
    let fen_letter = |c: char| c.is_ascii_digit() || "WBKGPHFwb:,.-+ ".contains(c);
    // A file and a rank; without blanks, so that no sentence is meant.
    let algebraic_letter = |c: char| c.is_ascii_digit() || "WBKabcdefgh:,".contains(c);
    let side = text.starts_with("W:") || text.starts_with("B:");
    let is_fen = text.chars().all(fen_letter)
        || text.chars().all(algebraic_letter) && text.contains(|c: char| c.is_ascii_digit());
    (side && text.matches(':').count() >= 2 && is_fen).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;

    #[test]
    fn what_is_said_of_the_last_move_may_stand_behind_the_result() {
        let text = "1. 32-28 19-23 2-0 $4 (1... 20-24 {a}\n 2. 28-23) {b}\n\n1. 33-29 19-23 *";
        let (games, warnings) = read_games(text);
        assert_eq!((games.len(), &warnings[..]), (2, &[][..]));
        let last = games[0].line.entries.last().unwrap();
        assert_eq!(
            (&last.nags[..], last.variations.len(), &last.comments[..]),
            (&[4][..], 1, &["b".to_owned()][..])
        );
        assert_eq!(games[0].terminator.as_deref(), Some("2-0"));
        // On a line of its own it is none of that game, and one that does not end takes no tags.
        assert_eq!(read_games("1. 32-28 2-0\n(1. 33-29) 1. 31-27 *").1.len(), 1);
        let (games, _) = read_games("1. 32-28 2-0 (1. 33-29\n\n[White \"x\"]\n1. 31-27 *");
        assert_eq!((games.len(), games[1].player(Color::White)), (2, Some("x")));
    }
}
