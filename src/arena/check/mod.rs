//! Tests a Hub engine and lists its faults. Sections are those of protocol-docs/hub.md.

mod ending;
mod handshake;
mod link;
mod search;
mod speech;

use crate::rules::VariantId;
use link::CheckLink;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

/// What to check.
#[derive(Clone, Debug)]
pub struct Subject {
    /// Program and arguments.
    pub command: Vec<String>,
    /// Where it is started; none: where we are.
    pub folder: Option<PathBuf>,
    /// How long to wait for an answer that has no time limit.
    pub patience: Duration,
    /// How much later than allowed a move may come. The answers to `ping` and `stop` and the end have at least this long.
    pub margin: Duration,
}

/// How bad something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// Allowed, but some clients cannot live with it.
    Advice,
    /// Against the protocol.
    Wrong,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Severity::Advice => "advice",
            Severity::Wrong => "wrong",
        })
    }
}

/// Something that the engine did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The section of the protocol.
    pub section: &'static str,
    /// What was seen.
    pub text: String,
}

/// The result of one check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// What was looked at.
    pub name: &'static str,
    /// What was wrong; the same thing is listed once.
    pub findings: Vec<Finding>,
}

/// The result of all checks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckReport {
    /// Name and version of the engine.
    pub engine: String,
    /// One entry for each check.
    pub checks: Vec<Checked>,
}

impl CheckReport {
    /// How many findings of this kind there are.
    pub fn count(&self, severity: Severity) -> usize {
        self.checks
            .iter()
            .flat_map(|check| &check.findings)
            .filter(|finding| finding.severity == severity)
            .count()
    }
}

/// Where findings are collected.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    findings: Vec<Finding>,
}

impl Notes {
    fn add(&mut self, severity: Severity, section: &'static str, text: String) {
        let finding = Finding { severity, section, text };
        if !self.findings.contains(&finding) {
            self.findings.push(finding);
        }
    }

    fn wrong(&mut self, section: &'static str, text: impl Into<String>) {
        self.add(Severity::Wrong, section, text.into());
    }

    fn advice(&mut self, section: &'static str, text: impl Into<String>) {
        self.add(Severity::Advice, section, text.into());
    }
}

/// Why a check was given up; what there is to say has been noted.
#[derive(Debug)]
pub(crate) struct GivenUp;

type Check = fn(&mut CheckLink, &mut Notes) -> Result<(), GivenUp>;

/// The checks that talk with an engine that has been initialised.
const CHECKS: &[(&str, Check)] = &[
    ("parameters", handshake::parameters),
    ("ping when idle", handshake::idle_ping),
    ("what is unknown", handshake::unknown),
    ("stop when idle", search::idle_stop),
    ("depth limit", search::depth),
    ("node limit", search::nodes),
    ("time for a move", search::move_time),
    ("clock", search::clock),
    ("several level lines", search::several_levels),
    ("go analyze, ping and stop", search::analyze),
    ("commands without waiting", search::burst),
    ("go ponder", search::ponder),
    ("captures and kings", search::positions),
    ("a game with its history", search::history),
    ("a position without a move", search::terminal),
    ("new-game", search::new_game),
    ("the end of the input", ending::end_of_input),
    ("the end of the input in a search", ending::end_of_input_in_search),
    ("quit", ending::quit),
];

/// Checks an engine, each check with a process of its own. `seen` is told of each as it is finished.
pub fn check(subject: &Subject, mut seen: impl FnMut(&Checked)) -> CheckReport {
    let mut report = CheckReport::default();
    let mut push = |report: &mut CheckReport, name, notes: Notes| {
        let checked = Checked { name, findings: notes.findings };
        seen(&checked);
        report.checks.push(checked);
    };
    let mut notes = Notes::default();
    let started = handshake::first_handshake(subject, &mut notes);
    push(&mut report, "handshake", notes);
    let Ok(link) = started else { return report };
    report.engine = link.id.clone();
    drop(link);
    for &(name, check) in CHECKS {
        let mut notes = Notes::default();
        // What the handshake does wrong has been noted already.
        if let Ok(mut link) = handshake::handshake(subject, &mut Notes::default()) {
            let _ = check(&mut link, &mut notes);
            link.last_words(&mut notes);
        } else {
            notes.wrong("Commands", "the engine could not be started again");
        }
        push(&mut report, name, notes);
    }
    report
}

/// The variant of all checks: the only one that every engine plays.
const VARIANT: VariantId = VariantId::International;
