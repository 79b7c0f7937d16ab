//! One request from send to record: the read loop.

use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;
use streamlag_core::{Failure, Head, Input, Mono, Stamp, Visibility};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{ReadableStreamDefaultReader, ReadableStreamReadResult};
use web_sys::{Request, RequestInit, Response};

use crate::ask::Ask;
use crate::limits::Progress;
use crate::live::Live;
use crate::observe::Entries;
use crate::{page, response};

/// How the exchange ended, and when.
type End = (Stamp<Mono>, Input<'static>);

/// Longest wait for the frame that shows the last text.
const LAST_FRAME_MS: u32 = 400;

/// Sends the request before it returns; the rest happens as the browser gets to it.
pub(crate) fn start(live: Rc<Live>, ask: Ask) {
    let at = live.session.clock.now();
    if let Some(intent) = ask.intent {
        live.session.tell(intent, Input::Intent);
    }
    let visibility = page::visibility(&live.shared.document);
    live.session.tell(at, Input::Visibility(visibility));
    let sent = build(&live, &ask).and_then(|request| send(&live, &request));
    spawn_local(async move {
        let (at, reason) = match sent {
            Some(promise) => exchange(&live, promise).await,
            None => (at, Input::Failed(Failure::Prober)),
        };
        live.maybe_left(&reason).await;
        live.end(at, reason);
        if !live.is_leaving(live.session.clock.now()) {
            last_frame(&live).await;
        }
        live.close();
    });
}

/// `None`: the URL or a header is not one that a browser takes.
fn build(live: &Live, ask: &Ask) -> Option<Request> {
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_body(&JsValue::from_str(&ask.body));
    init.set_signal(live.signal().as_ref());
    let request = Request::new_with_str_and_init(&ask.url, &init).ok()?;
    let headers = request.headers();
    for (name, value) in &ask.headers {
        headers.set(name, value).ok()?;
    }
    for (name, value) in live.trace_headers() {
        headers.set(name, &value).ok()?;
    }
    Some(request)
}

fn send(live: &Rc<Live>, request: &Request) -> Option<js_sys::Promise> {
    let window = web_sys::window()?;
    let session = &live.session;
    let entries = Entries::start(Rc::clone(session), request.url());
    let wall = session.clock.wall();
    let at = session.clock.now();
    let promise = window.fetch_with_request(request);
    session.tell(at, Input::WallClock(wall));
    session.tell(at, Input::Send);
    if let Some(entries) = &entries {
        entries.sent(at);
    }
    live.entries.replace(entries);
    live.progress(Progress::Sent(at));
    Some(promise)
}

async fn exchange(live: &Rc<Live>, sent: js_sys::Promise) -> End {
    let result = JsFuture::from(sent).await;
    let at = live.session.clock.now();
    let Ok(response) = result else {
        // A page is not told whether name, connection or the server's consent was missing.
        return (at, Input::Failed(Failure::Network));
    };
    let response: Response = response.unchecked_into();
    let owned = response::headers(&response);
    if let Some(failure) = response::upstream_failure(&owned) {
        if let Some(body) = response.body() {
            drop(body.cancel());
        }
        return (at, failure);
    }
    let headers: Vec<_> = owned
        .iter()
        .map(|(n, v)| (n.as_str(), v.as_str()))
        .collect();
    live.progress(Progress::Headers(at));
    live.session.headers(
        at,
        Head {
            status: response.status(),
            headers: &headers,
            may_hide_headers: response::may_hide_headers(&response),
        },
    );
    match response.body() {
        Some(body) => read(live, body.get_reader().unchecked_into()).await,
        None => (at, Input::Eof),
    }
}

/// Reads to the end. The stamp is taken first thing after each read, before even looking at it.
async fn read(live: &Rc<Live>, reader: ReadableStreamDefaultReader) -> End {
    let clock = &live.session.clock;
    let mut bytes = Vec::new();
    loop {
        let result = JsFuture::from(reader.read()).await;
        let at = clock.now();
        let Ok(result) = result else {
            return (at, Input::Failed(Failure::Reset));
        };
        let result: ReadableStreamReadResult = result.unchecked_into();
        if result.get_done().unwrap_or(false) {
            return (at, Input::Eof);
        }
        if !live.is_open() {
            // Stopped while this read was on its way: it no longer belongs to the answer.
            return (at, Input::Eof);
        }
        let chunk: js_sys::Uint8Array = result.get_value().unchecked_into();
        bytes.resize(chunk.length() as usize, 0);
        chunk.copy_to(&mut bytes);
        live.progress(Progress::Read(at));
        live.session.bytes(at, &bytes);
    }
}

/// Gives the page the time to show the last text, where it is visible and shows any.
async fn last_frame(live: &Live) {
    let Some(painter) = &live.painter else {
        return;
    };
    let step = 20;
    for _ in 0..LAST_FRAME_MS / step {
        let visible = page::visibility(&live.shared.document) == Visibility::Visible;
        if !visible || painter.is_settled() {
            return;
        }
        TimeoutFuture::new(step).await;
    }
}
