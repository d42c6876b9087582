//! Endgame tables against a naive solver: plain iteration over the moves of the naive generator.

use super::naive::{self, NaivePosition, Rules};
use kroon::board::{Color, KingRun, Piece, Position, Setup};
use kroon::rules::VariantId;
use kroon::tablebase::generate::{Codes, MemoryShelf, Plan, Progress, Shelf, run};
use kroon::tablebase::{Material, Value};
use std::collections::HashMap;

/// Every position of a variant with few pieces, either side to move, solved.
struct Naive {
    positions: Vec<NaivePosition>,
    /// The result for the side to move.
    values: Vec<Value>,
    /// The plies to the next capture or crowning, or to the end of the game; nothing for a draw.
    distances: Vec<Option<u8>>,
}

/// A position in 49 bits: side to move, runs of kings, up to four pieces in the order of their squares.
fn key(position: &NaivePosition) -> u64 {
    let mut key = u64::from(position.white_to_move);
    for (count, square) in position.king_moves {
        key = key << 8 | u64::from(count) << 6 | u64::from(square);
    }
    let occupied = (1..).zip(&position.squares).filter_map(|(number, piece)| Some((number, (*piece)?)));
    occupied.fold(key, |key, (number, (white, king))| {
        key << 8 | number << 2 | u64::from(white) << 1 | u64::from(king)
    })
}

/// All placements of up to `pieces` pieces with something on both sides.
fn placements(variant: VariantId, rules: &Rules, pieces: u8) -> Vec<NaivePosition> {
    let empty = NaivePosition {
        white_to_move: true,
        squares: vec![None; rules.square_count().into()],
        king_moves: [(0, 0); 2],
    };
    let mut found = Vec::new();
    let mut open = vec![(empty, 1)];
    while let Some((position, from)) = open.pop() {
        let count = position.squares.iter().flatten().count();
        if count == usize::from(pieces) {
            continue;
        }
        for number in from..=rules.square_count() {
            for (white, king) in [(true, false), (true, true), (false, false), (false, true)] {
                if !king && rules.is_last_row(white, rules.spot(number)) || king && rules.crowning_wins {
                    continue;
                }
                let mut next = position.clone();
                next.squares[usize::from(number) - 1] = Some((white, king));
                open.push((next.clone(), number + 1));
                let has = |color| next.squares.iter().flatten().any(|&(white, _)| white == color);
                if has(true) && has(false) {
                    found.extend(with_runs(rules, &next));
                }
            }
        }
    }
    let most = variant.rules().most_pieces() as usize;
    let side = |position: &NaivePosition, color| {
        position.squares.iter().flatten().filter(|(white, _)| *white == color).count()
    };
    found.retain(|position| side(position, true) <= most && side(position, false) <= most);
    found
}

/// The position with either side to move and every run of kings that can be.
fn with_runs(rules: &Rules, position: &NaivePosition) -> Vec<NaivePosition> {
    let runs = [true, false].map(|color| {
        let men = position.squares.contains(&Some((color, false)));
        let mut runs = vec![(0, 0)];
        for (number, piece) in (1..).zip(&position.squares) {
            if rules.three_king_moves && men && *piece == Some((color, true)) {
                runs.extend((1..=3).map(|count| (count, number)));
            }
        }
        runs
    });
    let mut found = Vec::new();
    for white_to_move in [true, false] {
        for white in &runs[0] {
            for black in &runs[1] {
                found.push(NaivePosition { white_to_move, king_moves: [*white, *black], ..position.clone() });
            }
        }
    }
    found
}

impl Naive {
    fn solve(variant: VariantId, pieces: u8) -> Naive {
        let rules = naive::rules_of(variant);
        let positions = placements(variant, rules, pieces);
        let numbers: HashMap<u64, u32> =
            (0..).zip(&positions).map(|(i, position)| (key(position), i)).collect();
        assert_eq!(numbers.len(), positions.len());
        // Where the game is over in another way than by a block, the position is not among them.
        let over = positions.len() as u32;
        let next: Vec<Vec<Next>> = positions
            .iter()
            .map(|position| {
                let moves = position.legal_moves(rules);
                moves.iter().map(|action| after(rules, position, action, &numbers, over)).collect()
            })
            .chain([Vec::new()])
            .collect();
        let stuck = if variant == VariantId::Losing { Value::Win } else { Value::Loss };
        let values = values(&next, stuck);
        let distances = distances(&next, &values);
        Naive { positions, values, distances }
    }
}

/// A move: the position after it, and whether it captures or crowns.
type Next = (u32, bool);

/// Sweeps over all positions until nothing changes; what stays open is a draw.
fn values(next: &[Vec<Next>], stuck: Value) -> Vec<Value> {
    let mut values: Vec<Option<Value>> = next.iter().map(|next| next.is_empty().then_some(stuck)).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for (position, next) in next.iter().enumerate() {
            if values[position].is_none() {
                let known = &values;
                let is = |value| move |&(next, _): &Next| known[next as usize] == Some(value);
                let found = if next.iter().any(is(Value::Loss)) {
                    Some(Value::Win)
                } else if next.iter().all(is(Value::Win)) {
                    Some(Value::Loss)
                } else {
                    None
                };
                changed |= found.is_some();
                values[position] = found;
            }
        }
    }
    values.into_iter().map(|value| value.unwrap_or(Value::Draw)).collect()
}

/// Round n finds the positions from which it takes n plies: the winner hurries, the loser does not.
fn distances(next: &[Vec<Next>], values: &[Value]) -> Vec<Option<u8>> {
    let mut distances: Vec<Option<u8>> = next.iter().map(|next| next.is_empty().then_some(0)).collect();
    for plies in 1.. {
        let before = distances.clone();
        for (position, next) in next.iter().enumerate() {
            let ends = |&(next, converts): &Next| converts || before[next as usize].is_some();
            let lost = |&(next, _): &Next| values[next as usize] == Value::Loss;
            let found = match values[position] {
                _ if before[position].is_some() => false,
                Value::Win => next.iter().any(|next| lost(next) && ends(next)),
                Value::Draw => false,
                Value::Loss => next.iter().all(ends),
            };
            if found {
                distances[position] = Some(plies);
            }
        }
        if before == distances {
            break;
        }
    }
    distances
}

/// The number of the position after a move, or `over`, and whether the move captures or crowns.
fn after(
    rules: &Rules,
    position: &NaivePosition,
    action: &naive::NaiveMove,
    numbers: &HashMap<u64, u32>,
    over: u32,
) -> Next {
    let mut next = position.play(action);
    if !rules.three_king_moves {
        next.king_moves = [(0, 0); 2];
    }
    let found = numbers.get(&key(&next)).copied();
    let found = found.unwrap_or_else(|| {
        assert!(next.legal_moves(rules).is_empty(), "{next:?}");
        over
    });
    (found, !action.captured.is_empty() || action.promotes)
}

fn from_naive(variant: VariantId, naive: &NaivePosition) -> Position {
    let rules = variant.rules();
    let color = |white| if white { Color::White } else { Color::Black };
    let mut setup = Setup::empty(color(naive.white_to_move));
    for (number, piece) in (1..).zip(&naive.squares) {
        if let Some((white, king)) = *piece {
            setup.put(rules.square(number).unwrap(), Piece { color: color(white), king });
        }
    }
    for (white, (count, number)) in [true, false].into_iter().zip(naive.king_moves) {
        if let Some(square) = rules.square(number.into()) {
            setup.set_king_run(color(white), KingRun::new(square, count));
        }
    }
    rules.position(&setup).unwrap()
}

/// All tables of a variant with up to `pieces` pieces.
fn tables(variant: VariantId, pieces: u8, distances: u8, threads: usize) -> MemoryShelf {
    let shelf = MemoryShelf::default();
    let plan = Plan::new(variant, pieces, distances, 1 << 33).unwrap();
    run(&plan, &shelf, threads, &Progress::default()).unwrap();
    shelf
}

/// Every position of the naive solver has the same value, and distance, in the tables.
fn assert_as_naive(variant: VariantId, pieces: u8) {
    let naive = Naive::solve(variant, pieces);
    let [with, without] = [pieces, 0].map(|distances| tables(variant, pieces, distances, 2));
    let mut seen = HashMap::<Material, u64>::new();
    for ((naive, &value), &distance) in naive.positions.iter().zip(&naive.values).zip(&naive.distances) {
        let position = from_naive(variant, naive);
        assert_eq!(with.lookup(variant, &position), Some((value, distance)), "{variant} {naive:?}");
        assert_eq!(without.lookup(variant, &position), Some((value, None)), "{variant} {naive:?}");
        *seen.entry(Material::of(&position).unwrap()).or_default() += 1;
    }
    // Both know the same positions: the naive solver has each for either colour.
    for (material, seen) in seen {
        let counts = with.counts(material).unwrap();
        assert_eq!(seen, 2 * counts.all().iter().sum::<u64>(), "{variant} {material}");
        assert_eq!(without.counts(material), Some(counts), "{variant} {material}");
    }
}

#[test]
fn two_pieces_are_worth_what_the_naive_solver_says() {
    for variant in VariantId::ALL {
        assert_as_naive(variant, 2);
    }
}

/// A minute and a half of processor time in a release build.
#[test]
#[ignore = "slow"]
fn three_pieces_are_worth_what_the_naive_solver_says() {
    for variant in VariantId::ALL {
        assert_as_naive(variant, 3);
    }
}

/// About a minute of processor time for each variant in a release build, and 3 GB of memory.
#[test]
#[ignore = "slow"]
fn four_pieces_on_small_boards_are_worth_what_the_naive_solver_says() {
    for variant in VariantId::ALL {
        if variant.rules().board.side() == 8 {
            assert_as_naive(variant, 4);
        }
    }
}

/// Counts of a slice, in the order win, draw, loss: of positions in which the side to move cannot capture, and of captures.
fn counts(shelf: &MemoryShelf, slice: &str) -> ([u64; 3], u64) {
    let counts = shelf.counts(slice.parse().unwrap()).unwrap();
    let [loss, draw, win] = counts.quiet;
    ([win, draw, loss], counts.captures.iter().sum())
}

/// Decoded from the tables that Scan 2.0 came with; the first also in the tests of GWDEGTB.
#[test]
fn international_counts_are_those_of_other_programs() {
    let shelf = tables(VariantId::International, 3, 0, 1);
    for (slice, captures, quiet) in [
        ("10v10", 408, [16, 2024, 2]),
        ("10v01", 408, [1516, 281, 0]),
        ("01v01", 120, [616, 799, 450]),
        ("01v10", 120, [1, 574, 1510]),
        ("20v10", 17068, [2330, 39402, 0]),
        ("10v20", 17644, [0, 40920, 236]),
        ("20v01", 17068, [33973, 1879, 0]),
        ("01v20", 5511, [0, 7807, 39602]),
        ("11v10", 21404, [2969, 81465, 2]),
        ("10v11", 33320, [15, 72355, 150]),
        ("11v01", 21404, [64099, 9776, 1]),
        ("01v11", 10438, [0, 21465, 63377]),
        ("02v10", 4932, [337, 30939, 11312]),
        ("10v02", 15676, [14028, 17809, 7]),
        ("02v01", 4932, [23532, 13754, 572]),
        ("01v02", 4927, [1858, 17204, 18801]),
    ] {
        assert_eq!(counts(&shelf, slice), (quiet, captures), "{slice}");
    }
}

/// Two kings beat one in killer and Frisian draughts; in international draughts that is a draw.
#[test]
fn two_kings_beat_one_where_the_rules_let_them() {
    for (variant, beats) in
        [(VariantId::Killer, true), (VariantId::Frisian, true), (VariantId::International, false)]
    {
        let ([win, draw, loss], _) = counts(&tables(variant, 3, 0, 1), "20v10");
        assert_eq!((win > 50 * draw, draw > 10 * win, loss), (beats, !beats, 0), "{variant}");
    }
}

/// One king against one: E. Trice's table of English draughts.
#[test]
fn english_kings_are_worth_what_is_published() {
    let shelf = tables(VariantId::English, 2, 2, 1);
    let kings = "10v10".parse().unwrap();
    let [loss, draw, win] = shelf.counts(kings).unwrap().all();
    assert_eq!(([win, draw, loss], counts(&shelf, "10v10").1), ([230, 654, 108], 72));
}

/// A king and a man each, from the tables of GWDEGTB.
#[test]
#[ignore = "slow"]
fn a_king_and_a_man_each_are_worth_what_is_published() {
    let shelf = tables(VariantId::International, 4, 0, 2);
    let all = shelf.counts("11v11".parse().unwrap()).unwrap().all();
    assert_eq!(all, [26_562, 3_568_953, 882_645]);
}

/// The codes and distances of all slices.
fn contents(variant: VariantId, shelf: &MemoryShelf, pieces: u8) -> Vec<(Codes, Option<Vec<u8>>)> {
    let slices = Material::all(variant.rules(), pieces).into_iter();
    slices.map(|slice| shelf.load(slice).unwrap()).map(|s| (s.codes.clone(), s.distances.clone())).collect()
}

#[test]
fn neither_threads_nor_a_stop_change_a_byte() {
    for variant in [VariantId::Russian, VariantId::Frysk] {
        let pieces = 3;
        let whole = contents(variant, &tables(variant, pieces, pieces, 1), pieces);
        assert!(whole == contents(variant, &tables(variant, pieces, pieces, 5), pieces), "{variant}");
        // Some slices are there already, without distances and with.
        let shelf = tables(variant, pieces - 1, 0, 2);
        let plan = |pieces| Plan::new(variant, pieces, pieces, 1 << 30).unwrap();
        for pieces in [2, pieces] {
            run(&plan(pieces), &shelf, 2, &Progress::default()).unwrap();
        }
        assert!(whole == contents(variant, &shelf, pieces), "{variant}");
    }
}

#[test]
fn what_does_not_fit_is_refused_with_the_figure() {
    // 2.3 billion positions of two kings and a man each, and what they lead to.
    let error = Plan::new(VariantId::International, 6, 0, 1 << 31).unwrap_err().to_string();
    assert!(error.starts_with("international, slices ") && error.ends_with(" 2048 MB allowed"), "{error}");
    assert!(Plan::new(VariantId::International, 6, 0, 8 << 30).is_ok());
    assert!(Plan::new(VariantId::English, 1, 0, 1 << 30).is_err());
    assert!(Plan::new(VariantId::English, 9, 0, 1 << 30).is_err());
}
