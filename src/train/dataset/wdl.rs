//! Fitting the chances that scores stand for ([`crate::eval::wdl`]) to the results of games, and holding it against others.

use super::{DatasetError, DatasetProgress, PlacedGame, each_game};
use crate::eval::wdl::{Chances, LEAST_SLOPE, WdlModel, thinness};
use crate::game::GameResult;
use crate::rules::VariantId;
use crate::train::calibration::{Bucket, Buckets};
use crate::train::shard::ShardReader;
use std::path::Path;
use std::sync::atomic::Ordering;

/// One game in so many is held out of the fit.
const HELD_OUT: u64 = 5;
/// Scores beyond this many centi-men do not count: such games are as good as over.
const MOST_SCORE: i32 = 1_500;
const SCORES: usize = 2 * MOST_SCORE as usize + 1;
/// Pieces on the largest board, and none.
const PIECES: usize = 41;
/// Steps of the fit; it takes about ten.
const MOST_STEPS: usize = 100;

/// How often each result followed each score with each number of pieces, from the view of the side to move: all that
/// the model looks at, in the same memory for any number of games.
#[derive(Clone, Debug)]
pub struct WdlCounts {
    variant: VariantId,
    /// Games.
    pub games: u64,
    /// By pieces and score: won, drawn, lost.
    cells: Vec<[u32; 3]>,
}

/// Positions with the same score and number of pieces.
struct Cell {
    men: f64,
    thinness: f64,
    /// Won, drawn, lost.
    results: [f64; 3],
}

impl WdlCounts {
    /// Nothing yet.
    pub fn new(variant: VariantId) -> WdlCounts {
        WdlCounts { variant, games: 0, cells: vec![[0; 3]; PIECES * SCORES] }
    }

    /// Positions.
    pub fn positions(&self) -> u64 {
        self.cells.iter().flatten().map(|&count| u64::from(count)).sum()
    }

    /// Adds a position: its pieces, its score in centi-men, and 0, 1 or 2 for a game won, drawn or lost.
    fn add(&mut self, (pieces, centi, result): Seen) {
        let count = &mut self.cells[pieces as usize * SCORES + (centi + MOST_SCORE) as usize][result];
        *count = count.saturating_add(1);
    }

    fn cells(&self) -> impl Iterator<Item = Cell> {
        let filled = self.cells.iter().enumerate().filter(|(_, results)| **results != [0; 3]);
        filled.map(|(i, results)| Cell {
            men: f64::from((i % SCORES) as i32 - MOST_SCORE) / 100.0,
            thinness: thinness(self.variant, (i / SCORES) as u32),
            results: results.map(f64::from),
        })
    }

    /// Mean loss of a model on these results, in bits; none without results.
    pub fn loss(&self, curve: &WdlModel) -> Option<f64> {
        let (mut sum, mut number) = (0.0, 0.0);
        for cell in self.cells() {
            let chances = curve.chances(cell.men, cell.thinness);
            for (count, chance) in cell.results.iter().zip([chances.win, chances.draw, chances.loss]) {
                sum -= count * chance.max(f64::MIN_POSITIVE).log2();
                number += count;
            }
        }
        (number > 0.0).then(|| sum / number)
    }
}

/// Pieces, centi-men, result.
type Seen = (u32, i32, usize);

/// Counts the games of a file: those to fit to, and those held out.
///
/// # Errors
/// When it cannot be read, is damaged, or the work was stopped.
pub fn count(
    path: &Path,
    counts: &mut [WdlCounts; 2],
    progress: &DatasetProgress,
) -> Result<(), DatasetError> {
    let mut reader = ShardReader::open(path)?;
    let variant = reader.variant();
    let look = |place: &PlacedGame| {
        let mut seen: Vec<Seen> = Vec::new();
        let record = &place.record;
        let replayed = record.replay(variant, |ply, position, played| {
            let Some(score) = played.score.filter(|_| ply >= record.random_plies.into()) else { return };
            if score.centi().abs() <= MOST_SCORE {
                let points = match record.result {
                    GameResult::Draw => 1,
                    result if result == GameResult::win(position.turn()) => 0,
                    _ => 2,
                };
                seen.push((position.occupied().len(), score.centi(), points));
            }
        });
        replayed.map(|_| seen).map_err(|source| place.fault(path, source))
    };
    each_game(&mut reader, progress, look, |place, seen| {
        let counts = &mut counts[usize::from(place.game.is_multiple_of(HELD_OUT))];
        counts.games += 1;
        seen.into_iter().for_each(|seen| counts.add(seen));
    })?;
    progress.files.fetch_add(1, Ordering::Relaxed);
    Ok(())
}

/// The model under which these results are most likely (Fisher's scoring), of those in which a better score is worth
/// more; none if there are too few to say.
pub fn fit(counts: &WdlCounts) -> Option<WdlModel> {
    // Flat enough that no result is so unlikely that it alone would say where to go.
    let start = WdlModel { slope: 0.2, slope_late: 0.0, draw: 0.5, draw_late: 0.0 };
    let free = best_from(start, counts, Slope::Free)?;
    if free.slope >= LEAST_SLOPE {
        return Some(free);
    }
    // Where a score says nothing with a full board, the way of all four numbers ends at the edge: there the chances no
    // longer depend on the slope, and no step is better. The other three go on without it.
    best_from(WdlModel { slope: LEAST_SLOPE, ..start }, counts, Slope::Held)
}

/// Whether the slope moves while a model is looked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Slope {
    Free,
    Held,
}

/// The best model that scoring finds from `curve` on.
fn best_from(mut curve: WdlModel, counts: &WdlCounts, slope: Slope) -> Option<WdlModel> {
    let mut loss = counts.loss(&curve)?;
    for _ in 0..MOST_STEPS {
        let step = step(counts, &curve, slope)?;
        // Half of a step that leads too far, and so on.
        let better = (0..30).find_map(|halvings| {
            let share = 0.5f64.powi(halvings);
            let next = WdlModel {
                slope: curve.slope + share * step[0],
                slope_late: curve.slope_late + share * step[1],
                draw: curve.draw + share * step[2],
                draw_late: curve.draw_late + share * step[3],
            };
            let found = counts.loss(&next).filter(|&found| next.slope > 0.0 && found < loss);
            found.map(|found| (next, found))
        });
        let Some((next, found)) = better else { break };
        let small = loss - found < 1e-12;
        (curve, loss) = (next, found);
        if small {
            break;
        }
    }
    Some(curve)
}

/// Parameters of the model.
const PARAMETERS: usize = 4;

/// The step that scoring takes from here.
fn step(counts: &WdlCounts, curve: &WdlModel, slope: Slope) -> Option<[f64; PARAMETERS]> {
    let mut slopes = [0.0; PARAMETERS];
    let mut information = [[0.0; PARAMETERS]; PARAMETERS];
    for cell in counts.cells() {
        let Chances { win, draw, loss } = curve.chances(cell.men, cell.thinness);
        let (rise, fall, draw) = (win * (1.0 - win), loss * (1.0 - loss), draw.max(1e-9));
        // By the odds, and by the width, of the logarithm of each chance.
        let by_odds = [1.0 - win, (fall - rise) / draw, loss - 1.0];
        let by_width = [win - 1.0, (rise + fall) / draw, loss - 1.0];
        let number: f64 = cell.results.iter().sum();
        for (i, chance) in [win, draw, loss].into_iter().enumerate() {
            let (odds, width) = (by_odds[i] * cell.men, by_width[i]);
            let by = [odds, odds * cell.thinness, width, width * cell.thinness];
            for row in 0..PARAMETERS {
                slopes[row] += cell.results[i] * by[row];
                for column in 0..PARAMETERS {
                    information[row][column] += number * chance * by[row] * by[column];
                }
            }
        }
    }
    if slope == Slope::Held {
        slopes[0] = 0.0;
        information[0] = [0.0; PARAMETERS];
        information.iter_mut().for_each(|row| row[0] = 0.0);
        information[0][0] = 1.0;
    }
    solve(information, slopes)
}

/// The solution of linear equations; none if there is not one.
fn solve(
    mut left: [[f64; PARAMETERS]; PARAMETERS],
    mut right: [f64; PARAMETERS],
) -> Option<[f64; PARAMETERS]> {
    for pivot in 0..PARAMETERS {
        let best =
            (pivot..PARAMETERS).max_by(|&a, &b| left[a][pivot].abs().total_cmp(&left[b][pivot].abs()))?;
        left.swap(pivot, best);
        right.swap(pivot, best);
        if left[pivot][pivot].abs() < 1e-9 {
            return None;
        }
        for row in 0..PARAMETERS {
            if row != pivot {
                let factor = left[row][pivot] / left[pivot][pivot];
                let above = left[pivot];
                left[row].iter_mut().zip(above).for_each(|(own, other)| *own -= factor * other);
                right[row] -= factor * right[pivot];
            }
        }
    }
    let solution: [f64; PARAMETERS] = std::array::from_fn(|i| right[i] / left[i][i]);
    solution.iter().all(|value| value.is_finite()).then_some(solution)
}

/// For winning, drawing, losing: predictions and what came of them, from unlikely to likely.
pub fn calibration(counts: &WdlCounts, curve: &WdlModel) -> [Vec<Bucket<1>>; 3] {
    let mut sums: [Buckets<1>; 3] = Default::default();
    for cell in counts.cells() {
        let chances = curve.chances(cell.men, cell.thinness);
        let number: f64 = cell.results.iter().sum();
        for (i, chance) in [chances.win, chances.draw, chances.loss].into_iter().enumerate() {
            sums[i].add(chance, [cell.results[i]], number);
        }
    }
    sums.map(Buckets::means)
}

/// Mean difference between predicted and observed chance, weighted by positions.
pub fn error(buckets: &[Bucket<1>]) -> f64 {
    let number: u64 = buckets.iter().map(|bucket| bucket.number).sum();
    let sum: f64 = buckets.iter().map(|b| (b.predicted - b.observed[0]).abs() * b.number as f64).sum();
    sum / number.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// Results drawn from a model.
    fn drawn(curve: &WdlModel, seed: u64) -> WdlCounts {
        let mut random = rand_xoshiro::Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut counts = WdlCounts::new(VariantId::International);
        for _ in 0..200_000 {
            let (pieces, centi) = (random.random_range(4..=40), random.random_range(-250..=250));
            let thinness = thinness(VariantId::International, pieces);
            let chances = curve.chances(f64::from(centi) / 100.0, thinness);
            let dice: f64 = random.random();
            let result =
                if dice < chances.win { 0 } else { 1 + usize::from(dice < chances.win + chances.loss) };
            counts.add((pieces, centi, result));
        }
        counts
    }

    #[test]
    fn a_model_is_found_again_and_is_calibrated() {
        let truth = WdlModel { slope: 0.9, slope_late: 0.1, draw: 0.4, draw_late: 0.3 };
        let curve = fit(&drawn(&truth, 1)).unwrap();
        let numbers = |curve: &WdlModel| [curve.slope, curve.slope_late, curve.draw, curve.draw_late];
        for (found, expected) in numbers(&curve).into_iter().zip(numbers(&truth)) {
            assert!((found - expected).abs() < 0.03, "{curve:?}");
        }
        let held_out = drawn(&truth, 2);
        let buckets = calibration(&held_out, &curve);
        assert!(buckets.iter().all(|buckets| error(buckets) < 0.01));
        assert!(held_out.loss(&curve).unwrap() < held_out.loss(&WdlModel { slope: 1.2, ..curve }).unwrap());
        let wrong = calibration(&held_out, &WdlModel { draw: 3.0, ..curve });
        assert!(error(&wrong[1]) > 0.1);
    }

    /// Where a score says nothing with a full board, the width is found all the same.
    #[test]
    fn a_slope_at_the_edge_holds_nothing_else_up() {
        let truth = WdlModel { slope: 1e-9, slope_late: 0.05, draw: 0.004, draw_late: 0.004 };
        for seed in 1..=4 {
            let counts = drawn(&truth, seed);
            let found = fit(&counts).unwrap();
            assert!(counts.loss(&found).unwrap() < counts.loss(&truth).unwrap() + 1e-4, "{found:?}");
            assert!(found.slope > 0.0);
        }
    }

    #[test]
    fn results_are_counted_for_the_side_to_move() {
        use crate::board::Color;
        use crate::train::record::SelfplayGame;
        use crate::train::shard::{ShardHeader, ShardWriter};
        let variant = VariantId::International;
        let start = crate::notation::fen::game_from_fen(variant, "W:W31,32,33,38:B9,10").unwrap();
        let mut game = SelfplayGame::new(start.start(), 0);
        game.push(0, Some(crate::score::Score::from_centi(150)));
        game.push(0, Some(crate::score::Score::from_centi(-140)));
        game.result = GameResult::win(Color::White);
        let folder = tempfile::tempdir().unwrap();
        let header = ShardHeader::new(variant, 1, 0, 500, "none");
        ShardWriter::open(folder.path(), &header).unwrap().append(&game).unwrap();
        let mut counts = [WdlCounts::new(variant), WdlCounts::new(variant)];
        count(&folder.path().join(header.file_name()), &mut counts, &DatasetProgress::default()).unwrap();
        // The first game of a file is held out.
        assert_eq!((counts[0].games, counts[1].games, counts[1].positions()), (0, 1, 2));
        let cells: Vec<(f64, [f64; 3])> = counts[1].cells().map(|cell| (cell.men, cell.results)).collect();
        assert_eq!(cells, [(-1.4, [0.0, 0.0, 1.0]), (1.5, [1.0, 0.0, 0.0])]);
    }

    #[test]
    fn too_little_to_say() {
        let mut counts = WdlCounts::new(VariantId::Thai);
        assert_eq!(fit(&counts), None);
        counts.add((9, 0, 1));
        // One draw: whatever comes out must be numbers.
        assert!(fit(&counts).is_none_or(|curve| curve.draw.is_finite() && curve.slope.is_finite()));
        (0..50).for_each(|_| counts.add((9, 100, 0)));
        assert!(fit(&counts).is_none_or(|curve| curve.draw.is_finite() && curve.slope.is_finite()));
    }
}
