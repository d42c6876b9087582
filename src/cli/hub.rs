//! `kroon hub`, and `kroon` at the end of a pipe.

use super::engine_args::EngineArgs;
use anyhow::Result;
use kroon::engine::Options;
use kroon::protocol::hub::{self, HubMode};

const AFTER_HELP: &str = "\
A graphical interface starts this command itself: enter `kroon hub` where it asks for an engine.
Interfaces set threads and hash through the protocol; the options here are the values they find.

Example:
  kroon hub --threads 4 --hash 512 --log kroon.log";

/// Talk the Hub protocol (version 2) on standard input and output
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(flatten)]
    engine: EngineArgs,
}

/// A session with a Hub client.
pub fn run(args: &Args) -> Result<()> {
    Ok(hub::run(HubMode::Protocol, args.engine.over(Options::default())?)?)
}

/// Commands that somebody piped in.
pub fn run_script() -> Result<()> {
    Ok(hub::run(HubMode::Script, Options::default())?)
}
