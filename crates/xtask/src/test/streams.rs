//! Recorded streams and hard cases beside the checkout, where there are any.

use anyhow::{Context, Result, bail};
use harness::place::Place;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::count::Counts;
use crate::program::{cargo, output, run as run_program};

/// Where they lie, seen from the checkout.
const FOLDER: &str = "../shared/streams";

/// How many are read rightly at least. Raise them with the dialects that are added; never lower them.
const LEAST_CASES: u64 = 105;
const LEAST_CAPTURES: u64 = 40;

/// Replays all of them and compares with the expected answers.
///
/// # Errors
/// When fewer than before are right.
pub(super) fn run(place: &Place, counts: &mut Counts) -> Result<()> {
    let folder = place.root().join(FOLDER);
    if !folder.is_dir() {
        let why = format!("{FOLDER} is not there");
        eprintln!("  SKIPPED: {why}");
        counts.skip("recorded streams", &why);
        return Ok(());
    }
    run_program(
        cargo(place).args([
            "build",
            "--locked",
            "--package",
            "streamlag",
            "--profile",
            "demo",
        ]),
        "see cargo's message above",
    )?;
    let cases = folder.join("cases.jsonl");
    let mut replay = Command::new(place.streamlag());
    replay.arg("replay").arg("--cases").arg(&cases);
    score(place, counts, ("cases", LEAST_CASES), &cases, &mut replay)?;
    let mut replay = Command::new(place.streamlag());
    replay
        .arg("replay")
        .args(captures(&folder.join("captures"))?);
    score(
        place,
        counts,
        ("captures", LEAST_CAPTURES),
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
    (kind, least): (&str, u64),
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
    // It fails when any is wrong; how many are is what counts here.
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
    if passed < least {
        println!("{report}");
        counts.add(kind, passed, failed, 0);
        bail!(
            "{passed} of {} {kind} are right, {least} were before",
            passed + failed
        );
    }
    if failed > 0 {
        println!(
            "  known: {failed} of {} {kind} are not yet read rightly",
            passed + failed
        );
    }
    counts.add(kind, passed, 0, failed);
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
