//! The parameters of a session: the options of the engine, and what belongs to the protocol only.

use super::reply::{Declaration, Domain};
use crate::engine::Options;
use crate::engine::registry::{OptionAudience, OptionError, OptionKind, OptionRow, OptionValue};
use crate::rules::VariantId;
use crate::words::{UnknownWord, excerpt};

/// What parameters can change.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct HubSettings {
    /// The engine's own options.
    pub options: Options,
    /// The variant played.
    pub variant: VariantId,
    /// Whether the client means to let us think in the opponent's time.
    pub ponder: bool,
    /// Whether variations come with the chances to win, draw and lose.
    pub wdl: bool,
}

/// `tt-size` counts entries of 16 bytes as a power of two: 2^16 of them make a mebibyte.
const ENTRIES_PER_MB_LOG2: i64 = 16;

/// The parameters that are no options of the engine.
pub const ROWS: &[OptionRow<HubSettings>] = &[
    OptionRow {
        name: "variant",
        help: "the game played",
        placeholder: "V",
        audience: OptionAudience::All,
        kind: OptionKind::Word {
            words: variant_names,
            get: |s| s.variant.hub_name(),
            set: |s, word| {
                let unknown = |_| UnknownWord { word: excerpt(word), known: variant_names().join(", ") };
                word.parse().map(|variant| s.variant = variant).map_err(unknown)
            },
        },
    },
    OptionRow {
        name: "ponder",
        help: "thinking in the opponent's time is the client's doing; declared so that it knows we can",
        placeholder: "BOOL",
        audience: OptionAudience::All,
        kind: OptionKind::Bool { get: |s| s.ponder, set: |s, value| s.ponder = value },
    },
    OptionRow {
        name: "wdl",
        help: "whether info lines end with the expected result and the chances to win, draw and lose",
        placeholder: "BOOL",
        audience: OptionAudience::All,
        kind: OptionKind::Bool { get: |s| s.wdl, set: |s, value| s.wdl = value },
    },
    OptionRow {
        name: "tt-size",
        help: "hash as the logarithm to base 2 of the number of 16-byte entries",
        placeholder: "N",
        audience: OptionAudience::Hidden,
        kind: OptionKind::Int {
            min: 0,
            max: ENTRIES_PER_MB_LOG2 + Options::MAX_HASH_MB.ilog2() as i64,
            get: |s| ENTRIES_PER_MB_LOG2 + i64::from(s.options.hash_mb.max(1).ilog2()),
            set: |s, value| s.options.hash_mb = 1 << (value - ENTRIES_PER_MB_LOG2).max(0),
        },
    },
];

fn variant_names() -> Vec<&'static str> {
    VariantId::ALL.iter().map(|variant| variant.hub_name()).collect()
}

/// The declarations of all parameters but the hidden ones, with their present values.
pub fn declarations(settings: &HubSettings) -> Vec<Declaration> {
    let own = ROWS.iter().filter_map(|row| declaration(row, settings));
    let engine = Options::ROWS.iter().filter_map(|row| declaration(row, &settings.options));
    own.chain(engine).collect()
}

fn declaration<S>(row: &OptionRow<S>, settings: &S) -> Option<Declaration> {
    let value = match row.value(settings) {
        OptionValue::Real(value) => format!("{value:.3}"),
        value => value.to_string(),
    };
    let domain = match row.kind {
        OptionKind::Bool { .. } => Domain::Bool,
        OptionKind::Int { min, max, .. } => Domain::Int { min, max },
        OptionKind::Real { min, max, .. } => Domain::Real { min, max },
        OptionKind::Word { words, .. } => Domain::Enum(words()),
        // The protocol has no number that may be missing.
        OptionKind::IntOrDefault { .. } | OptionKind::RealOrDefault { .. } | OptionKind::File { .. } => {
            Domain::String
        }
    };
    (row.audience != OptionAudience::Hidden).then_some(Declaration { name: row.name, value, domain })
}

/// Sets a parameter.
///
/// ```
/// use kroon::protocol::hub::params::{HubSettings, set};
/// let mut settings = HubSettings::default();
/// set(&mut settings, "tt-size", "24").unwrap();
/// assert_eq!(settings.options.hash_mb, 256);
/// assert!(set(&mut settings, "threads", "many").unwrap_err().to_string().contains("many"));
/// ```
///
/// # Errors
/// When there is no such parameter, which a client may mean for other engines, or the value does not suit it; the
/// settings are unchanged.
pub fn set(settings: &mut HubSettings, name: &str, value: &str) -> Result<(), OptionError> {
    if let Some(row) = ROWS.iter().find(|row| row.name == name) {
        return row.set(settings, value);
    }
    settings.options.set(name, value).map_err(|error| match error {
        OptionError::Unknown { name, known } => {
            let own: Vec<&str> = ROWS.iter().map(|row| row.name).collect();
            OptionError::Unknown { name, known: format!("{}, {known}", own.join(", ")) }
        }
        other => other,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn declared_values_can_be_sent_back() {
        let mut settings = HubSettings { ponder: true, ..HubSettings::default() };
        let before = settings.clone();
        for declared in declarations(&before) {
            set(&mut settings, declared.name, &declared.value).unwrap();
            assert_eq!(settings, before, "{}", declared.name);
        }
    }

    #[test]
    fn the_clients_need_these_names_and_forms() {
        let lines: Vec<String> =
            declarations(&HubSettings::default()).iter().map(Declaration::to_string).collect();
        assert!(lines[0].starts_with("param name=variant value=normal type=enum values=\"normal "));
        assert!(lines.contains(&"param name=ponder value=false type=bool".to_owned()));
        assert!(!lines.iter().any(|line| line.contains("tt-size")));
        assert!(lines.contains(&"param name=mcts-exploration value=default type=string".to_owned()));
        for line in lines {
            // Exactly one sign in every piece outside quotes, and name first.
            assert!(line.starts_with("param name="));
            assert!(!line.contains("\"\"") && !line.ends_with('='));
        }
    }

    #[test]
    fn ranges() {
        let mut settings = HubSettings::default();
        let before = settings.clone();
        for (name, value, message) in [
            ("threads", "0", "expected 1 to 256"),
            ("threads", "1e9", "expected 1 to 256"),
            ("threads", "", "\"\" is not a number"),
            ("hash", "65537", "expected 1 to 65536"),
            ("tt-size", "33", "expected 0 to 32"),
            ("move-overhead", "-0.1", "expected 0 to 10"),
            ("move-overhead", "11", "expected 0 to 10"),
            ("move-overhead", "nan", "not a number"),
            ("ponder", "maybe", "expected true or false"),
            ("variant", "chess", "expected one of: normal, killer"),
            ("search", "magic", "expected one of: alphabeta, mcts"),
            ("mcts-leaf", "", "expected one of: search"),
            ("mcts-exploration", "101", "expected 0 to 100"),
            ("tune.probcut-share", "0", "expected 10 to 80"),
        ] {
            let error = set(&mut settings, name, value).unwrap_err().to_string();
            assert!(error.contains(message) && error.contains(name.trim_start_matches("tune.")), "{error}");
            assert_eq!(settings, before);
        }
        for (name, value) in [("style", "true"), ("opening", "4"), ("eval", "pst"), ("initial-time", "x")] {
            assert!(matches!(set(&mut settings, name, value), Err(OptionError::Unknown { .. })));
            assert_eq!(settings, before);
        }
    }

    #[test]
    fn forms_from_the_wild() {
        let mut settings = HubSettings::default();
        for (name, value) in [
            ("ponder", "True"),
            ("move-overhead", "0,05"),
            ("threads", "2.0"),
            ("tt-size", "10"),
            ("variant", "standard"),
        ] {
            set(&mut settings, name, value).unwrap();
        }
        set(&mut settings, "tune.probcut-share", "35").unwrap();
        assert_eq!(settings.options.tuning.probcut_share, 35);
        assert!(settings.ponder);
        assert_eq!(settings.options.move_overhead, Duration::from_millis(50));
        assert_eq!((settings.options.threads, settings.options.hash_mb), (2, 1));
    }
}
