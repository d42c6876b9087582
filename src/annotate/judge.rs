//! Classes of moves by what they cost in expected result.

use crate::eval::wdl::Chances;
use crate::tablebase::Value;
use crate::words::words;
use serde::{Deserialize, Serialize};

/// What is known for certain of a position, for the side whose move is judged.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Exact {
    /// The other side wins.
    Loss,
    /// Nobody can win.
    Draw,
    /// This side wins.
    Win,
}

words!(Exact { Loss => "loss", Draw => "draw", Win => "win" });

impl Exact {
    /// Chances that are certain.
    pub fn chances(self) -> Chances {
        let share = |value| f64::from(u8::from(self == value));
        Chances { win: share(Exact::Win), draw: share(Exact::Draw), loss: share(Exact::Loss) }
    }
}

impl From<Value> for Exact {
    fn from(value: Value) -> Exact {
        match value {
            Value::Win => Exact::Win,
            Value::Draw => Exact::Draw,
            Value::Loss => Exact::Loss,
        }
    }
}

/// What a move is worth, compared with the best one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MoveClass {
    /// As good as the best move.
    Best,
    /// The best move, and every other one would have been a blunder.
    Only,
    /// Costs little.
    Good,
    /// Costs something.
    Inaccuracy,
    /// Costs much.
    Mistake,
    /// Costs very much.
    Blunder,
    /// A win was there; the game is not lost.
    MissedWin,
    /// A combination would have won material; nothing was lost.
    MissedCombination,
    /// The only legal move.
    Forced,
    /// Costs something, but the game was lost whatever was played.
    LostAnyway,
}

words!(MoveClass {
    Best => "best",
    Only => "only",
    Good => "good",
    Inaccuracy => "inaccuracy",
    Mistake => "mistake",
    Blunder => "blunder",
    MissedWin => "missed-win",
    MissedCombination => "missed-combination",
    Forced => "forced",
    LostAnyway => "lost-anyway"
});

impl MoveClass {
    /// Every class, in the order of tables.
    pub const ALL: [MoveClass; 10] = [
        MoveClass::Best,
        MoveClass::Only,
        MoveClass::Good,
        MoveClass::Inaccuracy,
        MoveClass::Mistake,
        MoveClass::Blunder,
        MoveClass::MissedWin,
        MoveClass::MissedCombination,
        MoveClass::Forced,
        MoveClass::LostAnyway,
    ];

    /// Its name in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            MoveClass::Best => "Best move",
            MoveClass::Only => "Only move",
            MoveClass::Good => "Good",
            MoveClass::Inaccuracy => "Inaccuracy",
            MoveClass::Mistake => "Mistake",
            MoveClass::Blunder => "Blunder",
            MoveClass::MissedWin => "Missed win",
            MoveClass::MissedCombination => "Missed combination",
            MoveClass::Forced => "Forced",
            MoveClass::LostAnyway => "Lost anyway",
        }
    }

    /// How it is marked behind a move, if it is: the numeric annotation glyph of PDN, and the sign that pages show.
    fn mark(self) -> Option<(u16, &'static str)> {
        match self {
            // As in chess: all other moves lose something. Its square is little known.
            MoveClass::Only => Some((7, "!")),
            MoveClass::Mistake | MoveClass::MissedCombination => Some((2, "?")),
            MoveClass::Blunder | MoveClass::MissedWin => Some((4, "??")),
            MoveClass::Inaccuracy => Some((6, "?!")),
            MoveClass::Best | MoveClass::Good | MoveClass::Forced | MoveClass::LostAnyway => None,
        }
    }

    /// The numeric annotation glyph of PDN, if the class has one.
    pub fn nag(self) -> Option<u16> {
        self.mark().map(|(nag, _)| nag)
    }

    /// The sign behind the move on pages, if the class has one.
    pub fn sign(self) -> Option<&'static str> {
        self.mark().map(|(_, sign)| sign)
    }

    /// Whether a better move should be shown.
    pub fn is_error(self) -> bool {
        use MoveClass as C;
        matches!(self, C::Inaccuracy | C::Mistake | C::Blunder | C::MissedWin | C::MissedCombination)
    }

    /// Whether it costs a mistake or more.
    pub fn is_grave(self) -> bool {
        self.is_error() && self != MoveClass::Inaccuracy
    }
}

/// Bounds between the classes, in expected result: 1 for a win, one half for a draw.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Thresholds {
    /// A loss below this is nothing: `best`.
    pub best: f64,
    /// From this loss on a move is an inaccuracy.
    pub inaccuracy: f64,
    /// From this loss on a mistake.
    pub mistake: f64,
    /// From this loss on a blunder.
    pub blunder: f64,
    /// From this expected result on a game is as good as won.
    pub won: f64,
    /// Down to this expected result a game is as good as lost.
    pub lost: f64,
    /// A win is missed, and not turned into a loss, if at least this remains.
    pub missed: f64,
}

impl Thresholds {
    /// Whether a game is as good as lost with this expected result before the move.
    pub fn is_lost(&self, best: f64) -> bool {
        best <= self.lost
    }
}

/// The bounds in force.
pub const THRESHOLDS: Thresholds = Thresholds {
    best: 0.04,
    inaccuracy: 0.06,
    mistake: 0.10,
    blunder: 0.20,
    won: 0.90,
    lost: 0.10,
    missed: 0.40,
};

/// What decides the class of a move. All of it for the side that moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Evidence {
    /// The number of legal moves.
    pub legal: usize,
    /// The expected result with the best move.
    pub best: f64,
    /// With the move that was played.
    pub played: f64,
    /// With the best of the other moves, where this was searched.
    pub second: Option<f64>,
    /// Men that the best line wins by giving up some first.
    pub combination: Option<u32>,
    /// Whether the move that was played loses material.
    pub loses_material: bool,
}

impl Evidence {
    /// What the move cost.
    pub fn loss(&self) -> f64 {
        (self.best - self.played).max(0.0)
    }

    /// The class.
    pub fn class(&self) -> MoveClass {
        let bounds = THRESHOLDS;
        let loss = self.loss();
        // Sums of fractions fall short of the bound by less than this.
        let reaches = |loss: f64, bound: f64| loss >= bound - 1e-9;
        let from = |bound: f64| reaches(loss, bound);
        if self.legal < 2 {
            MoveClass::Forced
        } else if bounds.is_lost(self.best) {
            if from(bounds.best) { MoveClass::LostAnyway } else { MoveClass::Best }
        } else if from(bounds.blunder) && self.best >= bounds.won && self.played >= bounds.missed {
            MoveClass::MissedWin
        } else if from(bounds.mistake)
            && self.combination.is_some()
            && !self.loses_material
            && !(self.best >= bounds.won && from(bounds.blunder))
        {
            MoveClass::MissedCombination
        } else if from(bounds.blunder) {
            MoveClass::Blunder
        } else if from(bounds.mistake) {
            MoveClass::Mistake
        } else if from(bounds.inaccuracy) {
            MoveClass::Inaccuracy
        } else if self.second.is_some_and(|second| reaches(self.best - second, bounds.blunder)) {
            MoveClass::Only
        } else if from(bounds.best) {
            MoveClass::Good
        } else {
            MoveClass::Best
        }
    }
}
