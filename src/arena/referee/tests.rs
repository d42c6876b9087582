//! Games that end before the rules end them: who has won, after how many moves.

use super::*;
use crate::arena::player::{Remarks, Thought};
use crate::notation::fen;
use crate::rules::VariantId;
use crate::score::Score;
use crate::tablebase::{self, Material};
use Color::{Black, White};
use std::sync::Arc;

/// Plays the first legal move and tells the same score each time, in centi-men.
struct Teller(i32);

impl Player for Teller {
    fn new_game(&mut self, _: &Game, _: Color, _: u64, _: &GameLog) -> Result<(), PlayerFault> {
        Ok(())
    }

    fn think(&mut self, game: &Game, _: &Turn) -> Result<Thought, PlayerFault> {
        let remarks = Remarks { score: Some(Score::from_centi(self.0)), ..Remarks::default() };
        Ok(Thought { mv: game.legal_moves()[0], used: Duration::ZERO, remarks })
    }
}

/// Result, reason and number of moves of a game in which White and Black tell these scores.
fn end(opening: &Game, rules: &Adjudication, scores: [i32; 2]) -> (GameResult, Reason, usize) {
    let [mut white, mut black] = scores.map(Teller);
    let seat = |player| Seat { player, limits: EngineLimits::default(), margin: Duration::ZERO, seed: 1 };
    let seats = [seat(&mut white), seat(&mut black)];
    let played = play(opening, seats, rules, &Cancel::new(), &GameLog::default()).unwrap();
    assert_eq!(played.notes.len(), played.game.moves().len() - opening.moves().len());
    (played.result, played.reason, played.game.moves().len())
}

#[test]
fn whoever_is_behind_loses() {
    let start = Game::new(VariantId::International);
    let rules = |two_sided| Adjudication {
        resign: Some("3,2".parse().unwrap()),
        two_sided,
        max_plies: Some(20),
        ..Adjudication::default()
    };
    let won = |color, moves| (GameResult::win(color), Reason::AdjudicatedWin, moves);
    assert_eq!(end(&start, &rules(false), [-500, 0]), won(Black, 3));
    assert_eq!(end(&start, &rules(false), [0, -500]), won(White, 4));
    assert_eq!(end(&start, &rules(true), [-500, 500]), won(Black, 4));
    let unseen = (GameResult::Draw, Reason::MaxPlies, 20);
    assert_eq!(end(&start, &rules(true), [-500, 0]), unseen);
    assert_eq!(end(&start, &rules(false), [500, 500]), unseen);
}

#[test]
fn level_games_and_long_ones_are_drawn() {
    let start = Game::new(VariantId::International);
    let draw = Some("0.1,2,5".parse().unwrap());
    let rules = Adjudication { draw, max_plies: Some(12), ..Adjudication::default() };
    assert_eq!(end(&start, &rules, [0, 10]), (GameResult::Draw, Reason::AdjudicatedDraw, 10));
    assert_eq!(end(&start, &rules, [0, 11]), (GameResult::Draw, Reason::MaxPlies, 12));
}

#[test]
fn tables_know_who_has_won() {
    let variant = VariantId::English;
    let (tables, faults) = tablebase::load(variant, &[], Material::MOST_PIECES);
    assert!(faults.is_empty());
    let rules = Adjudication { tables: Some(KnownEndings(Arc::new(tables))), ..Adjudication::default() };
    for (text, winner) in [
        ("W:WK1,K2:BK32", Some(White)),
        ("B:WK1,K2:BK32", Some(White)),
        ("B:BK32,K31:WK1", Some(Black)),
        ("W:BK32,K31:WK1", Some(Black)),
        ("W:WK1:BK32", None),
    ] {
        let opening = fen::game_from_fen(variant, text).unwrap();
        let result = winner.map_or(GameResult::Draw, GameResult::win);
        assert_eq!(end(&opening, &rules, [0, 0]), (result, Reason::Tables, 0), "{text}");
    }
}
