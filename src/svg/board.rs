//! A position as a picture, White at the bottom.

use crate::board::{Color, Move, Piece, Position, Square};
use crate::notation::square::SquareName;
use crate::rules::VariantId;
use maud::{Markup, html};

/// Side of a square, in user units.
const CELL: u32 = 48;
/// Width of the frame.
const FRAME: u32 = 12;

/// What to draw.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Whose board it is.
    pub variant: VariantId,
    /// The pieces.
    pub position: &'a Position,
    /// A move whose two squares are marked.
    pub last: Option<Move>,
    /// Whether empty squares show their names: numbers, or letters and digits.
    pub numbers: bool,
}

impl<'a> Picture<'a> {
    /// The position with the names of its empty squares, as moves of the variant have them.
    pub fn new(variant: VariantId, position: &'a Position) -> Picture<'a> {
        Picture { variant, position, last: None, numbers: true }
    }

    /// The picture, in the size of a file; a page may scale it.
    pub fn draw(&self) -> Markup {
        let board = self.variant.rules().board;
        let inner = u32::from(board.side()) * CELL;
        let size = inner + 2 * FRAME;
        html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (size) " " (size) } width=(size) height=(size)
                role="img" {
                title { "Draughts position, " (self.position.turn()) " to move" }
                rect width=(size) height=(size) rx="6" fill="#4a3b2a" {}
                rect x=(FRAME) y=(FRAME) width=(inner) height=(inner) fill="#f2e3c6" {}
                @for square in board.iter() {
                    @let x = FRAME + u32::from(board.column(square)) * CELL;
                    @let y = FRAME + u32::from(square.row()) * CELL;
                    rect x=(x) y=(y) width=(CELL) height=(CELL) fill=(self.ground(square)) {}
                    @match self.position.piece(square) {
                        Some(piece) => (man(piece, x + CELL / 2, y + CELL / 2)),
                        None => @if self.numbers {
                            text x=(x + 4) y=(y + 14) font-family="sans-serif" font-size="11" fill="#f2e3c6" {
                                (SquareName::of(self.variant.rules(), square))
                            }
                        }
                    }
                }
            }
        }
    }

    /// The colour of a square.
    fn ground(&self, square: Square) -> &'static str {
        let is_marked = self.last.is_some_and(|mv| mv.from() == square || mv.to() == square);
        if is_marked { "#c79a4b" } else { "#a97b50" }
    }
}

fn man(piece: Piece, x: u32, y: u32) -> Markup {
    let (body, edge, line, crown) = match piece.color {
        Color::White => ("#fbf6ea", "#4a3b2a", "#4a3b2a", "#b5822c"),
        Color::Black => ("#2e2a28", "#0d0c0b", "#a3988c", "#e3b75c"),
    };
    let radius = CELL * 2 / 5;
    html! {
        circle cx=(x) cy=(y) r=(radius) fill=(body) stroke=(edge) stroke-width="1.5" {}
        circle cx=(x) cy=(y) r=(radius - 4) fill="none" stroke=(line) stroke-width="1.2" {}
        @if piece.king {
            path d="m-10 8 -2 -15 6 6 6 -9 6 9 6 -6 -2 15z" fill=(crown) stroke=(edge)
                transform={ "translate(" (x) " " (y) ")" } {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Setup;
    use crate::rules::legal_moves;

    #[test]
    fn squares_have_the_names_that_moves_have() {
        for (variant, name, other) in
            [(VariantId::Russian, ">a1<", ">1<"), (VariantId::English, ">1<", ">a1<")]
        {
            let rules = variant.rules();
            let mut setup = Setup::empty(Color::White);
            for (number, color) in [(14, Color::White), (19, Color::Black)] {
                setup.put(rules.square(number).unwrap(), Piece { color, king: false });
            }
            let position = rules.position(&setup).unwrap();
            let text = Picture::new(variant, &position).draw().into_string();
            assert!(text.contains(name) && !text.contains(other), "{text}");
        }
    }

    #[test]
    fn boards_lie_as_players_see_them() {
        for (variant, square, place) in [
            (VariantId::International, "1", (1, 0)),
            (VariantId::English, "1", (1, 0)),
            (VariantId::Russian, "a1", (0, 7)),
            (VariantId::Italian, "1", (0, 0)),
            (VariantId::Spanish, "1", (7, 7)),
            (VariantId::Portuguese, "32", (0, 0)),
        ] {
            let rules = variant.rules();
            let mut setup = Setup::empty(Color::White);
            for (number, color) in [(10, Color::White), (12, Color::Black)] {
                setup.put(rules.square(number).unwrap(), Piece { color, king: false });
            }
            let text = Picture::new(variant, &rules.position(&setup).unwrap()).draw().into_string();
            let (x, y) = (FRAME + place.0 * CELL + 4, FRAME + place.1 * CELL + 14);
            let mut names = text.split("<text ").filter(|name| name.contains(&format!(">{square}</text>")));
            let name = names.next().unwrap();
            assert!(name.starts_with(&format!("x=\"{x}\" y=\"{y}\"")), "{variant}: {name}");
        }
    }

    #[test]
    fn every_piece_and_every_empty_square_is_there() {
        let rules = VariantId::International.rules();
        let mut setup = Setup::empty(Color::White);
        for (number, color, king) in [
            (41, Color::White, true),
            (50, Color::White, false),
            (20, Color::Black, false),
            (33, Color::Black, false),
        ] {
            setup.put(rules.square(number).unwrap(), Piece { color, king });
        }
        let position = rules.position(&setup).unwrap();
        let mut picture = Picture::new(VariantId::International, &position);
        let text = picture.draw().into_string();
        let count = |text: &str, what: &str| text.matches(what).count();
        assert_eq!((count(&text, "<circle"), count(&text, "<path"), count(&text, "<text")), (8, 1, 46));
        picture.numbers = false;
        picture.last = legal_moves(VariantId::International, &position).first().copied();
        let text = picture.draw().into_string();
        assert_eq!((count(&text, "<text"), count(&text, "#c79a4b")), (0, 2));
    }
}
