//! Questions to the collector. Every failure is a sentence that can stand on the page.

use serde::de::DeserializeOwned;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use web_sys::{RequestInit, Response};

use crate::state::edge;

/// What stands on the page while the collector does not answer.
const GONE: &str = "The collector does not answer. Check that it runs (streamlag serve); this page tries again by itself.";

/// Reads JSON.
pub(crate) async fn get<T: DeserializeOwned>(path: &str) -> Result<T, String> {
    let (status, body) = exchange("GET", path).await?;
    if status != 200 {
        return Err(edge::message(status, &body));
    }
    serde_json::from_str(&body).map_err(|error| {
        format!("The collector's answer to {path} cannot be read ({error}). Page and collector may be of different versions: reload.")
    })
}

/// Sends an empty `POST`: status and body.
pub(crate) async fn post(path: &str) -> Result<(u16, String), String> {
    exchange("POST", path).await
}

async fn exchange(method: &str, path: &str) -> Result<(u16, String), String> {
    let gone = |_| GONE.to_owned();
    let window = web_sys::window().ok_or(GONE)?;
    let init = RequestInit::new();
    init.set_method(method);
    let response = JsFuture::from(window.fetch_with_str_and_init(path, &init)).await;
    let response: Response = response.map_err(gone)?.unchecked_into();
    let body = response.text().map_err(gone)?;
    let body = JsFuture::from(body).await.map_err(gone)?;
    Ok((response.status(), body.as_string().unwrap_or_default()))
}
