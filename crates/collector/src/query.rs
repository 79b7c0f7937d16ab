//! What is asked about stored records and configured targets.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::json;
use streamlag_wire::Vantage;

use crate::answer::{Failure, fresh_json};
use crate::clock::now_ms;
use crate::server::App;
use crate::store::{Comparison, Recent, Selection, row};

/// A day.
const DEFAULT_WINDOW_MS: u64 = 86_400_000;
const DEFAULT_LIMIT: u32 = 50;
const MAX_LIMIT: u32 = 1000;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ComparisonQuery {
    target: Option<String>,
    window_ms: Option<u64>,
}

#[derive(Serialize)]
struct ComparisonAnswer {
    generated_at_ms: i64,
    window_ms: u64,
    #[serde(flatten)]
    comparison: Comparison,
}

/// A query string whose mistakes are answered like all others.
type Asked<T> = Result<Query<T>, axum::extract::rejection::QueryRejection>;

pub(crate) async fn comparison(
    State(app): State<Arc<App>>,
    query: Asked<ComparisonQuery>,
) -> Result<Response, Failure> {
    let query = asked(query)?;
    let window_ms = query.window_ms.unwrap_or(DEFAULT_WINDOW_MS);
    let generated_at_ms = now_ms();
    let window = i64::try_from(window_ms).unwrap_or(i64::MAX);
    let selection = Selection {
        since_ms: generated_at_ms.saturating_sub(window),
        target: query.target,
    };
    let comparison = app.store.comparison(selection).await?;
    answer(&ComparisonAnswer {
        generated_at_ms,
        window_ms,
        comparison,
    })
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordsQuery {
    limit: Option<u32>,
    target: Option<String>,
    vantage: Option<Vantage>,
}

pub(crate) async fn records(
    State(app): State<Arc<App>>,
    query: Asked<RecordsQuery>,
) -> Result<Response, Failure> {
    let query = asked(query)?;
    let recent = Recent {
        limit: query.limit.unwrap_or(DEFAULT_LIMIT).min(MAX_LIMIT),
        target: query.target,
        vantage: query.vantage,
    };
    let texts = app.store.recent(recent).await?;
    Ok(fresh_json(format!("[{}]", texts.join(","))))
}

pub(crate) async fn record(
    State(app): State<Arc<App>>,
    Path(id): Path<String>,
) -> Result<Response, Failure> {
    let id = row::parse_id(&id)
        .ok_or_else(|| Failure::bad_request("the id of a record has 32 hex digits"))?;
    let text = app.store.by_id(id).await?;
    text.map(fresh_json)
        .ok_or_else(|| Failure::not_found("there is no record of this id"))
}

#[derive(Serialize)]
struct TargetAnswer<'a> {
    id: &'a str,
    label: &'a str,
    side: Option<&'a str>,
    dialect: &'a str,
    model: Option<&'a str>,
    max_tokens: u32,
    prompt: &'a str,
    relay: String,
    base_url: Option<String>,
    key_alias: Option<&'a str>,
    /// The environment variable that should hold the key and does not.
    missing_key: Option<&'a str>,
    connect_timeout_ms: u32,
    first_byte_timeout_ms: u32,
    between_chunks_timeout_ms: u32,
}

pub(crate) async fn targets(State(app): State<Arc<App>>) -> Result<Response, Failure> {
    let targets = app.config.targets.iter().map(|target| TargetAnswer {
        id: &target.id,
        label: target.label(),
        side: target.side.as_deref(),
        dialect: &target.dialect,
        model: target.model.as_deref(),
        max_tokens: target.max_tokens,
        prompt: &target.prompt,
        relay: format!("/relay/{}", target.id),
        base_url: target.for_record().base_url,
        key_alias: target.key_env.as_deref(),
        missing_key: crate::upstream::missing_key(target, &app.secrets),
        connect_timeout_ms: target.connect_timeout_ms,
        first_byte_timeout_ms: target.first_byte_timeout_ms,
        between_chunks_timeout_ms: target.between_chunks_timeout_ms,
    });
    answer(&targets.collect::<Vec<_>>())
}

pub(crate) async fn health(State(app): State<Arc<App>>) -> Result<Response, Failure> {
    let health = app.store.health().await?;
    let text = json!({
        "status": "ok",
        "version": env!("CARGO_PKG_VERSION"),
        "records": health.records,
        "targets": app.config.targets.len(),
        "edge": app.edge.is_some(),
    });
    Ok(fresh_json(text.to_string()))
}

fn asked<T>(query: Asked<T>) -> Result<T, Failure> {
    query
        .map(|Query(query)| query)
        .map_err(|error| Failure::bad_request(error.body_text()))
}

fn answer(value: &impl Serialize) -> Result<Response, Failure> {
    let text = serde_json::to_string(value);
    text.map(fresh_json)
        .map_err(|error| crate::store::StoreError::Read(error.to_string()).into())
}
