//! Threads that have room for a search.

use std::io;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// Stack of a thread that searches, in bytes: a search recurses, and not every system gives threads as much as the first
/// one has. A game of Frisian draughts with 200,000 nodes for each move overflows 64 KiB and is content with 128 KiB; a
/// build without optimisation takes several times as much, and what is not used costs no memory.
const STACK_BYTES: usize = 16 << 20;

/// A thread that may search, to be started.
///
/// ```
/// let thread = kroon::search::search_thread("answer").spawn(|| 42)?;
/// assert_eq!(thread.join().ok(), Some(42));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn search_thread(name: impl Into<String>) -> Builder {
    Builder::new().name(name.into()).stack_size(STACK_BYTES)
}

/// As [`Scope::spawn`], with a thread that may search.
///
/// # Errors
/// When the system gives no thread. Those that run already go on: who waits for what they do has to end them.
pub fn spawn_search<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    name: impl Into<String>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    search_thread(name).spawn_scoped(scope, work)
}
