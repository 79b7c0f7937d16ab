//! What may be asked: named targets from the `TARGETS` binding, never a URL from a caller.

use streamlag_wire::target::TargetConfig;
use url::Url;

use crate::private_host::is_private;

/// The configured targets.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Targets(Vec<TargetConfig>);

/// Why the `TARGETS` binding cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadTargets {
    /// Not a JSON array of targets.
    #[error("TARGETS is not a JSON array of targets: {0}; fix the binding and deploy again")]
    Json(String),
    /// An id of the wrong shape.
    #[error("TARGETS has the id {0:?}: an id is 1 to 64 letters, digits, '-', '_' or '.'")]
    Id(String),
    /// Two targets with one id.
    #[error("TARGETS has two targets with the id {0:?}: rename one")]
    Twice(String),
}

/// Why a configured target is not asked. No text holds the URL's query, user or password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The URL cannot be read.
    #[error("target {id:?}: its url is not a URL ({why}); correct it in TARGETS")]
    NotAUrl {
        /// The target.
        id: String,
        /// The parser's words.
        why: url::ParseError,
    },
    /// Plain HTTP or another scheme.
    #[error("target {id:?}: its url starts with {scheme:?}; only https is asked from the edge")]
    NotHttps {
        /// The target.
        id: String,
        /// What it starts with.
        scheme: String,
    },
    /// User or password in the URL.
    #[error(
        "target {0:?}: its url holds a user or password; use key_env, and a secret of that name"
    )]
    Credentials(String),
    /// A host inside a private network.
    #[error(
        "target {id:?}: the host {host:?} is private or local; the edge asks public hosts only"
    )]
    Private {
        /// The target.
        id: String,
        /// Its host.
        host: String,
    },
    /// A dialect that cannot be asked.
    #[error("target {id:?}: the dialect {dialect:?} cannot be asked; use one of {ASKABLE:?}")]
    Dialect {
        /// The target.
        id: String,
        /// Its dialect.
        dialect: String,
    },
}

/// The dialects in which a request can be written.
pub const ASKABLE: [&str; 3] = ["openai", "anthropic", "ollama"];

impl Targets {
    /// Reads the binding's text.
    pub fn parse(text: &str) -> Result<Self, BadTargets> {
        let targets: Vec<TargetConfig> =
            serde_json::from_str(text).map_err(|error| BadTargets::Json(error.to_string()))?;
        for (index, target) in targets.iter().enumerate() {
            if !is_id(&target.id) {
                return Err(BadTargets::Id(target.id.clone()));
            }
            if targets[..index].iter().any(|other| other.id == target.id) {
                return Err(BadTargets::Twice(target.id.clone()));
            }
        }
        Ok(Self(targets))
    }

    /// The target of this id.
    pub fn get(&self, id: &str) -> Option<&TargetConfig> {
        self.0.iter().find(|target| target.id == id)
    }

    /// All ids, in the order of the binding.
    pub fn ids(&self) -> Vec<&str> {
        self.0.iter().map(|target| target.id.as_str()).collect()
    }
}

/// Whether a target may be asked. `allow_private` is for demo and tests, where the target is this machine.
pub fn admit(target: &TargetConfig, allow_private: bool) -> Result<(), Refused> {
    let id = || target.id.clone();
    if !ASKABLE.contains(&target.dialect.as_str()) {
        let dialect = target.dialect.clone();
        return Err(Refused::Dialect { id: id(), dialect });
    }
    let url = Url::parse(&target.url).map_err(|why| Refused::NotAUrl { id: id(), why })?;
    let scheme = url.scheme();
    if scheme != "https" && !(allow_private && scheme == "http") {
        let scheme = scheme.to_owned();
        return Err(Refused::NotHttps { id: id(), scheme });
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Refused::Credentials(id()));
    }
    if !allow_private && url.host().is_none_or(|host| is_private(&host)) {
        let host = url.host_str().unwrap_or_default().to_owned();
        return Err(Refused::Private { id: id(), host });
    }
    Ok(())
}

fn is_id(id: &str) -> bool {
    (1..=64).contains(&id.len())
        && id
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(url: &str) -> TargetConfig {
        let text = serde_json::json!([{ "id": "t", "dialect": "openai", "url": url }]).to_string();
        Targets::parse(&text).unwrap().get("t").unwrap().clone()
    }

    #[test]
    fn private_hosts_are_refused() {
        for host in ["127.0.0.1", "localhost", "2130706433", "[::ffff:10.0.0.1]"] {
            let refused = admit(&target(&format!("https://{host}/v1")), false);
            assert!(matches!(refused, Err(Refused::Private { .. })), "{host}");
        }
    }

    #[test]
    fn public_hosts_are_asked() {
        for url in [
            "https://api.openai.com/v1/chat/completions",
            "https://1.1.1.1/",
            "https://[2606:4700::1111]/",
            "https://local.example.com/",
        ] {
            assert_eq!(admit(&target(url), false), Ok(()), "{url}");
        }
    }

    #[test]
    fn plain_http_is_for_demo_and_tests_only() {
        let mock = target("http://127.0.0.1:7071/openai/v1/chat/completions");
        assert!(matches!(admit(&mock, false), Err(Refused::NotHttps { .. })));
        assert_eq!(admit(&mock, true), Ok(()));
        let file = target("file:///etc/passwd");
        assert!(matches!(admit(&file, true), Err(Refused::NotHttps { .. })));
    }

    #[test]
    fn no_refusal_repeats_a_secret_of_the_url() {
        for url in [
            "https://me:s3cret@example.com/?key=s3cret",
            "http://example.com/?key=s3cret",
            "https://10.0.0.1/?key=s3cret",
            "https://exa mple.com/?key=s3cret",
        ] {
            let refused = admit(&target(url), false).unwrap_err().to_string();
            assert!(!refused.contains("s3cret"), "{refused}");
        }
    }

    #[test]
    fn a_bad_binding_is_told_in_words() {
        let twice = r#"[{"id":"a","dialect":"openai","url":"https://x.example"},{"id":"a","dialect":"openai","url":"https://y.example"}]"#;
        assert_eq!(
            Targets::parse(twice),
            Err(BadTargets::Twice("a".to_owned()))
        );
        assert!(matches!(Targets::parse("{"), Err(BadTargets::Json(_))));
        let id = r#"[{"id":"../x","dialect":"openai","url":"https://x.example"}]"#;
        assert_eq!(Targets::parse(id), Err(BadTargets::Id("../x".to_owned())));
    }
}
