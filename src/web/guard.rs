//! Who may talk to the server: a page that this server has served, nobody else.
//!
//! A browser that shows another page can be made to send requests to 127.0.0.1. Three things keep them out: the `Host`
//! must be an address of this server (DNS rebinding makes it another name), an `Origin` must be this server's, and
//! whatever does something needs a token that only the printed address has.

use rand::RngExt;
use std::net::{IpAddr, SocketAddr};

/// Letters of a token: 24 of 32 are 120 bits.
pub const TOKEN_LETTERS: usize = 24;
const ALPHABET: &[u8; 32] = b"abcdefghijklmnopqrstuvwxyz234567";

/// A new token, or name of a session: 24 letters and digits that nobody can guess.
///
/// ```
/// let token = kroon::web::token();
/// assert_eq!(token.len(), kroon::web::TOKEN_LETTERS);
/// assert_ne!(token, kroon::web::token());
/// ```
pub fn token() -> String {
    let mut random = rand::rng();
    (0..TOKEN_LETTERS).map(|_| char::from(ALPHABET[random.random_range(0..ALPHABET.len())])).collect()
}

/// The port that clients leave out of the name of a host.
const HTTP_PORT: u16 = 80;
const HTTP_SUFFIX: &str = ":80";

/// What the server lets in.
///
/// ```
/// use kroon::web::Guard;
/// let guard = Guard::new("127.0.0.1:8064".parse().unwrap(), "secret".into());
/// assert!(guard.is_host("localhost:8064") && !guard.is_host("evil.example:8064"));
/// assert!(guard.is_origin("http://127.0.0.1:8064") && !guard.is_origin("https://evil.example"));
/// assert!(guard.is_token("secret") && !guard.is_token("secre"));
/// ```
#[derive(Clone, Debug)]
pub struct Guard {
    hosts: Vec<String>,
    /// Whether every host is good: the server listens on all addresses of the machine, of which it does not know the
    /// names.
    any_address: Option<u16>,
    token: String,
}

impl Guard {
    /// For a server that listens at this address.
    pub fn new(address: SocketAddr, token: String) -> Guard {
        let port = address.port();
        let mut hosts = vec![address.to_string()];
        if address.ip().is_loopback() {
            hosts.push(format!("localhost:{port}"));
        }
        if port == HTTP_PORT {
            let short: Vec<_> =
                hosts.iter().filter_map(|host| host.strip_suffix(HTTP_SUFFIX)).map(str::to_owned).collect();
            hosts.extend(short);
        }
        Guard { hosts, any_address: address.ip().is_unspecified().then_some(port), token }
    }

    /// Whether a `Host` header names this server.
    pub fn is_host(&self, host: &str) -> bool {
        // A numeric address cannot be rebound.
        let is_numeric = |port| {
            host.strip_suffix(&format!(":{port}"))
                .or((port == HTTP_PORT).then_some(host))
                .map(|name| name.trim_start_matches('[').trim_end_matches(']'))
                .is_some_and(|name| name.parse::<IpAddr>().is_ok() || name == "localhost")
        };
        self.hosts.iter().any(|known| known.eq_ignore_ascii_case(host))
            || self.any_address.is_some_and(is_numeric)
    }

    /// Whether an `Origin` header names this server.
    pub fn is_origin(&self, origin: &str) -> bool {
        origin.strip_prefix("http://").is_some_and(|host| self.is_host(host))
    }

    /// Whether it is the token. Takes as long for every text of the same length.
    pub fn is_token(&self, text: &str) -> bool {
        let same = text.bytes().zip(self.token.bytes()).fold(0, |different, (a, b)| different | (a ^ b)) == 0;
        same && text.len() == self.token.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_on_all_addresses_takes_numbers_but_no_names() {
        let guard = Guard::new("0.0.0.0:99".parse().unwrap(), token());
        assert!(
            guard.is_host("192.168.1.7:99") && guard.is_host("localhost:99") && guard.is_host("[::1]:99")
        );
        assert!(!guard.is_host("192.168.1.7:98") && !guard.is_host("evil.example:99") && !guard.is_host(""));
        assert!(guard.is_origin("http://192.168.1.7:99") && !guard.is_origin("null"));
    }

    #[test]
    fn clients_leave_out_the_port_of_http() {
        let guard = Guard::new("127.0.0.1:80".parse().unwrap(), token());
        assert!(guard.is_host("127.0.0.1") && guard.is_host("localhost") && guard.is_host("localhost:80"));
        assert!(guard.is_origin("http://127.0.0.1") && !guard.is_origin("http://evil.example"));
        assert!(!guard.is_host("127.0.0.1:8080") && !guard.is_host("127.0.0.2"));
        let guard = Guard::new("0.0.0.0:80".parse().unwrap(), token());
        assert!(guard.is_host("192.168.1.7") && guard.is_host("[::1]") && guard.is_host("[::1]:80"));
        assert!(!guard.is_host("192.168.1.7:81") && !guard.is_host("evil.example"));
        assert!(!Guard::new("0.0.0.0:81".parse().unwrap(), token()).is_host("192.168.1.7"));
    }

    #[test]
    fn a_loopback_server_takes_its_own_names_only() {
        let guard = Guard::new("[::1]:99".parse().unwrap(), token());
        assert!(guard.is_host("[::1]:99") && guard.is_host("LOCALHOST:99"));
        assert!(!guard.is_host("127.0.0.1:99") && !guard.is_host("localhost"));
        assert!(!guard.is_token("") && !guard.is_token(&token()));
    }
}
