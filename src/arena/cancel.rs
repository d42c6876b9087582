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
    children: Vec<Weak<Mutex<Shared>>>,
}

impl Cancel {
    /// Not cancelled.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Cancel {
        let (sender, signal) = bounded(0);
        let shared = Shared { sender: Some(sender), searches: Vec::new(), children: Vec::new() };
        Cancel { signal, shared: Arc::new(Mutex::new(shared)) }
    }

    /// Tells everybody to stop.
    pub fn cancel(&self) {
        end(&self.shared);
    }

    /// A flag of its own that is cancelled with this one, but not the other way round: for a part of the work.
    ///
    /// ```
    /// use kroon::arena::cancel::Cancel;
    /// let whole = Cancel::new();
    /// let [first, second] = [whole.child(), whole.child()];
    /// first.cancel();
    /// assert!(!whole.is_cancelled() && !second.is_cancelled());
    /// whole.cancel();
    /// assert!(second.is_cancelled() && whole.child().is_cancelled());
    /// ```
    pub fn child(&self) -> Cancel {
        let child = Cancel::new();
        let mut shared = self.shared.lock();
        if shared.sender.is_none() {
            child.cancel();
        } else {
            shared.children.retain(|other| other.strong_count() > 0);
            shared.children.push(Arc::downgrade(&child.shared));
        }
        drop(shared);
        child
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

fn end(shared: &Mutex<Shared>) {
    let mut shared = shared.lock();
    shared.sender = None;
    shared.searches.drain(..).filter_map(|search| search.upgrade()).for_each(|search| search.stop());
    shared.children.drain(..).filter_map(|child| child.upgrade()).for_each(|child| end(&child));
}
