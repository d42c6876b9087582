//! What the user sees of matches.

use crate::cli::board::diagram;
use crate::cli::game::{line_text, score_text};
use anyhow::{Context, Result, bail};
use crossbeam::channel::{Receiver, Sender, bounded};
use kroon::board::{Color, Position, Setup};
use kroon::game::Game;
use kroon::notation::{fen, moves};
use kroon::protocol::dxp::host::{HostReport, HostView};
use kroon::protocol::dxp::record::{MatchScore, Record, Standings};
use kroon::protocol::dxp::session::{DxpEvent, Moved};
use kroon::rules::{VariantId, play_in};
use kroon::search::Info;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::thread;
use std::time::Duration;

/// Texts that may wait for a slow terminal; what comes then is lost, for the game must not wait.
const TEXTS_AHEAD: usize = 4096;
/// How long the last texts may take.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Standard output, written by a thread of its own.
pub struct Screen {
    variant: VariantId,
    board: bool,
    search: bool,
    texts: Option<Sender<String>>,
    written: Receiver<()>,
    /// Why the first game that was not saved was not.
    not_saved: Option<String>,
    /// `1 of 4`
    number: String,
}

impl Screen {
    /// With or without the board after each move and the lines of the search.
    pub fn new(variant: VariantId, board: bool, search: bool) -> Result<Screen> {
        let (texts, waiting) = bounded::<String>(TEXTS_AHEAD);
        let (done, written) = bounded(1);
        let write = move || {
            let mut out = io::stdout();
            // Where nobody reads any more the match goes on all the same.
            for text in waiting {
                let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
            }
            let _ = done.send(());
        };
        thread::Builder::new().name("screen".into()).spawn(write).context("cannot start the output")?;
        let number = String::new();
        Ok(Screen { variant, board, search, texts: Some(texts), written, not_saved: None, number })
    }

    /// Waits until all is written.
    ///
    /// # Errors
    /// When a game could not be saved.
    pub fn finish(mut self) -> Result<()> {
        self.texts = None;
        // Somebody who does not read must not keep us.
        let _ = self.written.recv_timeout(LAST_WORDS);
        match self.not_saved {
            Some(why) => bail!("a game was not saved: {why}"),
            None => Ok(()),
        }
    }

    fn print(&self, text: String) {
        if let Some(texts) = &self.texts {
            let _ = texts.try_send(text);
        }
    }

    fn line(&self, text: impl std::fmt::Display) {
        self.print(format!("{text}\n"));
    }

    fn diagram(&self, position: &Position) {
        if self.board {
            let mut text = Vec::new();
            // Writing to memory cannot fail.
            let _ = diagram(&mut text, self.variant.rules().board, position);
            self.print(format!("\n{}\n", String::from_utf8_lossy(&text)));
        }
    }

    fn event(&mut self, event: &DxpEvent) {
        match event {
            DxpEvent::GameStarted { number, total, white, black, time, moves, game } => {
                self.number = match total {
                    Some(total) => format!("{number} of {total}"),
                    None => number.to_string(),
                };
                let minutes = match time.duration() {
                    Some(time) if time == Duration::from_secs(60) => "1 minute".to_owned(),
                    Some(time) => format!("{} minutes", time.as_secs_f64() / 60.0),
                    None => "no clock".to_owned(),
                };
                let limit = if *moves > 0 { format!(", {moves} moves") } else { String::new() };
                self.line(format_args!("game {}: {white} - {black}, {minutes}{limit}", self.number));
                if game.start() != Game::new(self.variant).start() {
                    self.line(format_args!("  from {}", fen::write(self.variant, game.start())));
                }
                self.diagram(game.position());
            }
            DxpEvent::Moved(moved) => self.moved(moved),
            DxpEvent::Thinking(position, info) => self.thinking(position, info),
            DxpEvent::Chat(text) => self.line(format_args!("  opponent says: {}", text.shown())),
            DxpEvent::WentBack(game) => {
                self.line(format_args!(
                    "  taken back to {} moves, {} to move",
                    game.moves().len(),
                    game.position().turn()
                ));
                self.diagram(game.position());
            }
            DxpEvent::Notice(text) => self.line(format_args!("  note: {text}")),
            DxpEvent::GameOver(record) => self.over(record),
        }
    }

    fn moved(&self, moved: &Moved) {
        let Moved { number, color, ours, before, mv, time, info } = moved;
        let dots = if *color == Color::White { "." } else { "..." };
        let mut text = moves::write(self.variant, before, *mv);
        let _ =
            write!(text, "{:>w$.1} s", time.as_secs_f64(), w = 24_usize.saturating_sub(text.len()).max(6));
        if let (true, Some(info)) = (ours, info) {
            let _ = write!(text, "  {:>8}  depth {}", score_text(info.score), info.depth);
        }
        self.line(format_args!("{:>7} {text}", format!("{number}{dots}")));
        self.diagram(&play_in(self.variant, before, *mv));
    }

    fn thinking(&self, position: &Position, info: &Info) {
        if !self.search {
            return;
        }
        // A position that was played in is valid.
        let Ok(game) = Game::from_setup(self.variant, &Setup::from(position)) else { return };
        self.line(format_args!(
            "        {:>3} {:>8} {:>11} {:>7.2} {}",
            info.depth,
            score_text(info.score),
            info.nodes,
            info.time.as_secs_f64(),
            line_text(&game, &info.pv).join(" ")
        ));
    }

    fn over(&self, record: &Record) {
        let result = record.ending.result().text(self.variant);
        let moves = record.game.moves().len().div_ceil(2);
        self.line(format_args!("game {} ended: {result}, {} ({moves} moves)", self.number, record.ending));
    }

    fn table(&self, standings: &Standings) {
        let total = standings.total();
        if total.games() == 0 {
            return;
        }
        let mut text = format!(
            "{:<10}{:>7}{:>7}{:>7}{:>7}{:>9}{:>8}\n",
            "", "games", "won", "drawn", "lost", "unknown", "points"
        );
        let mut row = |name: &str, score: &MatchScore| {
            let MatchScore { won, drawn, lost, unknown } = score;
            let (games, points) = (score.games(), score.points());
            let _ = writeln!(text, "{name:<10}{games:>7}{won:>7}{drawn:>7}{lost:>7}{unknown:>9}{points:>8}");
        };
        row("as White", &standings.by_color[Color::White.index()]);
        row("as Black", &standings.by_color[Color::Black.index()]);
        row("together", &total);
        self.print(text);
    }
}

impl HostView for Screen {
    fn show(&mut self, report: HostReport<'_>) {
        match report {
            HostReport::Listening(address) => self.line(format_args!("listening on {address}")),
            HostReport::Connected(peer) => self.line(format_args!("connected with {peer}")),
            HostReport::Declined(peer) => {
                self.line(format_args!("  note: {peer} declined, a game is being played"))
            }
            HostReport::Session(event) => self.event(event),
            HostReport::NotSaved(error) => {
                self.not_saved.get_or_insert(error.to_string());
                self.line(format_args!("  note: game not saved: {error}"));
            }
            HostReport::Closed(closing, standings) => {
                self.table(standings);
                self.line(format_args!("disconnected: {closing}"));
            }
            HostReport::Reconnecting(error) => self.line(format_args!("  note: {error}, trying again")),
        }
    }
}
