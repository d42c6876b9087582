//! Positions on standard input, one on each line, for commands that answer each of them at once.

use super::explain;
use super::game::GameArgs;
use anyhow::{Result, bail};
use kroon::game::Game;
use kroon::view::ErrorView;
use std::io::{BufRead, Read, Write};

/// Longest line, in bytes. No board needs a tenth of it.
const LONGEST_LINE: u64 = 1 << 16;

/// Answers the position of each line, after the moves of `args`. A line that is no position gets the line that `fault` makes
/// of the error, and the stream goes on. Blank lines are passed over.
///
/// # Errors
/// When input or output fail, when a line has no end, or, at the end, when a line was no position.
pub fn answer_each(
    mut input: impl BufRead,
    args: &GameArgs,
    out: &mut dyn Write,
    mut answer: impl FnMut(&Game, &mut dyn Write) -> Result<()>,
    fault: impl Fn(ErrorView) -> String,
) -> Result<()> {
    let (mut lines, mut wrong) = (0, 0);
    while let Some(line) = next_line(&mut input)? {
        // Some editors and shells put a byte order mark before the first line.
        let text = line.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            continue;
        }
        lines += 1;
        match args.game_from(text) {
            Ok(game) => answer(&game, out)?,
            Err(error) => {
                wrong += 1;
                writeln!(out, "{}", fault(ErrorView { error: explain(&error) }))?;
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
fn next_line(mut input: impl BufRead) -> Result<Option<String>> {
    let mut bytes = Vec::new();
    input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    if bytes.len() as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") {
        bail!("a line of standard input is longer than {LONGEST_LINE} bytes");
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok((!bytes.is_empty()).then_some(text))
}
