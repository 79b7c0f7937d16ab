//! Sits before the collector and keeps every request that passes, byte for byte.

use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::ports;
use crate::trouble::Trouble;

/// A listening tap. It ends with this value.
#[derive(Debug)]
pub struct Tap {
    port: u16,
    seen: Seen,
    task: JoinHandle<()>,
}

/// One buffer a connection.
type Seen = Arc<Mutex<Vec<Vec<u8>>>>;

/// One request as it passed.
#[derive(Debug, Clone)]
pub struct Passed {
    /// Method and path.
    pub line: String,
    /// Head and body together, as text.
    pub text: String,
}

impl Tap {
    /// Forwards to a port on this machine.
    ///
    /// # Errors
    /// When it cannot listen.
    pub async fn start(upstream: u16) -> Result<Self, Trouble> {
        Self::start_at(0, upstream).await
    }

    /// The same at a given port.
    ///
    /// # Errors
    /// When it cannot listen there.
    pub async fn start_at(port: u16, upstream: u16) -> Result<Self, Trouble> {
        let (listener, port) = ports::listen(port).await?;
        let seen = Seen::default();
        let task = tokio::spawn(serve(listener, upstream, Arc::clone(&seen)));
        Ok(Self { port, seen, task })
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// All requests so far.
    pub fn requests(&self) -> Vec<Passed> {
        lock(&self.seen)
            .iter()
            .flat_map(|bytes| requests(bytes))
            .collect()
    }
}

impl Drop for Tap {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn serve(listener: TcpListener, upstream: u16, seen: Seen) {
    while let Ok((client, _)) = listener.accept().await {
        let Ok(server) = TcpStream::connect((Ipv4Addr::LOCALHOST, upstream)).await else {
            continue; // the client sees a closed connection, as it would without the tap
        };
        let _ = (client.set_nodelay(true), server.set_nodelay(true));
        let (from_client, mut to_client) = client.into_split();
        let (mut from_server, to_server) = server.into_split();
        tokio::spawn(record(from_client, to_server, Arc::clone(&seen)));
        tokio::spawn(async move { copy(&mut from_server, &mut to_client).await });
    }
}

async fn record(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, seen: Seen) {
    let connection = {
        let mut seen = lock(&seen);
        seen.push(Vec::new());
        seen.len() - 1
    };
    let mut buffer = vec![0; 64 << 10];
    while let Ok(read) = from.read(&mut buffer).await {
        if read == 0 || to.write_all(&buffer[..read]).await.is_err() {
            break;
        }
        lock(&seen)[connection].extend_from_slice(&buffer[..read]);
    }
}

fn lock(seen: &Mutex<Vec<Vec<u8>>>) -> MutexGuard<'_, Vec<Vec<u8>>> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A connection's requests, each with its body: by its length, or all that is left where it tells none.
fn requests(mut bytes: &[u8]) -> Vec<Passed> {
    let mut requests = Vec::new();
    while let Some(head) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
        let start = head + 4;
        let text = String::from_utf8_lossy(&bytes[..start]).into_owned();
        let end = match body_bytes(&text) {
            Body::None => start,
            Body::Bytes(length) => (start + length).min(bytes.len()),
            Body::Chunked => bytes.len(),
        };
        let line = text.lines().next().unwrap_or_default();
        let line = line.trim_end_matches(" HTTP/1.1").to_owned();
        requests.push(Passed {
            line,
            text: String::from_utf8_lossy(&bytes[..end]).into_owned(),
        });
        bytes = &bytes[end..];
    }
    requests
}

enum Body {
    None,
    Bytes(usize),
    Chunked,
}

fn body_bytes(head: &str) -> Body {
    for line in head.lines() {
        let Some((name, value)) = line.split_once(':') else {
            continue;
        };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => return value.trim().parse().map_or(Body::None, Body::Bytes),
            "transfer-encoding" => return Body::Chunked,
            _ => {}
        }
    }
    Body::None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_on_one_connection_are_told_apart() {
        let bytes = b"POST /a HTTP/1.1\r\nContent-Length: 4\r\n\r\nbodyGET /b HTTP/1.1\r\n\r\n";
        let seen = requests(bytes);
        assert_eq!(seen.len(), 2);
        assert_eq!(
            (seen[0].line.as_str(), seen[1].line.as_str()),
            ("POST /a", "GET /b")
        );
        assert!(seen[0].text.ends_with("body"));
    }
}
