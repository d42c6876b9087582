//! All integration tests, in one target to link once.

mod arena_check;
mod arena_dxp;
mod arena_fake;
mod arena_faults;
mod arena_match;
mod articles;
mod cli;
mod dataset;
mod docs;
mod dxp_faults;
mod dxp_games;
mod dxp_match;
mod dxp_messages;
mod dxp_talk;
mod dxp_world;
mod eval_file;
mod hub_clients;
mod hub_dialogues;
mod hub_pipes;
mod hub_random;
mod hub_talk;
mod mcts;
mod naive;
mod notation;
mod oracle;
mod perft;
mod ponder;
mod probes;

mod rooms;
mod search;
mod tune;
mod variant_articles;
mod variant_games;
