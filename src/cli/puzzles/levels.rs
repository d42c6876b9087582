//! `kroon puzzles --levels`: how many puzzles levels of strength solve.

use anyhow::{Result, bail};
use kroon::puzzles::{Checker, FinderSettings, Puzzle};
use kroon::search::Control;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Classes of difficulty in the table of `--levels`: below this.
const CLASSES: [f64; 5] = [3.0, 4.0, 5.0, 7.0, f64::INFINITY];

/// A puzzle and how often each level solved it: a line of a file of puzzles with two fields more.
#[derive(Serialize)]
pub(super) struct Tried {
    #[serde(flatten)]
    puzzle: Puzzle,
    tries: u32,
    /// By level.
    solved: BTreeMap<u8, u32>,
}

/// Lets levels try puzzles, and prints how many of each class of difficulty each of them solves.
pub(super) fn solve(
    levels: &[u8],
    tries: u32,
    puzzles: Vec<Puzzle>,
    control: &Control,
    out: &mut dyn Write,
) -> Result<Vec<Tried>> {
    let mut checker = Checker::new(1, FinderSettings::default().hash_mb);
    let new = |puzzle| Tried { puzzle, tries, solved: BTreeMap::new() };
    let mut tried: Vec<Tried> = puzzles.into_iter().map(new).collect();
    let all = tried.len();
    let class = |one: &Tried| {
        CLASSES.iter().position(|&below| one.puzzle.difficulty < below).unwrap_or(CLASSES.len() - 1)
    };
    let mut sizes = [0_usize; CLASSES.len()];
    tried.iter().for_each(|one| sizes[class(one)] += 1);
    let names = std::iter::once(1.0).chain(CLASSES).zip(CLASSES);
    let names: Vec<String> =
        names.map(|(from, to)| format!("{:>9}", format!("{from}-{}", to.min(10.0)))).collect();
    writeln!(out, "difficulty {}  {:>8}", names.join(" "), "all")?;
    for &level in levels {
        let mut solved = [0_usize; CLASSES.len()];
        for (index, one) in tried.iter_mut().enumerate() {
            // Every try has its own luck, the first ones of all puzzles different luck.
            let seeds = (0..u64::from(tries)).map(|round| (round << 32) + index as u64 + 1);
            let mut count = 0;
            for seed in seeds {
                count += u32::from(checker.is_solved_by(level, &one.puzzle, seed, control)?);
                if control.is_stopped() {
                    bail!("interrupted at level {level}, puzzle {} of {all}; no file was written", index + 1);
                }
            }
            one.solved.insert(level, count);
            solved[class(one)] += count as usize;
        }
        let percent = |part: usize, whole: usize| match whole * tries as usize {
            0 => "-".to_owned(),
            all => format!("{:.1}%", 100.0 * part as f64 / all as f64),
        };
        let cells: Vec<String> =
            solved.iter().zip(sizes).map(|(&part, whole)| format!("{:>9}", percent(part, whole))).collect();
        let all = percent(solved.iter().sum(), tried.len());
        writeln!(out, "level {level:<4} {}  {all:>8}", cells.join(" "))?;
    }
    let sizes: Vec<String> = sizes.iter().map(|size| format!("{size:>9}")).collect();
    writeln!(out, "puzzles    {}  {:>8}", sizes.join(" "), tried.len())?;
    Ok(tried)
}

/// Writes a line for each puzzle.
pub(super) fn write(tried: &[Tried], file: &mut dyn Write) -> io::Result<()> {
    for one in tried {
        serde_json::to_writer(&mut *file, one)?;
        file.write_all(b"\n")?;
    }
    Ok(())
}
