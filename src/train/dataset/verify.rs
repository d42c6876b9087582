//! Verification of files of games: checksums, legal moves, results that agree with the last positions.

use super::{DatasetError, DatasetProgress, PlacedGame, each_game};
use crate::game::{Game, GameResult, Outcome};
use crate::rules::VariantId;
use crate::score::Score;
use crate::train::origin::Origin;
use crate::train::record::{SelfplayGame, canonical_moves};
use crate::train::selfplay::CLEAR_SCORE;
use crate::train::shard::ShardReader;
use std::fs;
use std::path::Path;
use std::sync::atomic::Ordering;

/// Faults of one file that are kept; the others are only counted.
const MOST_FAULTS: usize = 20;

/// What is wrong with a file.
#[derive(Clone, Debug, Default)]
pub struct FileVerdict {
    /// Games that could be read.
    pub games: u64,
    /// Their moves.
    pub plies: u64,
    /// How many faults there are.
    pub faulty: u64,
    /// The first of them, with file, game and byte.
    pub faults: Vec<String>,
    /// Bytes after the last whole game, left by a run that was killed; the next run cuts them off.
    pub torn: u64,
}

/// Plays every game of a file by the rules. Damage is part of the verdict.
///
/// # Errors
/// When the file cannot be read at all, or the work was stopped.
pub fn verify(path: &Path, progress: &DatasetProgress) -> Result<FileVerdict, DatasetError> {
    // Before it is read: a run may append to it meanwhile.
    let length =
        fs::metadata(path).map_err(|source| DatasetError::Io { path: path.to_owned(), source })?.len();
    let mut reader = ShardReader::open(path)?;
    let variant = reader.variant();
    let mut verdict = FileVerdict::default();
    let has_random_moves = reader.origin().has_random_moves();
    let look = |place: &PlacedGame| Ok(fault(variant, &place.record, has_random_moves));
    let end = each_game(&mut reader, progress, look, |place, fault| {
        verdict.games += 1;
        verdict.plies += place.record.plies.len() as u64;
        if let Some(fault) = fault {
            verdict.blame(format!(
                "\"{}\", game {} at byte {}: {fault}",
                path.display(),
                place.game,
                place.offset
            ));
        }
    });
    match end {
        Ok(()) => (),
        Err(DatasetError::Stopped) => return Err(DatasetError::Stopped),
        Err(damage) => {
            verdict.blame(format!("{damage}; what follows in the file was not read"));
            return Ok(verdict);
        }
    }
    verdict.torn = length.saturating_sub(reader.offset());
    if let (Origin::Set(_), torn @ 1..) = (reader.origin(), verdict.torn) {
        verdict.blame(format!("{}: {torn} bytes after the last game", path.display()));
    }
    progress.files.fetch_add(1, Ordering::Relaxed);
    Ok(verdict)
}

impl FileVerdict {
    fn blame(&mut self, fault: String) {
        self.faulty += 1;
        if self.faults.len() < MOST_FAULTS {
            self.faults.push(fault);
        }
    }
}

/// What is wrong with a game of a run, in which moves may be drawn at random.
fn fault(variant: VariantId, record: &SelfplayGame, has_random_moves: bool) -> Option<String> {
    let mut game = match Game::from_setup(variant, &record.start) {
        Ok(game) => game,
        Err(error) => return Some(format!("a game that starts from no position: {error}")),
    };
    if usize::from(record.random_plies) > record.plies.len() {
        return Some(format!("{} random moves of {}", record.random_plies, record.plies.len()));
    }
    for (ply, played) in record.plies.iter().enumerate() {
        if let Some(outcome) = game.outcome() {
            return Some(format!("move {ply} follows the end ({outcome})"));
        }
        let moves = canonical_moves(variant, game.position());
        let Some(&mv) = moves.get(usize::from(played.index)) else {
            return Some(format!("move {ply} is number {} of {} legal ones", played.index, moves.len()));
        };
        if !played.visits.is_empty() && played.visits.targets(moves.len()).is_none() {
            return Some(format!(
                "move {ply} has visits of a move that is not among {} legal ones",
                moves.len()
            ));
        }
        if let Err(error) = game.play(mv) {
            return Some(format!("move {ply}: {error}"));
        }
    }
    let result = match game.outcome()? {
        Outcome::Win(color) => GameResult::win(color),
        Outcome::Draw(_) => GameResult::Draw,
    };
    // Runs of earlier programs may draw even the last move at random. Then the result is that of the search before it.
    let is_clear = |score: &Score| score.is_decided() || score.centi().abs() >= CLEAR_SCORE;
    let judged = record.plies.last().and_then(|last| last.score).filter(is_clear);
    let mover = !game.position().turn();
    let said = judged.map(|score| GameResult::win(if score > Score::DRAW { mover } else { !mover }));
    if has_random_moves && said == Some(record.result) {
        return None;
    }
    let text =
        |result: GameResult| result.winner().map_or("a draw".to_owned(), |color| format!("won by {color}"));
    (result != record.result)
        .then(|| format!("the last position is {}, the result says {}", text(result), text(record.result)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Piece, Setup};
    use crate::engine::EvaluationKind;
    use crate::train::selfplay::SelfplayPlayer;
    use crate::train::shard::{ShardHeader, ShardWriter, frame};

    /// White takes Black's last man by a move drawn at random, although the search before it says that Black wins.
    #[test]
    fn a_search_may_have_judged_a_game_before_its_last_random_move() {
        let variant = VariantId::English;
        let mut start = Setup::empty(Color::White);
        for (number, color) in [(18, Color::White), (15, Color::Black)] {
            start.put(variant.rules().square(number).unwrap(), Piece { color, king: false });
        }
        let mut game = SelfplayGame { start, random_plies: 0, result: GameResult::Black, plies: Vec::new() };
        game.push(0, Some(Score::from_centi(-900)));
        assert_eq!(fault(variant, &game, true), None);
        let mut unclear = SelfplayGame { plies: Vec::new(), ..game.clone() };
        unclear.push(0, Some(Score::from_centi(-100)));
        assert!(fault(variant, &unclear, true).is_some());
        assert!(fault(variant, &game, false).unwrap().contains("the result says won by Black"));
        game.result = GameResult::Draw;
        assert!(fault(variant, &game, true).unwrap().contains("the result says a draw"));
        game.result = GameResult::White;
        assert_eq!(fault(variant, &game, true), None);
        assert_eq!(fault(variant, &game, false), None);
    }

    #[test]
    fn sound_files_are_sound_and_every_fault_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let variant = VariantId::English;
        let header = ShardHeader::new(variant, 1, 0, 50, "handmade");
        let mut player = SelfplayPlayer::new(variant, 50, EvaluationKind::HandMade);
        let mut writer = ShardWriter::open(folder.path(), &header).unwrap();
        let games: Vec<SelfplayGame> = (0..4).map(|number| player.play(1, 0, number)).collect();
        games.iter().for_each(|game| writer.append(game).unwrap());
        let path = folder.path().join(header.file_name());
        let look = || verify(&path, &DatasetProgress::default()).unwrap();
        let verdict = look();
        assert_eq!((verdict.games, verdict.faulty, verdict.torn), (4, 0, 0), "{verdict:?}");
        let sound = std::fs::read(&path).unwrap();

        let with = |change: &dyn Fn(&mut SelfplayGame)| {
            let mut game = games[0].clone();
            change(&mut game);
            std::fs::write(&path, [&sound[..], &frame(&game.encode()).unwrap()].concat()).unwrap();
            let verdict = look();
            assert_eq!((verdict.games, verdict.faulty), (5, 1), "{verdict:?}");
            let place = format!("english-1-0.games\", game 4 at byte {}: ", sound.len());
            assert!(verdict.faults[0].contains(&place), "{verdict:?}");
            verdict.faults[0].clone()
        };
        assert!(with(&|game| game.plies[1].index = 77).contains("move 1 is number 77 of "));
        assert!(with(&|game| game.random_plies = 255).contains("255 random moves"));
        let ended = |game: &mut SelfplayGame| {
            // White has lost his only man: Black's are left.
            game.start = crate::board::Setup::empty(crate::board::Color::White);
            let black = crate::board::Piece { color: crate::board::Color::Black, king: false };
            game.start.put(variant.rules().square(9).unwrap(), black);
            game.plies.clear();
            game.random_plies = 0;
            game.result = GameResult::White;
        };
        assert!(with(&ended).contains("the result says won by White"));

        let mut damaged = sound.clone();
        *damaged.last_mut().unwrap() ^= 4;
        std::fs::write(&path, &damaged).unwrap();
        let verdict = look();
        assert_eq!((verdict.games, verdict.faulty), (3, 1));
        assert!(verdict.faults[0].contains("game 3 at byte") && verdict.faults[0].contains("checksum"));
        std::fs::write(&path, &sound[..sound.len() - 1]).unwrap();
        let verdict = look();
        assert_eq!((verdict.games, verdict.faulty), (3, 0));
        assert!(verdict.torn > 0);
    }
}
