//! Wins and losses of the tables in a game, whose counts of moves may end it before: whether they leave time, and which move
//! makes the best of it.

use super::{Advice, Tables, Value, Verdict};
use crate::board::{Move, Position};
use crate::rules::draws::Counters;
use crate::rules::{Rules, legal_moves, play_in};

/// Whether the draws by counts of moves leave time for a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Timing {
    /// It comes before a count ends the game.
    Enough,
    /// A count ends the game first.
    Short,
    /// Best play takes longer than a count, but a man's move, or a king's way off the long diagonal, starts that anew:
    /// distances do not tell whether it comes in time.
    Restarted,
    /// Best play comes to a position whose distance is not known.
    Unknown {
        /// What the counts leave there.
        plies_left: u16,
    },
}

impl Timing {
    /// Whether a result may be counted on: time enough, or 12 moves of either side left where nothing more is known.
    pub fn is_certain(self) -> bool {
        match self {
            Timing::Enough => true,
            Timing::Short | Timing::Restarted => false,
            Timing::Unknown { plies_left } => plies_left >= ENOUGH_PLIES,
        }
    }

    /// 0 is the best for the side with this value, 2 the worst.
    fn rank(self, value: Value) -> u8 {
        let for_the_winner = match self {
            Timing::Enough => 0,
            Timing::Restarted | Timing::Unknown { .. } => 1,
            Timing::Short => 2,
        };
        if value == Value::Loss { 2 - for_the_winner } else { for_the_winner }
    }
}

impl Tables {
    /// Whether the counts of moves leave time for a win or loss: best play is followed from here, and the counts with it,
    /// to the end of the game. The winner hurries, the loser does not.
    ///
    /// The way leads through several slices, with a count of its own in each: a man that is crowned in time may leave an
    /// ending in which only seven moves are allowed. Whether that is enough then depends on how it was crowned, and distances
    /// do not say which ways there are: it is not known, but that so many plies are left.
    ///
    /// ```
    /// use kroon::notation::fen::game_from_fen;
    /// use kroon::rules::VariantId;
    /// use kroon::tablebase::{self, Timing};
    /// let (tables, _) = tablebase::load(VariantId::International, &[], 4);
    /// let game = game_from_fen(VariantId::International, "W:WK28,K33:B5")?;
    /// // Distances are in files, not in the program.
    /// assert_eq!(tables.timing(game.position(), game.counters()), Timing::Unknown { plies_left: 50 });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn timing(&self, position: &Position, counters: Counters) -> Timing {
        self.guarded(position, self.line(*position, counters).known())
    }

    /// What is certain although the side that loses may bring a short count of moves into force: it gives its pieces but one king,
    /// or crowns a lone man, against two kings or more, which then have to be quick. Distances follow another line.
    fn guarded(&self, position: &Position, timing: Timing) -> Timing {
        let us = position.turn();
        let limit = self.verdict(position).and_then(|verdict| {
            let winner = match verdict.value {
                Value::Win => us,
                Value::Loss => !us,
                Value::Draw => return None,
            };
            self.variant().rules().draws.limit_of_kings(position, winner)
        });
        match (timing, limit) {
            (Timing::Enough, Some(plies_left)) => Timing::Unknown { plies_left },
            (Timing::Unknown { plies_left }, Some(limit)) => {
                Timing::Unknown { plies_left: plies_left.min(limit) }
            }
            _ => timing,
        }
    }

    /// Best play by distances.
    fn line(&self, mut position: Position, mut counters: Counters) -> Line {
        let rules = self.variant().rules();
        let mut limited = None;
        for _ in 0..LONGEST_LINE {
            let plies_left = counters.plies_left(rules);
            let unknown = Timing::Unknown { plies_left };
            match self.verdict(&position).map(|verdict| verdict.distance) {
                Some(Some(0)) => return Line { timing: Timing::Enough, limited },
                Some(Some(plies)) if plies > plies_left.into() => {
                    let is_over = plies_left == 0;
                    let fixed = counters.fixed_plies_left(rules, &position);
                    let is_short = is_over || fixed.is_some_and(|left| plies > left.into());
                    return Line {
                        timing: if is_short { Timing::Short } else { Timing::Restarted },
                        limited,
                    };
                }
                Some(Some(_)) => {}
                Some(None) | None => return Line { timing: unknown, limited },
            }
            let Some(mv) = self.advice(&position).and_then(|advice| advice.moves.first().copied()) else {
                return Line { timing: unknown, limited };
            };
            position = play_in(self.variant(), &position, mv);
            counters = counters.after(rules, mv, &position);
            limited = limited.or_else(|| limit_begun(rules, mv, counters));
        }
        Line { timing: Timing::Short, limited }
    }

    /// What the tables advise in a game with these counters, and whether these leave time for it.
    ///
    /// As [`Tables::advice`], but a winner takes the shortest way that a count of moves does not stop ([`Tables::timing`]), and
    /// a loser one that is stopped, if there are such ways. Where no way of a winner is known to be in time, those of his moves
    /// that start a count anew are advised, too, that are not known to be too late.
    pub fn advice_in(&self, position: &Position, counters: Counters) -> Option<(Advice, Timing)> {
        let rules = self.variant().rules();
        let mut advice = self.advice(position)?;
        let value = advice.verdict.value;
        match (value, advice.verdict.distance) {
            (Value::Draw, _) => return Some((advice, Timing::Enough)),
            (_, None) => {
                let plies_left = counters.plies_left(rules);
                return Some((advice, self.guarded(position, Timing::Unknown { plies_left })));
            }
            _ => (),
        }
        let mut ways: Vec<(u32, Move)> = self
            .moves(position)
            .into_iter()
            .filter_map(|(mv, verdict)| {
                verdict.filter(|verdict| verdict.value == value)?.distance.map(|plies| (plies, mv))
            })
            .collect();
        ways.sort_by_key(
            |&(plies, _)| if value == Value::Win { i64::from(plies) } else { -i64::from(plies) },
        );
        // A man's move starts the count anew, however long its way is. A loser may give a piece on a short way, for an ending in
        // which little time is left.
        let gives = |mv: Move| {
            let next = play_in(self.variant(), position, mv);
            value == Value::Loss
                && legal_moves(self.variant(), &next).first().is_some_and(|mv| mv.is_capture())
        };
        let is_looked_at =
            |&(n, &(_, mv)): &(usize, &(u32, Move))| n < MOST_WAYS || mv.is_irreversible() || gives(mv);
        let looked_at = ways.iter().enumerate().filter(is_looked_at);
        let mut best: Option<(u32, Move, Line)> = None;
        // Moves that start a count anew, with what comes of them.
        let mut restarts: Vec<(Move, u8)> = Vec::new();
        for (_, &(plies, mv)) in looked_at {
            let line = self.way(position, counters, mv);
            let rank = line.timing.rank(value);
            if best.as_ref().is_none_or(|(_, _, best)| rank < best.timing.rank(value)) {
                best = Some((plies, mv, line));
            }
            if mv.is_irreversible() {
                restarts.push((mv, rank));
            }
            if rank == 0 {
                break;
            }
        }
        let (plies, mv, line) = best?;
        let rank = line.timing.rank(value);
        if rank == 0 || !advice.moves.contains(&mv) {
            advice = Advice { verdict: Verdict { distance: Some(plies), ..advice.verdict }, moves: vec![mv] };
        }
        if rank == 1 && value == Value::Win {
            let others = restarts.into_iter().filter(|&(_, other)| other == rank).map(|(mv, _)| mv);
            let others: Vec<Move> = others.filter(|mv| !advice.moves.contains(mv)).collect();
            advice.moves.extend(others);
        }
        Some((advice, self.guarded(position, line.known())))
    }

    /// Best play by distances that begins with this move.
    fn way(&self, position: &Position, counters: Counters, mv: Move) -> Line {
        let rules = self.variant().rules();
        let next = play_in(self.variant(), position, mv);
        let after = counters.after(rules, mv, &next);
        let line = self.line(next, after);
        Line { limited: limit_begun(rules, mv, after).or(line.limited), ..line }
    }
}

/// The plies that a move leaves which has led, by a capture or a crowning, into an ending with a limit of its own.
fn limit_begun(rules: &Rules, mv: Move, after: Counters) -> Option<u16> {
    let plies_left = after.plies_left(rules);
    let is_limited = (mv.is_capture() || mv.promotes()) && plies_left < rules.draws.quiet_plies;
    is_limited.then_some(plies_left)
}

/// The end of best play by distances.
#[derive(Clone, Copy)]
struct Line {
    timing: Timing,
    /// The plies that were left after the first capture or crowning that led into an ending with a limit of its own.
    limited: Option<u16>,
}

impl Line {
    /// What is known for certain: in an ending that the line has come to, other ways to it may leave more time, or less.
    fn known(self) -> Timing {
        match (self.timing, self.limited) {
            (Timing::Unknown { .. }, _) | (_, None) => self.timing,
            (_, Some(plies_left)) => Timing::Unknown { plies_left },
        }
    }
}

/// Best play is not followed for longer, in plies; it ends long before.
const LONGEST_LINE: usize = 1_000;

/// So many moves are looked at for one that the counts of moves suit, and those beside them that start a count anew.
const MOST_WAYS: usize = 8;

/// Plies that must be left in every count of moves for a win whose distance is not known.
const ENOUGH_PLIES: u16 = 24;

/// Whether no count of moves ends the game before a win, or the capture or crowning on the way to it, that is so many
/// plies away.
#[inline]
pub(crate) fn is_in_time(distance: Option<u32>, counters: Counters, rules: &Rules) -> bool {
    let left = counters.plies_left(rules);
    distance.map_or(left >= ENOUGH_PLIES, |plies| plies <= left.into())
}
