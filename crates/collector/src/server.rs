//! Binding, running and stopping.

use std::collections::HashMap;
use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::serve::ListenerExt;
use streamlag_wire::relay::HourlyCap;
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use crate::config::{Config, ConfigError, Secrets};
use crate::edge::EdgeLink;
use crate::store::{Sqlite, Store, StoreError};
use crate::{routes, upstream};

/// How long answers that are under way may take to end after the stop signal.
const GRACE: Duration = Duration::from_secs(3);

/// Large bodies parsed at once.
const PARSERS: usize = 4;

/// What to serve, and where.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// The configuration; the default one has no targets.
    pub config: Config,
    /// Address and port to listen on, instead of the configuration's.
    pub listen: Option<SocketAddr>,
    /// The database file, instead of the configuration's.
    pub db: Option<PathBuf>,
    /// Where keys and shared secrets come from; by default, the environment.
    pub secrets: Secrets,
}

/// Why the collector did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// Other machines could reach it, and nobody said that they may.
    #[error(
        "{0} can be reached from other machines: they could read all records and spend your targets' keys. \
         Listen on 127.0.0.1, or set allow_public = true under [collector] in streamlag.toml"
    )]
    Public(SocketAddr),
    /// Something else listens there.
    #[error("the port of {0} is taken: stop what listens there, or choose another with --listen")]
    Taken(SocketAddr),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {reason}; choose another address with --listen")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why.
        reason: std::io::Error,
    },
    /// The configuration cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// No client for targets could be made.
    #[error("cannot set up connections to targets: {0}")]
    Client(#[from] reqwest::Error),
    /// The server broke while running.
    #[error("the server stopped: {0}")]
    Run(std::io::Error),
}

/// What handlers share.
pub(crate) struct App {
    pub(crate) config: Config,
    pub(crate) secrets: Secrets,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) edge: Option<EdgeLink>,
    /// By target id.
    pub(crate) upstreams: HashMap<String, Upstream>,
    /// Becomes true when the collector is asked to stop.
    pub(crate) stopping: watch::Receiver<bool>,
    pub(crate) started: Instant,
    /// Turns at parsing a large body.
    pub(crate) parsing: Semaphore,
}

/// The way to one target.
pub(crate) struct Upstream {
    pub(crate) client: reqwest::Client,
    pub(crate) cap: Mutex<HourlyCap>,
}

/// A collector that listens and does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    db: PathBuf,
    app: Arc<App>,
    stop: watch::Sender<bool>,
}

impl Server {
    /// Checks everything, opens the store and takes the port.
    pub async fn bind(options: Options) -> Result<Self, ServeError> {
        let Options {
            config,
            listen,
            db,
            secrets,
        } = options;
        let address = listen.unwrap_or(config.collector.listen);
        if !address.ip().is_loopback() && !config.collector.allow_public {
            return Err(ServeError::Public(address));
        }
        let listener = take(address).await?;
        let address = listener.local_addr().map_err(ServeError::Run)?;
        let db = db.unwrap_or_else(|| config.collector.store.clone());
        let (stop, stopping) = watch::channel(false);
        let app = App {
            edge: edge(&config, &secrets)?,
            upstreams: upstreams(&config)?,
            store: Arc::new(Sqlite::open(&db)?),
            config,
            secrets,
            stopping,
            started: Instant::now(),
            parsing: Semaphore::new(PARSERS),
        };
        let app = Arc::new(app);
        Ok(Self {
            listener,
            address,
            db,
            app,
            stop,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The database file.
    pub fn db(&self) -> &std::path::Path {
        &self.db
    }

    /// What a person who starts it should know, a sentence each: what is missing, what is open.
    pub fn notes(&self) -> Vec<String> {
        let config = &self.app.config;
        let mut notes = Vec::new();
        if config.targets.is_empty() {
            notes.push(
                "no targets: add a [[target]] with id, dialect and url to streamlag.toml"
                    .to_owned(),
            );
        }
        for target in &config.targets {
            if let Some(name) = upstream::missing_key(target, &self.app.secrets) {
                notes.push(format!(
                    "target {:?} has no key: set {name} and start again",
                    target.id
                ));
            }
        }
        if self.app.edge.is_none() {
            notes.push(
                "no edge worker: records come from browsers and the command line only".to_owned(),
            );
        }
        if !self.address.ip().is_loopback() {
            notes.push(format!(
                "{} is open to other machines: they can read all records and spend your targets' keys",
                self.address
            ));
        }
        notes
    }

    /// Answers until `shutdown` resolves; then ends what is under way, commits what was taken, and closes.
    pub async fn run(self, shutdown: impl Future<Output = ()> + Send) -> Result<(), ServeError> {
        // Small chunks of a relayed stream must not wait for each other.
        let listener = self.listener.tap_io(|socket| {
            let _ = socket.set_nodelay(true);
        });
        let mut stopping = self.app.stopping.clone();
        let asked = async move {
            let _ = stopping.wait_for(|stopping| *stopping).await;
        };
        let router = routes::router(Arc::clone(&self.app));
        let serving = axum::serve(listener, router).with_graceful_shutdown(asked);
        let stop = async {
            shutdown.await;
            self.stop.send_replace(true);
            tokio::time::sleep(GRACE).await;
        };
        let result = tokio::select! {
            result = serving.into_future() => result.map_err(ServeError::Run),
            () = stop => Ok(()),
        };
        self.app.store.close().await;
        result
    }
}

async fn take(address: SocketAddr) -> Result<TcpListener, ServeError> {
    TcpListener::bind(address)
        .await
        .map_err(|source| match source.kind() {
            std::io::ErrorKind::AddrInUse => ServeError::Taken(address),
            _ => ServeError::Listen {
                address,
                reason: source,
            },
        })
}

fn edge(config: &Config, secrets: &Secrets) -> Result<Option<EdgeLink>, ServeError> {
    match (&config.edge, config.edge_secret(secrets)?) {
        (Some(edge), Some(secret)) => Ok(EdgeLink::new(edge, secret)?),
        _ => Ok(None),
    }
}

fn upstreams(config: &Config) -> Result<HashMap<String, Upstream>, ServeError> {
    let targets = config.targets.iter();
    let upstreams = targets.map(|target| {
        let connect_timeout = Duration::from_millis(u64::from(target.connect_timeout_ms));
        let upstream = Upstream {
            client: upstream::client(connect_timeout)?,
            cap: Mutex::new(HourlyCap::new(target.max_requests_per_hour)),
        };
        Ok((target.id.clone(), upstream))
    });
    upstreams.collect()
}
