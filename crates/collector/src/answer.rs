//! Failures as JSON: `{"error":{"type","class","message"}}`, a sentence with what to do about it.

use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderName, HeaderValue, StatusCode};
use serde_json::json;

use crate::store::StoreError;

/// A failure of the collector itself.
#[derive(Debug)]
pub(crate) struct Failure {
    status: StatusCode,
    kind: &'static str,
    message: String,
    class: Option<&'static str>,
    retry_after_s: Option<u64>,
}

impl Failure {
    pub(crate) fn new(status: StatusCode, kind: &'static str, message: impl Into<String>) -> Self {
        Self {
            status,
            kind,
            message: message.into(),
            class: None,
            retry_after_s: None,
        }
    }

    pub(crate) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", message)
    }

    /// The error class that a record of this request should hold.
    pub(crate) fn class(mut self, class: &'static str) -> Self {
        self.class = Some(class);
        self
    }

    pub(crate) fn retry_after_s(mut self, seconds: u64) -> Self {
        self.retry_after_s = Some(seconds);
        self
    }
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut error = json!({ "type": self.kind, "message": self.message });
        if let Some(class) = self.class {
            error["class"] = json!(class);
        }
        let mut response = json_text(self.status, json!({ "error": error }).to_string());
        let headers = response.headers_mut();
        if let Some(class) = self.class {
            let name = HeaderName::from_static(streamlag_wire::relay::UPSTREAM);
            headers.insert(name, HeaderValue::from_static(class));
        }
        if let Some(seconds) = self.retry_after_s {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        let message = error.to_string();
        match error {
            StoreError::Busy => {
                Self::new(StatusCode::TOO_MANY_REQUESTS, "busy", message).retry_after_s(1)
            }
            StoreError::Closed => Self::new(StatusCode::SERVICE_UNAVAILABLE, "stopping", message),
            StoreError::Open { .. } | StoreError::Write(_) | StoreError::Read(_) => {
                Self::new(StatusCode::SERVICE_UNAVAILABLE, "store", message).retry_after_s(5)
            }
        }
    }
}

/// JSON that is text already.
pub(crate) fn json_text(status: StatusCode, text: String) -> Response {
    // Records hold words of strangers: never to be taken for a page.
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    (status, headers, text).into_response()
}

/// An answer to a question about the present: not to be kept by any cache.
pub(crate) fn fresh_json(text: String) -> Response {
    let mut response = json_text(StatusCode::OK, text);
    let no_cache = HeaderValue::from_static("no-cache");
    response.headers_mut().insert(CACHE_CONTROL, no_cache);
    response
}
