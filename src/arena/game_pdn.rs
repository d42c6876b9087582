//! The PDN file of a match: tags, moves, and behind each move its evaluation, time, depth and nodes.

use super::record::{GameRecord, MoveNote, ReplayError};
use super::store::MatchHeader;
use crate::board::Color;
use crate::files::write_whole;
use crate::game::GameResult;
use crate::notation::pdn::{self, PdnEvaluation, PdnGame, TimeControlTag, WriteOptions};
use crate::rules::VariantId;
use crate::score::Score;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// A game with tags for players, opening, time control and reason, and a comment behind every move:
/// `[%eval 0.12] [%emt 0.021] [%clk 0:00:59.4] depth 11, nodes 120412`, the evaluation from White's view.
///
/// # Errors
/// When the record is no game of the variant.
pub fn pdn_text(
    header: &MatchHeader,
    variant: VariantId,
    record: &GameRecord,
) -> Result<String, ReplayError> {
    let game = record.replay(variant)?;
    let mut pdn = PdnGame::from(&game);
    let result = match record.result {
        GameResult::Draw => pdn::PdnResult::Draw,
        GameResult::White => pdn::PdnResult::Win(Color::White),
        GameResult::Black => pdn::PdnResult::Win(Color::Black),
    };
    let result = result.text(variant).to_owned();
    let engine = |number: usize| header.engines.get(number);
    let name = |number: usize| engine(number).map_or("?", |engine| engine.name.as_str());
    let limits = |number: usize| engine(number).map_or("?", |engine| engine.limits.as_str());
    pdn.tags.set(
        "Event",
        format!("{} - {}", name(record.white.min(record.black)), name(record.white.max(record.black))),
    );
    pdn.tags.set("Date", pdn::date(record.ended));
    pdn.tags.set("Round", record.game.to_string());
    pdn.tags.set("White", name(record.white));
    pdn.tags.set("Black", name(record.black));
    pdn.tags.set("Result", result.clone());
    // No moves: some readers take everything in the text that looks like a move for one.
    pdn.tags.set("OpeningPlies", record.book.to_string());
    pdn.tags.set("WhiteTimeControl", limits(record.white));
    pdn.tags.set("BlackTimeControl", limits(record.black));
    if limits(record.white) == limits(record.black)
        && let Ok(control) = limits(record.white).parse::<TimeControlTag>()
    {
        pdn.tags.set("TimeControl", control.to_string());
    }
    let detail =
        record.detail.iter().map(|detail| format!(" ({})", without_moves(detail))).collect::<String>();
    pdn.tags.set("Termination", format!("{}{detail}", record.reason));
    let first = game.start().turn();
    for (index, entry) in pdn.line.entries.iter_mut().enumerate() {
        let color = if index % 2 == 0 { first } else { !first };
        match index.checked_sub(record.book).and_then(|index| record.notes.get(index)) {
            Some(note) => entry.comments.push(comment(note, color)),
            None => entry.comments.push("opening".to_owned()),
        }
    }
    pdn.terminator = Some(result);
    Ok(pdn.write(WriteOptions { annotations: true, star: false }))
}

/// A text in which nothing looks like a move any more: `32\u{2013}28` for `32-28`.
fn without_moves(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    let mut after_square = false;
    while let Some(c) = rest.next() {
        let between = after_square && rest.peek().is_some_and(char::is_ascii_alphanumeric);
        written.push(match c {
            '-' if between => '\u{2013}',
            'x' if between => '\u{d7}',
            c => c,
        });
        after_square = c.is_ascii_digit();
    }
    written
}

/// What is known about a move. Braces and brackets cannot occur in it.
fn comment(note: &MoveNote, color: Color) -> String {
    let &MoveNote(_, depth, nodes, used, left) = note;
    let mut text = String::new();
    // Writing to a string cannot fail.
    let after = |score: Score| {
        PdnEvaluation::after_move(color, f64::from(score.centi()) / 100.0, score.plies_to_end())
    };
    if let Some(evaluation) = note.score().and_then(after) {
        let _ = write!(text, "[%eval {evaluation}] ");
    }
    let _ = write!(text, "[%emt {used:.3}]");
    if let Some(left) = left {
        let _ = write!(text, " [%clk {}]", clock(left));
    }
    let more = [depth.map(|depth| format!("depth {depth}")), nodes.map(|nodes| format!("nodes {nodes}"))];
    let more: Vec<String> = more.into_iter().flatten().collect();
    if !more.is_empty() {
        let _ = write!(text, " {}", more.join(", "));
    }
    text
}

/// `h:mm:ss.s`
fn clock(seconds: f64) -> String {
    let tenths = (seconds * 10.0).floor() as u64;
    let (seconds, tenths) = (tenths / 10, tenths % 10);
    format!("{}:{:02}:{:02}.{tenths}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The PDN file of a running match. The results file is what counts: from it this file is written anew when a match
/// begins, goes on or ends, in one piece and in the order of the schedule; in between games are added as they end.
#[derive(Debug)]
pub struct PdnFile {
    path: PathBuf,
    file: File,
}

impl PdnFile {
    /// Writes the games that are there already. A file that exists is replaced only if it begins with one of them: it
    /// may be somebody's collection. One without anything in it is nobody's.
    ///
    /// # Errors
    /// When the file is not of this match, or cannot be written.
    pub fn create(path: &Path, games: &[String]) -> io::Result<PdnFile> {
        PdnFile::check(path, games)?;
        replace(path, games)?;
        Ok(PdnFile { path: path.to_owned(), file: OpenOptions::new().append(true).open(path)? })
    }

    /// Whether a file may be replaced by these games; see [`PdnFile::create`].
    ///
    /// # Errors
    /// When it is not of this match, or cannot be read.
    pub fn check(path: &Path, games: &[String]) -> io::Result<()> {
        if is_of_match(path, games)? {
            return Ok(());
        }
        Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            "it exists already and does not begin with a game of this match; name another file",
        ))
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, game: &str) -> io::Result<()> {
        self.file.write_all(game.as_bytes())
    }

    /// Writes the whole file in order.
    ///
    /// # Errors
    /// When it cannot be written; the old file is still there then.
    pub fn finish(self, games: &[String]) -> io::Result<()> {
        // On a terminal or in a pipe all games stand already.
        if self.file.metadata()?.is_file() { replace(&self.path, games) } else { Ok(()) }
    }
}

/// Whether a file begins with one of these games, or with what could be written of it, if there is anything in it.
fn is_of_match(path: &Path, games: &[String]) -> io::Result<bool> {
    if !fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() > 0) {
        return Ok(true);
    }
    let longest = games.iter().map(String::len).max().unwrap_or(0);
    let mut start = Vec::new();
    File::open(path)?.take(longest as u64).read_to_end(&mut start)?;
    Ok(games.iter().map(String::as_bytes).any(|game| start.starts_with(game) || game.starts_with(&start)))
}

fn replace(path: &Path, games: &[String]) -> io::Result<()> {
    write_whole(path, |file| games.iter().try_for_each(|game| file.write_all(game.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::super::record::Reason;
    use super::super::store::EngineHeader;
    use super::*;
    use pdn::{PdnCommand, PdnEvaluation};
    use std::time::Duration;

    #[test]
    fn only_files_of_the_match_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pdn");
        let games = ["[Event \"A - B\"]\n1. 32-28 *\n", "[Event \"B - A\"]\n1. 32-27 *\n"].map(str::to_owned);
        // What the file holds, and whether a match of these games may replace it.
        for (text, goes) in [
            (String::new(), true),
            (games[1].clone(), true),
            (games[1].clone() + &games[0], true),
            // A sudden end.
            (games[0][..20].to_owned(), true),
            (games[0].replace("28", "27"), false),
            ("[Event \"A - B\"]\n1. 31-27 *\n".to_owned(), false),
            ("{\"kroon_match\":1}\n".to_owned(), false),
        ] {
            fs::write(&path, &text).unwrap();
            assert_eq!(PdnFile::create(&path, &games).is_ok(), goes, "{text}");
            assert_eq!(fs::read_to_string(&path).unwrap(), if goes { games.concat() } else { text });
        }
        // A match that begins replaces nothing.
        assert!(PdnFile::create(&path, &[]).is_err());
        fs::remove_file(&path).unwrap();
        assert!(PdnFile::create(&path, &[]).is_ok());
    }

    #[test]
    fn a_game_can_be_read_again() {
        let engine = |name: &str| EngineHeader {
            name: name.into(),
            what: name.into(),
            program: "kroon 1".into(),
            limits: "60+1".into(),
            margin: "0".into(),
        };
        let header = MatchHeader {
            kroon_match: MatchHeader::VERSION,
            variant: "international".into(),
            engines: vec![engine("A"), engine("B \"2\"")],
            openings: "ballot2".into(),
            screened_by: None,
            seed: 1,
            shard: None,
            earlier: Vec::new(),
            format: "round-robin".into(),
            rules: String::new(),
        };
        let record = GameRecord {
            game: 8,
            white: 1,
            black: 0,
            result: GameResult::White,
            reason: Reason::Crash,
            detail: Some("crashed: signal 9 {really} 32-29 14x-3".into()),
            ended: 0,
            fen: None,
            left: None,
            book: 2,
            moves: "32-28 19-23 28x19x23 14x23x19".into(),
            notes: vec![
                MoveNote(Some(12), Some(9), Some(1234), 0.0213, Some(59.97)),
                MoveNote(Some(9989), None, None, 1.0, None),
            ],
        };
        let text = pdn_text(&header, VariantId::International, &record).unwrap();
        let (games, warnings) = pdn::read_games(&text);
        assert!(warnings.is_empty() && games.len() == 1, "{warnings:?}");
        let game = &games[0];
        for (tag, value) in [
            ("White", "B \"2\""),
            ("Black", "A"),
            ("Result", "2-0"),
            ("OpeningPlies", "2"),
            ("TimeControl", "60+1"),
            ("Termination", "crash (crashed: signal 9 {really} 32\u{2013}29 14x-3)"),
            ("Round", "8"),
        ] {
            assert_eq!(game.tags.get(tag), Some(value), "{text}");
        }
        let replay = game.replay().unwrap();
        assert_eq!((replay.plies(), replay.stopped), (4, None));
        let (commands, rest) = pdn::commands(&game.line.entries[2].comments[0]);
        assert_eq!(rest, "depth 9, nodes 1234");
        assert_eq!(commands[0], PdnCommand::Evaluation(PdnEvaluation::Men(0.12)));
        assert_eq!(commands[1], PdnCommand::MoveTime(Duration::from_millis(21)));
        assert_eq!(commands[2], PdnCommand::Remaining(Duration::from_millis(59_900)));
        // Black sees a win in 11 plies, which is a loss in 5 moves for White when one of the 6 is played.
        let (commands, _) = pdn::commands(&game.line.entries[3].comments[0]);
        assert_eq!(commands[0], PdnCommand::Evaluation(PdnEvaluation::WinIn(-5)));
    }
}
