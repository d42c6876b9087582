//! A report as text.

use super::report::{Claim, Report, Row, Table, interval_text, number_text, percent};
use std::fmt::Write;

/// The report as plain text with aligned columns.
pub fn text(report: &Report) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{}: {}\nsource: {}", report.experiment, report.title, report.source);
    for line in &report.settings {
        let _ = writeln!(out, "  {line}");
    }
    for table in &report.tables {
        let _ = write!(out, "\n{}\n{}", table.title, aligned(&cells(table)));
    }
    if !report.claims.is_empty() {
        let _ = write!(out, "\nWhat the source says\n{}", aligned(&claims(&report.claims)));
    }
    for remark in &report.remarks {
        let _ = write!(out, "\n{remark}\n");
    }
    out
}

/// The table as text, heads first; columns of what was published only where something was.
pub(super) fn cells(table: &Table) -> Vec<Vec<String>> {
    let is_published = table.rows.iter().any(|row| row.published.is_some());
    let mut head = vec!["games"];
    if is_published {
        head.extend(["published", "95%"]);
    }
    head.extend(["ours", "95%", "won/drawn/lost"]);
    let mut head: Vec<String> = head.into_iter().map(str::to_owned).collect();
    head.extend(table.numbers.iter().cloned());
    head.push("what follows".to_owned());
    let row = |row: &Row| {
        let mut cells = vec![row.what.clone()];
        match row.published {
            Some(published) => {
                cells.extend([percent(published.value(), published.games), interval_text(published)])
            }
            None if is_published => cells.extend(["-".to_owned(), "-".to_owned()]),
            None => (),
        }
        let (ours, games) = (row.ours, row.ours.share());
        cells.extend([
            percent(games.value(), games.games),
            interval_text(games),
            format!("{}/{}/{}", ours.won, ours.drawn, ours.lost),
        ]);
        cells.extend(row.numbers.iter().map(|&number| number_text(number)));
        cells.push(row.follows.clone());
        cells
    };
    let mut rows = vec![head];
    rows.extend(table.rows.iter().map(row));
    if rows.iter().skip(1).all(|row| row.last().is_some_and(String::is_empty)) {
        rows.iter_mut().for_each(|row| drop(row.pop()));
    }
    rows
}

/// The claims as text, heads first.
pub(super) fn claims(claims: &[Claim]) -> Vec<Vec<String>> {
    let head = ["claim", "published", "ours", "our games", "published numbers"].map(str::to_owned).to_vec();
    let row = |claim: &Claim| {
        let has_numbers = claim.published.contains(|letter: char| letter.is_ascii_digit());
        let carried = match claim.carried {
            true => "carry it",
            false if has_numbers => "do not carry it",
            false => "none",
        };
        vec![
            claim.text.clone(),
            claim.published.clone(),
            claim.ours.clone(),
            claim.verdict.name().to_owned(),
            carried.to_owned(),
        ]
    };
    std::iter::once(head).chain(claims.iter().map(row)).collect()
}

/// Lines of columns; the first is flush left, the others too, for many are words.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// The report as JSON, one object, with a line end.
///
/// ```
/// # use kroon::reproduce::{Report, json};
/// # fn show(report: &Report) {
/// let text = json(report);
/// # }
/// ```
pub fn json(report: &Report) -> String {
    // Plain data, which JSON can express.
    serde_json::to_string_pretty(report).unwrap_or_default() + "\n"
}
