//! `kroon completions`: scripts for shells.

use super::Cli;
use anyhow::Result;
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;

const AFTER_HELP: &str = "\
Examples:
  kroon completions bash > ~/.local/share/bash-completion/completions/kroon
  kroon completions fish > ~/.config/fish/completions/kroon.fish";

/// Write a completion script for a shell
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the script.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    // Through a buffer: `generate` panics when its writer fails.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "kroon", &mut script);
    Ok(out.write_all(&script)?)
}
