//! The analysis of whole files: searches first, with the results on the disk, then the outputs, all of them from there.
//!
//! The games are read anew for each pass, so that the memory does not grow with their number.

use super::collection::{Collection, CollectionSummary};
use super::game::GameAnalysis;
use super::html::PageWriter;
use super::journal::{Journal, JournalError, Known};
use super::json::{CollectionLine, GameLine, MoveLine};
use super::search::Settings;
use super::tree::{Earlier, annotate, seconds};
use super::work::{Answer, Event, GameWork, Pool, Question, beginning};
use crate::arena::cancel::Cancel;
use crate::board::Color;
use crate::engine::{Options, PROGRAM};
use crate::files::write_whole;
use crate::notation::fen;
use crate::notation::pdn::{PdnGame, PdnStream, Replay, WriteOptions};
use crate::rules::VariantId;
use crate::view::{json_line, text::variation};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

/// Files to analyse, and where the results go.
#[derive(Clone, Debug)]
pub struct CollectionPlan {
    /// The PDN files.
    pub files: Vec<PathBuf>,
    /// Options of the engines; each of them has a transposition table of its own.
    pub options: Options,
    /// What to analyse in each game, and how long.
    pub settings: Settings,
    /// Engines that work at the same time.
    pub threads: usize,
    /// Only the moves of this player, upper or lower case.
    pub player: Option<String>,
    /// The variant, whatever the files say.
    pub variant: Option<VariantId>,
    /// The games with the analysis in them.
    pub pdn: Option<PathBuf>,
    /// What happens to the notes of an earlier analysis in the games.
    pub earlier: Earlier,
    /// The page.
    pub html: Option<PathBuf>,
    /// A line of JSON for each move and game.
    pub json: Option<PathBuf>,
}

/// How far an analysis of files is.
#[derive(Clone, Copy, Debug)]
pub struct CollectionProgress {
    /// The number of the game in which a move was done, from 1.
    pub game: usize,
    /// Its moves that are done, and all.
    pub in_game: [usize; 2],
    /// Searches of this run that are done.
    pub searched: usize,
    /// Moves that are done, those of earlier runs included, and all.
    pub moves: [usize; 2],
    /// Games in the files.
    pub games: usize,
}

/// Hears how an analysis goes.
pub trait CollectionListener {
    /// A move was done.
    fn progress(&mut self, progress: &CollectionProgress);
    /// Something is wrong with a game; the analysis goes on.
    fn fault(&mut self, game: usize, text: &str);
}

/// Why an analysis ended early.
#[derive(Debug, Error)]
pub enum CollectionError {
    /// A file cannot be read or written.
    #[error("\"{path}\": {source}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// An output would replace what is read.
    #[error("\"{0}\" is an input and an output: name another file")]
    SameFile(String),
    /// The results on the disk.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The results on the disk do not have all moves of a game: the files have changed.
    #[error("game {0} has changed while it was analysed")]
    Changed(usize),
}

impl CollectionError {
    fn io(path: &Path) -> impl Fn(io::Error) -> CollectionError {
        let path = path.display().to_string();
        move |source| CollectionError::Io { path: path.clone(), source }
    }
}

/// A game as it was read.
struct PlannedGame {
    number: usize,
    pdn: PdnGame,
    /// What can be analysed, if anything.
    replay: Option<Replay>,
    settings: Settings,
    /// A checksum of start and moves.
    key: u64,
    fault: Option<String>,
}

/// A game with its analysis.
pub(super) struct FinishedGame {
    pub number: usize,
    pub pdn: PdnGame,
    pub replay: Option<Replay>,
    pub analysis: Option<GameAnalysis>,
}

impl FinishedGame {
    /// The moves in PDN, whether or not they were analysed.
    pub fn moves(&self) -> Vec<String> {
        let sections = self.replay.iter().flat_map(Replay::sections);
        sections.flat_map(|game| variation(&beginning(game), game.moves())).collect()
    }
}

impl CollectionPlan {
    /// Analyses and writes the outputs; without any the annotated games go to `out`. Says whether it came to its end: not
    /// if it was cancelled. Then, and after any sudden end, the same plan goes on where it was: a journal beside the first
    /// output has the results so far.
    ///
    /// # Errors
    /// When a file cannot be read or written, or the journal is of another plan.
    pub fn run(
        &self,
        cancel: &Cancel,
        listener: &mut dyn CollectionListener,
        out: &mut dyn Write,
    ) -> Result<bool, CollectionError> {
        let outputs = [&self.pdn, &self.html, &self.json].map(Option::as_deref);
        self.check_outputs(outputs.into_iter().flatten())?;
        let path = outputs.into_iter().flatten().next().map(journal_path);
        let mut journal = match &path {
            Some(path) => Journal::open(path, &self.what())?,
            None => Journal::temporary(&self.what())?,
        };
        if !self.search(&mut journal, cancel, listener)? {
            return Ok(false);
        }
        self.write(&mut journal, out)?;
        drop(journal);
        if let Some(path) = path {
            // The outputs are complete; a journal that stays would only be read again.
            let _ = std::fs::remove_file(path);
        }
        Ok(true)
    }

    fn check_outputs<'a>(&self, outputs: impl Iterator<Item = &'a Path>) -> Result<(), CollectionError> {
        for output in outputs {
            let same = |file: &PathBuf| match (file.canonicalize(), output.canonicalize()) {
                (Ok(one), Ok(other)) => one == other && one.is_file(),
                _ => false,
            };
            if self.files.iter().any(same) {
                return Err(CollectionError::SameFile(output.display().to_string()));
            }
        }
        Ok(())
    }

    /// Everything that the results depend on.
    fn what(&self) -> String {
        let Settings { limits, multipv, side, from_ply } = self.settings;
        let mut what = format!("{PROGRAM}, multipv {multipv}, from ply {from_ply}");
        for (name, value) in [
            ("depth", limits.depth.map(|depth| depth.to_string())),
            ("nodes", limits.nodes.map(|nodes| nodes.to_string())),
            ("time", limits.move_time.map(|time| time.as_secs_f64().to_string())),
            ("side", side.map(|side| side.to_string())),
            ("player", self.player.clone()),
            ("variant", self.variant.map(|variant| variant.to_string())),
        ] {
            if let Some(value) = value {
                what.push_str(&format!(", {name} {value}"));
            }
        }
        for row in Options::ROWS.iter().filter(|row| !matches!(row.name, "threads" | "multipv")) {
            let value = row.value(&self.options).to_string();
            if value != row.value(&Options::default()).to_string() {
                what.push_str(&format!(", {} {value}", row.name));
            }
        }
        what
    }

    /// Calls `visit` for each game of the files, until it says that it is enough.
    fn visit(
        &self,
        visit: &mut dyn FnMut(PlannedGame) -> Result<bool, CollectionError>,
    ) -> Result<(), CollectionError> {
        let mut games = GameSource::new(self);
        while let Some(game) = games.next()? {
            if !visit(game)? {
                break;
            }
        }
        Ok(())
    }

    /// Decides what of a game is analysed.
    fn planned(&self, number: usize, pdn: PdnGame) -> PlannedGame {
        let mut game =
            PlannedGame { number, pdn, replay: None, settings: self.settings, key: 0, fault: None };
        if let Some(player) = &self.player {
            let is_player = |color| {
                game.pdn.player(color).is_some_and(|name| name.to_lowercase() == player.to_lowercase())
            };
            match Color::ALL.map(is_player) {
                [false, false] => return game,
                [true, true] => (),
                [white, _] => game.settings.side = Some(if white { Color::White } else { Color::Black }),
            }
        }
        let replay = match self.variant {
            Some(variant) => game.pdn.replay_as(variant),
            None => game.pdn.replay(),
        };
        match replay {
            Ok(replay) => {
                game.fault = replay.stopped.as_ref().map(ToString::to_string);
                game.key = checksum(&replay);
                game.replay = Some(replay);
            }
            Err(error) => game.fault = Some(error.to_string()),
        }
        game
    }

    /// Searches all moves that the journal does not know.
    fn search(
        &self,
        journal: &mut Journal,
        cancel: &Cancel,
        listener: &mut dyn CollectionListener,
    ) -> Result<bool, CollectionError> {
        let mut totals =
            CollectionProgress { game: 0, in_game: [0; 2], searched: 0, moves: [0; 2], games: 0 };
        self.visit(&mut |game| {
            totals.games = game.number;
            if let Some(fault) = &game.fault {
                listener.fault(game.number, fault);
            }
            totals.moves[1] += game.work().map_or(0, |work| work.progress()[1]);
            Ok(!cancel.is_cancelled())
        })?;
        let pool = Pool { options: &self.options, settings: &self.settings, threads: self.threads, cancel };
        let mut desk = Desk { games: GameSource::new(self), active: Vec::new(), journal, totals, listener };
        pool.run(&mut |event| match event {
            Event::Free => desk.next(),
            Event::Found(answer) => desk.put(answer).map(|()| None),
        })
    }

    /// Writes the outputs.
    fn write(&self, journal: &mut Journal, out: &mut dyn Write) -> Result<(), CollectionError> {
        let mut journal = Some(journal);
        let mut each = |visit: &mut dyn FnMut(FinishedGame) -> io::Result<()>, path: &Path| {
            let Some(journal) = journal.as_deref_mut() else { return Ok(()) };
            self.visit(&mut |game| {
                let game = game.finished(&self.options, journal)?;
                visit(game).map_err(CollectionError::io(path)).map(|()| true)
            })
        };
        if let Some(path) = &self.pdn {
            write_file(path, |file| each(&mut |game| write_pdn(game, self.earlier, file), path))?;
        }
        if let Some(path) = &self.json {
            write_file(path, |file| {
                let mut collection = Collection::default();
                each(&mut |game| write_json(&game, &mut collection, file), path)?;
                let line = json_line(&CollectionLine::new(collection.summary()));
                writeln!(file, "{line}").map_err(CollectionError::io(path))
            })?;
        }
        if let Some(path) = &self.html {
            let mut collection = Collection::default();
            each(
                &mut |game| {
                    add(&game, &mut collection);
                    Ok(())
                },
                path,
            )?;
            let summary: CollectionSummary = collection.summary();
            write_file(path, |file| {
                let mut page = PageWriter::begin(file, &summary).map_err(CollectionError::io(path))?;
                each(&mut |game| page.game(&game), path)?;
                page.end().map_err(CollectionError::io(path))
            })?;
        }
        if [&self.pdn, &self.json, &self.html].iter().all(|path| path.is_none()) {
            each(&mut |game| write_pdn(game, self.earlier, out), Path::new("standard output"))?;
        }
        Ok(())
    }
}

/// Where the results of a plan with this output are while it runs.
pub fn journal_path(output: &Path) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".journal");
    output.with_file_name(name)
}

/// Replaces a file as [`write_whole`] does, with errors of another kind.
fn write_file(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<(), CollectionError>,
) -> Result<(), CollectionError> {
    let mut failure = None;
    let written = write_whole(path, |file| {
        write(file).map_err(|error| {
            failure = Some(error);
            io::Error::other("see the other error")
        })
    });
    match (failure, written) {
        (Some(failure), _) => Err(failure),
        (None, written) => written.map_err(CollectionError::io(path)),
    }
}

fn add(game: &FinishedGame, collection: &mut Collection) {
    if let Some(analysis) = &game.analysis {
        collection.add(game.number, &game.pdn, &game.moves(), analysis);
    }
}

fn write_pdn(mut game: FinishedGame, earlier: Earlier, file: &mut dyn Write) -> io::Result<()> {
    if let (Some(replay), Some(analysis)) = (&game.replay, &game.analysis) {
        annotate(&mut game.pdn, replay, &analysis.notes(), earlier);
    }
    file.write_all(game.pdn.write(WriteOptions { annotations: true, star: false }).as_bytes())
}

fn write_json(game: &FinishedGame, collection: &mut Collection, file: &mut dyn Write) -> io::Result<()> {
    add(game, collection);
    let Some(analysis) = &game.analysis else { return Ok(()) };
    for mv in &analysis.moves {
        writeln!(file, "{}", json_line(&MoveLine::new(game.number, mv)))?;
    }
    writeln!(file, "{}", json_line(&GameLine::new(game.number, &game.pdn, analysis)))
}

/// A number for the start and the moves of a game.
fn checksum(replay: &Replay) -> u64 {
    let mut text = String::new();
    for game in replay.sections() {
        text.push_str(game.variant().name());
        text.push_str(&fen::write(game.variant(), game.start()));
        for mv in game.moves() {
            text.push_str(&format!(" {} {} {}", mv.from().index(), mv.to().index(), mv.captured().len()));
        }
    }
    xxh3_64(text.as_bytes())
}

/// The games of all files, numbered through.
struct GameSource<'a> {
    plan: &'a CollectionPlan,
    file: usize,
    stream: Option<PdnStream<File>>,
    number: usize,
}

impl<'a> GameSource<'a> {
    fn new(plan: &'a CollectionPlan) -> GameSource<'a> {
        GameSource { plan, file: 0, stream: None, number: 0 }
    }

    fn next(&mut self) -> Result<Option<PlannedGame>, CollectionError> {
        loop {
            let Some(path) = self.plan.files.get(self.file) else { return Ok(None) };
            let error = CollectionError::io(path);
            let stream = match &mut self.stream {
                Some(stream) => stream,
                none => none.insert(PdnStream::new(File::open(path).map_err(&error)?)),
            };
            let Some(pdn) = stream.next().transpose().map_err(&error)? else {
                self.file += 1;
                self.stream = None;
                continue;
            };
            self.number += 1;
            let warning = stream.take_warnings().first().map(ToString::to_string);
            let mut game = self.plan.planned(self.number, pdn);
            game.fault = game.fault.or(warning);
            return Ok(Some(game));
        }
    }
}

impl PlannedGame {
    fn work(&self) -> Option<GameWork> {
        self.replay.as_ref().map(|replay| GameWork::new(replay.sections(), &self.settings))
    }

    /// The analysis from what the journal knows.
    fn finished(self, options: &Options, journal: &mut Journal) -> Result<FinishedGame, CollectionError> {
        let mut known = journal.known(self.number, self.key)?;
        let mut analysis = None;
        if let (Some(mut work), Some(replay)) = (self.work(), &self.replay) {
            while let Some(task) = work.next() {
                let facts = known.remove(&task).ok_or(CollectionError::Changed(self.number))?;
                work.put(task, facts);
            }
            let mut moves = work.moves();
            let seconds = seconds(&self.pdn, replay);
            for mv in &mut moves {
                mv.seconds = seconds.get(mv.ply - 1).copied().flatten();
            }
            analysis = Some(GameAnalysis::new(replay.game(), options, moves));
        }
        let PlannedGame { number, pdn, replay, .. } = self;
        Ok(FinishedGame { number, pdn, replay, analysis })
    }
}

/// A game whose moves are being searched.
struct ActiveGame {
    number: usize,
    key: u64,
    work: GameWork,
    /// What earlier runs found out.
    known: Known,
}

/// Hands out the moves of one game after the other.
struct Desk<'a> {
    games: GameSource<'a>,
    active: Vec<ActiveGame>,
    journal: &'a mut Journal,
    totals: CollectionProgress,
    listener: &'a mut dyn CollectionListener,
}

impl Desk<'_> {
    fn next(&mut self) -> Result<Option<Question>, CollectionError> {
        loop {
            for game in &mut self.active {
                while let Some(task) = game.work.next() {
                    if let Some(facts) = game.known.remove(&task) {
                        game.work.put(task, facts);
                        self.totals.moves[0] += usize::from(task.look == 0);
                        continue;
                    }
                    let (before, played) = game.work.question(task);
                    return Ok(Some(Question { key: game.number, task, game: before, played }));
                }
            }
            self.active.retain(|game| !game.work.is_done());
            let Some(game) = self.games.next()? else { return Ok(None) };
            if let Some(work) = game.work() {
                let known = self.journal.known(game.number, game.key)?;
                self.active.push(ActiveGame { number: game.number, key: game.key, work, known });
            }
        }
    }

    fn put(&mut self, answer: Answer) -> Result<(), CollectionError> {
        let Answer { key, task, facts } = answer;
        let Some(game) = self.active.iter_mut().find(|game| game.number == key) else { return Ok(()) };
        self.journal.add(key, game.key, task, &facts)?;
        game.work.put(task, facts);
        self.totals.moves[0] += usize::from(task.look == 0);
        self.totals.searched += 1;
        let progress = CollectionProgress { game: key, in_game: game.work.progress(), ..self.totals };
        self.listener.progress(&progress);
        Ok(())
    }
}
