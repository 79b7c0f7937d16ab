//! A screen that nobody sees.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::Window;
use super::engine::find;
use crate::process::Process;
use crate::trouble::Trouble;

const LIMIT: Duration = Duration::from_secs(20);
const POLL: Duration = Duration::from_millis(20);
const REMEDY: &str = "install Xvfb (Debian: apt-get install xvfb)";

/// A running Xvfb.
#[derive(Debug)]
pub(super) struct Screen {
    display: String,
    _server: Process,
}

impl Screen {
    pub(super) fn start(folder: &Path, window: Window) -> Result<Self, Trouble> {
        let mut command = Command::new(find(&["Xvfb"]).unwrap_or_else(|| "Xvfb".into()));
        // It takes a free number by itself and prints it.
        command.args(["-displayfd", "1", "-nolisten", "tcp", "-screen", "0"]);
        command.arg(format!("{}x{}x24", window.width, window.height));
        let mut server = Process::spawn("Xvfb", &mut command, folder, REMEDY)?;
        let start = Instant::now();
        loop {
            let said = fs::read_to_string(server.log()).unwrap_or_default();
            let number = said
                .lines()
                .find_map(|line| line.trim().parse::<u32>().ok());
            if let Some(number) = number.filter(|_| said.ends_with('\n')) {
                return Ok(Self {
                    display: format!(":{number}"),
                    _server: server,
                });
            }
            if let Some(died) = server.died() {
                return Err(died);
            }
            if start.elapsed() > LIMIT {
                return Err(Trouble::NotSeen {
                    seconds: LIMIT.as_secs(),
                    what: "Xvfb's display".to_owned(),
                    seen: said,
                });
            }
            std::thread::sleep(POLL);
        }
    }

    pub(super) fn display(&self) -> &str {
        &self.display
    }
}
