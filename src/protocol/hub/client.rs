//! The lines of a client: what an engine is told before it searches. [`command`](super::command) reads them.

use crate::game::Game;
use crate::notation::hub;
use crate::search::Limits;
use std::fmt::Write;
use std::time::Duration;

/// Sets a parameter. A value may have any letters but the quote and those that control a terminal, for which others stand.
///
/// ```
/// use kroon::protocol::hub::client::set_param;
/// assert_eq!(set_param("threads", "2"), "set-param name=threads value=2");
/// assert_eq!(set_param("eval-file", "my weights"), "set-param name=eval-file value=\"my weights\"");
/// ```
pub fn set_param(name: &str, value: &str) -> String {
    let value: String = value
        .chars()
        .map(|letter| match letter {
            '"' => '\'',
            letter if letter.is_control() => ' ',
            letter => letter,
        })
        .collect();
    let is_plain =
        !value.is_empty() && !value.contains(|letter: char| letter.is_whitespace() || letter == '=');
    let mark = if is_plain { "" } else { "\"" };
    format!("set-param name={name} value={mark}{value}{mark}")
}

/// Sets up a whole game: its first position, then the moves, the order that every engine reads.
pub fn position(game: &Game) -> String {
    let board = game.variant().rules().board;
    let mut line = format!("pos pos={}", hub::format_position(board, game.start()));
    for (index, &mv) in game.moves().iter().enumerate() {
        line.push_str(if index == 0 { " moves=\"" } else { " " });
        line.push_str(&hub::format_move(board, mv));
    }
    line.push_str(if game.moves().is_empty() { "" } else { "\"" });
    line
}

/// Limits the next search in one line: the time first, for some engines look only there; reals without exponent.
pub fn level(limits: &Limits) -> String {
    let mut line = "level".to_owned();
    // Writing to a string cannot fail.
    if let Some(clock) = limits.clock {
        let _ = clock.moves.map_or(Ok(()), |moves| write!(line, " moves={moves}"));
        let _ = write!(line, " time={}", real(clock.time));
        if !clock.increment.is_zero() {
            let _ = write!(line, " inc={}", real(clock.increment));
        }
    }
    if let Some(time) = limits.move_time {
        let _ = write!(line, " move-time={}", real(time));
    }
    if let Some(depth) = limits.depth {
        let _ = write!(line, " depth={depth}");
    }
    if let Some(nodes) = limits.nodes {
        let _ = write!(line, " nodes={nodes}");
    }
    line
}

/// Seconds with at most three decimals, as an integer if they are one.
fn real(time: Duration) -> String {
    let text = format!("{:.3}", time.as_secs_f64());
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::command::{HubCommand, Root, parse};
    use super::*;
    use crate::rules::VariantId;
    use crate::search::ClockLimit;
    use proptest::prelude::*;

    #[test]
    fn what_engines_are_told() {
        let mut game = Game::new(VariantId::International);
        assert!(position(&game).starts_with("pos pos=Wbbbb") && !position(&game).contains("moves"));
        for text in ["32-28", "19-23", "28x19x23", "14x23x19"] {
            let board = game.variant().rules().board;
            let text: hub::HubMoveText = text.parse().unwrap();
            let mv = text.resolve(board, &game.legal_moves()).unwrap();
            game.play(mv).unwrap();
        }
        let line = position(&game);
        assert!(line.ends_with(" moves=\"32-28 19-23 28x19x23 14x23x19\""));
        let Some(HubCommand::Position { root: Root::Hub(_), moves }) = parse(&line).command else {
            panic!("{line}");
        };
        assert_eq!(moves, "32-28 19-23 28x19x23 14x23x19");
        let clock = ClockLimit {
            time: Duration::from_millis(59_400),
            increment: Duration::from_millis(500),
            moves: Some(3),
        };
        let limits = Limits { clock: Some(clock), depth: Some(9), ..Limits::default() };
        assert_eq!(level(&limits), "level moves=3 time=59.4 inc=0.5 depth=9");
        let limits =
            Limits { move_time: Some(Duration::from_millis(20)), nodes: Some(7), ..Limits::default() };
        assert_eq!(level(&limits), "level move-time=0.02 nodes=7");
        let clock = ClockLimit { time: Duration::from_secs(60), ..ClockLimit::default() };
        assert_eq!(level(&Limits { clock: Some(clock), ..Limits::default() }), "level time=60");
        assert_eq!(set_param("a", ""), "set-param name=a value=\"\"");
        assert_eq!(set_param("a", "\"b\"\nquit"), "set-param name=a value=\"'b' quit\"");
    }

    proptest! {
        #[test]
        fn values_come_back(value in "[^\"\\p{Cc}]{0,20}") {
            let parsed = parse(&set_param("name", &value));
            let told = HubCommand::SetParam { name: "name".into(), value };
            prop_assert_eq!((parsed.command, parsed.error), (Some(told), None));
        }
    }
}
