//! The platform's clock, timer and `fetch`, as the prober wants them.

use std::time::Duration;

use js_sys::Uint8Array;
use streamlag_core::Failure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{ReadableStreamDefaultReader, ReadableStreamReadResult};
use worker::{
    AbortController, AbortSignal, Delay, Fetch, Headers, Method, Request, RequestInit,
    RequestRedirect, ResponseBody,
};

use crate::host::{Ask, Call, Head, Host};

/// The worker's own network.
#[derive(Debug, Clone, Copy)]
pub(super) struct Network;

impl Host for Network {
    type Call = FetchCall;

    fn now_ms(&self) -> i64 {
        // Whole milliseconds already: the cast loses nothing.
        js_sys::Date::now() as i64
    }

    async fn sleep(&self, ms: u32) {
        Delay::from(Duration::from_millis(u64::from(ms))).await;
    }

    fn prepare(&self, ask: &Ask) -> Result<FetchCall, String> {
        // The platform's own words may repeat a header's value: they are not passed on.
        let headers = Headers::new();
        for (name, value) in &ask.headers {
            headers.set(name, value).map_err(|_| {
                format!("the header {name} cannot be sent: check the key's secret for line breaks")
            })?;
        }
        let mut init = RequestInit::new();
        init.with_method(Method::Post)
            .with_redirect(RequestRedirect::Manual)
            .with_headers(headers)
            .with_body(Some(JsValue::from_str(&ask.body)));
        let request = Request::new_with_init(&ask.url, &init)
            .map_err(|_| "the platform refuses the target's url".to_owned())?;
        Ok(FetchCall::new(request))
    }
}

/// One `fetch` with its body's reader. The signal lives as long as the body is read.
#[derive(Debug)]
pub(super) struct FetchCall {
    fetch: Fetch,
    signal: AbortSignal,
    controller: Option<AbortController>,
    reader: Option<ReadableStreamDefaultReader>,
}

impl FetchCall {
    pub(super) fn new(request: Request) -> Self {
        let controller = AbortController::default();
        Self {
            fetch: Fetch::Request(request),
            signal: controller.signal(),
            controller: Some(controller),
            reader: None,
        }
    }
}

impl Call for FetchCall {
    async fn send(&mut self) -> Result<Head, Failure> {
        let response = self.fetch.send_with_signal(&self.signal).await;
        let response = response.map_err(|error| before_headers(&error.to_string()))?;
        let head = Head {
            status: response.status_code(),
            headers: response.headers().entries().collect(),
        };
        self.reader = match response.body() {
            ResponseBody::Stream(body) => body.get_reader().dyn_into().ok(),
            ResponseBody::Empty | ResponseBody::Body(_) => None,
        };
        Ok(head)
    }

    async fn read(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        let Some(reader) = &self.reader else {
            return Ok(None);
        };
        let read = JsFuture::from(reader.read())
            .await
            .map_err(|error| failure(&worker::Error::from(error).to_string()))?;
        // By its own getter: by name, the name would be made anew as a string for each read.
        let value = read
            .unchecked_into::<ReadableStreamReadResult>()
            .get_value();
        let bytes = value.dyn_into::<Uint8Array>().ok();
        Ok(bytes.map(|bytes| bytes.to_vec()))
    }

    fn abort(&mut self) {
        if let Some(controller) = self.controller.take() {
            controller.abort();
        }
        if let Some(reader) = self.reader.take() {
            // Nobody waits for the cancelled body; its rejection must not become an unhandled one.
            let ignored = reader.cancel();
            wasm_bindgen_futures::spawn_local(async move {
                let _ = JsFuture::from(ignored).await;
            });
        }
    }
}

impl Drop for FetchCall {
    fn drop(&mut self) {
        self.abort();
    }
}

/// The class of a failed send. A refused connection and one that broke later read the same here, so neither
/// is claimed.
fn before_headers(message: &str) -> Failure {
    match failure(message) {
        Failure::Reset => Failure::Network,
        told => told,
    }
}

/// The class of the platform's message. Its text goes no further.
fn failure(message: &str) -> Failure {
    let message = message.to_ascii_lowercase();
    let says = |word: &str| message.contains(word);
    if says("dns") {
        Failure::Dns
    } else if says("tls") || says("ssl") || says("certificate") {
        Failure::Tls
    } else if says("connect() ") || says("refused") || says("unreachable") {
        Failure::Connect
    } else if says("connection lost") || says("reset") || says("disconnected") {
        Failure::Reset
    } else {
        Failure::Network
    }
}
