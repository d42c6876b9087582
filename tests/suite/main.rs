//! Integration tests, one target.

mod arena_check;
mod arena_fake;
mod arena_faults;
mod arena_match;
mod articles;
mod cli;
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
mod probes;
mod readme;
mod rooms;
mod search;
mod variant_articles;
mod variant_games;
