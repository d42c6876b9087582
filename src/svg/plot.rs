//! Drawings with axes: curves, intervals, shares, predictions against what came of them.

use maud::{Markup, html};

/// Distinguishable also for people who see no difference between red and green.
const COLORS: [&str; 8] =
    ["#2563a8", "#d9730d", "#3f8f5f", "#a03a6f", "#7a5fb5", "#8a6d3b", "#2a9aa8", "#555f6b"];
const INK: &str = "#626a73";
const GRID: &str = "#e7e3da";
const FONT: &str = "system-ui, sans-serif";

/// The colour of the curve or bar with this number.
pub fn color(index: usize) -> &'static str {
    COLORS[index % COLORS.len()]
}

/// A curve: its colour, its name, its points in data units.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Its colour.
    pub color: &'static str,
    /// Its name in the legend.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// A drawing area with ranges for both axes.
#[derive(Clone, Copy, Debug)]
pub struct Plot {
    width: f64,
    height: f64,
    x: (f64, f64),
    y: (f64, f64),
}

const LEFT: f64 = 52.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 34.0;

impl Plot {
    /// An area of this size whose axes hold these ranges.
    pub fn new(width: f64, height: f64, x: (f64, f64), y: (f64, f64)) -> Plot {
        let wide =
            |(low, high): (f64, f64)| if high - low > 1e-9 { (low, high) } else { (low - 1.0, high + 1.0) };
        Plot { width, height, x: wide(x), y: wide(y) }
    }

    fn at_x(&self, x: f64) -> f64 {
        LEFT + (x - self.x.0) / (self.x.1 - self.x.0) * (self.width - LEFT - RIGHT)
    }

    fn at_y(&self, y: f64) -> f64 {
        self.height - BOTTOM - (y - self.y.0) / (self.y.1 - self.y.0) * (self.height - TOP - BOTTOM)
    }

    /// Curves with axes; `marks` are vertical lines.
    pub fn curves(&self, curves: &[Curve], labels: [&str; 2], marks: &[f64]) -> Markup {
        html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (self.width) " " (self.height) } role="img" {
                (self.grid(labels))
                @for &mark in marks {
                    @let x = place(self.at_x(mark));
                    line x1=(x) x2=(x) y1=(TOP) y2=(self.height - BOTTOM) stroke="#b9b2a4" stroke-dasharray="3 3" {}
                }
                @for curve in curves {
                    polyline points=(self.points(&curve.points)) fill="none" stroke=(curve.color) stroke-width="1.8"
                        stroke-linejoin="round" { title { (curve.name) } }
                    @if let [(x, y)] = curve.points[..] {
                        circle cx=(place(self.at_x(x))) cy=(place(self.at_y(y))) r="3" fill=(curve.color) {}
                    }
                }
                @if curves.len() > 1 {
                    // In a row above the area, where no curve runs.
                    @for (x, curve) in legend(curves) {
                        rect x=(x) y="4" width="10" height="10" rx="2" fill=(curve.color) {}
                        text x=(x + 15.0) y="13" font-family=(FONT) font-size="12" fill="#22262b" {
                            (shortened(&curve.name))
                        }
                    }
                }
            }
        }
    }

    fn points(&self, points: &[(f64, f64)]) -> String {
        let clamp = |y: f64| y.clamp(self.y.0, self.y.1);
        let words: Vec<String> = points
            .iter()
            .map(|&(x, y)| format!("{},{}", place(self.at_x(x)), place(self.at_y(clamp(y)))))
            .collect();
        words.join(" ")
    }

    fn grid(&self, [x_label, y_label]: [&str; 2]) -> Markup {
        let (right, bottom) = (self.width - RIGHT, self.height - BOTTOM);
        html! {
            @for value in ticks(self.y, 5) {
                @let y = place(self.at_y(value));
                line x1=(LEFT) x2=(right) y1=(y) y2=(y) stroke=(if value == 0.0 { "#9c958a" } else { GRID }) {}
                text x=(LEFT - 6.0) y=(y + 4.0) text-anchor="end" font-family=(FONT) font-size="11" fill=(INK) {
                    (number(value))
                }
            }
            @for value in ticks(self.x, 8) {
                @let x = place(self.at_x(value));
                line x1=(x) x2=(x) y1=(bottom) y2=(bottom + 4.0) stroke=(INK) {}
                text x=(x) y=(bottom + 16.0) text-anchor="middle" font-family=(FONT) font-size="11" fill=(INK) {
                    (number(value))
                }
            }
            text x=(right) y=(self.height - 4.0) text-anchor="end" font-family=(FONT) font-size="11" fill=(INK) {
                (x_label)
            }
            text x="12" y=(TOP + (bottom - TOP) / 2.0) font-family=(FONT) font-size="11" fill=(INK)
                text-anchor="middle" transform={ "rotate(-90 12 " (TOP + (bottom - TOP) / 2.0) ")" } { (y_label) }
        }
    }
}

/// Where the names of the curves stand.
fn legend(curves: &[Curve]) -> impl Iterator<Item = (f64, &Curve)> {
    // No more than these letters need.
    const LETTER: f64 = 7.0;
    curves.iter().scan(LEFT, |x, curve| {
        let here = *x;
        *x += 30.0 + LETTER * shortened(&curve.name).chars().count() as f64;
        Some((here, curve))
    })
}

/// A value with an interval, in a row of its own.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Its name, to the left.
    pub name: String,
    /// Its colour.
    pub color: &'static str,
    /// The value.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Values with their intervals on a common axis. What is infinite runs out of the picture.
pub fn error_bars(bars: &[Bar], label: &str) -> Markup {
    const ROW: f64 = 30.0;
    const NAMES: f64 = 150.0;
    const WIDTH: f64 = 860.0;
    let finite = |value: f64| value.is_finite().then_some(value);
    let ends: Vec<f64> =
        bars.iter().flat_map(|bar| [bar.low, bar.value, bar.high]).filter_map(finite).collect();
    let low = ends.iter().copied().fold(0.0, f64::min);
    let high = ends.iter().copied().fold(0.0, f64::max);
    let room = ((high - low) * 0.08).max(5.0);
    let (low, high) = (low - room, high + room);
    let height = ROW * bars.len() as f64 + 34.0;
    let at =
        |value: f64| place(NAMES + (value.clamp(low, high) - low) / (high - low) * (WIDTH - NAMES - 10.0));
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (WIDTH) " " (height) } role="img" {
            @for value in ticks((low, high), 8) {
                line x1=(at(value)) x2=(at(value)) y1="4" y2=(height - 30.0)
                    stroke=(if value == 0.0 { "#9c958a" } else { GRID }) {}
                text x=(at(value)) y=(height - 16.0) text-anchor="middle" font-family=(FONT) font-size="11" fill=(INK) {
                    (number(value))
                }
            }
            text x=(WIDTH - 10.0) y=(height - 2.0) text-anchor="end" font-family=(FONT) font-size="11" fill=(INK) {
                (label)
            }
            @for (row, bar) in bars.iter().enumerate() {
                @let y = 4.0 + ROW * (row as f64 + 0.5);
                text x="0" y=(y + 4.0) font-family=(FONT) font-size="13" fill="#22262b" { (shortened(&bar.name)) }
                line x1=(at(bar.low)) x2=(at(bar.high)) y1=(y) y2=(y) stroke=(bar.color) stroke-width="2" {}
                @for end in [bar.low, bar.high].into_iter().filter_map(finite) {
                    line x1=(at(end)) x2=(at(end)) y1=(y - 6.0) y2=(y + 6.0) stroke=(bar.color) stroke-width="2" {}
                }
                circle cx=(at(bar.value)) cy=(y) r="5" fill=(bar.color) {}
            }
        }
    }
}

/// Shares of a whole side by side: colour, count, name.
pub fn shares(parts: &[(&str, u64, String)]) -> Markup {
    const WIDTH: f64 = 860.0;
    let sum: u64 = parts.iter().map(|part| part.1).sum();
    let mut x = 0.0;
    let boxes: Vec<(f64, f64, &(&str, u64, String))> = parts
        .iter()
        .map(|part| {
            let width = WIDTH * part.1 as f64 / sum.max(1) as f64;
            x += width;
            (place(x - width), place(width), part)
        })
        .collect();
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (WIDTH) " 26" } role="img" {
            @for (x, width, (color, count, name)) in boxes {
                rect x=(x) y="0" width=(width) height="26" fill=(color) { title { (name) ": " (count) } }
                @if width > 30.0 {
                    text x=(x + width / 2.0) y="17.5" text-anchor="middle" font-family=(FONT) font-size="12.5" fill="#fff" {
                        (count)
                    }
                }
            }
        }
    }
}

/// One kind of outcome in [`calibration`].
#[derive(Clone, Debug)]
pub struct Calibration<'a> {
    /// Its name in the legend.
    pub name: &'a str,
    /// Predicted share, observed share and number of positions of each bucket.
    pub buckets: Vec<(f64, f64, u64)>,
}

/// Buckets with fewer positions say nothing.
const FEWEST: u64 = 50;
/// Dashes tell curves apart where colours do not.
const DASHES: [&str; 3] = ["none", "7 4", "2 4"];

/// Predicted shares to the right, observed shares upward, with the diagonal on which all would lie if every prediction
/// came true; the size of a dot follows the number of positions.
pub fn calibration(title: &str, note: &str, labels: [&str; 2], kinds: &[Calibration<'_>]) -> Markup {
    const SIZE: f64 = 420.0;
    const LEFT: f64 = 64.0;
    const TOP: f64 = 48.0;
    const WIDTH: f64 = LEFT + SIZE + 24.0;
    const HEIGHT: f64 = TOP + SIZE + 60.0;
    let (x, y) = (|share: f64| place(LEFT + share * SIZE), |share: f64| place(TOP + (1.0 - share) * SIZE));
    let percent = |share: f64| format!("{}%", number(100.0 * share));
    let all = kinds.iter().flat_map(|kind| &kind.buckets);
    let most = all.map(|bucket| bucket.2).max().unwrap_or(1).max(1) as f64;
    let radius = |positions: u64| place(2.0 + 5.0 * (positions as f64 / most).sqrt());
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } width=(WIDTH) height=(HEIGHT)
            font-family=(FONT) font-size="13" fill=(INK) role="img" {
            title { (title) }
            rect width=(WIDTH) height=(HEIGHT) fill="#ffffff" {}
            text x=(LEFT) y="24" font-size="15" font-weight="600" { (title) }
            text x=(LEFT) y="41" font-size="12" { (note) }
            @for share in ticks((0.0, 1.0), 5) {
                line x1=(x(share)) x2=(x(share)) y1=(y(0.0)) y2=(y(1.0)) stroke=(GRID) {}
                line x1=(x(0.0)) x2=(x(1.0)) y1=(y(share)) y2=(y(share)) stroke=(GRID) {}
                text x=(x(share)) y=(TOP + SIZE + 20.0) text-anchor="middle" { (percent(share)) }
                text x=(LEFT - 8.0) y=(y(share)) dy="4" text-anchor="end" { (percent(share)) }
            }
            line x1=(x(0.0)) y1=(y(0.0)) x2=(x(1.0)) y2=(y(1.0)) stroke=(INK) stroke-dasharray="1 3" {}
            text x=(x(0.5)) y=(HEIGHT - 12.0) text-anchor="middle" { (labels[0]) }
            text x="16" y=(y(0.5)) text-anchor="middle" transform={ "rotate(-90 16 " (y(0.5)) ")" } { (labels[1]) }
            @for (row, kind) in kinds.iter().enumerate() {
                @let (color, dashes) = (color(row), DASHES[row % DASHES.len()]);
                @let shown: Vec<_> = kind.buckets.iter().filter(|bucket| bucket.2 >= FEWEST).collect();
                @let points: Vec<String> = shown.iter().map(|b| format!("{},{}", x(b.0), y(b.1))).collect();
                polyline points=(points.join(" ")) fill="none" stroke=(color) stroke-width="2" stroke-dasharray=(dashes) {}
                @for &&(predicted, observed, positions) in &shown {
                    circle cx=(x(predicted)) cy=(y(observed)) r=(radius(positions)) fill=(color) {
                        title {
                            (kind.name) (format!(": predicted {:.1}%, ", 100.0 * predicted))
                            (format!("observed {:.1}%, {positions} positions", 100.0 * observed))
                        }
                    }
                }
                @let middle = TOP + 20.0 + 20.0 * row as f64;
                line x1=(LEFT + 14.0) x2=(LEFT + 46.0) y1=(middle) y2=(middle) stroke=(color) stroke-width="2"
                    stroke-dasharray=(dashes) {}
                text x=(LEFT + 54.0) y=(middle + 4.0) { (kind.name) }
            }
        }
    }
}

/// Round numbers within a range, about so many.
fn ticks((low, high): (f64, f64), about: usize) -> Vec<f64> {
    let rough = (high - low) / about as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|m| m * power).find(|&step| step >= rough).unwrap_or(rough);
    if !(step.is_finite() && step > 0.0) {
        return Vec::new();
    }
    let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
    // A negative zero would show its sign.
    (first..=last).map(|k| k as f64 * step + 0.0).collect()
}

/// A number without superfluous decimals.
fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A coordinate with as many decimals as can be seen.
fn place(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn shortened(name: &str) -> String {
    const MOST: usize = 22;
    if name.chars().count() <= MOST {
        return name.to_owned();
    }
    name.chars().take(MOST - 1).chain(['\u{2026}']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_ticks() {
        assert_eq!(ticks((0.0, 100.0), 5), [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        assert_eq!(ticks((-0.3, 0.3), 5), [-0.2, 0.0, 0.2]);
        assert!(ticks((0.0, 0.0), 5).is_empty() && ticks((0.0, f64::INFINITY), 5).is_empty());
        assert_eq!([number(0.5), number(20.0), number(-0.25)], ["0.5", "20", "-0.25"]);
    }

    #[test]
    fn predictions_are_drawn_where_there_are_enough() {
        let kinds = [
            Calibration { name: "win", buckets: vec![(0.1, 0.2, 100), (0.5, 0.5, 3), (1.0, 0.9, 400)] },
            Calibration { name: "loss", buckets: Vec::new() },
        ];
        let text = calibration("Title", "note", ["predicted", "observed"], &kinds).into_string();
        assert_eq!((text.matches("<circle").count(), text.matches("<polyline").count()), (2, 2), "{text}");
        assert!(text.contains("points=\"106,384 484,90\"") && text.contains(">100%<"), "{text}");
    }

    #[test]
    fn infinite_bars_are_drawn() {
        let bar =
            Bar { name: "x".into(), color: color(9), value: f64::INFINITY, low: 100.0, high: f64::INFINITY };
        let text = error_bars(&[bar], "Elo").into_string();
        assert!(!text.contains("inf") && !text.contains("NaN"), "{text}");
    }
}
