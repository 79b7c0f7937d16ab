//! `POST /v1/edge/probe/{target}`: asks the worker to measure now, with a signature that only the
//! collector and the worker can make.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, StatusCode};
use streamlag_core::ErrorClass;
use url::Url;

use crate::answer::{Failure, json_text};
use crate::auth::EdgeAuth;
use crate::config::Edge;
use crate::server::App;
use crate::{body, origin, upstream};

/// Largest request body.
const MAX_BODY: usize = 64 << 10;
const CONNECT: Duration = Duration::from_secs(5);
/// Regions are asked one after the other and each streams a whole answer.
const PATIENCE: Duration = Duration::from_secs(300);

/// The worker, as the collector sees it.
pub(crate) struct EdgeLink {
    pub(crate) auth: EdgeAuth,
    url: Url,
    client: reqwest::Client,
}

impl EdgeLink {
    /// `None` where the URL is none; the configuration was checked for that.
    pub(crate) fn new(edge: &Edge, secret: String) -> Result<Option<Self>, reqwest::Error> {
        let client = upstream::client(CONNECT)?;
        let auth = EdgeAuth::new(edge, secret);
        let url = Url::parse(&edge.url).ok();
        Ok(url.map(|url| Self { auth, url, client }))
    }

    async fn post(&self, path: &str, body: bytes::Bytes) -> Result<Response, Failure> {
        let mut url = self.url.clone();
        url.set_path(&format!("{}{path}", self.url.path().trim_end_matches('/')));
        let mut request = self.client.post(url.clone()).timeout(PATIENCE);
        for (name, value) in self.auth.sign(url.path(), &body) {
            request = request.header(name, value);
        }
        let answer = request
            .header(CONTENT_TYPE, "application/json")
            .body(body)
            .send()
            .await
            .map_err(|error| worker_unreachable(upstream::classify(&error)))?;
        let status = answer.status();
        let text = answer.text().await;
        let text = text.map_err(|error| worker_unreachable(upstream::classify(&error)))?;
        if serde_json::from_str::<serde::de::IgnoredAny>(&text).is_err() {
            let message = format!(
                "the worker answered with status {status} and something that is not JSON; check url under [edge]"
            );
            return Err(Failure::new(
                StatusCode::BAD_GATEWAY,
                "bad_worker_answer",
                message,
            ));
        }
        Ok(json_text(status, text))
    }
}

fn worker_unreachable(class: ErrorClass) -> Failure {
    upstream::unreachable("the worker (url under [edge] in streamlag.toml)", class)
}

pub(crate) async fn probe(
    State(app): State<Arc<App>>,
    Path(target): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Result<Response, Failure> {
    // A probe costs money as a relayed request does.
    let origin = origin::allowed(&headers, &app.config.collector.origins)?;
    let edge = app.edge.as_ref().ok_or_else(|| {
        let message =
            "there is no edge worker; add [edge] with url, key_id and secret_env to streamlag.toml";
        Failure::new(StatusCode::SERVICE_UNAVAILABLE, "no_edge", message)
    })?;
    if app.config.target(&target).is_none() {
        return Err(Failure::not_found(format!("there is no target {target:?}")));
    }
    let body = body::read(body, MAX_BODY).await?;
    let answer = edge.post(&format!("/probe/{target}"), body).await;
    let mut response = answer.unwrap_or_else(IntoResponse::into_response);
    origin::expose(&mut response, origin);
    Ok(response)
}
