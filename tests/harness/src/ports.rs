//! Who listens where.

use std::net::{Ipv4Addr, TcpListener};

use crate::trouble::Trouble;

/// The ports of one run.
#[derive(Debug, Clone, Copy)]
pub struct Ports {
    /// The collector, with the page.
    pub collector: u16,
    /// The scripted LLM server.
    pub mock: u16,
    /// The worker.
    pub worker: u16,
    /// The bare loop beside the worker.
    pub bare: u16,
}

impl Ports {
    /// Four in a row from `base`, all of which must be free.
    ///
    /// # Errors
    /// The first that is taken.
    pub fn from_base(base: u16) -> Result<Self, Trouble> {
        let port = |offset: u16, what| {
            let port = base.saturating_add(offset);
            match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
                Ok(_) => Ok(port),
                Err(_) => Err(Trouble::PortTaken { port, what }),
            }
        };
        Ok(Self {
            collector: port(0, "the collector")?,
            mock: port(1, "the scripted LLM server")?,
            worker: port(2, "the edge worker")?,
            bare: port(3, "the bare loop beside the worker")?,
        })
    }

    /// Any that are free now.
    ///
    /// # Errors
    /// When the system has none.
    pub fn free() -> Result<Self, Trouble> {
        // Held together, so that no two are the same.
        let held = [listener()?, listener()?, listener()?, listener()?];
        let port = |at: usize| number(&held[at]);
        Ok(Self {
            collector: port(0)?,
            mock: port(1)?,
            worker: port(2)?,
            bare: port(3)?,
        })
    }
}

/// One port that is free now.
///
/// # Errors
/// When the system has none.
pub fn free() -> Result<u16, Trouble> {
    number(&listener()?)
}

/// A server's listener on this machine and its port; 0 takes any that is free.
///
/// # Errors
/// When it cannot listen there.
pub(crate) async fn listen(port: u16) -> Result<(tokio::net::TcpListener, u16), Trouble> {
    let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await;
    let listener = listener.map_err(none)?;
    let port = listener.local_addr().map_err(none)?.port();
    Ok((listener, port))
}

fn listener() -> Result<TcpListener, Trouble> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(none)
}

fn number(listener: &TcpListener) -> Result<u16, Trouble> {
    listener
        .local_addr()
        .map(|address| address.port())
        .map_err(none)
}

fn none(error: std::io::Error) -> Trouble {
    Trouble::Answer {
        url: "127.0.0.1".to_owned(),
        reason: format!("no port to listen at: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_taken_port_is_named_with_what_needs_it() {
        let held = listener().unwrap();
        let port = number(&held).unwrap();
        let refused = Ports::from_base(port).unwrap_err().to_string();
        assert!(
            refused.contains(&format!("port {port} (for the collector) is taken")),
            "{refused}"
        );
        assert!(refused.contains("--port"), "{refused}");
    }
}
