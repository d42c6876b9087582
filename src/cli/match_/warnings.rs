//! What may make a match tell less than it seems to, said before its first game.

use crate::cli::progress::say;
use kroon::arena::engines::Engines;
use kroon::arena::openings::{OpeningSource, Openings};
use kroon::arena::run::MatchPlan;
use std::fmt::Display;

/// Says it on standard error.
pub fn warn(what: impl Display) {
    say(format_args!("warning: {what}"));
}

/// Players that have learned nothing, and openings from which games come again.
pub fn warn_of_plan(plan: &MatchPlan, engines: &Engines, openings: &mut Openings, source: &OpeningSource) {
    for name in engines.untrained() {
        warn(format_args!(
            "{name} has learned nothing in {} draughts: it plays as before its first game; kroon learn makes a file for \
             param.player-file",
            plan.variant
        ));
    }
    let rounds = plan.schedule.rounds();
    let different = openings.screened_by().map_or(rounds, |_| openings.different(rounds));
    if different < rounds {
        warn(format_args!("{source}: {different} openings for {rounds} pairs of games, they come again"));
    }
    let positions = openings.positions(rounds);
    let listed = openings.count().map(|count| count.min(rounds));
    if let (Some(positions), Some(listed)) = (positions, listed)
        && positions < listed
    {
        warn(format_args!(
            "{source}: {listed} openings lead to {positions} different positions: pairs of games from the same one count \
             as if they had nothing to do with each other"
        ));
    }
    warn_of_repeats(plan, engines, positions);
}

/// Says which pairings play games that have been played, where there are so many different openings: they add nothing, and
/// the intervals do not know it.
fn warn_of_repeats(plan: &MatchPlan, engines: &Engines, openings: Option<usize>) {
    let rounds = plan.schedule.rounds();
    let Some(openings) = openings.filter(|&openings| openings < rounds) else { return };
    let limits: Vec<_> = plan.limits.iter().map(|&(limits, _)| limits).collect();
    for &pairing in plan.schedule.pairings() {
        if !engines.repeat_games(pairing, &limits) {
            continue;
        }
        let [first, second] = pairing.map(|engine| &plan.names[engine]);
        warn(format_args!(
            "{first} - {second}: {} games of {} repeat others, as there are {openings} openings and both engines answer \
             alike each time; --openings random:8:1 has enough, and noise= makes chances",
            2 * (rounds - openings),
            2 * rounds,
        ));
    }
}
