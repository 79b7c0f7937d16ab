//! A part that runs as its own process group, with its output in a file, and ends with its value; and where
//! nothing can be dropped any more, because we were killed, with us.

use rustix::process::{Pid, Signal, kill_process_group};
use std::fs::{self, File};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::http;
use crate::trouble::Trouble;

/// How long a part may take to end before it is made to.
const GRACE: Duration = Duration::from_secs(3);
const POLL: Duration = Duration::from_millis(20);
const TAIL_LINES: usize = 15;

/// A running part.
#[derive(Debug)]
pub struct Process {
    name: &'static str,
    child: Child,
    guard: Option<Child>,
    log: PathBuf,
}

impl Process {
    /// Starts it, output to `folder/name.log`.
    ///
    /// # Errors
    /// When it cannot be started; `remedy` ends the sentence.
    pub fn spawn(
        name: &'static str,
        command: &mut Command,
        folder: &Path,
        remedy: &'static str,
    ) -> Result<Self, Trouble> {
        let log = folder.join(format!("{}.log", name.replace(' ', "-")));
        let output = File::create(&log).map_err(Trouble::file(&log))?;
        let errors = output.try_clone().map_err(Trouble::file(&log))?;
        // A group of its own: Ctrl-C reaches us alone, and we end it with all that it started.
        command
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors);
        let child = command.spawn().map_err(|source| Trouble::NotStarted {
            program: command.get_program().to_string_lossy().into_owned(),
            source,
            remedy,
        })?;
        let guard = guard(child.id());
        Ok(Self {
            name,
            child,
            guard,
            log,
        })
    }

    /// Its process id, which is also its group's.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Its whole output so far.
    pub fn log(&self) -> &Path {
        &self.log
    }

    /// Why it is no longer there, if so.
    pub fn died(&mut self) -> Option<Trouble> {
        let status = self.child.try_wait().ok()??;
        Some(Trouble::Died {
            name: self.name.to_owned(),
            status: status.to_string(),
            log: self.log.display().to_string(),
            tail: self.tail(),
        })
    }

    /// Waits until it answers a GET with success.
    ///
    /// # Errors
    /// When it ends before, or does not within `limit`.
    pub async fn ready(&mut self, url: &str, limit: Duration) -> Result<(), Trouble> {
        let start = Instant::now();
        loop {
            if let Some(trouble) = self.died() {
                return Err(trouble);
            }
            if http::get(url)
                .await
                .is_ok_and(|answer| answer.status == 200)
            {
                return Ok(());
            }
            if start.elapsed() > limit {
                return Err(Trouble::NotReady {
                    name: self.name.to_owned(),
                    url: url.to_owned(),
                    seconds: limit.as_secs(),
                    log: self.log.display().to_string(),
                    tail: self.tail(),
                });
            }
            tokio::time::sleep(POLL).await;
        }
    }

    /// Ends it and all that it started.
    pub fn stop(&mut self) {
        let group = Pid::from_child(&self.child);
        let _ = kill_process_group(group, Signal::TERM);
        let start = Instant::now();
        while start.elapsed() < GRACE {
            if !matches!(self.child.try_wait(), Ok(None)) {
                break;
            }
            std::thread::sleep(POLL);
        }
        // Also those in the group that outlived it.
        let _ = kill_process_group(group, Signal::KILL);
        let _ = self.child.wait();
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.kill();
            let _ = guard.wait();
        }
    }

    fn tail(&self) -> String {
        let bytes = fs::read(&self.log).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(TAIL_LINES)..].join("\n")
    }
}

/// A shell that waits for a line from us. None comes: when we are gone, however that came about, its input
/// ends, and it ends the group. Without a shell there is no guard; then only being killed leaves something behind.
fn guard(group: u32) -> Option<Child> {
    let script = "read -r _; kill -s TERM -- -$0; sleep 2; kill -s KILL -- -$0";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, &group.to_string()]);
    // Of its own group, too: a Ctrl-C must not end it before its time.
    shell.process_group(0).stdin(Stdio::piped());
    shell.stdout(Stdio::null()).stderr(Stdio::null());
    shell.spawn().ok()
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, folder: &Path) -> Process {
        let mut command = Command::new("sh");
        Process::spawn(
            "shell",
            command.args(["-c", script]),
            folder,
            "install a shell",
        )
        .unwrap()
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("streamlag-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn runs(pid: &str) -> bool {
        // A zombie has ended too.
        fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
    }

    #[test]
    fn a_part_that_ends_by_itself_is_reported_with_its_last_words() {
        let folder = folder("died");
        let mut part = shell("echo the disk is full >&2; exit 3", &folder);
        while part.died().is_none() {
            std::thread::sleep(POLL);
        }
        let said = part.died().unwrap().to_string();
        assert!(
            said.contains("exit status: 3") && said.contains("the disk is full"),
            "{said}"
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_part_ends_when_those_who_started_it_are_gone() {
        let folder = folder("gone");
        let mut part = shell("sleep 600", &folder);
        assert!(part.died().is_none());
        // What the system does when a process ends: it closes its end of the pipe.
        drop(part.guard.as_mut().unwrap().stdin.take());
        let start = Instant::now();
        while part.died().is_none() && start.elapsed() < Duration::from_secs(10) {
            std::thread::sleep(POLL);
        }
        assert!(part.died().is_some());
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_part_started_ends_with_it() {
        let folder = folder("group");
        let part = shell("sleep 600 & echo $!; wait", &folder);
        let grandchild = loop {
            let said = fs::read_to_string(part.log()).unwrap();
            if said.ends_with('\n') {
                break said.trim().to_owned();
            }
            std::thread::sleep(POLL);
        };
        assert!(runs(&grandchild));
        drop(part);
        assert!(!runs(&grandchild));
        fs::remove_dir_all(folder).unwrap();
    }
}
