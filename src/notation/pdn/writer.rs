//! Games to text that every reader understands.

use super::TextPlace;
use super::reader::fen_comment;
use super::result::PdnResult;
use super::tree::{PdnAction, PdnEntry, PdnGame, PdnLine, Tags};
use crate::board::Color;
use crate::game::Game;
use crate::notation::{fen, moves};
use crate::rules::{VariantId, play_in};
use std::fmt::Write;

/// The tags that a game should have, and their value if nothing is known (PDN 3.0).
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];
/// Lines are shorter than this, unless a single word is longer.
const WIDTH: usize = 80;

/// A command in a comment has no more words than this.
const MOST_OF_COMMAND: usize = 4;

/// What to write beside the moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WriteOptions {
    /// Comments, signs, glyphs and variations. Old readers stumble over all of them.
    pub annotations: bool,
    /// End games with `*`, the only end that PDN 3.0 allows, instead of the result that old readers look for.
    pub star: bool,
}

impl PdnGame {
    fn from_game(game: &Game) -> PdnGame {
        let variant = game.variant();
        let mut pdn = PdnGame::default();
        let result = PdnResult::from(game.outcome()).text(variant);
        pdn.tags.set("Result", result);
        pdn.set_start(game);
        let mut position = *game.start();
        for &mv in game.moves() {
            let text = moves::text(variant, &position, mv);
            pdn.line.entries.push(PdnEntry::new(PdnAction::Move(text), TextPlace::default()));
            position = play_in(variant, &position, mv);
        }
        pdn.terminator = Some(result.to_owned());
        pdn
    }

    /// Has the tags say the variant and the start of a game, unless they do already.
    pub fn set_start(&mut self, game: &Game) {
        let variant = game.variant();
        let is_said = self.tags.known(&["GameType", "Variant"]).is_some();
        if !is_said || self.variant() != Ok(variant) {
            let number = variant.rules().game_type;
            self.tags.set("GameType", number.to_string());
            if VariantId::from_game_type(number.into()) != Some(variant) || self.variant() != Ok(variant) {
                self.tags.set("Variant", variant.name());
            }
        }
        if self.start(variant).map(|said| *said.start()) != Ok(*game.start()) {
            self.tags.set("SetUp", "1");
            self.tags.set("FEN", fen::write(variant, game.start()));
        }
    }

    /// The text of the game: tags, an empty line, moves in lines shorter than 80 columns, an empty line. Move numbers
    /// are counted, whatever the file had.
    pub fn write(&self, options: WriteOptions) -> String {
        let mut text = String::new();
        let variant = self.variant().ok();
        write_tags(&self.tags, &self.end(WriteOptions { star: false, ..options }, variant), &mut text);
        text.push('\n');
        let first = variant.map_or(Color::White, |variant| self.first(variant));
        let second = match self.tags.get("FEN").and_then(turn) {
            Some(turn) => turn != first,
            // The first move is missing, so that none can be played: who reads the dots knows.
            None => {
                let is_played = |variant| self.replay_as(variant).is_ok_and(|replay| replay.plies() > 0);
                self.line.entries.first().is_some_and(|entry| entry.is_second)
                    && !variant.is_some_and(is_played)
            }
        };
        let count = Count { number: 1, second };
        let mut words = Words::new(text, options, first);
        words.line(&self.line, count);
        words.word(&self.end(options, variant), true);
        words.flush();
        words.text.push_str("\n\n");
        words.text
    }

    fn end(&self, options: WriteOptions, variant: Option<VariantId>) -> String {
        let standard = ["2-0", "1-1", "0-2", "1-0", "1/2-1/2", "0-1", "0-0"];
        let text = self.result_text();
        let result = variant.map_or(PdnResult::Unknown, |variant| self.result(variant));
        if options.star {
            "*".to_owned()
        } else if let Some(end) = self.terminator.as_deref().filter(|end| standard.contains(end)) {
            // What the moves were read with, even if the tag says something else.
            end.to_owned()
        } else if standard.contains(&text) {
            text.to_owned()
        } else if result == PdnResult::Other && self.terminator.as_deref() == Some(text) {
            // Points of another system, which ended the moves, too.
            text.to_owned()
        } else {
            variant.map_or("*", |variant| self.text_of(result, variant)).to_owned()
        }
    }
}

#[cfg(feature = "web")]
impl PdnLine {
    /// The moves with all that is said about them, numbered from 1.
    pub(super) fn text(&self) -> String {
        let options = WriteOptions { annotations: true, star: false };
        let mut words = Words::new(String::new(), options, Color::White);
        words.line(self, Count { number: 1, second: false });
        words.flush();
        words.text
    }
}

impl From<&Game> for PdnGame {
    /// A game as PDN has it: tags, moves (captures in full where they are ambiguous) and the result by the rules.
    ///
    /// ```
    /// use kroon::notation::{moves, pdn::{PdnGame, WriteOptions}};
    /// use kroon::{game::Game, rules::VariantId};
    /// let mut game = Game::new(VariantId::International);
    /// let mv = moves::read(VariantId::International, game.position(), "32-28").unwrap();
    /// game.play(mv).unwrap();
    /// let mut pdn = PdnGame::from(&game);
    /// pdn.tags.set("White", "Kroon");
    /// let text = pdn.write(WriteOptions::default());
    /// assert!(text.contains("[White \"Kroon\"]\n"));
    /// assert!(text.ends_with("[GameType \"20\"]\n\n1. 32-28 *\n\n"));
    /// ```
    fn from(game: &Game) -> PdnGame {
        PdnGame::from_game(game)
    }
}

/// The side to move of a FEN.
fn turn(fen: &str) -> Option<Color> {
    match fen.trim_start().chars().next()? {
        'W' | 'w' => Some(Color::White),
        'B' | 'b' => Some(Color::Black),
        _ => None,
    }
}

/// The seven tags first, then the others in their order. A game without a tag for its result gets one with what ends
/// its moves.
fn write_tags(tags: &Tags, result: &str, text: &mut String) {
    for (name, unknown) in ROSTER {
        let unknown = if name == "Result" { result } else { unknown };
        let value = tags.get(name).filter(|value| !value.is_empty()).unwrap_or(unknown);
        write_tag(name, value, text);
    }
    let mut written = [false; ROSTER.len()];
    for tag in tags.iter() {
        let roster = ROSTER.iter().position(|(name, _)| tag.name.eq_ignore_ascii_case(name));
        // A second tag of the same name stays.
        match roster.map(|index| &mut written[index]) {
            Some(written @ false) => *written = true,
            _ => write_tag(&tag.name, &tag.value, text),
        }
    }
}

fn write_tag(name: &str, value: &str, text: &mut String) {
    let name: String = name.chars().filter(|&c| c.is_alphanumeric() || matches!(c, '_' | '-')).collect();
    if !name.starts_with(char::is_alphabetic) {
        return;
    }
    let value = value.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ");
    // Writing to a string cannot fail.
    let _ = writeln!(text, "[{name} \"{}\"]", value.trim());
}

/// The move number, and whether the side that moves second is to move.
#[derive(Clone, Copy)]
struct Count {
    number: u32,
    second: bool,
}

impl Count {
    fn next(self) -> Count {
        Count { number: self.number.saturating_add(u32::from(self.second)), second: !self.second }
    }
}

/// Text that is filled with words.
struct Words {
    text: String,
    /// The length of the last line of the text.
    column: usize,
    /// The last word, which may still get a closing parenthesis.
    last: String,
    /// Whether a new line may begin with the last word.
    may_break: bool,
    /// Opening parentheses that wait for the next word.
    opened: String,
    options: WriteOptions,
    /// Who moves first in this game.
    first: Color,
}

impl Words {
    fn new(text: String, options: WriteOptions, first: Color) -> Words {
        let (last, opened) = (String::new(), String::new());
        Words { text, column: 0, last, may_break: true, opened, options, first }
    }

    /// Appends a word.
    fn word(&mut self, word: &str, may_break: bool) {
        self.flush();
        self.last = std::mem::take(&mut self.opened) + word;
        self.may_break = may_break;
    }

    /// Writes the last word, on a new line if it does not fit.
    fn flush(&mut self) {
        if self.last.is_empty() {
            return;
        }
        let length = self.last.chars().count();
        if self.column > 0 && self.may_break && self.column + 1 + length >= WIDTH {
            self.text.push('\n');
            self.column = 0;
        } else if self.column > 0 {
            self.text.push(' ');
            self.column += 1;
        }
        self.text.push_str(&self.last);
        self.column += length;
        self.last.clear();
    }

    fn line(&mut self, line: &PdnLine, mut count: Count) {
        // Behind a comment no number is needed, and some readers stumble over one.
        let mut begins = true;
        if self.options.annotations {
            line.comments.iter().for_each(|comment| self.comment(comment));
        }
        for entry in &line.entries {
            if let PdnAction::Setup(text) = &entry.action {
                let text = text.replace(['"', '\n', '\r'], " ");
                self.word(&format!("/FEN \"{}\"/", text.trim()), true);
                count.second = turn(&text).is_some_and(|turn| turn != self.first);
                begins = true;
            } else {
                if !count.second || begins {
                    let dots = if count.second { "..." } else { "." };
                    self.word(&format!("{}{dots}", count.number), true);
                }
                self.action(entry);
                begins = false;
            }
            if self.options.annotations {
                self.annotations(entry, count);
            }
            if !matches!(entry.action, PdnAction::Setup(_)) {
                count = count.next();
            }
        }
    }

    fn action(&mut self, entry: &PdnEntry) {
        let mut word = match &entry.action {
            PdnAction::Move(text) => text.to_string(),
            PdnAction::Unread(word) => word.clone(),
            PdnAction::Missing | PdnAction::Setup(_) => return self.word("- -", true),
        };
        if self.options.annotations {
            word.extend(entry.strength.chars().filter(|c| matches!(c, '!' | '?')));
        }
        self.word(&word, true);
    }

    /// What is said about an entry.
    fn annotations(&mut self, entry: &PdnEntry, count: Count) {
        for nag in &entry.nags {
            self.word(&format!("${nag}"), true);
        }
        entry.comments.iter().for_each(|comment| self.comment(comment));
        for variation in &entry.variations {
            if variation.entries.is_empty() && variation.comments.iter().all(|text| text.trim().is_empty()) {
                continue;
            }
            self.flush();
            self.opened.push('(');
            self.line(variation, count);
            self.last.push(')');
        }
    }

    /// A comment; a brace would end it, so it becomes a parenthesis.
    fn comment(&mut self, comment: &str) {
        let mut comment = comment.replace('}', ")");
        // Readers set up a position that stands alone in a comment.
        if fen_comment(&comment.split_whitespace().collect::<Vec<_>>().join(" ")).is_some() {
            comment = format!("position {comment}");
        }
        let mut pieces = comment_pieces(&comment);
        let Some(first) = pieces.first_mut() else { return };
        first.insert(0, '{');
        if let Some(last) = pieces.last_mut() {
            last.push('}');
        }
        let mut open = String::new();
        for piece in pieces {
            // Readers take a line that begins like a tag for the end of a comment whose brace was forgotten: a bracket
            // stays behind what comes before it.
            let joined = open.chars().count() + 1 + piece.chars().count();
            if piece.starts_with('[') && (joined < WIDTH || !piece.starts_with("[%")) {
                open.push(' ');
                open.push_str(&piece);
                continue;
            }
            let before = std::mem::replace(&mut open, piece);
            if !before.is_empty() {
                self.word(&before, true);
            }
        }
        self.word(&open, true);
    }
}

/// The words of a comment; `[%eval 0.12]` is one of them.
fn comment_pieces(comment: &str) -> Vec<String> {
    let words: Vec<&str> = comment.split_whitespace().collect();
    let mut pieces = Vec::new();
    let mut rest = &words[..];
    while let Some(&first) = rest.first() {
        let closes = rest.iter().take(MOST_OF_COMMAND).position(|word| word.ends_with(']'));
        let length = closes.filter(|_| first.starts_with("[%")).map_or(1, |last| last + 1);
        let (piece, behind) = rest.split_at(length);
        pieces.push(piece.join(" "));
        rest = behind;
    }
    pieces
}
