//! A move of an agent, as the engine reports moves.

use super::{Engine, Options, Report, Request, is_forced, wait};
use crate::agents::{Agent, AgentOptions, Choice, DECIDED, Random, ValueUnit, WIN};
use crate::rules::VariantId;
use crate::score::Score;
use crate::search::mcts::ValueCurve;
use crate::search::{Control, Info, Limits, Observer};
use rand::RngExt;
use std::time::{Duration, Instant};

/// An agent thinks so long about a move that is the only one.
const FORCED_TIME: Duration = Duration::from_millis(2);

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
        let limits = self.limits_of_agent(request);
        let agent = match &mut self.agent {
            Some(agent) => agent,
            none => none.insert(made(&self.options, game.variant(), self.random.random())),
        };
        let Some(choice) = agent.choose(game, &limits, control) else {
            return Report { time: start.elapsed(), ..Report::default() };
        };
        let judged = judged(game.variant(), &choice, agent.unit(), agent.even(game));
        let (score, winrate) = judged.unwrap_or((Score::DRAW, None));
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
            is_unjudged: judged.is_none(),
        }
    }

    /// What is held back for the way to the clock is not the agent's. A forced move takes no time.
    fn limits_of_agent(&self, request: &Request) -> Limits {
        let limits = &request.limits;
        let less = |time: Duration| time - self.options.move_overhead.min(time / 2);
        let mut of_agent = Limits { move_time: limits.move_time.map(less), ..*limits };
        if let Some(clock) = &mut of_agent.clock {
            // The increment is on the clock before the move, too.
            let all = clock.time + clock.increment;
            let held_back = self.options.move_overhead.min(all / 2);
            let of_time = held_back.min(clock.time);
            clock.time -= of_time;
            clock.increment -= held_back - of_time;
        }
        let is_timed = limits.clock.is_some() || limits.move_time.is_some();
        if is_timed && is_forced(request, request.game.legal_moves().len()) {
            of_agent = Limits { clock: None, move_time: Some(FORCED_TIME), ..of_agent };
        }
        of_agent
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

/// The score that a value means, and the expected result where the agent counts results; none where the value is no score.
/// Of a value in men so much is taken off as it has where the sides are even.
fn judged(variant: VariantId, choice: &Choice, unit: ValueUnit, even: f64) -> Option<(Score, Option<f64>)> {
    let value = choice.value?;
    match unit {
        ValueUnit::Rewards => None,
        ValueUnit::Result => Some((ValueCurve::hand_made(variant).score(value), Some(value))),
        ValueUnit::Men(_) if value.abs() > DECIDED => {
            let plies = (WIN - value.abs()).clamp(0.0, f64::from(Score::MAX_PLIES)) as u32;
            Some((if value > 0.0 { Score::win_in(plies) } else { Score::loss_in(plies) }, None))
        }
        ValueUnit::Men(man) => {
            let centi = ((value - even) / man * 100.0).round().clamp(-1e6, 1e6);
            Some((Score::evaluation(centi as i32), None))
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
    use crate::search::ClockLimit;

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
        assert_eq!(super::judged(VariantId::English, &choice(None), ValueUnit::Result, 0.0), None);
        assert_eq!(super::judged(VariantId::English, &choice(Some(1e9)), ValueUnit::Rewards, 0.0), None);
        let judged = |value, unit| super::judged(VariantId::English, &choice(value), unit, 0.0).unwrap();
        assert_eq!(judged(Some(0.5), ValueUnit::Result), (Score::DRAW, Some(0.5)));
        assert_eq!(judged(Some(-2.5), ValueUnit::Men(10.0)), (Score::from_centi(-25), None));
        assert_eq!(judged(Some(WIN - 3.0), ValueUnit::Men(1.0)), (Score::win_in(3), None));
        assert_eq!(judged(Some(5.0 - WIN), ValueUnit::Men(1.0)), (Score::loss_in(5), None));
        assert_eq!(judged(Some(f64::NAN), ValueUnit::Men(1.0)), (Score::DRAW, None));
        let one_sided = super::judged(VariantId::English, &choice(Some(7.5)), ValueUnit::Men(1.0), 7.0);
        assert_eq!(one_sided, Some((Score::from_centi(50), None)));
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
        assert!(!report.is_unjudged);
        assert_eq!((report.nodes, report.info.unwrap().winrate.is_some()), (20, true));
        let report = go(&mut engine(AgentKind::Random), &game, Limits::default());
        assert!(report.is_unjudged && report.info.unwrap().score == Score::DRAW);
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
    fn a_seed_that_is_set_later_counts_from_then_on_and_no_other_option_begins_it_anew() {
        let played = |engine: &mut Engine| {
            let mut game = Game::new(VariantId::International);
            for _ in 0..12 {
                game.play(go(engine, &game, Limits::default()).best.unwrap()).unwrap();
            }
            game.moves().to_vec()
        };
        let options =
            |seed| Options { hash_mb: 1, player: Some(AgentKind::Random), seed, ..Options::default() };
        let fresh = |seed| played(&mut Engine::new(options(Some(seed))));
        let mut engine = Engine::new(options(Some(1)));
        assert_eq!(played(&mut engine), fresh(1));
        let overhead = engine.options().move_overhead * 2;
        engine.set_options(Options { move_overhead: overhead, ..options(Some(1)) });
        assert_ne!(played(&mut engine), fresh(1), "the random numbers go on");
        // As a Hub session has it: the options come with the first search after the new game.
        engine.new_game();
        engine.set_options(options(Some(2)));
        assert_eq!(played(&mut engine), fresh(2));
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
        let game = Game::new(VariantId::International);
        let of_agent = |game: &Game, limits| {
            let request = Request { game: game.clone(), limits, mode: Mode::Think };
            engine(AgentKind::Mcts).limits_of_agent(&request)
        };
        let ms = Duration::from_millis;
        let fixed = |time| Limits { move_time: Some(time), ..Limits::default() };
        assert_eq!(of_agent(&game, fixed(ms(100))).move_time, Some(ms(95)));
        assert_eq!(of_agent(&game, fixed(ms(2))).move_time, Some(ms(1)));
        let clock = |time, increment| Limits {
            clock: Some(ClockLimit { time, increment, moves: None }),
            ..Limits::default()
        };
        assert_eq!(of_agent(&game, clock(ms(100), ms(10))), clock(ms(95), ms(10)));
        assert_eq!(of_agent(&game, clock(ms(2), ms(100))), clock(ms(0), ms(97)));
        // A man in the corner has one move.
        let mut setup = Setup::empty(Color::White);
        for (number, color) in [(46, Color::White), (5, Color::Black)] {
            let square = game.variant().rules().board.square(number).unwrap();
            setup.put(square, Piece { color, king: false });
        }
        let game = Game::from_setup(VariantId::International, &setup).unwrap();
        assert_eq!(game.legal_moves().len(), 1);
        assert_eq!(of_agent(&game, clock(ms(90_000), ms(0))), fixed(FORCED_TIME));
        let by_nodes = Limits { nodes: Some(7), ..fixed(ms(100)) };
        assert_eq!(of_agent(&game, by_nodes), Limits { nodes: Some(7), ..fixed(ms(95)) });
    }
}
