//! A position for programs. The fields are documented in the help of the command.

use anyhow::{Result, bail};
use kroon::board::{Color, Move};
use kroon::eval;
use kroon::game::Game;
use kroon::notation::{fen, hub, moves};
use kroon::rules::play_in;
use serde::Serialize;
use std::io::{self, BufRead, Read, Write};

/// Longest line of a stream of positions, in bytes. No board needs a tenth of it.
const LONGEST_LINE: u64 = 1 << 16;

#[derive(Serialize)]
struct PositionLine {
    variant: &'static str,
    fen: String,
    hub: String,
    turn: &'static str,
    outcome: Option<String>,
    moves: Vec<MoveLine>,
    evaluation: f64,
}

#[derive(Serialize)]
struct MoveLine {
    pdn: String,
    hub: String,
    from: u8,
    to: u8,
    captured: Vec<u8>,
    fen: String,
}

#[derive(Serialize)]
struct ErrorLine<'a> {
    error: &'a str,
}

/// One position as one line.
pub fn write(out: &mut dyn Write, game: &Game) -> io::Result<()> {
    let (variant, position) = (game.variant(), game.position());
    let line = PositionLine {
        variant: variant.name(),
        fen: fen::write(variant, position),
        hub: hub::format_position(variant.rules().board, position),
        turn: match position.turn() {
            Color::White => "white",
            Color::Black => "black",
        },
        outcome: game.outcome().map(|outcome| outcome.to_string()),
        moves: sorted_moves(game).into_iter().map(|mv| move_line(game, mv)).collect(),
        evaluation: f64::from(eval::explain(variant, position).1.centi()) / 100.0,
    };
    write_line(out, &line)
}

/// Reads positions, one on each line, and answers each of them at once with one line. A line that is no position gets
/// a line that says so, and the stream goes on.
///
/// # Errors
/// When input or output fail, when a line has no end, or, at the end, when a line was no position.
pub fn answer(
    mut input: impl BufRead,
    out: &mut dyn Write,
    read: impl Fn(&str) -> Result<Game>,
) -> Result<()> {
    let (mut lines, mut wrong) = (0, 0);
    while let Some(line) = next_line(&mut input)? {
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        lines += 1;
        match read(text) {
            Ok(game) => write(out, &game)?,
            Err(error) => {
                wrong += 1;
                write_line(out, &ErrorLine { error: &crate::cli::explain(&error) })?;
            }
        }
        // A program that asks for one position after another waits for the answer.
        out.flush()?;
    }
    if wrong > 0 {
        bail!("{wrong} of {lines} lines could not be answered");
    }
    Ok(())
}

/// The next line with its end, or nothing at the end of the input.
fn next_line(input: &mut impl BufRead) -> Result<Option<String>> {
    let mut bytes = Vec::new();
    input.take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    if bytes.len() as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") {
        bail!("a line of standard input is longer than {LONGEST_LINE} bytes");
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok((!bytes.is_empty()).then_some(text))
}

/// The legal moves in the order of their squares.
fn sorted_moves(game: &Game) -> Vec<Move> {
    let board = game.variant().rules().board;
    let mut legal: Vec<Move> = game.legal_moves().iter().copied().collect();
    legal.sort_by_key(|mv| (board.number(mv.from()), board.number(mv.to()), captured_numbers(game, *mv)));
    legal
}

fn move_line(game: &Game, mv: Move) -> MoveLine {
    let (variant, board) = (game.variant(), game.variant().rules().board);
    MoveLine {
        pdn: moves::write(variant, game.position(), mv),
        hub: hub::format_move(board, mv),
        from: board.number(mv.from()),
        to: board.number(mv.to()),
        captured: captured_numbers(game, mv),
        fen: fen::write(variant, &play_in(variant, game.position(), mv)),
    }
}

/// The captured squares in ascending order.
fn captured_numbers(game: &Game, mv: Move) -> Vec<u8> {
    let board = game.variant().rules().board;
    let mut numbers: Vec<u8> = mv.captured().into_iter().map(|square| board.number(square)).collect();
    numbers.sort_unstable();
    numbers
}

fn write_line(out: &mut dyn Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    writeln!(out)
}
