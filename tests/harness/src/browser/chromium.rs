//! Chromium, headless.

use fantoccini::wd::Capabilities;
use serde_json::json;
use std::path::Path;
use std::process::Command;

use super::{Programs, Start, Window};

pub(super) fn start(programs: &Programs, port: u16, profile: &Path, window: Window) -> Start {
    let mut command = Command::new(&programs.driver);
    command.arg(format!("--port={port}"));
    Start {
        driver: "chromedriver",
        command,
        capabilities: capabilities(&programs.browser, profile, window),
        screen: None,
    }
}

fn capabilities(chromium: &Path, profile: &Path, window: Window) -> Capabilities {
    let mut args = vec![
        "--headless".to_owned(),
        "--disable-gpu".to_owned(),
        "--disable-quic".to_owned(),
        "--no-first-run".to_owned(),
        "--disable-background-networking".to_owned(),
        "--disable-component-update".to_owned(),
        "--disable-sync".to_owned(),
        "--hide-scrollbars".to_owned(),
        // Containers keep /dev/shm small.
        "--disable-dev-shm-usage".to_owned(),
        format!("--window-size={},{}", window.width, window.height),
        format!("--user-data-dir={}", profile.display()),
    ];
    if rustix::process::geteuid().is_root() {
        args.push("--no-sandbox".to_owned());
    }
    if window.dark {
        args.push("--blink-settings=preferredColorScheme=0".to_owned());
    }
    let mut capabilities = Capabilities::new();
    capabilities.insert("browserName".to_owned(), json!("chrome"));
    // Alerts and slow loads must not decide a test's end.
    capabilities.insert("pageLoadStrategy".to_owned(), json!("normal"));
    let mut options = json!({ "binary": chromium, "args": args });
    if window.phone {
        let metrics = json!({ "width": window.width, "height": window.height, "pixelRatio": 2.0 });
        options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
    }
    capabilities.insert("goog:chromeOptions".to_owned(), options);
    capabilities.insert("goog:loggingPrefs".to_owned(), json!({ "browser": "ALL" }));
    capabilities
}
