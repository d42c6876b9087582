//! Checks each line that an engine writes during a search.

use super::{Notes, VARIANT};
use crate::board::Move;
use crate::game::Game;
use crate::notation::hub;
use crate::notation::text::quote;
use crate::protocol::hub::number::real;
use crate::protocol::hub::scanner::Scanned;

/// Largest number in an answer.
const MOST: f64 = 1e18;
/// Ordinary evaluations stay below; what is above says in how many plies a game is decided.
const DECIDED: f64 = 80.0;

/// Checks an `info` line that was said about this position.
pub fn info(game: &Game, line: &Scanned<'_>, notes: &mut Notes) {
    for arg in &line.args {
        let number = || real(arg.value, MOST);
        let whole = !arg.value.is_empty() && arg.value.bytes().all(|byte| byte.is_ascii_digit());
        match arg.name {
            "depth" | "nodes" | "max-depth" if whole => (),
            "depth" | "nodes" | "max-depth" => {
                let text = format!(
                    "info {}={}: expected a whole number; others stop a client's reader",
                    arg.name,
                    quote(arg.value)
                );
                notes.wrong("Answers", text);
            }
            "score" | "time" | "nps" | "mean-depth" => match number() {
                Ok(value) if arg.name != "score" && value < 0.0 => {
                    notes.wrong("Answers", format!("info {}={value} is negative", arg.name));
                }
                Ok(value) if arg.name == "score" && value.abs() > 100.0 => {
                    let text =
                        format!("info score={value}: expected men; {DECIDED} to 100 mean a decided game");
                    notes.advice("Answers", text);
                }
                Ok(_) => (),
                Err(fault) => notes.wrong("Answers", format!("info {}: {fault}", arg.name)),
            },
            "pv" => variation(game, arg.value, notes),
            "multipv" => (),
            other => {
                notes.advice("Answers", format!("info has an argument {} that no client knows", quote(other)))
            }
        }
    }
    if line.value("score").is_none() {
        notes.advice("Answers", "an `info` line without a score");
    }
}

/// Every move of a variation must be legal.
fn variation(game: &Game, text: &str, notes: &mut Notes) {
    let mut game = game.clone();
    if text.trim().is_empty() {
        notes.wrong("Answers", "info pv is empty");
    }
    for word in text.split_whitespace() {
        match legal(&game, word) {
            // A game can be drawn by repetition and go on in a variation.
            Ok(mv) => drop(game.play(mv)),
            Err(fault) => return notes.wrong("Answers", format!("{fault} in pv {}", quote(text))),
        }
    }
}

/// The move of `done`, if there is one that is legal. `ponder=` must be legal behind it.
pub fn done(game: &Game, line: &Scanned<'_>, notes: &mut Notes) -> Option<Move> {
    let Some(text) = line.value("move") else {
        if !game.legal_moves().is_empty() {
            notes.wrong("Answers", "`done` without a move where there are legal moves");
        }
        return None;
    };
    let mv = match legal(game, text) {
        Ok(mv) => mv,
        Err(fault) => {
            notes.wrong("Positions and moves", format!("done: {fault}"));
            return None;
        }
    };
    if text != hub::format_move(VARIANT.rules().board, mv) && !text.contains('-') {
        notes.advice(
            "Positions and moves",
            format!(
                "{} is not the usual form {}: all captured squares, ascending",
                quote(text),
                hub::format_move(VARIANT.rules().board, mv)
            ),
        );
    }
    if let Some(ponder) = line.value("ponder") {
        let mut next = game.clone();
        let _ = next.play(mv);
        if let Err(fault) = legal(&next, ponder) {
            notes.wrong("Answers", format!("done ponder: {fault}"));
        }
    }
    Some(mv)
}

/// The legal move that a text means.
fn legal(game: &Game, text: &str) -> Result<Move, String> {
    hub::parse_move(VARIANT.rules().board, &game.legal_moves(), text).map_err(|error| error.to_string())
}
