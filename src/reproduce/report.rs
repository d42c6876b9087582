//! What came of an experiment: tables, claims and remarks, the same for people and for programs.

use super::share::Share;
use crate::arena::stats::Trinomial;
use serde::Serialize;

/// An experiment that was repeated.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Report {
    /// Its name on the command line.
    pub experiment: String,
    /// What it repeats, in a few words.
    pub title: String,
    /// Title and authors of the source.
    pub source: String,
    /// How it was played: what the source leaves open is said here.
    pub settings: Vec<String>,
    /// What came of it.
    pub tables: Vec<Table>,
    /// What the source claims, and whether the games show it.
    pub claims: Vec<Claim>,
    /// Sentences about differences.
    pub remarks: Vec<String>,
    /// Seconds that all games took, added over the games.
    pub seconds: f64,
}

impl Report {
    /// The claims that the published numbers carry and these games do not show.
    pub fn failures(&self) -> impl Iterator<Item = &Claim> {
        self.claims.iter().filter(|claim| claim.carried && claim.verdict != Verdict::Shown)
    }
}

/// Rows of games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// Names of [`Row::numbers`].
    pub numbers: Vec<String>,
    /// Whether the rows follow each other in time, so that they make a curve.
    pub is_curve: bool,
    /// The rows.
    pub rows: Vec<Row>,
}

/// Games of one player, and what was published about such games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Row {
    /// Who plays whom, and how.
    pub what: String,
    /// The share of games won that was published, if one was.
    pub published: Option<Share>,
    /// Our games.
    pub ours: Games,
    /// More numbers, such as pieces left; none where nothing is known.
    pub numbers: Vec<Option<f64>>,
    /// What follows.
    pub follows: String,
}

/// Counts of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Games {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

impl Games {
    /// The share of games won.
    pub fn share(self) -> Share {
        Share { won: self.won, games: self.won + self.drawn + self.lost }
    }

    /// Games won more than lost, in standard errors of chance alone: draws say nothing. With the correction for whole games
    /// few of them show no more than they do: four of four come about by chance one time in eight.
    pub fn sigmas_won(self) -> f64 {
        let decided = self.won + self.lost;
        let more = self.won as f64 - self.lost as f64;
        if decided == 0 { 0.0 } else { (more.abs() - 1.0).max(0.0).copysign(more) / (decided as f64).sqrt() }
    }
}

impl From<Trinomial> for Games {
    fn from(games: Trinomial) -> Games {
        Games { won: games.wins, drawn: games.draws, lost: games.losses }
    }
}

impl Row {
    /// A row whose conclusion is the comparison of what was published with our games.
    pub fn new(what: String, published: Option<Share>, ours: Games, numbers: Vec<Option<f64>>) -> Row {
        let follows = published.map_or_else(String::new, |published| compare(published, ours.share()));
        Row { what, published, ours, numbers, follows }
    }
}

/// What two shares of the same thing say about each other.
fn compare(published: Share, ours: Share) -> String {
    let sigmas = ours.sigmas_above(published);
    let points = 100.0 * (ours.value() - published.value());
    match (sigmas.abs() < LEVEL, points > 0.0) {
        (true, _) => "agrees".to_owned(),
        (false, true) => format!("higher by {points:.0} points ({sigmas:.1} sigma)"),
        (false, false) => format!("lower by {:.0} points ({:.1} sigma)", -points, -sigmas),
    }
}

/// Standard errors from which a difference counts.
pub const LEVEL: f64 = 2.0;

/// Something that the source says.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Claim {
    /// What.
    pub text: String,
    /// Whether the published numbers carry it.
    pub carried: bool,
    /// The published difference, in words.
    pub published: String,
    /// Ours, in words.
    pub ours: String,
    /// What our games say.
    pub verdict: Verdict,
}

/// What games say about a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// They show it, by two standard errors at least.
    Shown,
    /// They cannot tell.
    Open,
    /// They show the contrary.
    Contradicted,
}

impl Verdict {
    /// From a difference in standard errors, positive in favour of the claim.
    pub fn of(sigmas: f64) -> Verdict {
        if sigmas >= LEVEL {
            Verdict::Shown
        } else if sigmas <= -LEVEL {
            Verdict::Contradicted
        } else {
            Verdict::Open
        }
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Shown => "shown",
            Verdict::Open => "not shown",
            Verdict::Contradicted => "contradicted",
        }
    }
}

/// `52%`, or with decimals where the games are many.
pub fn percent(value: f64, games: u64) -> String {
    let decimals = usize::from(games > 100);
    format!("{:.decimals$}%", 100.0 * value)
}

/// `[42.3, 61.5]`
pub fn interval_text(share: Share) -> String {
    let [low, high] = share.interval();
    format!("[{:.1}, {:.1}]", 100.0 * low, 100.0 * high)
}

/// `2.5`, or a dash.
pub fn number_text(number: Option<f64>) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.2}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_say_which_way() {
        let published = Share { won: 81, games: 100 };
        assert_eq!(compare(published, Share { won: 790, games: 1000 }), "agrees");
        assert!(compare(published, Share { won: 500, games: 1000 }).starts_with("lower by 31 points"));
        assert!(compare(published, Share { won: 950, games: 1000 }).starts_with("higher by 14 points"));
    }

    #[test]
    fn only_carried_claims_fail() {
        let claim = |carried, verdict| Claim {
            text: String::new(),
            carried,
            published: String::new(),
            ours: String::new(),
            verdict,
        };
        let report = Report {
            experiment: String::new(),
            title: String::new(),
            source: String::new(),
            settings: Vec::new(),
            tables: Vec::new(),
            claims: vec![
                claim(true, Verdict::Shown),
                claim(false, Verdict::Contradicted),
                claim(false, Verdict::Open),
                claim(true, Verdict::Open),
            ],
            remarks: Vec::new(),
            seconds: 0.0,
        };
        assert_eq!(report.failures().count(), 1);
        assert_eq!([-2.0, -1.9, 1.9, 2.0].map(Verdict::of)[..2], [Verdict::Contradicted, Verdict::Open]);
        assert_eq!(Verdict::of(2.0), Verdict::Shown);
        let games = Games { won: 60, drawn: 100, lost: 40 };
        assert_eq!(games.sigmas_won(), 1.9);
        let whole = |won, lost| Verdict::of(Games { won, drawn: 0, lost }.sigmas_won());
        assert_eq!([whole(4, 0), whole(0, 4), whole(1, 0)], [Verdict::Open; 3]);
        assert_eq!([whole(6, 0), whole(0, 6)], [Verdict::Shown, Verdict::Contradicted]);
    }
}
