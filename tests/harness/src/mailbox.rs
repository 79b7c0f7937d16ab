//! Where a page leaves what it found out, so that nobody has to look into it while it works: every script that a
//! test driver runs in a page takes the page's main thread.

use http_body_util::{BodyExt as _, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;

use crate::ports;
use crate::trouble::Trouble;

/// Takes posts on a port of its own, for as long as it lives.
#[derive(Debug)]
pub struct Mailbox {
    url: String,
    letters: UnboundedReceiver<String>,
    acceptor: JoinHandle<()>,
}

impl Mailbox {
    /// Opens one on a free port.
    ///
    /// # Errors
    /// When there is none.
    pub async fn open() -> Result<Self, Trouble> {
        let (listener, port) = ports::listen(0).await?;
        let (sender, letters) = unbounded_channel();
        Ok(Self {
            url: format!("http://127.0.0.1:{port}/"),
            letters,
            acceptor: tokio::spawn(accept(listener, sender)),
        })
    }

    /// Where to post. A text body and no header of one's own: a page of any origin may.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The next post's body.
    ///
    /// # Errors
    /// When none comes within `limit`.
    pub async fn next(&mut self, limit: Duration) -> Result<String, Trouble> {
        let letter = tokio::time::timeout(limit, self.letters.recv()).await;
        letter.ok().flatten().ok_or_else(|| Trouble::NotSeen {
            seconds: limit.as_secs(),
            what: "word from a page".to_owned(),
            seen: "it posted nothing".to_owned(),
        })
    }
}

impl Drop for Mailbox {
    fn drop(&mut self) {
        self.acceptor.abort();
    }
}

/// Browsers open connections ahead of need, so each has a task of its own.
async fn accept(listener: TcpListener, letters: UnboundedSender<String>) {
    while let Ok((stream, _)) = listener.accept().await {
        let letters = letters.clone();
        let take = service_fn(move |request| take(request, letters.clone()));
        let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), take);
        tokio::spawn(async move {
            // A connection that breaks brought no whole letter: whoever waits for it will say so.
            let _ = connection.await;
        });
    }
}

async fn take(
    request: Request<Incoming>,
    letters: UnboundedSender<String>,
) -> Result<Response<Empty<Bytes>>, Infallible> {
    let is_letter = request.method() == Method::POST;
    if let Ok(body) = request.into_body().collect().await
        && is_letter
    {
        // Nobody waits any more: the page need not know.
        let _ = letters.send(String::from_utf8_lossy(&body.to_bytes()).into_owned());
    }
    Ok(Response::new(Empty::new()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http;

    #[tokio::test]
    async fn what_is_posted_is_found_in_its_order_and_a_look_leaves_nothing() {
        let mut mailbox = Mailbox::open().await.unwrap();
        http::get(mailbox.url()).await.unwrap();
        for letter in ["one", "two"] {
            http::post(mailbox.url(), &[], letter).await.unwrap();
        }
        let limit = Duration::from_secs(10);
        assert_eq!(mailbox.next(limit).await.unwrap(), "one");
        assert_eq!(mailbox.next(limit).await.unwrap(), "two");
        assert!(mailbox.next(Duration::ZERO).await.is_err());
    }
}
