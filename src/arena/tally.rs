//! The state of a match: sums over the finished games, and the sequential test.

use super::record::{GameRecord, Reason};
use super::schedule::{Fixture, MatchSchedule};
use super::stats::{Distribution, Estimate, Pentanomial, Sprt, SprtVerdict, Trinomial};
use crate::board::Color;
use std::collections::{BTreeMap, HashMap};
use std::ops::AddAssign;

/// The pieces that winners had left in games that were won by the rules: one that ended otherwise was not played out.
/// Games of older files, which do not tell, are not among them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PiecesLeft {
    /// Games won by the rules.
    pub games: u64,
    /// Pieces left to the winner in all of them together.
    pub pieces: u64,
}

impl PiecesLeft {
    /// Pieces for each game won; none before the first.
    pub fn mean(&self) -> Option<f64> {
        (self.games > 0).then(|| self.pieces as f64 / self.games as f64)
    }
}

impl AddAssign for PiecesLeft {
    fn add_assign(&mut self, other: PiecesLeft) {
        self.games += other.games;
        self.pieces += other.pieces;
    }
}

/// What two engines did against each other, from the first one's view.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PairingTally {
    /// Games of the first engine with White, and with Black.
    pub by_color: [Trinomial; 2],
    /// What was left in the games that the first engine won with White and with Black, and the same of the second.
    pub left: [[PiecesLeft; 2]; 2],
    /// Games that were drawn by the rules.
    pub drawn_out: u64,
    /// Pairs of which both games are finished.
    pub pairs: Pentanomial,
    /// Half-points of the first engine, by opening and leg.
    legs: HashMap<usize, [Option<u8>; 2]>,
}

impl PairingTally {
    /// All games.
    pub fn games(&self) -> Trinomial {
        let mut sum = self.by_color[0];
        sum += self.by_color[1];
        sum
    }

    /// Games of the first engine in which it moved first, and those in which it moved second, where this colour begins.
    ///
    /// ```
    /// use kroon::arena::{stats::Trinomial, tally::PairingTally};
    /// use kroon::board::Color::Black;
    /// let win = Trinomial { wins: 1, ..Trinomial::default() };
    /// // Won with Black, who begins in English draughts.
    /// let mut pairing = PairingTally::default();
    /// pairing.by_color = [Trinomial::default(), win];
    /// assert_eq!(pairing.by_mover(Black)[0], win);
    /// ```
    pub fn by_mover(&self, beginner: Color) -> [Trinomial; 2] {
        [beginner, !beginner].map(|color| self.by_color[color.index()])
    }

    /// The mean of the first engine's pieces left in games that it won by the rules, and of the second's with the other sign
    /// in those that it lost so; a draw by the rules counts 0, and no other game counts. None before the first game of which this is known.
    pub fn mean_margin(&self) -> Option<f64> {
        let sum = |engine: usize| self.left[engine].iter().map(|left| left.pieces as f64).sum::<f64>();
        let won: u64 = self.left.iter().flatten().map(|left| left.games).sum();
        let games = won + self.drawn_out;
        (games > 0).then(|| (sum(0) - sum(1)) / games as f64)
    }

    /// How much stronger the first engine is; none before the first pair is complete.
    pub fn estimate(&self) -> Option<Estimate> {
        (self.pairs.pairs() > 0).then(|| Estimate::new(&Distribution::from(self.pairs)))
    }

    fn add(&mut self, fixture: Fixture, record: &GameRecord) {
        let Fixture { opening, leg, .. } = fixture;
        let half_points = record.result.half_points(fixture.first_color());
        self.by_color[leg].add(half_points);
        let is_drawn_out =
            matches!(record.reason, Reason::Rules | Reason::Repetition | Reason::MoveCount | Reason::Blocked);
        self.drawn_out += u64::from(record.result.winner().is_none() && is_drawn_out);
        let left = record.left.filter(|_| record.reason == Reason::Rules);
        if let Some((winner, left)) = record.result.winner().zip(left) {
            let engine = usize::from(winner != fixture.first_color());
            let pieces = u64::from(left[winner.index()]);
            self.left[engine][winner.index()] += PiecesLeft { games: 1, pieces };
        }
        let legs = self.legs.entry(opening).or_default();
        legs[leg] = Some(half_points);
        if let [Some(first), Some(second)] = *legs {
            self.pairs.add(first, second);
        }
    }
}

/// The sequential test. It looks at the pairs in the order of the schedule, whatever the order in which they end: short
/// games, which end first, must not be seen first, and the same match always stops at the same pair.
#[derive(Clone, PartialEq, Debug)]
pub struct SprtState {
    /// The test.
    pub sprt: Sprt,
    /// The pairs seen.
    pub pairs: Pentanomial,
    /// The log-likelihood ratio after them.
    pub llr: f64,
    /// What follows.
    pub verdict: SprtVerdict,
}

/// Sums over the finished games of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct Tally {
    schedule: MatchSchedule,
    /// One for each pairing of the schedule.
    pub pairings: Vec<PairingTally>,
    /// How many games ended why.
    pub reasons: BTreeMap<Reason, u64>,
    /// Games lost by a fault: engine, reason, how often.
    pub faults: BTreeMap<(usize, Reason), u64>,
    /// All games.
    pub games: usize,
    /// The sequential test, if one is made.
    pub sprt: Option<SprtState>,
}

impl Tally {
    /// Before the first game.
    pub fn new(schedule: MatchSchedule, sprt: Option<Sprt>) -> Tally {
        let pairings = vec![PairingTally::default(); schedule.pairings().len()];
        let state =
            |sprt| SprtState { sprt, pairs: Pentanomial::default(), llr: 0.0, verdict: SprtVerdict::Open };
        Tally {
            schedule,
            pairings,
            reasons: BTreeMap::new(),
            faults: BTreeMap::new(),
            games: 0,
            sprt: sprt.map(state),
        }
    }

    /// The schedule.
    pub fn schedule(&self) -> &MatchSchedule {
        &self.schedule
    }

    /// Counts a game of the schedule; each must come once.
    pub fn add(&mut self, record: &GameRecord) {
        let fixture = self.schedule.fixture(record.game.saturating_sub(1));
        self.pairings[fixture.pairing].add(fixture, record);
        self.games += 1;
        *self.reasons.entry(record.reason).or_default() += 1;
        if let (true, Some(winner)) = (record.reason.is_fault(), record.result.winner()) {
            *self.faults.entry((record.engine(!winner), record.reason)).or_default() += 1;
        }
        self.test();
    }

    /// Takes the test further with the pairs that have become complete.
    fn test(&mut self) {
        let (Some(state), [pairing]) = (&mut self.sprt, &self.pairings[..]) else { return };
        while state.verdict == SprtVerdict::Open {
            let next = state.pairs.pairs() as usize;
            let Some(&[Some(first), Some(second)]) = pairing.legs.get(&next) else { return };
            state.pairs.add(first, second);
            state.llr = state.sprt.llr(&state.pairs.into());
            state.verdict = state.sprt.verdict(state.llr);
        }
    }

    /// Whether the test has decided.
    pub fn is_decided(&self) -> bool {
        self.sprt.as_ref().is_some_and(|state| state.verdict != SprtVerdict::Open)
    }

    /// All games of one engine, from its view: with White, with Black, and its pairs.
    pub fn of_engine(&self, engine: usize) -> ([Trinomial; 2], Pentanomial) {
        let mut by_color = [Trinomial::default(); 2];
        let mut pairs = Pentanomial::default();
        for (pairing, &[first, second]) in self.pairings.iter().zip(self.schedule.pairings()) {
            if first == engine {
                by_color[0] += pairing.by_color[0];
                by_color[1] += pairing.by_color[1];
                pairs += pairing.pairs;
            } else if second == engine {
                by_color[0] += pairing.by_color[1].reversed();
                by_color[1] += pairing.by_color[0].reversed();
                pairs += pairing.pairs.reversed();
            }
        }
        (by_color, pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::super::schedule::Format;
    use super::*;
    use crate::game::GameResult::{self, Black, Draw, White};

    fn record(tally: &Tally, game: usize, result: GameResult, reason: Reason) -> GameRecord {
        GameRecord::bare(game + 1, tally.schedule.fixture(game).engines, result, reason)
    }

    fn tally(engines: usize, rounds: usize, sprt: Option<&str>) -> Tally {
        let sprt = sprt.map(|text| text.parse().unwrap());
        Tally::new(MatchSchedule::new(Format::RoundRobin, engines, rounds), sprt)
    }

    fn count(tally: &mut Tally, game: usize, result: GameResult) {
        let record = record(tally, game, result, Reason::Rules);
        tally.add(&record);
    }

    #[test]
    fn colours_are_changed() {
        let mut tally = tally(2, 2, None);
        // Engine 0 has White, then Black: White wins both games.
        count(&mut tally, 0, White);
        count(&mut tally, 1, White);
        let pairing = &tally.pairings[0];
        assert_eq!(pairing.by_color[0], Trinomial { wins: 1, losses: 0, draws: 0 });
        assert_eq!(pairing.by_color[1], Trinomial { wins: 0, losses: 1, draws: 0 });
        assert_eq!(pairing.pairs, Pentanomial([0, 0, 1, 0, 0]));
        // Engine 0 wins both.
        count(&mut tally, 2, White);
        assert_eq!(tally.pairings[0].pairs.pairs(), 1, "half a pair is none");
        count(&mut tally, 3, Black);
        assert_eq!(tally.pairings[0].pairs, Pentanomial([0, 0, 1, 0, 1]));
        let (by_color, pairs) = tally.of_engine(1);
        assert_eq!(by_color[0], Trinomial { wins: 1, losses: 1, draws: 0 });
        assert_eq!(by_color[1], Trinomial { wins: 0, losses: 2, draws: 0 });
        assert_eq!(pairs, Pentanomial([1, 0, 1, 0, 0]));
    }

    #[test]
    fn what_the_winners_had_left() {
        let mut tally = tally(2, 2, None);
        // Engine 0 has White, Black, White, Black. It wins with 5 pieces left, loses to 3, draws, and wins with 2.
        let games = [(White, [5, 0]), (White, [3, 0]), (Draw, [2, 2]), (Black, [0, 2])];
        for (game, (result, left)) in games.into_iter().enumerate() {
            let record = GameRecord { left: Some(left), ..record(&tally, game, result, Reason::Rules) };
            tally.add(&record);
        }
        let left = |pieces| PiecesLeft { games: 1, pieces };
        let pairing = &tally.pairings[0];
        assert_eq!(pairing.left, [[left(5), left(2)], [left(3), PiecesLeft::default()]]);
        assert_eq!(pairing.mean_margin(), Some((5.0 + 2.0 - 3.0) / 4.0));
        assert_eq!(pairing.by_mover(Color::Black)[0], Trinomial { wins: 1, losses: 1, draws: 0 });
    }

    #[test]
    fn games_that_were_not_played_out_have_nothing_left() {
        let mut tally = tally(2, 2, None);
        for (game, reason) in [Reason::Crash, Reason::AdjudicatedWin, Reason::Tables].into_iter().enumerate()
        {
            let record = GameRecord { left: Some([19, 20]), ..record(&tally, game, White, reason) };
            tally.add(&record);
        }
        assert_eq!((tally.pairings[0].left, tally.pairings[0].mean_margin()), Default::default());
        for reason in [Reason::AdjudicatedDraw, Reason::MaxPlies, Reason::Tables] {
            let drawn = GameRecord { left: Some([3, 3]), ..record(&tally, 2, Draw, reason) };
            tally.add(&drawn);
        }
        assert_eq!(tally.pairings[0].mean_margin(), None);
        let won = GameRecord { left: Some([0, 4]), ..record(&tally, 3, Black, Reason::Rules) };
        tally.add(&won);
        assert_eq!(tally.pairings[0].mean_margin(), Some(4.0));
        // A draw that was played out counts: nobody is ahead in it.
        let drawn = record(&tally, 1, Draw, Reason::Repetition);
        tally.add(&drawn);
        assert_eq!(tally.pairings[0].mean_margin(), Some(2.0));
    }

    #[test]
    fn faults_are_the_losers() {
        let mut tally = tally(2, 1, None);
        let crash = record(&tally, 1, White, Reason::Crash);
        tally.add(&crash);
        // In the second game engine 0 has Black, and Black has lost.
        assert_eq!(tally.faults, BTreeMap::from([((0, Reason::Crash), 1)]));
    }

    #[test]
    fn the_order_in_which_games_end_does_not_matter() {
        let results: Vec<GameResult> = (0..400)
            .map(|game| {
                if game % 7 == 0 {
                    Draw
                } else if game % 2 == 0 {
                    White
                } else {
                    Black
                }
            })
            .collect();
        let mut in_order = tally(2, 200, Some("0,50"));
        let mut decided_at = None;
        for (game, &result) in results.iter().enumerate() {
            count(&mut in_order, game, result);
            if in_order.is_decided() && decided_at.is_none() {
                decided_at = Some(game);
            }
        }
        let mut backward = tally(2, 200, Some("0,50"));
        for (game, &result) in results.iter().enumerate().rev() {
            count(&mut backward, game, result);
        }
        assert_eq!(in_order.sprt, backward.sprt);
        let state = in_order.sprt.unwrap();
        assert_eq!(state.verdict, SprtVerdict::H1);
        assert_eq!(decided_at, Some(2 * state.pairs.pairs() as usize - 1), "at the end of a pair");
    }

    #[test]
    fn three_engines() {
        let mut tally = tally(3, 1, None);
        (0..6).for_each(|game| count(&mut tally, game, White));
        for engine in 0..3 {
            let (by_color, pairs) = tally.of_engine(engine);
            assert_eq!((by_color[0].wins, by_color[1].losses, pairs.pairs()), (2, 2, 2));
        }
    }
}
