//! `kroon match`.

mod options;
mod progress;
mod summary;
mod warnings;

pub use options::Args;

use super::interrupt::cancelled_by_interrupt;
use super::usage::wrong_usage;
use anyhow::{Context, Result, bail};
use kroon::arena::adjudicate::KnownEndings;
use kroon::arena::engines::Engines;
use kroon::arena::game_pdn::{PdnFile, pdn_text};
use kroon::arena::openings::{OpeningSource, Openings};
use kroon::arena::record::GameRecord;
use kroon::arena::run::{self, MatchError, MatchPlan, Spectator};
use kroon::arena::schedule::MatchSchedule;
use kroon::arena::store::{self, MatchHeader, Store};
use kroon::arena::tally::Tally;
use kroon::files::check_outputs;
use kroon::rules::VariantId;
use progress::MatchProgress;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use warnings::{warn, warn_of_plan};

/// Plays the match.
pub fn run(args: &Args, log: Option<&Path>, out: &mut dyn Write) -> Result<()> {
    let setup = options::MatchSetup::new(args)?;
    let mut openings = Openings::new(setup.variant, &args.openings)?;
    let rounds = setup.rounds(args, openings.count())?;
    openings.check_length(rounds, setup.rules.max_plies)?;
    let names: Vec<String> = setup.engines.iter().map(|engine| engine.name.clone()).collect();
    let plan = MatchPlan {
        variant: setup.variant,
        names: names.clone(),
        limits: setup.limits.clone(),
        schedule: MatchSchedule::new(setup.format, names.len(), rounds),
        shard: args.shard,
        rules: setup.rules.clone(),
        sprt: args.sprt,
        seed: args.seed,
        concurrency: args.concurrency as usize,
        strict: args.strict,
        log: log.map(Path::to_owned),
    };
    if plan.schedule.games() > MatchSchedule::MOST_GAMES {
        let (games, most) = (plan.schedule.games(), MatchSchedule::MOST_GAMES);
        wrong_usage!("a match has at most {most} games, all pairings together have {games}");
    }
    let cancel = cancelled_by_interrupt()?;
    let limits: Vec<_> = setup.limits.iter().map(|&(limits, _)| limits).collect();
    let factory = Engines::new(&setup.engines, &limits, setup.variant, args.patience, plan.concurrency)?;
    factory.try_out(&cancel)?;
    let header = factory.header(&plan, setup.format, &args.openings, &openings);
    warn_of_plan(&plan, &factory, &mut openings, &args.openings);
    let read = match &args.openings {
        OpeningSource::File(path) => Some(path.as_path()),
        _ => None,
    };
    check_outputs(read, [&args.results, &args.pdn].into_iter().flatten().map(PathBuf::as_path))?;
    if let Some(path) = &args.pdn {
        check_pdn(path, args.results.as_deref(), &header, setup.variant)
            .with_context(|| format!("PDN file \"{}\"", path.display()))?;
    }
    log.map_or(Ok(()), check_log)?;
    if args.force
        && let Some((of_file, records)) = args.results.as_ref().and_then(|path| store::read(path).ok())
        && of_file.difference(&header).is_none()
    {
        // Other programs are written down only where the match can go on.
        run::check(&plan, &records)?;
    }
    let (store, before) = match &args.results {
        Some(path) => Store::open(path, &header, args.force).map(|(store, before)| (Some(store), before))?,
        None => (None, Vec::new()),
    };
    if let Some(shard) = plan.shard {
        writeln!(out, "shard {shard}: {} of {} games", plan.games(), plan.schedule.games())?;
    }
    run::check(&plan, &before)?;
    if !before.is_empty() {
        let mut tally = Tally::new(plan.schedule.clone(), plan.sprt);
        before.iter().for_each(|game| tally.add(game));
        let goes_on = before.len() < plan.games() && !tally.is_decided();
        let rest = if goes_on { ", the match goes on" } else { "" };
        writeln!(out, "{} of {} games are in the results file{rest}.", before.len(), plan.games())?;
    }
    let mut audience = Audience::new(args, &header, &setup, before.clone(), &plan, out)?;
    let result = run::run(&plan, openings, &factory, store, &before, &cancel, &mut audience);
    audience.progress.end();
    // Whatever became of the file, the games were played: they are summed up first.
    let pdn = audience.finish_pdn();
    let games = std::mem::take(&mut audience.games);
    drop(audience);
    let tally = match result {
        Ok(tally) => tally,
        Err(error) => {
            if let Err(pdn) = pdn {
                warn(format_args!("{pdn:#}"));
            }
            // What was played is worth a report even if the match came to grief.
            let mut tally = Tally::new(plan.schedule.clone(), plan.sprt);
            games.iter().for_each(|game| tally.add(game));
            let printed = summary::print(&names, &tally, setup.variant, out);
            if printed.and_then(|()| out.flush()).is_err() {
                // A closed output is no success while games are missing.
                bail!("{error}: stopped after {} of {} games", tally.games, plan.games());
            }
            return Err(error.into());
        }
    };
    summary::print(&names, &tally, setup.variant, out)?;
    // Large files are checked only where they are read.
    if let Some(fault) = setup.rules.tables.as_ref().and_then(|KnownEndings(tables)| tables.fault()) {
        warn(format_args!("--tables: {fault}"));
    }
    if pdn.is_err() {
        out.flush()?;
    }
    pdn?;
    if tally.games < plan.games() && !tally.is_decided() {
        out.flush()?;
        bail!("interrupted after {} of {} games", tally.games, plan.games());
    }
    Ok(())
}

/// Whether the file may be replaced by the games of the match, told before a results file is begun.
fn check_pdn(path: &Path, results: Option<&Path>, header: &MatchHeader, variant: VariantId) -> Result<()> {
    if PdnFile::check(path, &[]).is_ok() {
        return Ok(());
    }
    // What is wrong with the results file, or that it is of another match, is told where it is opened.
    let (of_file, records) = results.and_then(|results| store::read(results).ok()).unzip();
    if of_file.is_some_and(|of_file: MatchHeader| of_file.difference(header).is_some()) {
        return Ok(());
    }
    let texts = records.iter().flatten().filter_map(|record| pdn_text(header, variant, record).ok());
    Ok(PdnFile::check(path, &texts.collect::<Vec<_>>())?)
}

/// Whether the logs of the games can be in this folder, told before the first of them.
fn check_log(folder: &Path) -> Result<()> {
    if folder.exists() && !folder.is_dir() {
        bail!("--log \"{}\" is a file, expected a folder: each game has a log of its own", folder.display());
    }
    fs::create_dir_all(folder).with_context(|| format!("--log \"{}\"", folder.display()))
}

/// Sees every game: writes the PDN file and shows the state of the match.
struct Audience<'a> {
    header: &'a MatchHeader,
    setup: &'a options::MatchSetup,
    pdn: Option<PdnFile>,
    /// All games, those of earlier runs included.
    games: Vec<GameRecord>,
    progress: MatchProgress<'a>,
}

impl<'a> Audience<'a> {
    fn new(
        args: &Args,
        header: &'a MatchHeader,
        setup: &'a options::MatchSetup,
        before: Vec<GameRecord>,
        plan: &MatchPlan,
        out: &'a mut dyn Write,
    ) -> Result<Audience<'a>> {
        let progress = MatchProgress::new(plan, before.len(), out);
        let mut audience = Audience { header, setup, pdn: None, games: before, progress };
        if let Some(path) = &args.pdn {
            let texts = audience.texts()?;
            let file =
                PdnFile::create(path, &texts).with_context(|| format!("PDN file \"{}\"", path.display()))?;
            audience.pdn = Some(file);
        }
        Ok(audience)
    }

    /// All games as PDN, in the order of the schedule.
    fn texts(&self) -> Result<Vec<String>> {
        let mut games: Vec<&GameRecord> = self.games.iter().collect();
        games.sort_by_key(|game| game.game);
        let text = |game: &&GameRecord| pdn_text(self.header, self.setup.variant, game);
        Ok(games.iter().map(text).collect::<Result<_, _>>()?)
    }

    fn finish_pdn(&mut self) -> Result<()> {
        match self.pdn.take() {
            Some(pdn) => pdn.finish(&self.texts()?).context("PDN file"),
            None => Ok(()),
        }
    }
}

impl Spectator for Audience<'_> {
    fn finished(&mut self, tally: &Tally, games: &[GameRecord]) -> Result<(), MatchError> {
        // What is on the disk is played, also if it cannot be written here.
        self.games.extend_from_slice(games);
        for game in games {
            if let Some(pdn) = &mut self.pdn {
                let text = pdn_text(self.header, self.setup.variant, game)
                    .map_err(|error| MatchError::Io("PDN file", std::io::Error::other(error)))?;
                pdn.add(&text).map_err(|error| MatchError::Io("PDN file", error))?;
            }
        }
        self.progress.show(tally, games).map_err(|error| MatchError::Io("standard output", error))
    }
}
