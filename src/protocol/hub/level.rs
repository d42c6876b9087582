//! The limits of the next search, collected from `level` lines.

use super::command::CommandError;
use super::number::{NumberError, integer, real};
use super::scanner::Scanned;
use crate::search::{ClockLimit, Handicap, Limits};
use std::time::Duration;

/// Longest time that is accepted, in seconds: thirty years.
const MAX_SECONDS: f64 = 1e9;
const MAX_HANDICAP: i64 = 3;
const MAX_DEPTH: i64 = 1_000_000_000;
const MAX_MOVES: i64 = 1_000_000;

/// What the `level` lines since the last position said. All that is given holds at once.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Level {
    /// Last iteration.
    pub depth: Option<u32>,
    /// Most nodes.
    pub nodes: Option<u64>,
    /// Time for the move.
    pub move_time: Option<Duration>,
    /// Moves to the time control, the coming one included; 0: there is none, the time is for the whole game.
    pub moves: Option<u32>,
    /// Seconds on the clock. Negative after the fall of the flag, and from clients that count the increment out.
    pub time: Option<f64>,
    /// Increment before every move.
    pub increment: Option<Duration>,
    /// Search until told to stop.
    pub infinite: Option<bool>,
    /// What is left out: 1 threats, 2 captures too, 3 databases too (known from a fork of Scan).
    pub handicap: Option<u8>,
    /// Longest line, in plies (known from the same).
    pub ply: Option<u32>,
}

impl Level {
    /// The arguments of a `level` line.
    pub const ARGUMENTS: &[&str] =
        &["depth", "nodes", "move-time", "moves", "time", "inc", "infinite", "handicap", "ply"];

    /// Reads the arguments of a `level` line: what can be read, and the first fault.
    pub fn read(line: &Scanned<'_>) -> (Level, Option<CommandError>) {
        let mut level = Level::default();
        let mut error = None;
        for arg in &line.args {
            if let Err((name, fault)) = level.set(arg.name, arg.value) {
                error.get_or_insert(CommandError::Number { name, fault });
            }
        }
        (level, error)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), (&'static str, NumberError)> {
        // Numbers below the smallest sensible one are raised to it: a client that says depth=0 wants a move at once.
        let whole_from = |least: i64, name, max| match integer(value, i64::MIN, max) {
            Ok(number) => Ok(number.max(least)),
            Err(NumberError::OutOfRange { text, max, .. }) => {
                Err((name, NumberError::OutOfRange { text, min: least.to_string(), max }))
            }
            Err(fault) => Err((name, fault)),
        };
        let whole = |name, max| whole_from(1, name, max);
        let seconds = |name| real(value, MAX_SECONDS).map_err(|fault| (name, fault));
        match name {
            "depth" => self.depth = Some(whole("depth", MAX_DEPTH)? as u32),
            "nodes" => self.nodes = Some(whole("nodes", i64::MAX)? as u64),
            "moves" => self.moves = Some(whole_from(0, "moves", MAX_MOVES)? as u32),
            "move-time" => self.move_time = Some(duration(seconds("move-time")?)),
            "time" => self.time = Some(seconds("time")?),
            "inc" => self.increment = Some(duration(seconds("inc")?)),
            "infinite" => self.infinite = Some(value != "false"),
            "handicap" => self.handicap = Some((whole_from(0, "handicap", MAX_HANDICAP)?) as u8),
            "ply" => self.ply = Some(whole("ply", MAX_DEPTH)? as u32),
            // Whatever else others have invented.
            _ => {}
        }
        Ok(())
    }

    /// Adds a later line: what it gives replaces what was given before.
    pub fn merge(&mut self, later: &Level) {
        *self = Level {
            depth: later.depth.or(self.depth),
            nodes: later.nodes.or(self.nodes),
            move_time: later.move_time.or(self.move_time),
            moves: later.moves.or(self.moves),
            time: later.time.or(self.time),
            increment: later.increment.or(self.increment),
            infinite: later.infinite.or(self.infinite),
            handicap: later.handicap.or(self.handicap),
            ply: later.ply.or(self.ply),
        };
    }

    /// The limits in the search's terms.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            move_time: self.move_time,
            clock: self.clock(),
            infinite: self.infinite == Some(true),
            handicap: match self.handicap {
                None | Some(0) => Handicap::None,
                Some(1) => Handicap::Threats,
                Some(_) => Handicap::Captures,
            },
            plies: self.ply,
        }
    }

    fn clock(&self) -> Option<ClockLimit> {
        let increment = self.increment.unwrap_or_default();
        // An increment alone is what the player has for every move; a number of moves alone limits nothing.
        let time = match (self.time, self.increment) {
            (Some(time), _) => time,
            (None, Some(_)) => 0.0,
            (None, None) => return None,
        };
        // The increment is added before the move, so time=-1 inc=2 leaves one second, not two.
        let increment = if time < 0.0 { duration(increment.as_secs_f64() + time) } else { increment };
        Some(ClockLimit { time: duration(time), increment, moves: self.moves.filter(|&moves| moves > 0) })
    }
}

/// Seconds as a duration; negative ones are none.
fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds.max(0.0)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::scanner::scan;
    use super::*;

    fn read(lines: &[&str]) -> Limits {
        let mut all = Level::default();
        for line in lines {
            let (level, error) = Level::read(&scan(line).unwrap().unwrap());
            assert_eq!(error, None, "{line}");
            all.merge(&level);
        }
        all.limits()
    }

    fn clock(time: f64, increment: f64, moves: Option<u32>) -> Option<ClockLimit> {
        Some(ClockLimit {
            time: Duration::from_secs_f64(time),
            increment: Duration::from_secs_f64(increment),
            moves,
        })
    }

    #[test]
    fn every_form() {
        assert_eq!(read(&["level depth=12"]).depth, Some(12));
        assert_eq!(read(&["level nodes=1000000"]).nodes, Some(1_000_000));
        assert_eq!(read(&["level move-time=0.5"]).move_time, Some(Duration::from_millis(500)));
        assert_eq!(read(&["level move-time=1e-05"]).move_time, Some(Duration::from_micros(10)));
        assert_eq!(read(&["level time=180,000"]).clock, clock(180.0, 0.0, None));
        assert_eq!(read(&["level moves=75 time=60 inc=0.5"]).clock, clock(60.0, 0.5, Some(75)));
        assert_eq!(read(&["level moves=0 time=60"]).clock, clock(60.0, 0.0, None));
        assert_eq!(read(&["level moves=75 time=60", "level moves=-1"]).clock, clock(60.0, 0.0, None));
        assert_eq!(read(&["level inc=0.5 time=60"]).clock, clock(60.0, 0.5, None));
        assert_eq!(read(&["level inc=2"]).clock, clock(0.0, 2.0, None));
        assert!(read(&["level infinite"]).infinite);
        assert!(!read(&["level infinite", "level infinite=false"]).infinite);
        assert!(read(&["level infinite", "level depth=2"]).infinite);
        assert_eq!(read(&["level nodes=1e16"]).nodes, Some(10_u64.pow(16)));
        assert_eq!(read(&["level nodes=-99999999999999999999"]).nodes, Some(1));
        assert_eq!(read(&["level depth=-1e17"]).depth, Some(1));
        assert_eq!(read(&["level moves=40"]), Limits::default());
    }

    #[test]
    fn negative_clocks_eat_the_increment() {
        assert_eq!(read(&["level time=-1 inc=2"]).clock, clock(0.0, 1.0, None));
        assert_eq!(read(&["level time=-5,000"]).clock, clock(0.0, 0.0, None));
        assert_eq!(read(&["level move-time=-1"]).move_time, Some(Duration::ZERO));
        assert_eq!(read(&["level depth=-3 nodes=0"]).depth, Some(1));
    }

    #[test]
    fn lines_accumulate() {
        let limits = read(&[
            "level handicap=0",
            "level ply=12",
            "level nodes=5000",
            "level depth=9",
            "level move-time=2",
        ]);
        let expected = Limits {
            depth: Some(9),
            nodes: Some(5000),
            move_time: Some(Duration::from_secs(2)),
            plies: Some(12),
            ..Limits::default()
        };
        assert_eq!(limits, expected);
        assert_eq!(read(&["level depth=9", "level depth=7"]).depth, Some(7));
        for (text, handicap) in [("0", Handicap::None), ("1", Handicap::Threats), ("3", Handicap::Captures)] {
            let limits = read(&[&format!("level handicap={text}"), "level"]);
            assert_eq!(limits, Limits { handicap, ..Limits::default() });
        }
    }

    #[test]
    fn faults_are_reported_and_the_rest_is_kept() {
        let line = scan("level depth=deep nodes=7 time=inf").unwrap().unwrap();
        let (level, error) = Level::read(&line);
        assert_eq!(level, Level { nodes: Some(7), ..Level::default() });
        assert_eq!(error.unwrap().to_string(), "depth: \"deep\" is not a number");
        let line = scan("level depth=99999999999").unwrap().unwrap();
        let error = Level::read(&line).1.unwrap().to_string();
        assert_eq!(error, "depth: \"99999999999\" is out of range, expected 1 to 1000000000");
    }
}
