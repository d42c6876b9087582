//! What a page orders from the engine of its session.

use super::clocks::{Clocks, seconds};
use super::rules_api::{ApiError, LineOfPlay};
use super::session::SessionError;
use crate::arena::engines::Engines;
use crate::arena::player::Turn;
use crate::arena::spec::{EngineSpec, Protocol};
use crate::arena::time_control::Timer;
use crate::engine::registry::OptionKind;
use crate::engine::{Mode, Options, Request};
use crate::game::Game;
use crate::rules::VariantId;
use crate::search::Limits;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::slice;
use std::time::Duration;

/// Held back for each move of a game with clocks: the way through a browser is longer than that of other clients.
const CLOCK_OVERHEAD: Duration = Duration::from_millis(50);
/// How long an offer of a draw is thought about.
const DRAW_TIME: Duration = Duration::from_millis(500);
/// An engine of the command line thinks this long when nothing limits it.
const OUTSIDE_TIME: Duration = Duration::from_secs(1);
/// How much longer than it should an engine of the command line may think before it is given up, unless its description
/// has a `time-margin`.
const OUTSIDE_MARGIN: Duration = Duration::from_secs(5);

/// What a search is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Want {
    /// A move to play.
    #[default]
    Move,
    /// To know what the position is worth, until a stop or a limit.
    Analysis,
    /// A move to play as soon as the last move of the line has been made: no time is used before the `hit`.
    Ponder,
    /// Whether the opponent of the side to move takes a draw.
    Draw,
}

/// An order to search.
#[derive(Clone, Debug, Default, Deserialize)]
pub struct GoOrder {
    /// The position, and the clocks within which a move is found.
    #[serde(flatten)]
    pub line: LineOfPlay,
    /// Its number, which the events repeat.
    #[serde(default)]
    pub request: u64,
    /// What for.
    #[serde(default)]
    pub want: Want,
    /// The engine of the command line that thinks; none: Kroon.
    #[serde(default)]
    pub engine: Option<String>,
    /// Plies.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Nodes.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Seconds for this move.
    #[serde(default)]
    pub move_time: Option<f64>,
    /// Options of the engine by name.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
}

/// An order that can be carried out.
#[derive(Clone, Debug)]
pub struct Search {
    /// Its number, which the events repeat.
    pub number: u64,
    /// What for.
    pub want: Want,
    /// For Kroon.
    pub request: Box<Request>,
    /// Kroon's options.
    pub options: Box<Options>,
    /// For an engine of the command line: which one, and what it is told.
    pub outside: Option<(EngineSpec, Turn)>,
}

impl GoOrder {
    /// What is to be done by an engine with these options, or by one of those.
    ///
    /// # Errors
    /// When position, limits or options are wrong.
    pub fn search(&self, base: &Options, outside: &[EngineSpec]) -> Result<Search, SessionError> {
        let game = self.line.game()?;
        let clocks = self.line.clocks(&game)?;
        let mut options = self.options(base)?;
        options.check(game.variant()).map_err(|error| SessionError::Unfit(error.to_string()))?;
        if clocks.is_some() {
            options.move_overhead = options.move_overhead.max(CLOCK_OVERHEAD);
        }
        let limits = self.limits(clocks.as_ref())?;
        let outside =
            self.engine.as_ref().map(|name| self.outside(name, outside, clocks.as_ref())).transpose()?;
        let mode = match self.want {
            Want::Move => Mode::Think,
            Want::Ponder => Mode::Ponder,
            Want::Analysis | Want::Draw => Mode::Analyze,
        };
        let request = Box::new(Request { game, limits, mode });
        Ok(Search { number: self.request, want: self.want, request, options: Box::new(options), outside })
    }

    /// The options of the server with those of the order: no more threads and memory than the server has.
    fn options(&self, base: &Options) -> Result<Options, SessionError> {
        let mut options = base.clone();
        for (option, value) in &self.options {
            if is_reserved(option) {
                return Err(SessionError::Reserved(option.clone()));
            }
            options.set(option, value)?;
        }
        for (name, asked, most) in [
            ("threads", options.threads, base.threads),
            ("player-trees", options.agent.trees, most_trees(base)),
            ("hash", options.hash_mb, base.hash_mb),
            ("mcts-hash", options.mcts.hash_mb, base.mcts.hash_mb),
        ] {
            if asked > most {
                return Err(SessionError::TooMuch { name, asked, most });
            }
        }
        Ok(options)
    }

    fn limits(&self, clocks: Option<&Clocks>) -> Result<Limits, SessionError> {
        let asked =
            self.move_time.map(|time| seconds("move_time", time)).transpose().map_err(ApiError::from)?;
        let (clock, move_time) = match self.want {
            Want::Move | Want::Ponder => (clocks.and_then(Clocks::limit), asked),
            Want::Analysis => (None, asked),
            Want::Draw => (None, Some(asked.map_or(DRAW_TIME, |time| time.min(DRAW_TIME)))),
        };
        let limits = Limits { depth: self.depth, nodes: self.nodes, move_time, clock, ..Limits::default() };
        // An analysis without a limit goes on until somebody stops it.
        Ok(Limits { infinite: self.want == Want::Analysis && !limits.is_bounded(), ..limits })
    }

    /// The engine of this name and what it is told: clock or move time are the page's, depth and nodes its own.
    fn outside(
        &self,
        name: &str,
        known: &[EngineSpec],
        clocks: Option<&Clocks>,
    ) -> Result<(EngineSpec, Turn), SessionError> {
        let spec = known.iter().find(|spec| spec.name == name);
        let spec = spec.ok_or_else(|| SessionError::NoEngine(name.chars().take(40).collect()))?;
        if self.want != Want::Move {
            return Err(SessionError::Unfit(format!("{name} plays; analyses, ponders and answers Kroon")));
        }
        let own = Timer::new(spec.limits).limits();
        let mut limits = self.limits(clocks)?;
        limits.depth = limits.depth.or(own.depth);
        limits.nodes = limits.nodes.or(own.nodes);
        limits.move_time = own.move_time.or(limits.move_time).filter(|_| limits.clock.is_none());
        if !limits.is_bounded() {
            limits.move_time = Some(OUTSIDE_TIME);
        }
        let time = clocks.map(Clocks::left).or(limits.move_time);
        let margin = spec.margin.unwrap_or(OUTSIDE_MARGIN);
        Ok((spec.clone(), Turn { limits, forfeit: time.map(|time| time + margin) }))
    }
}

/// How many trees a player may grow: each takes a thread, and a server may have been started with a number of them.
pub fn most_trees(base: &Options) -> usize {
    base.threads.max(base.agent.trees)
}

/// Whether it is an option that a page cannot set: it would have the server open files.
fn is_reserved(option: &str) -> bool {
    Options::ROWS.iter().any(|row| row.name == option && matches!(row.kind, OptionKind::File { .. }))
}

/// Engines that a page can choose by their names.
///
/// # Errors
/// When two have the same name, or one cannot play from any position, has a clock of its own, or options that no variant
/// knows.
///
/// ```
/// let engines = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect::<Vec<_>>();
/// assert!(kroon::web::check_engines(&engines(&["cmd=scan", "cmd=scan name=other"])).is_ok());
/// let error = kroon::web::check_engines(&engines(&["cmd=scan", "cmd=scan"])).unwrap_err();
/// assert!(error.contains("scan"));
/// ```
pub fn check_engines(engines: &[EngineSpec]) -> Result<(), String> {
    for (index, engine) in engines.iter().enumerate() {
        let fault = if engines[..index].iter().any(|other| other.name == engine.name) {
            "another engine has this name; choose one with name=".to_owned()
        } else if engine.protocol == Protocol::Dxp {
            "DXP plays whole games only; a board needs proto=hub or proto=kroon".to_owned()
        } else if engine.limits.control.is_some() {
            "the clock is set on the board, without tc=".to_owned()
        } else if let Some(fault) = unfit_for_all(engine) {
            fault
        } else {
            continue;
        };
        return Err(format!("engine {}: {fault}", engine.name));
    }
    Ok(())
}

/// What is wrong with an engine in every variant, as far as its description tells. Weights of one variant do not keep it
/// from the board.
fn unfit_for_all(engine: &EngineSpec) -> Option<String> {
    let mut faults = VariantId::ALL.into_iter().map(|variant| {
        Engines::new(slice::from_ref(engine), &[engine.limits], variant, Duration::ZERO, 1).err()
    });
    let first = faults.next()??;
    faults.all(|fault| fault.is_some()).then_some(first.fault)
}

/// Whether a game has only begun: what an engine remembers is of no use then.
pub fn is_new(game: &Game) -> bool {
    game.moves().len() < 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_that_plays_no_variant_is_told_at_once() {
        let fault = |text: &str| check_engines(&[text.parse().unwrap()]);
        let error = fault("proto=kroon name=mine param.nope=1").unwrap_err();
        assert!(error.starts_with("engine mine: ") && error.contains("nope"), "{error}");
        assert_eq!(fault("proto=kroon name=mine param.multipv=2"), Ok(()));
        assert_eq!(fault("proto=kroon nodes=1000"), Ok(()));
    }

    fn search(text: &str) -> Result<Search, SessionError> {
        let base = Options { threads: 2, hash_mb: 8, ..Options::default() };
        let engines = ["cmd=one", "cmd=two depth=7", "cmd=three move-time=0.5"];
        let engines: Vec<EngineSpec> = engines.iter().map(|text| text.parse().unwrap()).collect();
        serde_json::from_str::<GoOrder>(text).unwrap().search(&base, &engines)
    }

    fn outside(text: &str) -> Turn {
        search(&format!(r#"{{"variant":"english",{text}}}"#)).unwrap().outside.unwrap().1
    }

    #[test]
    fn a_clock_counts_for_moves_and_not_for_analyses() {
        let clock = r#""variant":"english","clock":{"control":"60+1","running":2}"#;
        let limits = |want: &str| search(&format!(r#"{{{clock},"want":"{want}"}}"#)).unwrap().request.limits;
        for want in ["move", "ponder"] {
            assert_eq!(limits(want).clock.unwrap().time, Duration::from_secs(58), "{want}");
        }
        assert!(limits("analysis").infinite && limits("analysis").clock.is_none());
        assert_eq!((limits("draw").clock, limits("draw").move_time), (None, Some(DRAW_TIME)));
    }

    #[test]
    fn threads_and_memory_are_those_of_the_server_at_most() {
        let options = |text: &str| {
            search(&format!(r#"{{"variant":"english","options":{text}}}"#)).map(|search| search.options)
        };
        assert_eq!(options("{}").unwrap().threads, 2);
        let fewer = options(r#"{"threads":"1","hash":"4"}"#).unwrap();
        assert_eq!((fewer.threads, fewer.hash_mb), (1, 4));
        for (asked, part) in [
            (r#"{"threads":"3"}"#, "threads 3: the server has 2"),
            (r#"{"hash":"9"}"#, "hash 9: the server has 8"),
            (r#"{"mcts-hash":"60000"}"#, "mcts-hash 60000"),
            (r#"{"threads":"0"}"#, "threads"),
            (r#"{"player":"mcts","player-trees":"3"}"#, "player-trees 3: the server has 2"),
        ] {
            let error = options(asked).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        assert_eq!(options(r#"{"player":"mcts","player-trees":"2"}"#).unwrap().agent.trees, 2);
        // What the server was started with holds for every order, also for one that does not say it.
        let mut base = Options::default();
        base.agent.trees = 5;
        let order = |trees: &str| {
            let options = [("player-trees".to_owned(), trees.to_owned())].into();
            GoOrder { options, ..GoOrder::default() }.options(&base)
        };
        assert_eq!(GoOrder::default().options(&base).unwrap().agent.trees, 5);
        assert!(order("5").is_ok() && order("6").is_err());
    }

    #[test]
    fn no_order_names_a_file() {
        let mut names = Vec::new();
        for row in Options::ROWS {
            let options = [(row.name.to_owned(), row.value(&Options::default()).to_string())].into();
            let read = GoOrder { options, ..GoOrder::default() }.options(&Options::default());
            if matches!(row.kind, OptionKind::File { .. }) {
                let error = read.unwrap_err().to_string();
                assert_eq!(error, format!("option {}: set when the server is started", row.name));
                names.push(row.name);
            } else {
                assert!(read.is_ok(), "{}", row.name);
            }
        }
        assert_eq!(names, ["eval-file", "tables", "book-file", "player-file"]);
    }

    #[test]
    fn other_engines_get_the_clock_or_their_own_limits() {
        let turn = outside(r#""engine":"one""#);
        assert_eq!(turn.limits, Limits { move_time: Some(OUTSIDE_TIME), ..Limits::default() });
        assert_eq!(turn.forfeit, Some(OUTSIDE_TIME + OUTSIDE_MARGIN));
        let turn = outside(r#""engine":"two""#);
        assert_eq!((turn.limits, turn.forfeit), (Limits { depth: Some(7), ..Limits::default() }, None));
        let turn = outside(r#""engine":"three","move_time":9"#);
        assert_eq!(turn.limits.move_time, Some(Duration::from_millis(500)));
        let turn = outside(r#""engine":"three","move_time":9,"clock":{"control":"20"}"#);
        assert_eq!((turn.limits.move_time, turn.limits.clock.unwrap().time.as_secs()), (None, 20));
        assert_eq!(turn.forfeit, Some(Duration::from_secs(20) + OUTSIDE_MARGIN));
    }

    #[test]
    fn engines_that_are_not_there_or_do_not_analyse_are_named() {
        let error = |text: &str| search(text).unwrap_err().to_string();
        assert!(error(r#"{"variant":"english","engine":"four"}"#).contains("\"four\""));
        assert!(error(r#"{"variant":"english","engine":"one","want":"analysis"}"#).contains("one plays"));
        let check = |text: &str| check_engines(&[text.parse().unwrap()]);
        assert!(check("cmd=x tc=60").unwrap_err().contains("tc="));
        assert!(check("proto=dxp address=localhost:1").unwrap_err().contains("DXP"));
        assert_eq!(check("cmd=x").and(check("proto=kroon player=random")), Ok(()));
    }
}
