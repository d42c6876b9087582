//! The first line of a shard.

use crate::engine::PROGRAM;
use crate::rules::VariantId;
use serde::{Deserialize, Serialize};

/// How the games of a shard were made: together with the program this determines every byte of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ShardHeader {
    /// [`ShardHeader::FORMAT`], or [`ShardHeader::WITH_VISITS`] for games of a tree search.
    pub format: String,
    /// The variant's name.
    pub variant: String,
    /// The seed of the run.
    pub seed: u64,
    /// The number of the shard.
    pub shard: u64,
    /// Nodes searched for each move.
    pub nodes: u64,
    /// Which evaluation played, as [`Evaluation::name`](crate::eval::Evaluation::name) says; empty in files from before this was
    /// recorded.
    #[serde(default)]
    pub evaluation: String,
    /// Which program played, as [`PROGRAM`] says; empty in files from before this was recorded.
    #[serde(default)]
    pub program: String,
    /// Which endgame tables were asked; empty if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub tables: String,
    /// The options of the tree search that played, as [`Options::search_text`](crate::engine::Options::search_text) says, and
    /// the checksum of its policy; empty for alpha-beta.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub search: String,
    /// How many moves of a hundred were drawn at random in place of the best one.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub random_percent: u8,
}

fn is_zero(number: &u8) -> bool {
    *number == 0
}

impl ShardHeader {
    /// Name and version of the format.
    pub const FORMAT: &'static str = "kroon-selfplay 1";
    /// The same, with visits of moves in the games.
    pub const WITH_VISITS: &'static str = "kroon-selfplay 2";

    /// The header of a new shard.
    pub fn new(variant: VariantId, seed: u64, shard: u64, nodes: u64, evaluation: &str) -> ShardHeader {
        ShardHeader {
            format: Self::FORMAT.to_owned(),
            variant: variant.name().to_owned(),
            seed,
            shard,
            nodes,
            evaluation: evaluation.to_owned(),
            program: PROGRAM.to_owned(),
            tables: String::new(),
            search: String::new(),
            random_percent: 0,
        }
    }

    /// The same for games of a search with these options; none: alpha-beta.
    pub fn with_search(self, search: Option<String>) -> ShardHeader {
        match search {
            Some(search) => ShardHeader { format: Self::WITH_VISITS.to_owned(), search, ..self },
            None => self,
        }
    }

    /// Whether the format is one that can be read.
    pub fn is_known(&self) -> bool {
        [Self::FORMAT, Self::WITH_VISITS].contains(&self.format.as_str())
    }

    /// The usual name of the file.
    pub fn file_name(&self) -> String {
        format!("{}-{}-{}.games", self.variant, self.seed, self.shard)
    }
}
