//! The analysis in the tree of a PDN game: commands, glyphs, comments and variations. What was there stays.

use super::game::{GameAnalysis, MoveAnalysis};
use super::say::remark;
use super::tactics::PlayedLine;
use crate::board::Color;
use crate::notation::fen::game_from_fen;
use crate::notation::moves;
use crate::notation::pdn::{
    PdnAction, PdnCommand, PdnEntry, PdnGame, PdnLine, Period, Replay, TextPlace, TimeControlTag, commands,
};
use crate::rules::VariantId;

/// Who annotated, in the tag `Annotator`.
const ANNOTATOR: &str = concat!("Kroon ", env!("CARGO_PKG_VERSION"));
/// The glyphs for good and bad moves. Where one stands already, or `!` or `?`, none is added.
const STRENGTHS: std::ops::RangeInclusive<u16> = 1..=7;

/// Writes an analysis into the game that it is of. The reader of the game gave `replay`.
///
/// Every analysed move gets the command `[%eval]`, from White's view, unless it has one; errors get a glyph, a sentence
/// and the better line as a variation.
///
/// ```
/// use kroon::annotate::{Settings, analyse, annotate};
/// use kroon::arena::cancel::Cancel;
/// use kroon::engine::Options;
/// use kroon::notation::pdn::{self, WriteOptions};
/// use kroon::search::Limits;
///
/// let file = "[GameType \"20\"] [FEN \"W:W28,33,38,39:B9,11,18,19\"] 1. 38-32 {hm} 11-17 *";
/// let mut game = pdn::read_games(file).0.remove(0);
/// let replay = game.replay()?;
/// let limits = Limits { depth: Some(6), ..Limits::default() };
/// let settings = Settings { limits, ..Settings::default() };
/// let options = Options { hash_mb: 1, ..Options::default() };
/// let analysis = analyse(replay.game(), &options, &settings, 1, &Cancel::new(), &mut |_| ()).expect("not cancelled");
/// annotate(&mut game, &replay, &analysis);
/// let text = game.write(WriteOptions { annotations: true, star: false });
/// assert!(text.contains("1. 38-32 ") && text.contains("{hm} {[%eval ") && text.contains("(1. 28-23 19x28"), "{text}");
/// # Ok::<(), pdn::PdnError>(())
/// ```
pub fn annotate(pdn: &mut PdnGame, replay: &Replay, analysis: &GameAnalysis) {
    let Ok(variant) = analysis.variant.parse::<VariantId>() else { return };
    for (index, mv) in analysis.moves.iter().enumerate() {
        let next = analysis.moves.get(index + 1).filter(|next| next.ply == mv.ply + 1);
        let place = replay.entries().get(mv.ply.wrapping_sub(1));
        if let Some(entry) = place.and_then(|&place| pdn.line.entries.get_mut(place)) {
            annotate_entry(entry, variant, mv, next.map(|next| next.played.as_str()));
        }
    }
    if pdn.tags.known(&["Annotator"]).is_none() {
        pdn.tags.set("Annotator", ANNOTATOR);
    }
}

fn annotate_entry(entry: &mut PdnEntry, variant: VariantId, mv: &MoveAnalysis, next: Option<&str>) {
    let has_strength = !entry.strength.is_empty() || entry.nags.iter().any(|nag| STRENGTHS.contains(nag));
    if let Some(nag) = mv.class.nag().filter(|_| !has_strength) {
        entry.nags.push(nag);
    }
    let is_evaluated = entry.comments.iter().any(|comment| {
        commands(comment).0.iter().any(|command| matches!(command, PdnCommand::Evaluation(_)))
    });
    let evaluation = if is_evaluated { None } else { Some(evaluation(mv)) };
    let words: Vec<String> = evaluation.into_iter().chain(remark(mv, next)).collect();
    if !words.is_empty() {
        entry.comments.push(words.join(" "));
    }
    if mv.class.is_error() {
        let lines = std::iter::once(&mv.best).chain(mv.others.iter().map(|other| &other.moves));
        let better = lines.filter(|line| line.first().is_some_and(|first| *first != mv.played));
        entry.variations.extend(better.filter_map(|line| variation(variant, mv, line)));
    }
}

/// `[%eval 0.25]` in men, or `[%eval #-3]` for a win of Black in 3 moves.
fn evaluation(mv: &MoveAnalysis) -> String {
    let sign = if mv.side() == Color::White { 1.0 } else { -1.0 };
    match mv.after.plies_to_end {
        Some(plies) => {
            let moves = plies.div_ceil(2).max(1) as i32;
            format!("[%eval #{}]", if sign * mv.after.score > 0.0 { moves } else { -moves })
        }
        // A negative zero would show its sign.
        None => format!("[%eval {:.2}]", sign * mv.after.score + 0.0),
    }
}

/// A line from the position before a move.
fn variation(variant: VariantId, mv: &MoveAnalysis, line: &[String]) -> Option<PdnLine> {
    let start = game_from_fen(variant, &mv.fen).ok()?;
    let PlayedLine { moves, positions } = PlayedLine::read(variant, start.position(), line);
    let entries = moves.iter().zip(&positions).map(|(&mv, position)| {
        PdnEntry::new(PdnAction::Move(moves::text(variant, position, mv)), TextPlace::default())
    });
    Some(PdnLine { comments: Vec::new(), entries: entries.collect() })
}

/// Seconds that the players took for each move, as far as the clocks in the comments tell: `emt`, or else the difference of
/// two readings of `clk` or `clock`, more by the increment of the tag `TimeControl`.
pub(super) fn seconds(pdn: &PdnGame, replay: &Replay) -> Vec<Option<f64>> {
    let control = pdn.tags.known(&["TimeControl"]).and_then(|text| text.parse::<TimeControlTag>().ok());
    let period = match control {
        Some(TimeControlTag::Periods(periods)) => periods.first().copied(),
        _ => None,
    };
    let (start, increment) = match period {
        Some(Period::Increment { seconds, increment }) => (Some(seconds.into()), f64::from(increment)),
        Some(Period::SuddenDeath { seconds } | Period::Moves { seconds, .. }) => (Some(seconds.into()), 0.0),
        _ => (None, 0.0),
    };
    let mut left: [Option<f64>; 2] = [start; 2];
    let turns = replay.sections().iter().flat_map(|game| {
        let first = game.start().turn();
        (0..game.moves().len()).map(move |ply| if ply % 2 == 0 { first } else { !first })
    });
    turns
        .zip(replay.entries())
        .map(|(color, &place)| {
            let entry = pdn.line.entries.get(place)?;
            let read: Vec<PdnCommand> =
                entry.comments.iter().flat_map(|comment| commands(comment).0).collect();
            let now = read.iter().find_map(|command| reading(command, color));
            let before = left[color.index()];
            left[color.index()] = now.or(before);
            let told = read.iter().find_map(|command| match command {
                PdnCommand::MoveTime(time) => Some(time.as_secs_f64()),
                _ => None,
            });
            told.or_else(|| Some((before? + increment - now?).max(0.0)))
        })
        .collect()
}

/// What the clock of the side that has just moved shows.
fn reading(command: &PdnCommand, color: Color) -> Option<f64> {
    match command {
        PdnCommand::Remaining(time) => Some(time.as_secs_f64()),
        PdnCommand::Clocks(clocks) => {
            clocks.iter().find(|clock| clock.color == Some(color)).map(|clock| clock.time.as_secs_f64())
        }
        _ => None,
    }
}
