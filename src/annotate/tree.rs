//! The analysis in the tree of a PDN game: commands, glyphs, comments and variations. What others wrote stays.

use super::mark::{self, begins_with};
use super::note::MoveNote;
use super::tactics::PlayedLine;
use crate::board::{Color, Move, Position};
use crate::notation::moves;
use crate::notation::pdn::{
    PdnAction, PdnCommand, PdnEntry, PdnGame, PdnLine, Period, Replay, TextPlace, TimeControlTag, commands,
};
use crate::rules::{VariantId, play_in};

/// The tag that says who annotated, and what Kroon says there.
const ANNOTATOR: (&str, &str) = ("Annotator", concat!("Kroon ", env!("CARGO_PKG_VERSION")));
/// The glyphs for good and bad moves. Where one stands already, or `!` or `?`, none is added.
const STRENGTHS: std::ops::RangeInclusive<u16> = 1..=7;

/// What happens to the notes of an earlier analysis.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Earlier {
    /// They stay, and moves that have some get no others.
    #[default]
    Keep,
    /// The new ones take their place.
    Replace,
}

/// Writes an analysis into the game that it is of. The reader of the game gave `replay`.
///
/// Every analysed move gets the command `[%eval]`, from White's view, unless it has one; errors get a glyph, a sentence
/// and the better line as a variation. The command `[%kroon]` marks what was written, for [`erase`].
///
/// ```
/// use kroon::annotate::{Earlier, Settings, analyse, annotate, erase};
/// use kroon::arena::cancel::Cancel;
/// use kroon::engine::Options;
/// use kroon::notation::pdn::{self, WriteOptions};
/// use kroon::search::Limits;
///
/// let file = "[GameType \"20\"] [FEN \"W:W28,33,38,39:B9,11,18,19\"] 1. 38-32 {hm} 11-17 *";
/// let mut game = pdn::read_games(file).0.remove(0);
/// let before = game.clone();
/// let replay = game.replay()?;
/// let limits = Limits { depth: Some(6), ..Limits::default() };
/// let settings = Settings { limits, ..Settings::default() };
/// let options = Options { hash_mb: 1, ..Options::default() };
/// let analysis = analyse(replay.game(), &options, &settings, 1, &Cancel::new(), &mut |_| ()).expect("not cancelled");
/// annotate(&mut game, &replay, &analysis.notes(), Earlier::Keep);
/// let text = game.write(WriteOptions { annotations: true, star: false });
/// assert!(text.contains("1. 38-32 ") && text.contains("{hm} {[%eval ") && text.contains("(1. 28-23 19x28"), "{text}");
/// erase(&mut game);
/// assert_eq!(game, before);
/// # Ok::<(), pdn::PdnError>(())
/// ```
pub fn annotate(pdn: &mut PdnGame, replay: &Replay, notes: &[MoveNote], earlier: Earlier) {
    let variant = replay.game().variant();
    let has_notes = !notes.is_empty();
    let mut notes = notes.iter().peekable();
    for (index, ((position, played), &place)) in plies(replay).zip(replay.entries()).enumerate() {
        let Some(note) = notes.next_if(|note| note.ply == index + 1) else { continue };
        let Some(entry) = pdn.line.entries.get_mut(place) else { continue };
        if moves::read(variant, &position, &note.played) != Ok(played) {
            // From here on it is another game.
            break;
        }
        if earlier == Earlier::Replace {
            mark::erase(entry);
        }
        if !mark::is_marked(entry) {
            write(entry, variant, &position, note);
        }
    }
    let (tag, name) = ANNOTATOR;
    if has_notes && pdn.tags.known(&[tag]).is_none_or(is_kroon) {
        pdn.tags.set(tag, name);
    }
}

/// Takes out of a game what [`annotate`] has written into it. What others have written or changed stays.
pub fn erase(pdn: &mut PdnGame) {
    pdn.line.entries.iter_mut().for_each(mark::erase);
    let (tag, _) = ANNOTATOR;
    if pdn.tags.get(tag).is_some_and(is_kroon) {
        pdn.tags.remove(tag);
    }
}

fn is_kroon(annotator: &str) -> bool {
    annotator.split_whitespace().next() == ANNOTATOR.1.split_whitespace().next()
}

/// The positions before the moves of all sections, and the moves.
fn plies(replay: &Replay) -> impl Iterator<Item = (Position, Move)> {
    replay.sections().iter().flat_map(|game| {
        let mut position = *game.start();
        game.moves().iter().map(move |&mv| {
            let before = position;
            position = play_in(game.variant(), &position, mv);
            (before, mv)
        })
    })
}

fn write(entry: &mut PdnEntry, variant: VariantId, position: &Position, note: &MoveNote) {
    let has_strength = !entry.strength.is_empty() || entry.nags.iter().any(|nag| STRENGTHS.contains(nag));
    let nag = note.nag.filter(|_| !has_strength);
    let is_evaluated = entry.comments.iter().any(|comment| {
        commands(comment).0.iter().any(|command| matches!(command, PdnCommand::Evaluation(_)))
    });
    let mut lines: Vec<PdnLine> = Vec::new();
    for line in note.lines.iter().filter_map(|line| variation(variant, position, line)) {
        if !entry.variations.iter().chain(&lines).any(|known| begins_with(known, &line)) {
            lines.push(line);
        }
    }
    let words = note.words.as_deref().unwrap_or_default();
    let evaluation = Some(&note.evaluation).filter(|value| !is_evaluated && !value.is_empty());
    if evaluation.is_none() && nag.is_none() && words.is_empty() && lines.is_empty() {
        return;
    }
    let evaluation = evaluation.map(|value| format!("[%eval {value}]"));
    let mark = mark::mark(words, nag, &lines);
    let parts = evaluation.into_iter().chain([mark, words.to_owned()]).filter(|part| !part.is_empty());
    entry.comments.push(parts.collect::<Vec<_>>().join(" "));
    entry.nags.extend(nag);
    entry.variations.extend(lines);
}

/// A line from the position before a move, as far as it is legal.
fn variation(variant: VariantId, position: &Position, line: &[String]) -> Option<PdnLine> {
    let PlayedLine { moves, positions } = PlayedLine::read(variant, position, line);
    let entries = moves.iter().zip(&positions).map(|(&mv, position)| {
        PdnEntry::new(PdnAction::Move(moves::text(variant, position, mv)), TextPlace::default())
    });
    (!moves.is_empty()).then(|| PdnLine { comments: Vec::new(), entries: entries.collect() })
}

/// Seconds that the players took for each move, as far as the clocks in the comments tell: `emt`, or else the difference of
/// two readings of `clk` or `clock`, more by the increment of the tag `TimeControl`.
pub(super) fn seconds(pdn: &PdnGame, replay: &Replay) -> Vec<Option<f64>> {
    let control = pdn.tags.known(&["TimeControl"]).and_then(|text| text.parse::<TimeControlTag>().ok());
    let periods = match control {
        Some(TimeControlTag::Periods(periods)) => periods,
        _ => Vec::new(),
    };
    let start = periods.first().and_then(|&period| budget(period)).map(|(seconds, _)| seconds);
    // The period of each player.
    let mut period = [0; 2];
    let mut left: [Option<f64>; 2] = [start; 2];
    let mut has_moved = [false; 2];
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
            let told = read.iter().find_map(|command| match command {
                PdnCommand::MoveTime(time) => Some(time.as_secs_f64()),
                _ => None,
            });
            let at = &mut period[color.index()];
            let increment = periods.get(*at).and_then(|&now| budget(now)).map_or(0.0, |(_, more)| more);
            // Without a reading the next one is of two moves.
            left[color.index()] = now.or_else(|| Some(before? + increment - told?));
            let is_first = !std::mem::replace(&mut has_moved[color.index()], true);
            told.or_else(|| {
                // Servers start the clocks, and add the increment, with the second move of each side.
                if is_first && increment > 0.0 && now == start {
                    return None;
                }
                let used = before? + increment - now?;
                if used >= -ROUNDED {
                    return Some(used.max(0.0));
                }
                // After a time control the clock has the time of the next period, or of the last one again.
                *at = (*at + 1).min(periods.len().saturating_sub(1));
                let (seconds, _) = budget(*periods.get(*at)?)?;
                Some(used + seconds).filter(|&used| used >= 0.0)
            })
        })
        .collect()
}

/// A clock may be read in whole seconds.
const ROUNDED: f64 = 1.0;

/// The seconds of a period, and what each move adds.
fn budget(period: Period) -> Option<(f64, f64)> {
    match period {
        Period::Increment { seconds, increment } => Some((seconds.into(), increment.into())),
        Period::SuddenDeath { seconds } | Period::Moves { seconds, .. } => Some((seconds.into(), 0.0)),
        Period::SandClock { .. } => None,
    }
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
