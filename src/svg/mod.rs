//! Pictures as SVG: positions and plots. Everything about their looks stands in attributes, so that a picture can stand
//! alone or in a page; [`page`] has the frame of the pages.

pub mod board;
pub mod page;
pub mod plot;

/// A picture as the text of a file.
///
/// ```
/// use kroon::game::Game;
/// use kroon::rules::VariantId;
/// use kroon::svg::{board::Picture, file};
/// let game = Game::new(VariantId::International);
/// let picture = Picture::new(VariantId::International, game.position());
/// assert!(file(&picture.draw()).starts_with("<svg "));
/// ```
pub fn file(picture: &maud::Markup) -> String {
    picture.0.clone() + "\n"
}
