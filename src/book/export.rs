//! A book as a PDN game with variations, for people and other programs.

use super::{Book, BookMove, key};
use crate::game::Game;
use crate::notation::moves;
use crate::notation::pdn::{PdnAction, PdnEntry, PdnGame, PdnLine, TextPlace};
use crate::rules::play_in;
use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Which part of a book is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExportLimits {
    /// Longest line, in plies.
    pub plies: u32,
    /// Moves that are worse than the best by more than this, in centi-men, are left out.
    pub margin: i32,
    /// Moves that fewer games reached are left out where the book has no values.
    pub games: u64,
}

/// The event that an exported book has in place of one, by which it is known again.
const EVENT: &str = "opening book";

/// What the tree says where a line goes on elsewhere.
const ELSEWHERE: &str = "reached before";

/// The book from a position on as one game: the best line with the other moves as variations, each with its value and
/// games in a comment. A position that several orders of moves reach is followed once. `None` where the book has no move
/// that is to be written.
pub fn tree(book: &Book, game: &Game, limits: &ExportLimits) -> Option<PdnGame> {
    let mut pdn = PdnGame::from(game);
    let mut seen = HashSet::from([key(game.variant(), game.position())]);
    let line = line(book, game, limits, limits.plies, &mut seen);
    if line.entries.is_empty() {
        return None;
    }
    pdn.line.entries.extend(line.entries);
    pdn.tags.set("Event", EVENT);
    pdn.tags.set("Result", "*");
    pdn.terminator = Some("*".to_owned());
    Some(pdn)
}

/// Whether nothing is lost if an exported book takes the place of a file: it is one itself, by its first tag, or empty, or
/// not there.
///
/// # Errors
/// When it cannot be read.
pub fn may_replace(path: &Path) -> io::Result<bool> {
    let first = format!("[Event \"{EVENT}\"]");
    let mut start = Vec::new();
    match File::open(path) {
        Ok(file) => file.take(first.len() as u64).read_to_end(&mut start)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
        Err(error) => return Err(error),
    };
    Ok(start.is_empty() || start == first.as_bytes())
}

/// The moves that are written at a position, the best first.
fn shown(book: &Book, game: &Game, limits: &ExportLimits) -> Vec<BookMove> {
    let mut moves = book.continuations(game.position());
    let best = moves.first().and_then(|best| best.value);
    moves.retain(|mv| match (best, mv.value) {
        (Some(best), Some(value)) => best.centi() - value.centi() <= limits.margin,
        (Some(_), None) => false,
        (None, _) => mv.games.count() >= limits.games,
    });
    moves
}

/// The best line from a position on; the nesting of variations ends with the plies.
fn line(book: &Book, game: &Game, limits: &ExportLimits, plies: u32, seen: &mut HashSet<u64>) -> PdnLine {
    // The best line is followed before its variations, so that these say "reached before" and not the line itself.
    let mut steps = Vec::new();
    let mut game = game.clone();
    for _ in 0..plies {
        let mut moves = shown(book, &game, limits);
        if moves.is_empty() {
            break;
        }
        let best = moves.remove(0);
        let (entry, is_new) = entry(&game, &best, seen);
        steps.push((game.clone(), entry, moves));
        if !is_new || game.play(best.mv).is_err() {
            break;
        }
    }
    let mut entries = Vec::new();
    for (number, (game, mut best, others)) in (1..).zip(steps) {
        for other in others {
            let (first, is_new) = entry(&game, &other, seen);
            let mut variation = PdnLine { comments: Vec::new(), entries: vec![first] };
            let mut after = game.clone();
            if is_new && after.play(other.mv).is_ok() {
                variation.entries.extend(line(book, &after, limits, plies - number, seen).entries);
            }
            best.variations.push(variation);
        }
        entries.push(best);
    }
    PdnLine { comments: Vec::new(), entries }
}

/// A move with its comment, and whether the position after it is met for the first time.
fn entry(game: &Game, known: &BookMove, seen: &mut HashSet<u64>) -> (PdnEntry, bool) {
    let variant = game.variant();
    let text = moves::text(variant, game.position(), known.mv);
    let mut entry = PdnEntry::new(PdnAction::Move(text), TextPlace::default());
    let counted =
        |count: u64, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
    let value = known.value.map(|value| format!("{value}, {}", counted(known.depth.into(), "ply", "plies")));
    let count = counted(known.games.count(), "game", "games");
    let games = known.games.score().map(|score| format!("{count}, {:.0}%", score * 100.0));
    let is_new = seen.insert(key(variant, &play_in(variant, game.position(), known.mv)));
    let elsewhere = (!is_new).then(|| ELSEWHERE.to_owned());
    let said: Vec<String> = [value, games, elsewhere].into_iter().flatten().collect();
    entry.comments.push(said.join("; "));
    (entry, is_new)
}
