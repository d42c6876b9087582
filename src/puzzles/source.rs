//! Games from files: PDN, the results of `kroon match`, the games of `kroon selfplay`. One by one, in bounded memory.

use crate::arena::record::GameRecord;
use crate::arena::store::MatchHeader;
use crate::board::Color;
use crate::files::{Input, InputReader};
use crate::game::Game;
use crate::notation::pdn::PdnStream;
use crate::rules::VariantId;
use crate::train::shard::{ShardError, ShardHeader, ShardReader};
use crate::words::quote;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use thiserror::Error;

/// Longest line of a results file, in bytes.
const LONGEST_LINE: u64 = 4 << 20;

/// Why a file, or one game of it, cannot be used.
#[derive(Debug, Error)]
pub enum SourceError {
    /// The file system said no.
    #[error("\"{path}\": {source}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// A game that cannot be played, or only in part, or with something in it that is no part of a game.
    #[error("\"{path}\", game {number}: {fault}")]
    Game {
        /// The file.
        path: String,
        /// Its number in the file, from 1.
        number: usize,
        /// What is wrong.
        fault: String,
    },
    /// Behind the last game of a file, or in one without games, stands something else.
    #[error("\"{path}\": {fault}")]
    Rest {
        /// The file.
        path: String,
        /// What is wrong.
        fault: String,
    },
    /// A PDN file without a game.
    #[error("no game found in \"{0}\"")]
    NoGame(String),
    /// A file of self-play games.
    #[error(transparent)]
    Shard(#[from] ShardError),
}

/// A game, and where it is from.
#[derive(Clone, Debug)]
pub struct SourcedGame {
    /// Its number in the file, from 1.
    pub number: usize,
    /// What to call it: file and number, with the names of the players where the file has them.
    pub name: String,
    /// The game.
    pub game: Game,
    /// Whether the file has no more moves of it, which could not be followed.
    pub is_whole: bool,
}

/// The games of a file.
#[derive(Debug)]
pub struct GameSource {
    path: PathBuf,
    kind: Kind,
    /// In place of what the file says.
    variant: Option<VariantId>,
    number: usize,
    /// Games of one PDN game that sets up positions in between, and what was wrong with it.
    waiting: std::collections::VecDeque<Result<SourcedGame, SourceError>>,
}

#[derive(Debug)]
enum Kind {
    Pdn(Box<PdnStream<BufReader<InputReader>>>),
    Match(BufReader<InputReader>, VariantId),
    Selfplay(Box<ShardReader<BufReader<InputReader>>>),
    /// There is nothing more.
    Ended,
}

impl GameSource {
    /// Opens a file of any of the three kinds; its beginning tells which. `variant` is that of PDN games in place of
    /// what their tags say.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn open(path: &Path, variant: Option<VariantId>) -> Result<GameSource, SourceError> {
        let io = |source| SourceError::Io { path: path.display().to_string(), source };
        GameSource::of(&Input::open(path).map_err(io)?, variant)
    }

    /// The same for a file that others read, too.
    ///
    /// # Errors
    /// As [`GameSource::open`].
    pub fn of(input: &Input, variant: Option<VariantId>) -> Result<GameSource, SourceError> {
        let path = input.path();
        let io = |source| SourceError::Io { path: path.display().to_string(), source };
        let mut file = BufReader::with_capacity(1 << 16, input.reader().map_err(io)?);
        let start = file.fill_buf().map_err(io)?;
        let kind = if start.starts_with(b"{\"kroon_match\"") {
            let header = line(&mut file).map_err(io)?.unwrap_or_default();
            let variant = match_variant(&header).map_err(|fault| SourceError::Game {
                path: path.display().to_string(),
                number: 0,
                fault,
            })?;
            Kind::Match(file, variant)
        } else if is_shard(start) {
            Kind::Selfplay(Box::new(ShardReader::new(path, file)?))
        } else {
            Kind::Pdn(Box::new(PdnStream::new(file)))
        };
        Ok(GameSource { path: path.to_owned(), kind, variant, number: 0, waiting: Default::default() })
    }

    fn fault(&self, fault: impl ToString) -> SourceError {
        let path = self.path.display().to_string();
        SourceError::Game { path, number: self.number, fault: fault.to_string() }
    }

    /// The name of the current game.
    fn name(&self) -> String {
        let file = self.path.file_name().unwrap_or_default().to_string_lossy();
        format!("{file}, game {}", self.number)
    }

    fn next_pdn(&mut self) -> Option<Result<SourcedGame, SourceError>> {
        let Kind::Pdn(stream) = &mut self.kind else { return None };
        let next = stream.next();
        // Taken each time, so that a file of nothing but faults does not fill the memory.
        let warning = stream.take_warnings().into_iter().next();
        let path = || self.path.display().to_string();
        let pdn = match next {
            Some(Ok(pdn)) => pdn,
            Some(Err(source)) => return Some(Err(SourceError::Io { path: path(), source })),
            None => {
                self.kind = Kind::Ended;
                if let Some(warning) = warning {
                    self.waiting
                        .push_back(Err(SourceError::Rest { path: path(), fault: warning.to_string() }));
                }
                if self.number == 0 {
                    self.waiting.push_back(Err(SourceError::NoGame(path())));
                }
                return self.waiting.pop_front();
            }
        };
        self.number += 1;
        let variant = self.variant.map_or_else(|| pdn.variant(), Ok);
        let replay = match variant.and_then(|variant| pdn.replay_as(variant)) {
            Ok(replay) => replay,
            Err(fault) => {
                if let Some(warning) = warning {
                    let warning = self.fault(warning);
                    self.waiting.push_back(Err(warning));
                }
                return Some(Err(self.fault(fault)));
            }
        };
        let players: Vec<&str> =
            [Color::White, Color::Black].into_iter().filter_map(|color| pdn.player(color)).collect();
        let mut name = self.name();
        if !players.is_empty() {
            name = format!("{name} ({})", players.join(" - "));
        }
        for game in replay.sections() {
            self.waiting.push_back(Ok(SourcedGame {
                number: self.number,
                name: name.clone(),
                game: game.clone(),
                is_whole: replay.stopped.is_none(),
            }));
        }
        for fault in replay.stopped.into_iter().chain(warning) {
            let fault = self.fault(fault);
            self.waiting.push_back(Err(fault));
        }
        self.waiting.pop_front()
    }

    fn next_of_match(&mut self) -> Option<Result<SourcedGame, SourceError>> {
        loop {
            let Kind::Match(file, variant) = &mut self.kind else { return None };
            let text = match line(file) {
                // Only a line that is being written has no end.
                Ok(text) => text.filter(|text| text.ends_with('\n'))?,
                Err(source) => {
                    let path = self.path.display().to_string();
                    return Some(Err(SourceError::Io { path, source }));
                }
            };
            if text.starts_with("{\"kroon_match\"") {
                continue;
            }
            self.number += 1;
            let variant = *variant;
            let game = serde_json::from_str::<GameRecord>(&text).map_err(|error| error.to_string());
            let game = game.and_then(|record| record.replay(variant).map_err(|error| error.to_string()));
            return Some(match game {
                Ok(game) => Ok(SourcedGame { number: self.number, name: self.name(), game, is_whole: true }),
                Err(fault) => Err(self.fault(fault)),
            });
        }
    }

    fn next_of_selfplay(&mut self) -> Option<Result<SourcedGame, SourceError>> {
        let Kind::Selfplay(shard) = &mut self.kind else { return None };
        let variant = shard.variant();
        let record = match shard.next_game() {
            Ok(record) => record?,
            Err(error) => return Some(Err(error.into())),
        };
        self.number += 1;
        Some(match record.game(variant) {
            Ok(game) => Ok(SourcedGame { number: self.number, name: self.name(), game, is_whole: true }),
            Err(fault) => Err(self.fault(fault)),
        })
    }
}

impl Iterator for GameSource {
    type Item = Result<SourcedGame, SourceError>;

    /// The next game. A game that cannot be played is an error, and the next call goes on behind it; behind an error of
    /// the file system or in a damaged file of self-play there is nothing.
    fn next(&mut self) -> Option<Result<SourcedGame, SourceError>> {
        if let Some(waiting) = self.waiting.pop_front() {
            return Some(waiting);
        }
        let next = match self.kind {
            Kind::Pdn(_) => self.next_pdn(),
            Kind::Match(..) => self.next_of_match(),
            Kind::Selfplay(_) => self.next_of_selfplay(),
            Kind::Ended => None,
        };
        if let Some(Err(SourceError::Io { .. } | SourceError::Shard(_))) = next {
            self.kind = Kind::Ended;
        }
        next
    }
}

/// The next line with its end, if there is one; at most [`LONGEST_LINE`] bytes of it.
fn line(file: &mut BufReader<InputReader>) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = file.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

fn match_variant(header: &str) -> Result<VariantId, String> {
    let header: MatchHeader =
        serde_json::from_str(header).map_err(|error| format!("{} is no header: {error}", quote(header)))?;
    header.variant.parse().map_err(|error: crate::rules::UnknownVariant| error.to_string())
}

/// Whether a file begins as a shard of self-play does.
fn is_shard(start: &[u8]) -> bool {
    let head = &start[..start.len().min(80)];
    head.starts_with(b"{") && String::from_utf8_lossy(head).contains(ShardHeader::FORMAT)
}
