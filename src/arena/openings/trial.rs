//! How a position ends when equal players play it out: a few fast games of the engine against itself.

use crate::board::Color;
use crate::engine::{Engine, Mode, Request};
use crate::eval::wdl;
use crate::game::{Game, Outcome};
use crate::score::Score;
use crate::search::{Control, Limits};
use crate::tablebase::Value;

/// A game that is longer is a draw, in plies.
const MOST_PLIES: usize = 200;
/// So sure of a win on so many plies in succession: it is one.
const SURE: f64 = 0.99;
const SURE_PLIES: u32 = 4;

/// Plays a game out; who has won, if anybody. Each move is searched with so many nodes.
///
/// A game that is stopped through `control` has no winner.
///
/// The engine forgets what it knew, so that the same position and nodes give the same game.
pub(super) fn play_out(engine: &mut Engine, game: &Game, nodes: u64, control: &Control) -> Option<Color> {
    let variant = game.variant();
    let tables = engine.tables(variant);
    engine.new_game();
    let mut game = game.clone();
    // Who is sure to win, and for how many plies.
    let mut sure = (Color::White, 0);
    let end = game.moves().len() + MOST_PLIES;
    while game.moves().len() < end {
        match game.outcome() {
            Some(Outcome::Win(color)) => return Some(color),
            Some(Outcome::Draw(_)) => return None,
            None => {}
        }
        let turn = game.position().turn();
        match tables.result(game.position(), game.counters()) {
            Some(Value::Win) => return Some(turn),
            Some(Value::Draw) => return None,
            Some(Value::Loss) => return Some(!turn),
            None => {}
        }
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let request = Request { game: game.clone(), limits, mode: Mode::Think };
        let report = engine.go(&request, control, &mut ());
        if control.is_stopped() {
            return None;
        }
        // One legal move may be played without a score.
        let score = report.info.map_or(Score::DRAW, |info| info.score);
        let chances = wdl::chances(variant, game.position(), score, None);
        let leader = if chances.win > chances.loss { turn } else { !turn };
        let plies = if chances.win.max(chances.loss) < SURE {
            0
        } else if sure.0 == leader {
            sure.1 + 1
        } else {
            1
        };
        sure = (leader, plies);
        if plies >= SURE_PLIES {
            return Some(leader);
        }
        game.play(report.best?).ok()?;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Options;
    use crate::notation::fen;
    use crate::rules::VariantId;

    #[test]
    fn games_end_as_they_must() {
        let variant = VariantId::International;
        let mut engine = Engine::new(Options { hash_mb: 1, ..Options::default() });
        let mut winner = |text: &str| {
            play_out(&mut engine, &fen::game_from_fen(variant, text).unwrap(), 500, &Control::new())
        };
        // Four men more, whoever moves.
        assert_eq!(winner("W:W31,32,33,36,37,38:B3,4"), Some(Color::White));
        assert_eq!(winner("B:W31,32,33,36,37,38:B3,4"), Some(Color::White));
        // Three kings against a man, by the tables.
        for text in ["W:WK28,K33,K39:B16", "B:WK28,K33,K39:B16"] {
            assert_eq!(winner(text), Some(Color::White), "{text}");
        }
        for text in ["B:BK23,K18,K12:W35", "W:BK23,K18,K12:W35"] {
            assert_eq!(winner(text), Some(Color::Black), "{text}");
        }
        // A king each, by the tables.
        assert_eq!(winner("W:WK46:BK24"), None);
    }
}
