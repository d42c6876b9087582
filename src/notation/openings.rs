//! Lists of openings, as `kroon match` and `kroon dxp` read them: lines with a position or moves, or PDN games.

use super::pdn::{self, PdnError, PdnReader, TextPlace};
use super::position::{self, PositionError};
use crate::game::Game;
use crate::rules::VariantId;
use thiserror::Error;

/// Why a text is no list of openings.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OpeningListError {
    /// A line that is neither a position nor moves.
    #[error("line {line}: {fault}")]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What is wrong.
        fault: String,
    },
    /// A game that cannot be played to its end, or something between the games.
    #[error(transparent)]
    Pdn(#[from] PdnError),
    /// Nothing in it.
    #[error("no opening found, expected PDN games, or lines with a FEN, a Hub position or moves")]
    Empty,
}

/// An opening of a list: a position, and the moves to it if the list has them.
#[derive(Clone, Debug)]
pub struct ListedOpening {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The game so far; it may be over.
    pub game: Game,
}

/// Reads a list of openings. It is PDN, of which every game is played to its end, or each line is an opening of its own:
/// a FEN, a Hub position, or moves from the initial position, where `#` begins a comment.
///
/// Lines of moves are told from PDN without tags by their numbers: all begin with move 1, or none with a number. Beside a line
/// that is a comment or a position they are lines in any case.
///
/// ```
/// use kroon::notation::openings;
/// use kroon::rules::VariantId;
/// let lines = "# two openings\n1. 32-28 19-23\nB:W31-50:B1-20\n";
/// assert_eq!(openings::read(VariantId::International, lines)?.len(), 2);
/// let pdn = "1. 32-28 19-23\n2. 28x19 14x23 *";
/// assert_eq!(openings::read(VariantId::International, pdn)?.len(), 1);
/// # Ok::<(), openings::OpeningListError>(())
/// ```
///
/// # Errors
/// At the first thing in it that is no opening, and when there is none.
pub fn read(variant: VariantId, text: &str) -> Result<Vec<ListedOpening>, OpeningListError> {
    let lines: Vec<Line<'_>> = Line::of(variant, text);
    let has_comment = text.lines().any(|line| line.trim_start().starts_with('#'));
    let openings = if is_pdn(&lines, has_comment) {
        games(variant, PdnReader::new(text))?
    } else {
        let read: Vec<_> = lines.into_iter().map(|line| line.openings(variant)).collect::<Result<_, _>>()?;
        read.into_iter().flatten().collect()
    };
    if openings.is_empty() { Err(OpeningListError::Empty) } else { Ok(openings) }
}

/// A line that says something.
struct Line<'a> {
    number: usize,
    /// Without comment and blanks at the end.
    text: &'a str,
    /// What it is as a position, unless it has the form of none.
    position: Option<Result<Game, PositionError>>,
}

impl<'a> Line<'a> {
    fn of(variant: VariantId, text: &'a str) -> Vec<Line<'a>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.lines().map(|line| without_comment(line).trim_end()).enumerate();
        let line = |(index, text): (usize, &'a str)| Line {
            number: index + 1,
            text,
            position: position_of(variant, text.trim_start()),
        };
        lines.filter(|(_, text)| !text.is_empty()).map(line).collect()
    }

    /// The position, or the games that the moves are.
    fn openings(self, variant: VariantId) -> Result<Vec<ListedOpening>, OpeningListError> {
        let line = self.number;
        let fault = |fault: String| OpeningListError::Line { line, fault };
        if let Some(position) = self.position {
            let game = position.map_err(|error| fault(error.to_string()))?;
            return Ok(vec![ListedOpening { line, game }]);
        }
        let openings = games(variant, PdnReader::at(self.text, TextPlace { line, column: 1 }))?;
        if openings.is_empty() { Err(fault("no moves".to_owned())) } else { Ok(openings) }
    }
}

/// The part of a line before `#`; one in a comment of PDN is kept.
fn without_comment(line: &str) -> &str {
    let end = line.find(['#', '{']).filter(|&at| line[at..].starts_with('#'));
    &line[..end.unwrap_or(line.len())]
}

fn position_of(variant: VariantId, text: &str) -> Option<Result<Game, PositionError>> {
    // `b6:d4` is a capture; no position has a number there.
    if text.as_bytes().get(1).is_some_and(u8::is_ascii_digit) {
        return None;
    }
    match position::game(variant, text) {
        Err(PositionError::Unknown { .. }) => None,
        read => Some(read),
    }
}

/// Whether the text is one of games that may go over several lines. `has_comment`: a line is a comment of a list.
fn is_pdn(lines: &[Line<'_>], has_comment: bool) -> bool {
    let others = || lines.iter().filter(|line| line.position.is_none()).map(|line| line.text.trim_start());
    if others().next().is_none() {
        return false;
    }
    // The tag of a FEN is a position where there are nothing but positions, and begins a game otherwise.
    let has_tag = lines.iter().any(|line| line.text.trim_start().starts_with('['));
    let has_sign = others().any(|text| text.starts_with(['{', '(', ';', '%']));
    let is_first = |text: &str| text.starts_with("1.") && !text.starts_with("1..");
    let has_number = |text: &str| text.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with('.');
    let are_lines = others().all(is_first) || !others().any(has_number);
    let is_list = has_comment || lines.iter().any(|line| line.position.is_some());
    has_tag || has_sign || !(are_lines || is_list)
}

/// PDN games, played to their ends.
fn games(variant: VariantId, mut reader: PdnReader<'_>) -> Result<Vec<ListedOpening>, OpeningListError> {
    let games: Vec<pdn::PdnGame> = reader.by_ref().collect();
    if let Some(warning) = reader.into_warnings().into_iter().next() {
        return Err(warning.into());
    }
    let played = |game: &pdn::PdnGame| -> Result<ListedOpening, OpeningListError> {
        let replay = game.replay_as(variant)?;
        match &replay.stopped {
            Some(error) => Err(error.clone().into()),
            None => Ok(ListedOpening { line: game.place.line, game: replay.last().clone() }),
        }
    };
    games.iter().map(played).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use VariantId::{International, Russian};

    /// Line and moves of every opening.
    fn openings(text: &str) -> Vec<(usize, usize)> {
        let openings = read(International, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        openings.iter().map(|opening| (opening.line, opening.game.moves().len())).collect()
    }

    #[test]
    fn lines_are_openings_of_their_own() {
        let hub = format!("W{}{}{}", "b".repeat(20), "e".repeat(10), "w".repeat(20));
        let lines = format!("# all forms\n\n{hub}\n W:WK41:B20,33 # two\n1. 32-28 19-23 2. 28x19 #5\n");
        assert_eq!(openings(&lines), [(3, 0), (4, 0), (5, 3)]);
        assert_eq!(openings("\u{feff}1. 32-28 19-23\r\n1.33-29 *\r\n"), [(1, 2), (2, 1)]);
        assert_eq!(openings("32-28 {#1} 19-23\n33-29\n"), [(1, 2), (2, 1)]);
        assert_eq!(openings("1. 32-28 * 1. 33-29 *"), [(1, 1), (1, 1)]);
        // A comment or a position tells that the file is a list.
        assert_eq!(openings("# two\n1. 32-28 19-23\n33-29\n"), [(2, 2), (3, 1)]);
        assert_eq!(openings("W:WK41:B20,33\n1. 32-28 19-23\n33-29\n"), [(1, 0), (2, 2), (3, 1)]);
        // Tags of positions, but where moves follow.
        assert_eq!(openings("[FEN \"W:W31,32:B1,2\"]\nW:W33,34:B1,2\n"), [(1, 0), (2, 0)]);
    }

    #[test]
    fn games_go_over_several_lines() {
        assert_eq!(
            openings("[Event \"x\"]\n1. 32-28 *\n\n[Event \"y\"]\n1. 33-29 19-24 *\n"),
            [(1, 1), (4, 2)]
        );
        assert_eq!(openings("1. 32-28 19-23 2. 28x19\n14x23 3. 33-28 *\n1. 33-29 *\n"), [(1, 5), (3, 1)]);
        assert_eq!(openings("1. 32-28 19-23\n2. 28x19 14x23 *\n\n1. 33-29 *"), [(1, 4), (4, 1)]);
        assert_eq!(openings("1. 32-28\n1... 19-23\n"), [(1, 2)]);
        assert_eq!(openings("{a comment}\n1. 32-28\n"), [(1, 1)]);
        let start = read(International, "[FEN \"W:W31,32:B1,2\"]\n1. 31-27 *\n").unwrap();
        assert_eq!((start.len(), start[0].game.position().turn()), (1, Color::Black));
        // The second line is no FEN.
        let text = "1. c3-d4 f6-e5 2. d4:f6\ne7:g5 3. b2-c3\nb6-a5 *";
        assert_eq!(read(Russian, text).map(|list| list[0].game.moves().len()), Ok(6));
    }

    #[test]
    fn faults_are_named_with_their_line() {
        for (text, part) in [
            ("32-28\n32-29\n", "line 2, column 1: move \"32-29\" is not legal"),
            ("[Event \"x\"]\n1. 32-28 huh *\n", "line 2, column 10: \"huh\" is no part of a game"),
            ("1. 32-28 huh *", "line 1, column 10: \"huh\""),
            ("W:W31-50:B1-20\n\nW:W1:B2", "line 3: position \"W:W1:B2\": "),
            ("W:W31-51:B1", "line 1: "),
            ("33-29\n*\n", "line 2: no moves"),
            ("[FEN \"W:W31-51:B1\"]\n1. 31-27 *", "line 1, column "),
            ("", "no opening found"),
            ("# nothing\n", "no opening found"),
        ] {
            let error = read(International, text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
