//! Searches of positions for a book in the making.

use super::{Engine, Mode, Options, PROGRAM, Request};
use crate::book::Judge;
use crate::game::Game;
use crate::rules::VariantId;
use crate::score::Score;
use crate::search::{Control, Limits};

/// Transposition table of such a search in mebibytes: clearing it takes time, too.
const HASH_MB: usize = 8;

/// Searches each position with as many nodes and nothing remembered of the others, so that the result depends on the
/// position and the program alone.
#[derive(Debug)]
pub struct LeafSearch {
    engine: Engine,
    nodes: u64,
}

impl LeafSearch {
    /// Searches of so many nodes.
    pub fn new(nodes: u64) -> LeafSearch {
        let options = Options { hash_mb: HASH_MB, bb_size: 0, ..Options::default() };
        LeafSearch { engine: Engine::new(options), nodes }
    }

    /// Which program searches, with which evaluation: what else a score depends on.
    pub fn name(&self, variant: VariantId) -> String {
        format!("{PROGRAM}, {}", self.engine.options().evaluation.evaluation(variant).name())
    }

    /// The value of a position for the side to move, a draw where there is no legal move; none if it was stopped.
    pub fn score(&mut self, game: &Game, stop: &Control) -> Option<Score> {
        self.engine.new_game();
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
        let report = self.engine.go(&request, stop, &mut ());
        (!stop.is_stopped()).then(|| report.info.map_or(Score::DRAW, |info| info.score))
    }
}

impl Judge for LeafSearch {
    fn judge(&mut self, game: &Game, stop: &Control) -> Option<Score> {
        self.score(game, stop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_does_not_depend_on_what_was_searched_before() {
        let mut game = Game::new(VariantId::English);
        let mut search = LeafSearch::new(3000);
        let alone = search.score(&game, &Control::new());
        game.play(game.legal_moves()[2]).unwrap();
        let second = search.score(&game, &Control::new());
        let stopped = Control::new();
        stopped.stop();
        assert_eq!(search.score(&game, &stopped), None);
        assert_eq!(LeafSearch::new(3000).score(&game, &Control::new()), second);
        assert_eq!(search.score(&Game::new(VariantId::English), &Control::new()), alone);
    }
}
