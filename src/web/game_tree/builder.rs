//! From the lines of a game to a tree: as far as they can be played, with the rest as text.

use super::{MOST_NODES, TreeNode};
use crate::board::{Move, Position};
use crate::notation::moves;
use crate::notation::pdn::{Fragment, PdnAction, PdnEntry, PdnFault, PdnLine, TextPlace, next_move};
use crate::notation::text::quote;
use crate::rules::{VariantId, play_in};
use crate::view::turn_name;
use std::collections::HashMap;
use thiserror::Error;

/// How a line begins.
#[derive(Default)]
pub(super) struct Opening {
    /// Comments before its first move.
    before: Vec<String>,
    /// The first move of a variation, in whose place this line begins.
    of: Option<usize>,
    /// The move in whose place this line begins, if it is a variation.
    instead_of: Option<usize>,
}

/// A tree that grows along the lines of a game.
pub(super) struct Builder {
    variant: VariantId,
    pub nodes: Vec<TreeNode>,
    /// What cannot be played, by the node before it.
    rests: HashMap<usize, Fragment>,
    pub faults: Vec<String>,
}

impl Builder {
    pub fn new(variant: VariantId) -> Builder {
        let nodes = vec![TreeNode::default()];
        Builder { variant, nodes, rests: HashMap::new(), faults: Vec::new() }
    }

    /// The nodes with their rests.
    pub fn into_nodes(self) -> Vec<TreeNode> {
        let mut nodes = self.nodes;
        for (node, rest) in self.rests {
            nodes[node].rest = rest.text();
        }
        nodes
    }

    /// Adds a line that begins behind a node.
    pub fn line(&mut self, from: usize, mut position: Position, line: &PdnLine, opening: Opening) {
        let Opening { mut before, mut of, instead_of } = opening;
        let mut at = from;
        // What stands behind the last move.
        let mut behind = line.entries.as_slice();
        loop {
            let (missing, entries) =
                behind.split_at(behind.iter().take_while(|entry| is_missing(entry)).count());
            let Some(first) = entries.first() else { break };
            let (mv, rest) = match self.next(&position, first, &entries[1..]) {
                Ok(found) => found,
                Err(fault) => {
                    self.fault(first, missing.last(), fault);
                    break;
                }
            };
            let node = self.nodes.len();
            self.nodes[at].children.push(node);
            before.extend(missing.iter().flat_map(|entry| entry.comments.iter().cloned()));
            self.nodes.push(TreeNode {
                parent: i64::try_from(at).unwrap_or(-1),
                text: moves::write(self.variant, &position, mv),
                color: turn_name(position.turn()).to_owned(),
                before: std::mem::take(&mut before),
                of: of.take(),
                ..TreeNode::default()
            });
            // The jumps of a capture can be entries of their own.
            for entry in &behind[..behind.len() - rest.len()] {
                if !is_missing(entry) {
                    self.annotate(node, entry);
                }
                for variation in &entry.variations {
                    self.variation([at, node], position, variation);
                }
            }
            position = play_in(self.variant, &position, mv);
            (at, behind) = (node, rest);
        }
        if behind.iter().all(|entry| is_missing(entry) && entry.variations.is_empty()) {
            before.extend(behind.iter().flat_map(|entry| entry.comments.iter().cloned()));
            self.nodes[at].comments.extend(before);
        } else {
            let rest = PdnLine { comments: before, entries: behind.to_vec() };
            self.keep(at, instead_of.filter(|_| at == from), rest);
        }
    }

    /// The move of an entry, and the entries behind it.
    fn next<'a>(
        &self,
        position: &Position,
        entry: &PdnEntry,
        behind: &'a [PdnEntry],
    ) -> Result<(Move, &'a [PdnEntry]), LineFault> {
        match &entry.action {
            PdnAction::Move(_) if self.nodes.len() >= MOST_NODES => Err(LineFault::TooLong),
            PdnAction::Move(text) => {
                next_move(self.variant, position, text, behind).map_err(|error| LineFault::Pdn(error.into()))
            }
            PdnAction::Missing => Err(LineFault::Pdn(PdnFault::Missing)),
            PdnAction::Unread(_) if self.nodes.len() >= MOST_NODES => Err(LineFault::TooLong),
            PdnAction::Unread(word) => match moves::short(self.variant, position, word) {
                Some(mv) => Ok((mv, behind)),
                None => Err(LineFault::Pdn(PdnFault::Unread(quote(word)))),
            },
            PdnAction::Setup(_) => Err(LineFault::Setup),
        }
    }

    /// Adds a variation of a node, which follows another.
    fn variation(&mut self, [parent, node]: [usize; 2], position: Position, variation: &PdnLine) {
        if variation.entries.is_empty() {
            self.nodes[node].comments.extend(variation.comments.iter().cloned());
            return;
        }
        let of = (self.nodes[parent].children[0] != node).then_some(node);
        let opening = Opening { before: variation.comments.clone(), of, instead_of: Some(node) };
        self.line(parent, position, variation, opening);
    }

    /// Keeps what cannot be played: a whole variation in the place of a move, or what stands behind one.
    fn keep(&mut self, at: usize, instead_of: Option<usize>, rest: PdnLine) {
        if let Some(node) = instead_of {
            self.rests.entry(node).or_default().variations.push(rest);
        } else {
            self.nodes[at].comments.extend(rest.comments);
            self.rests.entry(at).or_default().entries.extend(rest.entries);
        }
    }

    fn annotate(&mut self, node: usize, entry: &PdnEntry) {
        let node = &mut self.nodes[node];
        node.strength.push_str(&entry.strength);
        node.nags.extend(&entry.nags);
        node.comments.extend(entry.comments.iter().cloned());
    }

    /// Notes why a line breaks off at an entry. Behind a missing move that is why what follows does not fit.
    fn fault(&mut self, entry: &PdnEntry, missing: Option<&PdnEntry>, fault: LineFault) {
        let (entry, fault) = match (missing, fault) {
            (Some(missing), LineFault::Pdn(_)) => (missing, LineFault::Pdn(PdnFault::Missing)),
            (_, fault) => (entry, fault),
        };
        let TextPlace { line, column } = entry.place;
        self.faults.push(format!("line {line}, column {column}: {fault}"));
    }
}

/// Why a line breaks off.
#[derive(Debug, Error)]
enum LineFault {
    /// What is wrong in the file.
    #[error(transparent)]
    Pdn(PdnFault),
    /// A tree has one start.
    #[error("a position is set up in mid-game")]
    Setup,
    /// There are [`MOST_NODES`].
    #[error("the game has too many moves")]
    TooLong,
}

fn is_missing(entry: &PdnEntry) -> bool {
    entry.action == PdnAction::Missing
}
