//! Predicted against observed results as a picture.

use kroon::train::dataset::wdl::WdlBucket;
use maud::html;

/// Distinguishable also for people who see no difference between red and green: name, colour, dashes.
const CURVES: [(&str, &str, &str); 3] =
    [("win", "#2563a8", ""), ("draw", "#8a6d3b", "7 4"), ("loss", "#d9730d", "2 4")];
const INK: &str = "#3c434b";
const GRID: &str = "#e2ddd2";
const SIZE: f64 = 420.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 48.0;
const WIDTH: f64 = LEFT + SIZE + 24.0;
const HEIGHT: f64 = TOP + SIZE + 60.0;
/// Buckets with fewer positions say nothing.
const FEWEST: u64 = 50;

fn x(share: f64) -> String {
    format!("{:.1}", LEFT + share * SIZE)
}

fn y(share: f64) -> String {
    format!("{:.1}", TOP + (1.0 - share) * SIZE)
}

/// The three curves with the diagonal on which they would lie if every prediction came true; the size of a dot follows
/// the number of positions.
pub fn plot(title: &str, positions: u64, buckets: &[Vec<WdlBucket>; 3]) -> String {
    let ticks: Vec<f64> = (0..=5).map(|i| f64::from(i) / 5.0).collect();
    let most = buckets.iter().flatten().map(|bucket| bucket.positions).max().unwrap_or(1) as f64;
    let radius = |bucket: &WdlBucket| format!("{:.1}", 2.0 + 5.0 * (bucket.positions as f64 / most).sqrt());
    html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(WIDTH) height=(HEIGHT) viewBox={ "0 0 " (WIDTH) " " (HEIGHT) }
            font-family="system-ui, sans-serif" font-size="13" fill=(INK) {
            title { (title) }
            rect width=(WIDTH) height=(HEIGHT) fill="#ffffff" {}
            text x=(x(0.0)) y="24" font-size="15" font-weight="600" { (title) }
            text x=(x(0.0)) y="41" font-size="12" { (positions) " positions of games held out" }
            @for tick in &ticks {
                line x1=(x(*tick)) x2=(x(*tick)) y1=(y(0.0)) y2=(y(1.0)) stroke=(GRID) {}
                line x1=(x(0.0)) x2=(x(1.0)) y1=(y(*tick)) y2=(y(*tick)) stroke=(GRID) {}
                text x=(x(*tick)) y=(TOP + SIZE + 20.0) text-anchor="middle" { (format!("{:.0}%", tick * 100.0)) }
                text x=(LEFT - 8.0) y=(y(*tick)) dy="4" text-anchor="end" { (format!("{:.0}%", tick * 100.0)) }
            }
            line x1=(x(0.0)) y1=(y(0.0)) x2=(x(1.0)) y2=(y(1.0)) stroke=(INK) stroke-dasharray="1 3" {}
            text x=(x(0.5)) y=(HEIGHT - 12.0) text-anchor="middle" { "predicted chance" }
            text x="16" y=(y(0.5)) text-anchor="middle" transform={ "rotate(-90 16 " (y(0.5)) ")" } {
                "observed share of positions"
            }
            @for ((name, color, dashes), (row, buckets)) in CURVES.iter().zip(buckets.iter().enumerate()) {
                @let shown: Vec<&WdlBucket> = buckets.iter().filter(|bucket| bucket.positions >= FEWEST).collect();
                @let points: Vec<String> = shown.iter().map(|b| x(b.predicted) + "," + &y(b.observed)).collect();
                polyline points=(points.join(" ")) fill="none" stroke=(color) stroke-width="2"
                    stroke-dasharray=[(!dashes.is_empty()).then_some(dashes)] {}
                @for bucket in &shown {
                    circle cx=(x(bucket.predicted)) cy=(y(bucket.observed)) r=(radius(bucket)) fill=(color) {
                        title {
                            (name) ": predicted " (format!("{:.1}%", 100.0 * bucket.predicted)) ", observed "
                            (format!("{:.1}%", 100.0 * bucket.observed)) ", " (bucket.positions) " positions"
                        }
                    }
                }
                line x1=(LEFT + 14.0) x2=(LEFT + 46.0) y1=(TOP + 20.0 + 20.0 * row as f64)
                    y2=(TOP + 20.0 + 20.0 * row as f64) stroke=(color) stroke-width="2"
                    stroke-dasharray=[(!dashes.is_empty()).then_some(dashes)] {}
                text x=(LEFT + 54.0) y=(TOP + 24.0 + 20.0 * row as f64) { (name) }
            }
        }
    }
    .into_string()
}
