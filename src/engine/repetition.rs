//! Endgame tables know positions, not games: what they advise is mended here where positions of the game may come again.

use crate::board::{Key, Move, Position};
use crate::game::Game;
use crate::rules::{VariantId, legal_moves, play_in};
use crate::tablebase::{Advice, Tables, Value, Verdict};

/// The advice of the tables in a game: a winner does not play a move after which a repetition draws, by itself or by a
/// reply, if another one wins, nor goes back, if the tables do not know how long another way is; a loser whose move draws by
/// repetition plays that. The value is that with repetitions.
pub(super) fn in_game(advice: Advice, game: &Game, tables: &Tables) -> Advice {
    let past = Past::of(game);
    // The last two positions cannot come again by the next move.
    if past.keys.len() < 3 {
        return advice;
    }
    match advice.verdict.value {
        Value::Win => past.winner(advice, tables),
        Value::Draw => advice,
        Value::Loss => past.loser(advice),
    }
}

/// The positions of a game that may occur again.
struct Past<'a> {
    variant: VariantId,
    position: &'a Position,
    keys: &'a [Key],
    /// Occurrences that draw.
    most: usize,
}

impl Past<'_> {
    fn of(game: &Game) -> Past<'_> {
        let variant = game.variant();
        Past {
            variant,
            position: game.position(),
            keys: game.recent_keys(),
            most: variant.rules().draws.repetition.into(),
        }
    }

    /// How often the position after a move has occurred before it.
    fn occurrences(&self, next: &Position, mv: Move) -> usize {
        if mv.is_irreversible() {
            return 0;
        }
        let key = next.key();
        self.keys.iter().filter(|&&other| other == key).count()
    }

    fn draws_at(&self, position: &Position, mv: Move) -> bool {
        self.occurrences(&play_in(self.variant, position, mv), mv) + 1 >= self.most
    }

    /// Whether a repetition draws after a move or after a reply to it.
    fn is_drawn(&self, mv: Move) -> bool {
        let next = play_in(self.variant, self.position, mv);
        self.occurrences(&next, mv) + 1 >= self.most
            || !mv.is_irreversible()
                && legal_moves(self.variant, &next).into_iter().any(|reply| self.draws_at(&next, reply))
    }

    fn goes_back(&self, mv: Move) -> bool {
        self.occurrences(&play_in(self.variant, self.position, mv), mv) > 0
    }

    fn winner(&self, mut advice: Advice, tables: &Tables) -> Advice {
        let kept: Vec<Move> = advice.moves.iter().copied().filter(|&mv| !self.is_drawn(mv)).collect();
        if kept.is_empty() {
            return self.other_win(tables).unwrap_or_else(|| {
                // The opponent may not find the reply that draws.
                let open = |mv: &Move| !self.draws_at(self.position, *mv);
                let open: Vec<Move> = advice.moves.iter().copied().filter(open).collect();
                let moves = if open.is_empty() { advice.moves } else { open };
                Advice { verdict: Verdict { value: Value::Draw, distance: None }, moves }
            });
        }
        advice.moves = kept;
        // Distances fall from move to move. Without them a search might go to and fro.
        if advice.verdict.distance.is_none() {
            let forward: Vec<Move> = advice.moves.iter().copied().filter(|&mv| !self.goes_back(mv)).collect();
            if !forward.is_empty() {
                advice.moves = forward;
            }
        }
        advice
    }

    /// The shortest win that no repetition stops, if what is best is stopped by one.
    fn other_win(&self, tables: &Tables) -> Option<Advice> {
        let wins = tables.moves(self.position).into_iter();
        let wins = wins.filter_map(|(mv, verdict)| Some((mv, verdict?)));
        let wins: Vec<_> =
            wins.filter(|&(mv, verdict)| verdict.value == Value::Win && !self.is_drawn(mv)).collect();
        let best =
            wins.iter().map(|(_, verdict)| verdict.distance).min_by_key(|plies| plies.unwrap_or(u32::MAX))?;
        let moves =
            wins.into_iter().filter(|(_, verdict)| verdict.distance == best).map(|(mv, _)| mv).collect();
        Some(Advice { verdict: Verdict { value: Value::Win, distance: best }, moves })
    }

    fn loser(&self, advice: Advice) -> Advice {
        let moves = legal_moves(self.variant, self.position);
        let drawing: Vec<Move> = moves.into_iter().filter(|&mv| self.draws_at(self.position, mv)).collect();
        if drawing.is_empty() {
            return advice;
        }
        Advice { verdict: Verdict { value: Value::Draw, distance: None }, moves: drawing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tablebase::{self, Index};

    /// Where repetition spoils every win, the move is played that draws only by the right reply.
    #[test]
    fn of_spoiled_wins_one_is_played_that_the_opponent_must_spoil() {
        let variant = VariantId::English;
        let (tables, _) = tablebase::load(variant, &[], 3);
        let most = variant.rules().draws.repetition.into();
        let index = Index::new(variant.rules(), "20v10".parse().unwrap()).unwrap();
        let mut seen = 0;
        for position in (0..index.len()).map(|number| index.position(number)) {
            let Some(advice) = tables.advice(&position).filter(|advice| advice.verdict.value == Value::Win)
            else {
                continue;
            };
            let (Some(&spoiled), 2..) = (advice.moves.first(), advice.moves.len()) else { continue };
            // The first of the best moves draws by itself, every other win by its opponent's first way back.
            let mut keys = vec![play_in(variant, &position, spoiled).key(); most - 1];
            let wins = tables.moves(&position).into_iter().filter(|(mv, verdict)| {
                *mv != spoiled && verdict.is_some_and(|verdict| verdict.value == Value::Win)
            });
            let mut is_spoiled = !spoiled.is_irreversible();
            for (mv, _) in wins {
                let next = play_in(variant, &position, mv);
                let reply = legal_moves(variant, &next).into_iter().find(|reply| !reply.is_irreversible());
                is_spoiled &= !mv.is_irreversible() && reply.is_some();
                keys.extend(
                    reply.into_iter().flat_map(|reply| {
                        std::iter::repeat_n(play_in(variant, &next, reply).key(), most - 1)
                    }),
                );
            }
            if is_spoiled {
                let past = Past { variant, position: &position, keys: &keys, most };
                let chosen = past.winner(advice.clone(), &tables);
                assert_eq!(chosen.verdict, Verdict { value: Value::Draw, distance: None }, "{position:?}");
                assert_eq!(chosen.moves, advice.moves[1..], "{position:?}");
                seen += 1;
            }
        }
        assert!(seen > 100, "{seen}");
    }
}
