//! How each kind of target is asked: headers and body in its own shape.

use serde_json::{Map, Value, json};

use crate::target::TargetConfig;

/// A request to a target, ready to send with `POST`.
#[derive(Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// Header names (lower case) and values.
    pub headers: Vec<(String, String)>,
    /// JSON text.
    pub body: String,
}

// By hand: headers hold the key, and a debug print must not.
impl std::fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<_> = self.headers.iter().map(|(name, _)| name).collect();
        write!(
            f,
            "HttpRequest {{ headers: {names:?}, body: {} bytes }}",
            self.body.len()
        )
    }
}

/// A streaming request that asks for usage and for an uncompressed answer.
pub fn build(
    target: &TargetConfig,
    prompt: &str,
    max_tokens: u32,
    key: Option<&str>,
) -> HttpRequest {
    let messages = json!([{ "role": "user", "content": prompt }]);
    let body = match target.dialect.as_str() {
        "anthropic" => json!({ "messages": messages, "max_tokens": max_tokens, "stream": true }),
        "ollama" => {
            json!({ "messages": messages, "stream": true, "options": { "num_predict": max_tokens } })
        }
        _ => json!({
            "messages": messages, "max_tokens": max_tokens, "stream": true,
            "stream_options": { "include_usage": true },
        }),
    };
    let mut body = into_map(body);
    force_model(target, &mut body);
    let accept = if target.dialect == "ollama" {
        "application/x-ndjson"
    } else {
        "text/event-stream"
    };
    let mut headers = vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        ("accept".to_owned(), accept.to_owned()),
        ("accept-encoding".to_owned(), "identity".to_owned()),
    ];
    headers.extend(auth(target, key));
    HttpRequest {
        headers,
        body: Value::Object(body).to_string(),
    }
}

/// The headers that carry the key (and, for Anthropic, the API's version).
pub fn auth(target: &TargetConfig, key: Option<&str>) -> Vec<(String, String)> {
    let anthropic = target.dialect == "anthropic";
    let version = anthropic.then(|| ("anthropic-version".to_owned(), "2023-06-01".to_owned()));
    let key = key.map(|key| match anthropic {
        true => ("x-api-key".to_owned(), key.to_owned()),
        false => ("authorization".to_owned(), format!("Bearer {key}")),
    });
    version.into_iter().chain(key).collect()
}

/// Why a relay does not pass a body on.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum CapError {
    /// Not JSON, or not an object.
    #[error("the request body is not a JSON object: {0}")]
    NotAnObject(String),
}

/// A caller's own body, with the target's model and at most its output tokens; all else stays.
pub fn cap(target: &TargetConfig, body: &[u8]) -> Result<String, CapError> {
    let mut body = match serde_json::from_slice(body) {
        Ok(Value::Object(map)) => map,
        Ok(_) => {
            return Err(CapError::NotAnObject(
                "it is another kind of JSON value".to_owned(),
            ));
        }
        Err(error) => return Err(CapError::NotAnObject(error.to_string())),
    };
    force_model(target, &mut body);
    let most = u64::from(target.max_tokens);
    let capped =
        |value: Option<&Value>| json!(value.and_then(Value::as_u64).map_or(most, |n| n.min(most)));
    if target.dialect == "ollama" {
        let options = body.entry("options").or_insert_with(|| json!({}));
        if !options.is_object() {
            *options = json!({});
        }
        if let Value::Object(options) = options {
            let most = capped(options.get("num_predict"));
            options.insert("num_predict".to_owned(), most);
        }
    } else {
        // Newer OpenAI models know only the second name; both are capped where given.
        let newer = body.contains_key("max_completion_tokens");
        for name in ["max_tokens", "max_completion_tokens"] {
            if body.contains_key(name) || (name == "max_tokens" && !newer) {
                let most = capped(body.get(name));
                body.insert(name.to_owned(), most);
            }
        }
    }
    Ok(Value::Object(body).to_string())
}

fn force_model(target: &TargetConfig, body: &mut Map<String, Value>) {
    if let Some(model) = &target.model {
        body.insert("model".to_owned(), json!(model));
    }
}

fn into_map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(dialect: &str) -> TargetConfig {
        let text = json!({ "id": "t", "dialect": dialect, "url": "http://h/v1", "model": "m", "max_tokens": 100 });
        serde_json::from_value(text).unwrap()
    }

    fn body(text: &str) -> Value {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn each_dialect_asks_for_a_stream_of_its_own_shape() {
        let openai = body(&build(&target("openai"), "hi", 9, None).body);
        assert_eq!(openai["stream_options"]["include_usage"], true);
        let anthropic = body(&build(&target("anthropic"), "hi", 9, None).body);
        assert_eq!(
            (anthropic["max_tokens"].as_u64(), &anthropic["stream"]),
            (Some(9), &json!(true))
        );
        assert_eq!(
            body(&build(&target("ollama"), "hi", 9, None).body)["options"]["num_predict"],
            9
        );
    }

    #[test]
    fn the_key_goes_where_the_dialect_wants_it_and_never_into_a_debug_print() {
        let openai = build(&target("openai"), "hi", 9, Some("s3cret"));
        assert!(
            openai
                .headers
                .contains(&("authorization".to_owned(), "Bearer s3cret".to_owned()))
        );
        let anthropic = build(&target("anthropic"), "hi", 9, Some("s3cret"));
        assert!(
            anthropic
                .headers
                .contains(&("x-api-key".to_owned(), "s3cret".to_owned()))
        );
        assert!(!format!("{openai:?}{anthropic:?}").contains("s3cret"));
    }

    #[test]
    fn a_relayed_body_keeps_everything_but_model_and_cap() {
        let given = br#"{"model":"expensive","max_tokens":100000,"temperature":0.5,"messages":[]}"#;
        let capped = body(&cap(&target("openai"), given).unwrap());
        assert_eq!(
            capped,
            json!({ "model": "m", "max_tokens": 100, "temperature": 0.5, "messages": [] })
        );
    }

    #[test]
    fn a_cap_is_added_where_the_caller_gave_none_or_nonsense() {
        assert_eq!(
            body(&cap(&target("openai"), b"{}").unwrap())["max_tokens"],
            100
        );
        assert_eq!(
            body(&cap(&target("openai"), br#"{"max_tokens":-1}"#).unwrap())["max_tokens"],
            100
        );
        let newer = body(&cap(&target("openai"), br#"{"max_completion_tokens":500}"#).unwrap());
        assert_eq!(newer, json!({ "model": "m", "max_completion_tokens": 100 }));
        assert_eq!(
            body(&cap(&target("ollama"), br#"{"options":7}"#).unwrap())["options"]["num_predict"],
            100
        );
    }

    #[test]
    fn a_body_that_is_no_object_is_refused_in_words() {
        assert!(
            cap(&target("openai"), b"[]")
                .unwrap_err()
                .to_string()
                .contains("not a JSON object")
        );
        assert!(cap(&target("openai"), b"{").is_err());
    }
}
