//! The analysis of whole files: searches first, with the results on the disk, then the outputs, all of them from there.
//!
//! The games are read anew for each pass, so that the memory does not grow with their number.

use super::journal::{Journal, JournalError, Known};
use super::player::Roster;
use super::search::Settings;
use super::source::{Found, GameSource};
use super::tree::Earlier;
use super::work::{Answer, Event, GameWork, Pool, Question};
use crate::arena::cancel::Cancel;
use crate::arena::player_kroon::KroonPlayer;
use crate::board::Color;
use crate::engine::{Engine, Options, OptionsError};
use crate::files::{Input, OutputError, check_outputs, is_replaced};
use crate::rules::VariantId;
use crate::words::counted;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// In place of an output's name: standard output.
pub(super) const STANDARD_OUTPUT: &str = "-";

/// Files to analyse, and where the results go. The name `-` is that of standard output.
#[derive(Clone, Debug)]
pub struct CollectionPlan {
    /// The PDN files.
    pub files: Vec<Input>,
    /// Options of the engines; each of them has a transposition table of its own.
    pub options: Options,
    /// What to analyse in each game, and how long.
    pub settings: Settings,
    /// Engines that work at the same time.
    pub threads: usize,
    /// Only the moves of this player; case, commas, points and the order of the names do not matter.
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
    /// Something is wrong with a file or a game; the analysis goes on.
    fn fault(&mut self, fault: &CollectionFault<'_>);
}

/// Something wrong with a file or with a game of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CollectionFault<'a> {
    /// The file; none for a game if the plan has one file.
    pub file: Option<&'a Path>,
    /// The number of the game in all files, and in its own.
    pub game: Option<[usize; 2]>,
    /// What is wrong.
    pub text: &'a str,
}

impl fmt::Display for CollectionFault<'_> {
    /// `game 12 ("second.pdn", game 2): ...`, without the brackets where there is one file.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.file.map(Path::display), self.game) {
            (Some(file), Some([game, number])) => write!(f, "game {game} (\"{file}\", game {number}): ")?,
            (Some(file), None) => write!(f, "\"{file}\": ")?,
            (None, Some([game, _])) => write!(f, "game {game}: ")?,
            (None, None) => (),
        }
        f.write_str(self.text)
    }
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
    /// An output cannot be written, or would replace an input or another output.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// There is nothing to analyse.
    #[error("no game found in {0}")]
    NoGame(String),
    /// Every game breaks off. The outputs are written, with what could be followed.
    #[error("no game could be followed to its end; the outputs have what comes before")]
    NoWhole,
    /// The player is in no game.
    #[error("none of the {games} games is of {player}: {names}")]
    NoPlayer {
        /// Games in the files.
        games: usize,
        /// The name that was looked for.
        player: String,
        /// Names in the files.
        names: String,
    },
    /// Every game ends before the ply from which on moves are analysed.
    #[error("no game has a ply {0}: there is nothing to analyse")]
    NoPly(usize),
    /// The options cannot be followed in the variant of a game.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// The results on the disk.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The results on the disk do not have all moves of a game: the files have changed.
    #[error("game {0} has changed while it was analysed")]
    Changed(usize),
}

impl CollectionError {
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> CollectionError {
        let path = path.display().to_string();
        move |source| CollectionError::Io { path: path.clone(), source }
    }
}

impl CollectionPlan {
    /// Analyses and writes the outputs; without any the annotated games go to `out`. Says whether it came to its end: not
    /// if it was cancelled. Then, and after any sudden end, the same plan goes on where it was, if it has a
    /// [`journal`](CollectionPlan::journal).
    ///
    /// # Errors
    /// When a file cannot be read or written, there is no game of the player, the weights cannot be used for the variant of
    /// a game, or the journal is of another plan. And when no game could be followed to its end; then the outputs are
    /// written.
    pub fn run(
        &self,
        cancel: &Cancel,
        listener: &mut dyn CollectionListener,
        out: &mut dyn Write,
    ) -> Result<bool, CollectionError> {
        self.check_outputs()?;
        let Some(Survey { totals, variants, whole }) = self.survey(cancel, listener)? else {
            return Ok(false);
        };
        for &variant in &variants {
            self.options.check(variant)?;
        }
        self.tell_tables(&variants, listener);
        let path = self.journal();
        let what = self.what(&variants);
        let mut journal = match &path {
            Some(path) => Journal::open(path, &what)?,
            None => Journal::temporary(&what)?,
        };
        if !self.search(totals, &mut journal, cancel, listener)? {
            return Ok(false);
        }
        self.write(&mut journal, out)?;
        drop(journal);
        if let Some(path) = path {
            // The outputs are complete; a journal that stays would only be read again.
            let _ = std::fs::remove_file(path);
        }
        if whole > 0 { Ok(true) } else { Err(CollectionError::NoWhole) }
    }

    /// Where the results are while it runs, so that it can go on after an interruption: beside the first output that is a
    /// file. Without one they are lost then.
    pub fn journal(&self) -> Option<PathBuf> {
        let is_file = |path: &&Path| *path != Path::new(STANDARD_OUTPUT) && is_replaced(path);
        self.outputs().find(is_file).map(journal_path)
    }

    pub(super) fn outputs(&self) -> impl Iterator<Item = &Path> {
        [&self.pdn, &self.html, &self.json].into_iter().filter_map(|output| output.as_deref())
    }

    fn check_outputs(&self) -> Result<(), OutputError> {
        let is_standard = |path: &&Path| *path == Path::new(STANDARD_OUTPUT);
        if self.outputs().filter(is_standard).count() > 1 {
            return Err(OutputError::Twice(STANDARD_OUTPUT.to_owned()));
        }
        let journal = self.journal();
        let outputs = self.outputs().filter(|path| !is_standard(path)).chain(journal.as_deref());
        check_outputs(self.files.iter().map(Input::path), outputs)
    }

    /// Tells which endgame tables cannot be used; the searches do without them.
    fn tell_tables(&self, variants: &[VariantId], listener: &mut dyn CollectionListener) {
        let mut engine = Engine::new(Options { hash_mb: 1, threads: 1, ..self.options.clone() });
        let mut told: Vec<String> = Vec::new();
        for &variant in variants {
            engine.tables(variant);
            // A folder that is missing is missing for all variants.
            if let Some(text) = engine.table_fault().filter(|text| !told.contains(text)) {
                listener.fault(&CollectionFault { file: None, game: None, text: &text });
                told.push(text);
            }
        }
    }

    /// Everything that the results depend on, if the games are of these variants.
    fn what(&self, variants: &[VariantId]) -> String {
        let Settings { limits, multipv, side, from_ply } = self.settings;
        let player = KroonPlayer::from(self.options.clone());
        let mut what = String::new();
        for &variant in variants {
            what.push_str(&format!("{variant}: {}, ", player.program(variant)));
        }
        what.push_str(&format!("multipv {multipv}, from ply {from_ply}"));
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

    /// Reads all games once, counts them, gathers their variants, and tells what is wrong with them and their
    /// variations; none if it was cancelled.
    fn survey(
        &self,
        cancel: &Cancel,
        listener: &mut dyn CollectionListener,
    ) -> Result<Option<Survey>, CollectionError> {
        let mut variants = Vec::new();
        let mut whole = 0;
        let mut totals =
            CollectionProgress { game: 0, in_game: [0; 2], searched: 0, moves: [0; 2], games: 0 };
        let mut roster = Roster::default();
        let mut is_player_seen = self.player.is_none();
        let mut source = GameSource::new(self);
        while let Some(found) = source.next()? {
            if cancel.is_cancelled() {
                return Ok(None);
            }
            match found {
                Found::Game(game) => {
                    totals.games = game.place.game;
                    let variant = game.replay.as_ref().map(|replay| replay.last().variant());
                    variants.extend(variant.filter(|variant| !variants.contains(variant)));
                    totals.moves[1] += game.work().map_or(0, |work| work.progress()[1]);
                    whole += usize::from(game.is_whole());
                    is_player_seen |= game.is_chosen;
                    if !is_player_seen {
                        Color::ALL.into_iter().filter_map(|color| game.pdn.player(color)).for_each(|name| {
                            roster.add(name);
                        });
                    }
                    for text in game.fault.iter().chain(&game.warning).chain(&game.variation_faults()) {
                        let file =
                            self.files.get(game.place.file).filter(|_| self.files.len() > 1).map(Input::path);
                        let numbers = [game.place.game, game.place.number];
                        listener.fault(&CollectionFault { file, game: Some(numbers), text });
                    }
                }
                Found::End { file, games, fault } => {
                    let empty = (games == 0 && self.files.len() > 1).then(|| "no game found".to_owned());
                    let file = self.files.get(file).map(Input::path);
                    for text in fault.iter().chain(&empty) {
                        listener.fault(&CollectionFault { file, game: None, text });
                    }
                }
            }
        }
        let games = totals.games;
        if games == 0 {
            return Err(CollectionError::NoGame(match self.files.as_slice() {
                [input] => format!("\"{}\"", input.path().display()),
                files => counted(files.len() as u64, "file"),
            }));
        }
        match &self.player {
            Some(player) if !is_player_seen => {
                let (player, names) = (crate::words::quote(player), roster.instead_of(player));
                Err(CollectionError::NoPlayer { games, player, names })
            }
            _ if totals.moves[1] == 0 && self.settings.from_ply > 1 => {
                Err(CollectionError::NoPly(self.settings.from_ply))
            }
            _ => Ok(Some(Survey { totals, variants, whole })),
        }
    }

    /// Searches all moves that the journal does not know.
    fn search(
        &self,
        totals: CollectionProgress,
        journal: &mut Journal,
        cancel: &Cancel,
        listener: &mut dyn CollectionListener,
    ) -> Result<bool, CollectionError> {
        let pool = Pool { options: &self.options, settings: &self.settings, threads: self.threads, cancel };
        let games = GameSource::new(self);
        let mut desk = Desk { games, active: Vec::new(), journal, totals, listener };
        pool.run(&mut |event| match event {
            Event::Free => desk.next(),
            Event::Found(answer) => desk.put(answer).map(|()| None),
        })
    }
}

/// What is in the files.
struct Survey {
    /// Games and moves.
    totals: CollectionProgress,
    variants: Vec<VariantId>,
    /// Games that could be followed to their end.
    whole: usize,
}

/// Where the results of a plan with this output are while it runs.
pub fn journal_path(output: &Path) -> PathBuf {
    let mut name = output.file_name().unwrap_or_default().to_owned();
    name.push(".journal");
    output.with_file_name(name)
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
            let Some(game) = self.games.next_game()? else { return Ok(None) };
            if let Some(work) = game.work() {
                let number = game.place.game;
                let known = self.journal.known(number, game.key)?;
                self.active.push(ActiveGame { number, key: game.key, work, known });
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
