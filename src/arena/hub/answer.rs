//! The answers of an engine as types (Hub protocol, "answers").

use crate::arena::player::Remarks;
use crate::notation::text::quote;
use crate::protocol::hub::number::{integer, real};
use crate::protocol::hub::scanner::{Scanned, scan};
use crate::score::Score;

/// A line from an engine that means something.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// Who it is: name and version.
    Id {
        /// Name, perhaps empty.
        name: String,
        /// Version, perhaps empty.
        version: String,
    },
    /// A parameter that can be set.
    Param {
        /// Its name.
        name: String,
        /// The values of an enumeration.
        values: Vec<String>,
    },
    /// All is declared.
    HubWait,
    /// Initialised.
    Ready,
    /// Alive.
    Pong,
    /// How the search is going.
    Info(Remarks),
    /// The search is over; a move as text, if there is one.
    Done(Option<String>),
    /// Something that the engine could not do.
    Error(String),
}

/// Largest score in men that is taken for one.
const MOST_MEN: f64 = 1e4;

/// Reads a line; `None` for everything that the protocol does not know, which is ignored.
///
/// ```
/// use kroon::arena::hub::answer::{Answer, read};
/// assert_eq!(read("done move=32-28 ponder=19-23"), Some(Answer::Done(Some("32-28".into()))));
/// assert_eq!(read("done move="), Some(Answer::Done(None)));
/// assert_eq!(read("DONE move=32-28"), None);
/// ```
pub fn read(line: &str) -> Option<Answer> {
    let scanned = match scan(line) {
        Ok(scanned) => scanned?,
        // The search is over, whatever else is meant.
        Err(_) if line.split_whitespace().next() == Some("done") => return Some(Answer::Done(None)),
        Err(_) => return None,
    };
    let value = |name: &str| scanned.value(name).unwrap_or_default().to_owned();
    Some(match scanned.command {
        "id" => Answer::Id { name: value("name"), version: value("version") },
        "param" => Answer::Param {
            name: value("name"),
            values: value("values").split_whitespace().map(str::to_owned).collect(),
        },
        "wait" => Answer::HubWait,
        "ready" => Answer::Ready,
        "pong" => Answer::Pong,
        // With several variations the move is that of the first one.
        "info" if scanned.value("multipv").is_some_and(|rank| rank != "1") => {
            Answer::Info(Remarks::default())
        }
        "info" => Answer::Info(remarks(&scanned)),
        "done" => Answer::Done(scanned.value("move").map(str::to_owned)),
        "error" => Answer::Error(quote(&value("message"))),
        _ => return None,
    })
}

/// Whatever of an `info` line can be read.
fn remarks(line: &Scanned<'_>) -> Remarks {
    let score = line.value("score").and_then(|text| real(text, MOST_MEN).ok());
    let whole = |name, max| line.value(name).and_then(|text| integer(text, 0, max).ok());
    Remarks {
        score: score.map(|men| Score::from_centi((men * 100.0).round().clamp(-10_000.0, 10_000.0) as i32)),
        depth: whole("depth", i64::from(u32::MAX)).map(|depth| depth as u32),
        nodes: whole("nodes", i64::MAX).map(|nodes| nodes as u64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_lines() {
        let id = read("id name=Example version=0.1 author=\"A. Author\" country=NL");
        assert_eq!(id, Some(Answer::Id { name: "Example".into(), version: "0.1".into() }));
        let param = read("param name=variant value=normal type=enum values=\"normal frisian\"");
        let values = vec!["normal".to_owned(), "frisian".to_owned()];
        assert_eq!(param, Some(Answer::Param { name: "variant".into(), values }));
        let info = read(
            "info depth=11 mean-depth=12.3 score=-0.29 nodes=120412 time=0.021 nps=5.7 pv=\"35-30 20-25\"",
        );
        let remarks = Remarks { score: Some(Score::from_centi(-29)), depth: Some(11), nodes: Some(120_412) };
        assert_eq!(info, Some(Answer::Info(remarks)));
        assert_eq!(read("done"), Some(Answer::Done(None)));
        assert_eq!(read("error message=\"bad position\""), Some(Answer::Error("\"bad position\"".into())));
        assert_eq!(
            [read("wait"), read("ready"), read("pong\r")],
            [Some(Answer::HubWait), Some(Answer::Ready), Some(Answer::Pong)]
        );
    }

    #[test]
    fn odd_lines() {
        assert_eq!(
            read("info score=nan depth=x nodes=1e6"),
            Some(Answer::Info(Remarks { nodes: Some(1_000_000), ..Remarks::default() }))
        );
        let first = Remarks { score: Some(Score::from_centi(20)), ..Remarks::default() };
        assert_eq!(read("info multipv=1 score=0.2"), Some(Answer::Info(first)));
        assert_eq!(read("info multipv=2 score=-3"), Some(Answer::Info(Remarks::default())));
        for line in ["", "init eval", "hello", "pv=3", "Done", "=x"] {
            assert_eq!(read(line), None, "{line}");
        }
    }
}
