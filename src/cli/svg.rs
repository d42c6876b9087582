//! A board as a picture.

use kroon::board::{Board, Color, Piece, Position, Square};
use kroon::files::write_whole;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

/// Side of a square, in user units.
const CELL: u32 = 48;
/// Width of the frame.
const FRAME: u32 = 12;

/// Writes the picture so that the file is at every moment either the old one or the new one.
pub fn save(path: &Path, board: &Board, position: &Position) -> io::Result<()> {
    write_whole(path, |out| out.write_all(picture(board, position).as_bytes()))
}

/// A self-contained SVG document, White at the bottom.
fn picture(board: &Board, position: &Position) -> String {
    let side = u32::from(board.side());
    let size = side * CELL + 2 * FRAME;
    let mut svg = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" width="{size}" height="{size}">
<title>Draughts position, {turn} to move</title>
<style>
.number {{ font: 11px sans-serif; fill: #f2e3c6; }}
.white {{ fill: #fbf6ea; stroke: #4a3b2a; stroke-width: 1.5; }}
.black {{ fill: #2e2a28; stroke: #0d0c0b; stroke-width: 1.5; }}
.white-line {{ fill: none; stroke: #4a3b2a; stroke-width: 1.2; }}
.black-line {{ fill: none; stroke: #a3988c; stroke-width: 1.2; }}
.white-crown {{ fill: #b5822c; stroke: #4a3b2a; stroke-width: 1; }}
.black-crown {{ fill: #e3b75c; stroke: #0d0c0b; stroke-width: 1; }}
</style>
<rect width="{size}" height="{size}" rx="4" fill="#4a3b2a"/>
<rect x="{FRAME}" y="{FRAME}" width="{inner}" height="{inner}" fill="#f2e3c6"/>
"##,
        turn = position.turn(),
        inner = side * CELL,
    );
    for square in board.iter() {
        let (x, y) = (FRAME + u32::from(board.column(square)) * CELL, FRAME + u32::from(square.row()) * CELL);
        // Writing to a string cannot fail.
        let _ = writeln!(svg, r##"<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="#a97b50"/>"##);
        draw_square(&mut svg, board, square, position.piece(square), (x, y));
    }
    svg.push_str("</svg>\n");
    svg
}

/// The piece on a square, or the number of an empty one.
fn draw_square(svg: &mut String, board: &Board, square: Square, piece: Option<Piece>, (x, y): (u32, u32)) {
    let Some(piece) = piece else {
        let number = board.number(square);
        let _ = writeln!(svg, r#"<text class="number" x="{}" y="{}">{number}</text>"#, x + 4, y + 14);
        return;
    };
    let color = match piece.color {
        Color::White => "white",
        Color::Black => "black",
    };
    let (cx, cy, radius) = (x + CELL / 2, y + CELL / 2, CELL * 2 / 5);
    let _ = writeln!(svg, r#"<circle class="{color}" cx="{cx}" cy="{cy}" r="{radius}"/>"#);
    let _ = writeln!(svg, r#"<circle class="{color}-line" cx="{cx}" cy="{cy}" r="{}"/>"#, radius - 4);
    if piece.king {
        let crown = "m-10 8 -2 -15 6 6 6 -9 6 9 6 -6 -2 15z";
        let _ =
            writeln!(svg, r#"<path class="{color}-crown" transform="translate({cx} {cy})" d="{crown}"/>"#);
    }
}
