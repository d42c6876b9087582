//! The queue of messages to the opponent. Some programs take everything that one read gives them for a single message, so
//! messages keep a distance, unless the opponent has spoken in between and so has read the one before.

use super::message::Message;
use super::transport::{ACCEPT_PAUSE, MESSAGE_PAUSE};
use std::collections::VecDeque;
use std::time::Instant;

/// The messages that wait.
#[derive(Debug, Default)]
pub(super) struct MessageQueue {
    queue: VecDeque<Message>,
    not_before: Option<Instant>,
}

impl MessageQueue {
    pub fn push(&mut self, message: Message) {
        self.queue.push_back(message);
    }

    /// The opponent has said something.
    pub fn heard(&mut self) {
        self.not_before = None;
    }

    /// When the next message may go; none if there is none.
    pub fn due(&self, now: Instant) -> Option<Instant> {
        self.queue.front().map(|_| self.not_before.unwrap_or(now).max(now))
    }

    /// The next message, if it may go now.
    pub fn pop(&mut self, now: Instant) -> Option<Message> {
        if self.not_before.is_some_and(|time| now < time) {
            return None;
        }
        let message = self.queue.pop_front()?;
        let pause = if matches!(message, Message::GameAccept { .. }) { ACCEPT_PAUSE } else { MESSAGE_PAUSE };
        self.not_before = Some(now + pause);
        Some(message)
    }
}

#[cfg(test)]
mod tests {
    use super::super::fields::Name;
    use super::super::message::{AcceptCode, BackCode};
    use super::*;

    #[test]
    fn messages_keep_their_distance() {
        let now = Instant::now();
        let mut queue = MessageQueue::default();
        assert_eq!(queue.due(now), None);
        for code in [BackCode::Granted, BackCode::Refused, BackCode::Unsupported] {
            queue.push(Message::BackAccept(code));
        }
        assert_eq!(queue.pop(now), Some(Message::BackAccept(BackCode::Granted)));
        assert_eq!(queue.pop(now), None);
        assert_eq!(queue.due(now), Some(now + MESSAGE_PAUSE));
        queue.heard();
        assert_eq!(queue.due(now), Some(now));
        assert_eq!(queue.pop(now), Some(Message::BackAccept(BackCode::Refused)));
        assert!(queue.pop(now + MESSAGE_PAUSE).is_some());
        assert_eq!(queue.due(now), None);
        // The time of the first move runs.
        let mut queue = MessageQueue::default();
        queue.push(Message::GameAccept { name: Name::new("Kroon"), code: AcceptCode::Accepted });
        queue.push(Message::BackAccept(BackCode::Granted));
        assert!(queue.pop(now).is_some());
        assert_eq!(queue.due(now), Some(now + ACCEPT_PAUSE));
    }
}
