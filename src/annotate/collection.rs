//! Many games together: by player, by opening, by phase, and the positions that were mishandled most often.

use super::game::{GameAnalysis, Phase};
use super::player;
use super::summary::{SideSummary, Sums};
use crate::board::Color;
use crate::game::Game;
use crate::notation::fen;
use crate::notation::pdn::PdnGame;
use crate::rules::VariantId;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Moves of both sides together that make an opening.
const OPENING_PLIES: usize = 4;
/// Players, openings and positions that are kept apart; a collection has as many as it likes, the memory has not.
const MOST: usize = 200_000;
/// Rows of a table that are told.
const MOST_ROWS: usize = 100;
/// Games that are named with a position.
const MOST_GAMES: usize = 8;

/// A row: what somebody or something came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CollectionRow {
    /// The player, opening or phase. An opening is its moves; before them stands the FEN where the game begins with another
    /// position than others of its variant, and the variant where the collection has several.
    pub name: String,
    /// Games with it.
    pub games: usize,
    /// Its moves.
    pub moves: SideSummary,
}

/// A position in which players went wrong.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct HardPosition {
    /// The variant's name.
    pub variant: &'static str,
    /// The position.
    pub fen: String,
    /// How often a mistake or worse was played in it.
    pub errors: usize,
    /// The expected result that was given away in all.
    pub loss: f64,
    /// The best move.
    pub best: String,
    /// Numbers of games with it, at most eight.
    pub games: Vec<usize>,
}

/// The tables of a collection; of the longest ones the first rows.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct CollectionSummary {
    /// Games that were analysed.
    pub games: usize,
    /// The players with most games first.
    pub players: Vec<CollectionRow>,
    /// The openings (their first four moves) with most games first.
    pub openings: Vec<CollectionRow>,
    /// The phases in the order of a game.
    pub phases: Vec<CollectionRow>,
    /// The positions with most errors first.
    pub positions: Vec<HardPosition>,
}

#[derive(Default)]
struct Row {
    games: usize,
    moves: Sums,
}

/// What tells openings apart.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Opening {
    variant: &'static str,
    /// The position, if it is not that with which the variant begins.
    start: Option<String>,
    moves: String,
}

impl Opening {
    fn new(moves: &[String], analysis: &GameAnalysis) -> Opening {
        let usual = analysis.variant.parse().map(|variant: VariantId| {
            let game = Game::new(variant);
            fen::write(variant, game.start())
        });
        let is_usual = usual.is_ok_and(|usual| usual == analysis.start);
        Opening {
            variant: analysis.variant,
            start: (!is_usual).then(|| analysis.start.clone()),
            moves: moves[..moves.len().min(OPENING_PLIES)].join(" "),
        }
    }
}

/// Adds games up.
#[derive(Default)]
pub(super) struct Collection {
    games: usize,
    /// By the parts of the name in any order; each with the spelling that came first.
    players: BTreeMap<Vec<String>, (String, Row)>,
    openings: BTreeMap<Opening, Row>,
    variants: BTreeSet<&'static str>,
    phases: [Row; Phase::ALL.len()],
    positions: HashMap<(&'static str, String), HardPosition>,
}

impl Collection {
    /// Adds a game, unless no move of it was analysed. `moves` are all its moves in PDN, whether or not they were analysed.
    pub fn add(&mut self, number: usize, pdn: &PdnGame, moves: &[String], analysis: &GameAnalysis) {
        if analysis.moves.is_empty() {
            return;
        }
        self.games += 1;
        // One name on both sides, or none, is in one game.
        let mut counted: Option<Vec<String>> = None;
        for color in Color::ALL {
            let name = pdn.player(color).unwrap_or("?");
            let key = player::parts(name);
            let own = || analysis.moves.iter().filter(|mv| mv.side() == color);
            if own().next().is_some() && (self.players.len() < MOST || self.players.contains_key(&key)) {
                let new = || (name.to_owned(), Row::default());
                let (_, row) = self.players.entry(key.clone()).or_insert_with(new);
                row.games += usize::from(counted.as_ref() != Some(&key));
                own().for_each(|mv| row.moves.add(mv));
                counted = Some(key);
            }
        }
        self.variants.insert(analysis.variant);
        let opening = Opening::new(moves, analysis);
        if self.openings.len() < MOST || self.openings.contains_key(&opening) {
            let row = self.openings.entry(opening).or_default();
            row.games += 1;
            analysis.moves.iter().for_each(|mv| row.moves.add(mv));
        }
        for (phase, row) in Phase::ALL.into_iter().zip(&mut self.phases) {
            let mut of = analysis.moves.iter().filter(|mv| mv.phase == phase).peekable();
            row.games += usize::from(of.peek().is_some());
            of.for_each(|mv| row.moves.add(mv));
        }
        self.add_positions(number, analysis);
    }

    fn add_positions(&mut self, number: usize, analysis: &GameAnalysis) {
        for mv in analysis.moves.iter().filter(|mv| mv.class.is_grave()) {
            if self.positions.len() >= MOST {
                // Those that occurred once are worth least.
                self.positions.retain(|_, position| position.errors > 1);
            }
            let position =
                self.positions.entry((analysis.variant, mv.fen.clone())).or_insert_with(|| HardPosition {
                    variant: analysis.variant,
                    fen: mv.fen.clone(),
                    errors: 0,
                    loss: 0.0,
                    best: mv.best.first().cloned().unwrap_or_default(),
                    games: Vec::new(),
                });
            position.errors += 1;
            position.loss += mv.loss;
            if position.games.len() < MOST_GAMES && position.games.last() != Some(&number) {
                position.games.push(number);
            }
        }
    }

    /// The tables.
    pub fn summary(&self) -> CollectionSummary {
        let row =
            |name: String, row: &Row| CollectionRow { name, games: row.games, moves: row.moves.summary() };
        let opening = |opening: &Opening| {
            let variant = (self.variants.len() > 1).then_some(opening.variant);
            let parts = variant.into_iter().chain(opening.start.as_deref()).chain([opening.moves.as_str()]);
            parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let mut positions: Vec<HardPosition> = self.positions.values().cloned().collect();
        positions.sort_by(|a, b| {
            b.errors
                .cmp(&a.errors)
                .then(b.loss.total_cmp(&a.loss))
                .then_with(|| (&a.fen, a.variant).cmp(&(&b.fen, b.variant)))
        });
        positions.truncate(MOST_ROWS);
        for position in &mut positions {
            position.loss = (position.loss * 1e4).round() / 1e4;
        }
        CollectionSummary {
            games: self.games,
            players: most_games(self.players.values().map(|(name, sums)| (name, sums)))
                .map(|(name, sums)| row(name.clone(), sums))
                .collect(),
            openings: most_games(&self.openings).map(|(key, sums)| row(opening(key), sums)).collect(),
            phases: Phase::ALL
                .into_iter()
                .zip(&self.phases)
                .map(|(phase, sums)| row(phase.name().to_owned(), sums))
                .collect(),
            positions,
        }
    }
}

/// The rows with most games first.
fn most_games<'a, K: 'a>(
    rows: impl IntoIterator<Item = (&'a K, &'a Row)>,
) -> impl Iterator<Item = (&'a K, &'a Row)> {
    let mut rows: Vec<(&K, &Row)> = rows.into_iter().collect();
    rows.sort_by_key(|(_, row)| std::cmp::Reverse(row.games));
    rows.into_iter().take(MOST_ROWS)
}
