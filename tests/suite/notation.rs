//! Round trips of all notations, and readers against arbitrary text.

use kroon::board::{Color, Piece, Position, Setup};
use kroon::game::Game;
use kroon::notation::pdn::{self, PdnGame, WriteOptions};
use kroon::notation::{dxp, fen, moves, openings};
use kroon::rules::{VariantId, legal_moves};
use proptest::prelude::*;
use proptest::sample::{Index, select};

const ANNOTATED: WriteOptions = WriteOptions { annotations: true, star: false };

fn variants() -> impl Strategy<Value = VariantId> {
    select(VariantId::ALL.to_vec())
}

/// A game of random legal moves.
fn games() -> impl Strategy<Value = Game> {
    (variants(), prop::collection::vec(any::<Index>(), 0..120)).prop_map(|(variant, choices)| {
        let mut game = Game::new(variant);
        for choice in choices {
            let legal = game.legal_moves();
            if legal.is_empty() {
                break;
            }
            game.play(legal[choice.index(legal.len())]).expect("a legal move");
        }
        game
    })
}

/// Any position with many kings, where captures are long and ambiguous.
fn positions() -> impl Strategy<Value = (VariantId, Position)> {
    let piece = (any::<Index>(), prop::bool::weighted(0.2), prop::bool::weighted(0.8));
    (variants(), any::<bool>(), prop::collection::vec(piece, 4..22)).prop_filter_map(
        "no valid position",
        |(variant, black, pieces)| {
            let rules = variant.rules();
            let mut setup = Setup::empty(if black { Color::Black } else { Color::White });
            for (index, own, king) in pieces {
                let number = index.index(rules.board.squares().into()) as u32 + 1;
                let color = if own { setup.turn } else { !setup.turn };
                let square = rules.square(number)?;
                if setup.side(color).len() == rules.most_pieces() {
                    continue;
                }
                // Few kings of the opponent: they would not matter.
                let king = king && own || rules.board.promotion(color).contains(square);
                setup.put(square, Piece { color, king });
            }
            Some((variant, rules.position(&setup).ok()?))
        },
    )
}

fn check_position(variant: VariantId, position: &Position) -> Result<(), TestCaseError> {
    let text = fen::write(variant, position);
    let read = fen::game_from_fen(variant, &text);
    prop_assert_eq!(read.map(|game| *game.position()).map_err(|error| error.to_string()), Ok(*position));
    for mv in legal_moves(variant, position) {
        for text in [moves::text(variant, position, mv), moves::full_text(variant, position, mv)] {
            let read = moves::read(variant, position, &text.to_string());
            prop_assert_eq!(read.map_err(|error| error.to_string()), Ok(mv), "{}", text);
        }
    }
    if variant == VariantId::International {
        let text = dxp::write_position(position);
        prop_assert_eq!(dxp::parse_position(&text), Ok(Setup::from(position)));
        let legal = legal_moves(variant, position);
        for &mv in legal.iter() {
            let text = dxp::DxpMove::new(mv, 7).to_string();
            let message: dxp::DxpMove = text.parse().expect("own message");
            prop_assert_eq!(message.resolve(&legal), Some(mv));
            prop_assert_eq!(message.to_string(), text);
        }
    }
    Ok(())
}

/// Whatever was read is written so that it is read as the same again.
fn check_games(text: &str) -> Result<(), TestCaseError> {
    let (games, _) = pdn::read_games(text);
    for game in games {
        for options in [ANNOTATED, WriteOptions::default(), WriteOptions { annotations: false, star: true }] {
            let written = game.write(options);
            let (again, warnings) = pdn::read_games(&written);
            prop_assert_eq!(warnings, vec![], "{}", &written);
            prop_assert_eq!(again.len(), 1, "{}", &written);
            prop_assert_eq!(again[0].write(options), written);
            for variant in VariantId::ALL {
                let plies = |game: &PdnGame| game.replay_as(variant).map_or(0, |replay| replay.plies());
                prop_assert_eq!(plies(&again[0]), plies(&game), "{}", game.write(options));
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn positions_and_moves_come_back((variant, position) in positions()) {
        check_position(variant, &position)?;
    }

    #[test]
    fn games_come_back(game in games()) {
        check_position(game.variant(), game.position())?;
        let mut pdn = PdnGame::from(&game);
        pdn.tags.set("White", "\"\\ [x]");
        let text = pdn.write(WriteOptions::default());
        let (read, warnings) = pdn::read_games(&format!("{text}{text}"));
        prop_assert_eq!((read.len(), warnings), (2, vec![]));
        for pdn in read {
            let replay = pdn.replay().expect("own game");
            prop_assert_eq!(&replay.stopped, &None);
            prop_assert_eq!(replay.sections().len(), 1);
            prop_assert_eq!(replay.game().variant(), game.variant());
            prop_assert_eq!(replay.game().moves(), game.moves());
            prop_assert_eq!(pdn.tags.get("White"), Some("\"\\ [x]"));
        }
        // Without a tag the variant follows from the moves: this one, or another in which they are legal too.
        if game.moves().len() > 20 {
            let bare = text.replace("[GameType", "[Remark").replace("[Variant", "[Remark");
            let guess = pdn::read_games(&bare).0[0].replay().expect("a guess");
            prop_assert_eq!(&guess.stopped, &None);
            prop_assert_eq!(guess.plies(), game.moves().len());
        }
    }

    #[test]
    fn games_go_on_from_any_position((variant, position) in positions()) {
        let mut game = fen::game_from_fen(variant, &fen::write(variant, &position)).expect("own FEN");
        if let Some(&mv) = game.legal_moves().first() {
            game.play(mv).expect("a legal move");
        }
        let text = PdnGame::from(&game).write(ANNOTATED);
        let replay = pdn::read_games(&text).0[0].replay().expect("own game");
        prop_assert_eq!(&replay.stopped, &None);
        prop_assert_eq!((replay.game().start(), replay.game().moves()), (game.start(), game.moves()));
    }

    #[test]
    fn no_text_is_too_strange(words in prop::collection::vec(words(), 0..60)) {
        let text = words.concat();
        check_games(&text)?;
        for variant in VariantId::ALL {
            if let Ok(read) = fen::parse(variant, &text) {
                let again = fen::parse(variant, &fen::write_setup(variant, &read.setup)).expect("own FEN");
                prop_assert_eq!(again.setup, read.setup);
            }
            let start = Game::new(variant);
            let _ = moves::read(variant, start.position(), &text);
        }
        let _ = text.parse::<dxp::DxpMove>();
        let _ = dxp::parse_position(&text);
        let _ = pdn::commands(&text);
    }

    #[test]
    fn lists_of_openings_are_never_too_strange(
        lines in prop_oneof![prop::collection::vec(opening_line(), 1..4), prop::collection::vec(any_line(), 0..12)],
        variant in variants(),
    ) {
        let text = lines.join("\n");
        for opening in openings::read(variant, &text).unwrap_or_default() {
            let game = &opening.game;
            prop_assert!((1..=text.lines().count()).contains(&opening.line));
            let mut again = Game::from_setup(variant, &Setup::from(game.start())).expect("own position");
            game.moves().iter().for_each(|&mv| again.play(mv).expect("own move"));
            prop_assert_eq!(again.position(), game.position());
        }
    }

    #[test]
    fn no_bytes_are_too_strange(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let text = pdn::decode(&bytes);
        check_games(&text)?;
        for variant in VariantId::ALL {
            let _ = fen::parse(variant, &text);
        }
    }

    #[test]
    fn fens_in_any_form_come_back(words in prop::collection::vec(fen_words(), 0..20), variant in variants()) {
        let text = format!("W:W{}", words.concat());
        if let Ok(read) = fen::parse(variant, &text) {
            let again = fen::parse(variant, &fen::write_setup(variant, &read.setup)).expect("own FEN");
            prop_assert_eq!(again.setup, read.setup, "{}", text);
        }
    }
}

fn opening_line() -> impl Strategy<Value = String> {
    select(OPENING_LINES).prop_map(String::from)
}

fn any_line() -> impl Strategy<Value = String> {
    prop_oneof![words(), fen_words().prop_map(String::from), opening_line()]
}

/// Lines of which each is an opening in some variant, or nearly.
const OPENING_LINES: &[&str] = &[
    "W:W31-50:B1-20",
    "B:W21-32:B1-12",
    "W:Wa1,c3:Bb8",
    "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww",
    "1. 32-28 19-23 2. 28x19 14x23",
    "32-28 19-23",
    "1. 11-15 23-19",
    "# a remark",
    "",
    "[Event \"one\"]",
    "[FEN \"W:WK46:B5\"]",
    "1. 32-28 19-23 2-0",
    "*",
];

/// Pieces of PDN in an order that nobody intended.
fn words() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        " ",
        " ",
        " ",
        "\n",
        "\n\n",
        "\r\n",
        "\t",
        "1.",
        "2.",
        "12...",
        "...",
        "-",
        "x",
        ":",
        ".",
        "*",
        "!",
        "?",
        "(?)",
        "!?",
        "32-28",
        "19-23",
        "28x19",
        "14x23",
        "33-29",
        "11-15",
        "23-19",
        "41x28x39x48",
        "c3-d4",
        "b6a5",
        "37=32",
        "3l-27",
        "cd4",
        " - ",
        "3228",
        "1-1",
        "2-0",
        "0-1",
        "1/2-1/2",
        "½-½",
        "4-9",
        "(",
        ")",
        "(",
        ")",
        "{",
        "}",
        "{why}",
        ";",
        "%",
        "$1",
        "$999",
        "[",
        "]",
        "\"",
        "\\",
        "[Event \"a\"]",
        "[Event \"a\\\"b\"]",
        "[Result \"2-0\"]",
        "[Result \"4-9\"]",
        "[Result \"",
        "[FEN \"W:W33:B28\"]",
        "[FEN \"?\"]",
        "[GameType \"20\"]",
        "[GameType \"21\"]",
        "[GameType \"",
        "/FEN \"B:W28:B19.\"/",
        "/FEN \"W::\"/",
        "{W:W33:B28}",
        "[%clk 1:02]",
        "[%eval",
        "□",
        "…",
        "—",
        "\u{feff}",
        "é",
        "W:W31-50:B1-20",
        "K",
        "W",
        "B",
        "0",
        "7",
        "[pdn]",
        "[FILENAME x]",
        "M0007414803333743",
    ];
    prop_oneof![9 => select(WORDS).prop_map(str::to_owned), 1 => ".".prop_map(|word| word)]
}

fn fen_words() -> impl Strategy<Value = &'static str> {
    select(vec![
        "1", "2", "7", "31", "50", "07", "K", "k", "G", "g", "P", "-", ",", ", ", "_", ":", ":B", ":w", ":b",
        ".", "a", "c3", "g3", "b8", ":H0", ":F12", ":+0+0", "1-5", "K40-44", ",20", ",33",
    ])
}

#[test]
fn a_comment_behind_a_game_belongs_to_it() {
    for end in ["", "\n", "\n\n[Event \"2\"] 1. 33-29 *", "\n[Event \"2\"] 1. 33-29 *"] {
        let (games, _) = pdn::read_games(&format!("[Event \"1\"] 1. 32-28 2-0\n{{resigned}}{end}"));
        assert_eq!(games[0].line.entries[0].comments, ["resigned"], "{end:?}");
        assert!(games.iter().all(|game| game.line.comments.is_empty()), "{end:?}");
    }
    let (games, warnings) = pdn::read_games("1. 32-28 2-0\n{resigned}\n{a good game}\n");
    assert_eq!(games[0].line.entries[0].comments, ["resigned", "a good game"], "{warnings:?}");
    for (text, place) in [("{nothing}", "line 1, column 1"), ("1. 32-28 *\n\n{nothing}", "line 3, column 1")]
    {
        let warnings: Vec<String> = pdn::read_games(text).1.iter().map(ToString::to_string).collect();
        assert_eq!(warnings, [format!("{place}: a comment without a game is no part of a game")]);
    }
}
