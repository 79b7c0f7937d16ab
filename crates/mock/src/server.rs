//! Binds, accepts, stops.

use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;

/// How to run the server.
#[derive(Debug, Clone)]
pub struct Options {
    /// Address and port; port 0 takes a free one.
    pub listen: String,
    /// Folder of captured streams for `/replay/`.
    pub captures: Option<PathBuf>,
}

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// The address is in use.
    #[error(
        "{listen} is in use: stop what listens there or give another port with --listen HOST:PORT"
    )]
    Taken {
        /// What was asked for.
        listen: String,
    },
    /// The address cannot be bound for another reason.
    #[error(
        "cannot listen on {listen}: {reason}; --listen takes HOST:PORT, for example 127.0.0.1:7071"
    )]
    Bind {
        /// What was asked for.
        listen: String,
        /// What the system said.
        reason: std::io::Error,
    },
}

/// A running server. It stops when dropped.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
}

impl Server {
    /// Binds and starts to serve, on threads of its own.
    pub fn start(options: Options) -> Result<Self, StartError> {
        let listen = options.listen;
        let listener = match TcpListener::bind(&listen) {
            Ok(listener) => listener,
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse => {
                return Err(StartError::Taken { listen });
            }
            Err(reason) => return Err(StartError::Bind { listen, reason }),
        };
        match listener.local_addr() {
            Ok(address) => Ok(Self { listener, address }),
            Err(reason) => Err(StartError::Bind { listen, reason }),
        }
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Stops serving.
    pub fn stop(self) {
        drop(self.listener);
    }
}
