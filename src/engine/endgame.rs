//! The endgame tables of the engine: opened when a game needs them, and again when the options say others. At the root of
//! a search they choose among the moves, and their verdict is the least that is reported.

use super::{Mode, Options, Request, repetition};
use crate::board::Move;
use crate::game::Game;
use crate::rules::{VariantId, play_in};
use crate::score::Score;
use crate::search::{EndgameTables, Info, Observer};
use crate::tablebase::{self, Advice, FOLDERS_VARIABLE, TableFault, Tables, Timing, Value, Verdict};
use std::env;
use std::sync::Arc;

/// The tables of one variant.
#[derive(Debug)]
pub(super) struct LoadedTables {
    variant: VariantId,
    /// The options that decide which.
    folders: Option<String>,
    pieces: u8,
    tables: Arc<Tables>,
    faults: Vec<TableFault>,
}

impl LoadedTables {
    /// The tables that the options name for a variant: those that are open, if they are the same.
    pub fn load(loaded: &mut Option<LoadedTables>, variant: VariantId, options: &Options) -> Arc<Tables> {
        let is_same = |old: &&mut LoadedTables| {
            (old.variant, &old.folders, old.pieces) == (variant, &options.tables, options.bb_size)
        };
        if let Some(same) = loaded.as_mut().filter(is_same) {
            return same.tables.clone();
        }
        let folders = tablebase::folders(options.tables.as_deref().map(str::as_ref));
        let (tables, mut faults) = tablebase::load(variant, &folders, options.bb_size);
        // A folder that somebody has named is missed; a default one need not be there.
        let are_named = options.tables.is_some() || env::var_os(FOLDERS_VARIABLE).is_some();
        if are_named && options.bb_size > 0 {
            faults.extend(folders.iter().filter_map(|folder| tablebase::folder_fault(folder, variant, true)));
        }
        for fault in &faults {
            log::warn!("{fault}");
        }
        if !tables.is_empty() {
            log::info!("endgame: {tables}");
        }
        let tables = Arc::new(tables);
        let (folders, pieces) = (options.tables.clone(), options.bb_size);
        *loaded = Some(LoadedTables { variant, folders, pieces, tables: tables.clone(), faults });
        tables
    }

    /// Tables that somebody else has opened, for as long as the options stay.
    pub fn given(tables: Arc<Tables>, options: &Options) -> LoadedTables {
        let (folders, pieces) = (options.tables.clone(), options.bb_size);
        LoadedTables { variant: tables.variant(), folders, pieces, tables, faults: Vec::new() }
    }

    /// What cannot be used, if anything: the first fault and the number of others.
    pub fn fault(&self) -> Option<String> {
        let met = self.tables.fault();
        let mut faults = self.faults.iter().chain(met.as_ref());
        let first = faults.next()?;
        Some(match faults.count() {
            0 => first.to_string(),
            more => format!("{first} (and {more} more)"),
        })
    }
}

impl Options {
    /// Whether the endgame tables that they name for a variant can be used.
    ///
    /// # Errors
    /// When a folder that is named is missing, or a table is damaged; the text names the first and the number of others.
    pub fn check_tables(&self, variant: VariantId) -> Result<(), String> {
        // Those of the default folders need not be there.
        if self.tables.is_none() {
            return Ok(());
        }
        let mut loaded = None;
        LoadedTables::load(&mut loaded, variant, self);
        loaded.and_then(|loaded| loaded.fault()).map_or(Ok(()), Err)
    }
}

/// What the tables have to say in one search.
pub(super) struct Consultation<'a> {
    /// What the search asks below the root.
    pub endgame: EndgameTables<'a>,
    /// What they advise at the root; only where one variation is wanted.
    pub advice: Option<Advice>,
    /// Where several variations are wanted: the best moves in the order of the tables, if all are known.
    pub ranking: Vec<(Move, Verdict)>,
    /// The least that a report says: the verdict, unless a count of moves may end the game before it comes true.
    pub promise: Option<Score>,
}

impl<'a> Consultation<'a> {
    /// Asks the tables about the root of a search; they advise only where all moves are free to choose from (`is_free`).
    pub fn new(tables: &'a Tables, request: &Request, options: &Options, is_free: bool) -> Consultation<'a> {
        let (position, counters) = (request.game.position(), request.game.counters_to_play_on());
        let endgame = EndgameTables::new(tables, options.bb_size.into());
        let is_one = is_free && (options.multipv == 1 || request.mode != Mode::Analyze);
        let Some((advice, timing)) = is_one.then(|| endgame.advice(position, counters)).flatten() else {
            let is_several = is_free && !is_one && position.occupied().len() <= options.bb_size.into();
            let ranking =
                if is_several { ranking(tables, &request.game, options.multipv) } else { Vec::new() };
            return Consultation { endgame, advice: None, ranking, promise: None };
        };
        let by_position = advice.verdict;
        let advice = repetition::in_game(advice, &request.game, tables);
        // What the counts leave time for was asked for the advice as it was. A draw needs none of it, and another win is
        // followed from its own move on.
        let timing = match advice.verdict.value {
            Value::Draw => Timing::Enough,
            _ if advice.verdict == by_position => timing,
            _ => {
                let rules = request.game.variant().rules();
                let mv = advice.moves[0];
                let next = play_in(request.game.variant(), position, mv);
                tables.timing(&next, counters.after(rules, mv, &next))
            }
        };
        let plies = advice.verdict.distance.unwrap_or(0);
        let score = match advice.verdict.value {
            Value::Draw => Score::DRAW,
            Value::Win => Score::table_win(plies),
            Value::Loss => Score::table_loss(plies),
        };
        // A search from a position in the tables looks for the way out of it.
        let endgame = endgame.below(position);
        let promise = timing.is_certain().then_some(score);
        Consultation { endgame, advice: Some(advice), ranking: Vec::new(), promise }
    }
}

/// The `wanted` best moves by the tables and others that are as good: wins that come before a count of moves ends the game first, of
/// those the shortest, and the shortest loss last. Who loses has all moves to choose from: counts may help. None if a move is not
/// known.
fn ranking(tables: &Tables, game: &Game, wanted: usize) -> Vec<(Move, Verdict)> {
    let (position, rules, counters) = (game.position(), game.variant().rules(), game.counters_to_play_on());
    let place = |mv: Move, Verdict { value, distance }: Verdict| match value {
        Value::Win => {
            let next = play_in(game.variant(), position, mv);
            let doubt = match tables.timing(&next, counters.after(rules, mv, &next)) {
                _ if game.recent_keys().contains(&next.key()) => 2,
                Timing::Short => 2,
                timing => u8::from(!timing.is_certain()),
            };
            (0, doubt, distance.map_or(i64::MAX, i64::from))
        }
        Value::Draw => (1, 0, 0),
        Value::Loss => (2, 0, distance.map_or(0, |plies| -i64::from(plies))),
    };
    let placed = |(mv, verdict): (Move, Option<Verdict>)| {
        let verdict = verdict?;
        Some((place(mv, verdict), (mv, verdict)))
    };
    let moves: Option<Vec<_>> = tables.moves(position).into_iter().map(placed).collect();
    let mut moves = moves.unwrap_or_default();
    moves.sort_by_key(|&(place, _)| place);
    if let Some(&(last, (_, verdict))) = moves.get(wanted.saturating_sub(1))
        && verdict.value != Value::Loss
    {
        moves.retain(|&(place, _)| place <= last);
    }
    moves.into_iter().map(|(_, mv)| mv).collect()
}

/// Stands between a search and an observer, and puts the tables' verdict in the place of a score that knows less.
///
/// Where they advise one way, all moves that are searched have the same score then; the search ranks them. Where several
/// variations of a known ending are wanted, a search that asks the tables counts one ply for every win behind a quiet move, and
/// more behind a sacrifice: its ranks are held back until the iteration has all of them, and come in the order of their scores.
pub(super) struct Promised<'a> {
    observer: &'a mut dyn Observer,
    promise: Option<Score>,
    /// See [`Consultation::ranking`].
    ranking: &'a [(Move, Verdict)],
    /// How many ranks an iteration has.
    ranks: usize,
    /// Those of the present iteration.
    held: Vec<Info>,
    /// The first of the last iteration with all of them.
    first: Option<Info>,
}

impl<'a> Promised<'a> {
    /// Nothing was searched yet; `ranks` are reported of the moves in `ranking`.
    pub fn new(
        observer: &'a mut dyn Observer,
        promise: Option<Score>,
        ranking: &'a [(Move, Verdict)],
        ranks: usize,
    ) -> Promised<'a> {
        Promised { observer, promise, ranking, ranks, held: Vec::new(), first: None }
    }

    /// The last report of the best line; the search's own was `info`.
    pub fn last_of(&mut self, info: &Info) -> Info {
        if self.first.is_none() && !self.ranking.is_empty() {
            // It was stopped in the first iteration.
            self.tell();
        }
        let Some(first) = self.first.take() else { return self.corrected(info) };
        // What an iteration has found that was cut off is left out, but it has taken its time.
        Info { nodes: info.nodes, time: info.time, ..first }
    }

    /// The report with the verdict.
    fn corrected(&self, info: &Info) -> Info {
        let promise = self.promise.filter(|_| !info.score.is_certain_win());
        let score = promise.or_else(|| self.by_distance(info)).unwrap_or(info.score);
        Info { score, ..info.clone() }
    }

    /// The score of a move that the tables decide, with its distance.
    fn by_distance(&self, info: &Info) -> Option<Score> {
        let (_, verdict) = self.ranking.iter().find(|(mv, _)| info.pv.first() == Some(mv))?;
        let plies = verdict.distance.filter(|_| info.score.is_certain_win() && !info.score.is_decided())?;
        match verdict.value {
            Value::Win => Some(Score::table_win(plies)),
            Value::Loss => Some(Score::table_loss(plies)),
            Value::Draw => None,
        }
    }

    /// Passes the ranks on that are held back.
    fn tell(&mut self) {
        let ranking = self.ranking;
        let place = |info: &Info| ranking.iter().position(|(mv, _)| info.pv.first() == Some(mv));
        self.held.sort_by_key(|info| (std::cmp::Reverse(info.score), place(info)));
        for (index, info) in self.held.iter_mut().enumerate() {
            info.rank = index + 1;
            self.observer.info(info);
        }
        let first = self.held.drain(..).next();
        self.first = first.or(self.first.take());
    }
}

impl Observer for Promised<'_> {
    fn info(&mut self, info: &Info) {
        let info = self.corrected(info);
        if self.ranking.is_empty() {
            return self.observer.info(&info);
        }
        self.held.retain(|held| held.depth == info.depth && held.pv.first() != info.pv.first());
        self.held.push(info);
        if self.held.len() == self.ranks {
            self.tell();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_named_and_not_there_is_a_fault() {
        let fault = |tables: Option<&str>, bb_size| {
            let options = Options { tables: tables.map(str::to_owned), bb_size, ..Options::default() };
            let mut loaded = None;
            let tables = LoadedTables::load(&mut loaded, VariantId::English, &options);
            // Those in the program are there all the same.
            assert_eq!(tables.is_empty(), bb_size == 0);
            loaded.and_then(|loaded| loaded.fault())
        };
        let found = fault(Some("no/such/folder"), 4).unwrap();
        assert!(found.contains("no/such/folder") && found.contains("no such folder"), "{found}");
        assert_eq!(fault(Some("no/such/folder"), 0), None);
        assert_eq!(fault(None, 4), None);
    }
}
