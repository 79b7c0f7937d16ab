//! Every crate takes the workspace's lints.

use std::path::Path;

/// A crate's manifest that does not.
pub(super) fn broken(path: &Path, text: &str) -> Option<String> {
    let manifest = path.file_name().is_some_and(|name| name == "Cargo.toml");
    // A workspace of its own has nothing to inherit.
    let ours = text.contains("[package]") && !text.contains("[workspace]");
    if !manifest || !ours || text.contains("[lints]\nworkspace = true") {
        return None;
    }
    Some(format!(
        "{}: add `[lints]` with `workspace = true`",
        path.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_without_the_lints_is_named() {
        let path = Path::new("crates/new/Cargo.toml");
        assert!(broken(path, "[package]\nname = \"new\"\n").is_some());
        assert!(
            broken(
                path,
                "[package]\nname = \"new\"\n\n[lints]\nworkspace = true\n"
            )
            .is_none()
        );
    }
}
