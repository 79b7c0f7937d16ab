//! Sums up what the test runners say of themselves.

use anyhow::{Result, bail};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::program::shown;

/// Tests of all runners so far.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    passed: u64,
    failed: u64,
    skipped: u64,
    lines: Vec<String>,
}

impl Counts {
    /// Adds a runner's counts under its name.
    pub(super) fn add(&mut self, name: &str, passed: u64, failed: u64, skipped: u64) {
        self.passed += passed;
        self.failed += failed;
        self.skipped += skipped;
        self.lines.push(format!(
            "{name}: {passed} passed, {failed} failed, {skipped} skipped"
        ));
    }

    /// Notes in the closing lines that something did not run.
    pub(super) fn skip(&mut self, name: &str, why: &str) {
        self.skipped += 1;
        self.lines.push(format!("{name}: SKIPPED, {why}"));
    }

    /// A failed step whose runner counted no failure is one.
    pub(super) fn fail_unless_counted(&mut self) {
        self.failed = self.failed.max(1);
    }

    /// Prints each runner's counts, then their sum alone on a line.
    pub(super) fn print(&self) {
        println!();
        for line in &self.lines {
            println!("{line}");
        }
        let skipped = if self.skipped > 0 {
            format!(", {} skipped", self.skipped)
        } else {
            String::new()
        };
        println!("{} passed, {} failed{skipped}", self.passed, self.failed);
    }

    /// Runs `cargo test`, passes its output through and counts its summaries.
    ///
    /// # Errors
    /// When a test fails, or none ran.
    pub(super) fn cargo_test(&mut self, name: &str, command: &mut Command) -> Result<()> {
        let mut child = command.stdout(Stdio::piped()).spawn()?;
        let mut sum = [0; 3];
        if let Some(stdout) = child.stdout.take() {
            for line in BufReader::new(stdout).lines() {
                let line = line?;
                println!("{line}");
                if let Some(counts) = summary(&line) {
                    for (sum, count) in sum.iter_mut().zip(counts) {
                        *sum += count;
                    }
                }
            }
        }
        let status = child.wait()?;
        self.add(name, sum[0], sum[1], sum[2]);
        if !status.success() {
            bail!("`{}` failed; see above", shown(command));
        }
        if sum[0] == 0 {
            bail!("`{}` ran no test", shown(command));
        }
        Ok(())
    }
}

/// `test result: ok. 3 passed; 0 failed; 1 ignored; …` → passed, failed, ignored.
fn summary(line: &str) -> Option<[u64; 3]> {
    let rest = line.trim_start().strip_prefix("test result: ")?;
    let count = |word: &str| {
        let before = rest.split(word).next()?;
        before.split_whitespace().next_back()?.parse().ok()
    };
    Some([count(" passed")?, count(" failed")?, count(" ignored")?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runners_summary_is_read() {
        let line = "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.10s";
        assert_eq!(summary(line), Some([12, 3, 1]));
        assert_eq!(summary("running 3 tests"), None);
    }

    #[test]
    fn a_failed_step_without_counts_is_one_failure() {
        let mut counts = Counts::default();
        counts.fail_unless_counted();
        assert_eq!(counts.failed, 1);
        counts.add("cargo test", 1, 3, 0);
        counts.fail_unless_counted();
        assert_eq!(counts.failed, 4);
    }
}
