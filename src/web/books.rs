//! The opening books that the page is shown: that of each variant is opened when a position of it is asked for.

use crate::book::{self, Book};
use crate::engine::Options;
use crate::game::Game;
use crate::rules::VariantId;
use crate::view::BookView;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The books that are open.
#[derive(Debug)]
pub(super) struct BookDesk {
    file: Option<PathBuf>,
    open: Mutex<HashMap<VariantId, Arc<Book>>>,
}

impl BookDesk {
    /// The book that these options name, and those in the program.
    pub fn new(options: &Options) -> BookDesk {
        BookDesk { file: options.book_file.clone(), open: Mutex::default() }
    }

    /// What the book says of the current position of a game, if it knows a move.
    pub fn view(&self, game: &Game) -> Option<BookView> {
        BookView::known(game, &self.book(game.variant()))
    }

    fn book(&self, variant: VariantId) -> Arc<Book> {
        let load = || Arc::new(book::open_or_embedded(variant, self.file.as_deref()).0);
        self.open.lock().entry(variant).or_insert_with(load).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_file_gives_way_to_the_book_in_the_program() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("damaged");
        std::fs::write(&file, "no book").unwrap();
        let damaged = BookDesk::new(&Options { book_file: Some(file), ..Options::default() });
        let none = BookDesk::new(&Options::default());
        for variant in [VariantId::International, VariantId::Thai] {
            let game = Game::new(variant);
            assert_eq!(damaged.view(&game), none.view(&game), "{variant}");
        }
    }
}
