//! `POST /relay/{target}`: a target's answer, streamed through as it comes, with the key added on the way.
//!
//! What passes and what does not is decided in `streamlag_wire::relay`; this file only moves it. Nothing
//! is buffered: each chunk is handed on as it is read, and when the caller goes, so does the request.

use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use streamlag_core::ErrorClass;
use streamlag_wire::target::TargetConfig;
use streamlag_wire::{relay as policy, request};

use crate::answer::Failure;
use crate::server::{App, Upstream};
use crate::{body, origin, upstream};

/// How much longer than a caller's own limit the relay waits for an answer: the caller's should run out
/// first, because its record says which one it was.
const MARGIN: Duration = Duration::from_secs(5);

pub(crate) async fn post(
    State(app): State<Arc<App>>,
    Path(target): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    relay(&app, &target, None, &headers, body).await
}

/// For SDKs, which append to a base URL.
pub(crate) async fn post_tail(
    State(app): State<Arc<App>>,
    Path((target, rest)): Path<(String, String)>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    relay(&app, &target, Some(&rest), &headers, body).await
}

pub(crate) async fn preflight(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    origin::preflight(&headers, &app.config.collector.origins)
}

async fn relay(
    app: &App,
    target: &str,
    rest: Option<&str>,
    headers: &HeaderMap,
    body: Body,
) -> Response {
    let origin = match origin::allowed(headers, &app.config.collector.origins) {
        Ok(origin) => origin,
        Err(failure) => return failure.into_response(),
    };
    let id = upstream::random_id();
    let forwarded = forward(app, target, rest, headers, body, &id).await;
    let mut response = forwarded.unwrap_or_else(IntoResponse::into_response);
    if let Ok(id) = HeaderValue::from_str(&id) {
        let name = HeaderName::from_static(policy::ID);
        response.headers_mut().insert(name, id);
    }
    origin::expose(&mut response, origin);
    response
}

async fn forward(
    app: &App,
    target: &str,
    rest: Option<&str>,
    headers: &HeaderMap,
    body: Body,
    id: &str,
) -> Result<Response, Failure> {
    let (target, upstream) = find(app, target, rest)?;
    let key = upstream::key(target, &app.secrets)?;
    let given = body::read(body, policy::MAX_BODY).await?;
    let body =
        request::cap(target, &given).map_err(|error| Failure::bad_request(error.to_string()))?;
    admit(app, target, upstream)?;
    let request = upstream
        .client
        .post(&target.url)
        .headers(to_target(target, key.as_deref(), headers, id))
        .body(body);
    let patience = u64::from(target.connect_timeout_ms) + u64::from(target.first_byte_timeout_ms);
    let patience = Duration::from_millis(patience) + MARGIN;
    let sent = Instant::now();
    let what = format!("target {:?}", target.id);
    let answer = tokio::time::timeout(patience, request.send())
        .await
        .map_err(|_| upstream::unreachable(&what, ErrorClass::Timeout))?
        .map_err(|error| upstream::unreachable(&what, upstream::classify(&error)))?;
    Ok(to_caller(answer, sent.elapsed()))
}

fn find<'a>(
    app: &'a App,
    id: &str,
    rest: Option<&str>,
) -> Result<(&'a TargetConfig, &'a Upstream), Failure> {
    let found = app.config.target(id).zip(app.upstreams.get(id));
    let (target, upstream) = found.ok_or_else(|| {
        let known: Vec<_> = app
            .config
            .targets
            .iter()
            .map(|target| target.id.as_str())
            .collect();
        let known = match known.is_empty() {
            true => "none is configured; add a [[target]] to streamlag.toml".to_owned(),
            false => format!("there are {}", known.join(", ")),
        };
        Failure::not_found(format!("there is no target {id:?}: {known}"))
    })?;
    if rest.is_some_and(|rest| !policy::is_tail(&target.url, rest)) {
        let message = format!(
            "target {id:?} has another path: only the end of its own URL's path may follow /relay/{id}"
        );
        return Err(Failure::not_found(message));
    }
    Ok((target, upstream))
}

fn admit(app: &App, target: &TargetConfig, upstream: &Upstream) -> Result<(), Failure> {
    let mut cap = upstream.cap.lock().unwrap_or_else(PoisonError::into_inner);
    cap.admit(app.started.elapsed()).map_err(|wait| {
        let message = format!(
            "target {:?} had its {} requests of this hour; raise max_requests_per_hour in streamlag.toml or wait",
            target.id, target.max_requests_per_hour
        );
        Failure::new(StatusCode::TOO_MANY_REQUESTS, "hourly_cap", message)
            .class(ErrorClass::RateLimited.as_str())
            .retry_after_s(wait.as_secs() + 1)
    })
}

/// What the target gets: the caller's few headers that pass, then the relay's own.
fn to_target(target: &TargetConfig, key: Option<&str>, from: &HeaderMap, id: &str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let mut set = |name: &str, value: HeaderValue| {
        if let Ok(name) = HeaderName::try_from(name) {
            headers.insert(name, value);
        }
    };
    // First, so that a caller's own version or request id wins.
    set(
        policy::REQUEST_ID,
        HeaderValue::from_str(id).unwrap_or(HeaderValue::from_static("")),
    );
    let own = request::auth(target, key);
    for (name, value) in &own {
        if let Ok(mut value) = HeaderValue::from_str(value) {
            value.set_sensitive(true);
            set(name, value);
        }
    }
    for (name, value) in from {
        if policy::reaches_target(name.as_str()) {
            set(name.as_str(), value.clone());
        }
    }
    // Whatever the caller called it (a beacon's text, say), it was read as JSON and goes on as JSON.
    set("content-type", HeaderValue::from_static("application/json"));
    // Compression holds events back.
    set("accept-encoding", HeaderValue::from_static("identity"));
    headers
}

fn to_caller(answer: reqwest::Response, to_headers: Duration) -> Response {
    let mut headers = HeaderMap::new();
    let connection = answer.headers().get("connection");
    let connection = connection.and_then(|value| value.to_str().ok());
    for (name, value) in answer.headers() {
        if policy::reaches_caller(name.as_str(), connection) {
            headers.append(name.clone(), value.clone());
        }
    }
    if let Ok(timing) = HeaderValue::from_str(&policy::server_timing(to_headers)) {
        headers.append("server-timing", timing);
    }
    // Should a target answer with a page, it is shown without scripts and without this origin.
    headers.insert(
        "content-security-policy",
        HeaderValue::from_static("sandbox"),
    );
    headers.insert(
        "x-content-type-options",
        HeaderValue::from_static("nosniff"),
    );
    let status = answer.status();
    (status, headers, Body::from_stream(answer.bytes_stream())).into_response()
}
