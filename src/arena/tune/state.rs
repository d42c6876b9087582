//! The state of a tuning: one JSON file, replaced atomically.

use super::knob::TunedKnob;
use crate::arena::stats::Trinomial;
use crate::files::{open_regular, write_whole};
use crate::notation::text::quote;
use serde::{Deserialize, Serialize};
use std::io::{self, Read};
use std::path::Path;
use thiserror::Error;

/// The version of the format that is written and read.
const VERSION: u32 = 1;
/// No state is larger, in bytes.
const MOST_BYTES: u64 = 1 << 20;

/// What has been played and learned.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TuneState {
    /// Pairs of games played.
    pub pairs: u64,
    /// Their games, from the view of the engine with the numbers plus their changes.
    pub score: Trinomial,
    /// Games among them that were lost on time.
    pub late: u64,
    /// The numbers, in the order of the knobs.
    pub values: Vec<f64>,
}

/// Everything that decides how a tuning goes: names and values, in an order that never changes.
pub type TuneSettings = Vec<(String, String)>;

/// The one setting that may be another one when the user says so.
pub(super) const PROGRAM_SETTING: &str = "program";

/// Why a state cannot be used.
#[derive(Debug, Error)]
pub enum StateError {
    /// The file system said no.
    #[error("state file \"{path}\": {source}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// There is something already.
    #[error("state file \"{0}\" is there already: go on with --resume, or name another file")]
    Exists(String),
    /// The lock of the file cannot be taken; the text names it.
    #[error(transparent)]
    Lock(io::Error),
    /// Another process learns into it.
    #[error(
        "state file \"{0}\" is in use by another process: several share a tuning with --shard I/N, or name another file"
    )]
    InUse(String),
    /// It is no state.
    #[error("\"{path}\" is no state of a tuning: {fault}")]
    Foreign {
        /// The file.
        path: String,
        /// Why not.
        fault: String,
    },
    /// It belongs to another tuning.
    #[error(
        "state file \"{path}\" is of another tuning: its {what} is {old}, not {new}; give the same settings (another program goes on with --force), or name another file to start anew"
    )]
    OtherTuning {
        /// The file.
        path: String,
        /// What is different.
        what: String,
        /// In the file.
        old: String,
        /// In the command.
        new: String,
    },
}

/// The file. Real numbers are texts: what is read is then exactly what was written.
#[derive(Debug, Serialize, Deserialize)]
struct StateFile {
    kroon_tune: u32,
    settings: TuneSettings,
    pairs: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    late: u64,
    values: Vec<(String, String)>,
}

impl TuneState {
    /// Before the first game.
    pub fn new(knobs: &[TunedKnob]) -> TuneState {
        TuneState { values: knobs.iter().map(|knob| knob.start).collect(), ..TuneState::default() }
    }

    /// Writes the state to the disk.
    ///
    /// # Errors
    /// When that fails; an older state is still there then.
    pub fn save(&self, path: &Path, settings: &TuneSettings, knobs: &[TunedKnob]) -> Result<(), StateError> {
        let values = knobs.iter().zip(&self.values);
        let contents = StateFile {
            kroon_tune: VERSION,
            settings: settings.clone(),
            pairs: self.pairs,
            wins: self.score.wins,
            draws: self.score.draws,
            losses: self.score.losses,
            late: self.late,
            values: values.map(|(knob, value)| (knob.knob.name.to_owned(), value.to_string())).collect(),
        };
        let written = write_whole(path, |mut out| {
            serde_json::to_writer_pretty(&mut out, &contents)?;
            writeln!(out)
        });
        written.map_err(|source| StateError::Io { path: path.display().to_string(), source })
    }

    /// Reads the state of a tuning with these settings; none if there is no file. With `force` the program may be
    /// another one.
    ///
    /// # Errors
    /// When the file cannot be read, is no state, or belongs to a tuning with other settings.
    pub fn load(
        path: &Path,
        settings: &TuneSettings,
        knobs: &[TunedKnob],
        force: bool,
    ) -> Result<Option<TuneState>, StateError> {
        let name = path.display().to_string();
        let foreign = |fault: String| StateError::Foreign { path: name.clone(), fault };
        let mut bytes = Vec::new();
        let read = open_regular(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
        match read {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(StateError::Io { path: name, source }),
            Ok(_) if bytes.len() as u64 > MOST_BYTES => {
                return Err(foreign(format!("it is larger than {MOST_BYTES} bytes")));
            }
            Ok(_) => (),
        }
        let contents: StateFile =
            serde_json::from_slice(&bytes).map_err(|error| foreign(error.to_string()))?;
        if contents.kroon_tune != VERSION {
            return Err(foreign(format!("its version is {}, expected {VERSION}", contents.kroon_tune)));
        }
        if let Some((what, old, new)) = difference(&contents.settings, settings, force) {
            return Err(StateError::OtherTuning { path: name, what, old, new });
        }
        contents.state(knobs).map(Some).map_err(foreign)
    }
}

impl StateFile {
    /// The state, if it can be one of these numbers.
    fn state(self, knobs: &[TunedKnob]) -> Result<TuneState, String> {
        if self.values.len() != knobs.len() {
            return Err(format!("{} values for {} knobs", self.values.len(), knobs.len()));
        }
        let value = |(knob, (name, text)): (&TunedKnob, &(String, String))| {
            let range = f64::from(knob.axis.min)..=f64::from(knob.axis.max);
            let value = text.parse().ok().filter(|value| *name == knob.knob.name && range.contains(value));
            value.ok_or_else(|| {
                let expected = format!("{} from {} to {}", knob.knob.name, range.start(), range.end());
                format!("value {} of {}, expected {expected}", quote(text), quote(name))
            })
        };
        let values = knobs.iter().zip(&self.values).map(value).collect::<Result<_, String>>()?;
        let score = Trinomial { wins: self.wins, losses: self.losses, draws: self.draws };
        let games = self.wins.checked_add(self.losses).and_then(|games| games.checked_add(self.draws));
        if games.is_none() || games != self.pairs.checked_mul(2) {
            return Err(format!(
                "{} pairs do not have {} + {} + {} games",
                self.pairs, self.wins, self.draws, self.losses
            ));
        }
        Ok(TuneState { pairs: self.pairs, score, late: self.late, values })
    }
}

/// The first thing in which a later command differs: its name, the value in the file, the new value.
pub(super) fn difference(
    old: &TuneSettings,
    new: &TuneSettings,
    force: bool,
) -> Option<(String, String, String)> {
    let value = |settings: &TuneSettings, name: &str| {
        let found = settings.iter().find(|(other, _)| other == name);
        found.map_or("not there".to_owned(), |(_, value)| value.clone())
    };
    let names = new.iter().chain(old).map(|(name, _)| name);
    let mut names = names.filter(|&name| !(force && name == PROGRAM_SETTING));
    names.find(|name| value(old, name) != value(new, name)).map(|name| {
        let (old, new) = (value(old, name), value(new, name));
        (name.clone(), old, new)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knobs() -> Vec<TunedKnob> {
        ["probcut-margin", "lmr-first"].map(|name| name.parse().unwrap()).to_vec()
    }

    fn settings(games: u64) -> TuneSettings {
        vec![("variant".to_owned(), "english".to_owned()), ("games".to_owned(), games.to_string())]
    }

    #[test]
    fn a_state_comes_back_exactly_and_only_to_its_own_tuning() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        assert!(TuneState::load(&path, &settings(10), &knobs(), false).unwrap().is_none());
        let mut state = TuneState::new(&knobs());
        for value in [100.1, 400.0 / 3.0, 0.1 + 0.2, 1e-17] {
            state.values = vec![value, 2.0 + value / 1000.0];
            (state.pairs, state.score) = (2, Trinomial { wins: 1, losses: 0, draws: 3 });
            state.save(&path, &settings(10), &knobs()).unwrap();
            assert_eq!(TuneState::load(&path, &settings(10), &knobs(), false).unwrap(), Some(state.clone()));
        }
        let error = TuneState::load(&path, &settings(20), &knobs(), false).unwrap_err().to_string();
        assert!(error.contains("its games is 10, not 20"), "{error}");
        let mut more = settings(10);
        more.push(("depth".to_owned(), "3".to_owned()));
        let error = TuneState::load(&path, &more, &knobs(), false).unwrap_err().to_string();
        assert!(error.contains("its depth is not there, not 3"), "{error}");
    }

    #[test]
    fn what_nobody_can_have_written_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        TuneState::new(&knobs()).save(&path, &settings(10), &knobs()).unwrap();
        let good = std::fs::read_to_string(&path).unwrap();
        let change = |from: &str, to: &str| {
            assert!(good.contains(from), "{good}");
            std::fs::write(&path, good.replace(from, to)).unwrap();
            TuneState::load(&path, &settings(10), &knobs(), false).unwrap_err().to_string()
        };
        assert!(change("\"kroon_tune\": 1", "\"kroon_tune\": 9").contains("version is 9, expected 1"));
        assert!(change("\"pairs\": 0", "\"pairs\": 3").contains("3 pairs do not have 0 + 0 + 0 games"));
        assert!(change("\"wins\": 0", "\"wins\": 18446744073709551615").contains("pairs do not have"));
        assert!(change("\"100\"", "\"NaN\"").contains("value \"NaN\""));
        assert!(change("\"100\"", "\"401\"").contains("probcut-margin from 0 to 400"));
        assert!(change("\"lmr-first\"", "\"lmr-last\"").contains("\"lmr-last\""));
        assert!(change("{", "").contains("is no state of a tuning"));
    }
}
