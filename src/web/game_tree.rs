//! A game of a PDN file as the page keeps it: a tree of legal moves with what is said about them. Both directions.

use super::rules_api::ApiError;
use crate::annotate::{Earlier, MoveNote, annotate, erase};
use crate::board::{Color, Position};
use crate::game::Game;
use crate::notation::pdn::{
    DEEPEST, PdnAction, PdnEntry, PdnError, PdnGame, PdnLine, PdnResult, STRENGTH, Tag, TextPlace,
    WriteOptions, next_move, read_games,
};
use crate::notation::text::quote;
use crate::notation::{fen, moves, position};
use crate::rules::{VariantId, play_in};
use crate::view::turn_name;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet};
use thiserror::Error;

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
}

impl GameTree {
    /// The first game of a text, its moves checked. A line goes as far as it is legal; the rest is listed as a fault.
    ///
    /// ```
    /// use kroon::web::GameTree;
    /// let tree = GameTree::read("[GameType \"20\"]\n1. 32-28! {strong} (1. 33-29 19-23) 1... 19-23 *")?;
    /// assert_eq!(tree.nodes.len(), 5);
    /// assert_eq!(tree.nodes[0].children, [1, 2]);
    /// assert!(tree.pdn()?.ends_with("1. 32-28! {strong} (1. 33-29 19-23) 19-23 *\n\n"));
    /// # Ok::<(), kroon::web::TreeError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no game, or its variant or start is not known.
    pub fn read(text: &str) -> Result<GameTree, TreeError> {
        GameTree::of(read_games(text).0.into_iter().next().ok_or(TreeError::Empty)?)
    }

    /// A game as a tree.
    fn of(game: PdnGame) -> Result<GameTree, TreeError> {
        let variant = game.variant()?;
        let start = game.start(variant)?;
        let mut builder = Builder { variant, nodes: vec![TreeNode::default()], faults: Vec::new() };
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
            nodes: builder.nodes,
            faults: builder.faults,
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
        GameTree::of(game)
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
        game.set_start(&start);
        game.line = Writer { variant, nodes: &self.nodes, written: 1 }.main_line(*start.position())?;
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

/// How a line begins.
#[derive(Default)]
struct Opening {
    /// Comments before its first move.
    before: Vec<String>,
    /// The first move of a variation, in whose place this line begins.
    of: Option<usize>,
}

/// A tree that grows along the lines of a game.
struct Builder {
    variant: VariantId,
    nodes: Vec<TreeNode>,
    faults: Vec<String>,
}

impl Builder {
    /// Adds a line that begins behind a node.
    fn line(&mut self, from: usize, mut position: Position, line: &PdnLine, opening: Opening) {
        let Opening { mut before, mut of } = opening;
        let mut at = from;
        let mut entries = line.entries.as_slice();
        while let [entry, behind @ ..] = entries {
            let text = match &entry.action {
                PdnAction::Move(text) => text,
                PdnAction::Missing => {
                    before.extend(entry.comments.iter().cloned());
                    entries = behind;
                    continue;
                }
                PdnAction::Setup(_) => return self.fault(entry, "a position is set up in mid-game"),
            };
            if self.nodes.len() >= MOST_NODES {
                return self.fault(entry, "the game has too many moves");
            }
            let (mv, rest) = match next_move(self.variant, &position, text, behind) {
                Ok(found) => found,
                Err(error) => return self.fault(entry, error),
            };
            let node = self.nodes.len();
            self.nodes[at].children.push(node);
            self.nodes.push(TreeNode {
                parent: i64::try_from(at).unwrap_or(-1),
                text: moves::write(self.variant, &position, mv),
                color: turn_name(position.turn()).to_owned(),
                before: std::mem::take(&mut before),
                of: of.take(),
                ..TreeNode::default()
            });
            let of = (self.nodes[at].children[0] != node).then_some(node);
            // The jumps of a capture can be entries of their own.
            let jumps = 1 + behind.len() - rest.len();
            for entry in &entries[..jumps] {
                self.annotate(node, entry);
                for variation in &entry.variations {
                    if variation.entries.is_empty() {
                        self.nodes[node].comments.extend(variation.comments.iter().cloned());
                    } else {
                        self.line(
                            at,
                            position,
                            variation,
                            Opening { before: variation.comments.clone(), of },
                        );
                    }
                }
            }
            position = play_in(self.variant, &position, mv);
            (at, entries) = (node, rest);
        }
        self.nodes[at].comments.extend(before);
    }

    fn annotate(&mut self, node: usize, entry: &PdnEntry) {
        let node = &mut self.nodes[node];
        node.strength.push_str(&entry.strength);
        node.nags.extend(&entry.nags);
        node.comments.extend(entry.comments.iter().cloned());
    }

    fn fault(&mut self, entry: &PdnEntry, fault: impl std::fmt::Display) {
        let TextPlace { line, column } = entry.place;
        self.faults.push(format!("line {line}, column {column}: {fault}"));
    }
}

/// Lines of a game from a tree.
struct Writer<'a> {
    variant: VariantId,
    nodes: &'a [TreeNode],
    /// Nodes that were written; more than there are when one is there twice.
    written: usize,
}

impl Writer<'_> {
    fn main_line(&mut self, position: Position) -> Result<PdnLine, TreeError> {
        let root = self.nodes.first().ok_or(TreeError::Node(0))?;
        let mut line = match root.children.as_slice() {
            [] => PdnLine::default(),
            [first, ..] => self.line(0, *first, &variations(self.nodes, &root.children), position, 0)?,
        };
        line.comments.splice(0..0, root.comments.iter().cloned());
        Ok(line)
    }

    /// The line that begins with a child of `parent`; `first` are the variations of all children of `parent`.
    fn line(
        &mut self,
        mut parent: usize,
        mut at: usize,
        first: &HashMap<usize, Vec<usize>>,
        mut position: Position,
        depth: usize,
    ) -> Result<PdnLine, TreeError> {
        if depth > DEEPEST {
            return Err(TreeError::Deep);
        }
        let nodes = self.nodes;
        let mut line = PdnLine::default();
        let mut number = 0;
        let mut later = None;
        loop {
            let node = nodes.get(at).filter(|_| at > parent).ok_or(TreeError::Node(at))?;
            self.written += 1;
            if self.written > nodes.len() {
                return Err(TreeError::Node(at));
            }
            number += 1;
            let fault = |fault| ApiError::Move { number, fault };
            let mv = moves::read(self.variant, &position, &node.text).map_err(fault)?;
            let comments = line
                .entries
                .last_mut()
                .map_or(&mut line.comments, |entry: &mut PdnEntry| &mut entry.comments);
            comments.extend(node.before.iter().cloned());
            let text = moves::text(self.variant, &position, mv);
            let mut entry = PdnEntry::new(PdnAction::Move(text), TextPlace::default());
            entry.strength =
                node.strength.chars().filter(|c| matches!(c, '!' | '?')).take(STRENGTH).collect();
            entry.nags.clone_from(&node.nags);
            entry.comments = node.comments.iter().filter(|text| !text.trim().is_empty()).cloned().collect();
            let all = later.as_ref().unwrap_or(first);
            for &other in all.get(&at).into_iter().flatten() {
                entry.variations.push(self.line(parent, other, all, position, depth + 1)?);
            }
            line.entries.push(entry);
            position = play_in(self.variant, &position, mv);
            match node.children.as_slice() {
                [] => return Ok(line),
                [next, ..] => (parent, at, later) = (at, *next, Some(variations(nodes, &node.children))),
            }
        }
    }
}

/// The siblings that are variations, by the move in whose place each stands: one that it names and that stands before
/// it, else the main move.
fn variations(nodes: &[TreeNode], siblings: &[usize]) -> HashMap<usize, Vec<usize>> {
    let [main, others @ ..] = siblings else { return HashMap::new() };
    let mut before = HashSet::new();
    let mut found: HashMap<usize, Vec<usize>> = HashMap::new();
    for &other in others {
        let named = nodes.get(other).and_then(|node| node.of).filter(|of| before.contains(of));
        found.entry(named.unwrap_or(*main)).or_default().push(other);
        before.insert(other);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts that the writer has written come out as they went in.
    fn comes_back(text: &str) {
        let tree = GameTree::read(text).unwrap();
        assert_eq!(tree.faults, [""; 0], "{text}");
        let sent: GameTree = serde_json::from_str(&serde_json::to_string(&tree).unwrap()).unwrap();
        assert_eq!(sent.pdn().unwrap(), text);
    }

    fn tree(variant: &str, start: Option<&str>, end: Option<String>, nodes: Vec<TreeNode>) -> GameTree {
        let start = start.map(str::to_owned);
        let (tags, faults, ended) = (Vec::new(), Vec::new(), None);
        GameTree { variant: variant.to_owned(), start, tags, end, ended, nodes, faults }
    }

    fn written(text: &str) -> String {
        read_games(text).0[0].write(WriteOptions { annotations: true, star: false })
    }

    #[test]
    fn all_that_is_said_comes_back() {
        for text in [
            "[White \"A\"] [GameType \"20\"] [Result \"2-0\"] [Annotator \"x\"] {first} {second} 1. 32-28 {a} {b} \
             ({before} 1. 33-29! {c} 19-23!? 2. 35-30 (2. 31-26)) (1. 34-29 $16 $146) 19-23 2. 28x19 14x23 2-0",
            "[GameType \"20\"] 1. 32-28 (1. 33-29 (1. 34-30 (1. 31-26) 19-23) (1. 31-27) 19-23 (1... 18-23 \
             (1... 17-22))) (1. 34-29) *",
            "[GameType \"20\"] [FEN \"B:W28,33,38:B14,19,10\"] 1... 19-23 {[%eval 0.12] [%clk 0:00:59.4]} *",
            "[GameType \"25\"] 1. c3-d4 $7 f6-g5 2. b2-c3 {Ход белых: \"хорошо\"} 1-0",
            "[GameType \"20\"] *",
        ] {
            comes_back(&written(text));
        }
    }

    #[test]
    fn a_variation_of_what_is_not_there_is_one_of_the_main_move() {
        let text = "[GameType \"20\"] 1. 32-28 (1. 33-29 (1. 34-30)) *";
        let mut tree = GameTree::read(text).unwrap();
        assert_eq!((tree.nodes[0].children.as_slice(), tree.nodes[3].of), ([1, 2, 3].as_slice(), Some(2)));
        // Where the two change places, the first cannot be a variation of the second.
        for (children, of) in [([1, 3, 2], 2), ([1, 2, 3], 9), ([1, 2, 3], 1), ([1, 2, 3], 3)] {
            tree.nodes[0].children = children.to_vec();
            tree.nodes[3].of = Some(of);
            let names = children.map(|node| tree.nodes[node].text.clone());
            let expected = format!("1. {} (1. {}) (1. {}) *\n\n", names[0], names[1], names[2]);
            assert!(tree.pdn().unwrap().ends_with(&expected), "{}", tree.pdn().unwrap());
        }
    }

    #[test]
    fn notes_go_in_and_come_out_again() {
        let text = written("[GameType \"20\"] 1. 32-28 {hm} (1. 33-29! {mine}) 19-23 2. 28x19 14x23 *");
        let tree = GameTree::read(&text).unwrap();
        let notes: Vec<MoveNote> = serde_json::from_str(
            r#"[{"ply":1,"played":"32-28","evaluation":"0.10"},
                {"ply":2,"played":"19-23","evaluation":"-0.50","nag":2,"words":"A mistake.","lines":[["18-22","28x17"],["1-2"]]},
                {"ply":4,"played":"13x24","evaluation":"9.99"}]"#,
        )
        .unwrap();
        let annotated = tree.annotated(Some(&notes)).unwrap();
        let node =
            |of: &GameTree, text: &str| of.nodes.iter().find(|node| node.text == text).unwrap().clone();
        assert_eq!(node(&annotated, "32-28").comments, ["hm", "[%eval 0.10] [%kroon]"]);
        let (error, better) = (node(&annotated, "19-23"), node(&annotated, "18-22"));
        assert_eq!((error.nags, better.parent), (vec![2], error.parent));
        assert!(error.comments[0].ends_with("] A mistake."), "{:?}", error.comments);
        assert!(node(&annotated, "14x23").comments.is_empty(), "another move was analysed");
        // Once more is the same, also by way of a file; and without notes it is what it was.
        assert_eq!(annotated.annotated(Some(&notes)).unwrap(), annotated);
        let saved = GameTree::read(&annotated.pdn().unwrap()).unwrap();
        assert_eq!(saved.annotated(None).unwrap().pdn().unwrap(), text);
    }

    #[test]
    fn games_of_other_programs_come_back() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/pdn");
        let mut games = 0;
        for entry in std::fs::read_dir(folder).unwrap() {
            let bytes = std::fs::read(entry.unwrap().path()).unwrap();
            for game in read_games(&crate::notation::pdn::decode(&bytes)).0 {
                let text = game.write(WriteOptions { annotations: true, star: false });
                let tree = GameTree::read(&text).unwrap();
                if tree.faults.is_empty() {
                    assert_eq!(GameTree::read(&tree.pdn().unwrap()).unwrap().nodes, tree.nodes, "{text}");
                    games += 1;
                }
            }
        }
        assert!(games > 50, "{games}");
    }

    #[test]
    fn a_line_is_followed_as_far_as_it_is_legal() {
        let tree =
            GameTree::read("[GameType \"20\"]\n1. 32-28 (1. 33-29 50-1) 19-23\n2. 28x19 19x28 *").unwrap();
        assert_eq!(tree.nodes.len(), 5);
        assert!(
            tree.faults[0].starts_with("line 2, column 20: move \"50-1\" is not legal here"),
            "{:?}",
            tree.faults
        );
        assert!(tree.faults[1].starts_with("line 3, column 10: "), "{:?}", tree.faults);
        let tree = GameTree::read("1. 32-28 /FEN \"W:W31:B1\"/ 31-27 *").unwrap();
        assert_eq!((tree.nodes.len(), tree.faults.len()), (2, 1));
        assert_eq!(GameTree::read(" \n"), Err(TreeError::Empty));
        assert!(GameTree::read("[GameType \"77\"] 1. 1-2 *").unwrap_err().to_string().contains("77"));
    }

    #[test]
    fn jumps_that_are_moves_of_their_own_are_one_move() {
        let tree = GameTree::read("[FEN \"W:WK41:B20,33,37,43\"] 1. 41x28 {a} 28x39 {b} 39x48 *").unwrap();
        assert_eq!((tree.nodes.len(), tree.faults.len()), (2, 0));
        assert_eq!(tree.nodes[1].comments, ["a", "b"]);
    }

    #[test]
    fn a_tree_that_is_none_is_refused() {
        let node = |text: &str, children: &[usize]| TreeNode {
            text: text.to_owned(),
            children: children.to_vec(),
            ..TreeNode::default()
        };
        let pdn = |nodes: Vec<TreeNode>| {
            let (start, end) = (None, None);
            tree("english", start, end, nodes).pdn()
        };
        assert_eq!(pdn(vec![]), Err(TreeError::Node(0)));
        assert_eq!(pdn(vec![node("", &[9])]), Err(TreeError::Node(9)));
        assert_eq!(pdn(vec![node("", &[1]), node("11-15", &[1])]), Err(TreeError::Node(1)));
        assert_eq!(pdn(vec![node("", &[1, 1]), node("11-15", &[])]), Err(TreeError::Node(1)));
        for end in ["foo", "foo 1. 11-15 *", "*\n\n[White \"x\"]", ""] {
            let tree = tree("english", None, Some(end.to_owned()), vec![node("", &[])]);
            assert_eq!(tree.pdn(), Err(TreeError::End(format!("{end:?}"))));
        }
        let error = pdn(vec![node("", &[1]), node("11-15", &[2]), node("11-15", &[])]).unwrap_err();
        assert!(error.to_string().starts_with("move 2: "), "{error}");
    }

    #[test]
    fn variations_in_variations_have_a_limit() {
        // Two kings go to and fro; what stays is always the second choice.
        let tree = |depth: usize| {
            let mut nodes = vec![TreeNode { children: vec![1, 2], ..TreeNode::default() }];
            for level in 0..depth {
                let (first, second) =
                    [("1-5", "1-6"), ("32-27", "32-28"), ("6-2", "6-1"), ("28-24", "28-32")][level % 4];
                let children =
                    if level + 1 < depth { vec![nodes.len() + 2, nodes.len() + 3] } else { vec![] };
                nodes.push(TreeNode { text: first.into(), ..TreeNode::default() });
                nodes.push(TreeNode { text: second.into(), children, ..TreeNode::default() });
            }
            super::tests::tree("english", Some("B:WK32:BK1"), None, nodes)
        };
        let text = tree(DEEPEST).pdn().unwrap();
        assert_eq!(GameTree::read(&text).unwrap().nodes.len(), 2 * DEEPEST + 1);
        assert_eq!(tree(DEEPEST + 1).pdn(), Err(TreeError::Deep));
    }

    #[test]
    fn the_result_is_that_of_the_rules() {
        let nodes = vec![
            TreeNode { children: vec![1], ..TreeNode::default() },
            TreeNode { text: "10x1".into(), ..TreeNode::default() },
        ];
        let mut tree = tree("english", Some("W:WK10:B6"), None, nodes);
        tree.tags.push(("White".into(), "A \"B\"".into()));
        tree.ended = Some(Ended::Black);
        let text = tree.pdn().unwrap();
        // The first number is that of the side that begins in this variant: Black.
        assert!(text.contains("[Result \"0-1\"]") && text.ends_with("1... 10x1 0-1\n\n"), "{text}");
        assert!(text.contains("[White \"A \\\"B\\\"\"]") && text.contains("[FEN \"W:WK10:B6\"]"), "{text}");
        // Where the rules say nothing, it is how the game was ended on the board.
        tree.nodes = vec![TreeNode::default()];
        assert!(tree.pdn().unwrap().ends_with("\n\n1-0\n\n"), "{}", tree.pdn().unwrap());
        tree.tags.push(("Result".into(), "1/2-1/2".into()));
        assert!(tree.pdn().unwrap().ends_with("\n\n1/2-1/2\n\n"), "{}", tree.pdn().unwrap());
    }
}
