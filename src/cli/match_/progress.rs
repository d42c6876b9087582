//! The state of a running match: one line that changes in a terminal, a line for every ten games elsewhere.

use crate::cli::estimate::elo;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kroon::arena::record::GameRecord;
use kroon::arena::run::MatchPlan;
use kroon::arena::tally::Tally;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Games between two lines where there is no terminal.
const EVERY: usize = 10;

/// Shows how a match goes.
pub struct MatchProgress<'a> {
    names: Vec<String>,
    /// All games of the match, and those that were there before we began.
    games: usize,
    before: usize,
    start: Instant,
    bar: Option<ProgressBar>,
    out: &'a mut dyn Write,
}

impl<'a> MatchProgress<'a> {
    /// For a match of which `before` games have been played earlier.
    pub fn new(plan: &MatchPlan, before: usize, out: &'a mut dyn Write) -> MatchProgress<'a> {
        let games = plan.games();
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(Some(games as u64), ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:20} {pos}/{len} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar.set_position(before as u64);
            bar.enable_steady_tick(Duration::from_secs(1));
            bar
        });
        MatchProgress { names: plan.names.clone(), games, before, start: Instant::now(), bar, out }
    }

    /// Games have ended.
    pub fn show(&mut self, tally: &Tally, new: &[GameRecord]) -> io::Result<()> {
        if let Some(bar) = &self.bar {
            bar.set_position(tally.games as u64);
            bar.set_message(self.line(tally));
            for game in new.iter().filter(|game| game.reason.is_fault()) {
                let text = format!("game {}: {}", game.game, game.detail.as_deref().unwrap_or_default());
                bar.println(text);
            }
            return Ok(());
        }
        let last = tally.games == self.games || tally.is_decided();
        if last || tally.games / EVERY > (tally.games - new.len()) / EVERY {
            writeln!(self.out, "{}/{} {}", tally.games, self.games, self.line(tally))?;
            self.out.flush()?;
        }
        Ok(())
    }

    /// Takes the line away.
    pub fn end(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }

    /// Score, Elo, test, speed, time left.
    fn line(&self, tally: &Tally) -> String {
        let mut parts = Vec::new();
        match &tally.pairings[..] {
            [pairing] => {
                let games = pairing.games();
                parts.push(format!("+{} ={} -{}", games.wins, games.draws, games.losses));
                if let Some(estimate) = pairing.estimate() {
                    parts.push(format!("Elo {}", elo(&estimate.elo, 1)));
                }
            }
            _ => parts.push(self.leader(tally)),
        }
        if let Some(state) = &tally.sprt {
            let (lower, upper) = state.sprt.bounds();
            parts.push(format!("LLR {:.2} [{lower:.2}, {upper:.2}]", state.llr));
        }
        let played = tally.games.saturating_sub(self.before);
        let hours = self.start.elapsed().as_secs_f64() / 3600.0;
        if played > 0 && hours > 0.0 {
            let rate = played as f64 / hours;
            parts.push(format!("{rate:.0} games/h"));
            let left = (self.games - tally.games) as f64 / rate;
            parts.push(format!("{} left", hours_text(left)));
        }
        parts.join(", ")
    }

    /// Who is ahead of many.
    fn leader(&self, tally: &Tally) -> String {
        let score = |engine: usize| {
            let (mut games, other) = (tally.of_engine(engine).0[0], tally.of_engine(engine).0[1]);
            games += other;
            games.score()
        };
        let best = (0..self.names.len()).max_by(|&a, &b| score(a).total_cmp(&score(b)));
        best.map(|engine| format!("{} leads with {:.1}%", self.names[engine], score(engine) * 100.0))
            .unwrap_or_default()
    }
}

fn hours_text(hours: f64) -> String {
    let seconds = (hours * 3600.0).round() as u64;
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}
