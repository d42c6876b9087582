//! The learning curve as a picture.

use crate::agents::learned::LearnedHeader;
use crate::svg;
use crate::svg::plot::{Curve, Plot, color};

/// The share of test games won over the games learned from, and the share of points (a draw is half of one), as SVG.
/// A training without tests has empty axes.
pub fn plot(header: &LearnedHeader) -> String {
    let share = |points: fn(&[u64; 4]) -> f64| -> Vec<(f64, f64)> {
        let of = |point: &[u64; 4]| {
            let games = (point[1] + point[2] + point[3]).max(1);
            (point[0] as f64, 100.0 * points(point) / games as f64)
        };
        header.curve.iter().map(of).collect()
    };
    let curves = [
        Curve { color: color(0), name: "won".to_owned(), points: share(|point| point[1] as f64) },
        Curve {
            color: color(1),
            name: "points".to_owned(),
            points: share(|point| point[1] as f64 + point[2] as f64 / 2.0),
        },
    ];
    let last = header.curve.last().map_or(0, |point| point[0]).max(1);
    let plot = Plot::new(640.0, 320.0, (0.0, last as f64), (0.0, 100.0));
    svg::file(&plot.curves(&curves, ["games learned from", "% of test games"], &[]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::VariantId;

    #[test]
    fn every_point_is_drawn() {
        let header = LearnedHeader {
            variant: VariantId::English,
            settings: Vec::new(),
            seed: 1,
            games: 20,
            planned: 20,
            parent: None,
            prior: None,
            curve: vec![[0, 50, 0, 50], [10, 60, 20, 20], [20, 80, 0, 20]],
        };
        let picture = plot(&header);
        let lines: Vec<&str> = picture.split("<polyline points=\"").skip(1).collect();
        let ys = |line: &str| -> Vec<f64> {
            let points = line.split('"').next().unwrap().split(' ');
            points.map(|point| point.split_once(',').unwrap().1.parse().unwrap()).collect()
        };
        let (won, points) = (ys(lines[0]), ys(lines[1]));
        assert_eq!((lines.len(), won.len(), points.len()), (2, 3, 3));
        // 60 won and 20 drawn of 100 are 70 points; the axis points down.
        assert!(won[0] > won[1] && won[1] > won[2] && points[1] < won[1] && points[2] == won[2]);
        assert!(plot(&LearnedHeader { curve: Vec::new(), ..header }).contains("games learned from"));
    }
}
