//! The queue of lines to the client, written one at a time.
//!
//! Some clients lose a line that arrives together with the one before (protocol-docs/hub.md, "One line at a time"), so
//! every line waits until the one before has been read. Where the system does not tell that, lines keep a small
//! distance. A search can be faster than its reader: of the variations that wait only the newest counts.

use super::Outlet;
use super::reply::Reply;
use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use std::io;
use std::time::{Duration, Instant};

/// How long after a look at the reader the next one follows: at first, and at most while nothing new comes.
const GLANCE: Duration = Duration::from_micros(50);
const LONGEST_GLANCE: Duration = Duration::from_millis(5);
/// Distance between lines where nobody can say whether they were read.
const PAUSE: Duration = Duration::from_millis(1);
/// Distance before a variation that holds up the end of a search.
const SHORT_PAUSE: Duration = Duration::from_micros(500);
/// Waiting lines beyond which [`ReplyQueue::is_full`].
const FULL: usize = 1024;

/// The lines that wait, shared between those who fill it and the one thread that writes.
#[derive(Debug, Default)]
pub(super) struct ReplyQueue {
    state: Mutex<Pending>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Pending {
    queue: VecDeque<Reply>,
    closed: bool,
}

impl ReplyQueue {
    /// Adds a line; never blocks.
    pub(super) fn push(&self, reply: Reply) {
        enqueue(&mut self.state.lock().queue, reply);
        self.changed.notify_one();
    }

    /// Whether so much waits that no more work should be taken on.
    pub(super) fn is_full(&self) -> bool {
        self.state.lock().queue.len() > FULL
    }

    /// Lets [`ReplyQueue::run`] return once all is written.
    pub(super) fn close(&self) {
        self.state.lock().closed = true;
        self.changed.notify_one();
    }

    /// Writes lines until the queue is closed and empty.
    ///
    /// # Errors
    /// When the output cannot be written; all that waits is lost.
    pub(super) fn run(&self, mut output: impl Outlet) -> io::Result<()> {
        let mut last: Option<Instant> = None;
        while let Some(reply) = self.next(&output, last) {
            let mut line = reply.to_string();
            log::debug!("< {line}");
            line.push('\n');
            output.write_all(line.as_bytes())?;
            output.flush()?;
            last = Some(Instant::now());
        }
        Ok(())
    }

    /// Waits for a line and for its time.
    fn next(&self, output: &impl Outlet, last: Option<Instant>) -> Option<Reply> {
        let mut state = self.state.lock();
        let mut glance = GLANCE;
        loop {
            let Some(last) = last.filter(|_| !state.closed && !state.queue.is_empty()) else {
                if state.queue.is_empty() && !state.closed {
                    self.changed.wait(&mut state);
                    continue;
                }
                // The first line, or one after which nobody waits for anything.
                return state.queue.pop_front();
            };
            let pause = pause(&state.queue);
            let due = match output.is_read() {
                _ if pause.is_zero() => return state.queue.pop_front(),
                Some(true) => return state.queue.pop_front(),
                Some(false) => Instant::now() + glance,
                None => last + pause,
            };
            if due <= Instant::now() {
                return state.queue.pop_front();
            }
            // What waits, or how long, may change while we do.
            let is_quiet = self.changed.wait_until(&mut state, due).timed_out();
            glance = if is_quiet { LONGEST_GLANCE.min(2 * glance) } else { GLANCE };
        }
    }
}

/// Adds a line. A variation replaces a waiting one of the same rank; an answer to `ping` passes waiting variations.
fn enqueue(queue: &mut VecDeque<Reply>, reply: Reply) {
    let infos = queue.iter().rev().take_while(|waiting| matches!(waiting, Reply::Info(_))).count();
    let first_info = queue.len() - infos;
    match &reply {
        Reply::Info(info) => {
            let same = |waiting: &Reply| matches!(waiting, Reply::Info(old) if old.rank == info.rank);
            if let Some(index) = queue.range(first_info..).position(same) {
                queue.remove(first_info + index);
            }
            queue.push_back(reply);
        }
        Reply::Pong => queue.insert(first_info, reply),
        _ => queue.push_back(reply),
    }
}

/// How long after the last line the first of these is due.
fn pause(queue: &VecDeque<Reply>) -> Duration {
    match queue.front() {
        Some(Reply::Pong) | None => Duration::ZERO,
        Some(Reply::Info(info)) if queue.iter().any(|waiting| !matches!(waiting, Reply::Info(_))) => {
            // Clients that ask for several variations do not suffer from lines that come together, and the end of the
            // search must not wait for all of them.
            if info.rank.is_some() { Duration::ZERO } else { SHORT_PAUSE }
        }
        Some(_) => PAUSE,
    }
}

#[cfg(test)]
mod tests {
    use super::super::reply::InfoLine;
    use super::*;
    use crate::score::Score;
    use std::io::Read;

    fn info(rank: Option<usize>, depth: u32) -> Reply {
        Reply::Info(InfoLine {
            rank,
            depth,
            mean_depth: 1.0,
            score: Score::DRAW,
            winrate: None,
            wdl: None,
            nodes: 1,
            time: Duration::ZERO,
            nps: 0.0,
            pv: vec!["32-28".parse().unwrap()],
        })
    }

    fn done() -> Reply {
        Reply::Done { best: None, ponder: None }
    }

    fn queue(replies: impl IntoIterator<Item = Reply>) -> VecDeque<Reply> {
        let mut queue = VecDeque::new();
        replies.into_iter().for_each(|reply| enqueue(&mut queue, reply));
        queue
    }

    #[test]
    fn only_the_newest_variation_of_each_rank_waits() {
        assert_eq!(queue([info(None, 1), info(None, 2), done()]), [info(None, 2), done()]);
        let many = [info(Some(1), 1), info(Some(2), 1), info(Some(1), 2), done(), info(Some(1), 3)];
        assert_eq!(queue(many), [info(Some(2), 1), info(Some(1), 2), done(), info(Some(1), 3)]);
    }

    #[test]
    fn pong_passes_variations_only() {
        assert_eq!(queue([done(), info(None, 1), Reply::Pong]), [done(), Reply::Pong, info(None, 1)]);
    }

    #[test]
    fn the_end_of_a_search_waits_little() {
        assert_eq!(pause(&queue([info(None, 1)])), PAUSE);
        assert_eq!(pause(&queue([info(None, 1), done()])), SHORT_PAUSE);
        assert_eq!(pause(&queue([done()])), PAUSE);
        assert_eq!(pause(&queue([Reply::Pong])), Duration::ZERO);
        assert_eq!(pause(&queue([info(Some(1), 1), done()])), Duration::ZERO);
    }

    #[test]
    fn all_is_written_before_it_ends() {
        let queue = ReplyQueue::default();
        for reply in [Reply::Wait, Reply::Ready, done()] {
            queue.push(reply);
        }
        queue.close();
        let (mut reader, writer) = io::pipe().unwrap();
        queue.run(writer).unwrap();
        let mut written = String::new();
        reader.read_to_string(&mut written).unwrap();
        assert_eq!(written, "wait\nready\ndone\n");
    }
}
