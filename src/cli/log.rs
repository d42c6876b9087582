//! Logging: silent by default, because Hub clients choke on what an engine writes to standard error.

use anyhow::{Context, Result, bail};
use log::LevelFilter;
use std::fs::OpenOptions;
use std::path::Path;

const VARIABLE: &str = "KROON_LOG";
const DEFAULT_FOR_FILE: &str = "debug";

/// Starts logging if `--log` or `KROON_LOG` asks for it.
///
/// # Errors
/// When the file cannot be opened or the variable makes no sense.
pub fn start(file: Option<&Path>) -> Result<()> {
    let variable = std::env::var_os(VARIABLE).filter(|text| !text.is_empty());
    let filter = match (&variable, file) {
        (None, None) => return Ok(()),
        (None, Some(_)) => DEFAULT_FOR_FILE.into(),
        (Some(text), _) => text.to_string_lossy(),
    };
    let mut builder = env_logger::Builder::new();
    for (module, level) in parse_filter(&filter).with_context(|| format!("{VARIABLE}=\"{filter}\""))? {
        builder.filter(module, level);
    }
    if let Some(path) = file {
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .with_context(|| format!("cannot open log file \"{}\"", path.display()))?;
        builder.target(env_logger::Target::Pipe(Box::new(file)));
    }
    // An error says that a logger is there already: nobody else starts one.
    let _ = builder.format_timestamp_millis().try_init();
    Ok(())
}

/// `level` or `module=level`, separated by commas. Stricter than `env_logger`, which warns on standard error.
fn parse_filter(text: &str) -> Result<Vec<(Option<&str>, LevelFilter)>> {
    let parse = |part: &str| match part.parse::<LevelFilter>() {
        Ok(level) => Ok(level),
        Err(_) => bail!("unknown level \"{part}\", expected one of: off, error, warn, info, debug, trace"),
    };
    text.split(',')
        .map(|part| match part.trim().split_once('=') {
            Some((module, level)) => Ok((Some(module), parse(level)?)),
            None => Ok((None, parse(part.trim())?)),
        })
        .collect()
}
