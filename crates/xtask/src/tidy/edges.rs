//! Who may depend on whom.

use anyhow::{Context, Result};
use harness::Place;
use serde_json::Value;

use crate::program::{cargo, output};

/// Each crate and the crates of this workspace that it may use.
const ALLOWED: [(&str, &[&str]); 17] = [
    ("streamlag-core", &[]),
    ("streamlag-wire", &["streamlag-core"]),
    ("streamlag-agent", &["streamlag-core", "streamlag-wire"]),
    ("streamlag-worker", &["streamlag-core", "streamlag-wire"]),
    ("streamlag-collector", &["streamlag-core", "streamlag-wire"]),
    ("streamlag-mock", &["streamlag-core", "streamlag-wire"]),
    (
        "streamlag-web",
        &["streamlag-agent", "streamlag-core", "streamlag-wire"],
    ),
    ("streamlag-replay", &["streamlag-core"]),
    (
        "streamlag",
        &[
            "streamlag-core",
            "streamlag-wire",
            "streamlag-collector",
            "streamlag-mock",
            "streamlag-replay",
        ],
    ),
    ("harness", &["streamlag-core", "streamlag-wire"]),
    ("bare", &["streamlag-core"]),
    ("parse-bench", &["streamlag-core"]),
    ("parse-page", &["streamlag-core"]),
    (
        "accuracy-page",
        &["streamlag-agent", "streamlag-core", "streamlag-wire"],
    ),
    ("replay-page", &["streamlag-replay"]),
    (
        "streamlag-e2e",
        &[
            "harness",
            "streamlag-core",
            "streamlag-wire",
            "streamlag-worker",
            "streamlag-replay",
        ],
    ),
    ("xtask", &["harness", "streamlag-core", "streamlag-wire"]),
];

/// The scripted server may serve any crate's own tests.
const FOR_TESTS: &str = "streamlag-mock";

/// Every edge that is not allowed.
pub(super) fn broken(place: &Place) -> Result<Vec<String>> {
    let mut metadata = cargo(place);
    metadata.args(["metadata", "--locked", "--no-deps", "--format-version", "1"]);
    let metadata: Value =
        serde_json::from_str(&output(&mut metadata, "Cargo.toml must be readable")?)?;
    let packages = metadata["packages"]
        .as_array()
        .context("no packages in cargo's metadata")?;
    Ok(packages.iter().flat_map(of_package).collect())
}

fn of_package(package: &Value) -> Vec<String> {
    let name = package["name"].as_str().unwrap_or_default();
    let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
        return vec![format!(
            "{name}: a new crate; say in tidy/edges.rs what it may depend on"
        )];
    };
    let mut broken = Vec::new();
    for dependency in package["dependencies"].as_array().into_iter().flatten() {
        let to = dependency["name"].as_str().unwrap_or_default();
        let ours = ALLOWED.iter().any(|(known, _)| *known == to);
        // A crate's tests may ask for all of its own features.
        let for_tests = dependency["kind"] == "dev" && (to == FOR_TESTS || to == name);
        if ours && !for_tests && !allowed.contains(&to) {
            broken.push(format!("{name} may not depend on {to}"));
        }
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_arrow_against_the_grain_is_named() {
        let wire = json!({"name": "streamlag-wire", "dependencies": [
            {"name": "streamlag-core", "kind": null}, {"name": "serde", "kind": null},
            {"name": "streamlag-collector", "kind": null}, {"name": "streamlag-mock", "kind": "dev"},
        ]});
        assert_eq!(
            of_package(&wire),
            ["streamlag-wire may not depend on streamlag-collector"]
        );
        assert_eq!(of_package(&json!({"name": "stranger"})).len(), 1);
    }
}
