//! The address of this machine in its network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, UdpSocket};

/// Addresses of documentation (RFC 5737, RFC 3849), which stand for any that is far away.
const FAR_4: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1));
const FAR_6: IpAddr = IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1));
/// The port "discard"; nothing is sent there.
const PORT: u16 = 9;

/// Where other computers of the network reach a server that listens at this address: the address from which this machine
/// would send to others, if the server listens at all addresses. `None` where it does not, or there is no network.
///
/// ```
/// use std::net::{IpAddr, Ipv4Addr};
/// assert_eq!(kroon::web::network_address(IpAddr::V4(Ipv4Addr::LOCALHOST)), None);
/// ```
pub fn network_address(listening: IpAddr) -> Option<IpAddr> {
    if !listening.is_unspecified() {
        return None;
    }
    // A socket for all addresses of IPv6 takes connections of IPv4, too, on most systems.
    let old = own_address(Ipv4Addr::UNSPECIFIED.into(), FAR_4);
    if listening.is_ipv4() { old } else { old.or_else(|| own_address(Ipv6Addr::UNSPECIFIED.into(), FAR_6)) }
}

/// The address from which packets go there. To connect a UDP socket chooses it, and sends nothing.
fn own_address(any: IpAddr, there: IpAddr) -> Option<IpAddr> {
    let socket = UdpSocket::bind((any, 0)).ok()?;
    socket.connect((there, PORT)).ok()?;
    let own = socket.local_addr().ok()?.ip();
    (!own.is_unspecified() && !own.is_loopback()).then_some(own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_found_is_one_of_this_machine() {
        for any in [IpAddr::V4(Ipv4Addr::UNSPECIFIED), IpAddr::V6(Ipv6Addr::UNSPECIFIED)] {
            if let Some(own) = network_address(any) {
                assert!(UdpSocket::bind((own, 0)).is_ok(), "{own}");
            }
        }
        assert_eq!(network_address("192.0.2.7".parse().unwrap()), None);
        assert_eq!(own_address(Ipv4Addr::LOCALHOST.into(), Ipv4Addr::LOCALHOST.into()), None);
    }
}
