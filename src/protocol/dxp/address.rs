//! Where an opponent listens: a host, perhaps with its port.

use crate::notation::text::quote;
use std::str::FromStr;

/// `HOST`, `HOST:PORT`, `[v6]:PORT`, or an address of IPv6 alone, with or without brackets.
///
/// ```
/// use kroon::protocol::dxp::address::Address;
/// let address: Address = "[fe80::1]:27531".parse().unwrap();
/// assert_eq!((address.host.as_str(), address.port), ("fe80::1", Some(27531)));
/// assert!("host:0".parse::<Address>().is_err());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Address {
    /// Name or address, without brackets.
    pub host: String,
    /// The port, if it is said.
    pub port: Option<u16>,
}

impl FromStr for Address {
    type Err = String;

    fn from_str(text: &str) -> Result<Address, String> {
        let (host, port) = split(text);
        let port = port.map(|port| port.parse().ok().filter(|&port: &u16| port > 0));
        match (host, port) {
            ("", _) | (_, Some(None)) => {
                Err(format!("{} found, expected HOST, HOST:PORT or [v6]:PORT", quote(text)))
            }
            (host, port) => Ok(Address { host: host.to_owned(), port: port.flatten() }),
        }
    }
}

/// Host and port as they are written.
fn split(text: &str) -> (&str, Option<&str>) {
    if let Some((host, rest)) = text.strip_prefix('[').and_then(|text| text.split_once(']')) {
        // What stands behind the bracket and is no port is a fault.
        return (host, (!rest.is_empty()).then(|| rest.strip_prefix(':').unwrap_or(rest)));
    }
    match text.split_once(':') {
        // Several colons: IPv6, which has no port without brackets.
        Some((host, port)) if !port.contains(':') => (host, Some(port)),
        _ => (text, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_with_and_without_a_port() {
        for (text, host, port) in [
            ("localhost", "localhost", None),
            ("10.0.0.7:4000", "10.0.0.7", Some(4000)),
            ("::1", "::1", None),
            ("[::1]", "::1", None),
            ("[fe80::1]:27531", "fe80::1", Some(27531)),
        ] {
            assert_eq!(text.parse(), Ok(Address { host: host.to_owned(), port }), "{text}");
        }
        for text in ["", ":4000", "host:", "host:0", "host:70000", "host:x", "[]", "[::1]x", "[::1]:"] {
            assert!(text.parse::<Address>().is_err_and(|fault| fault.contains(text)), "{text}");
        }
    }
}
