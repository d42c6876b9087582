//! Checks searches: limits, stop, ponder, positions of all kinds.

use super::link::{CheckLink, CheckStep, SILENCE, first_word};
use super::{GivenUp, Notes, VARIANT, handshake::quiet, speech};
use crate::board::Move;
use crate::game::Game;
use crate::notation::fen;
use crate::notation::text::quote;
use crate::protocol::hub::client::position;
use crate::protocol::hub::scanner::scan;
use std::time::{Duration, Instant};

/// An engine that hears a stop at all ends its search within this time.
const STOPPED: Duration = Duration::from_secs(2);
/// A game for searches in the middle of it.
const MIDDLE: &str =
    "32-28 19-23 28x19 14x23 37-32 10-14 41-37 14-19 46-41 5-10 35-30 10-14 30-25 4-10 40-35 20-24";

/// What came of a search.
struct Searched {
    mv: Option<Move>,
    used: Duration,
    /// Largest values told.
    depth: u64,
    nodes: u64,
}

/// The position that these moves (in PDN) lead to.
fn game_after(moves: &str) -> Game {
    let mut game = Game::new(VARIANT);
    for text in moves.split_whitespace() {
        // The lists above and below are tested.
        if let Ok(mv) = crate::notation::moves::read(VARIANT, game.position(), text) {
            let _ = game.play(mv);
        }
    }
    game
}

/// Sets up, limits, searches, and looks at everything that is said until `done`.
fn go(
    link: &mut CheckLink,
    game: &Game,
    level: &str,
    mode: &str,
    notes: &mut Notes,
) -> Result<Searched, GivenUp> {
    link.send(&position(game));
    if !level.is_empty() {
        link.send(level);
    }
    let start = Instant::now();
    link.send(&format!("go {mode}"));
    listen(link, game, start, notes)
}

/// Listens until `done`.
fn listen(link: &mut CheckLink, game: &Game, start: Instant, notes: &mut Notes) -> Result<Searched, GivenUp> {
    listen_on(link, game, start, false, notes)
}

/// Listens until `done`, perhaps after something has been `said` already.
fn listen_on(
    link: &mut CheckLink,
    game: &Game,
    start: Instant,
    mut said: bool,
    notes: &mut Notes,
) -> Result<Searched, GivenUp> {
    let mut deadline = Instant::now() + link.patience;
    let mut asked = false;
    let mut searched = Searched { mv: None, used: Duration::ZERO, depth: 0, nodes: 0 };
    loop {
        let (at, text) = match link.next(deadline) {
            CheckStep::Line(at, text) => (at, text),
            // Depth and nodes say nothing of the time: a slow engine is no deaf one.
            CheckStep::Silence if !asked => {
                asked = true;
                deadline += STOPPED;
                link.send("stop");
                continue;
            }
            CheckStep::Silence => {
                notes.wrong("Commands", format!("no `done` within {} s", link.patience.as_secs_f64()));
                return Err(GivenUp);
            }
            CheckStep::Gone => return Err(link.gone("Commands", notes)),
        };
        let Ok(Some(line)) = scan(&text) else {
            notes.wrong("Lines", format!("{} is no line of the protocol", quote(&text)));
            continue;
        };
        match line.command {
            "info" => {
                said = true;
                speech::info(game, &line, notes);
                let number =
                    |key: &str| line.value(key).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
                searched.depth = searched.depth.max(number("depth"));
                searched.nodes = searched.nodes.max(number("nodes"));
            }
            "done" => {
                searched.used = at.saturating_duration_since(start);
                searched.mv = speech::done(game, &line, notes);
                if asked {
                    let patience = link.patience.as_secs_f64();
                    notes.advice(
                        "Limits",
                        format!("a search was not over after {patience} s, and was stopped"),
                    );
                }
                if !said && searched.mv.is_some() {
                    notes.advice("Answers", "a move without any `info` before it");
                }
                return Ok(searched);
            }
            "pong" => (),
            "error" => notes.wrong("Answers", format!("a sound command was answered by {}", quote(&text))),
            _ => notes.advice("Answers", format!("{} in a search", quote(&text))),
        }
    }
}

/// After a `done` there is silence: no second one, no `info`.
fn silence(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    for line in link.rest() {
        let text = format!("{} after `done`", quote(&line));
        match first_word(&line) {
            "done" => notes.wrong("Commands", format!("{text}: one `go` has exactly one")),
            "info" => notes.wrong("Answers", text),
            _ => notes.advice("Answers", text),
        }
    }
    quiet(link, "Commands", "a search that is over", notes)
}

fn in_time(searched: &Searched, allowed: Duration, link: &CheckLink, level: &str, notes: &mut Notes) {
    if searched.used > allowed + link.margin {
        let (used, margin) = (searched.used.as_secs_f64(), link.margin.as_secs_f64());
        notes.wrong("Limits", format!("`{level}`: the move came after {used:.3} s (margin {margin} s)"));
    }
}

/// An idle engine ignores `stop` and `ponder-hit`, and they do not leak into the next search.
pub fn idle_stop(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    link.send("stop");
    link.send("ponder-hit");
    quiet(link, "Commands", "`stop` without a search", notes)?;
    let level = "level move-time=0.3";
    let mut search = |link: &mut CheckLink| -> Result<Duration, GivenUp> {
        let used = go(link, &game_after(MIDDLE), level, "analyze", notes)?.used;
        silence(link, notes)?;
        Ok(used)
    };
    let after_both = search(link)?;
    // The sooner of two: a busy machine may delay one.
    let usual = search(link)?.min(search(link)?);
    link.send("stop");
    let used = search(link)?.min(after_both);
    // Of an engine that always answers sooner nothing can be told.
    if usual > Duration::from_millis(200) && used < Duration::from_millis(100) {
        let [usual, used] = [usual, used].map(|time| time.as_secs_f64());
        notes.wrong(
            "Commands",
            format!("a `stop` before the search ended it: {used:.3} s used instead of {usual:.3} s"),
        );
    }
    Ok(())
}

/// `level depth=`.
pub fn depth(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    for (game, depth) in [(Game::new(VARIANT), 1), (game_after(MIDDLE), 6)] {
        let searched = go(link, &game, &format!("level depth={depth}"), "think", notes)?;
        if searched.depth > depth {
            notes.wrong("Limits", format!("`level depth={depth}`: it tells of depth {}", searched.depth));
        }
        silence(link, notes)?;
    }
    Ok(())
}

/// `level nodes=`.
pub fn nodes(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    for nodes in [2_000, 50_000] {
        let level = format!("level nodes={nodes}");
        let searched = go(link, &game_after(MIDDLE), &level, "think", notes)?;
        // Programs look at their counters now and then only.
        if searched.nodes > nodes + nodes / 4 + 5_000 {
            notes.wrong("Limits", format!("`{level}`: it tells of {} nodes", searched.nodes));
        }
        silence(link, notes)?;
    }
    Ok(())
}

/// `level move-time=`.
pub fn move_time(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    for millis in [20, 100, 500] {
        let allowed = Duration::from_millis(millis);
        let level = format!("level move-time={}", allowed.as_secs_f64());
        let searched = go(link, &game_after(MIDDLE), &level, "think", notes)?;
        in_time(&searched, allowed, link, &level, notes);
        silence(link, notes)?;
    }
    Ok(())
}

/// `level time= inc= moves=`.
pub fn clock(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    for (level, allowed) in [
        ("level time=1 inc=0.1", 1.1),
        ("level moves=1 time=0.5", 0.5),
        ("level time=0.1", 0.1),
        ("level time=0 inc=0.2", 0.2),
        ("level moves=40 time=2.000", 2.0),
    ] {
        let searched = go(link, &game_after(MIDDLE), level, "think", notes)?;
        in_time(&searched, Duration::from_secs_f64(allowed), link, level, notes);
        silence(link, notes)?;
    }
    Ok(())
}

/// Clients send several lines, or one that says nothing.
pub fn several_levels(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    let game = game_after(MIDDLE);
    link.send(&position(&game));
    link.send("level move-time=0.2");
    link.send("level ply=50");
    let start = Instant::now();
    link.send("go think");
    let searched = listen(link, &game, start, notes)?;
    in_time(&searched, Duration::from_millis(200), link, "level move-time=0.2, level ply=50", notes);
    silence(link, notes)
}

/// `level infinite` lasts until `stop`; `ping` is answered in between.
pub fn analyze(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    let game = game_after(MIDDLE);
    link.send(&position(&game));
    link.send("level infinite");
    let start = Instant::now();
    link.send("go analyze");
    std::thread::sleep(Duration::from_millis(300));
    let asked = Instant::now();
    link.send("ping");
    let (at, before) = link.wait_for("pong", "Commands", notes)?;
    if at - asked > link.prompt() {
        notes.wrong(
            "Commands",
            format!("`ping` in a search was answered after {:.2} s", (at - asked).as_secs_f64()),
        );
    }
    let mut said = !before.is_empty();
    let mut ended = before.iter().any(|line| first_word(line) == "done");
    std::thread::sleep(SILENCE);
    for line in before {
        if let Ok(Some(scanned)) = scan(&line)
            && scanned.command == "info"
        {
            speech::info(&game, &scanned, notes);
        }
    }
    while let Ok(heard) = link.process.lines.try_recv() {
        ended |= first_word(&heard.text) == "done";
        said |= first_word(&heard.text) == "info";
    }
    if ended {
        notes.wrong("Limits", "`level infinite`: the search ended without `stop` (or by `ping`)");
        return Ok(());
    }
    let asked = Instant::now();
    link.send("stop");
    let searched = listen_on(link, &game, start, said, notes)?;
    let latency = searched.used.saturating_sub(asked - start);
    if latency > link.prompt() {
        notes.wrong("Commands", format!("`stop` was obeyed after {:.2} s", latency.as_secs_f64()));
    }
    silence(link, notes)
}

/// A client that goes back and forth writes without reading: two searches, two answers, in order.
pub fn burst(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    let (first, second) = (game_after(MIDDLE), Game::new(VARIANT));
    link.send(&position(&first));
    link.send("level infinite");
    let start = Instant::now();
    link.send("go analyze");
    std::thread::sleep(Duration::from_millis(50));
    for line in ["stop".to_owned(), position(&second), "level depth=3".to_owned(), "go think".to_owned()] {
        link.send(&line);
    }
    listen(link, &first, start, notes)?;
    listen(link, &second, start, notes)?;
    silence(link, notes)
}

/// Pondering ends with a hit and with a miss.
pub fn ponder(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    let game = game_after(MIDDLE);
    for word in ["ponder-hit", "stop"] {
        link.send(&position(&game));
        link.send("level time=1");
        let start = Instant::now();
        link.send("go ponder");
        std::thread::sleep(Duration::from_millis(300));
        link.send(word);
        let searched = listen(link, &game, start, notes)?;
        let allowed =
            if word == "stop" { link.prompt().saturating_sub(link.margin) } else { Duration::from_secs(1) };
        in_time(
            &searched,
            Duration::from_millis(300) + allowed,
            link,
            &format!("level time=1, go ponder, {word}"),
            notes,
        );
        silence(link, notes)?;
    }
    Ok(())
}

/// Positions in which programs go wrong: long captures, circular ones, kings, a single move, few pieces.
const POSITIONS: [&str; 8] = [
    "W:W31-50:B1-20",
    "W:W27,28,32,37,38,42,47:B8,9,13,18,19,20,24",
    "W:WK46:B41,32,23,14",
    "W:WK26:B12,13,22,23,33",
    "B:W27,28,38,39,49:BK5",
    "W:W33:B28,18,8,9,20",
    "B:WK48:B1,K5",
    "W:WK1,K2,K3:BK50",
];

/// Each of the positions, searched a little.
pub fn positions(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    for text in POSITIONS {
        // The list is tested.
        let Ok(game) = fen::game_from_fen(VARIANT, text) else { continue };
        let searched = go(link, &game, "level depth=5", "think", notes)?;
        if searched.mv.is_none() {
            notes.wrong("Positions and moves", format!("no legal move in {text}"));
        }
        silence(link, notes)?;
    }
    Ok(())
}

/// The engine plays against itself, the whole game in every `pos` line.
pub fn history(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    let mut game = Game::new(VARIANT);
    for _ in 0..60 {
        if game.outcome().is_some() {
            break;
        }
        let searched = go(link, &game, "level depth=2", "think", notes)?;
        let Some(mv) = searched.mv else { return Err(GivenUp) };
        let _ = game.play(mv);
    }
    silence(link, notes)
}

/// Clients ask for moves where there is none.
pub fn terminal(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    let Ok(game) = fen::game_from_fen(VARIANT, "W:W46:B37,41,32") else { return Ok(()) };
    let searched = go(link, &game, "level depth=5", "think", notes)?;
    if searched.mv.is_some() {
        notes.wrong("Answers", "a move where there is no legal one");
    }
    silence(link, notes)
}

/// `new-game` forgets, and nothing else.
pub fn new_game(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    let game = game_after(MIDDLE);
    go(link, &game, "level depth=5", "think", notes)?;
    link.send("new-game");
    quiet(link, "Commands", "`new-game`", notes)?;
    go(link, &game, "level depth=5", "think", notes)?;
    silence(link, notes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_own_positions_are_sound() {
        assert_eq!(game_after(MIDDLE).moves().len(), MIDDLE.split(' ').count());
        assert_eq!(game_after(MIDDLE).outcome(), None);
        for text in POSITIONS {
            assert_eq!(fen::game_from_fen(VARIANT, text).unwrap().outcome(), None, "{text}");
        }
        let terminal = fen::game_from_fen(VARIANT, "W:W46:B37,41,32").unwrap();
        assert!(terminal.legal_moves().is_empty());
    }
}
