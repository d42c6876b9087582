//! A learner as a player.

use super::{Decision, Knowledge, RewardKind, StepKind};
use crate::agents::{Agent, Choice, ValueUnit};
use crate::board::Position;
use crate::game::{Game, Outcome};
use crate::rules::{VariantId, play_in};
use crate::search::{Control, Limits};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// What a learner makes of what it sees.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LearnRules {
    /// How much the value of the next own move counts: gamma of Q-learning, lambda of `state-q`.
    pub discount: f64,
    /// What is rewarded.
    pub reward: RewardKind,
    /// The reward of a won game; a lost one has the negative.
    pub win: f64,
    /// How long the steps of weights are.
    pub step: StepKind,
    /// Whether `state-q` adds up the rewards of the ends of games, as printed.
    pub printed_end: bool,
}

/// How a learner plays and learns in one game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lesson {
    /// What it makes of what it sees.
    pub rules: LearnRules,
    /// The learning rate.
    pub alpha: f64,
    /// The probability of a random move.
    pub epsilon: f64,
}

/// Plays by its [`Knowledge`], and learns if there is a [`Lesson`].
///
/// It needs no limits and keeps to all. [`Choice::value`] is the value of the move, in the unit of the rewards.
///
/// ```
/// use kroon::agents::learned::{Knowledge, LearnedAgent, LearnedKind};
/// use kroon::agents::Agent;
/// use kroon::{game::Game, rules::VariantId, search::{Control, Limits}};
/// let knowledge = Knowledge::new(LearnedKind::ApproximateQ, VariantId::Russian);
/// let mut agent = LearnedAgent::new(knowledge.into());
/// agent.new_game(7);
/// let game = Game::new(VariantId::Russian);
/// let choice = agent.choose(&game, &Limits::default(), &Control::new()).unwrap();
/// assert!(game.legal_moves().contains(&choice.mv));
/// ```
#[derive(Clone, Debug)]
pub struct LearnedAgent {
    knowledge: Arc<Knowledge>,
    lesson: Option<Lesson>,
    random: Xoshiro256PlusPlus,
    /// Its last move, from which it has not learned yet.
    waiting: Option<Decision>,
}

impl LearnedAgent {
    /// A player that does not learn.
    pub fn new(knowledge: Arc<Knowledge>) -> LearnedAgent {
        LearnedAgent { knowledge, lesson: None, random: Xoshiro256PlusPlus::seed_from_u64(0), waiting: None }
    }

    /// Learns from now on, or only plays.
    pub fn set_lesson(&mut self, lesson: Option<Lesson>) {
        (self.lesson, self.waiting) = (lesson, None);
    }

    /// What it knows.
    pub fn knowledge(&self) -> &Arc<Knowledge> {
        &self.knowledge
    }

    /// What it knows, given up.
    pub fn into_knowledge(self) -> Arc<Knowledge> {
        self.knowledge
    }
}

impl Agent for LearnedAgent {
    fn unit(&self) -> ValueUnit {
        ValueUnit::Rewards
    }

    fn new_game(&mut self, seed: u64) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.waiting = None;
    }

    fn choose(&mut self, game: &Game, _: &Limits, _: &Control) -> Option<Choice> {
        let (variant, before) = (game.variant(), *game.position());
        if let (Some(lesson), Some(decision)) = (self.lesson, self.waiting.take()) {
            let next = self.knowledge.best_value(variant, &before);
            let reward = lesson.rules.reward.of(variant, &decision, &before);
            let sample = reward + lesson.rules.discount * next;
            Arc::make_mut(&mut self.knowledge).learn(variant, &decision, sample, lesson, false);
        }
        let moves = game.legal_moves();
        let values = self.knowledge.values(variant, &before, &moves);
        let best = values.iter().copied().reduce(f64::max)?;
        let explores = self.lesson.is_some_and(|lesson| self.random.random_bool(lesson.epsilon));
        let choices: Vec<usize> = (0..moves.len()).filter(|&i| explores || values[i] >= best).collect();
        let chosen = *choices.get(self.random.random_range(0..choices.len().max(1)))?;
        if self.lesson.is_some() {
            self.waiting = Some(Decision { before, after: play_in(variant, &before, moves[chosen]) });
        }
        let nodes = moves.len() as u64;
        let value = (!self.knowledge.is_untrained()).then(|| values[chosen]);
        Some(Choice { mv: moves[chosen], value, depth: 1, nodes })
    }

    fn game_over(&mut self, game: &Game, outcome: Option<Outcome>) {
        let Some(decision) = self.waiting.take() else { return };
        let Some(lesson) = self.lesson else { return };
        let is_won = match outcome {
            Some(Outcome::Win(color)) => Some(color == decision.side()),
            Some(Outcome::Draw(_)) | None => None,
        };
        let LearnRules { reward, win, .. } = lesson.rules;
        let (variant, then): (VariantId, &Position) = (game.variant(), game.position());
        let sample = reward.at_end(variant, &decision, then, is_won, win);
        Arc::make_mut(&mut self.knowledge).learn(variant, &decision, sample, lesson, true);
    }
}

impl Knowledge {
    /// Learns what a move was worth; `is_last` says that no own move followed.
    fn learn(&mut self, variant: VariantId, decision: &Decision, sample: f64, lesson: Lesson, is_last: bool) {
        let Lesson { rules, alpha, .. } = lesson;
        match self {
            Knowledge::Table(table) => table.learn(decision, sample, alpha),
            Knowledge::Features(weights) => {
                let state = weights.state(variant, &decision.before);
                let features = weights.features(variant, &state, &decision.after);
                weights.learn(&features, sample, alpha, rules.step);
            }
            Knowledge::States(states) => {
                let transition = states.transition(variant, decision);
                states.learn(transition, sample, alpha, is_last && rules.printed_end);
            }
            Knowledge::Prior(_) | Knowledge::Boards(_) => (),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{FEATURES, FeatureQ, LearnedKind};
    use super::*;
    use crate::board::Color;
    use crate::notation::fen::game_from_fen;
    use crate::notation::moves;

    const ENGLISH: VariantId = VariantId::English;

    fn lesson(epsilon: f64) -> Lesson {
        let rules = LearnRules {
            discount: 0.8,
            reward: RewardKind::R1,
            win: 10.0,
            step: StepKind::Clipped,
            printed_end: false,
        };
        Lesson { rules, alpha: 0.5, epsilon }
    }

    fn choose(agent: &mut LearnedAgent, game: &Game) -> Choice {
        agent.choose(game, &Limits::default(), &Control::new()).unwrap()
    }

    #[test]
    fn a_table_learns_each_move_when_the_next_one_is_due() {
        // White's man on 18 must take the man on 14; then Black's king on 1 has moves, and takes nothing.
        let mut game = game_from_fen(ENGLISH, "W:W18:BK1,14").unwrap();
        let mut agent = LearnedAgent::new(Knowledge::new(LearnedKind::QLearning, ENGLISH).into());
        agent.set_lesson(Some(lesson(0.0)));
        let first = Decision {
            before: *game.position(),
            after: {
                let mut game = game.clone();
                game.play(game.legal_moves()[0]).unwrap();
                *game.position()
            },
        };
        let value = |agent: &LearnedAgent| match &**agent.knowledge() {
            Knowledge::Table(table) => table.value(&first),
            other => panic!("{other:?}"),
        };
        let choice = choose(&mut agent, &game);
        game.play(choice.mv).unwrap();
        assert_eq!(value(&agent), 0.0);
        game.play(
            moves::read(ENGLISH, game.position(), "1-5")
                .or_else(|_| moves::read(ENGLISH, game.position(), "1-6"))
                .unwrap(),
        )
        .unwrap();
        let choice = choose(&mut agent, &game);
        // r1 = f(s') - f(s): f(s) = (1 - 2) + 2 (0 - 1) + 1/4 + 1/8; f(s') = (1 - 1) - 2 + 1/2 (row 2) + 1/4 (column 1).
        // The next moves are worth nothing yet: half of r1 is the value, alpha being 0.5.
        let r1 = (-2.0 + 0.5 + 0.25) - (-3.0 + 0.25 + 0.125);
        assert!((value(&agent) - 0.5 * r1).abs() < 1e-6, "{} {r1}", value(&agent));
        // The game ends with the next move: a win by an outcome that is only claimed here.
        game.play(choice.mv).unwrap();
        agent.game_over(&game, Some(Outcome::Win(Color::White)));
        assert_eq!(agent.knowledge().len(), 2);
        let best = agent.knowledge().values(
            ENGLISH,
            &{
                let mut game = game.clone();
                game.undo();
                *game.position()
            },
            &[choice.mv],
        )[0];
        assert!(best > 4.9, "half of the win at least: {best}");
        // A second report changes nothing.
        let before = agent.knowledge().clone();
        agent.game_over(&game, Some(Outcome::Win(Color::White)));
        assert_eq!(agent.knowledge(), &before);
    }

    #[test]
    fn who_only_plays_learns_nothing_and_chooses_the_best() {
        let game = game_from_fen(ENGLISH, "W:WK18,32:B14,K15").unwrap();
        let mut agent = LearnedAgent::new(Knowledge::new(LearnedKind::ApproximateQ, ENGLISH).into());
        assert_eq!(choose(&mut agent, &game).value, None, "it has learned nothing");
        let weights = (0..FEATURES).map(|i| i as f64 - 3.0).collect();
        let learned = Knowledge::Features(FeatureQ::with_weights(weights, None).unwrap());
        let mut agent = LearnedAgent::new(learned.into());
        let choice = choose(&mut agent, &game);
        let values = agent.knowledge().values(ENGLISH, game.position(), &game.legal_moves());
        assert_eq!(choice.value, values.into_iter().reduce(f64::max));
        let knowledge = agent.knowledge().clone();
        agent.game_over(&game, Some(Outcome::Win(Color::White)));
        assert!(Arc::ptr_eq(agent.knowledge(), &knowledge));
    }

    #[test]
    fn equal_moves_and_random_ones_follow_from_the_seed() {
        let game = Game::new(ENGLISH);
        let knowledge = Arc::new(Knowledge::new(LearnedKind::QLearning, ENGLISH));
        let by_seed = |seed| {
            let mut agent = LearnedAgent::new(knowledge.clone());
            agent.set_lesson(Some(lesson(0.4)));
            agent.new_game(seed);
            choose(&mut agent, &game).mv
        };
        assert_eq!(by_seed(3), by_seed(3));
        let moves: std::collections::HashSet<_> = (0..100).map(by_seed).collect();
        assert_eq!(moves.len(), 7);
    }

    #[test]
    fn every_learner_plays_and_learns_a_game_in_every_variant() {
        for variant in VariantId::ALL {
            for kind in LearnedKind::PLAYERS {
                let mut agent = LearnedAgent::new(Knowledge::new(kind, variant).into());
                assert_eq!(agent.knowledge().kind(), kind);
                agent.set_lesson(Some(lesson(0.5)));
                agent.new_game(1);
                let start = agent.knowledge().clone();
                let mut game = Game::new(variant);
                while game.outcome().is_none() && game.moves().len() < 60 {
                    let choice = choose(&mut agent, &game);
                    game.play(choice.mv).unwrap();
                }
                agent.game_over(&game, game.outcome());
                assert_ne!(&start, agent.knowledge(), "{variant} {kind}");
            }
        }
    }
}
