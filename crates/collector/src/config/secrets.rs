//! Where secrets come from: names in the configuration, values from outside it.

use std::collections::BTreeMap;

/// Looks secrets up by the names that the configuration has. By default these are environment variables.
#[derive(Clone, Default)]
pub struct Secrets {
    /// `None`: the environment.
    fixed: Option<BTreeMap<String, String>>,
}

// By hand: a debug print must not hold them.
impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets")
    }
}

impl Secrets {
    /// Secrets that are known already, by name; the environment is not looked at.
    pub fn fixed<N: Into<String>, S: Into<String>>(
        secrets: impl IntoIterator<Item = (N, S)>,
    ) -> Self {
        let secrets = secrets.into_iter().map(|(n, s)| (n.into(), s.into()));
        Self {
            fixed: Some(secrets.collect()),
        }
    }

    /// The secret of that name; one that is empty is none.
    pub fn get(&self, name: &str) -> Option<String> {
        let found = match &self.fixed {
            Some(fixed) => fixed.get(name).cloned(),
            None => std::env::var(name).ok(),
        };
        let found = found.map(|secret| secret.trim().to_owned());
        found.filter(|secret| !secret.is_empty())
    }
}
