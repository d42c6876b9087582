//! Positions whose complete list of moves tells variants apart.

use super::articles::check;

/// Variant, position, all legal moves (from, to, captured squares in ascending order), what it shows.
const PROBES: &[(&str, &str, &str, &str)] = &[
    (
        "international",
        "W:W48:B24,K31,34,K42,43",
        "48x19x24x34x43",
        "most pieces wins; kings and men count 1 each",
    ),
    (
        "international",
        "W:W26:B12,K21,31,32",
        "26x8x12x21 26x28x31x32",
        "equal numbers: free choice, captured king gives no priority",
    ),
    ("international", "W:W15:B9,10", "15x13x9x10", "man passing over the last row stays a man"),
    (
        "international",
        "W:WK41,49:B9,10,12,19,38",
        "41x43x9x12x19x38",
        "captured pieces stay as obstacles until the end",
    ),
    (
        "international",
        "W:WK46:BK28",
        "46x23x28 46x19x28 46x14x28 46x10x28 46x5x28",
        "king may land on any free square behind",
    ),
    ("killer", "W:WK46:BK28", "46x23x28", "last victim is a king: stop directly behind it"),
    (
        "international",
        "W:WK46:B37,K19",
        "46x14x19x37 46x10x19x37 46x5x19x37",
        "(same position, normal rules)",
    ),
    ("killer", "W:WK46:B37,K19", "46x14x19x37", "last of two victims is a king"),
    ("killer", "W:WK46:BK37,19", "46x14x19x37 46x10x19x37 46x5x19x37", "last victim is a man: free landing"),
    ("frisian", "W:W33:B23", "33x13x23", "man captures straight up"),
    ("frisian", "W:W33:B23,28", "33x24x23x28", "mixed directions in one capture"),
    (
        "frisian",
        "W:WK48:B28",
        "48x18x28 48x8x28",
        "king captures along a file, lands on any free same-colour square",
    ),
    (
        "frisian",
        "W:WK46,33:B28",
        "46x23x28 46x19x28 46x14x28 46x10x28 46x5x28",
        "equal value: the king has to do it",
    ),
    (
        "international",
        "W:WK46,33:B28",
        "33x22x28 46x23x28 46x19x28 46x14x28 46x10x28 46x5x28",
        "(same position, normal rules)",
    ),
    (
        "frisian",
        "B:W11,16,19,22,24,31,33,35,K39,K43,K44,K45:BK20,38",
        "38x9x19x33x39x43x44",
        "2 men + 3 kings (7.97) beats 7 men",
    ),
    ("russian", "W:W11:B7,9", "11x13x7x9", "crowned in passing, goes on as king"),
    ("pool", "W:W11:B7,9", "11x2x7", "no crowning in passing, nothing more to take as a man"),
    ("brazilian", "W:W11:B7,6,14", "11x18x6x7x14", "majority, stays a man"),
    (
        "russian",
        "W:W11:B7,6,14",
        "11x18x6x7x14 11x23x6x7x14 11x27x6x7x14 11x32x6x7x14",
        "crowned in passing, king must take on and may choose landing",
    ),
    ("pool", "W:W11:B7,6,14", "11x18x6x7x14", "passes the king row, continues as man"),
    ("english", "W:W11:B7,6,14", "11x2x7", "crowning ends the move"),
    ("english", "W:W22:B17,18,9", "22x6x9x17 22x15x18", "free choice between a double and a single"),
    (
        "russian",
        "W:WK29,24:B22,19,11",
        "24x8x11x19 29x8x11x22 29x4x11x22",
        "king must choose a landing square that lets it go on",
    ),
    ("brazilian", "W:WK29,24:B22,19,11", "24x8x11x19 29x8x11x22 29x4x11x22", "majority"),
    ("czech", "W:WK29,24:B22,19,11", "29x8x11x22 29x4x11x22", "king capture has priority over man capture"),
    (
        "czech",
        "W:WK29,20:B22,16",
        "29x18x22 29x15x22 29x11x22 29x8x22 29x4x22",
        "king priority even for equal/smaller captures",
    ),
    ("italian", "W:W30:BK26", "30-27", "man may not take a king"),
    ("italian", "W:WK21,31:B10,18,27", "31x6x10x18x27", "rung 1: number"),
    ("italian", "W:WK23,31:B19,26,27", "23x21x26x27", "rung 2: king captures first"),
    ("italian", "W:WK23:B19,K28", "23x32x28", "rung 3: most kings"),
    ("italian", "W:WK30:B10,12,18,K20,K26,27", "30x5x10x18x26", "rung 4: king met earliest"),
    ("spanish", "W:W10:B13,K14", "10x19x14", "equal number: most kings (official numbering, White moves up)"),
    (
        "spanish",
        "W:WK7,10:B14",
        "10x19x14 7x18x14 7x21x14 7x25x14",
        "equal: no priority for the king as captor",
    ),
    ("thai", "W:WK29:B22", "29x18x22", "king lands directly behind"),
];

#[test]
fn probe_positions() {
    for &(variant, fen, moves, shows) in PROBES {
        let variant = variant.parse().unwrap_or_else(|error| panic!("{shows}: {error}"));
        check(variant, fen, moves);
    }
}
