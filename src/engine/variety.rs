//! Random choice among nearly equal moves, so that two games need not be the same.

use crate::board::Move;
use crate::search::{Info, Observer, TreeMove};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Variations that are compared when the engine may vary.
pub(super) const CANDIDATES: usize = 4;

/// A move with fewer visits of a tree search than the best one's divided by this is not compared with it.
const LEAST_SHARE: u64 = 10;

/// Stands between a search for several variations and an observer who asked for fewer.
pub(super) struct Candidates<'a> {
    observer: &'a mut dyn Observer,
    shown: usize,
    latest: Vec<Info>,
}

impl<'a> Candidates<'a> {
    /// Shows `observer` the variations of rank `shown` or better, and remembers all.
    pub fn new(observer: &'a mut dyn Observer, shown: usize) -> Candidates<'a> {
        Candidates { observer, shown, latest: Vec::new() }
    }

    /// A variation no more than `centi` centi-men worse than the best, each of them equally likely; `None` if the
    /// best is the only one, or decides the game. `tree`: what a tree search has seen of the moves.
    pub fn choose(
        &self,
        best: &Info,
        tree: &[TreeMove],
        centi: i32,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<Info> {
        let visits = |mv: Move| tree.iter().find(|seen| seen.mv == mv).map_or(0, |seen| seen.visits);
        let is_near = |info: &&Info| {
            // Scores are compared only if they are of the last iteration or the one before it. Tree search knows no iterations, but it
            // tells little of a move that it has hardly tried.
            let is_known = match info.winrate {
                Some(_) => visits(info.pv[0]) * LEAST_SHARE >= visits(best.pv[0]),
                None => info.depth + 1 >= best.depth,
            };
            is_known && !info.score.is_decided() && info.score + centi >= best.score
        };
        if best.score.is_decided() {
            return None;
        }
        let mut seen: Vec<Move> = Vec::new();
        let mut near: Vec<&Info> = Vec::new();
        for info in std::iter::once(best).chain(self.latest.iter().filter(is_near)) {
            if !seen.contains(&info.pv[0]) {
                seen.push(info.pv[0]);
                near.push(info);
            }
        }
        (near.len() > 1).then(|| near[random.random_range(0..near.len())].clone())
    }

    /// Reports the variations once more, the chosen one first, the others in their order behind it.
    pub fn show_first(&mut self, chosen: &Info) {
        self.latest.sort_by_key(|info| info.rank);
        let others = self.latest.iter().filter(|info| info.pv[0] != chosen.pv[0]);
        for (index, info) in std::iter::once(chosen).chain(others).take(self.shown).enumerate() {
            self.observer.info(&Info { rank: index + 1, ..info.clone() });
        }
    }
}

impl Observer for Candidates<'_> {
    fn info(&mut self, info: &Info) {
        match self.latest.iter_mut().find(|old| old.rank == info.rank) {
            Some(old) => old.clone_from(info),
            None => self.latest.push(info.clone()),
        }
        if info.rank <= self.shown {
            self.observer.info(info);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::{Engine, Mode, Options, Request};
    use crate::game::Game;
    use crate::rules::VariantId;
    use crate::search::{Control, Info, Limits, Observer};
    use std::collections::HashSet;

    /// The last report of rank 1.
    #[derive(Default)]
    struct Last(Option<Info>);

    impl Observer for Last {
        fn info(&mut self, info: &Info) {
            assert_eq!(info.rank, 1);
            self.0 = Some(info.clone());
        }
    }

    fn first_moves(variety: i32) -> HashSet<crate::board::Move> {
        let mut engine = Engine::new(Options { hash_mb: 1, variety, ..Options::default() });
        let limits = Limits { depth: Some(4), ..Limits::default() };
        let request = Request { game: Game::new(VariantId::International), limits, mode: Mode::Think };
        (0..40)
            .map(|_| {
                engine.new_game();
                let mut last = Last::default();
                let report = engine.go(&request, &Control::new(), &mut last);
                assert_eq!(report.best, last.0.map(|info| info.pv[0]));
                report.best.unwrap()
            })
            .collect()
    }

    /// The last report of each rank.
    #[derive(Default)]
    struct Ranks(Vec<Info>);

    impl Observer for Ranks {
        fn info(&mut self, info: &Info) {
            self.0.retain(|old| old.rank != info.rank);
            self.0.push(info.clone());
        }
    }

    #[test]
    fn the_last_reports_name_each_move_once() {
        let options = Options { hash_mb: 1, variety: 50, multipv: 3, seed: Some(2), ..Options::default() };
        let mut engine = Engine::new(options);
        let limits = Limits { depth: Some(6), ..Limits::default() };
        let request = Request { game: Game::new(VariantId::International), limits, mode: Mode::Think };
        let mut chosen = HashSet::new();
        for _ in 0..20 {
            let mut ranks = Ranks::default();
            let best = engine.go(&request, &Control::new(), &mut ranks).best.unwrap();
            let moves: HashSet<_> = ranks.0.iter().map(|info| info.pv[0]).collect();
            assert_eq!((ranks.0.len(), moves.len()), (3, 3));
            assert!(ranks.0.iter().all(|info| info.rank != 1 || info.pv[0] == best));
            chosen.insert(best);
        }
        assert!(chosen.len() > 1);
    }

    #[test]
    fn varied_games_differ_and_others_do_not() {
        assert_eq!(first_moves(0).len(), 1);
        assert!(first_moves(100).len() > 1);
    }
}
