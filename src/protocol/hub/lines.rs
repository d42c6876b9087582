//! Splits a byte stream into lines: LF or CRLF, any encoding, bounded length.

use std::io::{self, Read};

const CHUNK: usize = 1 << 16;

/// Calls `take` with each line until it answers false or the input ends. The line ends are cut off, and what a line has
/// beyond `longest` bytes; bytes that are no UTF-8 become replacement characters, and a last line needs no end.
///
/// # Errors
/// When the input cannot be read any more; what was read of a line is taken before.
pub(crate) fn for_each_line(
    mut input: impl Read,
    longest: usize,
    mut take: impl FnMut(String) -> bool,
) -> io::Result<()> {
    let mut chunk = vec![0; CHUNK];
    let mut line = Vec::new();
    let mut first = true;
    let mut finish = |line: &mut Vec<u8>| {
        let bytes = line.strip_suffix(b"\r").unwrap_or(line);
        let text = String::from_utf8_lossy(bytes);
        // Some editors and shells put a byte order mark before the first line.
        let text = if first { text.trim_start_matches('\u{feff}') } else { &text };
        first = false;
        let go_on = take(text.to_owned());
        line.clear();
        go_on
    };
    let ended = loop {
        let mut read = match input.read(&mut chunk) {
            Ok(0) => break Ok(()),
            Ok(count) => &chunk[..count],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => break Err(error),
        };
        while let Some(end) = read.iter().position(|&byte| byte == b'\n') {
            append(&mut line, &read[..end], longest);
            if !finish(&mut line) {
                return Ok(());
            }
            read = &read[end + 1..];
        }
        append(&mut line, read, longest);
    };
    if !line.is_empty() {
        finish(&mut line);
    }
    ended
}

fn append(line: &mut Vec<u8>, bytes: &[u8], longest: usize) {
    let room = longest.saturating_sub(line.len());
    line.extend_from_slice(&bytes[..bytes.len().min(room)]);
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONGEST: usize = CHUNK + 2;

    fn lines(input: &[u8]) -> Vec<String> {
        let mut lines = Vec::new();
        for_each_line(input, LONGEST, |line| {
            lines.push(line);
            true
        })
        .unwrap();
        lines
    }

    #[test]
    fn line_ends() {
        assert_eq!(lines(b"hub\r\ninit\n\nquit"), ["hub", "init", "", "quit"]);
        assert_eq!(lines(b""), [""; 0]);
        assert_eq!(lines(b"\n"), [""]);
        assert_eq!(lines("\u{feff}hub\n\u{feff}".as_bytes()), ["hub", "\u{feff}"]);
        assert_eq!(lines(b"a\xff\xfeb\n"), ["a\u{fffd}\u{fffd}b"]);
    }

    #[test]
    fn long_lines_are_cut() {
        let mut input = vec![b'x'; 3 * CHUNK];
        input.extend(b"\r\nping\n");
        let lines = lines(&input);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].len(), LONGEST);
        assert_eq!(lines[1], "ping");
    }

    #[test]
    fn what_cannot_be_read_any_more_is_an_error() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
                Err(io::ErrorKind::IsADirectory.into())
            }
        }
        let mut lines = Vec::new();
        let error = for_each_line(b"one\ntw".chain(Broken), LONGEST, |line| {
            lines.push(line);
            true
        })
        .unwrap_err();
        assert_eq!((lines, error.kind()), (vec!["one".into(), "tw".into()], io::ErrorKind::IsADirectory));
    }

    #[test]
    fn the_taker_can_end_it() {
        let mut count = 0;
        for_each_line(&b"a\nb\nc\n"[..], LONGEST, |_| {
            count += 1;
            count < 2
        })
        .unwrap();
        assert_eq!(count, 2);
    }
}
