//! A small HTTP client for parts on this machine.

use http_body_util::{BodyExt as _, Full};
use hyper::body::{Bytes, Incoming};
use hyper::{Method, Request, Response};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

use crate::trouble::Trouble;

/// A whole answer.
#[derive(Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    /// Its body.
    pub body: Bytes,
}

impl Answer {
    /// The body as JSON; `null` where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or(Value::Null)
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Asks for a page.
///
/// # Errors
/// When there is no answer.
pub async fn get(url: &str) -> Result<Answer, Trouble> {
    whole(url, request(Method::GET, url, &[], "")?).await
}

/// Posts a body, with headers.
///
/// # Errors
/// When there is no answer.
pub async fn post(url: &str, headers: &[(String, String)], body: &str) -> Result<Answer, Trouble> {
    whole(url, request(Method::POST, url, headers, body)?).await
}

/// Asks for JSON and insists on success.
///
/// # Errors
/// When there is no answer, another status than 200, or no JSON.
pub async fn get_json(url: &str) -> Result<Value, Trouble> {
    let answer = get(url).await?;
    let value = answer.json();
    if answer.status != 200 || value.is_null() {
        return Err(wrong(
            url,
            format!("status {}: {}", answer.status, answer.text()),
        ));
    }
    Ok(value)
}

/// A client whose connections are kept for later requests.
pub type Kept = Client<HttpConnector, Full<Bytes>>;

/// A new one.
pub fn client() -> Kept {
    let mut connector = HttpConnector::new();
    connector.set_nodelay(true);
    Client::builder(TokioExecutor::new()).build(connector)
}

/// A request ready to be sent.
///
/// # Errors
/// When the URL or a header cannot be sent.
pub fn request(
    method: Method,
    url: &str,
    headers: &[(String, String)],
    body: &str,
) -> Result<Request<Full<Bytes>>, Trouble> {
    let mut request = Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(name, value);
    }
    let body = Full::new(Bytes::copy_from_slice(body.as_bytes()));
    request.body(body).map_err(|e| wrong(url, e.to_string()))
}

/// Sends it; the body is still to be read.
///
/// # Errors
/// When there is no answer.
pub async fn send(
    client: &Kept,
    url: &str,
    request: Request<Full<Bytes>>,
) -> Result<Response<Incoming>, Trouble> {
    client
        .request(request)
        .await
        .map_err(|e| wrong(url, e.to_string()))
}

async fn whole(url: &str, request: Request<Full<Bytes>>) -> Result<Answer, Trouble> {
    let response = send(&client(), url, request).await?;
    let status = response.status().as_u16();
    let body = response.into_body().collect().await;
    let body = body.map_err(|e| wrong(url, e.to_string()))?.to_bytes();
    Ok(Answer { status, body })
}

pub(crate) fn wrong(url: &str, reason: String) -> Trouble {
    Trouble::Answer {
        url: url.to_owned(),
        reason,
    }
}
