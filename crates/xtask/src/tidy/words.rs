//! No file names one machine's folders or the hosts packages happen to come from.

use std::path::Path;

/// Each in two halves, so that this file is clean itself.
const FORBIDDEN: [(&str, &str); 7] = [
    ("/wo", "rk/"),
    ("/ro", "ot/"),
    ("/ho", "me/"),
    ("registry.npm", "js.org"),
    ("static.crates", ".io"),
    ("index.crates", ".io"),
    ("deb.deb", "ian.org"),
];

/// Each line with a forbidden word.
pub(super) fn broken(path: &Path, text: &str) -> Vec<String> {
    let mut broken = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for (head, tail) in FORBIDDEN {
            let word = format!("{head}{tail}");
            if line.contains(&word) {
                broken.push(format!(
                    "{}:{}: {word} holds on one machine only",
                    path.display(),
                    at + 1
                ));
            }
        }
    }
    broken
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machines_folder_is_named_with_its_line() {
        let text = format!("fine\nsee {}{}notes\n", FORBIDDEN[2].0, FORBIDDEN[2].1);
        let broken_lines = broken(Path::new("a.md"), &text);
        assert_eq!(broken_lines.len(), 1);
        assert!(broken_lines[0].starts_with("a.md:2: "));
        assert!(broken(Path::new("a.md"), "fine\n").is_empty());
    }
}
