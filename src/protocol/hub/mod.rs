//! The Hub protocol, version 2 (see protocol-docs/hub.md).
