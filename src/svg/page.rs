//! The frame of the pages that the program writes: one file each, without network.

use maud::{Markup, PreEscaped, html};

/// How the pages of a command begin.
pub fn beginning(command: &str) -> String {
    format!("{BEGINNING}<meta name=\"generator\" content=\"kroon {command}\">")
}

/// How all pages begin, also those of programs that did not say which command has written them; they went on with this.
const BEGINNING: &str = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">";
const ANY_COMMAND: &str = "<meta name=\"viewport\"";

/// Whether a file that begins like this is a page of the command, or of a program that did not say which command it was.
///
/// ```
/// use kroon::svg::page;
/// let begins = |text: &str| page::is_of("report", text.as_bytes());
/// assert!(begins(&page::beginning("report")) && !begins(&page::beginning("puzzles")));
/// assert!(!begins("<!DOCTYPE html><title>Diary</title>"));
/// ```
pub fn is_of(command: &str, head: &[u8]) -> bool {
    head.starts_with(beginning(command).as_bytes())
        || head
            .strip_prefix(BEGINNING.as_bytes())
            .is_some_and(|rest| rest.starts_with(ANY_COMMAND.as_bytes()))
}

/// The head of a page: the command that writes it, its title and its looks. `more` is appended to the common style sheet.
///
/// ```
/// use kroon::svg::page;
/// let head = page::head("report", "A & B", ".wide { overflow-x: auto; }").into_string();
/// assert!(head.contains("<title>A &amp; B</title>") && head.contains(".wide {"));
/// assert!(head.contains(r#"<meta name="generator" content="kroon report">"#));
/// ```
pub fn head(command: &str, title: &str, more: &str) -> Markup {
    html! {
        head {
            meta charset="utf-8";
            meta name="generator" content={ "kroon " (command) };
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title) }
            style { (PreEscaped(STYLE)) (PreEscaped(more)) }
        }
    }
}

/// The end of a page: who made it.
pub fn footer() -> Markup {
    html! { footer { "Made by Kroon " (env!("CARGO_PKG_VERSION")) "." } }
}

/// The looks of a page.
const STYLE: &str = "
:root { color-scheme: light; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color: #22262b;
  background: #fff; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .8rem; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .6rem; padding-bottom: .2rem; border-bottom: 2px solid #e4e0d8; }
h3 { font-size: 1rem; margin: 0 0 .4rem; }
p { margin: .4rem 0; }
.note { color: #626a73; font-size: .88rem; }
.facts { display: flex; flex-wrap: wrap; gap: .4rem 1.6rem; margin: 0 0 1rem; }
.facts div { margin: 0; }
dt { color: #626a73; font-size: .8rem; }
dd { margin: 0; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; padding: .28rem .6rem .28rem 0; border-bottom: 1px solid #ece8e0; vertical-align: top; }
th { color: #626a73; font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
code { font-size: .85em; overflow-wrap: anywhere; }
svg { display: block; max-width: 100%; height: auto; }
.swatch { display: inline-block; width: .7em; height: .7em; border-radius: 2px; margin-right: .45em; }
.game { margin: 1.2rem 0 2rem; }
.boards { display: flex; flex-wrap: wrap; gap: 1.2rem; margin-top: .6rem; }
.boards figure { margin: 0; width: 14rem; }
figcaption { font-size: .85rem; color: #626a73; margin-top: .3rem; }
footer { margin-top: 3rem; color: #626a73; font-size: .85rem; }
@media print {
  body { margin: 0; max-width: none; font-size: 10pt; }
  h2 { break-after: avoid; }
  .game, tr, figure, svg { break-inside: avoid; }
}
";
