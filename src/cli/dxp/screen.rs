//! What the user sees of matches.

use crate::cli::progress::say;
use anyhow::{Context, Result, bail};
use crossbeam::channel::{Receiver, Sender, bounded};
use kroon::protocol::dxp::host::{HostReport, HostView};
use kroon::rules::VariantId;
use kroon::view::dxp::{DxpMatchText, standings};
use std::io::{self, Write};
use std::thread;
use std::time::Duration;

/// Texts that may wait for a slow terminal; what comes then is lost, for the game must not wait.
const TEXTS_AHEAD: usize = 4096;
/// How long the last texts may take.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Standard output, written by a thread of its own.
pub struct Screen {
    text: DxpMatchText,
    /// Whether the opponent is to ask for games.
    waits: bool,
    texts: Option<Sender<String>>,
    written: Receiver<()>,
    /// Why the first game that was not saved was not.
    not_saved: Option<String>,
}

impl Screen {
    /// With or without the board after each move and the lines of the search; `waits` is whether the opponent is to ask for
    /// games.
    pub fn new(variant: VariantId, board: bool, search: bool, waits: bool) -> Result<Screen> {
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
        let text = DxpMatchText::new(variant, board, search);
        Ok(Screen { text, waits, texts: Some(texts), written, not_saved: None })
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
        if let Some(texts) = self.texts.as_ref().filter(|_| !text.is_empty()) {
            let _ = texts.try_send(text);
        }
    }

    fn note(&self, text: impl std::fmt::Display) {
        self.print(format!("  note: {text}\n"));
    }
}

impl HostView for Screen {
    fn show(&mut self, report: HostReport<'_>) {
        match report {
            HostReport::Listening(address) => self.print(format!("listening on {address}\n")),
            HostReport::Connected(peer) => {
                self.print(format!("connected with {peer}\n"));
                if self.waits {
                    // Two followers would wait for each other in silence.
                    self.note("the opponent is to ask for games; --initiator asks for them");
                }
            }
            HostReport::Declined(peer) => self.note(format_args!("{peer} declined, a game is being played")),
            HostReport::Session(event) => {
                let text = self.text.event(event);
                self.print(text);
            }
            HostReport::NotSaved(error) => {
                self.not_saved.get_or_insert(error.to_string());
                self.note(format_args!("game not saved: {error}"));
            }
            HostReport::Closed(closing, total) => {
                self.print(standings(total) + &format!("disconnected: {closing}\n"));
            }
            HostReport::Reconnecting(error) => self.note(format_args!("{error}, trying again")),
            HostReport::Fault(fault) => say(format_args!("error: {fault}")),
            // The table of the only opponent says it all.
            HostReport::Totals(0 | 1, _) => {}
            HostReport::Totals(opponents, total) => {
                self.print(format!("{opponents} opponents:\n{}", standings(total)));
            }
        }
    }
}
