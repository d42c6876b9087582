//! The opening book of the engine: opened when a game needs it, and again when the options name another. Its move is
//! played unless a short search knows better.

use super::{Engine, Mode, Options, Request};
use crate::book::{self, Book, BookMove};
use crate::game::Game;
use crate::rules::{VariantId, play_in};
use crate::score::Score;
use crate::search::{Control, Info, Limits, SearchResult, SearchTask};
use std::sync::Arc;

/// Nodes of each of the two searches that look at a move of the book: some milliseconds.
const CHECK_NODES: u64 = 10_000;
/// A move of the book is not played when the search sees another that is better by more than this, in centi-men; nor is the
/// book's value told where it is so far from that of the search.
const STALE: i32 = 30;

/// The book of one variant.
#[derive(Debug)]
pub(super) struct LoadedBook {
    variant: VariantId,
    /// The options that decide which.
    file: Option<std::path::PathBuf>,
    book: Arc<Book>,
    fault: Option<String>,
}

impl LoadedBook {
    /// The book that the options name for a variant: the one that is open, if it is the same. The one in the program where
    /// it cannot be used.
    pub fn load(loaded: &mut Option<LoadedBook>, variant: VariantId, options: &Options) -> Arc<Book> {
        let is_same = |old: &&mut LoadedBook| (old.variant, &old.file) == (variant, &options.book_file);
        if let Some(same) = loaded.as_mut().filter(is_same) {
            return same.book.clone();
        }
        let (book, fault) = book::open_or_embedded(variant, options.book_file.as_deref());
        let (book, fault) = (Arc::new(book), fault.map(|fault| format!("book-file: {fault}")));
        *loaded = Some(LoadedBook { variant, file: options.book_file.clone(), book: book.clone(), fault });
        book
    }

    /// Why the book cannot be used, if it cannot.
    pub fn fault(&self) -> Option<String> {
        self.fault.clone()
    }
}

impl Engine {
    /// The opening book of a variant, opened if need be, whether or not its moves are played.
    pub fn book(&mut self, variant: VariantId) -> Arc<Book> {
        LoadedBook::load(&mut self.book, variant, &self.options)
    }

    /// Why the opening book cannot be used, if one is asked for. The engine plays from the one in the program.
    pub fn book_fault(&self) -> Option<String> {
        self.book.as_ref().filter(|_| self.options.book).and_then(LoadedBook::fault)
    }

    /// The move of the book with its value and line, where it has one that may be played.
    ///
    /// Never in an analysis, without limits, or where the position has occurred before, and never a move that leads back
    /// to a position of the game. Two searches of 10,000 nodes look at the move, one at all moves and one at it alone:
    /// where the first finds 0.30 men more, the search decides. The score and the line are the book's, or those of the
    /// search where the book's value is 0.30 men off: a match is adjudicated by it. If the search decides, the nodes that it
    /// has taken so far are the error.
    pub(super) fn ask_book(
        &mut self,
        request: &Request,
        task: &SearchTask<'_>,
        control: &Control,
    ) -> Option<Result<SearchResult, u64>> {
        let game = &request.game;
        let is_wanted = self.options.book && request.mode != Mode::Analyze && request.limits.is_bounded();
        // Too few to look at a move and search as well.
        let is_short = task.limits.nodes.is_some_and(|most| most < 4);
        if !is_wanted || is_short || game.occurrences() > 1 {
            return None;
        }
        let variant = game.variant();
        let book = self.book(variant);
        // A client may send the position of each move without the moves before it.
        let is_whole = *game.start() == *Game::new(variant).position();
        let is_early = is_whole && game.moves().len() < self.options.book_ply as usize;
        let margin = if is_early { self.options.book_margin } else { 0 };
        let mut candidates = book.candidates(game.position(), margin);
        candidates.retain(|(known, _)| {
            let after = play_in(variant, game.position(), known.mv);
            !game.recent_keys().contains(&after.key())
        });
        let known = book::draw(&candidates, &mut self.random)?;
        let checked = match self.checked(&known, task, control) {
            Ok(checked) => checked,
            Err(nodes) => return Some(Err(nodes)),
        };
        let searched = checked.info.score;
        let is_credible = |value: &Score| value.centi().abs_diff(searched.centi()) <= STALE.unsigned_abs();
        let (score, line) = match known.value.filter(is_credible) {
            Some(value) => {
                let rest = book.line(&play_in(variant, game.position(), known.mv));
                (value, std::iter::once(known.mv).chain(rest).collect::<Vec<_>>())
            }
            None => (searched, checked.line),
        };
        let info = Info { rank: 1, score, winrate: None, pv: line.clone(), ..checked.info };
        Some(Ok(SearchResult { line, ..SearchResult::of(info, checked.nodes) }))
    }

    /// What a short search says of a move of the book; the nodes that it took if it knows a better one.
    fn checked(
        &mut self,
        known: &BookMove,
        task: &SearchTask<'_>,
        control: &Control,
    ) -> Result<SearchResult, u64> {
        let all = task.game.legal_moves().to_vec();
        let mut look = |moves| {
            // Half of the limit of the request is left for the search, if it is to decide.
            let nodes = Some(task.limits.nodes.map_or(CHECK_NODES, |most| (most / 4).clamp(1, CHECK_NODES)));
            let limits = Limits { nodes, ..task.limits };
            let short = SearchTask { limits, multipv: 1, root_moves: Some(moves), ..*task };
            self.search(&short, None, control, &mut ())
        };
        let best = look(all);
        if best.line.first() == Some(&known.mv) {
            return Ok(best);
        }
        let ours = look(vec![known.mv]);
        let nodes = best.nodes + ours.nodes;
        let is_stale = best.info.score.centi() > ours.info.score.centi() + STALE;
        if is_stale {
            Err(nodes)
        } else {
            Ok(SearchResult { nodes, info: Info { nodes, ..ours.info }, ..ours })
        }
    }
}
