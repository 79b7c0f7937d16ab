//! What must hold of a configuration beyond its types.

use std::collections::HashSet;

use streamlag_wire::fit::MAX_TEXT;
use streamlag_wire::target::TargetConfig;
use url::Url;

use super::{Config, ConfigError, Edge};

/// Dialects that a target can be asked in.
const DIALECTS: [&str; 3] = ["openai", "anthropic", "ollama"];

pub(super) fn config(config: &Config) -> Result<(), ConfigError> {
    for origin in &config.collector.origins {
        check_origin(config, origin)?;
    }
    if let Some(edge) = &config.edge {
        check_edge(config, edge)?;
    }
    let mut seen = HashSet::new();
    for (position, target) in config.targets.iter().enumerate() {
        check_id(config, position, target)?;
        if !seen.insert(target.id.as_str()) {
            return Err(config.invalid(
                format!("target[{position}].id"),
                format!("the id {:?} is used twice", target.id),
                "give each target an id of its own",
            ));
        }
        check_target(config, target)?;
    }
    Ok(())
}

fn check_origin(config: &Config, origin: &str) -> Result<(), ConfigError> {
    // `null` is what a browser sends for a file or a sandboxed frame.
    let exact = Url::parse(origin).is_ok_and(|url| url.origin().ascii_serialization() == origin);
    if exact || origin == "null" {
        return Ok(());
    }
    Err(config.invalid(
        "collector.origins",
        format!("{origin:?} is not an origin"),
        "write scheme, host and port only, as in \"https://app.example\"",
    ))
}

fn check_edge(config: &Config, edge: &Edge) -> Result<(), ConfigError> {
    check_url(config, "edge.url", &edge.url)?;
    check_env_name(config, "edge.secret_env", &edge.secret_env)?;
    if is_id(&edge.key_id) {
        return Ok(());
    }
    Err(config.invalid(
        "edge.key_id",
        "not a key id",
        "use 1 to 64 letters, digits, '.', '_' or '-'",
    ))
}

fn check_id(config: &Config, position: usize, target: &TargetConfig) -> Result<(), ConfigError> {
    if is_id(&target.id) {
        return Ok(());
    }
    Err(config.invalid(
        format!("target[{position}].id"),
        format!("{:?} cannot be an id", target.id),
        "use 1 to 64 letters, digits, '.', '_' or '-'",
    ))
}

fn check_target(config: &Config, target: &TargetConfig) -> Result<(), ConfigError> {
    let field = |name: &str| format!("target {:?}, {name}", target.id);
    check_url(config, &field("url"), &target.url)?;
    if !DIALECTS.contains(&target.dialect.as_str()) {
        return Err(config.invalid(
            field("dialect"),
            format!("{:?} is not known", target.dialect),
            format!("use one of {}", DIALECTS.join(", ")),
        ));
    }
    if let Some(name) = &target.key_env {
        check_env_name(config, &field("key_env"), name)?;
    }
    let in_records = target.for_record();
    let texts = [
        ("url", in_records.base_url),
        ("model", in_records.model),
        ("side", in_records.side),
        ("key_env", in_records.key_alias),
    ];
    for (name, text) in texts {
        let bytes = text.map_or(0, |text| text.len());
        if bytes > MAX_TEXT {
            let reason = format!("has {bytes} bytes");
            let remedy = format!("records hold {MAX_TEXT} of it: give a shorter one");
            return Err(config.invalid(field(name), reason, remedy));
        }
    }
    let limits = [
        ("max_tokens", target.max_tokens),
        ("connect_timeout_ms", target.connect_timeout_ms),
        ("first_byte_timeout_ms", target.first_byte_timeout_ms),
        (
            "between_chunks_timeout_ms",
            target.between_chunks_timeout_ms,
        ),
    ];
    for (name, value) in limits {
        if value == 0 {
            let remedy = "give a number above 0, or leave the field out";
            return Err(config.invalid(field(name), "0 leaves no room to answer", remedy));
        }
    }
    Ok(())
}

fn check_url(config: &Config, field: &str, text: &str) -> Result<(), ConfigError> {
    let url = Url::parse(text).map_err(|error| {
        // The text itself is not repeated: it may hold credentials.
        let remedy = "write a whole URL, as in \"https://api.example/v1/chat/completions\"";
        config.invalid(field, format!("not a URL ({error})"), remedy)
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(config.invalid(
            field,
            format!("the scheme {:?} is not supported", url.scheme()),
            "use http or https",
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(config.invalid(
            field,
            "the URL holds credentials",
            "put the key into an environment variable and name that variable",
        ));
    }
    Ok(())
}

fn check_env_name(config: &Config, field: &str, name: &str) -> Result<(), ConfigError> {
    let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let starts_well = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts_well && name.chars().all(letters) {
        return Ok(());
    }
    // The value is not repeated: most likely it is the key itself.
    Err(config.invalid(
        field,
        "not the name of an environment variable",
        "write the variable's name here, as in \"OPENAI_API_KEY\", and keep the key out of the file",
    ))
}

/// What may name a target or a key: it appears in paths and in file names.
fn is_id(text: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    // `.` and `..` mean something else in a path.
    (1..=64).contains(&text.len())
        && text.chars().all(allowed)
        && !text.trim_matches('.').is_empty()
}
