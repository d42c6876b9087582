//! Matches over DXP as lines of text.

use super::text;
use crate::board::{Color, Position, Setup};
use crate::game::Game;
use crate::notation::{fen, moves};
use crate::protocol::dxp::record::{MatchScore, Record, Standings};
use crate::protocol::dxp::session::{DxpEvent, Moved};
use crate::rules::{VariantId, play_in};
use crate::search::Info;
use std::fmt::Write;
use std::time::Duration;

/// Tells a match event by event. Every text ends with a line feed, or is empty.
#[derive(Clone, Debug)]
pub struct DxpMatchText {
    variant: VariantId,
    board: bool,
    search: bool,
    /// Number of the game: `1 of 4`.
    number: String,
}

impl DxpMatchText {
    /// With or without the board after each move (`board`) and the variations of the search (`search`).
    pub fn new(variant: VariantId, board: bool, search: bool) -> DxpMatchText {
        DxpMatchText { variant, board, search, number: String::new() }
    }

    /// What to show for an event.
    pub fn event(&mut self, event: &DxpEvent) -> String {
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
                let start = if game.start() == Game::new(self.variant).start() {
                    String::new()
                } else {
                    format!("  from {}\n", fen::write(self.variant, game.start()))
                };
                let players = format!("game {}: {white} - {black}, {minutes}{limit}", self.number);
                format!("{players}\n{start}{}", self.diagram(game.position()))
            }
            DxpEvent::Moved(moved) => self.moved(moved),
            DxpEvent::Thinking(position, info) => self.thinking(position, info),
            DxpEvent::Chat(text) => format!("  opponent says: {}\n", text.shown()),
            DxpEvent::WentBack(game) => {
                let (count, turn) = (game.moves().len(), game.position().turn());
                format!("  taken back to {count} moves, {turn} to move\n{}", self.diagram(game.position()))
            }
            DxpEvent::Notice(text) => format!("  note: {text}\n"),
            DxpEvent::GameOver(record) => self.over(record),
        }
    }

    fn diagram(&self, position: &Position) -> String {
        if !self.board {
            return String::new();
        }
        format!("\n{}\n", text::diagram(self.variant.rules(), position))
    }

    fn moved(&self, moved: &Moved) -> String {
        let Moved { number, color, ours, before, mv, time, info } = moved;
        let dots = if *color == Color::White { "." } else { "..." };
        let mut line = moves::write(self.variant, before, *mv);
        let width = 24_usize.saturating_sub(line.len()).max(6);
        // Writing to a string cannot fail.
        let _ = write!(line, "{:>width$.1} s", time.as_secs_f64());
        if let (true, Some(info)) = (ours, info) {
            let _ = write!(line, "  {:>8}  depth {}", text::score(info.score), info.depth);
        }
        let after = play_in(self.variant, before, *mv);
        format!("{:>7} {line}\n{}", format!("{number}{dots}"), self.diagram(&after))
    }

    fn thinking(&self, position: &Position, info: &Info) -> String {
        if !self.search {
            return String::new();
        }
        // A position that was played in is valid.
        let Ok(game) = Game::from_setup(self.variant, &Setup::from(position)) else { return String::new() };
        format!(
            "        {:>3} {:>8} {:>11} {:>7.2} {}\n",
            info.depth,
            text::score(info.score),
            info.nodes,
            info.time.as_secs_f64(),
            text::variation(&game, &info.pv).join(" ")
        )
    }

    fn over(&self, record: &Record) -> String {
        let result = record.ending.result().text(self.variant);
        let moves = record.game.moves().len().div_ceil(2);
        format!("game {} ended: {result}, {} ({moves} moves)\n", self.number, record.ending)
    }
}

/// The results of a match as a table, one row for each colour and one for both; nothing before the first game.
pub fn standings(standings: &Standings) -> String {
    let total = standings.total();
    if total.games() == 0 {
        return String::new();
    }
    let mut text = format!(
        "{:<10}{:>7}{:>7}{:>7}{:>7}{:>9}{:>8}\n",
        "", "games", "won", "drawn", "lost", "unknown", "points"
    );
    let mut row = |name: &str, score: &MatchScore| {
        let MatchScore { won, drawn, lost, unknown } = score;
        let (games, points) = (score.games(), score.points());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:<10}{games:>7}{won:>7}{drawn:>7}{lost:>7}{unknown:>9}{points:>8}");
    };
    row("as White", &standings.by_color[Color::White.index()]);
    row("as Black", &standings.by_color[Color::Black.index()]);
    row("together", &total);
    text
}
