//! Recorded streams and hard cases beside the checkout, where there are any.

use anyhow::{Context, Result, bail};
use harness::Place;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::count::Counts;
use crate::binaries;
use crate::program::output;

/// Where they lie, seen from the checkout.
const FOLDER: &str = "../shared/streams";

/// Replays all of them and compares with the expected answers.
///
/// # Errors
/// When one is not read as it should be.
pub(super) fn run(place: &Place, counts: &mut Counts) -> Result<()> {
    let folder = place.root().join(FOLDER);
    if !folder.is_dir() {
        let why = format!("{FOLDER} is not there");
        eprintln!("  SKIPPED: {why}");
        counts.skip("recorded streams", &why);
        return Ok(());
    }
    binaries::streamlag(place)?;
    let cases = folder.join("cases.jsonl");
    let mut replay = Command::new(place.streamlag());
    replay.arg("replay").arg("--cases").arg(&cases);
    score(place, counts, "cases", &cases, &mut replay)?;
    let mut replay = Command::new(place.streamlag());
    replay
        .arg("replay")
        .args(captures(&folder.join("captures"))?);
    score(
        place,
        counts,
        "captures",
        &folder.join("captures/index.tsv"),
        &mut replay,
    )
}

/// The files one folder down.
fn captures(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            for file in fs::read_dir(&path)? {
                files.push(file?.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

fn score(
    place: &Place,
    counts: &mut Counts,
    kind: &str,
    expected: &Path,
    replay: &mut Command,
) -> Result<()> {
    let results = place.run("streams");
    fs::create_dir_all(&results)?;
    let results = results.join(format!("{kind}.jsonl"));
    fs::write(&results, output(replay, "replay must read any stream")?)?;
    let mut score = Command::new("python3");
    score
        .arg(place.root().join(FOLDER).join("score.py"))
        .arg(kind)
        .arg(expected)
        .arg(&results);
    let output = score
        .output()
        .context("`python3` could not be started: install Python 3")?;
    let report = String::from_utf8_lossy(&output.stdout);
    let (passed, failed) = report
        .lines()
        .next_back()
        .and_then(totals)
        .with_context(|| {
            format!(
                "no totals from the score: {}",
                String::from_utf8_lossy(&output.stderr)
            )
        })?;
    counts.add(kind, passed, failed, 0);
    if failed > 0 || passed == 0 {
        println!("{report}");
        bail!(
            "{failed} of {} {kind} are not read as they should be",
            passed + failed
        );
    }
    Ok(())
}

/// `12 passed, 3 failed`
fn totals(line: &str) -> Option<(u64, u64)> {
    let (passed, failed) = line.split_once(" passed, ")?;
    Some((
        passed.parse().ok()?,
        failed.strip_suffix(" failed")?.parse().ok()?,
    ))
}

#[cfg(test)]
mod tests {
    use super::totals;

    #[test]
    fn totals_are_read() {
        assert_eq!(totals("99 passed, 6 failed"), Some((99, 6)));
        assert_eq!(totals("case-7"), None);
    }
}
