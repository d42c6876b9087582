//! An analysis as it goes: lines of JSON for programs, rows of a table for people.

use super::{BookView, EndgameView, ErrorView, men, text, turn_name};
use crate::board::Move;
use crate::engine::Report;
use crate::eval::wdl;
use crate::game::{Game, Outcome};
use crate::notation::fen;
use crate::score::Score;
use crate::search::{Info, TreeMove};
use serde::Serialize;

/// One line of an analysis in JSON: a position first, then the variations that the search reports, a result last. The
/// field `type` says which.
///
/// ```
/// use kroon::view::{AnalysisLine, json_line};
/// use kroon::{game::Game, rules::VariantId::English};
/// let line = json_line(&AnalysisLine::start(&Game::new(English), None));
/// assert!(line.starts_with(r#"{"type":"position","variant":"english","fen":"B:W21,"#), "{line}");
/// ```
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum AnalysisLine {
    /// What is analysed.
    Position(StartView),
    /// What the opening book knows, where it is asked.
    Book(BookView),
    /// A variation.
    Info(InfoView),
    /// The end of the analysis.
    Result(ResultView),
    /// In place of all others: there is no such position.
    Error(ErrorView),
}

/// What is analysed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StartView {
    /// The variant's name.
    pub variant: &'static str,
    /// The position as FEN.
    pub fen: String,
    /// Who is to move: `white` or `black`.
    pub turn: &'static str,
    /// How the game ended; `null` while it goes on.
    pub outcome: Option<String>,
    /// What endgame tables say; `null` if none knows the position.
    pub endgame: Option<EndgameView>,
}

/// A variation of the search, from the view of the side to move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct InfoView {
    /// Its rank; 1 is the best.
    pub rank: usize,
    /// The iteration, in plies.
    pub depth: u32,
    /// Mean distance of the evaluated leaves from the root, in plies.
    pub mean_depth: f64,
    /// The score in men.
    pub score: f64,
    /// Plies to the end of the game; `null` unless the score is a proven win or loss.
    pub plies_to_end: Option<u32>,
    /// The expected result: 1 for a win, one half for a draw.
    pub winrate: f64,
    /// The chances to win, draw and lose, in thousandths.
    pub wdl: [u32; 3],
    /// Nodes searched so far.
    pub nodes: u64,
    /// Seconds since the search began.
    pub time: f64,
    /// Nodes per second.
    pub nps: u64,
    /// The moves in PDN.
    pub pv: Vec<String>,
}

/// The end of an analysis.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ResultView {
    /// The best move in PDN; `null` if there is no legal one.
    pub best: Option<String>,
    /// The expected reply.
    pub ponder: Option<String>,
    /// The score in men.
    pub score: Option<f64>,
    /// Plies to the end of the game; `null` unless the score is a proven win or loss.
    pub plies_to_end: Option<u32>,
    /// Nodes searched.
    pub nodes: u64,
    /// Seconds used.
    pub time: f64,
    /// What the tree search has seen of each move, the best first; left out where there is no tree: with
    /// alpha-beta, and where the book or endgame tables answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tree: Vec<TreeMoveView>,
}

/// A move as the tree search has seen it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TreeMoveView {
    /// The move in PDN.
    #[serde(rename = "move")]
    pub mv: String,
    /// How often it was tried.
    pub visits: u64,
    /// The chance that the policy gives it to be chosen by a search; `null` where the weights have no policy or it was
    /// not asked.
    pub policy: Option<f64>,
    /// The score in men.
    pub score: f64,
    /// Plies to the end of the game; `null` unless the score is a proven win or loss.
    pub plies_to_end: Option<u32>,
    /// The expected result: 1 for a win, one half for a draw.
    pub winrate: f64,
    /// The chances to win, draw and lose, in thousandths.
    pub wdl: [u32; 3],
    /// The replies that were tried most, the most tried first.
    pub replies: Vec<ReplyView>,
}

/// A reply in the tree.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ReplyView {
    /// The move in PDN.
    #[serde(rename = "move")]
    pub mv: String,
    /// How often it was tried.
    pub visits: u64,
}

impl TreeMoveView {
    fn new(game: &Game, seen: &TreeMove) -> TreeMoveView {
        let chances = wdl::chances(game.variant(), game.position(), seen.score, Some(seen.winrate));
        let reply = |&(mv, visits): &(Move, u64)| {
            let line = text::variation(game, &[seen.mv, mv]);
            ReplyView { mv: line.into_iter().nth(1).unwrap_or_default(), visits }
        };
        TreeMoveView {
            mv: text::variation(game, &[seen.mv]).pop().unwrap_or_default(),
            visits: seen.visits,
            policy: seen.policy.map(ten_thousandths),
            score: men(seen.score),
            plies_to_end: seen.score.plies_to_end(),
            winrate: ten_thousandths(seen.winrate),
            wdl: chances.per_mille(),
            replies: seen.replies.iter().map(reply).collect(),
        }
    }
}

impl AnalysisLine {
    /// The first line: the current position of the game, and what endgame tables say of it.
    pub fn start(game: &Game, endgame: Option<EndgameView>) -> AnalysisLine {
        AnalysisLine::Position(StartView {
            endgame,
            variant: game.variant().name(),
            fen: fen::write(game.variant(), game.position()),
            turn: turn_name(game.position().turn()),
            outcome: game.outcome().map(|outcome| outcome.to_string()),
        })
    }

    /// A variation of a search of this game's position.
    pub fn info(game: &Game, info: &Info) -> AnalysisLine {
        let chances = wdl::chances(game.variant(), game.position(), info.score, info.winrate);
        AnalysisLine::Info(InfoView {
            rank: info.rank,
            depth: info.depth,
            mean_depth: info.mean_depth,
            score: men(info.score),
            plies_to_end: info.score.plies_to_end(),
            winrate: info.winrate.unwrap_or_else(|| ten_thousandths(chances.expected())),
            wdl: chances.per_mille(),
            nodes: info.nodes,
            time: info.time.as_secs_f64(),
            nps: info.nps() as u64,
            pv: text::variation(game, &info.pv),
        })
    }

    /// The last line: what came of a search of this game's position. A default report stands for a side that cannot
    /// move, which was not searched.
    pub fn result(game: &Game, report: &Report) -> AnalysisLine {
        let line: Vec<_> = report.best.into_iter().chain(report.ponder).collect();
        let mut texts = text::variation(game, &line).into_iter();
        let ended = || game.outcome().filter(|_| report.best.is_none());
        let score = report.info.as_ref().map(|info| info.score);
        let score = score.or_else(|| ended().map(|outcome| outcome.score(game.position().turn())));
        AnalysisLine::Result(ResultView {
            best: texts.next(),
            ponder: texts.next(),
            score: score.map(men),
            plies_to_end: score.and_then(Score::plies_to_end),
            nodes: report.nodes,
            time: report.time.as_secs_f64(),
            tree: report.tree.iter().map(|seen| TreeMoveView::new(game, seen)).collect(),
        })
    }
}

/// The model of the chances knows no more digits.
fn ten_thousandths(share: f64) -> f64 {
    (share * 1e4).round() / 1e4
}

/// Moves of the tree that a table shows.
const MOST_TREE_MOVES: usize = 8;

/// An analysis as a table with a row for each variation. Every text ends with a line feed, or is empty.
#[derive(Clone, Copy, Debug)]
pub struct AnalysisTable {
    /// Whether there is a column for the rank of a variation.
    pub ranks: bool,
}

impl AnalysisTable {
    /// Who is to move, what is known without a search, and the head of the table.
    pub fn start(self, game: &Game, endgame: Option<&EndgameView>, book: Option<&BookView>) -> String {
        let turn = game.position().turn();
        let state = match game.outcome() {
            Some(outcome @ Outcome::Win(_)) => {
                return format!("Game over: {}, {outcome}.\n", text::decision(game));
            }
            Some(outcome) => format!("Game over: {outcome}. Analysed as if it went on."),
            None => format!("{turn} to move."),
        };
        let rank = if self.ranks { "rank  " } else { "" };
        let known = endgame.and_then(EndgameView::headline);
        let known = known.map(|text| format!("Endgame tables: {text}.\n")).unwrap_or_default();
        let book = book.map(|book| format!("Book: {}", book.text())).unwrap_or_default();
        format!("{state}\n{known}{book}{rank}depth    score   W/D/L %         nodes     time    knps  line\n")
    }

    /// A row.
    pub fn info(self, game: &Game, info: &Info) -> String {
        let rank = if self.ranks { format!("{:>4}  ", info.rank) } else { String::new() };
        let chances = wdl::chances(game.variant(), game.position(), info.score, info.winrate);
        format!(
            "{rank}{:>5} {:>8} {:>9} {:>13} {:>8.2} {:>7.0}  {}\n",
            info.depth,
            text::score(info.score),
            text::percents(chances),
            info.nodes,
            info.time.as_secs_f64(),
            info.nps() / 1e3,
            text::variation(game, &info.pv).join(" ")
        )
    }

    /// What the tree says, if there is one; the move to play and the expected reply; nothing where there is no legal
    /// move.
    pub fn end(self, game: &Game, report: &Report) -> String {
        let Some(best) = report.best else { return String::new() };
        let line: Vec<_> = std::iter::once(best).chain(report.ponder).collect();
        Self::tree(game, report) + &Self::best(game, &line)
    }

    /// A table of the moves that the tree search has tried most.
    fn tree(game: &Game, report: &Report) -> String {
        let Some(first) = report.tree.first() else { return String::new() };
        let all: u64 = report.tree.iter().map(|seen| seen.visits).sum::<u64>().max(1);
        let policy = |text: &dyn Fn() -> String| if first.policy.is_some() { text() } else { String::new() };
        let head = policy(&|| "  policy".to_owned());
        let mut table = format!("\nmove        visits  share{head}    score   W/D/L %  replies\n");
        for seen in report.tree.iter().take(MOST_TREE_MOVES) {
            let tried: u64 = seen.replies.iter().map(|reply| reply.1).sum::<u64>().max(seen.visits).max(1);
            let chances = wdl::chances(game.variant(), game.position(), seen.score, Some(seen.winrate));
            let view = TreeMoveView::new(game, seen);
            let replies = view
                .replies
                .iter()
                .map(|ReplyView { mv, visits }| format!("{mv} {}", percent(*visits, tried)));
            let row = format!(
                "{:<9} {:>8} {:>6}{} {:>8} {:>9}  {}",
                view.mv,
                seen.visits,
                percent(seen.visits, all),
                policy(&|| format!(" {:>6.0}%", 100.0 * seen.policy.unwrap_or(0.0))),
                text::score(seen.score),
                text::percents(chances),
                replies.collect::<Vec<_>>().join(", ")
            );
            table += row.trim_end();
            table.push('\n');
        }
        table
    }

    fn best(game: &Game, line: &[Move]) -> String {
        match &text::variation(game, line)[..] {
            [best, reply, ..] => format!("Best move {best}, expected reply {reply}\n"),
            [best] => format!("Best move {best}\n"),
            [] => String::new(),
        }
    }
}

/// A share in whole per cent.
fn percent(part: u64, all: u64) -> String {
    format!("{:.0}%", 100.0 * part as f64 / all as f64)
}
