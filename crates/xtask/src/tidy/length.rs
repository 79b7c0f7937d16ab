//! No file holds two ideas.

use std::path::Path;

use super::ends_in;

const MOST: usize = 400;

/// The file, when it has more lines of code than one idea needs, or a name that is no idea.
pub(super) fn broken(path: &Path, text: &str) -> Option<String> {
    if !ends_in(path, &["rs", "mjs", "js"]) {
        return None;
    }
    let shown = path.display();
    let stem = path
        .file_stem()
        .and_then(|stem| stem.to_str())
        .unwrap_or_default();
    if [
        "utils", "util", "helpers", "helper", "types", "common", "misc",
    ]
    .contains(&stem)
    {
        return Some(format!("{shown}: name the concept, not the kind"));
    }
    let lines = text.lines().filter(|line| is_code(line)).count();
    (lines > MOST).then(|| {
        format!("{shown}: {lines} lines of code, {MOST} at most; is there a second idea inside?")
    })
}

fn is_code(line: &str) -> bool {
    let line = line.trim();
    !line.is_empty() && !line.starts_with("//")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_lines_count_and_comments_do_not() {
        let long = "let a = 1;\n".repeat(MOST + 1);
        assert!(broken(Path::new("a/long.rs"), &long).is_some());
        let commented = format!(
            "{}{}",
            "let a = 1;\n".repeat(MOST),
            "// why\n\n".repeat(100)
        );
        assert!(broken(Path::new("a/long.rs"), &commented).is_none());
        assert!(broken(Path::new("a/long.md"), &long).is_none());
    }

    #[test]
    fn a_module_named_after_its_kind_is_refused() {
        assert!(broken(Path::new("src/utils.rs"), "").is_some());
    }
}
