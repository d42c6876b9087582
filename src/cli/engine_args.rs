//! The options of the engine as flags of a command, made from their rows: a new row is a new flag everywhere.

use anyhow::Result;
use clap::builder::{PossibleValuesParser, ValueParser};
use clap::error::Error;
use clap::{Arg, ArgMatches, Command, FromArgMatches, ValueHint};
use kroon::engine::Options;
use kroon::engine::registry::{OptionAudience, OptionKind, OptionRow};
use kroon::rules::VariantId;
use kroon::search::mcts::Params;
use std::marker::PhantomData;

/// The flags that a user gave.
#[derive(Clone, Debug, Default)]
pub struct EngineArgs {
    given: Vec<(&'static str, String)>,
}

impl EngineArgs {
    /// These options with those of the flags.
    ///
    /// # Errors
    /// Never for flags that were parsed.
    pub fn over(&self, mut options: Options) -> Result<Options> {
        for (name, value) in &self.given {
            options.set(name, value)?;
        }
        Ok(options)
    }

    /// The same, for a command that plays one variant only.
    ///
    /// # Errors
    /// When the options cannot be followed in it, such as a file of weights for another variant.
    pub fn over_for(&self, variant: VariantId, options: Options) -> Result<Options> {
        let options = self.over(options)?;
        options.check(variant)?;
        Ok(options)
    }
}

impl FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArgs, Error> {
        Ok(EngineArgs { given: given(told_rows(), matches) })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = EngineArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        told_rows().fold(command, |command, row| command.arg(grouped(row, row_flag(row, Options::default))))
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineArgs::augment_args(command)
    }
}

/// Some of the engine's options, as flags of a command that needs no others.
pub trait OptionSet: Clone + Default + Send + Sync + 'static {
    /// Where they stand in the help; none: where they stand in that of the engine.
    const HEADING: Option<&str>;

    /// Whether a row is one of them.
    fn has(row: &OptionRow<Options>) -> bool;

    /// The options that are in force without a flag.
    fn defaults() -> Options;

    /// The rows of the set.
    fn rows() -> impl Iterator<Item = &'static OptionRow<Options>> {
        Options::ROWS.iter().filter(|row| Self::has(row))
    }
}

/// What a command judges positions with that plays no games.
#[derive(Clone, Debug, Default)]
pub struct Judge;

impl OptionSet for Judge {
    const HEADING: Option<&str> = Some("Engine");

    fn has(row: &OptionRow<Options>) -> bool {
        ["hash", "evaluation", "eval-file", "tables", "bb-size"].contains(&row.name)
    }

    /// Those of one of several engines at work: each of them has a table.
    fn defaults() -> Options {
        Options { hash_mb: 16, ..Options::default() }
    }
}

/// Which search plays games with itself, and how its tree grows.
#[derive(Clone, Debug, Default)]
pub struct Searches;

impl OptionSet for Searches {
    const HEADING: Option<&str> = Some("Search");

    fn has(row: &OptionRow<Options>) -> bool {
        // Each game has a seed of its own.
        row.name == "search" || row.name.starts_with("mcts-") && row.name != "mcts-seed"
    }

    fn defaults() -> Options {
        Options { mcts: Params { hash_mb: 16, noise: 0.25, ..Params::default() }, ..Options::default() }
    }
}

/// The engine of an analysis, which is of full strength, shows the best moves and all that the book knows.
#[derive(Clone, Debug, Default)]
pub struct Analysis;

impl OptionSet for Analysis {
    const HEADING: Option<&str> = None;

    fn has(row: &OptionRow<Options>) -> bool {
        let of_games = ["level", "variety", "book-ply", "book-margin"];
        row.audience != OptionAudience::Hidden && !of_games.contains(&row.name)
    }

    fn defaults() -> Options {
        Options::default()
    }
}

/// The engine of a board that says with every order who plays and how many moves are reported.
#[cfg(feature = "web")]
#[derive(Clone, Debug, Default)]
pub struct Board;

#[cfg(feature = "web")]
impl OptionSet for Board {
    const HEADING: Option<&str> = None;

    fn has(row: &OptionRow<Options>) -> bool {
        row.audience != OptionAudience::Hidden && !["level", "multipv", "player"].contains(&row.name)
    }

    fn defaults() -> Options {
        Options { threads: super::threads(None), book: true, ..Options::default() }
    }
}

/// The flags of an [`OptionSet`] that a user gave.
#[derive(Clone, Debug, Default)]
pub struct SetArgs<S>(EngineArgs, PhantomData<S>);

impl<S: OptionSet> SetArgs<S> {
    /// The names of the options that were given.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        self.0.given.iter().map(|&(name, _)| name)
    }

    /// The options in force.
    ///
    /// # Errors
    /// Never for flags that were parsed.
    pub fn options(&self) -> Result<Options> {
        self.0.over(S::defaults())
    }

    /// The same, for a command that searches one variant only.
    ///
    /// # Errors
    /// When the options cannot be followed in it.
    pub fn options_for(&self, variant: VariantId) -> Result<Options> {
        self.0.over_for(variant, S::defaults())
    }
}

impl<S: OptionSet> FromArgMatches for SetArgs<S> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<SetArgs<S>, Error> {
        Ok(SetArgs(EngineArgs { given: given(S::rows(), matches) }, PhantomData))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = SetArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<S: OptionSet> clap::Args for SetArgs<S> {
    fn augment_args(command: Command) -> Command {
        let flag = |row: &'static OptionRow<Options>| {
            let flag = grouped(row, row_flag(row, S::defaults));
            if let Some(heading) = S::HEADING { flag.help_heading(heading) } else { flag }
        };
        S::rows().fold(command, |command, row| command.arg(flag(row)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        SetArgs::<S>::augment_args(command)
    }
}

/// The values that were given for these rows.
fn given(
    rows: impl Iterator<Item = &'static OptionRow<Options>>,
    matches: &ArgMatches,
) -> Vec<(&'static str, String)> {
    rows.filter_map(|row| matches.get_one::<String>(row.name).map(|value| (row.name, value.clone())))
        .collect()
}

/// The rows that become flags.
fn told_rows() -> impl Iterator<Item = &'static OptionRow<Options>> {
    Options::ROWS.iter().filter(|row| row.audience != OptionAudience::Hidden)
}

/// The flag of a row, under the heading of those who want it.
fn grouped(row: &OptionRow<Options>, arg: Arg) -> Arg {
    match row.audience {
        OptionAudience::TreeSearch => arg.help_heading("Tree search").hide_short_help(true),
        OptionAudience::Players => arg.help_heading("Players").hide_short_help(true),
        _ => arg.help_heading("Engine"),
    }
}

/// A row as a flag. The default is only told: a command may begin with other settings.
pub(super) fn row_flag<S: 'static>(row: &'static OptionRow<S>, default: fn() -> S) -> Arg {
    let value = row.value(&default());
    let mut help = row.help.to_owned();
    help[..1].make_ascii_uppercase();
    let arg = Arg::new(row.name)
        .long(row.name)
        .value_name(row.placeholder)
        .help(format!("{help} [default: {value}]"))
        .value_parser(parser(row, default));
    match row.kind {
        OptionKind::Bool { .. } => arg.num_args(0..=1).require_equals(true).default_missing_value("true"),
        OptionKind::File { .. } => arg.value_hint(ValueHint::FilePath),
        _ => arg,
    }
}

/// Reads the value as the option does, and keeps the text.
fn parser<S: 'static>(row: &'static OptionRow<S>, default: fn() -> S) -> ValueParser {
    match row.kind {
        OptionKind::Word { words, .. } => PossibleValuesParser::new(words()).into(),
        OptionKind::Bool { .. } => PossibleValuesParser::new(["true", "false"]).into(),
        _ => ValueParser::new(move |text: &str| match row.set(&mut default(), text) {
            Ok(()) => Ok(text.to_owned()),
            Err(error) => Err(error.to_string()),
        }),
    }
}
