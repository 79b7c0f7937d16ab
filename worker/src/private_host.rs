//! Which hosts belong to a private network: the edge never asks those.

use std::net::{Ipv4Addr, Ipv6Addr};

use url::Host;

/// Whether a host is one of a private network. The URL parser has already turned `0x7f.1`, `2130706433`
/// and the like into addresses, and names into lower case.
pub fn is_private(host: &Host<&str>) -> bool {
    match host {
        Host::Ipv4(address) => is_private_v4(*address),
        Host::Ipv6(address) => is_private_v6(*address),
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            // A name without a dot is a name of the local network.
            let inside = [
                "localhost",
                "local",
                "internal",
                "lan",
                "home.arpa",
                "intranet",
            ];
            !name.contains('.')
                || inside
                    .iter()
                    .any(|suffix| name.strip_suffix(suffix).is_some_and(|n| n.ends_with('.')))
        }
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_multicast()
        || address.is_documentation()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b)) // carrier-grade NAT, RFC 6598
        || (a == 198 && (b == 18 || b == 19)) // benchmarks, RFC 2544
        || (a == 192 && b == 0 && c == 0) // protocol assignments, RFC 6890
}

fn is_private_v6(address: Ipv6Addr) -> bool {
    // Addresses that carry an IPv4 one are judged by it: mapped, compatible, NAT64 (RFC 6052), 6to4.
    let s = address.segments();
    let carried = |high: u16, low: u16| {
        is_private_v4(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)))
    };
    match s {
        [0, 0, 0, 0, 0, 0, high, low] | [0, 0, 0, 0, 0, 0xffff, high, low] => carried(high, low),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] | [0x2002, high, low, ..] => carried(high, low),
        [first, ..] => {
            address.is_multicast()
                || (first & 0xfe00) == 0xfc00 // unique local, RFC 4193
                || (first & 0xffc0) == 0xfe80 // link local
                || (first & 0xffc0) == 0xfec0 // site local, deprecated
                || (first == 0x64 && s[1] == 0xff9b) // local-use NAT64, RFC 8215
                || (first == 0x2001 && s[1] == 0xdb8) // documentation
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(host: &str) -> bool {
        let url = url::Url::parse(&format!("https://{host}/")).unwrap();
        is_private(&url.host().unwrap())
    }

    #[test]
    fn a_private_host_is_known_however_it_is_written() {
        for host in [
            "127.0.0.1",
            "localhost",
            "LOCALHOST.",
            "a.localhost",
            "printer.local",
            "metadata.google.internal",
            "intranet",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "2130706433",
            "0x7f.1",
            "0177.0.0.1",
            "127.1",
            "[::1]",
            "[::]",
            "[fd00::1]",
            "[fe80::1]",
            "[::ffff:10.0.0.1]",
            "[64:ff9b::127.0.0.1]",
            "[2002:7f00:1::]",
        ] {
            assert!(of(host), "{host}");
        }
    }

    #[test]
    fn public_hosts_are_not_private() {
        for host in [
            "api.openai.com",
            "1.1.1.1",
            "[2606:4700::1111]",
            "local.example.com",
        ] {
            assert!(!of(host), "{host}");
        }
    }
}
