//! A book from games: which positions they reached, and with what results.

use super::error::BookError;
use super::runs::{Runs, Tally};
use super::{Book, BookHead, Entry, key, write_file};
use crate::board::Color;
use crate::notation::pdn::{PdnFault, PdnGame, PdnResult, Replay};
use crate::rules::{VariantId, play_in};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::io;
use std::path::Path;

/// Positions that are held in memory, some 100 MB.
const IN_MEMORY: usize = 1 << 20;
/// Ratings outside are none.
const RATINGS: std::ops::RangeInclusive<u16> = 1..=4000;

/// Which games and positions are taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ImportSettings {
    /// The rules; games that name others are left out.
    pub variant: VariantId,
    /// Plies of each game.
    pub plies: usize,
    /// A position is kept that so many of the games reached; those of a book that is merged are kept whatever they have.
    pub min_games: u64,
    /// The lowest rating of both players; games without ratings are left out then. 0: any.
    pub min_rating: u16,
    /// The first date, as in PDN: `2010`, `2010.06` or `2010.06.15`.
    pub since: Option<String>,
    /// The last date.
    pub until: Option<String>,
}

/// What became of the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ImportReport {
    /// All games.
    pub games: u64,
    /// Those that count.
    pub used: u64,
    /// Without a result.
    pub unfinished: u64,
    /// Of another variant, or from a start that is no position, or whose first move is not possible there.
    pub foreign: u64,
    /// Without a move.
    pub empty: u64,
    /// Excluded by date or rating.
    pub excluded: u64,
    /// With an illegal move: what comes before it counts. Part of `used`.
    pub faulty: u64,
    /// With a gap in the moves that what follows does not fit: what comes before it counts. Part of `used`.
    pub gaps: u64,
    /// With a position that is set up in mid-game: what comes before it counts. Part of `used`.
    pub setups: u64,
    /// Positions of the book.
    pub positions: u64,
}

/// An import in progress.
#[derive(Debug)]
pub struct Import {
    settings: ImportSettings,
    runs: Runs,
    report: ImportReport,
}

/// What one game adds.
enum Counted {
    Unfinished,
    Foreign,
    Empty,
    Excluded,
    Used { cut: Option<Cut>, positions: Vec<(u64, Tally)> },
}

/// Why a game counts up to some move only.
#[derive(Clone, Copy)]
enum Cut {
    Illegal,
    Gap,
    Setup,
}

impl Cut {
    fn of(replay: &Replay) -> Option<Cut> {
        if replay.sections().len() > 1 {
            return Some(Cut::Setup);
        }
        Some(match replay.stopped.as_ref()?.fault {
            PdnFault::Missing => Cut::Gap,
            // One that is no position.
            PdnFault::Fen(_) => Cut::Setup,
            _ => Cut::Illegal,
        })
    }
}

impl Import {
    /// Of games that are added one after the other; `out` is where the book will be. Files that hold what memory does not
    /// are made in its folder, without names.
    pub fn new(settings: ImportSettings, out: &Path) -> Import {
        Import { settings, runs: Runs::new(IN_MEMORY, out), report: ImportReport::default() }
    }

    /// Counts games, with all processors.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn add(&mut self, games: &[PdnGame]) -> Result<(), BookError> {
        let settings = &self.settings;
        let counted: Vec<Counted> = games.par_iter().map(|game| count(settings, game)).collect();
        for counted in counted {
            self.report.games += 1;
            match counted {
                Counted::Unfinished => self.report.unfinished += 1,
                Counted::Foreign => self.report.foreign += 1,
                Counted::Empty => self.report.empty += 1,
                Counted::Excluded => self.report.excluded += 1,
                Counted::Used { cut, positions } => {
                    self.report.used += 1;
                    match cut {
                        Some(Cut::Illegal) => self.report.faulty += 1,
                        Some(Cut::Gap) => self.report.gaps += 1,
                        Some(Cut::Setup) => self.report.setups += 1,
                        None => (),
                    }
                    for (key, tally) in positions {
                        self.runs.add(key, &tally)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// What has become of the games so far.
    pub fn report(&self) -> ImportReport {
        self.report
    }

    /// Writes the book: what was counted, and the values and games of another book.
    ///
    /// # Errors
    /// If a file cannot be read or written, or the book would be empty.
    pub fn finish(mut self, merge: Option<&Book>, out: &Path) -> Result<ImportReport, BookError> {
        let min_games = self.settings.min_games;
        let other = merge.map(Book::head);
        let head = BookHead {
            variant: self.settings.variant,
            has_values: other.is_some_and(|head| head.has_values),
            has_games: true,
            nodes: other.map_or(0, |head| head.nodes),
        };
        let mut positions = 0;
        let counted = self.runs.merged()?.map(|row| row.map(|(key, tally)| tally.entry(key)));
        let joined =
            Joined { left: counted.peekable(), right: merge.into_iter().flat_map(Book::entries).peekable() };
        // What the other book has was kept before.
        let is_known = |key| merge.is_some_and(|book| book.get(key).is_some());
        let is_rare = |entry: &Entry| entry.games.count() < min_games && !is_known(entry.key);
        let mut kept = joined.filter(|entry| !entry.as_ref().is_ok_and(is_rare)).peekable();
        // An empty book would take the place of a good one.
        if kept.peek().is_none() {
            return Err(BookError::Empty { games: min_games });
        }
        write_file(out, &head, kept.inspect(|_| positions += 1))?;
        self.report.positions = positions;
        Ok(self.report)
    }
}

/// Entries of two books in the order of their keys; what both know is added up.
struct Joined<L: Iterator, R: Iterator> {
    left: std::iter::Peekable<L>,
    right: std::iter::Peekable<R>,
}

impl<L: Iterator<Item = io::Result<Entry>>, R: Iterator<Item = Entry>> Iterator for Joined<L, R> {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<io::Result<Entry>> {
        let left = match self.left.peek() {
            Some(Err(_)) => return self.left.next(),
            Some(Ok(entry)) => Some(entry.key),
            None => None,
        };
        match (left, self.right.peek().map(|entry| entry.key)) {
            (Some(left), Some(right)) if left == right => {
                let (counted, known) = (self.left.next()?, self.right.next()?);
                Some(counted.map(|counted| {
                    let mut games = known.games;
                    games += counted.games;
                    Entry { games, ..known }
                }))
            }
            (Some(left), right) if right.is_none_or(|right| left < right) => self.left.next(),
            _ => self.right.next().map(Ok),
        }
    }
}

/// The positions of a game.
fn count(settings: &ImportSettings, game: &PdnGame) -> Counted {
    let variant = settings.variant;
    let is_named = game.tags.known(&["GameType", "Variant"]).is_some();
    if is_named && game.variant() != Ok(variant) {
        return Counted::Foreign;
    }
    let winner = match game.result(variant) {
        PdnResult::Win(color) => Some(color),
        PdnResult::Draw => None,
        _ => return Counted::Unfinished,
    };
    let ratings = Color::ALL.map(|color| rating(game, color));
    if !is_in_time(settings, game.tags.known(&["Date"]))
        || ratings.iter().any(|rating| rating.unwrap_or(0) < settings.min_rating)
    {
        return Counted::Excluded;
    }
    let Ok(replay) = game.replay_as(variant) else { return Counted::Foreign };
    let played = replay.game();
    // One of another variant may have no tag that says so, and a game without moves has reached nothing.
    if played.moves().is_empty() {
        return if replay.stopped.is_some() { Counted::Foreign } else { Counted::Empty };
    }
    let mut position = *played.start();
    let mut positions: Vec<(u64, Tally)> = Vec::new();
    for ply in 0..=settings.plies {
        if ply > 0 {
            let Some(&mv) = played.moves().get(ply - 1) else { break };
            position = play_in(variant, &position, mv);
        }
        let key = key(variant, &position);
        // A position that comes again is still one game.
        if positions.iter().any(|&(other, _)| other == key) {
            continue;
        }
        let mover = position.turn();
        let result = winner.map_or(1, |winner| if winner == mover { 0 } else { 2 });
        let mut tally = Tally::default();
        tally.results[result] = 1;
        // Nobody moved to the position in which the game begins.
        if let Some(rating) = ratings[mover.opponent().index()].filter(|_| ply > 0) {
            (tally.rated, tally.ratings) = (1, rating.into());
        }
        positions.push((key, tally));
    }
    Counted::Used { cut: Cut::of(&replay), positions }
}

/// The rating of a player, if a tag has it.
fn rating(game: &PdnGame, color: Color) -> Option<u16> {
    let text = game.tags.known(match color {
        Color::White => &["WhiteElo", "WhiteRating"],
        Color::Black => &["BlackElo", "BlackRating"],
    })?;
    text.trim().parse().ok().filter(|rating| RATINGS.contains(rating))
}

/// Whether a date lies within those of the settings; an unknown one does only where none is asked for.
fn is_in_time(settings: &ImportSettings, date: Option<&str>) -> bool {
    let date = numbers(date.unwrap_or(""));
    // As many numbers as the limit has: 2010 means the whole year.
    let compared = |limit: &String| {
        let limit = numbers(limit);
        date.get(..limit.len()).map(|start| start.cmp(&limit[..]))
    };
    settings.since.as_ref().is_none_or(|since| compared(since).is_some_and(Ordering::is_ge))
        && settings.until.as_ref().is_none_or(|until| compared(until).is_some_and(Ordering::is_le))
}

/// Year, month and day of a date as PDN writes it, as far as they are known: `2010.5.??` is 2010 and 5. Nothing, if it does
/// not begin with a year of four digits.
fn numbers(date: &str) -> Vec<u16> {
    let mut parts = date.trim().split('.');
    let Some(year) = parts.next().filter(|year| year.len() == 4) else { return Vec::new() };
    let known = std::iter::once(year).chain(parts.take(2)).map(|part| part.parse().ok());
    known.map_while(|number: Option<u16>| number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Games;
    use crate::game::Game;
    use crate::notation::moves;
    use crate::notation::pdn::read_games;
    use crate::score::Score;

    const V: VariantId = VariantId::International;

    fn settings() -> ImportSettings {
        ImportSettings { variant: V, plies: 40, min_games: 1, min_rating: 0, since: None, until: None }
    }

    fn imported(settings: ImportSettings, text: &str, merge: Option<&Book>) -> (Book, ImportReport) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.book");
        let mut import = Import::new(settings, &path);
        import.add(&read_games(text).0).unwrap();
        let report = import.finish(merge, &path).unwrap();
        let book = Book::from_bytes(std::fs::read(&path).unwrap()).unwrap();
        book.check().unwrap();
        assert_eq!(report.positions, book.len() as u64);
        (book, report)
    }

    fn after(list: &str) -> Game {
        let mut game = Game::new(V);
        for text in list.split_whitespace() {
            game.play(moves::read(V, game.position(), text).unwrap()).unwrap();
        }
        game
    }

    const GAMES: &str = "
[WhiteElo \"2000\"] [BlackElo \"1800\"] [Date \"2010.05.??\"] 1. 32-28 19-23 2. 28x19 14x23 2-0
[WhiteElo \"2200\"] [Date \"2012.05.01\"] 1. 33-28 18-23 0-2
[Date \"????.??.??\"] 1. 32-28 18-23 1-1
[GameType \"21\"] 1. 11-15 1-0
1. 32-28 *
1. 32-28 19-24 2. 31-31 1-1";

    #[test]
    fn games_are_counted_for_the_side_to_move() {
        let (book, report) = imported(settings(), GAMES, None);
        let expected = ImportReport {
            games: 6,
            used: 4,
            unfinished: 1,
            foreign: 1,
            faulty: 1,
            positions: report.positions,
            ..ImportReport::default()
        };
        assert_eq!(report, expected);
        let start = book.get(key(V, Game::new(V).position())).unwrap().games;
        assert_eq!(start, Games { wins: 1, draws: 2, losses: 1, rating: None }, "nobody moved there");
        let first = book.moves(after("").position());
        assert_eq!(first.len(), 2);
        // 32-28 was played in three games, by a player with 2000 in one of them.
        let games = Games { wins: 1, draws: 2, losses: 0, rating: Some(2000) };
        assert_eq!((first[0].games, first[0].value, first[0].depth), (games, None, 0));
        assert_eq!(moves::write(V, after("").position(), first[0].mv), "32-28");
        let second = book.moves(after("32-28").position());
        assert_eq!(second.iter().map(|mv| mv.games.count()).collect::<Vec<_>>(), [1, 1, 1]);
    }

    #[test]
    fn games_in_which_no_move_can_be_played_are_left_out() {
        let others = "1. c3-d4 d6-c5 1-0\n\n1. 11-15 23-19 1-0\n\n[Event \"none\"] 1-0\n\n
[FEN \"W:W31:B1\"] /FEN \"W:W32:B1\"/ 1. 32-28 2-0\n\n";
        let gap = "1. 32-28 ... 2. 1-50 2-0\n\n";
        let setup = "1. 32-28 /FEN \"W:W31:B1\"/ 31-27 2-0\n\n";
        let text = format!("{others}{gap}{setup}1. 32-28 1-50 2-0");
        let (book, report) = imported(settings(), &text, None);
        let expected =
            ImportReport { games: 7, used: 3, foreign: 2, empty: 2, gaps: 1, setups: 1, faulty: 1, ..report };
        assert_eq!(report, expected);
        assert_eq!(book.get(key(V, Game::new(V).position())).unwrap().games.count(), 3);
        assert_eq!(book.len(), 2, "the start and 32-28");
    }

    #[test]
    fn a_position_that_comes_again_is_one_game() {
        // The kings go to and fro; a rating of 9,999 is none.
        let text =
            "[WhiteElo \"9999\"] [FEN \"W:WK26:BK35\"] 1. 26-31 35-30 2. 31-26 30-35 3. 26-31 35-30 1-1";
        let (book, report) = imported(settings(), text, None);
        assert_eq!((report.used, book.len()), (1, 4));
        assert!(book.entries().all(|entry| entry.games.count() == 1 && entry.games.rating.is_none()));
    }

    #[test]
    fn filters() {
        let count = |settings| imported(settings, GAMES, None).1.used;
        assert_eq!(count(ImportSettings { since: Some("2011".into()), ..settings() }), 1);
        assert_eq!(count(ImportSettings { until: Some("2011".into()), ..settings() }), 1);
        assert_eq!(
            count(ImportSettings { since: Some("2010.05.01".into()), ..settings() }),
            1,
            "an unknown day"
        );
        let dated = |date: &str, since: Option<&str>, until: Option<&str>| {
            let owned = |text: Option<&str>| text.map(str::to_owned);
            is_in_time(&ImportSettings { since: owned(since), until: owned(until), ..settings() }, Some(date))
        };
        // Numbers are compared, not letters, and what begins with no year is no date.
        assert!(dated("2010.5.1", None, Some("2010.06")) && !dated("2010.5.1", Some("2010.11"), None));
        assert!(!dated("15.06.2012", None, Some("2010")) && !dated("2010.5", Some("2010.05.01"), None));
        assert!(dated("2010.05.17", Some("2010.05"), Some("2010.05.17")) && dated("?", None, None));
        assert_eq!(count(ImportSettings { min_rating: 1800, ..settings() }), 1);
        let (book, _) = imported(ImportSettings { plies: 1, ..settings() }, GAMES, None);
        assert_eq!(book.len(), 3);
        let (book, _) = imported(ImportSettings { min_games: 2, ..settings() }, GAMES, None);
        assert_eq!(book.len(), 2, "the start and 32-28");
    }

    #[test]
    fn a_searched_book_keeps_its_values() {
        let position = *after("32-28").position();
        let unknown = *after("34-30").position();
        let mut entries = [(position, 7), (unknown, -9)].map(|(position, value)| Entry {
            key: key(V, &position),
            value: Some(Score::from_centi(value)),
            ..Entry::default()
        });
        entries.sort_by_key(|entry| entry.key);
        let head = BookHead { variant: V, has_values: true, has_games: false, nodes: 5 };
        let mut bytes = Vec::new();
        crate::book::write(&head, entries.into_iter().map(Ok), &mut bytes).unwrap();
        let searched = Book::from_bytes(bytes).unwrap();
        let (book, _) = imported(ImportSettings { min_games: 3, ..settings() }, GAMES, Some(&searched));
        assert_eq!((book.len(), book.head().nodes), (3, 5));
        let both = book.get(key(V, &position)).unwrap();
        assert_eq!((both.value, both.games.count()), (Some(Score::from_centi(7)), 3));
        assert_eq!(book.get(key(V, &unknown)).unwrap().games.count(), 0);
        // Once more: games add up.
        let (twice, _) = imported(settings(), GAMES, Some(&book));
        assert_eq!(twice.get(key(V, &position)).unwrap().games.count(), 6);
    }

    #[test]
    fn a_merged_book_is_kept_whole() {
        let (first, _) = imported(settings(), GAMES, None);
        let (both, _) = imported(ImportSettings { min_games: 3, ..settings() }, GAMES, Some(&first));
        assert_eq!(both.len(), first.len());
        for entry in first.entries() {
            assert_eq!(both.get(entry.key).unwrap().games.count(), 2 * entry.games.count());
        }
        // A new position needs its games still.
        let more = "1. 34-30 20-25 1-1";
        let (both, _) = imported(ImportSettings { min_games: 2, ..settings() }, more, Some(&first));
        assert_eq!(both.len(), first.len());
    }
}
