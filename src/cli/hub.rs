//! `kroon hub`, and `kroon` at the end of a pipe.

use super::engine_args::EngineArgs;
use anyhow::{Result, bail};
use clap::builder::NonEmptyStringValueParser;
use kroon::engine::Options;
use kroon::protocol::hub::{self, HubConfig, HubMode, SessionEnd};

const AFTER_HELP: &str = "\
A graphical interface starts this command itself: enter `kroon hub` where it asks for an engine.
Interfaces set threads and hash through the protocol; the options here are the values they find.

Examples:
  kroon hub --threads 4 --hash 512 --log kroon.log
  kroon hub --name \"Kroon MCTS\" --search mcts";

/// Talk the Hub protocol (version 2) on standard input and output
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The name that a client shows: several engines with different options can be told apart
    #[arg(long, default_value = "Kroon", value_parser = NonEmptyStringValueParser::new())]
    name: String,
    #[command(flatten)]
    engine: EngineArgs,
}

/// A session with a Hub client.
pub fn run(args: &Args) -> Result<()> {
    let options = args.engine.over(Options::default())?;
    hub::run(HubConfig { name: args.name.clone(), options, ..HubConfig::default() })?;
    Ok(())
}

/// Commands that somebody piped in.
pub fn run_script() -> Result<()> {
    match hub::run(HubConfig { mode: HubMode::Script, ..HubConfig::default() })? {
        SessionEnd::Orderly => Ok(()),
        SessionEnd::WithErrors => bail!("a line was refused, see the answers that begin with \"error\""),
    }
}
