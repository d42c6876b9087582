//! The tables of "AI for Draught" (course report, ShanghaiTech CS181): six players against the two that play by chance,
//! moving first and moving second.

use super::learners::{player, prior, prior_games, trained};
use super::report::{Claim, Games, LEVEL, Report, Row, Table, Verdict, interval_text, percent};
use super::share::{Share, difference_of_sums};
use super::stage::{Stage, StageResult};
use super::{Progress, ReproduceError, Settings, play_all};
use crate::agents::learned::LearnedKind;
use crate::arena::adjudicate::Blocked;
use crate::arena::cancel::Cancel;
use crate::learn::Training;
use crate::rules::VariantId;

/// Games of a cell by default; the text has 100.
const GAMES: usize = 1_000;
/// Games of a published cell.
const PUBLISHED_GAMES: u64 = 100;
/// Plies after which a game is drawn. The text is silent; games of more than 150 to 300 plies are not won in the
/// authors' program, and the draw rules of the variant end most others before.
const MOST_PLIES: usize = 300;

/// Games from which `q-learning` learns. The text leaves the number open; after the 50 games of the authors' program a
/// table knows next to no board that comes again, and plays like random moves.
const TABLE_GAMES: u64 = 100_000;
/// What was visited less often is left out of the table in the end.
const TABLE_VISITS: u32 = 3;

/// A player and its row: games won of 100, moving first against random and MCTS, moving second against random and MCTS.
struct Player {
    name: &'static str,
    what: What,
    published: [u64; 4],
}

/// How a player comes to the board.
enum What {
    /// As a match describes it.
    Plays(&'static str),
    /// Trained first.
    Learns(LearnedKind),
}

const PLAYERS: [Player; 6] = [
    Player { name: "random", what: What::Plays(RANDOM), published: [52, 19, 48, 7] },
    Player {
        name: "minimax",
        what: What::Plays("player=minimax depth=3 score=f"),
        published: [100, 87, 87, 39],
    },
    Player { name: "mcts", what: What::Plays(MCTS), published: [93, 81, 82, 19] },
    Player { name: "q-learning", what: What::Learns(LearnedKind::QLearning), published: [85, 59, 74, 16] },
    Player {
        name: "approximate-q",
        what: What::Learns(LearnedKind::ApproximateQ),
        published: [89, 63, 68, 19],
    },
    Player { name: "neural-q", what: What::Learns(LearnedKind::NeuralQ), published: [91, 67, 76, 18] },
];

const RANDOM: &str = "player=random";
const MCTS: &str = "player=mcts iterations=20 playout-plies=20";

/// Who is better than whom: by the sums of their four cells, and whether the published numbers carry it.
const ORDER: [(&str, &str, bool); 7] = [
    ("minimax", "mcts", true),
    ("mcts", "q-learning", true),
    ("mcts", "approximate-q", true),
    ("q-learning", "random", true),
    ("approximate-q", "random", true),
    ("approximate-q", "q-learning", false),
    ("neural-q", "approximate-q", false),
];

/// Heads of the four cells of a player.
const CELLS: [&str; 4] = ["first v random", "first v MCTS", "second v random", "second v MCTS"];

/// Plays and judges.
pub fn run(
    settings: &Settings,
    cancel: &Cancel,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<Report, ReproduceError> {
    let mut stages = Vec::new();
    for player in &PLAYERS {
        let what = match player.what {
            What::Plays(what) => what.to_owned(),
            What::Learns(kind) => trained_player(kind, settings, watch)?,
        };
        for (opponent, name) in [(RANDOM, "random"), (MCTS, "mcts")] {
            stages.push(Stage {
                name: format!("{}-{name}", player.name),
                variant: VariantId::English,
                players: [what.clone(), opponent.to_owned()],
                games: settings.games.unwrap_or(GAMES),
                max_plies: Some(MOST_PLIES),
                blocked: settings.blocked,
            });
        }
    }
    let results = play_all(&stages, settings, cancel, watch)?;
    let cells: Vec<[Games; 4]> = results.chunks(2).map(four_cells).collect();
    Ok(Report {
        experiment: super::Experiment::AiForDraught.name().to_owned(),
        title: "six players against random moves and MCTS, moving first and second".to_owned(),
        source: "\"AI for Draught\", course report, ShanghaiTech CS181, tables 1 to 4".to_owned(),
        settings: said_settings(settings),
        tables: vec![cell_table(&cells), sum_table(&cells)],
        claims: claims(&cells),
        remarks: remarks(&cells),
        seconds: results.iter().map(|result| result.seconds).sum(),
    })
}

/// The words for a learner, trained as documented; the one with a prior learns that first.
fn trained_player(
    kind: LearnedKind,
    settings: &Settings,
    watch: &mut dyn FnMut(Progress<'_>),
) -> Result<String, ReproduceError> {
    let mut training = Training::new(kind, VariantId::English)?;
    if kind == LearnedKind::QLearning {
        training.games = TABLE_GAMES;
        // Boards that do not come again would make a file that takes longer to read than a game to play.
        training.settings.least_visits = TABLE_VISITS;
    }
    if kind == LearnedKind::NeuralQ {
        training.prior = Some(prior(VariantId::English, settings, watch)?);
    }
    let (file, _) = trained(training, settings, watch)?;
    Ok(player(kind, &file))
}

/// The cells of a player from its pairings with random and with MCTS.
fn four_cells(results: &[StageResult]) -> [Games; 4] {
    let [random, mcts] = [&results[0], &results[1]].map(|result| result.by_mover);
    [random[0], mcts[0], random[1], mcts[1]]
}

fn said_settings(settings: &Settings) -> Vec<String> {
    let blocked = match settings.blocked {
        Blocked::Loss => "a blocked side loses (with --blocked draw it draws: the text has it not lose)",
        Blocked::Draw => "a blocked side draws",
    };
    let games = settings.games.unwrap_or(GAMES);
    vec![
        format!("English draughts, {games} games a cell (published: {PUBLISHED_GAMES}), seed {}", settings.seed),
        "the first mover is Black, the text's Sente".to_owned(),
        format!("{blocked}; a game of {MOST_PLIES} plies is drawn, others by the rules of the variant"),
        "compared are percent of games won, drawn ones included; how the text counts draws is open".to_owned(),
        format!(
            "learners: {}; the network of neural-q is a small dense one in place of ResNet101, made from {} games",
            match settings.training {
                Some(games) => format!("trained on {games} games each, otherwise as kroon learn does by default"),
                None => format!(
                    "trained as kroon learn does by default, q-learning on {TABLE_GAMES} games (the number is open)"
                ),
            },
            prior_games(settings)
        ),
        "minimax: depth 3, score f. MCTS: 20 iterations, random games of 20 plies, c = 1/sqrt 2. Depth and iterations \
         are open in the text; these are the authors' programs'"
            .to_owned(),
    ]
}

fn published(player: &Player) -> [Share; 4] {
    player.published.map(|won| Share { won, games: PUBLISHED_GAMES })
}

fn cell_table(cells: &[[Games; 4]]) -> Table {
    let row = |(player, games): (&Player, &[Games; 4])| {
        let row = |at: usize| {
            Row::new(
                format!("{} {}", player.name, CELLS[at]),
                Some(published(player)[at]),
                games[at],
                Vec::new(),
            )
        };
        (0..CELLS.len()).map(row).collect::<Vec<_>>()
    };
    let rows = PLAYERS.iter().zip(cells).flat_map(row).collect();
    Table { title: "Games won".to_owned(), numbers: Vec::new(), is_curve: false, rows }
}

/// The four cells of each player together: their mean is a quarter of the text's sum.
fn sum_table(cells: &[[Games; 4]]) -> Table {
    let row = |(player, games): (&Player, &[Games; 4])| {
        let ours = games.iter().fold(Games::default(), |sum, games| Games {
            won: sum.won + games.won,
            drawn: sum.drawn + games.drawn,
            lost: sum.lost + games.lost,
        });
        let published = Share { won: player.published.iter().sum(), games: 4 * PUBLISHED_GAMES };
        Row::new(player.name.to_owned(), Some(published), ours, Vec::new())
    };
    let rows = PLAYERS.iter().zip(cells).map(row).collect();
    Table { title: "All four cells of a player".to_owned(), numbers: Vec::new(), is_curve: false, rows }
}

fn claims(cells: &[[Games; 4]]) -> Vec<Claim> {
    let at = |name: &str| PLAYERS.iter().position(|player| player.name == name).unwrap_or_default();
    let words =
        |(difference, sigmas): (f64, f64)| format!("{:+.0} points, {sigmas:.1} sigma", 100.0 * difference);
    let order = |&(better, worse, carried): &(&str, &str, bool)| {
        let (better_at, worse_at) = (at(better), at(worse));
        let shares = |player: usize| cells[player].map(Games::share);
        let ours = difference_of_sums(&shares(better_at), &shares(worse_at));
        let theirs = difference_of_sums(&published(&PLAYERS[better_at]), &published(&PLAYERS[worse_at]));
        Claim {
            text: format!("{better} is better than {worse} (sums of cells)"),
            carried,
            published: words(theirs),
            ours: words(ours),
            verdict: Verdict::of(ours.1),
        }
    };
    let mut claims: Vec<Claim> = ORDER.iter().map(order).collect();
    for (player, games) in PLAYERS.iter().zip(cells).filter(|(player, _)| player.name != "random") {
        for cell in [0, 2] {
            let ours = games[cell];
            claims.push(Claim {
                text: format!("{} beats random: {}", player.name, CELLS[cell]),
                carried: true,
                published: format!("{}%", player.published[cell]),
                ours: format!("{} won, {} lost", ours.won, ours.lost),
                verdict: Verdict::of(ours.sigmas_won()),
            });
        }
    }
    for (player, cell) in [("random", [0, 2]), ("mcts", [1, 3])] {
        let row = at(player);
        let [first, second] = cell.map(|cell| cells[row][cell].share());
        claims.push(Claim {
            text: format!("moving first is an advantage ({player} against itself)"),
            carried: false,
            published: format!("{} to {}", PLAYERS[row].published[cell[0]], PLAYERS[row].published[cell[1]]),
            ours: format!(
                "{} to {}",
                percent(first.value(), first.games),
                percent(second.value(), second.games)
            ),
            verdict: Verdict::of(first.sigmas_above(second)),
        });
    }
    claims
}

/// The one cell that no correct program can be expected to repeat.
fn remarks(cells: &[[Games; 4]]) -> Vec<String> {
    let Some(row) = PLAYERS.iter().position(|player| player.name == "mcts") else { return Vec::new() };
    let [first, second] = [cells[row][1], cells[row][3]];
    let share = first.share();
    let sigmas = share.sigmas_above(Share { won: PLAYERS[row].published[1], games: PUBLISHED_GAMES });
    if sigmas > -LEVEL {
        return Vec::new();
    }
    vec![format!(
        "MCTS against itself: published are 81 of 100 games won by the first mover and 19 by the second; ours wins {} \
         {} moving first (won {}, drawn {}, lost {}) and {} moving second, {:.1} sigma from the text. The two sides play \
         the same program from a symmetric position, and random against itself is published as 52 to 48: a first mover \
         that wins four games of five looks like a fault of the program of the text, not like a property of the game.",
        percent(share.value(), share.games),
        interval_text(share),
        first.won,
        first.drawn,
        first.lost,
        percent(second.share().value(), share.games),
        -sigmas,
    )]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The published cells as games, 100 each, lost where not won.
    fn published_cells() -> Vec<[Games; 4]> {
        let games = |won| Games { won, drawn: 0, lost: PUBLISHED_GAMES - won };
        PLAYERS.iter().map(|player| player.published.map(games)).collect()
    }

    #[test]
    fn the_published_numbers_carry_what_is_said_of_them() {
        let claims = claims(&published_cells());
        // 313 - 275 = 38 points; variances (100 p (1 - p)) of minimax 0, 11.31, 11.31, 23.79 and of MCTS 6.51, 15.39,
        // 14.76, 15.39: 38 / sqrt(98.46) = 3.83.
        assert_eq!(claims[0].published, "+38 points, 3.8 sigma");
        assert_eq!(claims[0].ours, claims[0].published);
        for claim in claims.iter().filter(|claim| claim.carried) {
            assert_eq!(claim.verdict, Verdict::Shown, "{}", claim.text);
        }
        let mirror = |name: &str| claims.iter().find(|claim| claim.text.contains(name)).unwrap().verdict;
        assert_eq!((mirror("(random"), mirror("(mcts")), (Verdict::Open, Verdict::Shown));
        assert_eq!(remarks(&published_cells()), Vec::<String>::new());
    }

    #[test]
    fn another_mirror_is_worth_a_sentence() {
        let mut cells = published_cells();
        let mcts = PLAYERS.iter().position(|player| player.name == "mcts").unwrap();
        cells[mcts][1] = Games { won: 430, drawn: 100, lost: 470 };
        let remarks = remarks(&cells);
        assert!(
            remarks[0].contains("43.0% [40.0, 46.1]") && remarks[0].contains("won 430, drawn 100"),
            "{remarks:?}"
        );
    }
}
