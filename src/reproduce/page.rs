//! A report as an HTML page that needs nothing else.

use super::report::{Report, Row, Table};
use super::text::{cells, claims};
use crate::svg::page::{footer, head};
use crate::svg::plot::{Curve, Plot, color};
use maud::{DOCTYPE, Markup, html};

/// The page.
pub fn page(report: &Report) -> String {
    let title = format!("{}: {}", report.experiment, report.title);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head("reproduce", &title, ""))
            body {
                header {
                    h1 { (title) }
                    p { "Source: " (report.source) }
                    ul { @for line in &report.settings { li { (line) } } }
                }
                @for table in &report.tables {
                    h2 { (table.title) }
                    @if table.is_curve { (curve(table)) }
                    (rows(&cells(table)))
                }
                @if !report.claims.is_empty() {
                    h2 { "What the source says" }
                    (rows(&claims(&report.claims)))
                }
                @for remark in &report.remarks { p { (remark) } }
                (footer())
            }
        }
    };
    page.into_string()
}

fn rows(rows: &[Vec<String>]) -> Markup {
    html! {
        table {
            @for (index, row) in rows.iter().enumerate() {
                @if index == 0 {
                    thead { tr { @for cell in row { th { (cell) } } } }
                } @else {
                    tr { @for cell in row { td { (cell) } } }
                }
            }
        }
    }
}

/// The share of games won, row by row, between the bounds of its interval.
fn curve(table: &Table) -> Markup {
    let line = |name: &str, color, value: &dyn Fn(&Row) -> f64| Curve {
        color,
        name: name.to_owned(),
        points: table.rows.iter().enumerate().map(|(at, row)| (at as f64, 100.0 * value(row))).collect(),
    };
    let curves = [
        line("games won", color(0), &|row| row.ours.share().value()),
        line("95% from", color(7), &|row| row.ours.share().interval()[0]),
        line("95% to", color(7), &|row| row.ours.share().interval()[1]),
    ];
    let plot = Plot::new(860.0, 260.0, (0.0, table.rows.len().saturating_sub(1) as f64), (0.0, 100.0));
    plot.curves(&curves, ["row of the table", "games won in %"], &[])
}
