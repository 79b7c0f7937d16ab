//! The targets that the collector knows, and how one is asked.

use serde::Deserialize;
use streamlag_wire::request::{self, HttpRequest};
use streamlag_wire::target::{Target, TargetConfig};

/// One entry of `GET /v1/targets`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TargetInfo {
    /// Its id.
    pub id: String,
    /// What people see.
    pub label: String,
    /// The user's label of its side.
    #[serde(default)]
    pub side: Option<String>,
    /// How it is asked.
    pub dialect: String,
    /// The model.
    #[serde(default)]
    pub model: Option<String>,
    /// Most output tokens.
    pub max_tokens: u32,
    /// The prompt a probe sends.
    pub prompt: String,
    /// Path of its relay.
    pub relay: String,
    /// The target's URL without query.
    #[serde(default)]
    pub base_url: Option<String>,
    /// The name of the environment variable that holds its key.
    #[serde(default)]
    pub key_alias: Option<String>,
    /// The same, where the variable is not set.
    #[serde(default)]
    pub missing_key: Option<String>,
    /// Longest wait for the connection.
    #[serde(default = "connect_ms")]
    pub connect_timeout_ms: u32,
    /// Longest wait for the first byte.
    #[serde(default = "first_byte_ms")]
    pub first_byte_timeout_ms: u32,
    /// Longest silence between two reads.
    #[serde(default = "between_chunks_ms")]
    pub between_chunks_timeout_ms: u32,
}

const fn connect_ms() -> u32 {
    3_000
}
const fn first_byte_ms() -> u32 {
    10_000
}
const fn between_chunks_ms() -> u32 {
    30_000
}

impl TargetInfo {
    /// The request body and headers for a prompt, in the target's own dialect. The relay adds the key.
    pub fn request(&self, prompt: &str) -> HttpRequest {
        let config = TargetConfig {
            id: self.id.clone(),
            label: Some(self.label.clone()),
            side: self.side.clone(),
            dialect: self.dialect.clone(),
            url: self.relay.clone(),
            model: self.model.clone(),
            key_env: None,
            prompt: String::new(),
            max_tokens: self.max_tokens,
            connect_timeout_ms: self.connect_timeout_ms,
            first_byte_timeout_ms: self.first_byte_timeout_ms,
            between_chunks_timeout_ms: self.between_chunks_timeout_ms,
            max_requests_per_hour: 0,
        };
        let mut request = request::build(&config, prompt, self.max_tokens, None);
        // The browser negotiates with the relay on its own and would refuse to be told.
        request
            .headers
            .retain(|(name, _)| name != "accept-encoding");
        request
    }

    /// What the record says was measured.
    pub fn for_record(&self) -> Target {
        Target {
            id: self.id.clone(),
            side: self.side.clone(),
            base_url: self.base_url.clone(),
            model: self.model.clone(),
            key_alias: self.key_alias.clone(),
        }
    }

    /// `cloud · gpt-4o-mini · openai`, as far as known.
    pub fn particulars(&self) -> String {
        let parts = [
            self.side.as_deref(),
            self.model.as_deref(),
            Some(self.dialect.as_str()),
        ];
        let known: Vec<&str> = parts.into_iter().flatten().collect();
        known.join(" · ")
    }

    /// The host (and port) that the target lives at.
    pub fn host(&self) -> Option<&str> {
        let (_, rest) = self.base_url.as_deref()?.split_once("://")?;
        rest.split('/').next()
    }
}

/// Which target to show first: the one named in the address, if it exists, else the first.
pub fn initial(targets: &[TargetInfo], asked: Option<&str>) -> Option<String> {
    let named = targets.iter().find(|t| Some(t.id.as_str()) == asked);
    named.or(targets.first()).map(|t| t.id.clone())
}

#[cfg(test)]
pub(crate) fn example() -> TargetInfo {
    serde_json::from_str(
        r#"{"id":"steady","label":"Steady answer","side":"cloud","dialect":"openai","model":"mock-steady",
            "max_tokens":64,"prompt":"Hi","relay":"/relay/steady","base_url":"http://127.0.0.1:7071/v1/chat"}"#,
    )
    .unwrap()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_in_the_targets_dialect_and_names_no_forbidden_header() {
        let request = example().request("hello");
        let body: serde_json::Value = serde_json::from_str(&request.body).unwrap();
        assert_eq!(body["messages"][0]["content"], "hello");
        assert_eq!(body["max_tokens"], 64);
        assert!(
            request
                .headers
                .iter()
                .all(|(name, _)| name != "accept-encoding")
        );
    }

    #[test]
    fn the_target_in_the_address_is_chosen_where_it_exists() {
        let mut other = example();
        other.id = "other".into();
        let targets = [example(), other];
        assert_eq!(initial(&targets, Some("other")).as_deref(), Some("other"));
        assert_eq!(initial(&targets, Some("gone")).as_deref(), Some("steady"));
        assert_eq!(initial(&[], None), None);
    }

    #[test]
    fn a_target_says_what_is_known_of_it() {
        assert_eq!(example().particulars(), "cloud · mock-steady · openai");
        assert_eq!(example().host(), Some("127.0.0.1:7071"));
    }
}
