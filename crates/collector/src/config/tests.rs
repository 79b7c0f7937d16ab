use std::path::Path;

use super::{Config, ConfigError, Secrets, parse};

const GOOD: &str = r#"
[collector]
listen = "127.0.0.1:7071"
origins = ["https://app.example"]

[edge]
url = "http://127.0.0.1:7072"
key_id = "demo"
secret_env = "STREAMLAG_TEST_SECRET_THAT_IS_NEVER_SET"

[[target]]
id = "steady"
dialect = "openai"
url = "http://127.0.0.1:7071/openai/v1/chat/completions"
"#;

fn read(text: &str) -> Result<Config, ConfigError> {
    parse(text, Path::new("streamlag.toml"))
}

fn refusal(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

#[test]
fn an_empty_file_is_a_collector_without_targets_on_loopback() {
    let config = read("").unwrap();
    assert!(config.targets.is_empty() && config.edge.is_none());
    assert!(config.collector.listen.ip().is_loopback());
    assert!(!config.collector.allow_public);
}

#[test]
fn fields_left_out_have_their_defaults() {
    let config = read(GOOD).unwrap();
    let target = config.target("steady").unwrap();
    assert_eq!(target.label(), "steady");
    assert_eq!(target.max_tokens, 256);
    assert_eq!(config.collector.listen.port(), 7071);
    assert!(config.target("other").is_none());
}

#[test]
fn a_field_of_an_unknown_name_is_reported_with_its_line_and_without_its_value() {
    let text = GOOD.replace("dialect =", "api_key = \"sk-secret\"\ndialect =");
    let message = refusal(&text);
    assert!(message.starts_with("streamlag.toml, line "), "{message}");
    assert!(message.contains("api_key"), "{message}");
    assert!(!message.contains("sk-secret"), "{message}");
}

#[test]
fn bad_values_name_the_field_and_the_remedy() {
    let cases = [
        ("id = \"steady\"", "id = \"a/b\"", "target[0].id", "letters"),
        ("id = \"steady\"", "id = \"..\"", "target[0].id", "letters"),
        ("\"openai\"", "\"gopher\"", "dialect", "anthropic"),
        (
            "http://127.0.0.1:7071/o",
            "ftp://h/o",
            "url",
            "http or https",
        ),
        ("http://127.0.0.1:7071/o", "h/o", "url", "whole URL"),
        (
            "http://127.0.0.1:7071/o",
            "http://u:sk-x@h/o",
            "url",
            "environment",
        ),
        (
            "http://127.0.0.1:7072",
            "localhost",
            "edge.url",
            "whole URL",
        ),
        (
            "key_id = \"demo\"",
            "key_id = \"\"",
            "edge.key_id",
            "letters",
        ),
        (
            "https://app.example",
            "https://app.example/",
            "collector.origins",
            "host and port",
        ),
        (
            "dialect =",
            "max_tokens = 0\ndialect =",
            "max_tokens",
            "above 0",
        ),
        (
            "dialect =",
            "key_env = \"sk-abc\"\ndialect =",
            "key_env",
            "variable's name",
        ),
    ];
    for (from, to, field, remedy) in cases {
        assert!(GOOD.contains(from), "{from}");
        let message = refusal(&GOOD.replace(from, to));
        assert!(message.starts_with("streamlag.toml, "), "{message}");
        assert!(message.contains(field), "{message}");
        assert!(message.contains(remedy), "{message}");
        assert!(!message.contains("sk-"), "{message}");
    }
}

#[test]
fn an_id_used_twice_is_refused() {
    let target = GOOD.split("[[target]]").nth(1).unwrap();
    let message = refusal(&format!("{GOOD}\n[[target]]{target}"));
    assert!(
        message.contains("target[1].id") && message.contains("twice"),
        "{message}"
    );
}

#[test]
fn a_missing_edge_secret_names_its_variable_only_when_it_is_needed() {
    let config = read(GOOD).unwrap();
    let message = config
        .edge_secret(&Secrets::default())
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("STREAMLAG_TEST_SECRET_THAT_IS_NEVER_SET"),
        "{message}"
    );
    assert!(
        Config::default()
            .edge_secret(&Secrets::default())
            .unwrap()
            .is_none()
    );
}

#[test]
fn a_missing_file_says_how_to_name_another() {
    let message = super::load(Path::new("/nowhere/streamlag.toml"))
        .unwrap_err()
        .to_string();
    assert!(message.contains("/nowhere/streamlag.toml") && message.contains("--config"));
}
