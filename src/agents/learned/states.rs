//! The states of `state-q`, and the values of transitions between them.

use super::Decision;
use super::values::ValueMap;
use crate::board::{Bitboard, Color, Position};
use crate::rules::VariantId;

/// A board as seven numbers, seen by one side ("Checkers with reinforcement learning"): own men, opponent's men, own
/// kings, opponent's kings, own pieces on the left and right edge, own vertical centre of mass, opponent's.
///
/// The text leaves open from which side rows are counted: here from each side's own back row, 0. The centre is the mean
/// row of men and kings alike, without its fraction; of no pieces it is 0.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct AbstractState(pub [u8; 7]);

impl AbstractState {
    /// The state of a position as `side` sees it.
    ///
    /// ```
    /// use kroon::agents::learned::AbstractState;
    /// use kroon::{board::Color, game::Game, rules::VariantId};
    /// let game = Game::new(VariantId::English);
    /// // Twelve men each, in rows 0, 1 and 2; two of them on an edge square: the middle row has one, the others one
    /// // each, on the other side.
    /// let state = AbstractState::of(VariantId::English, game.position(), Color::White);
    /// assert_eq!(state.0, [12, 12, 0, 0, 3, 1, 1]);
    /// ```
    pub fn of(variant: VariantId, position: &Position, side: Color) -> AbstractState {
        let last = variant.rules().board.side() - 1;
        let own = position.side(side);
        let edge = own.into_iter().filter(|square| [0, last].contains(&square.column())).count();
        let count = |set: Bitboard| set.len() as u8;
        AbstractState([
            count(position.men(side)),
            count(position.men(!side)),
            count(position.kings_of(side)),
            count(position.kings_of(!side)),
            edge as u8,
            centre(position, side, last),
            centre(position, !side, last),
        ])
    }
}

fn centre(position: &Position, side: Color, last: u8) -> u8 {
    let rows = position
        .side(side)
        .into_iter()
        .map(|square| u32::from(if side == Color::White { last - square.row() } else { square.row() }));
    rows.sum::<u32>().checked_div(position.side(side).len()).unwrap_or(0) as u8
}

/// From a state to the next one, by an own move.
pub(super) type Transition = [AbstractState; 2];

/// The map `T` of values of transitions, filled while playing.
///
/// A transition that was never learned from has the first value, as if it had been added on sight. A map of
/// [`MOST_ENTRIES`](super::MOST_ENTRIES) takes no more transitions.
#[derive(Clone, PartialEq, Debug)]
pub struct StateQ {
    pub(super) start: f64,
    pub(super) values: ValueMap<Transition>,
}

/// The first value is 10: the text leaves it open, this is the authors' own.
impl Default for StateQ {
    fn default() -> StateQ {
        StateQ::new(10.0)
    }
}

impl StateQ {
    /// What a transition is worth that was not seen.
    pub fn start(&self) -> f64 {
        self.start
    }

    /// Nothing learned; every transition is worth `start`.
    pub fn new(start: f64) -> StateQ {
        StateQ { start, values: ValueMap::default() }
    }

    /// Transitions learned from.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether nothing was learned.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The transition of a move.
    pub(super) fn transition(&self, variant: VariantId, decision: &Decision) -> Transition {
        [&decision.before, &decision.after].map(|board| AbstractState::of(variant, board, decision.side()))
    }

    /// The value of a transition.
    pub(super) fn value(&self, transition: Transition) -> f64 {
        self.values.value(&transition).unwrap_or(self.start)
    }

    /// `T += alpha (sample - T)`, or `T += alpha sample` with `is_sum`: the last update of a game as the text prints it,
    /// by which the values of won games grow without bound.
    pub(super) fn learn(&mut self, transition: Transition, sample: f64, alpha: f64, is_sum: bool) {
        let difference = |value: f64| if is_sum { sample } else { sample - value };
        self.values.change(transition, self.start, |value| value + alpha * difference(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::fen::game_from_fen;

    const ENGLISH: VariantId = VariantId::English;

    #[test]
    fn seven_numbers_by_hand() {
        // White: men on 18 (row 4, column 3) and 21 (row 5, column 0), a king on 4 (row 0, column 7). From White's back
        // row 7 they stand on rows 3, 2 and 7: 12 / 3 = 4. Two are on an edge. Black: a man on 1 (row 0), a king on 31
        // (row 7): 7 / 2 = 3.5, cut to 3.
        let game = game_from_fen(ENGLISH, "W:W18,21,K4:B1,K31").unwrap();
        let state = |side| AbstractState::of(ENGLISH, game.position(), side).0;
        assert_eq!(state(Color::White), [2, 1, 1, 1, 2, 4, 3]);
        assert_eq!(state(Color::Black), [1, 2, 1, 1, 0, 3, 4]);
    }

    #[test]
    fn one_update_of_each_form_by_hand() {
        let (here, there) = (AbstractState([3, 2, 1, 0, 1, 4, 3]), AbstractState([3, 1, 1, 0, 1, 4, 3]));
        let mut states = StateQ::default();
        assert_eq!(states.value([here, there]), 10.0);
        // alpha 0.005, reward 1 (a man), lambda 0.3 and the best next transition 10: sample 1 + 3 = 4.
        // 10 + 0.005 (4 - 10) = 9.97.
        states.learn([here, there], 1.0 + 0.3 * 10.0, 0.005, false);
        assert!((states.value([here, there]) - 9.97).abs() < 1e-6);
        // The end of a won game, reward 12: 9.97 + 0.005 (12 - 9.97) = 9.98015; as printed: 9.97 + 0.005 12 = 10.03.
        let mut printed = states.clone();
        states.learn([here, there], 12.0, 0.005, false);
        printed.learn([here, there], 12.0, 0.005, true);
        assert!((states.value([here, there]) - 9.98015).abs() < 1e-6);
        assert!((printed.value([here, there]) - 10.03).abs() < 1e-6);
        // Nothing else has changed, and the way back is another transition.
        assert_eq!((states.value([there, here]), states.len()), (10.0, 1));
    }
}
