//! Files of learned players: what is written is read, and nothing else is.

use super::*;
use crate::board::Bitboard;
use proptest::prelude::*;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Knowledge of each kind, with what a training of `size` steps may leave.
fn knowledge(kind: LearnedKind, variant: VariantId, size: usize, seed: u64) -> Knowledge {
    use rand::RngExt;
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let game = crate::game::Game::new(variant);
    match kind {
        LearnedKind::QLearning => {
            let mut table = QTable::default();
            let mut game = game;
            for _ in 0..size {
                let before = *game.position();
                let moves = game.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[random.random_range(0..moves.len())];
                table.learn(&Decision { before, after: play_in(variant, &before, mv) }, random.random(), 0.4);
                game.play(mv).unwrap();
            }
            Knowledge::Table(table)
        }
        LearnedKind::ApproximateQ | LearnedKind::NeuralQ => {
            let net =
                (kind == LearnedKind::NeuralQ).then(|| Arc::new(PriorNet::random(variant, &mut random)));
            let count = FeatureQ::new(net.clone()).weights().len();
            let weights = (0..count).map(|_| 20.0 * random.random::<f64>() - 10.0).collect();
            Knowledge::Features(FeatureQ::with_weights(weights, net).unwrap())
        }
        LearnedKind::StateQ => {
            let mut states = StateQ::new(random.random());
            for _ in 0..size {
                let transition = [random.random(), random.random()].map(AbstractState);
                states.learn(transition, random.random(), 0.1, false);
            }
            Knowledge::States(states)
        }
        LearnedKind::Prior if size.is_multiple_of(2) => {
            Knowledge::Prior(Arc::new(PriorNet::random(variant, &mut random)))
        }
        LearnedKind::Prior => {
            let board = LabelledBoard::new(game.position(), true);
            let other = LabelledBoard { is_won: false, kings: board.white, ..board };
            Knowledge::Boards([board, other].repeat(size))
        }
    }
}

fn file(kind: LearnedKind, variant: VariantId, size: usize, seed: u64) -> LearnedFile {
    let header = LearnedHeader {
        variant,
        settings: vec![("alpha".into(), "0.1".into()), ("a \"b\"\n".into(), String::new())],
        seed,
        games: size as u64,
        planned: 2 * size as u64,
        parent: Some("0123".into()),
        prior: None,
        curve: vec![[0, 1, 2, 3]; size % 5],
    };
    LearnedFile { header, knowledge: knowledge(kind, variant, size, seed).into() }
}

fn kinds() -> impl Strategy<Value = LearnedKind> {
    let all = LearnedKind::NAMES.iter().map(|name| name.parse().unwrap()).collect::<Vec<LearnedKind>>();
    prop::sample::select(all)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn what_is_written_is_read(
        kind in kinds(), variant in prop::sample::select(VariantId::ALL.to_vec()), size in 0usize..40, seed: u64,
    ) {
        let file = file(kind, variant, size, seed);
        let bytes = file.to_bytes().unwrap();
        let read = LearnedFile::from_bytes(&bytes).unwrap();
        prop_assert_eq!(&read, &file);
        prop_assert_eq!(read.to_bytes().unwrap(), bytes);
        prop_assert_eq!(read.checksum(), file.checksum());
    }

    #[test]
    fn nothing_damaged_is_read(kind in kinds(), at: prop::sample::Index, change in 1u8.., cut: bool) {
        let mut bytes = file(kind, VariantId::English, 7, 3).to_bytes().unwrap();
        let at = at.index(bytes.len());
        if cut {
            bytes.truncate(at);
        } else {
            bytes[at] ^= change;
        }
        prop_assert!(LearnedFile::from_bytes(&bytes).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// What the fuzz target does, in small: contents of chance, and true ones with some bytes changed.
    #[test]
    fn contents_of_chance_are_refused_or_read_as_they_are(
        kind in kinds(), content in prop::collection::vec(any::<u8>(), 0..200), small in 0u8..3,
    ) {
        let mut count = content.clone();
        if count.len() > 8 {
            count[..8].copy_from_slice(&[small, 0, 0, 0, 0, 0, 0, 0]);
        }
        for content in [content, count] {
            if let Ok(read) = LearnedFile::from_bytes(&with_content(kind, &content)) {
                prop_assert!(LearnedFile::from_bytes(&read.to_bytes().unwrap()).unwrap() == read);
            }
        }
    }
}

/// The file with another content and correct checksums.
fn with_content(kind: LearnedKind, content: &[u8]) -> Vec<u8> {
    let bytes = file(kind, VariantId::English, 4, 3).to_bytes().unwrap();
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    let mut line: serde_json::Value = serde_json::from_slice(&bytes[..end]).unwrap();
    line["content"] = format!("{:016x}", xxhash_rust::xxh3::xxh3_64(content)).into();
    let mut whole = serde_json::to_vec(&line).unwrap();
    whole.push(b'\n');
    whole.extend(zstd::encode_all(content, 1).unwrap());
    whole.extend(xxhash_rust::xxh3::xxh3_64(&whole).to_le_bytes());
    whole
}

#[test]
fn contents_that_cannot_be_are_refused() {
    let refused = |kind, content: &[u8]| {
        let error = LearnedFile::from_bytes(&with_content(kind, content)).unwrap_err().to_string();
        assert!(error.contains("another size or order"), "{error}");
    };
    let numbers = |numbers: &[u64]| -> Vec<u8> { numbers.iter().flat_map(|n| n.to_le_bytes()).collect() };
    for kind in [LearnedKind::QLearning, LearnedKind::ApproximateQ, LearnedKind::NeuralQ, LearnedKind::StateQ]
    {
        refused(kind, &[]);
        refused(kind, &[0; 7]);
        refused(kind, &numbers(&[u64::MAX; 3]));
    }
    // Two pairs of one hash; a hash beyond the largest; more values than are there.
    refused(LearnedKind::QLearning, &numbers(&[2, 5, 0, 0, 0, 0]));
    refused(LearnedKind::QLearning, &numbers(&[2, u64::MAX, 1, 0, 0, 0]));
    refused(LearnedKind::QLearning, &numbers(&[1 << 40, 5]));
    assert!(LearnedFile::from_bytes(&with_content(LearnedKind::QLearning, &numbers(&[1, 5, 0]))).is_ok());
    // Weights and values that are no numbers.
    refused(LearnedKind::ApproximateQ, &numbers(&[f64::NAN.to_bits(); 8]));
    refused(LearnedKind::StateQ, &numbers(&[f64::INFINITY.to_bits(), 0]));
    assert!(LearnedFile::from_bytes(&with_content(LearnedKind::StateQ, &numbers(&[0, 0]))).is_ok());
    // Boards off the board, two pieces on one square, a king that is no piece, a third colour.
    for (sets, flags) in [([1 << 63, 0, 0], 0), ([4, 4, 0], 0), ([0, 0, 4], 0), ([0, 0, 0], 4)] {
        let content = [&[1][..], &numbers(&[1]), &numbers(&sets), &[flags]].concat();
        refused(LearnedKind::Prior, &content);
    }
    let playable = VariantId::English.rules().board.playable();
    assert!(Bitboard(1 << 63) & playable == Bitboard(0));
    refused(LearnedKind::Prior, &[2]);
}

#[test]
fn a_small_file_cannot_ask_for_much() {
    // Zeros by the gigabyte compress to nothing: read no further than the largest content.
    let zeros = zstd::encode_all(std::io::Read::take(std::io::repeat(0), 200 << 20), 1).unwrap();
    let mut bytes = with_content(LearnedKind::StateQ, &[]);
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    bytes.truncate(end + 1);
    bytes.extend(zeros);
    bytes.extend(xxhash_rust::xxh3::xxh3_64(&bytes).to_le_bytes());
    assert!(LearnedFile::from_bytes(&bytes).unwrap_err().to_string().contains("content is wrong"));
}

#[test]
fn errors_name_file_and_fault() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my own.learned");
    let error = |kind| LearnedFile::open_for(&path, kind, VariantId::English).unwrap_err().to_string();
    assert!(error(LearnedKind::QLearning).starts_with(&format!("learned player {path:?}: ")));
    std::fs::write(&path, "GIF89a\n").unwrap();
    assert!(
        error(LearnedKind::QLearning)
            .contains("it begins with \"GIF89a\\n\", expected {\"format\":\"kroon-learned 1")
    );
    file(LearnedKind::QLearning, VariantId::Frisian, 5, 1).save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..100]).unwrap();
    assert!(error(LearnedKind::QLearning).contains("its first line is not whole"));
    std::fs::write(&path, &bytes).unwrap();
    assert!(error(LearnedKind::QLearning).contains("learned from frisian draughts, expected english"));
    assert!(error(LearnedKind::StateQ).contains("a file of q-learning, expected state-q"));
    file(LearnedKind::Prior, VariantId::English, 5, 1).save(&path).unwrap();
    assert!(error(LearnedKind::Prior).contains("not finished: 5 of 10 games"));
    file(LearnedKind::NeuralQ, VariantId::English, 5, 1).save(&path).unwrap();
    assert!(LearnedFile::open_for(&path, LearnedKind::NeuralQ, VariantId::English).is_ok());
    let error = LearnedFile::open(folder.path()).unwrap_err().to_string();
    assert!(error.contains("is a directory"), "{error}");
}
