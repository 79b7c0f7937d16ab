//! What is measured and where from.

use serde::{Deserialize, Serialize};

/// Where a request was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Vantage {
    /// A user's browser.
    Browser,
    /// An edge worker in a chosen region.
    Edge,
    /// A native process.
    Server,
}

impl Vantage {
    /// The word in records, SQL and the UI.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Browser => "browser",
            Self::Edge => "edge",
            Self::Server => "server",
        }
    }
}

/// The user's own label of a target: `edge` for self-hosted, `cloud`, or any other word.
pub type Side = String;

/// What a record says about its target. Base URL, model and key alias together make it comparable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    /// The id in `streamlag.toml`.
    pub id: String,
    /// The user's label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// Scheme, host, port and path; no query, no credentials.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The model asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Which key was used: the name of its environment variable, never the key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key_alias: Option<String>,
}

/// A target as configured: all that a shell needs to ask it, but for the key itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TargetConfig {
    /// Names the target everywhere: letters, digits, `-`, `_`, `.`.
    pub id: String,
    /// What people see; the id where missing.
    #[serde(default)]
    pub label: Option<String>,
    /// The user's label of its side.
    #[serde(default)]
    pub side: Option<Side>,
    /// `openai`, `anthropic` or `ollama` for asking; any dialect of the core for reading.
    pub dialect: String,
    /// The exact URL requests go to.
    pub url: String,
    /// The model to ask for.
    #[serde(default)]
    pub model: Option<String>,
    /// The environment variable that holds the key.
    #[serde(default)]
    pub key_env: Option<String>,
    /// The prompt a probe sends.
    #[serde(default = "default_prompt")]
    pub prompt: String,
    /// Most output tokens to ask for.
    #[serde(default = "default_max_tokens")]
    pub max_tokens: u32,
    /// Most seconds without headers.
    #[serde(default = "default_connect_ms")]
    pub connect_timeout_ms: u32,
    /// Longest wait for the first body byte.
    #[serde(default = "default_first_byte_ms")]
    pub first_byte_timeout_ms: u32,
    /// Longest silence between two reads.
    #[serde(default = "default_between_chunks_ms")]
    pub between_chunks_timeout_ms: u32,
    /// Most requests an hour through the relay and the schedule together.
    #[serde(default = "default_per_hour")]
    pub max_requests_per_hour: u32,
}

fn default_prompt() -> String {
    "Count from one to thirty in words.".to_owned()
}
const fn default_max_tokens() -> u32 {
    256
}
const fn default_connect_ms() -> u32 {
    3_000
}
const fn default_first_byte_ms() -> u32 {
    10_000
}
const fn default_between_chunks_ms() -> u32 {
    30_000
}
const fn default_per_hour() -> u32 {
    600
}

impl TargetConfig {
    /// What records say about it.
    pub fn for_record(&self) -> Target {
        Target {
            id: self.id.clone(),
            side: self.side.clone(),
            base_url: Some(without_query(&self.url)),
            model: self.model.clone(),
            key_alias: self.key_env.clone(),
        }
    }

    /// The label, or the id where there is none.
    pub fn label(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.id)
    }
}

/// The URL up to its query, without credentials: keys in URLs must not reach a record.
fn without_query(url: &str) -> String {
    let url = url.split(['?', '#']).next().unwrap_or_default();
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_once('/').map_or((rest, ""), |(a, p)| (a, p));
            let host = authority.rsplit('@').next().unwrap_or_default();
            let slash = if rest.contains('/') { "/" } else { "" };
            format!("{scheme}://{host}{slash}{path}")
        }
        None => url.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_in_the_url_does_not_reach_the_record() {
        assert_eq!(
            without_query("https://me:secret@h.example:8/v1/chat?key=s#x"),
            "https://h.example:8/v1/chat"
        );
        assert_eq!(without_query("https://h.example"), "https://h.example");
        assert_eq!(without_query("nonsense"), "nonsense");
    }
}
