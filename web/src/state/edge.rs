//! A probe from the edge, asked for by the page: what came back, as sentences.

use serde::Deserialize;

use super::comparison::place;
use super::format::duration;

/// How the button stands.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum EdgeProbe {
    /// Not asked.
    #[default]
    Idle,
    /// Under way.
    Asking,
    /// One sentence a region.
    Done(Vec<EdgeLine>),
    /// It could not be asked; in words.
    Failed(String),
}

/// What one region said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EdgeLine {
    /// The sentence.
    pub text: String,
    /// Whether it measured and the record is on its way.
    pub is_ok: bool,
}

#[derive(Debug, Deserialize)]
struct Answer {
    results: Vec<RegionResult>,
}

#[derive(Debug, Deserialize)]
struct RegionResult {
    region: String,
    #[serde(default)]
    colo: Option<String>,
    #[serde(default)]
    outcome: Option<String>,
    #[serde(default)]
    error_class: Option<String>,
    #[serde(default)]
    ttft_ms: Option<f64>,
    #[serde(default)]
    delivered: Option<bool>,
    #[serde(default)]
    error: Option<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
struct Refusal {
    error: RefusalBody,
}

#[derive(Debug, Deserialize)]
struct RefusalBody {
    message: String,
}

/// Reads the collector's answer to `POST /v1/edge/probe/{target}`.
pub fn read(status: u16, body: &str) -> EdgeProbe {
    if let Ok(answer) = serde_json::from_str::<Answer>(body) {
        return EdgeProbe::Done(answer.results.iter().map(line).collect());
    }
    EdgeProbe::Failed(message(status, body))
}

/// The collector's own words for a refusal; else what is certain.
pub fn message(status: u16, body: &str) -> String {
    match serde_json::from_str::<Refusal>(body) {
        Ok(refusal) => sentence(&refusal.error.message),
        Err(_) => {
            format!("The collector answered with HTTP {status} and no reason; its log says more.")
        }
    }
}

fn line(result: &RegionResult) -> EdgeLine {
    let place = place("edge", Some(&result.region));
    let colo = result
        .colo
        .as_deref()
        .map_or_else(String::new, |colo| format!(" ({colo})"));
    let delivered = result.delivered.unwrap_or(false);
    let later = if delivered {
        ""
    } else {
        "; its record follows later"
    };
    let (what, is_ok) = match (result.outcome.as_deref(), result.ttft_ms) {
        (Some("ok"), Some(ttft)) => (
            format!("first text after {}", duration(ttft, Some(1.0))),
            true,
        ),
        (Some(outcome), _) => {
            let class = result
                .error_class
                .as_deref()
                .filter(|class| *class != outcome);
            let class = class.map_or_else(String::new, |class| {
                format!(", {}", class.replace('_', " "))
            });
            (format!("{outcome}{class}"), false)
        }
        (None, _) => {
            let why = result
                .error
                .as_ref()
                .map_or_else(|| "no reason given".to_owned(), plain_reason);
            return EdgeLine {
                text: format!("{}{colo}: not measured: {why}.", place.region),
                is_ok: false,
            };
        }
    };
    EdgeLine {
        text: format!("{}{colo}: {what}{later}.", place.region),
        is_ok,
    }
}

/// An error that is a text, or an object with a message.
fn plain_reason(error: &serde_json::Value) -> String {
    let message = error.get("message").unwrap_or(error);
    message
        .as_str()
        .map_or_else(|| message.to_string(), str::to_owned)
}

/// With a capital and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|c| c.to_uppercase().collect::<String>());
    let mut out = first.unwrap_or_default() + chars.as_str();
    if !out.ends_with(['.', '!', '?']) {
        out.push('.');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_region_is_one_sentence() {
        let body = r#"{"results":[
            {"region":"weur","colo":"FRA","record_id":"a","outcome":"ok","error_class":null,"ttft_ms":301,"delivered":true},
            {"region":"apac","colo":null,"outcome":"error","error_class":"rate_limited","ttft_ms":null,"delivered":false},
            {"region":"enam","error":"the region object did not answer"}]}"#;
        let EdgeProbe::Done(lines) = read(200, body) else {
            panic!()
        };
        let texts: Vec<String> = lines
            .iter()
            .map(|l| l.text.replace('\u{202f}', " "))
            .collect();
        assert_eq!(
            texts,
            [
                "Western Europe (FRA): first text after 301 ms.",
                "Asia-Pacific: error, rate limited; its record follows later.",
                "Eastern North America: not measured: the region object did not answer.",
            ]
        );
        assert_eq!(lines.iter().filter(|l| l.is_ok).count(), 1);
    }

    #[test]
    fn a_refusal_is_told_in_the_collectors_words() {
        let body = r#"{"error":{"type":"no_edge","message":"there is no edge worker; add [edge] to streamlag.toml"}}"#;
        let told = "There is no edge worker; add [edge] to streamlag.toml.";
        assert_eq!(read(503, body), EdgeProbe::Failed(told.into()));
        let EdgeProbe::Failed(text) = read(502, "<html>") else {
            panic!()
        };
        assert!(text.contains("HTTP 502"));
    }
}
