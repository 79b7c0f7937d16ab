//! A client that is not ours reads through the relay as if it were the provider.

use harness::Trouble;
use serde_json::Value;
use std::process::Command;
use streamlag_e2e::{output, place, stack};

fn client(base: &str, model: &str) -> Result<Command, Trouble> {
    let place = place()?;
    let mut node = Command::new("node");
    node.arg(place.root().join("tests/e2e/openai_client.mjs"));
    node.arg(place.npm().join("node_modules/openai/index.mjs"))
        .arg(base);
    node.arg(model);
    Ok(node)
}

#[tokio::test]
async fn the_official_openai_client_streams_through_the_relay() -> Result<(), Trouble> {
    let stack = stack("relay").await?;
    let model = stack.target("quick")?.model.clone().unwrap_or_default();
    let seen = output(&mut client(
        &format!("{}/relay/quick", stack.url()),
        "whatever",
    )?)?;
    let seen: Value = serde_json::from_str(&seen).unwrap_or_default();
    let direct = output(&mut client(
        &format!("{}/openai/v1", stack.mock_url()),
        &model,
    )?)?;
    let direct: Value = serde_json::from_str(&direct).unwrap_or_default();
    // The relay asks for the target's model, whatever the client names.
    assert_eq!(seen["text"], direct["text"]);
    assert!(
        seen["text"].as_str().is_some_and(|text| text.len() > 10),
        "{seen}"
    );
    assert_eq!(seen["usage"], direct["usage"]);
    assert!(seen["usage"]["completion_tokens"].is_u64(), "{seen}");
    assert_eq!(seen["finish"], "stop");
    Ok(())
}

#[tokio::test]
async fn the_official_client_understands_a_refusal_through_the_relay() -> Result<(), Trouble> {
    let stack = stack("relay-429").await?;
    let seen = output(&mut client(
        &format!("{}/relay/rate-limited", stack.url()),
        "whatever",
    )?)?;
    let seen: Value = serde_json::from_str(&seen).unwrap_or_default();
    assert_eq!(seen["error"], "RateLimitError", "{seen}");
    assert_eq!(seen["retry_after"], "2", "{seen}");
    Ok(())
}
