//! The books that are part of the program, made by `src/book/make-books.sh`.

use super::{Book, BookError};
use crate::rules::VariantId;
use std::path::Path;

/// The book of each variant that has one.
const BOOKS: [(VariantId, &[u8]); 15] = [
    (VariantId::International, include_bytes!("data/international.book")),
    (VariantId::Killer, include_bytes!("data/killer.book")),
    (VariantId::Breakthrough, include_bytes!("data/breakthrough.book")),
    (VariantId::Losing, include_bytes!("data/losing.book")),
    (VariantId::Frisian, include_bytes!("data/frisian.book")),
    (VariantId::Frysk, include_bytes!("data/frysk.book")),
    (VariantId::English, include_bytes!("data/english.book")),
    (VariantId::Pool, include_bytes!("data/pool.book")),
    (VariantId::Russian, include_bytes!("data/russian.book")),
    (VariantId::Brazilian, include_bytes!("data/brazilian.book")),
    (VariantId::Czech, include_bytes!("data/czech.book")),
    (VariantId::Italian, include_bytes!("data/italian.book")),
    (VariantId::Spanish, include_bytes!("data/spanish.book")),
    (VariantId::Portuguese, include_bytes!("data/portuguese.book")),
    (VariantId::Thai, include_bytes!("data/thai.book")),
];

/// The book in the program; empty where a variant has none.
///
/// # Errors
/// If it is damaged, which the tests exclude.
pub fn embedded(variant: VariantId) -> Result<Book, BookError> {
    match BOOKS.iter().find(|(id, _)| *id == variant) {
        Some((_, bytes)) => expect(variant, Book::from_bytes(*bytes)?),
        None => Ok(Book::empty(variant)),
    }
}

/// The book of a variant: this file, or the one in the program.
///
/// # Errors
/// If it cannot be read, is damaged or belongs to another variant.
pub fn open(variant: VariantId, path: Option<&Path>) -> Result<Book, BookError> {
    match path {
        Some(path) => Book::open(path).and_then(|book| expect(variant, book)).map_err(|fault| fault.of(path)),
        None => embedded(variant),
    }
}

/// The same for whoever goes on without the file: the book in the program where it cannot be used, and why it cannot. A
/// warning is in the log. Engine and page use it, so that they know the same moves.
pub fn open_or_embedded(variant: VariantId, path: Option<&Path>) -> (Book, Option<BookError>) {
    let fault = match open(variant, path) {
        Ok(book) => return (book, None),
        Err(fault) => fault,
    };
    log::warn!("{fault}");
    let book = embedded(variant).unwrap_or_else(|fault| {
        log::warn!("{fault}");
        Book::empty(variant)
    });
    (book, Some(fault))
}

fn expect(variant: VariantId, book: Book) -> Result<Book, BookError> {
    match book.variant() {
        found if found == variant => Ok(book),
        found => Err(BookError::OtherVariant { found, expected: variant }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;

    #[test]
    fn no_book_is_missing() {
        let missing =
            |variant: &VariantId| embedded(*variant).unwrap().is_empty() && !variant.may_lack_data();
        assert_eq!(VariantId::ALL.into_iter().find(missing), None, "no book");
    }

    #[test]
    fn every_book_is_sound_and_not_too_large() {
        let mut all = 0;
        for (variant, bytes) in BOOKS {
            let book = embedded(variant).unwrap();
            book.check().unwrap();
            assert!(book.is_expanded(Game::new(variant).position()), "{variant}");
            all += bytes.len();
        }
        assert!(all <= 2 << 20, "{all}");
    }
}
