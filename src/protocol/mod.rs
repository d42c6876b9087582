//! Protocols for other programs. A session is a pure state machine; input and output live in one transport file each.

pub mod dxp;
pub mod hub;
