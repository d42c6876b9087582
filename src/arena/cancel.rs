//! Stopping a match from another thread.

use crate::search::Control;
use crossbeam::channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use std::sync::{Arc, Weak};

/// A flag that many threads can wait for and that ends running searches. Clones are the same flag.
///
/// ```
/// use kroon::arena::cancel::Cancel;
/// let cancel = Cancel::new();
/// assert!(!cancel.is_cancelled());
/// cancel.clone().cancel();
/// assert!(cancel.is_cancelled());
/// ```
#[derive(Clone, Debug)]
pub struct Cancel {
    /// Nothing is ever sent: the end of the channel is the signal, and all receivers see it.
    signal: Receiver<()>,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Debug)]
struct Shared {
    sender: Option<Sender<()>>,
    searches: Vec<Weak<Control>>,
}

impl Cancel {
    /// Not cancelled.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Cancel {
        let (sender, signal) = bounded(0);
        let shared = Shared { sender: Some(sender), searches: Vec::new() };
        Cancel { signal, shared: Arc::new(Mutex::new(shared)) }
    }

    /// Tells everybody to stop.
    pub fn cancel(&self) {
        let mut shared = self.shared.lock();
        shared.sender = None;
        shared.searches.drain(..).filter_map(|search| search.upgrade()).for_each(|search| search.stop());
    }

    /// Whether everybody was told to stop.
    pub fn is_cancelled(&self) -> bool {
        self.shared.lock().sender.is_none()
    }

    /// A channel that is closed when everybody shall stop: for `select`.
    pub fn signal(&self) -> &Receiver<()> {
        &self.signal
    }

    /// Stops this search, too, when the time has come.
    pub fn watch(&self, search: &Arc<Control>) {
        let mut shared = self.shared.lock();
        if shared.sender.is_none() {
            return search.stop();
        }
        shared.searches.retain(|other| other.strong_count() > 0);
        shared.searches.push(Arc::downgrade(search));
    }
}
