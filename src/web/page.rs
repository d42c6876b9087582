//! The files of the page, inside the program.

use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use std::sync::OnceLock;

/// Name, type and text of each file.
const FILES: &[(&str, &str, &str)] = &[
    ("index.html", HTML, include_str!("page/index.html")),
    ("style.css", CSS, include_str!("page/style.css")),
    ("main.js", JAVASCRIPT, include_str!("page/main.js")),
    ("server.js", JAVASCRIPT, include_str!("page/server.js")),
    ("store.js", JAVASCRIPT, include_str!("page/store.js")),
    ("tree.js", JAVASCRIPT, include_str!("page/tree.js")),
    ("board.js", JAVASCRIPT, include_str!("page/board.js")),
    ("clock.js", JAVASCRIPT, include_str!("page/clock.js")),
    ("game.js", JAVASCRIPT, include_str!("page/game.js")),
    ("elements.js", JAVASCRIPT, include_str!("page/elements.js")),
    ("files.js", JAVASCRIPT, include_str!("page/files.js")),
    ("report.js", JAVASCRIPT, include_str!("page/report.js")),
    ("exercises.js", JAVASCRIPT, include_str!("page/exercises.js")),
    ("panels.js", JAVASCRIPT, include_str!("page/panels.js")),
    ("panel_play.js", JAVASCRIPT, include_str!("page/panel_play.js")),
    ("panel_moves.js", JAVASCRIPT, include_str!("page/panel_moves.js")),
    ("panel_analysis.js", JAVASCRIPT, include_str!("page/panel_analysis.js")),
    ("panel_report.js", JAVASCRIPT, include_str!("page/panel_report.js")),
    ("panel_exercises.js", JAVASCRIPT, include_str!("page/panel_exercises.js")),
    ("panel_book.js", JAVASCRIPT, include_str!("page/panel_book.js")),
    ("panel_endgame.js", JAVASCRIPT, include_str!("page/panel_endgame.js")),
    ("panel_games.js", JAVASCRIPT, include_str!("page/panel_games.js")),
    ("panel_view.js", JAVASCRIPT, include_str!("page/panel_view.js")),
    ("panel_position.js", JAVASCRIPT, include_str!("page/panel_position.js")),
    ("texts.js", JAVASCRIPT, include_str!("page/texts.js")),
    ("texts_en.js", JAVASCRIPT, include_str!("page/texts_en.js")),
    ("texts_nl.js", JAVASCRIPT, include_str!("page/texts_nl.js")),
    ("texts_fr.js", JAVASCRIPT, include_str!("page/texts_fr.js")),
    ("texts_ru.js", JAVASCRIPT, include_str!("page/texts_ru.js")),
    ("icon.svg", SVG, include_str!("page/icon.svg")),
];

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

/// Level of Zstandard at which the page is packed.
const LEVEL: i32 = 9;

/// The files, packed when the first of them is wanted.
fn packed() -> &'static [Vec<u8>] {
    static PACKED: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    let pack = |text: &str| zstd::bulk::compress(text.as_bytes(), LEVEL).unwrap_or_default();
    PACKED.get_or_init(|| FILES.iter().map(|(_, _, text)| pack(text)).collect())
}

/// Whether a browser reads Zstandard.
fn reads_zstd(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|coding| coding.trim() == "zstd")
}

/// The file of this name, packed if the browser can read that.
pub fn answer(name: &str, headers: &HeaderMap) -> Response {
    let Some(index) = FILES.iter().position(|(known, ..)| *known == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let (_, kind, text) = FILES[index];
    let about = [(header::CONTENT_TYPE, kind), (header::VARY, "accept-encoding")];
    match packed().get(index).filter(|packed| reads_zstd(headers) && !packed.is_empty()) {
        Some(packed) => (about, [(header::CONTENT_ENCODING, "zstd")], packed.as_slice()).into_response(),
        None => (about, text).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::rules_api::OutcomeView;
    use super::*;
    use crate::annotate::MoveClass;
    use crate::engine::SearchKind;
    use crate::game::{DrawReason, Outcome};
    use crate::puzzles::Theme;
    use crate::rules::VariantId;
    use crate::tablebase::Value;
    use axum::http::HeaderValue;

    #[test]
    fn modules_import_what_there_is_and_nothing_from_elsewhere() {
        for (name, kind, text) in FILES {
            for line in text.lines().filter(|line| *kind == JAVASCRIPT && line.contains(" from \"")) {
                let file = line.split('"').nth(1).unwrap().strip_prefix("./").unwrap();
                assert!(FILES.iter().any(|(known, ..)| *known == file), "{name}: {line}");
            }
            let foreign = text.match_indices("://").filter(|(at, _)| {
                !text[..*at].ends_with("http") || !text[*at..].starts_with("://www.w3.org/2000/svg")
            });
            assert_eq!(foreign.count(), 0, "{name} names another host");
        }
    }

    #[test]
    fn the_page_is_small() {
        assert!(packed().iter().all(|packed| !packed.is_empty()));
        assert!(packed().iter().map(Vec::len).sum::<usize>() < 150_000);
    }

    #[test]
    fn a_browser_says_whether_it_reads_packed_files() {
        let reads = |text: &'static str| {
            reads_zstd(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(text))]))
        };
        assert!(reads("gzip, deflate, br, zstd") && reads("zstd"));
        assert!(!reads("gzip") && !reads("zstd;q=0") && !reads_zstd(&HeaderMap::new()));
    }

    /// Relative luminance of a colour such as `#fff` or `#8a4b12` (Web Content Accessibility Guidelines 2.2).
    fn luminance(color: &str) -> f64 {
        let digits = color.strip_prefix('#').unwrap();
        let width = digits.len() / 3;
        let part = |at: usize| {
            let text = digits[at * width..(at + 1) * width].repeat(3 - width);
            let value = f64::from(u8::from_str_radix(&text, 16).unwrap()) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * part(0) + 0.7152 * part(1) + 0.0722 * part(2)
    }

    #[test]
    fn texts_stand_out_from_their_ground() {
        let style = FILES.iter().find(|(name, ..)| *name == "style.css").unwrap().2;
        let colors = |name: &str| -> Vec<f64> {
            let start = style.find(&format!(" --{name}: light-dark(")).unwrap();
            let value = style[start..].split(['(', ')']).nth(1).unwrap();
            value.split(", ").map(luminance).collect()
        };
        for (text, ground) in [
            ("ink", "ground"),
            ("ink", "panel"),
            ("quiet", "ground"),
            ("quiet", "panel"),
            ("low", "ground"),
            ("low", "panel"),
            ("accent-ink", "accent"),
            ("label", "dark"),
            ("mark-label", "mark"),
        ] {
            for (a, b) in colors(text).into_iter().zip(colors(ground)) {
                let contrast = (a.max(b) + 0.05) / (a.min(b) + 0.05);
                assert!(contrast >= 4.5, "{text} on {ground}: {contrast:.2}");
            }
        }
        // Black on white has the largest contrast there is.
        assert!(((luminance("#fff") + 0.05) / (luminance("#000000") + 0.05) - 21.0).abs() < 1e-9);
    }

    fn text_of(file: &str) -> &'static str {
        FILES.iter().find(|(name, ..)| *name == file).unwrap().2
    }

    /// The names of the texts in a language.
    fn keys(language: &str) -> Vec<&'static str> {
        let table = text_of(&format!("texts_{language}.js")).split("{\n").nth(1).unwrap();
        table.lines().filter_map(|line| line.trim().split_once(": \"")).map(|(key, _)| key).collect()
    }

    /// The words of a constant of the page: `const NAMES = ["a", "b"];`, `const DEPTHS = { a: 1, b: 2 };`.
    fn constant(file: &str, name: &str) -> Vec<String> {
        let value =
            text_of(file).split(&format!("const {name} = ")).nth(1).unwrap().split(";\n").next().unwrap();
        // A comment with a type may stand before it.
        let value = value.rsplit("*/").next().unwrap();
        let words = value.split(|c: char| !c.is_ascii_alphanumeric());
        words.filter(|word| word.starts_with(char::is_alphabetic)).map(str::to_owned).collect()
    }

    /// The texts whose name the page puts together: how it begins, and what may follow. The words of the program are those
    /// of the program.
    fn families() -> Vec<(&'static str, Vec<String>)> {
        let owned = |words: &[&str]| -> Vec<String> { words.iter().map(|&word| word.to_owned()).collect() };
        let numbered = [Theme::Sacrifice(2), Theme::Capture(2)];
        let themes = Theme::PLAIN.into_iter().chain(numbered).map(|theme| theme.to_string());
        // The page shows the number of a theme as such.
        let themes = themes.map(|theme| theme.trim_end_matches("-2").replace('-', "_"));
        let draws = [DrawReason::Repetition, DrawReason::MoveCount];
        let reasons = draws.map(|reason| OutcomeView::from(Outcome::Draw(reason)).reason);
        vec![
            ("variant", owned(&VariantId::ALL.map(VariantId::name))),
            ("class", MoveClass::ALL.iter().map(|class| class.name().replace('-', "_")).collect()),
            ("theme", themes.chain(constant("panel_view.js", "THEMES")).collect()),
            ("by", owned(&reasons).into_iter().chain(owned(&["time", "resigned", "agreed"])).collect()),
            ("table", owned(&Value::ALL.map(Value::word))),
            ("search", owned(SearchKind::NAMES)),
            ("sign", owned(&["1", "2", "3", "4", "5", "6"])),
            (
                "goal",
                ["win", "draw"].map(|goal| ["white", "black"].map(|side| format!("{goal}_{side}"))).concat(),
            ),
            ("clock", constant("panel_play.js", "CLOCKS")),
            ("unit", constant("panel_play.js", "FIELDS")),
            ("opening", constant("panel_play.js", "OPENINGS")),
            ("colors", constant("panel_play.js", "COLORS")),
            ("effort", constant("report.js", "EFFORTS")),
            ("grade", constant("exercises.js", "GRADES")),
            ("pieces", constant("board.js", "PIECE_SIZES")),
            (
                "piece",
                ["white", "black"]
                    .map(|color| ["man", "king"].map(|kind| format!("{color}_{kind}")))
                    .concat(),
            ),
        ]
    }

    #[test]
    fn texts_are_there_whose_names_the_page_puts_together() {
        let (english, families) = (keys("en"), families());
        for (family, words) in &families {
            assert!(words.len() >= 2, "{family}: {words:?}");
            for word in words {
                let key = format!("{family}_{word}");
                assert!(english.contains(&key.as_str()), "the text {key} is missing");
            }
        }
        for (name, _, text) in FILES {
            for call in text.split("t(`").skip(1) {
                let family = call.split("_${").next().unwrap();
                assert!(families.iter().any(|(known, _)| *known == family), "{name}: the texts {family}_");
            }
        }
    }

    #[test]
    fn every_language_has_every_text() {
        let english = keys("en");
        assert!(english.len() > 20);
        for language in ["nl", "fr", "ru"] {
            assert_eq!(keys(language), english, "{language}");
        }
        let scripts = FILES.iter().filter(|(_, kind, _)| *kind == JAVASCRIPT || *kind == HTML);
        for (_, _, text) in scripts {
            for (at, _) in text.match_indices("t(\"") {
                let is_call = !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
                let key = text[at + 3..].split('"').next().unwrap();
                assert!(!is_call || english.contains(&key), "the text {key} is missing");
            }
        }
    }
}
