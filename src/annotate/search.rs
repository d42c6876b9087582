//! One move: what the best move is worth, and what the one that was played.

use super::judge::{Exact, THRESHOLDS, Thresholds};
use crate::board::{Color, Move, Position};
use crate::engine::{Engine, Mode, Options, Request, SearchKind};
use crate::eval::wdl::{self, Chances};
use crate::game::{Game, Outcome};
use crate::rules::VariantId;
use crate::score::Score;
use crate::search::{Control, Info, Limits, Observer};
use crate::tablebase::{Tables, Timing, Value};
use crate::view::text::variation;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// What to analyse, and how long.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Settings {
    /// Limits of the search for one move. Doubtful moves get more.
    pub limits: Limits,
    /// Variations to keep for each move, from 1.
    pub multipv: usize,
    /// Only the moves of this side.
    pub side: Option<Color>,
    /// The first ply to analyse, from 1.
    pub from_ply: usize,
}

/// What one search takes if nobody says otherwise.
const USUAL_DEPTH: u32 = 14;

impl Default for Settings {
    fn default() -> Settings {
        let limits = Limits { depth: Some(USUAL_DEPTH), ..Limits::default() };
        Settings { limits, multipv: 1, side: None, from_ply: 1 }
    }
}

/// A variation with its score.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LineFacts {
    /// Centi-men, as [`Score`], for the side that plays the first move.
    pub score: i32,
    /// The moves in PDN.
    pub moves: Vec<String>,
}

/// What the search and the tables found out about one move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct MoveFacts {
    /// The number of legal moves.
    pub legal: usize,
    /// The last iteration, in plies.
    pub depth: u32,
    /// Nodes of all searches together.
    pub nodes: u64,
    /// The best line.
    pub best: LineFacts,
    /// Further variations, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<LineFacts>,
    /// The line that the played move begins.
    pub played: LineFacts,
    /// The score of the best other move than the best one, where it was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second: Option<i32>,
    /// What is certain with best play: by tables, or because the game is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_known: Option<Exact>,
    /// The same after the played move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub played_known: Option<Exact>,
    /// The same for the best other move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_known: Option<Exact>,
}

/// The endgame tables of each variant, opened once for all workers.
pub(super) type SharedTables = Mutex<HashMap<VariantId, Arc<Tables>>>;

/// Why a move is looked at with more effort.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Doubt {
    /// It seems to cost something.
    Loses,
    /// What it costs lies near the bound of two classes.
    NearBound,
}

impl Doubt {
    fn applies(self, loss: f64) -> bool {
        let Thresholds { best, inaccuracy, mistake, blunder, .. } = THRESHOLDS;
        match self {
            Doubt::Loses => loss > DOUBTFUL * inaccuracy,
            Doubt::NearBound => {
                [best, inaccuracy, mistake, blunder].iter().any(|&bound| is_near(loss, bound))
            }
        }
    }
}

/// Whether a longer search may put a loss on the other side of a bound.
fn is_near(loss: f64, bound: f64) -> bool {
    (loss / bound - 1.0).abs() < NEAR
}

/// A loss above this share of an inaccuracy is looked at with more effort.
const DOUBTFUL: f64 = 0.4;
/// One that differs from a bound by less than this share of it is looked at with more effort still.
const NEAR: f64 = 0.25;
/// How much more: doublings of nodes and time; [`PLIES_A_DOUBLING`] says what it is in plies.
const MORE: i32 = 2;
/// Forced moves get less.
const FORCED: i32 = -2;
/// The other moves are first searched with less, if it shall be fast.
const OTHERS: i32 = -2;
/// Plies of depth for four times the nodes.
const PLIES_A_DOUBLING: (i32, i32) = (3, 2);

/// Asks the engine about one move after another.
pub(super) struct Analyst<'a> {
    engine: Engine,
    tables: &'a SharedTables,
    settings: &'a Settings,
    control: &'a Control,
    nodes: u64,
}

impl<'a> Analyst<'a> {
    /// A worker with an engine of its own: one thread of alpha-beta, so that its answers can be repeated.
    pub fn new(
        options: &Options,
        settings: &'a Settings,
        tables: &'a SharedTables,
        control: &'a Control,
    ) -> Analyst<'a> {
        let options = Options {
            threads: 1,
            multipv: settings.multipv,
            search: SearchKind::AlphaBeta,
            variety: 0,
            player: None,
            level: 0,
            skill: None,
            ..options.clone()
        };
        Analyst { engine: Engine::new(options), tables, settings, control, nodes: 0 }
    }

    /// Judges a legal move in the current position of a game. A later `look` takes more. None if stopped.
    pub fn facts(&mut self, game: &Game, played: Move, look: u32) -> Option<MoveFacts> {
        self.use_tables(game.variant());
        // Nothing of earlier searches is left, so that the order in which moves are analysed does not matter.
        self.engine.new_game();
        self.nodes = 0;
        let legal = game.legal_moves();
        // Whoever goes on behind a draw by a count of moves plays for something.
        let game = &game.played_on();
        let known = self.known(game);
        // From here on; what is known is by the whole game.
        let game = &game.without_harmless_repetitions();
        let mut effort = if legal.len() < 2 { FORCED } else { MORE * look as i32 };
        let after = after(game, played);
        let look = |analyst: &mut Self, effort| {
            let found = analyst.best(game, effort)?;
            let line = analyst.played(game, &after, played, &found, effort)?;
            let facts = found.facts(game, legal.len(), &line, &known, played);
            Some((found, facts))
        };
        let (mut found, mut facts) = look(self, effort)?;
        for &doubt in self.doubts() {
            let loss = facts.loss(game.variant(), game.position());
            if facts.best_known.is_some() || !doubt.applies(loss) {
                break;
            }
            effort += MORE;
            (found, facts) = look(self, effort)?;
        }
        facts.second = self.second(game, &found, &facts, effort)?;
        if self.doubts().contains(&Doubt::NearBound) && facts.is_nearly_only(game.variant(), game.position())
        {
            effort += MORE;
            (found, facts) = look(self, effort)?;
            facts.second = self.second(game, &found, &facts, effort)?;
        }
        facts.nodes = self.nodes;
        Some(facts)
    }

    /// The reasons to look again, in turn.
    fn doubts(&self) -> &'static [Doubt] {
        if self.is_fast() { &[Doubt::Loses] } else { &[Doubt::Loses, Doubt::NearBound] }
    }

    /// Who asks for a depth asks for a speed, too, and not for the most stable class.
    fn is_fast(&self) -> bool {
        self.settings.limits.depth.is_some()
    }

    fn use_tables(&mut self, variant: VariantId) {
        let tables = {
            let mut shared = self.tables.lock();
            shared.entry(variant).or_insert_with(|| self.engine.tables(variant)).clone()
        };
        self.engine.set_tables(tables);
    }

    /// What is certain after each legal move, for the side that plays it.
    fn known(&mut self, game: &Game) -> Vec<(Move, Option<Exact>)> {
        let tables = self.engine.tables(game.variant());
        let moves = game.legal_moves();
        let mut known: Vec<(Move, Option<Exact>)> =
            moves.iter().map(|&mv| (mv, known_after(&after(game, mv), &tables))).collect();
        if known.iter().any(|&(_, exact)| exact == Some(Exact::Win)) {
            for (mv, exact) in known.iter_mut().filter(|(_, exact)| exact.is_none()) {
                *exact = may_still_win(&after(game, *mv), &tables).then_some(Exact::Win);
            }
        }
        known
    }

    /// The best variations of a position.
    fn best(&mut self, game: &Game, effort: i32) -> Option<Found> {
        let request = Request {
            game: game.clone(),
            limits: scaled(&self.settings.limits, effort),
            mode: Mode::Analyze,
        };
        self.go(&request, None)
    }

    fn go(&mut self, request: &Request, among: Option<&[Move]>) -> Option<Found> {
        let mut ranks = Ranks::default();
        let report = self.engine.go_among(request, among, self.control, &mut ranks);
        self.nodes += report.nodes;
        let is_whole = !self.control.is_stopped();
        let multipv = self.engine.options().multipv;
        is_whole.then(|| Found { lines: ranks.settled(report.info, multipv) })
    }

    /// The score and line of the played move, as deep as the best move was searched.
    fn played(
        &mut self,
        game: &Game,
        after: &Game,
        played: Move,
        found: &Found,
        effort: i32,
    ) -> Option<(Score, Vec<Move>)> {
        let best = found.lines.first();
        if let Some(same) = found.lines.iter().find(|line| line.pv.first() == Some(&played)) {
            return Some((same.score, same.pv.clone()));
        }
        match after.outcome() {
            Some(Outcome::Win(color)) => {
                let is_won = color == game.position().turn();
                return Some((if is_won { Score::win_in(1) } else { Score::loss_in(1) }, vec![played]));
            }
            Some(Outcome::Draw(_)) => return Some((Score::DRAW, vec![played])),
            None => (),
        }
        let scaled = scaled(&self.settings.limits, effort);
        let limits = Limits {
            depth: Some(best.map_or(1, |info| info.depth).saturating_sub(1).max(1)),
            nodes: scaled.nodes.map(|nodes| nodes.saturating_mul(2)),
            ..scaled
        };
        let request = Request { game: after.clone(), limits, mode: Mode::Analyze };
        let multipv = self.engine.options().multipv;
        self.set_multipv(1);
        let reply = self.go(&request, None);
        self.set_multipv(multipv);
        let reply = reply?;
        let info = reply.lines.first()?;
        let line = std::iter::once(played).chain(info.pv.iter().copied()).collect();
        Some((for_the_other_side(info.score), line))
    }

    fn set_multipv(&mut self, multipv: usize) {
        if self.engine.options().multipv != multipv {
            let options = Options { multipv, ..self.engine.options().clone() };
            self.engine.set_options(options);
        }
    }

    /// The score of the best other move, where it matters whether the best one was the only one; `Some(None)` where it
    /// does not.
    fn second(&mut self, game: &Game, found: &Found, facts: &MoveFacts, effort: i32) -> Option<Option<i32>> {
        if facts.legal < 2 || facts.second_known.is_some() {
            return Some(None);
        }
        if let Some(second) = found.lines.get(1) {
            return Some(Some(second.score.centi()));
        }
        let Some(best) = found
            .lines
            .first()
            .filter(|_| facts.loss(game.variant(), game.position()) < THRESHOLDS.inaccuracy)
        else {
            return Some(None);
        };
        if facts.played.moves.first() != facts.best.moves.first()
            && facts.loss(game.variant(), game.position()) < THRESHOLDS.best
        {
            return Some(Some(facts.played.score));
        }
        let others: Vec<Move> = game.legal_moves().iter().copied().filter(|&mv| mv != best.pv[0]).collect();
        let expected = |score: Score| wdl::chances(game.variant(), game.position(), score, None).expected();
        let mut last = None;
        let shallow = (effort + OTHERS, lower(best.depth, OTHERS));
        let whole = (effort, best.depth);
        // What a shallow search overlooks is a class that another analysis does not confirm.
        let looks = if self.is_fast() { &[shallow, whole][..] } else { &[whole] };
        for &(effort, depth) in looks {
            let limits = Limits { depth: Some(depth), ..scaled(&self.settings.limits, effort) };
            let request = Request { game: game.clone(), limits, mode: Mode::Analyze };
            let score = self.go(&request, Some(&others))?.lines.first().map(|info| info.score);
            last = score.map(Score::centi);
            // Far from the bound, a shallow search is enough.
            if score
                .is_none_or(|score| expected(best.score) - expected(score) < DOUBTFUL * THRESHOLDS.blunder)
            {
                break;
            }
        }
        Some(last)
    }
}

impl MoveFacts {
    /// The chances with the best move from the position of the move.
    pub fn best_chances(&self, variant: VariantId, position: &Position) -> Chances {
        let score = Score::from_centi(self.best.score.max(self.played.score));
        self.best_known.map_or_else(|| wdl::chances(variant, position, score, None), Exact::chances)
    }

    /// The chances with the played move.
    pub fn played_chances(&self, variant: VariantId, position: &Position) -> Chances {
        let score = Score::from_centi(self.played.score);
        self.played_known.map_or_else(|| wdl::chances(variant, position, score, None), Exact::chances)
    }

    /// The expected result with the best other move, where it is known.
    pub fn second_expected(&self, variant: VariantId, position: &Position) -> Option<f64> {
        let searched =
            self.second.map(|score| wdl::chances(variant, position, Score::from_centi(score), None));
        self.second_known.map(Exact::chances).or(searched).map(|chances| chances.expected())
    }

    /// Whether what the other moves give away lies near the bound of the class [`MoveClass::Only`].
    ///
    /// [`MoveClass::Only`]: super::judge::MoveClass::Only
    fn is_nearly_only(&self, variant: VariantId, position: &Position) -> bool {
        let best = self.best_chances(variant, position).expected();
        self.second.is_some()
            && self.best_known.is_none()
            && self
                .second_expected(variant, position)
                .is_some_and(|second| is_near(best - second, THRESHOLDS.blunder))
    }

    /// The expected result that the played move gives away.
    pub fn loss(&self, variant: VariantId, position: &Position) -> f64 {
        let best = self.best_chances(variant, position).expected();
        (best - self.played_chances(variant, position).expected()).max(0.0)
    }
}

/// The game with one move more. The move is legal.
fn after(game: &Game, mv: Move) -> Game {
    let mut next = game.clone();
    // A move that is not legal leaves the game as it is; callers take moves from the game or the generator.
    let _ = next.play(mv);
    next
}

/// What is certain of a game, for the side that has just moved.
fn known_after(game: &Game, tables: &Tables) -> Option<Exact> {
    let mover = !game.position().turn();
    match game.outcome() {
        Some(Outcome::Draw(_)) => Some(Exact::Draw),
        Some(Outcome::Win(color)) => Some(if color == mover { Exact::Win } else { Exact::Loss }),
        None => tables.result(game.position(), game.counters()).map(|value| Exact::from(-value)),
    }
}

/// Whether the side that has just moved wins by the tables, and nobody knows whether the counts of moves leave time for it:
/// a move that keeps such a win has missed none.
fn may_still_win(game: &Game, tables: &Tables) -> bool {
    tables.verdict(game.position()).is_some_and(|verdict| verdict.value == Value::Loss)
        && matches!(
            tables.timing(game.position(), game.counters()),
            Timing::Unknown { .. } | Timing::Restarted
        )
}

/// The score of a position for the side that moved into it.
fn for_the_other_side(score: Score) -> Score {
    let score = -score;
    match score.is_certain_win() {
        // The move itself is one ply more on the way.
        true if score > Score::DRAW => score - 1,
        true => score + 1,
        false => score,
    }
}

/// The limits with so many doublings of the effort.
fn scaled(limits: &Limits, doublings: i32) -> Limits {
    let factor = 2f64.powi(doublings);
    Limits {
        depth: limits.depth.map(|depth| lower(depth, doublings)),
        nodes: limits.nodes.map(|nodes| ((nodes as f64 * factor) as u64).max(1)),
        move_time: limits.move_time.map(|time| time.mul_f64(factor).max(Duration::from_millis(1))),
        ..*limits
    }
}

/// A depth with so many doublings of the effort.
fn lower(depth: u32, doublings: i32) -> u32 {
    let (plies, doubled) = PLIES_A_DOUBLING;
    depth.saturating_add_signed(doublings * plies / doubled).max(1)
}

/// The last variation of each first move.
#[derive(Default)]
struct Ranks {
    lines: Vec<Info>,
}

impl Observer for Ranks {
    fn info(&mut self, info: &Info) {
        self.lines.retain(|line| line.pv.first() != info.pv.first());
        self.lines.push(info.clone());
    }
}

impl Ranks {
    /// So many variations, the first as the report has it; the others are those of the last two iterations, because the
    /// last one may have been cut off.
    fn settled(self, best: Option<Info>, multipv: usize) -> Vec<Info> {
        let Some(best) = best else { return Vec::new() };
        let mut lines = self.lines;
        lines.retain(|info| info.pv.first() != best.pv.first() && info.depth + 1 >= best.depth);
        lines.sort_by_key(|info| std::cmp::Reverse(info.score));
        lines.insert(0, best);
        lines.truncate(multipv);
        lines
    }
}

/// What one search found.
struct Found {
    /// The variations, the best first; empty without a legal move.
    lines: Vec<Info>,
}

impl Found {
    fn facts(
        &self,
        game: &Game,
        legal: usize,
        played: &(Score, Vec<Move>),
        known: &[(Move, Option<Exact>)],
        mv: Move,
    ) -> MoveFacts {
        let line =
            |score: Score, moves: &[Move]| LineFacts { score: score.centi(), moves: variation(game, moves) };
        let played_line = line(played.0, &played.1);
        let best = self.lines.first().map_or_else(|| played_line.clone(), |info| line(info.score, &info.pv));
        let others = self.lines.iter().skip(1).map(|info| line(info.score, &info.pv)).collect();
        let all: Option<Vec<(Move, Exact)>> = known.iter().map(|&(mv, exact)| Some((mv, exact?))).collect();
        let best_move = self.lines.first().and_then(|info| info.pv.first().copied()).unwrap_or(mv);
        let of = |mv: Move| known.iter().find(|known| known.0 == mv).and_then(|known| known.1);
        MoveFacts {
            legal,
            depth: self.lines.first().map_or(0, |info| info.depth),
            nodes: 0,
            best,
            others,
            played: played_line,
            second: None,
            best_known: match &all {
                Some(all) => all.iter().map(|known| known.1).max(),
                // A move that certainly wins needs no comparison.
                None => of(best_move).filter(|&exact| exact == Exact::Win),
            },
            played_known: of(mv),
            second_known: all
                .and_then(|all| all.iter().filter(|known| known.0 != best_move).map(|known| known.1).max()),
        }
    }
}
