//! A request that the agent sends and reads itself: from send to record, with the read loop.

use std::rc::Rc;

use streamlag_core::{Failure, Input, Mono, Stamp};
use streamlag_wire::{Context, Vantage};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{ReadableStreamDefaultReader, ReadableStreamReadResult};
use web_sys::{Request, RequestInit, Response};

use crate::ask::Ask;
use crate::guard::Guard;
use crate::limits::Progress;
use crate::live::Live;
use crate::observe::Entries;
use crate::session::{Pace, Session};
use crate::watch::Watcher;
use crate::{NAME, Shared, ids, page, response};

/// How the exchange ended, and when.
type End = (Stamp<Mono>, Input<'static>);

/// Sends the request before it returns; the rest happens as the browser gets to it.
pub(crate) fn start(shared: &Rc<Shared>, ask: Ask, watcher: Box<dyn Watcher>) -> Rc<Live> {
    let trace_id = ids::record_id();
    let live = live(shared, &ask, trace_id.clone(), watcher);
    go(Rc::clone(&live), &ask, &trace_id);
    live
}

fn live(shared: &Rc<Shared>, ask: &Ask, trace_id: String, watcher: Box<dyn Watcher>) -> Rc<Live> {
    let session = Session::new(shared.clock.clone(), ask.dialect.clone(), watcher);
    let (id, target) = (ids::record_id(), ask.target.clone());
    let context = Context {
        trace_id: Some(trace_id),
        prompt_id: ask.prompt_id.clone(),
        prompt_chars: ask.prompt_chars,
        ..Context::new(id, Vantage::Browser, target, NAME.to_owned())
    };
    let live = Live::new(shared, session, context, Some(Guard::new(ask.limits)));
    if ask.is_shown {
        live.painter();
    }
    live
}

fn go(live: Rc<Live>, ask: &Ask, trace_id: &str) {
    let at = live.session.clock.now();
    if let Some(intent) = ask.intent {
        live.session.tell(intent, Input::Intent);
    }
    let visibility = page::visibility(&live.shared.document);
    live.session.tell(at, Input::Visibility(visibility));
    let sent = build(&live, ask, trace_id).and_then(|request| send(&live, &request));
    spawn_local(async move {
        let (at, reason) = match sent {
            Some(promise) => exchange(&live, promise).await,
            None => (at, Input::Failed(Failure::Prober)),
        };
        live.conclude(at, reason);
    });
}

/// `None`: the URL or a header is not one that a browser takes.
fn build(live: &Live, ask: &Ask, trace_id: &str) -> Option<Request> {
    let init = RequestInit::new();
    init.set_method("POST");
    init.set_body(&JsValue::from_str(&ask.body));
    let signal = live.guard().and_then(Guard::signal);
    init.set_signal(signal.as_ref());
    let request = Request::new_with_str_and_init(&ask.url, &init).ok()?;
    let headers = request.headers();
    for (name, value) in &ask.headers {
        headers.set(name, value).ok()?;
    }
    for (name, value) in trace_headers(live.id(), trace_id) {
        headers.set(name, &value).ok()?;
    }
    Some(request)
}

/// The headers that tie the sides of one request together.
fn trace_headers(id: &str, trace_id: &str) -> [(&'static str, String); 2] {
    let traceparent = ids::traceparent(trace_id);
    [
        ("x-request-id", id.to_owned()),
        ("traceparent", traceparent),
    ]
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
    if let Some(failure) = response::tell(&live.session, at, &response) {
        if let Some(body) = response.body() {
            drop(body.cancel());
        }
        return (at, failure);
    }
    live.progress(Progress::Headers(at));
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
        if let Some(parsed) = live.session.bytes(at, &bytes, Pace::AtOnce) {
            live.session.cost(at, parsed);
        }
    }
}
