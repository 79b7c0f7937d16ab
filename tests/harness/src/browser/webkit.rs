//! WebKit, in GTK's small browser. It has no headless mode: it gets a screen that nobody sees.

use fantoccini::wd::Capabilities;
use serde_json::json;
use std::path::Path;
use std::process::Command;

use super::{Programs, Screen, Start, Window};
use crate::trouble::Trouble;

pub(super) fn start(
    programs: &Programs,
    port: u16,
    profile: &Path,
    window: Window,
    folder: &Path,
) -> Result<Start, Trouble> {
    let screen = Screen::start(folder, window)?;
    let mut command = Command::new(&programs.driver);
    command.arg(format!("--port={port}"));
    command.env("DISPLAY", screen.display());
    // Its cookies, caches and settings.
    for name in ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"] {
        command.env(name, profile);
    }
    let options = json!({
        "binary": programs.browser,
        "args": ["--automation", format!("--geometry={}x{}", window.width, window.height)],
    });
    let mut capabilities = Capabilities::new();
    capabilities.insert("pageLoadStrategy".to_owned(), json!("normal"));
    capabilities.insert("webkitgtk:browserOptions".to_owned(), options);
    Ok(Start {
        driver: "WebKitWebDriver",
        command,
        capabilities,
        screen: Some(screen),
    })
}
