//! Firefox, headless.

use fantoccini::wd::Capabilities;
use serde_json::json;
use std::path::Path;
use std::process::Command;

use super::{Programs, Start, Window};
use crate::ports;
use crate::trouble::Trouble;

pub(super) fn start(
    programs: &Programs,
    port: u16,
    profile: &Path,
    window: Window,
) -> Result<Start, Trouble> {
    let mut command = Command::new(&programs.driver);
    command.arg("--port").arg(port.to_string());
    // Its second door has a fixed number, which two drivers could not both have.
    command
        .arg("--websocket-port")
        .arg(ports::free()?.to_string());
    // Where it makes its profile, and where it looks for its owner's.
    command.env("TMPDIR", profile).env("HOME", profile);
    let options = json!({
        "binary": programs.browser,
        "args": [
            "-headless",
            format!("--width={}", window.width),
            format!("--height={}", window.height),
        ],
        "prefs": {
            // Nothing but the test goes over the network.
            "app.update.disabledForTesting": true,
            // The driver would keep this event from pages; users' browsers do not.
            "dom.disable_beforeunload": false,
            "datareporting.policy.dataSubmissionEnabled": false,
            "network.captive-portal-service.enabled": false,
            "network.connectivity-service.enabled": false,
        },
    });
    let mut capabilities = Capabilities::new();
    capabilities.insert("browserName".to_owned(), json!("firefox"));
    capabilities.insert("pageLoadStrategy".to_owned(), json!("normal"));
    capabilities.insert("moz:firefoxOptions".to_owned(), options);
    Ok(Start {
        driver: "geckodriver",
        command,
        capabilities,
        screen: None,
    })
}
