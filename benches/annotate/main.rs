//! How well the analysis of games finds planted mistakes, and how stable its classes are.
//!
//!     cargo bench --bench annotate -- planted [GAMES] [PLAY_NODES] [NODES] [FIRST]
//!     cargo bench --bench annotate -- stability [GAMES] [PLAY_NODES] [NODES] [FIRST]
//!     cargo bench --bench annotate -- games [GAMES] [PLAY_NODES]
//!
//! `planted`: games of self-play with one bad move each, put there by this program, from number `FIRST` on (0);
//! `stability`: the classes with `NODES` a move against those with ten times as many, game by game; `games` prints the games of
//! `planted`.
#![allow(clippy::print_stdout)]

mod plant;

use kroon::annotate::{GameAnalysis, MoveClass, Settings, analyse};
use kroon::arena::cancel::Cancel;
use kroon::engine::{Engine, Options};
use kroon::game::Game;
use kroon::notation::pdn::{PdnGame, WriteOptions};
use kroon::rules::VariantId;
use kroon::search::Limits;
use plant::{Kind, Planter, Truth};
use std::collections::BTreeMap;

/// The variants take turns.
const VARIANTS: [VariantId; 4] =
    [VariantId::International, VariantId::English, VariantId::Russian, VariantId::Brazilian];

fn options() -> Options {
    Options { hash_mb: 16, ..Options::default() }
}

fn analysis(game: &Game, nodes: u64) -> GameAnalysis {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let settings = Settings { limits, ..Settings::default() };
    let analysis = analyse(game, &options(), &settings, 1, &Cancel::new(), &mut |_| ());
    analysis.expect("nobody cancels")
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let number =
        |place: usize, usual: u64| args.get(place).and_then(|text| text.parse().ok()).unwrap_or(usual);
    match args.first().map(String::as_str) {
        Some("planted") => planted(number(4, 0), number(1, 200), number(2, 20_000), number(3, 200_000)),
        Some("stability") => stability(number(4, 0), number(1, 50), number(2, 2_000), number(3, 200_000)),
        Some("games") => print(number(1, 200), number(2, 20_000)),
        // `cargo bench` without arguments only shows that it runs.
        _ => planted(0, 1, 500, 2_000),
    }
}

/// The game with this number, the index of the planted move, and its kind.
fn planted_game(number: u64, play_nodes: u64) -> (Game, usize, Kind) {
    let kind = Kind::ALL[number as usize % Kind::ALL.len()];
    let variant = VARIANTS[number as usize / Kind::ALL.len() % VARIANTS.len()];
    let (game, index) = Planter::new(variant, number, play_nodes).game(kind);
    (game, index, kind)
}

fn print(games: u64, play_nodes: u64) {
    for number in 0..games {
        let (game, index, kind) = planted_game(number, play_nodes);
        let mut pdn = PdnGame::from(&game);
        pdn.tags.set("Event", format!("{kind:?} at ply {}", index + 1));
        print!("{}", pdn.write(WriteOptions::default()));
    }
}

/// What became of the planted moves of one kind.
#[derive(Default)]
struct Found {
    planted: usize,
    right: usize,
    classes: BTreeMap<MoveClass, usize>,
}

fn planted(first: u64, games: u64, play_nodes: u64, nodes: u64) {
    let mut found: BTreeMap<Kind, Found> = BTreeMap::new();
    let mut untouched = 0;
    let mut flagged: BTreeMap<MoveClass, [usize; 2]> = BTreeMap::new();
    let mut engine = Engine::new(options());
    for number in first..first + games {
        let (game, ply, kind) = planted_game(number, play_nodes);
        let variant = game.variant();
        let analysis = analysis(&game, nodes);
        for mv in &analysis.moves {
            if mv.ply == ply + 1 {
                let row = found.entry(kind).or_default();
                row.planted += 1;
                row.right += usize::from(kind.is_right(mv.class));
                *row.classes.entry(mv.class).or_default() += 1;
                if !kind.is_right(mv.class) {
                    println!(
                        "game {number}, {variant}, {kind:?}, ply {}: {} in {}: {}, {:?}",
                        mv.ply,
                        mv.played,
                        mv.fen,
                        mv.class,
                        (mv.before.expected, mv.after.expected)
                    );
                }
            } else {
                untouched += 1;
                if mv.class.is_error() {
                    let truth = Truth::new(&mut engine, &game, mv.ply - 1, 10 * nodes);
                    let is_real = truth.loss() >= 0.05;
                    flagged.entry(mv.class).or_default()[usize::from(is_real)] += 1;
                    if !is_real && mv.class.is_grave() {
                        println!(
                            "game {number}, {variant}, false alarm at ply {}: {} in {}: {}, {:?}, truth {:?}",
                            mv.ply,
                            mv.played,
                            mv.fen,
                            mv.class,
                            (mv.before.expected, mv.after.expected),
                            (truth.best, truth.played)
                        );
                    }
                }
            }
        }
    }
    println!("{games} games, {play_nodes} nodes a move played, {nodes} nodes a move analysed");
    for (kind, Found { planted, right, classes }) in &found {
        println!("{kind:?}: {right} of {planted} right; {classes:?}");
    }
    println!(
        "{untouched} other moves; errors among them, [not confirmed, confirmed] with ten times the nodes:"
    );
    for (class, [false_alarm, real]) in &flagged {
        println!("  {class}: {false_alarm}, {real}");
    }
}

fn stability(first: u64, games: u64, play_nodes: u64, nodes: u64) {
    let mut table: BTreeMap<(MoveClass, MoveClass), usize> = BTreeMap::new();
    for number in first..first + games {
        let variant = VARIANTS[number as usize % VARIANTS.len()];
        let game = Planter::new(variant, 1000 + number, play_nodes).whole_game();
        let (short, long) = (analysis(&game, nodes), analysis(&game, 10 * nodes));
        let pairs = || short.moves.iter().zip(&long.moves);
        let same = pairs().filter(|(one, other)| one.class == other.class).count();
        println!("game {number}, {variant}: {same} of {}", pairs().count());
        for (one, other) in pairs() {
            *table.entry((one.class, other.class)).or_default() += 1;
        }
    }
    let all: usize = table.values().sum();
    let same: usize = table.iter().filter(|((one, other), _)| one == other).map(|(_, count)| count).sum();
    println!(
        "{games} games, {all} moves, {nodes} and {} nodes: {:.2}% the same class",
        10 * nodes,
        100.0 * same as f64 / all as f64
    );
    for ((one, other), count) in &table {
        println!("  {one} -> {other}: {count}");
    }
}
