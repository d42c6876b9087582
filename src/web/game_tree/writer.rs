//! From a tree to the lines of a game.

use super::{TreeError, TreeNode};
use crate::board::Position;
use crate::notation::moves;
use crate::notation::pdn::{DEEPEST, Fragment, PdnAction, PdnEntry, PdnLine, STRENGTH, TextPlace};
use crate::rules::{VariantId, play_in};
use crate::web::rules_api::ApiError;
use std::collections::{HashMap, HashSet};

/// Lines of a game from a tree.
pub(super) struct Writer<'a> {
    variant: VariantId,
    nodes: &'a [TreeNode],
    /// Nodes that were written; more than there are when one is there twice.
    written: usize,
}

impl<'a> Writer<'a> {
    pub fn new(variant: VariantId, nodes: &'a [TreeNode]) -> Writer<'a> {
        Writer { variant, nodes, written: 1 }
    }

    /// The main line with its variations.
    pub fn main_line(&mut self, position: Position) -> Result<PdnLine, TreeError> {
        let root = self.nodes.first().ok_or(TreeError::Node(0))?;
        let mut line = match root.children.as_slice() {
            [] => PdnLine::default(),
            [first, ..] => self.line(0, *first, &variations(self.nodes, &root.children), position, 0)?,
        };
        line.comments.splice(0..0, root.comments.iter().cloned());
        let rest = Fragment::read(&root.rest).entries;
        match line.entries.first_mut() {
            Some(first) => first.variations.extend(variation(rest)),
            None => line.entries = rest,
        }
        // Rests have variations, too.
        if line.depth() > DEEPEST { Err(TreeError::Deep) } else { Ok(line) }
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
        // What stood behind the last move and cannot be played.
        let mut rest = Vec::new();
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
            let own = Fragment::read(&node.rest);
            entry.variations.extend(own.variations);
            entry.variations.extend(variation(std::mem::replace(&mut rest, own.entries)));
            line.entries.push(entry);
            position = play_in(self.variant, &position, mv);
            match node.children.as_slice() {
                [] => {
                    line.entries.extend(rest);
                    return Ok(line);
                }
                [next, ..] => (parent, at, later) = (at, *next, Some(variations(nodes, &node.children))),
            }
        }
    }
}

/// A variation of these moves, if there are any.
fn variation(entries: Vec<PdnEntry>) -> Option<PdnLine> {
    (!entries.is_empty()).then(|| PdnLine { comments: Vec::new(), entries })
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
