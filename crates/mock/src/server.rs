//! Binds, accepts, stops. One thread a connection: between the schedule and the socket there is nothing
//! but the kernel, and 50 streams on two cores wait in the kernel's timers, not in a queue of ours.

use std::collections::HashMap;
use std::net::{Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use crate::connection;
use crate::timing_error::TimingError;
use crate::truth::{Log, lock};

/// Most connections at a time; further ones are closed at once.
const MOST_CONNECTIONS: usize = 4_096;
/// A connection's thread needs little: buffers are on the heap.
const STACK_BYTES: usize = 256 << 10;
const PAUSE_AFTER_FAILED_ACCEPT: Duration = Duration::from_millis(20);

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
    /// The folder of captures is not there.
    #[error("--captures {}: there is no such folder", folder.display())]
    NoCaptures {
        /// What was asked for.
        folder: PathBuf,
    },
}

/// A running server. It stops when dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

/// What all connections share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) log: Log,
    pub(crate) captures: Option<PathBuf>,
    pub(crate) stopping: AtomicBool,
    ids: AtomicU64,
    started_unix_ms: u64,
    open: Mutex<HashMap<u64, TcpStream>>,
}

impl Server {
    /// Binds and starts to serve, on threads of its own.
    pub fn start(options: Options) -> Result<Self, StartError> {
        if let Some(folder) = options.captures.as_ref().filter(|folder| !folder.is_dir()) {
            let folder = folder.clone();
            return Err(StartError::NoCaptures { folder });
        }
        let listen = options.listen;
        let refused = |reason: std::io::Error| match reason.kind() {
            std::io::ErrorKind::AddrInUse => StartError::Taken {
                listen: listen.clone(),
            },
            _ => StartError::Bind {
                listen: listen.clone(),
                reason,
            },
        };
        let listener = TcpListener::bind(&listen).map_err(refused)?;
        let address = listener.local_addr().map_err(refused)?;
        let shared = Arc::new(Shared::new(options.captures));
        let acceptor = {
            let shared = Arc::clone(&shared);
            let name = "mock-accept".to_owned();
            thread::Builder::new()
                .name(name)
                .spawn(move || accept(&listener, &shared))
                .map_err(refused)?
        };
        Ok(Self {
            address,
            shared,
            acceptor: Some(acceptor),
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Its own timing error so far.
    pub fn timing_error(&self) -> TimingError {
        self.shared.log.timing_error()
    }

    /// Stops serving: open streams end, and the port is free on return.
    pub fn stop(mut self) {
        self.shut_down();
    }

    fn shut_down(&mut self) {
        let Some(acceptor) = self.acceptor.take() else {
            return;
        };
        self.shared.stopping.store(true, Ordering::SeqCst);
        // A last connection of its own wakes the acceptor, which then sees that it is to stop.
        if TcpStream::connect(reachable(self.address)).is_ok() {
            let _ = acceptor.join();
        }
        for stream in lock(&self.shared.open).values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shut_down();
    }
}

impl Shared {
    fn new(captures: Option<PathBuf>) -> Self {
        Self {
            log: Log::default(),
            captures,
            stopping: AtomicBool::new(false),
            ids: AtomicU64::new(0),
            started_unix_ms: unix_ms() as u64,
            open: Mutex::default(),
        }
    }

    /// An id that no other request of this server has, nor one of an earlier run.
    pub(crate) fn next_id(&self) -> String {
        let number = self.ids.fetch_add(1, Ordering::Relaxed);
        format!("mock-{:x}-{number}", self.started_unix_ms)
    }
}

/// Wall clock, ms since 1970 UTC.
pub(crate) fn unix_ms() -> f64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0.0, |t| t.as_secs_f64() * 1e3)
}

/// An address to connect to: "any" is not one.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        match address {
            SocketAddr::V4(_) => address.set_ip(Ipv4Addr::LOCALHOST.into()),
            SocketAddr::V6(_) => address.set_ip(Ipv6Addr::LOCALHOST.into()),
        }
    }
    address
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for number in 0.. {
        let accepted = listener.accept();
        if shared.stopping.load(Ordering::SeqCst) {
            return;
        }
        match accepted {
            Ok((stream, _)) => take_in(number, stream, shared),
            // Out of file descriptors, most likely: some will be free soon.
            Err(_) => thread::sleep(PAUSE_AFTER_FAILED_ACCEPT),
        }
    }
}

fn take_in(number: u64, stream: TcpStream, shared: &Arc<Shared>) {
    let Ok(handle) = stream.try_clone() else {
        return;
    };
    {
        let mut open = lock(&shared.open);
        if open.len() >= MOST_CONNECTIONS {
            return;
        }
        open.insert(number, handle);
    }
    let for_thread = Arc::clone(shared);
    let spawned = thread::Builder::new()
        .name("mock-connection".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || {
            connection::serve(stream, &for_thread, || {
                lock(&for_thread.open).remove(&number);
            });
        });
    if spawned.is_err() {
        lock(&shared.open).remove(&number);
    }
}
