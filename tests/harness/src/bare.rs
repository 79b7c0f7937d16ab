//! The same question without streamlag: send, read, stamp. What a measurement is compared with.
//!
//! Three loops for three places: the page, workerd, and a native process. Each looks for the first read with
//! generated text in the plainest way that works for the scripted server's answers.

use http_body_util::BodyExt as _;
use hyper::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use streamlag_wire::request::HttpRequest;

use crate::http;
use crate::page::Page;
use crate::trouble::Trouble;

/// What a loop saw.
#[derive(Debug, Clone)]
pub struct Bare {
    /// Just before sending → first read with generated text.
    pub ttft_ms: f64,
    /// Every read that is not empty: just before sending → its return in ms, and its bytes.
    pub reads: Vec<(f64, u64)>,
    /// The request's id in the scripted server's log, where the loop can know it.
    pub request_id: Option<String>,
}

/// A non-empty `content` of an OpenAI-shaped event.
const NEEDLE: &str = "\"content\":\"";

/// In this process, over a kept connection.
///
/// # Errors
/// When the target does not answer with generated text.
pub async fn native(client: &http::Kept, url: &str, asked: &HttpRequest) -> Result<Bare, Trouble> {
    let request = http::request(Method::POST, url, &asked.headers, &asked.body)?;
    let sent = Instant::now();
    let mut response = http::send(client, url, request).await?;
    let request_id = response
        .headers()
        .get("x-request-id")
        .and_then(|id| id.to_str().ok())
        .map(str::to_owned);
    let mut reads = Vec::new();
    while let Some(frame) = response.frame().await {
        let at = sent.elapsed();
        let frame = frame.map_err(|e| http::wrong(url, e.to_string()))?;
        if let Ok(bytes) = frame.into_data()
            && !bytes.is_empty()
        {
            reads.push((at, bytes));
        }
    }
    let ms = |at: Duration| at.as_secs_f64() * 1_000.0;
    let mut text = String::new();
    let first = reads.iter().find(|(_, bytes)| {
        text.push_str(&String::from_utf8_lossy(bytes));
        has_text(&text)
    });
    let (first, _) = first.ok_or_else(|| http::wrong(url, "no generated text came".to_owned()))?;
    Ok(Bare {
        ttft_ms: ms(*first),
        reads: reads
            .iter()
            .map(|(at, bytes)| (ms(*at), bytes.len() as u64))
            .collect(),
        request_id,
    })
}

fn has_text(text: &str) -> bool {
    text.match_indices(NEEDLE).any(|(at, _)| {
        text[at + NEEDLE.len()..]
            .chars()
            .next()
            .is_some_and(|c| c != '"')
    })
}

const IN_PAGE: &str = r#"
const [url, headers, body, done] = arguments;
(async () => {
  const sent = performance.now();
  const response = await fetch(url, { method: "POST", headers, body });
  const reader = response.body.getReader();
  const reads = [];
  for (;;) {
    const { done, value } = await reader.read();
    const at = performance.now();
    if (done) break;
    reads.push([at, value]);
  }
  const decoder = new TextDecoder();
  let text = "", ttft = null;
  for (const [at, bytes] of reads) {
    text += decoder.decode(bytes, { stream: true });
    if (ttft === null && /"content":\s*"[^"]/.test(text)) ttft = at - sent;
  }
  return {
    ttft_ms: ttft,
    reads: reads.map(([at, bytes]) => [at - sent, bytes.length]),
    request_id: response.headers.get("x-request-id"),
  };
})().then(done, (error) => done({ error: String(error) }));
"#;

/// In the page, through the collector's relay as the page itself asks.
///
/// # Errors
/// When the relay does not answer with generated text.
pub async fn in_page(page: &Page<'_>, relay: &str, asked: &HttpRequest) -> Result<Bare, Trouble> {
    let arguments = vec![json!(relay), headers(asked), json!(asked.body)];
    seen(relay, &page.run_async(IN_PAGE, arguments).await?)
}

/// Where in workerd a loop runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// In the service itself.
    Service,
    /// Each in an object of its own, as the worker's regions are.
    Objects,
}

/// In workerd, beside the worker: as many at once as there are ids.
///
/// # Errors
/// When the target does not answer with generated text.
pub async fn in_workerd(
    service: &str,
    url: &str,
    asked: &HttpRequest,
    ids: &[String],
    room: Room,
) -> Result<Vec<Bare>, Trouble> {
    let headers = headers(asked);
    let in_objects = room == Room::Objects;
    let body = json!({
        "url": url, "headers": headers, "body": asked.body, "ids": ids, "in_objects": in_objects,
    });
    let answer = http::post(&format!("{service}/bare"), &[], &body.to_string()).await?;
    let loops = answer.json();
    let loops = loops.as_array().filter(|loops| loops.len() == ids.len());
    let loops =
        loops.ok_or_else(|| http::wrong(url, format!("the bare loops said {}", answer.text())))?;
    let with_id = |(answer, id): (&Value, &String)| {
        let bare = seen(url, answer)?;
        Ok(Bare {
            request_id: Some(id.clone()),
            ..bare
        })
    };
    loops.iter().zip(ids).map(with_id).collect()
}

fn headers(asked: &HttpRequest) -> Value {
    asked
        .headers
        .iter()
        .map(|(name, value)| (name.clone(), json!(value)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn seen(url: &str, answer: &Value) -> Result<Bare, Trouble> {
    let ttft_ms = answer["ttft_ms"].as_f64();
    let ttft_ms =
        ttft_ms.ok_or_else(|| http::wrong(url, format!("the bare loop answered {answer}")))?;
    let reads = answer["reads"].as_array().into_iter().flatten();
    Ok(Bare {
        ttft_ms,
        reads: reads
            .filter_map(|read| Some((read[0].as_f64()?, read[1].as_u64()?)))
            .collect(),
        request_id: answer["request_id"].as_str().map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use super::has_text;

    #[test]
    fn an_empty_content_is_no_text() {
        assert!(!has_text(r#"{"role":"assistant","content":""}"#));
        assert!(has_text(r#"{"content":""} {"content":"one"}"#));
        assert!(!has_text(r#"{"content":""#));
    }
}
