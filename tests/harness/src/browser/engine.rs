//! The three engines that users have, and where their programs are.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::place::Place;
use crate::trouble::Trouble;

/// A browser engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Engine {
    /// Blink: Chrome, Edge.
    Chromium,
    /// Gecko.
    Firefox,
    /// Safari's engine, in the browser that Debian ships for testing it.
    WebKit,
}

/// The browser's own program and its driver's.
pub(super) struct Programs {
    pub(super) browser: PathBuf,
    pub(super) driver: PathBuf,
}

impl Engine {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Chromium, Self::Firefox, Self::WebKit];

    /// As people call it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chromium => "Chromium",
            Self::Firefox => "Firefox",
            Self::WebKit => "WebKit",
        }
    }

    /// Debian's packages of it.
    pub const fn packages(self) -> &'static [&'static str] {
        match self {
            Self::Chromium => &["chromium", "chromium-driver"],
            Self::Firefox => &["firefox-esr"],
            Self::WebKit => &["webkit2gtk-driver", "xvfb"],
        }
    }

    /// Whether the system has the browser, and its driver where that comes with it (Firefox's does not).
    ///
    /// # Errors
    /// What is missing, and how to get it.
    pub fn in_system(self) -> Result<(), Trouble> {
        let browser = self.browser().map(drop);
        match self {
            Self::Firefox => browser,
            Self::Chromium => browser.and(self.driver().map(drop)),
            Self::WebKit => browser
                .and(self.driver().map(drop))
                .and(self.find("Xvfb", &["Xvfb"]).map(drop)),
        }
    }

    /// Everything that it takes to start one.
    ///
    /// # Errors
    /// What is missing, and how to get it.
    pub(super) fn installed(self) -> Result<Programs, Trouble> {
        Ok(Programs {
            browser: self.browser()?,
            driver: self.driver()?,
        })
    }

    fn browser(self) -> Result<PathBuf, Trouble> {
        let names: &[&str] = match self {
            Self::Chromium => &[
                "chromium",
                "chromium-browser",
                "google-chrome-stable",
                "google-chrome",
            ],
            Self::Firefox => &["firefox-esr", "firefox"],
            Self::WebKit => return mini_browser().ok_or(self.missing("MiniBrowser")),
        };
        self.find(self.name(), names)
    }

    /// The driver.
    ///
    /// # Errors
    /// When it is missing.
    pub fn driver(self) -> Result<PathBuf, Trouble> {
        match self {
            Self::Chromium => self.find("chromedriver", &["chromedriver"]),
            Self::Firefox => self.find("geckodriver", &["geckodriver"]),
            Self::WebKit => self.find("WebKitWebDriver", &["WebKitWebDriver"]),
        }
    }

    fn find(self, what: &'static str, names: &[&str]) -> Result<PathBuf, Trouble> {
        find(names).ok_or(self.missing(what))
    }

    fn missing(self, what: &'static str) -> Trouble {
        Trouble::NoBrowser {
            what,
            engine: self.name(),
            packages: self.packages().join(" "),
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// In the system's folders for programs, or among the tools that `cargo xtask` built.
pub(super) fn find(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = env::split_paths(&path).collect();
    folders.extend(Place::find().ok().map(|place| place.tools().join("bin")));
    let candidates = names
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    candidates.into_iter().find(|path| path.is_file())
}

/// Debian keeps it out of the way: `/usr/lib/<machine>/webkit2gtk-<version>/MiniBrowser`.
fn mini_browser() -> Option<PathBuf> {
    let machine = format!("{}-linux-gnu", env::consts::ARCH);
    let versions = ["webkit2gtk-4.1", "webkitgtk-6.0", "webkit2gtk-4.0"];
    let paths = versions.map(|version| {
        Path::new("/usr/lib")
            .join(&machine)
            .join(version)
            .join("MiniBrowser")
    });
    paths.into_iter().find(|path| path.is_file())
}
