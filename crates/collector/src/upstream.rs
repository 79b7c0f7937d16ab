//! The way to targets: one client each, so that no connection and no key is shared between hosts, and a
//! word for why one could not be reached.

use std::error::Error as StdError;
use std::hash::{BuildHasher, RandomState};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use http::{HeaderValue, StatusCode};
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::redirect::Policy;
use streamlag_core::ErrorClass;
use streamlag_wire::target::TargetConfig;

use crate::answer::Failure;
use crate::config::Secrets;

/// A client that asks exactly one place: no redirects, no proxy, nothing decoded.
pub(crate) fn client(connect_timeout: Duration) -> Result<reqwest::Client, reqwest::Error> {
    builder(connect_timeout).build()
}

/// The same, for those who have more to say about their client. Its failures are what [`classify`] knows.
pub fn builder(connect_timeout: Duration) -> reqwest::ClientBuilder {
    // Ignored where a provider is set already: any is good, and the first one stays.
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder()
        .user_agent(concat!("streamlag/", env!("CARGO_PKG_VERSION")))
        .redirect(Policy::none())
        .no_proxy()
        .tcp_nodelay(true)
        .connect_timeout(connect_timeout)
        .dns_resolver(Arc::new(SystemDns))
}

/// The key of a target. `None`: it needs none.
pub(crate) fn key(target: &TargetConfig, secrets: &Secrets) -> Result<Option<String>, Failure> {
    let Some(name) = &target.key_env else {
        return Ok(None);
    };
    let trouble = match secrets.get(name) {
        Some(key) if HeaderValue::from_str(&key).is_ok() => return Ok(Some(key)),
        Some(_) => "holds characters that no key has",
        None => "is not set",
    };
    let message = format!(
        "the environment variable {name} {trouble}: target {:?} takes its key from there; set it and start the collector again",
        target.id
    );
    let failure = Failure::new(StatusCode::SERVICE_UNAVAILABLE, "missing_key", message);
    Err(failure.class(ErrorClass::Prober.as_str()))
}

/// The environment variable that should hold the target's key and does not.
pub(crate) fn missing_key<'a>(target: &'a TargetConfig, secrets: &Secrets) -> Option<&'a str> {
    let name = target.key_env.as_deref();
    name.filter(|_| key(target, secrets).is_err())
}

/// Why a request got no answer, as the class that its record should hold.
pub fn classify(error: &reqwest::Error) -> ErrorClass {
    let mut cause: Option<&(dyn StdError + 'static)> = Some(error);
    while let Some(error) = cause {
        if error.is::<DnsFailed>() {
            return ErrorClass::Dns;
        }
        if error.is::<rustls::Error>() {
            return ErrorClass::Tls;
        }
        cause = beneath(error);
    }
    match error {
        error if error.is_timeout() => ErrorClass::Timeout,
        error if error.is_connect() => ErrorClass::Connect,
        _ => ErrorClass::Reset,
    }
}

/// What an error wraps. An `io::Error` gives as its source what comes after that.
fn beneath<'a>(error: &'a (dyn StdError + 'static)) -> Option<&'a (dyn StdError + 'static)> {
    let io = error.downcast_ref::<std::io::Error>();
    match io.and_then(std::io::Error::get_ref) {
        Some(inner) => Some(inner),
        None => error.source(),
    }
}

/// The failure of a request to `what` (`target "x"`, `the worker`). The URL stays out of it: it may hold a key.
pub(crate) fn unreachable(what: &str, class: ErrorClass) -> Failure {
    let reason = match class {
        ErrorClass::Dns => "its name could not be resolved; check the host in its URL",
        ErrorClass::Tls => {
            "TLS could not be agreed; check that it speaks https and has a valid certificate"
        }
        ErrorClass::Timeout => "it did not answer in time",
        ErrorClass::Connect => {
            "the connection was refused; check that it runs, and its host and port"
        }
        _ => "the connection broke before an answer came",
    };
    let message = format!("{what} cannot be reached: {reason}");
    Failure::new(StatusCode::BAD_GATEWAY, "upstream_unreachable", message).class(class.as_str())
}

/// 32 hex digits that do not come twice. They name things; they are no secret.
pub fn random_id() -> String {
    static DRAWN: AtomicU64 = AtomicU64::new(0);
    // The standard library's hash keys are drawn from the system's randomness.
    let draw = || RandomState::new().hash_one(DRAWN.fetch_add(1, Ordering::Relaxed));
    format!("{:016x}{:016x}", draw(), draw())
}

/// The system's resolver, with failures that can be told from others.
#[derive(Debug)]
struct SystemDns;

#[derive(Debug, thiserror::Error)]
#[error("the name could not be resolved")]
struct DnsFailed(#[source] std::io::Error);

impl Resolve for SystemDns {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            // Port 0: the client fills in the URL's.
            let found = tokio::net::lookup_host((name.as_str(), 0)).await;
            let found: Vec<SocketAddr> = found.map_err(DnsFailed)?.collect();
            let addresses: Addrs = Box::new(found.into_iter());
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn check(url: &str) -> ErrorClass {
        let client = client(Duration::from_secs(5)).unwrap();
        classify(&client.get(url).send().await.unwrap_err())
    }

    #[tokio::test]
    async fn a_failure_to_reach_a_target_has_a_class() {
        assert_eq!(check("http://no-such-host.invalid/").await, ErrorClass::Dns);
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let plain = tokio::spawn(async move {
            // Not TLS, and then gone.
            for answer in [b"HTTP/1.1 400 Bad Request\r\n\r\n".as_slice(), b""] {
                let (mut socket, _) = listener.accept().await.unwrap();
                let mut request = [0_u8; 1024];
                let _ = tokio::io::AsyncReadExt::read(&mut socket, &mut request).await;
                let _ = tokio::io::AsyncWriteExt::write_all(&mut socket, answer).await;
            }
        });
        assert_eq!(check(&format!("https://{address}/")).await, ErrorClass::Tls);
        assert_eq!(
            check(&format!("http://{address}/")).await,
            ErrorClass::Reset
        );
        plain.await.unwrap();
        assert_eq!(
            check(&format!("http://{address}/")).await,
            ErrorClass::Connect
        );
    }

    #[test]
    fn ids_have_32_hex_digits_and_do_not_repeat() {
        let ids: std::collections::HashSet<String> = (0..1000).map(|_| random_id()).collect();
        assert_eq!(ids.len(), 1000);
        assert!(
            ids.iter()
                .all(|id| crate::store::row::parse_id(id).is_some())
        );
    }
}
