//! The worker's bindings, read once a call. Every complaint names the binding and the remedy.

use crate::auth::Keys;
use crate::schedule::Plan;
use crate::targets::{BadTargets, Targets};

/// Every location hint the platform knows.
pub const HINTS: [&str; 11] = [
    "wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me", "apac-ne", "apac-se",
];

/// What the bindings say. No `Debug`: it holds the secret.
pub struct Settings {
    /// `TARGETS`.
    pub targets: Targets,
    /// `REGIONS`: location hints.
    pub regions: Vec<String>,
    /// `GENERATION`: a new one places every region anew.
    pub generation: u32,
    /// `COLLECTOR_URL`, without a slash at its end.
    pub collector: String,
    /// `EDGE_KEY_ID` and `EDGE_SECRET`.
    pub keys: Keys,
    /// `INTERVAL_S`; `None`: no schedule.
    pub plan: Option<Plan>,
    /// `SCHEDULE_TARGETS`: ids.
    pub scheduled: Vec<String>,
    /// `ALLOW_PRIVATE`: demo and tests only.
    pub allow_private: bool,
}

/// Why the bindings cannot be used.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSettings {
    /// A binding is missing.
    #[error(
        "the binding {0} is missing: set it (a variable in wrangler.toml, a secret with `wrangler secret put`)"
    )]
    Missing(&'static str),
    /// Not a number.
    #[error("the binding {name} is {value:?}: it must be a whole number")]
    Number {
        /// Which.
        name: &'static str,
        /// What it is.
        value: String,
    },
    /// Not a location hint.
    #[error("REGIONS has {0:?}: the location hints are {HINTS:?}")]
    Region(String),
    /// A scheduled target that is not configured.
    #[error("SCHEDULE_TARGETS has {0:?}, which is not in TARGETS")]
    Scheduled(String),
    /// Records would travel in the open, or the URL holds more than a place.
    #[error("COLLECTOR_URL must be https://HOST, without user, password and query")]
    Collector,
    /// The targets.
    #[error(transparent)]
    Targets(#[from] BadTargets),
}

impl Settings {
    /// Reads the bindings through `get`.
    pub fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, BadSettings> {
        let need = |name: &'static str| {
            let value = get(name).filter(|value| !value.is_empty());
            value.ok_or(BadSettings::Missing(name))
        };
        let number = |name: &'static str, without: u32| match get(name) {
            None => Ok(without),
            Some(value) => value
                .trim()
                .parse()
                .map_err(|_| BadSettings::Number { name, value }),
        };
        let allow_private = get("ALLOW_PRIVATE").as_deref() == Some("1");
        let regions = list(&need("REGIONS")?);
        if let Some(other) = regions.iter().find(|r| !HINTS.contains(&r.as_str())) {
            return Err(BadSettings::Region(other.clone()));
        }
        let collector = need("COLLECTOR_URL")?.trim_end_matches('/').to_owned();
        if !is_collector(&collector, allow_private) {
            return Err(BadSettings::Collector);
        }
        let targets = Targets::parse(&need("TARGETS")?)?;
        let scheduled = list(&get("SCHEDULE_TARGETS").unwrap_or_default());
        if let Some(other) = scheduled.iter().find(|id| targets.get(id).is_none()) {
            return Err(BadSettings::Scheduled(other.clone()));
        }
        Ok(Self {
            targets,
            regions,
            generation: number("GENERATION", 1)?,
            collector,
            keys: Keys {
                id: need("EDGE_KEY_ID")?,
                secret: need("EDGE_SECRET")?.into_bytes(),
            },
            plan: Plan::every(number("INTERVAL_S", 0)?),
            scheduled,
            allow_private,
        })
    }

    /// The name of a region's object.
    pub fn object_name(&self, hint: &str) -> String {
        format!("region:{hint}:g{}", self.generation)
    }
}

fn is_collector(url: &str, allow_private: bool) -> bool {
    url::Url::parse(url).is_ok_and(|url| {
        let scheme = url.scheme() == "https" || (allow_private && url.scheme() == "http");
        let bare = url.username().is_empty() && url.password().is_none() && url.query().is_none();
        scheme && bare && url.has_host()
    })
}

fn list(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(changes: &[(&str, Option<&str>)]) -> Result<Settings, BadSettings> {
        Settings::read(|name| {
            if let Some((_, value)) = changes.iter().find(|(n, _)| *n == name) {
                return value.map(str::to_owned);
            }
            let value = match name {
                "REGIONS" => "weur, enam",
                "COLLECTOR_URL" => "https://collector.example/",
                "TARGETS" => r#"[{"id":"t","dialect":"openai","url":"https://t.example/"}]"#,
                "EDGE_KEY_ID" => "k",
                "EDGE_SECRET" => "s3cret",
                _ => return None,
            };
            Some(value.to_owned())
        })
    }

    #[test]
    fn good_bindings_are_read() {
        let settings = with(&[("INTERVAL_S", Some("60")), ("GENERATION", Some("3"))]).unwrap();
        assert_eq!(settings.regions, ["weur", "enam"]);
        assert_eq!(settings.collector, "https://collector.example");
        assert_eq!(settings.object_name("weur"), "region:weur:g3");
        assert_eq!(settings.plan, Plan::every(60));
        assert_eq!(with(&[]).unwrap().plan, None);
    }

    #[test]
    fn every_wrong_binding_is_named_and_no_secret_is() {
        for (name, value) in [
            ("REGIONS", Some("moon")),
            ("EDGE_SECRET", None),
            ("COLLECTOR_URL", Some("http://collector.example")),
            ("COLLECTOR_URL", Some("https://me:s3cret@collector.example")),
            ("COLLECTOR_URL", Some("nowhere")),
            ("TARGETS", Some("[{]")),
            ("INTERVAL_S", Some("often")),
            ("SCHEDULE_TARGETS", Some("other")),
        ] {
            let said = with(&[(name, value)]).err().unwrap().to_string();
            assert!(said.contains(name), "{name}: {said}");
            assert!(!said.contains("s3cret"));
        }
    }
}
