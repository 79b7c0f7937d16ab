//! One client's connection, request after request.

use std::net::TcpStream;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use crate::chat;
use crate::http::{Connection, ReadError, Request, sharpen_timers};
use crate::play::{Reply, micros, play};
use crate::route::route;
use crate::server::{Shared, unix_ms};
use crate::truth::{Ending, Truth};

/// How long a connection may stay without a request.
const IDLE: Duration = Duration::from_secs(120);
/// How long a client may refuse to take what was sent.
const STUCK: Duration = Duration::from_secs(60);
const MOST_ID_BYTES: usize = 128;

/// Headers a page of another origin may read.
const EXPOSED: &str = "x-request-id, request-id, retry-after, server-timing, date, content-type";

/// Serves until the client goes. `forget` lets go of the second handle to the socket: only when all are
/// closed does the client see the end.
pub(crate) fn serve(stream: TcpStream, shared: &Shared, forget: impl FnOnce()) {
    sharpen_timers();
    let set_up = stream
        .set_nodelay(true)
        .and_then(|()| stream.set_read_timeout(Some(IDLE)))
        .and_then(|()| stream.set_write_timeout(Some(STUCK)));
    let mut conn = Connection::new(stream);
    if set_up.is_ok() {
        while serve_one(&mut conn, shared) {}
    }
    forget();
}

/// Serves one request; whether the connection is good for another.
fn serve_one(conn: &mut Connection, shared: &Shared) -> bool {
    match conn.read() {
        Ok(request) => {
            let ending = answer(conn, &request, shared);
            let is_whole = matches!(ending, Ending::Complete | Ending::Error | Ending::Eof);
            is_whole && request.keeps_connection()
        }
        Err(ReadError::Gone) => false,
        Err(ReadError::Refused(status, sentence)) => {
            let body = serde_json::json!({ "error": { "message": sentence } });
            let mut bytes = chat::json_reply(status, &body).head.to_bytes();
            bytes.extend_from_slice(body.to_string().as_bytes());
            let _ = crate::http::Written::all(&conn.stream, &bytes);
            false
        }
    }
}

fn answer(conn: &Connection, request: &Request, shared: &Shared) -> Ending {
    let received_unix_ms = unix_ms();
    let id = match request.header("x-request-id") {
        Some(id) if is_fit(id) => id.to_owned(),
        _ => shared.next_id(),
    };
    let mut routed = route(request, &id, shared);
    add_common_headers(&mut routed.reply, &id);
    let truth = Truth {
        id,
        path: request.target.clone(),
        script: routed.script.clone().unwrap_or_default(),
        received_unix_ms,
        headers_scheduled_us: None,
        headers_us: None,
        events: Vec::new(),
        ended_us: None,
        ending: None,
    };
    let logged = routed.script.is_some();
    let entry = if logged {
        shared.log.open(truth)
    } else {
        crate::truth::Entry::unlisted(truth)
    };
    let mut ending = play(conn, request, &routed.reply, &entry);
    if ending == Ending::ClientGone && shared.stopping.load(Ordering::SeqCst) {
        ending = Ending::ServerStopped;
    }
    if logged {
        let ended = Instant::now().saturating_duration_since(request.received);
        shared.log.close(&entry, micros(ended), ending);
    }
    ending
}

/// Visible ASCII of a sane length: it comes back in a header.
fn is_fit(id: &str) -> bool {
    !id.is_empty() && id.len() <= MOST_ID_BYTES && id.bytes().all(|b| b.is_ascii_graphic())
}

fn add_common_headers(reply: &mut Reply, id: &str) {
    reply.head.headers.extend([
        ("x-request-id", id.to_owned()),
        ("cache-control", "no-store".to_owned()),
        ("access-control-allow-origin", "*".to_owned()),
        ("access-control-expose-headers", EXPOSED.to_owned()),
        ("timing-allow-origin", "*".to_owned()),
    ]);
}
