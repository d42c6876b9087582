//! The outputs of a plan, from the games and the results on the disk.

use super::collection::{Collection, CollectionSummary};
use super::game::GameAnalysis;
use super::html::PageWriter;
use super::journal::Journal;
use super::json::{CollectionLine, GameLine, MoveLine};
use super::run::{CollectionError, CollectionPlan, STANDARD_OUTPUT};
use super::source::{GamePlace, GameSource, PlannedGame};
use super::tree::{annotate, seconds};
use crate::engine::Options;
use crate::files::{Input, write_whole};
use crate::notation::pdn::{PdnGame, Replay, WriteOptions};
use crate::view::{json_line, text::variation};
use std::io::{self, Write};
use std::path::Path;

/// A game with its analysis.
pub(super) struct FinishedGame {
    pub place: GamePlace,
    pub pdn: PdnGame,
    pub replay: Option<Replay>,
    pub analysis: Option<GameAnalysis>,
    /// What is wrong with it first.
    pub fault: Option<String>,
}

impl FinishedGame {
    /// The analysis from what the journal knows.
    fn new(
        game: PlannedGame,
        options: &Options,
        journal: &mut Journal,
    ) -> Result<FinishedGame, CollectionError> {
        let number = game.place.game;
        let mut known = journal.known(number, game.key)?;
        let mut analysis = None;
        if let (Some(mut work), Some(replay)) = (game.work(), &game.replay) {
            while let Some(task) = work.next() {
                let facts = known.remove(&task).ok_or(CollectionError::Changed(number))?;
                work.put(task, facts);
            }
            let mut moves = work.moves();
            let seconds = seconds(&game.pdn, replay);
            for mv in &mut moves {
                mv.seconds = seconds.get(mv.ply - 1).copied().flatten();
            }
            analysis = Some(GameAnalysis::new(replay.game(), options, moves));
        }
        let PlannedGame { place, pdn, replay, fault, .. } = game;
        Ok(FinishedGame { place, pdn, replay, analysis, fault })
    }

    /// Why its moves could not be followed to their end.
    pub fn stopped(&self) -> Option<String> {
        self.replay.as_ref()?.stopped.as_ref().map(ToString::to_string)
    }

    /// The moves in PDN, whether or not they were analysed.
    pub fn moves(&self) -> Vec<String> {
        let sections = self.replay.iter().flat_map(Replay::sections);
        sections.flat_map(|game| variation(&game.beginning(), game.moves())).collect()
    }
}

impl CollectionPlan {
    /// Writes the outputs.
    pub(super) fn write(&self, journal: &mut Journal, out: &mut dyn Write) -> Result<(), CollectionError> {
        let mut each = |visit: &mut dyn FnMut(FinishedGame) -> io::Result<()>, path: &Path| {
            let mut games = GameSource::new(self);
            while let Some(game) = games.next_game()? {
                let game = FinishedGame::new(game, &self.options, journal)?;
                visit(game).map_err(CollectionError::io(path))?;
            }
            Ok(())
        };
        let standard = Path::new(STANDARD_OUTPUT);
        let has_output = self.outputs().next().is_some();
        if let Some(path) = self.pdn.as_deref().or((!has_output).then_some(standard)) {
            write_to(path, out, |file| each(&mut |game| self.write_pdn(game, file), path))?;
        }
        if let Some(path) = &self.json {
            write_to(path, out, |file| {
                let mut collection = Collection::default();
                each(&mut |game| write_json(&game, &self.files, &mut collection, file), path)?;
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
            write_to(path, out, |file| {
                let mut page = PageWriter::begin(file, &summary).map_err(CollectionError::io(path))?;
                each(&mut |game| page.game(&game), path)?;
                page.end().map_err(CollectionError::io(path))
            })?;
        }
        Ok(())
    }

    fn write_pdn(&self, mut game: FinishedGame, file: &mut dyn Write) -> io::Result<()> {
        if let (Some(replay), Some(analysis)) = (&game.replay, &game.analysis) {
            let notes = analysis.notes();
            annotate(&mut game.pdn, replay, &notes, self.earlier);
            // What is said of the moves holds for the variant of the command only.
            if let Some(variant) = self.variant
                && !notes.is_empty()
                && game.pdn.variant() != Ok(variant)
            {
                game.pdn.set_start(replay.game());
            }
        }
        file.write_all(game.pdn.write(WriteOptions { annotations: true, star: false }).as_bytes())
    }
}

/// Writes to standard output, or replaces a file as [`write_whole`] does, with errors of another kind.
fn write_to(
    path: &Path,
    out: &mut dyn Write,
    write: impl FnOnce(&mut dyn Write) -> Result<(), CollectionError>,
) -> Result<(), CollectionError> {
    if path == Path::new(STANDARD_OUTPUT) {
        return write(out);
    }
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
        collection.add(game.place.game, &game.pdn, &game.moves(), analysis);
    }
}

fn write_json(
    game: &FinishedGame,
    files: &[Input],
    collection: &mut Collection,
    file: &mut dyn Write,
) -> io::Result<()> {
    add(game, collection);
    let Some(analysis) = &game.analysis else { return Ok(()) };
    for mv in &analysis.moves {
        writeln!(file, "{}", json_line(&MoveLine::new(game.place.game, mv)))?;
    }
    let name = files.get(game.place.file).map(|input| input.path().display().to_string());
    let name = name.unwrap_or_default();
    writeln!(file, "{}", json_line(&GameLine::new(game, &name, analysis)))
}
