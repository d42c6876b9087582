//! The variations of a game, checked: where one cannot be played to its end.

use super::replay::{next_move, set_up};
use super::tree::{PdnAction, PdnGame, PdnLine, TextPlace};
use super::{PdnError, PdnFault};
use crate::board::Position;
use crate::notation::moves;
use crate::notation::text::quote;
use crate::rules::{VariantId, play_in};

/// Faults of one game that are told.
const MOST_FAULTS: usize = 100;

impl PdnGame {
    /// Why variations break off, in the order of the text, at most 100 of them; why the game itself does,
    /// [`Replay::stopped`](super::Replay::stopped) tells. What stands behind such a place is not looked at.
    ///
    /// ```
    /// use kroon::notation::pdn;
    /// let text = "[GameType \"20\"] 1. 32-28 (1. 33-29 19-23 (1... 20-24 2. 50-1) 2. 1-2) 19-23 *";
    /// let (games, _) = pdn::read_games(text);
    /// let faults = games[0].variation_faults(games[0].variant()?);
    /// assert!(faults[0].to_string().starts_with("line 1, column 57: move \"50-1\" "));
    /// assert!(faults[1].to_string().starts_with("line 1, column 66: move \"1-2\" "));
    /// # Ok::<(), pdn::PdnError>(())
    /// ```
    pub fn variation_faults(&self, variant: VariantId) -> Vec<PdnError> {
        let mut check = Check { variant, faults: Vec::new() };
        if let Ok(start) = self.start(variant) {
            check.line(*start.position(), &self.line);
        }
        check.faults.truncate(MOST_FAULTS);
        check.faults
    }
}

/// Follows lines and notes what is wrong.
struct Check {
    variant: VariantId,
    faults: Vec<PdnError>,
}

impl Check {
    /// Checks the variations of a line that begins here, and gives the fault of the line itself.
    fn line(&mut self, mut position: Position, line: &PdnLine) -> Option<PdnError> {
        let mut missing: Option<TextPlace> = None;
        let mut entries = line.entries.as_slice();
        while let [entry, behind @ ..] = entries {
            let fault = |fault| PdnError { place: entry.place, fault };
            let before = position;
            let rest = match &entry.action {
                PdnAction::Missing => {
                    missing = Some(entry.place);
                    behind
                }
                PdnAction::Unread(word) => match moves::short(self.variant, &position, word) {
                    Some(mv) => {
                        (position, missing) = (play_in(self.variant, &position, mv), None);
                        behind
                    }
                    None => return Some(fault(PdnFault::Unread(quote(word)))),
                },
                PdnAction::Setup(text) => match set_up(self.variant, &position, text) {
                    Ok(section) => {
                        (position, missing) = (section.map_or(position, |game| *game.position()), None);
                        behind
                    }
                    Err(error) => return Some(fault(error.into())),
                },
                PdnAction::Move(text) => match next_move(self.variant, &position, text, behind) {
                    Ok((mv, rest)) => {
                        (position, missing) = (play_in(self.variant, &position, mv), None);
                        rest
                    }
                    Err(error) => {
                        let gap = missing.map(|place| PdnError { place, fault: PdnFault::Missing });
                        return gap.or_else(|| Some(fault(error.into())));
                    }
                },
            };
            let read = &entries[..entries.len() - rest.len()];
            for variation in read.iter().flat_map(|entry| &entry.variations) {
                if self.faults.len() < MOST_FAULTS {
                    let own = self.line(before, variation);
                    self.faults.extend(own);
                }
            }
            entries = rest;
        }
        None
    }
}
