//! Games of learners: for learning, and as tests of what was learned.

use super::{LearnError, Opponent};
use crate::agents::Agent;
use crate::agents::learned::{Knowledge, LearnedAgent};
use crate::arena::adjudicate::Blocked;
use crate::game::{Game, Outcome};
use crate::rules::VariantId;
use crate::search::{Control, Limits};
use crate::seed;
use std::fmt;
use std::sync::Arc;

/// How games end that the variant does not end, or otherwise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameRules {
    /// After so many plies a game is cut: nobody has won.
    pub most_plies: u32,
    /// What a side gets that has pieces but no move.
    pub blocked: Blocked,
}

/// Test games of a learner, from its view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TestScore {
    /// Games won.
    pub won: u64,
    /// Games drawn or cut.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

impl TestScore {
    /// Counts a game of the side that wins it, draws it (none) or loses it.
    fn count(&mut self, is_won: Option<bool>) {
        match is_won {
            Some(true) => self.won += 1,
            None => self.drawn += 1,
            Some(false) => self.lost += 1,
        }
    }

    /// The sum of two.
    pub fn and(self, other: TestScore) -> TestScore {
        TestScore { won: self.won + other.won, drawn: self.drawn + other.drawn, lost: self.lost + other.lost }
    }

    /// Games in all.
    pub fn games(self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// The share of games won, 0 to 1.
    pub fn rate(self) -> f64 {
        self.won as f64 / self.games().max(1) as f64
    }
}

impl fmt::Display for TestScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} won, {} drawn, {} lost", self.won, self.drawn, self.lost)
    }
}

/// Plays a game between two agents, the first one moving first, and tells them how it ended: none stands for a game that
/// was cut, or drawn because a side was blocked.
pub fn play(
    variant: VariantId,
    agents: [&mut dyn Agent; 2],
    limits: [&Limits; 2],
    rules: GameRules,
) -> (Game, Option<Outcome>) {
    let mut game = Game::new(variant);
    let control = Control::new();
    let [first, second] = agents;
    let mut outcome = game.outcome();
    while outcome.is_none() && game.moves().len() < rules.most_plies as usize {
        let side = game.moves().len() % 2;
        let agent: &mut dyn Agent = if side == 0 { &mut *first } else { &mut *second };
        let chosen = agent.choose(&game, limits[side], &control);
        // Every agent chooses a legal move where there is one.
        if chosen.is_none_or(|choice| game.play(choice.mv).is_err()) {
            break;
        }
        outcome = game.outcome();
    }
    if matches!(outcome, Some(Outcome::Win(_))) && rules.blocked == Blocked::Draw && game.is_blocked() {
        outcome = None;
    }
    first.game_over(&game, outcome);
    second.game_over(&game, outcome);
    (game, outcome)
}

/// Plays test games of a learner that does not learn; its scores as first and as second mover, one game after the other.
/// The games depend on the seed alone, so that learners at different times meet the same chances.
///
/// # Errors
/// When the opponent's file has become unreadable.
pub fn test(
    variant: VariantId,
    knowledge: &Arc<Knowledge>,
    opponent: &Opponent,
    games: u64,
    seed: u64,
    rules: GameRules,
) -> Result<[TestScore; 2], LearnError> {
    let mut learner = LearnedAgent::new(knowledge.clone());
    let mut other = opponent.agent()?;
    let mut scores = [TestScore::default(); 2];
    for number in 0..games {
        learner.new_game(seed::mix(seed, [number, 0]));
        other.new_game(seed::mix(seed, [number, 1]));
        let is_won = game_of(variant, &mut learner, &mut *other, opponent.limits(), number, rules);
        scores[(number % 2) as usize].count(is_won);
    }
    Ok(scores)
}

/// A game of a learner, who moves first in those of even numbers. Whether it has won; none if nobody has.
pub(super) fn game_of(
    variant: VariantId,
    learner: &mut LearnedAgent,
    opponent: &mut dyn Agent,
    limits: &Limits,
    number: u64,
    rules: GameRules,
) -> Option<bool> {
    let unlimited = Limits::default();
    let first = variant.rules().first;
    let (own, outcome) = if number.is_multiple_of(2) {
        (first, play(variant, [learner, opponent], [&unlimited, limits], rules).1)
    } else {
        (!first, play(variant, [opponent, learner], [limits, &unlimited], rules).1)
    };
    match outcome {
        Some(Outcome::Win(color)) => Some(color == own),
        Some(Outcome::Draw(_)) | None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Random;
    use crate::rules::VariantId::English;

    fn random_game(seed: u64, rules: GameRules) -> (Game, Option<Outcome>) {
        let mut agents = [Random::default(), Random::default()];
        agents.iter_mut().zip(0..).for_each(|(agent, side)| agent.new_game(seed::mix(seed, [side])));
        let [first, second] = &mut agents;
        play(English, [first, second], [&Limits::default(); 2], rules)
    }

    #[test]
    fn a_game_ends_by_the_rules_or_is_cut() {
        let whole = GameRules { most_plies: 1_000, blocked: Blocked::Loss };
        let (game, outcome) = random_game(1, whole);
        assert!(outcome.is_some() && outcome == game.outcome());
        let (cut, outcome) = random_game(1, GameRules { most_plies: 9, ..whole });
        assert_eq!((cut.moves(), outcome), (&game.moves()[..9], None));
    }

    #[test]
    fn who_is_blocked_draws_if_the_rules_say_so_and_all_else_is_the_same() {
        let blocked = |blocked| GameRules { most_plies: 1_000, blocked };
        let mut found = 0;
        for seed in 0..300 {
            let (game, outcome) = random_game(seed, blocked(Blocked::Loss));
            assert_eq!(outcome, game.outcome());
            let expected = outcome.filter(|_| !game.is_blocked());
            assert_eq!(random_game(seed, blocked(Blocked::Draw)).1, expected, "{seed}");
            found += u32::from(game.is_blocked());
        }
        assert!((1..300).contains(&found), "{found}");
    }
}
