//! A position as a picture, White at the bottom.

use crate::board::{Color, Move, Piece, Position};
use crate::rules::VariantId;
use maud::{Markup, html};

const CELL: u32 = 20;

/// The board; the squares of the last move are marked.
pub fn picture(variant: VariantId, position: &Position, last: Option<Move>) -> Markup {
    let board = variant.rules().board;
    let side = u32::from(board.side()) * CELL;
    let is_marked = |square| last.is_some_and(|mv| mv.from() == square || mv.to() == square);
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "-3 -3 " (side + 6) " " (side + 6) } role="img" {
            rect x="-3" y="-3" width=(side + 6) height=(side + 6) rx="3" fill="#4a3b2a" {}
            rect x="0" y="0" width=(side) height=(side) fill="#f2e3c6" {}
            @for square in board.iter() {
                @let (x, y) = (u32::from(square.column()) * CELL, u32::from(square.row()) * CELL);
                rect x=(x) y=(y) width=(CELL) height=(CELL) fill=(if is_marked(square) { "#c79a4b" } else { "#a97b50" }) {}
                @if let Some(piece) = position.piece(square) { (man(piece, x + CELL / 2, y + CELL / 2)) }
            }
        }
    }
}

fn man(piece: Piece, x: u32, y: u32) -> Markup {
    let (body, edge, crown) = match piece.color {
        Color::White => ("#fbf6ea", "#4a3b2a", "#b5822c"),
        Color::Black => ("#2e2a28", "#0d0c0b", "#e3b75c"),
    };
    html! {
        circle cx=(x) cy=(y) r="8" fill=(body) stroke=(edge) {}
        @if piece.king {
            path d="m-4.5 3.5 -1 -6.5 2.8 2.6 2.7 -4 2.7 4 2.8 -2.6 -1 6.5z" fill=(crown)
                transform={ "translate(" (x) " " (y) ")" } {}
        }
    }
}
