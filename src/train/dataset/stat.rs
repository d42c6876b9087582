//! Statistics of files of games: results, phases, scores, repeated positions.

use super::{DatasetError, DatasetProgress, PlacedGame, each_game};
use crate::board::{Color, Key, Position};
use crate::for_variant;
use crate::rules::movegen::can_capture;
use crate::rules::{Variant, VariantId};
use crate::train::record::{RecordError, SelfplayGame};
use crate::train::shard::ShardReader;
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::Ordering;

/// Upper limits of the classes of scores, in centi-men without sign; what is beyond is a class of its own, and decided
/// scores another.
pub const SCORE_LIMITS: [i32; 8] = [10, 25, 50, 100, 150, 200, 300, 500];

/// Sums over games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stat {
    /// Games.
    pub games: u64,
    /// Games that began with a random ending and not with the variant's initial position.
    pub from_endings: u64,
    /// Won by White, drawn, lost.
    pub results: [u64; 3],
    /// Moves played, random ones included.
    pub plies: u64,
    /// Moves at random before the first search.
    pub random_plies: u64,
    /// Positions with a score: what can be learned from.
    pub positions: u64,
    /// Those in which neither side can capture: what the evaluation learns from.
    pub quiet: u64,
    /// Positions with more than two thirds of the pieces, more than one third, fewer.
    pub phases: [u64; 3],
    /// Positions with kings.
    pub with_kings: u64,
    /// Positions by the size of their score: up to each of [`SCORE_LIMITS`], beyond, decided.
    pub scores: [u64; SCORE_LIMITS.len() + 2],
}

impl Stat {
    /// The sums of both.
    pub fn add(&mut self, other: &Stat) {
        self.games += other.games;
        self.from_endings += other.from_endings;
        self.plies += other.plies;
        self.random_plies += other.random_plies;
        self.positions += other.positions;
        self.quiet += other.quiet;
        self.with_kings += other.with_kings;
        let sums = [
            (&mut self.results[..], &other.results[..]),
            (&mut self.phases[..], &other.phases[..]),
            (&mut self.scores[..], &other.scores[..]),
        ];
        for (own, more) in sums {
            own.iter_mut().zip(more).for_each(|(own, more)| *own += more);
        }
    }
}

/// Counts how many positions are there more than once, in bounded memory: of all keys only those count that end in so
/// many zero bits that the set stays small.
#[derive(Clone, Debug, Default)]
pub struct Duplicates {
    seen: HashSet<u64>,
    zeros: u32,
    /// Positions with such keys.
    sampled: u64,
    /// Those among them that had been seen.
    again: u64,
}

/// Keys that are remembered.
const MOST_KEYS: usize = 1 << 20;

impl Duplicates {
    /// The share of positions that had been there before; none without positions.
    pub fn share(&self) -> Option<f64> {
        (self.sampled > 0).then(|| self.again as f64 / self.sampled as f64)
    }

    /// Takes in a key.
    fn add(&mut self, key: u64) {
        if key.trailing_zeros() < self.zeros {
            return;
        }
        self.sampled += 1;
        self.again += u64::from(!self.seen.insert(key));
        while self.seen.len() > MOST_KEYS {
            self.zeros += 1;
            let zeros = self.zeros;
            self.seen.retain(|key| key.trailing_zeros() >= zeros);
            // The counts shrink with what they count.
            self.sampled /= 2;
            self.again /= 2;
        }
    }
}

/// Counts what is in a file; `duplicates` may have seen others.
///
/// # Errors
/// When it cannot be read, is damaged, or the work was stopped.
pub fn stat(
    path: &Path,
    duplicates: &mut Duplicates,
    progress: &DatasetProgress,
) -> Result<Stat, DatasetError> {
    let mut reader = ShardReader::open(path)?;
    let variant = reader.variant();
    let mut sum = Stat::default();
    let look = |place: &PlacedGame| {
        let counted = for_variant!(variant, V => count::<V>(&place.record));
        counted.map_err(|source| place.fault(path, source))
    };
    each_game(&mut reader, progress, look, |_, (stat, keys)| {
        sum.add(&stat);
        keys.into_iter().for_each(|key| duplicates.add(key));
    })?;
    progress.files.fetch_add(1, Ordering::Relaxed);
    Ok(sum)
}

/// A game, and the keys of its positions.
fn count<V: Variant>(game: &SelfplayGame) -> Result<(Stat, Vec<u64>), RecordError> {
    let mut stat = Stat {
        games: 1,
        from_endings: u64::from(game.start != V::ID.rules().start()),
        plies: game.plies.len() as u64,
        random_plies: u64::from(game.random_plies),
        ..Stat::default()
    };
    stat.results[2 - usize::from(game.result.half_points(Color::White))] += 1;
    let mut keys = Vec::new();
    game.replay(V::ID, |ply, position, played| {
        let Some(score) = played.score.filter(|_| ply >= game.random_plies.into()) else { return };
        stat.positions += 1;
        let capture = can_capture::<V>(position, Color::White) || can_capture::<V>(position, Color::Black);
        stat.quiet += u64::from(!capture);
        stat.phases[phase(V::ID, position)] += 1;
        stat.with_kings += u64::from(position.kings().any());
        let class = SCORE_LIMITS.iter().position(|&limit| score.centi().abs() <= limit);
        let last = SCORE_LIMITS.len();
        stat.scores[if score.is_decided() { last + 1 } else { class.unwrap_or(last) }] += 1;
        let Key(key) = position.key();
        keys.push(key);
    })?;
    Ok((stat, keys))
}

/// 0 in the opening, 1 in the middle game, 2 in the ending.
fn phase(variant: VariantId, position: &Position) -> usize {
    let (pieces, most) = (position.occupied().len() * 3, 2 * variant.rules().most_pieces());
    if pieces > 2 * most {
        0
    } else if pieces > most {
        1
    } else {
        2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EvaluationKind;
    use crate::game::GameResult;
    use crate::train::selfplay::SelfplayPlayer;
    use crate::train::shard::{ShardHeader, ShardWriter};

    #[test]
    fn counts_agree_with_the_games() {
        let folder = tempfile::tempdir().unwrap();
        let variant = VariantId::Brazilian;
        let header = ShardHeader::new(variant, 1, 0, 50, "handmade");
        let mut player = SelfplayPlayer::new(variant, 50, EvaluationKind::HandMade);
        let mut writer = ShardWriter::open(folder.path(), &header).unwrap();
        let games: Vec<SelfplayGame> = (0..30).map(|number| player.play(1, 0, number)).collect();
        games.iter().for_each(|game| writer.append(game).unwrap());
        let path = folder.path().join(header.file_name());
        let mut duplicates = Duplicates::default();
        let once = stat(&path, &mut duplicates, &DatasetProgress::default()).unwrap();
        let rare = duplicates.share().unwrap();
        assert!(rare < 0.5, "{rare}");
        assert_eq!(once.games, 30);
        let of = |result| games.iter().filter(|game| game.result == result).count() as u64;
        assert_eq!(once.results, [GameResult::White, GameResult::Draw, GameResult::Black].map(of));
        let scored =
            games.iter().flat_map(|game| &game.plies).filter(|ply| ply.score.is_some()).count() as u64;
        assert_eq!(once.positions, scored);
        assert_eq!(once.phases.iter().sum::<u64>(), scored);
        assert_eq!(once.scores.iter().sum::<u64>(), scored);
        assert!(once.quiet < scored && once.quiet > scored / 4);
        let twice = stat(&path, &mut duplicates, &DatasetProgress::default()).unwrap();
        assert_eq!(once, twice);
        assert!((duplicates.share().unwrap() - (0.5 + rare / 2.0)).abs() < 0.01);
    }

    #[test]
    fn the_memory_for_duplicates_is_bounded() {
        let mut duplicates = Duplicates::default();
        let mut key = 0u64;
        for i in 0..3_000_000u64 {
            if i % 2 == 0 {
                key =
                    i.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            }
            duplicates.add(key ^ key >> 29);
        }
        assert!(duplicates.seen.len() <= MOST_KEYS);
        assert!((duplicates.share().unwrap() - 0.5).abs() < 0.01, "{:?}", duplicates.share());
    }
}
