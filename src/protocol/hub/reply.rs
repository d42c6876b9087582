//! Lines to the client, as types. `Display` writes the form that every known client accepts (protocol-docs/hub.md,
//! "Answers"): fixed key order, whole numbers plain, quotes only where they are needed.

use crate::board::Board;
use crate::eval::wdl::Chances;
use crate::notation::hub::HubMoveText;
use crate::score::Score;
use crate::search::Info;
use std::fmt;
use std::time::Duration;

/// A line from us to the client.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// Who we are: the name under which we play.
    Id(String),
    /// A parameter that can be set.
    Param(Declaration),
    /// All is declared.
    Wait,
    /// Initialised.
    Ready,
    /// Alive.
    Pong,
    /// How the search is going.
    Info(InfoLine),
    /// The search is over.
    Done {
        /// The move to play; none only when there is no legal move.
        best: Option<HubMoveText>,
        /// The expected reply.
        ponder: Option<HubMoveText>,
    },
    /// Something that we could not do.
    Error(String),
}

/// The declaration of a parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Declaration {
    /// Its name.
    pub name: &'static str,
    /// Its present value.
    pub value: String,
    /// What it can be.
    pub domain: Domain,
}

/// The values that a parameter can have.
#[derive(Clone, PartialEq, Debug)]
pub enum Domain {
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Int {
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
    },
    /// A real number.
    Real {
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
    },
    /// Any text.
    String,
    /// One of these words.
    Enum(Vec<&'static str>),
}

/// A principal variation, ready to be written.
#[derive(Clone, PartialEq, Debug)]
pub struct InfoLine {
    /// Rank of the variation; none unless several are asked for.
    pub rank: Option<usize>,
    /// Iteration.
    pub depth: u32,
    /// Mean depth of the leaves.
    pub mean_depth: f64,
    /// Value for the side to move at the root.
    pub score: Score,
    /// Expected result for the side to move at the root, where the search counts results.
    pub winrate: Option<f64>,
    /// Chances of the side to move at the root, where they are asked for.
    pub wdl: Option<Chances>,
    /// Nodes.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Nodes per second.
    pub nps: f64,
    /// The variation, never empty.
    pub pv: Vec<HubMoveText>,
}

impl InfoLine {
    /// The line for an event of the search; `several` says whether the rank is to be written.
    pub fn new(board: &Board, info: &Info, several: bool) -> InfoLine {
        InfoLine {
            rank: several.then_some(info.rank),
            depth: info.depth,
            mean_depth: if info.mean_depth.is_finite() { info.mean_depth } else { f64::from(info.depth) },
            score: info.score,
            winrate: info.winrate,
            wdl: None,
            nodes: info.nodes,
            time: info.time,
            nps: info.nps(),
            pv: info.pv.iter().map(|&mv| HubMoveText::new(board, mv)).collect(),
        }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id(name) => {
                f.write_str("id")?;
                argument(f, "name", name)?;
                argument(f, "version", env!("CARGO_PKG_VERSION"))?;
                argument(f, "author", "The Kroon authors")?;
                argument(f, "country", "NL")
            }
            Reply::Param(declaration) => declaration.fmt(f),
            Reply::Wait => f.write_str("wait"),
            Reply::Ready => f.write_str("ready"),
            Reply::Pong => f.write_str("pong"),
            Reply::Info(info) => info.fmt(f),
            Reply::Done { best, ponder } => {
                f.write_str("done")?;
                best.iter().try_for_each(|mv| write!(f, " move={mv}"))?;
                ponder.iter().try_for_each(|mv| write!(f, " ponder={mv}"))
            }
            Reply::Error(message) => {
                f.write_str("error")?;
                argument(f, "message", message)
            }
        }
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "param name={}", self.name)?;
        argument(f, "value", &self.value)?;
        match &self.domain {
            Domain::Bool => f.write_str(" type=bool"),
            Domain::String => f.write_str(" type=string"),
            Domain::Int { min, max } => write!(f, " type=int min={min} max={max}"),
            Domain::Real { min, max } => write!(f, " type=real min={min:.3} max={max:.3}"),
            Domain::Enum(values) => {
                f.write_str(" type=enum")?;
                argument(f, "values", &values.join(" "))
            }
        }
    }
}

impl fmt::Display for InfoLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        self.rank.iter().try_for_each(|rank| write!(f, " multipv={rank}"))?;
        write!(f, " depth={} mean-depth={:.1} score={}", self.depth, self.mean_depth, self.score)?;
        write!(f, " nodes={} time={:.3} nps={:.2}", self.nodes, self.time.as_secs_f64(), self.nps / 1e6)?;
        match &self.pv[..] {
            [] => (),
            [only] => write!(f, " pv={only}")?,
            [first, rest @ ..] => {
                write!(f, " pv=\"{first}")?;
                rest.iter().try_for_each(|mv| write!(f, " {mv}"))?;
                f.write_str("\"")?;
            }
        }
        // Last, so that a client that reads by position finds everything else where it expects it.
        let winrate = self.winrate.or_else(|| self.wdl.as_ref().map(Chances::expected));
        winrate.iter().try_for_each(|winrate| write!(f, " winrate={winrate:.4}"))?;
        self.wdl.iter().try_for_each(|wdl| write!(f, " wdl={wdl}"))
    }
}

/// ` name=value`. Quotes stand only around blanks, `=` and nothing, for some clients keep them as part of the value.
fn argument(f: &mut fmt::Formatter<'_>, name: &str, value: &str) -> fmt::Result {
    // The grammar has no escape for a quote, and a line end would be a second line.
    let value: String = value
        .chars()
        .map(|letter| match letter {
            '"' => '\'',
            _ if letter.is_control() || letter.is_whitespace() => ' ',
            _ => letter,
        })
        .collect();
    if value.is_empty() || value.contains([' ', '=']) {
        write!(f, " {name}=\"{value}\"")
    } else {
        write!(f, " {name}={value}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> HubMoveText {
        text.parse().unwrap()
    }

    fn info() -> InfoLine {
        InfoLine {
            rank: None,
            depth: 11,
            mean_depth: 12.34,
            score: Score::from_centi(2),
            winrate: None,
            wdl: None,
            nodes: 120_412,
            time: Duration::from_millis(21),
            nps: 5_700_000.0,
            pv: vec![mv("35-30"), mv("20-25")],
        }
    }

    #[test]
    fn plain_words() {
        let all = [(Reply::Wait, "wait"), (Reply::Ready, "ready"), (Reply::Pong, "pong")];
        for (reply, text) in all {
            assert_eq!(reply.to_string(), text);
        }
        let id = format!(
            "id name=Kroon version={} author=\"The Kroon authors\" country=NL",
            env!("CARGO_PKG_VERSION")
        );
        assert_eq!(Reply::Id("Kroon".into()).to_string(), id);
        assert!(Reply::Id("Kroon fast".into()).to_string().starts_with("id name=\"Kroon fast\" version="));
    }

    #[test]
    fn done() {
        let done = |best: Option<&str>, ponder: Option<&str>| {
            Reply::Done { best: best.map(mv), ponder: ponder.map(mv) }.to_string()
        };
        assert_eq!(done(None, None), "done");
        assert_eq!(done(Some("35-30"), None), "done move=35-30");
        assert_eq!(done(Some("35-30"), Some("33x22x28")), "done move=35-30 ponder=33x22x28");
    }

    #[test]
    fn info_lines() {
        let text = "depth=11 mean-depth=12.3 score=0.02 nodes=120412 time=0.021 nps=5.70 pv";
        assert_eq!(Reply::Info(info()).to_string(), format!("info {text}=\"35-30 20-25\""));
        let second = InfoLine { rank: Some(2), pv: vec![mv("35-30")], ..info() };
        assert_eq!(Reply::Info(second).to_string(), format!("info multipv=2 {text}=35-30"));
        let tree = InfoLine { winrate: Some(0.625), pv: vec![mv("35-30")], ..info() };
        assert_eq!(Reply::Info(tree).to_string(), format!("info {text}=35-30 winrate=0.6250"));
        let chances = Chances { win: 0.25, draw: 0.6, loss: 0.15 };
        let chances = InfoLine { wdl: Some(chances), pv: vec![mv("35-30")], ..info() };
        assert_eq!(
            Reply::Info(chances).to_string(),
            format!("info {text}=35-30 winrate=0.5500 wdl=250/600/150")
        );
        let lost = InfoLine { score: Score::loss_in(3), ..info() };
        assert!(Reply::Info(lost).to_string().contains(" score=-99.97 "));
    }

    #[test]
    fn declarations() {
        let text = |name, value: &str, domain| {
            Reply::Param(Declaration { name, value: value.into(), domain }).to_string()
        };
        assert_eq!(text("ponder", "false", Domain::Bool), "param name=ponder value=false type=bool");
        assert_eq!(
            text("threads", "1", Domain::Int { min: 1, max: 64 }),
            "param name=threads value=1 type=int min=1 max=64"
        );
        assert_eq!(
            text("variant", "normal", Domain::Enum(vec!["normal", "english"])),
            "param name=variant value=normal type=enum values=\"normal english\""
        );
    }

    #[test]
    fn errors_are_one_line_without_inner_quotes() {
        let reply = Reply::Error("bad \"x\"\r\ny=\u{85}z".into());
        assert_eq!(reply.to_string(), "error message=\"bad 'x'  y= z\"");
        assert_eq!(Reply::Error(String::new()).to_string(), "error message=\"\"");
    }
}
