//! A game of a PDN file as the page keeps it: a tree of legal moves with what is said about them. Both directions.

mod builder;
mod writer;

use super::rules_api::ApiError;
use crate::annotate::{Earlier, MoveNote, annotate, erase};
use crate::board::Color;
use crate::game::Game;
use crate::notation::pdn::{DEEPEST, PdnError, PdnGame, PdnReader, PdnResult, Tag, TextPlace, WriteOptions};
use crate::notation::text::quote;
use crate::notation::{fen, position};
use crate::rules::VariantId;
use builder::{Builder, Opening};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use writer::Writer;

/// Moves of one game that are kept, variations included.
pub const MOST_NODES: usize = 50_000;

/// Why a game is no tree, or a tree no game.
#[derive(Clone, PartialEq, Debug, Error)]
pub enum TreeError {
    /// The text has no game.
    #[error("there is no game in this text")]
    Empty,
    /// The variant or start that the tags say.
    #[error(transparent)]
    Pdn(#[from] PdnError),
    /// Variant, start or a move of the tree.
    #[error(transparent)]
    Line(#[from] ApiError),
    /// A node that is not there, or is there twice.
    #[error("node {0} is not a child of one node before it")]
    Node(usize),
    /// What stands behind the moves would not be read as their end.
    #[error(
        "end {0}: expected a result (2-0, 1-1, 0-2, 1-0, 1/2-1/2, 0-1, 0-0, *), or what the tag Result says"
    )]
    End(String),
    /// Variations that no reader would follow.
    #[error("variations are nested more than {DEEPEST} deep")]
    Deep,
}

/// A game with its variations.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameTree {
    /// The variant's name.
    pub variant: String,
    /// The start as FEN; none: the initial position.
    #[serde(default)]
    pub start: Option<String>,
    /// The tags in their order: name and value.
    #[serde(default)]
    pub tags: Vec<(String, String)>,
    /// The word that ends the game: a result or `*`.
    #[serde(default)]
    pub end: Option<String>,
    /// How it ended on the board, where neither tags nor rules say it.
    #[serde(default, skip_serializing)]
    pub ended: Option<Ended>,
    /// The moves; the first node is the start.
    pub nodes: Vec<TreeNode>,
    /// Where a line of the file could not be followed to its end.
    #[serde(default)]
    pub faults: Vec<String>,
}

/// How a game was ended: by resigning, by the clock, by agreement.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// White won.
    White,
    /// Black won.
    Black,
    /// Drawn.
    Draw,
}

impl From<Ended> for PdnResult {
    fn from(ended: Ended) -> PdnResult {
        match ended {
            Ended::White => PdnResult::Win(Color::White),
            Ended::Black => PdnResult::Win(Color::Black),
            Ended::Draw => PdnResult::Draw,
        }
    }
}

/// A move, and what is said about it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TreeNode {
    /// The node of the move before; -1 for the start.
    #[serde(default)]
    pub parent: i64,
    /// The move in PDN; empty for the start.
    pub text: String,
    /// Who makes it: `white` or `black`; empty for the start.
    #[serde(default)]
    pub color: String,
    /// The moves behind it, the main one first. They have higher numbers.
    pub children: Vec<usize>,
    /// Comments before it, at the start of a variation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    /// `!` and `?` behind the move.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub strength: String,
    /// The sibling that it is a variation of, where this is not the main move; it stands before it among the children.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<usize>,
    /// Numeric annotation glyphs.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nags: Vec<u16>,
    /// Comments behind the move; at the start: before the first move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub comments: Vec<String>,
    /// What stands behind it and cannot be played, as PDN: variations in its place, then the moves after it. These are
    /// written as a variation in the place of the first child, where there is one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub rest: String,
}

impl GameTree {
    /// The first game of a text, its moves checked. A line goes as far as it is legal; a fault says why it ends there,
    /// and the rest is kept as text.
    ///
    /// ```
    /// use kroon::web::GameTree;
    /// let tree = GameTree::read("[GameType \"20\"]\n1. 32-28! {strong} (1. 33-29 19-23) 1... 19-23 *")?;
    /// assert_eq!(tree.nodes.len(), 5);
    /// assert_eq!(tree.nodes[0].children, [1, 2]);
    /// assert!(tree.pdn()?.ends_with("1. 32-28! {strong} (1. 33-29 19-23) 19-23 *\n\n"));
    /// let tree = GameTree::read("[GameType \"20\"]\n1. 32-28 19-23 2. 2-28 {a slip} 14x23 *")?;
    /// assert_eq!((tree.nodes.len(), tree.nodes[2].rest.as_str()), (3, "2-28 {a slip} 2. 14x23"));
    /// assert!(tree.pdn()?.ends_with("1. 32-28 19-23 2. 2-28 {a slip} 14x23 *\n\n"));
    /// # Ok::<(), kroon::web::TreeError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no game, or its variant or start is not known.
    pub fn read(text: &str) -> Result<GameTree, TreeError> {
        let mut reader = PdnReader::new(text);
        let mut tree = GameTree::of(reader.next().ok_or(TreeError::Empty)?)?;
        // What was skipped is not in the tree.
        tree.faults.splice(..0, reader.into_warnings().iter().map(ToString::to_string));
        Ok(tree)
    }

    /// A game as a tree.
    fn of(game: PdnGame) -> Result<GameTree, TreeError> {
        let variant = game.variant()?;
        let start = game.start(variant)?;
        let mut builder = Builder::new(variant);
        builder.nodes[0] =
            TreeNode { parent: -1, comments: game.line.comments.clone(), ..TreeNode::default() };
        builder.line(0, *start.position(), &game.line, Opening::default());
        let is_initial = *start.start() == *Game::new(variant).start();
        Ok(GameTree {
            variant: variant.name().to_owned(),
            start: (!is_initial).then(|| fen::write(variant, start.start())),
            tags: game.tags.iter().map(|tag| (tag.name.clone(), tag.value.clone())).collect(),
            end: game.terminator,
            ended: None,
            faults: std::mem::take(&mut builder.faults),
            nodes: builder.into_nodes(),
        })
    }

    /// The game as PDN, its tags completed: variant, start, and the result where the rules say it.
    ///
    /// # Errors
    /// When variant, start or a move is wrong, or the nodes are no tree.
    pub fn pdn(&self) -> Result<String, TreeError> {
        Ok(self.game()?.write(WriteOptions { annotations: true, star: false }))
    }

    /// The game with what an analysis says of it in the place of what one before said; without notes only that goes.
    /// What the game had otherwise stays.
    ///
    /// # Errors
    /// When variant, start or a move is wrong, or the nodes are no tree.
    pub fn annotated(&self, notes: Option<&[MoveNote]>) -> Result<GameTree, TreeError> {
        let mut game = self.game()?;
        erase(&mut game);
        if let Some(notes) = notes {
            let replay = game.replay_as(self.variant.parse().map_err(ApiError::from)?)?;
            annotate(&mut game, &replay, notes, Earlier::Replace);
        }
        // They have no place in the text of the page.
        Ok(GameTree { faults: self.faults.clone(), ..GameTree::of(game)? })
    }

    /// The game with its tags completed.
    fn game(&self) -> Result<PdnGame, TreeError> {
        let variant: VariantId = self.variant.parse().map_err(ApiError::from)?;
        let start = match &self.start {
            Some(start) => position::game(variant, start).map_err(ApiError::from)?,
            None => Game::new(variant),
        };
        let mut game = PdnGame::default();
        for (name, value) in &self.tags {
            game.tags.push(Tag { name: name.clone(), value: value.clone(), place: TextPlace::default() });
        }
        // Where tags name the variant, the moves tell who begins it: in some programs not the side that does otherwise. Without
        // them the position has to be said.
        let is_named = game.tags.known(&["GameType", "Variant"]).is_some();
        if !is_named {
            game.set_start(&start);
        }
        game.line = Writer::new(variant, &self.nodes).main_line(*start.position())?;
        if is_named {
            game.set_start(&start);
        }
        if let Some(end) = &self.end
            && !game.can_end_with(end)
        {
            return Err(TreeError::End(quote(end)));
        }
        game.terminator = self.end.clone();
        if game.result_text() == "*" {
            let by_rules = game.replay_as(variant).ok().and_then(|replay| replay.last().outcome());
            let ended = self.ended.map_or(PdnResult::Unknown, PdnResult::from);
            let result = by_rules.map_or(ended, |outcome| PdnResult::from(Some(outcome)));
            let result = game.text_of(result, variant);
            game.tags.set("Result", result);
            game.terminator = Some(result.to_owned());
        }
        Ok(game)
    }
}

#[cfg(test)]
mod tests;
