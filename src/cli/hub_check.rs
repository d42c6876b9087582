//! `kroon hub-check`.

use super::usage::wrong_usage;
use super::{positive_seconds, seconds};
use anyhow::{Result, bail};
use kroon::arena::check::{Checked, Severity, Subject, check};
use kroon::arena::spec::split_command;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

const AFTER_HELP: &str = "\
`wrong` is against the protocol; `advice` is allowed, but some clients fail on it. The sections are
those of protocol-docs/hub.md. Exit status 1 if anything is wrong.

Example:
  kroon hub-check 'kroon hub'";

/// Talk with a Hub engine and list what it does wrong
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Program and arguments; single quotes go around blanks, there is no shell
    #[arg(value_name = "CMD")]
    command: String,
    /// Start it in this folder
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// How much later than allowed a move may come, in seconds. The answers to ping and stop may take
    /// 0.2 s, the end 2 s, or this if it is longer
    #[arg(long, value_name = "S", default_value = "0.1", value_parser = seconds)]
    time_margin: Duration,
    /// How long to wait for an answer that has no time limit, in seconds
    #[arg(long, value_name = "S", default_value = "10", value_parser = positive_seconds)]
    patience: Duration,
}

/// Checks and prints.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let Some(command) = split_command(&args.command) else {
        wrong_usage!(
            "command \"{}\": expected a program and its arguments, single quotes closed",
            args.command
        );
    };
    let subject =
        Subject { command, folder: args.dir.clone(), patience: args.patience, margin: args.time_margin };
    let mut failure = None;
    let report = check(&subject, |checked| {
        if failure.is_none() {
            failure = show(checked, out).err();
        }
    });
    if let Some(error) = failure {
        return Err(error.into());
    }
    let (wrong, advice) = (report.count(Severity::Wrong), report.count(Severity::Advice));
    let engine = if report.engine.is_empty() { &args.command } else { &report.engine };
    writeln!(out, "{engine}: {} checks, {wrong} wrong, {advice} advice", report.checks.len())?;
    out.flush()?;
    if wrong > 0 {
        bail!("{wrong} wrong");
    }
    Ok(())
}

fn show(checked: &Checked, out: &mut dyn Write) -> io::Result<()> {
    if checked.findings.is_empty() {
        writeln!(out, "ok      {}", checked.name)?;
    }
    for finding in &checked.findings {
        writeln!(out, "{:<7} {} [{}] {}", finding.severity, checked.name, finding.section, finding.text)?;
    }
    out.flush()
}
