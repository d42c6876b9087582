//! `kroon hub`, and `kroon` at the end of a pipe.

use anyhow::Result;
use clap::builder::TypedValueParser;
use kroon::engine::{Options, SearchKind};
use kroon::eval::EvalFile;
use kroon::protocol::hub::{self, HubMode};
use kroon::rules::VariantId;
use kroon::search::mcts::Params;
use std::path::PathBuf;

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

/// The options of the engine that every searching command has.
#[derive(clap::Args, Debug)]
pub struct EngineArgs {
    /// Search threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=Options::MAX_THREADS as i64))]
    threads: u32,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=Options::MAX_HASH_MB as i64))]
    hash: u32,
    /// How moves are found: alphabeta, or mcts for Monte-Carlo tree search
    #[arg(long, value_name = "KIND", default_value = SearchKind::AlphaBeta.name(), value_parser = clap::builder::PossibleValuesParser::new(SearchKind::NAMES).try_map(|word| word.parse::<SearchKind>()))]
    search: SearchKind,
    /// Size of the Monte-Carlo tree in MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=Params::MAX_HASH_MB as i64))]
    mcts_hash: u32,
    /// Weights of the learned evaluation, as kroon train makes them, in place of those in the program
    #[arg(long, value_name = "FILE")]
    eval_file: Option<PathBuf>,
}

impl EngineArgs {
    /// As the engine wants them, for a command that plays one variant only.
    ///
    /// # Errors
    /// When the file of weights cannot be used for it.
    pub fn options_for(&self, variant: VariantId) -> Result<Options> {
        let options = self.options();
        if let Some(file) = &options.eval_file {
            file.evaluation(variant)?;
        }
        Ok(options)
    }

    /// As the engine wants them; whether a file of weights can be used will show when it is.
    pub fn options(&self) -> Options {
        Options {
            threads: self.threads as usize,
            hash_mb: self.hash as usize,
            search: self.search,
            eval_file: self.eval_file.as_ref().map(EvalFile::new),
            mcts: Params { hash_mb: self.mcts_hash as usize, ..Params::default() },
            ..Options::default()
        }
    }
}

/// A session with a Hub client.
pub fn run(args: &Args) -> Result<()> {
    Ok(hub::run(HubMode::Protocol, args.engine.options())?)
}

/// Commands that somebody piped in.
pub fn run_script() -> Result<()> {
    Ok(hub::run(HubMode::Script, Options::default())?)
}
