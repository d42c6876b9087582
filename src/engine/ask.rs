//! A move of an agent, as the engine reports moves.

use super::{Engine, Options, Report, Request, wait};
use crate::agents::{Agent, AgentOptions, Choice, DECIDED, Random, ValueUnit, WIN};
use crate::rules::VariantId;
use crate::score::Score;
use crate::search::mcts::ValueCurve;
use crate::search::{Control, Info, Limits, Observer};
use rand::RngExt;
use std::time::{Duration, Instant};

impl Engine {
    /// A move of the player that plays in place of the engine. There is a legal move.
    pub(super) fn ask_agent(
        &mut self,
        request: &Request,
        start: Instant,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Report {
        let game = &request.game;
        let limits = self.limits_of_agent(&request.limits);
        let agent = match &mut self.agent {
            Some(agent) => agent,
            none => none.insert(made(&self.options, game.variant(), self.random.random())),
        };
        let Some(choice) = agent.choose(game, &limits, control) else {
            return Report { time: start.elapsed(), ..Report::default() };
        };
        let (score, winrate) = judged(game.variant(), &choice, agent.unit());
        let time = start.elapsed();
        let Choice { mv, depth, nodes, .. } = choice;
        let mean_depth = depth.into();
        let info = Info { rank: 1, depth, mean_depth, score, winrate, nodes, time, pv: vec![mv] };
        observer.info(&info);
        wait(request, control);
        Report {
            best: Some(mv),
            ponder: None,
            nodes,
            info: Some(info),
            time: start.elapsed(),
            tree: Vec::new(),
        }
    }

    /// What is held back for the way to the clock is not the agent's.
    fn limits_of_agent(&self, limits: &Limits) -> Limits {
        let less = |time: Duration| time - self.options.move_overhead.min(time / 2);
        Limits { move_time: limits.move_time.map(less), ..*limits }
    }
}

/// The player that the options name. What does not fit is told by who asks for it; a player plays without its file then.
fn made(options: &Options, variant: VariantId, seed: u64) -> Box<dyn Agent> {
    let mut agent = match options.agent_for(variant) {
        Ok(agent) => agent,
        Err(error) => {
            log::warn!("{error}");
            let bare = AgentOptions { file: None, ..options.agent.clone() };
            options.player.and_then(|kind| kind.build(&bare, variant).ok())
        }
    }
    .unwrap_or_else(|| Box::new(Random::default()));
    agent.new_game(seed);
    agent
}

/// The score that a value means, and the expected result where the agent counts results.
fn judged(variant: VariantId, choice: &Choice, unit: ValueUnit) -> (Score, Option<f64>) {
    match (choice.value, unit) {
        (None, _) => (Score::DRAW, None),
        (Some(value), ValueUnit::Result) => (ValueCurve::hand_made(variant).score(value), Some(value)),
        (Some(value), ValueUnit::Men(_)) if value.abs() > DECIDED => {
            let plies = (WIN - value.abs()).clamp(0.0, f64::from(Score::MAX_PLIES)) as u32;
            (if value > 0.0 { Score::win_in(plies) } else { Score::loss_in(plies) }, None)
        }
        (Some(value), ValueUnit::Men(man)) => {
            (Score::evaluation((value / man * 100.0).round().clamp(-1e6, 1e6) as i32), None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::AgentKind;
    use crate::board::{Color, Piece, Setup};
    use crate::engine::Mode;
    use crate::game::Game;

    fn engine(player: AgentKind) -> Engine {
        Engine::new(Options { hash_mb: 1, player: Some(player), seed: Some(4), ..Options::default() })
    }

    fn go(engine: &mut Engine, game: &Game, limits: Limits) -> Report {
        let request = Request { game: game.clone(), limits, mode: Mode::Think };
        engine.go(&request, &Control::new(), &mut ())
    }

    #[test]
    fn values_become_scores() {
        let choice =
            |value| Choice { mv: Game::new(VariantId::English).legal_moves()[0], value, depth: 1, nodes: 1 };
        let judged = |value, unit| super::judged(VariantId::English, &choice(value), unit);
        assert_eq!(judged(None, ValueUnit::Result), (Score::DRAW, None));
        assert_eq!(judged(Some(0.5), ValueUnit::Result), (Score::DRAW, Some(0.5)));
        assert_eq!(judged(Some(-2.5), ValueUnit::Men(10.0)), (Score::from_centi(-25), None));
        assert_eq!(judged(Some(WIN - 3.0), ValueUnit::Men(1.0)), (Score::win_in(3), None));
        assert_eq!(judged(Some(5.0 - WIN), ValueUnit::Men(1.0)), (Score::loss_in(5), None));
        assert_eq!(judged(Some(f64::NAN), ValueUnit::Men(1.0)), (Score::DRAW, None));
        let (score, _) = judged(Some(1.0), ValueUnit::Result);
        assert!(score > Score::DRAW && !score.is_decided());
    }

    #[test]
    fn the_player_answers_in_place_of_the_engine() {
        // English squares 18 and 14 are neighbours: the king takes the last man.
        let board = VariantId::English.rules().board;
        let mut setup = Setup::empty(Color::White);
        for (number, color, king) in
            [(18, Color::White, true), (32, Color::White, false), (14, Color::Black, false)]
        {
            setup.put(board.square(number).unwrap(), Piece { color, king });
        }
        let game = Game::from_setup(VariantId::English, &setup).unwrap();
        let report = go(&mut engine(AgentKind::Greedy), &game, Limits::default());
        let info = report.info.unwrap();
        assert_eq!((report.best, info.pv.len(), info.score), (Some(info.pv[0]), 1, Score::win_in(1)));
        let report = go(&mut engine(AgentKind::Mcts), &Game::new(VariantId::Russian), Limits::default());
        assert_eq!((report.nodes, report.info.unwrap().winrate.is_some()), (20, true));
    }

    #[test]
    fn the_same_seed_gives_the_same_game_and_another_one_another() {
        let played = |seed| {
            let options = Options { hash_mb: 1, player: Some(AgentKind::Random), seed, ..Options::default() };
            let mut engine = Engine::new(options);
            let mut game = Game::new(VariantId::International);
            for _ in 0..20 {
                let mv = go(&mut engine, &game, Limits::default()).best.unwrap();
                game.play(mv).unwrap();
            }
            game.moves().to_vec()
        };
        assert_eq!(played(Some(1)), played(Some(1)));
        assert_ne!(played(Some(1)), played(Some(2)));
        assert_ne!(played(None), played(None));
    }

    #[test]
    fn a_player_changes_with_its_options_and_its_variant() {
        let mut engine = engine(AgentKind::Minimax);
        let game = Game::new(VariantId::English);
        let depth =
            |engine: &mut Engine, game: &Game| go(engine, game, Limits::default()).info.unwrap().depth;
        assert_eq!(depth(&mut engine, &game), 3);
        let agent = AgentOptions { depth: 5, ..AgentOptions::default() };
        engine.set_options(Options { agent, ..engine.options().clone() });
        assert_eq!(depth(&mut engine, &game), 5);
        assert_eq!(depth(&mut engine, &Game::new(VariantId::Frisian)), 5);
        engine.set_options(Options { player: None, ..engine.options().clone() });
        let limits = Limits { depth: Some(2), ..Limits::default() };
        assert!(go(&mut engine, &game, limits).info.unwrap().pv.len() > 1);
    }

    #[test]
    fn a_file_that_does_not_fit_is_told_and_the_player_plays() {
        let agent = AgentOptions { file: Some("none.agent".into()), ..AgentOptions::default() };
        let options = Options { hash_mb: 1, player: Some(AgentKind::Greedy), agent, ..Options::default() };
        let error = options.check(VariantId::English).unwrap_err().to_string();
        assert!(error.contains("none.agent"), "{error}");
        assert!(
            go(&mut Engine::new(options), &Game::new(VariantId::English), Limits::default()).best.is_some()
        );
    }

    #[test]
    fn the_overhead_is_not_the_agents() {
        let limits = Limits { move_time: Some(Duration::from_millis(100)), ..Limits::default() };
        let less = engine(AgentKind::Mcts).limits_of_agent(&limits);
        assert_eq!(less.move_time, Some(Duration::from_millis(95)));
        let limits = Limits { move_time: Some(Duration::from_millis(2)), ..limits };
        assert_eq!(
            engine(AgentKind::Mcts).limits_of_agent(&limits).move_time,
            Some(Duration::from_millis(1))
        );
    }
}
