//! `streamlag.toml`: where the collector listens and stores, the edge worker, and the targets.
//!
//! Everything a person can get wrong in the file is reported with the file, the field and the remedy.
//! Secrets are never in the file: it names environment variables, and no message here repeats a value
//! that could be a key.

mod check;
mod secrets;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use streamlag_wire::target::TargetConfig;

pub use secrets::Secrets;

/// The whole file.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// `[collector]`.
    #[serde(default)]
    pub collector: Collector,
    /// `[edge]`: the worker, where there is one.
    #[serde(default)]
    pub edge: Option<Edge>,
    /// `[[target]]`, in the order of the file.
    #[serde(default, rename = "target")]
    pub targets: Vec<TargetConfig>,
    /// The file it came from, for messages; empty for a configuration made in code.
    #[serde(skip)]
    pub file: PathBuf,
}

/// `[collector]`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Collector {
    /// Address and port to listen on.
    pub listen: SocketAddr,
    /// The database file.
    pub store: PathBuf,
    /// Whether an address that other machines can reach is allowed.
    pub allow_public: bool,
    /// Origins, beside those on this machine, whose pages may use the relay (`https://app.example`).
    pub origins: Vec<String>,
}

impl Default for Collector {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 7070)),
            store: PathBuf::from("streamlag.db"),
            allow_public: false,
            origins: Vec::new(),
        }
    }
}

/// `[edge]`: the worker that measures from chosen regions.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Edge {
    /// The worker's address.
    pub url: String,
    /// Which of the shared secrets is used; sent with every signature.
    pub key_id: String,
    /// The environment variable that holds the shared secret.
    pub secret_env: String,
}

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {file}: {reason}; give another file with --config")]
    Read {
        /// The file.
        file: String,
        /// Why.
        reason: std::io::Error,
    },
    /// The file is not TOML, or has a field of an unknown name or a wrong type.
    #[error("{file}, line {line}: {reason}")]
    Syntax {
        /// The file.
        file: String,
        /// Counted from 1.
        line: usize,
        /// What is wrong there.
        reason: String,
    },
    /// A value cannot be used.
    #[error("{file}, {field}: {problem}; {remedy}")]
    Invalid {
        /// The file.
        file: String,
        /// Which field, with the target's id or position where it belongs to one.
        field: String,
        /// What is wrong.
        problem: String,
        /// What to do about it.
        remedy: String,
    },
}

/// Reads and checks a file.
pub fn load(path: &Path) -> Result<Config, ConfigError> {
    let text = std::fs::read_to_string(path).map_err(|reason| ConfigError::Read {
        file: path.display().to_string(),
        reason,
    })?;
    parse(&text, path)
}

/// Checks the text of a file; `path` is for messages only.
pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
    // Only the message is used: the library's own rendering repeats the line, which may hold a key that
    // someone wrote into the file.
    let mut config: Config = toml::from_str(text).map_err(|error| ConfigError::Syntax {
        file: path.display().to_string(),
        line: error.span().map_or(1, |span| line_of(text, span.start)),
        reason: error.message().to_owned(),
    })?;
    config.file = path.to_owned();
    check::config(&config)?;
    Ok(config)
}

impl Config {
    /// The target of that id.
    pub fn target(&self, id: &str) -> Option<&TargetConfig> {
        self.targets.iter().find(|target| target.id == id)
    }

    /// The secret shared with the worker. `None`: there is no `[edge]`.
    pub fn edge_secret(&self, secrets: &Secrets) -> Result<Option<String>, ConfigError> {
        let Some(edge) = &self.edge else {
            return Ok(None);
        };
        let secret = secrets.get(&edge.secret_env).ok_or_else(|| {
            self.invalid(
                "edge.secret_env",
                format!("the environment variable {} is not set", edge.secret_env),
                format!(
                    "set {} to the secret that the worker has, or remove [edge]",
                    edge.secret_env
                ),
            )
        });
        secret.map(Some)
    }

    fn invalid(
        &self,
        field: impl Into<String>,
        problem: impl Into<String>,
        remedy: impl Into<String>,
    ) -> ConfigError {
        ConfigError::Invalid {
            file: self.file.display().to_string(),
            field: field.into(),
            problem: problem.into(),
            remedy: remedy.into(),
        }
    }
}

fn line_of(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().iter().take(offset);
    1 + before.filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests;
