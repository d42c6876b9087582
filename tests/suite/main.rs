//! All integration tests, in one target to link once.

mod annotate;
mod arena_check;
mod arena_dxp;
mod arena_fake;
mod arena_faults;
mod arena_match;
mod articles;
mod book;
mod book_edge;
mod cli;
mod dataset;
mod docs;
mod docs_lists;
mod dxp_faults;
mod dxp_games;
mod dxp_match;
mod dxp_messages;
mod dxp_talk;
mod dxp_world;
mod endgame;
mod eval_file;
mod features;
mod fingerprint;
#[cfg(feature = "web")]
mod hostile;
mod hub_clients;
mod hub_dialogues;
mod hub_pipes;
mod hub_random;
mod hub_talk;
mod learn;
mod levels;
mod mcts;
mod naive;
mod notation;
mod oracle;
mod perft;
mod players;
mod ponder;
mod probes;
mod program;
mod puzzles;
mod reproduce;
mod rooms;
mod search;
mod search_counts;
mod search_lines;
mod search_threads;
mod shards;
mod streams;
mod tables;
mod tables_counts;
mod tables_files;
mod tune;
mod variant_articles;
mod variant_games;
#[cfg(feature = "web")]
mod web;
#[cfg(feature = "web")]
mod web_client;
#[cfg(feature = "web")]
mod web_engines;
#[cfg(feature = "web")]
mod web_games;
