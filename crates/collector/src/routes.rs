//! Which path is whose.

use std::sync::Arc;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use http::{HeaderMap, HeaderValue, StatusCode};

use crate::server::App;
use crate::{assets, edge, ingest, live, query, relay};

pub(crate) fn router(app: Arc<App>) -> Router {
    // Any page may post what it measured; reading is for the collector's own page.
    let records = post(ingest::post)
        .options(ingest_preflight)
        .layer(map_response(open_to_all))
        .get(query::records);
    let relay = || post(relay::post).options(relay::preflight);
    let relay_tail = post(relay::post_tail).options(relay::preflight);
    Router::new()
        .route(ingest::PATH, records)
        .route("/v1/records/{id}", get(query::record))
        .route("/v1/comparison", get(query::comparison))
        .route("/v1/targets", get(query::targets))
        .route("/v1/live", get(live::live))
        .route(
            "/v1/edge/probe/{target}",
            post(edge::probe).options(relay::preflight),
        )
        .route("/relay/{target}", relay())
        .route("/relay/{target}/", relay())
        .route("/relay/{target}/{*rest}", relay_tail)
        .route("/healthz", get(query::health))
        .fallback(get(assets::serve))
        // Each handler reads its body within a limit of its own.
        .layer(DefaultBodyLimit::disable())
        .with_state(app)
}

async fn open_to_all(mut response: Response) -> Response {
    let any = HeaderValue::from_static("*");
    response
        .headers_mut()
        .insert("access-control-allow-origin", any);
    response
}

async fn ingest_preflight(headers: HeaderMap) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    let requested = headers.get("access-control-request-headers").cloned();
    let requested = requested.unwrap_or(HeaderValue::from_static("content-type"));
    let answer = response.headers_mut();
    answer.insert(
        "access-control-allow-methods",
        HeaderValue::from_static("POST"),
    );
    answer.insert("access-control-allow-headers", requested);
    answer.insert("access-control-max-age", HeaderValue::from_static("7200"));
    response
}
