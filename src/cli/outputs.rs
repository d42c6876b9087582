//! What outputs may replace: a file that is there already must be of the kind that is written.

use anyhow::{Context, Result, bail};
use kroon::svg::page;
use std::io::Read;
use std::path::Path;

/// How a drawing begins.
pub const DRAWING: &str = "<svg";

/// Bytes of a file that tell its kind.
const HEAD: u64 = 1024;

/// Whether this name of an output means standard output.
pub fn is_standard(output: &Path) -> bool {
    output == Path::new("-")
}

/// A file that is to be written, and is there already, must be like it, or have nothing in it: `is_like` is asked how it begins.
/// What is no regular file is written to.
pub fn keep_unlike(path: &Path, what: &str, is_like: impl Fn(&[u8]) -> bool) -> Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    let name = || format!("\"{}\"", path.display());
    let mut head = Vec::new();
    let file = std::fs::File::open(path).with_context(name)?;
    file.take(HEAD).read_to_end(&mut head).with_context(name)?;
    if head.is_empty() || is_like(&head) {
        return Ok(());
    }
    bail!("{} is there already and no {what}: choose another name", name())
}

/// The same for a file of a kind that begins with these letters.
pub fn keep_others(path: &Path, begins: &str, kind: &str) -> Result<()> {
    keep_unlike(path, &format!("file of {kind}"), |head| head.starts_with(begins.as_bytes()))
}

/// The same for a page of a command.
pub fn keep_other_pages(path: &Path, command: &str) -> Result<()> {
    keep_unlike(path, &format!("page of kroon {command}"), |head| page::is_of(command, head))
}
