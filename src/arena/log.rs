//! Logs the dialogue of each game to its own file.

use parking_lot::Mutex;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// A log that grows beyond this is cut: an engine can write for ever.
const MOST_BYTES: usize = 64 << 20;

/// Where the dialogue of a game goes; the default goes nowhere. Clones write to the same file.
#[derive(Clone, Debug, Default)]
pub struct GameLog(Option<Arc<Mutex<Log>>>);

#[derive(Debug)]
struct Log {
    file: BufWriter<File>,
    start: Instant,
    room: usize,
}

impl GameLog {
    /// The file `game-NNNNNN.log` in a folder, which is made if need be. What an abandoned attempt at the same game
    /// left there is replaced.
    ///
    /// # Errors
    /// When folder or file cannot be made.
    pub fn create(folder: &Path, game: usize) -> io::Result<GameLog> {
        fs::create_dir_all(folder)?;
        let file = BufWriter::new(File::create(folder.join(format!("game-{game:06}.log")))?);
        let log = Log { file, start: Instant::now(), room: MOST_BYTES };
        Ok(GameLog(Some(Arc::new(Mutex::new(log)))))
    }

    /// Whether anything is written at all.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// A line: seconds since the start, who, a sign for the direction, what.
    pub fn line(&self, who: &str, sign: &str, text: &dyn Display) {
        let Some(log) = &self.0 else { return };
        let mut log = log.lock();
        let line = format!("{:10.4} {who} {sign} {text}\n", log.start.elapsed().as_secs_f64());
        if line.len() > log.room {
            log.room = 0;
            return;
        }
        log.room -= line.len();
        // A full disk must not stop the match; the results file will say so.
        let _ = log.file.write_all(line.as_bytes());
    }

    /// Hands what was written to the system.
    pub fn flush(&self) {
        if let Some(log) = &self.0 {
            let _ = log.lock().file.flush();
        }
    }
}
