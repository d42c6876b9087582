//! The program `kroon`: runs [`cli`] and turns its result into an exit code.

mod cli;

use clap::Parser;
use std::io::Write;
use std::process::ExitCode;

/// Exit codes: 0 done; 1 failed, with one line on standard error; 2 wrong command line (where a single argument is wrong clap
/// exits by itself).
fn main() -> ExitCode {
    match cli::run(cli::Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        // The reader of our output closed it (`kroon board | head -3`): no failure.
        Err(error) if cli::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error may be closed.
            let _ = writeln!(std::io::stderr(), "error: {}", cli::explain(&error));
            if cli::is_usage(&error) { ExitCode::from(2) } else { ExitCode::FAILURE }
        }
    }
}
