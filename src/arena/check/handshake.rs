//! Checks the handshake, parameters, and odd input to an idle engine.

use super::link::{CheckLink, CheckStep, SILENCE, first_word};
use super::{GivenUp, Notes, Subject};
use crate::notation::text::quote;
use crate::protocol::hub::client;
use crate::protocol::hub::number::real;
use crate::protocol::hub::scanner::{Scanned, scan};
use std::time::Instant;

/// Largest number in a declaration.
const MOST: f64 = 1e18;

/// Starts an engine, listens whether it speaks without being asked, and initialises it.
pub fn first_handshake(subject: &Subject, notes: &mut Notes) -> Result<CheckLink, GivenUp> {
    let mut link = CheckLink::start(subject, notes)?;
    match link.next(Instant::now() + SILENCE) {
        CheckStep::Line(_, text) => {
            notes.advice("Lines", format!("it writes {} before it is asked anything", quote(&text)));
        }
        CheckStep::Silence => (),
        CheckStep::Gone => return Err(link.gone("Commands", notes)),
    }
    greet(&mut link, notes)?;
    Ok(link)
}

/// Starts an engine and initialises it.
pub fn handshake(subject: &Subject, notes: &mut Notes) -> Result<CheckLink, GivenUp> {
    let mut link = CheckLink::start(subject, notes)?;
    greet(&mut link, notes)?;
    Ok(link)
}

fn greet(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    link.send("hub");
    let (_, lines) = link.wait_for("wait", "Commands", notes)?;
    declarations(link, &lines, notes);
    link.send("init");
    link.wait_for("ready", "Commands", notes)?;
    Ok(())
}

/// `id` and `param` lines.
fn declarations(link: &mut CheckLink, lines: &[String], notes: &mut Notes) {
    let mut ids = 0;
    for line in lines {
        let Ok(Some(scanned)) = scan(line) else {
            notes.wrong("Lines", format!("{} is no line of the protocol", quote(line)));
            continue;
        };
        match scanned.command {
            "id" => {
                ids += 1;
                link.id = ["name", "version"]
                    .iter()
                    .filter_map(|key| scanned.value(key))
                    .collect::<Vec<_>>()
                    .join(" ");
                for key in ["name", "version", "author", "country"] {
                    if scanned.value(key).is_none_or(str::is_empty) {
                        notes.advice("Answers", format!("`id` has no {key}, which some clients insist on"));
                    }
                }
            }
            "param" => match param(&scanned) {
                Ok(param) => link.params.push(param),
                Err(fault) => notes.wrong("Parameters", format!("{}: {fault}", quote(line))),
            },
            "error" => notes.wrong("Answers", format!("`hub` was answered by {}", quote(line))),
            _ => notes.advice("Answers", format!("{} between `hub` and `wait`", quote(line))),
        }
    }
    match ids {
        1 => (),
        0 => notes.wrong("Commands", "`hub` was not answered by `id`"),
        _ => notes.wrong("Commands", format!("`hub` was answered by {ids} `id` lines")),
    }
}

/// Name and value of a declared parameter, or what is wrong with the declaration.
fn param(line: &Scanned<'_>) -> Result<(String, String), String> {
    let value = |key: &str| line.value(key).ok_or_else(|| format!("no {key}="));
    let (name, given, kind) = (value("name")?, value("value")?, value("type")?);
    let number = |key: &str| {
        let text = value(key)?;
        real(text, MOST).map_err(|fault| format!("{key}: {fault}"))
    };
    match kind {
        "bool" if !matches!(given, "true" | "false") => {
            return Err("value is neither true nor false".to_owned());
        }
        "bool" | "string" => (),
        "int" | "real" => {
            let (min, max, given) = (number("min")?, number("max")?, number("value")?);
            if !(min <= given && given <= max) {
                return Err(format!("value {given} is not within {min} to {max}"));
            }
        }
        "enum" => {
            if !value("values")?.split_whitespace().any(|word| word == given) {
                return Err(format!("value {} is not among its values", quote(given)));
            }
        }
        _ => return Err(format!("type {} is none of bool, int, real, string, enum", quote(kind))),
    }
    Ok((name.to_owned(), given.to_owned()))
}

/// Every parameter takes its own value back, unknown ones are swallowed, `init` may be repeated.
pub fn parameters(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    for (name, value) in link.params.clone() {
        link.send(&client::set_param(&name, &value));
    }
    quiet(link, "Parameters", "its own parameters sent back", notes)?;
    link.send(&client::set_param("no-such-parameter", "1"));
    quiet(link, "Parameters", "an unknown parameter", notes)?;
    link.send("init");
    link.wait_for("ready", "Commands", notes)?;
    Ok(())
}

/// Nothing but `pong` may follow.
pub fn quiet(
    link: &mut CheckLink,
    section: &'static str,
    after: &str,
    notes: &mut Notes,
) -> Result<(), GivenUp> {
    link.send("ping");
    let (_, mut lines) = link.wait_for("pong", section, notes)?;
    lines.extend(link.rest());
    for line in lines {
        let text = format!("{after} was answered by {}", quote(&line));
        match first_word(&line) {
            "done" | "pong" | "ready" | "wait" => notes.wrong(section, text),
            _ => notes.advice(section, text),
        }
    }
    Ok(())
}

/// `ping` has one answer.
pub fn idle_ping(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    let start = Instant::now();
    link.send("ping\r");
    let (at, _) = link.wait_for("pong", "Commands", notes)?;
    if at - start > link.prompt() {
        notes.advice("Commands", format!("`pong` took {:.2} s", (at - start).as_secs_f64()));
    }
    quiet(link, "Commands", "`ping`", notes)
}

/// Unknown commands and arguments are ignored.
pub fn unknown(link: &mut CheckLink, notes: &mut Notes) -> Result<(), GivenUp> {
    for line in ["frobnicate depth=3", "", "level handicap=0", "new-game now=true"] {
        link.send(line);
        quiet(link, "Lines", &quote(line), notes)?;
    }
    Ok(())
}
