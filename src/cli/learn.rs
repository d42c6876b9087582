//! `kroon learn`.

use super::engine_args::row_flag;
use super::outputs::{DRAWING, is_standard, keep_others};
use super::progress::say;
use super::usage::wrong_usage;
use anyhow::{Context, Result};
use clap::error::Error;
use clap::{ArgMatches, Command as ClapCommand, FromArgMatches};
use kroon::agents::learned::{LearnedFile, LearnedKind};
use kroon::engine::registry::OptionRow;
use kroon::files::{check_outputs, write_whole};
use kroon::learn::{
    LearnProgress, LearnSettings, Opponent, PriorProgress, PriorSettings, PriorTraining, Training, learn,
    learn_prior, plot,
};
use kroon::rules::VariantId;
use kroon::words::counted;
use std::io::Write;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

const AFTER_HELP: &str = "\
A learner plays games against an opponent, described as in a match, and learns from each. The test
games of the learning curve are others; in them it neither learns nor makes random moves. The file
is saved at every point of the curve, every half a minute and at the end; a run that was killed goes
on with --resume and ends with the same bytes. Defaults are the numbers of the texts that describe
the learners, and where these leave one open, those of their authors' programs.

Examples:
  kroon learn q-learning --games 20000 --out mine.learned --plot curve.svg
  kroon learn approximate-q --out first.learned
  kroon learn approximate-q --from first.learned --alpha 0.001 --opponent 'player=minimax depth=5' \\
    --out second.learned
  kroon learn prior --out net.learned
  kroon learn approximate-q --prior net.learned --out neural.learned
  kroon learn state-q --variant russian --start 0 --alpha 0.1 --out states.learned
  kroon match --engine 'proto=kroon player=q-learning file=mine.learned' \\
    --engine 'proto=kroon player=random' --variant english --openings start --games 1000";

/// Train the players that learn
#[derive(clap::Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand, Debug)]
enum Command {
    /// A table of values of moves, for the player q-learning
    QLearning(PlayerArgs<QLearning>),
    /// Weights of features of moves, for approximate-q and, with --prior, neural-q
    ApproximateQ(ApproximateArgs),
    /// Values of transitions between abstract states, for the player state-q
    StateQ(PlayerArgs<StateQ>),
    /// A small dense network that knows the boards of winners, for neural-q
    Prior(PriorArgs),
}

/// Settings that have rows.
trait Rows: std::fmt::Debug + Clone + Send + Sync + 'static {
    type Settings: 'static;
    fn rows() -> &'static [OptionRow<Self::Settings>];
    fn default() -> Self::Settings;
    /// Games and opponent of a training that names none.
    fn of_games() -> (u64, &'static str);
}

/// Declares a type that stands for the settings of a learner.
macro_rules! settings_of {
    ($($name:ident: $settings:ty, $kind:expr, $rows:expr, $default:expr;)+) => {
        $(
            #[derive(Clone, Debug)]
            struct $name;

            impl Rows for $name {
                type Settings = $settings;
                fn rows() -> &'static [OptionRow<$settings>] {
                    $rows
                }
                fn default() -> $settings {
                    $default
                }
                fn of_games() -> (u64, &'static str) {
                    LearnSettings::defaults_of_games($kind)
                }
            }
        )+
    };
}

settings_of! {
    QLearning: LearnSettings, LearnedKind::QLearning, LearnSettings::rows(LearnedKind::QLearning),
        LearnSettings::of(LearnedKind::QLearning);
    ApproximateQ: LearnSettings, LearnedKind::ApproximateQ, LearnSettings::rows(LearnedKind::ApproximateQ),
        LearnSettings::of(LearnedKind::ApproximateQ);
    StateQ: LearnSettings, LearnedKind::StateQ, LearnSettings::rows(LearnedKind::StateQ), LearnSettings::of(LearnedKind::StateQ);
    Prior: PriorSettings, LearnedKind::Prior, PriorSettings::ROWS, PriorSettings::default();
}

/// The flags of the rows that a user gave.
#[derive(Clone, Debug)]
struct RowArgs<R> {
    given: Vec<(&'static str, String)>,
    rows: PhantomData<R>,
}

impl<R: Rows> RowArgs<R> {
    fn settings(&self) -> Result<R::Settings> {
        let mut settings = R::default();
        for (name, value) in &self.given {
            if let Some(row) = R::rows().iter().find(|row| row.name == *name) {
                row.set(&mut settings, value)?;
            }
        }
        Ok(settings)
    }
}

impl<R: Rows> FromArgMatches for RowArgs<R> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<RowArgs<R>, Error> {
        let value = |name| matches.get_one::<String>(name).map(|value| (name, value.clone()));
        Ok(RowArgs { given: R::rows().iter().filter_map(|row| value(row.name)).collect(), rows: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = RowArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl<R: Rows> clap::Args for RowArgs<R> {
    fn augment_args(command: ClapCommand) -> ClapCommand {
        let flags = R::rows().iter().map(|row| row_flag(row, R::default).help_heading("Learning"));
        command.args(flags)
    }

    fn augment_args_for_update(command: ClapCommand) -> ClapCommand {
        RowArgs::<R>::augment_args(command)
    }
}

/// What every training has.
#[derive(clap::Args, Debug)]
struct Common {
    /// The variant
    #[arg(long, value_name = "V", default_value_t = VariantId::English)]
    variant: VariantId,
    /// Seed of all games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = kroon::seed::parse)]
    seed: u64,
    /// The file of what is learned
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Go on with the file that is there
    #[arg(long)]
    resume: bool,
}

#[derive(clap::Args, Debug)]
#[command(mut_arg("games", |arg| arg.help(format!("Games to learn from [default: {}]", R::of_games().0))))]
#[command(mut_arg("opponent", |arg| {
    let (_, opponent) = R::of_games();
    arg.help(format!("Whom it learns from: a player of this program, as in a match [default: \"{opponent}\"]"))
}))]
struct PlayerArgs<R: Rows> {
    #[command(flatten)]
    common: Common,
    // The help names the defaults, which are those of the texts or of their authors' programs.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    #[arg(long, value_name = "PLAYER")]
    opponent: Option<String>,
    /// Who plays the test games of the curve
    #[arg(long, value_name = "PLAYER", default_value = "player=random")]
    curve_opponent: String,
    /// A learned player of the same kind to go on from
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Draw the learning curve (SVG)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    settings: RowArgs<R>,
}

#[derive(clap::Args, Debug)]
struct ApproximateArgs {
    #[command(flatten)]
    player: PlayerArgs<ApproximateQ>,
    /// A network of `kroon learn prior`: it gives two more features
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    prior: Option<PathBuf>,
}

#[derive(clap::Args, Debug)]
struct PriorArgs {
    #[command(flatten)]
    common: Common,
    /// Games of minimax against itself; drawn ones are left out
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    concurrency: u64,
    #[command(flatten)]
    settings: RowArgs<Prior>,
}

/// Trains; progress goes to standard error.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<()> {
    let file = match &args.command {
        Command::QLearning(player) => &player.common.out,
        Command::StateQ(player) => &player.common.out,
        Command::ApproximateQ(ApproximateArgs { player, .. }) => &player.common.out,
        Command::Prior(prior) => &prior.common.out,
    };
    if is_standard(file) {
        wrong_usage!("--out -: what is learned goes to a file, which is saved again and again");
    }
    match &args.command {
        Command::QLearning(player) => train(LearnedKind::QLearning, player, None, out),
        Command::ApproximateQ(ApproximateArgs { player, prior }) => {
            let from = player.from.as_deref().map(LearnedFile::open).transpose()?;
            let is_neural =
                prior.is_some() || from.is_some_and(|from| from.knowledge.kind() == LearnedKind::NeuralQ);
            let kind = if is_neural { LearnedKind::NeuralQ } else { LearnedKind::ApproximateQ };
            train(kind, player, prior.as_deref(), out)
        }
        Command::StateQ(player) => train(LearnedKind::StateQ, player, None, out),
        Command::Prior(prior) => train_prior(prior, out),
    }
}

fn train<R: Rows<Settings = LearnSettings>>(
    kind: LearnedKind,
    args: &PlayerArgs<R>,
    prior: Option<&Path>,
    out: &mut dyn Write,
) -> Result<()> {
    if args.from.is_some() && args.settings.given.iter().any(|(name, _)| *name == "start") {
        wrong_usage!("--start with --from: what is gone on from has its own");
    }
    let variant = args.common.variant;
    check_outputs(
        args.from.as_deref().into_iter().chain(prior),
        [Some(&args.common.out), args.plot.as_ref()].into_iter().flatten().map(PathBuf::as_path),
    )?;
    args.plot.as_deref().map_or(Ok(()), |path| keep_others(path, DRAWING, "drawings"))?;
    let documented = Training::new(kind, variant)?;
    let opponent = args.opponent.as_deref().map(|text| Opponent::new(text, variant)).transpose()?;
    let training = Training {
        settings: args.settings.settings()?,
        games: args.games.unwrap_or(documented.games),
        seed: args.common.seed,
        opponent: opponent.unwrap_or(documented.opponent),
        curve_opponent: Opponent::new(&args.curve_opponent, variant)?,
        from: args.from.as_deref().map(LearnedFile::open).transpose()?,
        prior: prior.map(|path| LearnedFile::open_for(path, LearnedKind::Prior, variant)).transpose()?,
        kind,
        variant,
    };
    let file = learn(&training, Some(&args.common.out), args.common.resume, &mut |progress| {
        say(line(progress, &training));
    })?;
    if let Some(path) = &args.plot {
        write_whole(path, |out| out.write_all(plot(&file.header).as_bytes()))
            .with_context(|| format!("{}", path.display()))?;
    }
    done(&file, &args.common.out, out)
}

fn line(progress: &LearnProgress, training: &Training) -> String {
    let LearnProgress { games, planned, values, test, time, .. } = progress;
    let test = test.map_or(String::new(), |score| {
        let opponent = &training.curve_opponent;
        format!(", {:.1}% won against {opponent} ({score})", 100.0 * score.rate())
    });
    format!("{games} of {planned} games, {values} values{test}, {:.0} s", time.as_secs_f64())
}

fn train_prior(args: &PriorArgs, out: &mut dyn Write) -> Result<()> {
    let training = PriorTraining {
        variant: args.common.variant,
        settings: args.settings.settings()?,
        games: args.games,
        seed: args.common.seed,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.concurrency as usize).build()?;
    let mut observer = |progress: &PriorProgress| {
        let text = match progress {
            PriorProgress::Games { games, planned, boards, time } => {
                let is_full = games < planned && *boards >= PriorTraining::MOST_BOARDS;
                let full = if is_full { ", as many as are learned from: no more games" } else { "" };
                format!("{games} of {planned} games, {boards} boards{full}, {:.0} s", time.as_secs_f64())
            }
            PriorProgress::Pass { pass, loss, held_out, guessed, time } => {
                let number =
                    |number: Option<f64>| number.map_or("none".to_owned(), |number| format!("{number:.4}"));
                let (held_out, guessed) = (number(*held_out), number(*guessed));
                let time = time.as_secs_f64();
                format!("pass {pass} loss {loss:.4} held-out {held_out} guessed {guessed}, {time:.0} s")
            }
        };
        say(text);
    };
    let (path, resume) = (args.common.out.as_path(), args.common.resume);
    let file = pool.install(|| learn_prior(&training, Some(path), resume, &mut observer))?;
    done(&file, path, out)
}

fn done(file: &LearnedFile, path: &Path, out: &mut dyn Write) -> Result<()> {
    let (kind, values, games) = (file.knowledge.kind(), file.knowledge.len(), file.header.games);
    let bytes = std::fs::metadata(path).with_context(|| format!("{}", path.display()))?.len();
    writeln!(
        out,
        "{kind}, {}, {}, {bytes} bytes in {}, checksum {}",
        counted(games, "game"),
        counted(values as u64, "value"),
        path.display(),
        file.checksum()
    )?;
    Ok(())
}
