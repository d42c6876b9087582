//! Adjudication: ends a game when the scores of the engines agree on a win or a draw, or otherwise than the variant says.

use crate::board::Color;
use crate::notation::text::quote;
use crate::score::Score;
use crate::tablebase::Tables;
use crate::words::words;
use nom::Parser;
use nom::character::complete::{char, u32};
use nom::combinator::{all_consuming, map_opt, opt, verify};
use nom::number::complete::recognize_float;
use nom::sequence::preceded;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// A limit of score that must hold for some moves in succession.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Streak {
    /// In centi-men.
    pub score: i32,
    /// Moves of each player concerned.
    pub moves: u32,
    /// The first move of the game, counted in pairs, at which it may end; for draws.
    pub from: u32,
}

/// Why a text is no [`Streak`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum StreakError {
    /// Not two or three numbers.
    #[error("{0}: expected MEN,MOVES or MEN,MOVES,FROM, such as 3.5,4 or 0.1,8,40")]
    Syntax(String),
    /// A lost game ends whenever it is lost, and with a level score nobody is.
    #[error("{0}: expected MEN,MOVES, such as 3.5,4: 0.01 men at least, and no FROM, which only draws have")]
    Resignation(String),
}

impl Streak {
    /// Reads when a player has lost: `MEN,MOVES`. `MEN,MOVES,0`, as results files write it, is the same.
    ///
    /// # Errors
    /// When it is none, would end the games of players who see no difference, or has a first move.
    pub fn of_resignation(text: &str) -> Result<Streak, StreakError> {
        let streak = text.parse().ok().filter(|streak: &Streak| streak.score > 0 && streak.from == 0);
        streak.ok_or_else(|| StreakError::Resignation(quote(text)))
    }
}

impl FromStr for Streak {
    type Err = StreakError;

    fn from_str(text: &str) -> Result<Streak, StreakError> {
        let men = map_opt(recognize_float, |digits: &str| {
            digits.parse::<f64>().ok().filter(|men| (0.0..=100.0).contains(men))
        });
        let moves = preceded(char(','), verify(u32, |&moves| moves > 0));
        let parsed = all_consuming((men, moves, opt(preceded(char(','), u32)))).parse(text);
        let (_, (men, moves, from)) =
            parsed.map_err(|_: nom::Err<nom::error::Error<&str>>| StreakError::Syntax(quote(text)))?;
        Ok(Streak { score: (men * 100.0).round() as i32, moves, from: from.unwrap_or(0) })
    }
}

impl fmt::Display for Streak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{}", f64::from(self.score) / 100.0, self.moves, self.from)
    }
}

/// What a side gets that has pieces left but no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Blocked {
    /// What the variant says: a loss (in losing draughts, a win).
    #[default]
    Loss,
    /// A draw: only who takes all pieces wins. The referee alone knows; no player searches by this rule.
    Draw,
}

words!(Blocked { Loss => "loss", Draw => "draw" });

/// Endgame tables that end games. Two are equal if they know as much.
#[derive(Clone, Debug)]
pub struct KnownEndings(pub Arc<Tables>);

impl PartialEq for KnownEndings {
    fn eq(&self, other: &KnownEndings) -> bool {
        self.0.identity() == other.0.identity()
    }
}

impl Eq for KnownEndings {}

/// When games end early, and how blocked ones end.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Adjudication {
    /// A position that these know ends the game, unless a count of moves may end it before.
    pub tables: Option<KnownEndings>,
    /// A player that has been behind by so much for so long has lost.
    pub resign: Option<Streak>,
    /// The opponent must have seen it, too.
    pub two_sided: bool,
    /// When both have seen no more than this for so long, the game is drawn.
    pub draw: Option<Streak>,
    /// After so many plies, those of the opening included, it is drawn.
    pub max_plies: Option<usize>,
    /// How a game ends in which the side to move is blocked.
    pub blocked: Blocked,
}

impl fmt::Display for Adjudication {
    /// `resign 3.5,4,0 two-sided, draw 0.1,8,40, max-plies 200, blocked draw`, or `none`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let two_sided = if self.two_sided { " two-sided" } else { "" };
        let parts = [
            self.resign.map(|streak| format!("resign {streak}{two_sided}")),
            self.draw.map(|streak| format!("draw {streak}")),
            self.max_plies.map(|plies| format!("max-plies {plies}")),
            (self.blocked != Blocked::default()).then(|| format!("blocked {}", self.blocked)),
            self.tables.as_ref().map(|KnownEndings(tables)| tables.identity()),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "none" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// What the scores have said lately.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Watch {
    /// Moves in succession, by colour, with a lost, a won and a level score.
    lost: [u32; 2],
    won: [u32; 2],
    level: [u32; 2],
}

/// How the watch would end the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EarlyEnd {
    /// This colour wins.
    Win(Color),
    /// Nobody does.
    Draw,
}

impl Watch {
    /// A move was made with this score, seen by its player.
    pub fn moved(&mut self, rules: &Adjudication, color: Color, score: Option<Score>) {
        let index = color.index();
        let count = |count: &mut u32, holds: bool| *count = if holds { *count + 1 } else { 0 };
        let compare = |streak: Option<Streak>, test: fn(i32, i32) -> bool| {
            score.zip(streak).is_some_and(|(score, streak)| test(score.centi(), streak.score))
        };
        count(&mut self.lost[index], compare(rules.resign, |score, limit| score <= -limit));
        count(&mut self.won[index], compare(rules.resign, |score, limit| score >= limit));
        count(&mut self.level[index], compare(rules.draw, |score, limit| score.abs() <= limit));
    }

    /// Whether the game ends here, after so many plies.
    pub fn ending(&self, rules: &Adjudication, plies: usize) -> Option<EarlyEnd> {
        if let Some(streak) = rules.resign {
            let lost = |color: Color| {
                self.lost[color.index()] >= streak.moves
                    && (!rules.two_sided || self.won[(!color).index()] >= streak.moves)
            };
            if let Some(color) = Color::ALL.into_iter().find(|&color| lost(color)) {
                return Some(EarlyEnd::Win(!color));
            }
        }
        let drawn = rules.draw.is_some_and(|streak| {
            plies / 2 >= streak.from as usize && self.level.iter().all(|&moves| moves >= streak.moves)
        });
        drawn.then_some(EarlyEnd::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Color::{Black, White};

    fn rules(two_sided: bool) -> Adjudication {
        Adjudication {
            resign: Some("3,2".parse().unwrap()),
            two_sided,
            draw: Some("0.1,2,5".parse().unwrap()),
            ..Adjudication::default()
        }
    }

    /// The ending after each move of alternating players, White first, with these scores in centi-men.
    fn endings(two_sided: bool, scores: &[i32]) -> Vec<Option<EarlyEnd>> {
        let rules = rules(two_sided);
        let mut watch = Watch::default();
        scores
            .iter()
            .enumerate()
            .map(|(index, &score)| {
                let color = if index % 2 == 0 { White } else { Black };
                watch.moved(&rules, color, Some(Score::from_centi(score)));
                watch.ending(&rules, index + 1)
            })
            .collect()
    }

    #[test]
    fn who_is_lost_long_enough_loses() {
        assert_eq!(endings(false, &[-300, 0, -400])[2], Some(EarlyEnd::Win(Black)));
        assert_eq!(endings(false, &[0, -9993, 0, -300])[3], Some(EarlyEnd::Win(White)));
        assert_eq!(endings(false, &[-300, 0, -299, 0, -300])[4], None);
        // The winner's own hopes are not enough.
        assert_eq!(endings(false, &[900, 900, 900, 900])[3], None);
    }

    #[test]
    fn two_sided_asks_both() {
        assert_eq!(endings(true, &[-300, 0, -400, 0])[3], None);
        let both = endings(true, &[-300, 300, -400, 300]);
        assert_eq!((both[2], both[3]), (None, Some(EarlyEnd::Win(Black))));
    }

    #[test]
    fn level_long_enough_is_a_draw() {
        let level = endings(false, &[10; 12]);
        assert_eq!(level.iter().position(Option::is_some), Some(9));
        assert_eq!(level[9], Some(EarlyEnd::Draw));
        assert_eq!(endings(false, &[0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 0])[10], None);
    }

    #[test]
    fn no_score_breaks_the_streak() {
        let rules = rules(false);
        let mut watch = Watch::default();
        watch.moved(&rules, White, Some(Score::from_centi(-500)));
        watch.moved(&rules, White, None);
        watch.moved(&rules, White, Some(Score::from_centi(-500)));
        assert_eq!(watch.ending(&rules, 3), None);
    }

    #[test]
    fn texts() {
        assert_eq!("3.5,4".parse::<Streak>().unwrap().to_string(), "3.5,4,0");
        assert_eq!(rules(true).to_string(), "resign 3,2,0 two-sided, draw 0.1,2,5");
        assert_eq!(Adjudication::default().to_string(), "none");
        let blocked = Adjudication { blocked: Blocked::Draw, ..Adjudication::default() };
        assert_eq!(blocked.to_string(), "blocked draw");
        for bad in ["", "3", "3,0", "x,3", "-1,3", "101,3", "3,4,5,6"] {
            assert!(bad.parse::<Streak>().unwrap_err().to_string().contains("MEN,MOVES"), "{bad}");
        }
        // What results files have recorded stays what it was.
        for text in ["5,4", "5,4,0"] {
            assert_eq!(Streak::of_resignation(text).unwrap().to_string(), "5,4,0");
        }
        for bad in ["5,4,10", "0.004,4", "0,4", "5"] {
            let error = Streak::of_resignation(bad).unwrap_err().to_string();
            assert!(error.contains(&quote(bad)) && error.contains("MEN,MOVES"), "{error}");
        }
    }
}
