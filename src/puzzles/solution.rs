//! The solution of a puzzle: the line of only moves, other replies, and what it is about.

use super::Theme;
use super::finder::{Bar, Finder, position_alone};
use super::look::{Effort, Look, look};
use super::puzzle::{Goal, Sideline};
use crate::board::{Bitboard, Move, Position};
use crate::game::Game;
use crate::notation::moves;
use crate::rules::{VariantId, play_in};
use crate::search::Control;

/// Longest solution, in plies.
const LONGEST: usize = 23;
/// With more replies than this a side line for each would be a book.
const FEW_REPLIES: usize = 3;
/// Longest side line and sequel, in plies.
const SHOWN: usize = 6;
/// Where the replies are this many on average, they are not nearly forced.
const FREE_REPLIES: f64 = 3.0;

/// A line of only moves.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Solution {
    /// The moves of both sides, the solver's first and last.
    pub line: Vec<Move>,
    /// How it may go on: captures to the end.
    pub sequel: Vec<Move>,
    pub sidelines: Vec<Sideline>,
    pub themes: Vec<Theme>,
    /// Pieces that the solver captures in line and sequel.
    pub captured: u32,
    /// Pieces that the solver loses before the last capture.
    pub given: u32,
    /// Whether the first move neither captures nor offers.
    pub is_quiet: bool,
    /// Legal replies on average.
    replies: f64,
}

impl Solution {
    /// Follows the only moves from a position whose `first` look found one. None if the search was stopped.
    pub fn new(
        finder: &mut Finder,
        start: &Game,
        goal: Goal,
        first: &Look,
        control: &Control,
    ) -> Option<Solution> {
        let variant = start.variant();
        let mut game = start.clone();
        let mut line = vec![first.best.first()?.mv()];
        let mut sidelines = Vec::new();
        let mut sequel = first.best[0].pv[1..].to_vec();
        let mut replies = Vec::new();
        // invariant: a move of a search is legal
        let _ = game.play(line[0]);
        while line.len() < LONGEST && game.outcome().is_none() {
            let legal = game.legal_moves().len();
            let reply = finder.reply(&game, control).best.first()?.clone();
            let mut next = game.clone();
            let _ = next.play(reply.mv());
            if next.outcome().is_some() {
                break;
            }
            let answers = next.legal_moves();
            let answer = if answers.len() == 1 {
                sequel = Vec::new();
                answers[0]
            } else {
                let deep = finder.deep_look(&next, control);
                if Bar::judge(&deep) != Some(goal) {
                    sequel = reply.pv.clone();
                    break;
                }
                sequel = deep.best[0].pv[1..].to_vec();
                deep.best[0].mv()
            };
            replies.push(legal);
            if legal > 1 && legal <= FEW_REPLIES {
                sidelines.extend(Solution::sidelines(finder, &game, line.len(), reply.mv(), control));
            }
            line.push(reply.mv());
            line.push(answer);
            let _ = next.play(answer);
            game = next;
        }
        if control.is_stopped() {
            return None;
        }
        let sequel = captures_of(variant, game.position(), &sequel);
        let mut solution = Solution {
            replies: replies.iter().sum::<usize>() as f64 / replies.len().max(1) as f64,
            line,
            sequel,
            sidelines,
            themes: Vec::new(),
            captured: 0,
            given: 0,
            is_quiet: false,
        };
        solution.find_themes(finder, start, &game, goal, control);
        Some(solution)
    }

    /// The other replies and how each is answered.
    fn sidelines(
        finder: &mut Finder,
        game: &Game,
        ply: usize,
        main: Move,
        control: &Control,
    ) -> Vec<Sideline> {
        let mut lines = Vec::new();
        for &other in game.legal_moves().iter().filter(|&&mv| mv != main) {
            let mut next = game.clone();
            let _ = next.play(other);
            let answer = finder.reply(&next, control);
            let mut played = vec![other];
            played.extend(answer.best.first().map_or(&[][..], |best| &best.pv[..]).iter().take(SHOWN - 1));
            lines.push(Sideline { ply, moves: moves::write_line(game.variant(), game.position(), &played) });
        }
        lines
    }

    fn find_themes(&mut self, finder: &mut Finder, start: &Game, end: &Game, goal: Goal, control: &Control) {
        let variant = start.variant();
        let solver = start.position().turn();
        let tables = finder.table_pieces(variant);
        let mut largest = 0;
        let (mut offered, mut crowned, mut took_king) = (0, false, false);
        let mut position = *start.position();
        for &mv in self.line.iter().chain(&self.sequel) {
            let count = mv.captured().len();
            if position.turn() == solver {
                self.captured += count;
                largest = largest.max(count);
                crowned |= mv.promotes();
                took_king |= (mv.captured() & position.kings()) != Bitboard::EMPTY;
                if count > 0 {
                    // What was lost since counts as given only now, where it comes back.
                    self.given += offered;
                    offered = 0;
                }
            } else {
                offered += count;
            }
            position = play_in(variant, &position, mv);
        }
        let first = self.line[0];
        let offers = self.line.get(1).is_some_and(|reply| reply.is_capture());
        self.is_quiet = !first.is_capture() && !offers;
        let mut themes = Vec::new();
        if self.given > 0 {
            themes.push(Theme::Sacrifice(self.given));
        }
        if largest > 1 {
            themes.push(Theme::Capture(largest));
        }
        if crowned && goal == Goal::Win {
            themes.push(Theme::Breakthrough);
        }
        if took_king && self.given > 0 {
            themes.push(Theme::KingShot);
        }
        if end.outcome().is_some() && end.is_blocked() {
            themes.push(Theme::Blockade);
        }
        if start.position().occupied().len() <= tables {
            themes.push(Theme::Ending);
        }
        if self.is_quiet {
            themes.push(Theme::Quiet);
            // A single move that wins pieces by force is a threat.
            let is_threat = self.captured > 0 && self.line.len() == 1;
            if !is_threat && goal == Goal::Win && rests_on_the_move(finder, start, first, control) {
                themes.push(Theme::Opposition);
            }
        }
        self.themes = themes;
    }

    /// Whether a person learns something from it: replies are forced, or nearly, or tables know every one of them, and
    /// it is not seen by looking two plies ahead.
    pub fn is_worth_solving(&self, depth: u32, lure: f64) -> bool {
        let is_ending = self.themes.contains(&Theme::Ending);
        let is_forced = self.replies <= FREE_REPLIES;
        let is_seen = depth <= 2 && lure < 0.05;
        let is_one_move = self.line.len() == 1 && self.sequel.is_empty() && !is_ending;
        (is_forced || is_ending) && !is_seen && !is_one_move
    }

    /// The line in PDN.
    pub fn texts(&self, start: &Game) -> Vec<String> {
        moves::write_line(start.variant(), start.position(), &self.line)
    }

    /// The sequel in PDN.
    pub fn sequel_texts(&self, start: &Game) -> Vec<String> {
        let variant = start.variant();
        let end = self.line.iter().fold(*start.position(), |position, &mv| play_in(variant, &position, mv));
        moves::write_line(variant, &end, &self.sequel)
    }
}

/// Whether the opponent, free to pass, would escape: were it the solver's move again after the first one, nothing
/// would win as it does now.
fn rests_on_the_move(finder: &mut Finder, start: &Game, first: Move, control: &Control) -> bool {
    let mut game = start.clone();
    let _ = game.play(first);
    let passed = game.position().with_turn_passed();
    let setup = crate::board::Setup::from(&passed);
    let Ok(passed) = Game::from_setup(start.variant(), &setup) else { return false };
    let Some(passed) = position_alone(&passed).filter(|game| game.outcome().is_none()) else { return false };
    let nodes = finder.settings.nodes;
    let seen = look(&mut finder.engine, &passed, 1, Effort::Nodes(nodes), control);
    seen.best.first().is_some_and(|best| !Bar::reached(Goal::Win, best.expected))
}

/// As much of a variation as ends with a capture, not too long.
fn captures_of(variant: VariantId, position: &Position, pv: &[Move]) -> Vec<Move> {
    let mut position = *position;
    let mut last = 0;
    for (index, &mv) in pv.iter().take(SHOWN).enumerate() {
        if !crate::rules::is_legal(variant, &position, mv) {
            break;
        }
        if mv.is_capture() {
            last = index + 1;
        } else if index > last + 1 {
            break;
        }
        position = play_in(variant, &position, mv);
    }
    pv[..last].to_vec()
}
