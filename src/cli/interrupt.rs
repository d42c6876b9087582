//! What an interruption by the user (Ctrl-C, or a request to terminate) does.

use anyhow::{Context, Result};
use kroon::arena::cancel::Cancel;
use kroon::search::Control;
use std::sync::Arc;

/// An interruption does this, each time. Once in a program.
pub fn on_interrupt(act: impl FnMut() + Send + 'static) -> Result<()> {
    ctrlc::set_handler(act).context("cannot watch for interrupts")
}

/// A search that an interruption stops.
pub fn stopped_by_interrupt() -> Result<Arc<Control>> {
    let control = Arc::new(Control::new());
    let handle = Arc::clone(&control);
    on_interrupt(move || handle.stop())?;
    Ok(control)
}

/// A signal that an interruption gives.
pub fn cancelled_by_interrupt() -> Result<Cancel> {
    let cancel = Cancel::new();
    let handle = cancel.clone();
    on_interrupt(move || handle.cancel())?;
    Ok(cancel)
}
