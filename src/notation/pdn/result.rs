//! Results of games, in the notations `2-0` and `1-0`, as wins of a colour.

use super::tree::PdnGame;
use crate::board::Color;
use crate::game::Outcome;
use crate::rules::VariantId;

/// What the result of a game says.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PdnResult {
    /// This side won.
    Win(Color),
    /// Drawn.
    Draw,
    /// `0-0`: lost for both.
    BothLost,
    /// Not finished, or not known.
    Unknown,
    /// Points of another system, such as 4-6.
    Other,
}

impl PdnResult {
    /// Reads a result. The first number belongs to the side that moves first in this variant: White in international
    /// draughts, Black in English.
    ///
    /// ```
    /// use kroon::{board::Color, notation::pdn::PdnResult, rules::VariantId};
    /// assert_eq!(PdnResult::parse(VariantId::International, "1-0"), PdnResult::Win(Color::White));
    /// assert_eq!(PdnResult::parse(VariantId::English, "1-0"), PdnResult::Win(Color::Black));
    /// assert_eq!(PdnResult::parse(VariantId::International, "½-½"), PdnResult::Draw);
    /// ```
    pub fn parse(variant: VariantId, text: &str) -> PdnResult {
        PdnResult::parse_for(variant.rules().first, text)
    }

    fn parse_for(first: Color, text: &str) -> PdnResult {
        // The longest result is "1/2-1/2"; the rest of a long text is not copied.
        let plain: String = text
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| match c {
                '\u{2010}'..='\u{2014}' | '\u{2212}' => '-',
                ',' => '.',
                other => other,
            })
            .take(12)
            .collect();
        match plain.as_str() {
            "2-0" | "1-0" => PdnResult::Win(first),
            "0-2" | "0-1" => PdnResult::Win(!first),
            "1-1" | "1/2-1/2" | "½-½" | "0.5-0.5" => PdnResult::Draw,
            "0-0" => PdnResult::BothLost,
            "*" | "" | "?" | "-" => PdnResult::Unknown,
            _ => PdnResult::Other,
        }
    }

    /// The result in the family that the standard gives to the variant; `*` for what it cannot express.
    pub fn text(self, variant: VariantId) -> &'static str {
        self.text_for(variant, variant.rules().first)
    }

    fn text_for(self, variant: VariantId, first: Color) -> &'static str {
        let (win, draw, loss) =
            if variant.rules().two_point_results { ("2-0", "1-1", "0-2") } else { ("1-0", "1/2-1/2", "0-1") };
        match self {
            PdnResult::Win(color) if color == first => win,
            PdnResult::Win(_) => loss,
            PdnResult::Draw => draw,
            PdnResult::BothLost => "0-0",
            PdnResult::Unknown | PdnResult::Other => "*",
        }
    }
}

impl From<Option<Outcome>> for PdnResult {
    fn from(outcome: Option<Outcome>) -> PdnResult {
        match outcome {
            Some(Outcome::Win(color)) => PdnResult::Win(color),
            Some(Outcome::Draw(_)) => PdnResult::Draw,
            None => PdnResult::Unknown,
        }
    }
}

impl PdnGame {
    /// The text of the result: from the tag, or from the end of the moves if the tag says nothing.
    pub fn result_text(&self) -> &str {
        let tag = self.tags.known(&["Result", "Risultato"]).filter(|&value| value != "*");
        tag.or(self.terminator.as_deref()).unwrap_or("*")
    }

    /// The result, as a game of this variant. The first number belongs to the side that moves first in this game: White
    /// in unified pool draughts, Black in American pool checkers.
    ///
    /// ```
    /// use kroon::{board::Color, notation::pdn, rules::VariantId::Pool};
    /// let file = "[GameType \"23\"] 1. 11-15 1-0 [GameType \"23,W,8,8,A0,0\"] 1. c3-d4 1-0";
    /// let (games, _) = pdn::read_games(file);
    /// assert_eq!(games[0].result(Pool), pdn::PdnResult::Win(Color::Black));
    /// assert_eq!(games[1].result(Pool), pdn::PdnResult::Win(Color::White));
    /// ```
    pub fn result(&self, variant: VariantId) -> PdnResult {
        PdnResult::parse_for(self.first(variant), self.result_text())
    }

    /// How a result is written in this game, as one of this variant; see [`PdnGame::result`] and [`PdnResult::text`].
    pub fn text_of(&self, result: PdnResult, variant: VariantId) -> &'static str {
        result.text_for(variant, self.first(variant))
    }
}
